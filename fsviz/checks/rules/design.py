"""Rules about the design: whether the systems differ in one thing only."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from fsviz.checks.case import Case, Group
from fsviz.checks.findings import Finding, Severity
from fsviz.checks.phrases import listing
from fsviz.checks.registry import rule
from fsviz.model.errors import printable
from fsviz.model.facts import System, first_word
from fsviz.model.table import SIZES
from fsviz.model.tools import title_of
from fsviz.model.units import format_size
from fsviz.readers.iozone.options import parse_options

_UNKNOWN = "unknown options: "
_VERSION = re.compile(r"(.*\d)([a-z]?)")
_STATED = re.compile(r"(?<!\S)(?!without=|chunk=unknown)(\w+)=(\S+)")
"""What bonnie++ was asked for, but tests left out and the chunk not on its console."""
_OF_CELLS = re.compile(r"\b(size|chunk)=\S+ ?")


def alike(setting: str, tool: str, left: str, right: str) -> bool:
    """Say whether two texts may describe the same setting.

    >>> alike("version", "bonnie++", "1.03", "1.03c")
    True
    >>> alike("version", "bonnie++", "1.03c", "1.03e")
    False
    >>> alike("options", "rsync", "rsync -a", "9 files, 9 transferred, 81 B")
    True
    >>> alike("options", "rsync", "rsync -a", "rsync -a --delete; 9 files")
    False
    """
    if left == right:
        return True
    if setting == "version":
        return _same_version(left, right)
    if setting != "options":
        return False
    if tool == "rsync":
        return _same_work(left, right)
    if tool == "bonnie++":
        return _same_tests(left, right)
    # an excerpt without its banner tells its grid, not its options
    return left.startswith(_UNKNOWN) != right.startswith(_UNKNOWN)


def same_work(tool: str, left: str, right: str) -> bool:
    """Say whether two configurations ask for the same work in other words.

    >>> same_work("iozone", "-a -i 0", "-a -i 0 -i 1"), same_work("iozone", "-a", "-I")
    (True, False)
    >>> same_work("iozone", "-s 1m -s 2m", "-s 1m -s 2m -s 4m -r 64k")
    True
    >>> same_work("bonnie++", "size=1 files=16384", "size=2 files=16384")
    True
    >>> same_work("rsync", "rsync -a; 9 files, 81 B", "rsync -aH; 9 files, 81 B")
    True
    """
    if tool == "rsync":
        (_, moved), (_, also_moved) = _split(left), _split(right)
        return not (moved and also_moved) or _same_amounts(moved, also_moved)
    if tool == "bonnie++":
        # a test with another size is another cell, and a file test has none
        return _same_tests(_OF_CELLS.sub("", left), _OF_CELLS.sub("", right))
    if tool != "iozone" or left.startswith(_UNKNOWN) or right.startswith(_UNKNOWN):
        return False
    return len({parse_options(f"iozone {text}").work for text in (left, right)}) == 1


def _same_version(left: str, right: str) -> bool:
    """Take a version without its letter, as bonnie++ 1.03's CSV is, for any letter."""
    a, b = _VERSION.fullmatch(left), _VERSION.fullmatch(right)
    return bool(a and b and a[1] == b[1] and not (a[2] and b[2]))


def _same_tests(left: str, right: str) -> bool:
    """Compare what both state; who ran no file tests states no number of files."""
    ours, theirs = dict(_STATED.findall(left)), dict(_STATED.findall(right))
    both = ours.keys() & theirs.keys()
    return bool(both) and all(ours[key] == theirs[key] for key in both)


def _same_work(left: str, right: str) -> bool:
    """Compare commands with commands, and amounts of data with amounts."""
    (command_a, moved_a), (command_b, moved_b) = _split(left), _split(right)
    if command_a and command_b and command_a != command_b:
        return False
    return not (moved_a and moved_b) or _same_amounts(moved_a, moved_b)


def _split(configuration: str) -> tuple[str, str]:
    """Part what was asked for from what rsync said it moved."""
    parts = configuration.split("; ")
    moved = [part for part in parts if part[:1].isdigit() or part[:1] == "?"]
    return "; ".join(p for p in parts if p not in moved), "; ".join(moved)


