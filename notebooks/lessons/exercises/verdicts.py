"""An exercise's key, an answer, and what to say about it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from exercises.slips import hint_on_form, in_another_unit, read_number
from fsviz.model.errors import printable
from fsviz.model.escaping import html_with_code

_COLOURS = {"open": "#8a8f98", "right": "#1a7f37", "wrong": "#b35900"}
_HEADINGS = {"open": "Nothing yet.", "right": "Right.", "wrong": "Not yet."}
_GUESSES = 2
_FAR = 8.0
"""Off by this factor, an answer was not merely misread."""
_OPEN = (
    '<span class="fsviz-screen">Find your answer first. In Jupyter, write it into the '
    "cell above and run both cells.<details><summary>A hint</summary>{}</details>"
    "</span>"
    '<span hidden><span class="fsviz-paper">Your answer:</span></span>'
)
"""On paper, where nothing can be typed, `report.css` shows what is hidden."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A question's key, computed from a campaign, with the texts about it."""

    right: float | str | frozenset[str] | Callable[[object], str]
    clue: str = ""
    solution: str = field(default="", repr=False)
    wrong: tuple[tuple[object, str], ...] = ()
    known: Collection[str] = ()
    unit: str = ""
    tolerance: float = 0.03
    also: Collection[float] = ()
    """Other numbers that are right, because a number before was rounded."""
    example: object = None
    """A right answer, where `right` is a function that judges them."""
    slips: Mapping[str, object] = field(default_factory=dict)
    """Typical wrong answers, by the names of their hints."""
    numbers: Mapping[str, object] = field(default_factory=dict)
    """What clue, solution and hints print."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a learner reads below an answer; it holds no solution."""

    outcome: str
    hint: str

    def __repr__(self) -> str:
        return f"{_HEADINGS[self.outcome]} {self.hint}".strip()

    def _repr_html_(self) -> str:
        shown = html_with_code(self.hint)
        if self.outcome == "open":
            shown = _OPEN.format(shown)
        return (
            '<div class="fsviz-verdict" style="padding: 2px 12px; '
            f'border-left: 4px solid {_COLOURS[self.outcome]}">'
            f"<b>{_HEADINGS[self.outcome]}</b> {shown}</div>"
        )


def judge(exercise: Exercise, answer: object, wrong_before: int = 0) -> Verdict:
    """Return whether an answer is right, and if not, what probably went wrong.

    >>> sum_of_two = Exercise(4.0, "Add.", "Four.", ((3.0, "One is missing."),))
    >>> print(judge(sum_of_two, 4), judge(sum_of_two, 3), judge(sum_of_two, None))
    Right. Not yet. One is missing. Nothing yet. Add.
    """
    if answer is None:
        return Verdict("open", exercise.clue)
    hint = _hint(exercise, answer, wrong_before)
    return Verdict("wrong" if hint else "right", hint)


def _hint(exercise: Exercise, answer: object, wrong_before: int) -> str:
    right = exercise.right
    if callable(right):
        return right(answer)
    if isinstance(right, str):
        return _hint_on_name(exercise, right, answer)
    if isinstance(right, frozenset):
        return _hint_on_names(exercise, right, answer)
    return _hint_on_number(exercise, float(right), answer, wrong_before)


def _hint_on_number(
    exercise: Exercise, right: float, answer: object, wrong_before: int
) -> str:
    wanted = f"a number{exercise.unit and f' of {exercise.unit}'}"
    number = read_number(answer)
    if number is None:
        return hint_on_form(answer, wanted)

    def close(one: float, other: float) -> bool:
        return math.isclose(one, other, rel_tol=exercise.tolerance)

    near = close(number, right)
    rounded = float(f"{right:.{_digits(number)}g}") == number
    exact = math.isclose(number, right, rel_tol=1e-9)
    if number in exercise.also or exact or (near and rounded):
        return ""
    for value, hint in exercise.wrong:
        slip = float(str(value))
        # nearer to a slip than to the right answer
        if close(number, slip) and not (
            near and abs(number - right) < abs(number - slip)
        ):
            return hint
    if near:
        return ""
    if number < 0 or math.isnan(number):
        return f"Expected {wanted}, not below zero. {exercise.clue}"
    if math.isinf(number):
        return f"Expected {wanted}, found infinity. {exercise.clue}"
    if in_another_unit(number, right, exercise.unit, close):
        return f"This would be right in another unit; the question asks for {wanted}."
    if rounded:
        return "Rounded too far. Give one digit more."
    if wrong_before >= _GUESSES:
        return f"Calculate it rather than guess. {exercise.clue}"
    return f"{_distance(number, right)} {exercise.clue}"


def _digits(number: float) -> int:
    """Count the digits that a number is written with.

    >>> _digits(3.0), _digits(1.05), _digits(0.87), _digits(220)
    (1, 3, 2, 3)
    """
    return len(f"{abs(number):.12g}".replace(".", "").lstrip("0")[:12]) or 1


def _distance(number: float, right: float) -> str:
    near = right and 1 / _FAR < number / right < _FAR
    much = "too" if near else "far too"
    return f"This is {much} {'large' if number > right else 'small'}."


def _hint_on_name(exercise: Exercise, right: str, answer: object) -> str:
    if isinstance(answer, list | tuple | set) and len(answer) == 1:
        return "One name is enough: leave the brackets out."
    if not isinstance(answer, str):
        return f"Give one name in quotes. {exercise.clue}"
    name = _plain(answer)
    if name == _plain(right):
        return ""
    for value, hint in exercise.wrong:
        if name == _plain(str(value)):
            return hint
    return _unknown([answer], exercise) or exercise.clue


def _hint_on_names(exercise: Exercise, right: frozenset[str], answer: object) -> str:
    names = [answer] if isinstance(answer, str) else answer
    if not isinstance(names, list | tuple | set | frozenset):
        return 'Give a list of names, such as ["this", "that"].'
    given = {_plain(str(name)) for name in names}
    if given == {_plain(name) for name in right}:
        return ""
    for value, hint in exercise.wrong:
        if isinstance(value, frozenset) and given == {_plain(n) for n in value}:
            return hint
    known = {_plain(name) for name in exercise.known}
    if isinstance(answer, str) and len(answer.split()) > 1 and not given <= known:
        return 'Give a list, with each name in its own quotes: ["this", "that"].'
    if hint := _unknown([str(name) for name in names], exercise):
        return hint
    extra = len(given - {_plain(name) for name in right})
    missing = len({_plain(name) for name in right} - given)
    belong = "does not belong" if extra == 1 else "do not belong"
    parts = [f"{extra} of your names {belong} here"] if extra else []
    parts += [f"{missing} {'are' if missing > 1 else 'is'} missing"] if missing else []
    return f"{' and '.join(parts).capitalize()}. {exercise.clue}"


def _unknown(names: list[str], exercise: Exercise) -> str:
    known = {_plain(name) for name in exercise.known}
    strange = [name for name in names if known and _plain(name) not in known]
    if not strange:
        return ""
    return (
        f"{printable(strange[0])} is not a name here; the names are "
        f"{', '.join(exercise.known)}."
    )


def _plain(name: str) -> str:
    """Compare names without regard to case; a blank or hyphen is an underscore."""
    return "_".join(name.lower().replace("-", " ").replace("_", " ").split())
