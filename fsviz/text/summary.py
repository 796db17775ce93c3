"""Summaries as text: one unit a table, so that the columns fit a terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping

from fsviz.checks.phrases import count
from fsviz.model.errors import printable
from fsviz.model.libraries import pd
from fsviz.model.table import METRICS
from fsviz.model.units import display_scale, format_size, format_value
from fsviz.text.rows import format_ratio
from fsviz.text.tables import GAP, lines_of_table

_ROW = ["tool", "operation", "threads", "setting"]
_TABLE = ["tool", "operation", "metric", "threads", "setting"]
"""What the rows of a table share, and so its unit."""
_LINES = 25
"""Lines that a person reads at first."""
PARTIAL = "partial: runs that lack some of the cells"
BOUND = (
    "bound: runs that printed a bound for a number, such as +++++ (too fast to time);\n"
    "then the mean is more (>) or less (<) than what is shown"
)


def readable(summary: pd.DataFrame) -> pd.DataFrame:
    """Format a summary for people: display units, three digits, words for columns.

    Parameters
    ----------
    summary : DataFrame
        As `fsviz.summary` returns it.

    Returns
    -------
    DataFrame of str
        The same rows. All rows of a metric have one unit, which fits the median of
        their means, so that a column can be compared by eye, and sorted.
    """
    tools = summary["tool"].nunique() > 1
    has_threads = summary["threads"].nunique(dropna=False) > 1
    threads = summary["threads"].astype("string").fillna(GAP)
    means = summary["mean"].fillna(summary["mean_low"])
    typical = means.groupby(summary["metric"], observed=True).transform("median")
    rows = []
    for row, middle, number in zip(
        summary.to_dict("records"), typical, threads, strict=True
    ):
        factor, unit = display_scale(str(row["unit"]), float(middle))
        numbers = _row(row, factor)
        head = {
            **({"tool": row["tool"]} if tools else {}),
            "operation": row["operation"],
            "metric": METRICS[str(row["metric"])].title,
            "bucket": numbers["bucket"],
            **({"threads": number} if has_threads else {}),
            **_setting(row, summary),
            "system": row["system"],
            "runs": numbers["runs"],
            "cells": numbers["cells"],
            "unit": unit,
        }
        rows.append(head | numbers | {"system": row["system"]})
    return pd.DataFrame(rows, dtype="string")


def summary_text(frame: pd.DataFrame, *, every_line: bool = True) -> str:
    """Draw a summary as text, a table for each operation and metric."""
    tables = []
    threads = frame["threads"].nunique(dropna=False) > 1
    for key, rows in frame.groupby(_TABLE, sort=False, dropna=False, observed=True):
        typical = float(rows["mean"].fillna(rows["mean_low"]).median())
        factor, name = display_scale(str(rows["unit"].iloc[0]), typical)
        title = f"{key[0]} {key[1]}: {key[2]} [{name}]"
        if threads and pd.notna(key[3]):  # a tool need not print it
            title += f", {count(int(key[3]), 'thread')}"
        if key[4]:
            title += f", {printable(str(key[4]))}"
        shown = [_row(row, factor) for row in rows.to_dict("records")]
        # texts as in the tidy table would take longer to make than to print
        tables.append((title, pd.DataFrame(shown, dtype=object)))
    lines = lines_of_table(tables)
    if frame["n_runs_partial"].any():
        lines.append(PARTIAL)
    if frame["n_runs_bounded"].any():
        lines.append(BOUND)
    if not every_line and len(lines) > _LINES:
        more = len(lines) - _LINES
        lines = [*lines[:_LINES], "", f"{more} more lines: --all"]
    return "\n".join(lines) + "\n"


def _setting(row: Mapping[str, object], frame: pd.DataFrame) -> dict[str, str]:
    """Return the column of the setting, where there is any."""
    varies = frame["setting"].nunique() > 1
    return {"setting": printable(str(row["setting"]))} if varies else {}


def _row(row: Mapping[str, object], factor: float) -> dict[str, str]:
    def shown(name: str) -> str:
        value = row[name]
        return format_ratio(float(value) / factor if isinstance(value, float) else 0)

    ends = shown("ci_low"), shown("ci_high")
    interval = GAP if GAP in ends else " … ".join(ends)
    counted = [
        f"{row[name]} {word}"
        for name, word in (("n_runs_partial", "partial"), ("n_runs_bounded", "bound"))
        if row[name]
    ]
    lacking = f" ({', '.join(counted)})" if counted else ""
    return {
        "bucket": str(row["bucket"]).replace("_", " "),
        "system": printable(str(row["system"])),
        "runs": f"{row['n_runs']}{lacking}",
        "cells": str(row["n_cells"]),
        "mean": _mean(row, factor),
        "95 % interval": interval,
        "median": shown("median"),
        "std cells": shown("std_cells"),
        "std runs": shown("std_runs"),
    }


def _mean(row: Mapping[str, object], factor: float) -> str:
    """Write a mean, or between what it lies where a run has no number."""
    mean, low, high = (
        float(row[name]) / factor  # type: ignore[arg-type]
        for name in ("mean", "mean_low", "mean_high")
    )
    if math.isnan(low):
        return format_ratio(mean)
    if math.isnan(high):
        return f">{format_ratio(low)}"
    if low == 0:
        return f"<{format_ratio(high)}"
    return f"{format_ratio(low)} … {format_ratio(high)}"


# Scaling and wins for people.


def readable_scaling(frame: pd.DataFrame) -> pd.DataFrame:
    """Write what `fsviz.analysis.scaling.scaling` returns for people."""
    rows = [
        {
            "operation": str(row["operation"]),
            "file": _size(row["file_size_bytes"]),
            "record": _size(row["record_size_bytes"]),
            "system": printable(str(row["system"])),
            "runs": str(row["n_runs"]),
            "threads": str(row["threads"]),
            "throughput": format_value(float(row["throughput"]), "B/s"),
            "speed-up": format_ratio(float(row["speedup"])),
            "efficiency": f"{float(row['efficiency']):.0%}",
            "slowest ÷ fastest child": format_ratio(float(row["straggler_ratio"])),
        }
        for row in frame.to_dict("records")
    ]
    return pd.DataFrame(rows, dtype="string")


_LISTED = 4
"""Record sizes that are listed; of more, the smallest and the largest."""


def readable_best(frame: pd.DataFrame) -> pd.DataFrame:
    """Write what `fsviz.analysis.best.best` returns for people."""
    has_threads = frame["threads"].nunique() > 1
    rows = []
    for row in frame.to_dict("records"):
        ends = [format_ratio(float(row[end])) for end in ("ci_low", "ci_high")]
        rows.append(
            {
                "operation": str(row["operation"]),
                "metric": str(row["metric"]),
                "file": str(row["bucket"]).replace("_", " "),
                **({"threads": str(row["threads"])} if has_threads else {}),
                **_setting(row, frame),
                "system": printable(str(row["system"])),
                "runs": str(row["n_runs"]),
                "file sizes": str(row["n_sizes"]),
                "best record": _size(row["record_size_bytes"]),
                "mean": format_value(float(row["mean"]), str(row["unit"])),
                "÷ second": format_ratio(float(row["ratio"])),
                "interval": GAP if GAP in ends else " … ".join(ends),
                "as good": _join_sizes(row["as_good"]),
            }
        )
    return pd.DataFrame(rows, dtype="string")


def _join_sizes(sizes: list[int]) -> str:
    names = [format_size(size) for size in sorted(sizes)]
    if len(names) > _LISTED:
        return f"{len(names)} others, {names[0]} … {names[-1]}"
    return ", ".join(names) or "no other"


def _size(size: object) -> str:
    return format_size(size) if isinstance(size, int) else GAP
