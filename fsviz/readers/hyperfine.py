"""hyperfine around rsync: its JSON export, run by run; its tables, means only.

::

    {"results": [{"command": "rsync -a src/ dst/", "mean": 0.2505, …,
                  "times": [0.2410, 0.2179, 0.2926], "exit_codes": [0, 0, 0]}]}

Each element of ``times`` is one run. The CSV, Markdown and console forms print a mean
over runs: that is one number, and a note says what it is. The spread that stands beside
it is a fact, not a bound. Times of commands that are not rsync are refused.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from fsviz.model.errors import (
    InconsistentDataError,
    InvalidModeError,
    MalformedRowError,
    ParseError,
    ToolFailureError,
    quoted,
)
from fsviz.model.runs import Cells, Reading, Run
from fsviz.readers.document import Document
from fsviz.readers.hyperfine_tables import find_means
from fsviz.readers.rsync_cells import add_times
from fsviz.readers.rsync_commands import configuration_of, is_rsync
from fsviz.readers.timings import Timing

_CLOSE = 1e-9


def read_hyperfine(document: Document) -> Reading:
    """Read what hyperfine exported or printed about rsync.

    Parameters
    ----------
    document : Document
        Its JSON, CSV or Markdown export, or its console text.

    Returns
    -------
    Reading
        From JSON one run per element of ``times``, else one per command.

    Raises
    ------
    ParseError
        If nothing can be used.

    Examples
    --------
    >>> from fsviz.readers.document import decode
    >>> text = b'{"results": [{"command": "rsync -a a/ b/", "times": [0.25, 0.5]}]}'
    >>> runs = read_hyperfine(decode("h.json", text)).runs
    >>> [run.cells.value for run in runs], runs[0].configuration
    ([[0.25], [0.5]], 'rsync -a')
    """
    if document.text.lstrip().startswith("{"):
        found = list(_from_json(document))
    else:
        found = list(_from_tables(document))
    runs = [part for part in found if isinstance(part, Run)]
    problems = [part for part in found if isinstance(part, ParseError)]
    if not runs:
        nothing = MalformedRowError(document.path, 1, "a result of hyperfine", "none")
        raise problems[0] if problems else nothing
    numbered = [
        replace(run, identity=f"{document.digest}-{k}") for k, run in enumerate(runs, 1)
    ]
    return Reading(tuple(numbered), tuple(problems))


def _from_json(document: Document) -> Iterator[Run | ParseError]:
    path = document.path
    try:
        results = json.loads(document.text)["results"]
    except json.JSONDecodeError as error:
        raise MalformedRowError(path, error.lineno, "JSON", error.msg) from error
    except (KeyError, TypeError) as error:
        raise MalformedRowError(path, 1, 'an object with "results"', "none") from error
    if not isinstance(results, list):
        raise MalformedRowError(path, "results", "a list", type(results).__name__)
    for number, result in enumerate(results):
        where = f"results[{number}]"
        try:
            yield from _runs_of(document, where, result)
        except ParseError as problem:
            yield problem


def _runs_of(document: Document, where: str, result: object) -> list[Run | ParseError]:
    path = document.path
    if not isinstance(result, dict) or not isinstance(result.get("command"), str):
        raise MalformedRowError(path, where, "a command and its times", "neither")
    command = result["command"]
    _refuse_another_command(path, where, command)
    times = _times(path, where, result)
    codes = result.get("exit_codes") or [0] * len(times)
    if not isinstance(codes, list) or len(codes) != len(times):
        raise InconsistentDataError(
            path, where, f"{len(times)} exit codes", quoted(str(codes))
        )
    parts: list[Run | ParseError] = []
    for k, (seconds, code) in enumerate(zip(times, codes, strict=True)):
        locator = f"{where}.times[{k}]"
        cells = Cells()
        cells.add("transfer", "elapsed", seconds, locator, low=seconds, high=seconds)
        note = "" if code == 0 else f"exit status {code}"
        parts.append(_run(document, command, cells, _facts(result), note, code == 0))
        if code != 0:
            status = "an unknown exit status" if code is None else note
            parts.append(ToolFailureError(path, locator, "a complete copy", status))
    return parts


def _times(path: str, where: str, result: Mapping[str, object]) -> list[float]:
    times = result.get("times")
    if not isinstance(times, list) or not times:
        raise MalformedRowError(path, where, "times of its runs", quoted(str(times)))
    for k, seconds in enumerate(times):
        number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
        if not number or not math.isfinite(seconds) or seconds < 0:
            raise MalformedRowError(
                path, f"{where}.times[{k}]", "seconds", quoted(str(seconds))
            )
    mean = result.get("mean")
    if isinstance(mean, int | float) and not math.isclose(
        mean, math.fsum(times) / len(times), rel_tol=_CLOSE
    ):
        raise InconsistentDataError(
            path, where, f"times with the mean {mean:g}", "another mean"
        )
    return [float(seconds) for seconds in times]


def _refuse_another_command(path: str, where: int | str, command: str) -> None:
    if not is_rsync(command):
        raise InvalidModeError(path, where, "a timed rsync", quoted(command))


def _facts(result: Mapping[str, object]) -> dict[str, object]:
    facts: dict[str, object] = {"form": "hyperfine"}
    parameters = result.get("parameters")
    if isinstance(parameters, dict):
        facts["parameters"] = parameters
    for name in ("user", "system"):
        if isinstance(result.get(name), int | float):
            facts[f"mean_{name}_seconds"] = result[name]
    return facts


def _run(
    document: Document,
    command: str,
    cells: Cells,
    facts: Mapping[str, object],
    note: str,
    complete: bool = True,
) -> Run:
    return Run(
        tool="rsync",
        identity="",
        source=document.path,
        cells=cells,
        configuration=configuration_of(command),
        complete=complete,
        command_line=command,
        note=note,
        facts=facts,
    )


def _from_tables(document: Document) -> Iterator[Run | ParseError]:
    for mean in find_means(document.path, document.lines):
        if isinstance(mean, ParseError):
            yield mean
            continue
        try:
            _refuse_another_command(document.path, mean.line, mean.command)
        except InvalidModeError as problem:
            yield problem
            continue
        runs = f"{mean.runs} runs" if mean.runs else "an unknown number of runs"
        cells = Cells()
        timing = Timing(mean.line, mean.elapsed, mean.user, mean.system)
        add_times(cells, f"line {mean.line}", timing)
        facts = {"form": "hyperfine", **mean.facts}
        yield _run(document, mean.command, cells, facts, f"the mean of {runs}")
