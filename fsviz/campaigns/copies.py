"""One run counted once, whatever its files are called: compare what was measured.

A run is often kept in several files: a text and a workbook, a CSV row and a console
table, a file and its copy with other line ends. Files of one name are brought together
in `fsviz.campaigns.merge_files`; here, runs under different names are one run if all
numbers that both have are equal, as far as they are printed, and there are so many
digits that this is no chance. Start times or random seeds that differ make them two
runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from fsviz.campaigns.candidates import (
    SMALL,
    Candidates,
    Ranges,
    largest,
    once,
    place_of,
    range_of,
    without_record,
)
from fsviz.model.runs import STANDS_FOR, Cells, Key, Note, Run
from fsviz.model.table import METRICS

ENOUGH = 20.0
"""Equal digits from which two runs are one; repeats of a steady disk share fewer."""
ENOUGH_AT_ONE_TIME = 8.0
"""The same for runs that state the same start time."""
_MOST = 9.0
_CLOSE = 1e-6


def join_copies(runs: Sequence[Run]) -> tuple[list[Run], list[Note]]:
    """Bring runs of different files together that are one and the same measurement."""
    kept: list[Run] = []
    candidates = Candidates()
    notes: dict[tuple[str, str], Note] = {}
    sources: dict[str, list[Run]] = {}
    for run in runs:
        sources.setdefault(run.source, []).append(run)
    for of_file in sources.values():
        means = [run for run in of_file if is_mean(run)]
        others, own = _without_repeated([run for run in of_file if not is_mean(run)])
        notes.update(own)
        first = len(kept)
        for run, known in _matched(others, candidates):
            kept += [run] if known is None else _rest(run, known)
            if known is not None:
                notes.setdefault((run.source, known.source), _note(run, known))
        kept += means
        candidates.add(kept[first:])
    kept, said = _without_means(kept)
    return kept, [*notes.values(), *said]


def _without_repeated(
    of_file: list[Run],
) -> tuple[list[Run], dict[tuple[str, str], Note]]:
    """Count a run once that stands twice in one file, such as a row that was pasted.

    What only the second one has is kept: the first may be cut short.
    """
    if len(of_file) == 1:
        return of_file, {}
    kept: list[Run] = []
    candidates = Candidates()
    notes: dict[tuple[str, str], Note] = {}
    for run in of_file:
        known = _partner(run, candidates.of(run))
        copied = known is not None and run.identity != known[0].identity
        enough = known is not None and copied and _is_enough(run, known)
        if known is not None and enough:
            kept += [rest for rest in _rest(run, known[0]) if len(rest.cells)]
        else:
            kept.append(run)
            candidates.add([run])
        if known is None or not copied:
            continue
        line = run.cells.locator[0].removeprefix("line ")
        counted = "counted once" if enough else "so few that they count as two runs"
        text = f"the same numbers as at {known[0].cells.locator[0]}: {counted}"
        notes[run.source, str(line)] = Note(run.source, line, text)
    return kept, notes


def same_measurement(run: Run, other: Run) -> bool:
    """Say whether two runs are one measurement by their numbers alone."""
    partner = _partner(run, [other])
    return partner is not None and _is_enough(run, partner)


def tells_itself(run: Run) -> bool:
    """Return whether a run has digits enough to be known again by its numbers."""
    enough = ENOUGH_AT_ONE_TIME if run.started else ENOUGH
    digits = accumulate(
        _digits(run.cells, at)
        for at, key in enumerate(run.cells.keys())
        if _is_evidence(key)
    )
    return any(total >= enough for total in digits)


def _matched(
    of_file: Sequence[Run], candidates: Candidates
) -> Iterator[tuple[Run, Run | None]]:
    """Pair each run of a file with the run kept that it repeats, if there is one.

    Few digits are enough where a whole file repeats another, run by run.
    """
    pairs = [(run, _partner(run, candidates.of(run))) for run in of_file]
    known = [partner for _, partner in pairs if partner is not None]
    total = sum(evidence for _, evidence in known)
    whole = len(known) == len(pairs) and len({run.source for run, _ in known}) == 1
    for run, partner in pairs:
        if partner is None:
            yield run, None
        elif (whole and len(pairs) > 1 and total >= ENOUGH) or _is_enough(run, partner):
            yield run, partner[0]
        else:
            yield run, None


def _is_enough(run: Run, partner: tuple[Run, float]) -> bool:
    other, evidence = partner
    at_one_time = bool(run.started) and run.started == other.started
    return evidence >= (ENOUGH_AT_ONE_TIME if at_one_time else ENOUGH)


def _partner(run: Run, others: Iterable[Run]) -> tuple[Run, float] | None:
    best: tuple[Run, float] | None = None
    own = once(run)
    # both take longer than most comparisons, which end at the first number
    places: dict[Key, int] = {}
    most: float | None = None
    for other in others:
        if other.tool != run.tool or other is run or not other.cells:
            continue
        if any(a and b and a != b for a, b in zip(own, once(other), strict=True)):
            continue
        small = max(len(run.cells), len(other.cells)) <= SMALL
        if not small:
            most = largest(run) if most is None else most
            if largest(other) != most:
                continue
        places = places or {key: at for at, key in enumerate(run.cells.keys())}
        evidence = _equal_digits(run.cells, places, other.cells)
        if evidence is not None and (best is None or evidence > best[1]):
            best = (other, evidence)
    return best


def _equal_digits(a: Cells, places: Mapping[Key, int], b: Cells) -> float | None:
    """Digits that two runs share; None if they share no number or differ in one.

    ``places`` says where each key is in ``a``.
    """
    shared = False
    total = 0.0
    for j, key in enumerate(b.keys()):
        i = place_of(key, places)
        if i is None:
            continue
        if not _agree(a, i, b, j):
            return None
        shared = True
        if _is_evidence(key):
            total += min(_digits(a, i), _digits(b, j))
    return total if shared else None


def _is_evidence(key: Key) -> bool:
    return METRICS[key[-1]].better != 0 and key[-1] != "cpu"


def _agree(a: Cells, i: int, b: Cells, j: int) -> bool:
    """Whether two numbers are equal, or one is the other with fewer digits."""
    if a.value[i] == b.value[j]:
        return True
    if math.isnan(a.value[i]) and math.isnan(b.value[j]):
        return not (a.low[i] < b.low[j] or b.low[j] < a.low[i])
    widths = a.high[i] - a.low[i], b.high[j] - b.low[j]
    if math.isclose(*widths, rel_tol=_CLOSE):
        return False
    return a.low[i] <= b.high[j] and b.low[j] <= a.high[i]


def _digits(cells: Cells, at: int) -> float:
    value, width = cells.value[at], cells.high[at] - cells.low[at]
    if not value > 0:
        return 0.0
    if not width > 0:
        return _MOST
    return max(0.0, min(_MOST, math.log10(value / width)))


def _rest(run: Run, known: Run) -> list[Run]:
    """Keep what the copy has and the first lacks, as a part of the first."""
    have = set(known.cells.keys())
    loose = set(map(without_record, have))
    rows = [
        at
        for at, key in enumerate(run.cells.keys())
        if key not in have and without_record(key) not in loose
    ]
    cells = Cells()
    for name in cells.__slots__:
        column = getattr(run.cells, name)
        setattr(cells, name, [column[at] for at in rows])
    return [
        replace(
            run,
            cells=cells,
            identity=known.identity,
            configuration=known.configuration,
        )
    ]


def _note(run: Run, known: Run) -> Note:
    equal = "numbers and start time" if run.started and known.started else "numbers"
    text = f"the same {equal} as {known.source}: one run, counted once"
    return Note(run.source, 1, text)


# Means of hyperfine: beside the runs that they are the means of, they are no runs.


def is_mean(run: Run) -> bool:
    """Whether a run stands for the mean of several.

    Of a file that repeats another form of its run, nothing may be left.
    """
    return run.facts.get(STANDS_FOR) == "mean" and "elapsed" in run.cells.metric


def _without_means(runs: Sequence[Run]) -> tuple[list[Run], list[Note]]:
    """Leave out a mean whose runs are there, and the coarser of two forms of a mean."""
    means = sorted((run for run in runs if is_mean(run)), key=_width)
    if not means:
        return list(runs), []
    kept: list[Run] = []
    near: dict[tuple[str, str], Ranges] = {}
    for run in runs:
        if not is_mean(run):
            _keep(run, kept, near)
    notes: dict[tuple[str, str], Note] = {}
    for mean in means:
        ranges = near.get((mean.tool, mean.command_line), Ranges())
        rows = sorted(ranges.overlapping(*_widened(mean)))
        known = next((kept[at] for at in rows if _is_mean_of(mean, kept[at])), None)
        if known is None:
            _keep(mean, kept, near)
            continue
        note = _note_of_mean(mean, known)
        notes.setdefault((mean.source, f"{known.source} {note.line}"), note)
    order = {id(run): at for at, run in enumerate(runs)}
    return sorted(kept, key=lambda run: order[id(run)]), list(notes.values())


def _keep(run: Run, kept: list[Run], near: dict[tuple[str, str], Ranges]) -> None:
    stated = _stated(run)
    if stated is not None or is_mean(run):
        times = _elapsed(run) if stated is None else (stated, stated)
        ranges = near.setdefault((run.tool, run.command_line), Ranges())
        ranges.add(len(kept), *times)
    kept.append(run)


def _stated(run: Run) -> float | None:
    """Mean [s] of the runs of which this is one."""
    stated = run.facts.get("mean_seconds")
    return float(stated) if isinstance(stated, int | float) else None


def _elapsed(mean: Run) -> tuple[float, float]:
    return range_of(mean.cells, mean.cells.metric.index("elapsed"))


def _widened(mean: Run) -> tuple[float, float]:
    low, high = _elapsed(mean)
    return low * (1 - _CLOSE), high * (1 + _CLOSE)


def _note_of_mean(mean: Run, known: Run) -> Note:
    if mean.source == known.source:
        line = mean.cells.locator[0].removeprefix("line ")
        text = f"the same mean as at {known.cells.locator[0]}: counted once"
        return Note(mean.source, line, text)
    what = "runs" if not is_mean(known) else "mean"
    text = f"the mean of {what} that {known.source} has: counted once"
    return Note(mean.source, 1, text)


def _width(mean: Run) -> float:
    low, high = _elapsed(mean)
    return high - low


def _is_mean_of(mean: Run, run: Run) -> bool:
    if (mean.tool, mean.command_line) != (run.tool, run.command_line):
        return False
    if mean.source == run.source and "stddev" not in mean.facts:
        return False
    stated = _stated(run)
    if stated is not None:
        low, high = _widened(mean)
        return low <= stated <= high
    if not is_mean(run) or not _spreads_agree(mean, run):
        return False
    (low, high), (least, most) = _elapsed(mean), _elapsed(run)
    return low <= most and least <= high


def _spreads_agree(a: Run, b: Run) -> bool:
    """Whether the standard deviations of two means are equal to two digits."""
    one, two = a.facts.get("stddev"), b.facts.get("stddev")
    if not isinstance(one, int | float) or not isinstance(two, int | float):
        return True
    return math.isclose(one, two, rel_tol=0.05, abs_tol=1e-3)
