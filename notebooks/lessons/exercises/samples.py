"""Lesson 8: how many runs. Any campaign with repeated runs will do."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from exercises.verdicts import Exercise
from fsviz.analysis.cells import performance, present
from fsviz.analysis.power import POWER, power, runs_for
from fsviz.answers.comparison import compare
from fsviz.model.errors import UsageError
from fsviz.model.table import MAIN_METRICS, OPERATIONS
from fsviz.model.units import significant

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

DIFFERENCE = 1.05
"""The ratio that the lesson asks about."""
_HALF = 1.025
_ROUNDED = 1.03
"""A scatter that the first exercise takes for right may be off by so much."""
_COUNTS = (3, 4, 5, 7, 10, 15, 20, 30, 50, 100)


def run_scatter(campaign: Campaign) -> pd.DataFrame:
    """Return the scatter [%] that a comparison of each operation's speed rests on."""
    if len(present(campaign.measurements, "system")) < 2:
        return _scatter_of_one(campaign)
    found = compare(campaign, sizes="all").rows
    speeds = found["metric"].isin(MAIN_METRICS) & (found["scatter"] > 0)
    found = found.loc[speeds].assign(
        n_runs=found[["n_baseline", "n_candidate"]].min(axis=1),
        scatter=100 * found["scatter"],
        rounds=found["paired"],
    )
    return _listed(found.rename(columns={"candidate": "system", "baseline": "against"}))


def _scatter_of_one(campaign: Campaign) -> pd.DataFrame:
    """Return the scatter [%] of the runs of a system that is not compared."""
    import numpy as np

    rows = performance(campaign.measurements)
    rows = rows.loc[rows["metric"].isin(MAIN_METRICS) & (rows["value"] > 0)]
    keys = ["system", "operation", "metric"]
    logs = rows.assign(log=np.log(rows["value"])).groupby(
        [*keys, "run"], observed=True
    )["log"]
    spread = logs.mean().groupby(keys, observed=True, sort=False).agg(["std", "size"])
    spread = spread.rename(columns={"std": "scatter", "size": "n_runs"})
    spread = spread.loc[spread["scatter"] > 0].reset_index()
    return _listed(
        spread.assign(against="", rounds=False, scatter=100 * spread["scatter"])
    )


def _listed(found: pd.DataFrame) -> pd.DataFrame:
    if found.empty:
        raise UsageError("expected a campaign with repeated runs, found none")
    columns = ["system", "against", "operation", "metric", "n_runs", "rounds"]
    return found[[*columns, "scatter"]].reset_index(drop=True)


def runs_and_differences(campaign: Campaign) -> pd.DataFrame:
    """Return how often n runs of each system find 5 %, at the first row's scatter."""
    import pandas as pd

    _, scatter, rounds = _first(campaign)
    shares = [100 * power(n, scatter, DIFFERENCE, rounds) for n in _COUNTS]
    return pd.DataFrame({"n": _COUNTS, "found": shares})


def _first(campaign: Campaign) -> tuple[str, float, bool]:
    """Return the name of the first row, its scatter as a share, and if in rounds."""
    row = run_scatter(campaign).iloc[0]
    name = f"{OPERATIONS[row['operation']]} of {row['system']}"
    return name, float(row["scatter"]) / 100, bool(row["rounds"])


def _near(campaign: Campaign, ratio: float) -> range:
    """Return the counts up to those of a scatter that was rounded up."""
    _, scatter, rounds = _first(campaign)
    fewest, most = (runs_for(k * scatter, ratio, rounds=rounds) for k in (1, _ROUNDED))
    return range(fewest, most + 1)


def _of_thumb(
    scatter: float, ratio: float, rounds: bool
) -> tuple[tuple[int, str], ...]:
    """Return what the rule of thumb gives, rounded either way, with a hint."""
    lehr = (8 if rounds else 16) * (scatter / (ratio - 1)) ** 2
    text = "That is the rule of thumb. With so few runs, it takes a few more."
    return tuple((round_of(lehr), text) for round_of in (math.floor, math.ceil))


def _asked(rounds: bool) -> str:
    """Return the call that the exercises ask for."""
    return f"runs_for(scatter, ratio{', rounds=True' if rounds else ''})"


def scatter_of_runs(campaign: Campaign) -> Exercise:
    """Ask for the scatter of the first row [%]."""
    name, scatter, rounds = _first(campaign)
    right = 100 * scatter
    of_what = (
        "This shows how far the ratios of single rounds lie from the mean ratio"
        if rounds
        else "This shows how far single runs lie from the mean"
    )
    return Exercise(
        right,
        "Look at the last column in the first row of the table.",
        f"{name}: {significant(right)} %. {of_what}, not how well the mean is known. "
        "Before a campaign, the scatter is unknown. Take it from a trial, or from an "
        "earlier campaign on this machine.",
        ((scatter, "Right as a fraction; the question asks for percent."),),
        unit="percent",
    )


