"""Result files → measurements; a folder or labelled files → one `Campaign`."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from fsviz.campaigns._place_runs import Placed, files_frame, place, place_systems
from fsviz.campaigns.folders import labels_of, systems_of
from fsviz.campaigns.merge_files import COUNTED, stem
from fsviz.model.campaign import Campaign, Looks
from fsviz.model.errors import (
    ParseError,
    UnknownFormatError,
    UnreadableFileError,
    nothing_usable,
    printable,
)
from fsviz.model.libraries import pd
from fsviz.model.names import natural
from fsviz.model.runs import Note, Reading, tabulate, tabulate_numbers
from fsviz.model.table import CELL, validate
from fsviz.readers.formats import STANDARD_INPUT, read_members, shown_path

if TYPE_CHECKING:
    from fsviz.campaigns.campaign_toml import CampaignFile
    from fsviz.campaigns.source_files import SourceFile

Progress = Callable[[str], None]


def read_folder(folder: Path, progress: Progress = lambda _: None) -> Campaign:
    """Read a campaign from its files, whatever is stored of it."""
    from fsviz.campaigns.campaign_toml import described_in
    from fsviz.campaigns.source_files import files_of
    from fsviz.campaigns.sources import is_publication

    described = described_in(folder)
    name = folder.resolve().name
    placed = Placed()
    if is_publication(folder):
        from fsviz.campaigns.publication import read_publication

        place_systems(name, read_publication(folder), placed)
        campaign = _frames(name, placed)
    else:
        files = list(files_of(folder, described))
        if not files:
            none = "none in this folder"
            raise UnknownFormatError(str(folder), "", "result files", none)
        campaign, placed = load_files(name, files, progress)
        if not described.system:
            notes = (*campaign.notes, *dict.fromkeys(_pooled(campaign, folder)))
            campaign = replace(campaign, notes=notes)
    systems = _systems(described, campaign.systems["system"], placed.systems)
    baseline, why = _baseline(described, list(systems["system"]), folder)
    return replace(
        campaign,
        title=described.title,
        baseline=baseline,
        systems=systems,
        notes=(*campaign.notes, *why, *_notes_on_looks(folder, described)),
        thresholds=described.thresholds,
        compared=tuple(described.compared),
        question=described.question,
        started=described.started or "",
        ended=described.ended or "",
        looks=_looks(described),
    )


def _looks(described: CampaignFile) -> Looks | None:
    """Return what answers need of the design of ``fsviz run``."""
    if (run := described.measured) is None:
        return None
    return Looks(max(run.rounds, *run.looks, 1), tuple(run.looks), run.closed)


def _notes_on_looks(folder: Path, described: CampaignFile) -> Iterator[Note]:
    """Say that answers are stricter where the answers were looked at repeatedly."""
    from fsviz.analysis.looks import factor
    from fsviz.campaigns.campaign_toml import NAME

    looks = _looks(described)
    if looks is not None and looks.taken:
        times = f"{len(looks.taken)} time{'' if len(looks.taken) == 1 else 's'}"
        text = (
            f"fsviz run looked at the answers {times}, and each look is a chance to "
            "find a difference that is not there. So p values are multiplied by "
            f"{1 / factor(looks):.2g} and intervals are wider: the sooner a look, the "
            "more certain an answer must be"
        )
        yield Note(shown_path(str(folder / NAME)), 1, text)


BASELINES = ("before", "old", "base", "baseline", "without", "control")
"""Systems with such a name are what the others are compared with."""


def _baseline(
    described: CampaignFile, systems: Sequence[str], folder: Path
) -> tuple[str | None, tuple[Note, ...]]:
    """Take the stated baseline, or the one whose name says so, and say why."""
    by_name = {name.casefold(): name for name in reversed(systems)}
    named = next((by_name[word] for word in BASELINES if word in by_name), None)
    if described.baseline or named is None or len(systems) < 2:
        return described.baseline, ()
    text = f"{named} is the baseline, by its name; campaign.toml can state another"
    return named, (Note(str(folder), 1, text),)


_SHOWN = 4


def _pooled(campaign: Campaign, folder: Path) -> Iterator[Note]:
    """Note files that count as repeats although their names say more than a number."""
    runs, measurements = campaign.runs, campaign.measurements
    alike = ["system", "tool", "configuration"]
    for (system, tool, _), repeats in runs.groupby(alike, sort=False, dropna=False):
        files = list(dict.fromkeys(repeats["source"]))
        labels = labels_of([Path(file).stem for file in files])
        if len(set(labels)) > 1:
            label = dict(zip(files, labels, strict=True))
            cells = measurements[measurements["run"].isin(repeats["run"])]
            cells = cells.assign(label=cells["source"].map(label))
            if not cells.drop_duplicates([*CELL, "label"]).duplicated([*CELL]).any():
                continue  # of other sizes, blocks or depths: no cell is measured twice
            first = [
                Path(files[labels.index(name)]).name for name in dict.fromkeys(labels)
            ]
            more = f" and {len(first) - _SHOWN} more" if len(first) > _SHOWN else ""
            text = (
                f"{', '.join(first[:_SHOWN])}{more} count as repeats of one system of "
                f"{tool}, {system}; if they are several, say so in campaign.toml, "
                "which fsviz init begins, or by label=path"
            )
            yield Note(str(folder), 1, text)


def load_files(
    name: str,
    files: Iterable[SourceFile],
    progress: Progress,
    named: Collection[str] = (),
) -> tuple[Campaign, Placed]:
    """Load files whose systems are decided; some were named, not found in a folder."""
    readings = list(_read_all(files, progress))
    results = {Path(file.path).parent for file, reading in readings if reading.runs}
    above = {folder for place in results for folder in place.parents} - results
    readings = [
        (file, _without_strange(reading))
        if Path(file.path).parent in above and file.path not in named
        else (file, reading)
        for file, reading in readings
    ]
    placed = place(name, readings)
    campaign = _frames(name, placed)
    return replace(campaign, files=files_frame(readings, placed)), placed


def _without_strange(reading: Reading) -> Reading:
    """Make a note of a text of another kind that lies above the folders of results.

    Beside results it may be what a run that failed has printed.
    """
    unknown = [p for p in reading.problems if isinstance(p, UnknownFormatError)]
    strange = [problem for problem in unknown if problem.is_strange]
    text = "no output of a benchmark, so left out"
    notes = tuple(Note(problem.path, problem.line, text) for problem in strange)
    remaining = tuple(p for p in reading.problems if p not in strange)
    return replace(reading, problems=remaining, notes=reading.notes + notes)


def _read_all(
    files: Iterable[SourceFile], progress: Progress, hint: str | None = None
) -> Iterator[tuple[SourceFile, Reading]]:
    """Read each file; one that cannot be used has no runs and says why."""
    every = list(files)
    for file in every:
        progress(shown_path(file.path))
        try:
            members = dict(read_members(file.path, hint))
            if "" not in members:
                yield from _of_members(file, members)
                continue
            reading = members[""]
            if reading.runs and os.path.isfile(stem(file.path) + COUNTED):  # noqa: PTH113
                # pydantic, which most readings do without
                from fsviz.campaigns.counted import with_counters

                reading = with_counters(reading, file.path)
        except ParseError as error:
            reading = Reading((), (error,))
        except UnreadableFileError as error:
            if len(every) == 1:
                raise
            # one of many: the others are read
            why = getattr(error.__cause__, "strerror", None) or "none"
            name = shown_path(file.path)
            reading = Reading((), (ParseError(name, 1, "a readable file", why),))
        yield replace(file, path=shown_path(file.path)), reading


def _of_members(
    file: SourceFile, members: Mapping[str, Reading]
) -> Iterator[tuple[SourceFile, Reading]]:
    """Place the members of an archive as the files of a folder."""
    from fsviz.campaigns.campaign_toml import NAME

    folders = {name: PurePosixPath(name).parts[:-1] for name in members}
    systems = systems_of(file.path, folders.values())
    inside = not file.named and len(set(systems.values())) > 1
    for name in sorted(members, key=natural):
        path = f"{shown_path(file.path)}/{shown_path(name)}"
        left = Note(path, 1, "not followed in an archive; unpack it first")
        ours = PurePosixPath(name).name == NAME
        reading = Reading((), (), (left,)) if ours else members[name]
        system = systems[folders[name]] if inside else file.system
        yield replace(file, system=system, spelled=system, path=path), reading


def _frames(name: str, placed: Placed) -> Campaign:
    from fsviz.campaigns.campaign_toml import CampaignFile

    if not placed.runs:
        raise nothing_usable(placed.problems)
    frame, run_frame = tabulate(placed.runs)
    systems = dict.fromkeys(label.system for label, _ in placed.runs)
    return Campaign(
        name=name,
        title="",
        baseline=None,
        measurements=validate(frame),
        runs=run_frame,
        systems=_systems(CampaignFile(), systems, {}),
        problems=tuple(placed.problems),
        # two systems of one file may say the same of it
        notes=tuple(dict.fromkeys(placed.notes)),
    )


def _systems(
    described: CampaignFile, names: Iterable[str], claimed: Mapping[str, str]
) -> pd.DataFrame:
    """One row a system: its own facts, else those of the campaign.

    A system of a file that holds several has the facts of the entry with the file.
    """
    from fsviz.campaigns.campaign_toml import FACTS

    shared = described.facts.model_dump()
    entries = {entry.name: entry.model_dump() for entry in described.system}
    inside = [name for name in names if claimed.get(name, name) != name]
    parted = {claimed[name] for name in inside} - set(names)
    rows = []
    described_ones = [*(name for name in entries if name not in parted), *inside]
    for name in described_ones if entries else names:
        named = claimed.get(name, name)
        entry = entries.get(named, {})
        facts = {f: entry.get(f) or shared[f] for f in FACTS}
        rows.append({"system": name, "title": entry.get("title"), **facts})
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
        Any files that the supported tools wrote. If a run has a text file and a
        workbook, its numbers count once.
    hint : str, optional
        Name of the files' format, as ``fsviz formats`` lists it. By default, the format
        of each file is found by its content.

    Returns
    -------
    DataFrame
        One row per measured number. ``system`` is the name of the file's folder, or, if
        a file contains several systems, the name in the file.

    Raises
    ------
    ParseError
        If a file has no usable part.
    UsageError
        If there is no such file, or no such format.

    Warns
    -----
    UnusableInputWarning
        For each unusable part of a file.
    """
    from fsviz.campaigns.source_files import paths_in

    names = paths_in(path)
    for name in names:
        if "\0" in name:
            raise UnreadableFileError(
                f"{printable(name)}: expected a readable file, "
                "found a name that no file has"
            )
    frame, problems, _ = read_tables(names, hint)
    if frame is None:
        raise nothing_usable(problems)
    for problem in problems:
        warnings.warn(str(problem), UnusableInputWarning, stacklevel=2)
    return frame


def read_tables(
    paths: Sequence[str], hint: str | None = None, progress: Progress = lambda _: None
) -> tuple[pd.DataFrame | None, list[ParseError], list[Note]]:
    """Read files; return what is good, the rest as located errors, and the notes."""
    from fsviz.campaigns.source_files import (
        SourceFile,
        refuse_read_twice,
        systems_of_files,
    )

    refuse_read_twice(paths)
    files = [Path(path) for path in paths if path != STANDARD_INPUT]
    systems = {str(path): name for path, name in systems_of_files(files).items()}
    sources = [
        SourceFile(systems.get(str(Path(path)), shown_path(path)), path)
        for path in paths
    ]
    placed = place("", list(_read_all(sources, progress, hint)))
    if not placed.runs:
        return None, placed.problems, placed.notes
    return tabulate_numbers(placed.runs), placed.problems, placed.notes
