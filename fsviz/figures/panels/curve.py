"""A system along an axis: its means with their intervals, or what bounds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import plotly.graph_objects as go

from fsviz.figures.style import group_of, label, number

if TYPE_CHECKING:
    from fsviz.figures.looks import Look
    from fsviz.figures.style import Scale


class Point(NamedTuple):
    """A system at one place: mean, interval and number of runs, or what bounds it."""

    at: Any
    mean: float
    low: float
    high: float
    n: int
    bound: str = ""
    """``more`` or ``less`` than the mean is all that is known, or a ``range``."""

    def text(self, scale: Scale) -> str:
        """Write the value, or its bounds."""
        if self.bound == "range":
            return self._between(scale)
        sign = {"more": "> ", "less": "< "}.get(self.bound, "")
        return sign + number(self.mean / scale.factor)

    def named(self, scale: Scale) -> str:
        """Write the value; a mean would else be taken for that of the run beside it."""
        return "mean " * (self.n > 1 and not self.bound) + self.text(scale)

    def hover(self, scale: Scale) -> str:
        """Write the value with its interval and the number of runs."""
        has_interval = self.low == self.low and not self.bound
        interval = f"<br>95 % {self._between(scale)}" if has_interval else ""
        return f"{self.text(scale)} {scale.unit}{interval}<br>n = {self.n}"

    def half(self, scale: Scale) -> tuple[float, float]:
        """Return the interval's lengths above and below the mean [display unit]."""
        if self.bound in ("more", "less") or self.low != self.low:
            return 0.0, 0.0
        above, below = self.high - self.mean, self.mean - self.low
        return abs(above) / scale.factor, abs(below) / scale.factor

    def _between(self, scale: Scale) -> str:
        return " – ".join(number(v / scale.factor) for v in (self.low, self.high))


def draw_curve(name: str, points: list[Point], look: Look, scale: Scale) -> go.Scatter:
    """Draw a line with intervals, and arrows where only a bound is."""
    line = {"color": look.colour, "width": 2}
    bar = {"thickness": 1, "color": look.pale(0.6)}
    return draw_marks(name, points, look, scale, "x", bar).update(
        mode="lines+markers", line=line
    )


def draw_marks(
    name: str,
    points: list[Point],
    look: Look,
    scale: Scale,
    along: str,
    bar: dict[str, Any],
) -> go.Scatter:
    """Draw means with their intervals along ``x`` or ``y``, or what bounds them."""
    value, up, down, bar_symbol = {
        "x": ("y", "up", "down", "line-ns-open"),
        "y": ("x", "right", "left", "line-ew-open"),
    }[along]
    symbols = {
        "": look.symbol,
        "range": bar_symbol,
        "more": f"triangle-{up}-open",
        "less": f"triangle-{down}-open",
    }
    above, below = zip(*(point.half(scale) for point in points), strict=True)
    ends = {"array": above, "arrayminus": below, "symmetric": False, "width": 3}
    return go.Scatter(
        {
            along: [point.at for point in points],
            value: [max(point.mean / scale.factor, scale.low) for point in points],
            f"error_{value}": bar | ends | {"visible": any(above)},
        },
        mode="markers",
        marker={
            "color": look.colour,
            "symbol": [symbols[point.bound] for point in points],
            # nothing stands across a range, whose middle was not measured
            "size": [3 if point.bound == "range" else 9 for point in points],
            "line": {"width": 1.5, "color": look.colour},
        },
        text=[point.hover(scale) for point in points],
        hovertemplate=f"<b>{label(name)}</b><br>%{{text}}<extra></extra>",
        name=label(name),
        legendgroup=group_of(name),
    )
