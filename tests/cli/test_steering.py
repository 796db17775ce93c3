"""Names that steer a terminal or turn a line around, through every answer."""

import csv
import io
import json
import re
import sys
import traceback

import pytest
from compared import compare
from program import run

import fsviz

# C0 but line end and tab, C1, and the characters of bidirectional text
RAW = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)
NAME = "nfs\x1b]0;own\x07\x9b31m\u202eevil\u2066"
OTHER = "b\u202e"


@pytest.fixture(scope="module")
def hostile(root, tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    for name, source in ((NAME, "nfs-v3"), (OTHER, "smb-3.0")):
        place = folder / name
        place.mkdir()
        log = (root / f"data/raw/loopback-2026/iozone/{source}/rep1.txt").read_bytes()
        # the smallest of the matrix is enough
        (place / "rep1.txt").write_bytes(re.sub(rb"\n +(?!64 )\d+ +\d+ .*", b"", log))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        f"read {{}}/{NAME}/rep1.txt",
        f"read {{}}/{NAME}/rep1.txt --format json",
        "summary {}",
        "summary {} --format json",
        "summary {} --format markdown",
        "compare {}",
        "compare {} --by operation",
        "compare {} --format json",
        "check {}",
        "check {} --format json",
        "check {} --format markdown",
        "files {}",
        "summary {} --operation \x1b\u202e",
        "compare {} --baseline \x1b]0;a\x07",
        "plot {} --operation \x9b -o x.html",
        "check {} --explain \x1b\u202e",
        "pages {}\x1b\u202e",
        "summary {}\x1b",
    ],
)
def test_nothing_raw_is_printed(hostile, words):
    done = run(*(word.format(hostile) for word in words.split(" ")))
    assert done.stdout or done.stderr
    assert RAW.findall(done.stdout + done.stderr) == []
    if "json" in words:
        names = {
            row.get("system") or row.get("candidate") for row in json.loads(done.stdout)
        }
        assert names & {NAME, OTHER, f"{NAME}, {OTHER}", f"{OTHER}, {NAME}"}


def test_csv_is_exact_but_not_on_a_terminal(hostile, monkeypatch):
    from fsviz.cli import shared

    done = run("summary", hostile, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert {row["system"] for row in rows} == {NAME, OTHER}

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    shared.write_frame(fsviz.summary(fsviz.load(hostile)), "csv", None)
    assert "evil" in terminal.getvalue()
    assert RAW.findall(terminal.getvalue()) == []


def shown(error):
    """All that Python prints of an error: also what caused it."""
    return "".join(traceback.format_exception(error))


@pytest.mark.parametrize(
    "ask",
    [
        lambda folder: fsviz.load(folder / f"none{NAME}"),
        lambda folder: fsviz.load(f"{folder}/none{NAME}*"),
        lambda folder: fsviz.load([f"{NAME}="]),
        lambda folder: fsviz.read(folder / NAME),
        lambda folder: compare(fsviz.load(folder), baseline=f"{NAME}?"),
        lambda folder: fsviz.explorer(fsviz.load(folder), operation=NAME),
        lambda folder: fsviz.plot(fsviz.load(folder), NAME),
    ],
)
def test_no_error_of_a_function_steers_a_terminal(hostile, tmp_path, ask):
    with pytest.raises(fsviz.FsvizError) as caught:
        ask(hostile)
    assert "evil" in str(caught.value)
    assert RAW.findall(shown(caught.value)) == []


@pytest.mark.parametrize(
    "lines",
    [
        '"{}" = 1',
        'title = ["{}"]',
        '[facts]\n"{}" = "x"',
        '[facts]\nlink = "{}"',
        '["{}"]\n["{}"]',
        '[thresholds]\n"{}" = 1',
        '[[system]]\nname = "{}"\n[[system]]\nname = "{}"',
        '[[system]]\nname = "{}"\nfiles = ["{}*"]',
    ],
)
def test_no_error_about_a_campaign_steers_a_terminal(tmp_path, lines):
    name = "evil\\u001b]0;own\\u202e"
    (tmp_path / "campaign.toml").write_text(lines.replace("{}", name))
    with pytest.raises(fsviz.FsvizError) as caught:
        fsviz.load(tmp_path)
    assert RAW.findall(shown(caught.value)) == []


def test_no_problem_or_warning_steers_a_terminal(hostile, tmp_path):
    place = tmp_path / NAME / NAME
    place.mkdir(parents=True)
    log = (hostile / NAME / "rep1.txt").read_text()
    (place / "a.txt").write_text("rubbish \x1b[31m")
    (place / "b.txt").write_text(log.replace("iozone test complete", "\x1b[31m"))
    with pytest.warns(UserWarning, match="evil") as warned:
        fsviz.read(place / "b.txt")
    campaign = fsviz.load(place.parent)
    told = [str(w.message) for w in warned] + [str(p) for p in campaign.problems]
    told += [repr(campaign), repr(campaign.problems), repr(campaign.notes)]
    assert len(told) == 6
    assert RAW.findall("".join(told)) == []
