"""The pages of the site that are made from the program itself, at each build.

They are written into docs/generated: the reference of the commands from their
``--help``, of Python from the docstrings, of formats and rules from their registries,
and the gallery by executing notebooks/gallery.ipynb.
"""

from __future__ import annotations

import inspect
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import fsviz
import fsviz.report
from fsviz.answers import words
from fsviz.campaigns.campaign_toml import (
    CampaignFile,
    Facts,
    Measured,
    SystemEntry,
)
from fsviz.campaigns.starter import examples
from fsviz.checks.registry import Rule
from fsviz.checks.rules import RULES
from fsviz.model.escaping import markdown_text
from fsviz.model.thresholds import THRESHOLDS
from fsviz.readers.formats import explanation, formats
from fsviz.report.index import ICONS

ROOT = Path(__file__).resolve().parent.parent


def write_pages(docs: Path) -> None:
    """Write every generated page anew; what is as it was keeps its time.

    Parameters
    ----------
    docs : Path
        Folder of the sources of the site.
    """
    target = docs / "generated"
    pages = dict(_pages())
    for name, text in pages.items():
        _write(target / name, text.encode())
    gallery = ROOT / "notebooks/gallery.ipynb"
    page = target / "gallery.md"
    if not page.exists() or page.stat().st_mtime < _newest(gallery):
        _write_gallery(gallery, target)
        page.touch()
    for path in (target / "rules").glob("*.md"):
        if f"rules/{path.name}" not in pages:
            path.unlink()


def _newest(gallery: Path) -> float:
    drawn_by = [gallery, *(ROOT / "fsviz").rglob("*.py")]
    return max(path.stat().st_mtime for path in drawn_by)


def _write(path: Path, content: bytes) -> None:
    # an unchanged file keeps its time, so that Sphinx reads it no second time
    if path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _pages() -> Iterator[tuple[str, str]]:
    made = {
        "commands": (_commands, "[a tour](../tour.md)"),
        "python": (_python, "[Python and JupyterLab](../howto/python.md)"),
        "formats": (_formats, "[have fsviz read your tool](../howto/read-my-tool.md)"),
        "campaign-toml": (_campaign_toml, "[plan a campaign](../howto/plan.md)"),
        "symbols": (_symbols, "[what the answers mean](../explanation/answers.md)"),
        "rules": (_rules, "[what the answers mean](../explanation/answers.md)"),
    }
    for name, (lines, then) in made.items():
        yield f"{name}.md", "\n".join([*lines(), "", f"**Next:** {then}."])
    for rule in RULES:
        yield f"rules/{rule.name}.md", "\n".join(_rule(rule))


# Commands ---------------------------------------------------------------------------


def _commands() -> Iterator[str]:
    import typer
    from typer.testing import CliRunner

    from fsviz.cli import app

    # as wide as a column of the site, whatever the terminal is
    runner = CliRunner(env={"COLUMNS": "80", "TERMINAL_WIDTH": "80", "NO_COLOR": "1"})
    names = typer.main.get_command(app).commands
    yield "# Commands\n"
    yield "What `--help` prints. `-q` and `-v` may stand"
    yield "before or behind any command. Exit status 0: done; 1: some input could not"
    yield "be used, the rest was; 2: wrong usage; 3: `--fail-on` holds.\n"
    for given in ([], *([name] for name in sorted(names))):
        done = runner.invoke(app, [*given, "--help"], prog_name="fsviz")
        yield f"## {' '.join(['fsviz', *given])}\n"
        yield f"```text\n{done.output.rstrip()}\n```\n"


# Python -----------------------------------------------------------------------------


def _python() -> Iterator[str]:
    yield "# Python\n"
    yield "`import fsviz` loads nothing heavy; a name is loaded when it is used.\n"
    yield "```{eval-rst}"
    yield ".. py:module:: fsviz\n"
    yield from _members(fsviz)
    yield "```\n"
    yield "## fsviz.report\n"
    yield "What only the templates of reports need, and `report` itself.\n"
    yield "```{eval-rst}"
    yield ".. py:module:: fsviz.report\n"
    yield from _members(fsviz.report)
    yield "```"


