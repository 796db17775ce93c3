"""A figure into a file: a page that stands alone, a picture, or its data."""

from __future__ import annotations

import html
import json
import re
import textwrap
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import plotly.graph_objects as go
import plotly.io

from fsviz.figures._fonts import with_fonts
from fsviz.figures.page_code import packed, script_of
from fsviz.model.errors import FsvizError, UsageError
from fsviz.model.escaping import json_text, printable
from fsviz.model.policy import with_policy
from fsviz.model.writing import refuse_place, write_file

if TYPE_CHECKING:
    from fsviz.figures.kinds import Theme

PICTURES = ("png", "svg", "pdf")
SUFFIXES = ("html", *PICTURES, "json")
WIDTH, HEIGHT, DENSITY = 1280, 500, 2
SMALLEST, LARGEST = 200, 8000
"""Pixels of a side that may be asked for."""

_STYLE = """body { margin: 0 12px; font: 15px/1.5 "DejaVu Sans", Arial, sans-serif; }
figure { margin: 12px 0; } .fsviz-plot { width: 100%; }
figcaption { color: #52606d; font-size: 13px; max-width: 100ch; }"""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="fsviz-policy">
<title>{title}</title>
<style>{style}</style>
<script>{plotly}</script>
</head>
<body>{figure}<script>{draw}</script></body>
</html>
"""

_PICTURE_STYLE = "body { margin: 0; } img { display: block; }"
_PICTURE_PAGE = """<!DOCTYPE html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="fsviz-policy">
<style>{style}</style>
<script>{plotly}</script>
<body><script>{script}</script></body>
"""


def save(
    figure: go.Figure,
    path: Path,
    width: int | None = None,
    height: int | None = None,
    theme: Theme = "light",
) -> None:
    """Write a figure in the form that the file's suffix names.

    Units: `width, height` [px].
    """
    form = form_of(path)
    figure = _resize(figure, width, height)
    if form in PICTURES:
        write_file(path, picture(figure, form, theme))
        return
    data = str(figure.to_json())
    write_file(path, data if form == "json" else page(json.loads(data)))


def _resize(figure: go.Figure, width: int | None, height: int | None) -> go.Figure:
    """Give a copy of a figure the size that was asked for."""
    sides = {"width": width, "height": height}
    for name, pixels in sides.items():
        if pixels is not None and not SMALLEST <= pixels <= LARGEST:
            raise UsageError(
                f"--{name}: expected {SMALLEST} to {LARGEST} pixels, found {pixels}"
            )
    stated = {name: pixels for name, pixels in sides.items() if pixels}
    return go.Figure(figure).update_layout(stated) if stated else figure


def form_of(path: Path) -> str:
    """Say which of `SUFFIXES` a file is to have."""
    form = path.suffix.lstrip(".").lower()
    if form not in SUFFIXES:
        forms = ", ".join(f".{suffix}" for suffix in SUFFIXES)
        raise UsageError(f"{path}: expected a name ending in {forms}")
    refuse_place(path)
    return form


def page(figure: dict) -> str:
    """Make a page of one figure that needs neither server nor network."""
    library = plotly_js()
    made = _PAGE.format(
        title=html.escape(alt_of(figure)),
        style=_STYLE,
        plotly=library,
        figure=to_html(figure, "figure-1"),
        draw=DRAW,
    )
    return with_policy(made, library, DRAW, styles=[_STYLE, *plotly_styles()])


def picture(figure: go.Figure, form: str, theme: Theme = "light") -> bytes:
    """Draw a figure with its caption, as a report's page on paper has it.

    Buttons and menus are left out: they do nothing in a picture.
    """
    from fsviz.figures.browser import DrawError, close_drawer, warm_drawer

    shown = json.loads(figure.to_json())
    if theme == "paper":
        shown["layout"] = _untitled(shown["layout"])
    height = int(shown["layout"].get("height") or HEIGHT)
    width = int(shown["layout"].get("width") or WIDTH)
    lines = _CHARACTERS * width // WIDTH
    caption = [] if theme == "paper" else caption_lines(shown["layout"], lines)
    described = _picture(shown, (width, height), caption, dark=theme == "dark")
    options = {"format": form, "scale": DENSITY if form == "png" else 1}
    try:
        drawn = warm_drawer(_picture_page).draw(described, options)
    except DrawError:
        close_drawer()  # the next picture gets another one
        raise
    return with_fonts(drawn) if form == "svg" else drawn


def expect_picture() -> None:
    """Start what draws pictures while the figure is made; a failure is said later."""
    from fsviz.figures.browser import warm_drawer

    with suppress(FsvizError):
        warm_drawer(_picture_page)


def _untitled(layout: dict) -> dict:
    """Take off the title and the room for it."""
    margin = layout.get("margin", {})
    room = min(_TITLE, int(margin.get("t", _TITLE)))
    height = int(layout.get("height") or HEIGHT)
    untitled = {name: value for name, value in layout.items() if name != "title"}
    top = {**margin, "t": int(margin.get("t", _TITLE)) - room}
    return untitled | {"margin": top, "height": height - room}


_LINE = 17
"""Height of a line of the caption [px]."""
_TITLE = 40
"""Room for the title above everything else [px]."""
_CHARACTERS = 190
"""Of the caption that fit a line of `WIDTH`."""


def caption_lines(layout: Mapping[str, object], characters: int) -> list[str]:
    """Break the caption of a figure into lines."""
    meta = layout.get("meta")
    meta = meta if isinstance(meta, Mapping) else {}
    return textwrap.wrap(str(meta.get("caption", "")), characters)


def title_and_caption(layout: Mapping[str, object]) -> list[str]:
    """Say in lines of plain text what a picture for a paper leaves out."""
    return [
        printable(line) for line in [title_of(layout), *caption_lines(layout, 10**6)]
    ]


def caption_of(layout: object) -> str:
    """Say what the caption of a figure is."""
    meta = layout.get("meta") if isinstance(layout, Mapping) else None
    return str(meta.get("caption", "")) if isinstance(meta, Mapping) else ""


def title_of(layout: Mapping[str, object]) -> str:
    """Say the title of a figure in plain text."""
    stated = layout.get("title")
    title = str(stated.get("text", "")) if isinstance(stated, Mapping) else ""
    return html.unescape(re.sub("<[^>]+>", "", title))


def _picture(
    shown: dict, size: tuple[int, int], caption: list[str], *, dark: bool
) -> dict:
    """Return the figure that the page of `_picture_page` draws."""
    width, height = size
    fixed = {"width": width, "height": height, "autosize": False}
    meta = {"caption": caption, "line": _LINE, "dark": dark}
    return {
        # what a menu would show takes time to draw and is not seen
        "data": [t for t in shown["data"] if t.get("visible", True) is not False],
        # buttons and sliders do nothing in a picture
        "layout": shown["layout"]
        | fixed
        | {"updatemenus": [], "sliders": [], "meta": meta},
    }


@cache
def _picture_page() -> str:
    """Make the page whose script draws what kaleido asks it for."""
    script = DARK + FLAT + _script("picture.js")
    library = plotly_js()
    made = _PICTURE_PAGE.format(style=_PICTURE_STYLE, plotly=library, script=script)
    styles = [_PICTURE_STYLE, *plotly_styles()]
    return with_policy(made, library, script, styles=styles)


# A figure as a piece of an HTML page: inert data, drawn by one script at the end.

MIMETYPE = "application/vnd.plotly.v1+json"

_FIGURE = """<figure class="fsviz-figure">
{panels}<div id="{name}" class="fsviz-plot" role="group" aria-label="{alt}"
 style="height:{height}px">
