"""Result files → measurements; a folder, store or labelled files → one `Campaign`."""

from __future__ import annotations

import json
import os
import shlex
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fsviz.campaigns.merge_files import stem, unify
from fsviz.model import errors
from fsviz.model.campaign import Campaign
from fsviz.model.errors import (
    InconsistentDataError,
    ParseError,
    UnknownFormatError,
    UsageError,
)
from fsviz.model.runs import Run, number_repeats, tabulate
from fsviz.model.table import validate
from fsviz.readers.formats import read_file

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.campaigns.campaign_toml import CampaignFile
    from fsviz.campaigns.source_files import Claim

STORED_FRAMES = ("measurements", "runs", "systems")
STORED_FACTS = "campaign.json"
_FEW = 10
"""Two runs with fewer numbers than this may print the same text by chance."""

Progress = Callable[[str], None]


def load(
    source: str | os.PathLike[str] | Sequence[str],
    progress: Progress = lambda _: None,
) -> Campaign:
    """Load a campaign.

    Parameters
    ----------
    source : path-like or sequence of str
        A campaign folder, a stored campaign (a folder that ``fsviz ingest`` wrote), or
        one or more ``label=path[,path…]``; in one text these are parted by blanks and
        quoted as in a shell. A relative path is looked for in the parent
        folders too, so that a notebook in ``notebooks/`` finds ``data/raw``.
    progress : callable
        Called with the path of each file before it is read.

    Returns
    -------
    Campaign

    Raises
    ------
    UsageError
        If there is no such file or folder.
    CampaignError
        If ``campaign.toml`` cannot be followed.
    ParseError
        If nothing at all is usable.
    """
    from fsviz.campaigns.source_files import find, labelled

    sources = _several(source)
    if not sources:
        raise UsageError("no source: give a campaign folder or label=path")
    if len(sources) == 1 and "=" not in sources[0] and find(sources[0]).is_dir():
        return _load_folder(find(sources[0]), progress)
    claims = [claim for text in sources for claim in labelled(text)]
    return _assemble("", claims, progress)


def _several(source: str | os.PathLike[str] | Sequence[str]) -> Sequence[str]:
    """Take several ``label=path`` out of one text, as a notebook holds them."""
    if isinstance(source, os.PathLike):
        return [os.fspath(source)]
    if isinstance(source, str):
        return shlex.split(source) if "=" in source else [source]
    return source


def _load_folder(folder: Path, progress: Progress) -> Campaign:
    if all((folder / f"{name}.parquet").is_file() for name in STORED_FRAMES):
        return _load_stored(folder)
    from fsviz.campaigns.campaign_toml import NAME, CampaignFile, read_campaign_file
    from fsviz.campaigns.publication import is_publication, read_publication
    from fsviz.campaigns.source_files import claims

    described = CampaignFile()
    if (folder / NAME).is_file():
        described = read_campaign_file(folder / NAME)
    name = folder.resolve().name
    if is_publication(folder):
        campaign = _frames(name, read_publication(folder), [])
    else:
        found = list(claims(folder, described))
        if not found:
            none = "none in this folder"
            raise UnknownFormatError(str(folder), 1, "result files", none)
        campaign = _assemble(name, found, progress)
    return replace(
        campaign,
        title=described.title,
        baseline=described.baseline,
        systems=_systems(described, campaign.systems["system"]),
        thresholds=described.thresholds,
        compared=tuple(described.compared),
        question=described.question,
        started=described.started or "",
        ended=described.ended or "",
    )


def _load_stored(folder: Path) -> Campaign:
    import pandas as pd

    frames = {n: pd.read_parquet(folder / f"{n}.parquet") for n in STORED_FRAMES}
    frames["runs"]["sources"] = frames["runs"]["sources"].map(tuple)
    facts = json.loads((folder / STORED_FACTS).read_text(encoding="utf-8"))
    return Campaign(
        name=facts["name"],
        title=facts["title"],
        baseline=facts["baseline"],
        problems=tuple(_problem(*fields) for fields in facts["problems"]),
        thresholds=facts.get("thresholds", {}),
        compared=tuple(facts.get("compared", ())),
        **{name: facts.get(name, "") for name in ("question", "started", "ended")},
        **frames,
    )


def _problem(kind: str, *fields: Any) -> ParseError:
    """Make a stored problem again; one of an unknown kind is a problem all the same."""
    found = getattr(errors, kind, ParseError)
    return found(*fields) if issubclass(found, ParseError) else ParseError(*fields)


