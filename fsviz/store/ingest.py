"""Campaign folders → the store: only what is new or changed is read."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock

from fsviz.campaigns.mixed import mixed_problems
from fsviz.campaigns.over_time import date_of
from fsviz.campaigns.read import read_folder
from fsviz.campaigns.source_files import find, is_labelled
from fsviz.campaigns.sources import is_address, is_stored
from fsviz.model.errors import FsvizError, ParseError, UsageError
from fsviz.model.escaping import printable
from fsviz.model.writing import PARTS, make_folder, refused_in_a_line
from fsviz.store.executor import spread
from fsviz.store.inventory import READINGS, listing, unchanged, with_digests
from fsviz.store.stored import (
    campaigns_of,
    folder_of,
    opened,
    path_of,
    write_campaign,
    write_list,
)


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of one campaign; ``name`` is empty where nothing is stored."""

    source: str
    name: str = ""
    fresh: bool = False
    files: int = 0
    numbers: int = 0
    unusable: bool = False
    complaints: tuple[str, ...] = ()
    error: FsvizError | None = None


class _Task(NamedTuple):
    """A campaign to store, as a worker needs it."""

    source: str
    folder: Path
    resolved: str
    name: str
    place: str


def ingest(
    sources: Sequence[str],
    store: Path | str,
    *,
    pool: Executor | None = None,
    prune: bool = False,
    progress: Callable[[Ingested], None] = lambda _: None,
) -> list[Ingested]:
    """Bring campaigns into a store, in a folder or at an address."""
    place = str(store)
    with _locked(place):
        listed = _listed(place)
        tasks, refused = _planned(sources, place, listed)
        done = {outcome.source: outcome for outcome in refused}
        look = partial(_outcome, partial(_stored_before, prune=prune))
        # a store at an address answers several at once; here they hinder each other
        with ThreadPoolExecutor(None if is_address(place) else 1) as threads:
            before = list(threads.map(look, tasks))
        new = [task for task, outcome in zip(tasks, before, strict=True) if not outcome]
        read = spread(partial(_outcome, _read_and_stored), new, pool)
        for outcome in filter(None, chain(before, read)):
            done[outcome.source] = outcome
            progress(outcome)
        stored = {outcome.name for outcome in done.values()}
        listed |= {task.name: task.resolved for task in tasks if task.name in stored}
        gone = {n: f for n, f in listed.items() if prune and not Path(f).exists()}
        write_list(place, {name: listed[name] for name in listed.keys() - gone.keys()})
        for name, folder in gone.items():
            file = path_of(place, name)
            # a stranger's list may name somebody's own file
            if not is_address(file) and folder_of(file) == folder:
                Path(file).unlink()
    return [done[source] for source in dict.fromkeys(sources) if source in done]


@contextmanager
def _locked(store: str) -> Iterator[None]:
    """Let one ingest at a time write to a store; an address has no lock."""
    if is_address(store):
        yield
        return
    make_folder(Path(store))
    lock = Path(store, ".lock")
    with refused_in_a_line(lock), FileLock(lock):
        # nobody else writes here now: it is of an ingest that was killed
        for part in Path(store).glob(PARTS):
            part.unlink(missing_ok=True)
        yield


def _listed(store: str) -> dict[str, str]:
    """List the campaigns of a store; where its list is lost, by their files."""
    try:
        return campaigns_of(store)
    except ParseError:
        files = [] if is_address(store) else sorted(Path(store).glob("*.parquet"))
        folders = {file.stem: folder_of(str(file)) for file in files}
        return {name: folder for name, folder in folders.items() if folder}


def _planned(
    sources: Sequence[str], store: str, listed: Mapping[str, str]
) -> tuple[list[_Task], list[Ingested]]:
    """Give each campaign its name in the store."""
    names = {folder: name for name, folder in listed.items()}
    tasks: dict[str, _Task] = {}
    refused = []
    for source in dict.fromkeys(sources):
        try:
            folder = _campaign_folder(source, store)
            resolved = str(folder.resolve())
            name = names.get(resolved) or _name(resolved, store, names.values())
        except FsvizError as error:
            refused.append(Ingested(source, error=error))
            continue
        names[resolved] = name
        task = _Task(source, folder, resolved, name, path_of(store, name))
        tasks.setdefault(name, task)
    return list(tasks.values()), refused


def _campaign_folder(source: str, store: str) -> Path:
    expected = f"{source}: expected a campaign folder"
    if is_stored(source):
        raise UsageError(f"{expected}, found one that is stored already")
    if is_labelled(source) or not (folder := find(source)).is_dir():
        raise UsageError(f"{expected}, found lone files")
    if not is_address(store):
        inner, outer = sorted((folder.resolve(), Path(store).resolve()), reverse=True)
        if inner.is_relative_to(outer):
            raise UsageError(
                f"{expected} apart from the store {store}, found one within the other; "
                "give the store a folder of its own"
            )
    return folder


def _name(folder: str, store: str, taken: Collection[str]) -> str:
    """Name a campaign after its folder; another one's name gets a digest."""
    name = Path(folder).name.lstrip("._") or "campaign"
    if name in taken:
        name = f"{name}-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:8]}"
    path = path_of(store, name)
    if not is_address(store) and Path(path).exists() and not folder_of(path):
        raise UsageError(
            f"{path}: expected a stored campaign or no file, found another"
        )
    return name


def _outcome(step: Callable[[_Task], Ingested | None], task: _Task) -> Ingested | None:
    """Do a step; a file that cannot be read or written is an outcome, too."""
    try:
        return step(task)
    except FsvizError as error:
        return Ingested(task.source, error=error)
    except OSError as error:
        name, why = str(error.filename or task.folder), error.strerror or "an error"
        return Ingested(task.source, error=ParseError(name, 1, "a file to read", why))


def _stored_before(task: _Task, prune: bool) -> Ingested | None:
    """Return what is stored if it is current, or if files of it are lost."""
    try:
        with opened(task.place) as (file, stored):
            numbers, sources = file.metadata.num_rows, stored.sources
    except ParseError:
        return None  # new, of an older fsviz, or damaged: read again
    files, unusable = listing(task.folder), bool(stored.problems)
    outcome = Ingested(task.source, task.name, False, len(sources), numbers, unusable)
    if (lost := sorted(sources.keys() - files.keys())) and not prune:
        gone = printable(lost[0]) + (", …" if lost[1:] else "")
        fault = f"{len(lost)} of them gone ({gone}); kept as stored, --prune drops them"
        error = ParseError(str(task.folder), 1, "the files that are stored", fault)
        return replace(outcome, error=error)
    same = unchanged(task.folder, sources, files, stored.listed)
    return outcome if sources and same and stored.readings == READINGS else None


def _read_and_stored(task: _Task) -> Ingested:
    """Read a campaign, and write it; runs in a worker, perhaps more than once."""
    listed, files = time.time_ns(), listing(task.folder)
    sources = with_digests(task.folder, files)
    campaign = read_folder(task.folder)
    write_campaign(
        task.place,
        campaign,
        readings=READINGS,
        folder=task.resolved,
        listed=listed,
        # else it is never taken for current
        sources=sources if listing(task.folder) == files else {},
        date=date_of(campaign),
    )
    # the store keeps all numbers; whoever loads them leaves out what mixes runs
    problems = [*campaign.problems, *mixed_problems(campaign)]
    numbers, lines = len(campaign.measurements), [*problems, *campaign.notes]
    counts = len(sources), numbers, bool(problems)
    return Ingested(task.source, task.name, True, *counts, tuple(map(str, lines)))
