"""Where a difference comes from: the operations, or the size classes, that make it.

An average hides them, and most readers know nothing but the headline.
"""

from __future__ import annotations

from fsviz.analysis.buckets import EDGES
from fsviz.analysis.verdicts import ALPHA, BAND, DIFFERENT
from fsviz.answers.statement import Statement, operations_words
from fsviz.answers.words import range_words
from fsviz.checks.phrases import listing

_ELSEWHERE = "near 1× elsewhere"


def partly(row: Statement) -> str:
    """Say where a difference comes from, if all else is near 1×; else nothing."""
    differ = [part for part in row.parts if part.decided == row.decided]
    near = [part for part in row.parts if _is_near(part.answer, part.speed)]
    if differ and near and len(differ) + len(near) == len(row.parts):
        return f"{row.at(differ)}, {_ELSEWHERE}"
    return _at_classes(row)


def _at_classes(row: Statement) -> str:
    """Name the size classes in which it differs, if it is near 1× in all others."""
    found: dict[str, list[tuple[str, float]]] = {}
    for one in row.parts or (row,):
        classes = zip(EDGES, one.classes, one.class_speeds, strict=False)
        for name, verdict, speed in classes:
            if verdict:
                found.setdefault(name, []).append((verdict, speed))
    near, differ = (
        tuple(k for k, own in found.items() if all(is_so(*told) for told in own))
        for is_so in (_is_near, lambda verdict, _: verdict == row.verdict)
    )
    speeds = [speed for name in differ for _, speed in found[name]]
    known = bool(near and differ) and all(speed > 0 for speed in speeds)
    if not known or len(near) + len(differ) < len(found):
        return ""
    times = range_words(min(speeds), max(speeds))
    return f"{times} at {_files(differ)}, {_ELSEWHERE}"


def at_sizes(row: Statement) -> str:
    """Say where what is alike on average differs: nothing if nowhere, or both ways."""
    found: dict[tuple[str, ...], list[tuple[str, float]]] = {}
    for one in row.parts or (row,):
        apart = _apart(one) if one.has_classes else {}
        if one.decided and not apart:
            return ""
        told = [(one.operation, speed) for speed in apart.values()]
        found.setdefault((*apart,), []).extend(told)
    found.pop((), None)
    every = [speed for some in found.values() for _, speed in some]
    if not every or min(every) < 1 < max(every):
        return ""
    sizes, most = max(found.items(), key=lambda one: max(map(_factor, one[1])))
    if several := len(found) > 1:
        most = [max(most, key=_factor)]
    speeds = [speed for _, speed in most]
    times = "up to " * several + range_words(min(speeds), max(speeds))
    names = tuple(dict.fromkeys(name for name, _ in most))
    of = f"{operations_words(names)} of" if len(row.parts) > 1 else "at"
    return f"{times} {of} {_files(sizes)}"


def _apart(row: Statement) -> dict[str, float]:
    """Return the speed in each size class that is decided over all candidates."""
    told = zip(row.classes, row.class_speeds, row.class_q, strict=False)
    return {
        name: speed
        for name, (verdict, speed, q) in zip(EDGES, told, strict=False)
        if q < ALPHA and verdict in DIFFERENT and not BAND[0] < speed < BAND[1]
    }


def _files(classes: tuple[str, ...]) -> str:
    return f"{listing(classes)} files".replace("_", " ")


def _factor(told: tuple[str, float]) -> float:
    return max(told[1], 1 / told[1])


def _is_near(verdict: str, speed: float) -> bool:
    """Whether it is about the same, or inconclusive within the band."""
    return verdict in ("same", "unclear") and BAND[0] < speed < BAND[1]
