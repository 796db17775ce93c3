"""Everything that a report needs, imported once; kernels are forked from here.

multiprocessing's fork server imports this module and nothing of a running program, so
there is no thread, socket or open file that a fork could spoil.
"""

from __future__ import annotations

import os

# older ipykernels have debugpy say, on standard error, what a debugger may miss
os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")

import fsviz.report._jsonschema  # isort: skip
import ipykernel.ipkernel
import ipykernel.kernelapp  # noqa: F401
import IPython.core.interactiveshell  # noqa: F401
import numpy as np  # noqa: F401
import pandas as pd
import pyarrow as pa  # noqa: F401
import scipy.sparse.csgraph
import scipy.special  # noqa: F401  # scipy.stats takes longer than all others

import fsviz.campaigns.campaign_toml
import fsviz.campaigns.load
import fsviz.campaigns.source_files
import fsviz.figures.export
import fsviz.figures.kinds.explorer
import fsviz.readers.bonnie.merge
import fsviz.readers.iozone.text
import fsviz.readers.iozone.workbook
import fsviz.readers.rsync.text
import fsviz.report.prose
import fsviz.text.tables

fsviz.figures.export.warm()
pd.DataFrame({"a": [1.0]}).groupby("a").size()
