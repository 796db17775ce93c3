"""What most reports need, imported by a kernel while results are still read."""

import gc
import sys
from pathlib import Path

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

_PATH = list(sys.path)


def forget() -> None:
    """Forget what a notebook added to the path, and the modules found there."""
    added = {Path(place).resolve() for place in sys.path if place not in _PATH}
    sys.path[:] = _PATH
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and not added.isdisjoint(Path(file).resolve().parents):
            del sys.modules[name]
