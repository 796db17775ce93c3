"""The rule about headers that contradict their neighbours."""

import pytest
from campaigns_made import iozone, put

from fsviz.store.load import load
from tests.checks.outputs import LOOPBACK, ONEHOST, findings, loaded

ROW = (
    "1.98,2.00a,{host},1,1795252451,96M,,8192,5,,,{rate},3,40960,5,,,{rate},9,900.1,3,"
    + "," * 18
    + "112ms,234us,,1ms,2ms,,,,,,"
)


def test_neighbours_differ_where_a_log_from_memory_is_in_the_folder_of_a_disk(tmp_path):
    files = {
        f"disk/run_{n}.txt": iozone(n, file=f"/mnt/disk/t{n}.tmp") for n in range(5)
    }
    files["disk/run_6.txt"] = iozone(9, file="/dev/shm/t.tmp")
    [found] = findings(load(put(tmp_path, files)), "neighbours-differ")
    assert found["system"] == "disk"
    assert "/dev/shm" in found["evidence"]
    assert "run_6" in found["evidence"]
    assert "/mnt/disk in 5 runs" in found["evidence"]


def test_a_row_of_another_machine(tmp_path):
    files = {
        f"nfs/rep{n}.csv": ROW.format(host="alpha", rate=67000 + n) + "\n"
        for n in range(3)
    }
    files["nfs/rep9.csv"] = ROW.format(host="beta", rate=80000) + "\n"
    [found] = findings(load(put(tmp_path, files)), "neighbours-differ")
    assert "beta" in found["evidence"]
    assert "machine" in found["message"]


def test_another_kernel(tmp_path):
    def text(seed, release):
        line = f"\tMachine = Linux host {release} #1 SMP\n\tRun began"
        return iozone(seed).replace("\tRun began", line)

    files = {f"a/{n}.txt": text(n, "6.1.0-18-amd64") for n in range(3)}
    files["a/4.txt"] = text(4, "5.10.0-9-amd64")
    [found] = findings(load(put(tmp_path, files)), "neighbours-differ")
    assert "kernel" in found["message"]


def test_names_of_repeats_and_relative_files_are_no_difference(tmp_path):
    files = {f"a/{n}.txt": iozone(n, file=f"run{n}/t.tmp") for n in range(3)}
    files |= {
        f"b/{n}.csv": ROW.format(host=f"disk-run{n}", rate=67000 + n) + "\n"
        for n in (1, 2)
    }
    assert findings(load(put(tmp_path, files)), "neighbours-differ") == []


@pytest.mark.parametrize("campaign", [LOOPBACK, ONEHOST])
def test_neighbours_differ_is_silent_on_clean_campaigns(campaign):
    assert findings(loaded(campaign), "neighbours-differ") == []
