"""A figure as a plain picture, drawn without a browser, for where no script runs.

``jupyter nbconvert --to html``, a mail or GitHub know nothing of plotly's data; they
show the picture that the same output carries. It has the cells, points, lines and axes
of the figure, and each surface as it stands. PNG, SVG and PDF files are drawn by
plotly.js, see `fsviz.figures.export`.
"""

from __future__ import annotations

import html
import itertools
import math
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from fsviz.model.escaping import html_text
from fsviz.model.units import significant

WIDTH = 1100
"""Of the picture [px]."""
MIMETYPE = "image/svg+xml"
_DATA = "application/vnd.plotly.v1+json"
_LINE, _LETTER = 15, 6.4
"""Height of a line and width of a letter of small text [px]."""
_LEFT = 90
"""Room for the ticks of the leftmost axes [px]."""
_SHADES = 40
"""So many colours of a scale are told apart: cells of one colour are one path."""
_INK, _SOFT = "#1f2933", "#52606d"

Json = Mapping[str, Any]


class Figure(go.Figure):
    """A figure whose notebook output also holds a picture."""

    # found first by IPython, which then would ask for no picture
    _ipython_display_ = None

    def _repr_html_(self) -> None:
        """Offer no page: plotly's loads a script from another server."""

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None, **kwargs: Any
    ) -> dict:
        """Add a picture to what plotly puts out, if that is data alone.

        What is folded away has words instead: what stands above it has its cells.
        """
        bundle = dict(super()._repr_mimebundle_(include, exclude, **kwargs))
        meta = self.layout.meta or {}
        if set(bundle) == {_DATA} and not meta.get("folded"):
            bundle[MIMETYPE] = still(bundle[_DATA])
        # else IPython writes out the whole figure as Python
        return bundle | {"text/plain": _alt(meta)}


@dataclass(frozen=True, slots=True)
class Axis:
    """Where values of one axis stand in the picture.

    Units: `start, end` [px].
    """

    start: float
    end: float
    low: float
    high: float
    log: bool
    shown: Json

    def place(self, value: object) -> float | None:
        """Say where a value stands [px]; None if it has no place."""
        if not isinstance(value, int | float) or not math.isfinite(value):
            return None
        if self.log and value <= 0:
            return None
        at = math.log10(value) if self.log else float(value)
        share = (at - self.low) / ((self.high - self.low) or 1.0)
        return self.start + share * (self.end - self.start)


def still(figure: Json) -> str:
    """Draw the visible traces of a figure."""
    layout = figure.get("layout", {})
    meta = layout.get("meta") or {}
    height = float(layout.get("height") or 450)
    traces = [t for t in figure.get("data", ()) if t.get("visible", True) is True]
    inner = _inner(layout, height)
    axes = dict(_axes(layout, traces, inner))
    drawn = [part for trace in traces for part in _trace(trace, axes, layout, inner)]
    frames = [part for name, axis in axes.items() for part in _frame(name, axis, axes)]
    words = list(_annotations(layout, axes, inner))
    below, bottom = _below(traces, layout, meta, height)
    title = str((layout.get("title") or {}).get("text", ""))
    alt = _alt(meta)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom:g}" '
        f'width="{WIDTH}" height="{bottom:g}" role="img" '
        f'font-family="DejaVu Sans, Arial, sans-serif" font-size="11" fill="{_INK}">'
        f"<title>{html_text(alt)}</title>"
        f'<rect width="{WIDTH}" height="{bottom:g}" fill="#fff"/>'
        + _text(14, 20, title, 15)
        + "".join([*frames, *drawn, *words, *_colour_bars(layout, inner), *below])
        + "</svg>"
    )


def _alt(meta: Json) -> str:
    return html.unescape(str(meta.get("alt", "figure")))


def _inner(layout: Json, height: float) -> tuple[float, float, float, float]:
    """Left, top, width and height of what the margins leave [px]."""
    margin = {"l": 10, "r": 10, "t": 70, "b": 10} | (layout.get("margin") or {})
    own = any(layout.get(n, {}).get("automargin") for n in ("yaxis", "yaxis2"))
    left = max(margin["l"], _LEFT * (2 if own else 0.2))
    top, bottom = margin["t"], max(margin["b"], 46)
    return left, top, WIDTH - left - margin["r"] - 20, height - top - bottom


