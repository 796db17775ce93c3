"""What is fuzzed: each function takes bytes, and may raise nothing but `FsvizError`."""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import openpyxl

from fsviz.campaigns.campaign_toml import read_campaign_file
from fsviz.model.errors import FsvizError
from fsviz.readers.fio_log import read_rows
from fsviz.readers.formats import read_file, read_members, text_of
from fsviz.store.stored import campaigns_of

ROOT = Path(__file__).parents[2]
LARGEST_SEED = 20_000


def _reading(hint: str | None, suffix: str) -> Callable[[bytes, Path], None]:
    def target(data: bytes, place: Path) -> None:
        path = place / f"given{suffix}"
        path.write_bytes(data)
        try:
            read_file(path, hint)
        except FsvizError as error:
            str(error)

    return target


def _archive(data: bytes, place: Path) -> None:
    (place / "given.bin").write_bytes(data)
    try:
        for _, reading in read_members(place / "given.bin"):
            str(reading.problems)
    except FsvizError as error:
        str(error)


def _described(data: bytes, place: Path) -> None:
    (place / "campaign.toml").write_bytes(data)
    try:
        read_campaign_file(place / "campaign.toml")
    except FsvizError as error:
        str(error)


def _manifest(data: bytes, place: Path) -> None:
    (place / "_fsviz.json").write_bytes(data)
    try:
        campaigns_of(str(place))
    except FsvizError as error:
        str(error)


def _time_log(data: bytes, place: Path) -> None:
    (place / "given_lat.1.log").write_bytes(data)
    try:
        read_rows(text_of(place / "given_lat.1.log"))
    except FsvizError as error:
        str(error)


def _growth(data: bytes, place: Path) -> None:
    """Repeat a fragment: 16 times as much of it takes 2.3⁴ times as long at most."""
    times = []
    for size in (16_000, 256_000) if data else ():
        start = time.process_time()
        _reading(None, ".txt")(data * (size // len(data)), place)
        times.append(time.process_time() - start)
    # below a second nobody waits, and clocks and caches decide
    assert not times or times[1] < max(1.0, 2.3**4 * times[0])


READERS = {
    "iozone": "tests/data/iozone",
    "bonnie++": "tests/data/bonnie",
    "rsync": "tests/data/rsync",
    "hyperfine": "tests/data/hyperfine",
    "fio": "tests/data/fio",
    "dd": "tests/data/dd",
    "ior": "tests/data/ior",
    "mdtest": "tests/data/mdtest",
    "elbencho": "tests/data/elbencho",
    "diskspd": "tests/data/diskspd",
    "table": "data/published",
}
"""Readers that a hint chooses, and where their seeds are."""

TARGETS: dict[str, Callable[[bytes, Path], None]] = {
    **{name: _reading(name, ".txt") for name in READERS},
    "any": _reading(None, ".txt"),
    "growth": _growth,
    "fio-text": _reading("fio", ".txt"),
    "fio-log": _time_log,
    "archive": _archive,
    "workbook": _reading(None, ".xlsx"),
    "campaign": _described,
    "manifest": _manifest,
}


def seeds(name: str) -> Iterator[bytes]:
    """List what to begin with: outputs of the tools, and what was found before."""
    for path in sorted((Path(__file__).parent / "found").glob(f"{name}.*")):
        yield path.read_bytes()
    if name == "workbook":
        yield _workbook()
        yield from _files("tests/data/iozone", (".xls", ".xlsx"))
    elif name == "archive":
        yield from _archives()
    elif name == "fio-text":
        yield from _files("tests/data/fio", (".txt",))
    elif name == "fio-log":
        yield from _files("tests/data/fio_logs", (".log",))
    elif name == "campaign":
        yield from _files("data/raw", ("campaign.toml",))
    elif name == "manifest":
        yield b'{"format": 1, "campaigns": {"lab": "/lab"}}'
    elif name in ("any", "growth"):
        for folder in READERS.values():
            yield from list(_files(folder, (".txt", ".json", ".csv")))[:5]
    else:
        yield from _files(READERS[name], (".txt", ".json", ".csv", ".md"))


def _files(folder: str, suffixes: tuple[str, ...]) -> Iterator[bytes]:
    for path in sorted((ROOT / folder).rglob("*")):
        if path.name.endswith(".expected.csv") or not path.name.endswith(suffixes):
            continue
        if path.is_file() and path.stat().st_size < LARGEST_SEED:
            yield path.read_bytes()


def _archives() -> Iterator[bytes]:
    outputs = list(_files("tests/data/hyperfine", (".json", ".csv")))[:3]
    yield gzip.compress(outputs[0])
    yield lzma.compress(outputs[0])
    zipped, tarred = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, output in enumerate(outputs):
            archive.writestr(f"{number}.txt", output)
    yield zipped.getvalue()
    with tarfile.open(fileobj=tarred, mode="w") as tar:
        for number, output in enumerate(outputs):
            member = tarfile.TarInfo(f"lab/{number}.txt")
            member.size = len(output)
            tar.addfile(member, io.BytesIO(output))
    yield tarred.getvalue()
    yield gzip.compress(tarred.getvalue())


def _workbook() -> bytes:
    book, made = openpyxl.Workbook(), io.BytesIO()
    for row in (["Writer Report"], [None, 4, 8], [64, 100, 200]):
        book.active.append(row)
    book.save(made)
    return made.getvalue()
