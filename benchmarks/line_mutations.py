"""What comes of real logs of which whole lines were changed, and of two logs in one.

A line is deleted, doubled, moved, or exchanged with the next; the log stops at some
byte; two logs stand one after the other, or their lines or blocks of lines alternate.
Short logs of each tool are also cut at every byte, where no number of the last line
is excused; each line of bonnie++ is wrapped and cut at every column. A report of rsync
and a time right after it are one run, as they are where both are of one copy; no reader
can tell them apart.

Outcomes, the last of which should not be:

* same: every run has the numbers that it had;
* touched: it differs only in numbers of the changed lines or, where a number comes from
  several lines (rsync, time), of their paragraph, or lacks some;
* reported: the text is refused, or a problem, a note or an incomplete run says what is
  wrong;
* short (of a cut): what follows the cut is missing and nothing says so, as where the
  text ends after a table or a run;
* wrong: a number is in a run or a cell that it was not in, or a run is counted twice,
  and nothing says so.

python benchmarks/line_mutations.py [COUNT [SEED]]
"""

import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from mutations import DATA, paragraph

from fsviz.campaigns._place_runs import place
from fsviz.campaigns.source_files import SourceFile
from fsviz.model.errors import FsvizError
from fsviz.readers.document import decode, without_prefix
from fsviz.readers.formats import read_document

COUNT = 20_000
PROCESSES = 2
SHOWN = 25
LARGEST = 30_000
FOLDERS = ("iozone", "bonnie", "rsync", "time")
CUT_LOGS = (
    *("iozone/3.489/thr_w.txt", "iozone/3.489/single_r4k_s1m.txt"),
    *("iozone/3.489/multi_s_one_r.txt", "iozone/3.489/multi_r_one_s.txt"),
    *("iozone/3.489/auto_M_o.txt", "iozone/3.510/v510_multi_r.txt"),
    *("bonnie/1.03e/v103e_s2g.out.txt", "bonnie/1.03e/v103e_chunk.err.txt"),
    *("bonnie/1.03e/v103e_f_n0_x2.out.txt", "bonnie/1.97.3/v1973_x2.out.txt"),
    *("bonnie/1.96/v196_s2g.out.txt", "bonnie/2.00a/s64_n1.out.txt"),
    *("bonnie/2.00a/merged.txt", "bonnie/2.00a/s64_f_n0.out.txt"),
    *("bonnie/2.00a/s64_x3.out.txt", "bonnie/2.00a/bonnie_semicolon.csv"),
    *("rsync/3.5.0/stats.out.txt", "rsync/3.5.0/stats_de.out.txt"),
    *("rsync/3.5.0/stats_hh.out.txt", "rsync/3.2.7/v327_stats.out.txt"),
    *("rsync/3.2.7/v327_time_v.err.txt", "time/bash-5.2/time_bash.err.txt"),
    *("time/bash-5.2/time_bash_p.err.txt", "time/bash-5.2/time_bash_de.err.txt"),
    *("time/gnu-1.9/gnu_time_default.err.txt", "time/gnu-1.9/gnu_time_v.err.txt"),
    "time/zsh-5.9/time_zsh.err.txt",
    *("hyperfine/1.15/hyperfine.json", "fio/3.33/read.json"),
)
"""Short ones of each tool, for a cut at every byte."""

KINDS = (
    "delete",
    "double",
    "move",
    "exchange",
    "stop",
    "append",
    "alternate",
    "blocks",
)
TWO_LOGS = ("append", "alternate", "blocks")


def logs():
    """All logs of the tests that are read whole and are not large."""
    for folder in FOLDERS:
        for path in sorted((DATA / folder).glob("*/*")):
            if path.suffix not in (".txt", ".csv") or ".expected" in path.name:
                continue
            if path.stat().st_size > LARGEST:
                continue
            try:
                said, _ = answer(path.read_bytes().decode())
            except (FsvizError, UnicodeDecodeError):
                continue
            if not said:
                yield str(path)


