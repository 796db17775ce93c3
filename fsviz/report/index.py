"""``reports/index.html``: what has been rendered, with links."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

TEMPLATES = Path(__file__).parent / "templates"


def write_index(out: Path) -> Path:
    """Write the index of all reports in a folder, whenever they were rendered.

    Parameters
    ----------
    out : Path
        Folder of the reports.

    Returns
    -------
    Path
        ``out/index.html``, replaced in one step.
    """
    from jinja2 import Environment, FileSystemLoader

    entries = [
        json.loads(path.read_text(encoding="utf-8")) | {"folder": path.parent.name}
        for path in sorted(out.glob("*/*.json"))
        if path.with_suffix(".html").is_file()
    ]
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True
    )
    environment.filters["quote"] = quote
    css = (TEMPLATES / "fsviz" / "report.css").read_text(encoding="utf-8")
    page = environment.get_template("index_page.html.j2").render(
        entries=entries, css=css
    )
    aside = out / ".index.html"
    aside.write_text(page, encoding="utf-8")
    return aside.replace(out / "index.html")
