"""SOURCE → which file measured which system."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fsviz.campaigns.campaign_toml import NAME, CampaignFile, line_of
from fsviz.model.errors import CampaignError, UsageError


@dataclass(frozen=True, slots=True)
class Claim:
    """A file and the system that it measured."""

    system: str
    path: str


def find(path: str) -> Path:
    """Find a path here or, if it is relative, in the parent folders.

    Raises
    ------
    UsageError
        If it is nowhere.
    """
    given = Path(path)
    for folder in (Path(), *Path.cwd().parents):
        if (folder / given).exists():
            return folder / given
    raise UsageError(f"{path}:1: expected a file or folder, found none")


def natural(text: str) -> list[tuple[int, int, str]]:
    """Sort key that puts ``rep10`` after ``rep9``.

    Examples
    --------
    >>> sorted(["rep10", "rep9", "Rep1"], key=natural)
    ['Rep1', 'rep9', 'rep10']
    """
    parts = re.findall(r"\d+|\D+", text.lower())
    return [(0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts]


def labelled(text: str) -> Iterator[Claim]:
    """List the files of ``label=path[,path…]``, or of a lone path.

    A lone file is a system of its own, named after the file.
    """
    label, equals, paths = text.partition("=")
    if not equals:
        found = find(text)
        if found.is_dir():
            for path in _files(found):
                yield Claim(path.parent.name, str(path))
        else:
            yield Claim(found.stem, str(found))
        return
    for name in filter(None, paths.split(",")):
        found = find(name)
        for file in _files(found) if found.is_dir() else [found]:
            yield Claim(label, str(file))


def _files(folder: Path) -> list[Path]:
    """List the files of a folder that may be results: not hidden, not our own."""
    found = [
        path
        for path in folder.rglob("*")
        if path.is_file()
        and path.name != NAME
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]
    return sorted(found, key=lambda path: natural(str(path)))


def claims(folder: Path, described: CampaignFile) -> Iterator[Claim]:
    """List the files of a campaign folder with the system that each measured.

    Parameters
    ----------
    folder : Path
        The campaign.
    described : CampaignFile
        Its ``campaign.toml``; an empty one gives each file to the folder it is in.

    Raises
    ------
    CampaignError
        If a glob matches nothing, or two systems claim one file.
    """
    if not described.system:
        ignored = {p for glob in described.ignore for p in folder.glob(glob)}
        for path in _files(folder):
            if path not in ignored:
                yield Claim(path.parent.resolve().name, str(path))
        return
    claimed: dict[Path, str] = {}
    for index, entry in enumerate(described.system):
        for glob in entry.files or [f"**/{entry.name}/**"]:
            for path in _matches(folder, described, index, glob):
                if path in claimed:
                    raise _refused(
                        folder,
                        (index, glob),
                        "each file under one system",
                        f"{path.relative_to(folder)} also under {claimed[path]}",
                    )
                claimed[path] = entry.name
                yield Claim(entry.name, str(path))


def _matches(
    folder: Path, described: CampaignFile, index: int, glob: str
) -> list[Path]:
    ignored = {p for pattern in described.ignore for p in folder.glob(pattern)}
    wanted = glob + "/*" if glob.endswith("**") else glob
    try:
        found = set(folder.glob(wanted)) - ignored
    except (ValueError, NotImplementedError) as error:
        place = (index, glob)
        raise _refused(folder, place, "a glob inside the folder", glob) from error
    files = [p for p in found if p.is_file() and p.is_relative_to(folder)]
    if not files or ".." in Path(glob).parts:
        raise _refused(
            folder, (index, glob), "files", f"none in the folder that match {glob}"
        )
    return sorted(files, key=lambda path: natural(str(path)))


def _refused(
    folder: Path, place: tuple[int, str], expected: str, found: str
) -> CampaignError:
    path = folder / NAME
    index, glob = place
    text = path.read_text(encoding="utf-8", errors="replace")
    line = line_of(text, "system", index, glob)
    return CampaignError(str(path), line, expected, found)
