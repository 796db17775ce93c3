"""Rules about repetition."""

import pytest

import fsviz
from tests.checks.outputs import (
    LOOPBACK,
    ONEHOST,
    READ,
    build,
    findings,
    iozone,
    loaded,
    repeats,
    scaled,
    severities,
)


@pytest.mark.parametrize("n,expected", [(1, "error"), (2, "warning"), (4, "info")])
def test_too_few_runs(tmp_path, n, expected):
    assert severities(build(tmp_path, repeats("ext4", n)), "too-few-runs") == [expected]


def test_too_few_runs_is_silent_from_five_on():
    assert findings(loaded(ONEHOST), "too-few-runs") == []


def test_unstable_cell(tmp_path):
    files = {"a/1.txt": iozone(), "a/2.txt": scaled(iozone(), READ, 2, rows="8192")}
    [found] = findings(build(tmp_path, files), "unstable-cell")
    assert found["severity"] == "warning"
    # x and 2x: std 0.71 x, mean 1.5 x; 12 records of 8 MiB
    assert "47 %" in found["evidence"]
    assert found["cells"] == 12


def test_unstable_cell_is_silent_on_equal_runs(tmp_path):
    files = {"a/1.txt": iozone(), "a/2.txt": iozone().replace("09:27:51", "09:28:51")}
    assert findings(build(tmp_path, files), "unstable-cell") == []


def test_outlier_run(tmp_path):
    files = {
        f"a/{i}.time.txt": f"\nreal\t0m{s}s\nuser\t0m0.990s\nsys\t0m0.070s\n"
        for i, s in enumerate(("6.869", "6.901", "6.880", "16.890", "6.875"), 1)
    }
    [found] = findings(build(tmp_path, files), "outlier-run")
    assert "a/4.time.txt" in found["evidence"] or "4.time.txt" in found["evidence"]


def test_outlier_run_is_silent_on_five_real_runs():
    names = [f"{LOOPBACK}/rsync/nfs-v3/rep{i}.time.txt" for i in range(1, 6)]
    assert findings(fsviz.load([f"a={','.join(names)}"]), "outlier-run") == []


def test_too_few_runs_does_not_say_one_of_published_figures(root):
    published = loaded(root / "data/published/1-windows-linux-nfs")
    [found] = findings(published, "too-few-runs")
    assert found["severity"] == "error"
    assert "without the number of runs behind them" in found["message"]
