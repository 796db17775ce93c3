"""Write slides of lessons, each one HTML file that needs no network.

    python notebooks/lessons/slideshow.py slides 1-surface-heatmap-slice

`make slides` first puts reveal.js, a package of npm, into ``slides/node_modules``. The
cells that begin a slide say so in their metadata, as in JupyterLab and nbconvert.
"""

from __future__ import annotations

import sys
from pathlib import Path

from nbconvert.exporters import SlidesExporter

from fsviz.figures.export import DRAW
from fsviz.model.errors import FsvizError
from fsviz.model.writing import write_file
from fsviz.report import html
from fsviz.report.execute import execute

LESSONS = Path(__file__).parent
START = """
Reveal.initialize({ hash: true, center: false, margin: 0, transition: "none",
  width: "100%", height: "100%", minScale: 1, maxScale: 1 });
// what was hidden had no width to be drawn in
Reveal.on("slidechanged", ({ currentSlide }) => fsvizPage.reveal(currentSlide));
"""


def make_slides(folder: Path, lesson: str) -> None:
    """Execute a lesson, and write its slides."""
    done = execute(LESSONS / f"{lesson}.ipynb", folder / f"{lesson}.ipynb", {})
    html.embed_figures(done)
    parts = html.page_parts(with_figures=True) | {"title": html.title_of(done)}
    reveal = folder / "node_modules/reveal.js/dist"
    parts["css"] += (reveal / "reveal.css").read_text(encoding="utf-8")
    parts["script"] = (reveal / "reveal.js").read_text(encoding="utf-8") + START + DRAW
    exporter = SlidesExporter(
        template_file=str(LESSONS / "slideshow.html.j2"),
        extra_template_paths=[str(Path(html.__file__).parent / "templates")],
    )
    page, _ = exporter.from_notebook_node(done, {"fsviz": parts})
    write_file(folder / f"{lesson}.html", page)


if __name__ == "__main__":
    try:
        for name in sys.argv[2:]:
            make_slides(Path(sys.argv[1]), name)
    except (FsvizError, OSError) as error:
        sys.exit(str(error))