# Axes ---------------------------------------------------------------------------------


def _axes(
    layout: Json, traces: Sequence[Json], inner: tuple[float, float, float, float]
) -> Iterator[tuple[str, Axis]]:
    left, top, width, height = inner
    for key, shown in layout.items():
        found = re.fullmatch(r"([xy])axis(\d*)", key)
        if not found:
            continue
        name = found[1] + found[2]
        low, high = shown.get("range") or _ends(name, traces)
        first, last = shown.get("domain") or (0.0, 1.0)
        if found[1] == "x":
            start, end = left + first * width, left + last * width
        else:
            start, end = top + (1 - first) * height, top + (1 - last) * height
        log = shown.get("type") == "log"
        yield name, Axis(start, end, float(low), float(high), log, shown)


def _ends(name: str, traces: Sequence[Json]) -> tuple[float, float]:
    """Find the smallest and the largest number on an axis without a range."""
    side = name[0]
    found = [
        float(value)
        for trace in traces
        if trace.get(f"{side}axis", side) == name
        for value in trace.get(side) or ()
        if isinstance(value, int | float) and math.isfinite(value)
    ]
    low, high = min(found, default=0.0), max(found, default=1.0)
    room = 0.05 * (high - low or 1.0)
    return low - room, high + room


def _frame(name: str, axis: Axis, axes: Mapping[str, Axis]) -> Iterator[str]:
    """Draw one axis: its line, ticks and title."""
    other = axes.get(str(axis.shown.get("anchor") or ("y" if name[0] == "x" else "x")))
    if other is None or axis.shown.get("visible") is False:
        return
    across = name[0] == "x"
    far = axis.shown.get("side") in ("top", "right")
    at = other.end if far else other.start
    start, end = (axis.start, at), (axis.end, at)
    if not across:
        start, end = (at, axis.start), (at, axis.end)
    if axis.shown.get("showline", True):
        yield _line(start, end, _INK, 1)
    size = (axis.shown.get("tickfont") or {}).get("size", 11)
    slant = axis.shown.get("tickangle") or 0
    for value, text in _ticks(axis):
        place = axis.place(value)
        if place is None:
            continue
        if across:
            # above an axis, the last of several lines is the nearest to it
            above = at - 6 - 1.2 * size * text.count("<br")
            yield _text(
                place,
                above if far else at + 14,
                text,
                size,
                "end" if slant else "middle",
                slant,
            )
        else:
            yield _text(at - 5, place + 4, text, size, "end")
    title = str((axis.shown.get("title") or {}).get("text") or "")
    middle = (axis.start + axis.end) / 2
    if title and across:
        yield _text(middle, at + (-24 if far else 40), title, 11, "middle")
    elif title:
        yield _text(at - 52, middle, title, 11, "middle", -90)


def _ticks(axis: Axis) -> list[tuple[float, str]]:
    values, texts = axis.shown.get("tickvals"), axis.shown.get("ticktext")
    if values is None:
        if axis.shown.get("showticklabels") is False:
            return []
        steps = [axis.low + n * (axis.high - axis.low) / 4 for n in range(5)]
        values = [10**step for step in steps] if axis.log else steps
    return list(zip(values, texts or [significant(v) for v in values], strict=False))


# Traces -------------------------------------------------------------------------------


def _trace(
    trace: Json,
    axes: Mapping[str, Axis],
    layout: Json,
    inner: tuple[float, float, float, float],
) -> Iterator[str]:
    kind = trace.get("type")
    if kind == "surface":
        yield from _surface(trace, layout, inner)
        return
    x, y = (
        axes.get(str(trace.get("xaxis", "x"))),
        axes.get(str(trace.get("yaxis", "y"))),
    )
    if x is None or y is None:
        return
    if kind == "heatmap":
        yield from _cells(trace, x, y, layout)
    elif kind == "scatter":
        yield from _scatter(trace, x, y)
    elif kind == "bar":
        yield from _bars(trace, x, y)


