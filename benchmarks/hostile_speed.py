"""Texts that once took minutes: seconds of processor time a MB, at 1, 4 and 16 MB.

Each text is made as long as asked for: lines in quoted-printable, logs with a failure
in each run, tables of bad rows, and what else was quadratic. The yardstick is
`str.split` plus `float` of every word of the same bytes. A text passes if no size takes
longer than a second a MB, and the last not twice as long a MB as the first. With a
name, only the texts whose name has it; with sizes, other ones (64 MiB is the largest
that is read).

python benchmarks/hostile_speed.py [NAME [MB…]]
"""

import gc
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from reading_speed import split_and_convert

from fsviz.model.errors import FsvizError
from fsviz.readers.formats import read_file

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
SIZES = (1.0, 4.0, 16.0)
LONGEST = 1.0
"""Seconds a MB."""
MOST_GROWTH = 2.0

MAIL = "Content-Transfer-Encoding: quoted-printable\n"
BANNER = "\tIozone: Performance Test of File I/O\n\tCommand line used: iozone -a\n"
TABLE = (
    "     kB  reclen    write  rewrite    read    reread\n"
    "     64       4  1421755  3588436  7100397  1828508\n"
)
OWN = "system,operation,value,unit\n"
SENT = "sent {} bytes  received 1 bytes  1.00 bytes/sec\n"
CHILDREN = "\tChildren see throughput for  4 readers \t= 8818928.00 kB/sec\n"
HYPERFINE = '{{"results":[{{"command":"rsync {}","times":[{}1]}}]}}'


def of_lines(first: str, line: str) -> Callable[[int], str]:
    """Repeat a line until the text is long enough."""
    return lambda size: first + line * (size // len(line))


def numbered(first: str, line: str) -> Callable[[int], str]:
    """Repeat a line with another number each time."""

    def made(size: int) -> str:
        count = size // len(line.format(10_000))
        return first + "".join(line.format(k) for k in range(count))

    return made


def file_again(name: str) -> Callable[[int], str]:
    """Repeat a real output."""
    return of_lines("", (DATA / name).read_text() + "\n")


def rows_and_tables(size: int) -> str:
    """Rows of bonnie++ and then as many tables, none of which agrees with a row."""
    row = (DATA / "bonnie/2.00a/s64_n1.out.txt").read_text().splitlines()[-1].split(",")
    rows = (",".join([*row[:9], str(k + 10), *row[10:]]) for k in range(size // 400))
    table = (DATA / "bonnie/1.96/v196_s2g.out.txt").read_text().splitlines()[:4]
    return "\n".join([*rows, "", *["\n".join([*table, "", ""])] * (size // 700)])


TEXTS: dict[str, Callable[[int], str]] = {
    "mail: one endless line": of_lines(MAIL, "x=3Dy words and words =\n"),
    "mail: lines of two": of_lines(MAIL + "real=20\n", "time=20and=\nmore=20words\n"),
    "IOzone: a failure in each run": of_lines("", BANNER + TABLE + "Error writing\n"),
    "IOzone: no failure in any run": of_lines("", TABLE),
    "IOzone: children without end": numbered(
        CHILDREN, "\tChild[{}] xfer count = 4096.00 kB, Throughput = 1.00 kB/sec\n"
    ),
    "IOzone: numbers that touch": of_lines(TABLE[:50] + "\n", "1" * 53 + "\n"),
    "IOzone: real logs": file_again("iozone/3.489/thr_t2_i01_cpu_C_R_b.txt"),
    "own table: rows of one word": of_lines(OWN, "x\n"),
    "own table: bad numbers": of_lines(OWN, "nfs,read,abc,MiB/s\n"),
    "own table: good rows": of_lines(OWN, "nfs,read,112.5,MiB/s\n"),
    "own table: systems": numbered(OWN, "nfs{},read,112.5,MiB/s\n"),
    "published: rows without numbers": of_lines("system,time\n", "a,\n"),
    "published: rows": of_lines("system,time\n", "a,5\n"),
    "published: sums": of_lines("system,time\n", "total,5\n"),
    "published: headers of numbers": of_lines("", "op,5,6\n"),
    "published: tables beside a tool's": of_lines(
        TABLE + "\n", "system,operation,value\na,read,5 MB/s\nb,read,6 MB/s\n\n"
    ),
    "page: a cell of many parts": of_lines("<table><tr><td>", "some words <x>"),
    "saved sheet": of_lines("Writer Report,,\n,4,8\n", "64,1,2\n"),
    "bonnie++: rows and other tables": rows_and_tables,
    "rsync: reports without an end": of_lines(
        "Number of files: 1\n", SENT.format(1) + SENT.format(2)
    ),
    "rsync: a command of one word": lambda size: (
        f"$ time rsync {'a' * size}\nreal\t0m1.5s\n"
    ),
    "rsync: empty lines": of_lines("real\t0m1.5s\n", "\n"),
    "hyperfine: times": lambda size: HYPERFINE.format("a b", "1," * (size // 2)),
    "hyperfine: a long command": lambda size: HYPERFINE.format(
        "a" * size, "1," * 4_000
    ),
    "fio: real outputs": file_again("fio/3.33/read.json"),
    "fio: jobs that are none": of_lines('{"fio version":"fio-3.33","jobs":[{}', ",{}"),
}


def seconds_a_mb(act: Callable[[Path], object], path: Path) -> float:
    """Time an act on a file; what it refuses it has read as well."""
    gc.collect()  # what the text before has left is not this one's
    start = time.process_time()
    with suppress(FsvizError):
        act(path)
    return (time.process_time() - start) / path.stat().st_size * 1e6


def shown(name: str, path: Path, sizes: list[float]) -> bool:
    """Print a line for one text; whether it is quick enough."""
    taken, least = [], 0.0
    for size in sizes:
        path.write_text(TEXTS[name](int(size * 1e6)))
        taken.append(seconds_a_mb(read_file, path))
        least = seconds_a_mb(split_and_convert, path)
    figures = "  ".join(f"{figure:.2f}" for figure in taken)
    growth = taken[-1] / taken[0]
    good = max(taken) <= LONGEST and growth <= MOST_GROWTH
    detail = f"{taken[-1] / least:.1f} × split and float, {growth:.1f} × the first"
    print(f"{name:32} {figures} s a MB ({detail}){'' if good else '  TOO SLOW'}")
    return good


def main() -> int:
    """Print the seconds; fail if a text takes longer than is promised."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    sizes = [float(size) for size in sys.argv[2:]] or list(SIZES)
    read_file(DATA / "iozone/3.489/auto_i02.txt")  # what is loaded once
    good = True
    print(f"{'':32} at {', '.join(f'{size:g}' for size in sizes)} MB")
    with tempfile.TemporaryDirectory() as folder:
        for name in TEXTS:
            if wanted in name:
                good &= shown(name, Path(folder) / "given.txt", sizes)
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
