"""What is said first of several tools or settings: the decided, or that none is."""

import math
from dataclasses import replace

import pytest
from campaigns_made import put

import fsviz
from fsviz.answers.headline import headline
from fsviz.answers.matrix import overview
from fsviz.answers.notes import notes_of
from fsviz.answers.sections import Section
from fsviz.answers.statement import Statement, statements
from fsviz.answers.sweeps import over_settings
from fsviz.answers.trust import trust
from fsviz.checks import run_checks
from fsviz.store.load import load

NOISE = (0.7, 1.4, 0.9, 1.2, 1.0)


def swept(folder, factors):
    """Two systems, five runs at each depth; the second is as much faster as is said."""
    rows = ["system,operation,iodepth,repeat,value"]
    for depth, factor in factors.items():
        for k, noise in enumerate(NOISE):
            other = NOISE[(k * 2 + depth) % 5]
            rows += [
                f"a,read,{depth},{k + 1},{100 * noise} MiB/s",
                f"b,read,{depth},{k + 1},{100 * other * factor} MiB/s",
            ]
    (folder / "a.csv").write_text("\n".join(rows))
    return fsviz.load(folder)


@pytest.fixture
def undecided(tmp_path):
    return swept(tmp_path, {1: 1.05, 2: 0.97, 4: 1.02})


def test_of_much_that_is_undecided_one_sentence_says_so(undecided):
    said = headline(overview(undecided, "a"))
    assert said == "Against a, b inconclusive in all that own table measured."


def test_what_is_decided_is_said_before_what_is_not(tmp_path):
    campaign = swept(tmp_path, {1: 1.05, 2: 0.97, 4: 9.0})
    said = headline(overview(campaign, "a"))
    assert said.startswith("Against a, own table with iodepth=4: b 9.0× faster. ")


def test_notes_say_at_which_setting_a_row_is_inconclusive(undecided):
    (line,) = (
        line
        for line in notes_of(statements(overview(undecided, "a")))
        if line.startswith(("?", "≈"))
    )
    for depth in (2, 4):
        assert f"table, iodepth={depth}: read " in line


def test_runs_of_several_settings_are_not_added_up(tmp_path):
    files = {  # each depth in files of its own
        f"{system}/depth{depth}-{k}.csv": "system,operation,iodepth,value\n"
        f"{system},read,{depth},{100 * noise + depth} MiB/s\n"
        for system in "ab"
        for depth in (1, 4)
        for k, noise in enumerate(NOISE)
    }
    campaign = load(put(tmp_path / "camp", files))
    assert len(campaign.runs) == 20
    repeated = trust(campaign, run_checks(campaign))[0]
    assert "5 runs of each system and tool" in repeated.said


def of_threads(folder, factors):
    """Two systems, five runs with each number of threads and each depth."""
    rows = ["system,operation,threads,iodepth,sync,repeat,value"]
    for (threads, depth), factor in factors.items():
        for k, noise in enumerate((0.99, 1.01, 1.0, 1.005, 0.995)):
            for system, speed in (("a", 1), ("b", factor)):
                value = f"{100 * noise * speed} MiB/s"
                rows.append(f"{system},read,{threads},{depth},1,{k},{value}")
    (folder / "a.csv").write_text("\n".join(rows))
    return fsviz.load(folder)


@pytest.mark.parametrize(
    "factors, said",
    [
        (
            {(1, d): 1.2 if d < 64 else 0.1 for d in (1, 2, 4, 8, 16, 32, 64)},
            (
                "own table with iodepth=1 to 32, sync=1: b 1.2× faster. own table with "
                "iodepth=64; sync=1: b 10× slower."
            ),
        ),
        (
            {(t, 1): 1.2 if t < 64 else 0.2 for t in (1, 8, 64)},
            (
                "own table with 1 and 8 threads, iodepth=1, sync=1: b 1.2× faster. own "
                "table with 64 threads, iodepth=1; sync=1: b 5.0× slower."
            ),
        ),
        (
            {(t, d): 1.2 if t * d < 8 else 0.5 for t in (1, 4) for d in (1, 4)},
            (
                "own table with 3 of 4 settings: b 1.2× faster. own table with 4 "
                "threads, iodepth=4; sync=1: b 2.0× slower."
            ),
        ),
    ],
)
def test_what_is_alike_is_said_at_once_and_the_opposite_is_never_left_out(
    tmp_path, factors, said
):
    frame = overview(of_threads(tmp_path, factors), "a")
    assert headline(frame) == f"Against a, {said}"


