"""Cells that fewer runs have than the others decide nothing, and are said apart."""

import numpy as np
import pandas as pd
import pytest
from frames import campaign, run

import fsviz
from fsviz.answers.headline import headline
from fsviz.answers.matrix import overview
from fsviz.answers.notes import notes_of
from fsviz.answers.statement import statements
from fsviz.answers.trust import trust

MIB, GIB = 1024, 1024**2
FILES = (MIB, 16 * MIB, 256 * MIB, 4 * GIB)
OPERATIONS = ("write", "read")


def measured(truth, times, seed=1, scatter=0.01, operations=OPERATIONS):
    """Five runs each, of which some lack cells; truth gives how fast b is."""
    rng = np.random.default_rng(seed)
    runs = {
        system: [
            run(
                f"{system}{k}",
                [
                    (
                        operation,
                        file,
                        64,
                        1e6
                        * (truth(operation, file) if system == "b" else 1.0)
                        * np.exp(rng.normal(0, scatter * (30 if few < 5 else 1))),
                    )
                    for operation in operations
                    for file in FILES
                    if k < (few := times(operation, file))
                ],
            )
            for k in range(5)
        ]
        for system in "ab"
    }
    return campaign(runs, facts={})


def largest(times):
    return lambda _, file: times if file == 4 * GIB else 5


def small(truth, **more):
    return measured(truth, largest(1), scatter=0.001, **more)


def at_large(factor, others=1.0):
    return lambda _, file: factor if file == 4 * GIB else others


@pytest.mark.parametrize("times", [1, 2])
def test_what_too_few_runs_have_leaves_the_others_as_if_it_were_not_there(times):
    data = measured(at_large(0.1), largest(times))
    table = data.measurements
    without = table.loc[table["file_size_bytes"] < 4 * 1024**3]
    for by in ("operation", "tool"):
        got, wanted = (fsviz.compare(t, by=by, check=False) for t in (table, without))
        assert set(got["cells_rare"]) == {2 if by == "tool" else 1}
        names = [n for n in got if n != "cells_rare"]
        assert got[names].to_json() == wanted[names].to_json()


def test_of_equal_systems_nothing_is_claimed_whatever_one_run_says():
    decided = 0
    for seed in range(12):
        data = measured(at_large(1.0), largest(1), seed=seed)
        frame = overview(data)
        decided += int(frame["verdict"].isin(["faster", "slower", "depends"]).sum())
    assert decided == 0


def test_the_size_that_one_run_has_is_said_in_brackets():
    assert headline(overview(small(at_large(0.1)))) == (
        "Against a, IOzone: b about the same (untested, one run: 9.4–10× slower at "
        "4-GiB files)."
    )
    assert headline(overview(small(at_large(0.1, others=1.5)))) == (
        "Against a, IOzone: b 1.5× faster (untested, one run: 9.4–10× slower at "
        "4-GiB files)."
    )
    near = headline(overview(small(at_large(1.1))))
    assert near == "Against a, IOzone: b about the same."


def test_the_matrix_and_a_note_show_what_is_not_tested():
    said = statements(overview(small(at_large(0.1))))
    row = next(one for one in said if one.operation == "write")
    assert (row.verdict, row.strip) == ("same", "==·")
    (rare,) = row.rare
    assert rare.place == "4-GiB files"
    assert rare.slowest == rare.fastest == pytest.approx(0.1, rel=0.2)
    note = next(n for n in notes_of(said) if n.startswith("Too few runs"))
    assert "slower at write of 4-GiB files (one run)" in note


def test_of_sizes_that_are_far_apart_the_farthest_is_named():
    data = measured(
        lambda _, file: 0.2 if file == 4 * GIB else 1.0,
        lambda _, file: 2 if file > 16 * MIB else 5,
        scatter=0.001,
    )
    said = headline(overview(data))
    assert "(untested, 2 runs: 5.0–5.1× slower at 4-GiB files)" in said


