# ruff: noqa: F401 - what notebooks call
"""Exercises of the notebooks in ``notebooks/lessons``: checked answers and hints.

Right answers, typical wrong ones and the numbers of a solution are computed from the
campaign when it is asked for; what is said of them stands in ``texts.toml``.
"""

from exercises.checking import (
    check_answer,
    hand_in,
    handed_in,
    model_answer,
    solution,
    solved,
)
from exercises.recorded import (
    calls_sent,
    copies,
    depths,
    draw_means,
    draw_power,
    draw_watched,
    file_rates,
    latencies,
    pair_scatter,
)
