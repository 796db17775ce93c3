"""The sample campaigns, rendered once for all tests of reports."""

from __future__ import annotations

import pytest

from fsviz.report.batch import report


@pytest.fixture(scope="session")
def rendered(root, tmp_path_factory):
    """Folder of the reports on both sample campaigns, and what became of each."""
    out = tmp_path_factory.mktemp("reports")
    campaigns = [str(root / "data/raw" / n) for n in ("loopback-2026", "onehost-2026")]
    return out, report(campaigns, out, jobs=2)
