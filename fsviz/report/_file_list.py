"""What became of each file: a table on a screen, counts by folder on paper."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fsviz.model.escaping import html_text
from fsviz.text.tables import table_html

if TYPE_CHECKING:
    from collections.abc import Collection

    import pandas as pd
    from IPython.display import HTML

    from fsviz.model.campaign import Campaign

_PAGE = 40
"""Rows that fit on a sheet of paper."""
_ALIKE = ["folder", "system", "tool"]


def describe_files(campaign: Campaign, tool: str | None = None) -> HTML:
    """List how each file was used, as ``fsviz files`` does, folded away.

    Parameters
    ----------
    campaign : Campaign
        Any.
    tool : str or None
        The only tool whose files are listed, together with files of no tool.

    Returns
    -------
    IPython HTML
        Empty if the files are not known. On paper, a list longer than a page is
        replaced by counts per folder, but files with a remark or a problem are still
        named.
    """
    from IPython.display import HTML

    if campaign.files is None:
        return HTML("")
    files = campaign.files
    if tool is not None:
        files = files.loc[files["tool"].isin([tool, ""])]
    # as text, for a source may be an address
    common = os.path.commonprefix(list(files["source"]))  # noqa: RUF071
    above = common.rpartition("/")[0]
    troubled = files["source"].isin([problem.path for problem in campaign.problems])
    inside = files["source"].str.removeprefix(above).str.removeprefix("/")
    # a folder said once keeps each row on one line
    files = files.assign(source=inside) if above else files
    of = f" of <code>{html_text(above)}</code>" if above else ""
    title = f"Which file{of} went to which system, run and repeat"
    listed = f"<summary>{title}</summary>{table_html(files).data}"
    if len(files) <= _PAGE:
        return HTML(f"<details>{listed}</details>")
    counted = _on_paper(files, troubled, of)
    return HTML(
        f'<details class="on-screen">{listed}</details>'
        f'<div class="on-paper" hidden>{counted}</div>'
    )


def _on_paper(files: pd.DataFrame, troubled: pd.Series, of: str) -> str:
    """Count files by folder, and name those that something is said of."""
    remarked = files.loc[(files["remark"] != "") | troubled]
    named = ""
    if len(remarked):
        heading = "Those with a remark or a problem:"
        named = f"<p>{heading}</p>{table_html(remarked).data}"
    return (
        f"<p>Files{of} by folder; the HTML page and <code>fsviz files</code> list "
        f"each.</p>{table_html(_by_folder(files)).data}{named}"
    )


def spans(numbers: Collection[int]) -> str:
    """Write numbers with what follows one another put together.

    >>> spans({1, 2, 3, 7})
    '1–3, 7'
    """
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    ends = (dict.fromkeys((part[0], part[-1])) for part in parts)
    return ", ".join("–".join(map(str, end)) for end in ends)


def _by_folder(files: pd.DataFrame) -> pd.DataFrame:
    """Count what is alike: one row a folder, system and tool."""
    folders = files["source"].str.rpartition("/")[0].replace("", ".")
    alike = files.assign(folder=folders).groupby(_ALIKE, sort=False, dropna=False)
    counted = alike.agg(
        formats=("format", lambda values: ", ".join(values.unique())),
        files=("source", "nunique"),
        repeats=("repeat", lambda values: spans(set(values.dropna()))),
        numbers=("numbers", "sum"),
    )
    return counted.reset_index()