def _cells(trace: Json, x: Axis, y: Axis, layout: Json) -> Iterator[str]:
    """Draw a heatmap: cells of one colour are one path."""
    shade = _shader(trace, layout)
    paths: dict[str, str] = {}
    rows = trace["z"]
    across = _edges(trace.get("x") or list(range(len(rows[0]))), x)
    down = _edges(trace.get("y") or list(range(len(rows))), y)
    for row, (top, bottom) in zip(rows, down, strict=False):
        for value, (left, right) in zip(row, across, strict=False):
            colour = shade(value)
            if colour:
                place = round(left), round(top)
                wide, high = round(right) - place[0], round(bottom) - place[1]
                # to where it ends, and back: shorter than the four corners
                box = f"M{place[0]} {place[1]}h{wide}v{high}h{-wide}z"
                paths[colour] = paths.get(colour, "") + box
    for colour, boxes in paths.items():
        yield f'<path fill="{html_text(colour)}" stroke="#d9dee4" d="{boxes}"/>'


def _edges(values: Sequence[float], axis: Axis) -> list[tuple[float, float]]:
    """Where the cells of a heatmap begin and end, half way to their neighbours."""
    if len(values) < 2:
        return [(axis.start, axis.end)] * len(values)
    steps = [(b - a) / 2 for a, b in itertools.pairwise(values)]
    steps = [steps[0], *steps, steps[-1]]
    ends = [
        (axis.place(v - steps[n]), axis.place(v + steps[n + 1]))
        for n, v in enumerate(values)
    ]
    return [(low or 0.0, high or 0.0) for low, high in ends]


def _shader(trace: Json, layout: Json) -> Any:
    """Make the function from a value to its colour; empty where there is none."""
    named = layout.get(str(trace.get("coloraxis", "")), {})
    scale = named.get("colorscale") or trace.get("colorscale") or ()
    scale = [] if isinstance(scale, str) else [(float(a), str(b)) for a, b in scale]
    low = named.get("cmin", trace.get("zmin", trace.get("cmin")))
    high = named.get("cmax", trace.get("zmax", trace.get("cmax")))
    if low is None or high is None:
        rows = trace.get("surfacecolor") or trace.get("z") or ()
        known = [v for row in rows for v in row if isinstance(v, int | float)]
        low, high = min(known, default=0.0), max(known, default=1.0)
    made: dict[int, str] = {}

    def shade(value: object) -> str:
        if not isinstance(value, int | float) or value != value:
            return ""
        share = (value - low) / ((high - low) or 1.0)
        step = round(min(1.0, max(0.0, share)) * _SHADES)
        if step not in made:
            made[step] = _between(scale, step / _SHADES)
        return made[step]

    return shade


def _colour_bars(
    layout: Json, inner: tuple[float, float, float, float]
) -> Iterator[str]:
    """Draw what the colours mean: a bar, its numbers and its unit."""
    left, top, width, height = inner
    for key, axis in layout.items():
        bar = axis.get("colorbar") if key.startswith("coloraxis") else None
        if not bar or axis.get("showscale") is False or "cmin" not in axis:
            continue
        long = float(bar.get("len", 1)) * height
        x = left + float(bar.get("x", 1)) * width
        low = top + (1 - float(bar.get("y", 0.5))) * height + long / 2
        shade = _shader({"coloraxis": key}, layout)
        ends = float(axis["cmin"]), float(axis["cmax"])
        for n in range(_SHADES):
            value = ends[0] + (n + 0.5) / _SHADES * (ends[1] - ends[0])
            at = low - (n + 1) / _SHADES * long
            yield (
                f'<rect x="{x:.0f}" y="{at:.1f}" width="14" '
                f'height="{long / _SHADES + 0.5:.1f}" fill="{shade(value)}"/>'
            )
        for value, text in _ticks(Axis(low, low - long, *ends, False, bar)):
            share = (value - ends[0]) / ((ends[1] - ends[0]) or 1.0)
            yield _text(x + 18, low - share * long + 4, text)
        title = bar.get("title") or {}
        text = str(title.get("text") or "").replace("<br><b>\N{NO-BREAK SPACE}</b>", "")
        if title.get("side") == "right":
            yield _text(x + 60, low - long / 2, text, 11, "middle", 90)
        else:
            yield _text(x, low - long - 14 * (1 + text.count("<br")), text)


def _between(scale: Sequence[tuple[float, str]], share: float) -> str:
    if not scale:
        return "#9aa5b1"
    for (low, first), (high, last) in itertools.pairwise(scale):
        if share <= high:
            part = (share - low) / ((high - low) or 1.0)
            mixed = [
                round(a + (b - a) * part)
                for a, b in zip(_rgb(first), _rgb(last), strict=True)
            ]
            return "#" + "".join(f"{c:02x}" for c in mixed)
    return scale[-1][1]


