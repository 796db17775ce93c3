"""Values over the time of a run: even steps of time."""

from __future__ import annotations

from fsviz.model.libraries import np, pd

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
