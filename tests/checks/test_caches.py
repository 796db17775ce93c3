"""Rules about caches."""

import re

import pytest

import fsviz
from fsviz.readers.iozone.options import parse_options
from tests.checks.outputs import (
    LOCAL,
    LOOPBACK,
    ONEHOST,
    READ,
    commanded,
    findings,
    iozone,
    loaded,
    one,
    scaled,
)


def test_cache_regime(tmp_path):
    # onehost: 64 KiB to 1 GiB, RAM 256 MiB; 3 systems × 6 tests
    found = findings(loaded(ONEHOST), "cache-regime")
    assert [row["severity"] for row in found] == ["warning", "info"]
    # below 256 MiB: 12 sizes, records 4k … min(file, 16M), from 64k above 16 MiB
    cells = sum(
        1
        for size in range(16, 28)
        for record in range(12 if size <= 24 else 16, 25)
        if record <= size
    )
    assert f"{cells * 18:,} cache" in found[1]["message"]
    assert "--regime storage" in found[1]["advice"]
    # of a regime that nothing is in, nothing would be left
    small = findings(one(tmp_path, iozone()), "cache-regime")
    assert "0 storage" in small[-1]["message"]
    assert "--regime storage" not in small[-1]["advice"]
    assert "large" in found[0]["message"]


def test_cache_regime_is_silent_without_file_sizes():
    rsync = fsviz.load([f"a={LOOPBACK}/rsync/nfs-v3/rep1.time.txt"])
    assert findings(rsync, "cache-regime") == []


def test_no_storage_cells(tmp_path):
    [found] = findings(one(tmp_path, iozone()), "no-storage-cells")
    # cold (-U) and closed (-c) over a network: the network was measured
    assert found["severity"] == "warning"
    assert "-g 256m" in found["advice"]


@pytest.mark.parametrize(
    "sizes", ["-n 64k -g 8m", "-n 100k", "-g 8m +x 4", "-s 8m", "-s 4m -s 8m"]
)
def test_who_follows_the_advice_measures_three_times_the_memory(tmp_path, sizes):
    """IOzone jumps over a -g that is no multiple, as its own runs show."""
    command = f"iozone -a {sizes.replace('+x', '-+x')} -i 0 -f /mnt/t"
    text = commanded(iozone(), command)
    [found] = findings(one(tmp_path, text), "no-storage-cells")
    (advised,) = re.findall(r"`iozone (.*)`", found["advice"])
    files, _ = parse_options(f"iozone {advised}").sizes_to_measure
    assert max(files) >= 3 * 64 * 1024**2


def test_no_storage_cells_is_silent_from_three_times_the_ram():
    assert findings(loaded(ONEHOST), "no-storage-cells") == []


def test_cache_cliff(tmp_path):
    steps = [row["evidence"] for row in findings(loaded(ONEHOST), "cache-cliff")]
    assert any("128 MiB to 256 MiB" in step for step in steps)
    flat = scaled(iozone("local-ext4"), READ, 0.3, rows="4096|8192")
    [found] = findings(one(tmp_path, flat, LOCAL), "cache-cliff")
    assert "2 MiB to 4 MiB" in found["evidence"]
    assert found["operation"] == "read"


def test_cache_cliff_counts_the_cells_of_each_edge_alone():
    """Of read and reread; 128 KiB has 6 records from 4 KiB on, the double one more."""
    found = findings(loaded(LOOPBACK), "cache-cliff")
    mixed, told = (row["cells"] for row in found)
    # NFS 3 and SMB 2.1 at 128 to 256 KiB, SMB 2.1 at 1 to 2 MiB as well; info: SMB 3.0
    # and 3.1.1 at 512 KiB to 1 MiB
    assert [row["severity"] for row in found] == ["warning", "info"]
    assert mixed == 2 * (2 * (6 + 7) + 9 + 10)
    assert told == 2 * 2 * (8 + 9)


def test_cache_cliff_is_silent_on_a_plain(tmp_path):
    assert findings(one(tmp_path, iozone("local-ext4"), LOCAL), "cache-cliff") == []
