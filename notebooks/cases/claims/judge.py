"""Judge each claim of a publication by the figures that the publication prints.

A number that is claimed exactly (``low`` = ``high``) holds if it is the rounded or the
cut value and rounding moves it by less than a tenth; else it is not that precise.
"""

from __future__ import annotations

from typing import NamedTuple

from claims.intervals import Bounds, bounds_of, digits_of, gain, ratio, written
from claims.listed import Claim
from claims.quoted import QuotedValue
from fsviz.model.facts import MTU, payload_share
from fsviz.model.units import format_value, parse_link_rate

PRECISE = 0.1
"""Share by which rounding may move a ratio that is called precise."""

JUMBO = 9000
"""The larger packets that many gigabit networks are set to [B]."""


class Judgement(NamedTuple):
    """The result for a claim: in words and as a number."""

    recomputed: str
    verdict: str
    bounds: Bounds


def judge(claim: Claim, figures: dict[str, QuotedValue], link: str = "") -> Judgement:
    """Recompute a claim from the figures of its publication."""
    figure = figures[claim.figure]
    if claim.test == "link":
        return _carried(bounds_of(figure), claim.against)
    against = figures[claim.against]
    times = ratio(bounds_of(figure), bounds_of(against))
    bounds, unit = (gain(times), "%") if claim.test == "gain" else (times, "times")
    shown = written(bounds, unit, digits_of(figure, against))
    verdict = _verdict(claim, bounds, times)
    if link and figure.unit == "B/s" and bounds_of(figure).low > parse_link_rate(link):
        shown += f"; {format_value(figure.value, 'B/s')} is more than the link carries"
        verdict += " as arithmetic; not the network's speed"
    return Judgement(shown, verdict, bounds)


def _verdict(claim: Claim, bounds: Bounds, times: Bounds) -> str:
    """Compare what was recomputed with what was claimed."""
    if claim.low == claim.high:
        rounded = claim.low - 0.5 <= bounds.value < claim.low + 1
        if bounds.high < claim.low - 0.5 or bounds.low >= claim.low + 1:
            return "contradicted"
        precise = times.high / times.low - 1 <= PRECISE
        return "holds" if rounded and precise else "not that precise"
    if claim.low <= bounds.low and bounds.high <= claim.high:
        return "holds"
    if bounds.high == claim.low == 1:
        return "not supported; a tie at best as printed"
    if bounds.high <= claim.low:
        return "contradicted" if bounds.high <= 1 <= claim.low else "overstated"
    return "understated" if bounds.low >= claim.high else "cannot be told"


def _carried(bounds: Bounds, link: str) -> Judgement:
    rate = parse_link_rate(link)
    usual, most = (rate * payload_share(mtu) for mtu in (MTU, JUMBO))
    ends = dict.fromkeys(format_value(n, "B/s") for n in (bounds.low, bounds.high))
    shown = (
        f"{' to '.join(ends)}; {link} carries {format_value(usual, 'B/s')} of "
        f"payload, {format_value(most, 'B/s')} in packets of {JUMBO:,} bytes, "
        f"{format_value(rate, 'B/s')} in all"
    )
    if bounds.high <= usual:
        return Judgement(shown, "holds", bounds)
    if bounds.low <= most:
        return Judgement(shown, "cannot be told", bounds)
    over = "the link's payload" if bounds.low <= rate else "the link"
    return Judgement(shown, f"more than {over}", bounds)
