"""Source files and what was read of them → runs, each placed in a system, once.

What a file holds of several systems is parted here, copies are joined, a system that
cannot be used is left out and named, and the table of files says what became of each.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase as fnmatch
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from fsviz.campaigns.merge_files import (
    Digests,
    Seen,
    digests_of,
    join_copies,
    merge_files,
    numbers_of,
    start_of,
    stem,
)
from fsviz.model.errors import (
    CoarserFormError,
    InconsistentDataError,
    ParseError,
    quoted,
)
from fsviz.model.libraries import pd
from fsviz.model.names import look_alike, normalised_name
from fsviz.model.runs import Label, Note, Reading, Run, number_repeats

if TYPE_CHECKING:
    from fsviz.campaigns.source_files import SourceFile

FILES = ("source", "format", "system", "tool", "run", "repeat", "numbers", "remark")
"""Columns of the table of files: one row a file and run, or one for a file not used."""


@dataclass(slots=True)
class Placed:
    """Runs with their systems, and what was said on the way."""

    runs: list[tuple[Label, Run]] = field(default_factory=list)
    problems: list[ParseError] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    systems: dict[str, str] = field(default_factory=dict)


def place(name: str, readings: Sequence[tuple[SourceFile, Reading]]) -> Placed:
    """Place the runs of a campaign."""
    placed = Placed()
    by_system: dict[str, list[Run]] = {}
    # a folder of time logs beside the results is no other system
    alone = len({file.system for file, reading in readings if reading.runs}) < 2
    for file, reading in readings:
        placed.problems += reading.problems
        placed.notes += reading.notes
        for glob in file.headings or ():
            if not any(fnmatch(run.system, glob) for run in reading.runs):
                sought = f"results below a heading, sheet or column like {quoted(glob)}"
                placed.problems.append(ParseError(file.path, 1, sought, "none"))
        for system, run in _runs_by_system(file, reading, alone):
            by_system.setdefault(system, []).append(run)
            placed.systems.setdefault(system, file.system)
    place_systems(name, by_system, placed)
    _say_of_logs([f.path for f, r in readings if "fio-log" in r.formats], placed)
    placed.notes += _of_names([file for file, _ in readings], placed.systems)
    placed.problems = _without_superfluous(placed, readings)
    return placed


def _say_of_logs(logs: Sequence[str], placed: Placed) -> None:
    """Say once that time logs are no runs; alone they are nothing to compare."""
    if logs and placed.runs:
        text = f"time logs of fio ({len(logs)}) are no runs; fsviz plot --x time draws"
        placed.notes.append(Note(logs[0], 1, text))
    elif logs:
        description = "a time log of fio; fsviz plot --x time draws it"
        placed.problems.append(ParseError(logs[0], 1, "results of runs", description))


def _without_superfluous(
    placed: Placed, readings: Sequence[tuple[SourceFile, Reading]]
) -> list[ParseError]:
    """Leave out what a form of a run lacks if another form of that run has it."""
    sources: dict[tuple[str, str], set[str]] = {}
    for label, run in placed.runs:
        sources.setdefault((label.system, run.identity), set()).add(run.source)
    accompanied = {s for paths in sources.values() if len(paths) > 1 for s in paths}
    stems: dict[str, set[str]] = {}
    for file, reading in readings:
        if reading.runs:
            stems.setdefault(stem(file.path), set()).add(file.path)
    return [
        problem
        for problem in placed.problems
        if not isinstance(problem, CoarserFormError)
        or not (
            problem.path in accompanied
            or stems.get(stem(problem.path), set()) - {problem.path}
        )
    ]


def place_systems(
    name: str, by_system: Mapping[str, Sequence[Run]], placed: Placed
) -> None:
    """Join the files of each run, number the repeats, leave out what cannot be used."""
    usable: dict[str, list[Run]] = {}
    seen = Seen()
    owners: dict[str, str] = {}
    for system, runs in by_system.items():
        try:
            merged = merge_files(runs)
            digests = digests_of(merged)
            joined, notes = join_copies(merged, digests)
            placed.notes += [*notes, *_pasted_again(joined)]
            distinct = _distinct(joined)
            _refuse_shared(system, distinct, digests, seen, owners)
            usable[system] = distinct
        except ParseError as problem:
            placed.problems.append(problem)
            placed.systems.pop(system, None)
    triples = [(name, system, run) for system, runs in usable.items() for run in runs]
    placed.runs = number_repeats(triples)
    placed.notes += _identical(placed.runs)


_MANY = 10
"""Numbers that two runs do not have in common by chance."""


def _identical(runs: Iterable[tuple[Label, Run]]) -> Iterator[Note]:
    """Note runs that began at other times and agree in every number, as copies do."""
    alike: dict[tuple[str, str, bytes], list[Run]] = {}
    for label, run in runs:
        if len(run.cells) >= _MANY:
            values = array("d", run.cells.value).tobytes()
            alike.setdefault((label.system, run.tool, values), []).append(run)
    for (system, _, values), same in alike.items():
        if len(same) > 1:
            text = (
                f"{len(same)} runs of {system} have the same {len(values) // 8:,} "
                "numbers to the last digit: repeats, or copies under other dates?"
            )
            yield Note(same[1].source, 1, text)


def _pasted_again(runs: Sequence[Run]) -> Iterable[Note]:
    """Note files with a run that has the numbers of the one right above it."""
    notes: dict[str, Note] = {}
    text = "the same numbers as right above; counted as runs of their own"
    for above, run in pairwise(runs):
        if (above.source, start_of(above)) != (run.source, start_of(run)):
            continue
        first, second = dict(numbers_of(above)), dict(numbers_of(run))
        shared = first.keys() & second.keys()
        if shared and all(repr(first[k]) == repr(second[k]) for k in shared):
            place = run.cells.locator[0].removeprefix("line ")
            notes.setdefault(run.source, Note(run.source, place, text))
    return notes.values()


def _runs_by_system(
    file: SourceFile, reading: Reading, alone: bool
) -> Iterable[tuple[str, Run]]:
    """Give each run of a file its system: its own label where the file has several."""
    if file.headings is not None:
        claims = file.headings.items()
        for run in reading.runs:
            names = (name for glob, name in claims if fnmatch(run.system, glob))
            unclaimed = run.system if file.headings and run.system else file.system
            yield normalised_name(next(names, unclaimed)), run
        return
    labels = {run.system for run in reading.runs}
    # a table has a column that says which system a number is of
    decided = not file.named and "table" in reading.formats
    for run in reading.runs:
        if not run.system or (len(labels) < 2 and not decided):
            yield file.system, run
        elif decided or (alone and not file.named):
            yield normalised_name(run.system), run
        else:
            yield normalised_name(f"{file.system}/{run.system}"), run


def _of_names(
    files: Sequence[SourceFile], systems: Mapping[str, str]
) -> Iterator[Note]:
    """Note names that a person may take for one another: as one system, or as two."""
    spellings: dict[str, dict[str, str]] = {}
    for file in files:
        spellings.setdefault(file.system, {}).setdefault(file.spelled, file.path)
    for places in spellings.values():
        if len(places) > 1:
            text = f"{_join_names(places)} are one name, so they are one system"
            yield Note([*places.values()][1], 1, text)
    alike: dict[str, list[str]] = {}
    for system in systems:
        alike.setdefault(look_alike(system), []).append(system)
    for names in alike.values():
        if len(names) > 1:
            path = next(iter(spellings[systems[names[1]]].values()))
            text = f"{_join_names(names)} look alike, but are {len(names)} systems"
            yield Note(path, 1, f"{text}; rename one, or give both one label")


def _join_names(names: Iterable[str]) -> str:
    return " and ".join(map(ascii, names))


def _distinct(runs: Iterable[Run]) -> list[Run]:
    """Tell short outputs that are equal by chance apart: each is a run of its own."""
    first: dict[str, Run] = {}
    renamed: dict[tuple[str, str], str] = {}
    distinct = []
    for run in runs:
        earlier = first.setdefault(run.identity, run)
        place = (run.identity, stem(run.source))
        if (
            stem(earlier.source) != place[1]
            and place not in renamed
            # what a copy adds to the first has no number that the first has
            and not set(run.cells.keys()).isdisjoint(earlier.cells.keys())
        ):
            renamed[place] = f"{run.identity}~{len(renamed) + 2}"
        if place in renamed:
            run = replace(run, identity=renamed[place])  # noqa: PLW2901
        distinct.append(run)
    return distinct


def _refuse_shared(
    system: str, runs: list[Run], digests: Digests, seen: Seen, owners: dict[str, str]
) -> None:
    """Refuse a system one of whose runs is another system's, else note its runs."""
    for run in runs:
        if first := seen.copied(run, digests):
            expected = f"a run of {system} that no other system has"
            other = owners[first.identity]
            same = (
                f"the same numbers as {first.source} of {other}; {system} is left out"
            )
            raise InconsistentDataError(run.source, 1, expected, same)
    for run in runs:
        seen.add(run, digests)
        owners.setdefault(run.identity, system)


