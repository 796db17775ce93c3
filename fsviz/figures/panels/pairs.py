"""Verdicts of every pair of systems, a character a cell, and the numbers once.

A page draws the maps against another reference from these (``js/against.js``): a ratio
of geometric means over runs is the quotient of two of them, whatever the pair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsviz.answers.words import VERDICT_LOOKS
from fsviz.figures.panels.ratio import cells_of
from fsviz.model.libraries import np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from fsviz.figures.panels.marks import Marks

Sizes = tuple[list[int], list[int]]
"""File sizes and record sizes of a map [B]."""
_CODES = {verdict: str(code) for code, verdict in enumerate(VERDICT_LOOKS)}
_ONE_SIDE, _NOTHING = "-", " "
_FIRST = 48
"""The character ``0``: of the first rules that concern a cell."""


def verdict_letters(
    cells: pd.DataFrame, names: Sequence[str], sizes: Sizes
) -> list[str]:
    """Write the verdict of each cell of each system: ``-`` of one side, space of none.

    Units: `sizes` [B].
    """
    said = []
    for name in names:
        own = cells_of(cells, name)
        letters = np.full(len(sizes[0]) * len(sizes[1]), _NOTHING)
        codes = own["verdict"].map(_CODES).where(own["ratio"] > 0, _ONE_SIDE)
        letters[_places(own, sizes)] = codes.to_numpy(dtype=str)
        said.append("".join(letters).rstrip())
    return said


def found_letters(
    found: Mapping[str, Marks], names: Sequence[str], sizes: Sizes, rules: dict
) -> list[str]:
    """Write which rules concern each cell of each system: a character of `rules`.

    Units: `sizes` [B].
    """
    files, records = sizes
    said = []
    for name in names:
        letters = [_NOTHING] * (len(files) * len(records))
        for cell in found[name].cells:
            place = files.index(cell[0]) * len(records) + records.index(cell[1])
            number = rules.setdefault(found[name].text(cell), len(rules))
            letters[place] = chr(_FIRST + number)
        said.append("".join(letters).rstrip())
    return said


def logarithms(
    known: pd.DataFrame, names: Sequence[str], sizes: Sizes
) -> list[list[float | None]]:
    """Say log₂ of each cell of each system: of all, against the first that has it.

    Units: `sizes` [B].
    """
    logs = np.full((len(names), len(sizes[0]) * len(sizes[1])), np.nan)
    for base, name in enumerate(names):
        cells = known.loc[(known["baseline"] == name) & (known["ratio"] > 0)]
        # cells that a system before it has are told against that one
        new = np.isnan(logs).all(axis=0)
        for position, other in enumerate(names):
            own = cells_of(cells, other)
            at = _places(own, sizes)
            mine = new[at]
            logs[position, at[mine]] = np.log2(own["ratio"].to_numpy(float)[mine])
            logs[base, at[mine]] = 0.0
    return [[None if v != v else round(v, 4) for v in row.tolist()] for row in logs]


def _places(cells: pd.DataFrame, sizes: Sizes) -> np.ndarray:
    """Say where cells stand among all of a map, row by row."""
    columns = ("file_size_bytes", "record_size_bytes")
    file, record = (
        np.searchsorted(own, cells[column].to_numpy(int))
        for own, column in zip(sizes, columns, strict=True)
    )
    return np.asarray(file * len(sizes[1]) + record)
