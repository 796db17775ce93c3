"""Throughput over threads, worked out by hand."""

import pytest

import fsviz

ROWS = """system,operation,file size,record size,threads,value,unit
nfs,read,1 MiB,64 KiB,1,100,MiB/s
nfs,read,1 MiB,64 KiB,1,400,MiB/s
nfs,read,1 MiB,64 KiB,4,400,MiB/s
"""


def test_twice_the_throughput_with_four_threads_is_half_efficient(tmp_path):
    (tmp_path / "threads.csv").write_text(ROWS)
    rows = fsviz.scaling(fsviz.load(tmp_path))
    assert list(rows["n_runs"]) == [2, 1]
    # the geometric mean of 100 and 400 is 200
    assert list(rows["throughput"] / 2**20) == pytest.approx([200, 400])
    assert list(rows["speedup"]) == pytest.approx([1, 2])
    assert list(rows["efficiency"]) == pytest.approx([1, 0.5])
