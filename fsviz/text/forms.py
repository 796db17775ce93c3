"""In which form an answer is written: what a person asked for, and a file's suffix."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

from fsviz.model.errors import UsageError, printable
from fsviz.model.writing import refuse_place

Form = Literal["text", "csv", "json", "markdown", "xlsx", "parquet"]
Format = Literal["text", "csv", "json", "markdown"]
"""Those that are text."""

FORMS: tuple[str, ...] = get_args(Form)
PEOPLE = ("text", "markdown")
"""Forms with units and three digits; the others keep every digit, in base units."""

BINARY = ("xlsx", "parquet")
"""Forms that a terminal cannot show."""

_SUFFIXES = {f".{form}": form for form in FORMS} | {".md": "markdown", ".txt": "text"}


def form_of(form: str | None, output: Path | None) -> str:
    """Settle how an answer is written, before any work is done.

    >>> form_of(None, Path("a.md")), form_of(None, None), form_of("csv", Path("a.dat"))
    ('markdown', 'text', 'csv')
    """
    if output is None:
        if form in BINARY:
            raise UsageError(f"--format {form}: expected -o FILE, found none")
        return form or "text"
    named = _SUFFIXES.get(output.suffix.lower())
    if named is None and form is None:
        endings = ", ".join(sorted(_SUFFIXES))
        raise UsageError(
            f"{output}: expected a name ending in {endings}, or --format, found "
            f"{printable(output.suffix) or 'no suffix'}"
        )
    if form and named and form != named:
        raise UsageError(
            f"{output}: expected --format {named} for this name, found {form}"
        )
    refuse_place(output)
    return str(form or named)
