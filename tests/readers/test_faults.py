"""What no reader foresaw costs the one file: a complaint that asks for a report."""

import json
import os
import re
import subprocess
import sys

import pandas as pd
import pytest

from fsviz.model.errors import FsvizError
from fsviz.model.table import COLUMNS
from fsviz.readers.formats import read_file

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


# Faults that were found: each file once ended in a traceback -------------------------

OWN = dict.fromkeys(COLUMNS) | {
    "campaign": "c",
    "system": "nfs",
    "tool": "iozone",
    "run": "r",
    "repeat": 1,
    "operation": "read",
    "file_size_bytes": 65536,
    "metric": "throughput",
    "value": 5.0,
    "unit": "B/s",
    "source": "a.txt",
    "locator": "line 3",
}
ONES = "1" * 5000
DECIMALS = "1." + "1" * 400
QUOTED = "Content-Transfer-Encoding: quoted-printable\n"
TABLE_OF_SIZES = "system,operation,file size,value,unit\n"
HYPERFINE = "Benchmark {}: rsync -a a b\n  Time (mean ± σ): 2 ms ± 1 ms\n"


def own_csv(**changed):
    row = OWN | changed
    texts = ("" if value is None else str(value) for value in row.values())
    return ",".join(row) + "\n" + ",".join(texts) + "\n"


@pytest.mark.parametrize(
    "text,said",
    [
        (own_csv(file_size_bytes="inf"), "2: expected a whole number as file_size_"),
        (
            own_csv(repeat="1e999"),
            "2: expected a whole number as repeat, found '1e999'",
        ),
        (own_csv(threads=1.5), "2: expected a whole number as threads, found '1.5'"),
        (json.dumps([OWN, 5]), "row 2: expected the columns of fsviz read, found '5'"),
        (
            json.dumps([OWN, []]),
            "row 2: expected the columns of fsviz read, found '[]'",
        ),
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
            "2: expected a number from 0 to below 2⁶³, found inf as value",
        ),
        (
            f"system,operation,value,threads\nnfs,read,5 MiB/s,{ONES}\n",
            "2: expected a number of threads, found",
        ),
        (
            TABLE_OF_SIZES + f"nfs,read,{ONES},5,MiB/s\n",
            "2: expected a size such as 64 MiB, found",
        ),
        (
            f"Writer Report,,\n,4,8\n{2**63 - 1},1,2\n",
            "3: expected a file size and numbers without gaps, found",
        ),
        (
            f"Number of files: {ONES} (reg: 1)\ntotal size is 1  speedup is 1\n",
            "1: expected kinds of files that add up to '1111",
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


@pytest.mark.parametrize(
    "text,values",
    [
        (f"system,time\na,{DECIMALS} s\n", [10 / 9]),
        (HYPERFINE.format(ONES), [0.002]),
        (
            HYPERFINE.format(1) + f"  Range (min … max): 1 ms … 3 ms {ONES} runs",
            [0.002],
        ),
        (HYPERFINE.format(1).replace(" 2 ", f" {DECIMALS} "), [1 / 900]),
        (own_csv(repeat=2**70), [5.0]),
    ],
    ids=lambda text: str(text)[:24],
)
def test_a_file_that_a_reader_failed_on_is_read(tmp_path, text, values):
    path = tmp_path / "given.txt"
    path.write_text(text)
    (run,) = read_file(path).runs
    assert run.cells.value == pytest.approx(values, rel=1e-15)


@pytest.mark.parametrize("column", ["value", "unit", "tool", "run"])
def test_lists_in_the_cells_of_parquet_are_refused(tmp_path, column):
    path = tmp_path / "a.parquet"
    pd.DataFrame([OWN | {column: [1.0, 2.0]}]).to_parquet(path)
    with pytest.raises(FsvizError) as error:
        read_file(path)
    found = f"found lists as {column}"
    assert (
        str(error.value) == f"{path}:1: expected one number or text in a cell, {found}"
    )


def test_half_a_character_in_json_is_replaced(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps([OWN | {"system": "a\udc80b €"}]))
    (run,) = read_file(path).runs
    assert run.system == "a?b €"
