"""Lesson 3: is the difference real? Repeats, intervals, many cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exercises.verdicts import Exercise
from fsviz.analysis.cells import select
from fsviz.analysis.tests import FEWEST
from fsviz.checks.judged_comparison import compare
from fsviz.model.thresholds import limits
from fsviz.model.units import KIB, MIB, significant

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

SYSTEM = "nfs-v4.2"
BASELINE = "nfs-v4.1"
OLDER = "nfs-v3"
ONCE = "sshfs"
_FILE = MIB
_RECORD = 64 * KIB


def scatter(campaign: Campaign) -> Exercise:
    """Ask for the coefficient of variation of one cell's runs [%]."""
    runs = _runs(campaign)
    right = 100 * float(runs.std() / runs.mean())
    return Exercise(
        right,
        "Standard deviation of the runs ÷ their mean, times a hundred: `runs.std()` "
        "and `runs.mean()`.",
        f"`100 * runs.std() / runs.mean()` is {significant(right)} % (n = "
        f"{len(runs)}). pandas divides by n − 1, which is right for a sample; numpy's "
        "`std` divides by n unless told otherwise, so its result is smaller.",
        (
            (right / 100, "As a share that is right; the question asks for percent."),
            (
                100 * float(runs.std(ddof=0) / runs.mean()),
                (
                    "That divides by n. The runs are a sample, so divide by n − 1 "
                    "(ddof=1, which is what pandas does)."
                ),
            ),
            (
                float(runs.std()),
                "That is the standard deviation itself. Divide it by the mean.",
            ),
            (
                100 * float(runs.var() / runs.mean()),
                "That uses the variance. Its square root is the standard deviation.",
            ),
            (
                100 * float(runs.mean() / runs.std()),
                "That is the mean ÷ the standard deviation: the wrong way round.",
            ),
            (float(runs.mean()), "That is the mean. How far do the runs lie from it?"),
            (
                100 * float((runs.max() - runs.min()) / runs.mean()),
                (
                    "That is the range. One odd run decides it; use the standard "
                    "deviation."
                ),
            ),
        ),
        unit="percent",
    )


def half_width(campaign: Campaign) -> Exercise:
    """Ask for the half-width of the interval of one cell's mean [MiB/s]."""
    from scipy import stats

    runs = _runs(campaign)
    n = len(runs)
    error = float(runs.std()) / n**0.5
    factor = float(stats.t.ppf(0.975, n - 1))
    normal = float(stats.norm.ppf(0.975))
    right = factor * error
    return Exercise(
        right,
        "Standard deviation ÷ √n, times the factor for this n, which the table shows.",
        f"{significant(float(runs.std()))} MiB/s ÷ √{n} × {significant(factor)} = "
        f"{significant(right)} MiB/s. The mean of {significant(float(runs.mean()))} "
        "MiB/s is known to plus or minus that much, at 95 %.\n\n"
        f"With few runs the factor is large: {significant(normal)} would be right "
        "only if the scatter were known and not estimated from these runs.",
        (
            (
                normal * error,
                (
                    "That uses the factor of the normal distribution. With so few "
                    "runs, use Student's t from the table."
                ),
            ),
            (
                factor * float(runs.std()),
                "Divide by √n: the mean of several runs is steadier than one run.",
            ),
            (float(runs.std()), "That is the standard deviation of single runs."),
            (error, "That is the standard error. Multiply by the factor for this n."),
            (2 * right, "That is the whole width; the question asks for half of it."),
            *(
                (
                    float(stats.t.ppf(0.975, other - 1)) * error,
                    f"That is the factor of n = {other}. How many runs are there?",
                )
                for other in (n - 1, n + 1)
            ),
            (right / n**0.5, "Divide the standard deviation by √n, not by n."),
            (
                right * (n / (n - 1)) ** 0.5,
                "Divide by √n. The n − 1 is in the standard deviation already.",
            ),
        ),
        unit="MiB/s",
        tolerance=0.02,
    )


