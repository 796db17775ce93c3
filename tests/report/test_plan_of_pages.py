"""Which pages are made of a campaign: those whose question its numbers answer."""

from pathlib import Path

import pytest

from fsviz.model.errors import UsageError
from fsviz.report.plan import plan


def test_of_runs_without_numbers_no_page_is_made(root: Path) -> None:
    """Commands that somebody published, whose numbers only a picture shows."""
    with pytest.raises(UsageError, match=r"expected results of .*, found no numbers$"):
        plan((str(root / "data/published/5-nfs-versions"),))
