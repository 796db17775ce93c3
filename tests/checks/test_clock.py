"""Rules about time."""

import json
import re
from pathlib import Path

import pytest

import fsviz
from tests.checks.outputs import (
    LOCAL,
    LOOPBACK,
    ONEHOST,
    findings,
    iozone,
    one,
)

READ = Path(__file__).resolve().parents[1] / "data/fio/3.33/read.json"


def test_too_short(tmp_path):
    campaign = one(tmp_path, iozone("local-ext4"), LOCAL)
    [found] = findings(campaign, "too-short")
    assert found["severity"] == "error"
    # 64 KiB at 2,000,000 kB/s take 32 µs; counted from the text
    rows = re.findall(
        r"^ +(\d+) +\d+((?: +\d+){6}) *$", iozone("local-ext4"), re.MULTILINE
    )
    short = sum(int(kb) / int(v) < 0.001 for kb, values in rows for v in values.split())
    assert found["cells"] == short


def test_too_short_is_silent_on_seconds():
    campaign = fsviz.load([f"a={LOOPBACK}/rsync/nfs-v3/rep1.time.txt"])
    assert findings(campaign, "too-short") == []


def test_clock_quantised(tmp_path):
    text = re.sub(r"(?<=Time Resolution = )\S+", "0.000100", iozone())
    [found] = findings(one(tmp_path, text), "clock-quantised")
    assert "100 µs" in found["evidence"]


def test_clock_quantised_is_silent_on_large_files(tmp_path):
    lines = iozone("ext4", 1, ONEHOST).splitlines()
    # in the table, and in the section that repeats it
    sizes = "64|128|256|512|1024|2048|4096|8192"
    small = re.compile(rf'\s+({sizes})\s+\d+\s|"({sizes})"\s+\d')
    text = "\n".join(line for line in lines if not small.match(line))
    assert findings(one(tmp_path, text, LOCAL), "clock-quantised") == []


@pytest.mark.parametrize("passes,seconds,found", [(1, 0.017, 1), (200, 3.4, 0)])
def test_a_job_that_moved_its_file_again_and_again_took_its_time(
    tmp_path, passes, seconds, found
):
    """With fio's ``time_based`` the file is small, the test is not over at once."""
    output = json.loads(READ.read_text(encoding="utf-8"))
    (job,) = output["jobs"]
    for name in ("io_bytes", "total_ios"):
        job["read"][name] *= passes
    job["read"]["runtime"] = round(seconds * 1000)
    campaign = one(tmp_path, json.dumps(output), name="a/r1.json")
    assert len(findings(campaign, "too-short")) == found
