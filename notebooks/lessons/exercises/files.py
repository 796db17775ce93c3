"""Lesson 11: what a small file costs, and why MB/s does not say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exercises.verdicts import Exercise
from fsviz.model.units import MIB, significant

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

COPIES = ("tree", "tree-flushed", "large")
TESTS = ("quick", "buffered", "flushed")
SYSTEMS = (*COPIES, *TESTS)
_STEPS = ("create", "stat", "delete")
_JOB = 10_000
"""Files that the job of an exercise creates, looks at and deletes."""


def copies(campaign: Campaign) -> pd.DataFrame:
    """Return files, data and time of each copy, mean over its runs."""
    rows = campaign.measurements
    table = rows.pivot_table(
        index="system", columns="metric", values="value", observed=True
    )
    table = table.loc[list(COPIES), ["count", "size", "elapsed"]]
    table["size"] /= MIB
    table.columns = ["files", "data [MiB]", "time [s]"]
    return table.astype({"files": int})


def file_rates(campaign: Campaign) -> pd.DataFrame:
    """Return files a second of each test, mean over its runs; NaN for +++++."""
    made = campaign.runs.drop_duplicates("system").set_index("system")["configuration"]
    files = made.loc[list(TESTS)].str.extract(r"\bfiles=(\d+)")[0]
    table = _rates(campaign, "value")
    table.insert(0, "files", files.astype(int))
    return table


def _rates(campaign: Campaign, column: str) -> pd.DataFrame:
    rows = campaign.measurements
    rows = rows.loc[rows["metric"] == "rate"].astype({"operation": str})
    means = rows.groupby(["system", "operation"], observed=True)[column].agg(
        lambda values: values.mean(skipna=False)
    )
    table = means.unstack().loc[list(TESTS), [f"sequential_{s}" for s in _STEPS]]
    return table.set_axis(list(_STEPS), axis="columns")


def time_of_a_file(campaign: Campaign) -> Exercise:
    """Ask what one file of the flushed tree costs [ms]."""
    table = copies(campaign)
    each = 1000 * table["time [s]"] / table["files"]
    right = float(each["tree-flushed"])
    seconds, count = table.loc["tree-flushed", ["time [s]", "files"]]
    return Exercise(
        right,
        "Divide the time of `tree-flushed` by its number of files. A second has 1000 "
        "ms.",
        f"{significant(seconds)} s ÷ {count:,.0f} files = {significant(right)} ms a "
        f"file, or {significant(1000 / right)} files a second. Print this number for "
        "small files, because you can multiply it. A tree with ten times as many small "
        "files takes about ten times as long.",
        (
            (1000 / right, "Those are files a second. Turn it over to get ms a file."),
            (float(each["tree"]), "That is `tree`; take `tree-flushed`."),
            (float(each["large"]), "That is `large`; take `tree-flushed`."),
        ),
        unit="ms",
    )


def same_data(campaign: Campaign) -> Exercise:
    """Ask how many times as many MB a second the large file moves."""
    table = copies(campaign)
    speed = table["data [MiB]"] / table["time [s]"]
    right = float(speed["large"] / speed["tree-flushed"])
    return Exercise(
        right,
        "Both copies moved the same amount of data. Calculate the MiB/s of each copy, "
        "or divide the times.",
        f"{significant(speed['large'])} MiB/s ÷ {significant(speed['tree-flushed'])} "
        f"MiB/s = {significant(right)}. The large file was flushed once, but the tree "
        "once for each file. So the MB/s of one large file says nothing about many "
        "small files, and vice versa.",
        (
            (1 / right, "That is `tree-flushed` ÷ `large`."),
            (
                float(speed["large"] / speed["tree"]),
                "That is `tree`, without flushes; take `tree-flushed`.",
            ),
            (
                float(speed["large"] - speed["tree-flushed"]),
                "That is the difference. How many times as fast? Divide.",
            ),
        ),
        unit="times",
    )


def share_of_flush(campaign: Campaign) -> Exercise:
    """Ask which share of the flushed copy's time the flushes take [%]."""
    time = copies(campaign)["time [s]"]
    right = float(100 * (1 - time["tree"] / time["tree-flushed"]))
    return Exercise(
        right,
        "`tree` and `tree-flushed` differ only by `--fsync`. What share of the longer "
        "time do you save without the flushes?",
        f"({significant(time['tree-flushed'])} − {significant(time['tree'])}) ÷ "
        f"{significant(time['tree-flushed'])} = {significant(right)} %. The shorter "
        "time does not mean a faster disk. When the faster copy ended, files were "
        "still in memory, and a power cut would have lost them (fsync(2)). Compare "
        "only copies of the same durability.",
        (
            (right / 100, "Right as a fraction; the question asks for percent."),
            (100 - right, "That is the share of everything else."),
            (
                float(time["tree-flushed"] / time["tree"]),
                "That is the ratio of the times. What percentage do the flushes take?",
            ),
            (
                float(100 * (time["tree-flushed"] / time["tree"] - 1)),
                "That is in percent of the shorter time. Divide by the longer time.",
            ),
        ),
        unit="percent",
        tolerance=0.02,
    )


