"""Notebooks that are no template, such as cases and lessons → pages on the index."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from fsviz.model.errors import FsvizError, UsageError
from fsviz.model.escaping import file_name, printable
from fsviz.report.execute import execute
from fsviz.report.index import Entry, read_entry, write_index
from fsviz.report.kernels import isolated_context
from fsviz.report.plan import FORMATS, program_version

if TYPE_CHECKING:
    from nbformat import NotebookNode

TITLES = {"cases": "Five published comparisons, read again", "lessons": "Lessons"}
"""Headings of the index by the folder of the notebooks."""


@dataclass(frozen=True, slots=True)
class Page:
    """A notebook, and where its page goes."""

    notebook: Path
    folder: Path
    formats: tuple[str, ...]
    fingerprint: str
    title: str
    caption: str

    @property
    def entry(self) -> Path:
        """The JSON file that vouches for the finished page."""
        return self.folder / f"{self.notebook.stem}.json"

    @property
    def is_current(self) -> bool:
        """Whether the page is there and made from just this notebook and input."""
        known = read_entry(self.entry)
        return (
            known is not None
            and known.fingerprint == self.fingerprint
            and all(
                self.entry.with_suffix(f".{form}").is_file() for form in self.formats
            )
        )


Progress = Callable[[int, int, str], None]


def render_pages(
    sources: Sequence[str],
    out: Path,
    *,
    formats: Sequence[str] = ("html",),
    jobs: int = 1,
    force: bool = False,
    progress: Progress = lambda *_: None,
) -> list[str]:
    """Execute notebooks with the parameters that they state, and export them.

    Parameters
    ----------
    sources : sequence of str
        Notebooks, or folders of notebooks.
    out : Path
        Folder of the reports; each folder of notebooks gets one in it.
    formats : sequence of str
        Some of `FORMATS`.
    jobs : int
        Notebooks executed at the same time.
    force : bool
        Render also what is up to date.
    progress : callable
        Called with the number of pages done, of all, and a line for people.

    Returns
    -------
    list of str
        What failed, as ``PATH:1: …``; the other pages are there.

    Raises
    ------
    UsageError
        If a format is unknown or there is no such notebook.
    """
    for form in formats:
        if form not in FORMATS:
            raise UsageError(f"--to: expected {' or '.join(FORMATS)}, found {form}")
    pages = [_page(path, out, tuple(formats)) for path in _notebooks(sources)]
    due = [page for page in pages if force or not page.is_current]
    failed = []
    with _pool(min(jobs, len(due))) as pool:
        done = len(pages) - len(due)
        made = map(_attempt, due) if pool is None else pool.map(_attempt, due)
        for page, error in zip(due, made, strict=True):
            done += 1
            progress(done, len(pages), f"{page.title}: {error or 'done'}")
            failed += [error] if error else []
    write_index(out)
    return failed


def _pool(jobs: int) -> ProcessPoolExecutor | nullcontext[None]:
    """Worker processes; papermill's folder and environment are process-wide."""
    if jobs <= 1:
        return nullcontext()
    return ProcessPoolExecutor(jobs, mp_context=isolated_context())


def _notebooks(sources: Sequence[str]) -> list[Path]:
    found: list[Path] = []
    for source in sources:
        path = Path(source)
        inside = sorted(path.glob("*.ipynb")) if path.is_dir() else [path]
        if not inside or not inside[0].is_file():
            raise UsageError(f"{source}:1: expected notebooks, found none")
        found += inside
    return found


def _page(notebook: Path, out: Path, formats: tuple[str, ...]) -> Page:
    import nbformat

    content = nbformat.read(notebook, as_version=4)
    first = next((c.source for c in content.cells if c.cell_type == "markdown"), "")
    heading, _, rest = first.partition("\n")
    return Page(
        notebook=notebook,
        folder=out / file_name(notebook.resolve().parent.name),
        formats=formats,
        fingerprint=_fingerprint(notebook),
        title=heading.lstrip("# ").strip() or notebook.stem,
        caption=rest.strip().split("\n\n")[0],
    )


def _fingerprint(notebook: Path) -> str:
    """Name the notebook, the program, and all input that a parameter names."""
    import papermill

    parts = hashlib.sha256(notebook.read_bytes() + program_version().encode())
    for name, known in papermill.inspect_notebook(str(notebook)).items():
        parts.update(f"{name}={known['default']}".encode())
        for path in _inputs(str(known["default"]).strip("\"'")):
            parts.update(path.as_posix().encode())
            parts.update(hashlib.sha256(path.read_bytes()).digest())
    return parts.hexdigest()


def _inputs(text: str) -> Iterator[Path]:
    from fsviz.campaigns.source_files import find

    try:
        path = find(text) if text else None
    except UsageError:
        return
    if path is not None and path.is_dir():
        yield from (part for part in sorted(path.rglob("*")) if part.is_file())
    elif path is not None:
        yield path


def _attempt(page: Page) -> str:
    """Render one page; say why if it cannot be."""
    try:
        _render(page)
    except FsvizError as error:
        return printable(f"{page.notebook}:1: {error}")
    return ""


def _render(page: Page) -> None:
    """Make every file aside; the entry that vouches for them comes last."""
    from fsviz.report._workers import export

    page.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".making.", dir=page.folder) as aside:
        executed = Path(aside) / page.notebook.name
        notebook: NotebookNode = execute(page.notebook, executed, {})
        notebook.metadata["title"] = page.title
        files = [executed]
        for form in page.formats:
            files.append(executed.with_suffix(f".{form}"))
            files[-1].write_bytes(export(notebook, form))
        files.append(executed.with_suffix(".json"))
        files[-1].write_text(_entry(page), encoding="utf-8")
        for file in files:
            file.replace(page.folder / file.name)


def _entry(page: Page) -> str:
    """Describe a finished page for the index."""
    return Entry(
        title=TITLES.get(page.folder.name, page.folder.name.capitalize()),
        template=page.notebook.stem,
        label=page.title,
        caption=page.caption,
        sources=(page.notebook.parent.as_posix(),),
        formats=page.formats,  # type: ignore[arg-type]  # checked by pydantic
        fingerprint=page.fingerprint,
        made=datetime.now(UTC).isoformat(timespec="seconds"),
    ).model_dump_json(indent=1)
