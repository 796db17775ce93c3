"""A cell is what is measured again in every repeat; only repeats may share one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from fsviz.analysis.aggregate import cell_means, codes_as_they_come, number_rows
from fsviz.model.errors import MixedCellError, printable
from fsviz.model.libraries import np, pd
from fsviz.model.names import Names, choose, names_of, natural, unknown
from fsviz.model.table import (
    CELL,
    COLUMNS,
    KEY,
    MAIN_METRICS,
    METRICS,
    OPERATIONS,
    measurements_of,
)
from fsviz.model.tools import TOOLS
from fsviz.model.units import format_size

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fsviz.model.campaign import Same


WHERE = ("system", "tool", *CELL, "child")
"""What makes a cell of one system."""


def performance(measurements: pd.DataFrame) -> pd.DataFrame:
    """Keep the numbers that say how fast something is, of whole runs.

    Amounts of data and counts say what was asked for; the numbers of single children
    are parts of their run's.
    """
    directed = [name for name, metric in METRICS.items() if metric.better]
    is_directed = measurements["metric"].isin(directed) & measurements["child"].isna()
    return measurements.loc[is_directed]


def compared(measurements: pd.DataFrame) -> pd.DataFrame:
    """Return what is compared: performance, and the CPU cost that it comes at."""
    refuse_mixed(performance(measurements))
    return in_passes(with_cpu_cost(performance(measurements), measurements))


_PLACE = ["operation", "threads", "setting", "metric"]


def in_passes(table: pd.DataFrame) -> pd.DataFrame:
    """Let runs of one repeat that differ in their sizes alone be one run.

    So measure scripts that start the tool anew for each record size. By themselves such
    runs share no cell, and none could stand for a mean over sizes. No cell is in two of
    one repeat, which `refuse_mixed` sees to.
    """
    repeat = ["campaign", "system", "tool", "repeat"]
    run, runs = number_rows(table, [*repeat, "run"])
    if not runs.duplicated(repeat).any():
        return table
    place = codes_as_they_come([table[name] for name in _PLACE])
    runs = runs.assign(places=pd.Series(place).groupby(run).agg(frozenset))
    same = runs.groupby([*repeat, "places"], sort=False, dropna=False, observed=True)
    first = same["run"].transform("first")
    if first.equals(runs["run"]):
        return table
    return table.assign(run=first.array.take(run))


def mixed_rows(measurements: pd.DataFrame) -> pd.DataFrame:
    """Find numbers of runs that have the same repeat number in one cell."""
    key = [*WHERE, "repeat"]
    return measurements.loc[measurements.duplicated(subset=key, keep=False)]


def first_mixed(rows: pd.DataFrame) -> tuple[pd.Series, pd.Series, str]:
    """Take the first cell of `mixed_rows`."""
    key = [*WHERE, "repeat"]
    first = rows.iloc[0]
    same = rows[key].fillna(-1).astype(str) == first[key].fillna(-1).astype(str)
    second = rows.loc[same.all(axis=1)].iloc[1]
    varies = "campaign" if first["campaign"] != second["campaign"] else "configuration"
    return first, second, varies


def refuse_mixed(measurements: pd.DataFrame) -> None:
    """Check that the numbers of each cell are repeats of one another."""
    _refuse_units(measurements)
    rows = mixed_rows(measurements)
    if rows.empty:
        return
    first, second, varies = first_mixed(rows)
    raise MixedCellError(
        f"{describe_cell(first)} mixes runs that differ in {varies}: "
        f"{printable(str(first['source']))} and {printable(str(second['source']))}; "
        "give each its own label (label=path) or [[system]] in campaign.toml",
        str(first["system"]),
    )


def _refuse_units(measurements: pd.DataFrame) -> None:
    pairs = measurements[["metric", "unit"]].drop_duplicates()
    for metric, unit in pairs.itertuples(index=False):
        expected = METRICS[str(metric)].unit
        if unit != expected:
            wrong = (measurements["metric"] == metric) & (measurements["unit"] == unit)
            first = measurements.loc[wrong].iloc[0]
            raise MixedCellError(
                f"{describe_cell(first)} mixes numbers that differ in unit: expected "
                f"{expected}, found {printable(str(unit))} at "
                f"{printable(str(first['source']))}:{printable(str(first['locator']))}",
                str(first["system"]),
            )


def refuse_varying(rows: pd.DataFrame, columns: Sequence[str]) -> None:
    """Check that columns which a cell does not tell apart have one value."""
    for name in columns:
        values = [printable(str(value)) for value in rows[name].unique()]
        if len(values) > 1:
            raise MixedCellError(
                f"{describe_cell(rows.iloc[0])} varies in {name} "
                f"({', '.join(values)}); select one"
            )


def describe_cell(row: pd.Series) -> str:
    """Say whose cell a row is in, such as ``ext4: write of 64 KiB by 4 KiB``."""
    system = printable(str(row["system"]))
    return f"{system}: {row['operation']} of {describe_sizes(row)}"


def describe_sizes(row: pd.Series) -> str:
    """Say which file and record size a row has, such as ``64 KiB by 4 KiB``."""
    sizes = [row["file_size_bytes"], row["record_size_bytes"]]
    shown = [format_size(int(size)) for size in sizes if pd.notna(size)]
    return " by ".join(shown) or "no stated size"


def select(
    data: Same,
    *,
    system: Names = None,
    operation: Names = None,
    tool: Names = None,
    setting: Names = None,
) -> Same:
    """Select systems, operations, tools and settings.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, whose facts and runs do not change, or its measurements.
    system, operation, tool : str, iterable of str or None
        Names to keep; None or an empty list keeps all.
    setting : str, iterable of str or None
        Such as ``iodepth=8`` or ``iodepth=8; sync=1``: keep rows that have all parts of
        one setting. ``none`` keeps the rows without a setting.

    Returns
    -------
    Campaign or DataFrame
        The same type as ``data``. The answers of a part of a campaign are those of the
        whole.

    Raises
    ------
    UsageError
        If a name is not in the table. The message lists the names in the table.
    """
    measurements = table = measurements_of(data)
    given_names = {"system": system, "operation": operation, "tool": tool}
    for column, given in given_names.items():
        names = choose(column, given, present(measurements, column))
        if not names:
            continue
        measurements = measurements.loc[measurements[column].isin(names)]
    if wished := names_of(setting):
        measurements = _with_settings(measurements, wished)
    if data is table:
        return measurements
    selected = (data.origin or data, measurements)
    return replace(data, measurements=measurements, whole=None, selected=selected)


NO_SETTING = "none"


def _with_settings(rows: pd.DataFrame, wished: Sequence[str]) -> pd.DataFrame:
    """Keep the rows that have all parts of one of the wished settings."""
    settings = present(rows, "setting")
    parts = {setting: _parts_of(setting) for setting in settings}
    chosen: set[str] = set()
    for wish in chain.from_iterable(_split_wish(text, settings) for text in wished):
        needs = _parts_of("" if wish == NO_SETTING else wish)
        hits = [s for s in settings if (needs <= parts[s] if needs else not s)]
        if not hits:
            choices = sorted({s or NO_SETTING for s in settings}, key=natural)
            raise unknown("setting", wish, choices)
        chosen.update(hits)
    return rows.loc[rows["setting"].isin(chosen)]


def _split_wish(wish: str, settings: Sequence[str]) -> list[str]:
    return [wish] if wish in settings else [part.strip() for part in wish.split(",")]


def _parts_of(setting: str) -> set[str]:
    return {part.strip() for part in setting.split(";") if part.strip()}


def present(measurements: pd.DataFrame, column: str) -> list[str]:
    """List systems in the order of their rows, or operations as tools print them.

    Parameters
    ----------
    measurements : DataFrame
        Rows of the tidy table.
    column : str
        ``system``, ``operation`` or another column of names.

    Returns
    -------
    list of str
        Each name once.
    """
    names = [str(name) for name in measurements[column].unique()]
    if column == "operation":
        return [name for name in OPERATIONS if name in names]
    return names


ORDERS: dict[str, list[str]] = {
    "tool": list(TOOLS),
    "operation": list(OPERATIONS),
    "metric": list(dict.fromkeys([*MAIN_METRICS, *METRICS])),
}


def in_order(
    frame: pd.DataFrame, by: Iterable[str], orders: Mapping[str, Iterable[str]]
) -> pd.DataFrame:
    """Sort a frame by columns that have an order of their own."""
    ranks = []
    for name in by:
        order = orders.get(name, ORDERS.get(name))
        if order is None and name != "setting":
            ranks.append(frame[name].to_numpy(float, na_value=np.nan))
            continue
        code, values = pd.factorize(frame[name])
        names = [str(value) for value in values]
        position = {
            value: at for at, value in enumerate(order or sorted(names, key=natural))
        }
        # the last place is that of a missing name, whose code is -1
        place = [*(position.get(value, np.nan) for value in names), np.nan]
        ranks.append(np.array(place, float)[code])
    return frame.iloc[np.lexsort(ranks[::-1])].reset_index(drop=True)


METRIC = "cpu_cost"
_SHARED = [name for name in KEY if name != "metric"]
_PARTS = ["value", "low", "high"]


def with_cpu_cost(
    table: pd.DataFrame, measurements: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Add a row ``cpu_cost`` [s/B] for each cell of a run that has what it takes."""
    rows = table if measurements is None else measurements
    cpu = rows.loc[rows["metric"] == "cpu"]
    if cpu.empty:
        return table
    throughput, size, elapsed = (
        rows.loc[rows["metric"] == name, [*_SHARED, *_PARTS]]
        for name in ("throughput", "size", "elapsed")
    )
    moved = throughput
    if not size.empty:  # of tools that print no throughput
        moved = pd.concat([moved, _quotient(size, elapsed)[[*_SHARED, *_PARTS]]])
    share = cpu.assign(**{part: cpu[part] / 100 for part in _PARTS})
    cost = _quotient(share, moved)[list(COLUMNS)]
    if cost.empty:
        return table
    for name, text in (("metric", METRIC), ("unit", METRICS[METRIC].unit)):
        # the same categories in both, or concat makes text of them
        present_texts = table[name].astype("category").cat.remove_unused_categories()
        texts = pd.CategoricalDtype(sorted({*present_texts.cat.categories, text}))
        table = table.assign(**{name: present_texts.astype(texts)})
        cost = cost.assign(**{name: pd.Categorical([text] * len(cost), dtype=texts)})
    return pd.concat([table, cost])


