"""Lesson 9: latency and its tail, which a mean hides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exercises.verdicts import Exercise
from fsviz.model.units import significant

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

SYSTEMS = ("cached", "direct", "alone", "neighbour")
_COLUMNS = {
    "mean": "latency",
    "p50": "latency_p50",
    "p95": "latency_p95",
    "p99": "latency_p99",
    "p99.9": "latency_p99_9",
}
_READS = 100
"""Reads that one page of the exercise needs."""


def latencies(campaign: Campaign) -> pd.DataFrame:
    """Return mean latency and percentiles of each system, mean over its runs [µs]."""
    rows = campaign.measurements
    table = rows.pivot_table(
        index="system", columns="metric", values="value", observed=True
    )
    table = 1e6 * table.loc[list(SYSTEMS), list(_COLUMNS.values())]
    table.columns = list(_COLUMNS)
    return table


def mean_and_median(campaign: Campaign) -> Exercise:
    """Ask how many times the median the mean latency of cached reads is."""
    own = latencies(campaign).loc["cached"]
    right = float(own["mean"] / own["p50"])
    other = latencies(campaign).loc["direct"]
    return Exercise(
        right,
        "In the row `cached`, divide the column mean by the column p50, the median.",
        f"{significant(own['mean'])} µs ÷ {significant(own['p50'])} µs is "
        f"{significant(right)}. Half of the reads took the median or less, so a few "
        "slow reads decide the mean. In `direct` the ratio is only "
        f"{significant(float(other['mean'] / other['p50']))}.",
        (
            (1 / right, "That is median ÷ mean."),
            (float(other["mean"] / other["p50"]), "That is `direct`; take `cached`."),
            (
                float(own["p95"] / own["p50"]),
                "That is the 95th percentile ÷ the median. Take the mean.",
            ),
        ),
        unit="times",
    )


def share_of_misses(campaign: Campaign) -> Exercise:
    """Ask which share of the reads went to the disk, by the two means [%]."""
    table = latencies(campaign)
    hit, mean = (float(table.loc["cached", name]) for name in ("p50", "mean"))
    miss = float(table.loc["direct", "mean"])
    right = 100 * (mean - hit) / (miss - hit)
    return Exercise(
        right,
        "If a share s goes to the disk, the mean is (1 − s) × the time from memory + s "
        "× the time from the disk. Solve for s, and give it in percent.",
        f"({significant(mean)} − {significant(hit)}) ÷ ({significant(miss)} − "
        f"{significant(hit)}) = {significant(right)} %. So about one read in "
        f"{100 / right:.0f} goes to the disk, and these reads make up most of the "
        "mean. This is an estimate. A miss through the page cache may take longer than "
        "a direct read, and the share falls while the cache fills.",
        (
            (right / 100, "Right as a fraction; the question asks for percent."),
            (
                100 * mean / miss,
                (
                    "Nearly. But a read from memory takes time, too. Subtract this "
                    "time from both numbers."
                ),
            ),
            (100 - right, "That is the share that memory served."),
        ),
        unit="percent",
    )


def gain_at_the_tail(campaign: Campaign) -> Exercise:
    """Ask how many times faster the cache makes the slowest in a thousand reads."""
    table = latencies(campaign)
    gains = table.loc["direct"] / table.loc["cached"]
    right = float(gains["p99.9"])
    return Exercise(
        right,
        "Divide p99.9 of `direct` by p99.9 of `cached`.",
        f"{significant(right)} times at p99.9, but {significant(gains['mean'])} times "
        f"by the mean and {significant(gains['p50'])} times by the median. The cache "
        "shortens most requests, but the slow requests still go to the disk. If you "
        "print only one ratio, your choice of column decides how large it is.",
        (
            (1 / right, "That is cached ÷ direct."),
            *(
                (float(gains[name]), f"That is the column {name}. Take p99.9.")
                for name in ("mean", "p50", "p99")
            ),
        ),
        unit="times",
    )


def one_of_many(_: Campaign) -> Exercise:
    """Ask how many pages hold a read that is slower than the 99th percentile [%]."""
    right = 100 * (1 - 0.99**_READS)
    return Exercise(
        right,
        f"The share of pages whose {_READS} reads are all fast is 0.99 to the power of "
        f"{_READS}.",
        f"1 − 0.99^{_READS} is {significant(right)} %: most pages wait for at least "
        "one slow read. So a service that makes many requests for one answer is as "
        "slow as the tail of these requests (J. Dean, L. A. Barroso, The Tail at "
        "Scale, CACM 56, 2013). If slow reads come in groups, for example behind a "
        "flush, they slow down fewer pages.",
        (
            (right / 100, "Right as a fraction; the question asks for percent."),
            (100 - right, "These are the pages without a slow read."),
            (1, "That is the share of slow reads. A page has many reads."),
            (
                100,
                "On average a page has one slow read. But some have two, others none.",
            ),
        ),
        unit="percent",
        tolerance=0.01,
    )


def what_shows_it(campaign: Campaign) -> Exercise:
    """Ask in which column the neighbour shows."""
    table = latencies(campaign)
    ratios = table.loc["neighbour"] / table.loc["alone"]
    right = str(ratios.idxmax())
    rows = campaign.measurements
    own = rows.loc[(rows["system"] == "alone") & (rows["metric"] == "latency"), "value"]
    others = ratios.drop(right)
    return Exercise(
        right,
        "Divide the row `neighbour` by the row `alone`, column by column. Then look at "
        "how much the runs of `alone` differ.",
        f"{right} is {significant(ratios[right])} times as long. The other ratios "
        f"are {significant(others.min())} to {significant(others.max())}. "
        "The means show nothing here: single runs of `alone` differ by a factor of "
        f"{significant(own.max() / own.min())}, because other work used the disk. "
        "About one write in a thousand waited much longer, very probably for the "
        "neighbour's flush.",
        tuple(
            (name, f"There the ratio is {significant(value)}, within the scatter.")
            for name, value in others.items()
        ),
        known=list(_COLUMNS),
    )