def _members(room: object) -> Iterator[str]:
    for name in sorted(room.__all__, key=str.lower):
        member = getattr(room, name)
        if inspect.ismodule(member):
            continue
        kind = "autofunction"
        if inspect.isclass(member):
            error = issubclass(member, Exception)
            kind = "autoexception" if error else "autoclass"
        elif not callable(member):
            continue
        yield f".. {kind}:: {room.__name__}.{name}"
        # what one calls on an object is what one looks up
        yield "   :members:\n" if kind == "autoclass" else ""


# Formats, campaign.toml, rules ------------------------------------------------------


def _formats() -> Iterator[str]:
    yield "# Formats\n"
    yield "A format is recognised by its content, never by its name or suffix; a log of"
    yield "several tools is read part by part. `fsviz formats` prints this list, and"
    yield "`fsviz read --format-hint NAME` chooses one.\n"
    for one in formats():
        yield f"## {one.name}\n"
        yield f"{one.title}. One knows it by a line such as\n"
        yield f"```text\n{one.example.strip()}\n```\n"
        yield f"```{{eval-rst}}\n{explanation(one.name)}\n```\n"


def _campaign_toml() -> Iterator[str]:
    yield "# campaign.toml\n"
    yield "What the tools do not print, you state in this file beside the results."
    yield "Without it a folder loads too: each system is then the folder that holds its"
    yield "files. `fsviz init FOLDER` writes a first one.\n"
    yield "```toml"
    yield "# All may be left out but `name`.\n"
    yield from examples(CampaignFile, "facts", "system", "measured", "thresholds")
    titles = {name: f.description for name, f in CampaignFile.model_fields.items()}
    models = ("[facts]", Facts), ("[measured]", Measured), ("[[system]]", SystemEntry)
    for table, model in models:
        yield f"\n{table:40} # {titles[table.strip('[]')]}"
        skipped = Facts.model_fields if model is SystemEntry else ()
        yield from examples(model, *skipped)
    yield "# and every key of [facts], where a system differs from the others"
    yield f"\n{'[thresholds]':40} # {titles['thresholds']}"
    for name, limit in THRESHOLDS.items():
        unit = "" if limit.unit == "1" else f" [{limit.unit}]"
        assigned = f"{name} = {limit.default!r}"
        yield f"{assigned:40} # {limit.title}{unit}; {limit.source}"
    yield "```"


def _symbols() -> Iterator[str]:
    yield "# What does this symbol mean?\n"
    yield "Every sign and word that a table, a figure or a page shows beside a number."
    yield "[Answers](../explanation/answers.md) says when each answer is given.\n"
    yield "## Answers\n"
    yield "| sign | answer | meaning |\n| --- | --- | --- |"
    for answer, look in words.LOOKS.items():
        sign = _SIGNS.get(answer, look.mark)
        yield f"| {f'`{sign}`' if sign else ''} | {look.words} | {look.meaning} |"
    yield ""
    yield "`2.0▲` is twice as fast as the baseline, `2.0▼` half as fast. `[1]` is the"
    yield "number of a footnote. Few systems have words instead of signs.\n"
    yield "The [glossary](../reference/glossary.md) explains the words beside one.\n"
    signs = {sign: sign for sign in _OTHER_SIGNS}
    yield from _table("In tables and figures", signs, _OTHER_SIGNS)
    yield from _table("The four questions of trust", ICONS, _TRUST)


_SIGNS = {
    "faster_in_part": "part ▲",
    "slower_in_part": "part ▼",
    "untested": "(…)",
    "not_comparable": "not comp.",
}
"""How the answers without a sign of their own look in a narrow cell."""
_OTHER_SIGNS = {
    "–": "not measured, or not to be had from one run; never zero",
    "…": "between two numbers: the ends of an interval",
    "×": "times as fast or as slow; 2× slower takes twice as long",
    "÷": "a ratio: candidate ÷ baseline",
    "σ": "standard deviation",
    "µ": "a millionth, as in µs",
    ">": "at least: a run was too fast to time, such as +++++",
    "<": "at most",
    "≥": "in a figure: at the end of the colours or beyond",
}
"""Signs in tables and figures that are not answers."""
_TRUST = {
    "fine": "asked, and nothing was found",
    "warning": "a warning of `fsviz check`",
    "error": "an error of `fsviz check`",
    "unknown": "not checkable: a fact is missing, which the line names",
}


