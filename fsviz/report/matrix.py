"""The matrix of a page: one row a system, one column an operation, in plain HTML.

It needs no script to be read. With one, a menu changes the reference or the sizes, and
a cell opens what is behind it: all of that is made beforehand and stands in the page,
packed but for what is shown first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from fsviz.analysis.buckets import ALL
from fsviz.analysis.verdicts import DISQUALIFIED
from fsviz.checks.overview import SECTION
from fsviz.checks.overview_cells import (
    cell_text,
    cell_words,
    columns_of,
    in_two_lines,
    legend,
    measured,
    range_words,
    scope_letter,
)
from fsviz.checks.words import count, listing
from fsviz.figures.choosing import tool_title
from fsviz.figures.export import packed
from fsviz.figures.kinds.overview import cell_colours
from fsviz.model.escaping import html_text, json_text, printable
from fsviz.model.names import fit
from fsviz.model.table import METRICS

if TYPE_CHECKING:
    import pandas as pd
    from IPython.display import HTML

    from fsviz.model.campaign import Campaign

Row = Mapping[str, object]
Places = Mapping[tuple[str, str, str, str], str]

_BLANK = '<td class="blank"></td>'
_MEANS = "A mean is geometric, over the cells of all operations."
_SHORT = {"throughput": "B/s", "rate": "op/s", "elapsed": "time"}
"""What a column of means is about: a whole word makes the matrix too wide."""
_ROOMY = 10
"""So many columns leave room for larger cells."""


@dataclass(frozen=True, slots=True)
class View:
    """One choice of the menu."""

    group: str
    name: str
    frame: pd.DataFrame
    note: str = ""


def matrix_html(views: Sequence[View], campaign: Campaign) -> HTML:
    """Show who is faster at what, and by how many times."""
    from IPython.display import HTML

    told = _Told(_places(campaign))
    first, *others = views
    shown = f'<div class="matrix-view" id="matrix-0">{_table(first, told)}</div>'
    lines = json_text(told.lines().replace("<", "\\u003c"))
    return HTML(
        f'<div class="matrix">{_menu(views)}{shown}'
        f'<script type="application/json" class="matrix-lines">{lines}</script>'
        f"{_more(others, told)}"
        '<dialog class="matrix-told" aria-label="What is behind this cell"></dialog>'
        "</div>"
    )


def _more(views: Sequence[View], told: _Told) -> str:
    """Pack the views that only a script shows, and the lines behind their cells."""
    if not views:
        return ""
    known = told.count()
    tables = [_table(view, told, scripted=True) for view in views]
    text = json.dumps(tables, ensure_ascii=False)
    data = packed(f'{{"views": {text}, "lines": {told.lines(known)}}}')
    return f'<script type="application/json" class="matrix-more">{data}</script>'


class _Told:
    """What is behind the cells: each line stands in the page once, cells name them."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._numbers: dict[str, int] = {}

    def of(self, row: Row) -> str:
        """Name the lines about a cell by their numbers."""
        lines = map(printable, _told(row, self._places))
        numbers = (self._numbers.setdefault(s, len(self._numbers)) for s in lines)
        return " ".join(map(str, numbers))

    def count(self) -> int:
        """Say how many lines have been named."""
        return len(self._numbers)

    def lines(self, start: int = 0) -> str:
        """All lines from one on, as JSON."""
        return json.dumps(list(self._numbers)[start:], ensure_ascii=False)


def card_lines(frame: pd.DataFrame) -> dict[str, Any]:
    """Give the matrix of the first tool as texts and colours, for the index."""
    from fsviz.report.index import Cell, Line

    title, keys, cells = next(iter(_sections(frame)), ("", [], {}))
    if not keys:
        return {}
    lines = []
    for name in dict.fromkeys(name for name, *_ in cells):
        rows = [cells.get((name, *key)) for key in keys]
        found = [
            Cell(**dict(zip(_FIELDS, _looks(row), strict=True))) if row else Cell()
            for row in rows
        ]
        lines.append(Line(system=fit(str(name), _SHORTEST), cells=tuple(found)))
    first = fit(str(frame["baseline"].iloc[0]), _LONGEST)
    return {
        "title": f"{title}, times as fast or slow as {first}",
        "legend": legend(cells.values()),
        "columns": tuple(" ".join(_words(*key)) for key in keys),
        "means": tuple(n for n, key in enumerate(keys) if _is_mean(key)),
        "lines": tuple(lines),
    }


_SHORTEST = 24
"""Characters of a name beside the cells of a card; cards share a window."""
_FIELDS = ("text", "about", "ground", "ink")


