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
    from fsviz.figures.panels.ratio import Told

Sizes = tuple[list[int], list[int]]
"""File sizes and record sizes of a map [B]."""
_CODES = {verdict: str(code) for code, verdict in enumerate(VERDICT_LOOKS)}
_ONE_SIDE, _NOTHING = "-", " "
_FIRST = 48
"""The character ``0``: of the first rules that concern a cell."""
_DECIMALS = 5
"""Of a logarithm, so that no printed digit of a ratio differs."""


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


def said_letters(
    cells: pd.DataFrame,
    told: Mapping[str, Told],
    names: Sequence[str],
    sizes: Sizes,
    words: dict[tuple[str, str, str], int],
) -> list[str]:
    """Write what is said beside each ratio of each system: a character of `words`.

    Units: `sizes` [B].
    """
    said = []
    for name in names:
        own = cells_of(cells, name)
        own = own.loc[own["ratio"] > 0]
        letters = np.full(len(sizes[0]) * len(sizes[1]), _NOTHING)
        letters[_places(own, sizes)] = [
            chr(_FIRST + words.setdefault(told[name].beside(row), len(words)))
            for row in own.to_dict("records")
        ]
        said.append("".join(letters).rstrip())
    return said


def numbers_of(
    cells: pd.DataFrame, names: Sequence[str], sizes: Sizes
) -> dict[str, list[list[float | None]]]:
    """List each system's intervals, as half their width in log₂, and q values.

    An interval is as wide on both sides of its ratio, for it is one of logarithms.

    Units: `sizes` [B].
    """
    known = cells.loc[cells["ratio"] > 0]
    widths = np.log2(known["ci_high"].astype(float) / known["ci_low"].astype(float))
    columns = {
        "half": (widths / 2).round(_DECIMALS),
        "q": known["q_value"].map(lambda q: float(f"{q:.2g}")),
    }
    return {
        key: [_listed(known.assign(told=told), name, sizes) for name in names]
        for key, told in columns.items()
    }


def _listed(known: pd.DataFrame, name: str, sizes: Sizes) -> list[float | None]:
    """List a number of each cell of a system, up to the last that has one."""
    own = cells_of(known, name)
    values = np.full(len(sizes[0]) * len(sizes[1]), None, dtype=object)
    values[_places(own, sizes)] = [None if v != v else v for v in own["told"].tolist()]
    last = max((k + 1 for k, v in enumerate(values) if v is not None), default=0)
    return list(values[:last])


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
    return [
        [None if v != v else round(v, _DECIMALS) for v in row.tolist()] for row in logs
    ]


def _places(cells: pd.DataFrame, sizes: Sizes) -> np.ndarray:
    """Say where cells stand among all of a map, row by row."""
    columns = ("file_size_bytes", "record_size_bytes")
    file, record = (
        np.searchsorted(own, cells[column].to_numpy(int))
        for own, column in zip(sizes, columns, strict=True)
    )
    return np.asarray(file * len(sizes[1]) + record)
