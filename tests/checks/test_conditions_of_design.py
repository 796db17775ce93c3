"""Rules about caches, clocks, writes, repeats and the design, each beside its line."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from frames import campaign, made
from scipy import stats

from fsviz.checks.rules.design import CONSEQUENCES, alike
from fsviz.checks.rules.order import _slope
from tests.checks.test_conditions import (
    DISK,
    NET,
    PLACED,
    M,
    found,
    keys,
    marked,
    once,
    scopes,
)

GIB_IN_KIB = M * M
SMB = NET | {"protocol": "smb"}


# cache-regime


def test_cells_are_counted_by_regime():
    sizes = (GIB_IN_KIB - 1, GIB_IN_KIB, 3 * GIB_IN_KIB - 1, 3 * GIB_IN_KIB)
    data = once([("read", size, 4, 1.0) for size in sizes], DISK)
    # all are very large, so that one size class has all three
    mixed, told = found(data, "cache-regime")
    assert told["message"].endswith(": 1 cache, 2 transition, 1 storage")
    assert keys(told, "severity", "system", "tool", "cells") == (
        ["info", "a", "iozone", 4]
    )
    assert told["evidence"].startswith("RAM 1 GiB; cache: below it, storage: from 3")
    assert keys(mixed, "severity", "system", "tool", "cells") == (
        ["warning", "a", "iozone", 4]
    )
    assert mixed["evidence"] == "very large: 1 cache, 2 transition, 1 storage"


def test_systems_without_a_stated_memory_are_asked_for_it():
    rows = [("read", 64, 4, 1.0)]
    runs = {"a": [made("r", rows)], "b": [made("s", rows)]}
    runs["c"] = [made("t", [("transfer", None, None, 1.0, "elapsed")], tool="rsync")]
    for rule in ("cache-regime", "no-storage-cells"):
        asked = [r for r in found(campaign(runs, own={"b": DISK}), rule) if r["fact"]]
        assert [keys(row, "fact", "systems") for row in asked] == [
            ["client_ram", ["a"]]
        ]
        assert 'client_ram = "16 GiB"' in asked[0]["advice"]
    data = once([("write", M, 4, 1.0)], {"protocol": "nfs"}, "iozone -a -f /m/t")
    [row] = found(data, "unflushed-network-write")
    assert keys(row, "fact", "systems") == ["client_ram", ["a"]]


# no-storage-cells


@pytest.mark.parametrize(
    "size, facts, command, severity, operations",
    [
        (3 * GIB_IN_KIB, NET, "iozone -a -f /m/t", None, ""),
        (3 * GIB_IN_KIB - 1, NET, "iozone -a -f /m/t", "error", "read, write"),
        (M, DISK, "iozone -a -f /m/t", "warning", "read, write"),
        (M, DISK | {"storage": "SSD"}, "iozone -a -f /m/t", "error", "read, write"),
        (M, DISK | {"link": "1 Gbit/s"}, "iozone -a -f /m/t", "error", "read, write"),
        (M, NET, "", "error", "read, write"),
        (M, NET, "iozone -a -U /m -f /m/t", "error", "write"),
        (M, NET, "iozone -a -c -U /m -f /m/t", "warning", ""),
        (M, DISK, "iozone -a -c -U /m -f /m/t", "warning", "write"),
        (M, DISK, "iozone -a -e -+r -f /m/t", "warning", ""),
        (M, DISK, "iozone -a -e -f /m/t", "warning", "read"),
        (M, DISK, "iozone -a -I -f /m/t", "warning", ""),
    ],
)
def test_files_that_memory_holds(size, facts, command, severity, operations):
    data = once([("read", size, 4, 1.0), ("write", size, 4, 1.0)], facts, command)
    rows = found(data, "no-storage-cells")
    assert [row["severity"] for row in rows] == ([severity] if severity else [])
    if severity:
        cells = len(operations.split(", ")) if operations else 2
        assert keys(rows[0], *PLACED) == (
            ["a", operations, "iozone", cells, "r.txt", "line 1"]
        )
        assert rows[0]["evidence"].endswith(command or "command line not known")


def test_processes_have_a_file_each():
    data = once([("read", GIB_IN_KIB, 4, 1.0)], DISK, threads=3)
    assert found(data, "no-storage-cells") == []
    data = once([("read", GIB_IN_KIB, 4, 1.0)], DISK, threads=2)
    [row] = found(data, "no-storage-cells")
    assert row["message"].startswith("largest file 2 GiB, RAM 1 GiB")


# cache-cliff


@pytest.mark.parametrize(
    "small, ratio, severity",
    [
        (64, 0.499, "warning"),
        (64, 0.51, None),
        (512, 0.4, "info"),
        (16 * M, 0.4, "info"),
        (8 * M, 0.4, "warning"),
    ],
)
def test_throughput_that_falls(small, ratio, severity):
    runs = []
    for level in (100.0, 101.0, 99.0):
        rows = [("read", small, 4, level), ("read", 2 * small, 4, level * ratio)]
        rows += [("write", small, 4, level), ("write", 2 * small, 4, level)]
        runs.append(made(f"r{level}", rows))
    data = campaign({"a": runs})
    hits = found(data, "cache-cliff")
    assert [row["severity"] for row in hits] == ([severity] if severity else [])
    if severity:
        assert keys(hits[0], "system", "operation", "tool", "cells") == (
            ["a", "read", "iozone", 2]
        )
        assert [size for _, _, size in marked(data, "cache-cliff")] == (
            [small * 1024, small * 2048]
        )


# too-short


@pytest.mark.parametrize(
    "seconds, severity",
    [
        (0.0009, "error"),
        (0.001, "warning"),
        (0.0049, "warning"),
        (0.005, "info"),
        (0.49, "info"),
        (0.5, None),
    ],
)
def test_a_cell_that_is_over_at_once(seconds, severity):
    rows = [("read", 64, 4, 64 * 1024 / seconds), ("write", 64, 4, 64 * 1024 / 9.0)]
    hits = found(once(rows), "too-short")
    assert [row["severity"] for row in hits] == ([severity] if severity else [])
    if severity:
        assert keys(hits[0], *PLACED) == ["a", "read", "iozone", 1, "r.txt", "line 1"]
        assert hits[0]["message"].startswith("1 of 2 cells of IOzone took less than")


@pytest.mark.parametrize(
    "tool, row, seconds",
    [
        ("iozone", ("read", 64, 4, 16 / 0.0005, "rate"), "500 µs"),
        ("iozone", ("read", 64, 4, 0.00002, "latency"), "320 µs"),
        ("rsync", ("transfer", None, None, 0.0004, "elapsed"), "400 µs"),
        ("bonnie++", ("sequential_input_block", 64, 8, 1e12), None),
        # 18725 files of 1 KiB a thread, which 19 s took
        ("elbencho", ("write", 1, 16, 52 * 1024), None),
        ("iozone", ("read", 64, 4, 99.0, "cpu"), None),
    ],
)
def test_how_long_a_cell_took(tool, row, seconds):
    hits = found(once([row], tool=tool), "too-short")
    assert bool(hits) is (seconds is not None)
    if seconds:
        assert f"shortest {seconds}, a" in hits[0]["evidence"]


# clock-quantised


def clocked(step, seconds=0.01, name="r"):
    rows = [("read", 64, 4, 64 * 1024 / seconds), ("write", 64, 4, 64 * 1024 / 100)]
    return made(name, rows, facts={"time_resolution_s": step})


@pytest.mark.parametrize("step, fires", [(0.0001, False), (0.000101, True)])
def test_a_clock_of_few_steps(step, fires):
    hits = found(campaign({"a": [clocked(step)]}), "clock-quantised")
    assert bool(hits) is fires
    if fires:
        assert keys(hits[0], *PLACED) == ["a", "read", "iozone", 1, "r.txt", "line 1"]
        assert hits[0]["message"].startswith("in 1 of 2 cells, one step")


@pytest.mark.parametrize("other, fires", [(0.02, True), (0.01, False), (0.00009, True)])
def test_clocks_that_differ_by_more_than_ten(other, fires):
    data = campaign({"a": [clocked(0.001)], "b": [clocked(other, name="s")]})
    rows = [r for r in found(data, "clock-quantised") if "other" in r["message"]]
    assert bool(rows) is fires
    if fires:
        assert keys(rows[0], "systems", "tool", "cells", "severity") == (
            [["b"], "iozone", 1, "warning"]
        )
        assert scopes(data, "clock-quantised") == {("", True, ""), ("", False, "")}
        assert rows[0]["evidence"].startswith("Time Resolution 1 ms on a, ")


# write-back


def written(ratio, command="iozone -a -f /m/t", file=64):
    rows = [("write", file, 4, 100.0 * ratio), ("read", file, 4, 100.0)]
    # smaller files say nothing
    rows += [("write", 32, 4, 900.0), ("read", 32, 4, 100.0), ("rewrite", 64, 4, 1.0)]
    return once(rows, DISK, command)


@pytest.mark.parametrize(
    "data, fires",
    [
        (written(2.001), True),
        (written(1.99), False),
        (written(2.0, "iozone -a -e -f /m/t"), False),
        (written(2.0, ""), False),
    ],
)
def test_writes_faster_than_reads(data, fires):
    hits = found(data, "write-back")
    assert bool(hits) is fires
    if fires:
        assert keys(hits[0], *PLACED) == ["a", "write", "iozone", 3, "r.txt", "line 1"]
        assert hits[0]["evidence"].startswith("a, 64 KiB files, geometric mean")
        assert "`iozone -e -a -f /m/t`" in hits[0]["advice"]


# unflushed-network-write


@pytest.mark.parametrize(
    "size, facts, command, said",
    [
        (M, NET, "iozone -a -f /m/t", "neither -c nor -e"),
        (3 * GIB_IN_KIB, NET, "iozone -a -f /m/t", None),
        (M, NET, "iozone -a -e -f /m/t", None),
        (M, NET, "", None),
        (M, DISK, "iozone -a -f /m/t", None),
        (M, NET, "iozone -a -c -f /m/t", "-c without -e: closing a file over NFS"),
        (M, NET | {"durability": "sync"}, "iozone -a -c -f /m/t", None),
        (M, SMB, "iozone -a -c -f /m/t", "-c without -e: closing"),
    ],
)
def test_writes_over_a_network_without_a_flush(size, facts, command, said):
    rows = [("write", size, 4, 1.0), ("read", size, 4, 1.0), ("rewrite", size, 4, 9.0)]
    hits = found(once(rows, facts, command), "unflushed-network-write")
    assert bool(hits) is (said is not None)
    if said:
        assert hits[0]["message"].startswith(said)
        assert keys(hits[0], *PLACED) == (
            ["a", "write, rewrite", "iozone", 2, "r.txt", "line 1"]
        )
        assert hits[0]["evidence"] == (
            f"{command}; fastest: 9 B/s rewrite of 1 MiB by 4 KiB (r.txt:line 3)"
        )


# durability-differs

WRITTEN = [("write", 64, 4, 100.0), ("read", 64, 4, 100.0)]


def promises(first, second, rows=WRITTEN, commands=("", "")):
    runs = {
        name: [made(name, rows, command_line=command)]
        for name, command in zip("ab", commands, strict=True)
    }
    own = {"a": first, "b": second}
    return campaign(runs, own={k: v for k, v in own.items() if v})


SYNC, ASYNC = {"durability": "sync"}, {"durability": "async"}


def test_writes_that_are_safe_on_one_side():
    data = promises(SYNC, ASYNC)
    [row] = found(data, "durability-differs")
    assert keys(row, "severity", "system", "operation", "tool", "cells") == (
        ["error", "b", "write", "iozone", 1]
    )
    assert row["evidence"] == (
        "stable when done: a; not: b; write 100 B/s (a.txt:line 1) against 100 B/s "
        "(b.txt:line 1)"
    )
    assert scopes(data, "durability-differs") == {("sync against async", False, "a")}
    [row] = found(replace(data, baseline="b"), "durability-differs")
    assert row["system"] == "a"


@pytest.mark.parametrize(
    "data",
    [
        promises(SYNC, SYNC),
        promises(ASYNC, ASYNC),
        promises(SYNC, ASYNC, WRITTEN[1:]),
        promises(ASYNC, SYNC, commands=("iozone -a -e", "iozone -a")),
    ],
)
def test_writes_that_are_as_safe_on_both_sides(data):
    assert found(data, "durability-differs") == []


@pytest.mark.parametrize(
    "tool, operation, fires",
    [
        ("fio", "mixed_random_write", True),
        ("fio", "mixed_random_read", False),
        ("mdtest", "file_creation", True),
        ("mdtest", "directory_removal", True),
        ("mdtest", "file_stat", False),
    ],
)
def test_what_changes_files_is_a_write_of_any_tool(tool, operation, fires):
    row = (operation, None, None, 100.0, "rate")
    runs = {name: [made(name, [row], tool=tool)] for name in "ab"}
    data = campaign(runs, own={"a": SYNC, "b": ASYNC})
    rows = found(data, "durability-differs")
    assert [r["operation"] for r in rows] == ([operation] if fires else [])


def test_a_flush_does_not_help_where_the_server_ignores_it():
    told = ASYNC | {"protocol": "nfs", "export_options": "rw,async"}
    data = promises(told, SYNC, commands=("iozone -a -e", "iozone -a"))
    [row] = found(data, "durability-differs")
    assert row["evidence"].startswith("stable when done: b; not: a;")


def test_a_system_without_a_stated_promise_is_asked():
    [row] = found(promises(SYNC, {}), "durability-differs")
    assert keys(row, "fact", "systems") == ["durability", ["b"]]
    assert 'durability = "sync"' in row["advice"]
    assert found(once(WRITTEN, {}), "durability-differs") == []


# too-few-runs


@pytest.mark.parametrize(
    "n, severity", [(1, "error"), (2, "warning"), (3, "info"), (4, "info"), (5, None)]
)
def test_few_runs(n, severity):
    data = campaign({"a": [made(f"r{k}", WRITTEN) for k in range(n)]})
    hits = found(data, "too-few-runs")
    assert [row["severity"] for row in hits] == ([severity] if severity else [])
    if severity:
        assert keys(hits[0], *PLACED) == ["a", "", "iozone", 2, "r0.txt", "line 1"]
        assert hits[0]["evidence"] == f"a: {n} of no options known (r0.txt)"


@pytest.mark.parametrize(
    "stands, severity, said",
    [
        ("mean", "warning", "only the mean of the runs of IOzone is known"),
        ("published", "error", "published figures of IOzone, without the number"),
    ],
)
def test_a_run_that_stands_for_others(stands, severity, said):
    run = made("r", WRITTEN, facts={"stands_for": stands}, note="5 runs")
    hits = found(campaign({"a": [run]}), "too-few-runs")
    assert [row["severity"] for row in hits] == [severity]
    assert hits[0]["message"].startswith(said)
    assert hits[0]["evidence"] == "a: 5 runs, no options known (r.txt)"


# unstable-cell


def scattered(low, high):
    runs = [
        made("r", [("read", 64, 4, low), ("write", 64, 4, 1.0)]),
        made("s", [("read", 64, 4, high), ("write", 64, 4, 1.0)]),
    ]
    return campaign({"a": runs})


@pytest.mark.parametrize(
    "low, high, severity",
    # of two values the coefficient of variation is √2 (high - low) ÷ (high + low)
    [
        *[(96.5, 103.5, None), (96.4, 103.6, "info")],
        *[(93.0, 107.0, "info"), (92.9, 107.1, "warning")],
    ],
)
def test_runs_that_scatter(low, high, severity):
    hits = found(scattered(low, high), "unstable-cell")
    assert [row["severity"] for row in hits] == ([severity] if severity else [])
    if severity:
        assert keys(hits[0], *PLACED) == ["a", "read", "iozone", 1, "s.txt", "line 1"]
        assert hits[0]["message"].endswith("in 1 of 2 cells")
        assert hits[0]["advice"].startswith("repeat until the interval")


# outlier-run


def test_a_run_far_from_the_others():
    levels = [100.0, 101.0, 99.0, 100.5, 130.0]
    runs = [
        made(f"r{k}", [("read", 64, 4, level), ("write", 64, 4, 100.0)])
        for k, level in enumerate(levels)
    ]
    data = campaign({"a": runs})
    [row] = found(data, "outlier-run")
    assert keys(row, *PLACED) == ["a", "read", "iozone", 1, "r4.txt", "line 1"]
    assert (
        row["evidence"] == "times the median of the runs: a read, run 5: 1.29 (r4.txt)"
    )
    assert found(campaign({"a": runs[2:]}), "outlier-run") == []
    # not a tenth away, which is no outlier however little the others scatter
    near = made("r4", [("read", 64, 4, 110.0), ("write", 64, 4, 100.0)])
    assert found(campaign({"a": [*runs[:4], near]}), "outlier-run") == []


@pytest.mark.parametrize("times, fires", [(9.9, False), (10.1, True)])
def test_an_outlier_is_ten_robust_deviations_away(times, fires):
    # of nine logarithms the median is 0, and that of their sizes 0.01
    logs = [-0.01] * 3 + [0.0] * 2 + [0.01] * 3 + [times * 1.4826 * 0.01]
    levels = [100 * np.exp(log) for log in logs]
    runs = [made(f"r{k}", [("read", 64, 4, level)]) for k, level in enumerate(levels)]
    assert bool(found(campaign({"a": runs}), "outlier-run")) is fires


# not-interleaved


def timed(name, levels, start):
    return [
        made(
            *(f"{name}{k}", [("read", 64, 4, level)]),
            started=f"2026-11-21T{start + k:02}:00:00",
        )
        for k, level in enumerate(levels)
    ]


STEADY = [100.0, 101.0, 100.0, 101.0, 100.0]


def test_systems_in_turn_or_one_after_the_other():
    apart = campaign({"a": timed("a", STEADY, 0), "b": timed("b", STEADY, 5)})
    [row] = found(apart, "not-interleaved")
    assert keys(row, "severity", "system", "tool", "cells") == (
        ["warning", "b", "iozone", 1]
    )
    assert scopes(apart, "not-interleaved") == {("", False, "a")}
    assert row["evidence"].startswith(
        "IOzone on a from 2026-11-21 00:00:00 to 2026-11-21 04"
    )
    touching = campaign({"a": timed("a", STEADY, 0), "b": timed("b", STEADY, 4)})
    assert found(touching, "not-interleaved") == []
    before = campaign({"a": timed("a", STEADY, 5), "b": timed("b", STEADY, 0)})
    assert len(found(before, "not-interleaved")) == 1
    single = campaign({"a": timed("a", STEADY, 0), "b": timed("b", STEADY[:1], 9)})
    assert found(single, "not-interleaved") == []


RISING = [100.0, 101.5, 103.0, 104.5, 106.0]


@pytest.mark.parametrize(
    "levels, change",
    [
        (RISING, "+6%"),
        (RISING[::-1], "-6%"),
        # too few runs, a change within 5 %, a slope that may be chance
        (RISING[:4], None),
        ([100.0, 101.0, 102.0, 103.0, 104.5], None),
        ([100.0, 108.0, 101.0, 110.0, 104.0], None),
        # one step back does not hide a drift
        ([100.0, 103.0, 102.0, 106.0, 108.0], "+8%"),
    ],
)
def test_runs_that_drift(levels, change):
    hits = found(campaign({"a": timed("a", levels, 0)}), "not-interleaved")
    assert bool(hits) is (change is not None)
    if change:
        assert keys(hits[0], "severity", "system", "tool", "cells") == (
            ["warning", "a", "iozone", 0]
        )
        assert hits[0]["evidence"].startswith(
            f"{change} from the first to the last of 5 runs, p = "
        )
        way = "faster" if change.startswith("+") else "slower"
        assert f"its runs become {way} with time" in hits[0]["message"]


def test_p_of_a_slope_is_scipy_s():
    x, y = np.arange(8.0), np.array([1.0, 1.3, 0.9, 1.6, 1.4, 1.2, 1.9, 1.5])
    slope, p = _slope(x - x.mean(), y - y.mean(), 6)
    known = stats.linregress(x, y)
    assert (slope, p) == pytest.approx((known.slope, known.pvalue))
    assert _slope(np.zeros(3), np.ones(3), 1) == (0.0, 1.0)
    assert _slope(np.ones(3), np.ones(3), 0) == (0.0, 1.0)


def test_a_drift_makes_an_order_an_error():
    runs = {"a": timed("a", RISING, 0), "b": timed("b", RISING, 5)}
    data = campaign(runs)
    rows = found(data, "not-interleaved")
    assert [keys(row, "severity", "system") for row in rows] == [
        *[["error", "b"], ["warning", "a, b"]]
    ]
    assert scopes(data, "not-interleaved") == {("", False, "a")}


def turns(order, levels=STEADY):
    """Rounds, each in an order of its own."""
    runs = {}
    for k, names in enumerate(order):
        for n, name in enumerate(names):
            level = levels[k % len(levels)]
            run = made(
                *(f"{name}{k}", [("read", 64, 4, level)]),
                started=f"2026-11-21T{2 * k:02}:{10 * n:02}:00",
            )
            runs.setdefault(name, []).append(run)
    return campaign(runs)


@pytest.mark.parametrize(
    "order, fires",
    [
        (["abc"] * 3, True),
        (["abc"] * 2, False),
        (["abc", "abc", "acb"], False),
        (["bac"] * 4, True),
    ],
)
def test_one_order_in_every_round(order, fires):
    data = turns(order)
    hits = found(data, "not-interleaved")
    assert bool(hits) is fires
    if fires:
        [row] = hits
        assert row["severity"] == "warning"
        names = ", ".join(order[0])
        assert row["evidence"] == f"IOzone: {names} in each of {len(order)} rounds"
        assert scopes(data, "not-interleaved") == {("", False, order[0][0])}


def test_of_runs_within_a_second_the_order_is_not_known():
    data = turns(["ab"] * 3)
    same = data.runs["started"].dt.floor("h")
    data = replace(data, runs=data.runs.assign(started=same))
    [row] = found(data, "not-interleaved")
    assert keys(row, "severity", "system", "cells") == ["info", "a, b", 0]
    assert row["evidence"] == "IOzone: runs of a and b began in the same second"
    assert scopes(data, "not-interleaved") == set()


def test_one_order_and_a_drift_disqualify():
    rising = [100.0 * 1.05**k for k in range(5)]
    data = turns(["ab"] * 5, rising)
    rows = found(data, "not-interleaved")
    assert [row["severity"] for row in rows] == ["error", "warning"]
    assert scopes(data, "not-interleaved") == {("", False, "a")}


def test_a_drift_that_all_rounds_share_is_no_warning():
    rising = [100.0 * 1.05**k for k in range(5)]
    [row] = found(turns(["ab", "ba", "ab", "ba", "ab"], rising), "not-interleaved")
    assert row["severity"] == "info"
    assert row["message"].endswith("as the systems took turns, this shifts no ratio")
    assert "turns" not in row["advice"]


# parallel-runs


def working(name, start, seconds):
    rows = [("transfer", None, None, seconds, "elapsed")]
    return made(name, rows, tool="rsync", started=f"2026-11-21T09:00:{start:02}")


@pytest.mark.parametrize("seconds, fires", [(11.0, False), (11.1, True)])
def test_a_run_that_began_before_the_last_one_ended(seconds, fires):
    runs = [working("r", 0, seconds), working("s", 10, 1.0), working("t", 40, 1.0)]
    hits = found(campaign({"a": runs}), "parallel-runs")
    assert bool(hits) is fires
    if fires:
        assert keys(hits[0], *PLACED) == ["a", "", "rsync", 1, "s.txt", "line 1"]
        assert (
            "a: r.txt began 2026-11-21 09:00:00 and measured for 11 s"
            in (hits[0]["evidence"])
        )


# settings-differ


def test_another_version_or_other_options():
    runs = {name: [made(name, WRITTEN, configuration="-a")] for name in "ab"}
    assert found(campaign(runs), "settings-differ") == []
    other = made("b", WRITTEN, configuration="-a -I", command_line="iozone -a -I")
    data = campaign(runs | {"b": [other]})
    [row] = found(data, "settings-differ")
    assert keys(row, "severity", "system", "tool", "cells", "source", "locator") == (
        ["error", "b", "iozone", 2, "b.txt", "line 1"]
    )
    assert row["evidence"] == "a: -a; b: -a -I (b.txt)"
    assert scopes(data, "settings-differ") == {("", True, "a")}
    assert found(replace(data, compared=("options",)), "settings-differ") == []
    assert found(replace(data, baseline="b"), "settings-differ")[0]["system"] == "a"


@pytest.mark.parametrize(
    "rows, threads, setting",
    [
        ([("read", 64, 4, 1.0), ("read", 128, 8, 1.0)], 1, "file sizes"),
        ([("read", 64, 4, 1.0), ("read", 64, 16, 1.0)], 1, "record sizes"),
        ([("read", 64, 4, 1.0), ("read", 64, 8, 1.0)], 2, "numbers of threads"),
    ],
)
def test_other_sizes_of_the_same_options(rows, threads, setting):
    usual = made("a", [("read", 64, 4, 1.0), ("read", 64, 8, 1.0)])
    other = made("b", rows, threads=threads)
    [row] = found(campaign({"a": [usual], "b": [other]}), "settings-differ")
    assert row["message"] == f"IOzone did not run with the same {setting} on b as on a"
    cut = replace(other, complete=False)
    assert found(campaign({"a": [usual], "b": [cut]}), "settings-differ") == []


# confounded


def differing(one, other, **more):
    runs = {name: [made(name, WRITTEN)] for name in "ab"}
    return campaign(runs, own={"a": one, "b": other}, **more)


def stated(text):
    return dict(fact.split("=") for fact in text.split("; "))


@pytest.mark.parametrize(
    "one, other, facts",
    [
        ("protocol=nfs", "protocol=smb", []),
        ("protocol=nfs; kernel=6.1", "protocol=smb; kernel=6.6", ["kernel"]),
        (
            "protocol=nfs; mount_options=rw; server=knfsd",
            *("protocol=smb; mount_options=ro; server=samba", []),
        ),
        ("protocol=nfs; kernel=6.1", "protocol=smb", []),
        ("protocol=nfs; kernel=Linux  6.1", "protocol=smb; kernel=linux 6.1", []),
        ("file_system=ext4 a", "file_system=ext4 b", []),
        ("file_system=ext4; kernel=1", "file_system=xfs; kernel=2", ["kernel"]),
        ("protocol=a; kernel=a", "protocol=b; kernel=b", []),
        ("notes=x; durability=sync", "notes=y; durability=async", []),
    ],
)
def test_facts_that_differ_besides_the_compared_one(one, other, facts):
    rows = found(differing(stated(one), stated(other)), "confounded")
    assert [row["message"].split(" between")[0] for row in rows] == (
        [f"there is also a difference in {fact}" for fact in facts]
    )


def test_a_confounded_finding_names_its_fact():
    one, other = {"protocol": "nfs", "kernel": "1"}, {"protocol": "smb", "kernel": "2"}
    data = differing(one, other)
    [row] = found(data, "confounded")
    assert keys(row, "severity", "system", "cells", "evidence") == (
        ["error", "b", 2, "a: 1; b: 2"]
    )
    assert scopes(data, "confounded") == {("also differs: kernel", False, "a")}
    assert found(differing(one, other, compared=("kernel",)), "confounded") == []


def test_the_page_of_confounded_lists_the_facts_in_their_order(root):
    page = (root / "fsviz/checks/pages/confounded.md").read_text(encoding="utf-8")
    told = re.search(r"seven facts that differs: ([^.]*)\.", " ".join(page.split()))[1]
    assert told.split(", ") == [fact.replace("_", " ") for fact in CONSEQUENCES]
    one, other = (
        {"storage": name, "mount_options": name, "kernel": name + name} for name in "xy"
    )
    # the first that differs is the compared one, the others are named
    rows = found(differing(one, other | {"storage": "z"}), "confounded")
    assert {row["evidence"] for row in rows} == {"a: xx; b: yy", "a: x; b: z"}


# incomplete-run, invalid-mode


def test_a_run_that_ends_early():
    whole = made("r", WRITTEN)
    cut = replace(made("s", WRITTEN), complete=False, note="no end mark")
    data = campaign({"a": [whole, cut]})
    [row] = found(data, "incomplete-run")
    assert keys(row, "severity", *PLACED) == (
        ["error", "a", "", "iozone", 2, "s.txt", "line 1"]
    )
    assert row["message"].startswith("1 of 2 runs of IOzone stopped early")
    assert row["evidence"] == "s.txt: no end mark"
    assert scopes(data, "incomplete-run") == {("", False, "")}
    excerpt = replace(cut, facts={"ending": "excerpt"})
    data = campaign({"a": [whole, excerpt]})
    assert found(data, "incomplete-run")[0]["severity"] == "warning"
    assert scopes(data, "incomplete-run") == {("", False, "")}
    four = [replace(made(n, WRITTEN), complete=False, note="cut") for n in "rstu"]
    [row] = found(campaign({"a": four}), "incomplete-run")
    assert row["evidence"].endswith("; 1 more")


@pytest.mark.parametrize(
    "command, rows, ending, severity",
    [
        ("iozone -s 64k -r 4k", WRITTEN, "early", "warning"),
        ("iozone -s 64k -s 128k -r 4k", WRITTEN, "early", "error"),
        ("iozone -a -s 64k -r 4k", WRITTEN, "early", "error"),
        ("iozone -s 64k -r 4k", WRITTEN, "failed", "error"),
        ("iozone", WRITTEN, "early", "warning"),
        ("", WRITTEN, "early", "error"),
    ],
)
def test_a_run_that_lacks_its_end_only(command, rows, ending, severity):
    run = replace(
        made("r", rows, command_line=command), complete=False, facts={"ending": ending}
    )
    [row] = found(campaign({"a": [run]}), "incomplete-run")
    assert row["severity"] == severity


def test_runs_that_may_be_invalid_and_numbers_that_do_not_mix():
    doubtful = made("r", WRITTEN, facts={"may_be_invalid": True})
    data = campaign({"a": [doubtful, made("s", WRITTEN)]})
    [row] = found(data, "invalid-mode")
    assert keys(row, "severity", *PLACED) == (
        ["warning", "a", "", "iozone", 2, "r.txt", "line 1"]
    )
    rates = made("t", [("read", 64, 4, 5.0, "rate")])
    data = campaign({"a": [made("s", WRITTEN)], "b": [rates]})
    [row] = found(data, "invalid-mode")
    assert keys(row, "severity", "system", "tool", "cells") == (
        ["error", "a, b", "iozone", 3]
    )
    assert row["evidence"] == "kB/s: a; operations/s (-O): b"
    assert scopes(data, "invalid-mode") == {("", True, "")}


def test_further_numbers_of_threads_disqualify_none_that_both_measured():
    """Cells of one number of threads are compared with no others."""
    cells = [("read", 64, 4, 100.0)]
    one = [made(f"c{k}", cells) for k in range(3)]
    both = [made(f"a{k}", cells) for k in range(3)]
    both += [made(f"a{k}t", cells, threads=8) for k in range(3)]
    eight = [made(f"d{k}", cells, threads=8) for k in range(3)]
    assert found(campaign({"a": both, "c": one}), "settings-differ") == []
    assert found(campaign({"c": one, "d": eight}), "settings-differ") != []


# Which settings are known to differ


@pytest.mark.parametrize(
    "setting,tool,one,other,expected",
    [
        ("version", "bonnie++", "1.03", "1.03e", True),
        ("version", "bonnie++", "1.03c", "1.03e", False),
        ("version", "bonnie++", "1.03", "1.96", False),
        ("version", "iozone", "3.489", "3.48", False),
        ("options", "bonnie++", "size=1 chunk=unknown", "size=1 chunk=8192", True),
        ("options", "bonnie++", "size=1 chunk=4096", "size=1 chunk=8192", False),
        ("options", "bonnie++", "size=2 chunk=unknown", "size=1 chunk=8192", False),
        ("options", "bonnie++", "size=1 files=9 threads=1", "size=1 threads=1", True),
        ("options", "bonnie++", "size=1 files=16384", "size=1 files=8192", False),
        ("options", "bonnie++", "size=1 without=random_seeks", "size=1", True),
        ("options", "iozone", "-a", "unknown options: write", True),
        ("options", "iozone", "-a", "-a -c", False),
        ("options", "rsync", "rsync -a", "rsync -a; 9 B, speedup about 1", True),
        ("options", "rsync", "rsync -a", "rsync -az; 9 B, speedup about 1", False),
        ("options", "rsync", "9 B, speedup about 1", "8 B, speedup about 1", False),
        ("threads", "iozone", "1", "2", False),
    ],
)
def test_alike_both_ways_round(setting, tool, one, other, expected):
    assert alike(setting, tool, one, other) is expected
    assert alike(setting, tool, other, one) is expected
