"""Scaling and wins for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsviz.model.errors import printable
from fsviz.model.units import format_size
from fsviz.printing import GAP, format_value
from fsviz.printing_compare import format_ratio

if TYPE_CHECKING:
    import pandas as pd


def readable_scaling(frame: pd.DataFrame) -> pd.DataFrame:
    """Write what `fsviz.analysis.scaling.scaling` returns for people.

    Parameters
    ----------
    frame : DataFrame
        Its answer.

    Returns
    -------
    DataFrame of str
        The same rows.
    """
    import pandas as pd

    rows = [
        {
            "operation": str(row["operation"]),
            "file": _size(row["file_size_bytes"]),
            "record": _size(row["record_size_bytes"]),
            "system": printable(str(row["system"])),
            "runs": str(row["n_runs"]),
            "threads": str(row["threads"]),
            "throughput": format_value(float(row["throughput"]), "B/s"),
            "speed-up": format_ratio(float(row["speedup"])),
            "efficiency": f"{float(row['efficiency']):.0%}",
            "slowest ÷ fastest child": format_ratio(float(row["straggler_ratio"])),
        }
        for row in frame.to_dict("records")
    ]
    return pd.DataFrame(rows, dtype="string")


def readable_wins(frame: pd.DataFrame) -> pd.DataFrame:
    """Write what `fsviz.analysis.rankings.rankings` returns for people.

    Parameters
    ----------
    frame : DataFrame
        Its answer.

    Returns
    -------
    DataFrame of str
        The same rows.
    """
    import pandas as pd

    rows = [
        {
            "operation": str(row["operation"]),
            "metric": str(row["metric"]),
            "bucket": str(row["bucket"]).replace("_", " "),
            "rank": str(row["rank"]),
            "system": printable(str(row["system"])),
            "runs": str(row["n_runs"]),
            "÷ best": format_ratio(float(row["ratio_to_best"])),
            "cells": str(row["cells"]),
            "best in": str(row["best_in"]),
            "surely best in": str(row["surely_best_in"]),
        }
        for row in frame.to_dict("records")
    ]
    return pd.DataFrame(rows, dtype="string")


def _size(size: object) -> str:
    return format_size(size) if isinstance(size, int) else GAP
