"""Keys of the four sessions: pictures, where from, chance, one number and a plan."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import TYPE_CHECKING

from exercises.commands import hint_on_order, hint_on_path, hint_on_repair, hint_on_run
from exercises.recorded import DIFFERENCE, pair_scatter
from exercises.verdicts import Exercise
from fsviz.analysis.answers import ALPHA
from fsviz.analysis.grids import make_grid
from fsviz.analysis.power import runs_for
from fsviz.analysis.regimes import cliffs, memory_of
from fsviz.model import facts
from fsviz.model.units import KIB, MIB
from fsviz.readers.iozone.options import parse_options

if TYPE_CHECKING:
    from pandas import DataFrame, Series

    from fsviz.model.campaign import Campaign

NFS, SMB = "nfs-v4.1", "smb-3.1.1"
PAIR = ["ext4", "xfs"]
TOO_SHORT = 512 * KIB
"""The largest file that XFS wrote in too short a time."""


def _cell(at: Campaign, system: str, operation: str, file: int, record: int) -> Series:
    """Return the throughput of one cell, one value a run [B/s]."""
    table = at.select(tool="iozone", systems=system, operations=operation).measurements
    here = (table["file_size_bytes"] == file) & (table["record_size_bytes"] == record)
    return table.loc[here & (table["metric"] == "throughput"), "value"]


# Session one: pictures


def dip(campaign: Campaign) -> Exercise:
    """Ask which records are slower than both neighbours in large files [MiB]."""
    grid = make_grid(campaign, system="xfs", operation="write").mean
    among = grid.loc[grid.index >= 64 * MIB].dropna(axis="columns")
    beside = (among.shift(1, axis=1) * among.shift(-1, axis=1)) ** 0.5
    depth = (among / beside).median().dropna()
    record = int(depth.idxmin())
    runs = _cell(campaign, "xfs", "write", 128 * MIB, record) / MIB
    slips = {"kib": record / KIB, "bytes": record, "last": among.columns[-1] / MIB}
    slips["file"] = [size / MIB for size in among.index]
    ends = {"depth": depth.min(), "low": runs.min(), "high": runs.max(), "n": len(runs)}
    return Exercise(record / MIB, slips=slips, numbers=ends)


def left_out(campaign: Campaign) -> Exercise:
    """Ask how many possible cells were not measured."""
    grid = make_grid(campaign, system="xfs", operation="write").mean
    empty = [(r > f) for f, row in grid.iterrows() for r, v in row.items() if v != v]
    impossible, places = sum(empty), grid.size
    right = len(empty) - impossible
    hatched = int(grid.loc[grid.index <= TOO_SHORT].notna().sum().sum())
    slips = {"empty": len(empty), "impossible": impossible, "places": places, "none": 0}
    slips |= {"measured": places - len(empty), "near": [right - 1, right + 1]}
    slips["hatched"] = [hatched, hatched + right]
    return Exercise(right, slips=slips)


# Session two: where from


def last_size_in_cache(campaign: Campaign) -> Exercise:
    """Ask for the last file size before random writes fall [MiB]."""
    steep = cliffs(campaign)
    here = (steep["operation"] == "random_write") & (steep["system"] == "xfs")
    row = steep.loc[here & (steep["tool"] == "iozone")].iloc[0]
    before, after = int(row["file_size_bytes"]), int(row["next_size_bytes"])
    memory = memory_of(campaign)["xfs"]
    slips = {"after": after / MIB, "bytes": before, "kib": before / KIB}
    slips |= {"before": before / 2 / MIB, "late": 2 * after / MIB}
    numbers = {"fall": row["fall"], "memory": memory / MIB}
    return Exercise(before / MIB, slips=slips, numbers=numbers)


def _link(campaign: Campaign) -> tuple[float, float]:
    system = facts.systems_of(campaign.systems)[NFS]
    return system.link or 0.0, system.mtu or facts.MTU


def payload(campaign: Campaign) -> Exercise:
    """Ask what the link can carry [MiB/s]."""
    link, mtu = _link(campaign)
    share, data = facts.payload_share(mtu), facts.data_of_packet(mtu)
    slips = {"headers": link / MIB, "mb_headers": link / 1e6, "mb": link * share / 1e6}
    bits = [link * 8 / 1e6, link * 8 * share / 1e6]
    slips |= {"frame": link * data / mtu / MIB, "gibit": link * share * 1.024**3 / MIB}
    numbers = {"wire": facts.bytes_on_wire(mtu), "data": data}
    return Exercise(link * share / MIB, slips=slips | {"bits": bits}, numbers=numbers)


def over_the_wire(campaign: Campaign) -> Exercise:
    """Ask which operations have cells above the payload of the link."""
    link, mtu = _link(campaign)
    table = campaign.select(tool="iozone", systems=NFS).measurements
    table = table[table["metric"] == "throughput"].astype({"operation": str})
    place = ["operation", "file_size_bytes", "record_size_bytes"]
    means = table.groupby(place)["value"].mean()
    above = means[means > link * facts.payload_share(mtu)]
    names = frozenset(above.index.get_level_values("operation"))
    every = list(table["operation"].unique())
    slips = {
        "read": frozenset({"read"}),
        "reread": frozenset({"reread"}),
        "random": names | {"random_read"},
        "writes": frozenset(n for n in every if "write" in n),
    }
    numbers = {"cells": len(above), "every": len(means), "top": above.max() / MIB}
    return Exercise(names, known=every, slips=slips, numbers=numbers)


def _medium(campaign: Campaign, **sizes: str) -> Series:
    """Return the row of medium reads, SMB against NFS."""
    pair = campaign.select(tool="iozone", operations="read", systems=[NFS, SMB])
    return pair.compare(NFS, **sizes).by("bucket").set_index("bucket").loc["medium"]


def without_memory(campaign: Campaign) -> Exercise:
    """Ask for the ratio without the cells whose data came from memory."""
    part, every = _medium(campaign), _medium(campaign, sizes="all")
    right = float(part["ratio"])
    slips = {
        "all": every["ratio"],
        "time": part["total_time_ratio"],
        "means": part["mean_ratio"],
    }
    numbers = {k: part[k] for k in ("ci_low", "ci_high", "cells")}
    numbers |= {"every": every["cells"]}
    return Exercise(right, slips=slips, numbers=numbers)


def where_it_wrote(campaign: Campaign) -> Exercise:
    """Ask for the path of the file that IOzone tested."""
    line = _meant(campaign)
    given = parse_options(line).operands[0]
    folder = str(campaign.systems.set_index("system").loc["disk", "mount_point"])
    right = posixpath.join(folder, "iozone.tmp")
    numbers = {"line": line, "folder": folder, "given": given, "path": right}
    judged = lambda answer: hint_on_path(answer, right, given)  # noqa: E731
    return Exercise(judged, example=right, numbers=numbers)


def repair(campaign: Campaign) -> Exercise:
    """Ask for a command line that measures what was meant."""
    line = _meant(campaign)
    before = parse_options(line)
    mount = before.operands[0]
    repaired = f"{line.rsplit(' ', 1)[0]} -f {mount}/testfile"
    judged = lambda answer: hint_on_repair(answer, before, mount)  # noqa: E731
    return Exercise(judged, example=repaired, numbers={"repaired": repaired})


def _meant(campaign: Campaign) -> str:
    runs = campaign.runs.set_index("system")["command_line"]
    return str(runs.loc[["ramdisk"]].iloc[0])


# Session three: chance


def half_width(campaign: Campaign) -> Exercise:
    """Ask for the half-width of the interval of one cell's mean [MiB/s]."""
    from numpy import exp, log, sinh
    from scipy import stats

    runs = _cell(campaign, "nfs-v4.2", "write", MIB, 64 * KIB) / MIB
    n, spread = len(runs), float(runs.std())
    error = spread / n**0.5
    logs = log(runs)
    drawn = exp(logs.mean()) * sinh(stats.t.ppf(0.975, n - 1) * logs.std() / n**0.5)
    factor = {k: float(stats.t.ppf(0.975, k - 1)) for k in (n - 1, n, n + 1)}
    right = factor[n] * error
    slips = {
        "normal": 1.96 * error,
        "no_root": factor[n] * spread,
        "spread": spread,
        "error": error,
        "twice": 2 * right,
        "factor": [factor[n - 1] * error, factor[n + 1] * error],
        "by_n": right / n**0.5,
        "n_less_one": right * (n / (n - 1)) ** 0.5,
        "divides_by_n": right * ((n - 1) / n) ** 0.5,
        "drawn": drawn,
    }
    numbers = {"n": n, "t": factor[n], "mean": runs.mean()}
    return Exercise(right, slips=slips, numbers=numbers)


