"""A first ``campaign.toml``: from results that are there, or from mounts to measure."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from fsviz.campaigns.campaign_toml import (
    NAME,
    CampaignFile,
    Facts,
    Measured,
    SystemEntry,
)
from fsviz.campaigns.machine import Machine
from fsviz.campaigns.versions import printed_facts
from fsviz.model.errors import (
    AmbiguousFoldersError,
    UnknownFormatError,
    UsageError,
    printable,
    quoted,
)
from fsviz.model.escaping import toml_text
from fsviz.model.runs import facts_of_run
from fsviz.model.thresholds import THRESHOLDS

if TYPE_CHECKING:
    import pandas as pd
    from pydantic.fields import FieldInfo

    from fsviz.campaigns.read import Progress
    from fsviz.campaigns.source_files import SourceFile

_HEAD = (
    "# What was measured, and on what. Text behind a # means nothing until the # is",
    "# removed. fsviz init --explain lists every key; fsviz facts PATH prints what a",
    "# machine says of itself and of the file system that PATH is on.",
    "",
)
_ASKED = ("client_ram", "link", "durability", "mount_options", "protocol_version")
"""Facts that the rules of ``fsviz check`` ask for and no tool prints."""


_COLUMN = 40
"""Where the comments of examples begin."""


def starter(
    folder: Path,
    mounts: Mapping[str, Path],
    progress: Progress = lambda _: None,
    machine: Machine | None = None,
) -> tuple[str, list[str]]:
    """Write what a first ``campaign.toml`` of a folder should say."""
    if (folder / NAME).exists():
        raise UsageError(
            f"{folder / NAME}: expected none yet, found one, which stays as it is; "
            "fsviz init --explain lists what it may say"
        )
    known = machine or Machine()
    sources = [] if mounts else _sources(folder)
    if sources:
        lines, notes = _of_results(folder, sources, progress)
    else:
        lines, notes = _of_mounts(folder, mounts, known), []
    return "\n".join([*_HEAD, *lines]) + "\n", notes


def explained() -> str:
    """List every key of ``campaign.toml``: commented, with examples that are valid."""
    lines = [
        "# Every key of campaign.toml. All of them may be left out but `name`.",
        "",
    ]
    lines += _examples(CampaignFile, "facts", "system", "measured", "thresholds")
    tables = {"[facts]": Facts, "[measured]": Measured, "[[system]]": SystemEntry}
    for table, model in tables.items():
        name = table.strip("[]")
        title = CampaignFile.model_fields[name].description
        lines += ["", f"{table:{_COLUMN}} # {title}"]
        skipped = Facts.model_fields if model is SystemEntry else ()
        lines += _examples(model, *skipped)
    lines += ["# and every key of [facts], where a system differs from the others"]
    title = CampaignFile.model_fields["thresholds"].description
    lines += ["", f"{'[thresholds]':{_COLUMN}} # {title}"]
    for name, limit in THRESHOLDS.items():
        unit = "" if limit.unit == "1" else f" [{limit.unit}]"
        assigned = f"{name} = {limit.default!r}"
        lines.append(f"{assigned:{_COLUMN}} # {limit.title}{unit}; {limit.source}")
    return "\n".join(lines) + "\n"


def facts_lines(facts: Mapping[str, str]) -> list[str]:
    """Write facts as lines of TOML, in the order of the keys."""
    return [f"{k} = {toml_text(facts[k])}" for k in Facts.model_fields if facts.get(k)]


def _examples(model: type[Any], *skipped: str) -> Iterator[str]:
    fields: Mapping[str, FieldInfo] = model.model_fields
    for name, field in fields.items():
        if name not in skipped:
            yield _example(name, field)


def _example(name: str, field: FieldInfo) -> str:
    assigned = f"{name} = {_value((field.examples or [''])[0])}"
    return f"{assigned:{_COLUMN}} # {field.description}"


def _value(example: object) -> str:
    if isinstance(example, list):
        return f"[{', '.join(map(_value, example))}]"
    if isinstance(example, bool):
        return str(example).lower()
    return toml_text(example) if isinstance(example, str) else str(example)


# From results


def _sources(folder: Path) -> list[SourceFile]:
    """Give each file of a folder a system; of two readings, the one with most."""
    from fsviz.campaigns.source_files import files_of

    try:
        found = list(files_of(folder, CampaignFile()))
    except AmbiguousFoldersError:
        found = _every_folder(folder)
    systems = {file.system for file in found}
    return _of_loose_files(found) if len(systems) == 1 else found


def _every_folder(folder: Path) -> list[SourceFile]:
    from fsviz.campaigns.folders import outer_and_inner
    from fsviz.campaigns.source_files import SourceFile, files_inside

    files = files_inside(folder)
    parts = {path: path.relative_to(folder).parts[:-1] for path in files}
    names = outer_and_inner(str(folder.resolve()), parts.values())
    return [SourceFile(names[parts[path]], str(path)) for path in files]


def _of_loose_files(found: Sequence[SourceFile]) -> list[SourceFile]:
    """Take files that lie in one folder for systems, but for the numbers of repeats."""
    from fsviz.campaigns.folders import labels_of

    places = {Path(file.path).parent for file in found}
    names = labels_of([Path(file.path).stem for file in found])
    if len(places) > 1 or len(set(names)) < 2:
        return list(found)
    pairs = zip(found, names, strict=True)
    return [replace(file, system=name or file.system) for file, name in pairs]


def _of_results(
    folder: Path, sources: Sequence[SourceFile], progress: Progress
) -> tuple[list[str], list[str]]:
    from fsviz.campaigns.read import load_files

    campaign = load_files(folder.resolve().name, sources, progress)
    files = cast("pd.DataFrame", campaign.files)
    used = files[files["repeat"].notna()]
    by_system: dict[str, list[Path]] = {}
    headings: dict[str, str] = {}
    for path, systems in used.groupby("source", sort=False)["system"].unique().items():
        name = _system_of(str(path), sources)
        for system in systems if len(systems) > 1 else [name]:
            by_system.setdefault(system, []).append(Path(str(path)))
            if len(systems) > 1:
                headings[system] = glob.escape(system.removeprefix(f"{name}/"))
    facts = {name: _printed(campaign.runs, own) for name, own in by_system.items()}
    shared = _shared(facts.values())
    lines = [f"title = {toml_text(printable(folder.resolve().name))}"]
    lines += [f"# baseline = {toml_text(next(iter(by_system)))}", "", "[facts]"]
    lines += facts_lines(shared)
    lines += _unsaid(shared)
    for name, paths in by_system.items():
        lines += _entry(name, patterns(folder, paths))
        lines += [f"heading = {toml_text(headings[name])}"] if name in headings else []
        lines += facts_lines({k: v for k, v in facts[name].items() if k not in shared})
        lines += ['# protocol = ""']
    unused = files[files["repeat"].isna()]
    lines += _unused(folder, map(Path, unused["source"]))
    # a file of another kind is no problem: it is listed as not used
    problems = [p for p in campaign.problems if not isinstance(p, UnknownFormatError)]
    return lines, [str(problem) for problem in problems]


def _system_of(path: str, sources: Sequence[SourceFile]) -> str:
    return next(file.system for file in sources if Path(file.path) == Path(path))


def _entry(name: str, globs: Sequence[str]) -> list[str]:
    listed = [toml_text(text) for text in globs]
    one = f"files = [{', '.join(listed)}]"
    several = ["files = [", *(f"    {text}," for text in listed), "]"]
    shown = [one] if len(one) <= 88 else several
    return ["", "[[system]]", f"name = {toml_text(name)}", *shown]


def _unsaid(facts: Mapping[str, str]) -> list[str]:
    unsaid = {name: Facts.model_fields[name] for name in _ASKED if name not in facts}
    examples = [_example(name, field) for name, field in unsaid.items()]
    return ["# For example, if you know it:", *(f"# {line}" for line in examples)]


def _unused(folder: Path, paths: Iterable[Path]) -> list[str]:
    found = [str(path.relative_to(folder)) for path in paths]
    if not found:
        return []
    return ["", "# Not used:", *(f"#   {printable(name)}" for name in found)]


def _printed(runs: pd.DataFrame, paths: Sequence[Path]) -> dict[str, str]:
    """State what the heads of some results say."""
    own = runs[runs["source"].map(Path).isin(paths)]
    facts = [facts_of_run(text) for text in own["facts"]]
    return printed_facts(own.assign(facts=facts))


def _shared(facts: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Keep what all systems say alike."""
    first, *others = facts
    return {
        name: text
        for name, text in first.items()
        if text and all(own.get(name) == text for own in others)
    }


