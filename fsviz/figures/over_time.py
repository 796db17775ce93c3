"""What fio logged over the time of its runs: is it steady, and when does it change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.time_logs import in_steps, level_change
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.slice import value_axis
from fsviz.figures.style import axis, colour, flat_figure, label, make_scale
from fsviz.model.errors import UsageError
from fsviz.model.libraries import pd
from fsviz.model.names import choose
from fsviz.model.table import METRICS
from fsviz.model.units import format_value

if TYPE_CHECKING:
    from fsviz.analysis.time_logs import Level
    from fsviz.figures.style import Scale

CAPTION = (
    "A line is one log of one job: jobs are not added up, because each counts from its "
    "own start. Where a line breaks, no I/O ended in that step."
)
_TWO = "Thin lines are two levels that fit a line much better than one:"
_LOGS = (("bw", "iops"), ("lat", "clat", "slat"))
"""By default the first that there is of each."""
_OF = {"clat": " of completion alone", "slat": " of submission alone"}
_DASHES = {"read": "solid", "write": "dash", "trim": "dot"}
_GAP, _BREAK = 0.08, 1.6
_MOST_SAID = 6


@takes("system", "metric")
def over_time(data: pd.DataFrame, asked: FigureOptions) -> go.Figure:
    """Draw time logs of runs, with one panel per metric and one line per direction.

    Parameters
    ----------
    data : DataFrame
        As `fsviz.time_logs` returns it.
    system : str or sequence of str, optional
        Systems to draw; by default all.
    metric : str, optional
        ``throughput``, ``rate`` or ``latency``; by default throughput and latency.

    Returns
    -------
    plotly Figure

    Raises
    ------
    UsageError
        If there is no such log.
    """
    for column, named in (("system", asked.system), ("metric", asked.metric)):
        if chosen := choose(column, named, list(dict.fromkeys(data[column]))):
            data = data[data[column].isin(chosen)]
    found = set(data["log"])
    logs = [next((k for k in kinds if k in found), "") for kinds in _LOGS]
    return _draw(data, [log for log in logs if log])


def _draw(rows: pd.DataFrame, logs: list[str]) -> go.Figure:
    several = rows["stem"].nunique() > 1
    rows = rows.assign(name=rows["system"] + (", " + rows["stem"] if several else ""))
    colours = {name: colour(k) for k, name in enumerate(rows["name"].unique())}
    several_jobs = rows["job"].nunique() > 1
    mixed = rows["operation"].nunique() > 1
    height = (1 - _GAP * (len(logs) - 1)) / len(logs)
    traces: list[go.Scatter] = []
    short = 0
    axes, titles, said = {}, [], []
    for panel, log in enumerate(logs):
        every = _lines(rows[rows["log"] == log])
        lines = [(key, line) for key, line in every if len(line)]
        short += len(every) - len(lines)
        if not lines:
            what = "time: expected logs of two steps or more, found shorter ones"
            raise UsageError(what)
        metric = str(rows.loc[rows["log"] == log, "metric"].iloc[0])
        titles.append(METRICS[metric].title + _OF.get(log, ""))
        scale = make_scale(pd.concat([line["value"] for _, line in lines]), metric)
        number = f"{panel + 1 if panel else ''}"
        for key, line in lines:
            shown = f"{label(key[0])}, {key[1]}s"
            job = f", job {key[2]}" if several_jobs else ""
            drawn = [_line(line, scale, f"<b>{shown}</b>{job}")]
            if level := level_change(
                line["time_s"].to_numpy(), line["value"].to_numpy()
            ):
                drawn.append(_levels(line, level, scale))
                said.append(f"{titles[-1]}, {shown}{job}: {_said(level, metric)}")
            drawn[0].line.dash = _DASHES[key[1]] if mixed else "solid"
            drawn[0].showlegend = all(shown != trace.name for trace in traces)
            for trace in drawn:
                trace.line.color = colours[key[0]]
                traces.append(
                    trace.update(yaxis=f"y{number}", name=shown, legendgroup=shown)
                )
        top = 1 - panel * (height + _GAP)
        domain = [max(0.0, top - height), top]
        axes[f"yaxis{number}"] = value_axis(scale) | {
            "automargin": True,
            "domain": domain,
        }
    what = " and ".join(titles)
    more = len(said) - _MOST_SAID
    listed = [*said[:_MOST_SAID], *([f"{more} more lines"] if more > 0 else [])]
    found = [f"{_TWO} {'; '.join(listed)}."] if said else []
    found += [f"Too short for a line, and left out: {short}."] if short else []
    return flat_figure(
        traces,
        f"<b>{what.capitalize()}</b> over time",
        " ".join([CAPTION, *found]),
        f"{what} over the time of the run of {', '.join(map(label, colours))}",
        280 * len(logs) + 120,
        xaxis=axis("time since the job began [s]", rangemode="tozero")
        | {"anchor": f"y{len(logs)}" if len(logs) > 1 else "y"},
        **axes,
    )


def _lines(rows: pd.DataFrame) -> list[tuple[tuple[str, str, int], pd.DataFrame]]:
    groups = rows.groupby(["name", "operation", "job"], sort=False)
    return [(key, in_steps(own)) for key, own in groups]


def _line(line: pd.DataFrame, scale: Scale, shown: str) -> go.Scatter:
    """Draw one line; a step without I/O breaks it."""
    late = line["time_s"].diff() > _BREAK * line["step_s"]
    gaps = pd.DataFrame({"time_s": line["time_s"][late]})  # before the row of its index
    both = pd.concat([gaps, line]).sort_index(kind="stable")
    return go.Scatter(
        x=list(both["time_s"]),
        y=[None if v != v else v / scale.factor for v in both["value"]],
        mode="lines",
        line={"width": 1.6},
        hovertemplate=f"{shown}<br>%{{x:.3r}} s: %{{y:.3r}} {scale.unit}"
        "<extra></extra>",
    )


def _levels(line: pd.DataFrame, level: Level, scale: Scale) -> go.Scatter:
    start, end = line["time_s"].iloc[[0, -1]]
    before, after = (value / scale.factor for value in (level.before, level.after))
    return go.Scatter(
        x=[start, level.at, None, level.at, end],
        y=[before, before, None, after, after],
        mode="lines",
        line={"width": 1},
        opacity=0.6,
        hoverinfo="skip",
        showlegend=False,
    )


def _said(level: Level, metric: str) -> str:
    unit = METRICS[metric].unit
    before, after = (format_value(v, unit) for v in (level.before, level.after))
    return f"{before} up to {level.at:.3g} s, then {after}"
