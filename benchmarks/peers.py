"""How many numbers of real files other readers get right, and how long they take.

Each reads the same files: IOzone's texts, its workbooks, fio's JSON. What stands in a
file is told by parsers of our own that share no code with fsviz, below and in
``tests/readers/iozone_second_route.py``. A number is right with its operation, file
size and record size; wrong if it is not in the file, or elsewhere in it; and missing
otherwise. Units are not looked at. Times are those of `str.split` and `float` over the
same texts, of `xlrd.open_workbook` or of `json.loads`. It fails if fsviz reads one
number wrong; what it refuses is missing, and the file is named.

    python benchmarks/peers.py [PEERS] [FILES …]

PEERS is a folder with checkouts of these, as many as there are; their code is theirs:

    git clone https://github.com/Rovanion/iozone-results-comparator
    git clone https://github.com/avocado-framework/avocado-vt
    git clone https://github.com/louwrentius/fio-plot
    pip download --no-deps --no-binary :all: IOGraph && tar xzf IOGraph-*.tar.gz

FILES are folders, by default ``../shared/corpus`` (files that others published) and
``data`` (plain logs of our own). What is not there is named and left out.
"""

from __future__ import annotations

import ast
import io
import json
import re
import statistics
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import xlrd

import fsviz
from fsviz.model.table import plain_rows

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests" / "readers"))
from iozone_second_route import NAMES, biff2_cells, excel_numbers  # noqa: E402

Numbers = Counter[tuple[Any, ...]]
"""How often each number stands somewhere: (operation, file kB, record kB, number)."""
Reader = Callable[[Path], Numbers]

OPERATIONS = (
    *("write", "rewrite", "read", "reread", "random_read", "random_write"),
    *("backward_read", "record_rewrite", "stride_read"),
    *("fwrite", "frewrite", "fread", "freread"),
)
"""The columns of IOzone's table, from left to right."""
ROUNDS = 5


# What stands in a file.


def printed_in_table(path: Path) -> Numbers:
    """Take IOzone's tables apart by the places where the words of their heads end.

    Where a run ended early, the section for spreadsheets has rows that no table has.
    """
    found: Numbers = Counter()
    ends: list[int] = []
    text = path.read_text(errors="replace")
    for line in text.splitlines():
        if re.search(r"\b(kB|KB)\s+reclen\b", line):
            words = [m.end() for m in re.finditer(r"\S+", line)]
            start = len(re.findall(r"\S+", line[: line.index("reclen")]))
            ends = words[start + 1 :]
            continue
        row = re.search(r"(?:^|\s)(\d+\s+\d+(?:\s+\d+)+)\s*$", line)
        if not (row and ends) or '"' in line:  # the section for spreadsheets
            continue
        own = [(m.end() + row.start(1), int(m[0])) for m in re.finditer(r"\d+", row[1])]
        (_, file), (_, record), *values = own
        for end, value in values:
            place = min(range(len(ends)), key=lambda n: abs(ends[n] - end))
            if place < len(OPERATIONS):
                found[OPERATIONS[place], file, record, value] += 1
    # 0 there is what was not measured
    again = ((*place, v) for place, v in excel_numbers(text).items() if v)
    return found | Counter(again) if found else found


def printed_in_sheet(path: Path) -> Numbers:
    """Take the rate reports of a workbook: a label, a row of record sizes, rows."""
    cells = biff2_cells(path.read_bytes())
    found: Numbers = Counter()
    name, header = None, 0
    for (row, column), value in sorted(cells.items()):
        if column == 0 and isinstance(value, str):
            name, header = NAMES.get(value.lower().removesuffix(" report")), row + 1
        elif column and name and value and isinstance(cells.get((row, 0)), float):
            file, record = cells[row, 0], cells[header, column]
            found[name, int(file), int(record), round(value)] += 1
    return found


def printed_by_fio(path: Path) -> Numbers:
    """Take what each job moved: operations and KiB a second, mean latency [ns]."""
    found: Numbers = Counter()
    text = path.read_text(errors="replace")
    told = json.loads(text) if '"fio version"' in text else {}
    for job in told.get("jobs") or told.get("client_stats") or []:
        for way in ("read", "write"):
            if job.get(way, {}).get("total_ios"):
                own = job[way]
                found["iops", way, round(own["iops"])] += 1
                found["bw", way, round(own["bw"])] += 1
                found["lat", way, round(_mean_latency(own))] += 1
    return found


def _mean_latency(own: dict[str, Any]) -> float:
    return own["lat_ns"]["mean"] if "lat_ns" in own else 1000 * own["lat"]["mean"]


# What others read. Their functions are taken out of their files as they are.


