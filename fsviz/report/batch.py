"""Many sources → many reports and an index page."""

from __future__ import annotations

import json
import os
import shlex
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

from fsviz.campaign import Campaign, load
from fsviz.errors import FsvizError, UsageError, printable
from fsviz.report.execute import TEMPLATES, execute, template
from fsviz.report.index import write_index

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Job:
    """One report to make."""

    name: str
    title: str
    tool: str
    sources: tuple[str, ...]
    systems: tuple[str, ...]
    runs: int
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a job: a page, or the reason why there is none."""

    job: Job
    page: str
    error: str = ""
    made: str = ""


def report(
    sources: Sequence[str],
    out: Path,
    *,
    jobs: int = 1,
    progress: Progress = lambda _: None,
) -> list[Outcome]:
    """Render the reports of all sources and an index page.

    Parameters
    ----------
    sources : sequence of str
        Campaign folders, stored campaigns; all ``label=path`` together are one more.
    out : Path
        Folder of the reports; made if need be.
    jobs : int
        Reports rendered at the same time.
    progress : callable
        Called with a line for people now and then.

    Returns
    -------
    list of Outcome
        In the order of the sources. A failed one does not stop the others.

    Raises
    ------
    UsageError
        If a source is not there.
    ParseError
        If nothing of a source is usable.
    """
    planned = [job for group in _groups(sources) for job in _plan(group, load(group))]
    out.mkdir(parents=True, exist_ok=True)
    outcomes = []
    for outcome in _run(planned, out, jobs):
        state = outcome.error or f"{out / outcome.page}"
        progress(f"{outcome.job.name} {outcome.job.tool}: {state}")
        outcomes.append(outcome)
    write_index(out)
    return outcomes


def _groups(sources: Sequence[str]) -> Iterator[list[str]]:
    labelled = [source for source in sources if "=" in source]
    for source in sources:
        if source not in labelled:
            yield [source]
    if labelled:
        yield labelled


def _plan(sources: list[str], campaign: Campaign) -> Iterator[Job]:
    present = set(campaign.measurements["tool"].unique())
    tools = [tool for tool in TEMPLATES if tool in present]
    if not tools:
        raise UsageError(
            f"{', '.join(sources)}: expected results of {', '.join(TEMPLATES)}, "
            f"found only {', '.join(sorted(present))}"
        )
    name = campaign.name or "-".join(s.partition("=")[0] for s in sources)
    for tool in tools:
        runs = campaign.runs.loc[campaign.runs["tool"] == tool]
        yield Job(
            name=_file_name(name),
            title=campaign.title or campaign.name or name,
            tool=tool,
            sources=tuple(sources),
            systems=tuple(runs["system"].unique()),
            runs=len(runs),
            problems=tuple(map(str, campaign.problems)),
        )


def _file_name(name: str) -> str:
    """Make a folder name that means nothing to a shell or a browser."""
    kept = "".join(c if c.isalnum() or c in "-_." else "_" for c in name)
    return kept.lstrip(".")[:80] or "report"


def _run(planned: list[Job], out: Path, jobs: int) -> Iterator[Outcome]:
    if jobs <= 1 or len(planned) <= 1:
        for job in planned:
            yield _attempt(job, out)
        return
    # papermill's working directory and environment are process-wide, so no threads
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_attempt, planned, [out] * len(planned))


def _attempt(job: Job, out: Path) -> Outcome:
    page = f"{job.name}/{job.tool}.html"
    made = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        _render(job, out / job.name, made)
    except FsvizError as error:
        notebook = out / job.name / f"{job.tool}.ipynb"
        return Outcome(job, page, error=printable(f"{notebook}: {error}"), made=made)
    return Outcome(job, page, made=made)


def _render(job: Job, folder: Path, made: str) -> None:
    """Execute and export aside, then put the finished files in place."""
    import nbformat

    from fsviz.report.html import FsvizHTMLExporter

    folder.mkdir(parents=True, exist_ok=True)
    executed = folder / f"{job.tool}.ipynb"
    with tempfile.TemporaryDirectory(prefix=".making.", dir=folder) as aside:
        making = Path(aside) / executed.name
        source = job.sources[0] if len(job.sources) == 1 else shlex.join(job.sources)
        try:
            notebook = execute(template(job.tool), making, {"source": source})
        finally:
            if making.exists():
                making.replace(executed)
        notebook.metadata["title"] = f"{job.title} – {job.tool}"
        page, _ = FsvizHTMLExporter().from_notebook_node(nbformat.from_dict(notebook))
        entry = asdict(job) | {"page": f"{job.tool}.html", "made": made}
        for path, text in (
            (folder / f"{job.tool}.html", page),
            (folder / f"{job.tool}.json", json.dumps(entry, indent=1)),
        ):
            (Path(aside) / path.name).write_text(text, encoding="utf-8")
        for suffix in ("html", "json"):
            name = f"{job.tool}.{suffix}"
            (Path(aside) / name).replace(folder / name)


def default_jobs() -> int:
    """Number of reports that this machine renders at once."""
    return max(1, min(4, os.cpu_count() or 1))
