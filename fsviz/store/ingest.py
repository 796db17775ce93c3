"""Campaign folders → the store: only what is new or changed is read."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from fsviz.analysis.cells import present
from fsviz.campaigns.mixed import mixed_problems
from fsviz.campaigns.read import read_folder
from fsviz.campaigns.source_files import find, is_labelled
from fsviz.model.ending import clean_up_first
from fsviz.model.errors import FsvizError, ParseError, UsageError
from fsviz.model.escaping import printable
from fsviz.model.writing import make_folder, own_folder, write_file
from fsviz.readers.formats import archived
from fsviz.store.archives import unpacked
from fsviz.store.executor import Spread, here
from fsviz.store.generations import inputs_of, read_generation, write_generation
from fsviz.store.inventory import (
    READINGS,
    Inventory,
    digest_of,
    listing,
    unchanged,
    with_digests,
)
from fsviz.store.manifest import (
    MAKING,
    Kept,
    commit,
    generation,
    is_store,
    manifest,
    sweep,
    sweep_half_made,
)
from fsviz.store.remote import fetched, is_remote, mirrored, renamed, store_there

if TYPE_CHECKING:
    from fsviz.model.campaign import Campaign

LOCK = ".lock"
_HOLDER = ".lock.json"


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of one campaign."""

    source: str
    key: str = ""
    kept: Kept | None = None
    fresh: bool = False
    error: FsvizError | None = None
    complaints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Task:
    """All that a worker must know."""

    source: str
    folder: Path
    target: Path
    old: Kept | None
    prune: bool
    address: str = ""

    @property
    def place(self) -> str:
        """Where the campaign is, however it was named."""
        return self.address or str(self.folder.resolve())

    @property
    def named(self) -> str:
        """How it was named."""
        return self.address or str(self.folder)


def ingest(
    sources: Sequence[str],
    store: Path | str,
    *,
    spread: Spread = here,
    prune: bool = False,
    wait: bool = True,
    progress: Callable[[Ingested], None] = lambda _: None,
    waiting: Callable[[str], None] = lambda _: None,
    read: Callable[[Path], Campaign] = read_folder,
) -> list[Ingested]:
    """Bring campaigns into a store."""
    if is_remote(store):
        with mirrored(str(store)) as own:
            return ingest(sources, own, spread=spread, prune=prune, progress=progress)
    store = Path(store)
    make_folder(store)
    try:
        with _locked(store, wait, waiting):
            held = manifest(store)
            sweep_half_made(store)
            bring_in = partial(_bring_in, store=store, read=read)
            tasks, refused = _planned(sources, store, held, prune)
            outcomes = chain(refused, spread(bring_in, tasks))
            return _ingest(sources, store, held, prune, outcomes, progress)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(
            f"{store}:1: expected a folder to write, found {reason}; the store is as "
            "it was"
        ) from error


def _ingest(
    sources: Sequence[str],
    store: Path,
    held: dict[str, Kept],
    prune: bool,
    outcomes: Iterable[Ingested],
    progress: Callable[[Ingested], None],
) -> list[Ingested]:
    """Take in what the workers bring, and make it the store."""
    now, gone, done = dict(held), {}, {}
    if prune:
        gone = {k: v for k, v in held.items() if _has_gone(v)}
    for outcome in outcomes:
        done[outcome.source] = outcome
        if outcome.kept is not None:
            now[outcome.key] = outcome.kept
            gone.pop(outcome.key, None)
        progress(outcome)
    now = {key: kept for key, kept in now.items() if key not in gone}
    if now != held:
        commit(store, now)
    sweep(store, now)
    # what a worker that died has left
    sweep_half_made(store)
    return [done[source] for source in dict.fromkeys(sources) if source in done]


def _has_gone(kept: Kept) -> bool:
    return not is_remote(kept.source) and not Path(kept.source).exists()


