"""hyperfine around rsync: its JSON export, run by run.

::

    {"results": [{"command": "rsync -a src/ dst/", "mean": 0.2505, …,
                  "times": [0.2410, 0.2179, 0.2926], "exit_codes": [0, 0, 0]}]}

hyperfine 2 writes the same as ``measurements`` of ``time_wall_clock``, beside memory,
which is not read (its ``schema_version`` is 2).

Each element of ``times`` is one run. The console, CSV and Markdown print only the mean
of several, and are refused, as are times of commands that copy nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from fsviz.model.errors import (
    InconsistentDataError,
    InvalidModeError,
    MalformedRowError,
    ParseError,
    ToolFailureError,
    UnsupportedVersionError,
    quoted,
)
from fsviz.model.runs import Cells, Reading, Run
from fsviz.readers.document import (
    LONGEST_TEXT,
    MOST_RUNS,
    Document,
    json_objects,
    reading_of,
    too_many_runs,
)
from fsviz.readers.labels import differing_words
from fsviz.readers.rsync.commands import configuration_of, is_copy, tool_of

_WALL = "time_wall_clock"
_CLOSE = 1e-9


def read_hyperfine(document: Document) -> Reading:
    """Read what hyperfine exported about rsync.

    >>> from fsviz.readers.document import decode
    >>> text = b'{"results": [{"command": "rsync -a a/ b/", "times": [0.25, 0.5]}]}'
    >>> runs = read_hyperfine(decode("h.json", text)).runs
    >>> [run.cells.value for run in runs], runs[0].configuration
    ([[0.25], [0.5]], 'rsync -a')
    """
    problems: list[ParseError] = []
    runs: list[Run] = []
    for part in _from_json(document):
        if len(runs) + len(problems) == MOST_RUNS:
            place = part.line if isinstance(part, ParseError) else part.cells.locator[0]
            problems.append(too_many_runs(document.path, place))
            break
        if isinstance(part, Run):
            runs.append(part)
        else:
            problems.append(part)
    form = "hyperfine's JSON (--export-json), which has each run"
    only = UnsupportedVersionError(document.path, 1, form, "its means alone")
    return reading_of(document, runs, _systems(runs), problems, only)


def _systems(runs: Sequence[Run]) -> list[str]:
    """Name what was timed by the parameters or commands, where a file has several."""
    texts = [
        " ".join(f"{name}={value}" for name, value in parameters.items())
        for run in runs
        if isinstance(parameters := run.facts.get("parameters"), dict)
    ]
    if len(texts) == len(runs) and all(texts) and len(set(texts)) > 1:
        return texts
    return differing_words([run.command_line for run in runs])


def _from_json(document: Document) -> Iterator[Run | ParseError]:
    path = document.path
    keys = ("results", "schema_version")
    exports = (json_objects(document, "JSON", key) for key in keys)
    try:
        for number, export in enumerate(chain.from_iterable(exports)):
            where = f"exports[{number}].results" if number else "results"
            results = export.get("results") if isinstance(export, dict) else None
            if not isinstance(results, list):
                kind = type(results).__name__
                raise MalformedRowError(path, where, "a list", kind)
            for place, result in enumerate(results):
                try:
                    yield from _runs_of(path, f"{where}[{place}]", result)
                except ParseError as problem:
                    yield problem
    except ParseError as problem:
        yield problem


def _runs_of(path: str, where: str, result: object) -> Iterator[Run | ParseError]:
    if not isinstance(result, dict) or not isinstance(result.get("command"), str):
        raise MalformedRowError(path, where, "a command and its times", "neither")
    command, result = result["command"], _as_before(result)
    if not is_copy(command):
        raise InvalidModeError(path, where, "a timed copy", quoted(command))
    parameters = result.get("parameters")
    if (length := len(str(parameters))) > LONGEST_TEXT:
        expected = f"parameters of at most {LONGEST_TEXT} characters"
        raise MalformedRowError(path, where, expected, str(length))
    times = _times(path, where, result)
    codes = result.get("exit_codes") or [0] * len(times)
    if not isinstance(codes, list) or len(codes) != len(times):
        expected = f"{len(times)} exit codes"
        raise InconsistentDataError(path, where, expected, quoted(str(codes)))
    for k, (seconds, code) in enumerate(zip(times, codes, strict=True)):
        locator, cells = f"{where}.times[{k}]", Cells()
        cells.add("transfer", "elapsed", seconds, locator, low=seconds, high=seconds)
        note = "" if code == 0 else f"exit status {code}"
        yield Run(
            tool=tool_of(command),
            cells=cells,
            configuration=configuration_of(command),
            complete=code == 0,
            command_line=command,
            note=note,
            facts={"parameters": parameters} if isinstance(parameters, dict) else {},
        )
        if code != 0:
            status = "an unknown exit status" if code is None else note
            yield ToolFailureError(path, locator, "a complete copy", status)


def _as_before(result: Mapping[str, object]) -> Mapping[str, object]:
    """Give what hyperfine 2 exports the names of hyperfine 1."""
    runs = result.get("measurements")
    if not isinstance(runs, list) or "times" in result:
        return result
    parameters = result.get("parameters")
    items = parameters.items() if isinstance(parameters, dict) else ()
    return {
        "command": result["command"],
        "times": [_value_of(run, _WALL, "value") for run in runs],
        "exit_codes": [_value_of(run, "exit_code") for run in runs],
        "mean": _value_of(result.get("summary"), _WALL, "mean"),
        "parameters": {name: _value_of(stated, "value") for name, stated in items},
    }


def _value_of(values: object, *names: str) -> object:
    for name in names:
        values = values.get(name) if isinstance(values, dict) else None
    return values


def _times(path: str, where: str, result: Mapping[str, object]) -> list[float]:
    times = result.get("times")
    if not isinstance(times, list) or not times:
        raise MalformedRowError(path, where, "times of its runs", quoted(str(times)))
    for k, seconds in enumerate(times):
        is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
        if not is_number or not math.isfinite(seconds) or seconds < 0:
            place, shown = f"{where}.times[{k}]", quoted(str(seconds))
            raise MalformedRowError(path, place, "seconds", shown)
    mean, of_times = result.get("mean"), math.fsum(times) / len(times)
    if isinstance(mean, int | float) and not math.isclose(
        mean, of_times, rel_tol=_CLOSE
    ):
        expected = f"times with the mean {mean:g}"
        raise InconsistentDataError(path, where, expected, "another mean")
    return [float(seconds) for seconds in times]
