"""Where to measure: a folder of its own below each mount, caches, and less memory."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from fsviz.campaigns.machine import Machine
from fsviz.model.ending import clean_up_first
from fsviz.model.errors import FsvizError, UsageError, printable, quoted
from fsviz.model.escaping import folder_name
from fsviz.model.writing import open_descriptor

SHARE = 0.8
"""Of the free space that a run may fill."""
_DROP = Path("/proc/sys/vm/drop_caches")
_HERE = Path(__file__).parent


class LostMountError(FsvizError):
    """What was mounted at the beginning is not there any more."""


@dataclass(frozen=True, slots=True)
class Place:
    """One system: the folder that was named, and our own folder below it."""

    system: str
    mount: Path
    folder: Path
    device: int

    @property
    def name(self) -> str:
        """Name of its folder among the results."""
        return folder_name(self.system)

    @property
    def room(self) -> int:
        """Bytes that may be filled."""
        return int(shutil.disk_usage(self.mount).free * SHARE)

    def make(self) -> None:
        """Make our own folder anew, on the file system that was there at first."""
        self.look()
        shutil.rmtree(self.folder, ignore_errors=True)
        try:
            self.folder.mkdir()
        except OSError as error:
            raise LostMountError(
                f"{self.mount}: expected a folder to write to, found {error.strerror}"
            ) from error

    def look(self) -> None:
        """Refuse another file system than the one that was there at first."""
        try:
            device = self.mount.stat().st_dev
        except OSError as error:
            raise LostMountError(
                f"{self.mount}: expected the folder of {printable(self.system)}, found "
                f"{error.strerror}"
            ) from error
        if device != self.device:
            raise LostMountError(
                f"{self.mount}: expected the file system of {printable(self.system)}, "
                "found another one"
            )


def places_of(
    mounts: Mapping[str, str | os.PathLike[str]], campaign: str
) -> list[Place]:
    """Check the mounts that are to be compared; `campaign` is the id of the results."""
    if sys.platform == "win32":
        raise UsageError(
            "run: expected Linux or macOS, found Windows, where fsviz reads, "
            "summarises, compares and checks"
        )
    if len(mounts) < 2:
        raise UsageError(f"run: expected two systems or more, found {len(mounts)}")
    places: list[Place] = []
    for system, path in mounts.items():
        mount = Path(path).resolve()
        if not mount.is_dir() or not os.access(mount, os.W_OK | os.X_OK):
            found_here = "one that you may not write to" if mount.is_dir() else "none"
            raise UsageError(
                f"{printable(system)}={printable(str(path))}: expected a folder to "
                f"write to, found {found_here}"
            )
        for place in places:
            _refuse_shared(system, mount, place)
        folder = mount / f".fsviz-run-{campaign}"
        if folder.is_symlink():
            raise UsageError(
                f"{folder}: expected a folder of fsviz's own, found a link"
            )
        places.append(Place(system, mount, folder, mount.stat().st_dev))
    return places


def shared_lines(places: Sequence[Place]) -> Iterator[str]:
    """Say which systems are folders of one file system, or lie on one disk."""
    for device in dict.fromkeys(place.device for place in places):
        names = [printable(p.system) for p in places if p.device == device]
        if len(names) > 1:
            yield (
                f"{' and '.join(names)} lie on one file system: what differs between "
                "them is where their files are on it"
            )
    disks = {place.device: disks_below(place.device) for place in places}
    for disk in sorted({*chain(*disks.values())}):
        sharing = [p for p in places if disk in disks[p.device]]
        if len({place.device for place in sharing}) > 1:
            names = [printable(place.system) for place in sharing]
            yield f"{' and '.join(names)} lie on one disk, {disk}: they share its speed"


def disks_below(device: int, root: Path = Path("/")) -> set[str]:
    """Name the disks that hold a file system, below partitions, volumes and loops.

    A file system of several volumes, such as btrfs, has a device of its own; its source
    in /proc/self/mountinfo leads to one of them.
    """
    number = f"{os.major(device)}:{os.minor(device)}"
    block = root / "sys/dev/block" / number
    if not block.exists():
        sources = {m.source for m in Machine(root).mounts() if m.device == number}
        below = {node.st_rdev for s in sources if (node := _block_device(root, s))}
        return {*chain(*(disks_below(d, root) for d in below if d != device))}
    block = block.resolve()
    if (block / "partition").exists():
        block = block.parent
    backing = block / "loop/backing_file"
    if backing.exists():
        with suppress(OSError):
            file = root / backing.read_text().rstrip("\n").lstrip("/")
            return disks_below(file.stat().st_dev, root)
    slaves = [path / "dev" for path in (block / "slaves").glob("*")]
    if not slaves:
        return {block.name}
    numbers = (path.read_text().split(":") for path in slaves)
    return {
        *chain(*(disks_below(os.makedev(int(a), int(b)), root) for a, b in numbers))
    }


def _block_device(root: Path, source: str) -> os.stat_result | None:
    with suppress(OSError):
        node = (root / source.lstrip("/")).stat()
        if source.startswith("/dev/") and stat.S_ISBLK(node.st_mode):
            return node
    return None


@contextmanager
def reserved(places: Sequence[Place]) -> Iterator[None]:
    """Keep other runs off the devices of the mounts, whoever started them."""
    with ExitStack() as stack:
        for place in {place.device: place for place in reversed(places)}.values():
            mount = Machine().mount_of(place.mount)
            number = f"{os.major(place.device)}:{os.minor(place.device)}"
            source = f" {mount.source}" if mount else ""
            stack.enter_context(
                locked(
                    Path(tempfile.gettempdir(), f"fsviz-run-{number}.lock"),
                    f"{place.mount}: expected no other fsviz run on its device"
                    f"{printable(source)} ({number})",
                )
            )
        yield


@contextmanager
def locked(path: Path, expected: str) -> Iterator[None]:
    """Hold a lock on a file, which ends with this process, or say that others do."""
    import fcntl  # Windows has none

    safe = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with suppress(PermissionError):  # another user's: protected_regular, proc(5)
            os.close(os.open(path, safe | os.O_CREAT, 0o644))
        lock = os.open(path, safe)
    except OSError as error:
        raise UsageError(f"{path}: expected a file to lock, found {error}") from None
    try:
        with suppress(OSError):  # a file system without locks
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UsageError(f"{expected}, found one") from None
        yield
    finally:
        os.close(lock)


def _refuse_shared(system: str, mount: Path, other: Place) -> None:
    if folder_name(system) == other.name:
        raise UsageError(
            f"run: expected names that differ as names of folders, found "
            f"{quoted(other.system)} and {quoted(system)}"
        )
    if mount.is_relative_to(other.mount) or other.mount.is_relative_to(mount):
        raise UsageError(
            f"{printable(system)}={mount}: expected a folder of its own, found that of "
            f"{printable(other.system)}, {other.mount}"
        )


@contextmanager
def guarded(places: Sequence[Place], group: Path | None) -> Iterator[None]:
    """Make the folders; remove them and the group at the end, even after a kill."""
    clean_up_first()
    for place in places:
        place.make()
    doomed = [str(place.folder) for place in places] + ([str(group)] if group else [])
    guard = subprocess.Popen(
        [sys.executable, "-I", "-S", _HERE / "_guard.py", *doomed],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        guard.communicate()


def started(command: Sequence[str], group: Path | None) -> list[str]:
    """Return the command that starts another one in a group and ends it with us."""
    file = str(group / "cgroup.procs") if group else ""
    start = [sys.executable, "-I", "-S", str(_HERE / "_start.py"), str(os.getpid())]
    return [*start, file, *command]


def drop_caches(places: Sequence[Place]) -> bool:
    """Write what is dirty and forget what is clean; False without the right to.

    https://docs.kernel.org/admin-guide/sysctl/vm.html#drop-caches
    """
    for place in places:
        # macOS has no syncfs
        with suppress(OSError, AttributeError), open_descriptor(place.mount) as folder:
            ctypes.CDLL(None).syncfs(folder)
    try:
        _tell(_DROP, "3")
    except OSError:
        return False
    return True


def _tell(file: Path, text: str) -> None:
    """Write to a file of the kernel's, which no other one can take the place of."""
    with open_descriptor(file, os.O_WRONLY) as number:
        os.write(number, text.encode())


