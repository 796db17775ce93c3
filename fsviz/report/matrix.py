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
from fsviz.answers.about import Scopes, place_scopes
from fsviz.answers.matrix import candidates_of, columns_of, legend, won_and_lost
from fsviz.answers.sections import settings_apart
from fsviz.answers.statement import Statement, statements
from fsviz.answers.sweeps import MOST as MANY
from fsviz.answers.sweeps import is_sweep
from fsviz.answers.words import (
    CELL,
    MARKS,
    STANDS_FOR,
    WON,
    in_two_lines,
    range_words,
    rule_words,
)
from fsviz.checks.phrases import count, listing
from fsviz.figures.kinds.overview import cell_colours, colour_end, colours_end
from fsviz.figures.page_code import packed
from fsviz.model.escaping import html_text, json_text, printable
from fsviz.model.names import fit
from fsviz.model.table import METRICS
from fsviz.model.tools import TABLE, title_of
from fsviz.model.units import format_value

if TYPE_CHECKING:
    import pandas as pd
    from IPython.display import HTML

    from fsviz.model.campaign import Campaign
    from fsviz.report.entries import Cell

Places = Mapping[tuple[str, str, str, str], str]

_BLANK = '<td class="blank"></td>'
_MEANS = "A mean is geometric, over all sizes and operations."
_SHORT = {"throughput": "B/s", "rate": "op/s", "elapsed": "time"}
"""What a column of means is about: a whole word makes the matrix too wide."""
_ROOMY = 10
"""So many columns leave room for larger cells."""
_BY_SIZE = ("iozone", TABLE)
"""The tools whose operations have tabs: their numbers are by file and record size."""
_FITS = 7
"""So many characters fit a cell of many columns."""
_WIDE = 16
"""So many columns fit 1280 px only with less between them."""


@dataclass(frozen=True, slots=True)
class View:
    """One choice of the menu."""

    group: str
    name: str
    frame: pd.DataFrame
    note: str = ""
    headline: str = ""
    end: float = 0.0
    """Where the colours of its page's maps end [log₂]; 0 without maps."""


