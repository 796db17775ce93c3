"""The tools whose results are read: one entry a tool, and nothing else to add.

How its output is recognised is in `fsviz.readers.signatures`, how ``fsviz run`` calls
it in `fsviz.measuring.tools`; all else that depends on the tool asks this table. Other
packages add theirs as entry points of the group ``fsviz.tools``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from fsviz.model.errors import UsageError

Added = TypeVar("Added")


def _with_titles(*operations: str) -> dict[str, str]:
    """Give operations the titles that their names are, read as words."""
    return {name: name.replace("_", " ") for name in operations}


_IOZONE = _with_titles(
    *("write", "rewrite", "read", "reread", "random_read", "random_write"),
    *("backward_read", "record_rewrite", "stride_read"),
    *("fwrite", "frewrite", "fread", "freread"),
    *("pwrite", "repwrite", "pread", "repread"),
    *("pwritev", "repwritev", "preadv", "repreadv", "mixed_workload"),
)
_BONNIE = _with_titles(
    *("sequential_output_per_char", "sequential_output_block"),
    *("sequential_output_rewrite", "sequential_input_per_char"),
    *("sequential_input_block", "random_seeks"),
    *("sequential_create", "sequential_stat", "sequential_delete"),
    *("random_create", "random_stat", "random_delete"),
)
# fio's other operations are IOzone's; a mixed job has one for each direction
_FIO = {
    "mixed_read": "reads of a mixed job",
    "mixed_write": "writes of a mixed job",
    "mixed_random_read": "random reads of a mixed job",
    "mixed_random_write": "random writes of a mixed job",
}

_MDTEST = {
    f"{kind}_{act}": f"{kind} {act}"
    for kind, acts in (
        ("file", ("creation", "stat", "read", "removal", "rename")),
        ("directory", ("creation", "stat", "removal", "rename")),
        ("tree", ("creation", "removal")),
    )
    for act in acts
}


@dataclass(frozen=True, slots=True)
class Tool:
    """What must be known of a tool to read, check and report its results.

    ``operations`` are those that no other tool has, with titles. ``clocks_cells`` says
    that the time of a cell can be told from what is printed, and ``longer`` what makes
    one that was too short longer. ``cuts_digits`` holds for integers that it prints,
    but for those ``rounded`` (operation, metric). ``page`` names its report, by
    default as the tool, and ``notebook`` makes it.
    """

    title: str
    operations: Mapping[str, str] = field(default_factory=dict)
    clocks_cells: bool = True
    longer: str = "give it more to do"
    cuts_digits: bool = False
    rounded: tuple[str, str] = ("", "")
    page: str = ""
    notebook: str = "tool"


def _is_extended() -> bool:
    """Say whether any package adds something to fsviz.

    To import `importlib.metadata` and ask it takes longer than to import this package.
    """
    for folder in map(Path, sys.path):
        if folder.is_file():  # a zip file, which only importlib looks into
            return True
        for points in folder.glob("*-[Ii][Nn][Ff][Oo]/entry_points.txt"):
            with suppress(OSError):
                if b"[fsviz." in points.read_bytes():
                    return True
    return False


@cache
def _entry_points() -> Any:
    """Ask what packages add: each is looked at once, whatever the group."""
    if not _is_extended():
        return None
    from importlib.metadata import entry_points

    return entry_points()


def plugins(group: str, kind: type[Added], ours: Iterable[str]) -> dict[str, Added]:
    """Load what other packages add to fsviz, by names that are not taken."""
    additions = {}
    owners = dict.fromkeys(ours, "fsviz")
    points = _entry_points()
    for entry in points.select(group=group) if points else ():
        try:
            addition = entry.load()
        except Exception as error:
            cause = f"{type(error).__name__}: {error}"
            raise UsageError(
                f"{entry.value}: expected {group}, found {cause}"
            ) from error
        if not isinstance(addition, kind):
            kinds = f"a {kind.__name__}, found a {type(addition).__name__}"
            raise UsageError(f"{entry.value}: expected {kinds}")
        name = getattr(addition, "name", entry.name)
        if name in owners:
            taken = f"a name that {owners[name]} does not have, found {name}"
            raise UsageError(f"{entry.value}: expected {taken}")
        owners[name], additions[name] = entry.value, addition
    return additions


TABLE = "table"
"""The tool of numbers in a table that names none: nobody knows what printed them."""

_TOOLS = {
    "iozone": Tool(
        "IOzone",
        _IOZONE,
        longer="measure larger files (IOzone -n 16m and more with -a, else -s)",
        cuts_digits=True,  # it casts to integers
        notebook="iozone",
    ),
    "bonnie++": Tool(
        "bonnie++",
        _BONNIE,
        clocks_cells=False,  # it prints +++++ instead
        # 1.03 to 2.00a print rates, CPU use and latencies through int, and only seeks
        # through %.1f and %.0f; read in their sources and seen in their outputs
        cuts_digits=True,
        rounded=("random_seeks", "rate"),
        page="bonnie",
        notebook="bonnie",
    ),
    "rsync": Tool(
        "rsync",
        {"transfer": "transfer"},
        longer="copy more data",
        notebook="rsync",
    ),
    "time": Tool("time", longer="copy more data"),
    "fio": Tool("fio", _FIO),
    "dd": Tool("dd", longer="copy more data (dd count)"),
    "ior": Tool("IOR", longer="give each task more to do (IOR -b)"),
    # a thread writes as many files as it is told to; cells have the size of each
    "elbencho": Tool("elbencho", clocks_cells=False),
    # it is told how long to measure, whatever the size of its file
    "diskspd": Tool("diskspd", clocks_cells=False),
    "mdtest": Tool("mdtest", _MDTEST, longer="make more files (mdtest -n)"),
    TABLE: Tool("own table", clocks_cells=False),
}

TOOLS: Mapping[str, Tool] = {**_TOOLS, **plugins("fsviz.tools", Tool, _TOOLS)}
"""Every tool; ``time`` is a timed copy without rsync."""


def cuts_digits(tool: str, operation: str, metric: str) -> bool:
    """Say whether a tool cuts digits off where it prints integers.

    >>> cuts_digits("bonnie++", "sequential_input_block", "throughput")
    True
    >>> cuts_digits("bonnie++", "random_seeks", "rate")
    False
    """
    traits = TOOLS[tool]
    return traits.cuts_digits and (operation, metric) != traits.rounded


def tool_of(operation: str) -> str:
    """Name the tool of numbers in a table that names none.

    Only bonnie++'s operations are words that nobody else uses.

    >>> tool_of("sequential_stat"), tool_of("read")
    ('bonnie++', 'table')
    """
    return "bonnie++" if operation in _BONNIE else TABLE


def title_of(tool: str) -> str:
    """Write a tool as its authors do.

    >>> title_of("iozone"), title_of("other")
    ('IOzone', 'other')
    """
    return TOOLS[tool].title if tool in TOOLS else tool
