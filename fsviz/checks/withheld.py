"""Verdicts that may not stand: what `check` says of the cells that they rest on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fsviz.analysis.buckets import EDGES, By, group_cells
from fsviz.analysis.cells import METRIC, performance, with_cpu_cost
from fsviz.checks.engine import examine
from fsviz.checks.findings import Examination
from fsviz.checks.marks import PLACE, TYPES, marked_rows, number_cells
from fsviz.model.table import measurements_of

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

_COSTLY = ("throughput", "elapsed", "cpu")
"""What the cost of a byte is made of."""

_SIZES = ("file_size_bytes", "record_size_bytes", "threads")
_ROW = ["tool", "operation", "metric", "bucket", "threads", "candidate"]
_TYPES = TYPES | {"candidate": "string", "bucket": "string"}


def withhold(
    comparison: pd.DataFrame,
    data: Campaign | pd.DataFrame,
    *,
    by: By = "bucket",
    edges: Mapping[str, float] = EDGES,
    examination: Examination | None = None,
) -> pd.DataFrame:
    """Take back the verdicts that rest on cells with an error-level finding.

    Parameters
    ----------
    comparison : DataFrame
        As `fsviz.compare` returns it, with or without ``cells``.
    data : Campaign or DataFrame
        What was compared: a campaign or, with an examination, its measurements.
    by : {'bucket', 'operation', 'tool', 'file_size', 'record_size'}
        As given to `fsviz.compare`.
    edges : mapping of str to float
        As given to `fsviz.compare`: largest file size [B] of each bucket.
    examination : Examination or None
        Of this campaign with the comparison's baseline; by default all rules are asked.

    Returns
    -------
    DataFrame
        The comparison, and three columns about the matched cells of each row:
        ``cells_disqualified`` counts those with an error-level finding on either side
        or on the pair, ``withheld_by`` names the rules that found them, ``doubted_by``
        the rules with a warning there (names parted by commas). If any is
        disqualified, ``faster``, ``slower`` and ``same`` have become ``unclear``;
        ratios and intervals stay as they are.

    Raises
    ------
    UsageError
        If there is no examination and the data are no campaign.
    """
    if examination is None:
        first = str(comparison["baseline"].iloc[0])
        examination = examine(data, baseline=first)
    cells = _cells(measurements_of(data))
    hits = _hits(comparison, cells, examination.marks)
    keys = [*PLACE, "candidate"]
    if "bucket" in comparison:
        keys = _ROW
        hits = hits[["cell", "candidate", "rule", "severity"]]
        hits = hits.merge(_grouped(cells, by, edges), on="cell")
    types = {name: _TYPES[name] for name in keys}
    rows = comparison[keys].astype(types)
    found = rows.merge(_summed(hits.astype(types), keys), on=keys, how="left")
    count = found["cells_disqualified"].fillna(0).to_numpy("int64")
    standing = (count == 0) | (comparison["verdict"] == "untested").to_numpy(bool)
    return comparison.assign(
        verdict=comparison["verdict"].where(standing, "unclear"),
        cells_disqualified=count,
        withheld_by=found["withheld_by"].fillna("").to_numpy(),
        doubted_by=found["doubted_by"].fillna("").to_numpy(),
    )


def _cells(whole: pd.DataFrame) -> pd.DataFrame:
    """Every cell of every system, and which ``cell`` of the comparison it is."""
    table = with_cpu_cost(performance(whole), whole)
    _, cells = number_cells(table, ["system", *PLACE])
    number, _ = number_cells(cells, PLACE)
    return cells.assign(cell=number)


def _hits(
    comparison: pd.DataFrame, cells: pd.DataFrame, marks: pd.DataFrame
) -> pd.DataFrame:
    """List the matched cells of each candidate about which something was found."""
    import pandas as pd

    first = str(comparison["baseline"].iloc[0])
    grave = marks.loc[marks["severity"].isin(["error", "warning"])]
    found = marked_rows(cells, _widened(grave)).join(cells, on="row")
    base = set(cells.loc[cells["system"] == first, "cell"])
    parts = []
    for name in comparison["candidate"].astype(str).unique():
        matched = base.intersection(cells.loc[cells["system"] == name, "cell"])
        wanted = _concerns(found, first, name) & found["cell"].isin(matched)
        part = found.loc[wanted, [*PLACE, "cell", "rule", "severity"]]
        parts.append(part.drop_duplicates().assign(candidate=name))
    return pd.concat(parts, ignore_index=True)


def _widened(marks: pd.DataFrame) -> pd.DataFrame:
    """Add the cells that marks are about without naming them.

    What is wrong with throughput, time or CPU is wrong with what they make up; and what
    is wrong with a pair is so in every cell of an operation, also where only a bound is
    known, which no mark names.
    """
    import pandas as pd

    costs = marks.loc[marks["metric"].isin(_COSTLY)].assign(metric=METRIC)
    pairs = marks.loc[marks["against"] != ""]
    sizes = {name: pd.array([pd.NA] * len(pairs), dtype="Int64") for name in _SIZES}
    anywhere = pairs.assign(metric=pd.NA, **sizes).drop_duplicates()
    return pd.concat([marks, costs, anywhere], ignore_index=True)


def _concerns(found: pd.DataFrame, first: str, other: str) -> pd.Series:
    """Say which findings are about one of two systems, or about just these two."""
    pair = [first, other]
    against = found["against"]
    return found["system"].isin(pair) & against.isin(["", *pair])


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


def _summed(hits: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Count the disqualified cells of each row, and name the rules."""
    grave = hits["severity"] == "error"
    marked = hits.assign(
        withheld_by=hits["rule"].where(grave),
        doubted_by=hits["rule"].where(~grave),
        cells_disqualified=hits["cell"].where(grave),
    )
    grouped = marked.groupby(keys, dropna=False, observed=True, sort=False)
    return grouped.agg(
        cells_disqualified=("cells_disqualified", "nunique"),
        withheld_by=("withheld_by", _names),
        doubted_by=("doubted_by", _names),
    ).reset_index()


def _names(rules: pd.Series) -> str:
    return ", ".join(rules.dropna().unique())
