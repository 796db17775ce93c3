"""One cell of an overview: mark, how many times, and what the answer is about."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fsviz.analysis.buckets import ALL
from fsviz.analysis.regimes import REGIMES
from fsviz.analysis.verdicts import DIFFERENT, DISQUALIFIED
from fsviz.model.table import METRICS, OPERATIONS
from fsviz.model.thresholds import THRESHOLDS
from fsviz.model.units import format_times

if TYPE_CHECKING:
    import pandas as pd

Row = Mapping[str, object]

MARKS = {
    "faster": "▲",
    "slower": "▼",
    "same": "=",
    "unclear": "≈",
    DISQUALIFIED: "✗",
    "untested": "·",
}
"""Mark of each verdict."""

MEANINGS = {
    "faster": "faster",
    "slower": "slower",
    "same": "within 5 %",
    "unclear": "not told apart",
    DISQUALIFIED: "disqualified",
    "untested": "untested (under 3 runs)",
}

SCOPES = {
    "cache": "c",
    "transition": "t",
    "storage": "s",
    "sync against async": "a",
    "emulated": "e",
    "one after another": "o",
}
"""Letter of each word of a scope; any other one names what else differs."""

OTHER_SCOPE = "d"
SCOPE_MEANINGS = {
    **{letter: word for word, letter in SCOPES.items()},
    OTHER_SCOPE: "also differs",
}

_SHORT = {"sequential": "seq.", "output": "out", "input": "in"}


def measured(row: Row) -> bool:
    """Say whether both systems have runs of this, and not bounds such as +++++ alone.

    Bounds on both sides may lie apart all the same, which the verdict then says.
    """
    return ran(row) and (bool(row["numbers"]) or row["verdict"] in DIFFERENT)


def ran(row: Row) -> bool:
    """Say whether both systems have runs of this, whatever these printed."""
    return bool(row["n_baseline"]) and bool(row["n_candidate"])


def columns_of(rows: pd.DataFrame) -> list[tuple[str, str]]:
    """List the columns of a tool: operations, then means of metrics with several."""
    pairs = zip(rows["operation"].astype(str), rows["metric"].astype(str), strict=True)
    seen = list(dict.fromkeys(pairs))
    single = [key for key in seen if key[0] != ALL]
    metrics = [metric for _, metric in single]
    means = [key for key in seen if key[0] == ALL and metrics.count(key[1]) > 1]
    return [*single, *means]


def cell_text(row: Row) -> str:
    """Write a row of an overview as one cell; empty where it was not measured.

    >>> row = dict(verdict="slower", speed=1 / 1.68, scope=["cache"])
    >>> cell_text(row | dict(n_baseline=5, n_candidate=5, numbers=True))
    '▼1.7×c'
    >>> alone = dict(row, verdict="untested", metric="throughput", numbers=True)
    >>> alone |= dict(n_baseline=1, n_candidate=1, bound_low=0.59, bound_high=0.6)
    >>> cell_text(alone)
    '·▼1.7×'
    """
    if not measured(row):
        return ""
    verdict = str(row["verdict"])
    times = _times(row, verdict)
    if found := as_measured(row):
        times = MARKS.get(found.direction, "") + found.times
    return f"{MARKS[verdict]}{times}{scope_letter(row)}"


def cell_words(row: Row) -> str:
    """Say a row of an overview in words, without its scope.

    >>> row = dict(verdict="slower", speed=1 / 1.68, n_baseline=5, n_candidate=5)
    >>> cell_words(row | dict(numbers=True))
    '1.7× slower'
    """
    if not measured(row):
        return "not measured"
    verdict = str(row["verdict"])
    if found := as_measured(row):
        return f"measured {found.words}, {MEANINGS[verdict]}"
    times = _times(row, verdict).replace(">", "more than ")
    return f"{times} {MEANINGS[verdict]}".strip()


@dataclass(frozen=True, slots=True)
class Measured:
    """How much the numbers of two systems differ where no test says whether they do."""

    low: float
    high: float

    @property
    def direction(self) -> str:
        """``faster`` or ``slower``, empty where the numbers are as good as equal."""
        if format_times(self.least) == "1.00":
            return ""
        return "faster" if self.low > 1 else "slower"

    @property
    def least(self) -> float:
        """How many times faster or slower at least."""
        return max(self.low, 1 / self.high)

    @property
    def exact(self) -> bool:
        """Whether the digits leave little open."""
        return self.low == self.high

    @property
    def times(self) -> str:
        """Write how many times, as a cell does after the mark of the direction."""
        least = format_times(self.least, down=not self.exact)
        return f"{'' if self.exact else '>'}{least}×"

    @property
    def words(self) -> str:
        """Say how many times, as a sentence does."""
        times = self.times.replace(">", "more than ")
        return f"{times} {self.direction}" if self.direction else "as fast"


_OPEN = 1 + THRESHOLDS["rounding"].default
"""What printed digits may leave open of a ratio that is said as one number."""


def as_measured(row: Row) -> Measured | None:
    """Say how much the numbers differ where there are too few, or not of one thing.

    >>> row = dict(verdict="untested", metric="rate", speed=173.5)
    >>> as_measured(row | dict(bound_low=115.7, bound_high=174.0)).words
    'more than 115× faster'
    """
    if row["verdict"] not in ("untested", DISQUALIFIED):
        return None
    speed = float(str(row["speed"]))
    least, most = (float(str(row[name])) for name in ("bound_low", "bound_high"))
    bounded = not (math.isnan(least) and math.isnan(most))
    # an end that is not known is open: +++++ has a lower one alone
    ends = (0.0 if math.isnan(least) else least, math.inf if math.isnan(most) else most)
    low, high = sorted(speed_of(end, str(row["metric"])) for end in ends)
    if 0 < speed < math.inf and not (bounded and high > _OPEN * low):
        return Measured(speed, speed)
    return Measured(low, high) if low > 1 or 0 < high < 1 else None


def _times(row: Row, verdict: str) -> str:
    if verdict not in DIFFERENT:
        return ""
    speed = float(str(row["speed"]))
    if speed > 0:
        return f"{format_times(speed if verdict == 'faster' else 1 / speed)}×"
    least = least_times(row)
    return f">{format_times(least, down=True)}×" if least > 1 else ""


def times_words(speed: float) -> str:
    """Say how many times as fast something is, as people say it.

    >>> [times_words(speed) for speed in (1 / 1.68, 2.0, 1.001, 0.0)]
    ['1.7× slower', '2.0× faster', 'as fast', '–']
    """
    if not 0 < speed < math.inf:
        return "–"
    times = format_times(max(speed, 1 / speed))
    if times == "1.00":
        return "as fast"
    return f"{times}× {'faster' if speed > 1 else 'slower'}"


def range_words(low: float, high: float) -> str:
    """Say from how many to how many times as fast something is.

    >>> range_words(0.5, 0.64), range_words(0.9, 1.5), range_words(0.0, 0.25)
    ('1.6–2.0× slower', '1.1× slower to 1.5× faster', 'at least 4.0× slower')
    >>> range_words(0.0, 0.0)
    '–'
    """
    if low <= 0 and high == math.inf:
        return "anything"
    if low <= 0 or high == math.inf:
        end, beyond = (high, high < 1) if low <= 0 else (low, low > 1)
        if not 0 < end < math.inf:
            return "–"
        if not beyond:
            return f"at most {times_words(end)}"
        least = format_times(max(end, 1 / end), down=True)
        return f"at least {least}× {'faster' if end > 1 else 'slower'}"
    first, last = times_words(low), times_words(high)
    if first == last:
        return first
    if (low > 1) != (high > 1) or "as fast" in (first, last):
        return f"{first} to {last}"
    near, far = sorted(max(end, 1 / end) for end in (low, high))
    word = last.rpartition(" ")[2]
    return f"{format_times(near)}–{format_times(far)}× {word}"


def times_mark(speed: float) -> str:
    """Write how many times as fast at an axis: the marks of the cells, and a number.

    >>> [times_mark(speed) for speed in (1 / 16, 0.7, 1, 2)]
    ['▼16×', '▼1.4×', '1×', '▲2×']
    """
    if speed == 1:
        return "1×"
    mark = MARKS["faster" if speed > 1 else "slower"]
    return f"{mark}{format_times(max(speed, 1 / speed)).removesuffix('.0')}×"


def speed_of(ratio: float, metric: str) -> float:
    """Turn a ratio of values so that above 1 is faster.

    >>> speed_of(2.0, "throughput"), speed_of(2.0, "latency")
    (2.0, 0.5)
    """
    if METRICS[metric].better >= 0:
        return ratio
    return 1 / ratio if ratio else math.inf


def least_times(row: Row) -> float:
    """How many times faster or slower a row without a ratio is at least.

    >>> least_times({"verdict": "slower", "speed_low": 0.0, "speed_high": 0.25})
    4.0
    """
    if row["verdict"] == "faster":
        return float(str(row["speed_low"]))
    high = float(str(row["speed_high"]))
    return 1 / high if high > 0 else 1.0


def scope_words(row: Row) -> tuple[str, ...]:
    """Say what a row is about; sizes of several regimes together name none.

    >>> row = dict(verdict="slower", scope=["cache", "storage", "emulated"])
    >>> scope_words(row)
    ('emulated',)
    """
    words = row["scope"]
    if row["verdict"] in ("untested", DISQUALIFIED) or not isinstance(words, list):
        return ()
    regimes = [word for word in words if word in REGIMES]
    dropped = regimes if len(regimes) > 1 else []
    return tuple(word for word in words if word not in dropped)


def scope_letter(row: Row) -> str:
    """Letter of the first of a row's `scope_words`; empty without any."""
    words = scope_words(row)
    return SCOPES.get(words[0], OTHER_SCOPE) if words else ""


def in_two_lines(operation: str) -> tuple[str, str]:
    """Break the title of an operation so that its longer line is short.

    >>> in_two_lines("sequential_output_block"), in_two_lines("write")
    (('seq. out', 'block'), ('', 'write'))
    """
    title = OPERATIONS.get(operation, operation.replace("_", " "))
    words = [_SHORT.get(word, word) for word in title.split()]
    breaks = [
        (" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))
    ] or [("", title)]
    return min(breaks, key=lambda lines: max(map(len, lines)))


def legend(cells: Iterable[Row]) -> str:
    """Explain the marks and the letters that the cells use."""
    rows = [row for row in cells if measured(row)]
    used = {row["verdict"] for row in rows}
    marks = [f"{MARKS[name]} {MEANINGS[name]}" for name in MARKS if name in used]
    letters = {scope_letter(row) for row in rows}
    about = [f"{one} {word}" for one, word in SCOPE_MEANINGS.items() if one in letters]
    text = ", ".join(marks) or "nothing was measured on both sides"
    return f"{text}; about: {', '.join(about)}" if about else text
