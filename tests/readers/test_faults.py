"""What no reader foresaw costs the one file: a complaint that asks for a report."""

import os
import re
import subprocess
import sys

import pytest

LOG = "data/raw/loopback-2026/iozone/nfs-v3/rep1.txt"
TABLE = "system,operation,value,unit\n{},read,5,MiB/s\n"
PLANTED = """
import builtins, sys
from fsviz.cli import main
from fsviz.readers import generic

def fail(document):
    raise getattr(builtins, document.lines[1].partition(",")[0])

generic.read_generic = fail
sys.argv = ["fsviz", *sys.argv[1:]]
main()
"""


def with_faults(folder, raised, words, **environment):
    """Run the program on a log and a table for each fault that its reader raises."""
    for name in raised:
        (folder / name).mkdir()
        (folder / name / "rep1.csv").write_text(TABLE.format(name))
    return subprocess.run(
        [sys.executable, "-c", PLANTED, *words, str(folder)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def campaign(tmp_path, root):
    (tmp_path / "nfs").mkdir()
    (tmp_path / "nfs/rep1.txt").write_bytes((root / LOG).read_bytes())
    return tmp_path


def test_a_fault_of_a_reader_costs_its_file_and_asks_for_a_report(campaign):
    raised = ["AssertionError", "MemoryError", "RecursionError", "ValueError"]
    words = ("summary", "--format", "csv")
    done = with_faults(campaign, raised, words, FSVIZ_RAISE="")
    assert done.returncode == 1
    said = re.sub(r"(?<=formats.py:)\d+", "N", done.stderr).splitlines()
    assert said == [
        f"{campaign}/{name}/rep1.csv:1: expected a file that its reader copes with, "
        f"found {name} in readers/formats.py:N; this is a fault of fsviz: please "
        "report it"
        for name in raised
    ]
    assert {line.split(",")[0] for line in done.stdout.splitlines()[1:]} == {"nfs"}


def test_a_signal_is_no_fault_of_a_reader(campaign):
    done = with_faults(campaign, ["KeyboardInterrupt"], ("summary",), FSVIZ_RAISE="")
    assert "report" not in done.stderr
    assert done.stdout == ""


def test_tests_see_the_traceback_of_a_fault(campaign):
    done = with_faults(campaign, ["LookupError"], ("summary",))
    assert done.stderr.splitlines()[-1] == "LookupError"
    assert done.stdout == ""
