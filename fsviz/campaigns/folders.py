"""Which folder of a campaign is which system, when no ``campaign.toml`` says it.

A folder is named like a tool (``iozone``), like a repeat (``run_3``, ``2026-11-21``,
``5``) or otherwise. The systems are the folders named otherwise; a repeat belongs to
the folder above it. If the same name stands under several parents, as in ``ext4/cold``
and ``xfs/cold``, there is more than one reading: none is chosen, and all are shown.
"""

from __future__ import annotations

import glob
import itertools
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath

from fsviz.model.errors import AmbiguousFoldersError, quoted
from fsviz.model.escaping import toml_text

Parts = tuple[str, ...]

_TOOLS = re.compile(
    r"(?:iozone3?|bonnie(?:\+\+|pp)?|rsync|fio|hyperfine)(?![a-z])|time$", re.IGNORECASE
)
_BLANKS = re.compile(r"^[\s._-]+|[\s._-]+$")
_DATE = r"\d{4}-?\d\d-?\d\d(?:[T_. -]?\d\d[:h-]?\d\d(?:[:m-]?\d\d)?s?)?"
_REPEAT = re.compile(
    r"(?:(?:run|rep|repeat|repetition|iter|iteration|trial|round|pass|take|attempt|try"
    r"|sample|test|result|results|r|no|nr)?[\s_.#-]*"
    rf"(?:{_DATE}|\d+))|{_DATE}[\s_.-]*(?:run|rep)?[\s_.#-]*\d*",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    r"(?:run|rep|result|output|log|raw|data|bench|benchmark|test)s?", re.IGNORECASE
)
_SHOWN = 4
"""Systems of one reading that a message lists with their lines."""


def is_repeat(name: str) -> bool:
    """Tell whether a name says which repeat something is, not which system.

    >>> [is_repeat(n) for n in ("run_1", "rep10", "2026-11-21", "7", "iozone-2")]
    [True, True, True, True, True]
    >>> [is_repeat(n) for n in ("ext4", "nfs-v4.1", "raid1", "host2")]
    [False, False, False, False]
    """
    stripped = _BLANKS.sub("", _TOOLS.sub("", name))
    return _REPEAT.fullmatch(stripped) is not None


_IN_A_NAME = re.compile(
    rf"{_DATE}|\d{{10}}|(?:run|rep|repeat|iter|iteration|trial|round|pass|try)[\s_.#-]*\d+",
    re.IGNORECASE,
)
_LAST_NUMBER = re.compile(
    r"(?P<base>.*?(?:[^\W\d_](?=\(?\d)|[^\s_#-](?=[\s_#-])))[\s_#-]*"
    r"\(?(?P<number>\d{1,3})\)?"
)
_COUNTED = re.compile(
    r"(?:.*[\s_-])?(?:threads?|jobs?|clients?|disks?|hosts?|nodes?|servers?|raid|v|t|x"
    r"|drives?|nvme|ssd|hdd|md|sd[a-z]|pools?|vms?)",
    re.IGNORECASE,
)


def labels_of(stems: Sequence[str]) -> list[str]:
    """Say what the names of files say besides tool, date and number of a repeat.

    >>> labels_of(["iozone-nfs-1", "iozone-nfs-2", "2026-11-21_smb1", "rep3", "7"])
    ['nfs', 'nfs', 'smb', '', '']
    >>> labels_of(["nfs-3", "nfs-4", "raid0", "raid1", "nfs4.1"])
    ['nfs-3', 'nfs-4', 'raid0', 'raid1', 'nfs4.1']
    """
    texts = [_TOOLS.sub("", _IN_A_NAME.sub("", stem)) for stem in stems]
    texts = ["" if is_repeat(t) else _BLANKS.sub("", t) for t in texts]
    matches = [_LAST_NUMBER.fullmatch(text) for text in texts]
    numbers: dict[str, set[int]] = {}
    for match in filter(None, matches):
        numbers.setdefault(match["base"], set()).add(int(match["number"]))
    repeats = {
        base
        for base, used in numbers.items()
        if min(used) < 2
        and max(used) - min(used) < len(used)
        and not _COUNTED.fullmatch(base)
    }
    return [
        match["base"] if match and match["base"] in repeats else text
        for match, text in zip(matches, texts, strict=True)
    ]


def _says_nothing(name: str) -> bool:
    stripped = _BLANKS.sub("", _TOOLS.sub("", name))
    return not stripped or _PLAIN.fullmatch(stripped) is not None or is_repeat(name)


def _names(folder: Parts) -> Parts:
    """What may name a system in a path: else a name with a tool's, as ``fio-nfs``."""
    names = tuple(name for name in folder if not _says_nothing(name))
    return tuple(name for name in names if not _TOOLS.search(name)) or names


