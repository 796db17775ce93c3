"""The sample campaigns, rendered once for all tests of reports."""

from __future__ import annotations

import pytest

from fsviz.report.plan import report


@pytest.fixture(scope="session")
def rendered(root, tmp_path_factory):
    """Folder of the reports on both sample campaigns, and what became of each."""
    out = tmp_path_factory.mktemp("reports")
    campaigns = [str(root / "data/raw" / n) for n in ("loopback-2026", "onehost-2026")]
    return out, report(campaigns, out, jobs=2)


@pytest.fixture
def timings(tmp_path):
    """A small campaign whose report takes a second: rsync on two systems."""
    folder = tmp_path / "timings"
    for system, seconds in (("nfs", 8), ("smb", 17)):
        (folder / system).mkdir(parents=True)
        for n in (1, 2, 3):
            text = f"\nreal\t0m{seconds}.{n}00s\nuser\t0m1.000s\nsys\t0m0.100s\n"
            (folder / system / f"r{n}.txt").write_text(text)
    return folder