def _rgb(text: str) -> tuple[float, float, float]:
    if text.startswith("#"):
        return tuple(int(text[i : i + 2], 16) for i in (1, 3, 5))  # type: ignore[return-value]
    found = [float(part) for part in re.findall(r"[\d.]+", text)[:3]]
    return (found[0], found[1], found[2]) if len(found) == 3 else (128, 128, 128)


def _scatter(trace: Json, x: Axis, y: Axis) -> Iterator[str]:
    points = [
        (x.place(a), y.place(b))
        for a, b in zip(trace.get("x") or (), trace.get("y") or (), strict=False)
    ]
    mode = str(trace.get("mode", "lines+markers"))
    line = trace.get("line") or {}
    if "lines" in mode and (line.get("width") or 2) > 0:
        yield from _polyline(points, _colour(line.get("color")), line.get("width") or 2)
    for style, drawn in _points(trace, points, mode).items():
        marks = "".join(part for part in drawn if part[0] != "<")
        words = "".join(part for part in drawn if part[0] == "<")
        path = f'<path {style} d="{marks}"/>'
        yield path if marks else f"<g {style}>{words}</g>"


def _points(
    trace: Json, points: Sequence[tuple[float | None, float | None]], mode: str
) -> dict[str, list[str]]:
    """Draw marks and words, those that look alike together: so a picture is short."""
    marker, font = trace.get("marker") or {}, trace.get("textfont") or {}
    edges = marker.get("line") or {}
    groups: dict[str, list[str]] = {}
    if mode == "text" and not _fits(trace, points):
        return groups
    beside = "right" in str(trace.get("textposition", ""))
    for n, (left, top) in enumerate(points):
        if left is None or top is None:
            continue
        if "markers" in mode:
            line = (trace.get("line") or {}).get("color")
            fill = _colour(_nth(marker.get("color"), n) or line)
            style = f'fill="{fill}" stroke="{_colour(edges.get("color"), fill)}"'
            size = min(4.0, float(_nth(marker.get("size"), n) or 8) / 2)
            mark = _mark(left, top, str(_nth(marker.get("symbol"), n)), size)
            groups.setdefault(style, []).append(mark)
        text = str(_nth(trace.get("text"), n) or "") if "text" in mode else ""
        if text:
            ink = _colour(_nth(font.get("color"), n), _INK)
            size = float(_nth(font.get("size"), n) or 11)
            anchor = "start" if beside else "middle"
            style = f'fill="{ink}" font-size="{size:g}" text-anchor="{anchor}"'
            word = html_text(html.unescape(_plain(text)).strip())
            word = f'<text x="{left + 7 * beside:.0f}" y="{top + 4:.0f}">{word}</text>'
            groups.setdefault(style, []).append(word)
    return groups


def _fits(trace: Json, points: Sequence[tuple[float | None, float | None]]) -> bool:
    """Say whether numbers in cells keep off one another."""
    columns = sorted({left for left, _ in points if left is not None})
    apart = min((b - a for a, b in itertools.pairwise(columns)), default=math.inf)
    texts = trace.get("text")
    texts = [texts] if isinstance(texts, str) else texts or ()
    longest = max((len(html.unescape(_plain(str(t)))) for t in texts), default=0)
    beside = "right" in str(trace.get("textposition", ""))
    return beside or _LETTER * longest <= apart


def _bars(trace: Json, x: Axis, y: Axis) -> Iterator[str]:
    flat = trace.get("orientation") == "h"
    colour = _colour((trace.get("marker") or {}).get("color"))
    for a, b in zip(trace.get("x") or (), trace.get("y") or (), strict=False):
        left, top = x.place(a), y.place(b)
        if left is not None and top is not None:
            foot = (x.start, top) if flat else (left, y.start)
            yield _line(foot, (left, top), colour, 8)


def _polyline(
    points: Sequence[tuple[float | None, float | None]], colour: str, width: float
) -> Iterator[str]:
    """Draw a line, interrupted where a point has no place."""
    path, pen = "", "M"
    for left, top in points:
        if left is None or top is None:
            pen = "M"
            continue
        path += f"{pen}{left:.1f} {top:.1f}"
        pen = "L"
    if path:
        yield (
            f'<path fill="none" stroke="{colour}" stroke-width="{width:g}" d="{path}"/>'
        )


