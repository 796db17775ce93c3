"""Campaigns and stores elsewhere: ``s3://bucket/folder`` and whatever fsspec reaches.

What is there is brought here, worked on as any folder is, and carried back. A store's
manifest is carried back last; object stores replace an object in one step.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fsviz.model.errors import FsvizError, ParseError, UsageError, quoted
from fsviz.model.escaping import printable
from fsviz.model.processes import seconds_of
from fsviz.model.run_folder import run_folder
from fsviz.model.runs import Note
from fsviz.model.writing import write_file
from fsviz.store.manifest import MANIFEST, is_store, manifest

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign


SECONDS = "FSVIZ_LISTING_SECONDS"
"""Variable with the seconds that listing a remote folder may take."""
_SECONDS = 600

_LONGEST = 200
"""Characters of what a remote system says that are passed on."""


def is_remote(path: object) -> bool:
    """Say whether a path is an address.

    >>> is_remote("s3://bucket/campaign"), is_remote("results/nfs")
    (True, False)
    """
    return "://" in str(path)


def _there(address: str) -> tuple[Any, str]:
    """Open the file system of an address."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise UsageError(
            f"{address}: addresses need fsspec: pip install 'fsviz[remote]'"
        ) from error
    try:
        system, path = url_to_fs(address)
    except (ValueError, ImportError) as error:
        raise UsageError(
            f"{address}: expected an address that fsspec knows, found {error}"
        ) from error
    # what another process has written is to be seen
    system.invalidate_cache()
    return system, path.rstrip("/")


@contextmanager
def _named(address: str) -> Iterator[None]:
    """Turn what a remote system answers into one line."""
    try:
        yield
    except FsvizError:
        raise
    except Exception as error:
        # what the system says of a file names one of this machine
        text = (isinstance(error, OSError) and error.strerror) or str(error)
        said = printable(text.split("\n")[0])[:_LONGEST] or type(error).__name__
        raise UsageError(
            f"{address}: expected a folder that can be reached, found {said}"
        ) from error


@contextmanager
def seen_at(address: str, folder: Path) -> Iterator[None]:
    """Name the address in complaints about what lies here for a while."""
    try:
        yield
    except ParseError as error:
        for one in (error, *error.others):
            if isinstance(one, ParseError):
                one.path = one.path.replace(str(folder), address)
        raise


@contextmanager
def fetched(
    address: str, parts: Callable[[str], bool] = lambda _: True
) -> Iterator[Path]:
    """Bring a folder here for a while."""
    with tempfile.TemporaryDirectory(dir=run_folder()) as scratch:
        with _named(address):
            system, path = _there(address)
            found = _listed(system, path)
            own = Path(scratch) / (path.rpartition("/")[2] or "campaign")
            own.mkdir()
            for remote in found:
                name = remote[len(path) :].lstrip("/")
                target = own / name
                here = target.resolve().is_relative_to(own.resolve())
                if not (here and f"{remote}/".startswith(f"{path}/")):
                    other = quoted(name if here else remote)
                    raise UsageError(f"{address}: expected files inside, found {other}")
                if name and parts(name):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    system.get_file(remote, str(target))
        if not found:
            raise UsageError(f"{address}: expected a file or folder, found none")
        with seen_at(address, own):
            yield own


def _listed(system: Any, path: str) -> list[str]:
    """List the files below a path; a listing without end is given up."""
    from fsspec.asyn import AsyncFileSystem
    from fsspec.exceptions import FSTimeoutError

    # object stores list page by page, as long as the server says there are more
    seconds = seconds_of(SECONDS, _SECONDS)
    limit = {"timeout": seconds} if isinstance(system, AsyncFileSystem) else {}
    try:
        return list(system.find(path, **limit))
    except FSTimeoutError as error:
        raise TimeoutError(
            f"a listing that did not end within {seconds} s; {SECONDS}=N allows N"
        ) from error


