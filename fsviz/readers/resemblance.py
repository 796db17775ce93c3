"""What a text that nothing recognises resembles, and where it stops fitting.

The nearest format is the one of whose words most are in the text. A table of which a
column has another name, or JSON with other keys, is told by its first lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fsviz.model.errors import UnknownFormatError, quoted
from fsviz.readers.document import Document
from fsviz.readers.generic import missing_columns
from fsviz.readers.signatures import Format

_ENOUGH = 2
"""Words of a format from which a text resembles it; one may be in any text."""
_KEY = re.compile(r'"([^"\\\n]{1,40})"\s*:')


def resembled(document: Document, known: Sequence[Format]) -> UnknownFormatError:
    """Say what a text is nearest to, and how to see what would be read."""
    names = ", ".join(form.name for form in known)
    near = _header(document) or _nearest(document, known)
    line, found, like = near or (1, "", "table")
    advice = f"see `fsviz formats`, and `fsviz formats --explain {like}`"
    what = "none of their signatures" + (f", but {found}" if found else "")
    error = UnknownFormatError(
        document.path, line, f"output of one of {names}", f"{what}; {advice}"
    )
    error.is_strange = near is None
    return error


def _header(document: Document) -> tuple[int, str, str] | None:
    """Tell a table of one's own by a first row of as many cells as the second has."""
    filled = [(n, line) for n, line in enumerate(document.lines, 1) if line.strip()]
    filled = [(n, line) for n, line in filled[:20] if not line.startswith("#")][:2]
    if len(filled) < 2 or document.text.lstrip()[:1] in "{[":
        return None
    (at, first), (_, second) = filled
    for separator in "\t;,":
        cells = first.split(separator)
        if len(cells) > 2 and len(second.split(separator)) == len(cells):
            lacking = " and ".join(missing_columns(cells))
            found = f"a table {quoted(first)} without a column {lacking}"
            return (at, found, "table") if lacking else None
    return None


def _nearest(
    document: Document, known: Sequence[Format]
) -> tuple[int, str, str] | None:
    text = document.text.lower()
    hits = {form: [w for w in form.near if w in text] for form in known if form.near}
    best = max(hits, key=lambda form: len(hits[form]), default=None)
    if best is None or len(hits[best]) < _ENOUGH:
        keys = list(dict.fromkeys(_KEY.findall(document.text[:10_000])))[:4]
        if keys and document.text.lstrip()[:1] in "{[":
            return 1, f"JSON with {', '.join(map(quoted, keys))}", "table"
        return None
    first = min(text.index(word) for word in hits[best])
    line = text.count("\n", 0, first) + 1
    words = " and ".join(map(quoted, hits[best][:2]))
    return line, f"{words}, as in {best.title}", best.name
