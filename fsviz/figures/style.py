"""What all figures share: colours, fonts, size axes, and one scale for all systems."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from statistics import median
from typing import Literal

import plotly.graph_objects as go

from fsviz.figures.notebooks import show_in_pages
from fsviz.model.escaping import figure_text, printable
from fsviz.model.names import fit
from fsviz.model.table import METRICS
from fsviz.model.units import display_scale, format_size, significant

VALUE_SCALE = "Viridis"
"""Of values: ordered in lightness, so it reads in grey and for the colour-blind."""

INK, GRID, PAPER = "#1f2933", "#d9dee4", "#ffffff"
FONT = "DejaVu Sans, Helvetica Neue, Arial, sans-serif"
LONGEST_LABEL, SHORT_LABEL = 48, 22
"""Characters of a name, and of one that shares a line: with others, with a title."""
_LOG_FROM = 30.0
"""A linear axis hides the small values once the largest is this many times larger."""

ScaleKind = Literal["auto", "linear", "log"]


@dataclass(frozen=True, slots=True)
class Scale:
    """One scale for every panel and system of a figure.

    Units: `title` [MiB/s].
    """

    title: str
    unit: str
    factor: float
    low: float
    high: float
    log: bool
    metric_unit: str

    def colour_value(self, value: float) -> float | None:
        """Turn a value [display unit] into its position on the colour scale."""
        if not math.isfinite(value) or (self.log and value <= 0):
            return None
        return rounded(math.log10(value) if self.log else value)

    def ticks(self, least: int = 1) -> list[float]:
        """Round values [display unit] that label a logarithmic axis, some at least."""
        first, last = math.log10(self.low), math.log10(self.high)
        steps = (1, 2, 5) if last - first < 3 else (1, 3) if last - first < 5 else (1,)
        decades = range(math.floor(first), math.ceil(last) + 1)
        for finer in (steps, (1, 1.5, 2, 3, 5, 7)):
            ticks = [step * 10.0**decade for decade in decades for step in finer]
            inside = [t for t in ticks if self.low * 0.99 <= t <= self.high * 1.01]
            if len(inside) >= least:
                break
        return inside

    def colour_ticks(self) -> list[float]:
        """Values [display unit] that label the colours of a logarithmic scale."""
        ticks = self.ticks()
        # a single one says where it stands, but not what a colour beside it is
        return ticks if len(ticks) > 1 else [self.low, *ticks, self.high]


def make_scale(
    values: Iterable[float],
    metric: str,
    kind: ScaleKind = "auto",
) -> Scale:
    """Choose unit, range and kind of scale for all values that share a figure.

    >>> make_scale([2**20, 2**30], "throughput").title
    'throughput [MiB/s], log scale'
    """
    finite = [v for v in values if math.isfinite(v)] or [0.0]
    unit = METRICS[metric].unit
    top = max(finite)
    typical = median(finite)
    factor, shown = display_scale(unit, typical)
    positive = min((v for v in finite if v > 0), default=1.0)
    log = kind == "log" or (kind == "auto" and top / positive >= _LOG_FROM)
    title = f"{METRICS[metric].title} [{shown}]" + (", log scale" if log else "")
    low = positive / factor if log else 0.0
    high = top / factor
    if high <= low:
        high = low * 2 or 1.0
    return Scale(title, shown, factor, low, high, log, unit)


def size_ticks(sizes: Sequence[int], at_most: int = 9) -> dict[str, list[object]]:
    """Place and label the ticks of a log₂ size axis.

    Units: `sizes` [B].

    >>> size_ticks([65536, 131072])
    {'tickvals': [16.0, 17.0], 'ticktext': ['64 KiB', '128 KiB']}
    """
    logs = [math.log2(size) for size in sizes]
    step = -(-len(sizes) // at_most)
    least = (logs[-1] - logs[0]) / (1.5 * at_most)
    ticks: list[int] = []
    for size in list(sizes)[::-1][::step]:
        # sizes of an odd number may stand against one another
        if not ticks or math.log2(ticks[-1] / size) >= least:
            ticks.append(size)
    ticks.reverse()
    return {
        "tickvals": [math.log2(size) for size in ticks],
        "ticktext": [format_size(size) for size in ticks],
    }


def edges_of(sizes: Sequence[int]) -> list[tuple[float, float]]:
    """Place the edges of a map's cells [log₂ B]: half-way to the neighbours.

    >>> edges_of([1024, 4096])
    [(9.0, 11.0), (11.0, 13.0)]
    """
    logs = [math.log2(size) for size in sizes]
    halves = [(b - a) / 2 for a, b in pairwise(logs)] or [0.5]
    before, after = [halves[0], *halves], [*halves, halves[-1]]
    ends = zip(logs, before, after, strict=False)
    return [(here - low, here + high) for here, low, high in ends]


def label(text: str, longest: int = LONGEST_LABEL) -> str:
    """Make a name from a file safe and short enough for a figure.

    Plotly draws some HTML tags in text; a label shows as the characters it consists of.

    >>> label("<b>nfs</b>"), label("nfs-v4.2-of-rack-17", 12)
    ('&lt;b&gt;nfs&lt;/b&gt;', 'nfs-v4…ck-17')
    """
    return figure_text(fit(printable(str(text)), longest))


def group_of(system: str) -> str:
    """Name a system's group of a legend: plotly.js has none of the name `__proto__`."""
    return f"of {system}"