def renamed(campaign: Campaign, old: str, new: str) -> Campaign:
    """Name the files of a campaign by their address, not by where they are read."""

    def said(text: object) -> str:
        return str(text).replace(old, new)

    def column(frame: pd.DataFrame, name: str) -> Any:
        return frame[name].map(said).astype(frame[name].dtype)

    runs = campaign.runs.assign(
        source=column(campaign.runs, "source"),
        sources=[tuple(map(said, several)) for several in campaign.runs["sources"]],
    )
    numbers = campaign.measurements
    sources = numbers["source"].cat.rename_categories(said)
    files = campaign.files
    if files is not None:
        files = files.assign(
            source=column(files, "source"), remark=column(files, "remark")
        )
    return replace(
        campaign,
        measurements=numbers.assign(source=sources),
        runs=runs,
        files=files,
        problems=tuple(
            type(p)(said(p.path), p.line, said(p.expected), said(p.found))
            for p in campaign.problems
        ),
        notes=tuple(Note(said(n.path), n.line, said(n.text)) for n in campaign.notes),
    )


@contextmanager
def mirrored(address: str) -> Iterator[Path]:
    """Bring the lists of a store here, and carry back what is new in it."""
    with tempfile.TemporaryDirectory(dir=run_folder()) as scratch:
        store = Path(scratch) / "store"
        store.mkdir()
        with _named(address), seen_at(address, store):
            system, path = _there(address)
            before = _manifest_there(system, path)
            if before:
                write_file(store / MANIFEST, before)
            for key, kept in manifest(store).items():
                name = f"{key}/{kept.generation}/inputs.parquet"
                (store / name).parent.mkdir(parents=True)
                system.get_file(f"{path}/{name}", str(store / name))
        had = {key: kept.generation for key, kept in manifest(store).items()}
        yield store
        with _named(address):
            _carry_back(store, (system, path), had, before, address)


def _manifest_there(system: Any, path: str) -> bytes:
    system.invalidate_cache()
    name = f"{path}/{MANIFEST}"
    return system.cat_file(name) if system.exists(name) else b""


def _carry_back(
    store: Path,
    there: tuple[Any, str],
    had: dict[str, str],
    before: bytes,
    address: str,
) -> None:
    system, path = there
    # where nothing could be used there is not even a manifest
    text = (store / MANIFEST).read_bytes() if is_store(store) else b""
    if text == before:
        return
    now = manifest(store)
    for key, kept in now.items():
        if had.get(key) == kept.generation:
            continue
        folder = store / key / kept.generation
        for file in sorted(p for p in folder.rglob("*") if p.is_file()):
            name = f"{path}/{file.relative_to(store)}"
            system.makedirs(name.rpartition("/")[0], exist_ok=True)
            system.put_file(str(file), name)
    if _manifest_there(system, path) != before:
        raise UsageError(
            f"{address}: expected a store that nobody else writes, found another "
            "ingest's; run it again"
        )
    system.pipe_file(f"{path}/{MANIFEST}", text)
    for key, old in had.items():
        if key not in now or now[key].generation != old:
            system.rm(f"{path}/{key}/{old}", recursive=True)


def store_there(address: str) -> bool:
    """Say whether an address is that of a store, or of a campaign in one."""
    with _named(address):
        system, path = _there(address)
        return any(
            system.exists(f"{place}/{MANIFEST}")
            for place in (path, path.rpartition("/")[0])
        )


@contextmanager
def stored_campaign(address: str, campaign: str, tools: list[str]) -> Iterator[Path]:
    """Bring one campaign of a store here, the numbers of some tools only."""
    with _named(address):
        system, path = _there(address)
        if not system.exists(f"{path}/{MANIFEST}"):
            path, _, own = path.rpartition("/")
            campaign = campaign or own
        text = _manifest_there(system, path)
    with tempfile.TemporaryDirectory(dir=run_folder()) as scratch:
        write_file(Path(scratch) / MANIFEST, text)
        with seen_at(address, Path(scratch)):
            held = manifest(Path(scratch))
    if not campaign and len(held) == 1:
        (campaign,) = held
    if campaign not in held:
        names = ", ".join(list(held)[:10])
        raise UsageError(f"{address}: expected one of the campaigns {names}")
    protocol = address.partition("://")[0]
    place = f"{protocol}://{path}/{campaign}/{held[campaign].generation}"

    def wanted(name: str) -> bool:
        tool = Path(name).stem.partition("tool=")[2]
        return not (tools and tool) or tool in tools

    with fetched(place, wanted) as folder:
        yield folder
