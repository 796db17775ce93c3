"""When to stop: all answers stand, or no round that is left can decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsviz.analysis.looks import HOPELESS, power_of_more
from fsviz.answers.comparison import Comparison
from fsviz.model.table import MAIN_METRICS

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

DECIDED, UNDECIDABLE = "decided", "undecidable"
SPENT, ALL = "out of budget", "all rounds measured"
_OPEN = ("inconclusive", "untested")


def tests_of(campaign: Campaign) -> pd.DataFrame:
    """Compare what first words rest on: every test, in the main metrics.

    Where every run printed a bound alone, such as +++++, no round will change that.
    """
    rows = Comparison(campaign).rows
    chosen = rows["metric"].isin(MAIN_METRICS) & rows["ratio"].notna()
    return rows.loc[chosen].reset_index(drop=True)


def why_stop(rows: pd.DataFrame, campaign: Campaign) -> str:
    """Say why a look at some rows ends the measuring; nothing if it goes on."""
    undecided = rows.loc[rows["answer"].isin(_OPEN)]
    if undecided.empty and not rows.empty:
        return DECIDED
    looks = campaign.looks
    if looks is None or looks.closed:
        return SPENT
    if looks.taken[-1] >= looks.planned:
        return ALL
    powers = [
        power_of_more(row.ratio, row.ci_low, row.ci_high, looks)
        for row in undecided.itertuples()
    ]
    return UNDECIDABLE if max(powers, default=1.0) < HOPELESS else ""
