"""One way to render: a notebook with parameters → pages aside, then in place.

Reports of campaigns and any other notebook (cases, lessons) are the same kind of job;
they differ only in who lists them, see `fsviz.report.plan`.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fsviz.model.errors import FsvizError, MissingSoftwareError, UsageError
from fsviz.model.escaping import printable
from fsviz.model.processes import end_workers, is_alive
from fsviz.model.writing import make_folder, real_folder, write_file
from fsviz.report.entries import Entry, first_paragraph, read_entry, stated_card
from fsviz.report.execute import ReportError, execute
from fsviz.report.index import failed_page, name_site, write_index

if TYPE_CHECKING:
    from nbformat import NotebookNode

FORMATS = ("html", "pdf")

Progress = Callable[[int, int, str], None]
"""Called with the number of jobs done, of all, and what is being done now."""


@dataclass(frozen=True, slots=True)
class Job:
    """A notebook to execute and export."""

    notebook: Path
    folder: str
    entry: Entry
    heading: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    standalone: bool = False

    @property
    def name(self) -> str:
        """Name of its files, without a suffix."""
        return self.entry.template

    @property
    def line(self) -> str:
        """The job in a line for people."""
        return f"{self.folder} {self.name}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a job: pages, or the reason why there are none."""

    job: Job
    pages: tuple[str, ...] = ()
    error: str = ""
    skipped: bool = False


def check_formats(formats: Sequence[str]) -> None:
    """Refuse formats that cannot be made."""
    for form in formats:
        if form not in FORMATS:
            raise UsageError(f"--to: expected {' or '.join(FORMATS)}, found {form}")


def default_jobs() -> int:
    """Number of reports that this machine renders at once."""
    return max(1, min(4, os.cpu_count() or 1))


def render_jobs(
    planned: Sequence[Job],
    out: Path,
    formats: Sequence[str],
    *,
    pool: Executor | None = None,
    workers: int = 1,
    force: bool = False,
    site: Mapping[str, Any] | None = None,
    progress: Progress = lambda *_: None,
) -> list[Outcome]:
    """Render what is not up to date, and the index."""
    if not planned:
        return []
    make_folder(out)
    name_site(out, **(site or {}))
    _sweep(out)
    outcomes: dict[int, Outcome] = {}
    progress(0, len(planned), _now(planned, outcomes, workers))
    try:
        for number, outcome in _outcomes(planned, out, tuple(formats), pool, force):
            outcomes[number] = outcome
            progress(len(outcomes), len(planned), _now(planned, outcomes, workers))
    except BaseException:
        end_workers(pool)
        _sweep(out)
        raise
    write_index(out)
    return [outcomes[number] for number in range(len(planned))]


def _now(planned: Sequence[Job], done: Container[int], workers: int) -> str:
    """Say what is being rendered: jobs are begun in their order."""
    waiting = [job.line for n, job in enumerate(planned) if n not in done]
    return ", ".join(waiting[:workers]) or "index"


def _outcomes(
    planned: Sequence[Job],
    out: Path,
    formats: tuple[str, ...],
    pool: Executor | None,
    force: bool,
) -> Iterator[tuple[int, Outcome]]:
    due = []
    for number, job in enumerate(planned):
        if force or not is_current(job, out, formats):
            due.append(number)
        else:
            yield number, Outcome(job, skipped=True)
    if pool is None or len(due) == 1:
        yield from ((n, attempt(planned[n], out, formats)) for n in due)
        return
    waiting = {pool.submit(attempt, planned[n], out, formats): n for n in due}
    for future in as_completed(waiting):
        yield waiting[future], future.result()


def is_current(job: Job, out: Path, formats: Sequence[str]) -> bool:
    """Say whether the pages are there and made from just this input and version."""
    entry = read_entry(out / job.folder / f"{job.name}.json")
    pages = [out / job.folder / f"{job.name}.{form}" for form in formats]
    return (
        entry is not None
        and entry.fingerprint == job.entry.fingerprint
        and entry.standalone == job.standalone
        and set(formats) <= set(entry.formats)
        and all(page.is_file() for page in pages)
        # else what failed later, with another input, would stay beside them
        and not failed_page(out / job.folder, job.name).exists()
    )


def attempt(job: Job, out: Path, formats: tuple[str, ...]) -> Outcome:
    """Render one job, or say why not."""
    folder = out / job.folder
    try:
        real_folder(folder)
        # what is not finished says who makes it
        making = f".making.{os.getpid()}."
        with tempfile.TemporaryDirectory(prefix=making, dir=folder) as aside:
            made, failure = _render(job, Path(aside), folder, formats)
            # the entry that vouches for them comes last
            names = [f"{job.name}.{suffix}" for suffix in ("ipynb", *made, "json")]
            for name in names:
                (Path(aside) / name).replace(folder / name)
    except FsvizError as error:
        return Outcome(job, error=_error_text(folder, job, error))
    except OSError as error:
        # a disk that is full takes no page, and the ones of before are whole
        reason = error.strerror or type(error).__name__
        words = f"expected a folder to write to, found {reason}"
        return Outcome(job, error=_error_text(folder, job, words))
    failed_page(folder, job.name).unlink(missing_ok=True)
    pages = tuple(f"{job.folder}/{job.name}.{form}" for form in made)
    return Outcome(job, pages, _error_text(folder, job, failure) if failure else "")


