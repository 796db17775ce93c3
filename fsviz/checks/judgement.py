"""What may be said of each row of a comparison: scope, caveats, what rules it out.

Three questions, never mixed: whether there is a difference (statistics alone, as
`fsviz.analysis.answers` has it); what the difference is about (the scope); and whether
the two sides can be compared at all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fsviz.analysis.aggregate import number_rows
from fsviz.analysis.answers import DRIFT, NOT_COMPARABLE, UNTESTED, drifted
from fsviz.analysis.arrangement import (
    PLACE,
    Arranged,
    Groups,
    equal_rows,
)
from fsviz.analysis.buckets import EDGES, By
from fsviz.analysis.cells import METRIC
from fsviz.analysis.regimes import REGIMES
from fsviz.checks.findings import Examination
from fsviz.model.libraries import np, pd
from fsviz.model.table import SIZES

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_COSTLY = ("throughput", "elapsed", "cpu")
"""What the cost of a byte is made of."""

MOST = 0.5
"""Share of a row's cells above what the link or memory can carry from which on the row
is about a cache."""

NOTHING_SHARED = "unmatched-cells"
"""The rule where no size, setting or number of threads is shared."""


def apply_findings(
    comparison: pd.DataFrame,
    arranged: Arranged,
    examination: Examination,
    *,
    by: By = "bucket",
    edges: Mapping[str, float] = EDGES,
) -> pd.DataFrame:
    """Add scope and caveats to each row, and say which rows cannot be compared.

    Parameters
    ----------
    comparison : DataFrame
        Rows of `fsviz.analysis.answers.answer_tests` or `compare_rows`, with
        ``answer``.
    arranged : Arranged
        The data that were compared.
    examination : Examination
        Examination of the campaign with the comparison's baseline.
    by : {'bucket', 'operation', 'tool', 'file_size', 'record_size'}
        What one row covers.
    edges : mapping of str to float
        Largest file size [B] of each bucket.

    Returns
    -------
    DataFrame
        The comparison, with ``scope``, such as ``cache`` or ``sync against async``, and
        ``caveats``, the rules that warn about matched cells (lists of words); ``rule``,
        the rules that made ``answer`` ``not_comparable``, and ``advice``, what would
        settle them (text). Ratios and intervals do not change.
    """
    shared = shared_cells(comparison, arranged, examination)
    where = _where(comparison, shared, by, edges)
    on = ["cell", "candidate"]
    hits, regimes = shared.hits.merge(where, on=on), shared.regimes.merge(where, on=on)
    kinds, kind = shared.kinds, hits["kind"]
    named = {"caveats": _is_caveat(kinds), "rules": kinds["disqualifies"]}
    chosen = {name: hits.loc[such.to_numpy()[kind]] for name, such in named.items()}
    lists = {
        name: _collected(part, kinds["rule"], len(comparison))
        for name, part in chosen.items()
    }
    nothing = _shares_nothing(comparison)
    rules = [
        [*listed, *([NOTHING_SHARED] if unshared else ())]
        for listed, unshared in zip(lists["rules"], nothing, strict=True)
    ]
    advice_of = _advice(examination)
    advice = [filter(None, (advice_of[rule] for rule in listed)) for listed in rules]
    return comparison.assign(
        answer=comparison["answer"].mask(list(map(bool, rules)), NOT_COMPARABLE),
        scope=_with_order(_scopes(hits, regimes, kinds, comparison), comparison),
        caveats=lists["caveats"],
        rule=list(map(", ".join, rules)),
        advice=list(map("; ".join, advice)),
    )


def without_findings(comparison: pd.DataFrame) -> pd.DataFrame:
    """Add the columns of `apply_findings` where there are no facts to check."""
    nothing = _shares_nothing(comparison)
    empty: list[list[str]] = [[] for _ in comparison.index]
    return comparison.assign(
        answer=comparison["answer"].mask(nothing, NOT_COMPARABLE),
        scope=_with_order(empty, comparison),
        caveats=empty,
        rule=np.where(nothing, NOTHING_SHARED, ""),
        advice="",
    )


def _shares_nothing(comparison: pd.DataFrame) -> pd.Series:
    """Return a mask of rows that both sides ran, but at no common size."""
    ran = comparison[["n_baseline", "n_candidate"]].min(axis=1) > 0
    bounds = comparison["n_baseline_censored"] + comparison["n_candidate_censored"]
    return ran & (comparison["cells"] == 0) & (bounds == 0)


def _with_order(scopes: list[list[str]], comparison: pd.DataFrame) -> list[list[str]]:
    """Add the order of the runs, and whether drift may explain the difference."""
    drift = drifted(comparison) & (comparison["answer"] != UNTESTED)
    return [
        [*scope, *([order] if order else ()), *([DRIFT] if drifts else ())]
        for scope, order, drifts in zip(scopes, comparison["order"], drift, strict=True)
    ]


@dataclass(frozen=True)
class SharedCells:
    """What is known of the cells that systems share, whatever a row speaks for."""

    arranged: Arranged
    systems: pd.Index
    kinds: pd.DataFrame
    hits: pd.DataFrame
    regimes: pd.DataFrame


def shared_cells(
    comparison: pd.DataFrame, arranged: Arranged, examination: Examination
) -> SharedCells:
    """List what an examination says of the cells of a comparison, once."""
    baseline = str(comparison["baseline"].iloc[0])
    shared: SharedCells | None = examination.shared.get(baseline)
    if shared is None or shared.arranged is not arranged:
        pairs = _Pairs(baseline, arranged.cells)
        kinds, hits = _hits(pairs, arranged.cells, examination.marks)
        regimes = _regimes(pairs, arranged.cells, examination.regimes)
        shared = SharedCells(arranged, pairs.systems, kinds, hits, regimes)
        examination.shared[baseline] = shared
    return shared


class _Pairs:
    """Which cells each other system shares with the baseline."""

    def __init__(self, baseline: str, cells: pd.DataFrame) -> None:
        self.baseline = baseline
        system, self.systems = pd.factorize(cells["system"])
        self._cell = cells["cell"].to_numpy()
        self._system = system
        self._first = system == self.number_of([baseline])[0]
        has = np.zeros(self._cell.max(initial=0) + 1, bool)
        has[self._cell[self._first]] = True
        self._shared = ~self._first & has[self._cell]

    def number_of(self, names: ArrayLike) -> NDArray[np.int64]:
        """Number of each system, -1 where there is none of this name."""
        return self.systems.get_indexer(names)

    def of(self, row: NDArray[np.int64], kind: NDArray[np.int64]) -> pd.DataFrame:
        """Put down what was found in rows of cells for each candidate it concerns.

        What is found in a cell of the baseline concerns each candidate that shares it.
        """

        def at(rows: NDArray[np.int64], **more: NDArray[np.int64]) -> pd.DataFrame:
            return pd.DataFrame({"cell": self._cell[rows], **more})

        its = self._shared[row]
        its_cells = at(row[its], candidate=self._system[row[its]], kind=kind[its])
        ours = self._first[row]
        shared = np.flatnonzero(self._shared)
        both = at(row[ours], kind=kind[ours]).merge(
            at(shared, candidate=self._system[shared]), on="cell"
        )
        return pd.concat([its_cells, both[[*its_cells]]]).drop_duplicates(
            ignore_index=True
        )


def _hits(
    pairs: _Pairs, cells: pd.DataFrame, marks: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """List the kinds of finding, and the matched cells of each candidate with them."""
    wide = _widened(marks.loc[marks["severity"].isin(["error", "warning"])])
    number, kinds = _kinds(wide)
    row, mark = _marked_rows(cells, wide)
    marked = pairs.of(row, number[mark])
    against = kinds["against"]
    of_all = against.isin(["", pairs.baseline]).to_numpy()
    of_one = pairs.number_of(against)
    kind = marked["kind"].to_numpy()
    concerns = of_all[kind] | (of_one[kind] == marked["candidate"].to_numpy())
    return kinds, marked.loc[concerns].sort_values("kind", kind="stable")


def _marked_rows(
    cells: pd.DataFrame, marks: pd.DataFrame
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the cells that marks are about."""
    names = ["system", *PLACE]
    given = marks[names].notna()
    pairs = [(np.empty(0, np.int64), np.empty(0, np.int64))]
    for pattern in given.drop_duplicates().itertuples(index=False):
        on = [name for name, is_named in zip(names, pattern, strict=True) if is_named]
        marks_of_pattern = np.flatnonzero((given == list(pattern)).all(axis=1))
        row, mark = equal_rows(cells, marks.iloc[marks_of_pattern], on)
        pairs.append((row, marks_of_pattern[mark]))
    rows, numbers = (np.concatenate(part) for part in zip(*pairs, strict=True))
    return rows, numbers