def _same_amounts(left: str, right: str) -> bool:
    """Compare amounts; a rounded one, such as 16.55M, agrees with any."""
    ours, theirs = left.split(", "), right.split(", ")
    return len(ours) == len(theirs) and all(
        a == b or not (_exact(a) and _exact(b))
        for a, b in zip(ours, theirs, strict=True)
    )


def _exact(amount: str) -> bool:
    return amount.partition(" ")[0].isdecimal() or not amount.endswith(" B")


# Settings in the words of the readers: which of them are known to differ.

CONSEQUENCES: Mapping[str, tuple[str, ...]] = {
    "protocol": ("protocol_version", "server", "mount_options", "export_options"),
    "protocol_version": ("mount_options", "server"),
    "server": ("export_options",),
    "file_system": ("mount_options", "export_options"),
    "mount_options": (),
    "export_options": (),
    "storage": (),
}
"""Facts that may be what is compared, with those that differ because of it."""

_BY_FIRST_WORD = ("file_system",)
_NOT_COMPARED = ("durability", "notes", "mount_point", "round_trip", "tool_versions")
"""Facts with a rule of their own, free words, places, and what is measured."""


@rule(
    "settings-differ",
    ("error", "warning"),
    "compared runs differ in options, version, word size, sizes or threads",
)
def settings_differ(case: Case) -> Iterator[Finding]:
    """Find systems that were measured with other options, versions or sizes."""
    for tool in dict.fromkeys(group.tool for group in case.groups):
        groups: dict[str, list[Group]] = {}
        for group in case.of(tool):
            groups.setdefault(group.system.name, []).append(group)
        if len(groups) < 2:
            continue
        first = case.baseline if case.baseline in groups else next(iter(groups))
        for setting, values in _settings(case, groups).items():
            if setting in case.campaign.compared:
                continue
            differing = [
                name
                for name, values_of_system in values.items()
                if _differ(setting, tool, values_of_system, values[first])
            ]
            if differing:
                yield _different(case, tool, setting, first, differing, values)


def _settings(
    case: Case, groups: Mapping[str, Sequence[Group]]
) -> dict[str, dict[str, frozenset[str]]]:
    """Collect what each system was measured with."""
    settings: dict[str, dict[str, frozenset[str]]] = {}
    sizes = {column: _distinct(case, column) for column in SIZES}
    for name, members in groups.items():
        columns = [
            {value for group in members for value in group.runs[column].tolist()}
            for column in ("configuration", "tool_version")
        ]
        facts = [fact for group in members for fact in group.runs["facts"].tolist()]
        numbers = {
            column: {n for group in members for n in of_group.get(group.number, ())}
            for column, of_group in sizes.items()
        }
        for setting, values in (
            ("options", columns[0]),
            ("version", columns[1]),
            ("word_size", {f.get("word_size_bits") for f in facts}),
            ("file_sizes", {_span(numbers["file_size_bytes"])}),
            ("record_sizes", {_span(numbers["record_size_bytes"])}),
            # cells of one number are compared with no others
            ("threads", {str(number) for number in sorted(numbers["threads"])}),
        ):
            texts = frozenset(str(v) for v in values if isinstance(v, int | str) and v)
            settings.setdefault(setting, {})[name] = texts
    same = set(settings["options"].values())
    is_complete = all(
        group.is_complete for members in groups.values() for group in members
    )
    if len(same) > 1 or not is_complete:
        # other options explain other sizes, and so does an excerpt
        for setting in ("file_sizes", "record_sizes", "threads"):
            del settings[setting]
    return settings


def _distinct(case: Case, column: str) -> dict[int, list[int]]:
    """List the sizes that each group measured."""
    pairs = case.cells[["group", column]].drop_duplicates().dropna()
    sizes: dict[int, list[int]] = {}
    for group, number in zip(*(pairs[name].tolist() for name in pairs), strict=True):
        sizes.setdefault(group, []).append(number)
    return sizes


def _span(sizes: Collection[int]) -> str:
    if not sizes:
        return ""
    return f"{format_size(min(sizes))} to {format_size(max(sizes))}"


