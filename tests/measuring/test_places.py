"""Folders, control groups, and what is left after a kill."""

import ctypes
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from compared import compare
from measuring_made import left, mounts, needs_group, tools

from fsviz.campaigns.machine import Machine
from fsviz.measuring.places import (
    Place,
    _parents,
    disks_below,
    drop_caches,
    guarded,
    memory_group,
    places_of,
    shared_lines,
    started,
)

MIB = 1024**2


def machine(root: Path, line: str) -> Machine:
    """A copy of another machine's files: which groups this process is in."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(line)
    return Machine(root)


def test_a_group_of_version_2_is_made_where_memory_is_handed_on(tmp_path):
    parent = tmp_path / "sys/fs/cgroup/user.slice"
    (parent / "session-1.scope").mkdir(parents=True)
    (parent / "session-1.scope/cgroup.subtree_control").write_text("")
    (parent / "cgroup.subtree_control").write_text("cpu memory pids")
    known = machine(tmp_path, "0::/user.slice/session-1.scope\n")
    assert list(_parents(known)) == [(parent, "memory.max")]
    # the kernel makes the files of a group; here nobody does
    with memory_group(64 * MIB, known) as group:
        assert group is None
    assert not (parent / f"fsviz-{os.getpid()}").exists()


def test_a_group_of_version_1_is_made_below_our_own_or_at_the_top(tmp_path):
    known = machine(tmp_path, "5:cpu,cpuacct:/x\n4:memory:/user/1\n0::/\n")
    top = tmp_path / "sys/fs/cgroup/memory"
    name = "memory.limit_in_bytes"
    assert list(_parents(known)) == [(top / "user/1", name), (top, name)]


@needs_group
def test_a_program_in_the_group_has_so_much_memory_and_the_group_goes():
    with memory_group(64 * MIB) as group:
        assert group is not None
        file = next(
            group / name
            for name in ("memory.limit_in_bytes", "memory.max")
            if (group / name).exists()
        )
        assert int(file.read_text()) == 64 * MIB
        code = "print(open('/proc/self/cgroup').read())"
        done = subprocess.run(
            started([sys.executable, "-c", code], group),
            capture_output=True,
            text=True,
            check=True,
        )
        assert f"/{group.name}\n" in done.stdout
        hungry = [sys.executable, "-c", "b' ' * (256 * 1024 ** 2)"]
        killed = subprocess.run(started(hungry, group), check=False)
        assert killed.returncode == -signal.SIGKILL
    assert not group.exists()


FORKS = """import os, time
if os.fork() == 0:
    os.setsid()  # as fio's jobs do, so that no signal to the group reaches it
    if os.fork() == 0:
        os.setsid()
    os.write(1, b"%d, " % os.getpid())
time.sleep(1000)
"""


@pytest.mark.parametrize("end", ["kill", "terminate the tool", "time out"])
def test_a_tool_ends_with_all_that_it_started(end):
    code = (
        "import subprocess, sys; from fsviz.measuring.places import started;"
        f"p = subprocess.Popen(started([sys.executable, '-c', {FORKS!r}], None));"
        "print(p.pid, flush=True); sys.stdin.read(); p.terminate(); p.wait()"
    )
    command = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with command:
        numbers = [int(command.stdout.readline())]
        numbers += [int(read_until(command.stdout, b", ")) for _ in range(2)]
        assert all(map(running, numbers))
        if end == "kill":
            command.kill()
        elif end == "terminate the tool":
            os.kill(numbers[0], signal.SIGTERM)
        else:
            command.stdin.close()
        until(lambda: not any(map(running, numbers)))
        command.kill()


@pytest.mark.parametrize("status", [0, 3, -signal.SIGSEGV])
def test_a_tool_keeps_its_status(status):
    code = f"import os, sys; os.kill(os.getpid(), {-status})" if status < 0 else ""
    code = code or f"raise SystemExit({status})"
    words = started([sys.executable, "-c", code], None)
    assert subprocess.run(words, check=False).returncode == status


def read_until(stream, end: bytes) -> bytes:
    text = b""
    while not text.endswith(end):
        text += stream.read(1)
    return text.removesuffix(end)


def running(process: int) -> bool:
    stat = Path(f"/proc/{process}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def until(is_so) -> None:
    """Wait for something that other processes do."""
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


DISKS = {
    # name: partition of, made of, stored in a file
    "vda": ((253, 0), None, (), ""),
    "vda1": ((253, 1), "vda", (), ""),
    "vda2": ((253, 2), "vda", (), ""),
    "vdb": ((253, 16), None, (), ""),
    "dm-0": ((252, 0), None, ("vda1", "vdb"), ""),
    "loop0": ((7, 0), None, (), "lost/file"),
}


def test_disks_below_partitions_and_volumes(tmp_path):
    """A copy of sysfs: https://docs.kernel.org/admin-guide/sysfs-rules.html."""
    numbers = {}
    for name, (number, disk, slaves, file) in DISKS.items():
        block = tmp_path / "sys/devices" / (disk or "") / name
        block.mkdir(parents=True)
        numbers[name] = os.makedev(*number)
        (block / "dev").write_text(f"{number[0]}:{number[1]}\n")
        if disk:
            (block / "partition").write_text("1\n")
        if file:
            (block / "loop").mkdir()
            (block / "loop/backing_file").write_text(f"/{file} (deleted)\n")
        (block / "slaves").mkdir()
        for slave in slaves:
            (block / "slaves" / slave).symlink_to(
                next((tmp_path / "sys/devices").rglob(slave))
            )
        link = tmp_path / "sys/dev/block" / f"{number[0]}:{number[1]}"
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(block)
    below = {name: disks_below(number, tmp_path) for name, number in numbers.items()}
    assert below == {
        "vda": {"vda"},
        "vda1": {"vda"},
        "vda2": {"vda"},
        "vdb": {"vdb"},
        "dm-0": {"vda", "vdb"},
        "loop0": {"loop0"},
    }


