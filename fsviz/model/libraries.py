"""numpy and pandas, imported when first used: many commands end before that.

What uses them says ``from fsviz.model.libraries import np, pd``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
else:
    from lazy_loader import load

    np, pd = load("numpy"), load("pandas")

__all__ = ["np", "pd"]