def systems_of(root: str, folders: Iterable[Parts]) -> dict[Parts, str]:
    """Name the system of each folder.

    >>> systems_of("camp", [("ext4", "run_1"), ("ext4", "run_2"), ("xfs", "run_1")])
    {('ext4', 'run_1'): 'ext4', ('ext4', 'run_2'): 'ext4', ('xfs', 'run_1'): 'xfs'}
    >>> systems_of("camp", [("iozone", "nfs"), ("bonnie++", "nfs")])
    {('iozone', 'nfs'): 'nfs', ('bonnie++', 'nfs'): 'nfs'}
    """
    names = {folder: _names(folder) for folder in dict.fromkeys(folders)}
    varying = _without_constant(names)
    systems = {f: n[-1] if n else PurePath(root).name for f, n in varying.items()}
    paths: dict[str, set[Parts]] = {}
    for folder, system in systems.items():
        if varying[folder]:
            paths.setdefault(system, set()).add(varying[folder])
    if any(len(places) > 1 for places in paths.values()):
        raise _ambiguous(root, varying)
    return systems


def _without_constant(names: dict[Parts, Parts]) -> dict[Parts, Parts]:
    """Leave out the levels that are the same in all folders, but for the last one."""
    filled = {n for n in names.values() if n}
    if len(filled) == 1:
        return {folder: n[-1:] for folder, n in names.items()}
    if len({len(n) for n in filled}) != 1:
        return names
    levels = list(zip(*filled, strict=True))
    varying = [i for i, level in enumerate(levels) if len(set(level)) > 1]
    return {f: tuple(n[i] for i in varying) if n else n for f, n in names.items()}


def outer_and_inner(root: str, folders: Iterable[Parts]) -> dict[Parts, str]:
    """Name the system of each folder by all levels that may name one.

    >>> outer_and_inner("camp", [("ext4", "a"), ("ext4", "b"), ("xfs", "a")])
    {('ext4', 'a'): 'ext4/a', ('ext4', 'b'): 'ext4/b', ('xfs', 'a'): 'xfs/a'}
    """
    names = _without_constant({f: _names(f) for f in dict.fromkeys(folders)})
    return {f: "/".join(n) or PurePath(root).name for f, n in names.items()}


def _ambiguous(root: str, names: dict[Parts, Parts]) -> AmbiguousFoldersError:
    readings = (
        ("every folder is a system", {f: "/".join(n) for f, n in names.items() if n}),
        ("the outer folders are", {f: n[0] for f, n in names.items() if n}),
        ("the inner folders are", {f: n[-1] for f, n in names.items() if n}),
    )
    advice = ["# Put the lines of one reading into campaign.toml:"]
    for reading, systems in readings:
        distinct = list(dict.fromkeys(systems.values()))
        advice.append(f"# {reading}: {len(distinct)} systems")
        for name in distinct[:_SHOWN]:
            inside = [folder for folder, system in systems.items() if system == name]
            outside = [folder for folder, system in systems.items() if system != name]
            advice += _entry(name, _globs(inside, outside))
        if distinct[_SHOWN:]:
            advice.append(f"# and so on for {len(distinct) - _SHOWN} more")
    inner = next(n for n in names.values() if len(n) > 1)
    return AmbiguousFoldersError(
        root,
        1,
        "folders of which only one level names systems",
        f"two that may, as in {quoted('/'.join(inner))}; [[system]] lines settle it",
        tuple(advice),
    )


def _globs(folders: Sequence[Parts], excluded: Sequence[Parts]) -> list[str]:
    """Return patterns of a system's folders: one, if there are many and it can be said.

    >>> runs = [("nfs", f"day{k}", "io") for k in range(9)]
    >>> _globs(runs, [("smb", "day1", "io")]), _globs(runs[:2], [])
    (['nfs/**'], ['nfs/day0/io/*', 'nfs/day1/io/*'])
    >>> _globs([(f"day{k}", "nfs") for k in range(9)], [("day1", "smb")])
    ['**/nfs/*']
    """
    if len(folders) > _SHOWN:
        start = _common([*folders])
        end = _common([folder[::-1] for folder in folders])[::-1]
        if start and not any(folder[: len(start)] == start for folder in excluded):
            return [f"{_escaped(start)}/**"]
        if end and not any(folder[-len(end) :] == end for folder in excluded):
            return [f"**/{_escaped(end)}/*"]
    return [f"{_escaped(folder)}/*" for folder in folders]


def _common(folders: Sequence[Parts]) -> Parts:
    """Return the levels with which all folders begin."""
    levels = zip(*folders, strict=False)
    same = itertools.takewhile(lambda level: len(set(level)) == 1, levels)
    return tuple(level[0] for level in same)


def _escaped(folder: Parts) -> str:
    return "/".join(map(glob.escape, folder))


def _entry(name: str, globs: Sequence[str]) -> list[str]:
    listed = ", ".join(map(toml_text, dict.fromkeys(globs)))
    return ["[[system]]", f"name = {toml_text(name)}", f"files = [{listed}]"]


def leads_out(path: Path, folder: Path) -> bool:
    """Say whether a file of a folder is a link to somewhere else: nobody follows it."""
    # os.path answers where Path raises: in a folder that may not be entered
    linked = os.path.islink(path)  # noqa: PTH114
    return linked and not path.resolve().is_relative_to(folder.resolve())