def _kinds(marks: pd.DataFrame) -> tuple[NDArray[np.int64], pd.DataFrame]:
    """Number what marks say, in the order of the findings."""
    columns = ["finding", "rule", "against", "disqualifies", "scope"]
    code, kinds = number_rows(marks, columns)
    kinds = kinds.sort_values("finding", kind="stable")
    number = np.empty(len(kinds), np.int64)
    number[kinds.index] = np.arange(len(kinds))
    return number[code], kinds.reset_index(drop=True)


def _regimes(
    pairs: _Pairs, cells: pd.DataFrame, labelled: pd.DataFrame | None
) -> pd.DataFrame:
    """List the regime of each matched cell of each candidate and of the baseline."""
    if labelled is None:
        return pairs.of(np.empty(0, np.int64), np.empty(0, np.int64))
    costs = labelled.loc[labelled["metric"].isin(_COSTLY)].assign(metric=METRIC)
    labelled = pd.concat([labelled, costs], ignore_index=True)
    row, place = equal_rows(cells, labelled, ["system", *PLACE])
    return pairs.of(row, pd.Index(REGIMES).get_indexer(labelled["regime"])[place])


def _widened(marks: pd.DataFrame) -> pd.DataFrame:
    """Add the cells that marks are about without naming them.

    What is wrong with throughput, time or CPU is wrong with what they make up; and what
    is wrong with a pair is so in every cell of an operation, also where only a bound is
    known, which no mark names.
    """
    costs = marks.loc[marks["metric"].isin(_COSTLY)].assign(metric=METRIC)
    named = [name for name in marks if name not in ("metric", "setting", *SIZES)]
    pairs = marks.loc[marks["against"] != ""].drop_duplicates(named)
    sizes = {name: pd.array([pd.NA] * len(pairs), dtype="Int64") for name in SIZES}
    anywhere = pairs.assign(metric=pd.NA, setting=pd.NA, **sizes)
    return pd.concat([marks, costs, anywhere], ignore_index=True)


