"""The comparison at first sight as text: headline, matrix, legend, notes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fsviz.analysis.buckets import ALL
from fsviz.answers.about import Scopes, column_of, place_scopes
from fsviz.answers.matrix import (
    candidates_of,
    columns_of,
    legend,
    runs_words,
    won_and_lost,
)
from fsviz.answers.notes import notes_of
from fsviz.answers.sections import settings_apart
from fsviz.answers.statement import Statement
from fsviz.answers.statement import statements as made_of
from fsviz.answers.sweeps import is_sweep
from fsviz.answers.words import (
    SHORT_UNITS,
    STYLES,
    WON,
    in_two_lines,
    short_value,
)
from fsviz.checks.phrases import count
from fsviz.model.escaping import markdown_text, printable
from fsviz.model.names import fit, fit_each
from fsviz.model.table import METRICS
from fsviz.text.workbook import BOLD, Sheet, Styled

if TYPE_CHECKING:
    import pandas as pd

WIDTH = 80
"""Columns where nobody says how wide the terminal is."""

HEIGHT = 40
"""Lines of a terminal that nine systems must fit, as far as rows and notes can."""

NOTES = 10
"""Lines of notes at most."""

MORE = "More: --intervals, --by bucket, --cells; what to beware of: fsviz check"

_SHEET = 110
"""Letters of a line of a sheet."""
_LONGEST, _NARROWEST, _NAME, _GAP = 18, 40, 10, " "
_SETTING = 28
"""Columns of a row's name where it is a setting."""
_WON = ("won/", "lost")
Lines = tuple[str, ...]
_WHOLE = {"throughput": "thrput", "rate": "rate", "elapsed": "time"}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the matrix: lines of title, a text and a style a system."""

    title: tuple[str, ...]
    cells: dict[str, str]
    verdicts: dict[str, str]

    @property
    def width(self) -> int:
        """Columns of the terminal that it takes."""
        return max(map(len, (*self.title, *self.cells.values())))


def overview_text(
    frame: pd.DataFrame,
    headline: str,
    width: int = WIDTH,
    *,
    colour: bool = False,
    why: str = "",
) -> str:
    """Draw an overview: headline, systems × operations, legend and notes.

    ``why`` says why its baseline is one.
    """
    width = max(width, _NARROWEST)
    statements = made_of(frame)
    scopes = place_scopes(statements)
    first = statements[0].baseline
    sections = list(_sections(statements, scopes))
    systems = [first, *candidates_of(statements)]
    names = _rows(systems, sections)
    left = [*map(printable, names), *(line for lines, _ in sections for line in lines)]
    longest = _LONGEST if len(names) == len(systems) else _SETTING
    room = min(longest, max(map(len, left)))
    parts = _blocks(sections, width - room)
    ended = _with_ends(parts, scopes, width - room)
    blocks = [
        list(_matrix(tool, columns, names, room, colour)) for tool, columns in parts
    ]
    said = _wrapped(headline, width)
    marks = _explained(statements, scopes, ends=not ended)
    below = [*_wrapped(marks, width), *_wrapped(MORE, width)]
    rows = sum(map(len, blocks)) + len(said) + len(below) + 2
    notes = _notes(statements, width, HEIGHT - rows)
    spare = rows + len(notes) + len(blocks) - 1 <= HEIGHT
    matrix = [line for block in blocks for line in (*block, *([""] if spare else []))]
    because = f" ({printable(why)})" if why else ""
    against = f"Each system against {printable(first)}{because}:"
    lines = [
        *said,
        fit(against, width),
        *matrix,
        *([] if spare else [""]),
        *below[:-1],
        *notes,
    ]
    return "\n".join(line.rstrip() for line in [*lines, below[-1]]) + "\n"


def _with_ends(
    blocks: Sequence[tuple[Lines, list[Column]]], scopes: Scopes, room: int
) -> bool:
    """Say at the rows' ends what these are about, if a block has room for all words."""
    words = {name: ", ".join(own) for name, own in scopes.systems.items()}
    about = Column(("about",), words, {})
    for _, columns in reversed(blocks):
        there = {name for column in columns for name in column.cells}
        if words and {*words} <= there and _width([*columns, about]) <= room:
            columns.append(about)
            return True
    return False


