"""Tables of IOzone's files by the second route, as the goldens hold them.

Throw-away parsers that share no code with fsviz: rows are split at their blanks and
counted against the tests of the command line; where that fails, because numbers touch
or lines are broken, the Excel section of the same text says what was measured. Nothing
here would be good enough for files that it has not seen. To add a sample, run this file
with its path, look at the golden that it wrote, and list the sample in ``files.csv``.
"""

import re
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

from iozone_golden_sheets import bounded, metric_of, sheet_rows
from iozone_second_route import NAMES

HEADER = [
    "operation",
    "file_size_bytes",
    "record_size_bytes",
    "threads",
    "child",
    "metric",
    "value",
    "low",
    "high",
    "locator",
]
TESTS = {
    0: ["write", "rewrite"],
    1: ["read", "reread"],
    2: ["random_read", "random_write"],
    3: ["backward_read"],
    4: ["record_rewrite"],
    5: ["stride_read"],
    6: ["fwrite", "frewrite"],
    7: ["fread", "freread"],
    9: ["pwrite", "repwrite"],
    10: ["pread", "repread"],
}


def plain_text(data):
    """The text without what mail and terminals put around it."""
    head = data[:40]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16")
    elif head[1::2].count(0) > 15:
        text = data.decode("utf-16-le")
    else:
        text = data.decode("utf-8-sig", "replace")
    text = re.sub(r"\x1b\[[\d;]*m", "", text.replace("\xa0", " "))
    lines = re.split(r"\r\n|\r|\n", text)
    prefix = r"(> )+|# ?|\d{4}-\d\d-\d\dT[\d:.]+Z |[A-Z][a-z]{2} \d\d [\d:]{8} "
    return [re.sub(f"^(?:{prefix})", "", line + " ")[:-1] for line in lines]


def runs_of(lines):
    """[(first line number, lines)] of each run."""
    starts = [i for i, line in enumerate(lines) if "Performance Test of File" in line]
    ends = [*starts[1:], len(lines)]
    return [
        (a + 1, lines[a:b])
        for a, b in zip(starts or [0], ends[-len(starts) or 1 :], strict=False)
    ]


def text_rows(path):
    found = []
    for first, lines in runs_of(plain_text(path.read_bytes())):
        text = "\n".join(lines)
        command = re.search(r"Command line used: (.*)", text)
        command = command[1] if command else ""
        if "Children see throughput" in text:
            found += throughput_rows(first, lines)
            continue
        resolution = re.search(r"Time Resolution = ([\d.]+)", text)
        resolution = float(resolution[1]) if resolution else 1e-6
        metric = metric_of(command)
        found += table_rows(first, lines, command, metric, resolution)
        found += cpu_rows(first, lines)
    return found


def table_rows(first, lines, command, metric, resolution):
    header = next(i for i, line in enumerate(lines) if " reclen " in line)
    count = len(lines[header].split()) - 2
    tests = {int(t) for t in re.findall(r"-i *(\d+)", command)} or set(TESTS)
    if " -A" in command:
        tests |= {0, 1}
    tests = {0 if t >= 12 else t for t in tests}
    every = [name for t, names in TESTS.items() for name in names][:count]
    names = [n for t in sorted(tests & set(TESTS)) for n in TESTS[t] if n in every]
    reports = excel_reports(lines)
    edges = usual_edges(lines, len(names))
    rows = []
    for number, line in enumerate(lines[header + 1 :], first + header + 1):
        if "complete." in line or "Excel output" in line or "interrupted" in line:
            break
        words = line.split()
        if not (len(words) > 2 and all(w.isdigit() for w in words)):
            continue
        file, record, *numbers = map(int, words)
        if len(numbers) != len(names):
            # numbers touch: cut where the numbers of the other rows end
            numbers = [line[a:b].strip() for a, b in pairwise(edges)]
            if len(line.rstrip()) != edges[-1] or not all(n.isdigit() for n in numbers):
                continue
            file, record, *numbers = map(int, numbers)
        for name, value in zip(names, numbers, strict=True):
            rows.append((name, file, record, value, f"line {number}"))
    if "POSIX async" in "\n".join(lines) and len(rows) < len(reports):
        # debug lines broke rows of the table
        rows = reports
    return [
        (
            *(name, file * 1024, record * 1024, 1, None, metric),
            *(*bounded(metric, value, file, record, resolution), place),
        )
        for name, file, record, value, place in rows
        if value or metric == "latency"
    ]


def usual_edges(lines, count):
    """Where the numbers end in most of the rows that are whole."""
    found = Counter()
    for line in lines:
        if re.fullmatch(r"[\d ]+", line) and len(line.split()) == count + 2:
            found[tuple(m.end() for m in re.finditer(r"\d+", line))] += 1
    return (0, *found.most_common(1)[0][0]) if found else (0, 0)


def excel_reports(lines):
    """[(operation, file, record, number, place)] of the rate reports."""
    # the other blocks are there as well, full of zeros
    return [
        (name, file, record, int(value), place)
        for name, _, file, record, value, place in quoted_grids(1, lines)
        if not name.endswith(" cpu") and int(value)
    ]


