"""What there is to render: sources → reports of campaigns, notebooks → their pages."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fsviz.analysis.regimes import in_regime, regime_line
from fsviz.campaigns.campaign_toml import NAME
from fsviz.campaigns.source_files import (
    Sources,
    find,
    is_labelled,
    listed,
    reads_standard_input,
)
from fsviz.checks.engine import run_checks
from fsviz.checks.findings import SEVERITIES, Examination
from fsviz.checks.phrases import listing
from fsviz.model.campaign import Campaign
from fsviz.model.errors import FsvizError, UsageError
from fsviz.model.escaping import file_name, printable
from fsviz.model.limits import expect_room
from fsviz.model.names import names_of
from fsviz.model.writing import refuse_file
from fsviz.readers.formats import STANDARD_INPUT, shown_path
from fsviz.report._card import card_of
from fsviz.report.entries import Entry, read_entry
from fsviz.report.execute import SHARED, TEMPLATES, template, warm_up
from fsviz.report.jobs import (
    Job,
    Outcome,
    Progress,
    check_formats,
    is_current,
    render_jobs,
)
from fsviz.store.executor import pool_of
from fsviz.store.inventory import listing as listing_of
from fsviz.store.inventory import with_digests
from fsviz.store.load import load

if TYPE_CHECKING:
    import pandas as pd

Campaigned = tuple[str, ...]
"""The sources of one campaign."""

TITLES = {"cases": "Five published comparisons, read again", "lessons": "Lessons"}
"""Headings of the index by the folder of the notebooks."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of all sources."""

    outcomes: tuple[Outcome, ...]
    unusable: tuple[FsvizError, ...] = ()


def report(  # noqa: PLR0913 - a keyword an option, as on the command line
    sources: Sources,
    out: str | os.PathLike[str],
    *,
    formats: str | Sequence[str] = ("html",),
    templates: str | Sequence[str] = (),
    jobs: int = 1,
    scheduler: str = "",
    force: bool = False,
    regime: str = "",
    standalone: bool = False,
    site: Mapping[str, Any] | None = None,
    progress: Progress = lambda *_: None,
) -> Batch:
    """Render the reports of all sources and an index page.

    Parameters
    ----------
    sources : path-like or sequence of path-like
        Campaign folders and stored campaigns; all ``label=path`` are one more campaign.
        Notebooks, and folders of nothing else, are executed with their own parameters.
    out : path-like
        Folder of the reports; created if necessary.
    formats, templates : str or sequence of str
        Some of `fsviz.report.jobs.FORMATS`, and of `fsviz.report.execute.TEMPLATES`; by
        default all templates that fit.
    jobs : int
        Number of reports to render at the same time.
    scheduler : str
        Address of a Dask scheduler whose workers render, instead of this machine.
    force : bool
        Also render reports that are up to date.
    regime : str
        Report the numbers of one regime only, in separate folders.
    standalone : bool
        Embed plotly.js in every page, so that a page can be sent as one file.
    site : mapping
        ``title`` and ``footer`` of the index; what is missing stays as it was.
    progress : callable
        See `fsviz.report.jobs.Progress`.

    Returns
    -------
    Batch
        A report that fails does not stop the others. If no template fits any campaign,
        a `UsageError` is listed among the unusable.

    Raises
    ------
    UsageError
        If a format or a template is unknown, or no scheduler answers.
    """
    names = names_of(formats), names_of(templates)
    request = _Request(Path(out), *names, regime, force, standalone, site)
    return request.render(listed(sources), jobs, scheduler, progress)


