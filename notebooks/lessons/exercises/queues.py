"""Lesson 10: what a longer queue gains, and what it costs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from exercises.verdicts import Exercise
from fsviz.model.units import significant

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

SYSTEM = "read"
_COLUMNS = {
    "rate": "reads a second",
    "latency": "mean [µs]",
    "latency_p50": "p50 [µs]",
    "latency_p99": "p99 [µs]",
}
_LIMIT = 2000.0
"""What a service of the exercise allows at p99 [µs]."""
_ENOUGH = 0.75
"""Share of the best rate that is enough in an exercise."""


def depths(campaign: Campaign) -> pd.DataFrame:
    """Return rate and latency of each queue depth, mean over the runs."""
    rows = campaign.measurements
    rows = rows.loc[rows["metric"].isin(list(_COLUMNS))]
    depth = rows["setting"].map(_depth).rename("depth")
    table = rows.pivot_table(
        index=depth, columns="metric", values="value", observed=True
    )
    table = table[list(_COLUMNS)].astype("float64")
    table.loc[:, table.columns != "rate"] *= 1e6
    return table.rename(columns=_COLUMNS).rename_axis(columns=None).sort_index()


def _depth(setting: str) -> int:
    """Return the queue depth of a setting; fio's default is one.

    >>> _depth("iodepth=8; sync=1"), _depth("")
    (8, 1)
    """
    found = re.search(r"\biodepth=(\d+)", setting)
    return int(found[1]) if found else 1


def time_by_count(campaign: Campaign) -> Exercise:
    """Ask for the mean latency at a depth of 16, from the rate alone [µs]."""
    table = depths(campaign)
    rate = float(table["reads a second"][16])
    right = 1e6 * 16 / rate
    return Exercise(
        right,
        "Sixteen requests are under way all the time, and the table shows how many "
        "finish each second. How long is each request under way?",
        f"16 ÷ {significant(rate)} a second is {significant(right)} µs; fio measured "
        f"{significant(table['mean [µs]'][16])} µs. Requests under way = rate × time "
        "of one request. This holds for every queue of stable length (J. D. C. Little, "
        "Operations Research 9, 1961). You can check a benchmark with it: if the two "
        "times disagree, the queue was not as deep as requested.",
        (
            (1e6 / rate, "That is the time between two answers. 16 reads overlap."),
            (right / 1e6, "Right in seconds; the question asks for µs."),
            (right / 1e3, "Right in milliseconds; the question asks for µs."),
            (1e6 * 64 / float(table["reads a second"][64]), "That is a depth of 64."),
        ),
        unit="µs",
    )


def price_of_depth(campaign: Campaign) -> Exercise:
    """Ask how many times as long a request takes at 64 as at one."""
    table = depths(campaign)
    times = table.loc[64] / table.loc[1]
    right = float(times["mean [µs]"])
    return Exercise(
        right,
        "Divide the mean at a depth of 64 by the mean at a depth of one.",
        f"{significant(right)} times as long, for "
        f"{significant(times['reads a second'])} times the reads. Once the disk is "
        "busy, a longer queue adds waiting time but few reads.",
        (
            (1 / right, "That is the mean at one ÷ the mean at 64."),
            (
                float(times["reads a second"]),
                "That is the rate. Take the mean latency.",
            ),
            (float(times["p99 [µs]"]), "That is p99; take the mean."),
            (float(times["p50 [µs]"]), "That is the median; take the mean."),
            (64, "That would be right if a longer queue gained nothing at all."),
        ),
        unit="times",
        tolerance=0.02,
    )


def depth_in_time(campaign: Campaign) -> Exercise:
    """Ask for the depth with the most reads whose p99 stays within a limit."""
    table = depths(campaign)
    right = int(table.index[table["p99 [µs]"] < _LIMIT].max())
    by_mean = int(table.index[table["mean [µs]"] < _LIMIT].max())
    return Exercise(
        right,
        "Which rows have a p99 below two milliseconds? Take the row with the most "
        "reads.",
        f"{right}: {significant(table['reads a second'][right])} reads a second with a "
        f"p99 of {significant(table['p99 [µs]'][right])} µs. Judged by the mean, "
        f"a depth of {by_mean} would do, but one request in a hundred takes "
        f"{significant(table['p99 [µs]'][by_mean])} µs or more.",
        (
            (by_mean, "There the mean is short enough. Look at p99."),
            *(
                (depth, "There p99 is longer than two milliseconds.")
                for depth in table.index[table["p99 [µs]"] >= _LIMIT]
            ),
            *(
                (depth, "p99 is short enough there, but another depth reads more.")
                for depth in table.index[table.index < right]
            ),
        ),
        tolerance=0.001,
    )


def depth_that_is_enough(campaign: Campaign) -> Exercise:
    """Ask for the smallest depth with three quarters of the best rate."""
    rates = depths(campaign)["reads a second"]
    shares = rates / rates.max()
    right = int(shares.index[shares >= _ENOUGH].min())
    return Exercise(
        right,
        "Divide each rate by the largest rate. What is the smallest depth with a "
        "result of three quarters or more?",
        f"{right}: {significant(100 * shares[right])} % of the best rate, at "
        f"{significant(depths(campaign)['mean [µs]'][right])} µs a read. Publish the "
        "curve, not only its last point. If you print only the deepest queue, you "
        "print a latency that no program needs to accept.",
        (
            (
                int(shares.idxmax()),
                "That is the best rate itself. Three quarters of this rate are enough.",
            ),
            *(
                (depth, f"There it is {significant(100 * share)} %: not quite enough.")
                for depth, share in shares.items()
                if share < _ENOUGH
            ),
        ),
        tolerance=0.001,
    )


def worth_of_four(campaign: Campaign) -> Exercise:
    """Ask for the rate at four as a share of four times the rate at one [%]."""
    rates = depths(campaign)["reads a second"]
    right = float(100 * rates[4] / (4 * rates[1]))
    return Exercise(
        right,
        "The ideal rate at a depth of four is four times the rate at a depth of one. "
        "Divide the measured rate by the ideal rate.",
        f"{significant(rates[4])} ÷ (4 × {significant(rates[1])}) is "
        f"{significant(right)} %. The requests already share something: the disk, its "
        "controller, or the two processors, which other work kept busy. These numbers "
        "do not show what is shared. Recordings of iostat and vmstat during the run "
        "would show it (lesson seven).",
        (
            (right / 100, "Right as a fraction; the question asks for percent."),
            (
                float(100 * rates[4] / rates[1]),
                "That is the percentage of the rate at a depth of one. Divide by four.",
            ),
            (
                float(100 * rates[64] / (64 * rates[1])),
                "That is a depth of 64; take four.",
            ),
            (100 - right, "That is the percentage that is lost."),
        ),
        unit="percent",
    )
