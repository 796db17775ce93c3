"""The order in which people read: as systems were given and as tools print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from fsviz.model.table import METRICS, OPERATIONS, TOOLS

if TYPE_CHECKING:
    import pandas as pd

KNOWN: dict[str, list[str]] = {
    "tool": list(TOOLS),
    "operation": list(OPERATIONS),
    "metric": list(METRICS),
}


def in_order(
    frame: pd.DataFrame, by: Iterable[str], orders: Mapping[str, Iterable[str]]
) -> pd.DataFrame:
    """Sort a frame by columns that have an order of their own.

    Parameters
    ----------
    frame : DataFrame
        Any.
    by : iterable of str
        Columns, the first counts most.
    orders : mapping of str to iterable of str
        Values in their order, for columns that are not in `KNOWN`; what is not listed
        comes last, and a column without an order is sorted by its values.

    Returns
    -------
    DataFrame
        The same rows, numbered anew.
    """
    import pandas as pd

    ranks = {}
    for name in by:
        order = orders.get(name, KNOWN.get(name))
        if order is None:
            ranks[name] = frame[name]
            continue
        position = {value: i for i, value in enumerate(order)}
        ranks[name] = frame[name].astype(object).map(position).astype(float)
    rank = pd.DataFrame(ranks).sort_values(list(ranks), kind="stable")
    return frame.loc[rank.index].reset_index(drop=True)
