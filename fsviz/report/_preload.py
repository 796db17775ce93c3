"""Everything that a report needs, imported once; kernels are forked from here.

multiprocessing's fork server imports this module and nothing of a running program, so
there is no thread, socket or open file that a fork could spoil.
"""

from __future__ import annotations

import gc
import os

# what is imported stays: looking for garbage in it takes a fifth of the time here and a
# tenth in each kernel, and copies the memory that kernels share
gc.disable()

# older ipykernels have debugpy say, on standard error, what a debugger may miss
os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")

import fsviz.report._jsonschema  # isort: skip
import ipykernel.debugger
import ipykernel.ipkernel
import ipykernel.kernelapp  # noqa: F401
import IPython.core.debugger
import IPython.core.history
import IPython.core.interactiveshell
import IPython.core.oinspect  # noqa: F401
import numpy as np  # noqa: F401
import pandas as pd
import pandas.io.formats.html
import psutil  # noqa: F401
import pyarrow as pa  # noqa: F401
import scipy.sparse.csgraph
import scipy.special  # noqa: F401  # scipy.stats takes longer than all others
import tornado.platform.asyncio  # noqa: F401

import fsviz.campaigns.campaign_toml
import fsviz.campaigns.source_files
import fsviz.campaigns.sources
import fsviz.figures.export
import fsviz.figures.kinds.buckets
import fsviz.figures.kinds.explorer
import fsviz.figures.kinds.maps
import fsviz.figures.kinds.ratios
import fsviz.figures.kinds.versus
import fsviz.readers.bonnie.merge
import fsviz.readers.iozone.text
import fsviz.readers.iozone.workbook
import fsviz.readers.rsync.text
import fsviz.report.first_sight
import fsviz.report.matrix
import fsviz.report.prose
import fsviz.store.load
import fsviz.text.tables

fsviz.figures.export.warm()
pd.DataFrame({"a": [1.0]}).groupby("a").size()
gc.freeze()
gc.enable()