def taken(path: Path, name: str, known: dict[str, Any]) -> Any:
    """Run one function or class of a file, without what the file does when imported."""
    tree = ast.parse(path.read_text())
    own = [n for n in tree.body if getattr(n, "name", None) == name]
    names = dict(known)
    exec(compile(ast.Module(own, []), str(path), "exec"), names)
    return names[name]


def comparator(peers: Path) -> Reader:
    """iozone-results-comparator, which is Python 2, by lib2to3."""
    from lib2to3.refactor import RefactoringTool, get_fixers_from_package

    source = peers / "iozone-results-comparator" / "src" / "parse_iozone.py"
    tool = RefactoringTool(get_fixers_from_package("lib2to3.fixes"))
    text = str(tool.refactor_string(source.read_text(), str(source)))
    text = text.replace("import operation_results", "")
    names: dict[str, Any] = {}
    exec(compile(text, str(source), "exec"), names)
    short = ("iwrite", "rewrite", "iread", "reread", "randrd", "randwr", "bkwdrd")
    short += ("recrewr", "striderd", "fwrite", "frewrite", "fread", "freread")
    named = dict(zip(short, OPERATIONS, strict=True))

    def read(path: Path) -> Numbers:
        columns = names["ParseIozone"]([str(path)]).columns
        return Counter(
            (named[name], file, record, round(value * 1024))
            for (file, record, name), values in columns.items()
            for value in values
            if value is not None
        )

    return read


def avocado(peers: Path) -> Reader:
    """avocado-vt's, which was autotest's."""
    source = peers / "avocado-vt" / "virttest" / "postprocess_iozone.py"
    analyzer = taken(source, "IOzoneAnalyzer", {})

    def read(path: Path) -> Numbers:
        with path.open() as file:
            rows = analyzer.parse_file(None, file)
        return Counter(
            (operation, row[0], row[1], value)
            for row in rows
            for operation, value in zip(OPERATIONS, row[2:], strict=True)
        )

    return read


def iograph(peers: Path) -> Reader:
    (source,) = peers.glob("**/IOGraph/__main__.py")
    args = type("Args", (), {"mute": True})
    report_data = taken(source, "ReportData", {"xlrd": xlrd, "np": np, "args": args})
    line_up = taken(source, "LineUp", {})
    traced = taken(source, "reportTrace", {"LineUp": line_up})

    def read(path: Path) -> Numbers:
        found: Numbers = Counter()
        for report in report_data(str(path))[0]:
            name = NAMES.get(str(report[0]).lower().removesuffix(" report").strip())
            traces, *_ = traced(report)
            for file, record, value in (point for line in traces for point in line):
                if name and record.strip():
                    sizes = (int(float(file)), int(float(record)))
                    found[name, *sizes, round(float(value))] += 1
        return found

    return read


def spreadsheet(_: Path) -> Reader:
    """pandas.read_excel, and below each title the first row as the record sizes."""

    def read(path: Path) -> Numbers:
        cells = pd.read_excel(path, header=None, engine="xlrd")
        found: Numbers = Counter()
        name, records = None, []
        for label, *row in cells.itertuples(index=False):
            if isinstance(label, str):
                name, records = NAMES.get(label.lower().removesuffix(" report")), []
            elif name and not records:
                records = row
            elif name and label == label:
                for record, value in zip(records, row, strict=True):
                    if value == value and record == record:
                        found[name, int(label), int(record), round(value)] += 1
        return found

    return read


def fio_plot(peers: Path) -> Reader:
    # its own folder: the package asks for matplotlib
    sys.path.append(str(peers / "fio-plot" / "fio_plot"))
    from fiolib.jsonparsing import parse_json_data

    def read(path: Path) -> Numbers:
        found: Numbers = Counter()
        record = json.loads(path.read_text())
        for way in ("read", "write"):
            settings = {"rw": "rw", "filter": [way], "compare_graph": False}
            (told,) = parse_json_data(settings, [{"rawdata": [record]}])
            for row in told["data"]:
                if row["iops"]:
                    found["iops", way, round(row["iops"])] += 1
                    found["bw", way, round(row["bw"])] += 1
                    found["lat", way, round(row["lat"])] += 1
        return found

    return read


# What fsviz reads, in the same terms.

_PRINTED = {"throughput": 1 / 1024, "rate": 1.0, "latency": 1e6}