def _planned(
    sources: Sequence[str], store: Path, held: dict[str, Kept], prune: bool
) -> tuple[list[_Task], list[Ingested]]:
    """Give each campaign its folder in the store, one of its own."""
    by_source = {kept.source: key for key, kept in held.items()}
    taken = {key: kept.source for key, kept in held.items()}
    tasks: dict[str, _Task] = {}
    refused: list[Ingested] = []
    for source in dict.fromkeys(sources):
        try:
            folder = _campaign_folder(source, store)
        except FsvizError as error:
            refused.append(Ingested(source, error=error))
            continue
        address = source.rstrip("/") if is_remote(source) else ""
        address = address or (str(folder.resolve()) if folder.is_file() else "")
        place = address or str(folder.resolve())
        key = by_source.get(place) or _key(Path(place).name, place, taken)
        if key in tasks:
            continue
        taken[key], by_source[place] = place, key
        old = held.get(key)
        tasks[key] = _Task(source, folder, store / key, old, prune, address)
    return list(tasks.values()), refused


def _campaign_folder(source: str, store: Path) -> Path:
    expected = "expected a campaign folder"
    if is_remote(source):
        if store_there(source):
            raise UsageError(f"{source}: {expected}, found a store")
        return Path(source)  # it is brought here by the worker that reads it
    if not is_labelled(source) and find(source).is_file() and archived(find(source)):
        return find(source)
    if is_labelled(source) or not find(source).is_dir():
        raise UsageError(f"{source}: {expected}, found lone files")
    folder = find(source)
    if generation(folder) or is_store(folder):
        raise UsageError(f"{source}: {expected}, found one that is stored already")
    if store.resolve().is_relative_to(folder.resolve()):
        raise UsageError(f"{source}: {expected}, found the store {store} within it")
    if folder.resolve().is_relative_to(store.resolve()):
        raise UsageError(
            f"{source}: {expected} outside the store, found it within {store}; give "
            "the store a folder of its own"
        )
    return folder


def _key(name: str, place: str, taken: dict[str, str]) -> str:
    """Name of a campaign's folder: its own, unless another one has that."""
    name = name.lstrip(".") or "campaign"
    if taken.get(name, place) == place:
        return name
    return f"{name}-{digest_of([os.fsencode(place)])[:8]}"


def _bring_in(task: _Task, store: Path, read: Callable[[Path], Campaign]) -> Ingested:
    """Read a campaign if need be; runs in a worker, perhaps more than once."""
    try:
        if not task.address:
            return _brought_in(task, store, read)
        if is_remote(task.address):
            with fetched(task.address) as folder:
                return _brought_in(replace(task, folder=folder), store, read)
        with unpacked(Path(task.address)) as (_, folder, left):
            done = _brought_in(replace(task, folder=folder), store, read)
            said = (*map(str, left), *done.complaints)
            return replace(done, complaints=said)
    except FsvizError as error:
        return Ingested(task.source, error=error)
    except OSError as error:
        if error.filename is None or Path(error.filename).is_relative_to(store):
            raise
        reason = error.strerror or "another error"
        unread = ParseError(str(error.filename), 1, "a file to read", reason)
        return Ingested(task.source, error=unread)


def _brought_in(task: _Task, store: Path, read: Callable[[Path], Campaign]) -> Ingested:
    old, began = task.old, time.time_ns()
    found = listing(task.folder)
    if old is not None and found is not None:
        then = _listed_then(task, old)
        if is_current(old, then, task.folder, found):
            return Ingested(task.source, task.target.name, old)
        lost = sorted(then.keys() - found.keys())
        if lost and not task.prune:
            return Ingested(
                task.source, task.target.name, old, error=_gone(task.named, lost)
            )
    inputs = with_digests(task.folder, found) if found is not None else {}
    campaign, name = _stored(task, store, inputs, read)
    # the store keeps all numbers; whoever loads them leaves out what mixes runs
    mixed = mixed_problems(campaign)
    problems = (*campaign.problems, *mixed)
    kept = _kept(campaign, task, name, began, len(problems), bool(mixed))
    return Ingested(
        *(task.source, task.target.name, kept),
        fresh=True,
        complaints=tuple(map(str, [*problems, *campaign.notes])),
    )


def _listed_then(task: _Task, old: Kept) -> Inventory:
    """Return the files that were stored; pruning forgets a list that is damaged."""
    try:
        return inputs_of(task.target / old.generation)
    except FsvizError:
        if not task.prune:
            raise
        return {}