@pytest.mark.parametrize(
    "factors, said",
    [
        ([1.1 + k**2 / 4 for k in range(9)], "b 1.1–17× faster."),
        (
            [1.0, 1.1, 1.0, 1.5, 1.0, 2.0, 3.0],
            "b 1.1–3.0× faster with 4 of 7 settings.",
        ),
        (
            [0.25, 0.5, 1.0, 1.0, 1.0, 2.0, 3.0],
            (
                "b depends on the setting: 2.0–4.0× slower with 2 of 7 settings, "
                "2.0–3.0× faster with 2."
            ),
        ),
    ],
)
def test_of_many_answers_to_one_thing_the_ends_are_said(tmp_path, factors, said):
    depths = {(1, 2**k): factor for k, factor in enumerate(factors)}
    found = headline(overview(of_threads(tmp_path, depths), "a"))
    last = 2 ** (len(factors) - 1)
    assert found == f"Against a, own table with iodepth=1 to {last}, sync=1: {said}"


def of_operations(folder, factors, repeats=5):
    """Two systems, each operation at each depth; how many times as fast the second."""
    rows = ["system,operation,iodepth,repeat,value"]
    for depth, own in enumerate(factors):
        for operation, factor in zip(("read", "write"), own, strict=True):
            for k, noise in enumerate((0.99, 1.01, 1.0, 1.005, 0.995)[:repeats]):
                for system, speed in (("a", 1), ("b", factor)):
                    value = f"{100 * noise * speed + k * (system == 'b')} MiB/s"
                    rows.append(f"{system},{operation},{2**depth},{k},{value}")
    (folder / "a.csv").write_text("\n".join(rows))
    return fsviz.load(folder)


@pytest.mark.parametrize(
    "repeats, said",
    [
        (5, "b depends: 3.1× slower to 3.0× faster."),
        (1, "b 3.3× slower to 3.0× faster."),
    ],
)
def test_what_depends_on_the_operation_does_not_depend_on_the_setting(
    tmp_path, repeats, said
):
    factors = [(2.0, 0.5), (2.2, 0.45), (2.5, 0.4), (2.8, 0.35), (3.0, 0.3)]
    found = headline(overview(of_operations(tmp_path, factors, repeats), "a"))
    assert found.endswith(f"own table with iodepth=1 to 16: {said}")


def of_systems(folder, names, speeds):
    """Five runs of each system at each depth, and how fast the systems are there."""
    rows = ["system,operation,iodepth,repeat,value"]
    for k, noise in enumerate((0.99, 1.01, 1.0, 1.005, 0.995)):
        for depth, own in enumerate(speeds):
            for n, (name, speed) in enumerate(zip(names, own, strict=True)):
                value = f"{(100 + n / 10) * noise * speed} MiB/s"
                rows.append(f"{name},read,{2**depth},{k},{value}")
    (folder / "a.csv").write_text("\n".join(rows))
    return overview(fsviz.load(folder), names[0])


def test_of_several_systems_settings_are_counted_for_each(tmp_path):
    """Eight of one to seven settings: names and counts give way to their ends."""
    names = [f"a-system-{n}" for n in range(9)]
    speeds = [[1 + (n + 2) / 3 * (d < n) for n in range(9)] for d in range(7)]
    said = headline(of_systems(tmp_path, names, speeds))
    assert len(said.split()) <= 40
    assert "and 6 more 2.0–4.4× faster with 1–7 of 7 settings." in said


def test_systems_that_depend_share_a_clause(tmp_path):
    speeds = [(1, f, f, f) for f in (0.3, 0.5, 0.8, 1.5, 2.0, 3.0)]
    assert headline(of_systems(tmp_path, "abcd", speeds)) == (
        "Against a, own table with iodepth=1 to 32: b, c and d depend on the setting: "
        "3.3× slower to 3.0× faster."
    )


def test_few_settings_that_are_alike_do_not_stand_for_all(tmp_path):
    """Seven of one run each: two are the same, and alone have the same words."""
    rows = ["system,operation,iodepth,value"]
    for depth, speed in {1: 1, 2: 1, 4: 2, 8: 0.2, 16: 3, 32: 0.5, 64: 1.4}.items():
        rows += [f"a,read,{depth},100 MiB/s", f"b,read,{depth},{100 * speed} MiB/s"]
    (tmp_path / "a.csv").write_text("\n".join(rows))
    assert headline(overview(fsviz.load(tmp_path), "a")) == (
        "One run each, so no verdict. Against a, own table with iodepth=1 to 64: b "
        "2.0–5.0× slower with 2 of 7 settings, 1.4–3.0× faster with 3."
    )


