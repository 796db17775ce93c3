"""Rules about time: tests too short to be timed, numbers too short to be compared."""

from __future__ import annotations

from collections.abc import Iterator

from fsviz.checks.case import Case
from fsviz.checks.findings import Finding, Severity
from fsviz.checks.phrases import (
    listing,
    of_cells,
    seconds,
    share,
    sizes,
)
from fsviz.checks.registry import rule
from fsviz.checks.runs_and_cells import total_bytes
from fsviz.model.libraries import pd
from fsviz.model.runs import SHORTEST
from fsviz.model.tools import TOOLS, title_of


def cell_times(case: Case) -> pd.Series:
    """Say how long each cell took [s]; missing where it cannot be told.

    A cell moves its whole file, so its time is file size ÷ throughput, operations ÷
    rate, or operations × latency. With fio's ``time_based`` it moves its file again and
    again, so no cell of a run took less than the shortest that fio states.
    """
    cells = case.cells
    total = total_bytes(cells)
    mean = cells["mean"]
    operations = total / cells["record_size_bytes"].astype("float64")
    metric = cells["metric"].astype(str)
    # 0.00 s says less than half of its last digit, not that no time passed
    bound = pd.Series(case.rows["high"].to_numpy()[cells["at_high"]], cells.index)
    times = mean.where(mean > 0, bound).where(metric == "elapsed")
    times = times.fillna((total / mean).where(metric == "throughput"))
    times = times.fillna((operations / mean).where(metric == "rate"))
    times = times.fillna((operations * mean).where(metric == "latency"))
    clocked = [name for name, tool in TOOLS.items() if tool.clocks_cells]
    groups = ((g.number, g.runs["facts"]) for g in case.of("fio"))
    least = {n: min(facts.get(SHORTEST, 0) for facts in runs) for n, runs in groups}
    times = times.clip(lower=cells["group"].map(least).astype("float64").fillna(0))
    return times.where(cells["tool"].isin(clocked))


@rule(
    "too-short",
    ("error", "warning", "info"),
    "cells that took less than 1 ms, 5 ms, 0.5 s",
    ("too_short_error", "too_short_warning", "too_short_info"),
)
def too_short(case: Case) -> Iterator[Finding]:
    """Find cells that were over before a clock could tell how long they took."""
    times = cell_times(case).dropna()
    lines = {s: case.limits[f"too_short_{s}"] for s in ("error", "warning", "info")}
    for tool, of_tool in times.groupby(
        case.cells["tool"].reindex(times.index), observed=True
    ):
        shortest = float(of_tool.min())
        if shortest >= lines["info"]:
            continue
        severity = next(s for s, line in lines.items() if shortest < line)
        yield _too_short(case, severity, str(tool), of_tool, lines)  # type: ignore[arg-type]


_WEIGHT = {
    "error": "timer and scheduler noise is as large as the work itself",
    "warning": "timer and scheduler noise is large",
    "info": "one pause of the machine changes such a number",
}


def _too_short(
    case: Case,
    severity: Severity,
    tool: str,
    times: pd.Series,
    lines: dict[str, float],
) -> Finding:
    line = lines[severity]
    bad = times[times < line]
    worst = int(bad.idxmin())
    cell = case.cells.loc[worst]
    where = [str(cell["operation"]).replace("_", " "), sizes(cell)]
    described = " of ".join(filter(None, where))
    counts = [
        f"{share((times < at).mean())} below {seconds(at)}" for at in lines.values()
    ]
    return Finding(
        severity,
        f"{of_cells(len(bad), len(times))} of {title_of(tool)} took less than "
        f"{seconds(line)}: {_WEIGHT[severity]}",
        f"{', '.join(counts)}; shortest {seconds(float(bad.min()))}, {cell['system']} "
        f"{described} ({case.at(cell['at_high'])})",
        f"{TOOLS[str(tool)].longer}, and do not rest an answer on these cells",
        **case.about(case.cells.loc[bad.index], worst),
    )


@rule(
    "clock-quantised",
    ("warning",),
    "the clock's resolution is above 1 % of a cell's time; clocks that differ there",
    ("clock_share", "clock_ratio"),
)
def clock_quantised(case: Case) -> Iterator[Finding]:
    """Find cells whose time is only a few steps of the clock."""
    resolution = {
        g.number: g.runs["facts"].iloc[0].get("time_resolution_s")
        for g in case.of("iozone")
    }
    step = case.cells["group"].map(resolution).astype("float64")
    part = (step / cell_times(case)).dropna()
    bad = part[part > case.limits["clock_share"]]
    if bad.empty:
        return
    yield from _other_clocks(case, step, bad)
    worst = int(bad.idxmax())
    cell = case.cells.loc[worst]
    yield Finding(
        "warning",
        f"in {of_cells(len(bad), len(part))}, one step of the clock is more than "
        f"{share(case.limits['clock_share'])} of the time taken",
        f"Time Resolution {seconds(float(step[worst]))}: up to "
        f"{share(float(bad.max()))} of {cell['system']} "
        f"{str(cell['operation']).replace('_', ' ')} of {sizes(cell)} "
        f"({case.at(cell['at_high'])})",
        "measure larger files (IOzone -n with -a, else -s), which take longer",
        **case.about(case.cells.loc[bad.index], worst),
    )


def _other_clocks(case: Case, step: pd.Series, bad: pd.Series) -> Iterator[Finding]:
    """Find systems whose clock is much coarser or finer than the baseline's."""
    steps = step.groupby(case.cells["system"].astype(str)).median().dropna()
    if case.baseline not in steps:
        return
    times = steps / steps[case.baseline]
    limit = case.limits["clock_ratio"]
    names = [str(name) for name in times.index[(times > limit) | (times < 1 / limit)]]
    if not names:
        return
    place = ["operation", "file_size_bytes", "record_size_bytes", "threads", "setting"]
    short = case.cells.loc[bad.index, place].drop_duplicates()
    ours = case.cells.loc[case.cells["system"].isin(names)].reset_index()
    cells = ours.merge(short, on=place)["index"].to_numpy()
    yield Finding(
        "warning",
        f"{listing(names)} and {case.baseline} were timed by clocks of other "
        "resolution, and cells are short enough for that to matter",
        f"Time Resolution {seconds(float(steps[case.baseline]))} on {case.baseline}, "
        f"{seconds(float(steps[names[0]]))} on {names[0]}",
        "measure all systems from one client, or larger files (IOzone -n with -a, "
        "else -s)",
        systems=names,
        tool="iozone",
        cells=cells,
        disqualifies=True,
    )