def _tested(campaign: Campaign, candidate: str) -> DataFrame:
    cells = campaign.select(tool="iozone").compare(NFS).cells
    return cells.loc[cells["p_value"].notna() & (cells["candidate"] == candidate)]


def by_chance(campaign: Campaign) -> Exercise:
    """Ask how many cells would look different by chance."""
    cells = _tested(campaign, "nfs-v4.2")
    alarms = int((cells["p_value"] < ALPHA).sum())
    slips = {"tests": len(cells), "alarms": alarms, "none": 0, "one": ALPHA}
    slips["divided"] = len(cells) / ALPHA
    return Exercise(len(cells) * ALPHA, slips=slips)


def survivors(campaign: Campaign) -> Exercise:
    """Ask how many cells remain different after accounting for many tests."""
    cells = _tested(campaign, "nfs-v3")
    right = int((cells["q_value"] < ALPHA).sum())
    alone = int((cells["p_value"] < ALPHA).sum())
    slips = {"alone": alone, "others": len(cells) - right, "all": len(cells), "none": 0}
    return Exercise(right, slips=slips)


def _runs(campaign: Campaign, ratio: float, slips: dict) -> Exercise:
    """Ask for rounds; a scatter that was rounded up may need a few more."""
    scatter = pair_scatter(campaign, PAIR)
    right, more = (runs_for(k * scatter, ratio, rounds=True) for k in (1, 1.03))
    lehr = 8 * (scatter / (ratio - 1)) ** 2
    slips["slower"] = runs_for(scatter, 2 - ratio, rounds=True)
    slips |= {"thumb": [int(lehr), int(lehr) + 1], "both": 2 * right}
    numbers = {"percent": 100 * scatter, "lehr": lehr}
    return Exercise(right, slips=slips, also=range(right, more + 1), numbers=numbers)


