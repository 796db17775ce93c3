"""A campaign of seconds: IOzone or bonnie++ if installed, else a recorded one."""

from __future__ import annotations

import html
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import fsviz
from exercises.orders import ORDER, read_order
from fsviz.campaigns.machine import Machine
from fsviz.campaigns.read import read
from fsviz.model.errors import FsvizError, printable
from fsviz.model.units import MIB, format_size
from fsviz.model.writing import write_file
from fsviz.store.load import load

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

RECORDED = "data/lessons/same-twice-2026"
IOZONE = ("iozone", "-a", "-c", "-e", "-i", "0", "-i", "1", "-n", "64k", "-g", "256k")
BONNIE = ("bonnie++", "-q", "-s", "32", "-r", "16", "-n", "0", "-f1")
"""Small on purpose: a run takes seconds, and most of its values are too short to print.
bonnie++ refuses a size below twice the memory that it is told, by -r."""
_NAMES = {"iozone": "IOzone", "bonnie++": "bonnie++"}
_PLACES = ("/usr/sbin", "/usr/local/sbin")
"""Where bonnie++ is, though the path of a user often ends before."""
_SECONDS = 60
"""After so long, one run of so little is not going to end."""
_DESCRIPTION = """\
title = "A trial: one disk, compared with itself"
baseline = "first"
[facts]
protocol = "local"
"""


@dataclass(frozen=True)
class Trial:
    """What a trial measured."""

    campaign: Campaign
    measured: bool
    note: str

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self.note)}</p>"


def run_trial(order: object = None) -> Trial:
    """Measure two folders of one disk, in a temporary directory."""
    names: tuple[str, ...] = ORDER
    remark = ""
    if order is not None:
        wanted = read_order(order)
        if isinstance(wanted, str):
            remark = f" The order is ours. Yours cannot run: {wanted}"
        else:
            names = wanted
    trial = _measured(names)
    return replace(trial, note=trial.note + remark) if trial.measured else trial


def measure_rounds(seconds: float) -> Iterator[Campaign]:
    """Measure two folders of one disk in rounds; the campaign after each of them."""
    if not seconds:
        return
    with tempfile.TemporaryDirectory(prefix="fsviz-trial-") as folder:
        mounts = {name: Path(folder) / name for name in dict.fromkeys(ORDER)}
        for mount in mounts.values():
            mount.mkdir()
        yield from fsviz.run(Path(folder) / "results", mounts, within=seconds)


def _measured(order: Sequence[str]) -> Trial:
    reasons = []
    for command in (IOZONE, BONNIE):
        program = _find(command[0])
        if program is None:
            reasons.append(f"{_NAMES[command[0]]} is not installed here")
            continue
        try:
            with tempfile.TemporaryDirectory(prefix="fsviz-trial-") as folder:
                _measure(Path(folder), order, (program, *command[1:]))
                campaign = load(Path(folder) / "results")
                _expect_a_comparison(campaign.measurements)
        except (OSError, subprocess.SubprocessError, FsvizError) as error:
            said = printable(str(error))
            reasons.append(f"{_NAMES[command[0]]} did not work here ({said})")
        else:
            note = f"Measured just now, {len(campaign.runs)} runs: {' '.join(command)}"
            return Trial(campaign, True, f"{note}, each in a folder of its own.")
    return _recorded(" and ".join(reasons))


def _find(program: str) -> str | None:
    places = os.pathsep.join((os.environ.get("PATH", ""), *_PLACES))
    return shutil.which(program, path=places)


def _recorded(reason: str) -> Trial:
    campaign = load(RECORDED)
    return Trial(
        campaign,
        False,
        f"{reason}, so these are {len(campaign.runs)} recorded "
        f"runs of IOzone ({RECORDED}).",
    )


def _measure(folder: Path, order: Sequence[str], command: Sequence[str]) -> None:
    results = folder / "results"
    for number, name in enumerate(order, 1):
        for place in (folder / "disk" / name, results / name):
            place.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [*command, *_target(command, folder / "disk" / name)],
            cwd=folder,
            capture_output=True,
            check=True,
            timeout=_SECONDS,
        )
        result = results / name / f"run{number}.txt"
        write_file(result, done.stdout)
        if number == 1:
            # the first run tells for all whether the machine is too quick
            _expect_a_comparison(read(result))
    description = _describe(order, command)
    write_file(results / "campaign.toml", description)


def _expect_a_comparison(table: pd.DataFrame) -> None:
    """Refuse runs without a common throughput: bonnie++ prints no quick one."""
    printed = table[(table["metric"] == "throughput") & table["value"].notna()]
    in_runs = printed.groupby("operation", observed=True)["run"].nunique()
    if not (in_runs == table["run"].nunique()).any():
        raise FsvizError(
            "it printed no throughput, because everything it did was too quick"
        )


def _target(command: Sequence[str], place: Path) -> list[str]:
    """Return the options that name the place to test."""
    if _is_iozone(command):
        return ["-f", os.fspath(place / "testfile")]
    # bonnie++ refuses to run as root unless told to
    user = ["-u", "root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return ["-d", os.fspath(place), *user]


def _is_iozone(command: Sequence[str]) -> bool:
    return Path(command[0]).name == IOZONE[0]


def _describe(order: Sequence[str], command: Sequence[str]) -> str:
    description = _DESCRIPTION
    if ram := memory():
        description += f'client_ram = "{ram // MIB} MiB"\n'
    if _is_iozone(command):
        description += 'durability = "sync"\n'  # by -e and -c
    for name in dict.fromkeys(order):
        description += f'[[system]]\nname = "{name}"\n'
    return description


def this_machine() -> pd.DataFrame:
    """Return what a plan needs to know about this machine."""
    import pandas as pd

    ram = memory()
    folder = tempfile.gettempdir()
    tools = [t for t in ("iozone", "bonnie++", "rsync", "fio") if _find(t)]
    rows = {
        "memory": format_size(ram) if ram else "not told",
        f"free space in {folder}": format_size(free_space()),
        "processors": str(os.cpu_count() or "not told"),
        "tools": ", ".join(tools) or "none of iozone, bonnie++, rsync, fio",
    }
    return pd.DataFrame({"fact": list(rows), "value": list(rows.values())})


def free_space() -> int:
    """Return the free space in the temporary directory [B]."""
    return shutil.disk_usage(tempfile.gettempdir()).free


def memory() -> int | None:
    """Return the memory that may be used here [B]; None if unknown."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        whole = None
    return Machine().memory() or whole
