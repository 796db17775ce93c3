"""Ten numbers of figures, by a second route: words of the logs and a logarithm."""

import math

import pytest
from samples import loaded

import fsviz

TOO_SHORT = [(64, 4), (512, 64)]
CELLS = [*TOO_SHORT, (1024, 4), (2048, 2048), (8192, 128)]
CELLS += [(16384, 16), (65536, 64), (131072, 1024), (524288, 16384), (1048576, 64)]
"""File and record sizes [KiB]."""


def mean(root, system, file, record):
    """Average five runs of the first test, write [kB/s], geometrically."""
    logs = (root / "data/raw/onehost-2026/iozone" / system).glob("rep*.txt")
    rows = [line.split() for log in logs for line in log.read_text().splitlines()]
    sizes = [str(file), str(record)]
    speeds = [float(row[2]) for row in rows if row[:2] == sizes and len(row) > 4]
    assert len(speeds) == 5
    return math.exp(math.fsum(map(math.log, speeds)) / 5)


def test_maps_draw_the_means_and_quotients_of_the_logs(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    figure = fsviz.maps(campaign, operation="write", system=["ext4", "xfs"])
    drawn = [
        {
            (round(2**y / 1024), round(2**x / 1024)): value
            for y, row in zip(trace.y, trace.z, strict=True)
            for x, value in zip(trace.x, row, strict=True)
        }
        for trace in figure.select_traces({"type": "heatmap"})
    ]
    speeds, ratios = drawn[:2]
    for cell in CELLS:
        ext4, xfs = (mean(root, system, *cell) for system in ("ext4", "xfs"))
        if cell in TOO_SHORT:
            assert (speeds[cell], ratios[cell]) == (None, None)
            continue
        assert speeds[cell] == pytest.approx(ext4 / 2**20, rel=1e-4)  # [GiB/s]
        assert ratios[cell] == pytest.approx(math.log2(xfs / ext4), rel=1e-4)
