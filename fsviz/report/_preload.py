"""What most reports need, imported by a kernel while results are still read."""

import gc

# what is imported stays: looking for garbage in it takes a tenth of the time
gc.disable()

import fsviz.report._jsonschema  # isort: skip  # before plotly imports nbformat
import fsviz.figures.export
import fsviz.figures.kinds.explorer
import fsviz.report.disclosure
import fsviz.report.findings
import fsviz.store.load
import fsviz.text.tables

fsviz.figures.export.warm()
gc.freeze()
gc.enable()
