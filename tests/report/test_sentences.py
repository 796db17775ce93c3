"""Conclusions in words: what stands, what does not, and why."""

import pandas as pd
from frames import measurements, run

import fsviz
from fsviz.checks import Examination
from fsviz.checks.findings import MARKS
from fsviz.report.sentences import conclusions

WOBBLE = (1.0, 1.01, 0.99)
TABLE = measurements(
    {
        name: [
            run(f"{name}{i}", [("write", 64, 4, level * w), ("read", 64, 4, level * w)])
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
    return text.splitlines()[-1]


def test_what_stands_is_counted_and_spelled_out():
    text = sentence()
    assert text.startswith(
        "- **quick** is faster in 2 of 2 comparisons. Largest gain: "
    )
    assert "at 3× (95 % interval" in text
    assert "No verdict" not in text


def test_what_is_withheld_is_counted_apart_and_says_why():
    text = sentence("read")
    assert "is faster in 1, without a verdict in 1 of 2 comparisons." in text
    assert "Largest gain: write" in text
    assert "No verdict where `fsviz check` finds an error (`too-short`)" in text
    assert "the largest ratio there: read of small files at 3× " in text


def test_nothing_but_withheld_has_no_gain():
    text = sentence("read", "write")
    assert "is without a verdict in 2 of 2 comparisons." in text
    assert "Largest gain" not in text


def examination(system, operation):
    """What check would have said about one operation of one system."""
    mark = {"finding": 0, "rule": "too-short", "severity": "error", "against": ""}
    mark |= {"system": system, "tool": "iozone", "operation": operation}
    frame = pd.DataFrame([mark], columns=list(MARKS))
    words = ["rule", "severity", "system", "against", "tool", "operation"]
    return Examination(pd.DataFrame(), frame.astype(dict.fromkeys(words, "string")))


def test_what_is_left_is_judged_apart():
    text = fsviz.conclude(
        TABLE, baseline="base", examination=examination("quick", "read")
    )
    whole, sound = text.split("**Counting only cells about which")
    assert "is faster in 1, without a verdict in 1 of 2 comparisons." in whole
    assert "is faster in 1 of 1 comparisons." in sound


def test_nothing_is_said_of_no_sound_cells():
    found = examination("quick", None)
    text = fsviz.conclude(TABLE, baseline="base", examination=found)
    assert "is without a verdict in 2 of 2 comparisons." in text
    assert "Counting only" not in text
