"""Exercises of the notebooks in ``notebooks/lessons``: checked answers, hints, trials.

Every right answer, typical wrong answer and number in a solution is computed from the
campaign when it is asked for.
"""

from __future__ import annotations

from fsviz.lessons.keys import EXERCISES, check_answer
from fsviz.lessons.trials import Trial, planned, run_trial, this_machine
from fsviz.lessons.verdicts import Verdict

__all__ = [
    "EXERCISES",
    "Trial",
    "Verdict",
    "check_answer",
    "planned",
    "run_trial",
    "this_machine",
]
