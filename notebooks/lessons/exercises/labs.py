"""Keys of the three labs: watch the machine, queue and tail, small files."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from exercises.recorded import calls_sent, depths, file_rates, latencies
from exercises.verdicts import Exercise
from fsviz.model.units import KIB

if TYPE_CHECKING:
    from fsviz.model.campaign import Campaign

RUNS = ("memory", "flushed", "direct")
JOB = 10_000
"""Files that the job of an exercise creates, looks at and deletes."""
LIMIT = 2000.0
"""What a service of an exercise allows at p99 [µs]."""


def of_the_disk(_: Campaign) -> Exercise:
    """Ask which runs read from the disk."""
    slips = {"flushed": frozenset({"flushed", "direct"}), "all": frozenset(RUNS)}
    return Exercise(frozenset({"direct"}), known=RUNS, slips=slips)


def data_of_a_write(campaign: Campaign) -> Exercise:
    """Ask how much data a WRITE carried [KiB]."""
    rows = campaign.measurements.set_index(["system", "operation"])
    data = 2 * int(rows.loc[("flushed", "write"), "file_size_bytes"]) / KIB
    record = int(rows.loc[("flushed", "write"), "record_size_bytes"]) / KIB
    sent = calls_sent(["flushed", "synchronous"])
    right, single = data / sent["WRITE"]
    commits = int(sent.loc["flushed", "COMMIT"])
    slips = {"once": right / 2, "record": single, "commits": data / commits}
    numbers = {"each": right / record, "commits_sent": commits}
    return Exercise(right, slips=slips | {"all": data}, numbers=numbers)


def time_by_count(campaign: Campaign) -> Exercise:
    """Ask for the mean latency at a depth of 16, from the rate alone [µs]."""
    table = depths(campaign)
    rate = table["reads a second"]
    right = 1e6 * 16 / rate[16]
    slips = {"between": 1e6 / rate[16], "seconds": right / 1e6, "ms": right / 1e3}
    slips |= {"deeper": 1e6 * 64 / rate[64], "inverse": rate[16] / 16}
    measured = {"rate": rate[16], "measured": table["mean [µs]"][16]}
    return Exercise(right, slips=slips, numbers=measured)


def depth_in_time(campaign: Campaign) -> Exercise:
    """Ask for the depth with the most reads whose p99 stays within a limit."""
    table = depths(campaign)
    p99 = table["p99 [µs]"]
    right = int(table.index[p99 < LIMIT].max())
    by_mean = int(table.index[table["mean [µs]"] < LIMIT].max())
    slips = {
        "by_mean": by_mean,
        "slow": list(table.index[p99 >= LIMIT]),
        "less": list(table.index[table.index < right]),
    }
    numbers = {"p99": p99[right], "p99_by_mean": p99[by_mean]}
    numbers |= {"rate": table["reads a second"][right]}
    return Exercise(right, slips=slips, numbers=numbers)


def share_of_misses(campaign: Campaign) -> Exercise:
    """Ask which share of the reads went to the disk, by the two means [%]."""
    table = latencies(campaign)
    hit, mean = (float(table.loc["cached", name]) for name in ("p50", "mean"))
    miss, median = (float(table.loc["direct", name]) for name in ("mean", "p50"))
    right = 100 * (mean - hit) / (miss - hit)
    slips = {"fraction": right / 100, "free": 100 * mean / miss, "hits": 100 - right}
    slips["half_free"] = 100 * (mean - hit) / miss
    slips["median"] = 100 * (mean - hit) / (median - hit)
    numbers = {"mean": mean, "hit": hit, "miss": miss, "one_in": 100 / right}
    return Exercise(right, slips=slips, numbers=numbers)


def one_of_many(_: Campaign) -> Exercise:
    """Ask how many pages hold a read that is slower than the 99th percentile [%]."""
    right = 100 * (1 - 0.99**100)
    slips = {"fraction": right / 100, "fast": 100 - right, "read": 1, "every": 100}
    return Exercise(right, slips=slips)


def at_least(campaign: Campaign) -> Exercise:
    """Ask how many times faster +++++ is than the flushed test, at least."""
    rates = file_rates(campaign)["create"]
    bound = float(file_rates(campaign, "low").loc["quick", "create"])
    right = bound / float(rates["flushed"])
    slips = {
        "inverse": 1 / right,
        "second": right / 2,
        "multiplied": right / 4,
        "buffered": rates["buffered"] / rates["flushed"],
        "rate": bound,
        "none": 0,
    }
    return Exercise(right, slips=slips, numbers={"files": bound / 2})


def whole_job(campaign: Campaign) -> Exercise:
    """Ask how long a job of creating, looking and deleting takes at least [s]."""
    rates = file_rates(campaign)
    create, delete = (JOB / rates.loc["flushed", k] for k in ("create", "delete"))
    low = file_rates(campaign, "low").loc["flushed", "stat"]
    right, most = create + delete, create + delete + JOB / low
    slips = {
        "most": most,
        "create": create,
        "delete": delete,
        "mean": 2 * JOB / rates.loc["flushed", ["create", "delete"]].sum(),
        "sum": JOB / rates.loc["flushed", ["create", "delete"]].sum(),
        "files": right * 16 * KIB / JOB,
        "buffered": (JOB / rates.loc["buffered", ["create", "delete"]]).sum(),
    }
    return Exercise(float(right), slips=slips, numbers={"low": low})


SYSTEMS: dict[Callable[[Campaign], Exercise], tuple[str, ...]] = {
    of_the_disk: RUNS,
    data_of_a_write: ("flushed", "synchronous"),
    **dict.fromkeys((time_by_count, depth_in_time), ("read",)),
    **dict.fromkeys((share_of_misses, one_of_many), ("cached", "direct")),
    at_least: ("quick", "buffered", "flushed"),
    whole_job: ("buffered", "flushed"),
}
"""Key of an exercise → the systems that it asks about by name."""
