"""``reports/index.html``: what has been rendered, with links."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

from fsviz.figures.page_code import script_of, style_of
from fsviz.model.errors import UsageError
from fsviz.model.escaping import printable
from fsviz.model.names import natural
from fsviz.model.policy import with_policy
from fsviz.model.writing import write_file
from fsviz.report.entries import SITE, Entry, Site, read_entry, site_of
from fsviz.text.html import ICONS

INDEX = "index.html"
_OURS, _HEAD = b".fsviz-", 1 << 20
"""What is in the style of every page of ours, within so many bytes."""
TEMPLATES = Path(__file__).parent / "templates"


def name_site(
    out: Path,
    title: str = "",
    footer: str = "",
) -> None:
    """Say how a folder of reports presents itself, also in later batches."""
    _refuse_other_page(out / INDEX)
    stated = {"title": title, "footer": footer}
    given = {name: text for name, text in stated.items() if text}
    if not given or not out.is_dir():
        return
    site = Site.model_validate(site_of(out).model_dump() | given)
    write_file(out / SITE, site.model_dump_json(indent=1))
    write_index(out)


def _refuse_other_page(index: Path) -> None:
    """Refuse to write over a page that is not of fsviz: somebody made it by hand."""
    if index.is_symlink() or not index.is_file():
        return
    with index.open("rb") as file:
        if _OURS not in file.read(_HEAD):
            raise UsageError(
                f"{printable(str(index))}:1: expected a page that fsviz wrote, or "
                "none, found another; -o names another folder"
            )


def failed_page(folder: Path, name: str) -> Path:
    """Name the page of a notebook that stopped."""
    return folder / f"{name}.failed.html"


def write_index(out: Path) -> Path:
    """Write the index of all reports in a folder, whenever they were rendered."""
    from jinja2 import Environment, FileSystemLoader
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        finalize=_escape_controls,
    )
    environment.filters["quote"] = quote
    folder = TEMPLATES / "fsviz"
    script, styles = script_of(folder / "index.js"), style_of(folder / "report.css")
    site, campaigns = site_of(out), _campaigns(out)
    page = environment.get_template("index_page.html.j2").render(
        site=site,
        campaigns=campaigns,
        # our own files, the only text that is not escaped
        styles=Markup(styles),  # noqa: S704
        script=Markup(script),  # noqa: S704
        icons=ICONS,
    )
    page = with_policy(page, script, styles=[styles])
    write_file(index := out / INDEX, page)
    return index


def _escape_controls(value: object) -> object:
    """Show control characters of a text as escapes; jinja then escapes the markup."""
    return printable(value) if type(value) is str else value


def _campaigns(out: Path) -> list[dict[str, Any]]:
    """Collect the entries of each folder, and what failed there.

    Campaigns come first, the newest on top; then notebooks such as the cases.
    """
    campaigns: list[dict[str, Any]] = []
    for folder in sorted(path for path in out.glob("*") if path.is_dir()):
        read = map(read_entry, sorted(folder.glob("*.json"), key=_order))
        entries = [e for e in read if e is not None and _is_complete(folder, e)]
        failed = sorted(path.name for path in folder.glob("*.failed.html"))
        if entries or failed:
            campaigns.append(
                {"folder": folder.name, "entries": entries, "failed": failed}
            )
    campaigns.sort(key=_newest, reverse=True)
    return sorted(campaigns, key=_is_of_notebooks)


def _newest(campaign: dict[str, Any]) -> str:
    return max((entry.made for entry in campaign["entries"]), default="")


def _is_of_notebooks(campaign: dict[str, Any]) -> bool:
    return not any(entry.systems for entry in campaign["entries"])


def _is_complete(folder: Path, entry: Entry) -> bool:
    """Say whether an entry's notebook and pages are there."""
    return all(
        (folder / f"{entry.template}.{suffix}").is_file()
        for suffix in ("ipynb", *entry.formats)
    )


def _order(path: Path) -> tuple[bool, list[tuple[int, int, str]]]:
    """Put the comparison, which answers the question, first, and 10 after 9."""
    return path.stem != "compare", natural(path.stem)
