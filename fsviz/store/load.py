"""A folder, a store, an address or labelled files → one `Campaign`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fsviz.analysis.cells import select
from fsviz.campaigns.mixed import without_mixed
from fsviz.campaigns.read import Progress, load_files, read_folder
from fsviz.campaigns.source_files import find, is_labelled, labelled, listed
from fsviz.campaigns.sources import expanded, grouped, is_address, is_stored
from fsviz.model.campaign import Campaign
from fsviz.model.errors import UsageError, printable
from fsviz.model.names import Names
from fsviz.model.runs import Note
from fsviz.readers.formats import STANDARD_INPUT, shown_path

if TYPE_CHECKING:
    from fsviz.campaigns.source_files import Sources


def load(
    source: Sources,
    *more: str | os.PathLike[str],
    progress: Progress = lambda _: None,
    system: Names = None,
    operation: Names = None,
    tool: Names = None,
    setting: Names = None,
) -> Campaign:
    """Load a campaign.

    Parameters
    ----------
    source : path-like, sequence of path-like, or mapping of labels to them
        A campaign folder, a stored campaign (``STORE/NAME.parquet``, which ``fsviz
        ingest`` wrote, or its address, such as ``s3://…``, by fsspec), or one or more
        ``label=path[,path…]``, where the path ``-`` is standard input. In one string,
        these are separated by blanks and quoted as in a shell. A relative path is also
        searched for in the parent folders, so that a notebook in ``notebooks/`` finds
        ``data/raw``. A mapping contains labels and their paths:
        ``{"nfs": "a.txt", "smb": ["b.txt", "c.txt"]}``.
    *more : path-like
        Further sources, as in ``load("nfs=a.txt", "smb=b.txt")``.
    progress : callable
        Called with the path of each file before it is read.
    system, operation, tool : str, iterable of str or None
        Names to keep, all if None.
    setting : str, iterable of str or None
        Settings to keep, such as ``iodepth=8``, as `fsviz.select` takes them.

    Returns
    -------
    Campaign
        If an operation mixes runs that are not repeats of each other, it is left out
        and named in ``problems``, as long as other operations are left.

    Raises
    ------
    UsageError
        If there is no such file, folder, campaign or name.
    CampaignError
        If ``campaign.toml`` is not valid or does not fit the files, or if the folders
        can be read in more than one way.
    ParseError
        If nothing is usable.
    """
    sources = [*listed(source), *(os.fspath(path) for path in more)]
    if not isinstance(source, os.PathLike):  # that is one, whatever its characters
        sources = expanded(sources)
    campaign = _load(sources, progress)
    campaign = select(campaign, system=system, operation=operation, tool=tool)
    campaign = without_mixed(replace(campaign, selected=None))
    return select(campaign, setting=setting) if setting else campaign


def _load(sources: Sequence[str], progress: Progress) -> Campaign:
    """Load a campaign with all its numbers."""
    if not sources:
        raise UsageError("no source: give a campaign folder or label=path")
    if len(sources) > 1:
        groups = grouped(sources)
        if len(groups) > 1:
            names = ", ".join(" ".join(group) for group in groups)
            raise UsageError(
                f"expected one campaign, found {len(groups)}: {names}; take each by "
                "itself, or name the files or the folder of each system, as in "
                "before=FOLDER/SYSTEM after=FOLDER/SYSTEM"
            )
        sources = groups[0]
    if len(sources) == 1 and is_stored(sources[0]):
        from fsviz.store.stored import read_campaign

        return read_campaign(_of_store(sources[0]))
    alone = len(sources) == 1 and not is_labelled(sources[0])
    if alone and sources[0] != STANDARD_INPUT and find(sources[0]).is_dir():
        return read_folder(find(sources[0]), progress)
    paths = [p for text in sources for p in text.rpartition("=")[2].split(",")]
    if stored := [path for path in paths if is_stored(path)]:
        raise UsageError(
            f"{stored[0]}: expected result files, found a stored campaign; name it "
            "without a label, or label two of them to compare each system with itself"
        )
    made, _ = load_files("", labelled(sources), progress, {*map(shown_path, paths)})
    return replace(made, notes=(*made.notes, *_named_twice(sources)))


def _of_store(source: str) -> str:
    """Return the file of a stored campaign; a store must hold one only."""
    place = source if is_address(source) else str(find(source))
    if place.endswith(".parquet"):
        return place
    from fsviz.store.stored import campaigns_of, path_of

    names = list(campaigns_of(place))
    if len(names) != 1:
        paths = ", ".join(path_of(place, printable(name)) for name in names[:10])
        raise UsageError(
            f"{place}:1: expected a campaign, found a store of {len(names)}; name one "
            f"of {paths}"
        )
    return path_of(place, names[0])


def _named_twice(sources: Sequence[str]) -> Iterator[Note]:
    """Say which labels stand before several sources, which are then one system."""
    seen: set[str] = set()
    for text in sources:
        label, equals, paths = text.partition("=")
        if equals and label in seen:
            twice = (
                f"the label {label} is given twice: its files are runs of one system"
            )
            yield Note(paths.split(",")[0], 1, twice)
        seen.add(label)
