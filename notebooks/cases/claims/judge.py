"""Judge each claim of a publication by the figures that the publication prints.

A number that is claimed exactly (``low`` = ``high``) holds if it is the rounded or the
cut value and rounding moves it by less than a tenth; else it is not that precise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from claims.intervals import (
    Bounds,
    bounds_of,
    difference,
    digits_of,
    gain,
    ratio,
    written,
)
from claims.listed import Claim, Judgement
from fsviz.campaigns.publication import QuotedValue
from fsviz.model.facts import MTU, payload_share
from fsviz.model.units import (
    KIB,
    format_throughput,
    format_value,
    parse_link_rate,
    significant,
)

PRECISE = 0.1
"""Share by which rounding may move a ratio that is called precise."""

SMALLEST_FILE, SMALLEST_RECORD = 64 * KIB, 4 * KIB
"""Where IOzone's automatic mode starts."""

JUMBO = 9000
"""The larger packets that many gigabit networks are set to [B]."""

FULL = 100
"""Highest use of one processor [%]."""


QuotedValues = Mapping[str, QuotedValue]


def judge(claim: Claim, figures: QuotedValues, link: str = "") -> Judgement:
    """Recompute a claim from the figures of its publication."""
    found = _TESTS[claim.test](claim, figures)
    figure = figures.get(claim.figure)
    if not link or figure is None or figure.unit != "B/s" or claim.test == "link":
        return found
    if bounds_of(figure).low <= parse_link_rate(link):
        return found
    more = f"{format_throughput(figure.value)} is more than the link carries"
    return Judgement(
        f"{found.recomputed}; {more}",
        f"{found.verdict} as arithmetic; not the network's speed",
        found.bounds,
    )


def _pair(claim: Claim, figures: QuotedValues) -> tuple[Bounds, Bounds]:
    return bounds_of(figures[claim.figure]), bounds_of(figures[claim.against])


def _digits(claim: Claim, figures: QuotedValues) -> int:
    return digits_of(figures[claim.figure], figures[claim.against])


def _ratio(claim: Claim, figures: QuotedValues) -> Judgement:
    found = ratio(*_pair(claim, figures))
    return Judgement(
        written(found, "times", _digits(claim, figures)),
        _verdict(claim, found, found),
        found,
    )


def _gain(claim: Claim, figures: QuotedValues) -> Judgement:
    one, other = _pair(claim, figures)
    found = gain(one, other)
    verdict = _verdict(claim, found, ratio(one, other))
    shown = written(found, "%", _digits(claim, figures))
    return Judgement(shown, verdict, found)


def _difference(claim: Claim, figures: QuotedValues) -> Judgement:
    found = difference(*_pair(claim, figures))
    points = written(found, "percentage points")
    return Judgement(points, _verdict(claim, found, found), found)


def _most(claim: Claim, figures: QuotedValues) -> Judgement:
    """Count the cases in which two figures differ by no more than is claimed."""
    apart = {}
    for case, one in _matching(claim.figure, figures).items():
        other = figures[claim.against.replace("*", case)]
        apart[case.strip("-") or "overall"] = difference(
            bounds_of(one), bounds_of(other)
        )
    close = sum(found.high <= claim.high for found in apart.values())
    told = "; ".join(f"{name} {significant(b.value)}" for name, b in apart.items())
    shown = f"in {close} of {len(apart)} ({told} percentage points)"
    return Judgement(shown, "holds" if 2 * close > len(apart) else "contradicted")


def _verdict(claim: Claim, found: Bounds, times: Bounds) -> str:
    """Compare what was found with what was claimed."""
    if claim.low == claim.high:
        rounded = claim.low - 0.5 <= found.value < claim.low + 1
        if found.high < claim.low - 0.5 or found.low >= claim.low + 1:
            return "contradicted"
        precise = times.high / times.low - 1 <= PRECISE
        return "holds" if rounded and precise else "not that precise"
    low = -math.inf if math.isnan(claim.low) else claim.low
    high = math.inf if math.isnan(claim.high) else claim.high
    if low <= found.low and found.high <= high:
        return "holds"
    if found.high <= low:
        return "contradicted" if found.high <= 1 <= low else "overstated"
    if found.low >= high:
        return "understated" if claim.test == "ratio" else "contradicted"
    return "cannot be told from these figures"


def _rest(claim: Claim, figures: QuotedValues) -> Judgement:
    """Compute what the one size that a statement leaves out needs for the mean."""
    mean, others = _pair(claim, figures)
    low = claim.high * mean.low - (claim.high - 1) * others.high
    high = claim.high * mean.high - (claim.high - 1) * others.low
    left = f"{significant(low)} to {significant(high)} %"
    verdict = "cannot be told" if low <= FULL and high >= 0 else "contradicted"
    return Judgement(f"the mean needs {left} at the size left out", verdict)


