"""Metrics that contradict the one that is shown, and what noise alone disagrees in."""

import math
from dataclasses import replace

import pytest

import fsviz
from fsviz.answers.headline import headline
from fsviz.answers.matrix import overview
from fsviz.answers.notes import notes_of
from fsviz.answers.sections import section_of
from fsviz.answers.statement import Statement, statements


@pytest.fixture
def told(tmp_path):
    """Return a function that writes an own table and says what is said of it."""

    def tell(head, rows):
        head = f"system,repeat,operation,{head}\n"
        (tmp_path / "own.csv").write_text(head + "".join(f"{row}\n" for row in rows))
        frame = overview(fsviz.load(tmp_path / "own.csv"))
        return headline(frame), notes_of(statements(frame))

    return tell


def test_latency_that_contradicts_throughput_is_a_note(told):
    said, notes = told(
        "throughput (MiB/s),latency (ms)",
        (
            f"{system},{run},{operation},{100 + run},{latency + run / 100}"
            for system, slow in (("a", 1), ("b", 3))
            for operation, latency in (("read", 10 * slow), ("write", 10 + slow))
            for run in range(4)
        ),
    )
    assert said == "Against a, own table: b about the same."
    (note,) = (note for note in notes if note.startswith("But"))
    assert note == (
        "But b against a: latency 3.0× slower at read and 1 more; see --metric latency."
    )


def of_latency(told, runs, faster, slower, metric="latency (ms)"):
    """Throughput so many times faster, with so many times as much of another metric."""
    _, notes = told(
        f"throughput (MiB/s),{metric}",
        (
            f"{system},{run},read,{speed + run / 10},{latency + run / 1000}"
            for system, speed, latency in (("a", 100, 1), ("b", 100 * faster, slower))
            for run in range(runs)
        ),
    )
    return [note for note in notes if note.startswith("But")]


@pytest.mark.parametrize("faster", [1.3, 1.0])
def test_far_more_latency_is_a_note_with_one_run_too(told, faster):
    assert of_latency(told, 1, faster, 8) == [
        "But b against a: latency 8.0× slower (untested) at read; see --metric latency."
    ]


def test_a_latency_that_one_run_tells_must_be_far(told):
    assert of_latency(told, 1, 1.3, 2) == []


def test_a_latency_that_is_much_slower_than_the_throughput_is_a_note(told):
    assert of_latency(told, 4, 1 / 1.2, 9) == [
        "But b against a: latency 9.0× slower at read; see --metric latency."
    ]
    assert of_latency(told, 4, 1 / 1.2, 1.25) == []


def of_processor(told, runs, systems):
    """Throughput [MiB/s] and use of the processor [%] of each system."""
    _, notes = told(
        "file size,value,unit",
        (
            f"{system},{run},read,1 GiB,{value + run / 100},{unit}"
            for system, numbers in systems.items()
            for value, unit in zip(numbers, ("MiB/s", "%"), strict=True)
            for run in range(1, runs + 1)
        ),
    )
    return [note for note in notes if note.startswith("But")]


@pytest.mark.parametrize("runs, untested", [(4, ""), (1, " (untested)")])
def test_much_more_processor_time_is_a_note(told, runs, untested):
    notes = of_processor(told, runs, {"a": (1000, 10), "b": (1000, 50)})
    (note,) = notes
    assert note == (
        f"But b against a: CPU time per byte 5.0× more{untested} at read; "
        "see --metric cpu_cost."
    )


def test_one_direction_of_one_metric_is_counted_at_a_time(told):
    _, notes = told(
        "throughput (MiB/s),latency (ms)",
        (
            f"{system},{run},{operation},{100 + run},{latency + run / 100}"
            for operation, other in (("read", 60), ("write", 2))
            for system, latency in (("a", 10), ("b", other))
            for run in range(4)
        ),
    )
    (note,) = (note for note in notes if note.startswith("But"))
    assert note == "But b against a: latency 6.0× slower at read; see --metric latency."


