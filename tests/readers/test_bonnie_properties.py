"""bonnie++: rows rendered from random numbers, and rows with one character changed."""

import math
import string

from hypothesis import given, settings
from hypothesis import strategies as st

from fsviz.readers.bonnie.merge import read_bonnie
from fsviz.readers.document import decode

THROUGHPUTS = (
    "sequential_output_per_char",
    "sequential_output_block",
    "sequential_output_rewrite",
    "sequential_input_per_char",
    "sequential_input_block",
)
FILE_TESTS = (
    "sequential_create",
    "sequential_stat",
    "sequential_delete",
    "random_create",
    "random_stat",
    "random_delete",
)
TESTS = (*THROUGHPUTS, "random_seeks", *FILE_TESTS)
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}

integers = st.integers(1, 10**9)
cpus = st.one_of(st.integers(0, 800).map(str), st.just("+++"))
latencies = st.one_of(
    st.just(""),
    st.builds("{}{}".format, st.integers(1, 99999), st.sampled_from(list(UNITS))),
)
labels = st.text(string.ascii_letters + ' -_.",', min_size=1, max_size=20).filter(
    lambda text: text == text.strip() and text[0].isalpha()
)


@st.composite
def texts_of_a_run(draw):
    """Texts of the twelve tests: (rate, cpu, latency), all empty if one did not run."""
    texts = []
    for name in TESTS:
        if draw(st.integers(0, 4)) == 0:
            texts.append(("", "", ""))
            continue
        rate = str(draw(integers))
        if name == "random_seeks":
            rate = draw(st.sampled_from([rate, f"{int(rate) % 1000}.5"]))
        rate = draw(st.sampled_from([rate, rate, "+++++"]))
        cpu = "+++" if rate == "+++++" else draw(cpus)
        texts.append((rate, cpu, draw(latencies)))
    if not any(rate for rate, _, _ in texts):
        texts[1] = ("7", "1", "")
    return texts


def render(layout, label, texts, size, chunk, threads):
    """Print a row as that version of bonnie++ does."""
    pairs = [f"{rate},{cpu}" for rate, cpu, _ in texts]
    io, files = ",".join(pairs[:6]), ",".join(pairs[6:])
    waits = ",".join(wait for _, _, wait in texts)
    if layout == "1.03":
        glued = f"{size}M:{chunk}" if chunk else f"{size}M"
        return f"{label},{glued},{io},16,{files}"
    if layout == "2":
        return f"2,1.90a,{label},{size}M,{chunk},{io},16,,,,{files}"
    if layout == "1.97":
        start = f"1.97,1.97,{label},{threads},42,{size}M,{chunk},{io}"
    else:
        start = f"1.98,2.00a,{label},{threads},42,{size}M,,8192,5,{io}"
    return f"{start},16,,,,,{files},{waits}"


def expected(layout, texts):
    found = {}
    for name, (rate, cpu, wait) in zip(TESTS, texts, strict=True):
        kind = "throughput" if name in THROUGHPUTS else "rate"
        if rate:
            number = math.nan if rate == "+++++" else float(rate)
            found[name, kind] = number * (1024 if kind == "throughput" else 1)
        if cpu not in ("", "+++"):
            found[name, "cpu"] = float(cpu)
        if wait and layout in ("1.97", "1.98"):
            digits = wait.rstrip("mus")
            found[name, "latency"] = int(digits) * UNITS[wait[len(digits) :]]
    return found


def read(text):
    return read_bonnie(decode("b.csv", text.encode()))


def values(run):
    c = run.cells
    keys = zip(c.operation, c.metric, strict=True)
    return dict(zip(keys, c.value, strict=True))


def same(a, b):
    return a.keys() == b.keys() and all(
        a[k] == b[k] or (math.isnan(a[k]) and math.isnan(b[k])) for k in a
    )


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(["1.03", "2", "1.97", "1.98"]),
    labels,
    texts_of_a_run(),
    st.integers(1, 10**6),
    st.sampled_from(["", "16k", "1m"]),
    st.integers(1, 64),
)
def test_rendered_rows_read_back(layout, label, texts, size, chunk, threads):
    (run,) = read(render(layout, label, texts, size, chunk, threads)).runs
    assert same(values(run), expected(layout, texts))
    assert run.host == label
    assert set(run.cells.file_size_bytes) <= {size * 1024**2, None}
    own = threads if layout in ("1.97", "1.98") else 1
    assert set(run.cells.threads) == {own}


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(labels, texts_of_a_run()), min_size=2, max_size=5))
def test_several_rows_are_several_runs(rows):
    text = "\n".join(render("1.98", label, t, 64, "", 1) for label, t in rows)
    runs = read(text).runs
    assert [run.host for run in runs] == [label for label, _ in rows]
    for run, (_, texts) in zip(runs, rows, strict=True):
        assert same(values(run), expected("1.98", texts))