def _where(
    comparison: pd.DataFrame, shared: SharedCells, by: By, edges: Mapping[str, float]
) -> pd.DataFrame:
    """Say in which row ``at`` each ``cell`` of each ``candidate`` counts."""
    if "bucket" in comparison:
        groups = shared.arranged.groups(by, edges)
    else:  # a row speaks for one cell
        cell = np.arange(len(shared.arranged.places))
        groups = Groups(shared.arranged.places, cell, cell)
    names = [name for name in (*PLACE, "bucket") if name in groups.rows]
    at, row = equal_rows(comparison, groups.rows, names)
    candidate = shared.systems.get_indexer(comparison["candidate"])
    rows = pd.DataFrame({"at": at, "candidate": candidate[at], "row": row})
    cells = pd.DataFrame({"cell": groups.cell, "row": groups.row})
    return rows.merge(cells, on="row")[["cell", "candidate", "at"]]


def _is_caveat(kinds: pd.DataFrame) -> pd.Series:
    """Say which findings are footnotes: not disqualifying, and no scope of a pair."""
    return ~kinds["disqualifies"] & kinds["scope"].isin(["", _CACHE])


_CACHE = REGIMES[0]


def _collected(hits: pd.DataFrame, words: Iterable[str], count: int) -> list[list[str]]:
    """List the distinct words of the kinds that were found in each of some rows."""
    named = list(words)
    lists: list[list[str]] = [[] for _ in range(count)]
    kind, kinds = hits["kind"].to_numpy(), max(len(named), 1)
    # in the order of the kinds, which is that of the findings
    for pair in np.unique(hits["at"].to_numpy() * kinds + kind).tolist():
        at, word = lists[pair // kinds], named[pair % kinds]
        if word not in at:
            at.append(word)
    return lists


def _scopes(
    hits: pd.DataFrame,
    regimes: pd.DataFrame,
    kinds: pd.DataFrame,
    comparison: pd.DataFrame,
) -> list[list[str]]:
    """Say what each row is about: regimes by size, then what else differs.

    Numbers above what the link or memory can carry make a row one about a cache where
    they are most of its cells.
    """
    number = len(comparison)
    sizes = _collected(regimes, REGIMES, number)
    other = ~kinds["scope"].isin(["", _CACHE]).to_numpy()[hits["kind"]]
    pairs = _collected(hits.loc[other], kinds["scope"], number)
    beyond = hits.loc[(kinds["scope"] == _CACHE).to_numpy()[hits["kind"]]]
    at = beyond[["at", "cell"]].drop_duplicates()["at"].to_numpy()
    counts = np.bincount(at, minlength=number)
    all_cells = comparison["cells"] if "cells" in comparison else np.ones(number)
    cached = (counts > 0) & (counts >= MOST * np.asarray(all_cells, float))
    scopes = []
    for about_sizes, about_pairs, in_cache in zip(sizes, pairs, cached, strict=True):
        about = (*about_sizes, *([_CACHE] if in_cache else ()))
        scopes.append([*(word for word in REGIMES if word in about), *about_pairs])
    return scopes


def _advice(examination: Examination) -> dict[str, str]:
    """What would settle each rule: the advice of its gravest finding."""
    findings = examination.findings
    if findings.empty:
        return defaultdict(str)
    first = findings.drop_duplicates("rule").set_index("rule")["advice"]
    return defaultdict(str, first.to_dict())