<noscript>This figure needs JavaScript: {alt}</noscript></div>
{readout}<script type="application/json" data-figure="{name}"{how}>{data}</script>
<figcaption>{said}</figcaption>
</figure>"""

_PANELS = """<div class="fsviz-panels"><p></p>
<div role="radiogroup" aria-label="Panel">{choices}</div></div>
"""
_PANEL = (
    '<label><input type="radio" name="{name}-panel" value="{word}"{how}>{word}</label>'
)
"""A window of a telephone shows one panel at a time."""

_READOUT = """<div id="{name}-readout" class="fsviz-readout" role="status">
</div>
"""


_LARGE = 20_000
"""Characters of data from which packing saves more than it costs."""


def _script(name: str) -> str:
    return script_of(Path(__file__).parent / "js" / name)


_INSIDE = _script("inside.js")

LINK = _INSIDE + _script("linked.js")
"""The script that links the panels of a figure; it runs wherever plotly.js does."""

FLAT = _INSIDE + _script("flat.js")
"""The script that makes a flat picture of a figure, for paper and picture files."""

DARK = _script("dark.js")
"""The script that turns a figure into the colours of a dark page."""

STACK = _script("stack.js")
"""The script that puts the panels of a figure below one another in a narrow window."""

UNPACK = _script("unpack.js")
"""The script that unpacks what `packed` has made small."""

CHOSEN = _script("chosen.js")
"""The script that shows one system in an explorer, on the scale of all or its own."""


DRAW = UNPACK + LINK + DARK + STACK + CHOSEN + _script("page.js")
"""The script that draws every figure of a page; plotly.js must have been loaded.

