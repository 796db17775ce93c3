"""What is told of finished reports in JSON beside them, and read again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fsviz.analysis.answers import ANSWERS
from fsviz.checks.findings import Severity

LARGEST = 16 * 1024**2
"""Bytes of an entry; 70,000 problems of input take less."""
SITE = "site.json"

Stated = TypeVar("Stated", bound=BaseModel)


class _Strict(BaseModel):
    """Read only as it was written."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Cell(_Strict):
    """One cell of a card's table: its text, and the answer that colours it."""

    text: str = ""
    answer: Literal["", *ANSWERS] = ""  # type: ignore[valid-type]


class Line(_Strict):
    """One system of a card's table."""

    system: str
    cells: tuple[Cell, ...]


class Words(_Strict):
    """One line of the first words."""

    tool: str
    names: str
    text: str


class Card(_Strict):
    """What the index shows of a campaign: first words, trust, its first table.

    ``trust`` holds the four questions with the state of their answers.
    """

    headline: str = ""
    words: tuple[Words, ...] = ()
    title: str = ""
    columns: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    trust: tuple[tuple[str, Literal["fine", "warning", "error", "unknown"]], ...] = ()


CARD = "fsviz_card"
"""Key of an output's metadata: a page that finds out what its card says states it."""


def stated_card(notebook: Mapping[str, Any]) -> Card | None:
    """Find the card that an executed notebook states."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            if CARD in (metadata := output.get("metadata", {})):
                try:
                    return Card.model_validate(metadata[CARD], strict=False)
                except ValidationError:
                    return None
    return None


def first_paragraph(notebook: Mapping[str, Any]) -> str:
    """Return what an executed notebook says first below its heading, as plain text."""
    for cell in notebook["cells"]:
        outputs = [o.get("data", {}) for o in cell.get("outputs", ())]
        texts = [output.get("text/markdown", "") for output in outputs]
        if cell["cell_type"] == "markdown":
            texts = [cell["source"].partition("\n")[2]]
        for text in filter(None, map(str.strip, texts)):
            return _without_marks(text.split("\n\n")[0])
    return ""


def _without_marks(markdown: str) -> str:
    """Leave out of a paragraph what Markdown reads as emphasis, code or a link.

    >>> _without_marks("*Ten minutes.* See [the guide](guide.md).")
    'Ten minutes. See the guide.'
    """
    return re.sub(r"[*`]|\[([^\]]*)\]\([^)]*\)", r"\1", markdown)


class Entry(_Strict):
    """What is told about a finished report in a JSON file beside it.

    A folder of reports may also hold JSON of others, so nothing else is accepted.
    ``state`` names all that ``planned``, the templates of its campaign, followed from.
    """

    kind: Literal["fsviz report"] = "fsviz report"
    title: str
    template: Annotated[str, Field(pattern=r"^[^/\\\x00]+$", max_length=255)]
    label: str = ""
    card: Card = Card()
    caption: str = ""
    sources: tuple[str, ...]
    formats: tuple[Literal["html", "pdf"], ...] = ()
    standalone: bool = True
    fingerprint: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    made: Annotated[str, Field(max_length=64)] = ""
    systems: tuple[str, ...] = ()
    runs: int = 0
    problems: tuple[str, ...] = ()
    findings: dict[Severity, int] = {}
    regime: str = ""
    selection: str = ""
    state: Annotated[str, Field(pattern="^([0-9a-f]{64})?$")] = ""
    planned: tuple[str, ...] = ()


class Site(_Strict):
    """What the index says of all reports; kept beside it for the next batch."""

    kind: Literal["fsviz site"] = "fsviz site"
    title: str = "Benchmark reports"
    footer: str = ""


def site_of(out: Path) -> Site:
    """Read what was said of a folder of reports."""
    return _read(out / SITE, Site) or Site()


def read_entry(path: Path) -> Entry | None:
    """Read an entry that fsviz wrote beside a report."""
    entry = _read(path, Entry)
    if entry is None or not (entry.formats and entry.made):
        return None
    written = "kind" in entry.model_fields_set and entry.template == path.stem
    return entry if written else None


def _read(path: Path, model: type[Stated]) -> Stated | None:
    """Read what fsviz wrote; None where there is nothing, or anything else."""
    try:
        if path.is_file() and path.stat().st_size <= LARGEST:
            return model.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        pass
    return None
