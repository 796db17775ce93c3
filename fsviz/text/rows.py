"""Rows of a comparison for people: one line a row, n on both sides, ratio, interval.

In the manner of Go's benchstat: what is not known is not printed as if it were.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from fsviz.answers.words import WORDS, rule_words
from fsviz.model.escaping import printable
from fsviz.model.libraries import pd
from fsviz.model.table import METRICS
from fsviz.model.units import format_size, significant
from fsviz.text.tables import GAP, lines_of_table, render

if TYPE_CHECKING:
    from fsviz.text.forms import Format

_HEADING = ["tool", "operation", "metric", "threads", "setting"]


def readable_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Format rows or cells of a comparison for people: three digits, words.

    Parameters
    ----------
    frame : DataFrame
        `Comparison.rows`, `Comparison.cells` or what `Comparison.by` returns.

    Returns
    -------
    DataFrame of str
        The rows that have something to compare.
    """
    rows = [
        _readable(row)
        for row in frame.to_dict("records")
        if min(row["n_baseline"], row["n_candidate"]) > 0
    ]
    shown = pd.DataFrame(rows, dtype="string")
    constant = [
        name
        for name in ("threads", "setting")
        if name in shown and shown[name].nunique() <= 1
    ]
    return shown.drop(columns=constant)


def _readable(row: dict[str, Any]) -> dict[str, str]:
    better = "more" if METRICS[str(row["metric"])].better > 0 else "less"
    threads = row["threads"]
    shown = {
        "tool": str(row["tool"]),
        "operation": str(row["operation"]),
        "metric": f"{row['metric']}, {better} is better",
        "threads": GAP if pd.isna(threads) else str(threads),
        "setting": printable(str(row["setting"])),
    }
    if "bucket" in row:
        shown["sizes"] = str(row["bucket"]).replace("_", " ")
    for name in ("file_size_bytes", "record_size_bytes"):
        if name in row:
            size = row[name]
            shown[name.partition("_")[0]] = GAP if pd.isna(size) else format_size(size)
    n_baseline, n_candidate = row["n_baseline"], row["n_candidate"]
    q = row["q_value"]
    answer = WORDS[str(row["answer"])]
    beside = [*row["scope"], *([rule_words(row["rule"])] if row["rule"] else [])]
    return shown | {
        "candidate": printable(str(row["candidate"])),
        "runs": f"{n_baseline}" if row["paired"] else f"{n_baseline}+{n_candidate}",
        "cells": str(row["cells"]),
        "ratio": _ratio(row),
        "95 % interval": _interval(row),
        "q": GAP if math.isnan(q) else "<0.001" if q < 0.001 else f"{q:.3f}",
        "answer": answer + (f" ({', '.join(beside)})" if beside else ""),
    }


def format_ratio(ratio: float) -> str:
    """Write a ratio, or another number, with three significant digits.

    >>> [format_ratio(r) for r in (1.0, 0.9566, 19.23, 173.5, 2345.6, 0.00012345)]
    ['1.00', '0.957', '19.2', '174', '2,346', '0.000123']
    >>> format_ratio(-0.5), format_ratio(-1234.5), format_ratio(float("nan"))
    ('-0.500', '-1,234', '–')
    """
    if not math.isfinite(ratio):
        return GAP
    if abs(ratio) >= 1000:
        return f"{ratio:,.0f}"
    if ratio == 0:
        return "0"
    rounded = abs(float(f"{ratio:.3g}"))
    decimals = 2 - math.floor(math.log10(rounded))
    return f"{ratio:.{max(0, decimals)}f}"


def _ratio(row: dict[str, Any]) -> str:
    """The ratio, or what the printed bounds of cells without a number say of it."""
    low, high = row["bound_low"], row["bound_high"]
    if math.isfinite(row["ratio"]):
        return format_ratio(row["ratio"])
    if high > 0 and not low > 0:
        return f"<{_rounded_up(high)}"
    if low > 0 and not math.isfinite(high):
        return f">{format_ratio(low)}"
    return GAP


def _rounded_up(ratio: float) -> str:
    """Write a bound with four digits, none of them too low.

    >>> _rounded_up(1 / 32), _rounded_up(1 / 3)
    ('0.03125', '0.3334')
    """
    scale = 10.0 ** (3 - math.floor(math.log10(ratio)))
    # a hair less, because a number that needs four digits may be a bit above them
    return significant(math.ceil(ratio * scale * (1 - 1e-12)) / scale, 4)


def _interval(row: dict[str, Any]) -> str:
    if math.isfinite(row["ci_low"]):
        return f"{format_ratio(row['ci_low'])} … {format_ratio(row['ci_high'])}"
    low, high = row["bound_low"], row["bound_high"]
    if math.isnan(low) or math.isnan(high):
        return GAP
    alone = min(row["n_baseline"], row["n_candidate"]) < 2
    if alone and math.isfinite(row["ratio"]) and high < 1.1 * low:
        return GAP
    return f"({format_ratio(low)} … {format_ratio(high)})"


LEGEND = (
    "runs: baseline+candidate, or rounds in which the systems took turns. ratio: "
    "candidate ÷ baseline, geometric mean over the complete cells; its interval is "
    "over runs; in brackets: bounds as printed. q: Benjamini–Hochberg over all rows "
    "of this kind in the campaign."
)


def rows_text(frame: pd.DataFrame, form: Format) -> str:
    """Write rows as text of at most 100 columns, or as a Markdown table."""
    shown = readable_rows(frame)
    first = printable(str(frame["baseline"].iloc[0])) if len(frame) else GAP
    legend = f"Baseline {first}. {LEGEND}"
    if form == "markdown":
        return f"{legend}\n\n{render(shown, form)}"
    from textwrap import wrap

    heading = [name for name in _HEADING if name in shown]
    tables = []
    for key, rows in shown.groupby(heading, sort=False, dropna=False):
        names = dict(zip(heading, key, strict=True))
        title = f"{names['tool']} {names['operation']}: {names['metric']}"
        title += f", {names['threads']} threads" if "threads" in names else ""
        title += f", {names['setting']}" if names.get("setting") else ""
        tables.append((title, rows.drop(columns=heading)))
    lines = [*wrap(legend, 100), "", *lines_of_table(tables)]
    return "\n".join(line.rstrip() for line in lines) + "\n"
