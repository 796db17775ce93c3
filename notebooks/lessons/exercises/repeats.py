"""Lesson 3: is the difference real? Repeats, intervals, many cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exercises.verdicts import Exercise
from fsviz.analysis.answers import ALPHA
from fsviz.analysis.cells import select
from fsviz.analysis.tests import FEWEST
from fsviz.answers.comparison import compare
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
        "Divide the standard deviation of the runs by their mean, and multiply by 100. "
        "Use `runs.std()` and `runs.mean()`.",
        f"`100 * runs.std() / runs.mean()` is {significant(right)} % (n = "
        f"{len(runs)}). pandas divides by n − 1, which is right for a sample. numpy's "
        "`std` divides by n by default, so its result is smaller.",
        (
            (right / 100, "Right as a fraction; the question asks for percent."),
            (
                100 * float(runs.std(ddof=0) / runs.mean()),
                (
                    "That divides by n. The runs are a sample, so divide by n − 1 "
                    "(ddof=1, the default of pandas)."
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
            (float(runs.mean()), "That is the mean. How much do the runs differ?"),
            (
                100 * float((runs.max() - runs.min()) / runs.mean()),
                (
                    "That uses the range, which depends on a single odd run. Use the "
                    "standard deviation."
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
        "Divide the standard deviation by √n. Multiply by the factor for this n from "
        "the table.",
        f"{significant(float(runs.std()))} MiB/s ÷ √{n} × {significant(factor)} = "
        f"{significant(right)} MiB/s. So the 95 % interval is "
        f"{significant(float(runs.mean()))} ± {significant(right)} MiB/s.\n\n"
        f"With few runs the factor is large. {significant(normal)} would be right "
        "only if the scatter were known, not estimated from these runs.",
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
                "Divide by √n: the mean of several runs varies less than one run.",
            ),
            (float(runs.std()), "That is the standard deviation of single runs."),
            (error, "That is the standard error. Multiply by the factor for this n."),
            (2 * right, "That is the whole width; the question asks for half of it."),
            *(
                (
                    float(stats.t.ppf(0.975, other - 1)) * error,
                    f"That uses the factor of n = {other}. How many runs are there?",
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
    level = ALPHA
    right = len(cells) * level
    alone = int((cells["p_value"] < level).sum())
    return Exercise(
        right,
        "If two systems are equal, one test in twenty still finds a difference. How "
        "many tests are there?",
        f"{len(cells)} tests at p < {level:g} give about {significant(right)} false "
        f"alarms if the systems do not differ. Here {alone} cells raise an alarm, no "
        "more than expected by chance.",
        (
            (len(cells), "That is the number of tests. One in twenty raises an alarm."),
            (
                alone,
                (
                    "That is how many alarms there are. The question is how many to "
                    "expect if nothing differs."
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
                    "That is the chance of one test to raise a false alarm. There are "
                    "many tests."
                ),
            ),
            (len(cells) / level, "Multiply by one in twenty; do not divide."),
        ),
        unit="cells",
        tolerance=0.05,
    )


def survivors(campaign: Campaign) -> Exercise:
    """Ask how many cells remain different after accounting for many tests."""
    cells = _tested(campaign, OLDER)
    level = ALPHA
    alone = int((cells["p_value"] < level).sum())
    right = int((cells["q_value"] < level).sum())
    return Exercise(
        right,
        "In the table `older`, count the rows whose q_value is below 0.05: "
        '`older["q_value"] < 0.05` marks these rows.',
        f"p is below {level:g} in {alone} of {len(cells)} cells, and q in {right}. "
        "q is p corrected for the number of tests (Benjamini–Hochberg). Over many such "
        f"tables, on average at most one in twenty cells with q < {level:g} is a false "
        f"alarm. {BASELINE} and {OLDER} differ in these, by little.",
        (
            (
                alone,
                (
                    "That counts p_value. Count q_value, which is corrected for the "
                    "number of tests."
                ),
            ),
            (len(cells) - right, "These cells were not shown to differ."),
            (len(cells), "These are all cells."),
            (0, "Some cells survive. Count q_value in `older`, not in `newer`."),
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
        "The answer is `untested`. How many runs of sshfs are there, and how many "
        "does a test need on each side?",
        f"sshfs has n = {have} and a test needs {FEWEST} runs, so {right} more. One "
        "run does not show how much the next run would differ, even if the ratio looks "
        "clear.",
        (
            (FEWEST, f"That is the total number; {have} is there already."),
            (have, "That is how many runs there are. How many more?"),
            (0, "With one run, nothing is known about the scatter."),
            (
                FEWEST + 1 - have,
                f"A test needs {FEWEST} runs on each side. There is {have} already.",
            ),
            (
                limits()["runs_info"] - have,
                "That many would be good, but fewer will do for a test.",
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
    cells = compare(some, baseline=BASELINE, candidate=names).cells
    return cells.loc[cells["p_value"].notna() & (cells["metric"] == "throughput")]
