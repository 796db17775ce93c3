"""rsync and time: texts rendered from random numbers, and one character changed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fsviz.readers.document import decode
from fsviz.readers.rsync.text import read_rsync

amounts = st.integers(0, 10**14)
milliseconds = st.integers(1, 10**8)


def grouped(number, separator):
    """Group by threes, by hand: rsync does it whatever the locale groups by."""
    digits, parts = str(number), []
    while len(digits) > 3:
        digits, tail = digits[:-3], digits[-3:]
        parts.insert(0, tail)
    return separator.join([digits, *parts])


def render_report(files, transferred, total, moved, sent, received, comma):
    sign, separator = (",", ".") if comma else (".", ",")
    g = [
        grouped(n, separator)
        for n in (files, transferred, total, moved, sent, received)
    ]
    return (
        f"\nNumber of files: {g[0]} (reg: {g[0]})\n"
        "Number of created files: 0\nNumber of deleted files: 0\n"
        f"Number of regular files transferred: {g[1]}\n"
        f"Total file size: {g[2]} bytes\nTotal transferred file size: {g[3]} bytes\n"
        f"Literal data: {g[3]} bytes\nMatched data: 0 bytes\nFile list size: 0\n"
        f"File list generation time: 0{sign}001 seconds\n"
        f"File list transfer time: 0{sign}000 seconds\n"
        f"Total bytes sent: {g[4]}\nTotal bytes received: {g[5]}\n\n"
        f"sent {g[4]} bytes  received {g[5]} bytes  1{sign}00 bytes/sec\n"
        f"total size is {g[2]}  speedup is 1{sign}00\n"
    )


def render_bash(real, user, system, comma):
    def clock(ms):
        text = f"{ms // 60000}m{ms % 60000 // 1000}.{ms % 1000:03d}s"
        return text.replace(".", ",") if comma else text

    return f"\nreal\t{clock(real)}\nuser\t{clock(user)}\nsys\t{clock(system)}\n"


def read(text):
    return read_rsync(decode("r.txt", text.encode()))


def numbers(run):
    c = run.cells
    triples = zip(c.value, c.low, c.high, strict=True)
    return dict(zip(c.metric, triples, strict=True))


@settings(max_examples=200, deadline=None)
@given(*[amounts] * 6, st.booleans())
def test_rendered_reports_read_back(files, transferred, total, moved, sent, rec, comma):
    text = render_report(files, transferred, total, moved, sent, rec, comma)
    reading = read(text)
    assert not reading.problems
    (run,) = reading.runs
    assert numbers(run) == {"size": (moved,) * 3, "count": (transferred,) * 3}
    facts = run.facts
    assert (facts["files"], facts["total_bytes"]) == (files, total)
    assert (facts["sent_bytes"], facts["received_bytes"]) == (sent, rec)


@settings(max_examples=200, deadline=None)
@given(milliseconds, milliseconds, milliseconds, st.booleans())
def test_rendered_times_read_back(real, user, system, comma):
    (run,) = read(render_bash(real, user, system, comma)).runs
    value, low, high = numbers(run)["elapsed"]
    assert value == pytest.approx(real / 1000, rel=1e-12)
    assert low == pytest.approx((real - 0.5) / 1000, rel=1e-9)
    assert high == pytest.approx((real + 0.5) / 1000, rel=1e-9)
    cpu, least, most = numbers(run)["cpu"]
    assert cpu == pytest.approx(100 * (user + system) / real, rel=1e-9)
    # whatever was rounded away, the truth is inside
    for shift in (-0.49, 0.49):
        truth = 100 * (user + system - 2 * shift) / (real + shift)
        assert least <= truth <= most
