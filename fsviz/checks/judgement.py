"""What may be said of each row of a comparison: verdict, scope, caveats.

Three questions, never mixed: whether there is a difference (statistics alone, as
`fsviz.analysis.verdicts` answers it); what the difference is about (the scope); and
whether it may be said at all (disqualified).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fsviz.analysis.arranged import arranged_of
from fsviz.analysis.buckets import EDGES, By, group_cells
from fsviz.analysis.cells import METRIC
from fsviz.analysis.regimes import REGIMES
from fsviz.analysis.verdicts import DISQUALIFIED
from fsviz.checks.findings import Examination, disqualified
from fsviz.checks.marks import PLACE, TYPES, marked_rows, number_cells
from fsviz.model.table import SIZES

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign, Data

_COSTLY = ("throughput", "elapsed", "cpu")
"""What the cost of a byte is made of."""

MOST = 0.5
"""Share of a row's cells above what the link or memory can carry from which on the row
is about a cache."""

_ROW = ["tool", "operation", "metric", "bucket", "threads", "candidate"]
_TYPES = TYPES | {"candidate": "string", "bucket": "string"}
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
    """Say of each row what it is about, and whether it may be said at all.

    Parameters
    ----------
    comparison : DataFrame
        As `fsviz.analysis.comparison.compare` returns it, with or without ``cells``.
    data : Campaign or DataFrame
        What was compared.
    examination : Examination
        Of the campaign, with the comparison's baseline.
    by : {'bucket', 'operation', 'tool', 'file_size', 'record_size'}
        As given to `compare`.
    edges : mapping of str to float
        As given to `compare`: largest file size [B] of each bucket.
    known : Known or None
        What `known_of` says of the same systems, if it has been asked.

    Returns
    -------
    DataFrame
        The comparison, with four columns that hold lists: ``scope``, such as ``cache``
        or ``sync against async``; ``caveats``, rules that warn about matched cells;
        ``disqualified_by``, rules because of which ``verdict`` has become
        ``disqualified``; ``advice``, what would settle each of these. Ratios and
        intervals stay as they are.
    """
    known = known or known_of(comparison, data, examination)
    keys = [*PLACE, "candidate"]
    groups = None
    if "bucket" in comparison:
        keys, groups = _ROW, _grouped(known.cells, by, edges)
    rows = comparison[keys].astype({name: _TYPES[name] for name in keys})
    hits = _in_rows(known.hits, rows, groups)
    regimes = _in_rows(known.regimes, rows, groups)
    told = {
        "scope": _scopes(hits, regimes, comparison),
        "caveats": _collected(hits.loc[_is_caveat(hits)], "rule", len(rows)),
        "disqualified_by": _collected(
            hits.loc[hits["disqualifies"]], "rule", len(rows)
        ),
    }
    advice = _advice(examination)
    told["advice"] = [[advice[r] for r in rules] for rules in told["disqualified_by"]]
    standing = [not rules for rules in told["disqualified_by"]]
    verdict = comparison["verdict"].where(standing, DISQUALIFIED)
    return comparison.assign(verdict=verdict, **told)


@dataclass(frozen=True)
class Known:
    """What is known of the cells that systems share, whatever a row speaks for.

    Parameters
    ----------
    cells : DataFrame
        Every cell of every system.
    hits, regimes : DataFrame
        By candidate: the matched cells about which something was found, and their
        regimes.
    """

    cells: pd.DataFrame
    hits: pd.DataFrame
    regimes: pd.DataFrame


def known_of(comparison: pd.DataFrame, data: Data, examination: Examination) -> Known:
    """List what an examination says of the cells of a comparison.

    Parameters
    ----------
    comparison : DataFrame
        Of these systems, whatever its rows speak for.
    data : Campaign or DataFrame
        What was compared.
    examination : Examination
        Of the campaign, with the comparison's baseline.

    Returns
    -------
    Known
    """
    cells = _cells(arranged_of(data, examination.arranged).table)
    hits = _hits(comparison, cells, examination.marks)
    return Known(cells, hits, _regimes(comparison, cells, examination))


def _cells(table: pd.DataFrame) -> pd.DataFrame:
    """Every cell of every system, and which ``cell`` of the comparison it is."""
    _, cells = number_cells(table, ["system", *PLACE])
    number, _ = number_cells(cells, PLACE)
    return cells.assign(cell=number)


def _hits(
    comparison: pd.DataFrame, cells: pd.DataFrame, marks: pd.DataFrame
) -> pd.DataFrame:
    """List the matched cells of each candidate about which something was found."""
    said = marks["severity"].isin(["error", "warning"])
    found = marked_rows(cells, _widened(marks.loc[said])).join(cells, on="row")
    both = _of_pairs(comparison, cells, found)
    alone = both["against"].isin(["", str(comparison["baseline"].iloc[0])])
    both = both.loc[alone | (both["against"] == both["candidate"])]
    hits = both[[*PLACE, "cell", *_SAID, "candidate"]].drop_duplicates()
    return hits.sort_values("finding", kind="stable")


_SAID = ["finding", "rule", "disqualifies", "scope"]


def _regimes(
    comparison: pd.DataFrame, cells: pd.DataFrame, examination: Examination
) -> pd.DataFrame:
    """List the regime of each matched cell of each candidate and of the baseline."""
    import pandas as pd

    names = ["system", *PLACE]
    known = examination.regimes
    if known is None:
        known = cells.head(0)[names].assign(regime="")
    costs = known.loc[known["metric"].isin(_COSTLY)].assign(metric=METRIC)
    known = pd.concat([known, costs], ignore_index=True).drop_duplicates()
    found = cells.merge(known.astype({name: TYPES[name] for name in names}), on=names)
    both = _of_pairs(comparison, cells, found)
    return both[[*PLACE, "cell", "regime", "candidate"]].drop_duplicates()


def _of_pairs(
    comparison: pd.DataFrame, cells: pd.DataFrame, found: pd.DataFrame
) -> pd.DataFrame:
    """Keep what was found in cells that a candidate shares with the baseline.

    It may be of either of the two, and is there once for each ``candidate``.
    """
    first = str(comparison["baseline"].iloc[0])
    names = comparison["candidate"].astype("string").unique()
    shared = cells.loc[cells["cell"].isin(cells.loc[cells["system"] == first, "cell"])]
    shared = shared.loc[shared["system"].isin(names), ["cell", "system"]]
    both = found.merge(shared.rename(columns={"system": "candidate"}), on="cell")
    ours = (both["system"] == first) | (both["system"] == both["candidate"])
    return both.loc[ours]


def _widened(marks: pd.DataFrame) -> pd.DataFrame:
    """Add the cells that marks are about without naming them.

    What is wrong with throughput, time or CPU is wrong with what they make up; and what
    is wrong with a pair is so in every cell of an operation, also where only a bound is
    known, which no mark names.
    """
    import pandas as pd

    costs = marks.loc[marks["metric"].isin(_COSTLY)].assign(metric=METRIC)
    pairs = marks.loc[marks["against"] != ""]
    sizes = {name: pd.array([pd.NA] * len(pairs), dtype="Int64") for name in SIZES}
    anywhere = pairs.assign(metric=pd.NA, **sizes).drop_duplicates()
    return pd.concat([marks, costs, anywhere], ignore_index=True)


def _grouped(cells: pd.DataFrame, by: By, edges: Mapping[str, float]) -> pd.DataFrame:
    """Say in which rows of a comparison each cell counts."""
    import pandas as pd

    parts = []
    for tool, own in cells.drop_duplicates("cell").groupby("tool", sort=False):
        groups, member = group_cells(own.reset_index(drop=True), by, edges)
        cell, group = member.tocoo().coords
        rows = groups.drop(columns="rank").iloc[group]
        parts.append(rows.assign(cell=own["cell"].to_numpy()[cell], tool=tool))
    return pd.concat(parts, ignore_index=True)


def _in_rows(
    found: pd.DataFrame, rows: pd.DataFrame, groups: pd.DataFrame | None
) -> pd.DataFrame:
    """Put what was found about cells into the rows ``at`` which they count."""
    if groups is not None:
        found = found.drop(columns=PLACE).merge(groups, on="cell")
    found = found.astype({name: _TYPES[name] for name in rows})
    return found.merge(rows.assign(at=range(len(rows))), on=list(rows))


def _is_caveat(hits: pd.DataFrame) -> pd.Series:
    """Say which findings are footnotes: not disqualifying, and no scope of a pair."""
    return ~hits["disqualifies"] & hits["scope"].isin(["", _CACHE])


_CACHE = REGIMES[0]


def _collected(found: pd.DataFrame, column: str, number: int) -> list[list[Any]]:
    """List the distinct words of a column that belong to each of some rows."""
    lists: list[list[Any]] = [[] for _ in range(number)]
    some = found[["at", column]].drop_duplicates()
    for at, word in zip(some["at"].tolist(), some[column].tolist(), strict=True):
        lists[at].append(word)
    return lists


def _scopes(
    hits: pd.DataFrame, regimes: pd.DataFrame, comparison: pd.DataFrame
) -> list[list[str]]:
    """Say what each row is about: regimes by size, then what else differs.

    Numbers above what the link or memory can carry make a row one about a cache where
    they are most of its cells.
    """
    number = len(comparison)
    sizes = _collected(regimes, "regime", number)
    others = hits.loc[~hits["scope"].isin(["", _CACHE])]
    beyond = hits.loc[hits["scope"] == _CACHE]
    counts = [len(cells) for cells in _collected(beyond, "cell", number)]
    whole = comparison["cells"] if "cells" in comparison else [1] * number
    scopes = []
    for known, pairs, count, cells in zip(
        sizes, _collected(others, "scope", number), counts, whole, strict=True
    ):
        cached = [_CACHE] if count and count >= MOST * cells else []
        words = [word for word in REGIMES if word in (*known, *cached)]
        scopes.append([*words, *pairs])
    return scopes


def _advice(examination: Examination) -> dict[str, str]:
    """What would settle each rule: the advice of its gravest finding."""
    findings = examination.findings
    if findings.empty:
        return defaultdict(str)
    first = findings.drop_duplicates("rule").set_index("rule")["advice"]
    return defaultdict(str, first.to_dict())


def describe_disqualified(campaign: Campaign, examination: Examination) -> list[str]:
    """Say how many cells no verdict may rest on.

    Parameters
    ----------
    campaign : Campaign
        As `fsviz.load` returns it.
    examination : Examination
        Of this campaign.

    Returns
    -------
    list of str
        One line, or none if there is no such cell.
    """
    marks = disqualified(examination)
    _, cells = number_cells(campaign.measurements, ["system", *PLACE])
    found = marked_rows(cells, marks)
    if found.empty:
        return []
    rules = ", ".join(found["rule"].unique())
    line = (
        f"{found['row'].nunique():,} of {len(cells):,} cells are disqualified by "
        f"fsviz check ({rules}), and counted here all the same"
    )
    return [line]
