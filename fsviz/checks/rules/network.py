"""Rules about the way to the storage: the link's rate, and where the test file is."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from fsviz.checks.case import WRITES, Case, Group
from fsviz.checks.findings import Finding, Severity
from fsviz.checks.phrases import (
    amended,
    describe,
    not_checkable,
    of_cells,
    titles,
    without_cache,
)
from fsviz.checks.registry import rule
from fsviz.model.libraries import pd
from fsviz.model.units import format_value


@rule(
    "over-line-rate",
    ("error", "warning"),
    "throughput above what the link carries",
    ("assumed_mtu", "unstated_link"),
)
def over_line_rate(case: Case) -> Iterator[Finding]:
    """Find throughput that the link cannot have carried while the clock ran."""
    cells = case.throughput
    link, payload = (case.stated(cells, x) for x in _limits(case))
    over, near = cells["high"] > link, cells["high"] > payload
    for severity, hits in (("error", over), ("warning", near & ~over)):
        for _, of_tool in cells.loc[hits].groupby("tool", observed=True):
            total = _alike(cells.loc[pd.notna(link)], of_tool)
            yield _over(case, severity, of_tool, total)  # type: ignore[arg-type]
    yield from _over_any_link(case)
    linkless = [s for s in case.systems.values() if s.link is None]
    if absent := [s.name for s in linkless if s.network]:
        yield not_checkable("link", absent, "1 Gbit/s")
    elif unsaid := [s.name for s in linkless if s.network is None]:
        yield not_checkable("protocol", unsaid, "nfs")


def _over_any_link(case: Case) -> Iterator[Finding]:
    """Find what few links carry, where the campaign does not state which one it was."""
    unsaid = [s.name for s in case.systems.values() if s.network and s.link is None]
    limit = case.limits["unstated_link"]
    fast = f"a link of {limit * 8 / 1e9:g} Gbit/s"
    cells = case.throughput.loc[case.throughput["system"].isin(unsaid)]
    for tool, hits in cells.loc[cells["high"] > limit].groupby("tool", observed=True):
        worst = hits["high"].idxmax()
        total = _alike(cells, hits)
        yield Finding(
            "warning",
            _too_fast(hits, total, fast, unless="unless the link was faster still, "),
            f"{case.cells.loc[worst, 'system']}: {describe(case, worst)}; no link is "
            "stated",
            _advice_against_limit(case, str(tool), hits),
            **case.about(hits, worst),
            scope="cache",
        )


def _alike(cells: pd.DataFrame, of_tool: pd.DataFrame) -> int:
    """Count the cells of the tool and the operations that some of them are of."""
    alike = [cells[name].isin(of_tool[name]) for name in ("tool", "operation")]
    return int((alike[0] & alike[1]).sum())


def _limits(case: Case) -> tuple[dict[str, float], dict[str, float]]:
    """Rate [B/s] of each system's link, and of what it can carry as payload."""
    linked = [
        s
        for s in case.systems.values()
        if s.link is not None and s.network is not False
    ]
    mtu = case.limits["assumed_mtu"]
    link = {s.name: s.link or 0.0 for s in linked}
    return link, {s.name: s.payload(mtu) or 0.0 for s in linked}


def _over(case: Case, severity: Severity, cells: pd.DataFrame, total: int) -> Finding:
    worst = cells["high"].idxmax()
    tool = str(cells["tool"].iloc[0])
    system = case.systems[str(cells.loc[worst, "system"])]
    payload = _limits(case)[1][system.name]
    lone = (cells["file_size_bytes"] == cells["record_size_bytes"]).fillna(value=False)
    hint = f"; in {lone.sum()} cells the record is the whole file" if lone.any() else ""
    limit = "the link" if severity == "error" else "the link's payload"
    return Finding(
        severity,
        _too_fast(cells, total, limit),
        f"{system.name}, {system.stated['link']} (payload "
        f"{format_value(payload, 'B/s')}): {describe(case, worst)}{hint}",
        _advice_against_limit(case, tool, cells),
        **case.about(cells, worst),
        scope="cache",
    )