# Memory that files can exceed


@contextmanager
def memory_group(limit: int, machine: Machine | None = None) -> Iterator[Path | None]:
    """Make a control group of so much memory [B]; None where that is not allowed."""
    group = None
    with suppress(OSError):
        group = _made(limit, machine or Machine())
    try:
        yield group
    finally:
        if group is not None:
            with suppress(OSError):
                group.rmdir()


def out_of_memory(group: Path | None) -> int:
    """Count the processes of a group that the kernel has killed for its limit."""
    if group is None:
        return 0
    for name in ("memory.events", "memory.oom_control"):
        with suppress(OSError):
            text = (group / name).read_text(encoding="ascii")
            if match := re.search(r"^oom_kill (\d+)$", text, re.MULTILINE):
                return int(match[1])
    return 0


def _made(limit: int, machine: Machine) -> Path | None:
    """Make a group beside or below our own, as the kind of hierarchy allows.

    Version 1: ``memory.limit_in_bytes``; version 2: ``memory.max``, where the group
    above hands memory on, and not below a group with processes (cgroups(7)).
    """
    for above, file in _parents(machine):
        group = above / f"fsviz-{os.getpid()}"
        try:
            group.mkdir()
            _tell(group / file, str(limit))
        except OSError:
            with suppress(OSError):
                group.rmdir()
            continue
        return group
    return None


def _parents(machine: Machine) -> Iterator[tuple[Path, str]]:
    """List the groups in which one of our own may be made."""
    for top, group, file in machine.memory_groups():
        if file != "memory.max":
            yield from ((top / group, file), (top, file))
            continue
        for above in (top / group, (top / group).parent):
            handed = above / "cgroup.subtree_control"
            if handed.is_file() and re.search(r"\bmemory\b", handed.read_text()):
                yield above, file
