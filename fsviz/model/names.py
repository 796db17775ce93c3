"""Lists of names as people give them, and what to say of a name that is not known."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence

from fsviz.model.errors import UsageError
from fsviz.model.escaping import printable

Names = str | Iterable[str] | None
"""One name, several, or None for all."""


def names_of(names: Names) -> list[str]:
    """List names; a lone text is one name, not its letters.

    Parameters
    ----------
    names : str, iterable of str or None
        None is no name. A list in the form of JSON, such as ``["nfs", "smb"]``, is
        what ``papermill -p`` makes of one.

    Returns
    -------
    list of str

    Examples
    --------
    >>> names_of("nfs"), names_of(("a", "b")), names_of(None), names_of('["a", "b"]')
    (['nfs'], ['a', 'b'], [], ['a', 'b'])
    """
    if not isinstance(names, str):
        return list(names or ())
    listed = _json_list(names)
    return [names] if listed is None else listed


def _json_list(text: str) -> list[str] | None:
    if not text.startswith("["):
        return None
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if all(isinstance(name, str) for name in found) else None


def unknown(what: str, name: str, known: Iterable[str]) -> UsageError:
    """Say that a name is not known, which are, and which of them may be meant.

    >>> print(unknown("operation", "raed", ["read", "write"]))
    operation: expected one of read, write, found raed; did you mean read?
    """
    names = list(known)
    if not names:
        return UsageError(f"{printable(name)}: expected a {what}, found no numbers")
    close = difflib.get_close_matches(name, names, 1)
    hint = f"; did you mean {printable(close[0])}?" if close else ""
    return UsageError(
        f"{what}: expected one of {', '.join(map(printable, names))}, "
        f"found {printable(name)}{hint}"
    )


def choose(what: str, given: Names, known: Sequence[str]) -> list[str]:
    """List the known names that a person chose.

    >>> choose("operation", "read,write", ["write", "read"])
    ['read', 'write']
    >>> choose("system", ["nfs v4, sync"], ["smb", "nfs v4, sync"])
    ['nfs v4, sync']
    """
    chosen: list[str] = []
    for text in names_of(given):
        parts = [text] if text in known or "," not in text else text.split(",")
        for name in (text if text in known else part.strip() for part in parts):
            if name and name not in known:
                raise unknown(what, name, known)
            chosen += [name] if name else []
    return list(dict.fromkeys(chosen))


def fit(name: str, width: int) -> str:
    """Cut the middle out of a long name: both ends may tell it from others.

    >>> fit("nfs-v4.2-of-rack-17", 12), fit("nfs", 12)
    ('nfs-v4…ck-17', 'nfs')
    """
    if len(name) <= width:
        return name
    tail = (width - 1) // 2
    return f"{name[: width - 1 - tail]}…{name[-tail:]}"
