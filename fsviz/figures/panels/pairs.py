"""Verdicts of every pair of systems, a character a cell, and the numbers once.

A page draws the maps against another reference from these (``js/against.js``): a ratio
of geometric means over runs is the quotient of two of them, whatever the pair.
"""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, TypeVar

from fsviz.answers.words import VERDICT_LOOKS
from fsviz.figures.panels.ratio import cell_of, is_matched, rows_of
from fsviz.model.libraries import np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from fsviz.figures.panels.marks import Cell, Marks
    from fsviz.figures.panels.ratio import Row, Told

    Ratios = Mapping[str, Sequence[Row]]

Sizes = tuple[list[int], list[int]]
"""File sizes and record sizes of a map [B]."""
_T = TypeVar("_T")
_CODES = {verdict: str(code) for code, verdict in enumerate(VERDICT_LOOKS)}
_ONE_SIDE, _NOTHING = "-", " "
_FIRST = 48
"""The character ``0``: of the first rules that concern a cell."""
_DECIMALS = 5
"""Of a logarithm, so that no printed digit of a ratio differs."""


def verdict_letters(ratios: Ratios, names: Sequence[str], sizes: Sizes) -> list[str]:
    """Write the verdict of each cell of each system: ``-`` of one side, space of none.

    Units: `sizes` [B].
    """
    return [
        _letters(
            {
                cell_of(row): _CODES[row["verdict"]] if is_matched(row) else _ONE_SIDE
                for row in ratios[name]
            },
            sizes,
        )
        for name in names
    ]


def found_letters(
    found: Mapping[str, Marks], names: Sequence[str], sizes: Sizes, rules: dict
) -> list[str]:
    """Write which rules concern each cell of each system: a character of `rules`.

    Units: `sizes` [B].
    """
    return [
        _letters(
            {
                cell: _numbered(rules, found[name].text(cell))
                for cell in found[name].cells
            },
            sizes,
        )
        for name in names
    ]


def said_letters(
    ratios: Ratios,
    told: Mapping[str, Told],
    names: Sequence[str],
    sizes: Sizes,
    words: dict[tuple[str, str, str], int],
) -> list[str]:
    """Write what is said beside each ratio of each system: a character of `words`.

    Units: `sizes` [B].
    """
    return [
        _letters(
            {
                cell_of(row): _numbered(words, told[name].beside(row))
                for row in filter(is_matched, ratios[name])
            },
            sizes,
        )
        for name in names
    ]


def _numbered(known: dict[_T, int], key: _T) -> str:
    """Give a key the next number unless it has one, as a character."""
    return chr(_FIRST + known.setdefault(key, len(known)))


def _letters(letters: Mapping[Cell, str], sizes: Sizes) -> str:
    """Write a character a cell, up to the last that has one."""
    every = (letters.get(cell, _NOTHING) for cell in product(*sizes))
    return "".join(every).rstrip()


def numbers_of(
    ratios: Ratios, names: Sequence[str], sizes: Sizes
) -> dict[str, list[list[float | None]]]:
    """List each system's intervals, as half their width in log₂, and q values.

    An interval is as wide on both sides of its ratio, for it is one of logarithms.

    Units: `sizes` [B].
    """
    told: dict[str, list[list[float | None]]] = {"half": [], "q": []}
    for name in names:
        own = list(filter(is_matched, ratios[name]))
        low, high = ([row[end] for row in own] for end in ("ci_low", "ci_high"))
        widths = np.log2(np.array(high, float) / np.array(low, float))
        columns = {
            "half": (widths / 2).round(_DECIMALS).tolist(),
            "q": [float(f"{row['q_value']:.2g}") for row in own],
        }
        for key, values in columns.items():
            cells = dict(zip(map(cell_of, own), values, strict=True))
            told[key].append(_listed(cells, sizes))
    return told


def _listed(values: Mapping[Cell, float], sizes: Sizes) -> list[float | None]:
    """List a number of each cell of a system, up to the last that has one."""
    every = [values.get(cell, math.nan) for cell in product(*sizes)]
    last = max((k + 1 for k, value in enumerate(every) if value == value), default=0)
    return [value if value == value else None for value in every[:last]]


def logarithms(
    known: pd.DataFrame, names: Sequence[str], sizes: Sizes
) -> list[list[float | None]]:
    """Say log₂ of each cell of each system: of all, against the first that has it.

    Units: `sizes` [B].
    """
    logs: dict[str, dict[Cell, float]] = {name: {} for name in names}
    for name in names:
        # cells that a system before it has are told against that one
        there = set().union(*logs.values())
        if len(there) == len(sizes[0]) * len(sizes[1]):
            break
        for other, rows in rows_of(known.loc[known["baseline"] == name]).items():
            new = [row for row in filter(is_matched, rows) if cell_of(row) not in there]
            for row in new if other in logs else ():
                logs[other][cell_of(row)] = float(np.log2(row["ratio"]))
                logs[name][cell_of(row)] = 0.0
    return [
        [
            round(own[cell], _DECIMALS) if cell in own else None
            for cell in product(*sizes)
        ]
        for own in logs.values()
    ]
