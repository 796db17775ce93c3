"""numpy, pandas and scipy, imported when first used: many commands end before that.

What uses them says ``from fsviz.model.libraries import np, pd``, and, inside of the
function that needs it, ``import special`` from here.
"""

from __future__ import annotations

import sys
from importlib import import_module
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Any

from lazy_loader import load

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from scipy import special
else:
    np, pd = load("numpy"), load("pandas")

__all__ = ["np", "pd", "special"]


_loading = Lock()


def __getattr__(name: str) -> Any:
    """Import what is used of scipy."""
    if name != "special":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with _loading:
        functions = globals()[name] = _compiled_functions()
    return functions


def _compiled_functions() -> Any:
    """Load `scipy.special` without what its package does to each one's documentation.

    That takes ten times as long as all of them (``_support_alternative_backends``).
    """
    name = "scipy.special"
    if name not in sys.modules:
        scipy = import_module("scipy")
        package = sys.modules[name] = ModuleType(name)
        package.__path__ = [f"{folder}/special" for folder in scipy.__path__]
        try:
            return import_module(f"{name}._ufuncs")
        except ImportError:
            pass  # a scipy that keeps them elsewhere
        finally:
            # who asks for the package gets it whole
            del sys.modules[name]
    return import_module(name)
