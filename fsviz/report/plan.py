"""What a batch has to do: sources → reports, and which of them are up to date."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fsviz.analysis.regimes import in_regime, regime_line
from fsviz.campaigns.load import load
from fsviz.model.campaign import Campaign
from fsviz.model.errors import UsageError
from fsviz.model.escaping import file_name
from fsviz.report._thumbnail import thumbnail
from fsviz.report.execute import TEMPLATES, template
from fsviz.report.index import Entry, read_entry

if TYPE_CHECKING:
    import pandas as pd

FORMATS = ("html", "pdf")


@dataclass(frozen=True, slots=True)
class Job:
    """One report to make from one template."""

    name: str
    title: str
    template: str
    sources: tuple[str, ...]
    fingerprint: str
    systems: tuple[str, ...] = ()
    runs: int = 0
    problems: tuple[str, ...] = ()
    findings: dict[str, int] = field(default_factory=dict)
    thumbnail: str = ""
    regime: str = ""
    selection: str = ""
    """What is kept of the regime, and what is left out."""


def groups(sources: Sequence[str]) -> list[tuple[str, ...]]:
    """Part the sources of a command line into campaigns.

    Parameters
    ----------
    sources : sequence of str
        Campaign folders, and ``label=path``.

    Returns
    -------
    list of tuple of str
        Each folder for itself; all labels together are one more.

    Examples
    --------
    >>> groups(["data/a", "x=1.txt", "data/b", "y=2.txt"])
    [('data/a',), ('data/b',), ('x=1.txt', 'y=2.txt')]
    """
    labelled = tuple(source for source in sources if "=" in source)
    folders: list[tuple[str, ...]]
    folders = [(source,) for source in sources if "=" not in source]
    return [*folders, labelled] if labelled else folders


def plan(sources: tuple[str, ...], regime: str = "") -> list[Job]:
    """Load one campaign and list the reports that its results allow.

    Parameters
    ----------
    sources : tuple of str
        One of `groups`.
    regime : str
        Report its numbers only, as `fsviz.in_regime` keeps them; empty for all.

    Returns
    -------
    list of Job

    Raises
    ------
    UsageError
        If no template fits, a source is not there, or the regime has no numbers.
    ParseError
        If nothing of the source is usable.
    """
    campaign = load(sources)
    selection = regime_line(campaign, regime)
    campaign = in_regime(campaign, regime)
    fitting = list(_fitting(campaign))
    if not fitting:
        tools = ", ".join(sorted(campaign.measurements["tool"].unique()))
        known = ", ".join(entry.tool for entry in TEMPLATES.values() if entry.tool)
        raise UsageError(
            f"{', '.join(sources)}:1: expected results of {known}, found only {tools}"
        )
    inputs = _digest_of_inputs(campaign)
    name = campaign.name or "-".join(s.partition("=")[0] for s in sources)
    findings = _findings(campaign)
    title = campaign.title or campaign.name or name
    return [
        Job(
            name=file_name(f"{name}-{regime}" if regime else name),
            title=f"{title}, {regime} only" if regime else title,
            template=key,
            sources=sources,
            fingerprint=_fingerprint(inputs, key, (*sources, regime)),
            systems=tuple(runs["system"].unique()),
            runs=len(runs),
            problems=tuple(map(str, campaign.problems)),
            findings=findings,
            thumbnail=thumbnail(campaign, TEMPLATES[key].tool),
            regime=regime,
            selection=selection,
        )
        for key, runs in fitting
    ]


def is_current(job: Job, out: Path, formats: Sequence[str]) -> bool:
    """Say whether a report is there and made from just this input and version.

    Parameters
    ----------
    job : Job
        The report.
    out : Path
        Folder of the reports.
    formats : sequence of str
        Which of `FORMATS` must be there.
    """
    known = read_entry(out / job.name / f"{job.template}.json")
    pages = [out / job.name / f"{job.template}.{form}" for form in formats]
    return (
        known is not None
        and known.fingerprint == job.fingerprint
        and set(formats) <= set(known.formats)
        and all(page.is_file() for page in pages)
    )


def entry_of(job: Job, formats: Sequence[str], made: str) -> str:
    """Describe a finished report for the index, as JSON."""
    entry = asdict(job) | {"formats": tuple(formats), "made": made}
    return Entry.model_validate(entry).model_dump_json(indent=1)


def _fitting(campaign: Campaign) -> Iterator[tuple[str, pd.DataFrame]]:
    for key, entry in TEMPLATES.items():
        runs = campaign.runs
        if entry.tool:
            runs = runs.loc[runs["tool"] == entry.tool]
        if runs["system"].nunique() >= entry.systems:
            yield key, runs


def _findings(campaign: Campaign) -> dict[str, int]:
    """Count what `check` finds, by severity."""
    from fsviz.checks.engine import check

    counts = check(campaign)["severity"].value_counts()
    return {str(severity): int(count) for severity, count in counts.items() if count}


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
