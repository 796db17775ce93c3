"""What may be said of each row of a comparison: verdict, scope, caveats.

Three questions, never mixed: whether there is a difference (statistics alone, as
`fsviz.analysis.verdicts` answers it); what the difference is about (the scope); and
whether it may be said at all (disqualified).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fsviz.analysis.aggregate import codes_as_they_come
from fsviz.analysis.arrangement import (
    PLACE,
    Arranged,
    Groups,
    arranged_of,
    equal_rows,
    number_cells,
)
from fsviz.analysis.buckets import EDGES, By
from fsviz.analysis.cells import METRIC
from fsviz.analysis.regimes import REGIMES
from fsviz.analysis.verdicts import DISQUALIFIED
from fsviz.checks.findings import Examination, disqualified
from fsviz.checks.marks import marked_rows
from fsviz.model.libraries import np, pd
from fsviz.model.table import SIZES

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from fsviz.model.campaign import Campaign, Data

_COSTLY = ("throughput", "elapsed", "cpu")
"""What the cost of a byte is made of."""

MOST = 0.5
"""Share of a row's cells above what the link or memory can carry from which on the row
is about a cache."""

COLUMNS = ("scope", "caveats", "disqualified_by", "advice")
"""What judging adds, each a list of words."""


def apply_findings(
    comparison: pd.DataFrame,
    data: Data,
    examination: Examination,
    *,
    by: By = "bucket",
    edges: Mapping[str, float] = EDGES,
    known: Known | None = None,
) -> pd.DataFrame:
    """Add scope and caveats to each row, and disqualify rows that must not be used.

    Parameters
    ----------
    comparison : DataFrame
        As `fsviz.analysis.comparison.compare` returns it, with or without ``cells``.
    data : Campaign or DataFrame
        The data that were compared.
    examination : Examination
        Examination of the campaign with the comparison's baseline.
    by : {'bucket', 'operation', 'tool', 'file_size', 'record_size'}
        As given to `compare`.
    edges : mapping of str to float
        As given to `compare`: largest file size [B] of each bucket.
    known : Known or None
        Result of `known_of` for the same systems, if known.

    Returns
    -------
    DataFrame
        The comparison, with four columns of lists: ``scope``, such as ``cache`` or
        ``sync against async``; ``caveats``, the rules that warn about matched cells;
        ``disqualified_by``, the rules that made ``verdict`` ``disqualified``; and
        ``advice``, what would settle each of these. Ratios and intervals do not
        change.
    """
    known = known or known_of(comparison, data, examination)
    where = _where(comparison, known, by, edges)
    on = ["cell", "candidate"]
    hits, regimes = known.hits.merge(where, on=on), known.regimes.merge(where, on=on)
    kinds, kind = known.kinds, hits["kind"]
    told = {"scope": _scopes(hits, regimes, kinds, comparison)}
    named = {"caveats": _is_caveat(kinds), "disqualified_by": kinds["disqualifies"]}
    for name, such in named.items():
        own = hits.loc[such.to_numpy()[kind]]
        told[name] = _collected(own, kinds["rule"], len(comparison))
    advice = _advice(examination)
    told["advice"] = [[advice[r] for r in rules] for rules in told["disqualified_by"]]
    standing = [not rules for rules in told["disqualified_by"]]
    verdict = comparison["verdict"].where(standing, DISQUALIFIED)
    return comparison.assign(verdict=verdict, **told)


@dataclass(frozen=True)
class Known:
    """What is known of the cells that systems share, whatever a row speaks for."""

    arranged: Arranged
    systems: pd.Index
    kinds: pd.DataFrame
    hits: pd.DataFrame
    regimes: pd.DataFrame


def known_of(comparison: pd.DataFrame, data: Data, examination: Examination) -> Known:
    """List what an examination says of the cells of a comparison, once."""
    arranged = arranged_of(data, examination.arranged)
    baseline = str(comparison["baseline"].iloc[0])
    known: Known | None = examination.known.get(baseline)
    if known is None or known.arranged is not arranged:
        pairs = _Pairs(baseline, arranged.cells)
        kinds, hits = _hits(pairs, arranged.cells, examination.marks)
        regimes = _regimes(pairs, arranged.cells, examination.regimes)
        known = Known(arranged, pairs.systems, kinds, hits, regimes)
        examination.known[baseline] = known
    return known


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

        def told(rows: NDArray[np.int64], **more: NDArray[np.int64]) -> pd.DataFrame:
            return pd.DataFrame({"cell": self._cell[rows], **more})

        its = self._shared[row]
        own = told(row[its], candidate=self._system[row[its]], kind=kind[its])
        ours = self._first[row]
        shared = np.flatnonzero(self._shared)
        both = told(row[ours], kind=kind[ours]).merge(
            told(shared, candidate=self._system[shared]), on="cell"
        )
        return pd.concat([own, both[[*own]]]).drop_duplicates(ignore_index=True)


def _hits(
    pairs: _Pairs, cells: pd.DataFrame, marks: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """List the kinds of finding, and the matched cells of each candidate with them."""
    wide = _widened(marks.loc[marks["severity"].isin(["error", "warning"])])
    number, kinds = _kinds(wide)
    row, mark = marked_rows(cells, wide)
    found = pairs.of(row, number[mark])
    against = kinds["against"]
    of_all = against.isin(["", pairs.baseline]).to_numpy()
    of_one = pairs.number_of(against)
    kind = found["kind"].to_numpy()
    told = of_all[kind] | (of_one[kind] == found["candidate"].to_numpy())
    return kinds, found.loc[told].sort_values("kind", kind="stable")


def _kinds(marks: pd.DataFrame) -> tuple[NDArray[np.int64], pd.DataFrame]:
    """Number what marks say, in the order of the findings."""
    columns = ["finding", "rule", "against", "disqualifies", "scope"]
    code = codes_as_they_come([marks[name] for name in columns])
    first = np.unique(code, return_index=True)[1]
    kinds = marks[columns].iloc[first].reset_index(drop=True)
    kinds = kinds.sort_values("finding", kind="stable")
    number = np.empty(len(kinds), np.int64)
    number[kinds.index] = np.arange(len(kinds))
    return number[code], kinds.reset_index(drop=True)


def _regimes(
    pairs: _Pairs, cells: pd.DataFrame, known: pd.DataFrame | None
) -> pd.DataFrame:
    """List the regime of each matched cell of each candidate and of the baseline."""
    if known is None:
        return pairs.of(np.empty(0, np.int64), np.empty(0, np.int64))
    costs = known.loc[known["metric"].isin(_COSTLY)].assign(metric=METRIC)
    known = pd.concat([known, costs], ignore_index=True)
    row, found = equal_rows(cells, known, ["system", *PLACE])
    return pairs.of(row, pd.Index(REGIMES).get_indexer(known["regime"])[found])


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
    comparison: pd.DataFrame, known: Known, by: By, edges: Mapping[str, float]
) -> pd.DataFrame:
    """Say in which row ``at`` each ``cell`` of each ``candidate`` counts."""
    if "bucket" in comparison:
        groups = known.arranged.groups(by, edges)
    else:  # a row speaks for one cell
        cell = np.arange(len(known.arranged.places))
        groups = Groups(known.arranged.places, cell, cell)
    names = [name for name in (*PLACE, "bucket") if name in groups.rows]
    at, row = equal_rows(comparison, groups.rows, names)
    candidate = known.systems.get_indexer(comparison["candidate"])
    rows = pd.DataFrame({"at": at, "candidate": candidate[at], "row": row})
    cells = pd.DataFrame({"cell": groups.cell, "row": groups.row})
    return rows.merge(cells, on="row")[["cell", "candidate", "at"]]


def _is_caveat(kinds: pd.DataFrame) -> pd.Series:
    """Say which findings are footnotes: not disqualifying, and no scope of a pair."""
    return ~kinds["disqualifies"] & kinds["scope"].isin(["", _CACHE])


_CACHE = REGIMES[0]


def _collected(
    found: pd.DataFrame, words: Iterable[str], count: int
) -> list[list[str]]:
    """List the distinct words of the kinds that were found in each of some rows."""
    named = list(words)
    lists: list[list[str]] = [[] for _ in range(count)]
    kind, kinds = found["kind"].to_numpy(), max(len(named), 1)
    # in the order of the kinds, which is that of the findings
    for pair in np.unique(found["at"].to_numpy() * kinds + kind).tolist():
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
    whole = comparison["cells"] if "cells" in comparison else np.ones(number)
    cached = (counts > 0) & (counts >= MOST * np.asarray(whole, float))
    scopes = []
    for known, others, in_cache in zip(sizes, pairs, cached, strict=True):
        about = (*known, *([_CACHE] if in_cache else ()))
        scopes.append([*(word for word in REGIMES if word in about), *others])
    return scopes


def _advice(examination: Examination) -> dict[str, str]:
    """What would settle each rule: the advice of its gravest finding."""
    findings = examination.findings
    if findings.empty:
        return defaultdict(str)
    first = findings.drop_duplicates("rule").set_index("rule")["advice"]
    return defaultdict(str, first.to_dict())


def describe_disqualified(campaign: Campaign, examination: Examination) -> list[str]:
    """Say how many cells no verdict may rest on."""
    marks = disqualified(examination)
    _, cells = number_cells(campaign.measurements, ["system", *PLACE])
    row, mark = marked_rows(cells, marks)
    if not len(row):
        return []
    rules = ", ".join(marks["rule"].iloc[mark].unique())
    line = (
        f"{len(set(row)):,} of {len(cells):,} cells are disqualified by "
        f"fsviz check ({rules}), and counted here all the same"
    )
    return [line]