@dataclass(frozen=True, slots=True)
class _Request:
    """What is to be rendered, and where to."""

    out: Path
    formats: Sequence[str]
    templates: Sequence[str]
    regime: str
    force: bool
    standalone: bool
    site: Mapping[str, Any] | None

    def __post_init__(self) -> None:
        for key in self.templates:
            template(key)
        check_formats(self.formats)
        refuse_file(self.out)
        expect_room()

    def render(
        self, sources: Sequence[str], jobs: int, scheduler: str, progress: Progress
    ) -> Batch:
        """Plan what is not known to be up to date, and render it."""
        notebooks = [source for source in sources if _holds_notebooks(source)]
        pages, refused = _pages(notebooks)
        campaigns = groups([s for s in sources if s not in notebooks])
        states = {c: state_of(c, self.regime) for c in campaigns}
        before = planned_before(self.out, states, self.templates)
        planned_jobs = {} if self.force else before
        due = [c for c in states if not self._is_current(planned_jobs.get(c, []))]
        if len(due) == len(sources) == 1 and not scheduler and _exists(sources[0]):
            warm_up()
        busy = bool(due) or not self._is_current(pages)
        workers = jobs if busy and jobs > 1 else 0
        with pool_of(workers, scheduler if busy else "", warm_up) as pool:
            planned, unusable = _plan_all(states, planned_jobs, self.regime, pool)
            asked_for = self.templates or TEMPLATES
            fitting = [job for job in planned if job.name in asked_for]
            if planned and not fitting:
                refused += (_fits_none(planned, self.templates),)
            outcomes = render_jobs(
                self._with_options([*fitting, *pages]),
                self.out,
                self.formats,
                pool=pool,
                workers=jobs,
                force=self.force,
                site=self.site,
                progress=progress,
            )
        return Batch(tuple(outcomes), unusable + refused)

    def _with_options(self, jobs: Sequence[Job]) -> list[Job]:
        return [replace(job, standalone=self.standalone) for job in jobs]

    def _is_current(self, jobs: Sequence[Job]) -> bool:
        """Say whether all pages of a campaign are there, and may be left alone."""
        stated = self._with_options(jobs)
        return bool(stated) and all(
            is_current(job, self.out, self.formats) for job in stated
        )


def _exists(source: str) -> bool:
    """Say whether kernels may be started; nobody waits for them to end otherwise."""
    try:
        return is_labelled(source) or bool(find(source))
    except UsageError:
        return False


def _fits_none(planned: Sequence[Job], templates: Sequence[str]) -> UsageError:
    fit = ", ".join(dict.fromkeys(job.name for job in planned))
    return UsageError(
        f"--template: expected one that fits what was measured ({fit}), found "
        f"{', '.join(templates)}"
    )


def groups(sources: Sequence[str]) -> list[tuple[str, ...]]:
    """Part the sources of a command line into campaigns.

    >>> groups(["data/a", "x=1.txt", "data/b", "y=2.txt"])
    [('data/a',), ('data/b',), ('x=1.txt', 'y=2.txt')]
    """
    labelled = tuple(source for source in sources if is_labelled(source))
    folders: list[tuple[str, ...]]
    folders = [(source,) for source in sources if source not in labelled]
    return [*folders, labelled] if labelled else folders


def _plan_all(
    states: Mapping[Campaigned, str],
    planned_jobs: Mapping[Campaigned, list[Job]],
    regime: str,
    pool: Executor | None,
) -> tuple[list[Job], tuple[FsvizError, ...]]:
    planned: list[Job] = []
    unusable: list[FsvizError] = []
    taken: dict[str, int] = {}
    new = [sources for sources in states if sources not in planned_jobs]
    # a worker takes longer to start than one campaign to load
    mapped = map if pool is None or len(new) == 1 else pool.map
    jobs_of = dict(zip(new, mapped(_try_plan, new, [regime] * len(new)), strict=True))
    for sources, state in states.items():
        jobs = planned_jobs.get(sources) or jobs_of[sources]
        if isinstance(jobs, FsvizError):
            unusable.append(jobs)
            continue
        # two folders of one name must not overwrite one another's pages
        name = jobs[0].folder
        taken[name] = count = taken.get(name, 0) + 1
        unique = name if count == 1 else f"{name}-{count}"
        keys = jobs[0].entry.planned or tuple(job.name for job in jobs)
        stamp = {"state": state, "planned": keys}
        planned += [
            replace(job, folder=unique, entry=job.entry.model_copy(update=stamp))
            for job in jobs
        ]
    return planned, tuple(unusable)


def state_of(sources: tuple[str, ...], regime: str) -> str:
    """Name all that a plan follows from, without reading results; empty if unknown."""
    if len(sources) != 1 or is_labelled(sources[0]) or not _exists(sources[0]):
        return ""
    folder = find(sources[0])
    inside = with_digests(folder, listing_of(folder)) if folder.is_dir() else {}
    if not inside:
        return ""
    notebooks = dict.fromkeys(map(template, TEMPLATES))
    templates = [path.read_text(encoding="utf-8") for path in notebooks]
    parts = [program_version(), *templates, *sources, str(folder.resolve()), regime]
    parts += [part for name, state in inside.items() for part in (name, state.digest)]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def planned_before(
    out: Path, states: Mapping[Campaigned, str], templates: Sequence[str]
) -> dict[Campaigned, list[Job]]:
    """Find the jobs of campaigns whose pages say that nothing has changed since."""
    sources_of = {state: sources for sources, state in states.items() if state}
    jobs_of: dict[Campaigned, dict[str, Job]] = {}
    for path in sorted(out.glob("*/*.json")) if sources_of else []:
        entry = read_entry(path)
        # the folder may be a stranger's: what is asked for is said here, not there
        if entry is None or sources_of.get(entry.state) != entry.sources:
            continue
        if entry.template in TEMPLATES:
            made = jobs_of.setdefault(entry.sources, {})
            made[entry.template] = _job_of(entry, path.parent.name)
    jobs: dict[Campaigned, list[Job]] = {}
    for sources, made in jobs_of.items():
        fitting = next(iter(made.values())).entry.planned
        keys = [key for key in fitting if key in (templates or TEMPLATES)]
        if keys and made.keys() >= set(keys):
            jobs[sources] = [made[key] for key in keys]
    return jobs


