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

from fsviz.model.runs import STANDS_FOR, Cells, Key, Note, Run
from fsviz.model.table import METRICS

ENOUGH = 20.0
"""Equal digits from which two runs are one; repeats of a steady disk share fewer."""
ENOUGH_AT_ONE_TIME = 8.0
"""The same for runs that state the same start time."""
_MOST = 9.0
_SMALL = 100
_CLOSE = 1e-6


def join_copies(runs: Sequence[Run]) -> tuple[list[Run], list[Note]]:
    """Bring runs of different files together that are one and the same measurement.

    Parameters
    ----------
    runs : sequence of Run
        Of one system; parts of one run share its identity.

    Returns
    -------
    runs : list of Run
        A copy keeps only the numbers that the first lacks, under its identity.
    notes : list of Note
        Which file is a copy of which.
    """
    kept: list[Run] = []
    notes: dict[tuple[str, str], Note] = {}
    for of_file in _by_source(runs):
        means = [run for run in of_file if is_mean(run)]
        others, own = _without_repeated(run for run in of_file if not is_mean(run))
        notes.update(own)
        for run, known in _matched(others, kept):
            kept += [run] if known is None else _rest(run, known)
            if known is not None:
                notes.setdefault((run.source, known.source), _note(run, known))
        kept += means
    kept, said = _without_means(kept)
    return kept, [*notes.values(), *said]


def _without_repeated(
    of_file: Iterable[Run],
) -> tuple[list[Run], dict[tuple[str, str], Note]]:
    """Leave out a run that stands twice in one file, such as a row that was pasted."""
    kept: list[Run] = []
    notes: dict[tuple[str, str], Note] = {}
    for run in of_file:
        known = _partner(run, kept)
        copied = known is not None and run.identity != known[0].identity
        if known is None or not copied:
            kept.append(run)
            continue
        enough = _is_enough(run, known)
        kept += [] if enough else [run]
        line = run.cells.locator[0].removeprefix("line ")
        counted = "counted once" if enough else "so few that they count as two runs"
        text = f"the same numbers as at {known[0].cells.locator[0]}: {counted}"
        notes[run.source, str(line)] = Note(run.source, line, text)
    return kept, notes


def same_measurement(run: Run, others: Sequence[Run]) -> Run | None:
    """Find a run that is the same measurement as this one, if there is any."""
    (found,) = _matched([run], others)
    return found[1]


def largest(run: Run) -> float:
    """Largest number of a run: two copies have the same; NaN if it has none."""
    values = run.cells.value
    if math.isfinite(sum(values)):  # none is NaN, which max would trip over
        return max(values, default=math.nan)
    return max((v for v in values if v == v), default=math.nan)


def _by_source(runs: Sequence[Run]) -> Iterator[list[Run]]:
    sources: dict[str, list[Run]] = {}
    for run in runs:
        sources.setdefault(run.source, []).append(run)
    yield from sources.values()


def _matched(
    of_file: Sequence[Run], kept: Sequence[Run]
) -> Iterator[tuple[Run, Run | None]]:
    """Pair each run of a file with the run kept that it repeats, if there is one.

    Few digits are enough where a whole file repeats another, run by run.
    """
    pairs = [(run, _partner(run, kept)) for run in of_file]
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


def _partner(run: Run, kept: Sequence[Run]) -> tuple[Run, float] | None:
    best: tuple[Run, float] | None = None
    own = _once(run)
    # both take longer than most comparisons, which end at the first number
    places: dict[Key, int] = {}
    most: float | None = None
    for other in kept:
        if other.tool != run.tool or other is run or not other.cells:
            continue
        if any(a and b and a != b for a, b in zip(own, _once(other), strict=True)):
            continue
        small = max(len(run.cells), len(other.cells)) <= _SMALL
        if not small:
            most = largest(run) if most is None else most
            if largest(other) != most:
                continue
        places = places or {key: at for at, key in enumerate(run.cells.keys())}
        evidence = _equal_digits(run.cells, places, other.cells)
        if evidence is not None and (best is None or evidence > best[1]):
            best = (other, evidence)
    return best


def _once(run: Run) -> tuple[object, ...]:
    """List what an invocation states once: its start, and bonnie++'s random seed."""
    return run.started, run.facts.get("seed")


def _equal_digits(a: Cells, places: Mapping[Key, int], b: Cells) -> float | None:
    """Digits that two runs share; None if they share no number or differ in one.

    ``places`` says where each key is in ``a``.
    """
    shared = False
    total = 0.0
    for j, key in enumerate(b.keys()):
        i = places.get(key)
        if i is None:
            i = places.get((key[0], key[1], None, *key[3:]))
        if i is None:
            continue
        if not _agree(a, i, b, j):
            return None
        shared = True
        if METRICS[key[-1]].better and key[-1] != "cpu":
            total += min(_digits(a, i), _digits(b, j))
    return total if shared else None


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
    loose = {(k[0], k[1], *k[3:]) for k in have}
    rows = [
        at
        for at, key in enumerate(run.cells.keys())
        if key not in have and (key[0], key[1], *key[3:]) not in loose
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
    """Whether a run stands for the mean of several."""
    return run.facts.get(STANDS_FOR) == "mean"


def _without_means(runs: Sequence[Run]) -> tuple[list[Run], list[Note]]:
    """Leave out a mean whose runs are there, and the coarser of two forms of a mean."""
    kept = [run for run in runs if not is_mean(run)]
    notes: dict[tuple[str, str], Note] = {}
    for mean in sorted((run for run in runs if is_mean(run)), key=_width):
        known = next((run for run in kept if _is_mean_of(mean, run)), None)
        if known is None:
            kept.append(mean)
            continue
        note = _note_of_mean(mean, known)
        notes.setdefault((mean.source, f"{known.source} {note.line}"), note)
    order = {id(run): at for at, run in enumerate(runs)}
    return sorted(kept, key=lambda run: order[id(run)]), list(notes.values())


def _note_of_mean(mean: Run, known: Run) -> Note:
    if mean.source == known.source:
        line = mean.cells.locator[0].removeprefix("line ")
        text = f"the same mean as at {known.cells.locator[0]}: counted once"
        return Note(mean.source, line, text)
    what = "runs" if not is_mean(known) else "mean"
    text = f"the mean of {what} that {known.source} has: counted once"
    return Note(mean.source, 1, text)


def _width(run: Run) -> float:
    at = run.cells.metric.index("elapsed")
    return run.cells.high[at] - run.cells.low[at]


def _is_mean_of(mean: Run, run: Run) -> bool:
    if (mean.tool, mean.command_line) != (run.tool, run.command_line):
        return False
    if mean.source == run.source and "stddev" not in mean.facts:
        return False
    at = mean.cells.metric.index("elapsed")
    low, high = mean.cells.low[at], mean.cells.high[at]
    stated = run.facts.get("mean_seconds")
    if isinstance(stated, int | float):
        return low * (1 - _CLOSE) <= stated <= high * (1 + _CLOSE)
    if not is_mean(run) or not _spreads_agree(mean, run):
        return False
    other = run.cells.metric.index("elapsed")
    return low <= run.cells.high[other] and run.cells.low[other] <= high


def _spreads_agree(a: Run, b: Run) -> bool:
    """Whether the standard deviations of two means are equal to two digits."""
    one, two = a.facts.get("stddev"), b.facts.get("stddev")
    if not isinstance(one, int | float) or not isinstance(two, int | float):
        return True
    return math.isclose(one, two, rel_tol=0.05, abs_tol=1e-3)
