"""Real outputs, as they are or minimally altered, as campaigns for the rules."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import samples

from fsviz.checks import check
from fsviz.model.campaign import Campaign
from fsviz.store.load import load

ROOT = Path(__file__).resolve().parent.parent.parent
LOOPBACK = ROOT / "data/raw/loopback-2026"
ONEHOST = ROOT / "data/raw/onehost-2026"

NFS = 'protocol = "nfs"\nclient_ram = "64 MiB"\nlink = "1 Gbit/s"\nmtu = "1500"\n'
LOCAL = 'protocol = "local"\nclient_ram = "64 MiB"\n'
WRITE, READ = 33, 51
"""Right edges of two columns."""

loaded = samples.loaded


def build(folder: Path, files: dict[str, str], toml: str = "") -> Campaign:
    """Write files (and campaign.toml) into a folder and load it."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    if toml:
        (folder / "campaign.toml").write_text(toml)
    return load(folder)


def iozone(system: str = "nfs-v4.1", repeat: int = 1, campaign: Path = LOOPBACK) -> str:
    """The text of a real IOzone run."""
    return (campaign / f"iozone/{system}/rep{repeat}.txt").read_text()


def repeats(system: str, n: int, campaign: Path = ONEHOST) -> dict[str, str]:
    """Real runs of a system under the names that a campaign folder has."""
    return {
        f"{system}/rep{i}.txt": iozone(system, i, campaign) for i in range(1, n + 1)
    }


def commanded(text: str, command: str) -> str:
    """The same output, as if IOzone had been started with another command line."""
    return re.sub(r"(?<=Command line used: ).*", lambda _: command, text)


def without(text: str, *lines: str) -> str:
    """The same output without some lines of the banner."""
    kept = [line for line in text.splitlines() if line.strip() not in lines]
    return "\n".join(kept) + "\n"


def findings(campaign: Campaign, rule: str, **thresholds: float) -> list[dict]:
    """The findings of one rule as records."""
    frame = check(campaign, select=[rule], thresholds=thresholds)
    return frame.to_dict("records")


def severities(campaign: Campaign, rule: str, **thresholds: float) -> list[str]:
    """The severities of one rule's findings, without "not checkable"."""
    return [
        row["severity"]
        for row in findings(campaign, rule, **thresholds)
        if not row["fact"]
    ]


def copy(campaign: Path, folder: Path, paths: Iterable[str], toml: str) -> Campaign:
    """Load some files of a sample campaign under another campaign.toml."""
    for name in paths:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(campaign / name, target)
    (folder / "campaign.toml").write_text(toml)
    return load(folder)


def one(
    folder: Path, text: str, facts: str = NFS, name: str = "a/rep1.txt"
) -> Campaign:
    """One run as a campaign with facts."""
    return build(folder, {name: text}, f"[facts]\n{facts}")


def two(
    folder: Path, first: str, second: str, toml: str = "", facts: str = LOCAL
) -> Campaign:
    """Two systems of one run each."""
    return build(folder, {"a/rep1.txt": first, "b/rep1.txt": second}, toml + facts)


def scaled(text: str, edge: int, factor: float, rows: str = r"\d+") -> str:
    """Multiply one column, named by its right edge, in the rows of some files [kB]."""
    lines = []
    for line in text.splitlines():
        if re.match(rf"\s*(?:{rows})\s+\d+\s+\d", line) and "kB" not in line:
            value = round(int(line[edge - 9 : edge]) * factor)
            lines.append(f"{line[: edge - 9]}{value:9d}{line[edge:]}")
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def sample(name: str) -> str:
    """The text of one of the real outputs beside the tests."""
    return (ROOT / "tests/data" / name).read_text()
