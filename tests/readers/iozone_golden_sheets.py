"""Tables of IOzone's workbooks by the second route, and the bounds of what is printed.

BIFF2 is taken apart by hand; what LibreOffice saved is opened by openpyxl or csv.
"""

import csv
import math
import re

from iozone_second_route import NAMES, biff2_cells

WORKERS = {
    "initial write": "write",
    "rewrite": "rewrite",
    "read": "read",
    "re-read": "reread",
    "reverse read": "backward_read",
    "stride read": "stride_read",
    "random read": "random_read",
    "mixed workload": "mixed_workload",
    "random write": "random_write",
    "pwrite": "pwrite",
    "pread": "pread",
    "fwrite": "fwrite",
    "fread": "fread",
}
UNITS = {"throughput": 1024.0, "rate": 1.0, "latency": 1e-6}
NAN = math.nan


def metric_of(command):
    if re.search(r" -[a-zA-Z]*N\b", command):
        return "latency"
    return "rate" if re.search(r" -[a-zA-Z]*O\b", command) else "throughput"


def bounded(metric, number, file, record, resolution):
    """(value, low, high) of a printed whole number."""
    unit = UNITS[metric]
    low, high = number * unit, (number + 1) * unit
    if metric == "latency":
        return (low if number else NAN), low, high
    units = file if metric == "throughput" else file / record
    return low, low, NAN if number >= math.floor(units / resolution) - 1 else high


def sheets_of(path):
    """{(row, column): value} and the sheet's name; None for a CSV."""
    if path.suffix == ".csv":
        with path.open(newline="") as file:
            table = list(csv.reader(file))
        cells = {
            (r, c): float(v) if re.fullmatch(r"[\d.]+", v) else v
            for r, row in enumerate(table)
            for c, v in enumerate(row)
            if v
        }
        return cells, None
    if path.suffix == ".xlsx":
        import openpyxl

        sheet = openpyxl.load_workbook(path).worksheets[0]
        cells = {
            (c.row - 1, c.column - 1): c.value
            for row in sheet.iter_rows()
            for c in row
            if c.value is not None
        }
        return cells, sheet.title
    return biff2_cells(path.read_bytes()), "Sheet 1"


def sheet_rows(path):
    cells, title = sheets_of(path)
    texts = [v for v in cells.values() if isinstance(v, str)]
    command = next((t for t in texts if "iozone" in t and " -" in t), "")
    if any("Y-axis is type of test" in t for t in texts):
        return sheet_throughput(cells, title, command)
    metric, rows, name, header, shifted = metric_of(command), [], None, 0, set()
    noretest = "-+n" in command
    for row in range(max(r for r, _ in cells) + 1):
        label = cells.get((row, 0))
        if isinstance(label, str):
            match = re.match(
                r"([\w -]+?)( CPU utilization)? report", label, re.IGNORECASE
            )
            name = match and NAMES.get(match[1].lower())
            cpu, header = bool(match and match[2]), row + 1
        elif label is not None and name:
            for column in range(1, 30):
                value = cells.get((row, column))
                if value is None:
                    continue
                file, record = int(label), int(cells[header, column])
                if name in ("pwrite", "repwrite") and not value:
                    shifted.add(name)
                if cpu:
                    bounds = (value, value, value)
                else:
                    bounds = bounded(metric, int(value), file, record, 1e-6)
                place = f"{title}!{chr(ord('A') + column)}{row + 1}"
                place = place if title else f"line {row + 1}"
                if value or (metric == "latency" and not cpu and not noretest):
                    key = (name, file * 1024, record * 1024, 1, None)
                    rows.append(
                        (*key, "cpu" if cpu else metric, *map(float, bounds), place)
                    )
    lost = {"pwrite", "repwrite", "pread", "repread"} if shifted else set()
    return [row for row in rows if row[0] not in lost]


def process_counts(command):
    threads = [int(t) for t in re.findall(r"-t *(\d+)", command)]
    low, high = re.search(r"-l *(\d+)", command), re.search(r"-u *(\d+)", command)
    if not threads:
        low = int(low[1]) if low else 1
        threads = list(range(low, int(high[1]) + 1 if high else low + 1))
    return threads


def label_of(cells, row):
    texts = [v for (r, _), v in cells.items() if r == row and isinstance(v, str)]
    return texts[0] if texts else ""


def sheet_throughput(cells, title, command):
    threads = process_counts(command)
    size = re.search(r"-s *(\d+)([kmg]?)", command)
    file = int(size[1]) * {"": 1024, "k": 1024, "m": 1024**2, "g": 1024**3}[size[2]]
    rows, record, unit, names, cpu, at = [], None, "throughput", [], False, 0
    for row in range(max(r for r, _ in cells) + 1):
        label = label_of(cells, row)
        if "Y-axis" in label:
            cpu, at = label.startswith("CPU"), 0
        elif match := re.match(r"Record size = (\d+)", label):
            record = int(match[1]) * 1024
        elif "ops/sec" in label:
            unit = "rate"
        values = [
            (c, v)
            for (r, c), v in sorted(cells.items())
            if r == row and not isinstance(v, str)
        ]
        if not values:
            continue
        if not cpu:
            names.append(WORKERS.get(label.strip().lower()))
        name = names[at] if cpu else names[-1]
        at += cpu
        for count, (column, value) in zip(threads, values, strict=True):
            if name and value:
                scaled = value * (1024 if unit == "throughput" and not cpu else 1)
                key = (name, file, record, count, None, "cpu" if cpu else unit)
                place = f"{title}!{chr(ord('A') + column)}{row + 1}"
                rows.append((*key, scaled, scaled, scaled, place))
    return rows
