"""``reports/index.html``: what has been rendered, with links."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
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

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True
    )
    environment.filters["quote"] = quote
    parts = {
        name: (TEMPLATES / "fsviz" / name).read_text(encoding="utf-8")
        for name in ("report.css", "index.js")
    }
    template = environment.get_template("index_page.html.j2")
    page = template.render(campaigns=_campaigns(out), parts=parts)
    aside = out / ".index.html"
    aside.write_text(page, encoding="utf-8")
    return aside.replace(out / "index.html")


def _campaigns(out: Path) -> list[dict[str, Any]]:
    """Collect the entries of each folder, and what failed there."""
    campaigns = []
    for folder in sorted(path for path in out.glob("*") if path.is_dir()):
        entries = [
            json.loads(path.read_text(encoding="utf-8"))
            for path in sorted(folder.glob("*.json"), key=_order)
        ]
        entries = [e for e in entries if (folder / f"{e['template']}.ipynb").is_file()]
        failed = [path.name for path in sorted(folder.glob("*.failed.html"))]
        if entries or failed:
            campaigns.append(
                {"folder": folder.name, "entries": entries, "failed": failed}
            )
    return campaigns


def _order(path: Path) -> tuple[bool, str]:
    """Put the comparison, which answers the question, first."""
    return path.stem != "compare", path.stem
