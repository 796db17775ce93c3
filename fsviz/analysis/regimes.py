"""Caches make one benchmark into several: cliffs, labels from memory, one regime alone.

A number below the size of a cache and one above it come from different experiments
(Tarasov et al., HotOS 2011), so an average over both describes neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

from fsviz.analysis.aggregate import cell_means, codes
from fsviz.analysis.cells import performance
from fsviz.analysis.tests import exponential
from fsviz.model.campaign import Campaign, Data
from fsviz.model.errors import UsageError, printable
from fsviz.model.libraries import np, pd
from fsviz.model.names import unknown
from fsviz.model.table import measurements_of, plain_rows
from fsviz.model.thresholds import THRESHOLDS, limits
from fsviz.model.units import format_size, parse_stated_size

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

RegimeName = Literal["cache", "transition", "storage"]
REGIMES: tuple[RegimeName, ...] = get_args(RegimeName)
"""Files below 1 ×, from 1 × and from 3 × the client's memory."""

STORAGE = THRESHOLDS["storage_multiple"].default
"""From this multiple of memory on, a cache cannot answer for most of the data."""

CURVE = ["system", "tool", "operation", "metric", "threads", "setting"]
"""What one line over file or record sizes is of."""


def steps(data: Data) -> pd.DataFrame:
    """Say how throughput changes from each file size to the next [B]."""
    table = performance(measurements_of(data))
    usable = (table["metric"] == "throughput") & (table["value"] > 0)
    usable &= (table["value"] < np.inf) & table["file_size_bytes"].notna()
    rows = table.loc[usable]
    # a place is one size of one curve; the curve's next size is the place that follows
    curves = codes([rows[name] for name in CURVE])
    place = codes([pd.Series(curves), rows["file_size_bytes"]])
    first = np.unique(place, return_index=True)[1]
    curve = curves[first]
    change, high = _changes(rows, place, len(first))
    at = np.flatnonzero((curve[1:] == curve[:-1]) & np.isfinite(change[:-1]))
    frame = rows[[*CURVE, "file_size_bytes"]].iloc[first[at]].reset_index(drop=True)
    frame["next_size_bytes"] = rows["file_size_bytes"].array.take(first[at + 1])
    sizes = frame["next_size_bytes"] / frame["file_size_bytes"]
    doublings = np.log2(sizes.to_numpy(float))
    frame["change"] = exponential(change[at])
    frame["change_per_doubling"] = exponential(change[at] / doublings)
    frame["high"] = exponential(high[at] / doublings)
    return frame.sort_values([*CURVE, "file_size_bytes"], ignore_index=True)