def patterns(folder: Path, paths: Sequence[Path]) -> list[str]:
    """Write patterns that match these files of a folder and no others."""
    by_place: dict[Path, set[Path]] = {}
    for path in paths:
        by_place.setdefault(path.parent, set()).add(path)
    found: list[str] = []
    for place, files in by_place.items():
        inside = place.relative_to(folder)
        whole = files >= {path for path in place.iterdir() if path.is_file()}
        names = ["*"] if whole else [glob.escape(p.name) for p in sorted(files)]
        found += [_pattern(inside, name) for name in names]
    return found


def _pattern(place: Path, name: str) -> str:
    parts = [*map(glob.escape, place.parts), name]
    # half a character of a name that is not UTF-8 cannot stand in TOML
    return "/".join(re.sub("[\ud800-\udfff]", "?", part) for part in parts)


# From mounts


def _of_mounts(folder: Path, mounts: Mapping[str, Path], machine: Machine) -> list[str]:
    own = machine.facts()
    # when it is measured, each result says itself
    own.pop("date", None)
    lines = [f"title = {toml_text(printable(folder.resolve().name))}", "", "[facts]"]
    lines += facts_lines(own)
    for name, path in mounts.items():
        facts = machine.facts_of_mount(path)
        if not facts:
            raise UsageError(
                f"{name}={path}: expected a path on a file system to measure, found "
                f"{quoted(str(path))}, of which this machine does not say any"
            )
        lines += ["", "[[system]]", f"name = {toml_text(name)}"]
        lines += facts_lines(facts | {"mount_point": str(path.resolve())})
    return lines
