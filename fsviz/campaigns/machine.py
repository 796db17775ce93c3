"""What this machine says about itself, as facts of ``campaign.toml``.

Read from /proc, /sys and /etc; programs are asked where they are there. What a machine
does not say is left out: no fact is guessed.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fsviz.model.facts import LOCAL
from fsviz.model.tools import TOOLS
from fsviz.model.units import MIB, format_size

_NETWORK = {
    **dict.fromkeys(("nfs", "nfs4"), "nfs"),
    **dict.fromkeys(("cifs", "smb3", "smbfs"), "smb"),
    **{f"fuse.{name}": name for name in ("sshfs", "glusterfs")},
    **{name: name for name in ("9p", "afs", "ceph", "lustre")},
}
"""Types of /proc/self/mountinfo whose data cross a network, and their protocol."""

_PRIVATE = re.compile(r"(?:username|domain|addr|clientaddr|mountaddr)=")
"""Options that say who and where, not how."""

_PATIENCE = 5
"""Seconds that a program may take to say its version."""

_NO_LIMIT = 1 << 60
"""cgroup v1 writes about 2^63 bytes where there is no limit."""


@dataclass(frozen=True, slots=True)
class Mount:
    """One line of /proc/self/mountinfo."""

    point: str
    type: str
    source: str
    options: str
    device: str = ""
    """Major and minor number, such as ``8:1``."""

    @property
    def protocol(self) -> str:
        """Name of the protocol; ``local`` for disks, empty for what holds no files."""
        return _NETWORK.get(self.type, "local" if self.type in LOCAL else "")

    def option(self, name: str) -> str:
        """Value of an option, empty if it is not there."""
        return _first(rf"(?:^|,){name}=([^,]*)", self.options)


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine: the one that runs this, or copies of another one's files."""

    root: Path = Path("/")

    def facts(self) -> dict[str, str]:
        """State what holds for all that is measured on this machine."""
        stated = {
            "operating_system": _first(
                r'^PRETTY_NAME="?([^"\n]+)', self._text("etc/os-release")
            ),
            "kernel": f"Linux {self._text('proc/sys/kernel/osrelease')}".strip(),
            "cpu": self._processor(),
            "cpu_cache": self._cache(),
            "client_ram": f"{ram // MIB} MiB" if (ram := self.memory()) else "",
            "tool_versions": _tool_versions(),
            "date": dt.datetime.now(dt.UTC).date().isoformat(),
        }
        return {name: text for name, text in stated.items() if text and text != "Linux"}

    def facts_of_mount(self, path: Path) -> dict[str, str]:
        """State what holds for the file system that a path lies on."""
        mount = self.mount_of(path)
        if mount is None:
            return {}
        stated = {
            "protocol": mount.protocol,
            "mount_point": mount.point,
            "mount_options": ",".join(
                text for text in mount.options.split(",") if not _PRIVATE.match(text)
            ),
        }
        if mount.protocol == "local":
            stated["file_system"] = mount.type
            is_sync = "sync" in mount.options.split(",")
            stated["durability"] = "sync" if is_sync else "async"
            stated["storage"] = self._device(mount.source)
        else:
            stated["protocol_version"] = mount.option("vers")
            stated["server"] = mount.source
            stated |= self._link(mount.option("addr"))
        return {name: text for name, text in stated.items() if text}

    def mounts(self) -> list[Mount]:
        """List what is mounted, in the order of mounting."""
        lines = self._text("proc/self/mountinfo").splitlines()
        return [mount for line in lines for mount in _mount(line)]

    def mount_of(self, path: Path) -> Mount | None:
        """Find what is mounted where a path lies: the deepest, of these the last."""
        place = path.resolve()
        around = [m for m in self.mounts() if place.is_relative_to(m.point)]
        return max(
            reversed(around), key=lambda m: len(Path(m.point).parts), default=None
        )

    def is_remote(self, path: Path) -> bool:
        """Return whether a path lies on a network file system."""
        mount = self.mount_of(path)
        return mount is not None and mount.protocol not in ("", "local")

    def _text(self, name: str) -> str:
        try:
            text = (self.root / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        return text.strip()

    def _processor(self) -> str:
        text = self._text("proc/cpuinfo")
        count = len(re.findall(r"^processor\s*:", text, re.MULTILINE))
        many = f"{count} CPU{'s' * (count > 1)}" if count else ""
        model = _first(r"^(?:model name|Model)\s*:\s*(.+)$", text).strip()
        return f"{many}, {model}" if model and many else many

    def _cache(self) -> str:
        folder = self.root / "sys/devices/system/cpu/cpu0/cache"
        sizes = [self._text(f"{p}/size") for p in folder.glob("index*")]
        capacities = [int(s[:-1]) * 1024 for s in sizes if re.fullmatch(r"\d+K", s)]
        return format_size(max(capacities)) if capacities else ""

    def memory(self) -> int | None:
        """Say how much memory may be used here [B]; None where nobody tells.

        A container has less than its machine: the limit of its control group holds for
        the page cache as well.
        """
        total = _first(r"^MemTotal:\s*(\d+) kB", self._text("proc/meminfo"))
        sizes = [int(total) * 1024] if total else []
        return min([*sizes, *self._memory_limits()], default=None)

    def _memory_limits(self) -> Iterator[int]:
        """Limits of this process's groups: of each group above it as well."""
        for line in self._text("proc/self/cgroup").splitlines():
            number, controllers, path = [*line.split(":", 2), "", ""][:3]
            if number == "0" and not controllers:
                top, name = "sys/fs/cgroup", "memory.max"
            elif "memory" in controllers.split(","):
                top, name = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
            else:
                continue
            group = Path(path.lstrip("/"))
            for inside in (group, *group.parents):
                text = self._text(f"{top}/{inside}/{name}")
                if text.isdecimal() and int(text) < _NO_LIMIT:
                    yield int(text)

    def _device(self, source: str) -> str:
        """Describe a block device by its model and size."""
        if not source.startswith("/dev/"):
            return ""
        name = (self.root / source.lstrip("/")).resolve().name
        block = (self.root / "sys/class/block" / name).resolve()
        disk = block.parent if (block / "partition").exists() else block
        sectors = self._text(f"{block}/size")
        model = self._text(f"{disk}/device/model")
        # the kernel counts in units of 512 bytes, whatever the device's own are
        size = format_size(int(sectors) * 512) if sectors.isdecimal() else ""
        # the number of loop0 or dm-3 only says when it was made
        plain = re.sub(r"^(loop|dm)-?\d+$", r"\1", name)
        return ", ".join(filter(None, (model or plain, size)))

    def _link(self, address: str) -> dict[str, str]:
        """State rate and largest packet of the interface to a server."""
        route = _answer("ip", "route", "get", address) if address else ""
        interface = _first(r"\bdev (\S+)", route)
        if interface in ("", "lo"):
            return {}
        folder = f"sys/class/net/{interface}"
        speed = self._text(f"{folder}/speed")
        mega = int(speed) if speed.isdecimal() else 0
        rate = f"{mega / 1000:g} Gbit/s" if mega >= 1000 else f"{mega} Mbit/s"
        return {"link": rate if mega else "", "mtu": self._text(f"{folder}/mtu")}


def _mount(line: str) -> Iterator[Mount]:
    """Read a line of mountinfo, see proc_pid_mountinfo(5)."""
    before, separator, after = line.partition(" - ")
    first, last = before.split(), after.split(maxsplit=2)
    if not separator or len(first) < 6 or len(last) < 3:
        return
    kind, source, its = last
    options = ",".join(dict.fromkeys([*first[5].split(","), *its.split(",")]))
    yield Mount(_unescaped(first[4]), kind, _unescaped(source), options, first[2])


def _unescaped(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda m: chr(int(m[1], 8)), text)


def _first(pattern: str, text: str) -> str:
    """Take the group of the first match, or nothing."""
    match = re.search(pattern, text, re.MULTILINE)
    return match[1] if match else ""


def _tool_versions() -> str:
    versions = {
        name: _first(tool.version[1], _answer(name, *tool.version[0]))
        for name, tool in TOOLS.items()
        if tool.version[1]
    }
    return "; ".join(f"{name} {text}" for name, text in versions.items() if text)


def _answer(*command: str) -> str:
    """What a program prints; nothing if it is not there."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE,
            check=False,
            env=os.environ | {"LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr
