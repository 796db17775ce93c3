"""A figure as a piece of an HTML page: inert data, drawn by one script at the end."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Container, Mapping
from hashlib import sha256
from pathlib import Path

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

_HERE = Path(__file__).parent
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