def runs_for_five(campaign: Campaign) -> Exercise:
    """Ask how many rounds find a difference of 5 %."""
    unpaired = runs_for(pair_scatter(campaign, PAIR), DIFFERENCE)
    return _runs(campaign, DIFFERENCE, {"no_rounds": unpaired})


def half_the_difference(campaign: Campaign) -> Exercise:
    """Ask how many rounds find half the difference."""
    five = runs_for(pair_scatter(campaign, PAIR), DIFFERENCE, rounds=True)
    return _runs(campaign, 1.025, {"five": five, "twice": 2 * five, "four": 4 * five})


# Session four: one number, and a plan


def two_cells(campaign: Campaign) -> Exercise:
    """Ask for the geometric mean of the ratios of two cells."""
    (a, b), (c, d) = (
        [_cell(campaign, s, "read", 4 * MIB, r).mean() for r in (64 * KIB, 4 * MIB)]
        for s in (NFS, SMB)
    )
    right = (c / a * d / b) ** 0.5
    slips = {
        "arithmetic": (c / a + d / b) / 2,
        "means": (c + d) / (a + b),
        "time": (1 / a + 1 / b) / (1 / c + 1 / d),
        "inverse": 1 / right,
        "product": right**2,
        "single": [c / a, d / b],
        "one": 1,
    }
    numbers = {"first": c / a, "second": d / b, "right": f"{right:.4f}"}
    return Exercise(right, slips=slips, numbers=numbers)


def which_mean(campaign: Campaign) -> Exercise:
    """Ask which number answers a question about time."""
    row = _medium(campaign, sizes="all")
    slips = {"ratio": "ratio", "mean_ratio": "mean_ratio"}
    means = ("total_time_ratio", *slips)
    numbers = {f"value_{name}": row[name] for name in means}
    return Exercise("total_time_ratio", known=means, slips=slips, numbers=numbers)


def good_order(_: Campaign) -> Exercise:
    """Ask for an order of runs that gives neither system an advantage in time."""
    example = ["first", "second", "second", "first", "first", "second"]
    return Exercise(hint_on_order, example=example)


def run_command(_: Campaign) -> Exercise:
    """Ask for the command that plans and measures two mounts."""
    example = "fsviz run lab nfs=/mnt/nfs smb=/mnt/smb --within 2h"
    return Exercise(hint_on_run, example=example, numbers={"example": example})


SYSTEMS: dict[Callable[[Campaign], Exercise], tuple[str, ...]] = {
    **dict.fromkeys((dip, left_out, last_size_in_cache), ("xfs",)),
    **dict.fromkeys((payload, over_the_wire), (NFS,)),
    without_memory: (NFS, SMB),
    **dict.fromkeys((where_it_wrote, repair), ("disk", "ramdisk")),
    half_width: ("nfs-v4.2",),
    by_chance: (NFS, "nfs-v4.2"),
    survivors: (NFS, "nfs-v3"),
    **dict.fromkeys((runs_for_five, half_the_difference), tuple(PAIR)),
    **dict.fromkeys((two_cells, which_mean), (NFS, SMB)),
    **dict.fromkeys((good_order, run_command), ()),
}
"""Key of an exercise → the systems that it asks about by name."""