def _try_plan(sources: tuple[str, ...], regime: str) -> list[Job] | FsvizError:
    try:
        return plan(sources, regime)
    except FsvizError as error:
        return error


def plan(sources: tuple[str, ...], regime: str = "") -> list[Job]:
    """Load one campaign and list the reports that its results allow."""
    if any(reads_standard_input(source) for source in sources):
        raise UsageError(
            f"{shown_path(STANDARD_INPUT)}:1: expected a file or folder, which the "
            f"notebooks read again, found a stream"
        )
    campaign = load(sources)
    selection = regime_line(campaign, regime)
    campaign = in_regime(campaign, regime)
    fitting = list(_fitting(campaign))
    if not fitting:
        tools = ", ".join(sorted(campaign.measurements["tool"].unique()))
        listed_tools = ", ".join(
            entry.tool for entry in TEMPLATES.values() if entry.tool
        )
        raise UsageError(
            f"{', '.join(sources)}: expected results of {listed_tools}, "
            f"found {f'only {tools}' if tools else 'no numbers'}"
        )
    return _jobs(campaign, sources, regime, selection, fitting)


def _jobs(
    campaign: Campaign,
    sources: tuple[str, ...],
    regime: str,
    selection: str,
    fitting: Sequence[tuple[str, pd.DataFrame]],
) -> list[Job]:
    """List the reports of a campaign; what they share is found once."""
    inputs = _digest_of_inputs(campaign)
    labels = [source.partition("=")[0] for source in sources]
    name = campaign.name or "-".join(labels)
    title = campaign.title or campaign.name or listing(labels)
    title = f"{title}, {regime} only" if regime else title
    findings = _findings(run_checks(campaign))
    card = card_of(campaign)
    folder = file_name(f"{name}-{regime}" if regime else name)
    return [
        _job_of(
            Entry(
                title=title,
                card=card,
                template=key,
                sources=sources,
                fingerprint=_fingerprint(inputs, key, (*sources, regime)),
                systems=tuple(runs["system"].unique()),
                runs=len(runs),
                problems=tuple(map(str, campaign.problems)),
                findings=findings,
                regime=regime,
                selection=selection,
            ),
            folder,
        )
        for key, runs in fitting
    ]


def _job_of(entry: Entry, folder: str) -> Job:
    """Make the job of a campaign's page that an entry tells of."""
    sources = entry.sources
    source = shlex.join(sources) if is_labelled(sources[0]) else sources[0]
    used = TEMPLATES[entry.template]
    shared = {"tool": used.tool} if used.notebook == SHARED else {}
    return Job(
        notebook=template(entry.template),
        folder=folder,
        heading=f"{entry.title} – {used.title}",
        parameters={"source": source}
        | shared
        | ({"regime": entry.regime} if entry.regime else {}),
        entry=entry,
    )


def _fitting(campaign: Campaign) -> Iterator[tuple[str, pd.DataFrame]]:
    """List the templates that have enough systems with numbers, each with its runs."""
    measured = campaign.measurements["run"].unique()
    for key, entry in TEMPLATES.items():
        runs = campaign.runs
        if entry.tool:
            runs = runs.loc[runs["tool"] == entry.tool]
        with_numbers = runs.loc[runs["run"].isin(measured), "system"]
        if with_numbers.nunique() >= entry.systems:
            yield key, runs


def _findings(examination: Examination) -> dict:
    """Count what `check` finds, the gravest first, without what it cannot ask."""
    findings = examination.findings
    counts = findings.loc[findings["fact"] == "", "severity"].value_counts()
    return {name: int(counts[name]) for name in SEVERITIES if name in counts}