def _looks(row: dict) -> tuple[str, str, str, str]:
    return (*_text_and_letter(row), *(cell_colours(row) or ("", "")))


def _text_and_letter(row: Row) -> tuple[str, str]:
    """Part a cell's text from the letter of what it is about, which stands raised."""
    text, letter = cell_text(row), scope_letter(row)
    if not text or not letter:
        return text, ""
    return text.removesuffix(letter), letter


def _menu(views: Sequence[View]) -> str:
    """Offer the views; it does nothing before the page's script has run."""
    if len(views) < 2:
        return ""
    groups: dict[str, list[str]] = {}
    for n, view in enumerate(views):
        option = f'<option value="matrix-{n}">{html_text(view.name)}</option>'
        groups.setdefault(view.group, []).append(option)
    inside = "".join(
        f'<optgroup label="{html_text(group)}">{"".join(options)}</optgroup>'
        for group, options in groups.items()
    )
    return f'<label class="matrix-menu">Compare with <select>{inside}</select></label>'


_LONGEST = 40
"""Characters of a name in a line with other words."""


def _table(view: View, told: _Told, *, scripted: bool = False) -> str:
    """One table: the operations of all tools beside one another."""
    frame = view.frame
    first = html_text(frame["baseline"].iloc[0])
    # the menu stands in the same line
    named = html_text(fit(str(frame["baseline"].iloc[0]), _LONGEST))
    sections = list(_sections(frame))
    names = [
        name
        for name in frame["candidate"].unique()
        if any(name == key[0] for *_, cells in sections for key in cells)
    ]
    draw = partial(_cell, told=told, scripted=scripted)
    body = "".join(_line(name, sections, draw) for name in names)
    keys = [key for _, columns, _ in sections for key in columns]
    kind = "cells roomy" if len(keys) <= _ROOMY else "cells"
    means = f" {_MEANS}" if any(map(_is_mean, keys)) else ""
    note = f" {html_text(view.note)}." if view.note else ""
    return (
        '<div class="matrix-scroll" tabindex="0" role="region" '
        f'aria-label="Matrix against {first}"><table class="{kind}">'
        f"<caption>Times as fast or slow as <b>{named}</b>.{note}</caption>"
        f"<thead>{_heads(sections)}</thead><tbody>{body}</tbody></table></div>"
        f'<p class="soft">{html_text(legend(frame.to_dict("records")))}.{means}</p>'
    )


_MEAN = ' class="mean"'
"""Of the title of a column of means; the page's script asks for it."""


def _is_mean(key: tuple[str, str]) -> bool:
    """Say whether a column holds means of the tool's other columns."""
    return key[0] == ALL


Section = tuple[str, list[tuple[str, str]], dict[tuple[str, str, str], dict]]


def _sections(frame: pd.DataFrame) -> Iterator[Section]:
    """Part a frame by tool and threads, without what was not measured."""
    for _, own in frame.groupby(SECTION, sort=False, dropna=False, observed=True):
        rows = own.loc[[measured(row) for row in own.to_dict("records")]]
        if len(rows):
            yield tool_title(rows), columns_of(rows), _by_place(rows)


def _by_place(rows: pd.DataFrame) -> dict[tuple[str, str, str], dict]:
    return {
        (row["candidate"], row["operation"], str(row["metric"])): row
        for row in rows.to_dict("records")
    }


def _heads(sections: Sequence[Section]) -> str:
    """Two rows: tools, then their operations; last what was won and lost."""
    tools = "".join(
        f'<th scope="colgroup" colspan="{len(columns)}">{html_text(title)}</th>'
        for title, columns, _ in sections
    )
    single = "".join(
        f'<th scope="col"{_MEAN if _is_mean(key) else ""}>{_title(*key)}</th>'
        for _, columns, _ in sections
        for key in columns
    )
    corner = '<td class="corner" rowspan="2"></td>'
    last = '<th scope="col" rowspan="2">won /<br>lost</th>' * _counted(sections)
    if sum(len(columns) for _, columns, _ in sections) == 1:
        last = "".join(f'<th scope="col" rowspan="2">{title}</th>' for title in _BESIDE)
    return f"<tr>{corner}{tools}{last}</tr><tr>{single}</tr>"


def _counted(sections: Sequence[Section]) -> bool:
    """Say whether there is more than one operation to win."""
    return sum(op != ALL for _, columns, _ in sections for op, _ in columns) > 1


def _title(operation: str, metric: str) -> str:
    return "<br>".join(map(html_text, _words(operation, metric)))


def _words(operation: str, metric: str) -> list[str]:
    if operation == ALL:
        return ["mean", _SHORT.get(metric, metric)]
    return [line for line in in_two_lines(operation) if line]