@pytest.fixture
def loops(tmp_path):
    """Two file systems, each in a file on one disk."""
    where = {name: tmp_path / name for name in ("a", "b")}
    for folder in where.values():
        folder.mkdir()
        image = folder.with_suffix(".img")
        image.touch()
        os.truncate(image, 8 * MIB)
        for words in (
            ["mkfs.ext4", "-q", image],
            ["mount", "-o", "loop", image, folder],
        ):
            if subprocess.run(words, capture_output=True, check=False).returncode:
                subprocess.run(["umount", tmp_path / "a"], check=False)
                pytest.skip("no right to mount")
    yield where
    subprocess.run(["umount", *where.values()], check=True)


def test_two_loop_mounts_of_one_disk_are_said(loops, tmp_path):
    places = places_of(loops, "x")
    assert places[0].device != places[1].device
    (line,) = shared_lines(places)
    (disk,) = disks_below(tmp_path.stat().st_dev)
    assert line == f"a and b lie on one disk, {disk}: they share its speed"


def test_our_folders_are_made_anew_and_go(tmp_path):
    where = mounts(tmp_path / "mnt", a=1.0, b=1.0)
    places = places_of(where, "x")
    places[0].folder.mkdir()
    (places[0].folder / "left behind").touch()
    with guarded(places, None):
        assert [list(place.folder.iterdir()) for place in places] == [[], []]
        (places[1].folder / "file").touch()
    assert left(where) == []


def begin(folder: Path, where: dict[str, Path]) -> subprocess.Popen:
    """Start the command with stand-ins for tools."""
    words = [f"{name}={path}" for name, path in where.items()]
    program = Path(sys.executable).with_name("fsviz")
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.Popen(
        [program, "run", folder / "lab", *words, "--within", "10m", "--seed", "1"],
        env=os.environ | {"PATH": path, "TMPDIR": str(folder / "bin")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def killed(folder: Path, where: dict[str, Path], number: int, seconds: float) -> bool:
    """Kill the command after a time; return whether it had not ended."""
    with begin(folder, where) as command:
        try:
            command.wait(seconds)
        except subprocess.TimeoutExpired:
            command.send_signal(number)
            command.communicate()
    until(lambda: left(where) == [])
    return command.returncode not in (0, None)


def test_caches_are_dropped_where_there_is_no_syncfs(tmp_path, monkeypatch):
    """As on macOS, whose C library lacks it."""
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    monkeypatch.setattr("fsviz.measuring.places._DROP", tmp_path / "drop")
    (tmp_path / "drop").touch()
    assert drop_caches([Place("a", tmp_path, tmp_path / "own", 1)])
    assert (tmp_path / "drop").read_text() == "3"


@pytest.mark.slow
def test_after_a_kill_nothing_is_left_and_it_goes_on(tmp_path):
    tools(tmp_path / "bin")
    where = mounts(tmp_path / "mnt", slow=1.0, fast=1.5)
    assert killed(tmp_path, where, signal.SIGKILL, seconds=3.0)
    with begin(tmp_path, where) as command:
        out, err = command.communicate()
    assert command.returncode == 0, err
    assert re.search(r"fast +faster in", out.decode())
    assert left(where) == []


@pytest.mark.faults
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_killed_at_many_moments_it_ends_as_if_it_had_not_been(tmp_path, number):
    import fsviz

    tools(tmp_path / "bin")
    where = mounts(tmp_path / "mnt", slow=1.0, fast=1.5)
    moments = int(os.environ.get("FSVIZ_MOMENTS", "8"))
    for moment in range(moments):
        killed(tmp_path, where, number, 0.5 + 8 * moment / moments)
    with begin(tmp_path, where) as command:
        _, err = command.communicate()
    assert command.returncode == 0, err
    found = fsviz.load(tmp_path / "lab")
    assert not found.problems
    assert found.runs["complete"].all()
    counts = found.runs.groupby("system")["repeat"].agg(["count", "max"])
    assert (counts["count"] == found.looks.taken[-1]).all()
    assert (counts["max"] == counts["count"]).all()
    assert compare(found, by="tool")["answer"].tolist() == ["faster"]
    assert left(where) == []


@pytest.fixture
def small(tmp_path):
    """A file system of 128 KiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=128k", "small", folder]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("no right to mount")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.mark.faults
def test_results_on_a_full_disk_are_one_line_and_what_fits_loads(tmp_path, small):
    import fsviz

    tools(tmp_path / "bin")
    where = mounts(tmp_path / "mnt", slow=1.0, fast=1.0)
    (tmp_path / "lab").symlink_to(small)
    with begin(tmp_path, where) as command:
        _, err = command.communicate()
    assert command.returncode in (1, 2)
    lines = err.decode().splitlines()
    assert "Traceback" not in err.decode()
    assert "No space left on device" in lines[-1]
    found = fsviz.load(tmp_path / "lab")
    assert found.runs["complete"].all()
    assert left(where) == []


@pytest.mark.faults
def test_a_mount_that_is_too_small_is_refused(tmp_path, small):
    tools(tmp_path / "bin")
    where = {**mounts(tmp_path / "mnt", a=1.0), "b": small}
    with begin(tmp_path, where) as command:
        _, err = command.communicate()
    assert command.returncode == 2
    assert f"{small}: expected 12 MiB within 80%" in err.decode()
    assert list(small.iterdir()) == []
