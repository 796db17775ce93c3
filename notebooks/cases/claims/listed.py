"""``claims.csv``: the conclusions of a publication that its own numbers can judge.

One row a claim, in our words, with the authors' number. ``test`` is ``ratio``: figure ÷
against, held against ``low`` … ``high`` times; ``gain``: the same in per cent above; or
``link``: whether a link, ``against``, carries the figure.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

from fsviz.campaigns.publication import rows_of
from fsviz.model.errors import MalformedRowError, quoted

TESTS = ("ratio", "gain", "link")
"""Names that ``test`` may have."""


class Claim(NamedTuple):
    """One row of ``claims.csv``; a missing bound is infinite."""

    name: str
    claim: str
    printed: str
    test: str
    figure: str
    against: str
    low: float
    high: float
    place: str
    remark: str


def read_claims(folder: Path) -> list[Claim]:
    """Read the claims of a publication."""
    path = folder / "claims.csv"
    claims = []
    for line, row in rows_of(path, Claim._fields):
        if row["test"] not in TESTS:
            expected = f"a test of {', '.join(TESTS)}"
            raise MalformedRowError(str(path), line, expected, quoted(row["test"]))
        try:
            low, high = float(row["low"] or -math.inf), float(row["high"] or math.inf)
        except ValueError as error:
            expected, ends = "numbers for low and high", f"{row['low']}, {row['high']}"
            raise MalformedRowError(str(path), line, expected, quoted(ends)) from error
        claims.append(Claim(**(row | {"low": low, "high": high})))
    return claims
