"""What a figure shows of an examination: errors and warnings, with their places."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from fsviz.checks.findings import MARKS, Examination

if TYPE_CHECKING:
    import pandas as pd

SHOWN = ("error", "warning")
"""Severities that a figure shows; what is for information stands in the list only."""

OF_MEANS = ("cache-regime", "cache-cliff", "unmatched-cells", "means-disagree")
"""Rules about averages over cells: each of their cells, taken alone, is sound."""


def marked(examination: Examination) -> pd.DataFrame:
    """List what figures are to mark, as a frame.

    Parameters
    ----------
    examination : Examination
        As `fsviz.examine` returns it.

    Returns
    -------
    DataFrame
        Columns of `fsviz.checks.findings.MARKS`, errors and warnings only, and
        ``cell``: whether the finding is about these cells one by one. A finding
        without cells has one row a system and operation. What is missing stands for
        any.
    """
    import pandas as pd

    marks = examination.marks
    about_cells = ~marks["rule"].isin(OF_MEANS)
    shown = marks.assign(cell=about_cells).loc[marks["severity"].isin(SHOWN)]
    with_cells = set(marks["finding"])
    rows = []
    for number, finding in examination.findings.iterrows():
        if finding["severity"] not in SHOWN or number in with_cells:
            continue
        names = [_parts(finding[c]) for c in ("system", "operation", "tool")]
        rows += [
            {
                "finding": number,
                "rule": finding["rule"],
                "severity": finding["severity"],
                "system": system,
                "operation": operation,
                "tool": tool,
                "against": "",
                "cell": False,
            }
            for system, operation, tool in product(*names)
        ]
    whole = pd.DataFrame(rows, columns=[*MARKS, "cell"])
    whole = whole.astype(shown.dtypes.to_dict())
    return pd.concat([shown, whole], ignore_index=True)


def _parts(names: str) -> list[str | None]:
    """Part a list of names; an empty one stands for any."""
    return [name for name in str(names).split(", ") if name] or [None]
