"""Lesson 4: three means, two winners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exercises.verdicts import Exercise
from fsviz.analysis.cells import select
from fsviz.answers.comparison import compare
from fsviz.answers.words import WORDS
from fsviz.checks.measurable import measurable
from fsviz.model.units import KIB, MIB, format_size, significant

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

BASELINE = "nfs-v4.1"
CANDIDATE = "smb-3.1.1"
_FILE = 4 * MIB
_RECORDS = (64 * KIB, 4 * MIB)
LARGE = 2


def two_cells(campaign: Campaign) -> Exercise:
    """Ask for the geometric mean of the ratios of two cells."""
    base, cand = (
        [_mean(campaign, name, record) for record in _RECORDS]
        for name in (BASELINE, CANDIDATE)
    )
    ratios = [c / b for b, c in zip(base, cand, strict=True)]
    right = (ratios[0] * ratios[1]) ** 0.5
    times = [_FILE * sum(1 / v for v in side) for side in (base, cand)]
    means = sum(cand) / sum(base)
    listed = " and ".join(significant(r, 4) for r in ratios)
    return Exercise(
        right,
        "Calculate one ratio for each cell, candidate ÷ baseline. Multiply the two "
        "ratios, and take the square root.",
        f"The ratios are {listed}, and the root of their product is "
        f"{significant(right, 4)}. From the same two cells, the ratio of the means is "
        f"{significant(means, 4)}, and the ratio of the total times is "
        f"{significant(times[0] / times[1], 4)}. Two means name {CANDIDATE}, but "
        f"{BASELINE if times[0] < times[1] else CANDIDATE} finishes first. In the "
        "geometric mean every cell counts equally. In the mean of throughputs the fast "
        "cell counts most. In the total time the slow cell counts most.",
        (
            (
                sum(ratios) / len(ratios),
                (
                    "That is the arithmetic mean of the ratios. Swapping baseline and "
                    "candidate would not give its inverse. Take the square root of the "
                    "product."
                ),
            ),
            (
                means,
                (
                    "That is the ratio of the mean throughputs, in which the fast cell "
                    "counts most."
                ),
            ),
            (times[0] / times[1], "That is the ratio of the total times."),
            (
                1 / right,
                "That is baseline ÷ candidate. Calculate candidate ÷ baseline.",
            ),
            (right**2, "That is the product. Take its square root."),
            *((ratio, "That is the ratio of one of the cells.") for ratio in ratios),
            (1, "Give three decimals: the mean is not quite one."),
        ),
        tolerance=0.002,
    )


def first_to_finish(campaign: Campaign) -> Exercise:
    """Ask who reads all medium files first."""
    row = _medium(_reads(campaign))
    runs = f"n = {row['n_baseline']} and {row['n_candidate']}"
    right = CANDIDATE if row["total_time_ratio"] > 1 else BASELINE
    other = BASELINE if right == CANDIDATE else CANDIDATE
    return Exercise(
        right,
        "A total time ratio above 1 means that the candidate needs less time.",
        f"The total time ratio is {significant(row['total_time_ratio'])}, so {right} "
        f"finishes first. The other two means call {other} faster: "
        f"the geometric mean of the ratios, {significant(row['ratio'])} "
        f"({significant(row['ci_low'])} to {significant(row['ci_high'])}, {runs}), and "
        f"the ratio of means, {significant(row['mean_ratio'])}.",
        (
            (
                other,
                (
                    "By the other two means it is faster. Which system needs less time "
                    "for all cells together? Look at total_time_ratio."
                ),
            ),
        ),
        known=(BASELINE, CANDIDATE),
    )


def cells_won(campaign: Campaign) -> Exercise:
    """Ask how many cells the candidate wins."""
    cells = _cells(campaign)
    right = int((cells["ratio"] > 1).sum())
    best = cells.loc[cells["ratio"].idxmax()]
    return Exercise(
        right,
        "Count the rows of `cells` whose ratio is above 1, or the numbers above 1 in "
        "the table.",
        f"{CANDIDATE} wins {right} of {len(cells)} cells. In a few cells it is up to "
        f"{significant(best['ratio'])} times as fast (files of "
        f"{format_size(best['file_size_bytes'])}, records of "
        f"{format_size(best['record_size_bytes'])}). These few cells decide the mean. "
        "If a heatmap of the ratios has both colours, neither system wins everywhere.",
        (
            (len(cells) - right, f"These are the cells that {BASELINE} wins."),
            (len(cells), "These are all cells."),
            (
                (cells["ratio"] > LARGE).sum(),
                "These are the cells that SMB wins by far. Count the others as well.",
            ),
            *((right + off, "Very near: count once more.") for off in (-1, 1)),
        ),
        unit="cells",
        tolerance=0.001,
    )


def without_memory(campaign: Campaign) -> Exercise:
    """Ask for the geometric mean without the cells whose data came from memory."""
    reads = _reads(campaign)
    part, _ = measurable(reads)
    some, every = _medium(part), _medium(reads)
    right = float(some["ratio"])
    spoken = WORDS[some["answer"]]
    return Exercise(
        right,
        "Run `fsviz.compare` on `part` as it was run on `reads`, and take the "
        "ratio of the medium files.",
        f"With {some['cells']} of the {every['cells']} cells, the ratio is "
        f"{significant(right)} ({significant(some['ci_low'])} to "
        f"{significant(some['ci_high'])}): {spoken}. The means now agree: total time "
        f"{significant(some['total_time_ratio'])}, ratio of means "
        f"{significant(some['mean_ratio'])}.\n\n"
        "In the cells that were left out, IOzone had read more than an eighth of the "
        "file before it started the clock. If you leave something out, say so. Let the "
        "cause decide what you leave out, never the result.",
        (
            (every["ratio"], "That is still with all cells; compare `part`."),
            (1 / right, "That is baseline ÷ candidate."),
            (some["total_time_ratio"], "That is the ratio of total times."),
            (some["mean_ratio"], "That is the ratio of the means."),
            (
                _of(part, "all")["ratio"],
                "That is over all sizes; take the row of the medium files.",
            ),
        ),
        tolerance=0.01,
    )


def which_mean(campaign: Campaign) -> Exercise:
    """Ask which number answers a question about time."""
    row = _medium(_reads(campaign))
    return Exercise(
        "total_time_ratio",
        "The backup reads all files, one after the other, and then it is finished. "
        "Which number adds up times?",
        f"total_time_ratio, here {significant(row['total_time_ratio'])}: the backup "
        "takes the sum of all times. Every cell counts once in this sum. If you have "
        "mostly small files, give small files more weight. The geometric mean gives "
        "the typical ratio when every cell counts equally. The ratio of means answers "
        "no question about time.",
        (
            (
                "ratio",
                (
                    "It gives a cell of a thousandth of a second the same weight as a "
                    "cell of a minute. The backup does not."
                ),
            ),
            (
                "mean_ratio",
                (
                    "Throughputs do not add up over time: the fast cells take little "
                    "time, but they count most in this mean."
                ),
            ),
        ),
        known=("ratio", "total_time_ratio", "mean_ratio"),
    )


def _reads(campaign: Campaign) -> Campaign:
    systems = [BASELINE, CANDIDATE]
    return select(campaign, system=systems, operation=["read"], tool=["iozone"])


def _mean(campaign: Campaign, system: str, record: int) -> float:
    reads = _reads(campaign).measurements
    cell = reads.loc[
        (reads["system"] == system)
        & (reads["metric"] == "throughput")
        & (reads["file_size_bytes"] == _FILE)
        & (reads["record_size_bytes"] == record)
    ]
    return float(cell["value"].mean())


def _of(reads: Campaign, bucket: str) -> pd.Series:
    rows = compare(reads, baseline=BASELINE, sizes="all").by("bucket")
    wanted = (rows["bucket"] == bucket) & (rows["metric"] == "throughput")
    return rows.loc[wanted].iloc[0]


def _medium(reads: Campaign) -> pd.Series:
    return _of(reads, "medium")


def _cells(campaign: Campaign) -> pd.DataFrame:
    cells = compare(_reads(campaign), baseline=BASELINE, sizes="all").cells
    large = cells["file_size_bytes"] > 512 * KIB
    return cells.loc[large & (cells["metric"] == "throughput")]
