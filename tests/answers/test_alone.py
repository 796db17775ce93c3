"""What is said of a system that nothing is compared with."""

import pytest
from campaigns_made import BANNER, HEAD, TIME, put

import fsviz
from fsviz.answers.alone import alone
from tests.checks.outputs import LOOPBACK, loaded

KIB = {"fast": 3 * 2**20, "slow": 2**20}
"""Speeds within and beyond the client's memory [KiB/s]."""


def log(run, best=1.5):
    """Write a log: from 1 MiB on a third as fast; records of 8 KiB are the best."""
    rows = []
    for size in (256, 512, 1024, 2048):
        for record in (4, 8, 16):
            speed = KIB["fast" if size < 1024 else "slow"] * (0.99 + 0.01 * run)
            speed = int(speed * (best if record == 8 else 1))
            rows.append(
                f"{size:16d}{record:8d}{speed:9d}{speed:9d}{speed:9d}{speed:9d}"
            )
    head = BANNER.format(minute=run, file="t.tmp") + HEAD
    head = head.replace("-n 64k -g 256k", "-n 256k -g 2m")
    return head + "\n".join(rows) + "\n\niozone test complete.\n"


def campaign(folder, ram="1 MiB", **more):
    files = {f"ext4/iozone{run}.txt": log(run, **more) for run in (0, 1, 2)}
    put(folder, files)
    toml = f'[facts]\nclient_ram = "{ram}"\n' if ram else ""
    (folder / "campaign.toml").write_text(toml)
    return fsviz.load(str(folder))


def test_speeds_the_fall_and_the_best_record_stand_in_one_sentence(tmp_path):
    said = alone(campaign(tmp_path), "ext4", "iozone")
    # (1 + 1 + 1.5) ÷ 3 of 3 GiB/s, and of 1 GiB/s
    speeds = "3.5 GiB/s in memory, 1.17 beyond memory"
    shape = "falls 3.0× at 1 MiB, best record 8 KiB"
    assert said == (
        f"ext4, IOzone: write {speeds}, {shape}; read {speeds}, {shape}; "
        "2 more operations below (3 runs)."
    )


def test_no_record_is_called_the_best_where_all_are_as_good(tmp_path):
    said = alone(campaign(tmp_path, ram="", best=1.0), "ext4")
    assert "record" not in said
    # without the client's memory, the classes of publications
    assert "write 3 GiB/s in small files, 1024 MiB/s in medium files, falls" in said


@pytest.mark.parametrize("tool", ["bonnie++", ""])
def test_what_was_too_fast_to_time_is_a_bound(tool):
    table = loaded(LOOPBACK).measurements
    blocks = table.loc[
        (table["system"] == "local-ext4")
        & (table["operation"] == "sequential_output_block")
        & (table["metric"] == "throughput")
    ]
    assert blocks["value"].isna().any()
    assert "block above 192 MiB/s; " in alone(loaded(LOOPBACK), "local-ext4", tool)


def test_times_are_said_in_seconds_with_their_runs(tmp_path):
    files = {f"nfs/r{n}.txt": TIME.format(8 + n / 10) for n in (1, 2, 3)}
    said = alone(fsviz.load(str(put(tmp_path, files))), "nfs")
    assert said == "nfs, rsync: transfer 8.2 s (3 runs)."


def test_sizes_are_compared_over_the_records_that_both_have(tmp_path):
    rows = ["100 MiB,4 KiB,100", "100 MiB,1 MiB,700", "2 GiB,1 MiB,760"]
    table = "system,operation,file size,record size,value [MiB/s]\n"
    table += "".join(f"a,write,{one}\n" for one in rows)
    put(tmp_path, {"o.csv": table})
    assert alone(fsviz.load(tmp_path / "o.csv"), "a") == (
        "a, own table: write 700 MiB/s in large files, 760 in very large files, "
        "best record 1 MiB (1 run; records of 1 MiB)."
    )


def test_a_setting_is_named_and_one_metric_is_told(root):
    """fio's depth is 1 where none is stated; its operations a second are not told."""
    campaign = fsviz.load(str(root / "data/lessons/queue-2026"))
    assert alone(campaign, "read", "fio") == (
        "read, fio: random read 51.5 MiB/s with iodepth=1, 114 with iodepth=4, "
        "171 with iodepth=16, 216 with iodepth=64 (3 runs)."
    )
