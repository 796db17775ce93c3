"""``claims.csv``: the conclusions of a publication that its own numbers can judge.

One row a claim, in our words, with the authors' number. ``test`` is ``ratio``: figure ÷
against, held against ``low`` … ``high`` times; ``gain``: the same in per cent above; or
``link``: whether a link, ``against``, carries the figure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from fsviz.campaigns.publication import rows_of
from fsviz.model.errors import MalformedRowError, quoted

COLUMNS = (
    *("name", "claim", "printed", "test", "figure", "against", "low", "high"),
    *("place", "remark"),
)
TESTS = ("ratio", "gain", "link")
"""Names that ``test`` may have."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One row of ``claims.csv``."""

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
    for line, row in rows_of(path, COLUMNS):
        try:
            low, high = (float(row[k]) if row[k] else math.nan for k in ("low", "high"))
        except ValueError as error:
            raise MalformedRowError(
                str(path), line, "numbers for low and high", quoted(row["low"])
            ) from error
        if row["test"] not in TESTS:
            expected = f"a test of {', '.join(TESTS)}"
            raise MalformedRowError(str(path), line, expected, quoted(row["test"]))
        claims.append(Claim(**(row | {"low": low, "high": high})))
    return claims
