"""Where the panels of the explorer stand, in a wide window and in a narrow one [px]."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fsviz.answers.words import ANSWER_COLOURS
from fsviz.figures.panels.heatmap import colour_axis
from fsviz.figures.panels.multiples import heading
from fsviz.figures.panels.ratio import ratio_axis
from fsviz.figures.panels.slice import size_axis, value_axis, with_room
from fsviz.figures.panels.surface import scene

if TYPE_CHECKING:
    from fsviz.figures.style import Scale

MOST_FILES, MOST_RECORDS = 16, 13
"""So many tick labels fit at a map."""

Box = tuple[float, float, float, float]
"""Left, right, top and bottom of a panel [px]."""


@dataclass(frozen=True)
class Places:
    """Where the panels stand: a box each, and the room that they share [px]."""

    width: int
    height: int
    ratio: Box
    value: Box
    record: Box
    file: Box
    scene: Box
    scene2: Box

    @property
    def is_narrow(self) -> bool:
        """Whether each panel has a row of its own."""
        return self.width < 1000

    def domains(self, *, pair: bool) -> dict[str, Any]:
        """Say which parts of the figure axes and scenes take, from below."""
        flat = {"2": self.value, "3": self.record, "4": self.file}
        solid = {"scene": self.scene}
        if pair:
            flat[""], solid["scene2"] = self.ratio, self.scene2
        made: dict[str, Any] = {}
        for name, box in flat.items():
            made[f"xaxis{name}"], made[f"yaxis{name}"] = self._parts(box)
        for name, box in solid.items():
            across, up = self._parts(box)
            made[name] = {"x": across, "y": up}
        return {name: {"domain": domain} for name, domain in made.items()}

    def panels(self) -> dict[str, tuple[float, float]]:
        """Say from where to where each panel goes, if one is seen at a time [px]."""
        tops = {
            "Ratios": 0,
            "Values": self.value[2] - 24,
            "Surface": self.scene[2] - 22,
            "Slices": self.record[2] - 28,
        }
        ends = [*list(tops.values())[1:], self.height]
        parts = zip(tops.items(), ends, strict=True)
        return {name: (top, end) for (name, top), end in parts if top < end}

    def _parts(self, box: Box) -> tuple[list[float], list[float]]:
        left, right, top, bottom = box
        across = [_part(left / self.width), _part(right / self.width)]
        return across, [_part(1 - y / self.height) for y in (bottom, top)]

    def over(self, box: Box, above: float) -> dict[str, float]:
        """Place a text over the left edge of a box."""
        across, up = box[0] / self.width, 1 - (box[2] - above) / self.height
        return {"x": _part(across), "y": _part(up)}


def _part(share: float) -> float:
    return round(share, 5)


WIDE = Places(
    width=1212,
    height=500,
    ratio=(58, 474, 34, 270),
    value=(544, 926, 34, 270),
    record=(58, 474, 350, 456),
    file=(544, 926, 350, 456),
    scene=(985, 1212, 20, 252),
    scene2=(985, 1212, 268, 496),
)
NARROW = Places(
    width=370,
    height=1864,
    ratio=(54, 366, 34, 340),
    value=(54, 366, 430, 736),
    scene=(0, 370, 870, 1100),
    scene2=(0, 370, 1114, 1344),
    record=(54, 366, 1388, 1552),
    file=(54, 366, 1642, 1806),
)
ALONE = Places(
    width=1212,
    height=496,
    ratio=(0, 1, 0, 1),
    value=(58, 640, 20, 262),
    record=(58, 560, 346, 452),
    file=(640, 1140, 346, 452),
    scene=(780, 1150, 4, 300),
    scene2=(0, 1, 0, 1),
)
ALONE_NARROW = Places(
    width=370,
    height=1306,
    ratio=(0, 1, 0, 1),
    value=(54, 366, 24, 330),
    scene=(0, 370, 466, 786),
    scene2=(0, 1, 0, 1),
    record=(54, 366, 830, 994),
    file=(54, 366, 1084, 1248),
)
_LOWER = 14
"""More room for a title in several lines [px]."""
TOP, BOTTOM = 30, 4
"""Room for the title, and below the panels [px]."""


def axes(
    places: Places,
    scale: Scale,
    sizes: tuple[list[int], list[int]],
    counted: tuple[list[int], list[int]],
    *,
    pair: bool,
) -> dict[str, Any]:
    """Make axes of the panels, and scenes of the sizes that count.

    Units: `sizes, counted` [B].
    """
    files, records = sizes
    plain = {"gridcolor": "rgba(0,0,0,0)"}
    values = value_axis(scale) | _small(scale.unit)
    if scale.log:
        # room for the names of the highest and of the lowest line
        ends = (0.5 * scale.low, 1.5 * scale.high)
        values["range"] = [math.log10(end) for end in ends]
    made: dict[str, Any] = {}
    for name in ("", "2")[not pair :]:
        made[f"xaxis{name}"] = (
            size_axis("record size", records, MOST_RECORDS, upright=True)
            | plain
            | _small("record size")
        )
        made[f"yaxis{name}"] = (
            size_axis("file size", files, MOST_FILES)
            | plain
            | {"tickangle": 0}
            | _small("file size")
        )
    for name, title, over in (("3", "record size", records), ("4", "file size", files)):
        made[f"xaxis{name}"] = with_room(size_axis(title, over, upright=True))
        made[f"xaxis{name}"] |= _small(title)
        made[f"yaxis{name}"] = dict(values)
    made["yaxis4"]["matches"] = "y3"
    for name in ("scene", "scene2")[: 1 + pair]:
        made[name] = scene(scale, *counted)
    for name, domain in places.domains(pair=pair).items():
        made[name] |= domain
        if "axis" in name:
            across, _, number = name.partition("axis")
            made[name]["anchor"] = f"{'y' if across == 'x' else 'x'}{number}"
    return made


def _small(title: str) -> dict[str, Any]:
    return {
        "title": {"text": title, "standoff": 3, "font": {"size": 11}},
        "tickfont": {"size": 10},
    }


def moved(places: Places, *, pair: bool) -> dict[str, Any]:
    """Say what another window changes: for `stack.js`, which merges it."""
    spots, height = headings(places, pair=pair), places.height + TOP + _LOWER + BOTTOM
    return places.domains(pair=pair) | {
        "height": height,
        "title": {"y": _part(1 - 8 / height)},
        "margin": {"t": TOP + _LOWER},
        "annotations": spots + legend(places) * pair,
        "coloraxis": {"colorbar": bar(places)},
        "updatemenus": [menu_place(places, pair=pair)],
    }


def menu_place(places: Places, *, pair: bool) -> dict[str, Any]:
    """Place a menu over the right end of a map, below the title and plotly's buttons.

    In a narrow window that is the first map, which has a legend.
    """
    box = places.ratio if pair and places.is_narrow else places.value
    spot = places.over(box, 16 if places.is_narrow else 2)
    return spot | {"x": _part(box[1] / places.width)}


def bar(places: Places) -> dict[str, Any]:
    """Place the colours of values right of their map; in a narrow window below it."""
    left, right, top, bottom = places.value
    if places.is_narrow:
        return {
            "orientation": "h",
            "x": (left + right) / 2 / places.width,
            "y": 1 - (bottom + 84) / places.height,
            "xanchor": "center",
            "len": (right - left) / places.width,
        }
    return {
        "x": (right + 5) / places.width,
        "y": 1 - (top + bottom) / 2 / places.height,
        "len": (bottom - top) / places.height,
    }


def colours(places: Places, scale: Scale, end: float, metric: str) -> dict[str, Any]:
    """Make the colour scales of values and of ratios; these explain themselves."""
    values = colour_axis(scale, 0, 0, 1)
    values["colorbar"] |= bar(places) | {
        "thickness": 8,
        "title": {"text": ""},
        "tickfont": {"size": 10},
        "xpad": 0,
        "ypad": 0,
        "nticks": 6,
    }
    ratios = ratio_axis(end, metric, 0, 0, 1)
    del ratios["colorbar"]
    return {"coloraxis": values, "coloraxis2": ratios | {"showscale": False}}


_LEGEND = (
    ("■ faster", ANSWER_COLOURS["faster"], 0),
    ("■ slower", ANSWER_COLOURS["slower"], 56),
    ("■ may be chance", "#6b7682", 114),
    ("▨ does not count", "#6b7682", 216),
)
"""Of a ratio map: text, colour, and how far right it stands [px]."""


def legend(places: Places) -> list[dict[str, Any]]:
    """Place the legend of the ratio map, between its heading and the map."""
    spot = places.over(places.ratio, 8)
    return [spot | {"xshift": at} for _, _, at in _LEGEND]


def headings(places: Places, *, pair: bool) -> list[dict[str, Any]]:
    """Place the headings: of value map, slices and scene.

    Of a pair also those of ratio map and candidate's scene.
    """
    spots = [
        places.over(places.value, 11),
        places.over(places.record, 16),
        places.over(places.file, 16),
        places.over(places.scene, 8),
    ]
    if not pair:
        return spots
    return [*spots, places.over(places.ratio, 26), places.over(places.scene2, 8)]


def heading_texts(
    spots: list[dict[str, Any]], texts: list[str]
) -> list[dict[str, Any]]:
    """Write the headings as plotly's annotations."""
    shared = heading("", 0, 0)
    return [
        shared | spot | {"text": text} for spot, text in zip(spots, texts, strict=True)
    ]


def legend_texts(places: Places) -> list[dict[str, Any]]:
    """Write the legend of the ratio map as plotly's annotations."""
    words = [text for text, _, _ in _LEGEND]
    notes = heading_texts(legend(places), words)
    return [
        note | {"font": {"size": 10, "color": colour}}
        for note, (_, colour, _) in zip(notes, _LEGEND, strict=True)
    ]
