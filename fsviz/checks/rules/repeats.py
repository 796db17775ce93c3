"""Rules about repetition: enough runs, and runs that agree."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fsviz.checks.case import Case, Group
from fsviz.checks.findings import Finding, Severity
from fsviz.checks.phrases import (
    count,
    describe,
    listing,
    of_cells,
    share,
)
from fsviz.checks.registry import rule
from fsviz.checks.runs_and_cells import STEADY
from fsviz.model.libraries import np
from fsviz.model.runs import STANDS_FOR
from fsviz.model.table import CELL
from fsviz.model.tools import title_of
from fsviz.model.units import significant

if TYPE_CHECKING:
    import pandas as pd


@rule(
    "too-few-runs",
    ("error", "warning", "info"),
    "one run; fewer than 3, of a cell too; fewer than 5",
    ("runs_warning", "runs_info"),
)
def too_few_runs(case: Case) -> Iterator[Finding]:
    """Find measurements that were not repeated, or hardly."""
    by_kind: dict[tuple[Severity, str, str], list[Group]] = {}
    for group in case.groups:
        n = len(group.runs)
        # what the only run of a group stands for
        kind = str(group.runs["facts"].iloc[0].get(STANDS_FOR, "")) if n == 1 else ""
        if n == 1:
            severity: Severity = "warning" if kind == _MEAN else "error"
        elif n < case.limits["runs_warning"]:
            severity = "warning"
        elif n < case.limits["runs_info"]:
            severity = "info"
        else:
            continue
        by_kind.setdefault((severity, kind, group.tool), []).append(group)
    for (severity, kind, tool), groups in by_kind.items():
        yield _few(case, severity, kind, tool, groups)
    yield from _rare_cells(case)


def _rare_cells(case: Case) -> Iterator[Finding]:
    """Find cells that hardly any of a group's several runs have."""
    least = case.limits["runs_warning"]
    repeated = [g.number for g in case.groups if len(g.runs) >= least]
    ours = case.cells["group"].isin(repeated) & case.cells["metric"].isin(STEADY)
    cells = case.cells.loc[ours]
    rare = cells.loc[cells["n"] < least]
    if rare.empty:
        return
    place = ["group", *CELL]
    # a run that was too fast to time measured the cell as well
    bounds = case.unmeasured[place].drop_duplicates()
    bounded = rare[place].merge(bounds, "left", on=place, indicator=True)["_merge"]
    rare = rare.loc[(bounded == "left_only").to_numpy()]
    for tool, few in rare.groupby("tool", observed=True):
        among = cells.loc[(cells["tool"] == tool) & cells["group"].isin(few["group"])]
        fewest = int(few["n"].idxmin())
        first = few.loc[fewest]
        yield Finding(
            "warning",
            f"{of_cells(len(few), len(among))} of {title_of(tool)} have fewer than "
            f"{int(least)} runs: no difference can be tested in them",
            f"{first['system']}: {count(int(first['n']), 'run')}, "
            f"{describe(case, fewest)}",
            "repeat these cells as often as the others",
            **case.about(few, fewest),
        )


_MEANING = {
    "error": "this says nothing about how well it repeats",
    "warning": "no difference can be tested",
    "info": "intervals will be wide",
}
_MEAN, _FIGURE = "mean", "published"


_SAID = {
    _MEAN: "only the mean of the runs of {tool} is known: {meaning}",
    _FIGURE: "published figures of {tool}, without the number of runs behind them: "
    "their scatter is unknown",
    "": "{runs} of {tool} on {where}: {meaning}",
}
_ADVICE = {
    _MEAN: "keep every time (hyperfine --export-json)",
    _FIGURE: "ask for the runs, or repeat each at least {least} times, the systems "
    "taking turns",
    "": "repeat each at least {least} times, the systems taking turns",
}


def _few(
    case: Case, severity: Severity, kind: str, tool: str, groups: list[Group]
) -> Finding:
    numbers = sorted({len(g.runs) for g in groups})
    least = int(case.limits["runs_info"])
    systems = list(dict.fromkeys(g.system.name for g in groups))
    runs = "one run" if numbers == [1] else f"{listing(map(str, numbers))} runs"
    # a bare "one run of rsync" speaks of all systems, though it was most of them ten
    measured = {g.system.name for g in case.groups if g.tool == tool}
    every = len(measured) > 1 and measured == {*systems}
    where = "every system" if every else listing(systems)
    first = groups[0]
    n = str(first.runs["note"].iloc[0]) if kind else str(len(first.runs))
    configuration = str(first.runs["configuration"].iloc[0] or "no options known")
    shown = textwrap.shorten(configuration, 60, placeholder=" …")
    return Finding(
        severity,
        _SAID[kind].format(
            runs=runs, tool=title_of(tool), where=where, meaning=_MEANING[severity]
        ),
        f"{first.system.name}: {n}{',' if kind else ' of'} {shown} "
        f"({case.short(first.place[0])})",
        _ADVICE[kind].format(least=least),
        systems=systems,
        tool=tool,
        cells=case.of_groups(groups),
        place=first.place,
    )