def _mark(left: float, top: float, symbol: str, size: float = 4) -> str:
    """Outline a point; the symbols that fsviz uses most have their own form."""
    s, wide = f"{size:g}", f"{2 * size:g}"
    if symbol.startswith("square"):
        return f"M{left - size:.1f} {top - size:.1f}h{wide}v{wide}h-{wide}z"
    if symbol.startswith("x-thin"):
        corner = f"{left - size:.1f} {top - size:.1f}"
        return f"M{corner}l{wide} {wide}m0-{wide}l-{wide} {wide}"
    if symbol.startswith("triangle-down"):
        return f"M{left - size:.1f} {top - size:.1f}h{wide}l-{s} {wide}z"
    if symbol.startswith("triangle"):
        return f"M{left - size:.1f} {top + size:.1f}h{wide}l-{s}-{wide}z"
    if symbol.startswith(("diamond", "star")):
        return f"M{left:.1f} {top - size:.1f}l{s} {s}-{s} {s}-{s}-{s}z"
    half = f"a{s} {s} 0 0 0"
    return f"M{left - size:.1f} {top:.1f}{half} {wide} 0{half}-{wide} 0z"


# Surfaces: seen from a corner, without perspective ------------------------------------


def _surface(
    trace: Json, layout: Json, inner: tuple[float, float, float, float]
) -> Iterator[str]:
    scene = layout.get(str(trace.get("scene", "scene")), {})
    domain = scene.get("domain") or {}
    (x0, x1), (y0, y1) = domain.get("x") or (0, 1), domain.get("y") or (0, 1)
    left, top, width, height = inner
    box = (left + x0 * width, top + (1 - y1) * height)
    size = ((x1 - x0) * width, (y1 - y0) * height)
    rows = trace["z"]
    known = [v for row in rows for v in row if isinstance(v, int | float) and v > 0]
    if not known:
        return
    log = (scene.get("zaxis") or {}).get("type") == "log"
    scaled = math.log10 if log else float
    ends = (scaled(min(known)), scaled(max(known)))
    shade = _shader(trace, layout)
    colours = trace.get("surfacecolor") or rows

    def corner(row: int, column: int) -> tuple[float, float] | None:
        value = rows[row][column]
        if not isinstance(value, int | float) or value != value or value <= 0:
            return None
        a, b = column / (len(rows[0]) - 1 or 1), row / (len(rows) - 1 or 1)
        up = (scaled(value) - ends[0]) / ((ends[1] - ends[0]) or 1.0)
        across, down = 0.5 + 0.45 * (a - b), 0.45 + 0.25 * (a + b) - 0.4 * up
        return box[0] + across * size[0], box[1] + down * size[1]

    corners = [[corner(r, c) for c in range(len(rows[0]))] for r in range(len(rows))]
    yield f'<g stroke="{_INK}" stroke-width=".4">'
    for row in range(len(rows) - 1):
        for column in range(len(rows[0]) - 1):
            places = [
                corners[row + r][column + c]
                for r, c in ((0, 0), (0, 1), (1, 1), (1, 0))
            ]
            seen = [place for place in places if place]
            if len(seen) >= 3:
                path = " ".join(f"{a:.0f} {b:.0f}" for a, b in seen)
                colour = shade(colours[row][column]) or shade(colours[row + 1][column])
                yield f'<path d="M{path}z" fill="{colour or "#9aa5b1"}"/>'
    yield "</g>"


# Words --------------------------------------------------------------------------------


def _annotations(
    layout: Json,
    axes: Mapping[str, Axis],
    inner: tuple[float, float, float, float],
) -> Iterator[str]:
    left, top, width, height = inner
    anchors = {"left": "start", "center": "middle", "right": "end"}
    for note in layout.get("annotations") or ():
        if note.get("xref") == "paper" and note.get("yref") == "paper":
            x = left + float(note.get("x", 0)) * width + float(note.get("xshift", 0))
            y = top + (1 - float(note.get("y", 0))) * height
            y -= float(note.get("yshift", 0)) - 4
            anchor = anchors.get(str(note.get("xanchor")), "middle")
            size = (note.get("font") or {}).get("size", 12)
            yield _text(x, y, str(note.get("text", "")), size, anchor)
    for shape in layout.get("shapes") or ():
        if shape.get("type") != "line":
            continue
        ends = [_end(shape, which, axes, inner) for which in ("x0", "y0", "x1", "y1")]
        known = [end for end in ends if end is not None]
        if len(known) < len(ends):
            continue
        ink = _colour((shape.get("line") or {}).get("color"), _INK)
        yield _line((known[0], known[1]), (known[2], known[3]), ink, 1)


