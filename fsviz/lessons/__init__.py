"""Exercises of the notebooks in ``notebooks/lessons``: checked answers, hints, trials.

Every right answer, typical wrong answer and number in a solution is computed from the
campaign when it is asked for.
"""

from __future__ import annotations

from fsviz.lessons.calls import calls_sent
from fsviz.lessons.keys import EXERCISES, check_answer, expect
from fsviz.lessons.models import MODELS, ModelAnswer, model_answer
from fsviz.lessons.samples import run_scatter, runs_and_differences
from fsviz.lessons.trials import Trial, planned, run_trial, this_machine
from fsviz.lessons.verdicts import Verdict
from fsviz.lessons.watching import watched

__all__ = [
    "EXERCISES",
    "MODELS",
    "ModelAnswer",
    "Trial",
    "Verdict",
    "calls_sent",
    "check_answer",
    "expect",
    "model_answer",
    "planned",
    "run_scatter",
    "run_trial",
    "runs_and_differences",
    "this_machine",
    "watched",
]
