"""Patterns of ``campaign.toml``: matched against listed paths, so none leaves a folder.

``*``, ``?`` and ``[…]`` match within a name, ``**`` any number of folders; a name that
begins with a dot is matched only by a part that does so too.
"""

from __future__ import annotations

import fnmatch
import re
import unicodedata
from collections.abc import Callable

from fsviz.model.names import normalised_name

Parts = tuple[str, ...]
Matcher = Callable[[Parts], bool]
MAGIC = re.compile(r"[*?[]")

_LONGEST, _MOST_PARTS = 4096, 64
_ANY = "**"


def parts_of(pattern: str) -> Parts:
    """Split a pattern at its slashes, or raise ValueError if it may lead elsewhere."""
    parts = tuple(part for part in pattern.split("/") if part not in ("", "."))
    leaves = pattern.startswith("/") or ".." in parts or "\0" in pattern
    if not parts or leaves or len(pattern) > _LONGEST or len(parts) > _MOST_PARTS:
        raise ValueError("a glob inside the folder")
    # a folder is no file: what is meant is what lies in it
    return (*parts, "*") if parts[-1] == _ANY else parts


def matcher(pattern: str) -> Matcher:
    """Return what says whether the parts of a path match a pattern."""
    levels = [None if part == _ANY else _of_part(part) for part in parts_of(pattern)]

    def matches(path: Parts) -> bool:
        # whether the path up to each of its parts matches the pattern so far
        so_far = [True, *[False] * len(path)]
        for part in levels:
            if part is None:
                for at, name in enumerate(path):
                    if so_far[at] and not name.startswith("."):
                        so_far[at + 1] = True
            else:
                ends = [so_far[at] and part(name) for at, name in enumerate(path)]
                so_far = [False, *ends]
        return so_far[-1]

    return matches


def _of_part(part: str) -> Callable[[str], bool]:
    if not MAGIC.search(part):
        name_itself = normalised_name(part)
        return lambda name: name == part or normalised_name(name) == name_itself
    pattern = re.compile(fnmatch.translate(unicodedata.normalize("NFC", part)))
    dotted = part.startswith(".")

    def matches(name: str) -> bool:
        plain = unicodedata.normalize("NFC", name)
        return (dotted or name[0] != ".") and pattern.match(plain) is not None

    return matches
