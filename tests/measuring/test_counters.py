"""Counters of the kernel, from copies of its files."""

import os
from pathlib import Path

import pytest

from fsviz.measuring._counters import Count, between, count
from fsviz.measuring.places import Place

NFS = """\
device /dev/vda mounted on / with fstype ext4
device server:/export mounted on /mnt with fstype nfs4 statvers=1.1
\tbytes:\t1 2 3 4 555 666 7 8
device server:/export/deep mounted on /mnt/deep with fstype nfs4 statvers=1.1
\topts:\trw,vers=4.2
\tbytes:\t100 200 300 400 5000 6000 700 800
"""
DISKS = """\
   7       0 loop0 58 0 2162 128 1 0 8 7 0 128 142 0 0 0 0 1 7
   7       1 loop1 10 0 4096 128 1 0 2048 7 0 128 142 0 0 0 0 1 7
"""


@pytest.fixture
def root(tmp_path):
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/pressure").mkdir()
    (tmp_path / "proc/self/mountstats").write_text(NFS)
    (tmp_path / "proc/diskstats").write_text(DISKS)
    (tmp_path / "proc/pressure/io").write_text(
        "some avg10=0.20 avg60=0.71 avg300=1.53 total=159484995\n"
        "full avg10=0.00 avg60=0.08 avg300=0.66 total=29520649\n"
    )
    (tmp_path / "proc/meminfo").write_text("MemTotal: 9 kB\nDirty:   12 kB\n")
    (tmp_path / "proc/stat").write_text("cpu  100 20 30 4000 5 6 7 8 9 10\n")
    (tmp_path / "proc/net/rpc").mkdir(parents=True)
    (tmp_path / "proc/net/rpc/nfsd").write_text("rc 0 1 2\nio 700 80\nth 8 0\n")
    for number in range(2):
        cpu = tmp_path / f"sys/devices/system/cpu/cpu{number}/thermal_throttle"
        cpu.mkdir(parents=True)
        (cpu / "core_throttle_count").write_text(f"{number + 4}\n")
    return tmp_path


def place(mount: str, device: int = 0) -> Place:
    return Place("a", Path(mount), Path(mount) / "own", device)


def test_what_crossed_a_network_mount_is_that_of_the_deepest_one(root):
    found = count(place("/mnt/deep/folder"), root)
    assert (found.through, found.read, found.written) == ("mount", 5000, 6000)
    found = count(place("/mnt/other"), root)
    assert (found.through, found.read, found.written) == ("mount", 555, 666)


def test_what_reached_a_device_is_counted_in_sectors(root):
    found = count(place("/data", os.makedev(7, 1)), root)
    assert (found.through, found.read, found.written) == (
        "device",
        4096 * 512,
        2048 * 512,
    )
    assert found.throttled == 4 + 5
    assert found.served == (700, 80)


def test_where_nothing_counts_nothing_is_said(root):
    assert count(place("/data", os.makedev(0, 40)), root).through == ""
    assert count(place("/data"), root / "none").throttled == 0


def counted(first: Count, last: Count):
    moment = "2026-11-25T03:00:00.000"
    return between(first, last, started=moment, seconds=2.0, round_=3, at=1)


def test_what_a_run_moved_is_the_difference():
    first = Count("device", 100, 50, 10.0, 9)
    last = Count("device", 400, 90, 13.5, 11, (7, 9))
    found = counted(first, last)
    assert found.throttled == 2
    assert (found.served_read, found.served_written) == (7, 9)
    assert (found.read, found.written, found.others_cpu) == (300, 40, 3.5)
    assert (found.round, found.place) == (3, 1)


def test_counters_that_began_anew_say_nothing():
    assert counted(Count("mount", 100, 50), Count("mount", 10, 90)).through == ""
    assert counted(Count("mount", 1, 1), Count("device", 10, 90)).through == ""
