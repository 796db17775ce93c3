"""Ratio, interval and q value → one word, and what else must be said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsviz.model.libraries import np
from fsviz.model.table import METRICS

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

ALPHA = 0.05
"""Share of false discoveries that a table may hold."""

BAND = (1 / 1.05, 1.05)
"""Ratios that are equal in practice; symmetric, so that swapping two systems swaps the
verdict and nothing else."""

VERDICTS = (
    *("faster", "slower", "same", "depends", "unclear", "untested", "disqualified"),
)
"""Every verdict; all but the last are of the statistics alone."""

DIFFERENT = ("faster", "slower")
"""Those that say who wins."""

ANSWERS = (*DIFFERENT, "same")
"""Those that answer at all."""

DRAW = 0.01
"""Summaries nearer to 1 than this do not say who wins."""

DEPENDS = "depends"
"""A row that pools others: it is faster in some of them and slower in some, each by its
own q and beyond the band (`fsviz.checks.parts`)."""

DISQUALIFIED = "disqualified"
"""What a verdict becomes where the numbers are not of the thing named, or not of the
same work (`fsviz.checks.judgement`)."""


def verdicts(frame: pd.DataFrame) -> NDArray[np.str_]:
    """Say who is better, as far as the runs can carry it.

    >>> import pandas as pd
    >>> got = dict(metric="latency", geomean_ratio=0.5, ci_low=0.4, ci_high=0.6)
    >>> runs = dict(q_value=0.01, n_baseline=3, n_candidate=3, fewest=3)
    >>> verdicts(pd.DataFrame([got | runs | dict(bound_low=0.49, bound_high=0.51)]))
    array(['faster'], dtype='<U8')
    """
    ratio, low, high, least, most, q = (
        frame[name].to_numpy(float)
        for name in (
            "geomean_ratio",
            "ci_low",
            "ci_high",
            "bound_low",
            "bound_high",
            "q_value",
        )
    )
    tested = np.isfinite(q) & (fewest_runs(frame) >= frame["fewest"].to_numpy())
    same = (low >= BAND[0]) & (high <= BAND[1])
    limited = np.isnan(ratio)
    up = np.where(limited, least >= BAND[1], (ratio > 1) & ~(least <= 1))
    down = np.where(limited, most <= BAND[0], (ratio < 1) & ~(most >= 1))
    words = np.where(up == (directions(frame) > 0), "faster", "slower")
    words = np.where((q < ALPHA) & (up | down), words, "unclear")
    return np.where(tested, np.where(same, "same", words), "untested")


def beyond_band(frame: pd.DataFrame) -> NDArray[np.bool_]:
    """Return a mask of rows whose ratio, or limit of one, lies beyond the band."""
    ratio, least, most = (
        frame[name].to_numpy(float)
        for name in ("geomean_ratio", "bound_low", "bound_high")
    )
    limit = np.where(least >= BAND[1], least, most)
    ratio = np.where(np.isnan(ratio), limit, ratio)
    return (ratio >= BAND[1]) | (ratio <= BAND[0])


def numbered(frame: pd.DataFrame) -> pd.Series:
    """Return a mask of rows where a run has a number, not a bound such as +++++."""
    sides = ("n_baseline", "n_candidate")
    base, cand = (frame[name] > frame[f"{name}_censored"] for name in sides)
    return base | cand | (frame["cells"] > 0)


def fewest_runs(frame: pd.DataFrame) -> NDArray[np.int64]:
    """Number of runs on the side that has fewer."""
    return frame[["n_baseline", "n_candidate"]].min(axis=1).to_numpy()


def directions(frame: pd.DataFrame) -> NDArray[np.int64]:
    """Say for each row which way is better: +1 more, −1 less."""
    return np.array([METRICS[str(name)].better for name in frame["metric"]])


def disagreements(frame: pd.DataFrame) -> NDArray[np.bool_]:
    """Say where geometric mean, total time and mean name different winners."""
    better = directions(frame)
    # total_time_ratio is baseline ÷ candidate: above 1 the candidate is always faster
    signs = []
    for name, sign in (
        ("geomean_ratio", better),
        ("total_time_ratio", 1),
        ("mean_ratio", better),
    ):
        ratio = frame[name].to_numpy(float)
        named = np.abs(ratio - 1) >= DRAW
        signs.append(np.where(named, np.sign(ratio - 1) * sign, 0))
    winners = np.array(signs)
    return np.any(winners > 0, axis=0) & np.any(winners < 0, axis=0)
