"""Everything that a report needs, imported once; kernels are forked from here.

multiprocessing's fork server imports this module and nothing of a running program, so
there is no thread, socket or open file that a fork could spoil.
"""

from __future__ import annotations

import ipykernel.ipkernel
import ipykernel.kernelapp  # noqa: F401
import IPython.core.interactiveshell  # noqa: F401
import numpy as np  # noqa: F401
import pandas as pd
import plotly.graph_objects as go
import plotly.io  # noqa: F401
import pyarrow as pa  # noqa: F401
import scipy.stats  # noqa: F401

import fsviz.campaign
import fsviz.campaign_file
import fsviz.figures.explorer
import fsviz.printing
import fsviz.readers.bonnie
import fsviz.readers.iozone
import fsviz.readers.rsync
import fsviz.readers.workbook
import fsviz.report.words
import fsviz.sources  # noqa: F401


def _warm() -> None:
    """Load what libraries load only at first use."""
    traces = (go.Surface(z=[[1, 2]]), go.Heatmap(z=[[1, 2]]), go.Scatter(y=[1]))
    go.Figure(data=[*traces, go.Scatter3d(x=[1])]).to_json()
    pd.DataFrame({"a": [1.0]}, dtype="float64").groupby("a").size()


_warm()