def test_a_second_operation_says_more_than_how_many_settings_of_the_first(tmp_path):
    """No run measured both, so each has a sentence, which then tells the middle."""
    rows = ["system,operation,iodepth,repeat,value"]
    speeds = {1: 1, 2: 1, 4: 2, 8: 0.2, 16: 3, 32: 1.04, 64: 1.4}
    for n, operation in enumerate(("read", "write")):
        for depth, speed in speeds.items():
            rows += [
                f"a,{operation},{depth},{n},100 MiB/s",
                f"b,{operation},{depth},{n},{100 * speed + n} MiB/s",
            ]
    (tmp_path / "a.csv").write_text("\n".join(rows))
    assert headline(overview(fsviz.load(tmp_path), "a")) == (
        "One run each, so no verdict. Against a, own table write with iodepth=1 to 64: "
        "b 4.8× slower to 3.0× faster, median 1.05× faster. own table read with "
        "iodepth=1 to 64: b 5.0× slower to 3.0× faster, median near 1×."
    )


def test_bounds_have_ends_and_no_median():
    row = Statement("fio", 1, "", "read", "throughput", "a", "b", "untested")
    row = replace(row, speed=math.nan, n_baseline=1, n_candidate=1)
    told = [
        replace(row, least=least, most=most)
        for least, most in ((2.0, math.nan), (4.0, math.nan), (math.nan, 0.25))
    ]
    sections = [Section((one,), {}, "", (), 0) for one in told]
    for room in (0, 1):
        said = over_settings(sections, 4, False, room)
        assert said == ": b more than 4.0× slower to more than 4.0× faster"


def test_many_systems_of_many_settings_share_the_ends(tmp_path):
    rows = ["system,operation,iodepth,repeat,value"]
    for k, noise in enumerate((0.99, 1.01, 1.0, 1.005, 0.995)):
        for d in (1, 2, 4, 8, 16):
            rows.append(f"base,read,{d},{k},{100 * noise} MiB/s")
            for n in range(1, 8):
                value = 100 * noise * (1 + n * d / 4)
                rows.append(f"system-{n},read,{d},{k},{value} MiB/s")
    (tmp_path / "a.csv").write_text("\n".join(rows))
    said = headline(overview(fsviz.load(tmp_path), "base"))
    assert len(said.split()) <= 40
    assert said.startswith("Against base, own table with iodepth=1 to 16: ")
    assert said.endswith(" faster.")
    assert "29× faster" in said


def test_settings_that_have_no_room_are_counted(tmp_path):
    """Of three groups of settings, and names that need all the words."""
    names = [f"a system with a long name {n}" for n in range(4)]
    rows = ["system,operation,iodepth,repeat,value"]
    for k, noise in enumerate((0.99, 1.01, 1.0, 1.005, 0.995)):
        for d in (1, 2, 4):
            rows.append(f"base,read,{d},{k},{100 * noise} MiB/s")
            for n, name in enumerate(names):
                value = 100 * noise * (1.5 + n * d)
                rows.append(f"{name},read,{d},{k},{value} MiB/s")
    (tmp_path / "a.csv").write_text("\n".join(rows))
    said = headline(overview(fsviz.load(tmp_path), "base"))
    assert len(said.split()) <= 40
    left = 3 - said.count("own table with")
    assert left
    assert said.endswith(f" And {left} more setting{'s' * (left > 1)}.")


def test_operations_that_have_no_room_are_not_called_settings(tmp_path):
    """No run measured two of them, so each has a sentence."""
    operations = ("read", "write", "reread", "rewrite", "random_read", "random_write")
    operations += ("fread", "fwrite", "backward_read")
    rows = ["system,operation,repeat,value"]
    for n, operation in enumerate(operations):
        for k, noise in enumerate((0.99, 1.01, 1.0, 1.005, 0.995)):
            for system, speed in (("a", 1), ("b", 1.2 + n / 5)):
                value = 100 * noise * speed
                rows.append(f"{system},{operation},{10 * n + k + 1},{value} MiB/s")
    (tmp_path / "a.csv").write_text("\n".join(rows))
    said = headline(overview(fsviz.load(tmp_path), "a"))
    left = len(operations) - said.count("own table ")
    assert said.endswith(f" And {left} more operations.")


