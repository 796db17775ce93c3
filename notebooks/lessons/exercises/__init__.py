"""Exercises of the notebooks in ``notebooks/lessons``: checked answers, hints, trials.

Every right answer, typical wrong answer and number in a solution is computed from the
campaign when it is asked for.
"""

from __future__ import annotations

from exercises.calls import calls_sent
from exercises.files import copies, file_rates
from exercises.keys import EXERCISES, check_answer, expect, solved
from exercises.models import MODELS, ModelAnswer, model_answer
from exercises.queues import depths
from exercises.samples import run_scatter, runs_and_differences
from exercises.tails import latencies
from exercises.transfers import TRANSFERS, compare_with_ours, transfer
from exercises.trials import (
    Trial,
    measure_rounds,
    run_trial,
    this_machine,
)
from exercises.verdicts import Verdict
from exercises.watching import watched

__all__ = [
    "EXERCISES",
    "MODELS",
    "TRANSFERS",
    "ModelAnswer",
    "Trial",
    "Verdict",
    "calls_sent",
    "check_answer",
    "compare_with_ours",
    "copies",
    "depths",
    "expect",
    "file_rates",
    "latencies",
    "measure_rounds",
    "model_answer",
    "run_scatter",
    "run_trial",
    "runs_and_differences",
    "solved",
    "this_machine",
    "transfer",
    "watched",
]
