"""The ratio of a candidate to the baseline, cell by cell: a colour only where it holds.

Logarithmic and diverging, so that twice as fast and half as fast are equally strong;
red and blue, which the colour-blind tell apart; a line where the winner changes.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from fsviz.analysis.answers import DIFFERENT, NOT_COMPARABLE
from fsviz.answers.words import (
    ANSWER_SCALE,
    MARKS,
    WORDS,
    factor_of,
    range_words,
    rule_words,
    speed_of,
    times_words,
)
from fsviz.figures.panels.heatmap import ROOM_FOR_NUMBERS, hatch
from fsviz.figures.panels.linked import pair_text
from fsviz.figures.style import edges_of, readable_on, rounded
from fsviz.model.table import METRICS, SIZES

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.analysis.grids import Grid
    from fsviz.figures.panels.linked import Cell
    from fsviz.figures.style import Scale

Row = Mapping[str, Any]
"""A cell of a comparison."""
ENDS = tuple(math.log2(times) for times in (1.25, 1.5, 2, 4, 8, 16))
"""Where colours may end [log₂]."""
_HELD = 0.95
"""Share of the ratios that have a colour of their own."""
FAR = 2.0
"""log₂ of 4 times: a system that is typically farther away does not set the colours."""
_EDGE = "rgb(31, 41, 51)"
"""Dark on a dark page too: cells keep their colours there."""
HATCH = "#c6ccd3", "#f6f7f9"
"""Lines and ground of cells that have no answer, below a number."""
RATIOS = "blue is better, red worse; grey may be chance, hatched does not count"
WINNERS = "winner changes"
PALE_INK = "#3e4650"
"""On what is pale grey, whatever lies below."""


def ratio_texts(
    grid: Grid, first: Grid, rows: Iterable[Row], scale: Scale
) -> dict[Cell, str]:
    """Say all of each cell of a candidate and the baseline."""
    return {
        cell: pair_text(grid, first, cell, scale, _ratio_words(row))
        for row in rows
        if (cell := cell_of(row)) in grid.measured | first.measured
    }


def ratio_panel(
    ratios: Sequence[Row],
    texts: Mapping[Cell, str],
    *,
    numbers: bool,
    end: float,
) -> list:
    """Draw the ratios of one candidate; `texts` says all of a cell."""
    by_cell = {cell_of(row): row for row in ratios}
    files = sorted({file for file, _ in by_cell})
    records = sorted({record for _, record in by_cell})
    rows = [[by_cell.get((file, record)) for record in records] for file in files]
    place = {
        "x": [math.log2(record) for record in records],
        "y": [math.log2(file) for file in files],
    }
    numbers = numbers and len(files) * len(records) <= ROOM_FOR_NUMBERS
    hover = [[texts.get((file, record), "") for record in records] for file in files]
    return [
        _colours(rows, place, hover),
        _unsure_layer(rows, place),
        *_line_of_winners(rows, files, records),
        _hatching(rows, place),
        *([_numbers(rows, place, end)] if numbers else _crosses(rows, place)),
    ]


def rows_of(cells: pd.DataFrame) -> dict[str, list[Row]]:
    """List the cells that have both sizes, by candidate."""
    by_candidate = defaultdict[str, list[Row]](list)
    for row in cells.dropna(subset=[*SIZES[:2]]).to_dict("records"):
        by_candidate[row["candidate"]].append(row)
    return by_candidate


def cell_of(row: Row) -> Cell:
    """Take file size and record size [B]."""
    return int(row["file_size_bytes"]), int(row["record_size_bytes"])


def is_matched(row: Row | None) -> bool:
    """Whether a cell has a ratio."""
    return row is not None and row["ratio"] == row["ratio"] and row["ratio"] > 0


def is_measurable(row: Row | None) -> bool:
    """Whether IOzone could measure a cell, so that its ratio has a colour."""
    return row is not None and bool(row.get("measurable", True))


def _is_clear(row: Row | None) -> bool:
    """Whether a cell decides who is faster."""
    if row is None or not (is_matched(row) and is_measurable(row)):
        return False
    return row["answer"] in DIFFERENT


def _log(row: Row | None) -> float | None:
    if row is None or not (is_matched(row) and is_measurable(row)):
        return None
    return rounded(math.log2(row["ratio"]))


def _colours(rows: list, place: dict, hover: list[list[str]]) -> go.Heatmap:
    """Colour the ratios. What has none is there too, so that it can be pointed at."""
    return go.Heatmap(
        **place,
        z=[[_log(cell) for cell in row] for row in rows],
        hovertext=hover,
        hovertemplate="%{hovertext}<extra></extra>",
        hoverongaps=True,
        coloraxis="coloraxis2",
        xgap=1,
        ygap=1,
        name="ratio",
        meta={"readout": True},
    )


def _ratio_words(row: Row) -> list[str]:
    """Say the ratio of a cell, its interval, and what stands beside its answer."""
    if not is_matched(row):
        return []
    if not is_measurable(row):
        return ["does not count: too short to time or read before the clock"]
    words = f"<b>{times_words(_speed(row, 'ratio'))}</b>{_answer(row)}"
    if row["ci_low"] == row["ci_low"]:
        ends = sorted(_speed(row, name) for name in ("ci_low", "ci_high"))
        words += f" (95 % interval {range_words(*ends)})"
    return [words, ", ".join(map(str, row.get("scope") or ()))]


def _answer(row: Row) -> str:
    """Say the answer, after the ratio; empty where that has said it."""
    if row["answer"] == NOT_COMPARABLE:
        return f", {WORDS[NOT_COMPARABLE]}: {rule_words(row['rule'])}"
    return "" if row["answer"] in DIFFERENT else f", {WORDS[row['answer']]}"


def _speed(row: Row, name: str) -> float:
    return speed_of(float(row[name]), str(row["metric"]))


def _unsure_layer(rows: list, place: dict) -> go.Heatmap:
    """Grey the cells whose ratio may be chance."""
    greyed = [
        [
            1 if is_matched(c) and is_measurable(c) and not _is_clear(c) else None
            for c in row
        ]
        for row in rows
    ]
    pale = "#e6eaef"
    return go.Heatmap(
        **place,
        z=greyed,
        colorscale=[[0, pale], [1, pale]],
        showscale=False,
        hoverinfo="skip",
        xgap=1,
        ygap=1,
        name="not significant",
    )


def legend_of(traces: Iterable[go.Scatter]) -> str:
    """Explain the colours of ratios, and the line if there is one."""
    line = any(trace.name == WINNERS and trace.x for trace in traces)
    return RATIOS + ("; the line is where the winner changes." if line else ".")


def _winner(row: Row | None) -> str:
    """Say who wins a cell, as the answer does; empty where nobody does."""
    return str(row["answer"]) if row is not None and _is_clear(row) else ""


def _line_of_winners(
    rows: list, files: Sequence[int], records: Sequence[int]
) -> list[go.Scatter]:
    """Draw the edges between neighbours that different sides win."""
    x: list[float | None] = []
    y: list[float | None] = []
    columns = edges_of(records)
    for n, (row, (low, high)) in enumerate(zip(rows, edges_of(files), strict=True)):
        for k, (cell, (left, right)) in enumerate(zip(row, columns, strict=True)):
            winners = {"", _winner(cell)}
            if k + 1 < len(row) and len(winners | {_winner(row[k + 1])}) > 2:
                x += [right, right, None]
                y += [low, high, None]
            if n + 1 < len(rows) and len(winners | {_winner(rows[n + 1][k])}) > 2:
                x += [left, right, None]
                y += [high, high, None]
    return [
        go.Scatter(
            x=x,
            y=y,
            mode="lines",
            line={"color": _EDGE, "width": 2.5},
            hoverinfo="skip",
            showlegend=False,
            name=WINNERS,
        )
    ]


def _hatching(rows: list, place: dict) -> go.Scatter:
    """Cells of one side only, or not measurable; what neither has stays empty."""
    places = [
        (x, y)
        for row, y in zip(rows, place["y"], strict=True)
        for cell, x in zip(row, place["x"], strict=True)
        if cell is not None and not (is_matched(cell) and is_measurable(cell))
    ]
    return hatch(places, *HATCH, "not measurable, or of one side")


def _crosses(rows: list, place: dict) -> list[go.Scatter]:
    """Cross out the cells that are not comparable."""
    places = [
        (x, y)
        for row, y in zip(rows, place["y"], strict=True)
        for cell, x in zip(row, place["x"], strict=True)
        if cell is not None and is_matched(cell) and cell["answer"] == NOT_COMPARABLE
    ]
    return [
        go.Scatter(
            x=[x for x, _ in places],
            y=[y for _, y in places],
            mode="markers",
            marker={
                "symbol": "x-thin",
                "size": 5,
                "line": {"color": PALE_INK, "width": 1},
            },
            hoverinfo="skip",
            showlegend=False,
            name="not comparable",
        )
    ]


def _numbers(rows: list, place: dict, end: float) -> go.Scatter:
    """Write the ratios, each in the ink that the ground of its own cell needs."""
    cells = [
        (x, y, cell)
        for row, y in zip(rows, place["y"], strict=True)
        for cell, x in zip(row, place["x"], strict=True)
        if is_matched(cell)
    ]
    shares = [((_log(cell) or 0.0) + end) / (2 * end) for _, _, cell in cells]
    colours = scale_of(str(cells[0][2]["metric"])) if cells else ANSWER_SCALE
    inks = [
        ink if _is_clear(cell) else PALE_INK
        for (_, _, cell), ink in zip(cells, readable_on(shares, colours), strict=True)
    ]
    texts = [_cell_text(cell) for _, _, cell in cells]
    return go.Scatter(
        x=[x for x, _, _ in cells],
        y=[y for _, y, _ in cells],
        text=texts,
        # in a narrow window the colour says what a sign says
        meta={"short": [text.lstrip("▲▼") for text in texts]},
        mode="text",
        textfont={"size": 11, "color": inks},
        hoverinfo="skip",
        showlegend=False,
    )


def _cell_text(row: Row) -> str:
    """Write how many times faster or slower a cell is; its ground says how sure."""
    speed = _speed(row, "ratio")
    times = (
        f"{factor_of(speed):.1f}"
        if factor_of(speed) < _WHOLE
        else f"{factor_of(speed):.0f}"
    )
    if times == "1.0":
        return times
    return f"{MARKS['faster' if speed > 1 else 'slower']}{times}"


_WHOLE = 9.95
"""From here on a ratio in a cell has no decimals."""


def limit(logs: Sequence[float]) -> float:
    """Choose the end of the colours [log₂]: the first of `ENDS` that holds nearly all.

    >>> [round(2 ** limit([n / 10] * 20), 2) for n in (1, 8, 15, 90)]
    [1.25, 2.0, 4.0, 16.0]
    """
    ordered = sorted(logs)
    nearly_all = ordered[math.ceil(_HELD * len(ordered)) - 1] if ordered else 0.0
    return next((end for end in ENDS if nearly_all <= end), ENDS[-1])


def scale_of(metric: str) -> str:
    """Name the colour scale on which the candidate's side is blue."""
    return ANSWER_SCALE if METRICS[metric].better >= 0 else ANSWER_SCALE + "_r"


