"""Rules about numbers that only memory can reach."""

from tests.checks.outputs import (
    CAT,
    LOCAL,
    ONEHOST,
    READ,
    commanded,
    findings,
    iozone,
    one,
    sample,
    scaled,
)


def test_exceeds_memory_speed(tmp_path):
    text = scaled(iozone("ext4", 1, ONEHOST), READ, 10, rows="65536")
    [found] = findings(one(tmp_path, text, LOCAL), "exceeds-memory-speed")
    assert found["operation"] == "read"
    assert "64 MiB" in found["evidence"]


def test_exceeds_memory_speed_is_silent_on_the_original(tmp_path):
    text = iozone("ext4", 1, ONEHOST)
    assert findings(one(tmp_path, text, LOCAL), "exceeds-memory-speed") == []


def test_whole_file_record(tmp_path):
    [found] = findings(one(tmp_path, iozone()), "whole-file-record")
    # 8 file sizes from 64 KiB to 8 MiB, two tests
    assert found["cells"] == 16
    assert found["operation"] == "read, reread"


def test_whole_file_record_is_silent_when_nothing_was_remounted(tmp_path):
    text = commanded(iozone(), f"{CAT} -f /mnt/nfs-v4.1/testfile")
    assert findings(one(tmp_path, text), "whole-file-record") == []


def test_random_beats_sequential(tmp_path):
    text = sample("iozone/3.489/auto_a.txt")
    [found] = findings(one(tmp_path, text), "random-beats-sequential")
    assert found["operation"] == "random_read"


def test_random_beats_sequential_is_silent_over_a_real_network(tmp_path):
    assert findings(one(tmp_path, iozone()), "random-beats-sequential") == []
