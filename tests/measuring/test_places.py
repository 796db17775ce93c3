"""Folders, control groups, and what is left after a kill."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from measuring_made import left, mounts, tools

from fsviz.campaigns.machine import Machine
from fsviz.measuring.places import (
    _parents,
    guarded,
    memory_group,
    places_of,
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


def writable() -> Path | None:
    with memory_group(64 * MIB) as group:
        return group


needs_group = pytest.mark.skipif(writable() is None, reason="no right to limit memory")


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


def test_a_program_ends_with_the_command_that_started_it(tmp_path):
    code = (
        "import subprocess, sys; from fsviz.measuring.places import started;"
        "p = subprocess.Popen(started(['sleep', '1000'], None));"
        "print(p.pid, flush=True); sys.stdin.read()"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with parent:
        child = int(parent.stdout.readline())
        until(lambda: Path(f"/proc/{child}/comm").read_text() == "sleep\n")
        parent.kill()
    until(lambda: not running(child))


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


def test_our_folders_are_made_anew_and_go(tmp_path):
    where = mounts(tmp_path / "mnt", a=1.0, b=1.0)
    places = places_of(where, tmp_path / "lab")
    places[0].own.mkdir()
    (places[0].own / "left behind").touch()
    with guarded(places, None):
        assert [list(place.own.iterdir()) for place in places] == [[], []]
        (places[1].own / "file").touch()
    assert left(where) == []


# Killed ------------------------------------------------------------------------------


def begin(folder: Path, where: dict[str, Path]) -> subprocess.Popen:
    """Start the command with stand-ins for tools."""
    words = [f"{name}={path}" for name, path in where.items()]
    program = Path(sys.executable).with_name("fsviz")
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.Popen(
        [program, "run", folder / "lab", *words, "--within", "10m", "--seed", "1"],
        env=os.environ | {"PATH": path},
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


@pytest.mark.slow
def test_after_a_kill_nothing_is_left_and_it_goes_on(tmp_path):
    tools(tmp_path / "bin")
    where = mounts(tmp_path / "mnt", slow=1.0, fast=1.5)
    assert killed(tmp_path, where, signal.SIGKILL, seconds=4.0)
    with begin(tmp_path, where) as command:
        out, err = command.communicate()
    assert command.returncode == 0, err
    assert b"fast 1.5" in out
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
    assert fsviz.compare(found, by="tool")["verdict"].tolist() == ["faster"]
    assert left(where) == []


@pytest.fixture
def small(tmp_path):
    """A file system of 64 KiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=64k", "small", folder]
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
