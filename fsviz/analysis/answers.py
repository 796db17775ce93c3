"""The answer of a test: one of nine words, from its pooled row and its decided parts.

A test is a tool's operation under one setting and number of threads. Its parts are its
rows by file size and, where a file size has several record sizes, its single cells.
What is said first may be false in at most 5 % of campaigns, whatever their shape. Two
families share that error, each corrected over the whole campaign (Benjamini & Hochberg
1995): the pooled rows at `ALPHA`, the parts that may contradict or qualify them at
`PART_ALPHA` (`benchmarks/headlines.py` counts false first words).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from fsviz.analysis.buckets import ALL
from fsviz.analysis.comparison import PLACE, compare_cells, compare_rows
from fsviz.analysis.drift import with_drift
from fsviz.analysis.tests import FEWEST, control
from fsviz.model.libraries import np, pd
from fsviz.model.table import METRICS, plain_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from fsviz.analysis.arrangement import Arranged

ALPHA = 0.05
"""Share of false discoveries among the pooled rows of a campaign."""

PART_ALPHA = 0.01
"""The same among the parts."""

BAND = (1 / 1.05, 1.05)
"""Ratios that are equal in practice; symmetric, so that swapping two systems swaps the
answer and nothing else."""

DIFFERENT = ("faster", "slower")
"""Answers that say who wins; each has one ``in part``."""
IN_PART = {word: f"{word}_in_part" for word in DIFFERENT}
MIXED, SAME, UNDECIDED, UNTESTED = "mixed", "same", "inconclusive", "untested"
NOT_COMPARABLE = "not_comparable"
ANSWERS = (
    *DIFFERENT,
    MIXED,
    *IN_PART.values(),
    *(SAME, UNDECIDED, UNTESTED, NOT_COMPARABLE),
)
DECIDED = ANSWERS[:5]
"""Answers of which some row or part is decided."""

DRIFT = "drift"
"""Scope of what drift may explain, so that it is inconclusive."""


class Part(NamedTuple):
    """A decided part of a test: its sizes [B], its word and its ratio.

    ``record_size`` is missing for all records of a file size; a limit stands for a
    ratio that is only bounded.
    """

    file_size: int | None
    record_size: int | None
    answer: str
    ratio: float


class Sizes(NamedTuple):
    """The parts of a test by size: how many there are, and what is not tested.

    ``apart`` are the answers of sizes that are tested, but not in the pooled row, and
    ``one_sided`` counts the cells that only one side has.
    """

    sizes: int = 0
    cells: int = 0
    untested: int = 0
    untested_low: float = math.nan
    untested_high: float = math.nan
    decided_ways: frozenset[str] = frozenset()
    one_sided: int = 0


class Tests(NamedTuple):
    """Frames of one comparison, each with ``answer`` and ``q_value``."""

    rows: pd.DataFrame
    sizes: pd.DataFrame
    cells: pd.DataFrame


def answer_tests(arranged: Arranged, baseline: str, strict: float) -> Tests:
    """Answer every test of every system against the baseline.

    ``rows`` has a row a test, with ``range_low`` and ``range_high``, the least and most
    of the ratios that its answer states, ``parts`` (tuples of `Part`) and ``by_size``
    (`Sizes`). ``sizes`` and ``cells`` have a row a file size and a cell.
    """
    rows = compare_rows(arranged, baseline, "operation", strict)
    sizes = compare_rows(arranged, baseline, "file_size", strict)
    cells = compare_cells(arranged, baseline, strict)
    sizes, cells = _corrected(sizes, cells)
    rows = rows.assign(answer=answers(rows, ALPHA))
    rows = _with_parts(rows, sizes, cells)
    for frame in (sizes, cells):
        _copy_tests(frame, rows, frame["is_test"])
        frame["range_low"] = frame["range_high"] = decided_ratio(frame)
    return Tests(rows, sizes, cells)


def answer_rows(rows: pd.DataFrame, tests: pd.DataFrame) -> pd.DataFrame:
    """Answer rows of another kind; one that is a whole test has the answer of it."""
    is_test = (rows["bucket"] == ALL) | _is_alone(rows)
    if (rows["operation"] == ALL).all():
        is_test = is_test & False  # the mean of a tool is no test
    q = control(np.where(is_test, np.nan, with_drift(rows)))
    rows = rows.assign(q_value=q)
    rows["answer"] = answers(rows, ALPHA)
    _copy_tests(rows, tests, is_test)
    rows["range_low"] = rows["range_high"] = decided_ratio(rows)
    return rows


def _copy_tests(rows: pd.DataFrame, tests: pd.DataFrame, chosen: pd.Series) -> None:
    """Give the chosen rows q and answer of the tests that they are."""
    columns = ["q_value", "answer"]
    of_test = dict(zip(_keys(tests), plain_rows(tests, columns), strict=True))
    part = rows.loc[chosen]
    values = [of_test.get(key, (math.nan, UNTESTED)) for key in _keys(part)]
    for n, name in enumerate(columns):
        rows.loc[chosen, name] = [value[n] for value in values]


def decided_ratio(frame: pd.DataFrame) -> NDArray[np.float64]:
    """Return the ratio of rows that are decided; else missing."""
    decided = frame["answer"].isin(DECIDED)
    return np.where(decided, ratio_or_bound(frame), np.nan)


def _corrected(
    sizes: pd.DataFrame, cells: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Answer sizes and cells; what is the whole test has the answer of its test."""
    is_test, is_lone = _is_alone(sizes), _is_alone(cells)
    q = control(np.where(is_test, np.nan, with_drift(sizes)))
    sizes = sizes.assign(q_value=q, is_part=~is_test, is_test=is_test)
    sizes["answer"] = answers(sizes, PART_ALPHA)
    cells["answer"] = answers(cells, ALPHA)
    # of hundreds of cells a share may be false; here not one may (Bonferroni)
    single = _is_alone(cells, "file_size_bytes")
    number = max(int((cells["p_value"].notna() & ~single).sum()), 1)
    sure = with_drift(cells) * number < PART_ALPHA
    return sizes, cells.assign(is_part=~single & sure, is_test=is_lone)