def test_a_slower_rare_size_is_not_hidden_behind_a_faster_one():
    speeds = {256 * MIB: 1 / 5, 4 * GIB: 6.0}
    data = measured(
        lambda _, file: speeds.get(file, 1.0),
        lambda _, file: {256 * MIB: 2, 4 * GIB: 1}.get(file, 5),
        scatter=0.001,
    )
    frame = overview(data)
    said = headline(frame)
    assert "slower at 256-MiB files; one run: " in said
    assert "faster at 4-GiB files)" in said
    (note,) = (n for n in notes_of(statements(frame)) if n.startswith("Too few"))
    assert "256-MiB files" in note
    assert "4-GiB files" in note


def test_two_candidates_share_no_clause_if_their_rare_cells_differ():
    one, other = (small(at_large(factor)) for factor in (0.1, 8.0))
    rows = [one.measurements, other.measurements.query("system == 'b'")]
    table = pd.concat([rows[0], rows[1].assign(system="c")])
    said = headline(overview(table))
    assert "b about the same (untested, one run: 9.4–10× slower" in said
    assert "c about the same (untested, one run: 7.9–8.5× faster" in said


def test_a_run_with_few_cells_counts_as_the_others_do():
    # three equal runs, and two that were three times slower until they were stopped
    rng = np.random.default_rng(2)
    runs = [
        run(
            f"b{k}",
            [
                ("write", file, 64, 1e6 / (1 if k < 3 else 3) * np.exp(noise))
                for file, noise in zip(FILES, rng.normal(0, 0.01, 4), strict=True)
                if k < 3 or file == MIB
            ],
        )
        for k in range(5)
    ]
    base = [run(f"a{k}", [("write", f, 64, 1e6 + k) for f in FILES]) for k in range(5)]
    (row,) = fsviz.compare(campaign({"a": base, "b": runs}), by="operation").iloc
    assert row["verdict"] == "unclear"
    assert row["ci_low"] < 0.5
    assert (row["n_candidate"], row["n_candidate_partial"]) == (3, 2)


def test_an_operation_that_one_run_has_is_left_out_of_the_mean():
    operations = ("write", "read", "random_read")
    data = measured(
        lambda operation, _: 0.1 if operation == "write" else 1.0,
        lambda operation, _: 1 if operation == "write" else 5,
        scatter=0.001,
        operations=operations,
    )
    frame = overview(data)
    mean = frame.loc[frame["operation"] == "all"].iloc[0]
    assert (mean["verdict"], mean["n_candidate"]) == ("same", 5)
    assert headline(frame) == (
        "Against a, IOzone: b about the same (untested, one run: 10× slower at write)."
    )


def test_where_most_cells_are_rare_nothing_is_tested():
    data = measured(
        lambda _, file: 1.0, lambda _, file: 5 if file == MIB else 1, scatter=0.001
    )
    rows = fsviz.compare(data, by="operation")
    assert set(rows["verdict"]) == {"untested"}
    assert set(rows["n_candidate"]) == {1}
    assert set(rows["cells_rare"]) == {0}


@pytest.mark.parametrize("times, runs", [(1, "1 run"), (2, "2 runs")])
def test_trust_and_the_rules_count_the_runs_of_cells(times, runs):
    data = measured(at_large(1.0), largest(times))
    found = fsviz.run_checks(data)
    few = found.findings.query("rule == 'too-few-runs'").iloc[0]
    assert few["severity"] == "warning"
    assert few["message"].startswith("4 of 16 cells of IOzone have fewer than 3 runs")
    assert few["evidence"].startswith(f"a: {runs}, ")
    repeated, *_, full = trust(data, found)
    assert repeated.state == "warning"
    assert "4 of 16 cells" in repeated.said
    assert full.said == "Each size was measured, but not in every run."


def test_trust_ticks_what_every_run_has():
    full = trust(data := measured(at_large(1.0), largest(5)), fsviz.run_checks(data))
    assert full[-1].said == "No size is missing, and none was over too soon."


def test_of_a_cell_that_one_run_has_no_spread_is_known():
    data = measured(at_large(1.0), largest(1))
    rows = fsviz.summary(data, by="operation")
    assert rows["std_runs"].isna().all()
    assert rows["ci_low"].isna().all()
    assert set(rows["n_runs"]) == {5}
    several = fsviz.summary(measured(at_large(1.0), largest(3)), by="operation")
    assert several["ci_low"].notna().all()