def _digest_of_inputs(campaign: Campaign) -> str:
    """Name all input by content: the files that runs came from, and the facts."""
    parts = hashlib.sha256()
    for source in sorted(campaign.measurements["source"].astype(str).unique()):
        path = Path(source)
        parts.update(source.encode())
        if path.is_file():
            parts.update(hashlib.sha256(path.read_bytes()).digest())
    parts.update(campaign.systems.to_json().encode())
    parts.update("\n".join(map(str, campaign.problems)).encode())
    parts.update(f"{campaign.title}\0{campaign.baseline}".encode())
    return parts.hexdigest()


def _fingerprint(inputs: str, key: str, settings: Sequence[str]) -> str:
    text = template(key).read_text(encoding="utf-8")
    parts = [inputs, *settings, program_version(), text]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def program_version() -> str:
    """Name the program by its content, since a checkout changes under one version."""
    package = Path(__file__).resolve().parents[1]
    parts = hashlib.sha256()
    for path in sorted(package.rglob("*")):
        if path.suffix in (".py", ".j2", ".css", ".js", ".md"):
            parts.update(path.read_bytes())
    return parts.hexdigest()


# Notebooks that are no template ------------------------------------------------------


_BESIDE = {".ipynb", ".py", ".pyc", ".md", ".j2", ".toml"}
"""Files of a folder of notebooks; one with any other file is a campaign."""


def _holds_notebooks(source: str) -> bool:
    """Return whether a source is executed: a notebook, or a folder of nothing else.

    A notebook in a campaign is never executed, for campaigns come from strangers.
    """
    if Path(source).suffix == ".ipynb":
        return not is_labelled(source)
    suffixes: set[str] = set()
    for _, folders, names in os.walk(source):
        folders[:] = [name for name in folders if not name.startswith(".")]
        suffixes |= {Path(n).suffix for n in names if not n.startswith(".")}
        if ".ipynb" not in suffixes or not suffixes <= _BESIDE or NAME in names:
            return False
    return ".ipynb" in suffixes


def _pages(sources: Sequence[str]) -> tuple[list[Job], tuple[FsvizError, ...]]:
    """Plan the pages of notebooks; also return what is none."""
    pages: list[Job] = []
    refused: list[FsvizError] = []
    for source in map(Path, sources):
        for path in sorted(source.glob("*.ipynb")) if source.is_dir() else [source]:
            try:
                pages.append(_page(path))
            except UsageError as error:
                refused.append(error)
    return pages, tuple(refused)


def _no_notebook(path: Path) -> UsageError:
    return UsageError(
        f"{printable(str(path))}:1: expected a Jupyter notebook, found something else"
    )


def _page(notebook: Path) -> Job:
    import fsviz.report._jsonschema  # noqa: F401 # isort: skip
    import nbformat

    try:
        invalid: dict[str, Exception] = {}
        content = nbformat.read(notebook, 4, invalid)
        for error in invalid.values():
            raise error
    except (OSError, RecursionError, AttributeError, KeyError, TypeError) as error:
        raise _no_notebook(notebook) from error
    except (nbformat.ValidationError, ValueError) as error:  # also not JSON, not UTF-8
        raise _no_notebook(notebook) from error
    first = next((c.source for c in content.cells if c.cell_type == "markdown"), "")
    title = first.partition("\n")[0].lstrip("# ").strip()
    return _job(notebook, title, _digest_of_notebook(notebook))


def _job(notebook: Path, title: str = "", fingerprint: str = "0" * 64) -> Job:
    title = title or notebook.stem
    folder = notebook.resolve().parent.name
    return Job(
        notebook=notebook,
        folder=file_name(folder),
        heading=title,
        entry=Entry(
            title=TITLES.get(folder, folder.capitalize()),
            template=notebook.stem,
            label=title,
            sources=(notebook.parent.as_posix(),),
            fingerprint=fingerprint,
        ),
    )


def _digest_of_notebook(notebook: Path) -> str:
    """Name the notebook, the program, and all input that a parameter names."""
    import fsviz.report._jsonschema  # noqa: F401 # isort: skip
    import papermill

    parts = hashlib.sha256(notebook.read_bytes() + program_version().encode())
    for name, parameter in papermill.inspect_notebook(str(notebook)).items():
        parts.update(f"{name}={parameter['default']}".encode())
        text = str(parameter["default"]).strip("\"'")
        for path in _inputs(text, notebook.resolve().parent):
            parts.update(path.as_posix().encode())
            parts.update(hashlib.sha256(path.read_bytes()).digest())
    return parts.hexdigest()


def _inputs(text: str, beside: Path) -> Iterator[Path]:
    try:
        path = find(text, beside) if text else None
    except UsageError:
        return
    if path is not None and path.is_dir():
        yield from (part for part in sorted(path.rglob("*")) if part.is_file())
    elif path is not None:
        yield path
