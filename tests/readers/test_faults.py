"""What no reader foresaw costs the one file: a complaint that asks for a report."""

import json
import re

import pytest
from program import python

from fsviz.model.errors import FsvizError
from fsviz.readers.formats import read_file

LOG = "data/raw/loopback-2026/iozone/nfs-v3/rep1.txt"
TABLE = "system,operation,value,unit\n{},read,5,MiB/s\n"
PLANTED = """
import builtins, sys
from fsviz.cli import main
from fsviz.readers.tables import rows

def fail(document):
    raise getattr(builtins, document.lines[1].partition(",")[0])

rows.read_tables = fail
sys.argv = ["fsviz", *sys.argv[1:]]
main()
"""


def with_faults(folder, raised, words, **environment):
    """Run the program on a log and a table for each fault that its reader raises."""
    for name in raised:
        (folder / name).mkdir()
        (folder / name / "rep1.csv").write_text(TABLE.format(name))
    return python("-c", PLANTED, *words, folder, **environment)


@pytest.fixture
def campaign(tmp_path, root):
    (tmp_path / "nfs").mkdir()
    (tmp_path / "nfs/rep1.txt").write_bytes((root / LOG).read_bytes())
    return tmp_path


@pytest.mark.slow
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


ONES = "1" * 5000
DECIMALS = "1." + "1" * 400
QUOTED = "Content-Transfer-Encoding: quoted-printable\n"
TABLE_OF_SIZES = "system,operation,file size,value,unit\n"


@pytest.mark.parametrize(
    "text,said",
    [
        (
            TABLE_OF_SIZES + "<b>nfs</b>,read,64 MiB,11&#13;5,MiB/s\n",
            "2: expected a number, a range or a bound, found",
        ),
        (
            QUOTED + TABLE_OF_SIZES + "nfs,read,64 MiB,11=0D5=\n,MiB/s\n",
            "3: expected a number, a range or a bound, found",
        ),
        (
            f"system,time\na,{ONES}:00:01.5\n",
            "2: expected numbers of fewer than 1000 digits",
        ),
        (
            f"system,operation,value,threads\nnfs,read,5 MiB/s,{ONES}\n",
            "2: expected numbers of fewer than 1000 digits",
        ),
        (
            TABLE_OF_SIZES + f"nfs,read,{ONES},5,MiB/s\n",
            "2: expected numbers of fewer than 1000 digits",
        ),
        (
            f"Writer Report,,\n,4,8\n{2**63 - 1},1,2\n",
            "3: expected a file size and numbers without gaps, found",
        ),
        (
            f"Number of files: {ONES} (reg: 1)\ntotal size is 1  speedup is 1\n",
            "1: expected numbers of fewer than 1000 digits",
        ),
    ],
    ids=lambda text: text[:24],
)
def test_a_file_that_a_reader_failed_on_is_refused(tmp_path, text, said):
    path = tmp_path / "given.txt"
    path.write_text(text)
    with pytest.raises(FsvizError) as error:
        read_file(path)
    assert str(error.value).startswith(f"{path}:{said}")
    assert len(str(error.value)) < len(str(path)) + 200


def test_a_number_of_many_decimals_is_read(tmp_path):
    path = tmp_path / "given.txt"
    path.write_text(f"system,time\na,{DECIMALS} s\n")
    (run,) = read_file(path).runs
    assert run.cells.value == pytest.approx([10 / 9], rel=1e-15)


def test_half_a_character_in_json_is_replaced(tmp_path):
    path = tmp_path / "a.json"
    result = {"command": "rsync a\udc80b €", "times": [1.5]}
    path.write_text(json.dumps({"results": [result]}))
    (run,) = read_file(path).runs
    assert run.command_line == "rsync a?b €"
