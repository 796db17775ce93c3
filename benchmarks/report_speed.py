"""Reports by `fsviz report` against a loop of papermill and nbconvert over the same.

The yardstick is what people do today, run beside it: for each campaign, the command
`papermill NOTEBOOK OUT -p source CAMPAIGN`, then `jupyter nbconvert --to html OUT`.

    python benchmarks/report_speed.py
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from _goals import Figure, judge

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
NOTEBOOK = ROOT / "notebooks" / "rsync.ipynb"
SAMPLE = ROOT / "data" / "raw" / "loopback-2026" / "rsync"
GOALS = {1: 0.40, 3: 0.25, 20: 0.12}
"""The most, by the number of reports."""


def campaigns(folder: Path, count: int) -> list[Path]:
    """Copies of a real rsync campaign, so that every report has its own input."""
    made = []
    for number in range(count):
        target = folder / f"campaign-{number:02}"
        shutil.copytree(SAMPLE, target)
        # a lone page per campaign: the comparison is another template
        made.append(target)
    return made


def loop(sources: list[Path], out: Path) -> float:
    """Seconds of papermill and nbconvert, one after the other."""
    start = time.perf_counter()
    for source in sources:
        executed = out / f"{source.name}.ipynb"
        run(BIN / "papermill", NOTEBOOK, executed, "-p", "source", source)
        run(BIN / "jupyter", "nbconvert", "--to", "html", executed)
    return time.perf_counter() - start


def batch(sources: list[Path], out: Path) -> tuple[float, float]:
    """Seconds of `fsviz report`, and its peak memory [MiB] with all its children."""
    start = time.perf_counter()
    program = [BIN / "fsviz", "report", *sources, "--template", "rsync", "-o", out]
    process = subprocess.Popen(
        list(map(str, program)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    peak = [0.0]
    watcher = threading.Thread(target=watch, args=(process, peak))
    watcher.start()
    if process.wait():
        raise SystemExit("fsviz report failed")
    seconds = time.perf_counter() - start
    watcher.join()
    return seconds, peak[0]


def watch(process: subprocess.Popen, peak: list[float]) -> None:
    """Sum the proportional memory of the process and everything below it."""
    while process.poll() is None:
        peak[0] = max(peak[0], sum(map(proportional, family(process.pid))))
        time.sleep(0.2)


def family(pid: int) -> list[int]:
    found = [pid]
    for parent in found:
        try:
            tasks = Path(f"/proc/{parent}/task").iterdir()
            for task in tasks:
                found += map(int, (task / "children").read_text().split())
        except OSError:
            continue
    return found


def proportional(pid: int) -> float:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0.0
    lines = [line for line in text.splitlines() if line.startswith("Pss:")]
    return int(lines[0].split()[1]) / 1024 if lines else 0.0


def run(*command: object) -> None:
    subprocess.run(
        list(map(str, command)),
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ,
    )


def main() -> int:
    """Print the ratios; 1 if one is above its goal."""
    figures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for n, most in GOALS.items():
            sources = campaigns(folder / f"in-{n}", n)
            (folder / f"loop-{n}").mkdir()
            ours, peak = batch(sources, folder / f"out-{n}")
            yardstick = loop(sources, folder / f"loop-{n}")
            print(f"{n}: {ours:.1f} s and {yardstick:.1f} s, peak {peak:.0f} MiB")
            title = f"{n} by fsviz report ÷ papermill and nbconvert"
            figures.append(Figure(title, ours / yardstick, most))
    return judge(*figures)


if __name__ == "__main__":
    sys.exit(main())