def _quotient(above: pd.DataFrame, below: pd.DataFrame) -> pd.DataFrame:
    """Divide numbers of the same cells: the low end by the high one of the divisor."""
    both = above.merge(below, on=_SHARED, suffixes=("", "_below"))
    for part, other in (("value", "value"), ("low", "high"), ("high", "low")):
        divisor = both[f"{other}_below"]
        both[part] = both[part] / divisor.where(divisor > 0)
    return both


@dataclass(frozen=True)
class Matrix:
    """Every number of one tool: runs down, cells across."""

    tool: str
    runs: pd.DataFrame
    cells: pd.DataFrame
    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    censored: NDArray[np.bool_]
    failed: NDArray[np.bool_]
    started: NDArray[np.datetime64]
    configuration: NDArray[np.int64]

    @cached_property
    def rows(self) -> dict[Hashable, NDArray[np.intp]]:
        """The rows of each system: its runs."""
        return self.runs.groupby("system", sort=False).indices

    @cached_property
    def run_times(self) -> NDArray[np.float64]:
        """What each number of each run took [s]."""
        return _run_times(self.value, self.cells)


def matrices(table: pd.DataFrame, runs: pd.DataFrame | None = None) -> Iterator[Matrix]:
    """Arrange the numbers of each tool."""
    tools = table["tool"].unique()
    for tool in tools:
        rows = table if len(tools) == 1 else table.loc[table["tool"] == tool]
        yield _matrix(str(tool), rows, runs)


