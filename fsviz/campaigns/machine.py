"""What this machine says about itself, as facts of ``campaign.toml``.

Read from /proc, /sys and /etc. What a machine does not say is left out: no fact is
guessed. Results state the versions of the tools that printed them.
"""

from __future__ import annotations

import datetime as dt
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from fsviz.model.facts import LOCAL
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
                r'^PRETTY_NAME="?([^"\n]+)', self.text("etc/os-release")
            ),
            "kernel": f"Linux {self.text('proc/sys/kernel/osrelease')}".strip(),
            "cpu": self._processor(),
            "cpu_cache": self._cache(),
            "client_ram": f"{ram // MIB} MiB" if (ram := self.memory()) else "",
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
            stated |= _link(mount.option("addr"))
        return {name: text for name, text in stated.items() if text}

    def mounts(self) -> list[Mount]:
        """List what is mounted, in the order of mounting."""
        lines = self.text("proc/self/mountinfo").splitlines()
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

    def text(self, name: str) -> str:
        """Read a file of the machine; empty where it has none."""
        try:
            text = (self.root / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        return text.strip()

    def _processor(self) -> str:
        text = self.text("proc/cpuinfo")
        count = len(re.findall(r"^processor\s*:", text, re.MULTILINE))
        many = f"{count} CPU{'s' * (count > 1)}" if count else ""
        model = _first(r"^(?:model name|Model)\s*:\s*(.+)$", text).strip()
        return f"{many}, {model}" if model and many else many

    def _cache(self) -> str:
        folder = self.root / "sys/devices/system/cpu/cpu0/cache"
        sizes = [self.text(f"{p}/size") for p in folder.glob("index*")]
        capacities = [int(s[:-1]) * 1024 for s in sizes if re.fullmatch(r"\d+K", s)]
        return format_size(max(capacities)) if capacities else ""

    def memory(self) -> int | None:
        """Say how much memory may be used here [B]; None where nobody tells.

        A container has less than its machine: the limit of its control group holds for
        the page cache as well.
        """
        total = _first(r"^MemTotal:\s*(\d+) kB", self.text("proc/meminfo"))
        sizes = [int(total) * 1024] if total else []
        limits = (
            self.text(f"{top / inside}/{name}")
            for top, group, name in self.memory_groups()
            for inside in (group, *group.parents)
        )
        return min([*sizes, *map(int, filter(str.isdecimal, limits))], default=None)

    def memory_groups(self) -> Iterator[tuple[Path, Path, str]]:
        """List this process's groups: top of the hierarchy, group, file of the limit.

        See cgroups(7); those of the second version have the number 0.
        """
        for line in self.text("proc/self/cgroup").splitlines():
            number, controllers, path = [*line.split(":", 2), "", ""][:3]
            top, group = self.root / "sys/fs/cgroup", Path(path.lstrip("/"))
            if number == "0":
                yield top, group, "memory.max"
            elif "memory" in controllers.split(","):
                yield top / "memory", group, "memory.limit_in_bytes"

    def _device(self, source: str) -> str:
        """Name a block device by the model of its disk."""
        if not source.startswith("/dev/"):
            return ""
        name = (self.root / source.lstrip("/")).resolve().name
        block = (self.root / "sys/class/block" / name).resolve()
        disk = block.parent if (block / "partition").exists() else block
        # the number of loop0 or dm-3 only says when it was made
        plain = re.sub(r"^(loop|dm)-?\d+$", r"\1", name)
        return self.text(f"{disk}/device/model") or plain


def _link(server: str) -> dict[str, str]:
    """State rate and largest packet of the interface to another machine's address."""
    import psutil

    family = socket.AF_INET6 if ":" in server else socket.AF_INET
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as way:
        way.connect((server, 9))  # sends nothing
        address = way.getsockname()[0]
        for name, ends in psutil.net_if_addrs().items():
            if address in (end.address for end in ends) and address != server:
                link = psutil.net_if_stats()[name]
                rate = f"{link.speed / 1000:g} Gbit/s" if link.speed else ""
                return {"link": rate, "mtu": str(link.mtu)} if name != "lo" else {}
    return {}


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