def at_least(campaign: Campaign) -> Exercise:
    """Ask how many times faster +++++ is than the flushed test, at least."""
    rates = file_rates(campaign)["create"]
    bound = float(_rates(campaign, "low").loc["quick", "create"])
    right = bound / float(rates["flushed"])
    return Exercise(
        right,
        "`quick` created its files in less than half a second. At least how many files "
        "a second is that? Divide by the rate of `flushed`.",
        f"{bound / 2:,.0f} files in less than half a second are more than {bound:,.0f} "
        f"a second, at least {significant(right)} times the rate of `flushed`. "
        f"`buffered` created more files, at {significant(rates['buffered'])} a second. "
        "Two `+++++` cannot be compared with each other. Measure again with more files "
        "(`-n`), until each test takes long enough.",
        (
            (1 / right, "That is `flushed` ÷ `quick`."),
            (right / 2, "That is for a whole second. It took less than half of one."),
            (right / 4, "Divide the files by half a second; do not multiply."),
            (
                float(rates["buffered"] / rates["flushed"]),
                "That is `buffered`. Take `quick`, not `buffered`.",
            ),
            (bound, "Those are files a second. How many times `flushed` is that?"),
            (0, "The test was too quick to be printed, so it was fast."),
        ),
        unit="times",
    )


def whole_job(campaign: Campaign) -> Exercise:
    """Ask how long a job of creating, looking and deleting takes at least [s]."""
    rates = file_rates(campaign).loc["flushed"]
    buffered = file_rates(campaign).loc["buffered"]
    low = float(_rates(campaign, "low").loc["flushed", "stat"])
    create, delete = (_JOB / float(rates[step]) for step in ("create", "delete"))
    right, most = create + delete, create + delete + _JOB / low
    return Exercise(
        right,
        "Times add up, but rates do not. Files ÷ rate is the time of a step. A step "
        "with `+++++` may be extremely fast, so count no time for this step.",
        f"{_JOB:,} ÷ {significant(rates['create'])} + {_JOB:,} ÷ "
        f"{significant(rates['delete'])} = {significant(right)} s. The `+++++` of stat "
        f"means more than {low:,.0f} files a second, so stat adds at most "
        f"{significant(_JOB / low)} s. The job takes {significant(right)} to "
        f"{significant(most)} s. So the missing number does not matter here. Creating "
        "and deleting change the directory and wait for the flush. Looking up a file "
        "changes nothing that must be stored.",
        (
            (most, "That is the most that it can take. What does it take at least?"),
            (create, "That is creating alone. The files are deleted as well."),
            (delete, "That is deleting alone. The files are created as well."),
            (
                2 * _JOB / float(rates["create"] + rates["delete"]),
                "That takes the mean of two rates. Add the times instead.",
            ),
            (
                _JOB / float(rates["create"] + rates["delete"]),
                "That adds the rates. Add the times instead.",
            ),
            (
                sum(_JOB / float(buffered[step]) for step in ("create", "delete")),
                "That is `buffered`; take `flushed`.",
            ),
        ),
        unit="seconds",
        tolerance=0.01,
    )
