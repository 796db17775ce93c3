"""A history as text: one line a campaign, a mark where the level changes."""

from __future__ import annotations

import math

from fsviz.answers.history import conclude_history, step_words
from fsviz.campaigns.versions import describe_changes
from fsviz.model.escaping import printable
from fsviz.model.libraries import pd
from fsviz.model.units import display_scale
from fsviz.text.comparison import format_ratio
from fsviz.text.summary import format_number
from fsviz.text.tables import GAP, lines_of_table

_MARK = {"faster": "▲", "slower": "▼"}


def readable_history(frame: pd.DataFrame, confidence: float = 0.95) -> pd.DataFrame:
    """Turn a history into the words of a table for people."""
    factor, _ = _scale(frame)
    interval = f"{confidence * 100:g} % interval"
    rows = []
    for row in frame.to_dict("records"):
        ends = [format_number(row[name] / factor) for name in ("ci_low", "ci_high")]
        rows.append(
            {
                "date": str(row["began"])[:10] or GAP,
                "campaign": printable(str(row["key"])),
                "runs": str(row["n_runs"]),
                "mean": _mean(row, factor),
                interval: GAP if GAP in ends else " … ".join(ends),
                "ratio": format_number(row["ratio"]),
                "change": _change(row),
                "facts": describe_changes(row["facts"]),
            }
        )
    return pd.DataFrame(rows, dtype="string")


def _scale(frame: pd.DataFrame) -> tuple[float, str]:
    known = frame["value"].fillna(frame["value_low"]).fillna(frame["value_high"])
    return display_scale(str(frame["unit"].iloc[0]), float(known.median()))


def _mean(row: dict, factor: float) -> str:
    """Write a campaign's mean, or its limit where a run was too fast to time."""
    for sign, name in ((">", "value_low"), ("<", "value_high")):
        if row[name] > 0:
            return f"{sign}{format_number(row[name] / factor)}"
    return format_number(row["value"] / factor)


def _change(row: dict) -> str:
    if not row["verdict"]:
        return ""
    mark = _MARK.get(row["verdict"], "")
    if math.isnan(row["change"]):
        return f"{mark} {step_words(row)}"
    low, high = (format_ratio(row[name]) for name in ("change_low", "change_high"))
    return f"{mark} {row['verdict']} {format_ratio(row['change'])} ({low} … {high})"


def history_text(
    frame: pd.DataFrame, system: str, operation: str, confidence: float = 0.95
) -> str:
    """Draw a history for a terminal: the answer first."""
    _, unit = _scale(frame)
    title = f"{printable(system)}, {operation}: geometric mean [{unit}]"
    rows = readable_history(frame, confidence)
    facts = [
        f"{campaign}: {changed}"
        for campaign, changed in zip(rows["campaign"], rows["facts"], strict=True)
        if changed
    ]
    said = ["Stated otherwise than by the campaign before:", *facts] if facts else []
    table = lines_of_table([(title, rows.drop(columns="facts"))])
    first = conclude_history(frame, system, operation)
    return "\n".join([first, "", *table, *said]).rstrip() + "\n"
