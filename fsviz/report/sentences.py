"""What a comparison says, in sentences whose numbers are computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsviz.analysis.cells import performance
from fsviz.analysis.comparison import compare
from fsviz.analysis.verdicts import WITHHELD, spoken
from fsviz.checks.findings import Examination
from fsviz.checks.sound import sound_numbers
from fsviz.checks.withheld import withhold
from fsviz.model.escaping import markdown_text as escape
from fsviz.model.table import METRICS, OPERATIONS, measurements_of
from fsviz.model.units import significant

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

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


_ALL_CELLS = "**Counting all cells**, as they were measured:"
_SOUND_CELLS = "**Counting only cells about which `fsviz check` finds no error**:"
_PAIR = ["tool", "candidate"]
_ROW = [*_PAIR, "operation", "metric", "bucket", "threads"]


def conclude(
    data: Campaign | pd.DataFrame,
    *,
    baseline: str,
    examination: Examination | None = None,
    comparison: pd.DataFrame | None = None,
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
    comparison : DataFrame or None
        Of these data, if it is known, as `fsviz.withhold` returns it.

    Returns
    -------
    str
        As `conclusions`; if verdicts are withheld, first what comes of the cells
        without an error-level finding. With one system, that there is no other.
    """
    table = measurements_of(data)
    if table["system"].nunique() < 2:
        return f"Only {escape(baseline)} was measured, so there is nothing to compare."
    if comparison is None:
        comparison = _judged(table, baseline, examination)
    if examination is None or WITHHELD not in spoken(comparison):
        return conclusions(comparison)
    told = _now_told(comparison, _sound_rows(table, baseline, examination))
    if told.empty:
        return conclusions(comparison)
    parts = [_SOUND_CELLS, conclusions(told), _ALL_CELLS, conclusions(comparison)]
    return "\n\n".join(parts)


def _judged(
    table: pd.DataFrame, baseline: str, examination: Examination | None
) -> pd.DataFrame:
    comparison = compare(table, baseline=baseline)
    if examination is None:
        return comparison
    return withhold(comparison, table, examination=examination)


def _sound_rows(
    table: pd.DataFrame, baseline: str, examination: Examination
) -> pd.DataFrame:
    """Compare the cells that no error-level finding disqualifies."""
    kept, _ = sound_numbers(table, examination)
    left = performance(kept)["system"].unique()
    if baseline not in left or len(left) < 2:
        return table.head(0).reindex(columns=_ROW)
    again = _judged(kept, baseline, examination)
    told = again.loc[(again["verdict"] != "untested") & (spoken(again) != WITHHELD)]
    return told.loc[told["metric"].isin(MAIN_METRICS) & (told["cells"] > 0)]


def _now_told(comparison: pd.DataFrame, told: pd.DataFrame) -> pd.DataFrame:
    """Keep the candidates of which more can be told than by all cells."""
    held = comparison.loc[spoken(comparison) == WITHHELD, _ROW]
    wanted = told.merge(held, on=_ROW)[_PAIR].drop_duplicates()
    pairs = set(wanted.itertuples(index=False, name=None))
    return told.loc[
        [pair in pairs for pair in zip(told["tool"], told["candidate"], strict=True)]
    ]


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
    return "\n".join([start, "", *lines, *_reasons(rows)])


def _reasons(rows: pd.DataFrame) -> list[str]:
    """Name the rules that withhold verdicts, those of most comparisons first."""
    if "withheld_by" not in rows:
        return []
    held = rows.loc[spoken(rows) == WITHHELD, "withheld_by"]
    if held.empty:
        return []
    rules = held.str.split(", ").explode().value_counts().index
    named = ", ".join(f"`{rule}`" for rule in rules)
    return ["", f"Without a verdict where `fsviz check` finds an error: {named}."]


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
    """Spell out the largest ratio that has no verdict."""
    held = rows.loc[(rows["verdict"] == WITHHELD) & rows["ci_low"].notna()]
    if held.empty:
        return []
    return [f"Largest ratio without a verdict: {spell(_strongest(held))}."]


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
