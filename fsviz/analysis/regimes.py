"""Caches make one benchmark into several: cliffs, plateaus, and labels from memory.

A number below the size of a cache and one above it come from different experiments
(Tarasov et al., HotOS 2011), so an average over both describes neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fsviz.analysis.cells import performance
from fsviz.analysis.tests import exponential
from fsviz.errors import UsageError, printable
from fsviz.table import measurements_of
from fsviz.thresholds import THRESHOLDS, limits
from fsviz.units import format_size, parse_stated_size

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import ArrayLike, NDArray

CLIFF = 2.0
"""Throughput falls by this factor or more in one doubling of the file size."""

REGIMES = ("cache", "transition", "storage")
"""Files below 1 ×, from 1 × and from 3 × the client's memory."""

STORAGE = THRESHOLDS["storage_multiple"].default
"""From this multiple of memory on, a cache cannot answer for the storage."""

CURVE = ["system", "tool", "operation", "metric", "threads"]


def steps(data: object) -> pd.DataFrame:
    """Say how throughput changes from each file size to the next.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.

    Returns
    -------
    DataFrame
        One row a system, tool, operation, metric, number of threads and step from
        ``file_size_bytes`` to ``next_size_bytes`` [B]: ``change`` is the geometric
        mean, over the record sizes that both have, of next ÷ this;
        ``change_per_doubling`` the same for one doubling of the size.
    """
    import numpy as np

    table = performance(measurements_of(data))
    wanted = (table["metric"] == "throughput") & (table["value"] > 0)
    wanted &= table["value"] < np.inf
    rows = table.loc[wanted & table["file_size_bytes"].notna()]
    keys = [*CURVE, "file_size_bytes", "record_size_bytes"]
    logs = np.log(rows["value"].to_numpy(float))
    cells = rows[keys].assign(level=logs)
    cells = cells.groupby(keys, dropna=False, observed=True)["level"].mean()
    cells = cells.reset_index()
    sizes = cells[[*CURVE, "file_size_bytes"]].drop_duplicates()
    following = sizes.groupby(CURVE, dropna=False, observed=True)["file_size_bytes"]
    sizes["next_size_bytes"] = following.shift(-1)
    left = cells.merge(sizes.dropna(subset="next_size_bytes"))
    right = cells.rename(
        columns={"file_size_bytes": "next_size_bytes", "level": "next_level"}
    )
    both = left.merge(right)
    both["change"] = both["next_level"] - both["level"]
    place = [*CURVE, "file_size_bytes", "next_size_bytes"]
    grouped = both.groupby(place, dropna=False, observed=True)["change"]
    frame = grouped.mean().reset_index()
    sizes_b = frame["next_size_bytes"] / frame["file_size_bytes"]
    doublings = np.log2(sizes_b.to_numpy(float))
    change = frame["change"].to_numpy(float)
    frame["change_per_doubling"] = exponential(change / doublings)
    frame["change"] = exponential(change)
    return frame


def cliffs(data: object) -> pd.DataFrame:
    """Find the file sizes at which throughput falls by half or more per doubling.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.

    Returns
    -------
    DataFrame
        The rows of `steps` that are cliffs, with ``fall`` = how many times slower a
        file of twice the size is.
    """
    frame = steps(data)
    fallen = frame.loc[frame["change_per_doubling"] <= 1 / CLIFF]
    return fallen.assign(fall=1 / fallen["change_per_doubling"]).reset_index(drop=True)


def name_cliffs(compared: pd.DataFrame, found: pd.DataFrame) -> list[str]:
    """Name the cliffs that each row of a comparison averages across.

    Parameters
    ----------
    compared : DataFrame
        ``tool``, ``operation``, ``metric``, ``threads``, ``baseline``, ``candidate``,
        ``smallest_bytes`` and ``largest_bytes`` of the matched cells.
    found : DataFrame
        As `cliffs` returns it.

    Returns
    -------
    list of str
        Such as ``nfs-v3 from 1 MiB to 2 MiB``; empty where there is none.
    """
    where = ["tool", "metric", "threads", "operation"]
    known: dict[tuple[str, ...], list[tuple[str, int, int]]] = {}
    for row in found.to_dict("records"):
        low, high = int(row["file_size_bytes"]), int(row["next_size_bytes"])
        place = (row["system"], low, high)
        known.setdefault(tuple(str(row[k]) for k in where), []).append(place)
    named = []
    for row in compared.to_dict("records"):
        sides = (row["baseline"], row["candidate"])
        inside = [
            f"{system} from {format_size(low)} to {format_size(high)}"
            for system, low, high in known.get(tuple(str(row[k]) for k in where), ())
            if system in sides
            and low >= row["smallest_bytes"]
            and high <= row["largest_bytes"]
        ]
        named.append("; ".join(inside))
    return named