def test_a_range_of_settings_holds_no_setting_that_is_answered_otherwise(tmp_path):
    """What is decided comes first, so that 1, 2 and 8 stand side by side."""
    campaign = swept(tmp_path, {1: 1.02, 2: 0.98, 4: 9.0, 8: 1.01, 16: 9.0})
    said = headline(overview(campaign, "a"))
    assert said.startswith("Against a, own table with iodepth=4 and 16: b 9.0× faster.")
    assert "iodepth=1, 2 and 8: b inconclusive" in said


def sweep(folder, factors, operations=("write", "read")):
    """Systems at several numbers of threads; each factor is of what is written."""
    rows = ["system,operation,threads,repeat,value"]
    for (name, threads), factor in factors.items():
        for operation in operations:
            for k, noise in enumerate((0.99, 1.01, 1.0, 0.995, 1.005)):
                times = factor if operation == operations[0] else 1.0
                value = 100 * noise * times * (1 + 0.001 * (threads + k) % 0.01)
                rows.append(f"{name},{operation},{threads},{k + 1},{value} MiB/s")
    (folder / "a.csv").write_text("\n".join(rows))
    return overview(fsviz.load(folder), "a")


THREADS = (1, 2, 4, 8)


def test_what_a_system_did_not_run_is_not_said_of_it(tmp_path):
    base = {("a", t): 1.0 for t in THREADS}
    small, large = (
        {("b", t): f for t, f in ((1, 3.0), (2, 2.0))},
        {("c", t): f for t, f in ((4, 0.5), (8, 0.25))},
    )
    frame = sweep(tmp_path, base | small | large, operations=("write",))
    assert headline(frame) == (
        "Against a, own table with 1 to 8 threads: b with 1 and 2 threads "
        "2.0–3.0× faster; c with 4 and 8 threads 2.0–4.0× slower."
    )


def test_the_operation_that_alone_changes_over_a_sweep_is_named(tmp_path):
    factors = {("a", t): 1.0 for t in THREADS}
    slower = {("b", t): 1 / t for t in THREADS}
    assert headline(sweep(tmp_path, factors | slower)) == (
        "Against a, own table with 1 to 8 threads: b at write 2.0–8.0× slower with 3 "
        "of 4 settings, near 1× at other operations."
    )
    both = {("b", t): f for t, f in zip(THREADS, (4, 2, 0.5, 0.25), strict=True)}
    assert headline(sweep(tmp_path, factors | both)) == (
        "Against a, own table with 1 to 8 threads: b at write depends on the setting: "
        "2.0–4.0× slower with 2 of 4 settings, 2.0–4.0× faster with 2, near 1× at "
        "other operations."
    )


def test_what_differs_much_more_is_said_before_what_has_no_room(tmp_path):
    of = "compression=somewhat-longer-names-of"
    rows = ["system,operation,compression,repeat,value"]
    for name, factor in (("off", 1.06), ("lz4", 1.07), ("zstd", 0.1)):
        for k, noise in enumerate((0.99, 1.01, 1.0, 0.995, 1.005)):
            setting = f"{of.partition('=')[2]} {name} and what it may be"
            rows += [f"a,write,{setting},{k},{100 * noise} MiB/s"]
            rows += [f"b,write,{setting},{k},{100 * noise * factor} MiB/s"]
    (tmp_path / "a.csv").write_text("\n".join(rows))
    said = headline(overview(fsviz.load(tmp_path), "a"))
    assert said.startswith(f"Against a, own table with {of} zstd and what it may be: b")
    assert " b 10× slower." in said


def test_one_thread_is_said_where_other_numbers_ran(tmp_path):
    factors = {("a", t): 1.0 for t in (1, 8)}
    frame = sweep(tmp_path, factors | {("b", 1): 2.0, ("b", 8): 1 / 3}, ("write",))
    assert headline(frame) == (
        "Against a, own table with 1 thread: b 2.0× faster. own table with 8 threads: "
        "b 3.0× slower."
    )


def test_what_is_tested_does_not_seem_untested(tmp_path):
    rows = {("a", 1): 1.0, ("b", 1): 1.0, ("c", 1): 1.0}
    frame = sweep(tmp_path, rows)
    few = frame["candidate"] == "c"
    frame.loc[few, ["n_candidate", "verdict"]] = [1, "untested"]
    frame.loc[~few, "verdict"] = "unclear"
    said = headline(frame)
    assert said.startswith("Against a, own table: b inconclusive")
    assert said.index("b inconclusive") < said.index("(untested: under 3 runs)")
