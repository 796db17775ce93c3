"""Settings in the words of the readers: which of them are known to differ."""

from __future__ import annotations

import re

_UNKNOWN = "unknown options: "
_VERSION = re.compile(r"(.*\d)([a-z]?)")


def alike(setting: str, tool: str, one: str, other: str) -> bool:
    """Say whether two texts may describe the same setting.

    Parameters
    ----------
    setting : str
        Such as ``options`` or ``version``.
    tool : str
    one, other : str
        As `Run.configuration` or `Run.tool_version` holds them.

    Returns
    -------
    bool
        False only if they are known to differ.

    Examples
    --------
    >>> alike("version", "bonnie++", "1.03", "1.03c")
    True
    >>> alike("version", "bonnie++", "1.03c", "1.03e")
    False
    >>> alike("options", "rsync", "rsync -a", "9 files, 9 transferred, 81 B")
    True
    >>> alike("options", "rsync", "rsync -a", "rsync -a --delete; 9 files")
    False
    """
    if one == other:
        return True
    if setting == "version":
        return _same_version(one, other)
    if setting != "options":
        return False
    if tool == "rsync":
        return _same_work(one, other)
    if tool == "bonnie++":
        return _same_chunk(one, other)
    # an excerpt without its banner tells its grid, not its options
    return one.startswith(_UNKNOWN) != other.startswith(_UNKNOWN)


def _same_version(one: str, other: str) -> bool:
    """Take a version without its letter, as bonnie++ 1.03's CSV is, for any letter."""
    a, b = _VERSION.fullmatch(one), _VERSION.fullmatch(other)
    return bool(a and b and a[1] == b[1] and not (a[2] and b[2]))


def _same_chunk(one: str, other: str) -> bool:
    """Take an unknown chunk, as on bonnie++'s console, for any chunk."""
    chunk = re.compile(r"chunk=\S+")
    known = "chunk=unknown" not in one and "chunk=unknown" not in other
    return not known and chunk.sub("", one) == chunk.sub("", other)


def _same_work(one: str, other: str) -> bool:
    """Compare commands with commands, and amounts of data with amounts."""
    (command_a, moved_a), (command_b, moved_b) = _parted(one), _parted(other)
    if command_a and command_b and command_a != command_b:
        return False
    return not (moved_a and moved_b) or _same_amounts(moved_a, moved_b)


def _parted(configuration: str) -> tuple[str, str]:
    """Part what was asked for from what rsync said it moved."""
    parts = configuration.split("; ")
    moved = [part for part in parts if part[:1].isdigit() or part[:1] == "?"]
    return "; ".join(p for p in parts if p not in moved), "; ".join(moved)


def _same_amounts(one: str, other: str) -> bool:
    """Compare amounts; a rounded one, such as 16.55M, agrees with any."""
    ours, theirs = one.split(", "), other.split(", ")
    return len(ours) == len(theirs) and all(
        a == b or not (_exact(a) and _exact(b))
        for a, b in zip(ours, theirs, strict=True)
    )


def _exact(amount: str) -> bool:
    return amount.partition(" ")[0].isdecimal() or not amount.endswith(" B")