def matrix_html(views: Sequence[View], campaign: Campaign) -> HTML:
    """Show who is faster at what, and by how many times."""
    from IPython.display import HTML

    told = _Told(_places(campaign))
    first, *others = views
    shown = f'<div class="matrix-view" id="matrix-0">{_table(first, told)}</div>'
    said = html_text(json.dumps([view.headline for view in views], ensure_ascii=False))
    lines = json_text(told.lines().replace("<", "\\u003c"))
    return HTML(
        f'<div class="matrix" data-headlines="{said}">{_menu(views)}{shown}'
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

    def of(self, row: Statement) -> str:
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


def sized(table: pd.DataFrame) -> pd.DataFrame:
    """Select the throughputs that have a file size and a record size, to draw by size.

    Parameters
    ----------
    table : DataFrame
        Measurements.

    Returns
    -------
    DataFrame
        Some of its rows; bonnie++ is left out, because nobody varies its chunk size.
    """
    ours = table["tool"].isin(_BY_SIZE) & (table["metric"] == "throughput")
    return table.loc[ours].dropna(subset=["record_size_bytes", "value"])


def card_lines(frame: pd.DataFrame) -> dict[str, Any]:
    """Give the matrix of the first tool as texts and colours, for the index."""
    from fsviz.report.entries import Cell, Line

    said = statements(frame)
    end = colour_end(said)
    sections = list(_sections(said))
    title, keys, cells = next(iter(sections), ("", [], {}))
    # the first of many settings says nothing of the others
    if not keys or sum(_tool(t) == _tool(title) for t, *_ in sections) > MANY:
        return {}
    scopes = place_scopes(cells.values())
    lines = []
    for name in dict.fromkeys(name for name, *_ in cells):
        rows = [cells.get((name, *key)) for key in keys]
        found = [_card_cell(row, scopes, end) if row else Cell() for row in rows]
        lines.append(Line(system=fit(str(name), _SHORTEST), cells=tuple(found)))
    first = fit(str(frame["baseline"].iloc[0]), _LONGEST)
    return {
        "title": f"{f'{_spelled(title)} {scopes.of_tool(title)}'.strip()}, "
        f"ratio to {first}",
        "legend": legend(cells.values(), scopes),
        "columns": tuple(
            " ".join(filter(None, (*_words(*key), scopes.of_column((title, *key)))))
            for key in keys
        ),
        "means": tuple(n for n, key in enumerate(keys) if _is_mean(key)),
        "lines": tuple(lines),
    }


_SHORTEST = 24
"""Characters of a name beside the cells of a card; cards share a window."""


def _card_cell(one: Statement, scopes: Scopes, end: float) -> Cell:
    from fsviz.report.entries import Cell

    ground, ink = cell_colours(one, end) or ("", "")
    text = one.cell + one.strip
    return Cell(text=text, about=scopes.letters(one), ground=ground, ink=ink)


def _menu(views: Sequence[View]) -> str:
    """Offer the views; it does nothing before the page's script has run."""
    if len(views) < 2:
        return ""
    groups: dict[str, list[str]] = {}
    for n, view in enumerate(views):
        ref = f' data-ref="{html_text(view.name)}"' if view.headline else ""
        option = f'<option value="matrix-{n}"{ref}>{html_text(view.name)}</option>'
        groups.setdefault(view.group, []).append(option)
    inside = "".join(
        f'<optgroup label="{html_text(group)}">{"".join(options)}</optgroup>'
        for group, options in groups.items()
    )
    return f'<label class="matrix-menu">Compare with <select>{inside}</select></label>'


_LONGEST = 40
"""Characters of a name in a line with other words."""
_CLEAR = 24
"""Characters of names beside which the menu's line has room for a sentence."""


def _table(view: View, told: _Told, *, scripted: bool = False) -> str:
    """One table: the operations of all tools beside one another."""
    said = statements(view.frame)
    first = said[0].baseline
    # the menu stands in the same line
    named = html_text(fit(first, _LONGEST))
    sections = list(_sections(said))
    names = [
        name
        for name in candidates_of(said)
        if any(name == key[0] for *_, cells in sections for key in cells)
    ]
    scopes, end = place_scopes(said), view.end or colour_end(said)
    draw = partial(_cell, told=told, scopes=scopes, scripted=scripted, end=end)
    keys = [key for _, columns, _ in sections for key in columns]
    distinct = list(dict.fromkeys(keys))
    turned = len({_tool(title) for title, *_ in sections}) == 1 and is_sweep(
        len(sections), len(names) + 1, len(distinct)
    )
    if turned:
        heads, body = _turned([first, *names], distinct, sections, draw, scopes)
        keys = distinct * (len(names) + 1)
    else:
        heads, body = _heads(sections, scopes), _own_line(first, sections)
        body += "".join(
            _line(name, scopes.systems.get(name, ()), sections, draw) for name in names
        )
    drawn = [key for *_, cells in sections for key in cells]
    kind = " roomy" if len(keys) <= _ROOMY else " wide" if len(keys) >= _WIDE else ""
    kind += " turned" * turned
    means = f" {_MEANS}" if any(map(_is_mean, keys)) else ""
    won = f" {WON}." if _counted(sections) and not turned else ""
    places = len(distinct) * len(sections) if turned else len(keys)
    more = " Empty: nothing to compare." * (places * len(names) > len(drawn))
    more += f" {CELL}."
    # in the line of the menu, unless long names fill it
    above, below = (
        (more, "") if max(map(len, (first, *names))) <= _CLEAR else ("", more)
    )
    note = f" {html_text(view.note)}." if view.note else ""
    marks = legend(said, scopes, blocks=True, ends=False)
    own = f", whose {'columns have' if turned else 'row has'} its own values"
    own *= any(s.baseline_value > 0 for s in said)
    colours = f" {colours_end(end)}." * any(cell_colours(one, end) for one in said)
    return (
        '<div class="matrix-scroll" tabindex="0" role="region" '
        f'aria-label="Matrix against {html_text(first)}"><table class="cells{kind}">'
        f"<caption>Ratio to <b>{named}</b>{own}.{note}{above}"
        f"</caption><thead>{heads}</thead>"
        f"<tbody>{body}</tbody></table></div>"
        f'<p class="soft">{html_text(marks)}.{colours}{won}{means}{below}</p>'
    )


def _tool(title: str) -> str:
    return title.partition(", ")[0]


def _turned(
    names: Sequence[str],
    keys: Sequence[tuple[str, str]],
    sections: Sequence[Section],
    draw: Callable[[Statement], str],
    scopes: Scopes,
) -> tuple[str, str]:
    """Give each setting a row; systems stand side by side, the reference first."""
    shared, labels = settings_apart(
        [next(iter(cells.values())) for *_, cells in sections]
    )
    tool = title_of(_tool(sections[0][0]))
    corner = f"{html_text(tool)}{_small(shared)}"
    systems = "".join(
        f'<th scope="colgroup" colspan="{len(keys)}">{html_text(name)}'
        f"{_small(', '.join(scopes.systems.get(name, ())), ' ')}</th>"
        for name in names
    )
    single = "".join(
        f'<th scope="col"{_MEAN if _is_mean(key) else ""}>{_title(*key)}</th>'
        for key in keys
    )
    heads = (
        f'<tr><td class="corner" rowspan="2">{corner}</td>{systems}</tr>'
        f"<tr>{single * len(names)}</tr>"
    )
    places = [(name, *key) for name in names[1:] for key in keys]
    rows = []
    for label, section in zip(labels, sections, strict=True):
        about = _small(_about(section, scopes))
        own = "".join(
            f'<td class="blank">{html_text(text)}</td>'
            for text in _own_values(keys, section[2])
        )
        found = (section[2].get(place) for place in places)
        cells = (draw(one) if one else _BLANK for one in found)
        head = f'<th scope="row">{html_text(label)}{about}</th>'
        rows.append(f"<tr>{head}{own}{''.join(cells)}</tr>")
    return heads, "".join(rows)


def _about(section: Section, scopes: Scopes) -> str:
    """Say what the answers of a row are about, and those of single columns."""
    title, columns, _ = section
    single = (
        f"{' '.join(_words(*key))} {words}"
        for key in columns
        if (words := scopes.of_column((title, *key)))
    )
    return ", ".join(filter(None, (scopes.of_tool(title), *single)))


def _own_values(
    keys: Sequence[tuple[str, str]], cells: Mapping[tuple[str, str, str], Statement]
) -> Iterator[str]:
    """The reference's own values of some columns; empty where it has none."""
    for key in keys:
        own = (one for (_, *place), one in cells.items() if tuple(place) == key)
        one = next((one for one in own if one.baseline_value > 0), None)
        yield "" if one is None else _own_value(one)


def _own_line(first: str, sections: Sequence[Section]) -> str:
    """The reference's own values, which give the ratios a ground."""
    values = [v for _, keys, cells in sections for v in _own_values(keys, cells)]
    # number and unit in two lines, which keeps the columns narrow
    inside = "".join(
        f'<td class="blank">{html_text(text).replace(" ", "<br>")}</td>'
        for text in values
    )
    last = '<td class="blank"></td>' * _counted(sections)
    if len(values) == 1:
        last = '<td class="blank"></td>' * len(_BESIDE)
    return f'<tr class="own"><th scope="row">{html_text(first)}</th>{inside}{last}</tr>'


def _own_value(one: Statement) -> str:
    text = format_value(one.baseline_value, METRICS[one.metric].unit)
    return f"{'>' * one.baseline_is_least}{text}"


_MEAN = ' class="mean"'
"""Of the title of a column of means; the page's script asks for it."""


def _is_mean(key: tuple[str, str]) -> bool:
    """Say whether a column holds means of the tool's other columns."""
    return key[0] == ALL


Section = tuple[str, list[tuple[str, str]], dict[tuple[str, str, str], Statement]]


def _sections(said: Sequence[Statement]) -> Iterator[Section]:
    """Part statements by tool, threads and setting, without what was not measured."""
    parts: dict[str, list[Statement]] = {}
    for one in said:
        if one.is_measured:
            parts.setdefault(one.section, []).append(one)
    for title, own in parts.items():
        by_place = {(one.candidate, one.operation, one.metric): one for one in own}
        yield title, columns_of(own), by_place


def _heads(sections: Sequence[Section], scopes: Scopes) -> str:
    """Two rows: tools, then their operations; last what was won and lost."""
    tools = "".join(
        f'<th scope="colgroup" colspan="{len(columns)}">{html_text(_spelled(title))}'
        f"{_small(scopes.of_tool(title), ' ')}</th>"
        for title, columns, _ in sections
    )
    single = "".join(
        f'<th scope="col"{_MEAN if _is_mean(key) else ""}>{_title(*key)}'
        f"{_small(scopes.of_column((title, *key)))}</th>"
        for title, columns, _ in sections
        for key in columns
    )
    corner = '<td class="corner" rowspan="2"></td>'
    last = '<th scope="col" rowspan="2">won /<br>lost</th>' * _counted(sections)
    if sum(len(columns) for _, columns, _ in sections) == 1:
        last = "".join(f'<th scope="col" rowspan="2">{title}</th>' for title in _BESIDE)
    return f"<tr>{corner}{tools}{last}</tr><tr>{single}</tr>"


def _spelled(section: str) -> str:
    """Write a tool as its authors do, before its threads and setting."""
    tool, comma, rest = section.partition(", ")
    return f"{title_of(tool)}{comma}{rest}"


def _small(text: str, apart: str = "") -> str:
    """Write what an answer is about under what it stands with."""
    return f"{apart}<small>{html_text(text)}</small>" if text else ""


def _counted(sections: Sequence[Section]) -> bool:
    """Say whether there is more than one operation to win, and any was won or lost."""
    several = sum(op != ALL for _, columns, _ in sections for op, _ in columns) > 1
    shown = [one for _, _, cells in sections for one in cells.values()]
    return several and any(one.decided for one in shown if not one.is_mean)


def _title(operation: str, metric: str) -> str:
    return "<br>".join(map(html_text, _words(operation, metric)))


def _words(operation: str, metric: str) -> list[str]:
    if operation == ALL:
        return ["mean", _SHORT.get(metric, metric)]
    return [line for line in in_two_lines(operation) if line]


def _line(
    name: str,
    about: tuple[str, ...],
    sections: Sequence[Section],
    draw: Callable[[Statement], str],
) -> str:
    """One system: its cells, and in how many operations of all tools it won."""
    rows = [
        cells.get((name, *key)) for _, columns, cells in sections for key in columns
    ]
    inside = "".join(draw(row) if row else _BLANK for row in rows)
    counts = won_and_lost(filter(None, rows), name) or ()
    last = f'<td class="blank">{" / ".join(map(str, counts))}</td>' * _counted(sections)
    if len(rows) == 1 and rows[0]:
        last = "".join(f'<td class="blank">{text}</td>' for text in _beside(rows[0]))
    head = f'<th scope="row">{html_text(name)}{_small(", ".join(about))}</th>'
    return f"<tr>{head}{inside}{last}</tr>"


_BESIDE = ("own value", "95 % interval", "runs of both")
"""What a matrix of one column has room for."""


def _beside(one: Statement) -> tuple[str, str, str]:
    interval = "–" if one.interval is None else range_words(*one.interval)
    metric = METRICS[one.metric]
    own = one.baseline_value * (1 / one.speed if metric.better < 0 else one.speed)
    value = format_value(own, metric.unit) if own > 0 else "–"
    runs = STANDS_FOR.get(one.stands_for, f"{one.n_candidate} and {one.n_baseline}")
    return value, interval, runs


def _cell(
    one: Statement, told: _Told, scopes: Scopes, *, scripted: bool, end: float
) -> str:
    """One cell, with all that is known of it for the script to show.

    The policy of a page allows the styles that stand in it: the script sets those of
    what is packed.
    """
    colours = cell_colours(one, end)
    style = ""
    if colours:
        ground, ink = colours
        style = (
            f' data-ground="{ground}" data-ink="{ink}"'
            if scripted
            else f' style="background:{ground};color:{ink}"'
        )
    letters = scopes.letters(one)
    kinds = ["held"] * (one.verdict == DISQUALIFIED)
    kinds += ["long"] * (len(one.cell + letters) > _FITS)
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    about = f"<sup>{html_text(letters)}</sup>" if letters else ""
    # its numbers by size stand in the tab of the operation
    place = f' data-op="{html_text(one.operation)}"' * (one.tool in _BY_SIZE)
    place += f' data-system="{html_text(one.candidate)}"'
    return (
        f'<td{kind}{style}{place} data-told="{told.of(one)}">{html_text(one.cell)}'
        f"{about}{_strip(one)}</td>"
    )


def _strip(one: Statement) -> str:
    """Blocks of the size classes, small to very large: a crossing shows at once."""
    if not one.blocks:
        return ""
    blocks = "".join(f'<i class="{verdict}"></i>' for verdict in one.blocks)
    said = " ".join(MARKS[verdict] for verdict in one.blocks)
    return (
        f'<span class="strip" role="img" aria-label="by size: {said}">{blocks}</span>'
    )


def _told(one: Statement, places: Places) -> Iterator[str]:
    """Say line by line what is behind a cell; the first line is a title."""
    what = one.operation.replace("_", " ")
    if one.is_mean:  # a tool may have a mean of each of two metrics
        what = f"all operations, {METRICS[one.metric].title}"
    names = (one.candidate, one.baseline)
    yield f"{title_of(one.tool)} {what}: {names[0]} against {names[1]}"
    yield one.words
    if one.interval:
        kind = "95 % interval" if one.speed > 0 else "bounds as printed"
        yield f"{kind}: {range_words(*one.interval)}"
    if one.speed > 0:
        of_cells = f"{count(one.cells, 'cell')} that both measured"
    else:
        of_cells = "some cells have no number on a side, such as +++++, only a limit"
    runs = f"{one.n_candidate} of {names[0]}, {one.n_baseline} of {names[1]}"
    yield f"{of_cells}; runs: {runs}"
    barred = one.verdict == DISQUALIFIED
    for title, words in (
        ("About", one.scope),
        ("Beware", map(rule_words, one.caveats)),
        ("Disqualified for", map(rule_words, one.disqualified_by if barred else ())),
        ("To do", one.advice if barred else ()),
    ):
        if text := listing(words):
            yield f"{title}: {text}"
    for name in names:
        key = (one.tool, one.operation, one.metric, name)
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
