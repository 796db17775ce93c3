"""What the rules look at: a campaign, arranged once for all of them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from fsviz.analysis.cells import performance
from fsviz.checks.arrange import aggregate, codes, levels_of, positions
from fsviz.checks.facts import System, systems_of
from fsviz.readers.iozone_options import Options, parse_options
from fsviz.table import CELL

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from fsviz.campaign import Campaign

READS = (
    *("read", "reread", "random_read", "backward_read", "stride_read"),
    *("fread", "freread", "pread", "repread", "preadv", "repreadv"),
)
"""IOzone's tests that only read."""

WRITES = (
    *("write", "rewrite", "random_write", "record_rewrite", "fwrite", "frewrite"),
    *("pwrite", "repwrite", "pwritev", "repwritev"),
)
"""IOzone's tests that only write."""

_options = lru_cache(maxsize=1024)(parse_options)


@dataclass(frozen=True)
class Group:
    """The runs of one system, tool and configuration: repeats of one another.

    Parameters
    ----------
    system : System
    tool : str
    runs : DataFrame
        Rows of `Case.runs`.
    """

    system: System
    tool: str
    runs: pd.DataFrame

    @property
    def command_line(self) -> str:
        """The first command line that is known, else empty."""
        known = self.runs["command_line"].dropna()
        return str(known.iloc[0]) if len(known) else ""

    @property
    def options(self) -> Options | None:
        """IOzone's options; None if the command line is not known."""
        return _options(self.command_line) if self.command_line else None

    def has(self, *flags: str) -> bool:
        """Say whether IOzone ran with any of some options, such as ``c`` or ``+r``."""
        return self.options is not None and any(f in self.options for f in flags)

    @property
    def place(self) -> tuple[str, str]:
        """Where its first run is."""
        return str(self.runs["source"].iloc[0]).split(", ")[0], "line 1"


@dataclass(frozen=True)
class Case:
    """A campaign as the rules see it.

    Parameters
    ----------
    campaign : Campaign
    limits : mapping of str to float
        Every threshold.
    """

    campaign: Campaign
    limits: Mapping[str, float]

    @cached_property
    def systems(self) -> dict[str, System]:
        """Every system that was measured, in the order of the campaign."""
        known = systems_of(self.campaign.systems)
        names = self.campaign.runs["system"].unique()
        ordered = [n for n in known if n in set(names)]
        ordered += [n for n in names if n not in known]
        return {name: known.get(name, System(name, {})) for name in ordered}

    @cached_property
    def baseline(self) -> str:
        """The system that the others are compared with; the first if none is named."""
        named = self.campaign.baseline
        return named if named in self.systems else next(iter(self.systems))

    @cached_property
    def runs(self) -> pd.DataFrame:
        """One row a run, with its ``group`` and its ``facts`` as a mapping."""
        runs = self.campaign.runs.reset_index(drop=True)
        keys = [runs[k].astype("string").fillna("") for k in _GROUP]
        group = codes(keys)
        return runs.assign(group=group, facts=runs["facts"].map(_facts))

    @cached_property
    def groups(self) -> list[Group]:
        """The runs by system, tool and configuration."""
        return [
            Group(
                self.systems[str(runs["system"].iloc[0])],
                str(runs["tool"].iloc[0]),
                runs,
            )
            for _, runs in self.runs.groupby("group", sort=True)
        ]

    def of(self, tool: str) -> list[Group]:
        """List the groups of one tool."""
        return [group for group in self.groups if group.tool == tool]

    @cached_property
    def rows(self) -> pd.DataFrame:
        """Measured numbers of whole runs, each with its ``at`` (row of `runs`)."""
        return self._rows.loc[self._rows["value"].notna()].reset_index(drop=True)

    @cached_property
    def unmeasured(self) -> pd.DataFrame:
        """Numbers of whole runs of which only a bound is known, as `rows`."""
        return self._rows.loc[self._rows["value"].isna()].reset_index(drop=True)

    @cached_property
    def _rows(self) -> pd.DataFrame:
        table = performance(self.campaign.measurements)
        at = positions(self.runs, table)
        group = self.runs["group"].to_numpy()[at]
        return table.assign(at=at, group=group)

    @cached_property
    def cell(self) -> NDArray[np.int64]:
        """Number of the cell of each of `rows`: what one group measured repeatedly."""
        rows = self.rows
        return codes([rows["group"], *(rows[name] for name in CELL)])

    @cached_property
    def cells(self) -> pd.DataFrame:
        """One row a cell: where it is, and ``n mean std low high`` over its runs.

        ``at_low`` and ``at_high`` are the rows of the smallest and the largest value.
        """
        return aggregate(self.rows, self.cell)

    @cached_property
    def throughput(self) -> pd.DataFrame:
        """Cells of throughput."""
        return self.cells.loc[self.cells["metric"] == "throughput"]

    @cached_property
    def levels(self) -> list[tuple[Group, pd.DataFrame]]:
        """Each group with the level of its runs: one row a run, one column a test.

        A level is the mean logarithm over the cells that all runs of the group have,
        of throughput, rate or elapsed time.
        """
        return list(_levels(self))

    @cached_property
    def compared(self) -> pd.DataFrame:
        """Every system against the baseline, one row an operation."""
        return _compare(self, cells=False)

    @cached_property
    def compared_cells(self) -> pd.DataFrame:
        """Every system against the baseline, one row a cell."""
        return _compare(self, cells=True)

    def place(self, row: int) -> tuple[str, str]:
        """Say where a number of `rows` was printed: source and locator."""
        found = self.rows.iloc[int(row)]
        return str(found["source"]), str(found["locator"])

    def at(self, row: int) -> str:
        """Say where a number was printed, without the folders that all files share."""
        source, locator = self.place(row)
        return f"{self.short(source)}:{locator}"

    def short(self, source: str) -> str:
        """Leave out the folders that the files of all runs share."""
        return source[self._shared :] if source[: self._shared] else source

    @cached_property
    def _shared(self) -> int:
        """Length of the folders that the files of all runs share."""
        paths = [str(source).split(", ")[0] for source in self.runs["source"].unique()]
        folders = {path.rpartition("/")[0] for path in paths}
        if "" in folders:
            return 0
        try:
            common = os.path.commonpath(folders)
        except ValueError:  # absolute and relative paths
            return 0
        return len(common) + 1 if common else 0


_GROUP = ("system", "tool", "configuration")


def _facts(text: object) -> dict[str, object]:
    found = json.loads(str(text)) if isinstance(text, str) and text else {}
    return found if isinstance(found, dict) else {}


def _levels(case: Case) -> Iterator[tuple[Group, pd.DataFrame]]:
    runs = case.runs.groupby("group").size()
    expected = runs.reindex(case.cells["group"]).to_numpy()
    whole = case.cells["n"].to_numpy() == expected
    wide = levels_of(case.rows, case.cell, whole)
    for group in case.groups:
        own = wide.reindex(group.runs.index)
        yield group, own.dropna(axis="columns", how="all")


def _compare(case: Case, *, cells: bool) -> pd.DataFrame:
    import pandas as pd

    from fsviz.analysis.deltas import CELL_COLUMNS, COLUMNS, compare
    from fsviz.errors import FsvizError

    empty = pd.DataFrame(columns=list(CELL_COLUMNS if cells else COLUMNS))
    if len(case.systems) < 2:
        return empty
    try:
        return compare(
            case.campaign, baseline=case.baseline, by="operation", cells=cells
        )
    except FsvizError:
        # runs that are no repeats of one another; settings-differ speaks about them
        return empty