def runs_for_five(campaign: Campaign) -> Exercise:
    """Ask how many runs of each system find a difference of 5 %."""
    name, scatter, rounds = _first(campaign)
    right = runs_for(scatter, DIFFERENCE, rounds=rounds)
    other = runs_for(scatter, DIFFERENCE, rounds=not rounds)
    lehr = (8 if rounds else 16) * (scatter / (DIFFERENCE - 1)) ** 2
    return Exercise(
        right,
        f"Call `{_asked(rounds)}`. Give the scatter of the first row as a fraction, "
        "not in percent. The ratio for 5 % is 1.05.",
        f"{right} runs of each system, {2 * right} in all, at a scatter of "
        f"{significant(100 * scatter)} % ({name}). With that many, {100 * POWER:g} of "
        "100 campaigns find a difference of 5 %, and the others miss it. A rule of "
        f"thumb is {8 if rounds else 16} × (scatter ÷ difference)² (R. Lehr, "
        f"Statistics in Medicine 11, 1992), here {significant(lehr)}. The rule holds "
        "for many runs. With few runs, the scatter itself is not well known, so you "
        "need a few more runs.",
        (
            (2 * right, "That is for both systems; the question asks for one."),
            (
                other,
                "These systems took turns: give rounds=True."
                if rounds
                else "These systems took no turns: leave rounds out.",
            ),
            *_of_thumb(scatter, DIFFERENCE, rounds),
        ),
        unit="runs",
        tolerance=0.001,
        also=_near(campaign, DIFFERENCE),
    )


def half_the_difference(campaign: Campaign) -> Exercise:
    """Ask how many runs find half the difference."""
    _, scatter, rounds = _first(campaign)
    whole, half = (runs_for(scatter, r, rounds=rounds) for r in (DIFFERENCE, _HALF))
    return Exercise(
        half,
        "Call `runs_for` again, with a ratio of 1.025.",
        f"{half} runs of each system, against {whole} for the whole difference. The "
        "interval narrows with √n, so half the difference needs four times the runs. "
        "With few runs, a little less is enough, because the first runs also show how "
        "much results vary.",
        (
            (2 * whole, "Half the difference needs more than twice the runs."),
            (whole, "That is for 5 %. Take half of 5 %."),
            (2 * half, "That is for both systems; the question asks for one."),
            *_of_thumb(scatter, _HALF, rounds),
        ),
        unit="runs",
        tolerance=0.001,
        also=_near(campaign, _HALF),
    )


def runs_in_a_picture(campaign: Campaign) -> Exercise:
    """Ask for a figure in which every run can be seen."""
    from fsviz import lines

    systems = list(map(str, campaign.systems["system"]))

    def hint(answer: object) -> str:
        traces = getattr(answer, "data", None)
        if traces is None or not hasattr(answer, "layout"):
            return "Give a figure, such as one of `fsviz.lines` or `fsviz.plot`."
        kinds = {str(getattr(trace, "type", "")) for trace in traces}
        if kinds & {"surface", "heatmap"}:
            return (
                "Surfaces and heatmaps draw the mean over the runs. In which picture "
                "does every run have its own dot?"
            )
        names = " ".join(str(getattr(trace, "name", "")) for trace in traces)
        if not any(name in names for name in systems):
            return "No trace in this figure has the name of a system of this campaign."
        if not _shows_runs(answer):
            return (
                'It shows means. `fsviz.lines(campaign, operation=..., x="time")` has '
                "a mark for each run."
            )
        return ""

    return Exercise(
        hint,
        '`fsviz.lines(campaign, operation=..., x="time")` draws a mark for each run, '
        "in the order of time.",
        'Use `fsviz.lines(campaign, operation="write", x="time")`, or another from '
        "the table. Look for a slope before you look at the scatter. If the runs "
        "become slower and slower, they are not repeats, and more runs do not help.",
        example=lines(
            campaign, operation=run_scatter(campaign)["operation"].iloc[0], x="time"
        ),
    )


def _shows_runs(figure: object) -> bool:
    """Return whether a figure has a mark for each run, by what its caption is about."""
    from fsviz.figures.kinds.lines import CAPTIONS

    meta = getattr(figure, "layout").meta  # noqa: B009 - any object may be the answer
    caption = str(meta.get("caption", "")) if isinstance(meta, dict) else ""
    return caption.startswith((CAPTIONS["time"], CAPTIONS["none"]))