def test_what_is_slower_at_the_same_processor_use_costs_no_more(told):
    assert of_processor(told, 4, {"a": (1000, 20), "b": (200, 20)}) == []


def test_what_depends_is_contradicted_by_no_metric(told):
    """Faster with small records and slower with large ones is no answer."""
    _, notes = told(
        "record size,throughput (MiB/s),latency (ms)",
        (
            f"{system},{run},read,{record},{100 * f + run},{9 / f + run / 50}"
            for record, other in (("4 KiB", 2.0), ("1 MiB", 0.5))
            for system, f in (("a", 1.0), ("b", other))
            for run in range(4)
        ),
    )
    assert any(note.startswith("⇅ b: read 2.0× faster") for note in notes)
    assert not [note for note in notes if note.startswith("But")]


def test_latency_that_says_the_same_is_no_note(told):
    _, notes = told(
        "throughput (MiB/s),latency (ms)",
        (
            f"{system},{run},read,{speed + run},{1000 / speed + run / 100}"
            for system, speed in (("a", 100), ("b", 200))
            for run in range(4)
        ),
    )
    assert not [note for note in notes if note.startswith("But")]


def test_who_was_measured_in_another_metric_is_not_called_not_measured(told):
    rows = [f"a,{n},read,{100 + n},MiB/s" for n in range(4)]
    rows += [f"b,{n},read,{1000 + n},IOPS" for n in range(4)]
    _, notes = told("value,unit", rows)
    assert notes == ["table measured b in another metric than a; see --metric."]


def test_an_operation_in_another_metric_is_not_called_not_measured(told):
    rows = [f"{s},{n},write,{100 + n},MiB/s" for n in range(4) for s in "ab"]
    rows += [f"a,{n},read,{100 + n},MiB/s" for n in range(4)]
    rows += [f"b,{n},read,{1000 + n},IOPS" for n in range(4)]
    _, notes = told("value,unit", rows)
    assert notes[-1] == "own table read: measured for b in another metric than a."


def test_a_mean_beside_runs_is_not_said_to_have_few_runs(told):
    rows = [f"a,{n},read,{100 + n},MiB/s,," for n in range(4)]
    said, _ = told("value,unit,n,std", [*rows, "b,1,read,150,MiB/s,10,3"])
    assert said == "Means alone, so no verdict. Against a, own table: b 1.5× faster."


UNSURE = Statement(
    *("iozone", 1, "", "read", "throughput", "a", "b", "unclear"),
    **dict(zip(("speed", "speed_low", "speed_high"), (1.1, 0.66, 1.8), strict=True)),
    **dict.fromkeys(("n_baseline", "n_candidate"), 5),
    cells=3,
    total_speed=0.92,
    no_single_winner=True,
)


def test_means_that_disagree_within_the_noise_are_inconclusive():
    """Two equal systems had no single winner in a fifth of noisy campaigns."""
    assert UNSURE.cell == "?▲1.1×"
    assert UNSURE.words.startswith("inconclusive (1.5× slower to 1.8× faster")
    assert replace(UNSURE, total_speed=0.5).cell == "≠▲1.1▼2"
    decided = replace(UNSURE, verdict="faster", speed_low=1.06, speed_high=1.14)
    assert decided.cell == "≠▲1.1▼1.09"


def test_runs_do_not_settle_what_digits_leave_open():
    noisy = replace(UNSURE, total_speed=1.1, scatter=0.1, no_single_winner=False)
    assert noisy.settled_by > 5
    assert replace(noisy, least=1.0, most=1.15).settled_by > 5
    assert replace(noisy, least=0.8, most=1.5).settled_by == 0


def test_operations_that_one_side_lacks_are_named(told):
    rows = [
        f"{system},{run},{operation},{100 + run},MiB/s"
        for system, operations in (
            ("a", ("read", "reread")),
            ("b", ("read", "reread", "write")),
            ("c", ("read", "write")),
        )
        for operation in operations
        for run in range(4)
    ]
    _, notes = told("value,unit", rows)
    assert notes[-2:] == [
        "own table write: measured for b and c, but not for a.",
        "own table reread: not measured for c.",
    ]