def _changes(
    rows: pd.DataFrame, place: NDArray[np.int64], places: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean change from each place to the next, and the upper end of its interval."""
    levels = np.log(rows["value"].to_numpy(float))
    record, run = codes([rows["record_size_bytes"]]), codes([rows["run"]])
    here, _, change = _pairs(levels, place, record)
    records, runs = record.max(initial=0) + 1, run.max(initial=0) + 1
    base, next_run, changes = _pairs(levels, place, run * records + record)
    means, at = np.unique(base * runs + next_run // records, return_inverse=True)
    of_runs = cell_means(changes, at, len(means))
    n, over_runs = _highest(of_runs, means // runs, places)
    _, over_records = _highest(changes, base, places)
    return cell_means(change, here, places), np.where(n > 1, over_runs, over_records)


def _highest(
    changes: NDArray[np.float64], place: NDArray[np.int64], places: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Count each place's changes, and find the end of their mean's 95 % t interval."""
    from fsviz.model.libraries import special

    n = np.bincount(place, minlength=places)
    mean = cell_means(changes, place, places)
    squares = np.bincount(place, (changes - mean[place]) ** 2, places)
    repeated = np.where(n > 1, n, np.nan)
    std = np.sqrt(squares / (repeated - 1))
    return n, mean + special.stdtrit(repeated - 1, 0.975) * std / np.sqrt(repeated)


def _pairs(
    levels: NDArray[np.float64], place: NDArray[np.int64], along: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Subtract each level from that of the next place where something else is the same.

    Returns the place, the something else and the change of each pair.
    """
    width = along.max(initial=0) + 1
    number, at = np.unique(place * width + along, return_inverse=True)
    level = cell_means(levels, at, len(number))
    partner = np.searchsorted(number, number + width)
    partner[partner == len(number)] = 0
    paired = number[partner] == number + width
    change = level[partner[paired]] - level[paired]
    return *np.divmod(number[paired], width), change


def cliffs(data: Data) -> pd.DataFrame:
    """Find the file sizes at which throughput falls by half or more per doubling."""
    return cliffs_of(steps(data), limits_of(data)["cliff_ratio"])


def cliffs_of(changes: pd.DataFrame, ratio: float) -> pd.DataFrame:
    """Find the cliffs among steps that are known."""
    surely = changes["high"] < 1
    fallen = changes.loc[surely & (changes["change_per_doubling"] <= 1 / ratio)]
    return fallen.assign(fall=1 / fallen["change_per_doubling"]).reset_index(drop=True)


def name_cliffs(compared: pd.DataFrame, cliffs: pd.DataFrame) -> list[list[str]]:
    """Name the cliffs that each row of a comparison averages across."""
    where = ["tool", "metric", "threads", "setting", "operation"]
    of_place: dict[tuple[str, ...], list[tuple[str, int, int]]] = {}
    ends = ["system", "file_size_bytes", "next_size_bytes"]
    for system, low, high, *place in plain_rows(cliffs, [*ends, *where]):
        fall = (system, int(low), int(high))
        of_place.setdefault(tuple(map(str, place)), []).append(fall)
    sides = ["baseline", "candidate", "smallest_bytes", "largest_bytes"]
    return [
        [
            f"{system} from {format_size(low)} to {format_size(high)}"
            for system, low, high in of_place.get(tuple(map(str, place)), ())
            if system in (base, candidate) and low >= least and high <= most
        ]
        for base, candidate, least, most, *place in plain_rows(
            compared, [*sides, *where]
        )
    ]


def memory_of(campaign: Data, strict: bool = True) -> dict[str, int]:
    """Return each system's client memory [B]; systems that state none are left out."""
    systems = campaign.systems if isinstance(campaign, Campaign) else None
    if systems is None or "client_ram" not in systems:
        return {}
    stated = systems.dropna(subset="client_ram")
    memory = {}
    for name, text in zip(stated["system"], stated["client_ram"], strict=True):
        try:
            memory[str(name)] = parse_stated_size(str(text))
        except ValueError as error:
            if not strict:
                continue
            raise UsageError(f"client_ram of {printable(str(name))}: {error}") from None
    return memory


def limits_of(data: Data) -> dict[str, float]:
    """Take the thresholds that hold for some data; a campaign may move them."""
    return limits(data.thresholds if isinstance(data, Campaign) else None)


def label_regimes(data: Data, memory: Mapping[str, int] | None = None) -> pd.Series:
    """Label each measurement by its data's size against the client's memory.

    Units: `memory` [B].
    """
    memory_by_name = memory_of(data) if memory is None else memory
    table = measurements_of(data)
    ram = table["system"].map(dict(memory_by_name)).to_numpy(float, na_value=np.nan)
    size = table["file_size_bytes"].to_numpy(float, na_value=np.nan)
    total = size * table["threads"].to_numpy(float, na_value=1.0)
    labels = name_regimes(total, ram, limits_of(data)["storage_multiple"])
    return pd.Series(labels, index=table.index).where(np.isfinite(total / ram))


def name_regimes(
    size: ArrayLike, ram: ArrayLike, multiple: float = STORAGE
) -> NDArray[np.str_]:
    """Name the regime of amounts of data.

    Units: `size, ram` [B].

    >>> name_regimes([1, 2, 6], 2).tolist()
    ['cache', 'transition', 'storage']
    """
    times = np.asarray(size, float) / np.asarray(ram, float)
    position = np.digitize(times, [1, max(1.0, multiple)])
    return np.array(REGIMES)[np.minimum(position, len(REGIMES) - 1)]


def regimes_by_size(
    data: Data, operation: str, metric: str
) -> dict[str, dict[int, str]]:
    """Name the regime of each file size of each system that states its memory [B]."""
    memory = memory_of(data, strict=False)
    if not memory:
        return {}
    table = measurements_of(data)
    is_metric = (table["operation"] == operation) & (table["metric"] == metric)
    rows = table[["system", "file_size_bytes", "threads"]].loc[is_metric]
    rows = rows.assign(regime=label_regimes(data, memory)[is_metric])
    rows = rows.drop_duplicates().dropna(subset="regime").sort_values("threads")
    names: dict[str, dict[int, str]] = {}
    for system, size, _, regime in rows.itertuples(index=False):
        names.setdefault(str(system), {}).setdefault(int(size), str(regime))
    return names


def in_regime(campaign: Campaign, regime: str) -> Campaign:
    """Keep the numbers of one regime: cache, transition or storage.

    Parameters
    ----------
    campaign : Campaign
        A campaign that states ``client_ram``.
    regime : str
        ``cache`` (less data than the client's memory), ``transition``, ``storage``
        (from 3 times the memory on, see `fsviz.model.thresholds`); empty keeps all.

    Returns
    -------
    Campaign
        The campaign with these numbers only, and the runs that still have numbers.
        `regime_line` says what was left out.

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
        return campaign
    sorted_out = _sort(campaign, regime)
    table = sorted_out.table
    rows = table.loc[(sorted_out.labels == regime).to_numpy(bool, na_value=False)]
    if rows.empty:
        start = f"{printable(campaign.name)}, regime" if campaign.name else "regime"
        left_out = ", ".join(_left_out(sorted_out, regime))
        raise UsageError(
            f"{start} {regime}: none of {len(table):,} numbers is left; left out: "
            f"{left_out}"
        )
    key = ["campaign", "system", "run"]
    runs = campaign.runs
    all_runs = pd.MultiIndex.from_frame(runs[key].astype(str))
    left_runs = pd.MultiIndex.from_frame(rows[key].drop_duplicates().astype(str))
    baseline = campaign.baseline
    return replace(
        campaign,
        measurements=rows.reset_index(drop=True),
        whole=None,
        runs=runs.loc[all_runs.isin(left_runs)].reset_index(drop=True),
        # what has no number left is no system to compare with
        baseline=baseline if baseline in set(rows["system"]) else None,
    )


def regime_line(campaign: Campaign, regime: str) -> str:
    """Say how many numbers `in_regime` keeps, and what it leaves out.

    >>> import fsviz
    >>> whole = fsviz.load("data/raw/onehost-2026")
    >>> regime_line(whole, "storage").partition(";")[0]
    'regime storage: 969 of 12,489 numbers kept'
    """
    if not regime:
        return ""
    sorted_out = _sort(campaign, regime)
    number = int((sorted_out.labels == regime).sum())
    text = f"regime {regime}: {number:,} of {len(sorted_out.table):,} numbers kept"
    left = _left_out(sorted_out, regime)
    if left:
        text += f"; left out: {', '.join(left)}"
    baseline, labels = campaign.baseline, sorted_out.labels
    systems = set(sorted_out.table.loc[labels == regime, "system"])
    if number and baseline and baseline not in systems:
        text += f"; nothing of the baseline {printable(baseline)} is left"
    return text


@dataclass(frozen=True)
class _Sorted:
    """A table with the regime of each row, and what each system's memory is [B]."""

    table: pd.DataFrame
    labels: pd.Series
    memory: Mapping[str, int]


def _sort(campaign: Campaign, regime: str) -> _Sorted:
    if regime not in REGIMES:
        raise unknown("regime", regime, REGIMES)
    stated, table = memory_of(campaign), campaign.measurements
    ram = {name: stated[name] for name in table["system"].unique() if name in stated}
    if not ram:
        raise UsageError(
            f"regime {regime}: expected the client's memory, such as client_ram = "
            '"16 GiB" under [facts] of campaign.toml, found it stated for no system'
        )
    return _Sorted(table, label_regimes(campaign, ram), ram)


def _left_out(sorted_out: _Sorted, regime: str) -> list[str]:
    """Count what is not kept: the other regimes, and what has none."""
    table, labels = sorted_out.table, sorted_out.labels
    parts = [
        f"{number:,} {name}"
        for name in REGIMES
        if name != regime and (number := int((labels == name).sum()))
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
