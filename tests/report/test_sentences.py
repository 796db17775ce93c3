"""Conclusions in words: what stands, what does not, and why."""

import pandas as pd
from frames import measurements, run

import fsviz
from fsviz.checks import Examination
from fsviz.checks.findings import MARKS
from fsviz.report.prose import conclusions

WOBBLE = (1.0, 1.01, 0.99)
CELLS = [("write", 64, 4), ("read", 64, 4), ("read", 64, 8)]
TABLE = measurements(
    {
        name: [
            run(f"{name}{i}", [(*cell, level * w) for cell in CELLS])
            for i, w in enumerate(WOBBLE)
        ]
        for name, level in {"base": 100.0, "quick": 300.0}.items()
    }
)


def sentence(*held: str) -> str:
    """What is said of `quick`, with some operations withheld by a rule."""
    frame = fsviz.compare(TABLE, baseline="base")
    rules = ["too-short" if name in held else "" for name in frame["operation"]]
    verdicts = frame["verdict"].mask([bool(rule) for rule in rules], "unclear")
    text = conclusions(frame.assign(withheld_by=rules, verdict=verdicts))
    return next(line for line in text.splitlines() if line.startswith("- "))


def test_what_stands_is_counted_and_spelled_out():
    text = sentence()
    assert text.startswith(
        "- **quick** is faster in 2 of 2 comparisons. Largest gain: "
    )
    assert "at 3× (95 % interval" in text
    assert "verdict" not in text


def test_what_is_withheld_is_counted_apart_and_says_why():
    text = sentence("read")
    assert "is faster in 1, without a verdict in 1 of 2 comparisons." in text
    assert "Largest gain: write" in text
    assert "Largest ratio without a verdict: read of small files at 3× " in text


def test_nothing_but_withheld_has_no_gain():
    text = sentence("read", "write")
    assert "is without a verdict in 2 of 2 comparisons." in text
    assert "Largest gain" not in text


def examination(system, operation, record=None):
    """What check would have said about one operation of one system."""
    mark = {"finding": 0, "rule": "too-short", "severity": "error", "against": ""}
    mark |= {"system": system, "tool": "iozone", "operation": operation}
    mark |= {"record_size_bytes": record}
    frame = pd.DataFrame([mark], columns=list(MARKS))
    words = ["rule", "severity", "system", "against", "tool", "operation"]
    types = dict.fromkeys(words, "string") | {"record_size_bytes": "Int64"}
    return Examination(pd.DataFrame(), frame.astype(types))


def test_what_is_left_is_judged_apart():
    text = fsviz.report.conclude(
        TABLE, baseline="base", examination=examination("quick", "read", 4096)
    )
    sound, whole = text.split("**Counting all cells**")
    assert "is faster in 1, without a verdict in 1 of 2 comparisons." in whole
    assert "is faster in 2 of 2 comparisons." in sound
    assert "Without a verdict where `fsviz check` finds an error: `too-short`." in whole


def test_nothing_is_said_of_no_sound_cells():
    found = examination("quick", None)
    text = fsviz.report.conclude(TABLE, baseline="base", examination=found)
    assert "is without a verdict in 2 of 2 comparisons." in text
    assert "Counting" not in text


def test_a_comparison_that_is_known_is_not_made_again():
    found = examination("quick", "read")
    known = fsviz.withhold(fsviz.compare(TABLE), TABLE, examination=found)
    chosen = {"baseline": "base", "examination": found}
    made = fsviz.report.conclude(TABLE, **chosen)
    assert fsviz.report.conclude(TABLE, **chosen, comparison=known) == made
