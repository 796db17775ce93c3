"""What the rules look at: a campaign, arranged once for all of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from fsviz.analysis.aggregate import codes
from fsviz.analysis.arrangement import Arranged
from fsviz.analysis.cells import performance
from fsviz.checks.runs_and_cells import (
    aggregate,
    levels_of,
    positions,
    total_bytes,
)
from fsviz.model.facts import System, systems_of
from fsviz.model.libraries import np, pd
from fsviz.model.runs import TABLE, facts_of_run, method_of_measuring
from fsviz.model.table import CELL
from fsviz.readers.iozone.options import BUFFERED, Options, parse_options
from fsviz.readers.iozone.table import TESTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fsviz.model.campaign import Campaign

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

_TESTS = {number: TESTS[number] for number in (0, 1, 2)}

_options = lru_cache(maxsize=1024)(parse_options)


@dataclass(frozen=True)
class Group:
    """The runs of one system, tool and configuration: repeats of one another."""

    system: System
    tool: str
    runs: pd.DataFrame
    number: int

    @cached_property
    def command_line(self) -> str:
        """The first command line that is known, else empty."""
        lines = self.runs["command_line"].tolist()
        return next((line for line in lines if isinstance(line, str)), "")

    @cached_property
    def options(self) -> Options | None:
        """IOzone's options; None if the command line is not known."""
        return _options(self.command_line) if self.command_line else None

    def has(self, *flags: str) -> bool:
        """Say whether IOzone ran with any of some options, such as ``c`` or ``+r``."""
        return self.options is not None and any(f in self.options for f in flags)

    @property
    def flushed(self) -> bool:
        """Whether IOzone timed writes until the system said that they are stored."""
        is_iozone = self.tool == "iozone" and self.options is not None
        return is_iozone and self.options.flushed  # type: ignore[union-attr]

    def direct(self, operation: str) -> bool:
        """Say whether IOzone's -I kept a test out of the page cache."""
        return self.has("I") and not self.has("B") and operation not in BUFFERED

    @property
    def is_complete(self) -> bool:
        """Whether all of its runs are complete outputs, not excerpts or quotations.

        A table of one's own holds what its author chose.
        """
        complete, notes = self.runs["complete"].tolist(), self.runs["note"].tolist()
        chosen = TABLE in self.runs["configuration"].tolist() or False in complete
        return not chosen and not any(isinstance(n, str) for n in notes)

    @property
    def option_bytes(self) -> float:
        """Largest data set that IOzone's options ask for [B]; 0 if not known."""
        if self.tool != "iozone" or self.options is None:
            return 0.0
        try:
            largest = self.options.largest_file
        except ValueError:
            return 0.0
        return float(largest * max(self.options.threads, default=1))

    @property
    def option_operations(self) -> tuple[str, ...]:
        """The tests among the first three that IOzone's options ask for."""
        if self.tool != "iozone" or self.options is None:
            return ()
        tests = self.options.tests
        chosen = [names for n, names in _TESTS.items() if tests is None or n in tests]
        return tuple(name for names in chosen for name in names)

    @cached_property
    def place(self) -> tuple[str, str]:
        """Where its first run is."""
        return str(self.runs["source"].iloc[0]), "line 1"


# Repeats of one measurement as a group, and what its command line asked for.


