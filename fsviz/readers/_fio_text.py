"""fio's normal text, as the JSON that fio 3.x would have written of it.

::

    w: (g=0): rw=randwrite, bs=(R) 4096B-4096B, …, ioengine=psync, iodepth=1
    fio-3.33
    w: (groupid=0, jobs=1): err= 0: pid=17402: Wed Nov 25 10:59:53 2026
      write: IOPS=256k, BW=1000MiB/s (1049MB/s)(4096KiB/4msec); 0 zone resets
         lat (nsec): min=1492, max=24076, avg=2401.00, stdev=965.93
        clat percentiles (nsec):
         | 99.00th=[ 3856], 99.50th=[ 4016], 99.90th=[ 5408], 99.95th=[22912],
      cpu          : usr=0.00%, sys=0.00%, ctx=0, majf=0, minf=11
         issued rwts: total=0,1024,0,0 short=0,0,0,0 dropped=0,0,0,0

fio 2.x wrote some lines in another way (``show_ddir_status`` of its ``stat.c``)::

    r: (g=0): rw=read, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=32
      read : io=1967.4MB, bw=67147KB/s, iops=16786, runt= 30003msec
         issued    : total=r=503651/w=0/d=0, short=r=0/w=0/d=0

``IOPS`` and ``BW`` have three or four digits. Operations × block size over the time are
exact, and what both are made of. The size of the file is not printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fsviz.model.units import KIB, half_last_digit, parse_stated_size
from fsviz.readers.document import Document

_NUMBER = r"\d{1,15}(?:\.\d{1,9})?"
_JOB = re.compile(
    r"(?P<name>.{1,200}): \(g=(?P<group>\d{1,12})\): rw=(?P<rw>\w+), bs=(?P<bs>.+?), "
    r"ioengine=(?P<ioengine>\w+), iodepth=(?P<iodepth>\d{1,12})"
)
_BLOCKS = re.compile(r"\(([RW])\) ([\w.]+-[\w.]+)")
_OLD_BLOCKS = re.compile(r"(?P<R>\w+-\w+)/(?P<W>\w+-\w+)(?:/\w+-\w+)?")
_RESULT = re.compile(
    r"(?P<name>.{1,200}): \(groupid=(?P<group>\d{1,12}), jobs=(?P<jobs>\d{1,12})\): "
    r"err= *(?P<error>\d{1,12})\b.*?(?:pid=(?P<pid>\d{1,12}): (?P<time>.+))?"
)
_WAY = re.compile(
    r" +(?P<way>read|write) *: (?:.*?\(|io=)(?P<moved>\d{1,12}(?:\.\d{1,9})?)"
    r"(?P<power>[kKMGTP]?)(?P<binary>i?)B"
    r"(?:/|, bw=[^,]{1,20}, iops=[^,]{1,20}, runt= *)(?P<runtime>\d{1,12})msec\b.*"
)
_TIMES = re.compile(
    r" +(?P<kind>[cs]?lat) \((?P<unit>[num]sec)\): .*\bavg= *"
    rf"(?P<mean>{_NUMBER}),.*"
)
_PERCENTILES = re.compile(r" +(?P<kind>\w+) percentiles \((?P<unit>[num]sec)\):")
_PERCENTILE = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)th=\[ {0,20}(\d{1,12})\]")
_CPU = re.compile(
    rf" +cpu +: usr=(?P<usr_cpu>{_NUMBER})%, sys=(?P<sys_cpu>{_NUMBER})%,.*"
)
_ISSUED = re.compile(
    r" +issued(?: rwts?: total=| +: total=r=)(?P<read>\d{1,12})"
    r"(?:,|/w=)(?P<write>\d{1,12})\b(?:,\d{1,12},(?P<syncs>\d{1,12})\b)?.*"
)
_OTHERS = re.compile(r" +(?:\w+ *: *(?:IOPS|io)=.*|fsync/fdatasync/sync_file_range:)")
"""What begins the numbers of another direction than those that are read."""
_NUMBERS = re.compile(
    r" +(?:cpu +:|[cs]?lat \([num]sec\): *min=|(?:read|write) *: *(?:IOPS|io)="
    r"|issued\b)"
)
"""How a line with numbers begins; what follows may be damaged."""
_VERSION = re.compile(r"fio-\d+\.\S{1,40}")
_NS = {"nsec": 1, "usec": 1_000, "msec": 1_000_000}
_ROUNDED = 0.01
"""A printed amount has three digits or more."""
_POWERS = ["", *"KMGTP"]
WAYS = ("read", "write")


def outputs_of_text(document: Document) -> Iterator[dict]:
    """Give each invocation of a text the form of its JSON."""
    output: dict = {}
    options: dict[str, dict[str, str]] = {}
    last_of_group: dict[str, str] = {}
    # with --status-interval a process prints again and again; its last state counts
    entries: dict[tuple[str | int | None, ...], dict] = {}
    end = 0
    for number, line in enumerate(document.lines, 1):
        if job := _JOB.fullmatch(line):
            if entries:
                yield output | {"jobs": [*entries.values()]}
                output, options, entries, last_of_group = {}, {}, {}, {}
            options[job["name"]] = _options(job)
            last_of_group[job["group"]] = job["name"]
        elif _VERSION.fullmatch(line.strip()):
            output["fio version"] = line.strip()
        elif result := _RESULT.fullmatch(line):
            entry = _entry(number, result, options.get(result["name"]))
            if entry["job options"] and int(result["jobs"]) > 1:
                # as in JSON: the sum of a group is named after its first job
                last = last_of_group.get(result["group"], result["name"])
                entry["job options"]["name"] = last
            end = _fill(entry, document.lines, number)
            entries[result.group("name", "group", "pid")] = entry
            output["time"] = result["time"] or ""
        elif number >= end and _WAY.fullmatch(line):
            # somebody left out the line that begins the job
            output.setdefault("fio version", f"none above line {number}")
            name = next(reversed(options), "")
            entry = {"line": number, "jobname": name, "groupid": 0, "error": 0}
            stated = {"numjobs": "1"} | options[name] if name else None
            entries[number,] = entry | {"job options": stated}
            end = _fill(entries[number,], document.lines, number - 1)
    if entries:
        yield output | {"jobs": [*entries.values()]}


def _options(job: re.Match[str]) -> dict[str, str]:
    """Options as the line above all results states them; blocks as read,write."""
    options = {name: job[name] for name in ("rw", "ioengine", "iodepth")}
    old = _OLD_BLOCKS.fullmatch(job["bs"])
    ranges = old.groupdict() if old else dict(_BLOCKS.findall(job["bs"]))
    sizes = [ranges.get(way, "-?").split("-") for way in "RW"]
    if all(least == most for least, most in sizes):
        return options | {"bs": ",".join(_block(least) for least, _ in sizes)}
    return options | {"bsrange": job["bs"]}


def _block(printed: str) -> str:
    """Block size as an option would say it; four digits are printed of it.

    >>> _block("64.0KiB"), _block("4096B"), _block("62.5KiB"), _block("1024KiB")
    ('64K', '4096', '64000', '1024K')
    """
    whole = re.sub(r"\.0+(?=\D)", "", printed).replace("iB", "").rstrip("B")
    if whole.endswith(".5K"):
        return str(parse_stated_size(printed))
    return whole


def _entry(number: int, result: re.Match[str], options: dict | None) -> dict:
    threads = {"numjobs": result["jobs"]}
    return {
        "line": number,
        "jobname": result["name"],
        "groupid": int(result["group"]),
        "error": int(result["error"]),
        "job options": None if options is None else options | threads,
    }


def _fill(entry: dict, lines: Sequence[str], start: int) -> int:
    """Add what the lines below say of a job, up to the next one; return its line."""
    way: dict = {}
    percentiles: dict = {}
    scale = 1
    # no slice of all lines: a file may have thousands of jobs
    for number in range(start + 1, len(lines) + 1):
        line = lines[number - 1]
        if (line and not line[0].isspace()) or "(groupid=" in line:
            return number
        if match := _WAY.fullmatch(line):
            way = entry[match["way"]] = _bytes_moved(match)
        elif match := _TIMES.fullmatch(line):
            unit = _NS[match["unit"]]
            off = half_last_digit(match["mean"]) * unit
            times = {"mean": float(match["mean"]) * unit, "off": off}
            way.setdefault(f"{match['kind']}_ns", {}).update(times)
        elif match := _PERCENTILES.fullmatch(line):
            scale = _NS[match["unit"]]
            times = way.setdefault(f"{match['kind']}_ns", {})
            percentiles = times.setdefault("percentile", {})
        elif line.lstrip().startswith("|"):
            for at, value in _PERCENTILE.findall(line):
                percentiles[f"{float(at):.6f}"] = int(value) * scale
        elif match := _CPU.fullmatch(line):
            shares = match.groupdict()
            entry.update({name: float(text) for name, text in shares.items()})
            entry["cpu_off"] = sum(map(half_last_digit, shares.values()))
        elif match := _ISSUED.fullmatch(line):
            _add_issued(entry, match)
        else:
            if _OTHERS.fullmatch(line):
                way = {}
                if line.lstrip().startswith("mixed"):
                    entry["mixed"] = {"io_bytes": 1}
            if _NUMBERS.match(line):
                entry.setdefault("damaged", []).append((number, line.strip()))
    return len(lines) + 1


def _bytes_moved(match: re.Match[str]) -> dict:
    """What a direction moved: ``io=1MB`` of 2.x is binary, ``1MB`` of 3.x decimal."""
    number = float(match["moved"])
    is_binary = match["binary"] or "runt=" in match[0]
    power = (KIB if is_binary else 1000) ** _POWERS.index(match["power"].upper())
    return {
        "printed": number * power,
        # until 2021 num2str lost what it carried: 50.97 was printed 50.0 (#1117)
        "next": (number + 1) * power - 1 if re.search(r"\.0+$", match["moved"]) else 0,
        "off": half_last_digit(match["moved"]) / (number or 1.0),
        "runtime": int(match["runtime"]),
    }


def _add_issued(entry: dict, match: re.Match[str]) -> None:
    """Add the operations; more syncs than one at each end say that writes waited."""
    for name in WAYS:
        if name in entry:
            entry[name]["total_ios"] = int(match[name])
    options = entry["job options"]
    if options and int(match["syncs"] or 0) > 2 * int(options["numjobs"]):
        options["fsync"] = "yes"


def with_amounts(numbers: dict[str, object], block: int | None) -> dict[str, object]:
    """Add the bytes and rates of a direction, which follow from its operations."""
    runtime, printed = (float(str(numbers.get(n, 0))) for n in ("runtime", "printed"))
    total = float(str(numbers.get("total_ios", 0)))
    if block is None or not runtime:
        return numbers
    # of what people quote without its operations the amount has three digits or more
    moved, off = (block * total, 0.0) if total else (printed, numbers["off"])
    # the sum of jobs with other blocks, or of short ones; the reader refuses it
    off_by = abs(moved - printed), float(str(numbers.get("next", 0))) - moved
    moved = moved if any(0 <= by <= _ROUNDED * printed for by in off_by) else printed
    total = total or printed / block
    rates = {"bw_bytes": moved * 1000 / runtime, "iops": total * 1000 / runtime}
    return numbers | rates | {"total_ios": total, "io_bytes": moved, "off": off}
