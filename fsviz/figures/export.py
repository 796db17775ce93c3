"""A figure into a file: a page that stands alone, a picture, or its data."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Container, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import plotly.graph_objects as go
import plotly.io

from fsviz.figures.offline import offline_chromium
from fsviz.model.errors import MissingSoftwareError, UsageError

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
    form = form_of(path)
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


def form_of(path: Path) -> str:
    """Say which of `SUFFIXES` a file is to have.

    Raises
    ------
    UsageError
        If the suffix is another one.
    """
    form = path.suffix.lstrip(".").lower()
    if form not in SUFFIXES:
        known = ", ".join(f".{suffix}" for suffix in SUFFIXES)
        raise UsageError(f"{path}:1: expected a name ending in {known}")
    return form


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


# A figure as a piece of an HTML page: inert data, drawn by one script at the end.

MIMETYPE = "application/vnd.plotly.v1+json"

_FIGURE = """<figure class="fsviz-figure">
<div id="{name}" class="fsviz-plot" role="img" aria-label="{alt}"
 style="height:{height}px">
<noscript>This figure needs JavaScript: {alt}</noscript></div>
{readout}<script type="application/json" data-figure="{name}">{data}</script>
<figcaption>{caption}{findings}</figcaption>
</figure>"""

_READOUT = """<div id="{name}-readout" class="fsviz-readout" role="status">
Point at a cell, or focus the figure and use the arrow keys.</div>
"""

_HERE = Path(__file__).parent / "js"
LINK = (_HERE / "linked.js").read_text(encoding="utf-8")
"""The script that links the panels of a figure; it runs wherever plotly.js does."""

DRAW = LINK + (_HERE / "page.js").read_text(encoding="utf-8")
"""The script that draws every figure of a page; plotly.js must have been loaded.

It also makes ``fsvizPage.prepareForPrint()``, which the event ``beforeprint`` calls.
"""


def content_policy(*scripts: str) -> str:
    """Allow a page these scripts and pictures of its own, and nothing from elsewhere.

    Only a script whose digest is stated runs: neither one that someone's text brings,
    nor an attribute such as ``onerror``. plotly.js needs ``unsafe-eval`` and sets
    styles; https://www.w3.org/TR/CSP3/ has no directive for ``meta refresh``.

    Parameters
    ----------
    *scripts : str
        The text of every script element.

    Returns
    -------
    str
        For ``<meta http-equiv="Content-Security-Policy">``.
    """
    sources = [
        f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"
        for text in scripts
    ]
    return (
        "default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; "
        f"font-src data:; script-src {' '.join(sources)} 'unsafe-eval' blob:; "
        "worker-src blob:; connect-src data: blob:; form-action 'none'; "
        "base-uri 'none'"
    )


def plotly_js() -> str:
    """Return the source of plotly.js, to be embedded once a page."""
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


def to_html(
    figure: Mapping[str, object], name: str, explained: Container[str] = ()
) -> str:
    """Turn a figure's JSON, as a notebook holds it, into HTML.

    Parameters
    ----------
    figure : mapping
        With ``data`` and ``layout``; caption and alternative text in ``layout.meta``.
    name : str
        Identifier of the element, unique on the page.
    explained : container of str
        Rules whose findings the page explains, at ``#finding-RULE``.

    Returns
    -------
    str
        A ``<figure>`` that requests nothing; `DRAW` makes it visible.
    """
    layout = figure.get("layout")
    layout = layout if isinstance(layout, Mapping) else {}
    meta = layout.get("meta")
    meta = meta if isinstance(meta, Mapping) else {}
    shown = {"data": figure.get("data", []), "layout": layout}
    return _FIGURE.format(
        name=html.escape(name),
        alt=html.escape(html.unescape(str(meta.get("alt", "figure")))),
        caption=html.escape(str(meta.get("caption", ""))),
        findings=_findings(meta.get("findings"), explained),
        height=int(layout.get("height") or 450),
        readout=_READOUT.format(name=html.escape(name)) if "cells" in meta else "",
        data=_inert(json.dumps(shown, separators=(",", ":"), ensure_ascii=False)),
    )


def _findings(notes: object, explained: Container[str]) -> str:
    """Say which findings concern the figure, one line a place, with links if any."""
    lines: dict[str, list[str]] = {}
    for note in notes if isinstance(notes, list | tuple) else ():
        where, rule, severity, of = (
            html.escape(str(note.get(key, "")))
            for key in ("where", "rule", "severity", "of")
        )
        shown = f'<a href="#finding-{rule}">{rule}</a>' if rule in explained else rule
        kind = f"{severity}: {of}" if of else severity
        lines.setdefault(where, []).append(
            f'<span class="fsviz-{severity}">{shown} ({kind})</span>'
        )
    said = [f"<b>{where}:</b> {', '.join(found)}." for where, found in lines.items()]
    return f'<br><span class="fsviz-findings">{" ".join(said)}</span>' if said else ""


def _inert(text: str) -> str:
    """Keep JSON from ending its script element or opening a comment in it."""
    return text.replace("<", "\\u003c")


# Load of plotly what it loads only at first use, before kernels are forked.


def warm() -> None:
    """Make one figure with the traces of a report, and the means to display it."""
    traces = (go.Surface(z=[[1, 2]]), go.Heatmap(z=[[1, 2]]), go.Scatter(y=[1]))
    go.Figure(data=[*traces, go.Scatter3d(x=[1])]).to_json()
    # displaying imports nbformat and its schemas, which takes longer than all the rest
    str(plotly.io.renderers)
    # chosen from the environment at import, which is before the kernel has its own
    plotly.io.renderers.default = "plotly_mimetype"
