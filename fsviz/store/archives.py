"""A campaign in an archive: unpacked for a while, and named by its own path.

Without ``campaign.toml`` an archive is read in memory, as the files of a folder
(`fsviz.campaigns.read`). With one, what it states has to be followed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from fsviz.campaigns.read import read_folder
from fsviz.model.errors import ParseError, UsageError, quoted
from fsviz.model.run_folder import run_folder
from fsviz.model.writing import make_folder, refuse_file, write_file
from fsviz.readers.formats import archived
from fsviz.store.remote import renamed, seen_at

if TYPE_CHECKING:
    from fsviz.campaigns.read import Progress
    from fsviz.model.campaign import Campaign


def holds_campaign(path: Path) -> bool:
    """Tell whether a file is an archive of one folder with ``campaign.toml``."""
    return path.is_file() and _top([name for name, _ in archived(path)]) is not None


def read_packed(path: Path, progress: Progress) -> Campaign:
    """Read such an archive as the folder that it holds."""
    with unpacked(path) as (root, folder, problems):
        found = renamed(read_folder(folder, progress), str(root), str(path))
    return replace(found, problems=(*problems, *found.problems))


@contextmanager
def unpacked(path: Path) -> Iterator[tuple[Path, Path, tuple[ParseError, ...]]]:
    """Write what an archive holds into a folder; name its campaign, and what is left.

    The members are files below that folder: `members` refuses other names, and links.
    """
    with tempfile.TemporaryDirectory(dir=run_folder()) as scratch:
        root = Path(scratch) / path.name.partition(".")[0]
        root.mkdir()
        problems = list[ParseError]()
        every = archived(path)
        for name, content in every:
            if isinstance(content, ParseError):
                problems.append(content)
                continue
            try:
                target = root / name
                make_folder(target.parent)
                refuse_file(target)
                write_file(target, content)
            except (OSError, ValueError, UsageError):
                what = "a name of its own that a folder can hold"
                problems.append(ParseError(f"{path}/{name}", 1, what, quoted(name)))
        top = _top([name for name, _ in every]) or PurePosixPath()
        with seen_at(str(path), root):
            yield root, root / top, tuple(problems)


def _top(names: Sequence[str]) -> PurePosixPath | None:
    """Find the folder of the one ``campaign.toml``, at the top or below one folder."""
    from fsviz.campaigns.campaign_toml import NAME

    found = [path for path in map(PurePosixPath, names) if path.name == NAME]
    return found[0].parent if len(found) == 1 and len(found[0].parts) < 3 else None