def _explained(said: Sequence[Statement], scopes: Scopes, *, ends: bool = True) -> str:
    """Explain every mark, letter and unit of the matrix."""
    first = said[0].baseline
    columns = [column for _, own in _sections(said, scopes) for column in own]
    won = f" {WON}." if any(c.title == _WON for c in columns) else ""
    timed = [s for s in said if s.is_measured and s.baseline_value > 0]
    values = [short_value(s.baseline_value, METRICS[s.metric].unit) for s in timed]
    own = f" {printable(first)}: its own values{_units(values)}." if values else ""
    explained = f"{legend(said, scopes, ends=ends)}.{won}{own} {runs_words(said)}"
    return explained.rstrip()


def _units(values: Iterable[str]) -> str:
    """Explain the short units of the baseline's own values."""
    letters = {value[-1] for value in values}
    said = [f"{one} {unit}" for one, unit in SHORT_UNITS.items() if one in letters]
    return f" ({', '.join(said)})" if said else ""


def overview_markdown(frame: pd.DataFrame, headline: str) -> str:
    """Write an overview as Markdown: headline, a table a tool, legend, folded notes."""
    statements = made_of(frame)
    parts = [f"**{markdown_text(headline)}**"]
    scopes = place_scopes(statements)
    for heads, rows in _plain_tables(statements, scopes):
        lines = [heads, *([str(cell.value) for cell in row] for row in rows)]
        escaped = [[markdown_text(text) for text in line] for line in lines]
        escaped.insert(1, ["---"] * len(heads))
        parts.append("\n".join(f"| {' | '.join(line)} |" for line in escaped))
    parts.append(markdown_text(_explained(statements, scopes)))
    if notes := [f"- {markdown_text(note)}" for note in notes_of(statements)]:
        folded = "<details><summary>What to know</summary>", "\n".join(notes)
        parts += [*folded, "</details>"]
    return "\n\n".join(parts) + "\n"


def overview_sheet(frame: pd.DataFrame, headline: str, why: str = "") -> Sheet:
    """Lay an overview out as a sheet: headline, a table a tool, legend, all notes."""
    statements = made_of(frame)
    scopes = place_scopes(statements)
    against = f"Each system against {statements[0].baseline}"
    rows: list[Sequence[object]] = [
        [Styled(line, BOLD)] for line in _sheet_lines(headline)
    ]
    rows += [(), [f"{against} ({why})" if why else against]]
    for heads, systems in _plain_tables(statements, scopes):
        rows += [(), [Styled(head, BOLD) for head in heads]]
        rows += systems
    marks = _explained(statements, scopes)
    notes = [line for note in notes_of(statements) for line in _sheet_lines(note)]
    rows += [(), *([line] for line in _sheet_lines(marks))]
    rows += [(), [Styled("What to know", BOLD)], *([line] for line in notes)]
    return Sheet("answer", rows, head=False)


def _sheet_lines(text: str) -> list[str]:
    return _wrapped(text, _SHEET)


def _plain_tables(
    said: Sequence[Statement], scopes: Scopes
) -> Iterator[tuple[list[str], list[list[Styled]]]]:
    """List the heads and rows of each tool, of any width."""
    first = said[0].baseline
    sections = list(_sections(said, scopes))
    names = _rows([first, *candidates_of(said)], sections)
    for tool, columns in sections:
        rows = [
            [
                Styled(name),
                *(
                    Styled(c.cells.get(name, ""), c.verdicts.get(name, ""))
                    for c in columns
                ),
            ]
            for name in names
            if any(c.cells.get(name) for c in columns)
        ]
        heads = [" ".join(c.title).strip().replace("/ ", "/") for c in columns]
        yield [f"{' '.join(tool).strip()} against {first}", *heads], rows


