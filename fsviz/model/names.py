"""Names as people write them: one spelling each, lists of them, and unknown ones."""

from __future__ import annotations

import difflib
import functools
import inspect
import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from fsviz.model.errors import UsageError
from fsviz.model.escaping import printable, unicode_name

_BLANKS = re.compile(r"[^\S\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
"""All but what ends a line."""
_SHAPES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХҮԌԚԜаеѕіјкорсухүһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχωγ",
    "ABESIJKMHOPCTYXYGQWaesijkopcyxyhdqwABEZHIKMNOPTYXaikvopuxwy",
)
"""Cyrillic and Greek letters by the Latin ones that they are drawn as, from
https://www.unicode.org/reports/tr39/#Confusable_Detection."""

Names = str | Iterable[str] | None
"""One name, several, or None for all."""


def normalised_name(name: str) -> str:
    r"""Return a name in Unicode's composed form (NFC), with single blanks.

    macOS writes ``é`` as two characters, so one folder had two names.

    >>> normalised_name(" cafe\u0301  2 ") == "café 2"
    True
    """
    composed = unicodedata.normalize("NFC", unicode_name(name))
    return _BLANKS.sub(" ", composed).strip(" ") or name


def look_alike(name: str) -> str:
    r"""Return what is left of a name but for case, width, unseen and alike letters.

    >>> look_alike("NFS\u2011v4"), look_alike("n\u200bfѕ-v4")
    ('nfs-v4', 'nfs-v4')
    """
    plain = unicodedata.normalize("NFKC", name.replace("\u2011", "-"))
    return "".join(
        "-" if unicodedata.category(c) == "Pd" else c
        for c in plain.translate(_SHAPES).casefold()
        if unicodedata.category(c) not in ("Cf", "Mn", "Cc")
    )


def names_of(names: Names) -> list[str]:
    """Return a list of names; a single string is one name.

    Parameters
    ----------
    names : str, iterable of str or None
        None gives an empty list. A JSON list in a string, such as ``["nfs", "smb"]``,
        is accepted because ``papermill -p`` writes lists so.

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
        names = json.loads(text)
    except ValueError:
        return None
    return names if all(isinstance(name, str) for name in names) else None


def unknown(noun: str, name: str, choices: Iterable[str]) -> UsageError:
    """Say that a name is not known, which are, and which of them may be meant.

    >>> print(unknown("operation", "raed", ["read", "write"]))
    operation: expected one of read, write, found raed; did you mean read?
    """
    names = list(choices)
    if not names:
        return UsageError(f"{printable(name)}: expected a {noun}, found no numbers")
    # tables print sequential_output_block as seq. out block
    titles = {choices.replace("_", " "): choices for choices in names}
    close = difflib.get_close_matches(name.replace("_", " "), titles, 1)
    hint = f"; did you mean {printable(titles[close[0]])}?" if close else ""
    return UsageError(
        f"{noun}: expected one of {', '.join(map(printable, names))}, "
        f"found {printable(name)}{hint}"
    )


def choose(noun: str, given: Names, choices: Sequence[str]) -> list[str]:
    """List the known names that a person chose.

    >>> choose("operation", "read,write", ["write", "read"])
    ['read', 'write']
    >>> choose("system", ["nfs v4, sync"], ["smb", "nfs v4, sync"])
    ['nfs v4, sync']
    """
    chosen: list[str] = []
    for given_name in names_of(given):
        text = given_name if given_name in choices else normalised_name(given_name)
        parts = [text] if text in choices or "," not in text else text.split(",")
        for name in (text if text in choices else part.strip() for part in parts):
            if name and name not in choices:
                raise unknown(noun, name, choices)
            chosen += [name] if name else []
    return list(dict.fromkeys(chosen))


def keywords_of(
    noun: str, choices: Collection[str], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Spell keywords as a function does: singular or plural; refuse others.

    >>> keywords_of("select", ["data", "system"], {"systems": "nfs"})
    {'system': 'nfs'}
    >>> keywords_of("select", ["data", "system"], {"sytem": "nfs"})
    Traceback (most recent call last):
    fsviz.model.errors.UsageError: select: expected one of data, system, found sytem; \
did you mean system?
    """
    spelled: dict[str, Any] = {}
    for name, value in given.items():
        forms = (name, f"{name}s", name.removesuffix("s"))
        spelling = next((form for form in forms if form in choices), None)
        if spelling is None:
            raise unknown(noun, name, choices)
        if spelling in spelled:
            raise UsageError(f"{noun}: expected {spelling} once, found {name} too")
        spelled[spelling] = value
    return spelled


def as_guessed(room: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Have a function of a room take keywords as `keywords_of` spells them."""
    parameters = inspect.signature(function).parameters
    if any(
        parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()
    ):
        return function

    @functools.wraps(function)
    def called(*args: Any, **given: Any) -> Any:
        return function(*args, **keywords_of(function.__name__, parameters, given))

    called.__module__ = room  # where pickle finds it
    return called


def fit(name: str, width: int) -> str:
    """Cut the middle out of a long name: both ends may tell it from others.

    >>> fit("nfs-v4.2-of-rack-17", 12), fit("nfs", 12)
    ('nfs-v4…ck-17', 'nfs')
    """
    if len(name) <= width:
        return name
    tail = (width - 1) // 2
    return f"{name[: width - 1 - tail]}…{name[-tail:]}"


def natural(text: str) -> list[tuple[int, int, str]]:
    """Sort key that puts ``rep10`` after ``rep9``.

    >>> sorted(["rep10", "rep9", "Rep1"], key=natural)
    ['Rep1', 'rep9', 'rep10']
    """
    parts = re.findall(r"\d+|\D+", text.lower())
    return [(0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts]
