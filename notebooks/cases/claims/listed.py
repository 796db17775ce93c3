"""``claims.csv``: what a publication concludes.

One row a claim, in our words, with the authors' number:

==============  ===================================================================
``test``        what is computed from ``figure`` and ``against``
==============  ===================================================================
``ratio``       figure ÷ against, held against ``low`` … ``high`` times
``gain``        the same in per cent above
``difference``  how far apart they are, held against ``low`` … ``high``
``rest``        what a mean of ``high`` sizes needs if all but one lie in against
``most``        in how many cases they differ by at most ``high``; ``*`` as below
``higher``      in how many tests the one is higher; ``*`` stands for the test
``more_cpu``    the same for CPU use ÷ throughput or rate, beyond what digits allow
``link``        whether a link, ``against``, carries the figure
``impossible``  how many cells of a square chart have records above the file size
``text``        nothing: the text contradicts itself, at the place ``figure``
``source``      nothing: a source contradicts it, and ``figure`` names the source
``confounded``  nothing: several things differ, and ``figure`` names them
``not_printed`` nothing: no figure is printed
==============  ===================================================================
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from claims.intervals import Bounds
from fsviz.campaigns.publication import rows_of
from fsviz.model.errors import MalformedRowError, quoted

COLUMNS = (
    *("name", "claim", "printed", "test", "figure", "against", "low", "high"),
    *("place", "remark"),
)
TESTS = (
    *("ratio", "gain", "difference", "most", "rest", "higher", "more_cpu", "link"),
    *("impossible", "text", "source", "confounded", "not_printed"),
)
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


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result for a claim: in words and, if it is one, as a number."""

    recomputed: str
    verdict: str
    bounds: Bounds | None = None


def read_claims(folder: Path) -> list[Claim]:
    """Read the claims of a publication."""
    path = folder / "claims.csv"
    found = []
    for line, row in rows_of(path, COLUMNS):
        try:
            low, high = (float(row[k]) if row[k] else math.nan for k in ("low", "high"))
        except ValueError as error:
            raise MalformedRowError(
                str(path), line, "numbers for low and high", quoted(row["low"])
            ) from error
        if row["test"] not in TESTS:
            known = f"a test of {', '.join(TESTS)}"
            raise MalformedRowError(str(path), line, known, quoted(row["test"]))
        found.append(Claim(**(row | {"low": low, "high": high})))
    return found
