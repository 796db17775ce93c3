"""Files that other people published: beside the project, and never part of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from fsviz.readers.formats import read_file

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"

Expected = tuple[int, int | type[Exception]]
"""Runs and problems; with no run, the error that refuses the file."""


def outcome(path: Path, expected: Expected) -> Expected:
    """Read a file; a refusal must name the file and a line."""
    runs, error = expected
    if not runs:
        assert isinstance(error, type)
        with pytest.raises(error, match=f"{path.name}:[0-9]+: expected"):
            read_file(path)
        return expected
    reading = read_file(path)
    return len(reading.runs), len(reading.problems)


def reads_or_refuses(tool: str, expected: Mapping[str, Expected]) -> None:
    """Check what becomes of all files of a tool; skip where the files are not."""
    folder = CORPUS / tool
    if not folder.exists():
        pytest.skip("the corpus is not here")
    names = {path.name for path in folder.iterdir() if "hyperfine" not in path.name}
    assert names == set(expected)
    outcomes = {name: outcome(folder / name, expected[name]) for name in names}
    assert outcomes == expected
