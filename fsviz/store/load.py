"""A folder, a store, an address or labelled files → one `Campaign`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fsviz.analysis.cells import select
from fsviz.campaigns.mixed import without_mixed
from fsviz.campaigns.read import Progress, load_files, read_folder
from fsviz.campaigns.source_files import find, is_labelled, labelled, listed
from fsviz.model.campaign import Campaign
from fsviz.model.errors import UsageError, printable
from fsviz.model.names import Names, names_of
from fsviz.model.runs import Note
from fsviz.readers.formats import STANDARD_INPUT, shown_path
from fsviz.store.archives import holds_campaign, read_packed
from fsviz.store.cache import remembered
from fsviz.store.generations import read_generation
from fsviz.store.manifest import generation, manifest
from fsviz.store.remote import (
    fetched,
    is_remote,
    renamed,
    store_there,
    stored_campaign,
)
from fsviz.store.sources import expanded, grouped

if TYPE_CHECKING:
    from fsviz.campaigns.source_files import Sources


def load(
    source: Sources,
    *more: str | os.PathLike[str],
    progress: Progress = lambda _: None,
    campaign: str = "",
    system: Names = None,
    operation: Names = None,
    tool: Names = None,
    setting: Names = None,
    cache: bool = False,
) -> Campaign:
    """Load a campaign.

    Parameters
    ----------
    source : path-like, sequence of path-like, or mapping of labels to them
        A campaign folder, a stored campaign (a folder that ``fsviz ingest`` wrote),
        the address of one of these (``s3://…``, by fsspec), or
        one or more ``label=path[,path…]``, where the path ``-`` is standard input. In
        one string, these are separated by blanks and quoted as in a shell. A relative
        path is also searched for in the parent folders, so that a notebook in
        ``notebooks/`` finds ``data/raw``. A mapping contains labels and their paths:
        ``{"nfs": "a.txt", "smb": ["b.txt", "c.txt"]}``.
    *more : path-like
        Further sources, as in ``load("nfs=a.txt", "smb=b.txt")``.
    progress : callable
        Called with the path of each file before it is read.
    campaign : str
        Campaign to load, if the source is a store.
    system, operation, tool : str, iterable of str or None
        Names to keep, all if None. From a stored campaign, only these are read.
    setting : str, iterable of str or None
        Settings to keep, such as ``iodepth=8``, as `fsviz.select` takes them.
    cache : bool
        Whether to keep the data of a large folder in the user's cache folder (the
        environment variable ``FSVIZ_CACHE`` names another), and to use them as long as
        the files do not change.

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
    chosen = {"system": system, "operation": operation, "tool": tool}
    sources = [*listed(source), *(os.fspath(path) for path in more)]
    if not isinstance(source, os.PathLike):  # that is one, whatever its characters
        sources = expanded(sources)
    made = without_mixed(_load(sources, progress, campaign, chosen, cache))
    return select(made, setting=setting) if setting else made


def _load(
    sources: Sequence[str],
    progress: Progress,
    campaign: str,
    chosen: Mapping[str, Names],
    cache: bool,
) -> Campaign:
    """Load a campaign with all its numbers."""
    if not sources:
        raise UsageError("no source: give a campaign folder or label=path")
    if len(sources) > 1:
        groups = grouped(sources)
        if len(groups) > 1:
            names = ", ".join(" ".join(group) for group in groups)
            raise UsageError(
                f"expected one campaign, found {len(groups)}: {names}; load each by "
                "itself, or label the files of one system as label=path"
            )
        sources = groups[0]
    if len(sources) == 1 and is_remote(sources[0]):
        return _load_remote(sources[0], campaign, progress, chosen)
    one = len(sources) == 1 and not is_labelled(sources[0])
    lone = sources[0] if one else STANDARD_INPUT
    if lone != STANDARD_INPUT and holds_campaign(find(lone)):
        return select(read_packed(find(lone), progress), **chosen)
    if lone == STANDARD_INPUT or not find(lone).is_dir():
        if campaign:
            raise UsageError(f"campaign {campaign}: expected a store, found {lone}")
        paths = [p for text in sources for p in text.rpartition("=")[2].split(",")]
        made = load_files("", labelled(sources), progress, {*map(shown_path, paths)})
        notes = (*made.notes, *_named_twice(sources))
        return select(replace(made, notes=notes), **chosen)
    if stored := _stored(find(lone), campaign):
        return read_generation(stored, **chosen)
    if cache:
        return select(remembered(find(lone), progress), **chosen)
    return select(read_folder(find(lone), progress), **chosen)


def _named_twice(sources: Sequence[str]) -> Iterator[Note]:
    """Say which labels stand before several sources, which are then one system."""
    seen: set[str] = set()
    for text in sources:
        label, equals, paths = text.partition("=")
        if equals and label in seen:
            said = f"the label {label} is given twice: its files are runs of one system"
            yield Note(paths.split(",")[0], 1, said)
        seen.add(label)


def _stored(folder: Path, campaign: str) -> Path | None:
    """Find a stored campaign, of a store if it is named."""
    found = generation(folder / campaign if campaign else folder)
    if campaign and found is None:
        names = ", ".join(map(printable, list(manifest(folder))[:10])) or "no store"
        raise UsageError(f"campaign {campaign}: expected one of {names}")
    return found


def _load_remote(
    address: str, campaign: str, progress: Progress, chosen: Mapping[str, Names]
) -> Campaign:
    if store_there(address):
        tools = names_of(chosen["tool"])
        with stored_campaign(address, campaign, tools) as folder:
            return read_generation(folder, **chosen)
    with fetched(address) as folder:
        found = renamed(read_folder(folder, progress), str(folder), address)
    return select(found, **chosen)
