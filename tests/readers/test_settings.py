"""What was varied on purpose beside sizes and threads: a cell of its own, no repeat."""

import pandas as pd
import pytest
from compared import compare
from program import run

import fsviz
from fsviz.figures.plot import plot
from fsviz.model.errors import UsageError
from fsviz.model.table import COLUMNS, typed

ROW = dict.fromkeys(COLUMNS) | {
    "system": "a",
    "tool": "fio",
    "operation": "read",
    "metric": "rate",
    "value": 1.0,
    "unit": "op/s",
}

DEPTHS = (1, 2, 4, 8, 16)
SWEPT = {"nfs": (100, 190, 350, 500, 600), "smb": (130, 250, 450, 650, 790)}
HEAD = "system,operation,file size,{},value,unit\n"


def table(title, rows):
    lines = [f"{s},read,1 GiB,{x},{value},MiB/s\n" for s, x, value in rows]
    return HEAD.format(title) + "".join(lines)


@pytest.fixture
def swept(tmp_path):
    """Five queue depths of two systems, one run each."""
    rows = [
        (system, depth, value)
        for system, values in SWEPT.items()
        for depth, value in zip(DEPTHS, values, strict=True)
    ]
    path = tmp_path / "swept.csv"
    path.write_text(table("iodepth", rows))
    return path


def settings(frame):
    return [*zip(frame["setting"], frame["value"] / 2**20, strict=True)]


def test_a_column_that_differs_within_a_cell_is_a_setting(swept):
    frame = fsviz.read(swept)
    wanted = [
        (f"iodepth={depth}", value)
        for values in SWEPT.values()
        for depth, value in zip(DEPTHS, values, strict=True)
    ]
    assert settings(frame) == wanted
    assert set(frame["repeat"]) == {1}
    assert frame.groupby("system")["run"].nunique().to_dict() == {"nfs": 1, "smb": 1}


def test_no_setting_is_a_repeat_of_another(swept):
    cells = compare(fsviz.load(swept), cells=True)
    assert list(cells["setting"]) == [f"iodepth={depth}" for depth in DEPTHS]
    assert set(cells["n_baseline"]) == set(cells["n_candidate"]) == {1}
    assert set(cells["answer"]) == {"untested"}
    ratios = [b / a for a, b in zip(*SWEPT.values(), strict=True)]
    assert cells["ratio"].tolist() == pytest.approx(ratios)
    means = fsviz.summary(fsviz.load(swept)).sort_values(["system", "mean"])
    assert (means["mean"] / 2**20).tolist() == [x for v in SWEPT.values() for x in v]
    assert set(means["n_runs"]) == {1}


@pytest.mark.parametrize(
    "title,repeat",
    [("repeat", ""), ("note", ""), ("date", ""), ("iodepth,repeat", ",{}")],
)
def test_repeats_stay_repeats(tmp_path, title, repeat):
    rows = [("nfs", f"{n}{repeat.format(n)}", 100 + n) for n in (1, 2, 3)]
    (tmp_path / "a.csv").write_text(table(title, rows))
    frame = fsviz.read(tmp_path / "a.csv")
    assert settings(frame) == [("", 101), ("", 102), ("", 103)]
    assert list(frame["repeat"]) == [1, 2, 3]


def test_several_settings_are_named_in_one_order(tmp_path):
    rows = [("nfs", "1,8", 5), ("nfs", "0,8", 6), ("nfs", "0,4", 7), ("nfs", "0,4", 8)]
    for title, turned in (("sync,iodepth", False), ("iodepth,sync", True)):
        own = [
            (s, ",".join(x.split(",")[:: -1 if turned else 1]), v) for s, x, v in rows
        ]
        (tmp_path / "a.csv").write_text(table(title, own))
        frame = fsviz.read(tmp_path / "a.csv")
        assert settings(frame.sort_values("value")) == [
            ("iodepth=8; sync=1", 5),
            ("iodepth=8; sync=0", 6),
            ("iodepth=4; sync=0", 7),
            ("iodepth=4; sync=0", 8),
        ]
        assert frame.sort_values("value")["repeat"].tolist() == [1, 1, 1, 2]


def test_a_setting_can_be_asked_for(swept):
    both = fsviz.load(swept)
    wanted = [("iodepth=4", 350), ("iodepth=4", 450)]
    asked = fsviz.select(both, setting="iodepth=4")
    assert settings(asked.measurements) == wanted
    assert settings(fsviz.load(swept, setting=["iodepth=4"]).measurements) == wanted
    two = fsviz.select(both, setting="iodepth=4,iodepth=16")
    assert set(two.measurements["setting"]) == {"iodepth=4", "iodepth=16"}
    for command in ("summary", "compare", "best", "check"):
        done = run(command, swept, "--setting", "iodepth=4")
        assert "iodepth=16" not in done.stdout, command
    done = run("summary", swept, "--setting", "iodepth=5")
    assert done.returncode == 2
    assert "setting: expected one of iodepth=1, iodepth=2" in done.stderr


def test_one_part_of_a_setting_is_enough_and_none_is_what_has_none():
    names = ["", "iodepth=8", "iodepth=8; sync=1", "iodepth=80"]
    frame = pd.concat(
        [typed(pd.DataFrame([ROW | {"setting": name, "run": name}])) for name in names]
    )
    kept = {
        "iodepth=8": names[1:3],
        "sync=1; iodepth=8": names[2:3],
        "none": names[:1],
        "none,iodepth=80": [names[0], names[3]],
    }
    for asked, wanted in kept.items():
        assert list(fsviz.select(frame, setting=asked)["setting"]) == wanted
    with pytest.raises(UsageError, match="found iodepth=9"):
        fsviz.select(frame, setting="iodepth=9")


def points(figure):
    return {
        trace.name: [
            (x, pytest.approx(y)) for x, y in zip(trace.x, trace.y, strict=True)
        ]
        for trace in figure.data
    }


def test_other_settings_are_no_part_of_a_line(tmp_path):
    """The mean over synchronous and other writes would be of nothing."""
    rows = [
        f"nfs,write,1 GiB,{depth},{sync},{100 * depth + sync},MiB/s\n"
        for sync in (0, 1)
        for depth in (1, 2, 4)
    ]
    path = tmp_path / "two.csv"
    path.write_text(
        "system,operation,file size,iodepth,sync,value,unit\n" + "".join(rows)
    )
    figure = plot(fsviz.load(path), "lines")
    assert [y for _, y in points(figure)["nfs"]] == [100, 200, 400]
    assert "1 more combination of sizes and settings" in figure.layout.meta["caption"]


@pytest.mark.parametrize("title", ["iodepth", "queue depth", "direct", "numjobs"])
def test_a_setting_in_which_systems_differ_is_no_difference_of_systems(tmp_path, title):
    """One measured at depth 1 alone and the other at 32: 5.3 times faster, it said."""
    head = f"system,operation,value,unit,repeat,{title}\n"
    rows = [
        f"{system},random read,{value + n},MiB/s,{n},{depth}\n"
        for system, depth, value in (("a", 1, 100), ("b", 32, 530))
        for n in range(5)
    ]
    (tmp_path / "own.csv").write_text(head + "".join(rows))
    done = run("compare", tmp_path / "own.csv")
    assert done.stdout.startswith("Nothing to compare: no test was run on two systems.")
    assert "unmatched-cells" in done.stdout
