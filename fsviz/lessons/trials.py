"""A campaign that takes seconds: IOzone where it is installed, else a recorded one."""

from __future__ import annotations

import html
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fsviz.campaign import load
from fsviz.errors import FsvizError, printable
from fsviz.units import format_size

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.campaign import Campaign

RECORDED = "data/lessons/same-twice-2026"
SYSTEMS = ("first", "second")
ORDER = ("first", "second", "second", "first", "first", "second", "second", "first")
"""Used while the learner has none."""
COMMAND = ("iozone", "-a", "-c", "-e", "-i", "0", "-i", "1", "-n", "64k", "-g", "256k")
_SECONDS = 60
"""After so long, one run of kilobytes is not going to end."""
_DESCRIPTION = """\
title = "A trial: one disk, compared with itself"
baseline = "first"
[facts]
protocol = "local"
durability = "sync"
client_ram = "{ram} MiB"
"""


@dataclass(frozen=True)
class Trial:
    """What a trial measured.

    Parameters
    ----------
    campaign : Campaign
    measured : bool
        Whether it was measured just now, rather than recorded elsewhere.
    note : str
        How it came about.
    """

    campaign: Campaign
    measured: bool
    note: str

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self.note)}</p>"


def run_trial(order: Sequence[str] | None = None) -> Trial:
    """Measure two folders of one disk with IOzone, in a temporary directory.

    Parameters
    ----------
    order : sequence of {'first', 'second'} or None
        Which folder each run tests; by default four runs of each, shuffled.

    Returns
    -------
    Trial
        A recorded one, if IOzone is not installed or does not work here.
    """
    if shutil.which(COMMAND[0]) is None:
        return _recorded("IOzone is not installed here")
    try:
        with tempfile.TemporaryDirectory(prefix="fsviz-trial-") as folder:
            _measure(Path(folder), order or ORDER)
            campaign = load(Path(folder) / "results")
    except (OSError, subprocess.SubprocessError, FsvizError) as error:
        return _recorded(f"IOzone did not work here ({printable(str(error))})")
    line = campaign.runs["command_line"].iloc[0]
    return Trial(
        campaign, True, f"Measured just now, {len(campaign.runs)} runs: {line}"
    )


def _recorded(reason: str) -> Trial:
    campaign = load(RECORDED)
    return Trial(
        campaign,
        False,
        f"{reason}, so these are {len(campaign.runs)} recorded runs ({RECORDED}).",
    )


def _measure(folder: Path, order: Sequence[str]) -> None:
    results = folder / "results"
    for number, name in enumerate(order, 1):
        for place in (folder / "disk" / name, results / name):
            place.mkdir(parents=True, exist_ok=True)
        file = folder / "disk" / name / "testfile"
        done = subprocess.run(
            [*COMMAND, "-f", os.fspath(file)],
            cwd=folder,
            capture_output=True,
            check=True,
            timeout=_SECONDS,
        )
        (results / name / f"run{number}.txt").write_bytes(done.stdout)
    ram = (memory() or 0) // 1024**2
    description = _DESCRIPTION.format(ram=ram)
    if not ram:
        description = description.rpartition("client_ram")[0]
    for name in dict.fromkeys(order):
        description += f'[[system]]\nname = "{name}"\n'
    (results / "campaign.toml").write_text(description, encoding="utf-8")


def planned(source: str) -> str:
    """Write the commands of ``fsviz check --plan``, folded, for a notebook.

    Parameters
    ----------
    source : str
        A folder with ``campaign.toml``.

    Returns
    -------
    str
        Markdown.
    """
    from fsviz.campaign_file import NAME, read_campaign_file
    from fsviz.checks.plan import write_plan
    from fsviz.sources import find

    script = write_plan(read_campaign_file(find(source) / NAME))
    return (
        f"<details><summary>{len(script.splitlines())} lines for sh</summary>\n\n"
        f"```sh\n{script.rstrip()}\n```\n\n</details>"
    )


def this_machine() -> pd.DataFrame:
    """Tell what a plan has to know about this machine.

    Returns
    -------
    DataFrame of str
        Memory, free space of the temporary directory, processors, and which of the
        tools that fsviz reads are installed.
    """
    import pandas as pd

    ram = memory()
    folder = tempfile.gettempdir()
    tools = [t for t in ("iozone", "bonnie++", "rsync", "fio") if shutil.which(t)]
    rows = {
        "memory": format_size(ram) if ram else "not told",
        f"free space in {folder}": format_size(shutil.disk_usage(folder).free),
        "processors": str(os.cpu_count() or "not told"),
        "tools": ", ".join(tools) or "none of iozone, bonnie++, rsync, fio",
    }
    return pd.DataFrame({"fact": list(rows), "value": list(rows.values())})


def memory() -> int | None:
    """Ask the system for its memory [B]; None where it does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
