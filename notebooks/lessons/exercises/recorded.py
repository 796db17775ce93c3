"""What the lessons read beside campaigns, and figures that only they draw."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from fsviz.analysis.power import power
from fsviz.campaigns.source_files import find
from fsviz.model.units import KIB, MIB

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

    from fsviz.model.campaign import Campaign

WATCHED = "data/lessons/watched-2026"
COUNTED = "data/lessons/counted-2026"
DIFFERENCE = 1.05
"""The ratio that session three plans for."""
_CALLS = re.compile(r"^nfs v\d client +(\w+): +(\d+) *$", re.MULTILINE)
_COUNTS = (3, 4, 5, 7, 10, 15, 20, 30, 50, 100)


def watched(system: str) -> pd.DataFrame:
    """Read what iostat recorded during one of the runs, second by second."""
    import pandas as pd

    path = find(WATCHED) / system / "iostat.json"
    host = json.loads(path.read_text(encoding="utf-8"))["sysstat"]["hosts"][0]
    return pd.DataFrame(
        {
            "read": entry["disk"][0]["rkB/s"] * KIB / MIB,
            "wrote": entry["disk"][0]["wkB/s"] * KIB / MIB,
        }
        for entry in host["statistics"][1:]
    )


def calls_sent(systems: list[str]) -> pd.DataFrame:
    """Read how many calls nfsstat counted during each of the runs."""
    import pandas as pd

    rows = {}
    for system in systems:
        text = (find(COUNTED) / system / "nfsstat.txt").read_text(encoding="utf-8")
        calls = {name: int(number) for name, number in _CALLS.findall(text)}
        kinds = {k.upper(): calls.get(k, 0) for k in ("read", "write", "commit")}
        rows[system] = kinds | {"other": calls["total"] - sum(kinds.values())}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("system")


def _wide(campaign: Campaign, index: pd.Series | str, names: dict) -> pd.DataFrame:
    """Return the means over the runs, one column a metric."""
    table = campaign.measurements.pivot_table(
        index=index, columns="metric", values="value", observed=True, sort=False
    )
    return table[list(names)].astype("float64").set_axis(list(names.values()), axis=1)


def depths(campaign: Campaign) -> pd.DataFrame:
    """Return rate and latency [µs] of each queue depth, mean over the runs."""
    setting = campaign.measurements["setting"].str.extract(r"\biodepth=(\d+)")[0]
    names = {"rate": "reads a second", "latency": "mean [µs]"}
    names |= {"latency_p50": "p50 [µs]", "latency_p99": "p99 [µs]"}
    table = _wide(campaign, setting.fillna("1").astype(int).rename("depth"), names)
    table.iloc[:, 1:] *= 1e6
    return table.sort_index()


def latencies(campaign: Campaign) -> pd.DataFrame:
    """Return mean and percentiles [µs] of each system, mean over its runs."""
    percentiles = ("p50", "p95", "p99", "p99.9")
    names = {f"latency_{p.replace('.', '_')}": p for p in percentiles}
    return 1e6 * _wide(campaign, "system", {"latency": "mean"} | names)


def copies(campaign: Campaign) -> pd.DataFrame:
    """Return files, data and time of each copy, mean over its runs."""
    names = {"count": "files", "size": "data [MiB]", "elapsed": "time [s]"}
    table = _wide(campaign.select(tool="rsync"), "system", names)
    table["data [MiB]"] /= MIB
    return table.astype({"files": int})


def file_rates(campaign: Campaign, column: str = "value") -> pd.DataFrame:
    """Return files a second of each test, mean over its runs; NaN for +++++."""
    rows = campaign.select(tool="bonnie++").measurements
    rows = rows[rows["metric"] == "rate"].astype({"operation": str, "system": str})
    means = rows.groupby(["system", "operation"])[column].agg(
        lambda values: values.mean(skipna=False)
    )
    steps = [f"sequential_{step}" for step in ("create", "stat", "delete")]
    return means.unstack()[steps].set_axis(["create", "stat", "delete"], axis=1)


def pair_scatter(campaign: Campaign, systems: list[str]) -> float:
    """Return the scatter of the rounds of a pair's writes, as a fraction."""
    pair = campaign.select(systems=systems, operations="write", tool="iozone")
    return float(pair.compare(systems[0], sizes="all").rows["scatter"].iloc[0])


def _drawn(title: str, across: str, up: str, caption: str) -> go.Figure:
    import plotly.graph_objects as go

    from fsviz.figures.style import layout

    figure = go.Figure()
    figure.update_layout(**layout(title, caption, caption, 320))
    room = {"l": 60, "b": 50, "t": 50}
    return figure.update_layout(xaxis_title=across, yaxis_title=up, margin=room)


def draw_power(scatter: float) -> go.Figure:
    """Draw how often n rounds find a difference of five percent."""
    figure = _drawn(
        "<b>Power</b> – how often a difference of five percent is found",
        "rounds",
        "campaigns that find it [%]",
        "Each point: of a hundred campaigns with so many rounds, how many find it.",
    )
    shares = [100 * power(n, scatter, DIFFERENCE, rounds=True) for n in _COUNTS]
    figure.add_scatter(x=_COUNTS, y=shares, mode="lines+markers", name="found")
    figure.add_hline(y=80, line_dash="dash")
    return figure.update_xaxes(type="log", tickvals=_COUNTS)


def draw_means(rows: pd.DataFrame) -> go.Figure:
    """Draw the three means of each size class; above one, the candidate wins."""
    figure = _drawn(
        "<b>Three means</b> – candidate ÷ baseline",
        "file size",
        "candidate is so many times as fast",
        "One marker a kind of mean. Above the line the candidate is faster.",
    )
    for name in ("ratio", "total_time_ratio", "mean_ratio"):
        figure.add_scatter(
            x=rows["bucket"], y=rows[name].astype(float), mode="markers", name=name
        )
    figure.update_traces(marker_size=12)
    figure.add_hline(y=1, line_dash="dash")
    # plotly writes 0.9 on such an axis as 9
    figure.update_yaxes(type="log", tickvals=[0.5, 1, 2, 4, 8])
    return figure.update_layout(showlegend=True)


def draw_watched(systems: list[str]) -> go.Figure:
    """Draw what the disk did during each of the runs, second by second."""
    figure = _drawn(
        "<b>The disk</b> – second by second",
        "second of the recording",
        "MiB/s",
        "A line for what the disk read and one for what it wrote in each run.",
    )
    for system in systems:
        table = watched(system)
        for name, dash in (("read", "solid"), ("wrote", "dot")):
            figure.add_scatter(y=table[name], name=f"{system}: {name}", line_dash=dash)
    return figure.update_layout(showlegend=True)