def _table(
    title: str, signs: Mapping[str, str], meant: Mapping[str, str]
) -> Iterator[str]:
    yield f"## {title}\n"
    yield "| sign | meaning |\n| --- | --- |"
    for name, sign in signs.items():
        yield f"| `{sign}` | {meant[name]} |"
    yield ""


def _rules() -> Iterator[str]:
    yield "# Rules of `fsviz check`\n"
    yield "`fsviz check --explain RULE` prints the same pages.\n"
    yield "| rule | fires when | severity |\n| --- | --- | --- |"
    for rule in RULES:
        severities = ", ".join(rule.severities)
        yield f"| [{rule.name}](rules/{rule.name}.md) | {rule.fires} | {severities} |"
    yield "\n```{toctree}\n:hidden:\n"
    yield from (f"rules/{rule.name}" for rule in RULES)
    yield "```"


def _rule(rule: Rule) -> Iterator[str]:
    title, _, text = rule.page.partition("\n")
    yield f"{title}\n"
    yield f"Rule `{rule.name}` ({', '.join(rule.severities)}): {rule.fires}.\n"
    yield text.strip()
    if rule.thresholds:
        yield "\n## Thresholds\n"
        yield "`[thresholds]` in `campaign.toml` overrides them.\n"
        yield "| name | default | meaning | source |\n| --- | --- | --- | --- |"
    for name in rule.thresholds:
        limit = THRESHOLDS[name]
        unit = "" if limit.unit == "1" else f" {limit.unit}"
        shown = f"{limit.default:g}{unit}"
        yield f"| `{name}` | {shown} | {limit.title} | {limit.source} |"


# The gallery ------------------------------------------------------------------------


def _write_gallery(notebook: Path, target: Path) -> None:
    """Execute the notebook of the gallery; keep its pictures, and its page."""
    from fsviz.report.execute import execute
    from fsviz.report.html import FsvizHTMLExporter

    shutil.rmtree(target / "gallery", ignore_errors=True)
    # paths in the notebook are as seen from the project
    with TemporaryDirectory() as folder, chdir(ROOT):
        executed = execute(notebook, Path(folder) / "gallery.ipynb", {})
    page, _ = FsvizHTMLExporter().from_notebook_node(executed)
    # the page's way back, which on a report leads to the index of reports
    page = page.replace(">All reports</a>", ">fsviz</a>", 1)
    _write(target / "beside/gallery/interactive.html", page.encode())
    parts = list(_gallery(executed.cells, target))
    _write(target / "gallery.md", "\n".join(parts).encode())


def _gallery(cells: list, target: Path) -> Iterator[str]:
    import plotly.graph_objects as go

    from fsviz.figures.export import MIMETYPE, alt_of, picture

    number = 0
    for cell in cells:
        if cell.cell_type == "markdown":
            yield f"{cell.source}\n"
            if cell.source.startswith("# "):
                yield "The pictures below stand still. Point, turn and choose on"
                yield '<a href="../gallery/interactive.html">the notebook\'s page</a>.'
                yield ""
            continue
        yield f"```python\n{cell.source}\n```\n"
        for output in cell.get("outputs", ()):
            figure = output.get("data", {}).get(MIMETYPE)
            if figure is None:
                continue
            number += 1
            name = f"gallery/{number:02}.svg"
            _write(target / name, picture(go.Figure(figure), "svg", "paper"))
            alt = markdown_text(" ".join(alt_of(figure).split()))
            yield f"![{alt}]({name})\n"


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]) if sys.argv[1:] else ROOT / "docs")
