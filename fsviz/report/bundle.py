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
import posixpath
import struct
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import unquote

from fsviz.analysis.buckets import summary
from fsviz.answers.comparison import Comparison
from fsviz.campaigns.folders import leads_out
from fsviz.model.errors import FsvizError, ParseError, UsageError, printable, quoted
from fsviz.model.missing import need
from fsviz.model.run_folder import run_folder
from fsviz.model.units import MIB
from fsviz.model.writing import make_folder, refuse_place, replacing, write_file
from fsviz.store.inventory import READINGS, digest_of
from fsviz.store.load import load

if TYPE_CHECKING:
    from fsviz.model.campaign import Campaign

ANSWER, METADATA = "answer.json", "ro-crate-metadata.json"
CAMPAIGN = "campaign"
"""In it is the folder of the raw files, by its own name: it may name a system."""

LARGEST = 1024 * MIB
"""Bytes that the files of a bundle may unpack to."""
LARGEST_TEXT = 16 * MIB
"""Bytes that its description, its answer and its list of members may have each."""
_LONGEST = 400
"""Characters of what was said that are shown: longer than any headline."""
_LIBRARIES = ("numpy", "pandas", "scipy")
_FORMS = mimetypes.MimeTypes()
"""Python's own list: the machine's would describe the same files otherwise."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What was checked of a bundle, part by part, and what differs."""

    headline: str
    parts: tuple[str, ...]
    digest: str
    made_by: str
    differences: tuple[str, ...]


def bundle(
    source: str | os.PathLike[str],
    out: str | os.PathLike[str],
    progress: Callable[[int, int, str], None] = lambda *_: None,
    *,
    license: str = "",  # noqa: A002 - what RO-Crate calls it
) -> tuple[str, Sequence[FsvizError]]:
    """Put a campaign, what it says and how that was found into one file.

    Parameters
    ----------
    source : path-like
        Folder of a campaign. Hidden files, and links out of it, are left out.
    out : path-like
        The ZIP to write.
    progress : callable
        Called with how many pages are made, of how many, and what is done now.
    license : str
        Of the results: a name such as CC-BY-4.0. RO-Crate demands one; without it the
        bundle says that none is stated.

    Returns
    -------
    digest : str
        SHA-256 of the list of all files with theirs, which `verify` prints again.
    problems : sequence of FsvizError
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
    with TemporaryDirectory(dir=run_folder()) as made:
        place = Path(made)
        copy = place / CAMPAIGN / folder.resolve().name
        for path in _raw_files(folder):
            _keep(copy / path.relative_to(folder), path.read_bytes())
        campaign = load(copy)
        answer = {**_answer_of(campaign), "versions": _versions(), "readings": READINGS}
        _keep(place / ANSWER, json.dumps(answer, indent=1, ensure_ascii=False))
        for name, text in _tables(campaign, copy, answer):
            _keep(place / name, text)
        report([str(folder)], place / "report", standalone=True, progress=progress)
        files = sorted(path for path in place.rglob("*") if path.is_file())
        digests = {p.relative_to(place).as_posix(): digest_of(p) for p in files}
        crate = _crate(place, digests, campaign.name or folder.resolve().name, license)
        with replacing(out) as file:
            for chunk in crate.stream_zip():
                file.write(chunk)
    problems = (str(p).replace(str(copy), str(folder)) for p in campaign.problems)
    return digest_of_all(digests), list(map(FsvizError, problems))


def verify(path: str | os.PathLike[str]) -> Verified:
    """Read a bundle's raw files again, and compare what they say with what it says.

    Parameters
    ----------
    path : path-like
        A ZIP that `bundle` wrote.

    Returns
    -------
    Verified
        Without differences if each file has its SHA-256, and the answer and the tables
        that the raw files give now are the same. The page is not made again.

    Raises
    ------
    ParseError
        If it is no such file, or holds more than may be unpacked.
    """
    name = str(path)
    with TemporaryDirectory(dir=run_folder()) as made:
        place = Path(made)
        with _open_bundle(name) as archive:
            stated, digest = _stated_digests(name, archive)
            stated_answer = _object(name, ANSWER, archive)
            actual = dict(_unpack(name, archive, stated, place))
            undescribed = sorted({*_members(archive)} - {*stated, METADATA})
        try:
            computed, tables = _computed(name, place)
        except FsvizError as error:
            # where it was unpacked means nothing to anybody
            message = str(error).replace(f"{place}/", f"{name}/")
            raise FsvizError(message) from None
    lines = [f"{quoted(member)}: not described, so not read" for member in undescribed]
    if digest != digest_of_all(actual):
        lines.append(f"digest: stated {quoted(digest)}, found {digest_of_all(actual)}")
    versions = stated_answer.get("versions")
    answers = list(_differences(stated_answer, computed))
    parts, differences = _parts(stated, actual, answers, tables)
    return Verified(
        str(stated_answer.get("headline")),
        parts,
        digest_of_all(actual),
        str(versions.get("fsviz") if isinstance(versions, dict) else None),
        (*lines, *differences),
    )


def _computed(name: str, place: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the answer that the raw files give, and the SHA-256 of each table."""
    folders = list((place / CAMPAIGN).glob("*"))
    if len(folders) != 1 or not folders[0].is_dir():
        raise ParseError(name, 1, f"one folder in {CAMPAIGN}", str(len(folders)))
    campaign = load(folders[0])
    computed = _answer_of(campaign)
    tables = {
        member: hashlib.sha256(text.encode()).hexdigest()
        for member, text in _tables(campaign, folders[0], computed)
    }
    return computed, tables


