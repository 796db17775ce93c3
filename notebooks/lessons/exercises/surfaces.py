"""Lesson 1: reading a surface, a heatmap and a slice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exercises.verdicts import Exercise
from fsviz.analysis.grids import Grid, make_grid
from fsviz.model.units import KIB, MIB, format_size, format_throughput, significant

if TYPE_CHECKING:
    from fsviz.model.campaign import Campaign

_SYSTEM = "xfs"
_RECORD = 64 * KIB
_EDGE = 128 * MIB


def highest_cell(campaign: Campaign) -> Exercise:
    """Ask for the record size of the fastest write [KiB]."""
    grid = make_grid(campaign, system=_SYSTEM, operation="write")
    file, record = grid.mean.stack().idxmax()
    largest = grid.mean.columns[-1]
    return Exercise(
        record / KIB,
        "Find the highest number in the heatmap: look at the brightest cells. The "
        "record size is on the horizontal axis.",
        f"The fastest write is {format_throughput(grid.mean.loc[file, record])}, with "
        f"records of {format_size(record)} in files of {format_size(file)}.\n\n"
        "On the surface, the corner nearest to you looks highest. Use a surface to see "
        "the shape, and a heatmap to find a cell.",
        (
            (record, "That is in bytes; the question asks for KiB."),
            (record / MIB, "That is in MiB; the question asks for KiB."),
            (file / KIB, "That is the file size of the cell, not its record size."),
            (file / MIB, "That is the file size of the cell, not its record size."),
            (
                largest / KIB,
                (
                    "These are the largest records. On the surface they are in front "
                    "and look high. Look at the heatmap."
                ),
            ),
        ),
        unit="KiB",
        tolerance=0.001,
    )


def dip(campaign: Campaign) -> Exercise:
    """Ask which records are slower than both neighbours in large files [MiB]."""
    grid = make_grid(campaign, system=_SYSTEM, operation="write")
    rows = grid.mean.loc[grid.mean.index >= _EDGE / 2]
    among = rows.dropna(axis="columns")
    beside = (among.shift(1, axis=1) * among.shift(-1, axis=1)) ** 0.5
    depth = (among / beside).median().dropna()
    record = int(depth.idxmin())
    spread = _spread(campaign, record)
    return Exercise(
        record / MIB,
        f"In the lines over record size, follow the files of {format_size(_EDGE / 2)} "
        "and more from left to right: one point is low in each line.",
        f"With records of {format_size(record)}, the write speed is "
        f"{significant(float(depth.min()))} times that of the neighbouring sizes "
        "(median over these files). The lines show the dip at once. On the surface the "
        "dip is a valley, which some points of view hide.\n\n"
        f"None of the pictures shows the single runs. {spread}. The mean of such runs "
        "is not a typical value. Look at the runs of a cell before you believe that "
        "the cell is slow.",
        (
            (record / KIB, "That is in KiB; the question asks for MiB."),
            (record, "That is in bytes; the question asks for MiB."),
            *(
                (size / MIB, "That is the size of a file. Which record size is slow?")
                for size in among.index
            ),
            (
                among.columns[-1] / MIB,
                (
                    "The line ends low, but its last point has no right neighbour to "
                    "compare with. Look for a point below both neighbours."
                ),
            ),
        ),
        unit="MiB",
        tolerance=0.001,
    )


def _spread(campaign: Campaign, record: int) -> str:
    table = campaign.measurements
    cell = table.loc[
        (table["system"] == _SYSTEM)
        & (table["operation"] == "write")
        & (table["metric"] == "throughput")
        & (table["file_size_bytes"] == _EDGE)
        & (table["record_size_bytes"] == record)
    ]
    values = cell["value"]
    return (
        f"For files of {format_size(_EDGE)}, the runs lie between "
        f"{format_throughput(values.min())} and {format_throughput(values.max())} (n = "
        f"{len(values)})"
    )


def fall(campaign: Campaign) -> Exercise:
    """Ask by what factor random writes fall over one doubling of the file size."""
    grid = make_grid(campaign, system=_SYSTEM, operation="random_write")
    before, after = grid.mean.loc[[_EDGE, 2 * _EDGE], _RECORD]
    ratio = float(before / after)
    return Exercise(
        ratio,
        f"In the heatmap of random writes, find the column of {format_size(_RECORD)}. "
        f"Look up the values for files of {format_size(_EDGE)} and "
        f"{format_size(2 * _EDGE)}. Divide the larger value by the smaller one.",
        f"{format_throughput(before)} ÷ {format_throughput(after)} = "
        f"{significant(ratio)}.\n\n"
        "On the surface with a linear scale, this fall looks like one step among many. "
        "A logarithmic scale shows equal factors as equal heights, so prefer it for "
        "ratios. But a logarithmic scale cannot show amounts, and it has no zero.",
        (
            (1 / ratio, "That is the small number divided by the large one."),
            (
                (before - after) / MIB,
                "That is the difference. How many times slower are they? Divide.",
            ),
            (
                100 * (1 - 1 / ratio),
                "That is the loss in percent. The question asks for a factor.",
            ),
            (
                1 - 1 / ratio,
                "That is the share that is lost. The question asks for a factor.",
            ),
            (
                _fall(campaign, "write", _RECORD),
                "That is for writes. Take random writes.",
            ),
            *(
                (
                    _fall(campaign, "random_write", record),
                    f"That is the column of records of {format_size(record)}.",
                )
                for record in grid.mean.columns
                if record > _RECORD
            ),
        ),
        tolerance=0.04,
    )


def _fall(campaign: Campaign, operation: str, record: int) -> float:
    grid = make_grid(campaign, system=_SYSTEM, operation=operation)
    before, after = grid.mean.loc[[_EDGE, 2 * _EDGE], record]
    return float(before / after)


def left_out(campaign: Campaign) -> Exercise:
    """Ask how many possible cells were not measured."""
    grid = make_grid(campaign, system=_SYSTEM, operation="write")
    impossible, skipped = _empty(grid)
    rows, columns = grid.mean.shape
    return Exercise(
        skipped,
        "Count the empty places in the heatmap where the record would fit into the "
        "file.",
        f"The matrix has {rows} × {columns} places; {impossible + skipped} are empty. "
        f"In {impossible} places the record would be larger than the file. IOzone "
        f"left out the other {skipped}: without -z, its automatic mode skips small "
        "records in large files (iozone(1)).\n\n"
        "An empty place is not zero. A chart that draws it as zero shows a deep hole "
        "where nobody measured.",
        (
            (
                impossible + skipped,
                (
                    "These are all empty places. In some of these the record is larger "
                    "than the file, which is impossible. Leave such places out."
                ),
            ),
            (
                impossible,
                (
                    "These are the impossible places, where the record is larger than "
                    "the file. The question asks for the other empty places."
                ),
            ),
            (rows * columns, "These are all places of the matrix."),
            (
                rows * columns - impossible - skipped,
                "These are the cells that were measured.",
            ),
            *(
                (skipped + off, "Very near: count once more, row by row.")
                for off in (-1, 1)
            ),
            (0, "There are some. Look at small records in large files."),
        ),
        unit="cells",
        tolerance=0.001,
    )


def _empty(grid: Grid) -> tuple[int, int]:
    """Count the impossible and the skipped places."""
    places = [
        (record > file, value != value)
        for file, row in grid.mean.iterrows()
        for record, value in row.items()
    ]
    impossible = sum(empty and too_large for too_large, empty in places)
    return impossible, sum(empty and not too_large for too_large, empty in places)
