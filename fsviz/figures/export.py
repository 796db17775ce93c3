"""A figure into a file: a page that stands alone, a picture, or its data."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import TYPE_CHECKING

from fsviz.errors import MissingSoftwareError, UsageError
from fsviz.figures.embed import DRAW, content_policy, plotly_js, to_html
from fsviz.figures.offline import offline_chromium

if TYPE_CHECKING:
    import plotly.graph_objects as go

PICTURES = ("png", "svg", "pdf")
SUFFIXES = ("html", *PICTURES, "json")
WIDTH, HEIGHT, DENSITY = 1280, 500, 2
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>body {{ margin: 0 12px; font: 15px/1.5 "DejaVu Sans", Arial, sans-serif; }}
figure {{ margin: 12px 0; }} .fsviz-plot {{ width: 100%; min-width: 900px; }}
figcaption {{ color: #52606d; font-size: 13px; max-width: 100ch; }}</style>
<script>{plotly}</script>
</head>
<body>{figure}<script>{draw}</script></body>
</html>
"""


def save(figure: go.Figure, path: Path) -> None:
    """Write a figure in the form that the file's suffix names.

    Parameters
    ----------
    figure : plotly Figure
        Any of fsviz.
    path : Path
        Ending in one of `SUFFIXES`.

    Raises
    ------
    UsageError
        If the suffix is another one, or the file cannot be written.
    MissingSoftwareError
        If a picture is wanted and there is no kaleido or no Chromium.
    """
    form = path.suffix.lstrip(".").lower()
    if form not in SUFFIXES:
        known = ", ".join(f".{suffix}" for suffix in SUFFIXES)
        raise UsageError(f"{path}:1: expected a name ending in {known}")
    content = (
        picture(figure, form) if form in PICTURES else _text(figure, form).encode()
    )
    aside = path.with_name(f".{path.name}.part")
    try:
        aside.write_bytes(content)
        aside.replace(path)
    except OSError as error:
        raise UsageError(
            f"{path}:1: expected a file to write, found {error.strerror}"
        ) from error
    finally:
        aside.unlink(missing_ok=True)


def _text(figure: go.Figure, form: str) -> str:
    data = figure.to_json()
    return str(data) if form == "json" else page(json.loads(data))


def page(figure: dict) -> str:
    """Make a page of one figure that needs neither server nor network."""
    meta = figure.get("layout", {}).get("meta", {})
    library = plotly_js()
    return _PAGE.format(
        policy=content_policy(library, DRAW),
        title=html.escape(html.unescape(str(meta.get("alt", "figure")))),
        plotly=library,
        figure=to_html(figure, "figure-1"),
        draw=DRAW,
    )


def picture(figure: go.Figure, form: str) -> bytes:
    """Draw a figure by kaleido, without the buttons that a picture cannot use.

    Raises
    ------
    MissingSoftwareError
        If there is no kaleido or no Chromium.
    """
    import plotly.graph_objects as go

    bare = go.Figure(figure).update_layout(updatemenus=[])
    size = {"width": WIDTH, "height": bare.layout.height or HEIGHT, "scale": DENSITY}
    try:
        import kaleido

        # by default kaleido asks a server for MathJax, and a browser without a sandbox
        safe = {"browser_cls": offline_chromium(), "mathjax": False}
        options = {"format": form, **size}
        return bytes(kaleido.calc_fig_sync(bare, opts=options, kopts=safe))
    except Exception as error:
        # kaleido raises its own kinds, and choreographer's, which may be absent
        if "hrom" not in f"{type(error).__name__} {error}" and "aleido" not in str(
            error
        ):
            raise
        raise MissingSoftwareError(
            "pictures need kaleido and a Chromium: pip install 'fsviz[pdf]' and "
            "apt install chromium, or set BROWSER_PATH to the browser you have"
        ) from error