def _notes(said: Sequence[Statement], width: int, spare: int) -> list[str]:
    """Wrap the notes into the lines that a screen has left, three to ten."""
    most = min(NOTES, max(3, spare))
    lines = [line for note in notes_of(said) for line in _wrapped(note, width, "  ")]
    if len(lines) <= most:
        return lines
    more = f"  … {count(len(lines) - most + 1, 'line')} more: fsviz check, --intervals"
    return [*lines[: most - 1], more]


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False)


def _blocks(
    sections: Sequence[tuple[Lines, list[Column]]], room: int
) -> list[tuple[Lines, list[Column]]]:
    """Part the columns into blocks that fit; a tool begins a block of its own.

    A tool of one operation joins the block before it, with its name in the title.
    """
    blocks: list[tuple[Lines, list[Column]]] = []
    for tool, columns in sections:
        if len(columns) == 1 and blocks:
            operation, *about = [line for line in columns[0].title if line]
            lines = (tool[0], operation, *about, *tool[1:])
            alone = replace(columns[0], title=tuple(fit(line, _NAME) for line in lines))
            if _width([*blocks[-1][1], alone]) <= room:
                blocks[-1][1].append(alone)
                continue
        blocks += [(tool, chunk) for chunk in _chunks(columns, room)]
    return blocks


def _width(columns: Sequence[Column]) -> int:
    return sum(column.width + len(_GAP) for column in columns)


