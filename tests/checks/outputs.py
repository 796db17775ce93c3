"""Real outputs, as they are or minimally altered, as campaigns for the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from campaigns_made import put

from fsviz.checks.engine import check
from fsviz.model.campaign import Campaign
from fsviz.store.load import load

ROOT = Path(__file__).resolve().parent.parent.parent
LOOPBACK = ROOT / "data/raw/loopback-2026"
ONEHOST = ROOT / "data/raw/onehost-2026"

NFS = 'protocol = "nfs"\nclient_ram = "64 MiB"\nlink = "1 Gbit/s"\nmtu = "1500"\n'
LOCAL = 'protocol = "local"\nclient_ram = "64 MiB"\n'


def build(folder: Path, files: dict[str, str], toml: str = "") -> Campaign:
    """Write files (and campaign.toml) into a folder and load it."""
    return load(put(folder, files | ({"campaign.toml": toml} if toml else {})))


def iozone(system: str = "nfs-v4.1", repeat: int = 1, campaign: Path = LOOPBACK) -> str:
    """The text of a real IOzone run."""
    return (campaign / f"iozone/{system}/rep{repeat}.txt").read_text()


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
    return build(folder, {name: (campaign / name).read_text() for name in paths}, toml)


def one(
    folder: Path, text: str, facts: str = NFS, name: str = "a/rep1.txt"
) -> Campaign:
    """One run as a campaign with facts."""
    return build(folder, {name: text}, f"[facts]\n{facts}")


def two(folder: Path, first: str, second: str, toml: str) -> Campaign:
    """Two systems of one run each."""
    return build(folder, {"a/rep1.txt": first, "b/rep1.txt": second}, toml + LOCAL)
