"""Files of one invocation count once."""

import math
import shutil
from pathlib import Path

import pytest
from frames import run

from fsviz import load
from fsviz.campaigns.merge_files import merge_files, stem
from fsviz.model.runs import Cells, Run

ROWS = [("write", 64, 4, 10.0), ("write", 64, 8, 20.0), ("read", 64, 4, 30.0)]


@pytest.mark.parametrize(
    "path,expected",
    [
        ("d/rep1.txt", "d/rep1"),
        ("d/rep1.stats.txt", "d/rep1"),
        ("d/nfs-v4.1.xls", "d/nfs-v4.1"),
        ("d/.txt", "d/.txt"),
        ("d/rep1-cpu.txt", "d/rep1-cpu"),
    ],
)
def test_the_stem_says_which_result_it_is(path, expected):
    assert stem(path) == expected


def test_twins_count_once_and_the_text_wins():
    book = run("x", ROWS, source="d/rep1.xls")
    text = run("t", ROWS, source="d/rep1.txt")
    unified = merge_files([book, text])
    assert [(r.source, len(r.cells)) for r in unified] == [
        ("d/rep1.txt", 3),
        ("d/rep1.xls", 0),
    ]
    assert {r.identity for r in unified} == {"t"}


def test_a_twin_adds_what_only_it_has():
    book = run("x", [*ROWS, ("reread", 64, 4, 40.0)], source="d/rep1.xls")
    unified = merge_files([run("t", ROWS, source="d/rep1.txt"), book])
    assert unified[1].cells.operation == ["reread"]


def test_twins_that_disagree_in_a_cell_are_two_runs():
    wrong = run("x", [*ROWS[:2], ("read", 64, 4, 99.0)], source="d/rep1.xls")
    unified = merge_files([run("t", ROWS, source="d/rep1.txt"), wrong])
    assert {r.identity: len(r.cells) for r in unified} == {"t": 3, "x": 3}


def test_runs_with_other_numbers_stay_two_runs():
    other = run("u", [(o, f, r, v * 2) for o, f, r, v in ROWS], source="d/rep1.log")
    unified = merge_files([run("t", ROWS, source="d/rep1.txt"), other])
    assert len({r.identity for r in unified}) == 2


def test_other_stems_are_never_one_run():
    unified = merge_files([run(n, ROWS, source=f"d/{n}.txt") for n in ("rep1", "rep2")])
    assert len({r.identity for r in unified}) == 2


def test_time_and_stats_are_parts_of_one_run():
    time, stats = Cells(), Cells()
    time.add("transfer", "elapsed", 8.5, "line 2")
    stats.add("transfer", "size", 100.0, "line 6")
    parts = [
        Run("rsync", "s", "d/rep1.stats.txt", stats, configuration="100 B"),
        Run("rsync", "t", "d/rep1.time.txt", time),
    ]
    unified = merge_files(parts)
    assert {(r.identity, r.configuration) for r in unified} == {("s", "100 B")}
    assert [len(r.cells) for r in unified] == [1, 1]


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


def test_a_record_size_that_one_form_does_not_state_is_no_difference():
    stated, unstated = Cells(), Cells()
    for cells, record in ((stated, 65536), (unstated, None)):
        size = {"file_size": 2**30, "record_size": record}
        cells.add("random_seeks", "rate", 800.0, "line 1", **size)
        cells.add("sequential_input_block", "throughput", 5e8, "line 1", **size)
    runs = [
        Run("bonnie++", "t", "d/rep1.txt", stated),
        Run("bonnie++", "c", "d/rep1.csv", unstated),
    ]
    unified = merge_files(runs)
    assert {r.identity for r in unified} == {"c"}
    assert [len(r.cells) for r in unified] == [2, 0]


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
