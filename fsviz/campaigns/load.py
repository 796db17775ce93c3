"""Result files → measurements; a folder, store or labelled files → one `Campaign`."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from fsviz.analysis.cells import select
from fsviz.campaigns.merge_files import COUNTED, stem
from fsviz.campaigns.placed import Placed, files_frame, place, place_systems
from fsviz.campaigns.remote import is_remote
from fsviz.campaigns.store import generation, manifest, read_generation
from fsviz.model.campaign import Campaign, Looks
from fsviz.model.errors import (
    ParseError,
    UnknownFormatError,
    UnreadableFileError,
    UsageError,
    nothing_usable,
    printable,
)
from fsviz.model.names import Names, names_of, natural
from fsviz.model.runs import Note, Reading, tabulate
from fsviz.model.table import validate
from fsviz.readers.formats import STANDARD_INPUT, read_members, shown_path

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.campaigns.campaign_toml import CampaignFile
    from fsviz.campaigns.source_files import SourceFile, Sources

Progress = Callable[[str], None]


def load(
    source: Sources,
    progress: Progress = lambda _: None,
    *,
    campaign: str = "",
    system: Names = None,
    operation: Names = None,
    tool: Names = None,
    setting: Names = None,
    cache: bool = False,
) -> Campaign:
    """Load a campaign.

    Parameters
    ----------
    source : path-like or sequence of path-like
        A campaign folder, a stored campaign (a folder that ``fsviz ingest`` wrote),
        the address of one of these (``s3://…``, by fsspec), or
        one or more ``label=path[,path…]``, where the path ``-`` is standard input; in
        one text these are parted by blanks and quoted as in a shell. A relative path
        is looked for in the parent folders too, so that a notebook in ``notebooks/``
        finds ``data/raw``.
    progress : callable
        Called with the path of each file before it is read.
    campaign : str
        Which one, if the source is a store.
    system, operation, tool : str, iterable of str or None
        Names to keep, all if None. Of a stored campaign nothing else is read.
    setting : str, iterable of str or None
        Settings to keep, such as ``iodepth=8``, as `fsviz.select` takes them.
    cache : bool
        Whether to keep what was read of a large folder under the user's cache folder
        (the environment variable ``FSVIZ_CACHE`` names another), and to take it from
        there as long as the files are the same.

    Returns
    -------
    Campaign
        Operations that mix runs which are no repeats of one another are left out and
        named in its ``problems``, as long as anything is left.

    Raises
    ------
    UsageError
        If there is no such file, folder, campaign or name.
    CampaignError
        If ``campaign.toml`` cannot be followed.
    ParseError
        If nothing at all is usable.
    """
    from fsviz.campaigns.mixed import without_mixed

    chosen = {"systems": system, "operations": operation, "tools": tool}
    made = without_mixed(_load(_several(source), progress, campaign, chosen, cache))
    return select(made, settings=setting) if setting else made


def _load(
    sources: Sequence[str],
    progress: Progress,
    campaign: str,
    chosen: Mapping[str, Names],
    cache: bool,
) -> Campaign:
    """Load a campaign with all its numbers."""
    from fsviz.campaigns.source_files import find, is_labelled, labelled

    if not sources:
        raise UsageError("no source: give a campaign folder or label=path")
    if len(sources) > 1:
        from fsviz.campaigns.sources import grouped

        groups = grouped(sources)
        if len(groups) > 1:
            names = ", ".join(" ".join(group) for group in groups)
            raise UsageError(
                f"expected one campaign, found {len(groups)}: {names}; load each by "
                "itself, or label the files of one system as label=path"
            )
        sources = groups[0]
    if len(sources) == 1 and is_remote(sources[0]):
        return _load_remote(sources[0], campaign, progress, chosen)
    one = len(sources) == 1 and not is_labelled(sources[0])
    lone = sources[0] if one else STANDARD_INPUT
    if lone == STANDARD_INPUT or not find(lone).is_dir():
        if campaign:
            raise UsageError(f"campaign {campaign}: expected a store, found {lone}")
        made = _assemble("", labelled(sources), progress)[0]
        notes = (*made.notes, *_named_twice(sources))
        return select(replace(made, notes=notes), **chosen)
    if stored := _stored(find(lone), campaign):
        return read_generation(stored, **chosen)
    if cache:
        from fsviz.campaigns.cache import remembered

        return select(remembered(find(lone), progress), **chosen)
    return select(read_folder(find(lone), progress), **chosen)


def _named_twice(sources: Sequence[str]) -> Iterator[Note]:
    """Say which labels stand before several sources, which are then one system."""
    seen: set[str] = set()
    for text in sources:
        label, equals, paths = text.partition("=")
        if equals and label in seen:
            said = f"the label {label} is given twice: its files are runs of one system"
            yield Note(paths.split(",")[0], 1, said)
        seen.add(label)


def _stored(folder: Path, campaign: str) -> Path | None:
    """Find a stored campaign, of a store if it is named."""
    found = generation(folder / campaign if campaign else folder)
    if campaign and found is None:
        names = ", ".join(map(printable, list(manifest(folder))[:10])) or "no store"
        raise UsageError(f"campaign {campaign}: expected one of {names}")
    return found


def _load_remote(
    address: str, campaign: str, progress: Progress, chosen: Mapping[str, Names]
) -> Campaign:
    from fsviz.campaigns.remote import (
        fetched,
        renamed,
        store_there,
        stored_campaign,
    )

    if store_there(address):
        tools = names_of(chosen["tools"])
        with stored_campaign(address, campaign, tools) as folder:
            return read_generation(folder, **chosen)
    with fetched(address) as folder:
        found = renamed(read_folder(folder, progress), str(folder), address)
    return select(found, **chosen)


def _several(source: Sources) -> Sequence[str]:
    from fsviz.campaigns.source_files import listed

    sources = listed(source)
    # a path is one folder or file, whatever characters it has
    return sources if isinstance(source, os.PathLike) else _expanded(sources)


def _expanded(sources: Sequence[str]) -> Sequence[str]:
    from fsviz.campaigns.sources import expanded

    return expanded(sources)


def read_folder(folder: Path, progress: Progress = lambda _: None) -> Campaign:
    """Read a campaign from its files, whatever is stored of it."""
    from fsviz.campaigns.campaign_toml import NAME, CampaignFile, read_campaign_file
    from fsviz.campaigns.publication import is_publication, read_publication
    from fsviz.campaigns.source_files import files_of

    described = CampaignFile()
    if (folder / NAME).is_file():
        described = read_campaign_file(folder / NAME)
    name = folder.resolve().name
    placed = Placed()
    if is_publication(folder):
        place_systems(name, read_publication(folder), placed)
        campaign = _frames(name, placed)
    else:
        found = list(files_of(folder, described))
        if not found:
            none = "none in this folder"
            raise UnknownFormatError(str(folder), "", "result files", none)
        campaign, placed = _assemble(name, found, progress)
        if not described.system:
            notes = (*campaign.notes, *_pooled(campaign.runs, folder))
            campaign = replace(campaign, notes=notes)
    systems = _systems(described, campaign.systems["system"], placed.systems, folder)
    systems, trials = _planned(systems, folder)
    baseline, why = _baseline(described, list(systems["system"]), folder)
    return replace(
        campaign,
        title=described.title,
        baseline=baseline,
        systems=systems,
        notes=(*campaign.notes, *trials, *why, *_looked(folder, described)),
        thresholds=described.thresholds,
        compared=tuple(described.compared),
        question=described.question,
        started=described.started or "",
        ended=described.ended or "",
        looks=_looks(described),
    )


def _looks(described: CampaignFile) -> Looks | None:
    """Take what verdicts need of the design of ``fsviz run``."""
    if (run := described.measured) is None:
        return None
    return Looks(max(run.rounds, *run.looks, 1), tuple(run.looks), run.closed)


def _looked(folder: Path, described: CampaignFile) -> Iterator[Note]:
    """Say that verdicts are stricter where the answers were looked at repeatedly."""
    from fsviz.analysis.looks import factor
    from fsviz.campaigns.campaign_toml import NAME

    looks = _looks(described)
    if looks is not None and looks.taken:
        times = f"{len(looks.taken)} time{'' if len(looks.taken) == 1 else 's'}"
        text = (
            f"fsviz run looked at the answers {times}: to allow for that, p values are "
            f"multiplied by {1 / factor(looks):.2g} and intervals are wider"
        )
        yield Note(shown_path(str(folder / NAME)), 1, text)


BASELINES = ("before", "old", "base", "baseline", "without", "control")
"""Systems with such a name are what the others are compared with."""


def _baseline(
    described: CampaignFile, systems: Sequence[str], folder: Path
) -> tuple[str | None, tuple[Note, ...]]:
    """Take the stated baseline, or the one whose name says so, and say why."""
    by_name = {name.casefold(): name for name in reversed(systems)}
    named = next((by_name[one] for one in BASELINES if one in by_name), None)
    if described.baseline or named is None or len(systems) < 2:
        return described.baseline, ()
    text = f"{named} is the baseline, by its name; campaign.toml can state another"
    return named, (Note(str(folder), 1, text),)


_SHOWN = 4


def _pooled(runs: pd.DataFrame, folder: Path) -> Iterator[Note]:
    """Note files that count as repeats although their names say more than a number."""
    from fsviz.campaigns.folders import labels_of

    alike = ["system", "tool", "configuration"]
    for (system, tool, _), own in runs.groupby(alike, sort=False, dropna=False):
        files = list(dict.fromkeys(own["source"]))
        labels = labels_of([Path(file).stem for file in files])
        if len(set(labels)) > 1:
            first = [
                Path(files[labels.index(one)]).name for one in dict.fromkeys(labels)
            ]
            more = f" and {len(first) - _SHOWN} more" if len(first) > _SHOWN else ""
            text = (
                f"{', '.join(first[:_SHOWN])}{more} count as repeats of one system of "
                f"{tool}, {system}; if they are several, say so in campaign.toml, "
                "which fsviz init begins, or by label=path"
            )
            yield Note(str(folder), 1, text)


def load_files(
    name: str, files: Iterable[SourceFile], progress: Progress = lambda _: None
) -> Campaign:
    """Load files whose systems are decided."""
    return _assemble(name, files, progress)[0]


def _assemble(
    name: str, files: Iterable[SourceFile], progress: Progress
) -> tuple[Campaign, Placed]:
    readings = list(_read_all(files, progress))
    placed = place(name, readings)
    campaign = _frames(name, placed)
    return replace(campaign, files=files_frame(readings, placed)), placed


def _read_all(
    files: Iterable[SourceFile], progress: Progress, hint: str | None = None
) -> Iterator[tuple[SourceFile, Reading]]:
    """Read each file; one that cannot be used has no runs and says why."""
    every = list(files)
    for file in every:
        progress(shown_path(file.path))
        try:
            found = dict(read_members(file.path, hint))
            if "" not in found:
                yield from _of_members(file, found)
                continue
            reading = found[""]
            if reading.runs and Path(stem(file.path) + COUNTED).is_file():
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
    file: SourceFile, found: Mapping[str, Reading]
) -> Iterator[tuple[SourceFile, Reading]]:
    """Place the members of an archive as the files of a folder."""
    from fsviz.campaigns.campaign_toml import NAME
    from fsviz.campaigns.folders import systems_of

    folders = {name: PurePosixPath(name).parts[:-1] for name in found}
    systems = systems_of(file.path, folders.values())
    inside = not file.named and len(set(systems.values())) > 1
    for name in sorted(found, key=natural):
        path = f"{shown_path(file.path)}/{shown_path(name)}"
        left = Note(path, 1, "not followed in an archive; unpack it first")
        ours = PurePosixPath(name).name == NAME
        reading = Reading((), (), (left,)) if ours else found[name]
        system = systems[folders[name]] if inside else file.system
        yield replace(file, system=system, spelled=system, path=path), reading


def _frames(name: str, placed: Placed) -> Campaign:
    if not placed.runs:
        raise nothing_usable(placed.problems)
    measurements, run_frame = tabulate(placed.runs)
    return Campaign(
        name=name,
        title="",
        baseline=None,
        measurements=validate(measurements),
        runs=run_frame,
        systems=_bare_systems(dict.fromkeys(label.system for label, _ in placed.runs)),
        problems=tuple(placed.problems),
        notes=tuple(placed.notes),
    )


def _bare_systems(names: Iterable[str]) -> pd.DataFrame:
    import pandas as pd

    from fsviz.campaigns.campaign_toml import FACTS

    frame = pd.DataFrame({"system": list(names)}, dtype="string")
    return frame.reindex(columns=["system", "title", *FACTS]).astype("string")


def _systems(
    described: CampaignFile,
    names: Iterable[str],
    claimed: Mapping[str, str],
    folder: Path,
) -> pd.DataFrame:
    """One row a system: its own facts, else those of the campaign, else recorded ones.

    A system of a file that holds several has the facts of the entry with the file.
    """
    import pandas as pd

    from fsviz.campaigns.campaign_toml import FACTS, recorded_facts

    shared = described.facts.model_dump()
    entries = {entry.name: entry.model_dump() for entry in described.system}
    inside = [name for name in names if claimed.get(name, name) != name]
    parted = {claimed[name] for name in inside} - set(names)
    rows = []
    described_ones = [*(name for name in entries if name not in parted), *inside]
    for name in described_ones if entries else names:
        named = claimed.get(name, name)
        own, seen = entries.get(named, {}), recorded_facts(folder, named)
        facts = {f: own.get(f) or shared[f] or seen.get(f) for f in FACTS}
        rows.append({"system": name, "title": own.get("title"), **facts})
    return pd.DataFrame(rows, columns=["system", "title", *FACTS]).astype("string")


def _planned(systems: pd.DataFrame, folder: Path) -> tuple[pd.DataFrame, list[Note]]:
    """Judge a trial by the RAM that its sizes were cut to, and say so."""
    from fsviz.campaigns.campaign_toml import NAME, facts_file

    planned = systems["planned_ram"]
    stated = systems["client_ram"]
    cut = planned.notna() & stated.notna() & (planned != stated)
    notes = [
        Note(
            shown_path(str(facts_file(folder, row.system))),
            1,
            f"sizes were planned for {row.planned_ram} of RAM, and the results of "
            f"{row.system} are judged by that"
            f", not by the client_ram of {NAME}",
        )
        for row in systems[cut].itertuples()
    ]
    return systems.assign(client_ram=planned.fillna(stated)), notes


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
        Any files that the supported tools wrote. A text and a workbook of one run give
        its numbers once.
    hint : str, optional
        Name of the files' format, one of those that ``fsviz formats`` lists; else each
        file's format is found by its content.

    Returns
    -------
    DataFrame
        One row a measured number; ``system`` is the name of the file's folder, or what
        the file itself calls it where it holds several.

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
    names = [os.fspath(p) for p in paths]
    for name in names:
        if "\0" in name:
            raise UnreadableFileError(
                f"{printable(name)}: expected a readable file, "
                "found a name that no file has"
            )
    frame, problems = read_paths(names, hint)
    if frame is None:
        raise nothing_usable(problems)
    for problem in problems:
        warnings.warn(str(problem), UnusableInputWarning, stacklevel=2)
    return frame


def read_paths(
    paths: Sequence[str], hint: str | None = None
) -> tuple[pd.DataFrame | None, list[ParseError]]:
    """Read files, keep what is good and return the rest as located errors."""
    frame, problems, _ = read_tables(paths, hint)
    return frame, problems


def read_tables(
    paths: Sequence[str],
    hint: str | None = None,
    progress: Progress = lambda _: None,
) -> tuple[pd.DataFrame | None, list[ParseError], list[Note]]:
    """Read files as `read_paths` does, and return the notes on them as well."""
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
    return tabulate(placed.runs)[0], placed.problems, placed.notes
