"""Comparisons for people: one line a row, n on both sides, a footnote for every doubt.

In the manner of Go's benchstat: what is not known is not printed as if it were.
"""

from __future__ import annotations

import math
import textwrap

from fsviz.analysis.verdicts import DISQUALIFIED, VERDICTS
from fsviz.answers.notes import note_rows
from fsviz.answers.statement import Statement, statements
from fsviz.model.escaping import markdown_text, printable
from fsviz.model.libraries import pd
from fsviz.model.table import MAIN_METRICS, METRICS
from fsviz.model.units import format_size, significant
from fsviz.text.tables import GAP, WIDTH, aligned, lines_of_table

_HEADING = ["tool", "operation", "metric", "threads", "setting"]


def readable_comparison(frame: pd.DataFrame, confidence: float = 0.95) -> pd.DataFrame:
    """Format a comparison for people: three digits, words for columns, notes.

    Parameters
    ----------
    frame : DataFrame
        As `fsviz.compare` returns it, with or without ``cells``.
    confidence : float
        Confidence level of the intervals. If any row has one, the name of their column
        states it.

    Returns
    -------
    DataFrame of str
        The rows that have something to compare, with the same index as in the frame.
        ``notes`` contains the numbers of `comparison_notes`.
    """
    said = statements(frame)
    notes = note_rows(said)
    inferred = frame["ci_low"].notna().any()
    interval = f"{confidence * 100:g} % interval" if inferred else "bounds as printed"
    rows = {
        at: _readable(one, marks, interval)
        for at, one, marks in zip(frame.index, said, notes.marks, strict=True)
        if marks is not None
    }
    shown = pd.DataFrame(rows.values(), index=list(rows), dtype="string")
    return shown.drop(columns=[c for c in ("threads", "setting") if _one(shown, c)])


def _one(frame: pd.DataFrame, column: str) -> bool:
    return column in frame and frame[column].nunique() <= 1


def comparison_notes(frame: pd.DataFrame) -> list[str]:
    """List the notes on a comparison, numbered from 1.

    Parameters
    ----------
    frame : DataFrame
        As `fsviz.compare` returns it.

    Returns
    -------
    list of str
        The notes without their numbers; notes that belong to no row come last.
    """
    return note_rows(statements(frame)).texts


def _readable(one: Statement, marks: str, interval: str) -> dict[str, str]:
    better = "more" if METRICS[one.metric].better > 0 else "less"
    sizes = {"file": one.file_size, "record": one.record_size}
    pooled = {"bucket": one.bucket.replace("_", " ")}
    shown = {
        "tool": one.tool,
        "operation": one.operation,
        "metric": f"{one.metric}, {better} is better",
        "threads": GAP if one.threads is None else str(one.threads),
        "setting": printable(one.setting),
        **(pooled if one.bucket else {k: _size(size) for k, size in sizes.items()}),
        "candidate": printable(one.candidate),
        "runs": str(one.n_baseline)
        if one.paired
        else f"{one.n_baseline}+{one.n_candidate}",
    }
    if one.bucket:
        shown["cells"] = str(one.cells)
    shown |= {"ratio": _ratio(one), interval: _interval(one)}
    if one.bucket:
        shown["time"] = format_ratio(one.total_time_ratio)
    q = one.q_value
    shown["q"] = GAP if math.isnan(q) else "<0.001" if q < 0.001 else f"{q:.3f}"
    return {**shown, "verdict": one.spoken, "notes": marks}


def _size(size: int | None) -> str:
    return GAP if size is None else format_size(size)


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


def _ratio(one: Statement) -> str:
    """The ratio, or what the printed bounds of cells without a number say of it."""
    if one.has_ratio:
        return format_ratio(one.ratio)
    if one.bound_high > 0 and not one.bound_low > 0:
        return f"<{_rounded_up(one.bound_high)}"
    if one.bound_low > 0 and not math.isfinite(one.bound_high):
        return f">{format_ratio(one.bound_low)}"
    return GAP


def _rounded_up(ratio: float) -> str:
    """Write a bound with four digits, none of them too low.

    >>> _rounded_up(1 / 32), _rounded_up(1 / 3)
    ('0.03125', '0.3334')
    """
    scale = 10.0 ** (3 - math.floor(math.log10(ratio)))
    # a hair less, because a number that needs four digits may be a bit above them
    return significant(math.ceil(ratio * scale * (1 - 1e-12)) / scale, 4)


def _interval(one: Statement) -> str:
    if math.isfinite(one.ci_low):
        return f"{format_ratio(one.ci_low)} … {format_ratio(one.ci_high)}"
    if math.isnan(one.bound_low) or math.isnan(one.bound_high):
        return GAP
    if one.is_single and one.has_ratio and not one.is_open:
        return GAP  # what one run's digits leave open is no interval
    return f"({format_ratio(one.bound_low)} … {format_ratio(one.bound_high)})"


def comparison_text(frame: pd.DataFrame, confidence: float = 0.95) -> str:
    """Draw a comparison as text of at most 100 columns."""
    shown = readable_comparison(frame, confidence)
    parts = [*_wrapped(_legend(frame), ""), "", *_overview(frame), ""]
    parts += _tables(shown)
    for i, text in enumerate(comparison_notes(frame), 1):
        parts += _wrapped(text, f"{i:>2} ")
    return "\n".join(line.rstrip() for line in parts) + "\n"


def comparison_markdown(frame: pd.DataFrame, confidence: float = 0.95) -> str:
    """Draw a comparison as a Markdown table with its footnotes as a list."""
    from fsviz.text.tables import render

    table = render(readable_comparison(frame, confidence), "markdown")
    notes = [
        f"{i}. {markdown_text(text)}"
        for i, text in enumerate(comparison_notes(frame), 1)
    ]
    lines = [markdown_text(_legend(frame)), "", table, *notes]
    return "\n".join(lines).rstrip() + "\n"


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
        "and over all candidates as well in rows of all sizes. "
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
