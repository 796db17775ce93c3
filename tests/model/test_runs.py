"""Runs to frames, and the promises of the tidy table."""

import json

import pandas as pd
import pytest
from frames import measurements, run

from fsviz.model.errors import InconsistentDataError, UsageError
from fsviz.model.runs import Cells, Label, Run, number_repeats, tabulate
from fsviz.model.table import COLUMNS, RUN_COLUMNS, measurements_of, validate


def test_columns_and_types_are_those_of_the_vocabulary():
    frame = validate(measurements({"a": [run("r", [("write", 64, 4, 1.0)])]}))
    assert {name: str(frame[name].dtype) for name in frame} == COLUMNS


def test_types_do_not_depend_on_the_rows():
    frame, runs = tabulate([])
    assert {name: str(frame[name].dtype) for name in frame} == COLUMNS
    assert {name: str(runs[name].dtype) for name in runs} == RUN_COLUMNS


def test_repeats_count_within_a_configuration():
    runs = [run(n, [], config=c) for n, c in (("a", "x"), ("b", "y"), ("c", "x"))]
    labels = [label.repeat for label, _ in number_repeats(("", "s", r) for r in runs)]
    assert labels == [1, 1, 2]


def test_parts_of_one_run_are_one_row_with_the_facts_of_both():
    parts = [
        Run("rsync", "id", "a.time.txt", Cells(), facts={"user": 1}, complete=True),
        Run("rsync", "id", "a.stats.txt", Cells(), facts={"sent": 2}, complete=False),
    ]
    _, runs = tabulate([(Label("c", "s", 1), part) for part in parts])
    (row,) = runs.to_dict("records")
    assert json.loads(row["facts"]) == {"user": 1, "sent": 2}
    assert row["source"] == "a.time.txt"
    assert row["sources"] == ("a.time.txt", "a.stats.txt")
    assert row["complete"] is False


def test_a_number_that_stands_twice_names_both_places():
    twice = run("r", [("write", 64, 4, 1.0), ("write", 64, 4, 2.0)])
    with pytest.raises(InconsistentDataError) as caught:
        validate(measurements({"a": [twice]}))
    message = str(caught.value)
    assert message.startswith("r.txt:2: expected each number once")
    assert "r.txt:line 1" in message


def test_what_is_no_table_is_refused_with_its_name():
    with pytest.raises(UsageError, match="found a int"):
        measurements_of(3)


def test_columns_made_by_code_and_by_mask_are_those_that_pandas_makes():
    cells = Cells()
    cells.add("write", "throughput", 1.0, "line 1", file_size=0, threads=None)
    cells.add("no operation", "cpu", 2.0, "line 2", file_size=2**62, child=3)
    frame, _ = tabulate([(Label("c", "s", 1), Run("iozone", "a-1", "a.txt", cells))])
    for name, values in (
        ("file_size_bytes", [0, 2**62]),
        ("threads", [None, 1]),
        ("child", [None, 3]),
    ):
        own = pd.Series(pd.array(values, dtype="Int64"), name=name)
        pd.testing.assert_series_equal(frame[name], own)
    assert frame["operation"].tolist()[0] == "write"
    assert frame["operation"].isna().tolist() == [False, True]
    assert frame["metric"].tolist() == ["throughput", "cpu"]
    assert frame["unit"].tolist() == ["B/s", "%"]
