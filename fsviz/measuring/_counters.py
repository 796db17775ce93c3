"""What the kernel counts while a tool runs: who answered, and what else went on."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from fsviz.campaigns.counted import Counters
from fsviz.campaigns.machine import Machine
from fsviz.measuring.places import Place

_SECTOR = 512
"""Bytes of a sector of /proc/diskstats, whatever the device's own are."""


@dataclass(frozen=True, slots=True)
class Count:
    """Counters at one moment [B] [s]."""

    through: str = ""
    read: int = 0
    written: int = 0
    busy: float = 0.0
    throttled: int = 0
    served: tuple[int, int] = (0, 0)


def count(place: Place, root: Path = Path("/")) -> Count:
    """Read the counters of a mount, or of the device below it, and of the machine."""
    through, read, written = _of_mount(place, root) or _of_device(place, root)
    busy, throttled, served = _busy(root), _throttled(root), _served(root)
    return Count(through, read, written, busy, throttled, served)


def between(
    first: Count, last: Count, *, started: str, seconds: float, round_: int, at: int
) -> Counters:
    """Return what was counted from one moment to another."""
    # counters start anew where something is mounted anew
    same = first.through == last.through and last.read >= first.read
    return Counters(
        started=started,
        seconds=round(seconds, 3),
        round=round_,
        place=at,
        through=last.through if same else "",  # type: ignore[arg-type]
        read=last.read - first.read if same else 0,
        written=max(last.written - first.written, 0) if same else 0,
        others_cpu=round(max(last.busy - first.busy, 0.0), 2),
        throttled=max(last.throttled - first.throttled, 0),
        served_read=max(last.served[0] - first.served[0], 0),
        served_written=max(last.served[1] - first.served[1], 0),
    )


def _of_mount(place: Place, root: Path) -> tuple[str, int, int] | None:
    """Bytes that crossed a network mount: the fifth and sixth of its ``bytes:``.

    nfs_show_stats in the kernel's fs/nfs/super.c and include/linux/nfs_iostat.h:
    NFSIOS_SERVERREADBYTES and NFSIOS_SERVERWRITTENBYTES.
    """
    mounted = ""
    for block in re.split(
        r"^device ", Machine(root).text("proc/self/mountstats"), flags=re.MULTILINE
    ):
        match = re.match(r"\S+ mounted on (\S+) with fstype nfs", block)
        numbers = re.search(r"^\s*bytes:\s+([\d ]+)$", block, re.MULTILINE)
        if match and numbers and place.mount.is_relative_to(match[1]):
            mounted = max(mounted, match[1], key=len)
            if mounted == match[1]:
                fields = numbers[1].split()
    return ("mount", int(fields[4]), int(fields[5])) if mounted else None


def _of_device(place: Place, root: Path) -> tuple[str, int, int]:
    """Bytes that reached a block device: sectors read and written.

    https://docs.kernel.org/admin-guide/iostats.html, fields 3 and 7.
    """
    numbers = (os.major(place.device), os.minor(place.device))
    for line in Machine(root).text("proc/diskstats").splitlines():
        words = line.split()
        if len(words) > 9 and (int(words[0]), int(words[1])) == numbers:
            return "device", int(words[5]) * _SECTOR, int(words[9]) * _SECTOR
    return "", 0, 0


def _busy(root: Path) -> float:
    """Processor time of all processes but ours and our children's [s], proc_stat(5)."""
    match = re.match(r"cpu +(.*)", Machine(root).text("proc/stat"))
    ticks = [int(word) for word in match[1].split()] if match else []
    user, nice, system = (*ticks[:3], 0, 0, 0)[:3]
    times = os.times()
    ours = times.user + times.system + times.children_user + times.children_system
    return (user + nice + system) / os.sysconf("SC_CLK_TCK") - ours


def _throttled(root: Path) -> int:
    """Count how often a processor was slowed down because it was too hot.

    https://docs.kernel.org/admin-guide/thermal/intel_thermal_throttle.html
    """
    folder = root / "sys/devices/system/cpu"
    files = folder.glob("cpu[0-9]*/thermal_throttle/core_throttle_count")
    return sum(int(Machine(root).text(str(f.relative_to(root))) or 0) for f in files)


def _served(root: Path) -> tuple[int, int]:
    """Bytes that an NFS server on this machine has read and written for its clients.

    nfsd_show in the kernel's fs/nfsd/stats.c.
    """
    text = Machine(root).text("proc/net/rpc/nfsd")
    match = re.search(r"^io (\d+) (\d+)$", text, re.MULTILINE)
    return (int(match[1]), int(match[2])) if match else (0, 0)
