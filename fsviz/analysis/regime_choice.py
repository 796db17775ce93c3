"""Keep the numbers of one regime, and say in words what was left out and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar, cast

from fsviz.analysis.regimes import (
    REGIMES,
    label_regimes,
    memory_of,
    storage_multiple,
)
from fsviz.model.errors import UsageError, printable
from fsviz.model.table import measurements_of
from fsviz.model.units import format_size

if TYPE_CHECKING:
    import pandas as pd

Data = TypeVar("Data")


def in_regime(data: Data, regime: str, memory: Mapping[str, int] | None = None) -> Data:
    """Keep the numbers of one regime: what cache, transition or storage answered.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    regime : str
        ``cache`` (less data than the client's memory), ``transition``, ``storage``
        (from 3 times the memory on, see `fsviz.model.thresholds`); empty keeps all.
    memory : mapping of str to int or None
        Memory [B] of each system's client; by default as the campaign states it.

    Returns
    -------
    Campaign or DataFrame
        What was given, with those numbers only; of a campaign also only the runs that
        still have any. `regime_line` says what was left out.

    Raises
    ------
    UsageError
        If there is no such regime, no system's memory is known, or nothing is left.

    Examples
    --------
    >>> import fsviz
    >>> whole = fsviz.load("data/raw/onehost-2026")
    >>> storage = fsviz.in_regime(whole, "storage")
    >>> int(storage.measurements["file_size_bytes"].min()) // 2**20
    1024
    """
    if not regime:
        return data
    sorted_out = _sort(data, regime, memory)
    table = sorted_out.table
    kept = table.loc[(sorted_out.labels == regime).to_numpy(bool, na_value=False)]
    if kept.empty:
        name = getattr(data, "name", "")
        start = f"{printable(name)}, regime" if name else "regime"
        raise UsageError(f"{start} {regime}: {_nothing_left(sorted_out, regime)}")
    if data is table:
        return cast("Data", kept)
    return cast("Data", _campaign(data, kept))


def _campaign(campaign: object, kept: pd.DataFrame) -> object:
    """The campaign with these rows, and the runs that they are of."""
    import pandas as pd

    key = ["campaign", "system", "run"]
    runs = campaign.runs  # type: ignore[attr-defined]
    there = pd.MultiIndex.from_frame(runs[key].astype(str))
    wanted = pd.MultiIndex.from_frame(kept[key].drop_duplicates().astype(str))
    baseline = campaign.baseline  # type: ignore[attr-defined]
    return replace(
        campaign,  # type: ignore[type-var]
        measurements=kept.reset_index(drop=True),
        runs=runs.loc[there.isin(wanted)].reset_index(drop=True),
        # what has no number left is no system to compare with
        baseline=baseline if baseline in set(kept["system"]) else None,
    )


def regime_line(
    data: object, regime: str, memory: Mapping[str, int] | None = None
) -> str:
    """Say how many numbers `in_regime` keeps, and what it leaves out.

    Parameters
    ----------
    data, regime, memory
        As for `in_regime`; the data before anything was left out.

    Returns
    -------
    str
        One line; empty for an empty regime.

    Raises
    ------
    UsageError
        If there is no such regime, or no system's memory is known.

    Examples
    --------
    >>> import fsviz
    >>> whole = fsviz.load("data/raw/onehost-2026")
    >>> regime_line(whole, "storage").partition(";")[0]
    'regime storage: 969 of 12,489 numbers kept'
    """
    if not regime:
        return ""
    sorted_out = _sort(data, regime, memory)
    kept = int((sorted_out.labels == regime).sum())
    text = f"regime {regime}: {kept:,} of {len(sorted_out.table):,} numbers kept"
    left = _left_out(sorted_out, regime)
    if left:
        text += f"; left out: {', '.join(left)}"
    baseline = getattr(data, "baseline", None)
    if kept and baseline and baseline not in set(sorted_out.of(regime)["system"]):
        text += f"; nothing of the baseline {printable(baseline)} is left"
    return text


@dataclass(frozen=True)
class _Sorted:
    """A table with the regime of each row, and what each system's memory is [B]."""

    table: pd.DataFrame
    labels: pd.Series
    memory: Mapping[str, int]
    multiple: float

    def of(self, regime: str) -> pd.DataFrame:
        """The rows of one regime."""
        return self.table.loc[self.labels == regime]


def _sort(data: object, regime: str, memory: Mapping[str, int] | None) -> _Sorted:
    if regime not in REGIMES:
        raise UsageError(
            f"regime: expected one of {', '.join(REGIMES)}, found {printable(regime)}"
        )
    known = memory_of(data) if memory is None else memory
    table = measurements_of(data)
    found = {name: known[name] for name in table["system"].unique() if name in known}
    if not found:
        raise UsageError(
            f"regime {regime}: expected the client's memory, such as client_ram = "
            '"16 GiB" under [facts] of campaign.toml, found it stated for no system'
        )
    multiple = storage_multiple(data)
    return _Sorted(table, label_regimes(data, found), found, multiple)


def _left_out(sorted_out: _Sorted, regime: str) -> list[str]:
    """Count what is not kept: the other regimes, and what has none."""
    table, labels = sorted_out.table, sorted_out.labels
    parts = [
        f"{number:,} {other}"
        for other in REGIMES
        if other != regime and (number := int((labels == other).sum()))
    ]
    unstated = ~table["system"].isin(list(sorted_out.memory))
    unsized = labels.isna() & ~unstated
    if unsized.any():
        tools = ", ".join(map(str, table.loc[unsized, "tool"].unique()))
        parts.append(f"{int(unsized.sum()):,} without a file size ({tools})")
    if unstated.any():
        names = ", ".join(printable(n) for n in table.loc[unstated, "system"].unique())
        parts.append(f"{int(unstated.sum()):,} of {names} (state client_ram)")
    return parts


def _nothing_left(sorted_out: _Sorted, regime: str) -> str:
    """Say which data there are, beside the memory that they are measured by."""
    table = sorted_out.table
    known = table.loc[sorted_out.labels.notna()]
    memory = " or ".join(
        format_size(b) for b in sorted(set(sorted_out.memory.values()))
    )
    start = f"none of {len(table):,} numbers is left"
    if known.empty:
        return f"{start}; left out: {', '.join(_left_out(sorted_out, regime))}"
    total = known["file_size_bytes"] * known["threads"].fillna(1)
    low, high = (format_size(int(edge)) for edge in (total.min(), total.max()))
    wanted = {
        "cache": "below it",
        "transition": f"from it to {sorted_out.multiple:g} times it",
        "storage": f"from {sorted_out.multiple:g} times it",
    }[regime]
    return f"{start}: files are {low} to {high}, client_ram {memory}, wanted {wanted}"
