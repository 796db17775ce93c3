"""Campaign folders → the store: only what is new or changed is read."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from filelock import FileLock

from fsviz.campaigns.mixed import mixed_problems
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

if TYPE_CHECKING:
    from fsviz.model.campaign import Campaign


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of one campaign; ``name`` is empty where nothing is stored."""

    source: str
    name: str = ""
    files: int = 0
    numbers: int = 0
    fresh: bool = False
    unusable: bool = False
    error: FsvizError | None = None
    complaints: tuple[str, ...] = ()


Outcome = TypeVar("Outcome")


class _Task(NamedTuple):
    """A campaign to store, as a worker needs it."""

    source: str
    folder: Path
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
        with ThreadPoolExecutor() as threads:  # a file server answers several at once
            before = list(threads.map(look, tasks))
        new = [task for task, outcome in zip(tasks, before, strict=True) if not outcome]
        read = spread(partial(_outcome, _read_and_stored), new, pool)
        for outcome in chain(filter(None, before), read):
            done[outcome.source] = outcome
            progress(outcome)
        stored = {outcome.name for outcome in done.values()}
        listed |= {t.name: str(t.folder.resolve()) for t in tasks if t.name in stored}
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
            key = str(folder.resolve())
            name = names.get(key) or _name(folder.resolve(), store, names.values())
        except FsvizError as error:
            refused.append(Ingested(source, error=error))
            continue
        names[key] = name
        tasks.setdefault(name, _Task(source, folder, name, path_of(store, name)))
    return list(tasks.values()), refused


def _campaign_folder(source: str, store: str) -> Path:
    expected = f"{source}: expected a campaign folder"
    if is_stored(source):
        raise UsageError(f"{expected}, found one that is stored already")
    if is_labelled(source) or not find(source).is_dir():
        raise UsageError(f"{expected}, found lone files")
    folder, place = find(source).resolve(), Path(store).resolve()
    within = place.is_relative_to(folder) or folder.is_relative_to(place)
    if within and not is_address(store):
        raise UsageError(
            f"{expected} apart from the store {store}, found one within the other; "
            "give the store a folder of its own"
        )
    return find(source)


def _name(folder: Path, store: str, taken: Collection[str]) -> str:
    """Name a campaign after its folder; another one's name gets a digest."""
    name = folder.name.lstrip("._") or "campaign"
    if name in taken:
        name = f"{name}-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:8]}"
    path = path_of(store, name)
    if not is_address(store) and Path(path).exists() and not folder_of(path):
        raise UsageError(
            f"{path}: expected a stored campaign or no file, found another"
        )
    return name


def _outcome(step: Callable[[_Task], Outcome], task: _Task) -> Outcome | Ingested:
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
    outcome = Ingested(task.source, task.name, len(sources), numbers, False, unusable)
    if (lost := sorted(sources.keys() - files.keys())) and not prune:
        names = ", ".join(map(printable, lost[:3])) + (", …" if lost[3:] else "")
        gone = f"{len(lost)} of them gone ({names}); kept as stored, --prune takes what"
        error = ParseError(
            str(task.folder), 1, "the files that are stored", f"{gone} is there now"
        )
        return replace(outcome, error=error)
    same = unchanged(task.folder, sources, files, stored.listed)
    return outcome if sources and same and stored.readings == READINGS else None


def _read_and_stored(task: _Task) -> Ingested:
    """Read a campaign, and write it; runs in a worker, perhaps more than once."""
    listed, files = time.time_ns(), listing(task.folder)
    sources = with_digests(task.folder, files)
    campaign = read_folder(task.folder)
    still = listing(task.folder) == files
    write_campaign(
        task.place,
        campaign,
        readings=READINGS,
        folder=str(task.folder.resolve()),
        listed=listed,
        sources=sources if still else {},  # else it is never taken for current
        date=_date(campaign),
    )
    # the store keeps all numbers; whoever loads them leaves out what mixes runs
    problems = [*campaign.problems, *mixed_problems(campaign)]
    numbers, wrong = len(campaign.measurements), bool(problems)
    complaints = tuple(map(str, [*problems, *campaign.notes]))
    return Ingested(
        task.source, task.name, len(sources), numbers, True, wrong, None, complaints
    )


_DATED = re.compile(r"\d{4}(?:-\d\d){0,2}(?!\d)")


def _date(campaign: Campaign) -> str:
    """Return when a campaign began: as it states, as its runs say, or its `date`."""
    first = campaign.runs["started"].min()
    stated = campaign.started or (first.isoformat() if first == first else "")
    dates = [_DATED.match(text) for text in campaign.systems["date"].dropna()]
    return stated or min((match[0] for match in dates if match), default="")
