"""Values over the time of a run: even steps of time, and where the level changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fsviz.model.libraries import np, pd

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_STEPS = 300
_LEAST_IN_STEP = 10
"""Single I/Os, on average."""
_WIDTHS = [n * 10.0**power for power in range(-3, 13) for n in (1, 2, 5)]
LEAST_CHANGE = 1.25
"""Ratio of two levels from which they are two; ours, as what follows."""
_LEAST_SHARE = 0.5
"""Of the variance that two levels must explain: noise alone seldom makes 0.3."""
_LEAST_POINTS = 5


class Level(NamedTuple):
    """Two levels of a series and the time [s] at which the second begins."""

    at: float
    before: float
    after: float


def in_steps(log: pd.DataFrame) -> pd.DataFrame:
    """Bring one direction of a log to at most `MOST_STEPS` values, in even steps.

    Of single I/Os, bytes and number in each step give its throughput and rate; of
    windows and of latencies it is the mean. ``time_s`` is the end of a step; one
    without I/O is left out, and so is the last, which is not whole.
    """
    single = bool((log["bytes"] > 0).any())
    log = log.sort_values("time_s", kind="stable")
    if not single and len(log) <= MOST_STEPS:
        return log[["time_s", "value"]].assign(step_s=_usual_step(log["time_s"]))
    end = float(log["time_s"].max())
    # a step with few I/Os shows chance
    most = min(MOST_STEPS, len(log) / _LEAST_IN_STEP) if single else MOST_STEPS
    width = next(w for w in _WIDTHS if end / w <= most)
    step = np.floor(log["time_s"].to_numpy() / width + 1e-9).astype(int)
    whole = step < int(end / width + 1e-9)
    groups = log[whole].groupby(step[whole])
    metric = str(log["metric"].iloc[0])
    if single and metric == "throughput":
        values = groups["bytes"].sum() / width
    elif single and metric == "rate":
        values = groups["bytes"].size() / width
    else:
        values = groups["value"].mean()
    ends = (values.index.to_numpy() + 1) * width
    return pd.DataFrame({"time_s": ends, "value": values.to_numpy(), "step_s": width})


def _usual_step(times: pd.Series) -> float:
    return float(times.diff().median()) if len(times) > 1 else float("nan")


def level_change(times: NDArray, values: NDArray) -> Level | None:
    """Find the place where two levels fit a series best, if they differ clearly.

    It describes the series, and is no test: values that follow one another are alike.

    >>> import numpy as np
    >>> level_change(np.arange(1, 21), np.repeat([4.0, 1.0], [8, 12]))
    Level(at=8.0, before=4.0, after=1.0)
    >>> level_change(np.arange(20), np.tile([1.0, 1.1], 10)) is None
    True
    """
    n = len(values)
    if n < 2 * _LEAST_POINTS:
        return None
    first = np.arange(_LEAST_POINTS, n - _LEAST_POINTS + 1)
    sums = np.cumsum(values)
    before = sums[first - 1] / first
    after = (sums[-1] - sums[first - 1]) / (n - first)
    explained = first * (n - first) / n * (before - after) ** 2
    best = int(explained.argmax())
    total = float(((values - values.mean()) ** 2).sum())
    low, high = sorted((float(before[best]), float(after[best])))
    if high < LEAST_CHANGE * low or explained[best] < _LEAST_SHARE * total:
        return None
    at = float(times[first[best] - 1])
    return Level(at, float(before[best]), float(after[best]))
