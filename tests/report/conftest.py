"""The sample campaigns, rendered once for all tests of reports and all workers."""

from __future__ import annotations

import os
import pickle

import pytest
from campaigns_made import iozone, put
from filelock import FileLock

from fsviz.report.plan import report

BOTH = ("loopback-2026", "onehost-2026")
SMALL = "small"
"""Three systems of few sizes, so that quick tests have every kind of page."""


@pytest.fixture(scope="session")
def reports(root, tmp_path_factory):
    """Folder of the reports on sample campaigns, and what became of each report.

    The first worker that asks renders them; the others wait and take the same.
    """
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent

    def rendered(*names):
        out = shared / "-".join(("reports", *names))
        kept = out.with_suffix(".pickle")
        with FileLock(out.with_suffix(".lock")):
            if not kept.exists():
                sources = [str(root / "data/raw" / name) for name in names]
                if names == (SMALL,):
                    sources = [str(_small(root / "data/raw", shared / SMALL))]
                kept.write_bytes(pickle.dumps(report(sources, out, jobs=2)))
        return out, pickle.loads(kept.read_bytes())

    return rendered


@pytest.fixture
def rendered(reports):
    """Of both sample campaigns; for tests that are marked as slow."""
    return reports(*BOTH)


def _small(raw, folder):
    for seed, system in enumerate(("ext4", "xfs", "btrfs")):
        for n in (1, 2, 3):
            rows = raw / f"onehost-2026/bonnie++/{system}/rep{n}.csv"
            # in turns, whose order varies
            log = iozone(10 * seed + n, minute=3 * n + (seed + n) % 3)
            files = {f"bonnie{n}.csv": rows.read_text(), f"iozone{n}.txt": log}
            put(folder / system, files)
    (folder / "campaign.toml").write_text('title = "Three file systems"\n')
    return folder


@pytest.fixture
def timings(tmp_path):
    """A small campaign of two pages: rsync on two systems."""
    return _timings(tmp_path / "timings", {"nfs": 8, "smb": 17})


@pytest.fixture
def one_system(tmp_path):
    """A smaller campaign of one page: rsync on one system."""
    return _timings(tmp_path / "timings", {"nfs": 8})


def _timings(folder, systems):
    for system, seconds in systems.items():
        (folder / system).mkdir(parents=True)
        for n in (1, 2, 3):
            text = f"\nreal\t0m{seconds}.{n}00s\nuser\t0m1.000s\nsys\t0m0.100s\n"
            (folder / system / f"r{n}.txt").write_text(text)
    return folder
