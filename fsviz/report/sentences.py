"""What a comparison says, in sentences whose numbers are computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsviz.analysis.cells import performance
from fsviz.analysis.deltas import compare
from fsviz.analysis.verdicts import WITHHELD, spoken
from fsviz.checks.findings import Examination
from fsviz.checks.sound import sound_numbers
from fsviz.checks.withheld import withhold
from fsviz.report.words import escape
from fsviz.table import METRICS, OPERATIONS, measurements_of
from fsviz.units import significant

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.campaign import Campaign

MAIN_METRICS = ("throughput", "rate", "elapsed")
"""Metrics that answer "which is faster"; the others have tables of their own."""

_WORDS = {
    "faster": "faster",
    "slower": "slower",
    "same": "the same",
    "unclear": "not told apart",
    "untested": "not testable",
    WITHHELD: "without a verdict",
}


def conclude(
    data: Campaign | pd.DataFrame,
    *,
    baseline: str,
    examination: Examination | None = None,
) -> str:
    """Compare every system with the baseline and say in Markdown what comes of it.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    baseline : str
        The system that the others are compared with.
    examination : Examination or None
        Of the campaign with this baseline; what it disqualifies gets no verdict.

    Returns
    -------
    str
        As `conclusions`, and `conclude_sound` if a verdict is withheld; a sentence that
        there is nothing to compare with one system.
    """
    table = measurements_of(data)
    if table["system"].nunique() < 2:
        return f"Only {escape(baseline)} was measured, so there is nothing to compare."
    comparison = compare(table, baseline=baseline)
    if examination is None:
        return conclusions(comparison)
    comparison = withhold(comparison, table, examination=examination)
    parts = [conclusions(comparison)]
    if WITHHELD in spoken(comparison):
        parts.append(conclude_sound(table, baseline=baseline, examination=examination))
    return "\n\n".join(filter(None, parts))


def conclude_sound(
    table: pd.DataFrame, *, baseline: str, examination: Examination
) -> str:
    """Say in Markdown what comes of the cells that no error-level finding disqualifies.

    Parameters
    ----------
    table : DataFrame
        Measurements.
    baseline : str
        The system that the others are compared with.
    examination : Examination
        Of the campaign with this baseline.

    Returns
    -------
    str
        As `conclusions`, of the comparisons that then have a verdict; empty if there
        are none.
    """
    kept, _ = sound_numbers(table, examination)
    left = performance(kept)["system"].unique()
    if baseline not in left or len(left) < 2:
        return ""
    again = compare(kept, baseline=baseline)
    again = withhold(again, kept, examination=examination)
    told = again.loc[(again["verdict"] != "untested") & (spoken(again) != WITHHELD)]
    told = told.loc[told["metric"].isin(MAIN_METRICS) & (told["cells"] > 0)]
    if told.empty:
        return ""
    start = "**Counting only cells about which `fsviz check` finds no error**:"
    return f"{start}\n\n{conclusions(told)}"


def conclusions(comparison: pd.DataFrame) -> str:
    """Say in Markdown, for each candidate, what the comparison supports.

    Parameters
    ----------
    comparison : DataFrame
        As `fsviz.compare` or `fsviz.withhold` returns it.

    Returns
    -------
    str
        One item a candidate and tool; everything from files is escaped.
    """
    rows = _finest(comparison.loc[comparison["metric"].isin(MAIN_METRICS)])
    measured = rows.loc[rows["cells"] > 0]
    if measured.empty:
        return "There is nothing to compare: no cell was measured on two systems."
    parts = [
        _of_one_tool(str(tool), part)
        for tool, part in measured.groupby("tool", sort=False, observed=True)
    ]
    return "\n\n".join(parts)


def _of_one_tool(tool: str, rows: pd.DataFrame) -> str:
    baseline = escape(str(rows["baseline"].iloc[0]))
    lines = [
        f"- {_conclusion(str(candidate), part)}"
        for candidate, part in rows.groupby("candidate", sort=False, observed=True)
    ]
    start = f"Against **{baseline}**, by {escape(tool)}:"
    return "\n".join([start, "", *lines])


def _finest(rows: pd.DataFrame) -> pd.DataFrame:
    """Drop the bucket `all` where the sizes are told apart."""
    sized = (
        rows["bucket"]
        .ne("all")
        .groupby([rows["tool"], rows["operation"]])
        .transform("any")
    )
    return rows.loc[~sized | rows["bucket"].ne("all")]


def _conclusion(candidate: str, rows: pd.DataFrame) -> str:
    rows = rows.assign(verdict=spoken(rows))
    counts = {str(k): int(n) for k, n in rows["verdict"].value_counts().items()}
    told = [
        f"{word} in {counts[verdict]}"
        for verdict, word in _WORDS.items()
        if counts.get(verdict)
    ]
    start = f"**{escape(candidate)}** is {', '.join(told)} of {len(rows)} comparisons."
    return " ".join([start, *_extremes(rows), *_held(rows)])


def _extremes(rows: pd.DataFrame) -> list[str]:
    """Spell out the largest gain and the largest loss that are not chance."""
    sentences = []
    for verdict, word in (("faster", "gain"), ("slower", "loss")):
        # a verdict may rest on bounds alone, as where bonnie++ was too quick to time
        chosen = rows.loc[(rows["verdict"] == verdict) & rows["ci_low"].notna()]
        if len(chosen):
            sentences.append(f"Largest {word}: {spell(_strongest(chosen))}.")
    return sentences


def _held(rows: pd.DataFrame) -> list[str]:
    """Say why verdicts are withheld, and what the largest of their ratios is."""
    held = rows.loc[rows["verdict"] == WITHHELD]
    if held.empty:
        return []
    named = held["withheld_by"].str.split(", ").explode()
    rules = ", ".join(f"`{rule}`" for rule in named.value_counts(sort=False).index)
    because = f"No verdict where `fsviz check` finds an error ({rules})"
    measured = held.loc[held["ci_low"].notna()]
    if measured.empty:
        return [f"{because}."]
    return [f"{because}; the largest ratio there: {spell(_strongest(measured))}."]


def _strongest(rows: pd.DataFrame) -> pd.Series:
    """The row whose ratio is furthest from 1."""
    strength = rows["geomean_ratio"].map(lambda ratio: max(ratio, 1 / ratio))
    return rows.loc[strength.idxmax()]


def spell(row: pd.Series) -> str:
    """Spell out one row of a comparison.

    Parameters
    ----------
    row : Series
        Of the frame that `fsviz.compare` returns.

    Returns
    -------
    str
        Such as ``write of small files at 0.41× (95 % interval 0.36–0.47, n = 5 + 5)``.
    """
    what = OPERATIONS[str(row["operation"])]
    bucket = str(row["bucket"]).replace("_", " ")
    if bucket != "all":
        what += f" of {bucket} files"
    if METRICS[str(row["metric"])].better < 0:
        what += f", {METRICS[str(row['metric'])].title}"
    ratio, low, high = (
        significant(float(row[name])) for name in ("geomean_ratio", "ci_low", "ci_high")
    )
    runs = f"n = {row['n_baseline']} + {row['n_candidate']}"
    return f"{what} at {ratio}× (95 % interval {low}–{high}, {runs})"
