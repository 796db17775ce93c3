"""A result that can be cited: raw files, answer, tables and page as an RO-Crate.

RO-Crate 1.3 (https://www.researchobject.org/ro-crate/specification/1.3/) is a ZIP of
files with a description beside them; each file here is described with its SHA-256.
"""

from __future__ import annotations

import hashlib
import json
import mimetypes
import os
import platform
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from fsviz.analysis.buckets import summary
from fsviz.analysis.cells import present
from fsviz.answers.alone import alone
from fsviz.answers.headline import answer, shown_first
from fsviz.answers.matrix import overview, reference
from fsviz.answers.statement import statements
from fsviz.checks.engine import Examiner
from fsviz.model.errors import FsvizError, ParseError, UsageError, printable, quoted
from fsviz.model.missing import need
from fsviz.model.run_folder import run_folder
from fsviz.model.units import MIB
from fsviz.model.writing import make_folder, refuse_place, replacing, write_file
from fsviz.store.inventory import READINGS
from fsviz.store.load import load

if TYPE_CHECKING:
    from fsviz.model.campaign import Campaign

ANSWER, METADATA = "answer.json", "ro-crate-metadata.json"
CAMPAIGN = "campaign"
"""In it is the folder of the raw files, by its own name: it may name a system."""

LARGEST = 1024 * MIB
"""Bytes that the files of a bundle may unpack to."""
_LONGEST = 400
"""Characters of what was said that are shown: longer than any headline."""
_LIBRARIES = ("numpy", "pandas", "scipy")
_FORMS = mimetypes.MimeTypes()
"""Python's own list: the machine's would describe the same files otherwise."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What a bundle says, and how what its raw files say now differs from it."""

    headline: str
    raw_files: int
    files: int
    made_by: str
    differences: tuple[str, ...]


def bundle(
    source: str | os.PathLike[str],
    out: str | os.PathLike[str],
    progress: Callable[[int, int, str], None] = lambda *_: None,
    *,
    license: str = "",  # noqa: A002 - what RO-Crate calls it
) -> Sequence[FsvizError]:
    """Put a campaign, what it says and how that was found into one file.

    Parameters
    ----------
    source : path-like
        Folder of a campaign. Links and hidden files in it are left out.
    out : path-like
        The ZIP to write.
    progress : callable
        Called with how many pages are made, of how many, and what is done now.
    license : str
        Of the results: a name such as CC-BY-4.0. RO-Crate demands one; without it the
        bundle says that none is stated.

    Returns
    -------
    sequence of FsvizError
        What of the campaign could not be read.

    Raises
    ------
    UsageError
        If the source is no folder with results.
    """
    need("rocrate")
    from fsviz.report.plan import report  # what verifies needs no figures

    folder, out = Path(source), Path(out)
    if not folder.is_dir():
        raise UsageError(f"bundle: expected the folder of a campaign, found {source}")
    refuse_place(out)
    campaign = load(folder)
    with TemporaryDirectory(dir=run_folder()) as made:
        place = Path(made)
        kept = place / CAMPAIGN / folder.resolve().name
        for path in _raw_files(folder):
            _keep(kept / path.relative_to(folder), path.read_bytes())
        _write_tables(campaign, place)
        report([str(folder)], place / "report", standalone=True, progress=progress)
        crate = _crate(place, campaign.name or folder.resolve().name, license)
        with replacing(out) as file:
            for chunk in crate.stream_zip():
                file.write(chunk)
    return campaign.problems


