"""What comes of real logs in which one character was inserted, deleted or changed.

Outcomes, the last of which should not be:

* same: the table is the same;
* touched: it differs only in numbers of the touched line, the next, or, where a number
  comes from several lines (rsync, time), of the touched paragraph;
* reported: the file is refused, or a problem or an incomplete run says what is wrong;
* lost: numbers elsewhere are missing and nothing says so;
* wrong: a number elsewhere differs, or is new, and nothing says so.

python benchmarks/mutations.py [COUNT [SEED]]
"""

import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from fsviz.model.errors import FsvizError
from fsviz.readers.bonnie.merge import read_bonnie
from fsviz.readers.document import decode, without_prefix
from fsviz.readers.iozone.text import read_iozone
from fsviz.readers.rsync.text import read_rsync

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
COUNT = 100_000
PROCESSES = 2
SHOWN = 25
CHARACTERS = '0123456789 \t\n.,-+:"abkBmMGsx%\x00é'
LOGS = {
    "iozone": (
        read_iozone,
        (
            "auto_i02",
            "v510_auto_i02",
            "v414_auto_i0345",
            "auto_A",
            "sigkill_auto_R",
            "thr_t2_i01_cpu_C_R_b",
            "thr_l1u3_R_b",
            "v507_auto_N",
            "multi_r_one_s",
        ),
    ),
    "bonnie": (
        read_bonnie,
        (
            "v103e_s2g.out",
            "v1973_x2.out",
            "s256_16k.out",
            "s64_x3.out",
            "merged",
            "bonnie_quoted",
            "v196_chunk.err",
        ),
    ),
    "rsync": (read_rsync, ()),
    "time": (read_rsync, ()),
}


def samples(tool):
    """All logs that the reader of a tool reads whole, or those chosen above."""
    reader, stems = LOGS[tool]
    for path in sorted((DATA / tool).glob("*/*")):
        if path.suffix not in (".txt", ".csv") or ".expected" in path.name:
            continue
        if not stems or path.stem in stems:
            try:
                good = not table_of(reader, path.read_bytes().decode())[1]
            except (FsvizError, UnicodeDecodeError):
                continue
            if good or stems:
                yield path


def table_of(reader, text):
    """{what: (line, value)}, and whether something is said to be wrong."""
    reading = reader(without_prefix(decode("log", text.encode())))
    table = {}
    for at, run in enumerate(reading.runs):
        cells = run.cells
        keys = zip(
            [at] * len(cells),
            cells.operation,
            cells.file_size_bytes,
            cells.record_size_bytes,
            cells.threads,
            cells.child,
            cells.metric,
            strict=True,
        )
        lines = (int(place.split()[1]) for place in cells.locator)
        values = zip(lines, cells.value, cells.low, strict=True)
        table.update(zip(keys, values, strict=True))
    said = reading.problems or not all(run.complete for run in reading.runs)
    return table, bool(said)


def mutate(text, chance):
    """Return the text with one other character, and the line where it is."""
    place = chance.randrange(len(text))
    new = chance.choice(CHARACTERS)
    kind = chance.choice(("insert", "delete", "flip"))
    rest = text[place:] if kind == "insert" else text[place + 1 :]
    new = "" if kind == "delete" else new
    return text[:place] + new + rest, text.count("\n", 0, place) + 1


def outcome(reader, text, before, changed, line):
    """Name what came of a change."""
    try:
        after, said = table_of(reader, changed)
    except FsvizError:
        return "reported"
    if said:
        return "reported"
    was = {key: str(number[1:]) for key, number in before.items()}
    now = {key: str(number[1:]) for key, number in after.items()}
    if was == now:
        return "same"
    near = paragraph(changed, line) if reader is read_rsync else {line, line + 1}
    shift = changed.count("\n") - text.count("\n")
    near |= {number - shift for number in near} | {line - 1}
    elsewhere = {
        key: side[key][0] in near
        for side in (before, after)
        for key in was.keys() | now.keys()
        if was.get(key) != now.get(key) and key in side
    }
    if all(elsewhere.values()):
        return "touched"
    distant = [key for key, close in elsewhere.items() if not close]
    return "wrong" if any(key in now for key in distant) else "lost"


def paragraph(text, line):
    """Numbers of the lines around a line, up to the next blank ones."""
    lines = text.split("\n")
    first = last = line
    while first > 1 and lines[first - 2].strip():
        first -= 1
    while last < len(lines) and lines[last].strip():
        last += 1
    return set(range(first, last + 1))


def trial(tool, path, count, seed):
    """Mutate one log; count the outcomes and keep what went wrong."""
    reader = LOGS[tool][0]
    text = Path(path).read_bytes().decode()
    before, _ = table_of(reader, text)
    chance = random.Random(f"{seed} {Path(path).parent.name} {Path(path).name}")
    found, wrong = Counter(), []
    for _ in range(count):
        changed, line = mutate(text, chance)
        what = outcome(reader, text, before, changed, line)
        found[what] += 1
        if what in ("lost", "wrong"):
            was, now = (t.splitlines()[line - 1 : line] for t in (text, changed))
            wrong.append((what, f"{Path(path).name}:{line}: {was} became {now}"))
    return tool, found, wrong


def main() -> int:
    """Print the outcomes for each tool; fail if a number is wrong."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    seed = sys.argv[2] if len(sys.argv) > 2 else "1"
    start = time.perf_counter()
    paths = [(tool, str(path)) for tool in LOGS for path in samples(tool)]
    share = count // len(paths) + 1
    totals = {tool: Counter() for tool in LOGS}
    bad = []
    with ProcessPoolExecutor(PROCESSES) as pool:
        jobs = [pool.submit(trial, *job, share, seed) for job in paths]
        for job in jobs:
            tool, found, wrong = job.result()
            totals[tool] += found
            bad += wrong
    for tool, found in totals.items():
        print(f"{tool:7}", *(f"{k} {v}" for k, v in sorted(found.items())), sep="  ")
    print(f"{sum(sum(c.values()) for c in totals.values())} mutations of {len(paths)}")
    wrong = [text for what, text in bad if what == "wrong"]
    print(f"logs in {time.perf_counter() - start:.0f} s; wrong numbers: {len(wrong)}")
    print(
        *wrong[:SHOWN], *(f"lost: {t}" for w, t in bad[:SHOWN] if w == "lost"), sep="\n"
    )
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