@rule(
    "unstable-cell",
    ("warning", "info"),
    "runs scatter by more than 10 %, 5 % in a cell",
    ("cv_warning", "cv_info"),
)
def unstable_cell(case: Case) -> Iterator[Finding]:
    """Find cells whose runs scatter."""
    cells = case.cells.loc[(case.cells["n"] > 1) & case.cells["metric"].isin(STEADY)]
    cells = cells.assign(cv=cells["std"] / cells["mean"])
    lines = {name: case.limits[f"cv_{name}"] for name in ("warning", "info")}
    for tool, bad in cells.groupby("tool", observed=True):
        worst = bad.loc[bad["cv"].idxmax()] if bad["cv"].notna().any() else None
        if worst is None or worst["cv"] <= lines["info"]:
            continue
        severity = next(name for name, line in lines.items() if worst["cv"] > line)
        yield _unstable(case, severity, str(tool), bad, lines)  # type: ignore[arg-type]


def _groups_in_single_file(case: Case) -> set[int]:
    """List the groups whose runs all stand in one file."""
    sources = case.runs.groupby("group")["source"].agg(["nunique", "size"])
    together = sources.loc[(sources["nunique"] == 1) & (sources["size"] > 1)]
    return {int(number) for number in together.index}


def _unstable(
    case: Case,
    severity: Severity,
    tool: str,
    cells: pd.DataFrame,
    lines: dict[str, float],
) -> Finding:
    bad = cells.loc[cells["cv"] > lines[severity]]
    worst = int(bad["cv"].idxmax())
    counts = [
        f"{(cells['cv'] > line).sum():,} above {share(line)}" for line in lines.values()
    ]
    n = int(cells.loc[worst, "n"])
    return Finding(
        severity,
        f"runs of {title_of(tool)} scatter by more than {share(lines[severity])} "
        f"(coefficient of variation) in {of_cells(len(bad), len(cells))}",
        f"{', '.join(counts)}; worst {share(cells.loc[worst, 'cv'])} of {n} runs, "
        f"{cells.loc[worst, 'system']}: from {describe(case, worst, 'low')} to "
        f"{describe(case, worst)}",
        "these runs stand in one file: if they are of several systems, give each a "
        "heading there, or a file and label of its own"
        # who has named several systems has told them apart
        if len(case.systems) < 2 and set(bad["group"]) <= _groups_in_single_file(case)
        else "repeat until the interval is narrow enough, and keep other work off the "
        "machines; read these cells one by one, not in a mean",
        **case.about(bad, worst),
    )


@rule(
    "outlier-run",
    ("warning",),
    "a run lies 10 robust standard deviations from the others",
    ("outlier_deviations", "outlier_ratio"),
)
def outlier_run(case: Case) -> Iterator[Finding]:
    """Find runs far from the other runs of the same measurement."""
    runs = case.runs[["group", "tool"]].astype({"tool": str})
    size = runs.groupby("group")["tool"].transform("size")
    levels = case.levels.loc[size >= _FEWEST_FOR_OUTLIERS]
    median = levels.groupby(runs["group"]).transform("median")
    table = (levels - median).join(runs).reset_index(names="at")
    table = table.melt(["at", "group", "tool"], var_name="operation", value_name="away")
    table = table.dropna(subset="away")
    table["size"] = table["away"].abs()
    usual_sizes = table.groupby(["group", "operation"])["size"].transform("median")
    # five runs alone know little about their spread: that of all systems counts too
    usual = table.groupby(["tool", "operation"])["size"].transform("median")
    limit = (
        usual_sizes.clip(lower=usual)
        * _TO_DEVIATIONS
        * case.limits["outlier_deviations"]
    )
    far = table.loc[
        table["size"] > limit.clip(lower=math.log(case.limits["outlier_ratio"]))
    ]
    for tool, far_of_tool in far.groupby("tool"):
        yield _outliers(case, str(tool), far_of_tool)


_FEWEST_FOR_OUTLIERS = 4
_TO_DEVIATIONS = 1.4826
"""Median absolute deviation → standard deviation of a normal distribution."""


def _outliers(case: Case, tool: str, far: pd.DataFrame) -> Finding:
    far = far.sort_values("size", ascending=False)
    shown = []
    for hit in far.to_dict("records"):
        run = case.runs.loc[hit["at"]]
        source = case.short(str(run["source"]))
        ratio, test = significant(math.exp(hit["away"])), hit["operation"]
        words = f"{run['system']} {test.replace('_', ' ')}, run {run['repeat']}"
        shown.append(f"{words}: {ratio} ({source})")
    runs, operations = far["at"].unique(), list(far["operation"].unique())
    far_runs = case.runs.loc[runs]
    rows = case.rows["at"].isin(runs) & case.rows["operation"].isin(operations)
    return Finding(
        "warning",
        f"{count(len(runs), 'run')} of {title_of(tool)} far from the other runs of the "
        "same measurement",
        f"times the median of the runs: {listing(shown)}",
        "look for what else happened then; measure again, but never drop a run for its "
        "result",
        systems=case.names_of(far_runs),
        operations=operations,
        tool=tool,
        cells=cells_of(case, rows),
        place=(str(far_runs["source"].iloc[0]), "line 1"),
    )


def cells_of(case: Case, rows: pd.Series) -> list[int]:
    """Number the cells of some rows."""
    return [int(c) for c in np.unique(case.cell[rows.to_numpy(bool)])]
