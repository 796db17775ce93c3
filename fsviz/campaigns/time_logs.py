"""A folder or labelled files → what fio logged over time, as one frame."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from fsviz.campaigns.campaign_toml import described_in
from fsviz.campaigns.read import UnusableInputWarning
from fsviz.campaigns.source_files import files_of, find, is_labelled, labelled, listed
from fsviz.campaigns.sources import expanded
from fsviz.model.errors import ParseError, UnreadableFileError, UsageError
from fsviz.model.libraries import pd
from fsviz.readers import fio_log
from fsviz.readers.formats import STANDARD_INPUT, shown_path, text_of

if TYPE_CHECKING:
    from fsviz.campaigns.source_files import SourceFile, Sources


def time_logs(source: Sources, *more: str | os.PathLike[str]) -> pd.DataFrame:
    """Read fio's time logs from a campaign folder or from labelled files.

    Parameters
    ----------
    source, *more : path-like, sequence of path-like, or mapping of labels to them
        As for `fsviz.load`. Only files with the names that fio gives its logs are read.

    Returns
    -------
    DataFrame
        One row per line of a log: ``system``, ``stem``, ``log`` and ``job`` (parts of
        its name), ``metric``, ``operation`` (``read``, ``write`` or ``trim``),
        ``time_s`` [s], ``value`` [B/s, op/s or s], ``bytes`` [B] of a single I/O, or 0
        if the row is the mean of a window.

    Raises
    ------
    UsageError
        If there is no such log.

    Warns
    -----
    UnusableInputWarning
        For each unusable log.
    """
    sources = [*listed(source), *(os.fspath(path) for path in more)]
    frame, problems = read_time_logs(sources)
    for problem in problems:
        warnings.warn(str(problem), UnusableInputWarning, stacklevel=2)
    return frame


def read_time_logs(
    sources: Sequence[str], progress: Callable[[str], None] = lambda _: None
) -> tuple[pd.DataFrame, list[ParseError]]:
    """Read the logs, and return a located error for each that is not usable."""
    frames, problems = [], []
    for file in _files(expanded(sources)):
        name = fio_log.NAME.fullmatch(PurePath(file.path).name)
        if name is None or name["kind"] not in fio_log.KINDS:
            continue
        progress(shown_path(file.path))
        try:
            frame = fio_log.read_rows(text_of(file.path))
            frames.append(frame.assign(system=file.system))
        except ParseError as problem:
            problems.append(problem)
        except UnreadableFileError as problem:
            problems.append(ParseError(file.path, 1, "a readable file", str(problem)))
    if not frames:
        paths = ", ".join(map(shown_path, sources))
        none = "none that can be used" if problems else "none"
        error = UsageError(
            f"{paths}: expected time logs of fio (x_bw.1.log), found {none}"
        )
        error.others = tuple(problems)
        raise error
    return pd.concat(frames, ignore_index=True), problems


def _files(sources: Sequence[str]) -> list[SourceFile]:
    """List files with their systems, as `fsviz.load` does."""
    alone = sources[0] if len(sources) == 1 else STANDARD_INPUT
    if is_labelled(alone) or alone == STANDARD_INPUT or not find(alone).is_dir():
        return labelled(sources)
    folder = find(alone)
    return list(files_of(folder, described_in(folder)))