def axis_end(cells: pd.DataFrame) -> float:
    """Where the colour axis of some cells' ratios ends [log₂].

    A system that is far from all others, as a local disk is from mounts, would leave
    them pale: it does not count, and has the colour of an end.
    """
    ratios = cells.loc[cells["ratio"] > 0, ["candidate", "ratio"]]
    logs = ratios["ratio"].map(math.log2).abs()
    typical = logs.groupby(ratios["candidate"]).median()
    near = set(typical.index[typical <= FAR])
    # where most are far it is the near ones that are the exception
    near = near if 2 * len(near) >= len(typical) else set(typical.index)
    return limit(logs.loc[ratios["candidate"].isin(near)].tolist())


def _tick(log: float, end: float, metric: str) -> str:
    """Label a ratio; at the ends stand those beyond, too."""
    speed = speed_of(2.0**log, metric)
    if speed == 1:
        return "1×"
    mark, times = ("▲", speed) if speed > 1 else ("▼", 1 / speed)
    return f"{'≥' * (abs(log) == end)}{mark}{times:.3g}×"


def ratio_axis(end: float, metric: str, x: float, y: float, length: float) -> dict:
    """The colour axis of all ratios: centred on 1, blue on the candidate's side."""
    inner = [t for t in range(-3, 4) if abs(t) < end]
    ticks = [-end, *inner, end]
    return {
        "colorscale": scale_of(metric),
        "cmin": -end,
        "cmax": end,
        "colorbar": {
            # not along the bar: a symbol turned on its side says something else
            "title": {
                # a line of nothing keeps the words off the uppermost tick; plotly gives
                # one without an element no height
                "text": "▲ faster<br>▼ slower<br><b>\N{NO-BREAK SPACE}</b>",
                "side": "top",
                "font": {"size": 11},
            },
            "tickfont": {"size": 11},
            "tickvals": ticks,
            "ticktext": [_tick(t, end, metric) for t in ticks],
            "x": x,
            "y": y,
            "len": length,
            "thickness": 14,
            "outlinewidth": 0,
        },
    }
