"""Rules about how the runs went."""

import re

import pytest

import fsviz
from tests.checks.outputs import (
    LOOPBACK,
    build,
    copy,
    findings,
    iozone,
    loaded,
    one,
    sample,
)


def test_invalid_mode(tmp_path):
    files = {"a/ok.txt": iozone(), "a/v.txt": sample("iozone/3.489/auto_V.txt")}
    [found] = findings(build(tmp_path, files), "invalid-mode")
    assert found["severity"] == "error"
    assert "v.txt:line" in found["evidence"]


def test_invalid_mode_is_silent_on_the_original(tmp_path):
    assert findings(one(tmp_path, iozone()), "invalid-mode") == []


def test_incomplete_run(tmp_path):
    lines = iozone().splitlines()
    cut = "\n".join(lines[:60]) + "\n"
    [found] = findings(one(tmp_path, cut), "incomplete-run")
    assert found["severity"] == "error"
    assert "rep1.txt" in found["evidence"]


def test_incomplete_run_is_silent_on_whole_ones():
    assert findings(loaded(LOOPBACK), "incomplete-run") == []


def test_small_for_memory():
    found = findings(loaded(LOOPBACK), "small-for-memory")
    assert [row["severity"] for row in found] == ["warning", "info"]
    assert "-s 3072m -r 1536m" in found[0]["advice"]


def test_small_for_memory_is_silent_with_twice_the_ram(tmp_path):
    names = [f"bonnie++/nfs-v4.1/rep{i}.csv" for i in (1, 2)]
    campaign = copy(LOOPBACK, tmp_path, names, '[facts]\nclient_ram = "48 MiB"\n')
    assert findings(campaign, "small-for-memory") == []


@pytest.mark.parametrize(
    "ram,line,command",
    [
        ("64 MiB", "", "-s 128m -r 64m"),
        # -r in whole MiB, and -s twice that: bonnie++ 2.00a refuses 129m with 65m
        ("64.4 MiB", "", "-s 130m -r 65m"),
        ("640 KiB", "", "-s 2m -r 1m"),
        ("64 MiB", "bonnie_multiple = 2.5", "-s 160m -r 64m"),
        # it refuses less than twice -r whatever the campaign asks for
        ("64 MiB", "bonnie_multiple = 1.6", "-s 128m -r 64m"),
    ],
)
def test_small_for_memory_advises_what_bonnie_takes(tmp_path, ram, line, command):
    path = "bonnie++/nfs-v4.1/rep1.csv"
    text = (LOOPBACK / path).read_text().replace(",96M,", ",1M,")
    facts = f'[thresholds]\n{line}\n[facts]\nclient_ram = "{ram}"\n'
    [found] = [
        row
        for row in findings(build(tmp_path, {path: text}, facts), "small-for-memory")
        if row["severity"] == "warning"
    ]
    assert f" {command}`" in found["advice"]


def test_small_for_memory_advises_for_the_largest_memory(tmp_path):
    systems = "".join(
        f'[[system]]\nname = "{name}"\nclient_ram = "{ram} MiB"\n'
        for name, ram in (("nfs-v3", 64), ("nfs-v4.1", 128))
    )
    names = [f"bonnie++/{name}/rep1.csv" for name in ("nfs-v3", "nfs-v4.1")]
    campaign = copy(LOOPBACK, tmp_path, names, systems)
    found = findings(campaign, "small-for-memory")[0]
    assert "-s 256m -r 128m" in found["advice"]
    assert found["evidence"].startswith("nfs-v4.1: 0.75 times the RAM")


def test_cpu_bound():
    found = findings(loaded(LOOPBACK), "cpu-bound")
    assert {row["tool"] for row in found} == {"bonnie++", "rsync"}


def test_cpu_bound_is_silent_when_the_cpu_waits():
    names = ",".join(f"{LOOPBACK}/rsync/nfs-v3/rep{i}.time.txt" for i in (1, 2, 3))
    assert findings(fsviz.load([f"a={names}"]), "cpu-bound") == []


def test_stragglers():
    path = LOOPBACK / "iozone/nfs-v4.2/rep1-throughput.txt"
    [found] = findings(fsviz.load([f"a={path}"]), "stragglers")
    assert found["cells"] > 0


def test_stragglers_is_silent_when_all_keep_up(tmp_path):
    text = (LOOPBACK / "iozone/nfs-v4.2/rep1-throughput.txt").read_text()
    kept = re.sub(
        r"(Min throughput per process\s+=\s+)\S+( kB/sec)\s*\n(.*= *)(\S+)( kB/sec)\n"
        r"(.*= *)\S+",
        r"\g<1>\g<4>\g<2>\n\g<3>\g<4>\g<5>\n\g<6>\g<4>",
        text,
    )
    kept = re.sub(r"(Min xfer\s+=\s+)0.00", r"\g<1>8192.00", kept)
    assert findings(one(tmp_path, kept), "stragglers") == []