def plateaus(data: object) -> pd.DataFrame:
    """Divide the file sizes of each curve where throughput halves or doubles.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.

    Returns
    -------
    DataFrame
        One row a system, tool, operation, metric, number of threads and ``plateau``
        (1, 2, …): smallest and largest file size [B], number of sizes. Within a
        plateau no doubling of the size changes throughput by 2 × or more.
    """
    import numpy as np
    import pandas as pd

    frame = steps(data)
    jump = np.abs(np.log2(frame["change_per_doubling"].to_numpy(float))) >= 1
    grouped = frame.assign(jump=jump).groupby(CURVE, dropna=False, observed=True)
    after = grouped["jump"].cumsum() + 1
    starts = frame.assign(plateau=after - jump)[[*CURVE, "plateau", "file_size_bytes"]]
    ends = frame.assign(plateau=after)[[*CURVE, "plateau", "next_size_bytes"]]
    ends = ends.rename(columns={"next_size_bytes": "file_size_bytes"})
    sizes = pd.concat([starts, ends]).drop_duplicates()
    keys = [*CURVE, "plateau"]
    return (
        sizes.groupby(keys, dropna=False, observed=True)["file_size_bytes"]
        .agg(smallest_bytes="min", largest_bytes="max", sizes="count")
        .reset_index()
    )


def memory_of(campaign: object, strict: bool = True) -> dict[str, int]:
    """Take each system's client memory [B] from the facts; unstated ones are left out.

    Parameters
    ----------
    campaign : Campaign or DataFrame
        A measurements frame states no facts.
    strict : bool
        Whether a text that states no size is an error; else it is left out too.

    Raises
    ------
    UsageError
        If ``client_ram`` is not a size.
    """
    systems = getattr(campaign, "systems", None)
    if systems is None or "client_ram" not in systems:
        return {}
    stated = systems.dropna(subset="client_ram")
    found = {}
    for name, text in zip(stated["system"], stated["client_ram"], strict=True):
        try:
            found[str(name)] = parse_stated_size(str(text))
        except ValueError as error:
            if not strict:
                continue
            raise UsageError(f"client_ram of {printable(str(name))}: {error}") from None
    return found


def storage_multiple(data: object) -> float:
    """Say from which multiple of memory on a file counts as storage; a campaign may."""
    return limits(getattr(data, "thresholds", None))["storage_multiple"]


def label_regimes(data: object, memory: Mapping[str, int] | None = None) -> pd.Series:
    """Label each measurement by its data's size against the client's memory.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    memory : mapping of str to int or None
        Memory [B] of each system's client; by default as the campaign states it.

    Returns
    -------
    Series of str, shape (measurements,)
        ``cache`` below 1 ×, ``transition`` below 3 × (or the campaign's threshold
        ``storage_multiple``), else ``storage``; each thread has a file of its own.
        Missing where the file size or the memory is not known.
    """
    import numpy as np
    import pandas as pd

    known = memory_of(data) if memory is None else memory
    table = measurements_of(data)
    ram = table["system"].map(dict(known)).to_numpy(float, na_value=np.nan)
    size = table["file_size_bytes"].to_numpy(float, na_value=np.nan)
    total = size * table["threads"].to_numpy(float, na_value=1.0)
    labels = name_regimes(total, ram, storage_multiple(data))
    return pd.Series(labels, index=table.index).where(np.isfinite(total / ram))


def name_regimes(
    size: ArrayLike, ram: ArrayLike, multiple: float = STORAGE
) -> NDArray[np.str_]:
    """Name the regime of amounts of data.

    Parameters
    ----------
    size, ram : array_like of float
        Data and memory [B].
    multiple : float
        Of memory, from which on the storage answers.

    Returns
    -------
    ndarray of str
        Of `REGIMES`.

    Examples
    --------
    >>> name_regimes([1, 2, 6], 2).tolist()
    ['cache', 'transition', 'storage']
    """
    import numpy as np

    times = np.asarray(size, float) / np.asarray(ram, float)
    position = np.digitize(times, [1, max(1.0, multiple)])
    return np.array(REGIMES)[np.minimum(position, len(REGIMES) - 1)]


def regimes_by_size(
    data: object, operation: str, metric: str
) -> dict[str, dict[int, str]]:
    """Name the regime of each file size of each system that states its memory.

    Parameters
    ----------
    data : Campaign or DataFrame
        A measurements frame states no memory.
    operation, metric : str
        Whose file sizes.

    Returns
    -------
    dict of str to dict of int to str
        By system and file size [B]; that of the least data where threads differ.
    """
    memory = memory_of(data, strict=False)
    if not memory:
        return {}
    table = measurements_of(data)
    wanted = (table["operation"] == operation) & (table["metric"] == metric)
    rows = table[["system", "file_size_bytes", "threads"]].loc[wanted]
    rows = rows.assign(regime=label_regimes(data, memory)[wanted])
    rows = rows.drop_duplicates().dropna(subset="regime").sort_values("threads")
    found: dict[str, dict[int, str]] = {}
    for system, size, _, regime in rows.itertuples(index=False):
        found.setdefault(str(system), {}).setdefault(int(size), str(regime))
    return found