def _parts(
    stated: Mapping[str, str],
    actual: Mapping[str, str],
    answers: Sequence[str],
    tables: Mapping[str, str],
) -> tuple[tuple[str, ...], list[str]]:
    """Say what was checked, part by part, and what differs."""
    raw = list(filter(_is_raw, stated))
    changed = [member for member in stated if actual.get(member) != stated[member]]
    other_tables = [
        member
        for member in sorted({*tables, *actual})
        if member.startswith("tables/") and tables.get(member) != actual.get(member)
    ]
    raw_state = (
        f"{n} of {len(raw)} changed"
        if (n := sum(map(_is_raw, changed)))
        else f"{len(raw)}, unchanged"
    )
    table_state = f"{len(other_tables)} different" if other_tables else "the same"
    parts = (
        f"raw files: {raw_state} since the bundle was made",
        f"answer: computed again, {'different' if answers else 'the same'}",
        f"tables: {len(tables)} written again, {table_state}",
        "page: not checked",
    )
    why = {True: "not the file that is described (SHA-256)", False: "not there"}
    lines = [f"{quoted(member)}: {why[member in actual]}" for member in changed]
    other = "the raw files give another table"
    lines += [*answers, *(f"{quoted(member)}: {other}" for member in other_tables)]
    return parts, lines


def digest_of_all(digests: Mapping[str, str]) -> str:
    """Return the SHA-256 of what ``sha256sum`` prints of files, sorted by name."""
    lines = (f"{digests[name]}  {name}\n" for name in sorted(digests))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _keep(path: Path, content: str | bytes) -> None:
    make_folder(path.parent)
    write_file(path, content)


def _raw_files(folder: Path) -> Iterator[Path]:
    """List the files of a campaign, without those that reading leaves out as well."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(n for n in folders if not n.startswith("."))
        for name in sorted(names):
            path = Path(place) / name
            if name[0] != "." and path.is_file() and not leads_out(path, folder):
                yield path


def _answer_of(campaign: Campaign) -> dict[str, Any]:
    """Say what `compare` says first of a campaign, or how fast its one system is."""
    numbers = {"numbers": int(campaign.measurements["value"].notna().sum())}
    comparison = Comparison(campaign)
    return numbers | {
        "headline": str(comparison.first_words),
        "baseline": comparison.baseline,
        "cells": {
            f"{' '.join(map(str, answer.test))}, {answer.candidate}": answer.words
            for answer in comparison.answers
            if answer.is_measured
        },
    }


def _versions() -> dict[str, str]:
    versions = {name: version(name) for name in _LIBRARIES}
    return versions | {"fsviz": version("fsviz"), "python": platform.python_version()}


def _tables(
    campaign: Campaign, folder: Path, answer: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Write the numbers that something is said of; sources as they are in a bundle."""
    inside = f"{CAMPAIGN}/{folder.name}/"
    numbers = campaign.measurements
    sources = numbers["source"].astype(str).str.removeprefix(f"{folder}/")
    numbers = numbers.assign(source=inside + sources)
    frames = {"measurements": numbers, "summary": summary(campaign)}
    if answer["cells"]:
        frames["comparison"] = Comparison(campaign).rows
    for name, frame in frames.items():
        yield f"tables/{name}.csv", frame.to_csv(index=False)


def _crate(place: Path, digests: Mapping[str, str], name: str, terms: str) -> Any:
    """Describe every file, and the program that made the others of the raw ones."""
    from rocrate.rocrate import ROCrate

    crate = ROCrate()
    crate.name = f"{name}: a benchmark of file systems, with what it shows"
    crate.description = json.loads((place / ANSWER).read_text("utf-8"))["headline"]
    raw: list[Any] = []
    made: list[Any] = []
    crate.root_dataset["identifier"] = f"sha256:{digest_of_all(digests)}"
    for inside, digest in digests.items():
        path = place / inside
        kind, _ = _FORMS.guess_type(path.name)
        properties = {"sha256": digest, "contentSize": str(path.stat().st_size)}
        properties["encodingFormat"] = kind or "application/octet-stream"
        entity = crate.add_file(path, inside, properties={"name": inside, **properties})
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


