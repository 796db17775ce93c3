"""Every mark, word and colour of an answer, and how ratios are worded.

A legend is made of it, so no output has a sign that is explained nowhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from fsviz.analysis.answers import (
    ANSWERS,
    IN_PART,
    MIXED,
    NOT_COMPARABLE,
    SAME,
    UNDECIDED,
    UNTESTED,
)
from fsviz.analysis.buckets import EDGES
from fsviz.model.table import METRICS, OPERATIONS
from fsviz.model.units import format_times


@dataclass(frozen=True, slots=True)
class Look:
    """How an answer looks: mark, words, colour of a terminal, colour of a sheet."""

    mark: str
    words: str
    meaning: str
    style: str = ""
    fill: str = ""


_BLUE, _RED = "BBD7EA", "F9C9B4"
LOOKS = {
    "faster": Look("▲", "faster", "faster", "green", _BLUE),
    "slower": Look("▼", "slower", "slower", "red", _RED),
    MIXED: Look(
        "±", "mixed", "faster in some parts, slower in others", "yellow", "F2E7B8"
    ),
    IN_PART["faster"]: Look(
        "▲",
        "faster in part",
        "faster at some sizes, not shown at others",
        "green",
        _BLUE,
    ),
    IN_PART["slower"]: Look(
        "▼", "slower in part", "slower at some sizes, not shown at others", "red", _RED
    ),
    SAME: Look("=", "about the same", "the interval lies within 5 % of equal"),
    UNDECIDED: Look("~", "inconclusive", "neither a difference nor equality is shown"),
    UNTESTED: Look("", "untested", "under 3 runs of a side; the ratio is in brackets"),
    NOT_COMPARABLE: Look(
        "",
        "not comparable",
        "not of the same work; a rule of fsviz check says why",
        "magenta",
        "E3CFE6",
    ),
}
"""Every answer, in the order of legends: the only signs of tables and figures."""

MARKS = {answer: LOOKS[answer].mark for answer in ANSWERS}
WORDS = {answer: LOOKS[answer].words for answer in ANSWERS}
STYLES = {answer: look.style for answer, look in LOOKS.items() if look.style}
FILLS = {answer: look.fill for answer, look in LOOKS.items() if look.fill}

ANSWER_SCALE = "RdBu"
"""Blue is faster, red slower, which the colour-blind tell apart (Brewer's RdBu)."""
ANSWER_COLOURS = {"faster": "#2b7bba", "slower": "#c8452f"}
"""Of a legend. Pages have ``--faster`` and ``--slower`` in ``report.css``, dark ones
``dark.js``, a terminal the ``_PAINTS`` of `fsviz.text.terminal`; captions of `maps` and
`versus` and two notebooks name the colours."""

BUCKET_WORDS = {
    "cpu_cache": "in CPU cache",
    "memory": "in memory",
    "beyond_memory": "beyond memory",
    "very_large": "very large",
}
"""Size classes, where their own name does not say what they are."""


def bucket_words(name: str) -> str:
    """Say in which files a mean is.

    >>> bucket_words("very_large"), bucket_words("memory")
    ('in very large files', 'in memory')
    """
    words = BUCKET_WORDS.get(name, name)
    return f"in {words} files" if name in EDGES else words


_SHORT = {"sequential": "seq.", "output": "out", "input": "in"}


def times_words(speed: float) -> str:
    """Say how many times as fast something is, as people say it.

    >>> [times_words(speed) for speed in (1 / 1.68, 2.0, 1.001, 0.0)]
    ['1.7× slower', '2.0× faster', 'as fast', '–']
    """
    if not 0 < speed < math.inf:
        return "–"
    times = format_times(factor_of(speed))
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
    return f"{mark}{format_times(factor_of(speed)).removesuffix('.0')}×"


def factor_of(speed: float) -> float:
    """Say how many times faster or slower a speed is.

    >>> factor_of(0.5), factor_of(2.0)
    (2.0, 2.0)
    """
    return max(speed, 1 / speed)


def speed_of(ratio: float, metric: str) -> float:
    """Turn a ratio of values so that above 1 is faster.

    >>> speed_of(2.0, "throughput"), speed_of(2.0, "latency")
    (2.0, 0.5)
    """
    if METRICS[metric].better >= 0:
        return ratio
    return 1 / ratio if ratio else math.inf


def rule_words(rule: str) -> str:
    """Return the name of a rule of ``fsviz check`` as words.

    >>> rule_words("incomplete-run")
    'incomplete run'
    """
    return rule.replace("-", " ")


def short_title(operation: str) -> str:
    """Return an operation as the narrow column of a table has it.

    >>> short_title("sequential_output_block"), short_title("random_read")
    ('seq. out block', 'random read')
    """
    title = OPERATIONS.get(operation, operation.replace("_", " "))
    return " ".join(_SHORT.get(word, word) for word in title.split())


def in_two_lines(operation: str) -> tuple[str, str]:
    """Break the title of an operation so that its longer line is short.

    >>> in_two_lines("sequential_output_block"), in_two_lines("write")
    (('seq. out', 'block'), ('', 'write'))
    """
    words = short_title(operation).split()
    first = 1 if len(words) > 1 else 0
    breaks = [
        (" ".join(words[:n]), " ".join(words[n:])) for n in range(first, len(words))
    ]
    return min(breaks, key=lambda lines: max(map(len, lines)))
