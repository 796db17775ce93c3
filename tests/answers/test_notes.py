"""The footnotes of a comparison: each where its reason is, and not beside it."""

from __future__ import annotations

import pytest
from frames import made, measurements
from samples import loaded

import fsviz
from fsviz.figures.explore_notebook import Explored
from fsviz.model.errors import UsageError
from fsviz.model.names import choose, names_of
from fsviz.report import comparison_notes, readable_comparison

CELLS = (64, 128)
PARTIAL = "some runs lack some of the cells, which are fitted from the others"
UNMATCHED = (
    "some cells have a number on one side only and are in no ratio; --cells lists them"
)
STILL = (
    "no run differs from another: p from permutations, interval from the printed digits"
)
CENSORED = (
    "runs without one number (a range, a bound such as +++++, or 0): the ratio is a "
    "limit that all runs allow, and p is by ranks"
)
BOUNDS = "in brackets: what the printed digits allow, which says nothing about repeats"


def runs(name, rows, width=None):
    """Runs of values by cell; None for a cell that a run lacks."""
    found = []
    for k, values in enumerate(rows):
        cells = [
            ("read", size, 4, value)
            for size, value in zip((*CELLS, 256), values, strict=False)
            if value is not None
        ]
        run = made(f"{name}{k}", cells)
        if width is not None:
            run.cells.low = list(run.cells.value)
            run.cells.high = [value + width for value in run.cells.value]
        found.append(run)
    return found


BASE = [(10.0, 20.0), (10.1, 20.2), (9.9, 19.8)]
TWICE = [(20.0, 40.0), (20.4, 40.8), (19.8, 39.6)]


def notes(a, b, **options):
    table = measurements({"a": a, "b": b})
    return comparison_notes(fsviz.compare(table, **options))


def test_a_plain_row_has_no_note():
    assert notes(runs("a", BASE), runs("b", TWICE)) == []


@pytest.mark.parametrize("swapped", [False, True])
def test_a_run_that_lacks_a_cell_is_told_of_on_either_side(swapped):
    part = [*TWICE, (20.0, None)]
    sides = [runs("a", BASE), runs("b", part)]
    if swapped:
        sides = [runs("a", part), runs("b", BASE)]
    assert notes(*sides) == [PARTIAL]


def test_cells_of_one_side_are_told_of():
    more = [(*row, 60.0) for row in TWICE]
    assert notes(runs("a", BASE), runs("b", more)) == [UNMATCHED]
    assert notes(runs("a", [(*row, 60.0) for row in BASE]), runs("b", TWICE)) == (
        [UNMATCHED]
    )


def test_runs_that_do_not_differ_are_told_of():
    sides = runs("a", [BASE[0]] * 3), runs("b", [TWICE[0]] * 3)
    assert notes(*sides) == [STILL]
    assert notes(sides[0], runs("b", TWICE)) == []


@pytest.mark.parametrize(
    "a, b, said",
    [
        (3, 1, "2 more runs of the candidate"),
        (3, 2, "1 more run of the candidate"),
        (1, 3, "2 more runs of the baseline"),
        (1, 2, "2 more runs of the baseline and 1 more run of the candidate"),
    ],
)
def test_how_many_runs_a_test_lacks(a, b, said):
    found = notes(runs("a", BASE[:a]), runs("b", TWICE[:b]))
    assert found[0] == f"untested: a test needs {said}"


@pytest.mark.parametrize("swapped", [False, True])
def test_runs_without_a_number_are_told_of_on_either_side(swapped):
    beyond = runs("b", [(0.0, 0.0)] * 4)
    for run in beyond:
        run.cells.low = [50.0, 90.0]
    sides = [runs("a", [*BASE, (10.3, 20.1)], 1.0), beyond]
    if swapped:
        table = measurements({"b": sides[1], "a": sides[0]})
        frame = fsviz.compare(table, baseline="b")
    else:
        frame = fsviz.compare(measurements({"a": sides[0], "b": sides[1]}))
    assert CENSORED in comparison_notes(frame)
    (row,) = frame.to_dict("records")
    counts = (row["n_baseline_censored"], row["n_candidate_censored"])
    assert counts == ((4, 0) if swapped else (0, 4))


@pytest.mark.slow
def test_the_processor_of_runs_too_fast_to_time_is_said_to_be_missing(root):
    """Two of five runs printed +++++ and +++: the CPU was that of the slower three."""
    told = loaded(root / "data/raw/loopback-2026")
    frame = fsviz.compare(told, baseline="local-ext4", candidate=["nfs-v3"])
    notes = comparison_notes(frame)
    (number,) = (n for n, text in enumerate(notes, 1) if "print no CPU use" in text)
    marks = readable_comparison(frame).set_index("metric")["notes"]
    own = marks.str.split(",").map(lambda some: str(number) in some)
    assert set(own.index[own]) == {
        "cpu, less is better",
        "cpu_cost, less is better",
    }
    rows = frame.loc[frame["metric"].eq("cpu") & frame["n_baseline"].between(1, 4)]
    assert list(rows["operation"]) == ["sequential_output_rewrite"]


@pytest.mark.parametrize("width, told", [(0.5, False), (5.0, True)])
def test_wide_digits_stand_in_brackets_where_there_is_no_interval(width, told):
    found = notes(runs("a", BASE[:1], width), runs("b", TWICE, width))
    assert (BOUNDS in found) is told
    # with an interval, it is that
    assert BOUNDS not in notes(runs("a", BASE, width), runs("b", TWICE, width))


def test_a_cliff_is_named_with_its_system():
    fallen = [(60.0, 8.0), (61.0, 8.1), (59.0, 7.9)]
    found = notes(runs("a", BASE), runs("b", fallen))
    (said,) = (text for text in found if "cliff" in text)
    assert said == (
        "averages across a cache cliff, where twice the file size halves the "
        "throughput; divide there with --buckets: read of b from 64 KiB to 128 KiB"
    )
    assert any(text.startswith("no single winner: ") for text in found)


# Names that a person gives


def test_a_text_that_is_no_list_of_names_is_one_name():
    assert names_of('["a", "b"]') == ["a", "b"]
    assert names_of('["a", 1]') == ['["a", 1]']
    assert names_of("[a") == ["[a"]
    assert names_of("[]") == []
    assert choose("system", "", ["a"]) == []
    assert choose("system", "b, a,b", ["a", "b"]) == ["b", "a"]
    with pytest.raises(UsageError, match="did you mean ext4"):
        choose("system", "ext", ["xfs", "ext4"])
    with pytest.raises(UsageError, match=r"^x: expected a system, found no numbers$"):
        choose("system", "x", [])


def test_a_campaign_without_records_cannot_be_explored(root):
    campaign = loaded(root / "data/published/2-wordpress-nas")
    with pytest.raises(UsageError) as told:
        Explored("lab", campaign)
    assert str(told.value) == (
        "lab: expected numbers by file size and record size, as IOzone prints them, "
        "found rsync"
    )