def _differ(
    setting: str, tool: str, left: frozenset[str], right: frozenset[str]
) -> bool:
    """Say whether two systems have nothing in common that was stated for both."""
    if not (left and right) or left & right:
        return False
    return not any(alike(setting, tool, a, b) for a in left for b in right)


_SETTINGS = {
    "options": "options",
    "version": "version",
    "word_size": "word size [bit]",
    "file_sizes": "file sizes",
    "record_sizes": "record sizes",
    "threads": "numbers of threads",
}


def _different(
    case: Case,
    tool: str,
    setting: str,
    first: str,
    differing: Sequence[str],
    values: Mapping[str, frozenset[str]],
) -> Finding:
    left, right = values[first], values[differing[0]]
    # rsync's own words tell what it moved where no command is known
    data = " or data" if (tool, setting) == ("rsync", "options") else ""
    group = next(g for g in case.of(tool) if g.system.name == differing[0])
    severity = _severity(tool, setting, left, right)
    return Finding(
        severity,
        f"{title_of(tool)} did not run with the same {_SETTINGS[setting]}{data} on "
        f"{listing(differing)} as on {first}",
        f"{first}: {_join_values(left)}; {differing[0]}: {_join_values(right)} "
        f"({case.short(group.place[0])})",
        f"measure all systems alike, or state that this is intended: compared = "
        f'["{setting}"] in campaign.toml',
        systems=list(differing),
        tool=tool,
        cells=case.of_systems(tool, differing),
        place=group.place,
        against=first,
        disqualifies=severity == "error" and setting == "options",
    )


def _severity(
    tool: str, setting: str, left: frozenset[str], right: frozenset[str]
) -> Severity:
    """Say whether another setting is other work (error) or a caveat (warning)."""
    if setting in ("version", "word_size"):
        return "warning"
    same = setting == "options" and any(
        same_work(tool, a, b) for a in left for b in right
    )
    return "warning" if same else "error"


def _join_values(values: frozenset[str]) -> str:
    return printable(" | ".join(sorted(values)))


@rule(
    "confounded",
    ("error",),
    "the systems differ in a fact besides the one compared",
)
def confounded(case: Case) -> Iterator[Finding]:
    """Find facts that differ besides the one that is compared."""
    if len(case.systems) < 2:
        return
    base = case.systems[case.baseline]
    by_fact: dict[str, list[System]] = {}
    for system in case.systems.values():
        for fact in _besides(base, system, case.campaign.compared):
            by_fact.setdefault(fact, []).append(system)
    for fact, systems in by_fact.items():
        words = fact.replace("_", " ")
        differing = [s.name for s in systems]
        ours = case.cells["system"].isin(differing)
        yield Finding(
            "error",
            f"there is also a difference in {words} between {base.name} and "
            f"{listing(differing)}: no ratio can separate it from what is compared",
            f"{base.name}: {printable(base.stated[fact])}; "
            + "; ".join(f"{s.name}: {printable(s.stated[fact])}" for s in systems[:2]),
            f"measure with the same {words}, or say that this is what you compare: "
            f'compared = ["{fact}"] in campaign.toml',
            systems=differing,
            cells=case.cells.index[ours],
            against=base.name,
            scope=f"also differs: {words}",
        )


def _besides(base: System, system: System, intended: Sequence[str]) -> list[str]:
    """List the facts that differ, without the compared one and what follows from it."""
    shared = [f for f in base.stated if f in system.stated]
    differing = [
        f
        for f in shared
        if f not in ("system", "title", *_NOT_COMPARED) and not _agree(f, base, system)
    ]
    compared = [f for f in intended if f in CONSEQUENCES] or [
        f for f in CONSEQUENCES if f in differing
    ][:1]
    excused = {*intended, *compared}
    for fact in compared:
        excused.update(CONSEQUENCES[fact])
    # a fact told in the same words as the compared one is the same fact
    excused.update(
        f
        for f in differing
        for c in compared
        if all(s.stated[f] == s.stated.get(c) for s in (base, system))
    )
    return [fact for fact in differing if fact not in excused]


def _agree(fact: str, left: System, right: System) -> bool:
    a, b = left.stated[fact], right.stated[fact]
    if fact in _BY_FIRST_WORD:
        return first_word(a) == first_word(b)
    return " ".join(a.lower().split()) == " ".join(b.lower().split())
