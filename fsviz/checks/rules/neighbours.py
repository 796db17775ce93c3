"""Rule about runs of one system whose headers contradict each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from fsviz.checks.case import Case
from fsviz.checks.findings import Finding
from fsviz.checks.phrases import count, listing
from fsviz.checks.registry import rule
from fsviz.model.runs import STANDS_FOR
from fsviz.model.tools import title_of
from fsviz.readers.iozone.options import parse_options
from fsviz.readers.labels import without_repeats

_RELEASE = 2
"""Word of ``uname -a`` that is the kernel's release."""
_MOUNT_PARTS = 3
"""Parts of an absolute path that are taken for its mount, such as ``/mnt/nfs``."""


@rule(
    "neighbours-differ",
    ("warning",),
    "a run's header names another machine, kernel or place of the test file than the "
    "other runs of its system",
)
def neighbours_differ(case: Case) -> Iterator[Finding]:
    """Find runs that may belong to another system."""
    runs: dict[tuple[str, str], list[Mapping[str, object]]] = {}
    for row in case.runs[_READ].to_dict("records"):
        if STANDS_FOR not in row["facts"]:
            runs.setdefault((str(row["system"]), str(row["tool"])), []).append(row)
    for (system, tool), own in sorted(runs.items()):
        for what, read in _HEADERS.items():
            found = _differing(case, system, tool, own, (what, read))
            if found is not None:
                yield found


_READ = ["system", "tool", "source", "host", "command_line", "facts"]


def _differing(
    case: Case,
    system: str,
    tool: str,
    runs: Sequence[Mapping[str, object]],
    header: tuple[str, Callable[[Mapping[str, object]], str]],
) -> Finding | None:
    """Compare one thing that headers state; a run without it is left out."""
    what, read = header
    rows = [row for row in runs if read(row)]
    values = without_repeats([read(row) for row in rows])
    counts = Counter(values)
    if len(counts) < 2:
        return None
    (usual, most), (_, second) = counts.most_common(2)
    others = [
        (value, str(row["source"]))
        for value, row in zip(values, rows, strict=True)
        if value != usual
    ]
    shown = [f"{value} ({case.short(source)})" for value, source in others]
    usually = f"{usual} in {count(most, 'run')}"
    whose = "may be another system's" if most > second else "may be of two systems"
    return Finding(
        "warning",
        f"{count(len(others), 'run')} of {system} ({title_of(tool)}) {whose}: "
        f"{what} differs",
        f"{usually}; {listing(shown)}",
        "move the file to the system that it measured, or name both in [[system]]",
        systems=[system],
        tool=tool,
        place=(others[0][1], "line 1"),
    )


def _host(row: Mapping[str, object]) -> str:
    return row["host"] if isinstance(row["host"], str) else ""


def _kernel(row: Mapping[str, object]) -> str:
    facts = row["facts"]
    uname = facts.get("uname") if isinstance(facts, Mapping) else None
    words = str(uname or "").split()
    return words[_RELEASE] if len(words) > _RELEASE else ""


def _test_place(row: Mapping[str, object]) -> str:
    """Begin of the absolute path of IOzone's test file; empty where there is none."""
    line = row["command_line"]
    if row["tool"] != "iozone" or not isinstance(line, str):
        return ""
    files = parse_options(line).test_files
    parents = [PurePosixPath(file).parent for file in files if file.startswith("/")]
    return str(PurePosixPath(*parents[0].parts[:_MOUNT_PARTS])) if parents else ""


_HEADERS: dict[str, Callable[[Mapping[str, object]], str]] = {
    "the place of the test file": _test_place,
    "the machine": _host,
    "the kernel": _kernel,
}
