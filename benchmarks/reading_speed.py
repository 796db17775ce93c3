"""Reading IOzone's files, as ratios to the least that any reader must do.

* 1,000 logs against `str.split` plus `float` of every word of the same bytes, and the
  committed ones, each once, as one table of `fsviz.read`;
* the workbooks against `xlrd.open_workbook` alone, the `.xlsx` against openpyxl's rows;
* peak memory of reading a file against the file's size, beside the cells themselves;
* the time until a gigabyte of rubbish, zeros or words, is refused.

All in one process, in turns, processor time, best of several: other load can only make
a turn slower.

python benchmarks/reading_speed.py [LOGS]
"""

import io
import os
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import xlrd

import fsviz
from fsviz.model.errors import ParseError
from fsviz.readers.formats import read_file

ROOT = Path(__file__).resolve().parent.parent
LOGS = 1000
ROUNDS = 9
LARGEST_RATIO = 3.0
LARGEST_OF_A_TABLE = 5.0
LARGEST_OF_XLS = 2.2
LARGEST_OF_XLSX = 1.5
LARGEST_MEMORY = 10.0
LONGEST_REFUSAL = 5.0
"""Seconds."""

GIB = 1024**3


def split_and_convert(path: Path) -> int:
    """Do the least: take a text apart at its blanks and convert what is a number."""
    numbers = []
    for word in path.read_bytes().decode().split():
        try:
            numbers.append(float(word))
        except ValueError:
            continue
    return len(numbers)


def open_workbook(path: Path) -> object:
    """Let xlrd read a workbook."""
    return xlrd.open_workbook(file_contents=path.read_bytes(), logfile=io.StringIO())


def read_rows(path: Path) -> list[list[tuple[object, ...]]]:
    """Let openpyxl read a workbook, the quickest way that it has."""
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    return [list(sheet.iter_rows(values_only=True)) for sheet in book.worksheets]


def seconds(act: Callable[[Any], object], paths: Sequence[Any]) -> float:
    start = time.process_time()
    for path in paths:
        act(path)
    return time.process_time() - start


def best_of(
    paths: Sequence[Any],
    yardstick: Callable[[Any], object],
    reader: Callable[[Any], object] = read_file,
) -> list[float]:
    """Time the yardstick and the reader in turns; the best of each [s]."""
    best = [float("inf")] * 2
    for _ in range(ROUNDS):
        for at, act in enumerate((yardstick, reader)):
            best[at] = min(best[at], seconds(act, paths))
    return best


def peak_share(path: Path) -> float:
    """Peak memory of reading a file beyond its cells, as a multiple of its size."""
    read_file(path)  # what is loaded and compiled once
    tracemalloc.start()
    reading = read_file(path)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert reading.runs
    return (peak - held) / path.stat().st_size


def refusal(block: bytes) -> float:
    """Time until a gigabyte of such blocks is refused [s]; without any, of zeros."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rubbish.txt"
        with path.open("wb") as file:
            for _ in range(GIB // len(block) if block else 0):
                file.write(block)
            file.truncate(GIB)
        start = time.process_time()
        try:
            read_file(path)
        except ParseError:
            return time.process_time() - start
    raise AssertionError("rubbish was read")


def show(what: str, figure: float, goal: float, detail: str) -> bool:
    print(f"{what}: {figure:.2f} (at most {goal:g}; {detail})")
    return figure <= goal


def main() -> int:
    """Print the ratios; fail if one is above what is promised."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else LOGS
    once = sorted(ROOT.glob("data/raw/*/iozone/*/*.txt"))
    logs = (once * (wanted // len(once) + 1))[:wanted]
    books = sorted(ROOT.glob("data/raw/*/iozone/*/*.xls"))
    read_file(logs[0])
    split, read = best_of(logs, split_and_convert)
    table = best_of(
        [once], lambda paths: [split_and_convert(path) for path in paths], fsviz.read
    )
    opened, book = best_of(books, open_workbook)
    saved = sorted(ROOT.glob("tests/data/iozone/*/*.xlsx"))
    own, xlsx = best_of(saved, read_rows)
    files = [*ROOT.glob("data/raw/*/iozone/*/*.txt"), *books]
    largest = max(files, key=lambda path: path.stat().st_size)
    detail = f"{len(logs)} logs, {split:.2f} s and {read:.2f} s"
    good = show("logs / split and float", read / split, LARGEST_RATIO, detail)
    detail = f"{len(once)} logs, {table[0]:.2f} s and {table[1]:.2f} s"
    ratio = table[1] / table[0]
    good &= show("fsviz.read / split and float", ratio, LARGEST_OF_A_TABLE, detail)
    detail = f"{len(books)} workbooks, {opened:.2f} s and {book:.2f} s"
    good &= show(".xls / xlrd.open_workbook", book / opened, LARGEST_OF_XLS, detail)
    detail = f"{len(saved)} workbooks, {own:.2f} s and {xlsx:.2f} s"
    good &= show(".xlsx / openpyxl's rows", xlsx / own, LARGEST_OF_XLSX, detail)
    detail = f"{largest.name}, {largest.stat().st_size} bytes"
    good &= show("peak memory / file", peak_share(largest), LARGEST_MEMORY, detail)
    words = os.urandom(3 * 256 * 1024).hex(" ").encode()[: 1024**2]
    for what, block in (("zeros", b""), ("words", words)):
        slow = refusal(block)
        good &= show(f"refusing 1 GiB of {what} [s]", slow, LONGEST_REFUSAL, "CPU time")
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