def rounded(value: float, digits: int = 5) -> float | None:
    """Round to so many significant digits, for a short page; missing becomes None.

    >>> rounded(1234567.8), rounded(0.1234567), rounded(float("nan"))
    (1234600.0, 0.12346, None)
    """
    return float(f"{value:.{digits}g}") if math.isfinite(value) else None


def number(value: float) -> str:
    """Write a value for a cell or a hover text: three significant digits."""
    return significant(value) if value == value else "–"


def readable_on(shares: Sequence[float], colours: str = VALUE_SCALE) -> list[str]:
    """Choose black or white ink for each place on a colour scale.

    >>> readable_on([0.0, 1.0])
    ['#fff', '#000']
    """
    return [shade(share, colours)[1] for share in shares]


def shade(share: float, colours: str) -> tuple[str, str]:
    """Give a place on a colour scale its colour, and the ink that reads on it."""
    return _shades(colours)[round(_STEPS * min(1.0, max(0.0, share)))]


_STEPS = 1000


@lru_cache
def _shades(colours: str) -> list[tuple[str, str]]:
    """List the places of a scale; plotly takes as long for one as for many."""
    from plotly.colors import sample_colorscale, unlabel_rgb

    grounds = sample_colorscale(colours, [k / _STEPS for k in range(_STEPS + 1)])
    # where black and white contrast alike: sqrt(1.05 * 0.05) - 0.05
    dark = [_luminance(unlabel_rgb(ground)) > 0.179 for ground in grounds]
    return [(g, "#000" if d else "#fff") for g, d in zip(grounds, dark, strict=True)]


def _luminance(colour: Sequence[float]) -> float:
    """Relative luminance of an sRGB colour (components 0 to 255), after WCAG 2."""
    shares = [component / 255 for component in colour]
    red, green, blue = (
        s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def layout(title: str, caption: str, alt: str, height: int) -> dict[str, object]:
    """Layout that all figures share; caption and alternative text ride in ``meta``."""
    return {
        "title": {"text": title, "x": 0.01, "xanchor": "left", "y": 0.985},
        "template": "none",
        "font": {"family": FONT, "size": 12, "color": INK},
        "paper_bgcolor": PAPER,
        "plot_bgcolor": PAPER,
        "height": height,
        "autosize": True,
        "margin": {"l": 10, "r": 10, "t": 70, "b": 10},
        "meta": {"caption": caption, "alt": alt},
        "hoverlabel": {"font": {"family": FONT, "size": 12}, "align": "left"},
    }


def balanced(count: int, most: int) -> int:
    """Choose the columns of a grid so that its last row is not nearly empty.

    >>> [balanced(count, 5) for count in (2, 5, 6, 9, 11)]
    [2, 5, 3, 5, 4]
    """
    return math.ceil(count / math.ceil(count / most))


# What the flat figures share: one colour and one symbol a system, and their frame.

# Okabe & Ito 2008, told apart by the colour-blind; symbols tell them apart in grey
_SYSTEM_COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#e69f00",
    "#000000",
    "#7f7f7f",
)
SYMBOLS = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "x",
    "triangle-down",
    "star",
    "cross",
    "pentagon",
    "hourglass",
    "hexagram",
    "bowtie",
    "star-diamond",
    "hexagon",
    "star-square",
    "star-triangle-up",
)


def colour(position: int) -> str:
    """Colour of a system, by its place in the campaign."""
    return _SYSTEM_COLOURS[position % len(_SYSTEM_COLOURS)]


def symbol(position: int) -> str:
    """Symbol of a system; from the ninth on it is hollow."""
    hollow = "-open" if position // len(SYMBOLS) % 2 else ""
    return SYMBOLS[position % len(SYMBOLS)] + hollow


def axis(title: str, **more: object) -> dict:
    """A plain axis with a title that states the unit."""
    return {
        "title": {"text": title, "standoff": 8},
        "gridcolor": GRID,
        "linecolor": INK,
        "showline": True,
        "zeroline": False,
        "automargin": True,
        "tickfont": {"size": 11},
        **more,
    }


def rows_axis(names: list[str], **more: object) -> dict:
    """An axis with one row a name, the first on top."""
    return axis(
        "",
        tickmode="array",
        tickvals=list(range(len(names))),
        ticktext=[label(name) for name in names],
        range=[len(names) - 0.4, -0.6],
        **more,
    )


def lines_between(
    ends: Iterable[tuple[float, float, float]], system: str, what: str, colour: str
) -> go.Scatter:
    """Draw a system's lines from one value to another, each at its height."""
    drawn = list(ends)
    return go.Scatter(
        x=[x for low, high, _ in drawn for x in (low, high, None)],
        y=[y for _, _, at in drawn for y in (at, at, None)],
        mode="lines",
        line={"color": colour, "width": 2},
        hoverinfo="skip",
        showlegend=False,
        legendgroup=group_of(system),
        name=f"{what} of {label(system)}",
    )


def flat_figure(
    traces: list, title: str, caption: str, alt: str, height: int, **more: object
) -> go.Figure:
    """Put traces into the frame that all flat figures share."""
    figure = go.Figure(data=traces)
    legend = {"orientation": "v", "x": 1.01, "y": 1, "font": {"size": 11}}
    legend["tracegroupgap"] = 0  # plotly would scroll a long one
    figure.update_layout(**layout(title, caption, alt, height))
    figure.update_layout(
        margin={"l": 20, "r": 20, "t": 60, "b": 20}, legend=legend, hovermode="closest"
    )
    figure.update_layout(**more)
    return figure


show_in_pages()
