"""Rankings and scaling, by hand."""

import math

import pytest
from frames import measurements, run
from samples import loaded

from fsviz.analysis.cells import select
from fsviz.analysis.rankings import rankings
from fsviz.analysis.scaling import scaling
from fsviz.model.errors import UsageError
from fsviz.model.runs import Cells, Run
from fsviz.text.summary import readable_wins

CELLS = [(64, 4), (64, 8), (64, 16), (64, 32)]


def system(name, *values):
    """Three runs, each a little apart: 0.99, 1 and 1.01 times the values."""
    return [
        run(
            f"{name}{i}",
            [
                ("write", f, r, v * k)
                for (f, r), v in zip(CELLS, values, strict=False)
                if v
            ],
        )
        for i, k in enumerate((0.99, 1.0, 1.01))
    ]


TABLE = measurements(
    {
        "a": system("a", 10, 10, 10, 10),
        "b": system("b", 20, 10, 5, 99),
        "c": system("c", 5, 9.9, 40),
    }
)


def test_who_wins_which_cells():
    frame = rankings(TABLE)
    # the fourth cell is not measured by c, so it counts for nobody
    assert frame["cells"].tolist() == [3, 3, 3]
    assert frame["system"].tolist() == ["c", "a", "b"]
    assert frame["rank"].tolist() == [1, 2, 2]
    # geometric means: c (5 · 9.9 · 40)^⅓, a and b 10
    assert frame["ratio_to_best"].tolist() == pytest.approx(
        [1, 10 / 1980 ** (1 / 3), 10 / 1980 ** (1 / 3)]
    )
    # cell 1 is b's, cell 3 c's; in cell 2 a and b are level
    assert frame["best_in"].tolist() == [1, 0, 1]
    assert frame["surely_best_in"].tolist() == [1, 0, 1]
    assert frame["n_runs"].tolist() == [3, 3, 3]


def test_less_is_better_for_times():
    table = TABLE.assign(metric="elapsed", unit="s")
    frame = rankings(table).set_index("system")
    assert frame["rank"].to_dict() == {"a": 1, "b": 1, "c": 3}
    assert frame.at["c", "ratio_to_best"] == pytest.approx(1980 ** (1 / 3) / 10)
    assert frame["best_in"].to_dict() == {"a": 0, "b": 1, "c": 2}


def test_one_run_wins_nothing_for_sure():
    table = measurements({n: system(n, v)[:1] for n, v in (("a", 10), ("b", 99))})
    frame = rankings(table).set_index("system")
    assert frame["best_in"].to_dict() == {"a": 0, "b": 1}
    assert frame["surely_best_in"].sum() == 0


def places(campaign, operation, metric):
    frame = rankings(campaign, operation=[operation])
    return frame.loc[frame["metric"] == metric].set_index("system")


def test_who_is_too_fast_to_time_in_every_run_leads(root):
    """All five runs of xfs are beyond the four of ext4 that have a number."""
    campaign = loaded(root / "data/raw/onehost-2026")
    frame = places(campaign, "sequential_output_block", "throughput")
    assert frame["rank"].to_dict() == {"xfs": 1, "ext4": 2, "btrfs": 3}
    assert frame["best_in"].to_dict() == {"xfs": 1, "ext4": 0, "btrfs": 0}
    # one run of ext4 may be faster than any of xfs
    assert frame["surely_best_in"].sum() == 0
    assert frame["n_runs"].tolist() == [5, 5, 5]
    # medians: 2082879488 and 1369484288 printed, against 2 GiB/s at least
    assert frame["ratio_to_best"].isna().tolist() == [False, True, True]
    assert frame["ratio_limit"].tolist()[1:] == pytest.approx(
        [2082879488 / 2**31, 1369484288 / 2**31], rel=1e-6
    )


def test_who_is_beyond_every_run_of_the_second_leads_for_sure(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    two = select(campaign, system=["xfs", "btrfs"])
    frame = places(two, "sequential_output_block", "throughput")
    # 2 ÷ C(10, 5) = 0.008, and 2 GiB/s is 1.57 times the median
    assert frame["surely_best_in"].to_dict() == {"xfs": 1, "btrfs": 0}


def test_the_slowest_run_does_not_speak_for_those_without_a_number(root):
    """Of local-xfs one run of five was slow enough to be timed."""
    campaign = loaded(root / "data/raw/loopback-2026")
    frame = places(campaign, "random_seeks", "rate")
    assert frame["rank"].to_dict() | {"local-ext4": 1, "local-xfs": 1} == (
        frame["rank"].to_dict()
    )
    assert frame["rank"].tolist() == [1, 1, *range(3, 11)]
    assert frame["best_in"].sum() == 0
    assert frame.loc[["local-ext4", "local-xfs"], "ratio_to_best"].isna().all()
    text = readable_wins(frame.reset_index())
    assert text["÷ best"].tolist()[:3] == ["–", "–", "<0.374"]


def test_a_ranking_needs_two():
    with pytest.raises(UsageError, match="cells that two systems measured"):
        rankings(measurements({"a": system("a", 10)}))


def threaded(name, threads, total, slowest, fastest):
    cells = Cells()
    for metric, value in (
        ("throughput", total),
        ("min_child_throughput", slowest),
        ("max_child_throughput", fastest),
    ):
        cells.add("write", metric, value, "line 1", file_size=2**20, threads=threads)
    return Run("iozone", name, name, cells, configuration=f"-t {threads}")


def test_scaling_over_threads():
    table = measurements(
        {
            "a": [
                threaded("r1", 2, 100.0, 40.0, 60.0),
                threaded("r2", 8, 200.0, 5.0, 50.0),
                threaded("r3", 2, 400.0, 40.0, 60.0),
                threaded("r4", 8, 200.0, 5.0, 50.0),
            ]
        }
    )
    frame = scaling(table)
    assert frame["threads"].tolist() == [2, 8]
    assert frame["n_runs"].tolist() == [2, 2]
    assert frame["throughput"].tolist() == pytest.approx([200, 200])
    assert frame["speedup"].tolist() == pytest.approx([1, 1])
    assert frame["efficiency"].tolist() == pytest.approx([1, 0.25])
    assert frame["straggler_ratio"].tolist() == pytest.approx([2 / 3, 0.1])


def test_without_threads_there_is_no_scaling():
    with pytest.raises(UsageError, match="several threads"):
        scaling(TABLE)


def test_without_children_scaling_still_answers():
    runs = [threaded(f"r{n}", n, 100.0 * n, math.nan, math.nan) for n in (1, 4)]
    frame = scaling(measurements({"a": runs}))
    assert frame["efficiency"].tolist() == pytest.approx([1, 1])
    assert frame["straggler_ratio"].isna().all()