It also makes ``fsvizPage.prepareForPrint()``, which the event ``beforeprint`` calls.
"""


_OF_TAGS = (
    "font-weight:bold",
    "font-style:italic",
    "font-style:italic;font-weight:bold",
    "font-size:70%",
    "text-decoration:line-through",
    "text-decoration:underline",
    "cursor:pointer",
)
"""Attributes that plotly.js gives to <b>, <i> and the like in a figure's text."""


@cache
def plotly_styles() -> tuple[str, ...]:
    """List the styles that plotly.js writes by itself, for a page's policy."""
    maps = re.findall(r"\.textContent='(\.maplibregl-map[^'\\]*)'", plotly_js())
    return ("", *_OF_TAGS, *maps)


def plotly_js() -> str:
    """Return the source of plotly.js, to be embedded once a page."""
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


def library_name() -> str:
    """Name the file of plotly.js that pages share."""
    from plotly.offline import get_plotlyjs_version

    return f"plotly-{get_plotlyjs_version()}.min.js"


def to_html(
    figure: Mapping[str, object],
    name: str,
    *,
    plain: bool = False,
    above: Mapping[str, object] | None = None,
) -> str:
    """Turn a figure's JSON, as a notebook holds it, into HTML."""
    layout = figure.get("layout")
    layout = layout if isinstance(layout, Mapping) else {}
    meta = layout.get("meta")
    meta = meta if isinstance(meta, Mapping) else {}
    layout = {**layout, "meta": meta}
    shown = {"data": figure.get("data", []), "layout": layout}
    title = html.escape(folded_under(figure))
    data = json.dumps(shown, separators=(",", ":"), ensure_ascii=False)
    small = not plain and (bool(title) or len(data) > _LARGE)
    piece = _FIGURE.format(
        name=html.escape(name),
        alt=html.escape(alt_of(figure)),
        panels=_panels(name, meta.get("panels")),
        said=_caption(layout, above),
        height=int(layout.get("height") or 450),
        readout=_READOUT.format(name=html.escape(name)) if "cells" in meta else "",
        how=' data-packed="gzip"' if small else "",
        # JSON must not end its script element, nor open a comment in it
        data=packed(data) if small else json_text(data.replace("<", "\\u003c")),
    )
    if not title:
        return piece
    return f'<details class="fsviz-fold"><summary>{title}</summary>{piece}</details>'


def _panels(name: str, panels: object) -> str:
    """Offer the panels of a figure that shows one at a time in a narrow window."""
    if not isinstance(panels, Mapping):
        return ""
    texts = [html.escape(str(text)) for text in (name, *panels)]
    choices = "".join(
        _PANEL.format(name=texts[0], word=word, how="" if n else " checked")
        for n, word in enumerate(texts[1:])
    )
    return _PANELS.format(choices=choices)


def alt_of(figure: Mapping[str, object]) -> str:
    """Return what a figure says in words, as plain text."""
    layout = figure.get("layout")
    meta = layout.get("meta") if isinstance(layout, Mapping) else None
    alt = meta.get("alt", "figure") if isinstance(meta, Mapping) else "figure"
    return html.unescape(str(alt))


def folded_under(figure: Mapping[str, object]) -> str:
    """Say under which words a figure is folded away; empty if it is always shown."""
    layout = figure.get("layout")
    meta = layout.get("meta") if isinstance(layout, Mapping) else None
    return str(meta.get("folded", "")) if isinstance(meta, Mapping) else ""


def _caption(layout: Mapping[str, object], above: Mapping[str, object] | None) -> str:
    """Explain a figure, or name the one above that is read like it."""
    if above is None:
        return html.escape(caption_of(layout))
    # an explorer's title goes on with its answer
    name = re.split("[:(]", title_of(above))[0]
    return f"Read it as “{html.escape(name.strip())}” above."


def warm() -> None:
    """Load of plotly what it loads only at first use: traces, and means to display."""
    traces = (go.Surface(z=[[1, 2]]), go.Heatmap(z=[[1, 2]]), go.Scatter(y=[1]))
    go.Figure(data=[*traces, go.Scatter3d(x=[1])]).to_json()
    # displaying imports nbformat and its schemas, which takes longer than all the rest
    str(plotly.io.renderers)
