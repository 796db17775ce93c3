"""``fsviz.compare``: the statistics of a comparison, judged by what `check` finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fsviz.analysis.arrangement import arranged_of
from fsviz.analysis.buckets import EDGES, By
from fsviz.analysis.cells import present
from fsviz.analysis.comparison import compare as bare_comparison
from fsviz.checks.engine import run_checks
from fsviz.checks.judgement import COLUMNS, apply_findings, known_of
from fsviz.checks.parts import SIZES, kinds_for, several_sizes, with_parts
from fsviz.model.campaign import Campaign, Data
from fsviz.model.names import Names
from fsviz.model.table import measurements_of

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.checks.findings import Examination


def compare(  # noqa: PLR0913 - all by keyword, each a question of its own
    data: Data,
    *,
    baseline: str | None = None,
    candidate: Names = None,
    operation: Names = None,
    metric: Names = None,
    by: By = "bucket",
    edges: Mapping[str, float] = EDGES,
    confidence: float = 0.95,
    cells: bool = False,
    robust: bool = False,
    check: bool = True,
    examination: Examination | None = None,
) -> pd.DataFrame:
    """Compare every candidate with the baseline, and add the scope of each verdict.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements (without facts to check).
    baseline : str or None
        System to compare with; by default the campaign's baseline, else the first.
    candidate, operation, metric : str, iterable of str or None
        Rows to return; by default all. The choice does not change any q value.
    by : {'bucket', 'operation', 'tool', 'file_size', 'record_size'}
        What one row covers.
    edges : mapping of str to float
        Largest file size [B] of each bucket, ascending.
    confidence : float
        Confidence level of the intervals, between 0 and 1.
    cells : bool
        Whether to return one row per cell instead.
    robust : bool
        Whether to compare by ranks, on which an outlier has less influence.
    check : bool
        Whether to apply the rules of `fsviz check`, which add scopes and disqualify
        results. Otherwise verdicts use the statistics alone.
    examination : Examination or None
        Examination of this campaign with this baseline, if known.

    Returns
    -------
    DataFrame
        As `fsviz.analysis.comparison.compare` returns it, with ``scope``, ``caveats``,
        ``disqualified_by`` and ``advice`` (lists of words), and ``verdict`` one of
        ``faster slower same depends unclear untested disqualified``; see
        `fsviz.checks.judgement.apply_findings`. In a row that
        depends, ``faster_in`` and ``slower_in`` list the operations, file sizes or
        record sizes [B], and ``depends_on`` names which of the three they are. In an
        untested row they list what is 1.25 times from 1 or more, if that is on both
        sides.

    Raises
    ------
    UsageError
        If there is nothing to compare, or a name is unknown.
    MixedCellError
        If a cell contains runs that are not repeats of each other.

    Examples
    --------
    >>> import fsviz
    >>> frame = fsviz.compare(fsviz.load("data/raw/onehost-2026"), operation="write")
    >>> list(frame.query("bucket == 'small' and candidate == 'xfs'")["scope"])
    [['cache']]
    """
    (frame,) = compare_each(
        data,
        [by],
        baseline=baseline,
        check=check,
        examination=examination,
        candidate=candidate,
        operation=operation,
        metric=metric,
        edges=edges,
        confidence=confidence,
        cells=cells,
        robust=robust,
    )
    return frame


def compare_each(
    data: Data,
    bys: Sequence[By],
    *,
    baseline: str | None = None,
    check: bool = True,
    examination: Examination | None = None,
    **choices: Any,
) -> list[pd.DataFrame]:
    """Compare as `compare` does, once for each of several kinds of rows."""
    if isinstance(data, Campaign):
        # settled once: what is examined is compared with the same system
        first = baseline or data.baseline or next(iter(_systems(data)), None)
        data = replace(data, baseline=first)
        if examination is None and check:
            examination = run_checks(data)
    choices["arranged"] = arranged_of(
        data, examination.arranged if examination else None
    )
    # what a row depends on is seen in finer ones
    finer = [] if choices.get("cells") else [k for by in bys for k in kinds_for(by)]
    single = {*SIZES}.difference(several_sizes(measurements_of(data)))
    several = [kind for kind in finer if kind not in single]
    frames = {
        kind: bare_comparison(data, baseline=baseline, by=kind, **choices)
        for kind in dict.fromkeys([*bys, *several])
    }
    if examination is None or not check:
        frames = {k: _with_lists(frame, COLUMNS) for k, frame in frames.items()}
    else:
        known = known_of(frames[bys[0]], data, examination)
        edges = choices.get("edges", EDGES)
        for kind, frame in frames.items():
            frames[kind] = apply_findings(
                frame, data, examination, by=kind, edges=edges, known=known
            )
    if choices.get("cells"):
        return [frames[by] for by in bys]
    frames = with_parts(frames)
    return [frames[by] for by in bys]


def _with_lists(frame: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    return frame.assign(**{name: [[] for _ in frame.index] for name in names})


def _systems(campaign: Campaign) -> list[str]:
    return present(campaign.measurements, "system")
