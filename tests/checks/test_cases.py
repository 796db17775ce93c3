"""The traps of five published comparisons are found, and ours has no others."""

import pytest
from samples import loaded

import fsviz
from tests.checks.outputs import (
    LOOPBACK,
    ROOT,
)


def test_loopback_2026_has_exactly_these_errors():
    """Each is argued for in the closing note of the issue."""
    frame = fsviz.check(loaded(LOOPBACK))
    errors = frame.loc[frame["severity"] == "error", ["rule", "tool"]]
    assert set(errors.itertuples(index=False, name=None)) == {
        ("no-storage-cells", "iozone"),
        ("over-line-rate", "iozone"),
        ("over-line-rate", "bonnie++"),
        ("too-short", "iozone"),
        ("durability-differs", "iozone, bonnie++, rsync"),
        ("too-few-runs", "rsync"),
        # local-xfs has another file system, nfs-v4.2-async other export options
        ("confounded", ""),
    }


PUBLISHED = ROOT / "data/published"


@pytest.mark.parametrize(
    "case,rules",
    [
        ("1-windows-linux-nfs", {"no-storage-cells", "unflushed-network-write"}),
        ("1-windows-linux-nfs", {"too-few-runs", "confounded"}),
        ("2-wordpress-nas", {"durability-differs"}),
        ("3-nfs-smb-dfs", {"test-file-elsewhere", "over-line-rate"}),
        ("3-nfs-smb-dfs", {"no-storage-cells", "unflushed-network-write"}),
        ("4-afp-smb", {"over-line-rate", "cpu-bound", "too-few-runs"}),
        ("5-nfs-versions", {"confounded", "too-few-runs"}),
    ],
)
def test_the_figures_as_published(case, rules):
    if not (PUBLISHED / case).is_dir():
        pytest.skip("not there yet")
    frame = fsviz.check(loaded(PUBLISHED / case))
    said = frame.loc[frame["fact"] == "", "rule"]
    assert rules <= set(said)
