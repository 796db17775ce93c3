"""fio's time logs: values in even steps of time, and a line for each log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.cells import present
from fsviz.figures import style
from fsviz.figures.looks import Look, plain_looks
from fsviz.figures.panels.slice import directed_axis
from fsviz.figures.panels.stack import Panel, stack
from fsviz.figures.style import Scale, group_of, label, make_scale
from fsviz.model.errors import UsageError
from fsviz.model.libraries import np, pd
from fsviz.model.names import Names, choose
from fsviz.model.table import METRICS

if TYPE_CHECKING:
    from fsviz.figures.options import FigureOptions

_CAPTION = "A line is one log of one job. It breaks where no I/O ended in a step."
_DASHES = {"read": "solid", "write": "dash", "trim": "dot"}
MOST_STEPS = 300
_LEAST_IN_STEP = 10
"""Single I/Os, on average."""
_WIDTHS = [n * 10.0**power for power in range(-3, 13) for n in (1, 2, 5)]


def in_steps(log: pd.DataFrame) -> pd.DataFrame:
    """Bring one direction of a log to at most `MOST_STEPS` values, in even steps.

    Of single I/Os, bytes and number in each step give its throughput and rate; of
    windows and of latencies it is the mean. ``time_s`` is the end of a step; one
    without I/O is left out, and so is the last, which is not whole.
    """
    single = bool((log["bytes"] > 0).any())
    log = log.sort_values("time_s", kind="stable")
    if not single and len(log) <= MOST_STEPS:
        return log[["time_s", "value"]].assign(step_s=_usual_step(log["time_s"]))
    end = float(log["time_s"].max())
    # a step with few I/Os shows chance
    most = min(MOST_STEPS, len(log) / _LEAST_IN_STEP) if single else MOST_STEPS
    width = next(w for w in _WIDTHS if end / w <= most)
    step = np.floor(log["time_s"].to_numpy() / width + 1e-9).astype(int)
    complete = step < int(end / width + 1e-9)
    groups = log[complete].groupby(step[complete])
    metric = str(log["metric"].iloc[0])
    if single and metric == "throughput":
        values = groups["bytes"].sum() / width
    elif single and metric == "rate":
        values = groups["bytes"].size() / width
    else:
        values = groups["value"].mean()
    ends = (values.index.to_numpy() + 1) * width
    return pd.DataFrame({"time_s": ends, "value": values.to_numpy(), "step_s": width})


def _usual_step(times: pd.Series) -> float:
    return float(times.diff().median()) if len(times) > 1 else float("nan")


def draw_logs(
    data: pd.DataFrame, options: FigureOptions, operation: Names, metric: Names
) -> go.Figure:
    """Draw what fio logged over the time of its runs."""
    filters = {"system": options.system, "operation": operation, "metric": metric}
    for column, names in filters.items():
        if chosen := choose(column, names, present(data, column)):
            data = data[data[column].isin(chosen)]
    log = ", " + data["stem"] if data["stem"].nunique() > 1 else ""
    data = data.assign(name=data["system"] + log)
    styles = plain_looks(data["name"].unique())
    panels = []
    for logs in (("bw", "iops"), ("lat", "clat", "slat")):
        log = next((name for name in logs if (data["log"] == name).any()), "")
        rows = data.loc[data["log"] == log]
        groups = rows.groupby(["name", "operation", "job"], sort=False)
        steps = {key: frame for key, job in groups if len(frame := in_steps(job))}
        if not steps:
            continue
        name = str(rows["metric"].iloc[0])
        scale = make_scale(pd.concat([f["value"] for f in steps.values()]), name)
        traces = [_logged(key, f, styles[key[0]], scale) for key, f in steps.items()]
        title = f"<b>{METRICS[name].title.capitalize()}</b> over time"
        xaxis = style.axis("time since the job began [s]", rangemode="tozero")
        panels.append(Panel(title, traces, xaxis, directed_axis(scale, name)))
    if not panels:
        raise UsageError("time: expected logs of two steps or more, found shorter ones")
    return stack(panels, "logs over time", _CAPTION)


def _logged(
    key: tuple[str, str, int], steps: pd.DataFrame, look: Look, scale: Scale
) -> go.Scatter:
    """Draw one log; a step without I/O breaks its line."""
    late = steps["time_s"].diff() > 1.6 * steps["step_s"]
    gaps = pd.DataFrame({"time_s": steps["time_s"][late]})  # before its index
    both = pd.concat([gaps, steps]).sort_index(kind="stable")
    name = f"{label(key[0])}, {key[1]}s"
    return go.Scatter(
        x=list(both["time_s"]),
        y=[None if v != v else v / scale.factor for v in both["value"]],
        mode="lines",
        line={"width": 1.6, "color": look.colour, "dash": _DASHES[key[1]]},
        hovertemplate=f"<b>{name}</b>, job {key[2]}<br>%{{x:.3r}} s: %{{y:.3r}}",
        name=name,
        legendgroup=group_of(name),
    )
