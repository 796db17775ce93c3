"""Pages with figures, and a Chromium without a network to look at them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import plotly.graph_objects as go
from browser import wait_until, window

from fsviz.figures.export import DRAW, plotly_js, plotly_styles, to_html
from fsviz.figures.widget import LinkedFigures
from fsviz.model.policy import with_policy

_STYLE = """body { margin: 0 12px; font: 14px sans-serif; }
figure { margin: 0; }
.fsviz-plot { width: 100%; }"""
_PAGE = """<!DOCTYPE html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="fsviz-policy">
<style>{style}</style>
<script>{plotly}</script></head><body>{figures}<script>{draw}</script></body></html>"""


def write_page(path: Path, figures: list[go.Figure], draw: str = DRAW) -> Path:
    """Write figures as a report holds them."""
    pieces = [
        to_html(json.loads(figure.to_json()), f"figure-{number}")
        for number, figure in enumerate(figures, 1)
    ]
    library = plotly_js()
    text = _PAGE.format(
        style=_STYLE, plotly=library, figures="".join(pieces), draw=draw
    )
    text = with_policy(text, library, draw, styles=[_STYLE, *plotly_styles()])
    path.write_text(text, encoding="utf-8")
    return path


_WIDGET = """<!DOCTYPE html><meta charset="utf-8"><div id="el"></div>
<script type="application/json" id="sent">{sent}</script>
<script>{script}
const sent = JSON.parse(document.getElementById("sent").textContent);
let follow, now = 0;
const model = {{
  get: (name) => name === "library" ? sent.library : sent.figures[now],
  on: (name, act) => {{ follow = act; }},
}};
globalThis.widget.render({{ model, el: document.getElementById("el") }});
globalThis.next = () => {{ now += 1; follow(); }};
</script>"""


def write_widget(path: Path, figures: list[list[str]]) -> Path:
    """Write the widget with what it shows, one list of figures after another."""
    sent = json.dumps({"library": plotly_js(), "figures": figures})
    script = LinkedFigures._esm.replace("export default", "globalThis.widget =")
    text = _WIDGET.format(sent=sent.replace("<", "\\u003c"), script=script)
    path.write_text(text, encoding="utf-8")
    return path


# plotly answers a second move within 50 ms of the first by a timer (HOVERMINTIME in
# components/fx/constants.js): one that is set later and lasts longer ends after it
HOVERED = "new Promise(done => setTimeout(done, 60))"


class Browser:
    """A page, with what it complained about and what it asked the network for."""

    def __init__(self, page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._console)
        page.on("request", self._request)

    def _console(self, message) -> None:
        if message.type == "error" or "WebGL context" in message.text:
            self.complaints.append(message.text)

    def _request(self, request) -> None:
        if not request.url.startswith(("file:", "data:", "blob:")):
            self.requests.append(request.url)

    def open(self, path: Path) -> None:
        """Open a page and wait until every figure has been drawn, flat at least."""
        self.page.goto(path.as_uri())
        wait_until(self.page, "fsvizPage.entries.every(e => e.gd.data)")

    def frames(self, count: int = 3) -> None:
        """Let the page draw so many frames."""
        self.page.evaluate(
            "n => new Promise(done => { const next = () => n-- > 0 ? "
            "requestAnimationFrame(next) : done(); next(); })",
            count,
        )

    def cell_place(self, record: int, file: int) -> tuple[float, float]:
        """Where the first map of the first figure has a cell [px]."""
        x, y = self.page.evaluate(
            """([record, file]) => { const gd = document.getElementById("figure-1");
            const L = gd._fullLayout, box = gd.getBoundingClientRect();
            const [n] = gd.layout.meta.cells.panels.maps;
            const x = L["xaxis" + n], y = L["yaxis" + n];
            return [box.left + x._offset + x.d2p(Math.log2(record)),
                    box.top + y._offset + y.d2p(Math.log2(file))]; }""",
            [record, file],
        )
        return x, y

    def point_at(self, x: float, y: float) -> None:
        """Rest the pointer there, moved in two steps as a hand would."""
        self.page.mouse.move(x - 3, y - 2)
        self.page.mouse.move(x, y)
        self.page.evaluate(HOVERED)

    def said(self, part: str) -> str:
        """One part of the readout of the first figure."""
        return self.page.inner_text(f"#figure-1-readout .fsviz-{part}")

    def mark(self, panel: str) -> tuple[float, float]:
        """Centre of the mark in a panel [px]."""
        box = self.page.locator(f'[data-mark="{panel}"]').last.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@contextmanager
def browsing(
    executable: str, width: int = 1366, height: int = 900, *, offline: bool = True
) -> Iterator[Browser]:
    """Open a page, offline unless it is to talk to a server of the test's own."""
    with window(executable, width, height, offline=offline) as context:
        yield Browser(context.new_page())
