"""diskspd: the text that it prints on Windows, and its port for Linux.

::

    Command Line: diskspd.exe -c1G -d60 -r -w30 -t2 -o8 -b8K -Sh -L test.dat
        timespan:   1
        block size: 8KiB
        using random I/O (alignment: 8KiB)
        number of outstanding I/O operations per thread: 8
    Results for timespan 1:
    actual test time:       60.01s
    thread count:           2
    Read IO
    thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | …
    total:       11123286016 |      1357823 |     176.77 |   22626.65 |    0.409 | …

- Each timespan (``job`` on Linux) is a run. Its totals of reads and of writes are read:
  those of all threads and targets. What older versions call MB/s is MiB/s too, as
  bytes ÷ time say (``_PrintSection``, and ``print_iops`` of the port).
- Latencies are in milliseconds, and percentiles of the whole come last.
- Outstanding operations are for each thread and target: the setting ``iodepth``.
- CPU use is that of the whole machine, so it belongs to a test in one direction only.
- Tables that were pasted without input parameters and without ``-r`` or ``-s`` of the
  command do not say whether I/O was random, and are refused.
- XML (``-Rxml``) is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fsviz.model.errors import (
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    TruncatedInputError,
    UnsupportedVersionError,
    quoted,
)
from fsviz.model.runs import LASTED, Cells, Reading, Run
from fsviz.model.units import MIB, printed_bounds, size_or_none
from fsviz.readers.document import Document, iso_time, read_parts, reading_of
from fsviz.readers.labels import systems_above

_STATED = re.compile(r"\s*(?P<name>[A-Za-z][A-Za-z/ ]{1,50}?):\s*+(?P<value>.*?)\s*")
_USING = re.compile(
    r"\s*using (?P<pattern>random|(?:interlocked )?sequential|mixed \S{1,40}) I/O\b.*"
    r"|\s*(?P<cache>(?:[\w,]+ ){0,9}(?:caches?|O_DIRECT|O_SYNC)\b.*)"
    r"|\s*performing mix test \(read/write ratio: (?P<mix>\d{1,3})/\d{1,3}\)"
)
# what the command says counts where the input parameters are missing
_OPTION = re.compile(r"\s[-/](w(?=\d{1,3}\s)|[bors])i?(\d{0,15}[KMGb]?)(?=\s)")
_RESULTS = re.compile(r"Results for (?:timespan|job) (?P<number>\d{1,6}):")
_PERCENTILES = {"50th": "p50", "95th": "p95", "99th": "p99", "3-nines": "p99_9"}
_SIZE = re.compile(r".*\((?P<size>\d{1,15}[KMGT]?i?B)\)")
_COLUMNS = (
    ("throughput", ("MiB/s", "MB/s"), float(MIB)),
    ("rate", ("I/O per s",), 1.0),
    ("latency", ("AvgLat", "AvgLat(ms)"), 1e-3),
)
_WAYS = ("read", "write")
Row = tuple[int, dict[str, str]]


@dataclass(slots=True)
class _Part:
    """One timespan: where it begins, what is stated of it, and its rows."""

    line: int
    stated: dict[str, str]
    rows: dict[str, Row] = field(default_factory=dict)
    sizes: set[str] = field(default_factory=set)


def read_diskspd(document: Document) -> Reading:
    """Read each timespan."""
    path, problems = document.path, list[ParseError]()
    parts = list(_parts(document.lines))
    if not parts:
        expected = "the text that diskspd prints without -Rxml"
        raise UnsupportedVersionError(path, 1, expected, "its XML")
    parts, runs = read_parts(path, parts, lambda p: _run(path, p, problems), problems)
    systems = systems_above(document.lines, [part.line for part in parts])
    return reading_of(document, runs, systems, problems, "a timespan")


def _parts(lines: Sequence[str]) -> Iterator[_Part]:
    """List what was measured in each timespan, with what is stated above it."""
    stated: dict[str, str] = {}
    timespans: dict[str, dict[str, str]] = {}
    part: _Part | None = None
    way, columns = "", list[str]()
    for number, line in enumerate(lines, 1):
        texts = [text.strip() for text in line.split("|")]
        if texts[0] in ("Total IO", "Read IO", "Write IO"):
            way = texts[0].split()[0].lower()
        if results := _RESULTS.match(line):
            if part is not None:
                stated.pop("start time", "")  # that of the first timespan
                yield part
            part = _Part(number, {**stated, **timespans.get(results["number"], {})})
        elif part is None and texts[0] == "Total IO":
            part = _Part(number, stated)
        elif len(texts) > 3:
            columns = texts if texts[0] in ("thread", "%-ile", "type") else columns
            if part is not None:
                _keep(part, way, columns, number, texts)
        elif match := _STATED.fullmatch(line):
            name, value = match["name"], match["value"]
            if part is not None and name in ("Command Line", "Input parameters"):
                yield part
                part, stated, timespans = None, {}, {}
            if name in ("timespan", "job"):
                command = {k: v for k, v in stated.items() if k == "Command Line"}
                stated = timespans[value] = command
            facts = stated if part is None else part.stated
            facts[name] = value if facts.get(name, value) == value else "several"
        elif part is None and (match := _USING.fullmatch(line)):
            texts_of = {k: v for k, v in match.groupdict().items() if v}
            stated |= {k: _joined(stated.get(k, ""), v) for k, v in texts_of.items()}
    if part is not None:
        yield part


def _joined(before: str, value: str) -> str:
    return "; ".join(dict.fromkeys([*filter(None, before.split("; ")), value]))


def _keep(
    part: _Part, way: str, columns: list[str], number: int, texts: list[str]
) -> None:
    """Keep a row that is read. Percentiles of the whole follow those of targets."""
    first = texts[0]
    if first.startswith("total:"):
        cells = [first.removeprefix("total:").strip(), *texts[1:]]
        part.rows[way] = number, dict(zip(columns[1:], cells, strict=False))
    elif first in _PERCENTILES:
        part.rows[first] = number, dict(zip(columns[1:], texts[1:], strict=False))
    elif first.startswith("avg"):
        usage = re.sub(r"avg[.:]\s*", "", first) or texts[1]
        part.rows["cpu"] = number, {"Usage": usage}
    elif columns[:1] == ["thread"] and (size := _SIZE.fullmatch(texts[-1])):
        part.sizes.add(size["size"])


def _read(row: Row, path: str, *names: str) -> tuple[float, float, float] | None:
    """Read a column of a row with its bounds; None if it has none."""
    number, texts = row
    name = next((name for name in names if name in texts), "")
    text = texts.get(name, "").rstrip("%s")
    if not name or text == "N/A":
        return None
    if not re.fullmatch(r"\d{1,18}(?:\.\d{1,6})?", text):
        raise MalformedRowError(path, number, name, quoted(text))
    return float(text), *printed_bounds(text)


def _cells(path: str, part: _Part) -> Cells:
    rows, stated = part.rows, part.stated
    typed: dict[str, str] = dict(_OPTION.findall(stated.get("Command Line", "")))
    pattern = stated.get("pattern", min(typed.keys() & {"r", "s"}, default="none"))
    if pattern.removeprefix("interlocked ") not in ("random", "sequential", "r", "s"):
        expected = "a line above that says that all I/O is random, or sequential"
        raise MalformedRowError(path, part.line, expected, quoted(pattern))
    kind = "random_" if pattern[0] == "r" else ""
    done = {way: _read(rows[way], path, "I/Os") for way in _WAYS if way in rows}
    active = [way for way, count in done.items() if count and count[0]]
    if not active:
        raise MalformedRowError(path, part.line, "totals of reads or writes", "none")
    depth = next((v for k, v in stated.items() if k.startswith("number of outst")), "")
    depth = depth.rstrip(")") or typed.get("o", "")  # the port prints one too many
    mix = stated.get("mix", str(100 - int(typed["w"])) if "w" in typed else "")
    is_mixed = len(active) > 1 or mix not in ("", "0", "100")
    settings = {"iodepth": "" if depth == "1" else depth}
    settings["rwmixread"] = mix if is_mixed else ""
    threads = stated.get("thread count", stated.get("total threads", ""))
    cells = Cells()
    for way in active:
        _check(path, rows[way], stated)
        columns = [(m, scale, rows[way], names) for m, names, scale in _COLUMNS]
        columns += [
            (f"latency_{suffix}", 1e-3, rows[name], (f"{way.capitalize()} (ms)",))
            for name, suffix in _PERCENTILES.items()
            if name in rows
        ]
        if "cpu" in rows and not is_mixed:
            columns.append(("cpu", 1.0, rows["cpu"], ("Usage",)))
        for metric, scale, row, names in columns:
            if (number := _read(row, path, *names)) is None:
                continue
            cells.add(
                f"{'mixed_' if is_mixed else ''}{kind}{way}",
                metric,
                number[0] * scale,
                f"line {row[0]}",
                low=number[1] * scale,
                high=number[2] * scale,
                file_size=size_or_none(*part.sizes) if len(part.sizes) == 1 else None,
                record_size=size_or_none(stated.get("block size", typed.get("b", ""))),
                threads=int(threads) if threads.isdecimal() else None,
                setting="; ".join(f"{k}={v}" for k, v in settings.items() if v),
            )
    return cells


def _check(path: str, row: Row, stated: dict[str, str]) -> None:
    """Hold the speed against bytes and time, where that is known."""
    time = _test_time(path, row[0], stated)
    moved, speed = _read(row, path, "bytes"), _read(row, path, "MiB/s", "MB/s")
    if time and moved and speed and time[0] > 0:
        expected = moved[0] / time[0] / MIB
        if abs(expected - speed[0]) > 0.01 + 0.01 / time[0] * expected:
            what = f"{expected:.2f} MiB/s, as bytes and time say"
            raise InconsistentDataError(path, row[0], what, f"{speed[0]:.2f}")


def _test_time(
    path: str, line: int, stated: dict[str, str]
) -> tuple[float, float, float] | None:
    text = stated.get("actual test time", stated.get("test time", ""))
    return _read((line, {"test time": text}), path, "test time") if text else None


def _run(path: str, part: _Part, problems: list[ParseError]) -> Run:
    cells, stated = _cells(path, part), part.stated
    time = _test_time(path, part.line, stated)
    printed = [way for way in _WAYS if way in part.rows]
    if len(printed) < len(_WAYS):
        expected = "the totals of reads and writes"
        cut = TruncatedInputError(path, part.line, expected, f"those of {printed[0]}s")
        problems.append(cut)
    return Run(
        tool="diskspd",
        cells=cells,
        complete=len(printed) == len(_WAYS),
        configuration=stated.get("cache", "") or "(unknown)",
        command_line=stated.get("Command Line", ""),
        started=iso_time(stated.get("start time", ""), "%Y/%m/%d %H:%M:%S UTC"),
        host=stated.get("computer name", ""),
        facts={LASTED: time[0]} if time else {},
    )
