"""Rules about how the runs went: cut short, invalid, saturated, on one side only."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

from fsviz.checks.case import Case
from fsviz.checks.findings import Finding, Severity
from fsviz.checks.phrases import (
    count,
    describe,
    listing,
    not_checkable,
    of_cells,
    titles,
)
from fsviz.checks.registry import rule
from fsviz.checks.rules.repeats import cells_of
from fsviz.checks.runs_and_cells import total_bytes
from fsviz.model.errors import DeclaredInvalidError, ParseError
from fsviz.model.libraries import np, pd
from fsviz.model.runs import COUNTERS, ENDING, FOREIGN, LASTED
from fsviz.model.table import SIZES
from fsviz.model.tools import title_of
from fsviz.model.units import MIB, format_size, significant

_DOUBTS = {
    "may_be_invalid": (
        "IOzone says that measurements may be invalid in this mode (-+Z)",
        "measure with data sets of its own: without -+Z",
    ),
    FOREIGN: (
        "rows are of sizes that the command line does not name: edited, or another's",
        "keep the output of each run as it was printed",
    ),
}
"""Facts of runs of IOzone that let one doubt the numbers, and what would do."""


@rule(
    "invalid-mode",
    ("error", "warning"),
    "the tool calls its measurements invalid; throughput is mixed with ops/s or µs",
)
def invalid_mode(case: Case) -> Iterator[Finding]:
    """Find runs that the tool calls invalid, and kinds of numbers that do not mix."""
    for problem in case.campaign.problems:
        yield from declared_invalid(problem, case.short(problem.path))
    for (fact, (message, advice)), (at, run) in product(
        _DOUBTS.items(), case.runs.iterrows()
    ):
        if not run["facts"].get(fact):
            continue
        yield Finding(
            "warning",
            message,
            f"{run['command_line']} ({run['source']})",
            advice,
            systems=[str(run["system"])],
            tool="iozone",
            cells=cells_of(case, case.rows["at"] == at),
            place=(str(run["source"]), "line 1"),
        )
    yield from _mixed_units(case)


def declared_invalid(problem: ParseError, shown: str) -> Iterator[Finding]:
    """Find a run that was not read because IOzone calls its mode invalid."""
    if isinstance(problem, DeclaredInvalidError):
        yield Finding(
            "error",
            "IOzone itself declares the measurements of this mode invalid; the run "
            "is left out",
            f"{problem.found} ({shown}:line {problem.line})",
            "measure without -V, -+d and -+X",
            tool="iozone",
            place=(problem.path, f"line {problem.line}"),
        )


def _mixed_units(case: Case) -> Iterator[Finding]:
    cells = case.cells.loc[case.cells["tool"] == "iozone"]
    kinds = {
        str(metric): rows
        for metric, rows in cells.groupby("metric", observed=True)
        if metric in ("throughput", "rate", "latency")
    }
    if len(kinds) < 2:
        return
    named = {"throughput": "kB/s", "rate": "operations/s (-O)", "latency": "µs (-N)"}
    yield Finding(
        "error",
        f"IOzone printed {listing(named[k] for k in kinds)}: these do not compare",
        "; ".join(f"{named[k]}: {listing(case.names_of(c))}" for k, c in kinds.items()),
        "measure all systems in one mode, without -O and -N for throughput",
        systems=case.names_of(cells),
        tool="iozone",
        cells=cells.index,
        disqualifies=True,
    )


@rule(
    "incomplete-run",
    ("error", "warning"),
    "the output stops before its end mark, or an error line stands in it",
)
def incomplete_run(case: Case) -> Iterator[Finding]:
    """Find runs whose output stops before its end, or holds an error."""
    runs = case.runs.loc[~case.runs["complete"].fillna(value=True).astype(bool)]
    excerpt = runs["facts"].map(lambda facts: facts.get(ENDING) == "excerpt")
    excerpt = excerpt.astype(bool) | runs.index.map(
        lambda at: _lacks_nothing(case, at)
    ).to_numpy(bool)
    for severity, cut in (
        ("error", runs.loc[~excerpt]),
        ("warning", runs.loc[excerpt]),
    ):
        for tool, cut_of_tool in cut.groupby("tool", observed=True):
            yield _incomplete(case, severity, str(tool), cut_of_tool)  # type: ignore[arg-type]


def _lacks_nothing(case: Case, at: int) -> bool:
    """Say whether a run of IOzone lacks the end mark, but no row that was asked for.

    So are single tests that an article quotes without the last lines.
    """
    run = case.runs.loc[at]
    group = next(g for g in case.groups if g.number == run["group"])
    early = run["facts"].get(ENDING) == "early"
    if group.options is None or group.has("a", "A", "t", "l", "u") or not early:
        return False
    try:
        counts = [len(group.options.sizes(letter)) or 1 for letter in "sr"]
    except ValueError:
        return False
    rows = case.rows.loc[case.rows["at"] == at]
    grid = rows[["file_size_bytes", "record_size_bytes"]].drop_duplicates()
    return len(grid) == math.prod(counts)


def _incomplete(
    case: Case, severity: Severity, tool: str, runs: pd.DataFrame
) -> Finding:
    total = int((case.runs["tool"] == tool).sum())
    first = runs.iloc[0]
    subject = (
        "stopped early or reported an error"
        if severity == "error"
        else ("are excerpts without the tool's end mark")
    )
    return Finding(
        severity,
        f"{len(runs)} of {count(total, 'run')} of {title_of(tool)} {subject}: what is "
        "missing may not be missing by chance",
        "; ".join(
            f"{case.short(str(row['source']))}: {row['note']}"
            for row in runs.head(3).to_dict("records")
        )
        + (f"; {len(runs) - 3} more" if len(runs) > 3 else ""),
        "measure again, and keep the whole output with its banner",
        systems=case.names_of(runs),
        tool=tool,
        cells=cells_of(case, case.rows["at"].isin(runs.index)),
        place=(str(first["source"]), "line 1"),
    )


@rule(
    "small-for-memory",
    ("warning", "info"),
    "bonnie++ with less than 2 times the RAM; values printed as +++++",
    ("bonnie_multiple",),
)
def small_for_memory(case: Case) -> Iterator[Finding]:
    """Find bonnie++ runs whose data set memory could hold, and tests over at once."""
    multiple = case.limits["bonnie_multiple"]
    small, unknown = [], []
    for group in case.of("bonnie++"):
        rows = case.of_group(group)
        size = rows["file_size_bytes"].max()
        if str(size) == "<NA>":
            continue
        if group.system.ram is None:
            unknown.append(group.system.name)
        elif size < multiple * group.system.ram:
            small.append((group, int(size)))
    if unknown:
        yield not_checkable("client_ram", list(dict.fromkeys(unknown)), "16 GiB")
    if small:
        group, size = max(small, key=lambda hit: hit[0].system.ram or 0)
        ram = group.system.ram or 0
        cells = case.cells.loc[case.of_groups([g for g, _ in small])]
        yield Finding(
            "warning",
            f"bonnie++ used {format_size(size)}, less than {multiple:g} times the RAM "
            f"of {format_size(ram)}: reads may come from memory",
            f"{group.system.name}: {significant(size / ram)} times the RAM "
            f"({case.short(group.place[0])})",
            _twice(ram, multiple),
            systems=list(dict.fromkeys(g.system.name for g, _ in small)),
            tool="bonnie++",
            cells=cells.index[cells["file_size_bytes"].notna()],
            place=group.place,
        )
    yield from _too_fast(case)


def _twice(ram: int, multiple: float) -> str:
    """Advise a size in whole MiB, of which bonnie++ wants twice what -r names."""
    times = max(multiple, 2.0)
    mebibytes = math.ceil(ram / MIB)
    return (
        f"use {'twice' if times == 2 else f'{times:g} times'} the RAM "
        "(root adds -u root): "
        f"`bonnie++ -d /MOUNTPOINT -s {math.ceil(times * mebibytes)}m -r {mebibytes}m`"
    )


def _too_fast(case: Case) -> Iterator[Finding]:
    rows = case.unmeasured.loc[case.unmeasured["tool"] == "bonnie++"]
    if rows.empty:
        return
    first = rows.iloc[0]
    yield Finding(
        "info",
        f"{count(len(rows), 'value')} of bonnie++ printed as +++++: over in less than "
        "0.5 s, so only a bound is known",
        f"{first['system']} {str(first['operation']).replace('_', ' ')} "
        f"({case.short(str(first['source']))}:{first['locator']}); "
        f"all: {titles(rows['operation'])}",
        "use more data (-s) or more files (-n)",
        systems=case.names_of(rows),
        operations=list(rows["operation"].unique()),
        tool="bonnie++",
        place=(str(first["source"]), str(first["locator"])),
    )


@rule(
    "cpu-bound",
    ("warning",),
    "the CPU was 90 % busy or more",
    ("cpu_percent",),
)
def cpu_bound(case: Case) -> Iterator[Finding]:
    """Find cells in which the processor was the limit."""
    # of bonnie++'s seeks it is a sum over several processes
    summed = (case.cells["tool"] == "bonnie++") & (
        case.cells["operation"] == "random_seeks"
    )
    cells = case.cells.loc[(case.cells["metric"] == "cpu") & ~summed]
    busy = cells.loc[cells["mean"] >= case.limits["cpu_percent"]]
    for tool, of_tool in busy.groupby("tool", observed=True):
        worst = int(of_tool["mean"].idxmax())
        total = int((cells["tool"] == tool).sum())
        yield Finding(
            "warning",
            f"the CPU was {case.limits['cpu_percent']:g} % busy or more at "
            f"{of_cells(len(of_tool), total)} of {title_of(tool)}: the processor was "
            "measured, not the storage",
            f"{case.cells.loc[worst, 'system']}: {describe(case, worst)}; all: "
            f"{titles(of_tool['operation'])}",
            "read these cells as cost per byte; use larger records or a faster CPU to "
            "see the storage",
            **case.about(of_tool, worst),
        )


@rule(
    "parallel-runs",
    ("warning",),
    "runs of one system overlap in time and are counted as repeats",
)
def parallel_runs(case: Case) -> Iterator[Finding]:
    """Find repeats that began while another one of them was still running."""
    overlaps = _overlaps(case)
    for tool in dict.fromkeys(group.tool for group in case.groups):
        together = [group for group in case.of(tool) if group.number in overlaps]
        if not together:
            continue
        group, (first, second) = together[0], overlaps[together[0].number]
        yield Finding(
            "warning",
            f"runs of {title_of(tool)} on "
            f"{listing(g.system.name for g in together)} overlap in time: they shared "
            "the machine, and are not repeats of one another",
            f"{group.system.name}: {case.short(first['source'])} began "
            f"{first['started']} and measured for {first['busy']:.0f} s; "
            f"{case.short(second['source'])} began {second['started']}",
            "let one run end before the next begins; to measure several at once, use "
            "IOzone -t or bonnie++ -c",
            systems=[g.system.name for g in together],
            tool=tool,
            cells=case.of_groups(together),
            place=(str(second["source"]), "line 1"),
        )


def _busy_seconds(case: Case) -> pd.Series:
    """Time that each run took [s], or spent on what it timed, which is less."""
    counted = [facts.get(COUNTERS) for facts in case.runs["facts"]]
    took = [
        counters_of_run.get("seconds") if isinstance(counters_of_run, dict) else None
        for counters_of_run in counted
    ]
    lasted = [facts.get(LASTED) for facts in case.runs["facts"]]
    rows = case.rows
    total = total_bytes(rows)
    elapsed = rows["value"].where(rows["metric"] == "elapsed")
    moved = (total / rows["value"]).where(rows["metric"] == "throughput")
    timed = elapsed.fillna(moved).groupby(rows["at"]).sum().reindex(case.runs.index)
    seconds = [pd.Series(n, case.runs.index, dtype="float64") for n in (took, lasted)]
    return seconds[0].fillna(seconds[1]).fillna(timed)


def _overlaps(case: Case) -> dict[int, tuple[pd.Series, pd.Series]]:
    """Find the first two runs of a group of which one began before the other ended."""
    busy = _busy_seconds(case)
    runs = case.runs.assign(busy=busy).dropna(subset="started")
    runs = runs.sort_values(["group", "started"])
    # start times are printed in whole seconds
    distance = runs["started"].diff().dt.total_seconds() + 1
    early = (distance < runs["busy"].shift()) & (runs["group"] == runs["group"].shift())
    return {
        int(runs["group"].iloc[at]): (runs.iloc[at - 1], runs.iloc[at])
        for at in np.flatnonzero(early)[::-1]
    }


@rule(
    "stragglers",
    ("warning",),
    "throughput mode: the slowest child is below half of the fastest",
    ("straggler_ratio",),
)
def stragglers(case: Case) -> Iterator[Finding]:
    """Find throughput tests in which some process got much less than another."""
    cells = case.cells
    keys = ["group", "operation", *SIZES, "setting"]
    fast = cells.loc[cells["metric"] == "max_child_throughput"].reset_index()
    fast = fast.loc[fast["threads"].fillna(1) > 1]
    slow = cells.loc[cells["metric"] == "min_child_throughput", [*keys, "mean"]]
    both = fast.merge(slow, on=keys, how="left", suffixes=("", "_slow"))
    both = both.set_index("index")
    # no minimum is read where IOzone forgot a child that moved nothing
    both["ratio"] = both["mean_slow"].fillna(0.0) / both["mean"]
    bad = both.loc[both["ratio"] < case.limits["straggler_ratio"]]
    if bad.empty:
        return
    worst = bad.loc[bad["ratio"].idxmin()]
    yield Finding(
        "warning",
        f"the slowest process reached less than half of the fastest in {len(bad)} of "
        f"{count(len(both), 'throughput test')}: their sum is not what all got at once",
        f"{worst['system']}, {str(worst['operation']).replace('_', ' ')}: slowest "
        f"{significant(worst['ratio'])} times the fastest "
        f"({case.at(worst['at_high'])}); their rates may never have stood at one time",
        "use the parent's throughput (--metric parent_throughput), and files large "
        "enough that all processes run most of the time",
        **case.about(bad, int(bad["ratio"].idxmin())),
    )
