"""What a page shows first: the headline, and the matrix of all comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fsviz.checks.headline import answer, peers
from fsviz.checks.overview import overview
from fsviz.figures.plot import plot
from fsviz.model.errors import FsvizError
from fsviz.model.escaping import markdown_text

if TYPE_CHECKING:
    from fsviz.checks.findings import Examination
    from fsviz.model.campaign import Campaign


def first_sight(
    campaign: Campaign,
    *,
    baseline: str,
    candidates: Sequence[str],
    operations: Sequence[str] | None = None,
    examination: Examination | None = None,
) -> tuple[str, object]:
    """Answer in Markdown and in one figure who is faster, and by how much.

    Parameters
    ----------
    campaign : Campaign
        What was measured.
    baseline : str
        System to compare with.
    candidates : sequence of str
        Systems to compare.
    operations : sequence of str or None
        By default every operation.
    examination : Examination or None
        Of this campaign with this baseline, if it is known.

    Returns
    -------
    text : str
        One bold line of Markdown, in which names mean nothing.
    figure : plotly Figure or str
        Against the baseline, or against the first of the peers where these matter;
        empty if there is nothing to compare, which the text then says.
    """
    try:
        frame = overview(campaign, baseline, candidates, operations, examination)
    except FsvizError as error:
        return f"*{markdown_text(str(error))}*", ""
    said = answer(campaign, frame)
    if near := peers(frame):
        # all are equally far away: the matrix shows how they differ among themselves
        names = [baseline, *candidates]
        others = [name for name in names if name != near[0]]
        frame = overview(campaign, near[0], others, operations)
    figure = plot(campaign, "overview", frame=frame, headline=said)
    return f"**{markdown_text(said)}**", figure


def headline_of(campaign: Campaign, examination: Examination) -> str:
    """Write the headline of a campaign; empty if there is nothing to compare."""
    try:
        return answer(campaign, overview(campaign, examination=examination))
    except FsvizError:
        return ""
