"""Any result files → one measurements frame, without a campaign around them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fsviz.model.errors import ParseError
from fsviz.model.runs import Run, number_repeats, tabulate
from fsviz.readers import read_file

if TYPE_CHECKING:
    import pandas as pd


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
