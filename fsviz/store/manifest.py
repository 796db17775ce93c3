"""What a store holds: its manifest, and the folders that the manifest names.

A store is a folder. Its manifest lists the campaigns that it holds and the generation
of each: a folder of Parquet files, named after the content that it was made from, that
appears whole and is never changed. The manifest is written last, by a rename, and that
is the moment at which the store is the new one.

    store/manifest.json
    store/<campaign>/<generation>/…    as `fsviz.store.generations` writes it
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from fsviz.model.errors import ParseError, UnreadableFileError, UsageError
from fsviz.model.escaping import printable
from fsviz.model.writing import write_file

DEFAULT = Path("data/processed")
MANIFEST = "manifest.json"
FORMAT = 2
"""Of the store; another one is read by another fsviz."""

MAKING = ".making.store."
"""How the folder of a generation is called until it is whole."""
GENERATION = re.compile(r"[0-9a-f]{16}")
"""How it is called then."""
FACTS = "campaign.json"
FILES = (FACTS, "runs.parquet", "systems.parquet", "inputs.parquet")
"""Of a generation, whatever was measured."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What the manifest says of a campaign."""

    name: str
    title: str
    source: str
    named: str
    generation: str
    reader: int | str  # a digest of the code, in stores of fsviz 0.1
    listed: int
    began: str
    files: int
    numbers: int
    complaints: int
    systems: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    mixed: bool = False


def is_store(folder: Path) -> bool:
    """Say whether a folder is a store."""
    # os.path answers where Path raises: a name too long
    return os.path.isfile(folder / MANIFEST)  # noqa: PTH113


def manifest(store: Path) -> dict[str, Kept]:
    """Read what a store holds."""
    path = store / MANIFEST
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UnreadableFileError(
            f"{store}: expected the folder of a store, found {error.strerror}"
        ) from error
    try:
        said = json.loads(text)
        if said["format"] != FORMAT:
            found = f"format {said['format']}; delete the store and ingest again"
            raise ParseError(str(path), 1, f"a store of format {FORMAT}", found)
        return {_key(key): _kept(entry) for key, entry in said["campaigns"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ParseError(
            str(path), 1, "the manifest of a store", "damaged text; ingest again"
        ) from error


def _key(key: str) -> str:
    """Refuse what is no name of a folder in the store."""
    if key in ("", ".", "..") or re.search(r"[/\\\0]", key):
        raise ValueError(key)
    return key


def _kept(entry: Mapping[str, Any]) -> Kept:
    lists = ("systems", "operations", "tools")
    kept = Kept(**{**entry, **{name: tuple(entry[name]) for name in lists}})
    if not GENERATION.fullmatch(kept.generation):
        raise ValueError(kept.generation)
    for field in fields(kept):
        value, kind = getattr(kept, field.name), str(field.type)
        names = kind == "tuple[str, ...]" and all(isinstance(x, str) for x in value)
        if not names and type(value).__name__ not in kind.split(" | "):
            raise TypeError(field.name)
    return kept


def commit(store: Path, campaigns: Mapping[str, Kept]) -> None:
    """Make these the campaigns of a store, in one step."""
    said = {
        "format": FORMAT,
        "campaigns": {key: asdict(campaigns[key]) for key in sorted(campaigns)},
    }
    text = json.dumps(said, ensure_ascii=False, indent=0)
    write_file(store / MANIFEST, text, durable=True)


def generation(folder: Path) -> Path | None:
    """Find the files of a stored campaign."""
    if is_store(folder):
        held = manifest(folder)
        if len(held) == 1:
            ((key, kept),) = held.items()
            return folder / key / kept.generation
        names = ", ".join(map(printable, list(held)[:10]))
        raise UsageError(
            f"{folder}:1: expected a campaign, found a store of {len(held)}; name one "
            f"as {folder}/NAME: {names}"
        )
    if not is_store(folder.parent):
        return None
    entry = manifest(folder.parent).get(folder.name)
    return folder / entry.generation if entry else None


def sweep(store: Path, held: Mapping[str, Kept]) -> None:
    """Remove the generations of a store that no campaign of it uses.

    Nothing else is ever removed: a folder may hold a store beside what people keep
    there, and a campaign's folder in the store may be one of theirs.
    """
    # a link of a stranger's store may lead to somebody's own
    folders = [p for p in store.iterdir() if p.is_dir() and not p.is_symlink()]
    for folder in folders:
        used = held[folder.name].generation if folder.name in held else ""
        for own in filter(is_generation, list(folder.iterdir())):
            if own.name != used:
                shutil.rmtree(own, ignore_errors=True)
                if not any(folder.iterdir()):
                    folder.rmdir()


def sweep_half_made(store: Path) -> None:
    """Remove what ingests that were stopped have left; only while the store is held."""
    for half_made in store.glob(f"{MAKING}*"):
        shutil.rmtree(half_made, ignore_errors=True)


def is_generation(path: Path) -> bool:
    """Say whether a folder is one that `write_generation` wrote, and no one else."""
    return bool(GENERATION.fullmatch(path.name)) and all(
        (path / name).is_file() for name in FILES
    )