def by_chance(campaign: Campaign) -> Exercise:
    """Ask how many cells would look different by chance."""
    cells = _tested(campaign, SYSTEM)
    level = limits()["false_hits"]
    right = len(cells) * level
    alone = int((cells["p_value"] < level).sum())
    return Exercise(
        right,
        "One test in twenty calls two equal things different. How many tests are "
        "there?",
        f"{len(cells)} tests at p < {level:g} make about {significant(right)} false "
        f"alarms if nothing differs at all. Here {alone} cells raise an alarm, no more "
        "than chance alone would give.",
        (
            (len(cells), "That is the number of tests. One in twenty of them errs."),
            (
                alone,
                (
                    "That is how many alarms there are. The question is how many there "
                    "would be if nothing differed."
                ),
            ),
            (
                0,
                (
                    "If nothing differs, a test still raises an alarm once in twenty "
                    "times."
                ),
            ),
            (
                level,
                (
                    "That is the chance of one test to raise an alarm. There are many "
                    "tests."
                ),
            ),
            (len(cells) / level, "Multiply by one in twenty, do not divide."),
        ),
        unit="cells",
        tolerance=0.05,
    )


def survivors(campaign: Campaign) -> Exercise:
    """Ask how many cells remain different after accounting for many tests."""
    cells = _tested(campaign, OLDER)
    level = limits()["false_hits"]
    alone = int((cells["p_value"] < level).sum())
    right = int((cells["q_value"] < level).sum())
    return Exercise(
        right,
        "In the table `older`, count the rows whose q_value is below 0.05: "
        '`older["q_value"] < 0.05` marks them.',
        f"p < {level:g} in {alone} of {len(cells)} cells; q < {level:g} in {right}. "
        "q is p corrected for the number of tests (Benjamini–Hochberg). It bounds the "
        f"share of false alarms among the {right} on average: over many such tables, "
        f"at most one in twenty. Between {BASELINE} and {OLDER} something does differ.",
        (
            (
                alone,
                (
                    "That counts p_value. Count q_value, which takes all tests into "
                    "account."
                ),
            ),
            (len(cells) - right, "These are the cells that do not differ."),
            (len(cells), "These are all cells."),
            (0, "Some do survive: count q_value in `older`, not in `newer`."),
        ),
        unit="cells",
        tolerance=0.001,
    )


def runs_lacking(campaign: Campaign) -> Exercise:
    """Ask how many more runs a test would need."""
    table = campaign.measurements
    have = int(table.loc[table["system"] == ONCE, "run"].nunique())
    right = FEWEST - have
    return Exercise(
        right,
        "The verdict is `untested`. How many runs are there, and how many does a test "
        "need on each side?",
        f"sshfs has n = {have} and a test needs {FEWEST}, so {right} more. One run "
        "does not show how far the next one would differ, even if the difference looks "
        "clear.",
        (
            (FEWEST, f"That is how many are needed in all; {have} is there already."),
            (have, "That is how many there are. How many more?"),
            (0, "From one run, nothing is known about the scatter."),
            (
                FEWEST + 1 - have,
                f"A test needs {FEWEST} runs on each side. There is {have} already.",
            ),
            (
                limits()["runs_info"] - have,
                "That many would be good, but for a test, fewer will do.",
            ),
        ),
        unit="runs",
        tolerance=0.001,
    )


def _runs(campaign: Campaign) -> pd.Series:
    table = campaign.measurements
    cell = table.loc[
        (table["system"] == SYSTEM)
        & (table["operation"] == "write")
        & (table["metric"] == "throughput")
        & (table["file_size_bytes"] == _FILE)
        & (table["record_size_bytes"] == _RECORD)
    ]
    return cell["value"] / MIB


def _tested(campaign: Campaign, candidate: str) -> pd.DataFrame:
    some = select(campaign, tool=["iozone"])
    names = [candidate]
    # p and q do not depend on the rules of fsviz check
    cells = compare(some, baseline=BASELINE, candidate=names, cells=True, check=False)
    return cells.loc[cells["p_value"].notna() & (cells["metric"] == "throughput")]