def _matrix(tool: str, rows: pd.DataFrame, facts: pd.DataFrame | None) -> Matrix:
    run, runs = number_rows(rows, ("system", "run"))
    started, configuration = _design(runs, facts)
    cell, cells = number_rows(rows, CELL)
    shape = (len(runs), len(cells))

    def spread(name: str) -> NDArray[np.float64]:
        matrix = np.full(shape, np.nan)
        matrix[run, cell] = rows[name].to_numpy(float, na_value=np.nan)
        return matrix

    value, low, high = spread("value"), spread("low"), spread("high")
    usable = np.isfinite(value) & (value > 0)
    is_printed = np.isfinite(low) | np.isfinite(high) | np.isfinite(value)
    listed = np.zeros(shape, bool)
    listed[run, cell] = True
    return Matrix(
        tool=tool,
        runs=runs.astype("string"),
        cells=cells,
        value=np.where(usable, value, np.nan),
        low=low,
        high=high,
        censored=is_printed & ~usable,
        failed=listed & ~is_printed,
        started=started,
        configuration=configuration,
    )


def _design(
    runs: pd.DataFrame, facts: pd.DataFrame | None
) -> tuple[NDArray[np.datetime64], NDArray[np.int64]]:
    """Look up when runs began and what they were asked to do."""
    key = ["system", "run"]
    if facts is None or facts.empty:
        return np.full(len(runs), np.datetime64("NaT", "ns")), np.full(len(runs), -1)
    first = facts.drop_duplicates(key).astype(dict.fromkeys(key, "string"))
    code = pd.factorize(first["configuration"].astype("string"))[0]
    first = first[[*key, "started"]].assign(code=code)
    merged = runs.astype("string").merge(first, on=key, how="left")
    return merged["started"].to_numpy(), merged["code"].fillna(-1).to_numpy("int64")