def of_two_metrics(told, systems):
    """Tests of throughput, 1.5 times faster, and more of rates, twice slower."""
    blocks = ("sequential_output_block", "sequential_input_block")
    files = ("sequential_create", "sequential_delete", "random_create")
    tests = [(name, 100, 1.5, "MiB/s") for name in blocks]
    tests += [(name, 1000, 0.5, "op/s") for name in files]

    def rows():
        for system in systems:
            # the third system lacks the rates
            for test, speed, factor, unit in tests[: 2 if system == "c" else None]:
                for run in range(4):
                    value = speed * (factor if system == "b" else 1) + run
                    yield f"{system},{run},{test},{value},{unit},bonnie++"

    return told("value,unit,tool", rows())


@pytest.mark.parametrize("systems", ["ab", "abc"])
def test_means_of_two_metrics_that_disagree_depend(told, systems):
    """Which of both has more numbers, a third system decided: '1.5× faster' or not."""
    said, _ = of_two_metrics(told, systems)
    assert "b depends: 1.5× faster at" in said
    assert ", but 2.0× slower at" in said


def test_a_bound_of_one_operation_is_no_verdict_on_all():
    """bonnie++'s +++++ of block reads made '2.0× slower' of a system that won one."""
    of = ("bonnie++", 1, "", "read", "throughput", "a", "b", "faster")
    runs = {"n_baseline": 5, "n_candidate": 5, "cells": 1}
    won = Statement(*of, speed=1.2, **runs)
    mean = replace(won, operation="all", verdict="slower", speed=math.nan)
    mean = replace(mean, speed_high=0.5, least=0.0, most=0.5)
    part = replace(won, operation="write", verdict="same", speed=1.0)
    section = section_of([mean, won, part], 0)
    assert [row.verdict for row in section.told] == ["unclear"]
    part = replace(won, operation="write", verdict="slower", speed=0.4)
    section = section_of([mean, won, part], 0)
    assert [row.verdict for row in section.told] == ["slower"]


def test_sizes_that_one_side_lacks_are_named(told):
    sizes = {"a": (1, 4, 16), "b": (1, 4), "c": (1, 16, 64)}
    rows = [
        f"{system},{run},{operation},{size} MiB,{100 + run},MiB/s"
        for system, own in sizes.items()
        for operation in ("read", "write")
        for size in own
        for run in range(4)
        # of one operation alone
        if (system, operation, size) != ("c", "read", 16)
    ]
    _, notes = told("file size,value,unit", rows)
    assert notes[-4:] == [
        "own table 16-MiB files: not measured for b.",
        "own table write of 4-MiB files: not measured for c.",
        "own table 64-MiB files: measured for c, but not for a.",
        "own table read of files of 4 MiB and 16 MiB: not measured for c.",
    ]


def test_threads_that_one_side_lacks_are_named(told):
    threads = {"a": (1, 2, 4), "b": (1, 2), "c": (2, 4, 8)}
    rows = [
        f"{system},{run},read,{number},{100 + run},MiB/s"
        for system, own in threads.items()
        for number in own
        for run in range(4)
    ]
    _, notes = told("threads,value,unit", rows)
    assert notes[-3:] == [
        "own table with 4 threads: not measured for b.",
        "own table with 1 thread: not measured for c.",
        "own table with 8 threads: measured for c, but not for a.",
    ]


def test_runs_that_share_no_cell_measured_nevertheless(told):
    sizes = {run: (1, 4) if run % 2 else (64, 256) for run in range(6)}
    rows = [
        f"{system},{run},read,{size} MiB,{100 + run},MiB/s"
        for system in "ab"
        for run, own in sizes.items()
        for size in own
    ]
    said, notes = told("file size,value,unit", rows)
    assert said.startswith("Too few whole runs, so no verdict.")
    assert not [note for note in notes if "measured for" in note]
    assert not [note for note in notes if note.startswith("With a single run")]