@contextmanager
def _open_bundle(name: str) -> Iterator[zipfile.ZipFile]:
    """Open a bundle, unless its list of members is longer than that of any bundle."""
    try:
        with open(name, "rb") as file:  # noqa: PTH123 - a name as the user gave it
            end = _end(file)
            if end is None or end[:4] == _ZIP64:
                raise ParseError(name, 1, "a bundle of fsviz", "no such ZIP file")
            (size,) = struct.unpack_from("<L", end, 20 + 12)
            if size > LARGEST_TEXT:
                size_words = f"{size} bytes of names"
                raise ParseError(name, 1, f"at most {LARGEST_TEXT} bytes", size_words)
            with zipfile.ZipFile(file) as archive:
                _refuse_duplicates(name, _members(archive))
                yield archive
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise UsageError(f"{name}: expected a bundle, found {why}") from error
    # zipfile raises these: no archive, no such member, one that is encrypted
    except (zipfile.BadZipFile, KeyError, RuntimeError) as error:
        why = quoted(str(error.args[0]))
        raise ParseError(name, 1, "a bundle of fsviz", why) from error


_ZIP64, _END = b"PK\6\7", b"PK\5\6"
"""Records at the end of a ZIP; in `zipfile` the first outdoes the sizes of the other.

https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, sections 4.3.15 and 16
"""


def _end(file: BinaryIO) -> bytes | None:
    """Return the last record of a ZIP, and the 20 bytes before it."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - 22 - 0xFFFF - 20, 0))
    tail = bytes(20) + file.read()
    at = tail.rfind(_END)
    return tail[at - 20 : at + 22] if 0 <= at <= len(tail) - 22 else None


def _members(archive: zipfile.ZipFile) -> list[str]:
    return [member.filename for member in archive.infolist() if not member.is_dir()]


def _refuse_duplicates(name: str, members: Iterable[str]) -> None:
    """Refuse two files that have one name, however it is written."""
    names = (unicodedata.normalize("NFC", posixpath.normpath(m)) for m in members)
    ((member, times),) = Counter(names).most_common(1) or [("", 0)]
    if times > 1:
        raise ParseError(name, 1, "each name once", f"{quoted(member)} {times} times")


def _stated_digests(name: str, archive: zipfile.ZipFile) -> tuple[dict[str, str], str]:
    """Return the SHA-256 that a bundle states of each file, and that of all."""
    graph = _object(name, METADATA, archive).get("@graph")
    # identifiers are URIs, in which a file's name is percent-encoded
    named = [
        (unquote(entity["@id"]), entity)
        for entity in (graph if isinstance(graph, list) else [])
        if isinstance(entity, dict) and isinstance(entity.get("@id"), str)
    ]
    _refuse_duplicates(f"{name}/{METADATA}", (member for member, _ in named))
    digests = {
        member: str(entity.get("sha256"))
        for member, entity in named
        if "sha256" in entity or _is_raw(member)
    }
    if not any(map(_is_raw, digests)):
        raise ParseError(name, 1, f"raw files in {METADATA}", "none")
    identifier = str(dict(named).get("./", {}).get("identifier"))
    return digests, identifier.removeprefix("sha256:")


def _is_raw(member: str) -> bool:
    return member.startswith(f"{CAMPAIGN}/")


def _object(name: str, member: str, archive: zipfile.ZipFile) -> dict[str, Any]:
    with archive.open(member) as file:
        content = file.read(LARGEST_TEXT + 1)
    if len(content) > LARGEST_TEXT:
        raise ParseError(f"{name}/{member}", 1, f"at most {LARGEST_TEXT} bytes", "more")
    try:
        parsed = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ParseError(f"{name}/{member}", 1, "JSON", "something else") from error
    if not isinstance(parsed, dict):
        raise ParseError(f"{name}/{member}", 1, "a JSON object", type(parsed).__name__)
    return parsed


def _unpack(
    name: str, archive: zipfile.ZipFile, stated: Mapping[str, str], place: Path
) -> Iterator[tuple[str, str]]:
    """Unpack the raw files that are described; return the SHA-256 of each file."""
    left = LARGEST
    for member in sorted({*_members(archive)} & {*stated}):
        parts = PurePosixPath(member).parts
        if ".." in parts or "\\" in member or "\0" in member:
            raise ParseError(name, 1, "names inside the bundle", quoted(member))
        digest = hashlib.sha256()
        with ExitStack() as stack:
            file, out = stack.enter_context(archive.open(member)), None
            if _is_raw(member):
                path = place.joinpath(*parts)
                make_folder(path.parent)
                out = stack.enter_context(replacing(path))
            while chunk := file.read(MIB):
                left -= len(chunk)
                if left < 0:
                    raise ParseError(name, 1, f"at most {LARGEST} bytes", "more")
                digest.update(chunk)
                if out is not None:
                    out.write(chunk)
        yield member, digest.hexdigest()


def _differences(
    stated: Mapping[str, Any], computed: Mapping[str, Any]
) -> Iterator[str]:
    """Say where what was said differs from what is found now."""
    for key in sorted({*stated, *computed} - {"cells", "versions", "readings"}):
        if stated.get(key) != computed.get(key):
            before = printable(str(stated.get(key))[:_LONGEST])
            yield f"{printable(key)}: said '{before}', found {computed.get(key)}"
    then, now = stated.get("cells"), computed["cells"]
    then = then if isinstance(then, dict) else {}
    for cell in dict.fromkeys((*then, *now)):
        if then.get(cell) != now.get(cell):
            before = quoted(str(then.get(cell, "nothing")))
            yield f"{cell}: said {before}, found {now.get(cell, 'nothing')}"