_RUN = ("started", "configuration")
"""What `SystemRuns` has of each run and not of its cells."""


@dataclass(frozen=True)
class SystemRuns:
    """One system's runs, shape (runs, cells), and what its cells say, shape (cells,).

    ``run_low`` and ``run_high`` are the logarithms of the printed bounds, ``low`` and
    ``high`` those of each cell's mean; ``mean`` is its mean value, ``time`` the mean
    time that it took [s], ``run_times`` that of each run. A run has failed in a cell
    that it lists without a number. ``started`` and ``configuration`` are of each run.
    """

    logs: NDArray[np.float64]
    run_times: NDArray[np.float64]
    censored: NDArray[np.bool_]
    failed: NDArray[np.bool_]
    run_low: NDArray[np.float64]
    run_high: NDArray[np.float64]
    measured: NDArray[np.bool_]
    seen: NDArray[np.bool_]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    mean: NDArray[np.float64]
    time: NDArray[np.float64]
    started: NDArray[np.datetime64]
    configuration: NDArray[np.int64]

    def of_cells(self, cells: NDArray[np.bool_]) -> SystemRuns:
        """Keep some of the cells."""
        if cells.all():
            return self
        parts = {
            column.name: getattr(self, column.name)[..., cells]
            for column in fields(self)
            if column.name not in _RUN
        }
        return replace(self, **parts)


def beside(sides: Sequence[SystemRuns]) -> SystemRuns:
    """Put the cells of several beside one another; where there are fewer runs is none.

    The start and the configuration of a run stay with each side.
    """
    most = max(len(side.started) for side in sides)

    def joined(name: str) -> NDArray[Any]:
        parts = [getattr(side, name) for side in sides]
        if parts[0].ndim == 1:
            return np.concatenate(parts)
        shape = most, sum(part.shape[1] for part in parts)
        result = np.full(shape, False if parts[0].dtype == bool else np.nan)
        at = 0
        for part in parts:
            result[: len(part), at : at + part.shape[1]] = part
            at += part.shape[1]
        return result

    none = np.array([])
    of_cells = {
        f.name: joined(f.name) for f in fields(SystemRuns) if f.name not in _RUN
    }
    return SystemRuns(**of_cells, started=none, configuration=none)


def system_runs(matrix: Matrix, system: str) -> SystemRuns:
    """Take one system's runs out of a matrix."""
    rows = matrix.rows.get(system, np.empty(0, np.intp))
    value, censored = matrix.value[rows], matrix.censored[rows]
    is_number = np.isfinite(value)
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = np.log(matrix.low[rows]), np.log(matrix.high[rows])
    times = matrix.run_times[rows]
    return SystemRuns(
        logs=np.log(value),
        run_times=times,
        censored=censored,
        failed=matrix.failed[rows],
        run_low=low,
        run_high=high,
        measured=np.any(is_number, axis=0),
        seen=np.any(is_number | censored, axis=0),
        low=mean_over_runs(low, is_number | censored),
        high=mean_over_runs(high, is_number | censored),
        mean=mean_over_runs(value, is_number),
        time=mean_over_runs(times, is_number),
        started=matrix.started[rows],
        configuration=matrix.configuration[rows],
    )


def mean_over_runs(
    numbers: NDArray[np.float64], where: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Mean over runs; unknown as soon as one of them is."""
    cell = np.nonzero(where)[1]
    return cell_means(numbers[where], cell, where.shape[1])


def _run_times(value: NDArray[np.float64], cells: pd.DataFrame) -> NDArray[np.float64]:
    """File size ÷ throughput of each run [s]; an elapsed time is one already."""
    size = cells["file_size_bytes"].to_numpy(float, na_value=np.nan)
    metric = cells["metric"].astype(str).to_numpy()
    with np.errstate(over="ignore"):
        moved = np.where(metric == "throughput", size / value, np.nan)
    return np.where(metric == "elapsed", value, moved)