def _error_text(folder: Path, job: Job, words: object) -> str:
    return printable(f"{folder / job.name}.ipynb:1: {words}")


def _render(
    job: Job, aside: Path, folder: Path, formats: Sequence[str]
) -> tuple[list[str], FsvizError | None]:
    """Make every file aside, and say which forms there are and why not the rest."""
    from fsviz.report.html import export

    executed = aside / f"{job.name}.ipynb"
    try:
        notebook = execute(job.notebook, executed, job.parameters)
    except ReportError:
        _keep_failed(job, executed, folder)
        raise
    _write_briefly(notebook, executed, beside="html" in formats)
    stated: dict[str, Any] = {"card": stated_card(notebook) or job.entry.card}
    if not job.entry.systems:
        stated["caption"] = first_paragraph(notebook)
    job = replace(job, entry=job.entry.model_copy(update=stated))
    notebook.metadata["title"] = job.heading
    library = _library(job, folder.parent)
    made: list[str] = []
    failure: FsvizError | None = None
    for form in formats:
        try:
            page = export(notebook, form, library)
        except MissingSoftwareError as error:
            # a browser that fails costs the PDF and not the page
            failure = error
            continue
        write_file(aside / f"{job.name}.{form}", page)
        made.append(form)
    if failure and not made:
        raise failure
    entry = aside / f"{job.name}.json"
    write_file(entry, describe(job, made))
    return made, failure


def _write_briefly(notebook: NotebookNode, path: Path, *, beside: bool) -> None:
    """Write a notebook on few lines: indented, every number of a figure has its own.

    What the page beside it has out of sight is words here.
    """
    import fsviz.report._jsonschema  # noqa: F401 # isort: skip
    import nbformat

    # nbformat itself always indents
    content = json.loads(nbformat.writes(notebook))
    if beside:
        for cell in content["cells"]:
            _say_hidden(cell.get("outputs", ()))
    brief = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    write_file(path, brief)


def _say_hidden(outputs: Sequence[dict]) -> None:
    """Put words in place of figures that a page folds away or has in other tabs.

    They are four fifths of a notebook, and the page has them.
    """
    from fsviz.figures.export import MIMETYPE, alt_of, folded_under, title_of

    texts = ["".join(o.get("data", {}).get("text/html", "")) for o in outputs]
    tabs = [text for text in texts if 'class="tab"' in text]
    # as the page does: the one that says so, else the first
    opened = min(tabs, key=lambda tab: 'data-opened=""' in tab, default="")
    hidden = False
    for output, text in zip(outputs, texts, strict=True):
        hidden = text != opened if text in tabs else hidden
        figure = output.get("data", {}).get(MIMETYPE)
        if figure is None:
            continue
        folded = folded_under(figure)
        if folded or hidden:
            name = folded or title_of(figure.get("layout", {}))
            where = f"{name}: on the page beside this notebook. "
            output["data"] = {"text/plain": where + alt_of(figure)}


def describe(job: Job, formats: Sequence[str]) -> str:
    """Describe finished pages for the index, as JSON."""
    made = datetime.now(UTC).isoformat(timespec="seconds")
    stated = {"formats": tuple(formats), "made": made, "standalone": job.standalone}
    done = job.entry.model_copy(update=stated)
    return Entry.model_validate(done.model_dump()).model_dump_json(indent=1)


def _keep_failed(job: Job, executed: Path, folder: Path) -> None:
    """Keep a notebook up to the cell that failed, also as a page for the index."""
    import fsviz.report._jsonschema  # noqa: F401 # isort: skip
    import nbformat

    from fsviz.report.html import export

    if not executed.is_file():
        return
    notebook = nbformat.read(executed, as_version=4)
    notebook.metadata["title"] = f"{job.heading} (failed)"
    page = executed.with_suffix(".failed.html")
    write_file(page, export(notebook, "html", _library(job, folder.parent)))
    executed.replace(folder / executed.name)
    page.replace(failed_page(folder, job.name))


def _library(job: Job, out: Path) -> str:
    """Say where a page finds the plotly.js that it shares; empty if it embeds one."""
    from fsviz.figures.export import library_name, plotly_js

    if job.standalone:
        return ""
    place = out / library_name()
    # one that is there is the same version
    if not place.is_file():
        write_file(place, plotly_js())
    return f"../{place.name}"


def _sweep(out: Path) -> None:
    """Remove what a batch that was killed had not finished; another one may go on."""
    for left in [*out.glob("*/.making.*"), *out.glob(".making.*")]:
        maker = left.name.split(".")[2]
        if not (maker.isdecimal() and is_alive(int(maker))):
            shutil.rmtree(left, ignore_errors=True)