def _chunks(columns: Sequence[Column], room: int) -> Iterator[list[Column]]:
    """Part the columns of a tool evenly into as few blocks as fit."""
    fewest = -(-_width(columns) // room)
    for number in range(fewest, len(columns) + 1):
        size = -(-len(columns) // number)
        parts = [list(columns[i : i + size]) for i in range(0, len(columns), size)]
        if all(_width(part) <= room for part in parts):
            break
    yield from parts


def _sections(
    said: Sequence[Statement], scopes: Scopes
) -> Iterator[tuple[Lines, list[Column]]]:
    """List the columns of each tool, number of threads and setting."""
    parts: dict[tuple[str, int | None, str], list[Statement]] = {}
    for one in said:
        parts.setdefault((one.tool, one.threads, one.setting), []).append(one)
    counts = {tool: {n for t, n, _ in parts if t == tool} for tool, *_ in parts}
    swept = {
        tool: _settings(own for (t, *_), own in parts.items() if t == tool)
        for tool in counts
    }
    named: set[str] = set()
    for (tool, threads, setting), own in parts.items():
        if swept[tool]:
            if tool not in named:
                yield _turned(tool, swept[tool], scopes)
            named.add(tool)
            continue
        columns = _columns(own, scopes)
        if not columns:
            continue
        # with settings there are many columns, and a tool's name takes their room
        words = [tool] if tool not in named or not setting else []
        words += [f"{threads} thr."] if len(counts[tool]) > 1 else []
        named.add(tool)
        # what varies must not be cut off behind what does not
        first, *further = map(printable, setting.split("; "))
        name = " ".join(filter(None, (*map(printable, words), first)))
        yield _lines(name, *further, scopes.of_tool(own[0].section)), columns


def _settings(parts: Iterable[list[Statement]]) -> list[list[Statement]]:
    """List what a tool measured at each setting if each is to have a row."""
    known = [[one for one in own if one.is_measured] for own in parts]
    settings = [own for own in known if own]
    said = [one for own in settings for one in own]
    systems, columns = len(candidates_of(said)) + 1, len(columns_of(said))
    return settings if is_sweep(len(settings), systems, columns) else []


def _turned(
    tool: str, settings: Sequence[Sequence[Statement]], scopes: Scopes
) -> tuple[Lines, list[Column]]:
    """Give each setting a row, and each operation of each system a column."""
    said = [one for own in settings for one in own]
    shared, labels = settings_apart([own[0] for own in settings])
    about = [scopes.of_tool(own[0].section) for own in settings]
    labels = [" ".join(filter(None, pair)) for pair in zip(labels, about, strict=True)]
    first = said[0].baseline
    columns = []
    for name in (first, *candidates_of(said)):
        for key in columns_of(said):
            cells, verdicts = dict[str, str](), dict[str, str]()
            for label, own in zip(labels, settings, strict=True):
                here = [s for s in own if (s.operation, s.metric) == key]
                if name == first:
                    cells[label] = _own_value(here)
                elif one := next((s for s in here if s.candidate == name), None):
                    column = scopes.of_column(column_of(one))
                    text = f"{one.cell}{one.strip}{scopes.letters(one)} {column}"
                    cells[label], verdicts[label] = text.rstrip(), one.answer
            title = map(printable, (*_title(*key), name))
            columns.append(Column(tuple(fit(t, _NAME) for t in title), cells, verdicts))
    return _lines(printable(tool), *map(printable, shared.split(", "))), columns


def _rows(
    systems: Sequence[str], sections: Iterable[tuple[Lines, list[Column]]]
) -> list[str]:
    """List what has rows: the systems, then settings."""
    cells = (column.cells for _, columns in sections for column in columns)
    return [*dict.fromkeys([*systems, *(name for own in cells for name in own)])]


def _lines(*lines: str) -> Lines:
    return tuple(filter(None, lines))


def _columns(own: Sequence[Statement], scopes: Scopes) -> list[Column]:
    """One column an operation, then the mean of each metric, then wins and losses.

    What no system measured has none; a note names it.
    """
    drawn = [
        _column(
            _title(operation, metric),
            [one for one in own if (one.operation, one.metric) == (operation, metric)],
            scopes,
        )
        for operation, metric in columns_of(own)
    ]
    columns = [column for column in drawn if any(column.cells.values())]
    if len(columns) < 2:
        return columns
    wins = {
        name: "/".join(map(str, counts))
        for name in candidates_of(own)
        if (counts := won_and_lost(own, name))
    }
    return [*columns, Column(_WON, wins, {})] if wins else columns


def _title(operation: str, metric: str) -> Lines:
    if operation == ALL:
        return "mean", _WHOLE.get(metric, "all")
    return in_two_lines(operation)


def _own_value(own: Sequence[Statement]) -> str:
    """The baseline's own value of a column; empty if it has none."""
    first = next((s for s in own if s.is_measured and s.baseline_value > 0), None)
    if first is None:
        return ""
    value = short_value(first.baseline_value, METRICS[first.metric].unit)
    return f"{'>' * first.baseline_is_least}{value}"


def _column(title: Lines, own: Sequence[Statement], scopes: Scopes) -> Column:
    cells = {one.candidate: one.cell + one.strip + scopes.letters(one) for one in own}
    verdicts = {one.candidate: one.answer for one in own if one.is_measured}
    # where no candidate has an answer the column stays out, which a note says
    if value := _own_value(own):
        cells[own[0].baseline] = value
    shown = (fit(printable(line), _NAME) for line in title)
    lines = _lines(*shown, scopes.of_column(column_of(own[0])))
    return Column(lines, cells, verdicts)


def _matrix(
    tool: Lines,
    columns: Sequence[Column],
    names: Sequence[str],
    room: int,
    colour: bool,
) -> Iterator[str]:
    """Draw the titles of a block, and each system that has something in it."""
    heads = [tuple(fit(line, room) for line in tool), *(c.title for c in columns)]
    widths = [room, *(column.width for column in columns)]
    for n in range(-max(map(len, heads)), 0):
        lines = [head[n] if -n <= len(head) else "" for head in heads]
        yield _GAP.join(map(str.ljust, lines, widths))
    shown = fit_each(map(printable, names), room)
    for name in names:
        if not any(column.cells.get(name) for column in columns):
            continue
        cells = [
            _paint(column.cells.get(name, "").ljust(column.width), style, colour)
            for column in columns
            for style in [STYLES.get(column.verdicts.get(name, ""), "")]
        ]
        yield _GAP.join([shown[printable(name)].ljust(room), *cells])


def _paint(text: str, style: str, colour: bool) -> str:
    if not style or not colour:
        return text
    from rich.color import ColorSystem
    from rich.style import Style

    return Style.parse(style).render(text, color_system=ColorSystem.STANDARD)
