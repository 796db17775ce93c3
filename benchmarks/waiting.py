"""What a person waits for at a command, as multiples of `python -c 'import pandas'`.

Everything is run as a person runs it, in a process of its own and in turns with the
yardstick; medians of several. The last is the PDF of one page, in seconds.

python benchmarks/waiting.py [ROUNDS]
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _goals import Figure, judge

from fsviz.figures.browser import print_page

ROOT = Path(__file__).resolve().parent.parent
FSVIZ = str(Path(sys.executable).with_name("fsviz"))
PANDAS = [sys.executable, "-c", "import pandas"]
RAW = ROOT / "data" / "raw"
ONEHOST, LOOPBACK = str(RAW / "onehost-2026"), str(RAW / "loopback-2026")
RSYNC = str(RAW / "loopback-2026" / "rsync")
ROUNDS = 5
PDF = 6.0
"""Seconds."""


def commands(folder: Path) -> dict[str, tuple[float, list[str]]]:
    """List commands with the most that each may take [imports of pandas]."""
    picture = str(folder / "x.png")
    plot = ["plot", ONEHOST, "-o", picture, "--kind"]
    return {
        "fsviz --help": (0.4, ["--help"]),
        "fsviz summary onehost-2026": (2.0, ["summary", ONEHOST]),
        "fsviz check onehost-2026": (2.4, ["check", ONEHOST]),
        "fsviz compare onehost-2026": (2.4, ["compare", ONEHOST]),
        "fsviz compare loopback-2026": (4.5, ["compare", LOOPBACK]),
        "fsviz plot, two surfaces as PNG": (7.5, [*plot, "explorer"]),
        "fsviz plot, a heatmap as PNG": (5.0, [*plot, "maps"]),
        "fsviz report of what is up to date": (1.5, report(folder)),
    }


def report(folder: Path) -> list[str]:
    """Report one page, which needs no other file."""
    one = ["--template", "rsync", "--standalone"]
    return ["report", RSYNC, *one, "-o", str(folder / "reports")]


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    return time.perf_counter() - start


def printing(folder: Path) -> float:
    """Print the one page of a report as PDF [s]."""
    page = next((folder / "reports").glob("*/rsync.html")).read_text(encoding="utf-8")
    start = time.perf_counter()
    print_page(page)
    return time.perf_counter() - start


def main() -> int:
    """Print the ratios; fail if one is above its goal."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seconds([FSVIZ, *report(folder)])
        listed = commands(folder)
        taken: dict[str, list[float]] = {title: [] for title in ("", *listed)}
        for _ in range(rounds):
            taken[""].append(seconds(PANDAS))
            for title, (_, arguments) in listed.items():
                taken[title].append(seconds([FSVIZ, *arguments]))
        pdf = statistics.median(printing(folder) for _ in range(rounds))
    middle = {title: statistics.median(times) for title, times in taken.items()}
    print(f"import pandas: {middle['']:.3f} s; the medians below are multiples of it")
    ratios = [
        Figure(title, middle[title] / middle[""], most)
        for title, (most, _) in listed.items()
    ]
    return judge(*ratios, Figure("the PDF of a page [s]", pdf, PDF))


if __name__ == "__main__":
    sys.exit(main())