def quoted_grids(first, lines):
    name, records = None, []
    for number, line in enumerate(lines, first):
        if match := re.match(r'\s*"([\w -]+?)( CPU utilization)? report', line):
            name = NAMES.get(match[1].lower())
            name = name and name + (" cpu" if match[2] else "")
            records = []
        elif name and re.match(r'\s*"\d+"', line):
            if not records:
                records = [int(r) for r in re.findall(r'"(\d+)"', line)]
                continue
            file, *values = line.replace('"', "").split()
            for record, value in zip(records, values, strict=False):
                yield name, "", int(file), record, value, f"line {number}"


def cpu_rows(first, lines):
    return [
        (
            *(name.removesuffix(" cpu"), file * 1024, record * 1024, 1, None, "cpu"),
            *(float(value), float(value) - 0.005, float(value) + 0.005, place),
        )
        for name, _, file, record, value, place in quoted_grids(first, lines)
        if name.endswith(" cpu") and float(value)
    ]


NOUNS = {
    "initial writers": "write",
    "rewriters": "rewrite",
    "readers": "read",
    "re-readers": "reread",
    "reverse readers": "backward_read",
    "stride readers": "stride_read",
    "random readers": "random_read",
    "mixed workload": "mixed_workload",
    "random writers": "random_write",
    "pwrite writers": "pwrite",
    "pread readers": "pread",
    "fwriters": "fwrite",
    "freaders": "fread",
}


def throughput_rows(first, lines):
    rows, file, record, operation, threads, rate = [], None, None, "", 0, ""
    for number, line in enumerate(lines, first):
        if "exiting" in line or "interrupted" in line:
            break
        words = re.sub(r"\s+", " ", line).strip()
        if match := re.match(
            r"Each \w+ writes an? (\d+) kByte file in (\d+|t)", words, re.IGNORECASE
        ):
            file = int(match[1]) * 1024
            record = int(match[2]) * 1024 if match[2] != "t" else None
        if match := re.match(
            r"Children see throughput for (\d+) ([a-z -]+?) ?=.* (kB|KB|ops)", words
        ):
            threads, operation = int(match[1]), NOUNS[match[2]]
            rate = "rate" if match[3] == "ops" else "throughput"
        for metric, child, text in numbers_of(words, rate):
            amount = float(text)
            size = metric.endswith("size")
            unit = 1024 if metric.endswith("throughput") else 1
            if size:
                unit = 1024 if rate == "throughput" else record
            if amount or size:
                key = (operation, file, record, threads, child, metric)
                low = max(0.0, amount - 0.005) * unit
                rows.append(
                    (
                        *key,
                        amount * unit,
                        low,
                        (amount + 0.005) * unit,
                        f"line {number}",
                    )
                )
    return without_odd_minima(rows)


def numbers_of(words, rate):
    """[(metric, child, number)] of a line."""
    number = (re.findall(r"= ?([\d.]+)", words) or [""])[0]
    starts = {
        "Children see": rate,
        "Parent sees": f"parent_{rate}",
        "Min throughput": f"min_child_{rate}",
        "Max throughput": f"max_child_{rate}",
        "Avg throughput": f"mean_child_{rate}",
        "Min xfer": "min_child_size",
    }
    for start, metric in starts.items():
        if words.startswith(start):
            return [(metric, None, number)]
    if match := re.match(r"CPU utilization: .* ([\d.]+) %", words, re.IGNORECASE):
        return [("cpu", None, match[1])]
    if match := re.match(r"Child\[(\d+)\] xfer count =", words):
        found = re.findall(r"= ?([\d.]+)", words)
        metrics = ["child_size", f"child_{rate}", "cpu"]
        # the rest of the line is the wall and the CPU time
        return list(
            zip(metrics, [int(match[1])] * 3, [*found[:2], *found[4:]], strict=False)
        )
    return []


def without_odd_minima(rows):
    """IOzone forgets a child without data: a minimum above the mean is none."""
    blocks = {}
    for row in rows:
        if row[4] is None:
            blocks.setdefault(row[:4], {})[row[5]] = row[6]
    kept = []
    for row in rows:
        numbers = blocks[row[:4]]
        rate = "rate" if "rate" in numbers else "throughput"
        least = numbers.get(f"min_child_{rate}", 0.0)
        if row[5].startswith("min_child_") and (
            least > numbers.get(f"mean_child_{rate}", least)
            or (not numbers.get("min_child_size", 1) and row[5] != "min_child_size")
        ):
            continue
        kept.append(row)
    return kept


def second_route(path):
    """All rows of a file."""
    return text_rows(path) if path.suffix == ".txt" else sheet_rows(path)


def cell_text(value):
    if value is None or value != value:
        return ""
    # .0 says nothing and takes much room
    return repr(value).removesuffix(".0")


def as_golden(rows):
    """The rows as a golden file holds them, in a fixed order; ``=``: low is value."""
    lines = [[cell_text(v) if not isinstance(v, str) else v for v in r] for r in rows]
    for line in lines:
        # mostly the low bound is the value
        line[7] = "=" if line[7] == line[6] else line[7]
    return [HEADER, *sorted(lines)]


def golden_of(path):
    """Where the golden of a sample is."""
    return path.with_name(f"{path.name}.expected.csv")


def golden_text(path):
    """The golden of a sample, as text."""
    lines = as_golden(second_route(path))
    return "".join(",".join(line) + "\n" for line in lines)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        golden_of(Path(name)).write_text(golden_text(Path(name)))