def is_current(kept: Kept, then: Inventory, folder: Path, found: Inventory) -> bool:
    """Say whether what is stored of a campaign is what reading it would give."""
    same_reader = kept.reader == READINGS
    return bool(then) and same_reader and unchanged(folder, then, found, kept.listed)


def _gone(named: str, lost: Sequence[str]) -> ParseError:
    said = ", ".join(map(printable, lost[:3])) + (", …" if lost[3:] else "")
    return ParseError(
        named,
        1,
        "the files that are stored",
        f"{len(lost)} of them gone ({said}); kept as stored, --prune takes what is "
        "there now",
    )


def _stored(
    task: _Task,
    store: Path,
    inputs: Inventory,
    read: Callable[[Path], Campaign],
) -> tuple[Campaign, str]:
    """Make the generation, or take one that a stopped ingest has finished."""
    pieces = [str(READINGS), task.named, *inputs]
    pieces += [state.digest for state in inputs.values()]
    name = digest_of(map(os.fsencode, pieces))[:16]
    target = task.target / name
    if target.is_dir() and inputs:
        return read_generation(target), name
    campaign = read(task.folder)
    if task.address:
        campaign = renamed(campaign, str(task.folder), task.address)
    if listing(task.folder) != _without_digests(inputs):
        # it changes while it is read: never taken for current
        unique = [*pieces, str(time.time_ns())]
        inputs, name = {}, digest_of(map(os.fsencode, unique))[:16]
        target = task.target / name
    clean_up_first()
    aside = Path(tempfile.mkdtemp(prefix=MAKING, dir=store))
    try:
        write_generation(campaign, task.named, inputs, aside)
        aside.chmod(0o755)
        own_folder(target.parent)
        _put(aside, target)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return campaign, name


def _put(aside: Path, target: Path) -> None:
    """Rename a folder into place; another worker may have made the same one."""
    try:
        aside.rename(target)
    except OSError:
        if not target.is_dir():
            raise


def _without_digests(inputs: Inventory) -> Inventory:
    return {name: replace(state, digest="") for name, state in inputs.items()}


def _kept(
    campaign: Campaign,
    task: _Task,
    name: str,
    listed: int,
    complaints: int,
    mixed: bool,
) -> Kept:
    """Say of a campaign what the manifest keeps."""
    numbers = campaign.measurements
    files = {s for several in campaign.runs["sources"] for s in several}
    return Kept(
        name=campaign.name,
        title=campaign.title,
        source=task.place,
        named=task.named,
        generation=name,
        reader=READINGS,
        listed=listed,
        began=_began(campaign),
        files=len(files),
        numbers=len(numbers),
        complaints=complaints,
        mixed=mixed,
        systems=tuple(present(numbers, "system")),
        operations=tuple(present(numbers, "operation")),
        tools=tuple(present(numbers, "tool")),
    )


_DATED = re.compile(r"\d{4}(?:-\d\d){0,2}(?!\d)")


def _began(campaign: Campaign) -> str:
    """Return when a campaign began: as it states, as its runs say, or its `date`."""
    first = campaign.runs["started"].min()
    stated = campaign.started or (first.isoformat() if first == first else "")
    dates = campaign.systems["date"].dropna()
    found = [match[0] for text in dates if (match := _DATED.match(text))]
    return stated or min(found, default="")


@contextmanager
def _locked(store: Path, wait: bool, waiting: Callable[[str], None]) -> Iterator[None]:
    """Hold the store; the system lets go of it when its holder ends, however that is.

    On a lock of the operating system's own: https://py-filelock.readthedocs.io
    """
    lock = FileLock(store / LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        held = f"{store}:1: expected a store that is free, found {_holder(store)}"
        if not wait:
            raise UsageError(held) from None
        waiting(f"{held}; waiting")
        lock.acquire()
    try:
        me = {"process": os.getpid(), "host": socket.gethostname()}
        # of use while this process lives, so it need not be on the disk
        with suppress(UsageError):
            write_file(store / _HOLDER, json.dumps(me))
        yield
    finally:
        (store / _HOLDER).unlink(missing_ok=True)
        lock.release()


def _holder(store: Path) -> str:
    try:
        said = json.loads((store / _HOLDER).read_text(encoding="utf-8"))
        return f"process {said['process']} of {said['host']} writing it"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process writing it"