def _end(
    shape: Json,
    which: str,
    axes: Mapping[str, Axis],
    inner: tuple[float, float, float, float],
) -> float | None:
    """Where one end of a line stands, by an axis, its domain or the paper [px]."""
    side = which[0]
    name, _, domain = str(shape.get(f"{side}ref") or side).partition(" ")
    value = shape.get(which)
    if not isinstance(value, int | float):
        return None
    if name == "paper":
        left, top, width, height = inner
        return left + value * width if side == "x" else top + (1 - value) * height
    axis = axes.get(name)
    if axis is None:
        return None
    return axis.start + value * (axis.end - axis.start) if domain else axis.place(value)


def _below(
    traces: Sequence[Json], layout: Json, meta: Json, height: float
) -> tuple[list[str], float]:
    """Write the key and the caption under the picture; return them and its height."""
    parts: list[str] = []
    x, y = 20.0, height + 12
    keyed = layout.get("showlegend") is not False
    known: set[tuple[str, str]] = set()
    last = ""
    for trace in traces if keyed else ():
        name = str(trace.get("name") or "")
        if (
            trace.get("type") not in ("scatter", "bar")
            or trace.get("showlegend") is False
            or not name
            or (legend := str(trace.get("legend", "legend")), name) in known
        ):
            continue
        known.add((legend, name))
        named = (layout.get(legend) or {}).get("title") or {}
        if legend != last and (said := str(named.get("text") or "")):
            x, y = 20.0, y + _LINE * bool(last)
            parts.append(_text(14, y, f"{said}:", 11))
            x += 10 + _LETTER * len(said)
        last = legend
        wide = 26 + _LETTER * len(html.unescape(_plain(name)))
        if x + wide > WIDTH:
            x, y = 20.0, y + _LINE
        marker = trace.get("marker") or {}
        ink = _nth(marker.get("color"), 0) or (trace.get("line") or {}).get("color")
        symbol = str(_nth(marker.get("symbol"), 0))
        parts += [f'<g fill="{_colour(ink)}"><path d="{_mark(x, y - 4, symbol)}"/></g>']
        parts += [_text(x + 9, y, name, 11)]
        x += wide
    y += _LINE if known else 0
    for line in textwrap.wrap(str(meta.get("caption", "")), int(WIDTH / _LETTER) - 4):
        parts.append(_text(14, y, html_text(line), 11, "start", 0, _SOFT))
        y += _LINE
    return parts, y


def _text(
    x: float,
    y: float,
    text: str,
    size: float = 11,
    anchor: str = "start",
    turned: float = 0,
    ink: str = _INK,
) -> str:
    """Write a text of plotly's, whose tags other than line breaks mean nothing here."""
    if not text:
        return ""
    lines = [html_text(html.unescape(_plain(s))) for s in re.split(r"<br ?/?>", text)]
    rows = "".join(
        f'<tspan x="{x:.1f}" dy="{0 if n == 0 else 1.2}em">{line}</tspan>'
        for n, line in enumerate(lines)
    )
    bold = ' font-weight="bold"' if text.startswith("<b>") else ""
    turn = f' transform="rotate({turned:g} {x:.1f} {y:.1f})"' if turned else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}" '
        f'fill="{ink}"{bold}{turn}>{lines[0] if len(lines) == 1 else rows}</text>'
    )


def _plain(text: str) -> str:
    return re.sub(r"</?[a-z]+>", "", text)


Place = tuple[float, float]


def _line(start: Place, end: Place, colour: str, width: float) -> str:
    (x0, y0), (x1, y1) = start, end
    ends = f'x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width:g}"/>'


def _nth(value: object, n: int) -> Any:
    """Take what belongs to one point, if each has its own."""
    if isinstance(value, list | tuple):
        return value[n] if n < len(value) else None
    return value


def _colour(value: object, otherwise: str = _SOFT) -> str:
    """Keep a colour that is written as text."""
    return html_text(value) if isinstance(value, str) and value else otherwise