def _too_fast(cells: pd.DataFrame, total: int, limit: str, unless: str = "") -> str:
    """Say what is faster than a link, and what that shows."""
    return (
        f"{titles(cells['operation'])} faster than {limit} in "
        f"{of_cells(len(cells), total)}: {unless}not all of the data crossed the link "
        "while the clock ran"
    )


def _advice_against_limit(case: Case, tool: str, cells: pd.DataFrame) -> str:
    """Say how to keep the cache out of some cells, given what was already done."""
    if tool != "iozone":
        options = ": bonnie++ -s and -r" if tool == "bonnie++" else ""
        return f"use a data set of at least twice the client's RAM{options}"
    names = case.names_of(cells)
    groups = [g for g in case.of(tool) if g.system.name in names]
    if not all(g.has("U", "I") for g in groups):
        return without_cache(case, groups[0], add=["c", "e"])
    # a remount empties the cache for reads; writes go into it all the same
    unflushed = [g for g in groups if not g.flushed]
    if unflushed and set(WRITES).issuperset(cells["operation"]):
        return f"time the flush: `{amended(unflushed[0], add=['c', 'e'])}`"
    if all(g.direct(str(o)) for g in groups for o in cells["operation"].unique()):
        return "-I goes around the client's cache: look whether the link is as stated"
    return (
        "the client's cache was cold, but IOzone reads the first record, and "
        "read-ahead fetches more, before it starts the clock: leave these cells out, "
        "or use files many times the record size"
    )


@rule(
    "test-file-elsewhere",
    ("error", "warning"),
    "IOzone's test file was not, or may not have been, on the system under test",
)
def test_file_elsewhere(case: Case) -> Iterator[Finding]:
    """Find IOzone runs whose test file was not where the reader thinks it was."""
    groups = [g for g in case.of("iozone") if g.options is not None]
    without = [g for g in groups if not g.has("f", "F", "+m")]
    ignored = [g for g in without if g.options and g.options.operands]
    silent = [g for g in without if g.options and not g.options.operands]
    if ignored:
        path = " ".join(ignored[0].options.operands) if ignored[0].options else ""
        message = (
            f"IOzone ignores the trailing {path}: without -f it tested iozone.tmp in "
            "its working directory"
        )
        advice = f"name the file: `{amended(ignored[0])}`"
        yield _elsewhere(case, "error", message, ignored, advice)
    if silent:
        # a warning only: people change into the mount first, and no output tells
        message = (
            "no -f: the test file was iozone.tmp in the working directory, which is "
            "not on record"
        )
        advice = f"name the file: `{amended(silent[0])}`"
        yield _elsewhere(case, "warning", message, silent, advice)
    for group in groups:
        yield from _outside(case, group)


def _outside(case: Case, group: Group) -> Iterator[Finding]:
    given = {} if group.options is None else group.options.values
    files = (*given.get("f", ()), *given.get("F", ()))
    mounts = [group.system.stated.get("mount_point", ""), *given.get("U", ())]
    for mount in filter(None, mounts):
        # a relative name may be anywhere
        astray = [f for f in files if f.startswith("/") and not _within(f, mount)]
        if astray:
            command = amended(group, f=posixpath.join(mount, "iozone.tmp"))
            yield _elsewhere(
                case,
                "error",
                f"the test file {astray[0]} is outside the mount {mount}",
                [group],
                f"put the test file on the mount: `{command}`",
            )
            return


def _within(file: str, mount: str) -> bool:
    root = posixpath.normpath(mount).rstrip("/")
    return posixpath.normpath(file).startswith(f"{root}/")


def _elsewhere(
    case: Case,
    severity: Severity,
    message: str,
    groups: Sequence[Group],
    advice: str,
) -> Finding:
    return Finding(
        severity,
        message,
        f"{groups[0].command_line} ({case.short(groups[0].place[0])})",
        advice,
        systems=list(dict.fromkeys(g.system.name for g in groups)),
        tool="iozone",
        cells=case.of_groups(groups),
        place=groups[0].place,
        disqualifies=severity == "error",
    )
