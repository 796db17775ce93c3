"""How soon a figure is a picture: the second one and all that follow it.

The first starts a browser, the others find it warm. Every kind that a campaign of nine
systems has numbers for, as SVG, PDF and PNG; the largest is nine surfaces beside one
another. Goal: at most 3 s each.

python benchmarks/picture_speed.py [CAMPAIGN]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import fsviz
from fsviz.figures.export import save
from fsviz.figures.kinds import KINDS
from fsviz.figures.plot import plot
from fsviz.model.errors import UsageError

ROOT = Path(__file__).resolve().parent.parent
GOAL = 3.0
"""Seconds."""
FORMS = ("svg", "pdf", "png")


def seconds(figure, path: Path) -> float:
    began = time.perf_counter()
    save(figure, path)
    return time.perf_counter() - began


def main() -> int:
    """Print the seconds of each kind and form; fail if one is above the goal."""
    source = sys.argv[1] if len(sys.argv) > 1 else ROOT / "data/raw/loopback-2026"
    campaign = fsviz.load(source)
    largest, first = 0.0, True
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            try:
                figure = plot(campaign, kind)
            except UsageError as error:
                print(f"{kind:10} {error}")
                continue
            if first:
                print(f"the first  {seconds(figure, Path(folder) / 'first.svg'):.2f} s")
                first = False
            taken = {
                form: seconds(figure, Path(folder) / f"{kind}.{form}") for form in FORMS
            }
            print(f"{kind:10}", *(f"{form} {taken[form]:.2f} s" for form in FORMS))
            largest = max(largest, *taken.values())
    print(f"largest: {largest:.2f} s (goal {GOAL} s)")
    return int(largest > GOAL)


if __name__ == "__main__":
    sys.exit(main())
