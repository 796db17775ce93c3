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
_LOADED = {name.partition(".")[0] for name in sys.modules}


def forget() -> None:
    """Forget what a notebook added to the path, and the packages found right there."""
    added = {Path(place).resolve() for place in sys.path if place not in _PATH}
    sys.path[:] = _PATH
    for package in {name.partition(".")[0] for name in sys.modules} - _LOADED:
        spec = getattr(sys.modules.get(package), "__spec__", None)
        inside = list(spec.submodule_search_locations or ()) if spec else []
        places = inside or ([spec.origin] if spec and spec.has_location else [])
        if any(Path(place).resolve().parent in added for place in places):
            for name in [n for n in sys.modules if n.partition(".")[0] == package]:
                del sys.modules[name]