def files_frame(
    readings: Sequence[tuple[SourceFile, Reading]], placed: Placed
) -> pd.DataFrame:
    """Say what became of each file."""
    runs_of_file: dict[str, list[tuple[Label, Run]]] = {}
    for label, run in placed.runs:
        runs_of_file.setdefault(run.source, []).append((label, run))
    remarks = _remarks(placed)
    counted = {run.identity: run.source for _, run in placed.runs if len(run.cells)}
    for _, run in placed.runs:
        if not len(run.cells) and (other := counted.get(run.identity)):
            same = f"the same run as {Path(other).name}, which counts"
            remarks.setdefault(run.source, []).append(same)
    rows: list[tuple[object, ...]] = []
    for file, reading in readings:
        remark = _shortened(list(dict.fromkeys(remarks.get(file.path, ()))))
        form = ", ".join(reading.formats)
        for label, run in runs_of_file.get(file.path, ()):
            place = (label.system, run.tool, run.identity, label.repeat)
            rows.append((file.path, form, *place, len(run.cells), remark))
        if file.path not in runs_of_file:
            rows.append((file.path, form, file.system, "", "", None, 0, remark))
    kinds = dict.fromkeys(FILES, "string") | {"repeat": "Int64", "numbers": "Int64"}
    return pd.DataFrame(rows, columns=list(FILES)).astype(kinds)


_MOST_REMARKS = 10
"""Each run's row repeats them, and a file may have thousands of both."""


def _shortened(remarks: Sequence[str]) -> str:
    if (more := len(remarks) - _MOST_REMARKS) > 0:
        remarks = [*remarks[:_MOST_REMARKS], f"{more} more remarks"]
    return "; ".join(remarks)


def _remarks(placed: Placed) -> dict[str, list[str]]:
    remarks: dict[str, list[str]] = {}
    for problem in placed.problems:
        text = f"expected {problem.expected}, found {problem.found}"
        remarks.setdefault(problem.path, []).append(f"line {problem.line}: {text}")
    for note in placed.notes:
        remarks.setdefault(note.path, []).append(note.text)
    return remarks