@dataclass(frozen=True)
class Case:
    """A campaign as the rules see it."""

    campaign: Campaign
    limits: Mapping[str, float]
    named: str = ""

    @cached_property
    def arranged(self) -> Arranged:
        """The campaign as comparisons arrange it."""
        return Arranged(self.campaign)

    @cached_property
    def systems(self) -> dict[str, System]:
        """Every system that was measured, in the order of the campaign."""
        by_name = systems_of(self.campaign.systems)
        names = dict.fromkeys(self.campaign.runs["system"])
        ordered = [n for n in by_name if n in names]
        ordered += [n for n in names if n not in by_name]
        return {name: by_name.get(name, System(name, {})) for name in ordered}

    @cached_property
    def baseline(self) -> str:
        """The system that the others are compared with; the first if none is named."""
        return self.named if self.named in self.systems else next(iter(self.systems))

    @cached_property
    def runs(self) -> pd.DataFrame:
        """One row a run, with its ``group`` and its ``facts`` as a mapping."""
        runs = self.campaign.runs.reset_index(drop=True)
        keys = [runs[k].astype("string").fillna("") for k in _GROUP]
        ways = map(method_of_measuring, keys[1].tolist(), keys[2].tolist())
        group = codes([*keys[:2], pd.Series([*ways], dtype="string")])
        # a list: `map` would make one structure of all and add keys that some lack
        facts = [facts_of_run(text) for text in runs["facts"]]
        return runs.assign(group=group, facts=facts)

    @cached_property
    def groups(self) -> list[Group]:
        """The runs by system, tool and configuration."""
        runs = self.runs.sort_values("group", kind="stable")
        numbers, first = np.unique(runs["group"].to_numpy(), return_index=True)
        ends = [*first[1:].tolist(), len(runs)]
        systems, tools = runs["system"].tolist(), runs["tool"].tolist()
        return [
            Group(self.systems[systems[a]], str(tools[a]), runs.iloc[a:b], int(n))
            for n, a, b in zip(numbers, first.tolist(), ends, strict=True)
        ]

    def of(self, tool: str) -> list[Group]:
        """List the groups of one tool."""
        return [group for group in self.groups if group.tool == tool]

    @cached_property
    def rows(self) -> pd.DataFrame:
        """Measured numbers of whole runs, each with its ``at`` (row of `runs`).

        ``system`` is a category, in alphabetical order.
        """
        measured = self._rows["value"].notna()
        rows = self._rows if measured.all() else self._rows.loc[measured]
        return rows.reset_index(drop=True)

    @cached_property
    def unmeasured(self) -> pd.DataFrame:
        """Numbers of whole runs of which only a bound is known, as `rows`."""
        bounded = self._rows[["low", "high"]].notna().any(axis=1)
        rows = self._rows.loc[self._rows["value"].isna() & bounded]
        return rows.reset_index(drop=True)

    @cached_property
    def _rows(self) -> pd.DataFrame:
        table = performance(self.campaign.measurements)
        at = positions(self.runs, table)
        named = pd.Categorical(self.runs["system"].astype(object))
        return table.assign(
            at=at,
            group=self.runs["group"].to_numpy()[at],
            system=pd.Categorical.from_codes(named.codes[at], dtype=named.dtype),
        )

    @cached_property
    def cell(self) -> NDArray[np.int64]:
        """Number of the cell of each of `rows`: what one group measured repeatedly."""
        rows = self.rows
        return codes([rows["group"], *(rows[name] for name in CELL)])

    @cached_property
    def cells(self) -> pd.DataFrame:
        """One row a cell: where it is, and ``n mean std low high`` over its runs.

        ``log_mean`` is that of the logarithms, ``at_low`` and ``at_high`` are the rows
        of the smallest and the largest value. The cells of a group stand together.
        """
        return aggregate(self.rows, self.cell)

    def of_group(self, group: Group) -> pd.DataFrame:
        """List the cells of a group."""
        numbers = self.cells["group"].to_numpy()
        first, last = numbers.searchsorted([group.number, group.number + 1])
        return self.cells.iloc[first:last]

    def of_groups(self, groups: Sequence[Group]) -> pd.Index:
        """Number the cells of some groups."""
        ours = self.cells["group"].isin([group.number for group in groups])
        return self.cells.index[ours]

    def of_systems(self, tool: str, names: Sequence[str]) -> pd.Index:
        """Number the cells of a tool on some systems."""
        ours = (self.cells["tool"] == tool) & self.cells["system"].isin(names)
        return self.cells.index[ours]

    def names_of(self, cells: pd.DataFrame) -> list[str]:
        """List the systems of some cells in the campaign's order."""
        measured = set(cells["system"].unique())
        return [name for name in self.systems if name in measured]

    def about(self, cells: pd.DataFrame, worst: int) -> dict[str, Any]:
        """Say what a finding is about: cells of one tool, and the worst."""
        return {
            "systems": self.names_of(cells),
            "operations": list(cells["operation"].unique()),
            "tool": str(cells["tool"].iloc[0]),
            "cells": cells.index,
            "place": self.place(int(self.cells.loc[worst, "at_high"])),
        }

    def stated(
        self, cells: pd.DataFrame, numbers: Mapping[str, float | None]
    ) -> pd.Series:
        """Look up each cell's number by its system; missing where there is none."""
        system = cells["system"].cat
        values = [numbers.get(str(name)) for name in system.categories]
        table = np.array([*values, None], dtype="float64")
        return pd.Series(table[system.codes.to_numpy()], index=cells.index)

    @cached_property
    def throughput(self) -> pd.DataFrame:
        """Cells of throughput."""
        return self.cells.loc[self.cells["metric"] == "throughput"]

    @cached_property
    def largest(self) -> dict[int, float]:
        """Most data that a cell of each group touches [B], or would by its options."""
        total = total_bytes(self.cells).groupby(self.cells["group"]).max()
        of_options = {g.number: g.option_bytes for g in self.groups if g.option_bytes}
        return of_options | total.dropna().to_dict()

    @cached_property
    def operations(self) -> dict[int, tuple[str, ...]]:
        """The tests of each group, measured or only asked for."""
        pairs = self.cells[["group", "operation"]].drop_duplicates()
        by_group: dict[int, tuple[str, ...]] = {}
        for number, operation in pairs.itertuples(index=False):
            by_group[number] = (*by_group.get(number, ()), str(operation))
        return {
            g.number: by_group.get(g.number, g.option_operations) for g in self.groups
        }

    @cached_property
    def levels(self) -> pd.DataFrame:
        """The level of each run in each test: one row a run, one column a test.

        A level is the mean logarithm over the cells that all runs of the group have,
        of throughput, rate or elapsed time.
        """
        runs = self.runs.groupby("group").size()
        expected = runs.reindex(self.cells["group"]).to_numpy()
        is_complete = self.cells["n"].to_numpy() == expected
        return levels_of(self.rows, self.cell, is_complete).reindex(self.runs.index)

    def place(self, row: int) -> tuple[str, str]:
        """Say where a number of `rows` was printed: source and locator."""
        printed = self.rows.iloc[int(row)]
        return str(printed["source"]), str(printed["locator"])

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
        paths = self.runs["source"].unique()
        folders = {path.rpartition("/")[0] for path in paths}
        if "" in folders:
            return 0
        try:
            common = os.path.commonpath(folders)
        except ValueError:  # absolute and relative paths
            return 0
        return len(common) + 1 if common else 0


_GROUP = ("system", "tool", "configuration")
