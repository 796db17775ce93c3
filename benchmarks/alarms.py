"""What `fsviz check` says of real outputs that nobody made for it.

Each file is a campaign of its own; then all files of a folder are systems of one
campaign, so that the rules about comparisons have something to look at; then the
campaigns of this repository. Of files alone no facts are known, so rules that need
one (RAM, link) only say so, and that is not counted.

For each rule and severity: in how many files it fires, and how often. A person judges
them, with the first N of a rule shown:

python benchmarks/alarms.py [--show RULE N] [--severity error]
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from fsviz.checks import RULES, check
from fsviz.checks.findings import SEVERITIES
from fsviz.model.campaign import Campaign
from fsviz.model.errors import FsvizError
from fsviz.store.load import load

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
FOLDERS = ("samples", "corpus")
CAMPAIGNS = ("data/raw", "data/published", "data/lessons")
LARGEST = 5_000_000


def files() -> Iterator[Path]:
    """Files that may be outputs; names that labels cannot hold are left out."""
    for name in FOLDERS:
        folder = SHARED / name
        if not folder.is_dir():
            print(f"{folder}: absent, left out")
            continue
        for path in sorted(folder.rglob("*")):
            small = path.is_file() and path.stat().st_size < LARGEST
            if small and not set("=,") & set(str(path)):
                yield path


def alone(paths: list[Path]) -> Iterator[tuple[str, Campaign]]:
    """Load each file as its own campaign."""
    for path in paths:
        try:
            yield str(path.relative_to(SHARED)), load([f"a={path}"])
        except FsvizError:
            continue


def together(paths: list[Path]) -> Iterator[tuple[str, Campaign]]:
    """Load the files of each folder as systems; forms of one run have one name."""
    for folder in sorted({path.parent for path in paths}):
        systems: dict[str, list[str]] = {}
        for path in paths:
            if path.parent == folder:
                systems.setdefault(path.name.partition(".")[0], []).append(str(path))
        sources = [f"{name}={','.join(own)}" for name, own in systems.items()]
        try:
            yield f"{folder.relative_to(SHARED)} together", load(sources)
        except FsvizError as error:
            print(f"{folder.relative_to(SHARED)} together: {error}")


def campaigns() -> Iterator[tuple[str, Campaign]]:
    """Load the campaigns of this repository."""
    for name in CAMPAIGNS:
        for folder in sorted((ROOT / name).iterdir()):
            if folder.is_dir():
                yield str(folder.relative_to(ROOT)), load(folder)


def tell(title: str, loaded: Iterator[tuple[str, Campaign]], wanted: "Wanted") -> None:
    """Check campaigns; print what was asked for, and the table."""
    inputs, firings, number, tools = Counter(), Counter(), 0, Counter()
    shown = wanted.number
    for name, campaign in loaded:
        number += 1
        tools.update(set(campaign.runs["tool"]))
        found = check(campaign)
        found = found.loc[found["fact"] == ""]
        keys = list(zip(found["rule"], found["severity"], strict=True))
        firings.update(keys)
        inputs.update(set(keys))
        for row in found.to_dict("records"):
            if shown and wanted.takes(row):
                shown -= 1
                print(f"\n{name}  [{row['rule']}, {row['severity']}, {row['system']}]")
                print(f"  {row['message']}\n  seen: {row['evidence']}")
                print(f"  do: {row['advice']}")
    known = ", ".join(f"{n} with {tool}" for tool, n in sorted(tools.items()))
    print(f"\n{title}: {number} ({known})\n")
    print(f"{'rule':<26}{'severity':<10}{'inputs':>7}{'firings':>9}")
    for rule in RULES:
        for severity in SEVERITIES:
            if inputs[rule.name, severity]:
                count, times = inputs[rule.name, severity], firings[rule.name, severity]
                print(f"{rule.name:<26}{severity:<10}{count:>7}{times:>9}")


class Wanted:
    """Which firings to show, and how many."""

    def __init__(self, rule: str, number: str, severity: str | None) -> None:
        self.rule, self.number, self.severity = rule, int(number), severity

    def takes(self, row: dict[str, str]) -> bool:
        """Say whether a finding is one of them."""
        severe = self.severity in (None, row["severity"])
        return row["rule"] == self.rule and severe


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--show", nargs=2, metavar=("RULE", "N"), default=("", "0"))
    parser.add_argument("--severity", choices=SEVERITIES)
    asked = parser.parse_args()
    wanted = Wanted(*asked.show, asked.severity)
    paths = list(files())
    tell("Files alone", alone(paths), wanted)
    tell("Folders together", together(paths), wanted)
    tell("Campaigns", campaigns(), wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
