"""What the page of a store tells: which levels changed, when, and with what."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from fsviz.answers.history import conclude_history, drift_words, step_words
from fsviz.figures.history import history_figure
from fsviz.model.escaping import markdown_text, printable
from fsviz.model.libraries import pd
from fsviz.model.table import OPERATIONS
from fsviz.model.units import format_value
from fsviz.report.entries import CARD, Card
from fsviz.store.history import Followed, histories
from fsviz.store.manifest import MANIFEST, Kept, is_store, manifest

__all__ = ["card_of_histories", "conclude_histories", "histories", "history_figure"]

MOST = 5
"""Changes that the first lines tell; the table has all."""


def several_campaigns(source: str) -> dict[str, Kept]:
    """List the campaigns of a store that holds more than one."""
    folder = Path(source)
    held = manifest(folder) if is_store(folder) else {}
    return held if len(held) > 1 else {}


def conclude_histories(followed: Sequence[Followed]) -> str:
    """Describe in Markdown which levels changed.

    Parameters
    ----------
    followed : sequence of Followed
        As `fsviz.store.history.histories` lists them.

    Returns
    -------
    str
        A bold line, and a line for each of the largest changes; names are escaped.
    """
    changed = _changed(followed)
    told = [_sentence(one) for one in changed[:MOST]]
    more = len(changed) - len(told)
    last = [f"{more} more in the table."] if more else []
    lines = [f"- {markdown_text(text)}" for text in [*told, *last]]
    return "\n".join([f"**{_headline(followed)}**", "", *lines])


def histories_table(followed: Sequence[Followed]) -> pd.DataFrame:
    """List all histories for people to read, one row each.

    Parameters
    ----------
    followed : sequence of Followed
        As `fsviz.store.history.histories` lists them.

    Returns
    -------
    DataFrame of str
    """
    return pd.DataFrame(list(map(_row, followed)), dtype="string")


def _row(one: Followed) -> dict[str, str]:
    frame, changes = one.frame, one.changes
    last = changes.iloc[-1] if len(changes) else None
    newest = frame.iloc[-1]
    return {
        "operation": OPERATIONS[one.operation],
        "system": printable(one.system),
        "campaigns": str(len(frame)),
        "newest mean": _mean(newest),
        "changes": str(len(changes)),
        "last change": drift_words(frame) if last is None else _step(last),
        "since": "" if last is None else _since(last),
    }


def _mean(row: pd.Series) -> str:
    """Write a campaign's mean, or its limit where a run was too fast to time."""
    unit = str(row["unit"])
    for sign, name in (("", "value"), (">", "value_low"), ("<", "value_high")):
        if (value := float(row[name])) > 0:
            return f"{sign}{format_value(value, unit)}"
    return "–"


def _step(row: pd.Series) -> str:
    return step_words(row.to_dict())


def _since(row: pd.Series) -> str:
    return str(row["began"])[:10] or printable(str(row["key"]))


def _sentence(one: Followed) -> str:
    return conclude_history(one.frame, one.system, one.operation)


def _changed(followed: Sequence[Followed]) -> list[Followed]:
    return [one for one in followed if one.has_changed]


def _headline(followed: Sequence[Followed]) -> str:
    most = max(len(one.frame) for one in followed)
    few = "; fewer than ten cannot show a change" if most < 10 else ""
    among = f"{len(followed)} histories of up to {most} campaigns{few}."
    changed = len(_changed(followed))
    return f"The level changed in {changed or 'none'} of {among}"


def card_of_histories(followed: Sequence[Followed]) -> dict[str, object]:
    """Return what the index shows about a store, for the page of its histories.

    Parameters
    ----------
    followed : sequence of Followed
        As `fsviz.store.history.histories` lists them.

    Returns
    -------
    dict
        Metadata of an output, see `fsviz.report.index.stated_card`.
    """
    first = [_sentence(one) for one in _changed(followed)[:1]]
    card = Card(headline=" ".join([_headline(followed), *first]))
    return {CARD: card.model_dump(exclude_defaults=True)}


def digest_of_store(source: str) -> str:
    """Name what a store holds by the content of its manifest."""
    return hashlib.sha256((Path(source) / MANIFEST).read_bytes()).hexdigest()