def _assemble(name: str, claims: Iterable[Claim], progress: Progress) -> Campaign:
    by_system: dict[str, list[Run]] = {}
    problems: list[ParseError] = []
    for claim in claims:
        progress(claim.path)
        runs = by_system.setdefault(claim.system, [])
        try:
            reading = read_file(claim.path)
        except ParseError as error:
            problems.append(error)
            continue
        runs += reading.runs
        problems += reading.problems
    return _frames(name, by_system, problems)


def _frames(
    name: str, by_system: Mapping[str, list[Run]], problems: list[ParseError]
) -> Campaign:
    placed = []
    for system, runs in by_system.items():
        unified, differences = unify(runs)
        problems += differences
        placed += [(name, system, run) for run in _distinct(unified)]
    if not placed:
        raise problems[0]
    measurements, run_frame = tabulate(number_repeats(placed))
    return Campaign(
        name=name,
        title="",
        baseline=None,
        measurements=validate(measurements),
        runs=run_frame,
        systems=_bare_systems(dict.fromkeys(system for _, system, _ in placed)),
        problems=tuple(problems),
    )


def _distinct(runs: Iterable[Run]) -> list[Run]:
    """Tell short outputs that are equal by chance apart; refuse a long one twice."""
    first: dict[str, Run] = {}
    renamed: dict[tuple[str, str], str] = {}
    distinct = []
    for run in runs:
        known = first.setdefault(run.identity, run)
        place = (run.identity, stem(run.source))
        if stem(known.source) != place[1] and place not in renamed:
            if len(run.cells) >= _FEW:
                found = f"the same file as {known.source}"
                raise InconsistentDataError(run.source, 1, "a run of its own", found)
            renamed[place] = f"{run.identity}~{len(renamed) + 2}"
        distinct.append(replace(run, identity=renamed.get(place, run.identity)))
    return distinct


def _bare_systems(names: Iterable[str]) -> pd.DataFrame:
    import pandas as pd

    from fsviz.campaigns.campaign_toml import FACTS

    frame = pd.DataFrame({"system": list(names)}, dtype="string")
    return frame.reindex(columns=["system", "title", *FACTS]).astype("string")


def _systems(described: CampaignFile, names: Iterable[str]) -> pd.DataFrame:
    """One row a system: its own facts, else those of the campaign."""
    import pandas as pd

    from fsviz.campaigns.campaign_toml import FACTS

    shared = described.facts.model_dump()
    entries = {entry.name: entry.model_dump() for entry in described.system}
    rows = []
    for name in entries or names:
        own = entries.get(name, {})
        facts = {fact: own.get(fact) or shared[fact] for fact in FACTS}
        rows.append({"system": name, "title": own.get("title"), **facts})
    return pd.DataFrame(rows, columns=["system", "title", *FACTS]).astype("string")


class UnusableInputWarning(UserWarning):
    """Part of a file could not be used; the message says where and why."""


def read(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    hint: str | None = None,
) -> pd.DataFrame:
    """Read result files into the tidy table.

    Parameters
    ----------
    path : path-like or sequence of path-like
        Any files that the supported tools wrote. Each file is read by itself: a text
        and a workbook of one run give its numbers twice.
    hint : str, optional
        Name of the files' format, one of those that ``fsviz formats`` lists; else each
        file's format is found by its content.

    Returns
    -------
    DataFrame
        One row a measured number; ``system`` is the name of the file's folder.

    Raises
    ------
    ParseError
        If nothing of a file is usable.
    UsageError
        If there is no such file, or no such format.

    Warns
    -----
    UnusableInputWarning
        For each part of a file that is not usable.
    """
    paths = [path] if isinstance(path, str | os.PathLike) else path
    frame, problems = read_paths([os.fspath(p) for p in paths], hint)
    if frame is None:
        raise problems[0]
    for problem in problems:
        warnings.warn(str(problem), UnusableInputWarning, stacklevel=2)
    return frame


def read_paths(
    paths: Sequence[str], hint: str | None = None
) -> tuple[pd.DataFrame | None, list[ParseError]]:
    """Read files, keep what is good and return the rest as located errors.

    Parameters
    ----------
    paths : sequence of str
        Files.
    hint : str, optional
        Name of their format.

    Returns
    -------
    measurements : DataFrame or None
        None if nothing at all is usable.
    problems : list of ParseError
        Whole files and parts of files that are not usable.

    Raises
    ------
    UsageError
        If there is no such file, or no such format.
    """
    runs: list[tuple[str, str, Run]] = []
    problems: list[ParseError] = []
    for path in paths:
        try:
            reading = read_file(path, hint)
        except ParseError as error:
            problems.append(error)
            continue
        system = Path(path).resolve().parent.name
        runs += [("", system, run) for run in reading.runs]
        problems += reading.problems
    if not runs:
        return None, problems
    return tabulate(number_repeats(runs))[0], problems
