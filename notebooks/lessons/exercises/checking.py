"""The functions that notebooks call: check an answer, hand in, show a solution."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from exercises import labs, sessions
from exercises.slips import failed_before
from exercises.verdicts import Exercise, Verdict, judge
from fsviz.model.errors import FsvizError, UsageError, printable
from fsviz.model.escaping import html_with_code
from fsviz.model.names import unknown
from fsviz.model.units import significant

if TYPE_CHECKING:
    from fsviz.model.campaign import Campaign

_SYSTEMS = sessions.SYSTEMS | labs.SYSTEMS
EXERCISES = {key.__name__.replace("_", "-"): key for key in _SYSTEMS}
"""Name of an exercise → function that computes its key from the lesson's campaign."""
NEEDED = {name: _SYSTEMS[key] for name, key in EXERCISES.items()}
"""Systems that an exercise asks about by name; without any, any campaign will do."""
_WRONG: dict[str, set[str]] = {}
"""Wrong answers that were given to each exercise since Python started."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A text for a notebook: HTML where it can, else the text."""

    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        parts = map(html_with_code, self.text.split("\n\n"))
        return "".join(f"<p>{part}</p>" for part in parts)


def check_answer(exercise: str, answer: object, campaign: Campaign) -> Verdict:
    """Check a learner's answer."""
    key = key_of(exercise, campaign)
    if hint := failed_before():
        return Verdict("wrong", hint)
    before = _WRONG.setdefault(exercise, set())
    verdict = judge(key, answer, len(before - {repr(answer)}))
    if verdict.outcome == "wrong":
        before.add(repr(answer))
    return verdict


def solved(exercise: str, campaign: Campaign) -> object:
    """Return a right answer, for a teacher's copy of a lesson."""
    key = key_of(exercise, campaign)
    if isinstance(key.right, frozenset):
        return sorted(key.right)
    return key.example if callable(key.right) else key.right


def solution(exercise: str, campaign: Campaign) -> Shown:
    """Show how an exercise is solved; call it after you have tried."""
    return Shown(key_of(exercise, campaign).solution)


def hand_in(task: str) -> Shown:
    """Show a task that a teacher marks."""
    return Shown(_task(task)["task"])


def handed_in(task: str, answer: object) -> Shown:
    """Say that a text waits for the teacher, or that there is none yet."""
    _task(task)
    text = "" if answer is None else str(answer).strip()
    return Shown("Handed in. Your teacher marks it." if text else "Nothing yet.")


def model_answer(task: str) -> Shown:
    """Show our answer to a task and its mark scheme: for teachers and feedback."""
    known = _task(task)
    points = "\n\n".join(f"One mark: {point}." for point in known["marks"])
    return Shown(f"{known['model']}\n\n{points}")


def key_of(exercise: str, campaign: Campaign) -> Exercise:
    """Compute the key of an exercise and fill in its texts."""
    if exercise not in EXERCISES:
        raise unknown("exercise", exercise, EXERCISES)
    known = list(map(str, campaign.systems["system"]))
    if absent := [name for name in NEEDED[exercise] if name not in known]:
        found = ", ".join(map(printable, known[:8])) + (", …" if known[8:] else "")
        raise UsageError(
            f"{exercise} asks about {', '.join(absent)}: expected a campaign with "
            f"that, found {found}"
        )
    try:
        key = EXERCISES[exercise](campaign)
    except (FsvizError, LookupError, ValueError, ArithmeticError) as error:
        raise UsageError(
            f"{exercise}: expected the campaign that the lesson was written for, found "
            "its systems without the cells or runs that it asks about"
        ) from error
    return _with_texts(exercise, key)


def _with_texts(exercise: str, key: Exercise) -> Exercise:
    texts = _texts()[exercise]
    right = "" if callable(key.right) else key.right
    numbers = {"right": right, **key.slips, **key.numbers}
    shown = {k: _shown(v) for k, v in numbers.items()}
    wrong = [
        (value, texts["hints"][name].format(**shown))
        for name, values in key.slips.items()
        for value in (values if isinstance(values, list) else [values])
    ]
    clue, solution = (texts[k].strip().format(**shown) for k in ("clue", "solution"))
    limits = {k: texts[k] for k in ("unit", "tolerance") if k in texts}
    return replace(key, clue=clue, solution=solution, wrong=tuple(wrong), **limits)


def _shown(value: object) -> object:
    number = value if isinstance(value, str) else getattr(value, "__float__", None)
    return significant(number()) if callable(number) else value


@cache
def _texts() -> dict:
    return tomllib.loads(Path(__file__).with_name("texts.toml").read_text("utf-8"))


def _task(name: str) -> dict:
    if name not in _texts()["tasks"]:
        raise unknown("task", name, list(_texts()["tasks"]))
    return _texts()["tasks"][name]