def _line(name: str, sections: Sequence[Section], draw: Callable[[Row], str]) -> str:
    """One system: its cells, and in how many operations of all tools it won."""
    rows = [
        cells.get((name, *key)) for _, columns, cells in sections for key in columns
    ]
    inside = "".join(draw(row) if row else _BLANK for row in rows)
    single = [row for row in rows if row and row["operation"] != ALL]
    won, lost = (
        sum(row["verdict"] == verdict for row in single)
        for verdict in ("faster", "slower")
    )
    last = f'<td class="blank">{won} / {lost}</td>' * _counted(sections)
    if len(rows) == 1 and rows[0]:
        last = "".join(f'<td class="blank">{text}</td>' for text in _beside(rows[0]))
    return f'<tr><th scope="row">{html_text(name)}</th>{inside}{last}</tr>'


_BESIDE = ("95 % interval", "runs")
"""What a matrix of one column has room for."""


def _beside(row: Row) -> tuple[str, str]:
    low, high = (float(str(row[name])) for name in ("speed_low", "speed_high"))
    known = low == low and high == high and float(str(row["ratio"])) > 0
    interval = range_words(low, high) if known else "–"
    return interval, f"{row['n_candidate']} and {row['n_baseline']}"


def _cell(row: Row, told: _Told, *, scripted: bool) -> str:
    """One cell, with all that is known of it for the script to show.

    The policy of a page allows the styles that stand in it: the script sets those of
    what is packed.
    """
    text, letter = _text_and_letter(row)
    colours = cell_colours(dict(row))
    style = ""
    if colours:
        ground, ink = colours
        style = (
            f' data-ground="{ground}" data-ink="{ink}"'
            if scripted
            else f' style="background:{ground};color:{ink}"'
        )
    kind = ' class="held"' if row["verdict"] == DISQUALIFIED else ""
    about = f"<sup>{html_text(letter)}</sup>" if letter else ""
    behind = told.of(row)
    return f'<td{kind}{style} data-told="{behind}">{html_text(text)}{about}</td>'


def _told(row: Row, places: Places) -> Iterator[str]:
    """Say line by line what is behind a cell; the first line is a title."""
    operation, metric = str(row["operation"]), str(row["metric"])
    what = operation.replace("_", " ")
    if operation == ALL:  # a tool may have a mean of each of two metrics
        what = f"all operations, {METRICS[metric].title}"
    names = (str(row["candidate"]), str(row["baseline"]))
    yield f"{row['tool']} {what}: {names[0]} against {names[1]}"
    yield cell_words(row)
    low, high = float(str(row["speed_low"])), float(str(row["speed_high"]))
    known = float(str(row["ratio"])) > 0
    if low == low and high == high:
        kind = "95 % interval" if known else "bounds as printed"
        yield f"{kind}: {range_words(low, high)}"
    if known:
        of_cells = f"{count(int(str(row['cells'])), 'cell')} that both measured"
    else:
        of_cells = "some cells have no number on a side, such as +++++, only a limit"
    runs = f"{row['n_candidate']} of {names[0]}, {row['n_baseline']} of {names[1]}"
    yield f"{of_cells}; runs: {runs}"
    for title, words in (("About", row["scope"]), ("Beware", row["caveats"])):
        if isinstance(words, list) and words:
            yield f"{title}: {listing(words)}"
    for column in ("disqualified_by", "advice"):
        words = row[column]
        if row["verdict"] == DISQUALIFIED and isinstance(words, list) and words:
            yield f"{'Because of' if column == 'disqualified_by' else 'To do'}: " + (
                listing(words)
            )
    for name in names:
        key = (str(row["tool"]), operation, metric, name)
        if key in places:
            yield f"{name}: {places[key]}"


def _places(campaign: Campaign) -> dict[tuple[str, str, str, str], str]:
    """Say of each operation and system where its numbers were printed."""
    table = campaign.measurements
    table = table.loc[table[["value", "low", "high"]].notna().any(axis="columns")]
    keys = ["tool", "operation", "metric", "system"]
    grouped = table.groupby(keys, observed=True, sort=False)
    files = grouped["source"].nunique()
    first = grouped[["source", "locator"]].first()
    return {
        (str(tool), str(operation), str(metric), str(system)): _place(
            str(source), str(locator), int(number)
        )
        for (tool, operation, metric, system), source, locator, number in zip(
            first.index, first["source"], first["locator"], files, strict=True
        )
    }


def _place(source: str, locator: str, files: int) -> str:
    more = f", and {count(files - 1, 'more file')}" if files > 1 else ""
    return f"from {source}, {locator}{more}"