def verify(path: str | os.PathLike[str]) -> Verified:
    """Read a bundle's raw files again, and compare what they say with what it says.

    Parameters
    ----------
    path : path-like
        A ZIP that `bundle` wrote.

    Returns
    -------
    Verified
        Without differences if each file has its SHA-256 and the headline and every
        cell of the matrix are the same.

    Raises
    ------
    ParseError
        If it is no such file, or holds more than may be unpacked.
    """
    name = str(path)
    with TemporaryDirectory(dir=run_folder()) as made:
        place = Path(made)
        try:
            with zipfile.ZipFile(path) as archive:
                stated = _stated(name, archive)
                said = _object(name, ANSWER, archive)
                changed = list(_unpack(name, archive, stated, place))
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise UsageError(f"{name}: expected a bundle, found {why}") from error
        # zipfile raises these: no archive, no such member, one that is encrypted
        except (zipfile.BadZipFile, KeyError, RuntimeError) as error:
            why = quoted(str(error.args[0]))
            raise ParseError(name, 1, "a bundle of fsviz", why) from error
        folders = list((place / CAMPAIGN).glob("*"))
        if len(folders) != 1 or not folders[0].is_dir():
            raise ParseError(name, 1, f"one folder in {CAMPAIGN}", str(len(folders)))
        found = _said(load(folders[0]))
    versions = said.get("versions")
    made_by = versions.get("fsviz") if isinstance(versions, dict) else None
    differing = (*changed, *_differences(said, found))
    raw = sum(map(_is_raw, stated))
    return Verified(
        str(said.get("headline")), raw, len(stated), str(made_by), differing
    )


def _keep(path: Path, content: str | bytes) -> None:
    make_folder(path.parent)
    write_file(path, content)


