"""Rules about repetition: enough runs, and runs that agree."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fsviz.checks.arrange import STEADY
from fsviz.checks.case import Case, Group
from fsviz.checks.findings import Finding, Severity
from fsviz.checks.words import (
    count,
    describe,
    listing,
    names_of,
    of_cells,
    share,
)
from fsviz.units import significant

if TYPE_CHECKING:
    import pandas as pd


def too_few_runs(case: Case) -> Iterator[Finding]:
    """Find measurements that were not repeated, or hardly."""
    found: dict[tuple[Severity, str], list[Group]] = {}
    for group in case.groups:
        n = len(group.runs)
        if n == 1:
            found.setdefault(("error", group.tool), []).append(group)
        elif n < case.limits["runs_warning"]:
            found.setdefault(("warning", group.tool), []).append(group)
        elif n < case.limits["runs_info"]:
            found.setdefault(("info", group.tool), []).append(group)
    for (severity, tool), groups in found.items():
        yield _few(case, severity, tool, groups)


_MEANING = {
    "error": "nothing is known about how far a second one would be off",
    "warning": "no difference can be tested",
    "info": "intervals will be wide",
}


def _few(case: Case, severity: Severity, tool: str, groups: list[Group]) -> Finding:
    numbers = sorted({len(g.runs) for g in groups})
    wanted = int(case.limits["runs_info"])
    systems = list(dict.fromkeys(g.system.name for g in groups))
    ours = case.cells["group"].isin([g.runs["group"].iloc[0] for g in groups])
    runs = "one run" if numbers == [1] else f"{listing(map(str, numbers))} runs"
    first = groups[0]
    configuration = str(first.runs["configuration"].iloc[0] or "no options known")
    return Finding(
        severity,
        f"{runs} of {tool}: {_MEANING[severity]}",
        f"{first.system.name}: {len(first.runs)} of {configuration} "
        f"({case.short(first.place[0])})",
        f"repeat each at least {wanted} times, the systems taking turns",
        systems=systems,
        tool=tool,
        cells=case.cells.index[ours],
        place=first.place,
    )


def unstable_cell(case: Case) -> Iterator[Finding]:
    """Find cells whose runs scatter."""
    cells = case.cells.loc[(case.cells["n"] > 1) & case.cells["metric"].isin(STEADY)]
    cells = cells.assign(cv=cells["std"] / cells["mean"])
    lines = {name: case.limits[f"cv_{name}"] for name in ("error", "warning", "info")}
    for tool, own in cells.groupby("tool", observed=True):
        worst = own.loc[own["cv"].idxmax()] if own["cv"].notna().any() else None
        if worst is None or worst["cv"] <= lines["info"]:
            continue
        severity = next(name for name, line in lines.items() if worst["cv"] > line)
        yield _unstable(case, severity, str(tool), own, lines)  # type: ignore[arg-type]


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
        f"runs of {tool} scatter by more than {share(lines[severity])} (coefficient of "
        f"variation) in {of_cells(len(bad), len(cells))}",
        f"{', '.join(counts)}; worst {share(cells.loc[worst, 'cv'])} of {n} runs, "
        f"{cells.loc[worst, 'system']}: from {describe(case, worst, 'low')} to "
        f"{describe(case, worst)}",
        "repeat until the interval is narrow enough, and keep other work off the "
        "machines; read these cells one by one, not in a mean",
        systems=names_of(bad, case),
        operations=list(bad["operation"].unique()),
        tool=tool,
        cells=bad.index,
        place=case.place(int(cells.loc[worst, "at_high"])),
    )


def outlier_run(case: Case) -> Iterator[Finding]:
    """Find runs far from the other runs of the same measurement."""
    import pandas as pd

    away = [
        (levels - levels.median())
        .assign(group=number, tool=group.tool)
        .reset_index(names="at")
        .melt(["at", "group", "tool"], var_name="operation", value_name="away")
        for number, (group, levels) in enumerate(case.levels)
        if len(levels) >= _FEWEST_FOR_OUTLIERS
    ]
    if not away:
        return
    table = pd.concat(away).dropna(subset="away")
    table["size"] = table["away"].abs()
    own = table.groupby(["group", "operation"])["size"].transform("median")
    # five runs alone know little about their spread: that of all systems counts too
    usual = table.groupby(["tool", "operation"])["size"].transform("median")
    limit = own.clip(lower=usual) * _TO_DEVIATIONS * case.limits["outlier_deviations"]
    far = table.loc[
        table["size"] > limit.clip(lower=math.log(case.limits["outlier_ratio"]))
    ]
    for tool, some in far.groupby("tool"):
        yield _outliers(case, str(tool), some)


_FEWEST_FOR_OUTLIERS = 4
_TO_DEVIATIONS = 1.4826
"""Median absolute deviation → standard deviation of a normal distribution."""


def _outliers(case: Case, tool: str, far: pd.DataFrame) -> Finding:
    far = far.sort_values("size", ascending=False)
    shown = []
    for hit in far.to_dict("records"):
        run = case.runs.loc[hit["at"]]
        source = case.short(str(run["source"]).split(", ")[0])
        ratio, test = significant(math.exp(hit["away"])), hit["operation"]
        words = f"{run['system']} {test.replace('_', ' ')}, run {run['repeat']}"
        shown.append(f"{words}: {ratio} ({source})")
    runs, operations = far["at"].unique(), list(far["operation"].unique())
    found = case.runs.loc[runs]
    rows = case.rows["at"].isin(runs) & case.rows["operation"].isin(operations)
    return Finding(
        "warning",
        f"{count(len(runs), 'run')} of {tool} far from the others of the same "
        "measurement",
        f"times the median of the runs: {listing(shown)}",
        "look for what else happened then; measure again, but never drop a run for "
        "its result",
        systems=[n for n in case.systems if n in set(found["system"])],
        operations=operations,
        tool=tool,
        cells=cells_of(case, rows),
        place=(str(found["source"].iloc[0]).split(", ")[0], "line 1"),
    )


def cells_of(case: Case, rows: pd.Series) -> list[int]:
    """Number the cells of some rows."""
    import numpy as np

    return [int(c) for c in np.unique(case.cell[rows.to_numpy(bool)])]


def many_tests(case: Case) -> Iterator[Finding]:
    """Say how many cells are tested, and what chance alone would find."""
    cells = case.compared_cells
    tested = cells.loc[cells["p_value"].notna()]
    if tested.empty:
        return
    level = case.limits["false_hits"]
    alone = int((tested["p_value"] < level).sum())
    kept = int((tested["q_value"] < level).sum())
    m = len(tested)
    yield Finding(
        "info",
        f"{count(m, 'cell')} compared, so about {math.ceil(m * level):,} would differ "
        "by chance alone",
        f"p < {level:g} in {alone:,}; {kept:,} remain when false discoveries are kept "
        f"below {share(level)} (Benjamini-Hochberg)",
        "use q values (fsviz compare --cells), and do not pick single cells",
        systems=[n for n in case.systems if n in set(tested["candidate"])],
        operations=[],
    )


def means_disagree(case: Case) -> Iterator[Finding]:
    """Find comparisons whose winner depends on the kind of mean."""
    frame = case.compared
    frame = frame.loc[frame["metric"].isin(STEADY)]
    split = frame.loc[frame["no_single_winner"].astype(bool)] if len(frame) else frame
    for tool, some in split.groupby("tool", observed=True):
        first = some.iloc[0]
        yield Finding(
            "warning",
            f"geometric mean, total time and mean name different winners in "
            f"{len(some)} of {count(int((frame['tool'] == tool).sum()), 'comparison')}"
            f" with {case.baseline}",
            f"{first['candidate']}, {str(first['operation']).replace('_', ' ')}: "
            f"geometric mean of ratios {significant(first['geomean_ratio'])}, total "
            f"time {significant(first['total_time_ratio'])}, ratio of means "
            f"{significant(first['mean_ratio'])}",
            "name no winner; show the ratio of every cell",
            systems=[n for n in case.systems if n in set(some["candidate"])],
            operations=list(some["operation"].astype(str).unique()),
            tool=str(tool),
        )
