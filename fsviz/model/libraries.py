"""numpy, pandas and scipy, imported when first used: many commands end before that.

What uses them says ``from fsviz.model.libraries import np, pd``, and, inside of the
function that needs it, ``import special`` or ``sparse`` from here.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from lazy_loader import load

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from scipy import sparse, special
else:
    np, pd = load("numpy"), load("pandas")

__all__ = ["np", "pd", "sparse", "special"]

_UNUSED = ("f2py", "testing", "polynomial")
"""What scipy loads only because it takes each name that numpy has (``clone_module`` of
its `array_api_compat`): nearly half of what importing it takes."""


def __getattr__(name: str) -> Any:
    """Import a part of scipy, and of numpy no more than it uses."""
    if name not in ("sparse", "special"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for unused in _UNUSED:
        setattr(np, unused, load(f"numpy.{unused}", suppress_warning=True))
    part = _compiled_functions() if name == "special" else import_module("scipy.sparse")
    globals()[name] = part
    return part


def _compiled_functions() -> Any:
    """Load `scipy.special` without what its package does to each one's documentation.

    That takes ten times as long as all of them (``_support_alternative_backends``).
    """
    name = "scipy.special"
    if name in sys.modules:
        return sys.modules[name]
    scipy = import_module("scipy")
    package = sys.modules[name] = ModuleType(name)
    package.__path__ = [f"{folder}/special" for folder in scipy.__path__]
    try:
        return import_module(f"{name}._ufuncs")
    finally:
        # who asks for the package gets it whole
        del sys.modules[name]