def _raw_files(folder: Path) -> Iterator[Path]:
    """List the files of a campaign that are files, and not hidden."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(n for n in folders if not n.startswith("."))
        for name in sorted(names):
            path = Path(place) / name
            if not name.startswith(".") and path.is_file() and not path.is_symlink():
                yield path


def _said(campaign: Campaign) -> dict[str, Any]:
    """Say what `compare` says first of a campaign, or how fast its one system is."""
    numbers = {"numbers": int(campaign.measurements["value"].notna().sum())}
    first, *others = present(campaign.measurements, "system")
    if not others:
        said = {"headline": alone(campaign, first), "baseline": first, "cells": {}}
        return said | numbers
    examined = Examiner(campaign)
    base = reference(campaign)
    whole = overview(campaign, base, examination=examined(base))
    shown = shown_first(campaign, whole, examined=examined)
    return numbers | {
        "headline": answer(shown),
        "baseline": str(shown["baseline"].iloc[0]),
        "cells": {
            f"{one.section}: {one.operation} {one.metric}, {one.candidate}": one.cell
            for one in statements(shown)
            if one.is_measured
        },
    }


def _write_tables(campaign: Campaign, place: Path) -> None:
    """Write what is said, by which versions, and the numbers that it is said of."""
    from fsviz.checks.judged_comparison import compare

    said = _said(campaign)
    versions = {name: version(name) for name in _LIBRARIES}
    versions |= {"fsviz": version("fsviz"), "python": platform.python_version()}
    content = {**said, "versions": versions, "readings": READINGS}
    text = json.dumps(content, indent=1, ensure_ascii=False)
    _keep(place / ANSWER, text)
    tables = {"measurements": campaign.measurements, "summary": summary(campaign)}
    if said["cells"]:
        tables["comparison"] = compare(campaign, baseline=said["baseline"])
    for name, frame in tables.items():
        _keep(place / "tables" / f"{name}.csv", frame.to_csv(index=False))


def _crate(place: Path, name: str, terms: str) -> Any:
    """Describe every file, and the program that made the others of the raw ones."""
    from rocrate.rocrate import ROCrate

    crate = ROCrate()
    crate.name = f"{name}: a benchmark of file systems, with what it shows"
    crate.description = json.loads((place / ANSWER).read_text("utf-8"))["headline"]
    raw: list[Any] = []
    made: list[Any] = []
    for path in sorted(p for p in place.rglob("*") if p.is_file()):
        inside = path.relative_to(place).as_posix()
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        kind, _ = _FORMS.guess_type(path.name)
        known = {"sha256": digest, "contentSize": str(path.stat().st_size)}
        known["encodingFormat"] = kind or "application/octet-stream"
        entity = crate.add_file(path, inside, properties={"name": inside, **known})
        (raw if inside.startswith(f"{CAMPAIGN}/") else made).append(entity)
    tool = _described(
        crate,
        "#fsviz",
        "SoftwareApplication",
        name="fsviz",
        version=version("fsviz"),
        url="https://github.com/fsviz/fsviz",
    )
    action = crate.add_action(
        tool, "#made", object=raw, result=made, properties={"name": "fsviz bundle"}
    )
    crate.root_dataset.append_to("mentions", action)
    stated = terms or "none is stated: ask who measured"
    crate.license = _described(crate, "#license", "CreativeWork", name=stated)
    return crate


def _described(crate: Any, identity: str, kind: str, **more: str) -> Any:
    from rocrate.model.contextentity import ContextEntity

    return crate.add(ContextEntity(crate, identity, properties={"@type": kind, **more}))


def _stated(name: str, archive: zipfile.ZipFile) -> dict[str, str]:
    """List the files of a bundle with the SHA-256 that it states."""
    graph = _object(name, METADATA, archive).get("@graph")
    entities = (
        [e for e in graph if isinstance(e, dict)] if isinstance(graph, list) else []
    )
    # identifiers are URIs, in which a file's name is percent-encoded
    named = [(unquote(str(one.get("@id"))), one) for one in entities]
    found = {
        name: str(one.get("sha256"))
        for name, one in named
        if "sha256" in one or _is_raw(name)
    }
    if not any(map(_is_raw, found)):
        raise ParseError(name, 1, f"raw files in {METADATA}", "none")
    return found


def _is_raw(member: str) -> bool:
    return member.startswith(f"{CAMPAIGN}/")


def _object(name: str, member: str, archive: zipfile.ZipFile) -> dict[str, Any]:
    with archive.open(member) as file:
        content = file.read(LARGEST + 1)
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ParseError(f"{name}/{member}", 1, "JSON", "something else") from error
    if not isinstance(found, dict):
        raise ParseError(f"{name}/{member}", 1, "a JSON object", type(found).__name__)
    return found


def _unpack(
    name: str, archive: zipfile.ZipFile, stated: Mapping[str, str], place: Path
) -> Iterator[str]:
    """Unpack the raw files that are described; say which files are not as described."""
    left = LARGEST
    others = {
        member.filename
        for member in archive.infolist()
        if member.filename != METADATA and not member.is_dir()
    }
    for member in sorted(others - {*stated}):
        yield f"{quoted(member)}: not described, so not read"
    for member, digest in stated.items():
        parts = PurePosixPath(member).parts
        if ".." in parts or "\\" in member or "\0" in member:
            raise ParseError(name, 1, "names inside the bundle", quoted(member))
        if member not in others:
            yield f"{quoted(member)}: described, but not there"
            continue
        with archive.open(member) as file:
            content = file.read(left + 1)
        left -= len(content)
        if left < 0:
            raise ParseError(name, 1, f"at most {LARGEST} bytes", "more")
        if hashlib.sha256(content).hexdigest() != digest:
            yield f"{quoted(member)}: not the file that is described (SHA-256)"
        if _is_raw(member):
            _keep(place.joinpath(*parts), content)


def _differences(said: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    """Say where what was said differs from what is found now."""
    for what in ("headline", "baseline", "numbers"):
        if said.get(what) != found[what]:
            before = printable(str(said.get(what))[:_LONGEST])
            yield f"{what}: said '{before}', found {found[what]}"
    then, now = said.get("cells"), found["cells"]
    then = then if isinstance(then, dict) else {}
    for cell in dict.fromkeys((*then, *now)):
        if then.get(cell) != now.get(cell):
            before = quoted(str(then.get(cell, "nothing")))
            yield f"{cell}: said {before}, found {now.get(cell, 'nothing')}"