def answer(text):
    """Whether anything is said to be wrong; and each run as {cell: (line, number)}."""
    reading = read_document(without_prefix(decode("log", text.encode())))
    placed = place("", [(SourceFile("log", "log"), reading)])
    runs = [run for _, run in placed.runs]
    said = placed.problems or placed.notes
    said = bool(said) or not all(run.complete for run in runs)
    tables = []
    for run in runs:
        cells = run.cells
        keys = zip(
            [run.tool] * len(cells),
            cells.operation,
            cells.file_size_bytes,
            cells.record_size_bytes,
            cells.threads,
            cells.child,
            cells.metric,
            strict=True,
        )
        lines = (int(place.split()[1]) for place in cells.locator)
        texts = map(str, zip(cells.value, cells.low, strict=True))
        numbers = zip(lines, texts, strict=True)
        tables.append(dict(zip(keys, numbers, strict=True)))
    return said, tables


def mutate(kind, text, other, chance):
    """Return another text, and the numbers of its lines that were touched."""
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    if kind == "delete":
        return "\n".join(lines[:at] + lines[at + 1 :]), {at, at + 1}
    if kind == "double":
        return "\n".join(lines[: at + 1] + lines[at:]), {at + 1, at + 2}
    if kind == "move":
        line = lines.pop(at)
        to = chance.randrange(len(lines) + 1)
        return "\n".join([*lines[:to], line, *lines[to:]]), {at, at + 1, to, to + 1}
    if kind == "exchange":
        lines[at : at + 2] = lines[at : at + 2][::-1]
        return "\n".join(lines), {at + 1, at + 2}
    if kind == "stop":
        cut = text[: chance.randrange(len(text))]
        return cut, {cut.count("\n") + 1}
    if kind == "append":
        return text.rstrip("\n") + "\n" + other, set()
    size = 1 if kind == "alternate" else chance.randrange(2, 12)
    return "\n".join(alternating(lines, other.split("\n"), size)), set()


def alternating(one, two, size):
    """Lines of two logs in turn, some at a time."""
    for at in range(0, max(len(one), len(two)), size):
        yield from one[at : at + size]
        yield from two[at : at + size]


def outcome(kind, before, changed, touched):
    """Name what came of a change."""
    try:
        said, after = answer(changed)
    except FsvizError:
        return "reported"
    if said:
        return "reported"
    near = set().union(*(paragraph(changed, line) for line in touched if line > 0), ())
    near |= touched | {line + 1 for line in touched}
    left = [dict(table) for table in before]
    verdict = "same"
    for table in after:
        firm = {key: n for key, (line, n) in table.items() if line not in near}
        for part in parts_of(firm, kind):
            whose = [t for t in left if all(has(t, *item) for item in part.items())]
            if not whose:
                return "wrong"
            best = max(
                whose, key=lambda t: sum(has(t, k, n) for k, (_, n) in table.items())
            )
            left.remove(best)
            if len(part) < len(firm):
                left.append({k: v for k, v in best.items() if k not in part})
        verdict = "touched" if len(firm) < len(table) else verdict
    return "touched" if left or kind not in TWO_LOGS else verdict


def parts_of(numbers, kind):
    """What must be of one run: all of it, but a time and a report may be of two."""
    timed = {k: n for k, n in numbers.items() if k[-1] in ("elapsed", "cpu")}
    if kind not in TWO_LOGS or not any(k[0] in ("rsync", "time") for k in numbers):
        return [numbers]
    report = {k: n for k, n in numbers.items() if k not in timed}
    return [part for part in (timed, report) if part]


def has(table, key, number):
    """Whether a run has a number in a cell; an unknown record size fits any."""
    if key in table:
        return table[key][1] == number
    near = (other for other in table if (*other[:3], None, *other[4:]) == key)
    return any(table[other][1] == number for other in near)


def cut_everywhere(log):
    """Cut a log at each byte; count the outcomes and keep what went wrong."""
    data = (DATA / log).read_bytes()
    found, wrong = Counter(), []
    before = numbers_of(data)[1]
    for size in range(len(data)):
        what = outcome_of_cut(before, data[:size])
        found[what] += 1
        if what == "wrong":
            wrong.append(f"cut {log} at byte {size}")
    return found, wrong


def numbers_of(data):
    """Whether anything is said to be wrong; and each run as {cell: printed number}."""
    reading = read_document(without_prefix(decode("log", data)))
    said = reading.problems or reading.notes
    said = bool(said) or not all(run.complete for run in reading.runs)
    tables = []
    for run in reading.runs:
        cells = run.cells
        sizes = zip(cells.file_size_bytes, cells.record_size_bytes, strict=True)
        tests = zip(cells.operation, cells.threads, cells.child, strict=True)
        texts = map(str, zip(cells.value, cells.low, cells.high, strict=True))
        keys = zip(sizes, tests, cells.metric, strict=True)
        tables.append(dict(zip(keys, texts, strict=True)))
    return said, tables


