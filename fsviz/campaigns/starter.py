"""A first ``campaign.toml`` for results that are there, with all keys as comments."""

from __future__ import annotations

import glob
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from fsviz.campaigns.campaign_toml import NAME, CampaignFile, Facts
from fsviz.campaigns.folders import labels_of, outer_and_inner
from fsviz.campaigns.over_time import printed_facts
from fsviz.campaigns.read import Progress, load_files
from fsviz.campaigns.source_files import SourceFile, files_inside, files_of
from fsviz.model.errors import (
    AmbiguousFoldersError,
    UnknownFormatError,
    UsageError,
    printable,
)
from fsviz.model.escaping import toml_text
from fsviz.model.runs import facts_of_run

if TYPE_CHECKING:
    import pandas as pd
    from pydantic import BaseModel

    from fsviz.model.campaign import Campaign

_HEAD = (
    "# What was measured, and on what. Text behind a # means nothing until the # is",
    "# removed. fsviz facts PATH prints what a machine says of itself and of the file",
    "# system that PATH is on. A [[system]] may state each fact for itself.",
    "",
)
_WRITTEN = ("title", "baseline", "facts", "system", "measured", "thresholds")
"""Keys that have no line as an example."""
_COLUMN = 40
"""Where the comments of examples begin."""


def starter(folder: Path, progress: Progress = lambda _: None) -> tuple[str, list[str]]:
    """Write what a first ``campaign.toml`` of a folder should say."""
    if (folder / NAME).exists():
        raise UsageError(
            f"{folder / NAME}: expected none yet, found one, which stays as it is"
        )
    if not (sources := _sources(folder)):
        raise UsageError(f"{folder}: expected result files, found none")
    campaign, _ = load_files(folder.resolve().name, sources, progress)
    lines = _of_results(folder, sources, campaign)
    # a file of another kind is no problem: it is listed as not used
    problems = [p for p in campaign.problems if not isinstance(p, UnknownFormatError)]
    return "\n".join([*_HEAD, *lines]) + "\n", list(map(str, problems))


def facts_lines(facts: Mapping[str, str]) -> list[str]:
    """Write facts as lines of TOML, in the order of the keys."""
    return [f"{k} = {toml_text(facts[k])}" for k in Facts.model_fields if facts.get(k)]


def examples(model: type[BaseModel], *skipped: str) -> Iterator[str]:
    """Write each key of a table with an example and its meaning."""
    for name, field in model.model_fields.items():
        if name not in skipped:
            # JSON of these is TOML; a date is a text there
            value = json.dumps((field.examples or [""])[0], default=str)
            yield f"{f'{name} = {value}':{_COLUMN}} # {field.description}"


# From results


def _sources(folder: Path) -> list[SourceFile]:
    """Give each file of a folder a system; of two readings, the one with most."""
    try:
        files = list(files_of(folder, CampaignFile()))
    except AmbiguousFoldersError:
        inside = {p: p.relative_to(folder).parts[:-1] for p in files_inside(folder)}
        names = outer_and_inner(str(folder.resolve()), inside.values())
        files = [SourceFile(names[levels], str(p)) for p, levels in inside.items()]
    systems = {file.system for file in files}
    return _of_loose_files(files) if len(systems) == 1 else files


def _of_loose_files(files: Sequence[SourceFile]) -> list[SourceFile]:
    """Take files that lie in one folder for systems, but for the numbers of repeats."""
    places = {Path(file.path).parent for file in files}
    names = labels_of([Path(file.path).stem for file in files])
    if len(places) > 1 or len(set(names)) < 2:
        return list(files)
    pairs = zip(files, names, strict=True)
    return [replace(file, system=name or file.system) for file, name in pairs]


def _of_results(
    folder: Path, sources: Sequence[SourceFile], campaign: Campaign
) -> list[str]:
    files = cast("pd.DataFrame", campaign.files)
    used = files[files["repeat"].notna()]
    by_system: dict[str, list[Path]] = {}
    headings: dict[str, str] = {}
    names = {str(Path(file.path)): file.system for file in sources}
    for path, systems in used.groupby("source", sort=False)["system"].unique().items():
        name = names[str(Path(str(path)))]
        for system in systems if len(systems) > 1 else [name]:
            by_system.setdefault(system, []).append(Path(str(path)))
            if len(systems) > 1:
                headings[system] = glob.escape(system.removeprefix(f"{name}/"))
    facts = {name: _printed(campaign.runs, paths) for name, paths in by_system.items()}
    first, *later = facts.values()
    shared = {k: v for k, v in first.items() if all(f.get(k) == v for f in later)}
    lines = [f"title = {toml_text(printable(folder.resolve().name))}"]
    lines += [f"# baseline = {toml_text(next(iter(by_system)))}"]
    lines += (f"# {example}" for example in examples(CampaignFile, *_WRITTEN))
    lines += ["", "[facts]", *facts_lines(shared)]
    lines += (f"# {example}" for example in examples(Facts, *shared))
    for name, paths in by_system.items():
        lines += ["", "[[system]]", f"name = {toml_text(name)}"]
        globs = list(map(toml_text, patterns(folder, paths)))
        lines_of_globs = ["files = [", *(f"    {glob}," for glob in globs), "]"]
        lines += lines_of_globs if globs[1:] else [f"files = [{globs[0]}]"]
        lines += [f"heading = {toml_text(headings[name])}"] if name in headings else []
        lines += facts_lines({k: v for k, v in facts[name].items() if k not in shared})
    return lines


def _printed(runs: pd.DataFrame, paths: Sequence[Path]) -> dict[str, str]:
    """State what the heads of some results say."""
    rows = runs[runs["source"].map(Path).isin(paths)]
    return printed_facts(rows.assign(facts=rows["facts"].map(facts_of_run)))


def patterns(folder: Path, paths: Sequence[Path]) -> list[str]:
    """Write patterns that match these files of a folder and no others."""
    by_place: dict[Path, set[Path]] = {}
    for path in paths:
        by_place.setdefault(path.parent, set()).add(path)
    globs: list[str] = []
    for place, files in by_place.items():
        parts = list(map(glob.escape, place.relative_to(folder).parts))
        complete = files >= {path for path in place.iterdir() if path.is_file()}
        names = ["*"] if complete else [glob.escape(p.name) for p in sorted(files)]
        globs += ["/".join([*parts, name]) for name in names]
    # half a character of a name that is not UTF-8 cannot stand in TOML
    return [re.sub("[\ud800-\udfff]", "?", pattern) for pattern in globs]