def _higher(claim: Claim, figures: QuotedValues) -> Judgement:
    pairs = {
        test: (one.value, figures[claim.against.replace("*", test)].value)
        for test, one in _matching(claim.figure, figures).items()
    }
    unit = next(iter(_matching(claim.figure, figures).values())).unit
    told = [
        f"{_words(test)} {format_value(one, unit)} against {format_value(other, unit)}"
        for test, (one, other) in pairs.items()
    ]
    return _count(pairs, "higher", f"{_sides(claim)}: {'; '.join(told)}")


def _more_cpu(claim: Claim, figures: QuotedValues) -> Judgement:
    """Compare CPU use ÷ throughput, or ÷ rate of seeks, with what the digits allow."""
    costs = {}
    for test, one in _matching(claim.figure, figures).items():
        names = [p.replace("*", test) for p in (claim.figure, claim.against)]
        cpu = one, figures[names[1]]
        moved = [_work(name, figures) for name in names]
        costs[test] = ratio(
            *(
                ratio(bounds_of(c), bounds_of(m))
                for c, m in zip(cpu, moved, strict=True)
            )
        )
    told = [
        f"{_words(test)} {significant(found.value)} times "
        f"({significant(found.low)}–{significant(found.high)})"
        for test, found in costs.items()
    ]
    surely = {test: (found.low, 1.0) for test, found in costs.items()}
    return _count(surely, "more CPU", f"{_sides(claim)}: {'; '.join(told)}")


def _work(cpu: str, figures: QuotedValues) -> QuotedValue:
    test = cpu.removesuffix(" cpu")
    return figures.get(f"{test} throughput") or figures[f"{test} rate"]


def _sides(claim: Claim) -> str:
    return f"{claim.figure.split(' *')[0]} against {claim.against.split(' *')[0]}"


def _count(pairs: Mapping[str, tuple[float, float]], word: str, told: str) -> Judgement:
    more = sum(one > other for one, other in pairs.values())
    verdict = "holds" if more == len(pairs) else "contradicted"
    return Judgement(f"{word} in {more} of {len(pairs)} ({told})", verdict)


def _matching(pattern: str, figures: QuotedValues) -> dict[str, QuotedValue]:
    """Find the figures of a pattern with one star, by what stands for the star."""
    start, _, end = pattern.partition("*")
    return {
        key[len(start) : len(key) - len(end)]: figure
        for key, figure in figures.items()
        if key.startswith(start) and key.endswith(end)
    }


def _words(test: str) -> str:
    return test.replace("sequential_", "").replace("_", " ")


def _link(claim: Claim, figures: QuotedValues) -> Judgement:
    found, rate = bounds_of(figures[claim.figure]), parse_link_rate(claim.against)
    usual, most = (rate * payload_share(mtu) for mtu in (MTU, JUMBO))
    ends = dict.fromkeys(map(format_throughput, (found.low, found.high)))
    shown = (
        f"{' to '.join(ends)}; {claim.against} carries {format_throughput(usual)} of "
        f"payload, {format_throughput(most)} in packets of {JUMBO:,} bytes, "
        f"{format_throughput(rate)} in all"
    )
    if found.high <= usual:
        return Judgement(shown, "holds", found)
    if found.low <= most:
        return Judgement(shown, "cannot be told", found)
    over = "the link's payload" if found.low <= rate else "the link"
    return Judgement(shown, f"more than {over}", found)


def _impossible(claim: Claim, figures: QuotedValues) -> Judgement:
    largest_file, largest_record = (
        int(figures[name].value) for name in (claim.figure, claim.against)
    )
    files = _doublings(SMALLEST_FILE, largest_file)
    records = _doublings(SMALLEST_RECORD, largest_record)
    never = sum(record > file for file in files for record in records)
    cells = len(files) * len(records)
    shown = f"{never} of {cells} cells cannot exist: the record exceeds the file"
    return Judgement(shown, "holds; an empty place, not a zero")


def _doublings(first: int, last: int) -> list[int]:
    return [first << n for n in range((last // first).bit_length())]


def _text(claim: Claim, figures: QuotedValues) -> Judgement:  # noqa: ARG001
    return Judgement(f"see {claim.figure} of the text", "contradicted by the text")


def _source(claim: Claim, figures: QuotedValues) -> Judgement:  # noqa: ARG001
    return Judgement(f"see {claim.figure}", "contradicted by that source")


def _confounded(claim: Claim, figures: QuotedValues) -> Judgement:  # noqa: ARG001
    return Judgement(f"{claim.figure} differ together", "confounded")


def _not_printed(claim: Claim, figures: QuotedValues) -> Judgement:  # noqa: ARG001
    return Judgement("", "cannot be told")


_TESTS: dict[str, Callable[[Claim, QuotedValues], Judgement]] = {
    "ratio": _ratio,
    "gain": _gain,
    "difference": _difference,
    "most": _most,
    "rest": _rest,
    "higher": _higher,
    "more_cpu": _more_cpu,
    "link": _link,
    "impossible": _impossible,
    "text": _text,
    "source": _source,
    "confounded": _confounded,
    "not_printed": _not_printed,
}
