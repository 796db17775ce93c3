"""What no mean over sizes shows: single cells of the rows of a matrix."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fsviz.analysis.buckets import ALL
from fsviz.analysis.tests import FEWEST
from fsviz.analysis.verdicts import ALPHA, DIFFERENT, beyond_band, directions
from fsviz.answers.words import LoneCell, RareCells, Torn, sizes_apart
from fsviz.checks.judged_comparison import compare
from fsviz.checks.parts import WORTH_A_WORD
from fsviz.checks.phrases import count
from fsviz.model.libraries import pd
from fsviz.model.table import PLACE, SIZES, plain_rows

if TYPE_CHECKING:
    from fsviz.model.campaign import Data


def by_cells(
    frame: pd.DataFrame, data: Data, asked: Mapping[str, Any], candidates: int
) -> dict[str, list]:
    """Say what no mean over sizes shows: cells both ways, one that is alone, or rare.

    Where sizes decide that a row depends, these are told and not the cells.
    """
    single = frame["operation"] != ALL
    wide = (
        single
        & frame["verdict"].isin(["same", "unclear", *DIFFERENT])
        & (frame["cells_low"] < 1 / WORTH_A_WORD)
        & (frame["cells_high"] > WORTH_A_WORD)
    )
    # a cell that is twice as far as the others leaves these ends this far apart
    alone = single & (frame["cells_high"] >= 2 * frame["cells_low"])
    found: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    rare = single & (frame["cells_rare"] > 0)
    # without a matched cell the sizes are apart, and a note of its own says so
    unmatched = single & (frame["cells_unmatched"] > 0) & (frame["cells"] > 0)
    if (some := wide | alone | rare | unmatched).any():
        names = {n: [*frame.loc[some, n].unique()] for n in ("operation", "candidate")}
        cells = compare(data, **{**asked, **names}, cells=True)
        cells = cells.rename(columns={"ratio": "geomean_ratio"})
        told = cells["verdict"].isin(DIFFERENT) & beyond_band(cells)
        cells = cells.assign(
            told=told, speed=cells["geomean_ratio"] ** directions(cells)
        )
        own = (dict(zip(_CELL, row, strict=True)) for row in plain_rows(cells, _CELL))
        for place, cell in zip(plain_rows(cells, PLACE), own, strict=True):
            found.setdefault(tuple(map(str, place)), []).append(cell)
    rows = [found.get(tuple(map(str, p)), []) for p in plain_rows(frame, PLACE)]
    return {
        "torn": [
            _torn(own) if is_wide else None
            for own, is_wide in zip(rows, wide, strict=True)
        ],
        "lone_cell": [
            _lone(own, candidates) if may else None
            for own, may in zip(rows, alone, strict=True)
        ],
        "rare": [
            _rare(own) if is_rare else ()
            for own, is_rare in zip(rows, rare, strict=True)
        ],
        "lacking": [_of_one_side(own, "n_candidate") for own in rows],
        "alone": [_of_one_side(own, "n_baseline") for own in rows],
    }


def _of_one_side(cells: list[dict[str, Any]], lacks: str) -> str:
    """Name the sizes of which one side has no run at all."""
    return _place_of([c for c in cells if not c[lacks]], [c for c in cells if c[lacks]])


def _place_of(some: list[dict[str, Any]], rest: list[dict[str, Any]]) -> str:
    """Name what some cells have and the others have not; else count them."""
    for name in SIZES[:2]:
        own, others = (
            {int(c[name]) for c in part if pd.notna(c[name])} for part in (some, rest)
        )
        if place := sizes_apart(own, others, name.partition("_")[0]):
            return place
    if len(some) == 1:
        return _lone_of(some[0], rest).place
    return count(len(some), "cell") if some else ""


_CELL = [*SIZES[:2], "speed", "verdict", "q_value", "told", "n_baseline", "n_candidate"]
_ALONE, _NEARER = math.log(2), 4
"""How far a cell is from the median, and how many times nearer all others are."""
_FEWEST_CELLS = 4


def _torn(cells: list[dict[str, Any]]) -> Torn | None:
    """Count the decided cells of either way; None if there is only one."""
    ways = [
        [c["speed"] for c in cells if c["told"] and c["verdict"] == w]
        for w in DIFFERENT
    ]
    faster, slower = ([speed for speed in own if speed > 0] for own in ways)
    if not (faster and slower):
        return None
    return Torn(len(faster), len(slower), min(slower), max(faster))


def _lone(cells: list[dict[str, Any]], candidates: int) -> LoneCell | None:
    """Find the cell that is far from all others, if one is."""
    timed = [cell for cell in cells if cell["speed"] > 0]
    if len(timed) < _FEWEST_CELLS:
        return None
    middle = math.log(statistics.median(cell["speed"] for cell in timed))
    apart = [abs(math.log(cell["speed"]) - middle) for cell in timed]
    far, near = sorted(apart, reverse=True)[:2]
    one = timed.pop(apart.index(far))
    is_alone = far >= _ALONE and near * _NEARER <= far
    if not (is_alone and one["told"] and one["q_value"] * candidates < ALPHA):
        return None
    return _lone_of(one, timed)


def _rare(cells: list[dict[str, Any]]) -> tuple[RareCells, ...]:
    """Say of which sizes the cells are that too few runs have; if apart, of each."""
    timed = [cell for cell in cells if cell["speed"] > 0]
    few = [cell for cell in timed if _runs_of(cell) < FEWEST]
    rest = [cell for cell in timed if cell not in few]
    place = _place_of(few, rest)
    if not few or not (_is_wide(few) or place.endswith(" cells")):
        return (_rare_of(few, place),) if few else ()
    for name in SIZES[:2]:
        groups: dict[Any, list[dict[str, Any]]] = {}
        for cell in few:
            groups.setdefault(cell[name], []).append(cell)
        others = {cell[name] for cell in rest}
        if len(groups) > 1 and not others & {*groups}:
            return tuple(_rare_of(own, _place_of(own, rest)) for own in groups.values())
    return tuple(_rare_of([cell], _lone_of(cell, rest).place) for cell in few)


def _rare_of(cells: list[dict[str, Any]], place: str) -> RareCells:
    speeds = [cell["speed"] for cell in cells]
    return RareCells(min(map(_runs_of, cells)), place, min(speeds), max(speeds))


def _runs_of(cell: dict[str, Any]) -> int:
    return min(cell["n_baseline"], cell["n_candidate"])


def _is_wide(cells: list[dict[str, Any]]) -> bool:
    speeds = [cell["speed"] for cell in cells]
    return max(speeds) > WORTH_A_WORD * min(speeds)


def _lone_of(cell: dict[str, Any], others: list[dict[str, Any]]) -> LoneCell:
    file, record = (
        None if pd.isna(cell[name]) else int(cell[name]) for name in SIZES[:2]
    )
    speeds = [other["speed"] for other in others]
    ends = min(speeds, default=math.nan), max(speeds, default=math.nan)
    return LoneCell(file, record, cell["speed"], *ends, len(speeds))
