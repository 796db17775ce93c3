"""``fsviz check`` on the command line."""

import csv
import io
import os

import pytest
from program import run
from samples import loaded

from fsviz.checks.case import Case
from fsviz.checks.phrases import amended
from fsviz.model.thresholds import limits
from fsviz.readers.iozone.options import parse_options
from tests.checks.outputs import LOOPBACK, ONEHOST, ROOT, iozone


def fsviz(*words):
    return run("check", *words, cwd=ROOT)


def test_strict_fails_on_an_error_and_only_then():
    assert fsviz(LOOPBACK, "--strict").returncode == 1
    assert fsviz(ONEHOST, "--strict", "--select", "undisclosed").returncode == 0


def test_an_unusable_input_is_named_and_the_rest_checked(tmp_path):
    (tmp_path / "rep1.txt").write_text(iozone())
    (tmp_path / "noise.txt").write_text("hello\n")
    done = fsviz(tmp_path)
    assert done.returncode == 1
    assert "noise.txt:1: expected" in done.stderr
    assert "too-few-runs" in done.stdout


def test_a_campaign_of_an_invalid_mode_only_is_a_finding(tmp_path):
    sample = ROOT / "tests/data/iozone/3.489/auto_V.txt"
    (tmp_path / "rep1.txt").write_text(sample.read_text())
    done = fsviz(tmp_path, "--format", "csv")
    assert done.returncode == 1
    assert "rep1.txt:20: expected measurements that IOzone itself calls" in done.stderr
    [row] = csv.DictReader(io.StringIO(done.stdout))
    assert (row["rule"], row["severity"]) == ("invalid-mode", "error")
    assert (row["source"], row["locator"]) == (str(tmp_path / "rep1.txt"), "line 20")
    other = fsviz(tmp_path, "--select", "confounded")
    assert (other.returncode, other.stdout) == (1, "")


@pytest.mark.parametrize(
    "words,says",
    [
        (["--select", "no-such", ONEHOST], "expected one of cache-regime"),
        (["--ignore", "no-such", ONEHOST], "expected one of cache-regime"),
        (["--explain", "no-such"], "expected one of cache-regime"),
        ([], "expected a SOURCE"),
    ],
)
def test_wrong_usage(words, says):
    done = fsviz(*words)
    assert done.returncode == 2
    assert says in done.stderr


def test_explain_prints_the_page():
    done = fsviz("--explain", "write-back")
    assert done.returncode == 0
    assert done.stdout.startswith("# The write that reached only memory\n")


def test_output_goes_to_a_file(tmp_path):
    done = fsviz(ONEHOST, "-o", tmp_path / "findings.txt")
    assert done.stdout == ""
    assert "unstable-cell" in (tmp_path / "findings.txt").read_text()


def test_nothing_found_says_so(tmp_path):
    assert fsviz(ONEHOST, "--select", "confounded").stdout == "Nothing found.\n"


def test_an_answer_is_written_whole_or_not_at_all(root, tmp_path, monkeypatch):
    """What was there stays where writing stops midway."""
    target = tmp_path / "found.json"
    target.write_text("before")
    written = []
    real = os.fdopen

    def full(handle, *arguments, **more):
        """Open a file on a disk that is full from the first byte on."""
        file = real(handle, *arguments, **more)
        if "wb" in arguments:
            written.extend(p.name for p in tmp_path.iterdir() if p != target)
            os.dup2(disk, handle)
        return file

    disk = os.open("/dev/full", os.O_WRONLY)
    monkeypatch.setattr("os.fdopen", full)
    folder = root / "data/lessons/same-twice-2026"
    done = run("check", folder, "--format", "json", "-o", target)
    assert done.returncode == 2
    assert "No space left" in done.stderr
    os.close(disk)
    # it was aside, and is gone
    assert len(written) == 1
    assert [p.name for p in tmp_path.iterdir()] == [target.name]
    assert target.read_text() == "before"


def test_advice_never_overwrites_the_workbook_of_the_first_run():
    group = Case(loaded(ONEHOST), limits()).of("iozone")[0]
    own = group.options.workbook
    assert own.endswith(".xls")
    command = amended(group, ["e"])
    assert own not in command.split()
    assert parse_options(command).workbook == own.replace(".xls", "-again.xls")
