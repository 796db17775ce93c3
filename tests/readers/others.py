"""Files that other people published: beside the project, and never part of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsviz.readers.formats import read_file

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"

Expected = tuple[int, int | type[Exception]]
"""Runs and problems; with no run, the error that refuses the file."""


def reads_or_refuses(tool: str, name: str, expected: Expected) -> None:
    """Check what becomes of a file; skip where the files are not."""
    folder = CORPUS / tool
    if not folder.exists():
        pytest.skip("the corpus is not here")
    runs, problems = expected
    if not runs:
        assert isinstance(problems, type)
        with pytest.raises(problems, match=f"{name}:[0-9]+: expected"):
            read_file(folder / name)
        return
    reading = read_file(folder / name)
    assert (len(reading.runs), len(reading.problems)) == expected


def names_of(tool: str) -> set[str]:
    """List the files of a tool; skip where they are not."""
    folder = CORPUS / tool
    if not folder.exists():
        pytest.skip("the corpus is not here")
    return {path.name for path in folder.iterdir()}
