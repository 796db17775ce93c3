"""What is left of a campaign without the cells that no verdict may rest on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fsviz.analysis.cells import performance
from fsviz.checks.findings import Examination, disqualified
from fsviz.checks.marks import PLACE, marked_rows, number_cells
from fsviz.model.errors import UsageError, printable

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign


def sound(
    campaign: Campaign, examination: Examination
) -> tuple[Campaign, pd.DataFrame]:
    """Leave out the cells that an error-level finding disqualifies by themselves.

    Parameters
    ----------
    campaign : Campaign
        As `fsviz.load` returns it.
    examination : Examination
        Of this campaign.

    Returns
    -------
    campaign : Campaign
        Without the numbers of these cells. What is wrong with a pair of systems, such
        as `durability-differs`, is not a fault of either, so it leaves nothing out.
    left_out : DataFrame
        ``rule system cells``: how many cells each rule takes from each system.

    Raises
    ------
    UsageError
        If nothing is left.
    """
    table, left_out = sound_numbers(campaign.measurements, examination)
    if performance(table).empty:
        rules = ", ".join(left_out["rule"].unique())
        raise UsageError(
            "sound: expected cells without an error-level finding, found none "
            f"({rules}; fsviz check says why)"
        )
    return replace(campaign, measurements=table), left_out


def sound_numbers(
    table: pd.DataFrame, examination: Examination
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Leave out of a table what `sound` leaves out of a campaign.

    Parameters
    ----------
    table : DataFrame
        Measurements.
    examination : Examination
        Of the campaign that they are from.

    Returns
    -------
    table : DataFrame
        The other measurements; there may be none.
    left_out : DataFrame
        ``rule system cells``: how many cells each rule takes from each system.
    """
    import numpy as np

    marks = disqualified(examination)
    row, cells = number_cells(table, ["system", *PLACE])
    found = marked_rows(cells, marks.loc[marks["against"] == ""])
    keep = ~np.isin(row, found["row"].to_numpy())
    named = found.assign(system=cells["system"].to_numpy()[found["row"]])
    counted = named.groupby(["rule", "system"], sort=False)["row"].nunique()
    kept = table.loc[keep].reset_index(drop=True)
    return kept, counted.rename("cells").reset_index()


def describe_left_out(left_out: pd.DataFrame) -> str:
    """Say in one line what `sound` left out; empty if nothing.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("too-short", "a", 3), ("too-short", "b", 2)]
    >>> describe_left_out(pd.DataFrame(rows, columns=["rule", "system", "cells"]))
    'left out for error-level findings: 5 cells by too-short (a, b)'
    """
    parts = []
    for rule, rows in left_out.groupby("rule", sort=False):
        systems = ", ".join(printable(str(name)) for name in rows["system"])
        parts.append(f"{rows['cells'].sum():,} cells by {rule} ({systems})")
    return f"left out for error-level findings: {'; '.join(parts)}" if parts else ""


def describe_unsound(campaign: Campaign, examination: Examination) -> list[str]:
    """Say how much of a campaign stands under error-level findings.

    Parameters
    ----------
    campaign : Campaign
        As `fsviz.load` returns it.
    examination : Examination
        Of this campaign.

    Returns
    -------
    list of str
        One line, or none if nothing does.
    """
    marks = disqualified(examination)
    _, cells = number_cells(campaign.measurements, ["system", *PLACE])
    found = marked_rows(cells, marks)
    if found.empty:
        return []
    rules = ", ".join(found["rule"].unique())
    line = (
        f"{found['row'].nunique():,} of {len(cells):,} cells stand under error-level "
        f"findings of fsviz check ({rules}); --sound leaves out those at fault"
    )
    return [line]
