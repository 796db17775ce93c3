"""Many sources → many reports, and an index page of them."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from fsviz.model.errors import FsvizError, ParseError, UsageError, printable
from fsviz.report.execute import ReportError, execute, template
from fsviz.report.index import write_index
from fsviz.report.kernels import isolated_context, warm_up
from fsviz.report.plan import FORMATS, Job, entry_of, groups, is_current, plan


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a job: pages, or the reason why there are none."""

    job: Job
    pages: tuple[str, ...] = ()
    error: str = ""
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of all of it.

    Parameters
    ----------
    outcomes : tuple of Outcome
        In the order of the sources.
    unusable : tuple of FsvizError
        Sources that came to nothing.
    """

    outcomes: tuple[Outcome, ...]
    unusable: tuple[FsvizError, ...] = ()


Progress = Callable[[int, int, str], None]


def report(
    sources: Sequence[str],
    out: Path,
    *,
    formats: Sequence[str] = ("html",),
    templates: Sequence[str] = (),
    jobs: int = 1,
    force: bool = False,
    regime: str = "",
    progress: Progress = lambda *_: None,
) -> Batch:
    """Render the reports of all sources and an index page.

    Parameters
    ----------
    sources : sequence of str
        Campaign folders, stored campaigns; all ``label=path`` together are one more.
    out : Path
        Folder of the reports; made if need be.
    formats : sequence of str
        Some of `FORMATS`.
    templates : sequence of str
        Some of `fsviz.report.execute.TEMPLATES`; all that fit by default.
    jobs : int
        Reports rendered at the same time.
    force : bool
        Render also what is up to date.
    regime : str
        Report the numbers of one regime only, in folders of their own.
    progress : callable
        Called with the number of reports done, of all, and a line for people.

    Returns
    -------
    Batch
        A report that fails does not stop the others.

    Raises
    ------
    UsageError
        If a format or a template is unknown.
    """
    for key in templates:
        template(key)
    for form in formats:
        if form not in FORMATS:
            raise UsageError(f"--to: expected {' or '.join(FORMATS)}, found {form}")
    campaigns = groups(sources)
    if len(campaigns) == 1:
        warm_up()
    with _pool(jobs) as pool:
        planned, unusable = _plan_all(campaigns, regime, pool)
        planned = [job for job in planned if not templates or job.template in templates]
        if planned:
            out.mkdir(parents=True, exist_ok=True)
            _sweep(out)
        outcomes = dict(_run(planned, out, tuple(formats), force, pool, progress))
    if planned:
        write_index(out)
    return Batch(tuple(outcomes[job.name, job.template] for job in planned), unusable)


def _pool(jobs: int) -> Executor | nullcontext[None]:
    """Worker processes; papermill's folder and environment are process-wide."""
    if jobs <= 1:
        return nullcontext()
    return ProcessPoolExecutor(jobs, mp_context=isolated_context())


def _plan_all(
    campaigns: list[tuple[str, ...]], regime: str, pool: Executor | None
) -> tuple[list[Job], tuple[FsvizError, ...]]:
    planned: list[Job] = []
    unusable: list[FsvizError] = []
    taken: dict[str, int] = {}
    # a worker takes longer to start than one campaign to load
    mapped = map if pool is None or len(campaigns) == 1 else pool.map
    for found in mapped(_try_plan, campaigns, [regime] * len(campaigns)):
        if isinstance(found, FsvizError):
            unusable.append(found)
            continue
        # two folders of one name must not overwrite one another's pages
        name = found[0].name
        taken[name] = count = taken.get(name, 0) + 1
        unique = name if count == 1 else f"{name}-{count}"
        planned += [replace(job, name=unique) for job in found]
    return planned, tuple(unusable)


def _try_plan(sources: tuple[str, ...], regime: str) -> list[Job] | FsvizError:
    try:
        return plan(sources, regime)
    except (ParseError, UsageError) as error:
        return error


