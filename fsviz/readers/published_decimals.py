"""Which sign stands before the decimals of a published table: point or comma.

One sign with three digits after it, as in ``1.234``, does not tell; another cell of the
same table has to. Blanks, apostrophes and underscores between digits are grouping.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_TOKEN = re.compile(r"\d[\d.,'’_]*\d|\d")
_GROUPED = re.compile(r"(?<=\d)[ '’_](?=\d{3}(?!\d))")


def decimal_sign(texts: Sequence[str]) -> str:
    """Decide once for a table which sign stands before the decimals.

    Parameters
    ----------
    texts : sequence of str
        All its cells with numbers.

    Returns
    -------
    str
        ``.`` or ``,``; a point where nothing has a sign.

    Raises
    ------
    ValueError
        If the cells disagree, or if ``1.234`` is all that there is.

    Examples
    --------
    >>> decimal_sign(["1.234", "3,2"]), decimal_sign(["3.2"])
    (',', '.')
    """
    signs: set[str] = set()
    unclear = ""
    for text in texts:
        for token in _TOKEN.findall(text.replace("..", "–")):
            sign = _sign_of(token)
            signs.add(sign)
            unclear = unclear or (token if sign == "?" else "")
    signs -= {"", "?"}
    if len(signs) > 1:
        raise ValueError("one decimal sign in the whole table")
    if not signs and unclear:
        raise ValueError(f"a number whose decimal sign is known instead of {unclear!r}")
    return signs.pop() if signs else "."


def _sign_of(token: str) -> str:
    """The decimal sign of a token; empty if it has none, ``?`` if it cannot be told."""
    used = [c for c in token if c in ".,"]
    if not used:
        return ""
    other = {".": ",", ",": "."}
    if len(set(used)) == 2:
        return used[-1]
    if len(used) > 1:
        return other[used[0]]
    whole, _, decimals = token.partition(used[0])
    if len(decimals) != 3 or whole == "0":
        return used[0]
    return "?"


def plain(text: str, sign: str) -> str:
    """Rewrite the numbers of a cell without grouping and with a decimal point.

    Examples
    --------
    >>> plain("1.234,5 s – 2 000", ",")
    '1234.5 s – 2000'
    """
    text = _GROUPED.sub("", text.replace("..", "–"))
    grouping = "," if sign == "." else "."

    def rewrite(match: re.Match[str]) -> str:
        token = match[0]
        if grouping in token and not re.fullmatch(
            rf"\d{{1,3}}(?:{re.escape(grouping)}\d{{3}})+(?:{re.escape(sign)}\d+)?",
            token,
        ):
            raise ValueError("numbers grouped by threes")
        return token.replace(grouping, "").replace(sign, ".")

    return _TOKEN.sub(rewrite, text)
