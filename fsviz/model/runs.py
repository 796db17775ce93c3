"""What a reader returns: runs with their cells, and what could not be used.

A reader handles one file at a time and must be quick, so its cells are plain parallel
lists; `tabulate` turns any number of runs into the two frames at once.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, groupby
from typing import Any

from fsviz.model.errors import ParseError, without_frames
from fsviz.model.escaping import printable
from fsviz.model.libraries import np, pd
from fsviz.model.table import COLUMNS, METRICS, RUN_COLUMNS, categories

MISSING = float("nan")

ENDING = "ending"
"""Fact of an output that is not whole: ``early``, ``excerpt`` or ``failed``."""

LASTED = "lasted_s"
"""Fact: how long a run took at least [s], of a tool that is told how long."""

SHORTEST = "shortest_s"
"""Fact: how long the shortest of a run's cells took [s], of a tool that prints it."""

COUNTERS = "counters"
"""Fact: what the kernel counted during a run of ``fsviz run``."""

FOREIGN = "foreign_sizes"
"""Fact: how many rows of a table are of sizes that its command line does not name."""

STANDS_FOR = "stands_for"
"""Fact of a run that is none: ``mean`` (of several) or ``published`` (of some)."""
TABLE = "a table"
"""Configuration of the runs in a table of one's own."""


Key = tuple[str, int | None, int | None, int | None, str, int | None, str]


@dataclass(slots=True)
class Cells:
    """The numbers of one run as parallel lists, in base units.

    ``value`` is NaN where nothing was measured; ``low`` and ``high`` bound the truth as
    far as the printed text allows (NaN: no bound known).
    """

    operation: list[str] = field(default_factory=list)
    file_size_bytes: list[int | None] = field(default_factory=list)
    record_size_bytes: list[int | None] = field(default_factory=list)
    threads: list[int | None] = field(default_factory=list)
    setting: list[str] = field(default_factory=list)
    child: list[int | None] = field(default_factory=list)
    metric: list[str] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    locator: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.value)

    def keys(self) -> Iterator[Key]:
        """List what each number is of, without the run [B] [B]."""
        yield from zip(
            self.operation,
            self.file_size_bytes,
            self.record_size_bytes,
            self.threads,
            self.setting,
            self.child,
            self.metric,
            strict=True,
        )

    def add(  # noqa: PLR0913 - a parameter a column of the table
        self,
        operation: str,
        metric: str,
        value: float,
        locator: str,
        *,
        low: float = MISSING,
        high: float = MISSING,
        file_size: int | None = None,
        record_size: int | None = None,
        threads: int | None = 1,
        setting: str = "",
        child: int | None = None,
    ) -> None:
        """Append one number [base unit of the metric].

        Units: `file_size, record_size` [B].
        """
        self.operation.append(operation)
        self.file_size_bytes.append(file_size)
        self.record_size_bytes.append(record_size)
        self.threads.append(threads)
        self.setting.append(setting)
        self.child.append(child)
        self.metric.append(metric)
        self.value.append(value)
        self.low.append(low)
        self.high.append(high)
        self.locator.append(locator)


@dataclass(frozen=True, slots=True)
class Run:
    """One invocation of a tool, as found at one place of one file."""

    tool: str
    identity: str = ""
    source: str = ""
    cells: Cells = field(default_factory=Cells)
    configuration: str = ""
    complete: bool = True
    tool_version: str = ""
    command_line: str = ""
    started: str = ""
    host: str = ""
    note: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)
    system: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was decided about a file and that a person should know about.

    It is no problem: what was read is usable, and nothing is missing that should be
    there.

    >>> print(Note("rep1.xls", 1, "the same run as rep1.txt; counted once"))
    rep1.xls:1: note: the same run as rep1.txt; counted once
    """

    path: str
    line: int | str
    text: str

    def __str__(self) -> str:
        return f"{printable(f'{self.path}:{self.line}')}: note: {printable(self.text)}"


@dataclass(frozen=True, slots=True)
class Reading:
    """All runs of one file, and what is said of it."""

    runs: tuple[Run, ...]
    problems: tuple[ParseError, ...] = ()
    notes: tuple[Note, ...] = ()
    formats: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for problem in self.problems:
            without_frames(problem)


@dataclass(frozen=True, slots=True)
class Label:
    """Where a run belongs: the columns that no file states."""

    campaign: str
    system: str
    repeat: int


def tabulate(
    labelled: Sequence[tuple[Label, Run]],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Build the measurements and the runs frame."""
    return tabulate_numbers(labelled), _runs(labelled)


