"""Comparisons for people: one line a row, n on both sides, a footnote for every doubt.

In the manner of Go's benchstat: what is not known is not printed as if it were.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping

from fsviz.analysis.verdicts import DISQUALIFIED, VERDICTS
from fsviz.answers.notes import has_ratio, note_rows, number
from fsviz.answers.words import OPEN
from fsviz.model.escaping import markdown_text, printable
from fsviz.model.libraries import pd
from fsviz.model.table import MAIN_METRICS, METRICS
from fsviz.model.units import format_size, significant
from fsviz.text.tables import GAP, WIDTH, aligned, lines_of_table

_HEADING = ["tool", "operation", "metric", "threads", "setting"]


def readable_comparison(frame: pd.DataFrame, confidence: float = 0.95) -> pd.DataFrame:
    """Write a comparison for people: three digits, words for columns, notes.

    Parameters
    ----------
    frame : DataFrame
        As `fsviz.compare` returns it, with or without ``cells``.
    confidence : float
        Of the intervals in it; names their column, unless no row has an interval.

    Returns
    -------
    DataFrame of str
        The rows that have something to compare, under the index that they have in the
        frame; ``notes`` holds the numbers of `comparison_notes`.
    """
    notes = note_rows(frame)
    records = frame.to_dict("records")
    inferred = frame["ci_low"].notna().any()
    interval = f"{confidence * 100:g} % interval" if inferred else "bounds as printed"
    rows = {
        at: _readable(row, marks, interval)
        for at, row, marks in zip(frame.index, records, notes.marks, strict=True)
        if marks is not None
    }
    shown = pd.DataFrame(rows.values(), index=list(rows), dtype="string")
    return shown.drop(columns=[c for c in ("threads", "setting") if _one(shown, c)])


def _one(frame: pd.DataFrame, column: str) -> bool:
    return column in frame and frame[column].nunique() <= 1


def comparison_notes(frame: pd.DataFrame) -> list[str]:
    """Say what else must be known about a comparison, numbered from 1.

    Parameters
    ----------
    frame : DataFrame
        As `fsviz.compare` returns it.

    Returns
    -------
    list of str
        Without their numbers; those that belong to no row come last.
    """
    return note_rows(frame).texts


def _readable(row: Mapping[str, object], marks: str, interval: str) -> dict[str, str]:
    better = "more" if METRICS[str(row["metric"])].better > 0 else "less"
    shown = {
        "tool": str(row["tool"]),
        "operation": str(row["operation"]),
        "metric": f"{row['metric']}, {better} is better",
        "threads": GAP if row["threads"] is None else str(row["threads"]),
        "setting": printable(str(row["setting"])),
        **_sizes(row),
        "candidate": printable(str(row["candidate"])),
        "runs": _runs(row),
    }
    if "cells" in row:
        shown["cells"] = str(row["cells"])
    shown["ratio"] = _ratio(row)
    shown[interval] = _interval(row)
    if "total_time_ratio" in row:
        shown["time"] = format_ratio(number(row["total_time_ratio"]))
    q = number(row["q_value"])
    shown["q"] = GAP if math.isnan(q) else "<0.001" if q < 0.001 else f"{q:.3f}"
    return {**shown, "verdict": spoken_verdict(row), "notes": marks}


def _runs(row: Mapping[str, object]) -> str:
    if row.get("paired"):
        return str(row["n_baseline"])
    return f"{row['n_baseline']}+{row['n_candidate']}"


def counted_runs(row: Mapping[str, object]) -> str:
    """Say how many runs a row of a comparison rests on.

    >>> counted_runs({"n_baseline": 5, "n_candidate": 4, "paired": False})
    'n = 5 + 4'
    >>> counted_runs({"n_baseline": 5, "n_candidate": 5, "paired": True})
    'n = 5 rounds'
    """
    if row.get("paired"):
        return f"n = {row['n_baseline']} rounds"
    return f"n = {row['n_baseline']} + {row['n_candidate']}"


def spoken_verdict(row: Mapping[str, object]) -> str:
    """Write a verdict with what it is about.

    >>> spoken_verdict({"verdict": "faster", "scope": ["cache", "one after another"]})
    'faster (cache, one after another)'
    >>> spoken_verdict({"verdict": "untested", "scope": ["cache"]})
    'untested'
    """
    verdict, scope = str(row["verdict"]), row.get("scope")
    if not isinstance(scope, list) or not scope or verdict in _WITHOUT_SCOPE:
        return verdict
    return f"{verdict} ({', '.join(map(printable, scope))})"


_WITHOUT_SCOPE = ("untested", DISQUALIFIED)


def _sizes(row: Mapping[str, object]) -> dict[str, str]:
    if "bucket" in row:
        return {"bucket": str(row["bucket"]).replace("_", " ")}
    return {
        name: GAP if row[f"{name}_size_bytes"] != row[f"{name}_size_bytes"]
        or row[f"{name}_size_bytes"] is None
        else format_size(int(str(row[f"{name}_size_bytes"])))
        for name in ("file", "record")
    }  # fmt: skip


def format_ratio(ratio: float) -> str:
    """Write a ratio with three significant digits.

    >>> [format_ratio(r) for r in (1.0, 0.9566, 19.23, 173.5, 2345.6, 0.00012345)]
    ['1.00', '0.957', '19.2', '174', '2,346', '0.000123']
    """
    if not math.isfinite(ratio):
        return GAP
    if ratio >= 1000:
        return f"{ratio:,.0f}"
    if ratio == 0:
        return "0"
    rounded = float(f"{ratio:.3g}")
    decimals = 2 - math.floor(math.log10(rounded))
    return f"{ratio:.{max(0, decimals)}f}"


def _ratio(row: Mapping[str, object]) -> str:
    """The ratio, or what the printed bounds of cells without a number say of it."""
    ratio = number(row["geomean_ratio"] if "geomean_ratio" in row else row["ratio"])
    if math.isfinite(ratio):
        return format_ratio(ratio)
    low, high = (number(row[name]) for name in ("bound_low", "bound_high"))
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


def _interval(row: Mapping[str, object]) -> str:
    low, high = (number(row[name]) for name in ("ci_low", "ci_high"))
    if math.isfinite(low):
        return f"{format_ratio(low)} … {format_ratio(high)}"
    low, high = (number(row[name]) for name in ("bound_low", "bound_high"))
    if math.isnan(low) or math.isnan(high):
        return GAP
    single = min(number(row["n_baseline"]), number(row["n_candidate"])) < 2
    if single and has_ratio(row) and high <= OPEN * low:
        return GAP  # what one run's digits leave open is no interval
    return f"({format_ratio(low)} … {format_ratio(high)})"


def comparison_text(frame: pd.DataFrame, confidence: float = 0.95) -> str:
    """Draw a comparison as text of at most 100 columns."""
    frame = _main_first(frame)
    shown = readable_comparison(frame, confidence)
    parts = [*_wrapped(_legend(frame), ""), "", *_overview(frame), ""]
    parts += _tables(shown)
    for i, text in enumerate(comparison_notes(frame), 1):
        parts += _wrapped(text, f"{i:>2} ")
    return "\n".join(line.rstrip() for line in parts) + "\n"


def comparison_markdown(frame: pd.DataFrame, confidence: float = 0.95) -> str:
    """Draw a comparison as a Markdown table with its footnotes as a list."""
    from fsviz.text.tables import render

    frame = _main_first(frame)
    table = render(readable_comparison(frame, confidence), "markdown")
    notes = [
        f"{i}. {markdown_text(text)}"
        for i, text in enumerate(comparison_notes(frame), 1)
    ]
    lines = [markdown_text(_legend(frame)), "", table, *notes]
    return "\n".join(lines).rstrip() + "\n"


def _main_first(frame: pd.DataFrame) -> pd.DataFrame:
    """Sort the metrics of each operation so that its speed comes first."""
    keys = ["tool", "operation", "threads"]
    place = frame.groupby(keys, sort=False, dropna=False, observed=True).ngroup()
    order = frame.assign(place=place, beside=~_is_main(frame))
    order = order.sort_values(["place", "beside"], kind="stable")
    return frame.loc[order.index].reset_index(drop=True)


def _is_main(frame: pd.DataFrame) -> pd.Series:
    """Return a mask of rows about speed, or about all that an operation has."""
    main = frame["metric"].isin(MAIN_METRICS)
    keys = [frame["tool"].astype(str), frame["operation"].astype(str)]
    return main | ~main.groupby(keys).transform("any")


def _legend(frame: pd.DataFrame) -> str:
    first = printable(str(frame["baseline"].iloc[0]))
    tests = int(frame["q_value"].notna().sum())
    held = (
        " disqualified: these numbers are not of the thing named, or not of the same "
        "work; a footnote names the rule. --ignore RULE judges them all the same."
        if (frame["verdict"] == DISQUALIFIED).any()
        else ""
    )
    rounds = (
        ", or rounds in which the systems took turns" if frame["paired"].any() else ""
    )
    return (
        f"Baseline {first}. runs: baseline+candidate{rounds}. "
        "ratio: candidate ÷ baseline, geometric mean over the cells that both "
        "measured; its interval is over runs. "
        "time: total time of the baseline ÷ candidate's. "
        f"q: Benjamini–Hochberg over the tests of one candidate ({tests} here in all), "
        "and over all candidates in rows of all sizes. "
        "faster means better, slower worse, in brackets: what the verdict is about."
        f"{held}"
    )


def _overview(frame: pd.DataFrame) -> list[str]:
    """Count verdicts on speed by tool and candidate, which is what one wants first."""
    frame = frame.loc[_is_main(frame)]
    words = VERDICTS
    keys = [frame["tool"].astype(str), frame["candidate"].astype(str)]
    counts = pd.crosstab(keys, frame["verdict"]).reindex(columns=list(words))
    order = list(dict.fromkeys(zip(*keys, strict=True)))
    header = ["verdicts", "", *words]
    rows = [
        [*map(printable, key), *(f"{n:.0f}" if n > 0 else "" for n in counts.loc[key])]
        for key in order
    ]
    return aligned([header, *rows], [i >= 2 for i in range(len(header))])


def _tables(shown: pd.DataFrame) -> list[str]:
    """One table for each operation and metric."""
    heading = [name for name in _HEADING if name in shown]
    tables = []
    for key, rows in shown.groupby(heading, sort=False, dropna=False):
        own = dict(zip(heading, key, strict=True))
        title = f"{own['tool']} {own['operation']}: {own['metric']}"
        title += f", {own['threads']} threads" if "threads" in own else ""
        title += f", {own['setting']}" if own.get("setting") else ""
        tables.append((title, rows.drop(columns=heading)))
    return lines_of_table(tables)


def _wrapped(text: str, mark: str) -> list[str]:
    return textwrap.wrap(
        printable(text),
        WIDTH,
        initial_indent=mark,
        subsequent_indent=" " * len(mark),
        break_long_words=True,
        break_on_hyphens=False,
    )