def _run(
    planned: list[Job],
    out: Path,
    formats: tuple[str, ...],
    force: bool,
    pool: Executor | None,
    progress: Progress,
) -> Iterator[tuple[tuple[str, str], Outcome]]:
    due = [job for job in planned if force or not is_current(job, out, formats)]
    for done, job in enumerate(j for j in planned if j not in due):
        progress(done + 1, len(planned), f"{job.name} {job.template}: unchanged")
        yield (job.name, job.template), Outcome(job, skipped=True)
    finished = len(planned) - len(due)
    for outcome in _outcomes(due, out, formats, pool):
        finished += 1
        state = outcome.error or "done"
        job = outcome.job
        progress(finished, len(planned), f"{job.name} {job.template}: {state}")
        yield (job.name, job.template), outcome


def _outcomes(
    due: list[Job], out: Path, formats: tuple[str, ...], pool: Executor | None
) -> Iterator[Outcome]:
    if pool is None or len(due) == 1:
        for job in due:
            yield attempt(job, out, formats)
        return
    futures: list[Future[Outcome]]
    futures = [pool.submit(attempt, job, out, formats) for job in due]
    for future in as_completed(futures):
        yield future.result()


def attempt(job: Job, out: Path, formats: tuple[str, ...]) -> Outcome:
    """Render one report, or say why not.

    Parameters
    ----------
    job : Job
        What to render.
    out : Path
        Folder of the reports.
    formats : tuple of str
        Some of `FORMATS`.

    Returns
    -------
    Outcome
    """
    folder = out / job.name
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(prefix=".making.", dir=folder) as aside:
            pages = _render(job, Path(aside), formats)
            for page in pages:
                page.replace(folder / page.name)
    except FsvizError as error:
        notebook = folder / f"{job.template}.ipynb"
        return Outcome(job, error=printable(f"{notebook}:1: {error}"))
    return Outcome(job, tuple(f"{job.name}/{job.template}.{form}" for form in formats))


def _render(job: Job, aside: Path, formats: tuple[str, ...]) -> list[Path]:
    """Make every file aside; the entry that vouches for them comes last."""
    from fsviz.report._workers import export

    executed = aside / f"{job.template}.ipynb"
    source = shlex.join(job.sources) if "=" in job.sources[0] else job.sources[0]
    kept = aside.parent / executed.name
    parameters = {"source": source} | ({"regime": job.regime} if job.regime else {})
    try:
        notebook = execute(template(job.template), executed, parameters)
    except ReportError:
        _keep_failed(job, executed, kept)
        raise
    _failed_page(job, kept.parent).unlink(missing_ok=True)
    notebook.metadata["title"] = f"{job.title} – {job.template}"
    pages = []
    for form in formats:
        page = aside / f"{job.template}.{form}"
        page.write_bytes(export(notebook, form))
        pages.append(page)
    entry = aside / f"{job.template}.json"
    made = datetime.now(UTC).isoformat(timespec="seconds")
    entry.write_text(entry_of(job, formats, made), encoding="utf-8")
    return [executed, *pages, entry]


def _failed_page(job: Job, folder: Path) -> Path:
    return folder / f"{job.template}.failed.html"


def _keep_failed(job: Job, executed: Path, kept: Path) -> None:
    """Keep a notebook up to the cell that failed, also as a page for the index."""
    import nbformat

    from fsviz.report._workers import export

    if not executed.is_file():
        return
    notebook = nbformat.read(executed, as_version=4)
    notebook.metadata["title"] = f"{job.title} – {job.template} (failed)"
    page = executed.with_suffix(".failed.html")
    page.write_bytes(export(notebook, "html"))
    executed.replace(kept)
    page.replace(_failed_page(job, kept.parent))


def _sweep(out: Path) -> None:
    """Remove what a batch that was killed had not finished."""
    for left in out.glob("*/.making.*"):
        shutil.rmtree(left, ignore_errors=True)


def default_jobs() -> int:
    """Number of reports that this machine renders at once."""
    return max(1, min(4, os.cpu_count() or 1))