def tabulate_numbers(labelled: Sequence[tuple[Label, Run]]) -> pd.DataFrame:
    """Build the measurements frame."""
    # a copy of which nothing is left has no file in the table either
    filled = [(label, run) for label, run in labelled if len(run.cells)]
    runs = [run for _, run in filled]
    of_runs: dict[str, list[object]] = {
        name: [getattr(label, name) for label, _ in filled] for name in Label.__slots__
    }
    of_runs["tool"] = [run.tool for run in runs]
    of_runs["run"] = [run.identity for run in runs]
    of_runs["source"] = [run.source for run in runs]
    counts = np.array([len(run.cells) for run in runs], int)
    rows = np.repeat(np.arange(len(runs)), counts)
    columns = {
        name: _column(name, [values]).take(rows) for name, values in of_runs.items()
    }
    for name in Cells.__slots__:
        columns[name] = _column(name, [getattr(run.cells, name) for run in runs])
    # a copy that failed has copied less, so how long it took is no measurement
    broken = {_key(*each) for each in labelled if not each[1].complete}
    failed = np.array([_key(*each) in broken for each in filled], bool)[rows]
    failed &= (columns["operation"] == "transfer") & columns["metric"].isin(_SPEEDS)
    for name in ("value", "low", "high"):
        columns[name][failed] = MISSING
    units = _column("unit", [[metric.unit for metric in METRICS.values()]])
    columns["unit"] = units.take(columns["metric"].codes)
    return pd.DataFrame({name: columns[name] for name in COLUMNS})


_SPEEDS = [name for name, metric in METRICS.items() if metric.better]


def _column(name: str, parts: Iterable[list[Any]]) -> Any:
    """Make a column of parts, most of which come again, and so do their values."""
    dtype = COLUMNS[name]
    if dtype == "float64":
        return np.fromiter(chain.from_iterable(parts), float)
    places: dict[Any, int] = defaultdict(count().__next__)
    rows = [np.empty(0, np.intp)]
    for values, group in groupby(parts):
        at = map(places.__getitem__, values)
        rows += [np.fromiter(at, np.intp, len(values))] * len([*group])
    if dtype == "category":
        texts = categories().get(name) or sorted(map(str, places))
        codes = {text: code for code, text in enumerate(texts)}
        distinct = pd.Categorical.from_codes([codes.get(v, -1) for v in places], texts)
    else:
        distinct = pd.array(list(places), dtype=dtype)
    return distinct.take(np.concatenate(rows))


def _key(label: Label, run: Run) -> tuple[str, str, str]:
    """Return what the parts of a run share that is spread over several files."""
    return label.campaign, label.system, run.identity


def _runs(labelled: Sequence[tuple[Label, Run]]) -> pd.DataFrame:
    together: dict[tuple[str, str, str], list[tuple[Label, Run]]] = {}
    for label, run in labelled:
        together.setdefault(_key(label, run), []).append((label, run))
    rows = [_run_row(parts) for parts in together.values()]
    frame = pd.DataFrame(rows, columns=list(RUN_COLUMNS))
    frame["tool"] = pd.Categorical(frame["tool"], categories=categories()["tool"])
    frame["started"] = pd.to_datetime(frame["started"], format="ISO8601").astype(
        "datetime64[ms]"
    )
    return frame.astype(
        {k: v for k, v in RUN_COLUMNS.items() if k not in ("tool", "started")}
    )


def _run_row(parts: Sequence[tuple[Label, Run]]) -> dict[str, object]:
    """One row for a run, whose output may be spread over several files."""
    label, first = parts[0]
    runs = [run for _, run in parts]
    facts: dict[str, object] = {}
    for run in reversed(runs):
        facts.update(run.facts)

    def stated(name: str) -> object:
        return next((v for run in runs if (v := getattr(run, name))), None)

    return {
        "campaign": label.campaign,
        "system": label.system,
        "tool": first.tool,
        "run": first.identity,
        "repeat": label.repeat,
        "configuration": first.configuration,
        "tool_version": stated("tool_version"),
        "command_line": stated("command_line"),
        "started": stated("started"),
        "host": stated("host"),
        "complete": all(run.complete for run in runs),
        "note": "; ".join(dict.fromkeys(run.note for run in runs if run.note)) or None,
        "source": first.source,
        "sources": tuple(dict.fromkeys(run.source for run in runs)),
        "facts": json.dumps(facts, sort_keys=True, ensure_ascii=False),
    }


def facts_of_run(text: str) -> dict[str, Any]:
    """Return the facts that a row of the runs table holds as JSON.

    >>> facts_of_run('{"word_size_bits": 64}')
    {'word_size_bits': 64}
    """
    facts: dict[str, Any] = json.loads(text)
    numbers = {"cache_size_bytes", "time_resolution_s", LASTED, SHORTEST}
    for name in numbers & facts.keys():
        if not isinstance(facts[name], int | float):
            raise TypeError(name)
    return facts


_TESTS = re.compile(r"(?:^| )-i \d+\b")


def method_of_measuring(tool: str, configuration: str) -> str:
    """Say what makes repeats: which tests IOzone was asked for changes none of them.

    >>> method_of_measuring("iozone", "-a -i 0 -i 1 -n 64k")
    '-a -n 64k'
    """
    return _TESTS.sub("", configuration) if tool == "iozone" else configuration


def number_repeats(placed: Iterable[tuple[str, str, Run]]) -> list[tuple[Label, Run]]:
    """Number the repeats of each campaign, system, tool and way to measure from 1."""
    count: dict[tuple[str, ...], int] = {}
    number: dict[tuple[str, ...], int] = {}
    labelled = []
    for campaign, system, run in placed:
        way = method_of_measuring(run.tool, run.configuration)
        group = (campaign, system, run.tool, way)
        if (*group, run.identity) not in number:
            count[group] = count.get(group, 0) + 1
            number[(*group, run.identity)] = count[group]
        labelled.append((Label(campaign, system, number[(*group, run.identity)]), run))
    return labelled