def ours_of_iozone(path: Path) -> Numbers:
    rows = fsviz.read(path)
    rows = rows[rows["metric"].isin(list(_PRINTED)) & (rows["threads"] == 1)]
    scale = rows["metric"].map(_PRINTED).astype(float)
    printed = (rows["value"] * scale).round().astype(int)
    sizes = [rows[n] // 1024 for n in ("file_size_bytes", "record_size_bytes")]
    named = rows["operation"].astype(str)
    return Counter(zip(named, *sizes, printed, strict=True))


def ours_of_fio(path: Path) -> Numbers:
    rows = fsviz.read(path)
    # fio cuts KiB/s off, and prints B/s too
    scaled = {
        "throughput": ("bw", lambda value: int(value / 1024)),
        "rate": ("iops", round),
        "latency": ("lat", lambda value: round(value * 1e9)),
    }
    return Counter(
        (scaled[metric][0], "write" if "write" in operation else "read", printed)
        for operation, metric, value in plain_rows(
            rows, ["operation", "metric", "value"]
        )
        if metric in scaled
        for printed in [scaled[metric][1](value)]
    )


class Kind(NamedTuple):
    """Files of one kind: what stands in them, and who reads them."""

    title: str
    suffixes: tuple[str, ...]
    truth: Reader
    ours: Reader
    others: dict[str, Callable[[Path], Reader]]


KINDS = (
    Kind(
        "IOzone, tables in texts",
        (".txt", ".log", ".out", ".md"),
        printed_in_table,
        ours_of_iozone,
        {"iozone-results-comparator": comparator, "avocado-vt": avocado},
    ),
    Kind(
        "IOzone, workbooks",
        (".xls", ".wks"),
        printed_in_sheet,
        ours_of_iozone,
        {"IOGraph": iograph, "pandas.read_excel": spreadsheet},
    ),
    Kind(
        "fio, JSON",
        (".json",),
        printed_by_fio,
        ours_of_fio,
        {"fio-plot": fio_plot},
    ),
)


def files_of(kind: Kind, folder: Path) -> Iterator[Path]:
    """List the files of a kind in which any number stands."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in kind.suffixes and kind.truth(path):
            yield path


def result(read: Reader, path: Path) -> Numbers | None:
    """Read a file; None if the reader fails."""
    try:
        return read(path)
    except (Exception, SystemExit):  # whatever another's code raises
        return None


def seconds(read: Reader, paths: list[Path]) -> float:
    """Median time of reading some files."""
    taken_ = []
    for _ in range(ROUNDS):
        start = time.process_time()
        for path in paths:
            read(path)
        taken_.append(time.process_time() - start)
    return statistics.median(taken_)


def split_and_convert(path: Path) -> None:
    for word in path.read_bytes().decode(errors="replace").split():
        try:
            float(word)
        except ValueError:
            continue


def open_workbook(path: Path) -> None:
    xlrd.open_workbook(file_contents=path.read_bytes(), logfile=io.StringIO())


YARDSTICKS = {".xls": open_workbook, ".json": lambda path: json.loads(path.read_text())}


def report(name: str, read: Reader, kind: Kind, paths: list[Path]) -> bool:
    """Print what a reader gets right; say whether nothing is wrong."""
    whole = right = wrong = 0
    good, partial = [], []
    for path in paths:
        truth, found = kind.truth(path), result(read, path)
        whole += truth.total()
        right += (truth & found).total() if found else 0
        wrong += (found - truth).total() if found else 0
        if found is not None:
            good.append(path)
        if found is None or truth - found:
            partial.append(path.name)
    yardstick = YARDSTICKS.get(kind.suffixes[0], split_and_convert)
    ratio = seconds(read, good) / seconds(yardstick, good) if good else float("nan")
    print(
        f"  {name:26} {right:7,} right {wrong:6,} wrong {whole - right:6,} missing "
        f"fails on {len(paths) - len(good):2}  {ratio:6.1f} ×"
    )
    if name == "fsviz" and partial:
        print(f"    {'not in full: ' + ', '.join(partial)}")
    return not wrong


def compare(kind: Kind, paths: list[Path], peers: Path) -> bool:
    """Let all readers of a kind read some files; say whether fsviz is right."""
    is_right = report("fsviz", kind.ours, kind, paths)
    for name, make in kind.others.items():
        try:
            read = make(peers)
        except (OSError, ValueError, ImportError) as error:
            print(f"  {name:26} not here: {error}")
        else:
            report(name, read, kind, paths)
    return is_right


def main() -> None:
    warnings.simplefilter("ignore")
    peers = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "peers"
    shared = ROOT.parent / "shared"
    given = [Path(name) for name in sys.argv[2:]]
    is_right = True
    for folder in given or [shared / "corpus", ROOT / "data"]:
        for kind in KINDS:
            if paths := list(files_of(kind, folder)):
                print(f"{folder}: {kind.title}, {len(paths)} files")
                is_right &= compare(kind, paths, peers)
    if not is_right:
        raise SystemExit("fsviz reads a number wrong")


if __name__ == "__main__":
    main()