def _keys(frame: pd.DataFrame) -> list[tuple[str, ...]]:
    """Return what each row shares with its test."""
    return [tuple(map(str, key)) for key in plain_rows(frame, list(PLACE))]


def _is_alone(frame: pd.DataFrame, *names: str) -> NDArray[np.bool_]:
    """Return a mask of rows that are the only one of their test, or of its size."""
    keys = frame[[*PLACE, *names]].astype(str)
    return ~keys.duplicated(keep=False).to_numpy()


def answers(
    frame: pd.DataFrame, alpha: float | NDArray[np.float64]
) -> NDArray[np.str_]:
    """Answer rows one by one: faster, slower, same, inconclusive or untested.

    >>> import pandas as pd
    >>> numbers = dict(metric="latency", ratio=0.5, ci_low=0.4, ci_high=0.6, drift=0)
    >>> runs = dict(q_value=0.01, n_baseline=3, n_candidate=3)
    >>> answers(pd.DataFrame([numbers | runs | dict(bound_low=0.49, bound_high=0.51)]),
    ...     0.05)
    array(['faster'], dtype='<U12')
    """
    names = ("ratio", "ci_low", "ci_high", "bound_low", "bound_high", "q_value")
    ratio, low, high, least, most, q = (frame[n].to_numpy(float) for n in names)
    runs = frame[["n_baseline", "n_candidate"]].min(axis=1).to_numpy()
    tested = np.isfinite(q) & (runs >= FEWEST)
    hidden = drifted(frame) & (frame["drift"] < ALPHA).to_numpy()
    same = (low >= BAND[0]) & (high <= BAND[1]) & ~hidden
    limited = np.isnan(ratio)
    up = np.where(limited, least >= BAND[1], (ratio > 1) & ~(least <= 1))
    down = np.where(limited, most <= BAND[0], (ratio < 1) & ~(most >= 1))
    words = np.where(up == (directions(frame) > 0), *DIFFERENT)
    decided = (q < alpha) & (up | down)
    words = np.where(decided, words, UNDECIDED)
    return np.where(tested, np.where(same, SAME, words), UNTESTED)


def drifted(frame: pd.DataFrame) -> NDArray[np.bool_]:
    """Return a mask of rows that differ with drift or without it, but not both."""
    low, high, p = (
        frame[name].to_numpy(float) for name in ("ci_low", "ci_high", "drift")
    )
    return np.isfinite(p) & (((low > 1) | (high < 1)) != (p < ALPHA))


def _with_parts(
    rows: pd.DataFrame, sizes: pd.DataFrame, cells: pd.DataFrame
) -> pd.DataFrame:
    """Let the decided parts of each test qualify or contradict its pooled row."""
    parts = defaultdict[tuple[str, ...], list[Part]](list)
    for frame, names in (
        (sizes, ("largest_bytes", None)),
        (cells, ("file_size_bytes", "record_size_bytes")),
    ):
        for key, part in _decided(frame, *names):
            parts[key].append(part)
    by_size = _by_size(rows, sizes, cells)
    keys = _keys(rows)
    rows = rows.assign(
        parts=[tuple(parts.get(key, ())) for key in keys],
        by_size=[by_size.get(key, Sizes()) for key in keys],
        total_answer=_total_answers(rows),
        pooled=rows["answer"],
    )
    columns = ["pooled", "total_answer", "parts", "by_size"]
    rows["answer"] = [_combined(*row) for row in plain_rows(rows, columns)]
    total = np.sqrt(rows["total_low"] * rows["total_high"]) ** -directions(rows)
    rows = rows.assign(nearest=ratio_or_bound(rows), total=total)
    ends = [_ends(*row) for row in plain_rows(rows, _ENDS)]
    rows["range_low"], rows["range_high"] = np.array(ends, float).reshape(-1, 2).T
    return rows


