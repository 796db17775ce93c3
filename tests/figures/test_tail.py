"""The tail of the latency: percentiles as fio prints them, a line a system."""

import json
import math
import statistics

import pytest

import fsviz
from fsviz.figures.kinds.tail import percentiles
from fsviz.model.errors import UsageError

ENDS = {"50.000000": 0.5, "95.000000": 0.95, "99.000000": 0.99, "99.900000": 0.999}


def printed(root, system):
    """Mean over the runs of each percentile, from fio's JSON without fsviz [ms]."""
    files = sorted((root / f"data/lessons/tail-2026/{system}").glob("*.json"))
    jobs = [json.loads(file.read_text())["jobs"][0]["read"] for file in files]
    assert len(jobs) == 5
    own = [job["lat_ns"]["percentile"] for job in jobs]
    return [statistics.fmean(one[end] for one in own) / 1e6 for end in ENDS]


def test_the_tail_is_the_mean_of_what_fio_printed(root):
    campaign = fsviz.load(str(root / "data/lessons/tail-2026"))
    figure = fsviz.plot(campaign, "tail", "random_read")
    assert figure.layout.xaxis.ticktext == ("50 %", "95 %", "99 %", "99.9 %")
    # one request in ten less is one step to the right
    places = [-math.log10(1 - share) for share in ENDS.values()]
    assert list(figure.layout.xaxis.tickvals) == pytest.approx(places)
    assert [line.name for line in figure.data] == ["cached", "direct"]
    unit = 1000 if "[µs]" in figure.layout.yaxis.title.text else 1
    for line in figure.data:
        assert list(line.x) == pytest.approx(places)
        in_ms = [value / unit for value in line.y]
        assert in_ms == pytest.approx(printed(root, line.name), rel=1e-9)
        assert set(line.customdata) == {"n = 5"}


def test_whole_latency_is_never_mixed_with_completion_alone(root):
    table = fsviz.load(str(root / "data/lessons/tail-2026")).measurements
    known = table["metric"].str.startswith("latency_p")
    both = table.assign(metric="completion_" + table["metric"].astype(str)).loc[known]
    assert set(percentiles(both)["metric"].str.split("_").str[0]) == {"completion"}
    joined = fsviz.read(str(root / "data/lessons/tail-2026/direct/rep1.json"))
    assert set(percentiles(joined)["metric"].str.split("_").str[0]) == {"latency"}


def test_without_percentiles_there_is_no_tail(root):
    campaign = fsviz.load(str(root / "data/raw/onehost-2026"))
    with pytest.raises(UsageError, match="tail: expected percentiles of latency"):
        fsviz.plot(campaign, "tail", "write")