def outcome_of_cut(before, data):
    """Name what came of a cut; each run must be one that it was, as far as it goes."""
    try:
        said, after = numbers_of(data)
    except FsvizError:
        return "reported"
    if said:
        return "reported"
    pairs = list(zip(before, after, strict=False))
    if len(after) > len(before) or any(part.items() - t.items() for t, part in pairs):
        return "wrong"
    return "same" if before == after else "short"


def wrap_everywhere(log):
    """Wrap each line of a log at each column, and cut it there; as for cuts.

    A run that lacks numbers is wrong as well, for the rest of the log is there.
    """
    data = (DATA / log).read_bytes()
    lines = data.decode().split("\n")
    found, wrong = Counter(), []
    before = numbers_of(data)[1]
    for at, line in enumerate(lines):
        for column in range(1, len(line)):
            for kind, rest in (("wrap", [line[column:]]), ("cut", [])):
                changed = [*lines[:at], line[:column], *rest, *lines[at + 1 :]]
                what = outcome_of_cut(before, "\n".join(changed).encode())
                what = "wrong" if what == "short" else what
                found[what] += 1
                if what == "wrong":
                    wrong.append(f"{kind} {log}:{at + 1} at column {column}")
    return found, wrong


def trial(path, others, count, seed):
    """Mutate one log; count the outcomes and keep what went wrong."""
    text = Path(path).read_bytes().decode()
    _, before = answer(text)
    # by its name, for a checkout may lie anywhere
    chance = random.Random(f"{seed} {Path(path).relative_to(DATA)}")
    found, wrong = Counter(), []
    for _ in range(count):
        kind = chance.choice(KINDS)
        other_path = chance.choice(others)
        other = Path(other_path).read_bytes().decode()
        changed, touched = mutate(kind, text, other, chance)
        tables = before + (answer(other)[1] if kind in TWO_LOGS else [])
        what = outcome(kind, tables, changed, touched)
        found[what] += 1
        if what == "wrong":
            beside = f" with {Path(other_path).name}" if kind in TWO_LOGS else ""
            wrong.append(f"{kind} {Path(path).name}{beside}, lines {sorted(touched)}")
    return found, wrong


def main() -> int:
    """Print the outcomes; fail if a number is wrong."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    seed = sys.argv[2] if len(sys.argv) > 2 else "1"
    start = time.perf_counter()
    paths = list(logs())
    share = count // len(paths) + 1
    total, bad = Counter(), []
    with ProcessPoolExecutor(PROCESSES) as pool:
        jobs = [pool.submit(trial, path, paths, share, seed) for path in paths]
        for job in jobs:
            found, wrong = job.result()
            total += found
            bad += wrong
    print(*(f"{kind} {number}" for kind, number in sorted(total.items())), sep="  ")
    print(f"{total.total()} mutations of {len(paths)} logs", end=" ")
    print(f"in {time.perf_counter() - start:.0f} s; wrong numbers: {len(bad)}")
    cuts, bad_cuts = everywhere(cut_everywhere, CUT_LOGS)
    print(*(f"{kind} {number}" for kind, number in sorted(cuts.items())), sep="  ")
    print(f"{cuts.total()} cuts of {len(CUT_LOGS)} logs,", end=" ")
    print(f"one at each byte; wrong numbers: {len(bad_cuts)}")
    rows = sorted(str(path.relative_to(DATA)) for path in map(Path, paths))
    wraps, bad_wraps = everywhere(
        wrap_everywhere, [log for log in rows if log.startswith("bonnie")]
    )
    print(*(f"{kind} {number}" for kind, number in sorted(wraps.items())), sep="  ")
    print(f"{wraps.total()} lines of bonnie++ wrapped or cut,", end=" ")
    print(f"at each column; wrong numbers: {len(bad_wraps)}")
    print(*(bad + bad_cuts + bad_wraps)[:SHOWN], sep="\n")
    return int(bool(bad or bad_cuts or bad_wraps))


def everywhere(change, logs):
    """Change each of some logs at every place."""
    total, bad = Counter(), []
    with ProcessPoolExecutor(PROCESSES) as pool:
        for found, wrong in pool.map(change, logs):
            total += found
            bad += wrong
    return total, bad


if __name__ == "__main__":
    sys.exit(main())