def _decided(
    frame: pd.DataFrame, file_size: str, record_size: str | None
) -> list[tuple[tuple[str, ...], Part]]:
    """List the parts that are decided beyond the band, with what they are part of."""
    chosen = frame.loc[
        frame["is_part"] & frame["answer"].isin(DIFFERENT) & beyond_band(frame)
    ]
    ratio = ratio_or_bound(chosen)
    records = [None] * len(chosen) if record_size is None else chosen[record_size]
    listed = zip(
        _keys(chosen),
        chosen[file_size],
        records,
        chosen["answer"],
        ratio,
        strict=True,
    )
    return [
        (key, Part(_bytes(file), _bytes(record), str(word), float(value)))
        for key, file, record, word, value in listed
    ]


def _bytes(size: Any) -> int | None:
    return None if size is None or pd.isna(size) else int(size)


def _by_size(
    rows: pd.DataFrame, sizes: pd.DataFrame, cells: pd.DataFrame
) -> dict[tuple[str, ...], Sizes]:
    """Count the parts of each test, and those that are untested or of one side."""
    runs = cells[["n_baseline", "n_candidate"]]
    one_sided = cells.loc[(runs.min(axis=1) == 0) & (runs.max(axis=1) > 0)]
    number, alone = (Counter(_keys(frame)) for frame in (cells, one_sided))
    pooled = dict(
        zip(_keys(rows), plain_rows(rows, ["answer", "incomplete"]), strict=True)
    )
    by_key = {key: Sizes(0, n, one_sided=alone[key]) for key, n in number.items()}
    size_parts = sizes.loc[sizes["is_part"]]
    columns = ["answer", "ratio", "cells", "largest_bytes"]
    for key, (word, ratio, matched, size) in zip(
        _keys(size_parts), plain_rows(size_parts, columns), strict=True
    ):
        counts = by_key[key]._replace(sizes=by_key[key].sizes + 1)
        answer, incomplete = pooled[key]
        if matched and word == UNTESTED and ratio > 0:
            counts = counts._replace(
                untested=counts.untested + 1,
                untested_low=min(ratio, np.nan_to_num(counts.untested_low, nan=ratio)),
                untested_high=max(
                    ratio, np.nan_to_num(counts.untested_high, nan=ratio)
                ),
            )
        elif matched and (answer == UNTESTED or size in incomplete):
            counts = counts._replace(decided_ways=counts.decided_ways | {word})
        by_key[key] = counts
    return {
        key: counts._replace(sizes=max(counts.sizes, 1))
        for key, counts in by_key.items()
    }


def _total_answers(rows: pd.DataFrame) -> NDArray[np.str_]:
    """Say who is faster by the total time, beyond the band by its own interval."""
    low, high = (rows[name].to_numpy(float) for name in ("total_low", "total_high"))
    slower = np.where(low > BAND[1], "slower", "")
    return np.where(high < BAND[0], "faster", slower)


def _combined(pooled: str, total: str, parts: Sequence[Part], by_size: Sizes) -> str:
    """Answer a test from its pooled row, its total time and its decided parts."""
    ways = {part.answer for part in parts} | ({pooled} & {*DIFFERENT})
    if len(ways) > 1 or (pooled in DIFFERENT and total not in ("", pooled)):
        return MIXED
    if not ways:
        # a test of which some sizes are tested is, if not over all of them at once
        return UNDECIDED if by_size.decided_ways - {pooled} else pooled
    (way,) = ways
    all_sizes = pooled == way and not by_size.untested and by_size.decided_ways <= {way}
    return way if all_sizes else IN_PART[way]


_ENDS = ["answer", "pooled", "nearest", "total", "parts"]


def _ends(
    answer: str, pooled: str, ratio: float, total: float, parts: Sequence[Part]
) -> tuple[float, float]:
    """Return the least and most of the ratios that an answer states; else missing."""
    ratios = [part.ratio for part in parts] if answer != pooled else []
    if pooled in DIFFERENT:
        ratios.append(ratio)
        if answer == MIXED and not parts:
            ratios.append(total)
    return (min(ratios), max(ratios)) if ratios else (math.nan, math.nan)


def ratio_or_bound(frame: pd.DataFrame) -> NDArray[np.float64]:
    """Return ratios, or of those that are only bounded the bound nearest to 1."""
    ratio, least, most = (
        frame[name].to_numpy(float) for name in ("ratio", "bound_low", "bound_high")
    )
    return np.where(np.isnan(ratio), np.where(least > 1, least, most), ratio)


def beyond_band(frame: pd.DataFrame) -> NDArray[np.bool_]:
    """Return a mask of rows whose ratio, or limit of one, lies beyond the band."""
    ratio = ratio_or_bound(frame)
    return (ratio >= BAND[1]) | (ratio <= BAND[0])


def directions(frame: pd.DataFrame) -> NDArray[np.int64]:
    """Say for each row which way is better: +1 more, −1 less."""
    return np.array([METRICS[str(name)].better for name in frame["metric"]])
