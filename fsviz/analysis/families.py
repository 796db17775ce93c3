"""Which tests a q value is corrected over: one family a kind of row, in every view.

Most readers see a headline alone, which picks its rows out of all candidates. So an
operation over all sizes and the mean of a tool are corrected over the candidates as
well: twelve equal systems with five runs each gave a false headline in 19 of 60
campaigns without that (benchmarks/simulation.py). Over candidates *alone* would not do:
beside seven systems that are plainly slower, nearly every test is a discovery, and one
that is equal would be held to hardly more than p < 0.05 in each of its rows. Other rows
are corrected within a candidate. Benjamini & Hochberg, J. R. Statist. Soc. B 57, 1995.
"""

from __future__ import annotations

from fsviz.analysis.buckets import ALL
from fsviz.analysis.tests import control
from fsviz.model.libraries import np, pd

_OPERATION = ["tool", "operation", "metric", "threads", "setting", "candidate"]
_TOOL = ["tool", "metric", "threads", "setting", "candidate"]


def corrected(frame: pd.DataFrame, operations: pd.DataFrame | None = None) -> pd.Series:
    """Return q of each row; one that pools all sizes has that of its operation."""
    whole = pd.Series(data=False, index=frame.index)
    if operations is not None:
        alone = ~frame.duplicated(_OPERATION, keep=False)
        whole = (frame["bucket"] == ALL) | alone
    q = _within(frame["p_value"].mask(whole), frame["candidate"])
    if operations is None:
        return q
    known = operations[[*_OPERATION, "q_value"]]
    same = frame[_OPERATION].merge(known, on=_OPERATION, how="left")["q_value"]
    return q.where(~whole, same.to_numpy())


def corrected_together(
    operations: pd.DataFrame, tools: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Correct operations, and tools, within each candidate and over all of them.

    A tool with one operation is that operation, and has its q.
    """
    single = operations.loc[~operations.duplicated(_TOOL, keep=False)]
    same = tools[_TOOL].reset_index().merge(single[[*_TOOL]].assign(at=single.index))
    operations = operations.assign(q_value=_as_well(operations))
    several = tools.index.difference(same["index"], sort=False)
    told = pd.Series(np.nan, index=tools.index)
    told[several] = _as_well(tools.loc[several])
    told[same["index"]] = operations.loc[same["at"], "q_value"].to_numpy()
    return operations, tools.assign(q_value=told)


def _within(p: pd.Series, candidates: pd.Series) -> pd.Series:
    """Correct the p values of each candidate by themselves."""
    own = p.groupby(candidates, sort=False)
    return own.transform(lambda values: control(values.to_numpy(float)))


def _as_well(rows: pd.DataFrame) -> np.ndarray:
    """Correct p values within each candidate, and over all as well: the larger q."""
    over_all = control(rows["p_value"].to_numpy(float))
    within = _within(rows["p_value"], rows["candidate"])
    return np.maximum(over_all, within.to_numpy(float))
