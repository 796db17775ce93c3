"""Files of one invocation count once."""

import math
import shutil
from pathlib import Path

import pytest
from frames import run

from fsviz import load
from fsviz.campaigns.merge_files import merge_files
from fsviz.model.runs import Cells, Run

ROWS = [("write", 64, 4, 10.0), ("write", 64, 8, 20.0), ("read", 64, 4, 30.0)]


def test_a_rounded_form_agrees_with_the_exact_one_and_yields_to_it():
    exact, rounded = Cells(), Cells()
    exact.add("random_seeks", "rate", 87957.0, "line 1", low=87956.5, high=87957.5)
    rounded.add("random_seeks", "rate", 88000.0, "line 5", low=87950.0, high=88050.0)
    rounded.add("random_stat", "rate", math.nan, "line 9", low=2048.0)
    runs = [
        Run("bonnie++", "t", "d/rep1.txt", rounded),
        Run("bonnie++", "c", "d/rep1.csv", exact),
    ]
    unified = merge_files(runs)
    assert [(r.source, r.cells.operation) for r in unified] == [
        ("d/rep1.csv", ["random_seeks"]),
        ("d/rep1.txt", ["random_stat"]),
    ]


def test_an_unstated_record_size_that_may_be_two_is_not_guessed():
    book = run("x", [("write", 64, None, 10.0)], source="d/rep1.xls")
    unified = merge_files([run("t", ROWS[:2], source="d/rep1.txt"), book])
    assert [len(r.cells) for r in unified] == [2, 1]


IOZONE = Path(__file__).parent / "data" / "iozone" / "3.489"
BONNIE = Path(__file__).parent / "data" / "bonnie"


@pytest.mark.parametrize(
    "stem,suffixes",
    [
        ("auto_i02", [".txt", ".xls"]),
        ("Racz_i012_b", [".txt", ".xls", ".libreoffice.xlsx", ".libreoffice.csv"]),
        ("auto_cpu_R_b", [".txt", ".xls", ".libreoffice.xlsx"]),
        ("thr_t1t2t4_i02_R_b_cpu", [".txt", ".xls", ".libreoffice.xlsx"]),
        ("thr_T_O_i0_R_b", [".txt", ".xls"]),
    ],
)
def test_all_forms_of_a_run_in_one_folder_are_one_run(tmp_path, stem, suffixes):
    (tmp_path / "nfs").mkdir()
    for suffix in suffixes:
        shutil.copy(IOZONE / f"{stem}{suffix}", tmp_path / "nfs" / f"rep1{suffix}")
    campaign = load(tmp_path)
    assert len(campaign.runs) == 1
    assert not campaign.problems
    key = ["operation", "file_size_bytes", "record_size_bytes", "threads", "child"]
    assert not campaign.measurements.duplicated([*key, "metric"]).any()


@pytest.mark.parametrize(
    "sample", ["1.03e/v103e_s2g", "1.97.3/v1973_s2g", "2.00a/s2048_putc"]
)
def test_a_console_table_and_its_csv_are_one_run(tmp_path, sample):
    lines = (BONNIE / f"{sample}.out.txt").read_text().splitlines(keepends=True)
    rows = [line for line in lines if line.count(",") > 20]
    table = [line for line in lines if line not in rows]
    (tmp_path / "nfs").mkdir()
    (tmp_path / "nfs" / "rep1.csv").write_text("".join(rows))
    (tmp_path / "nfs" / "rep1.txt").write_text("".join(table))
    campaign = load(tmp_path)
    assert len(rows) == 1
    assert len(campaign.runs) == 1
    # the row states everything that the table shows
    assert {Path(source).name for source in campaign.measurements["source"]} == {
        "rep1.csv"
    }
