"""The comparison at first sight as text: headline, matrix, legend, notes."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fsviz.analysis.buckets import ALL
from fsviz.analysis.verdicts import DISQUALIFIED
from fsviz.checks.overview import SECTION
from fsviz.checks.overview_cells import (
    MARKS,
    cell_text,
    columns_of,
    in_two_lines,
    legend,
    measured,
    ran,
)
from fsviz.checks.words import count, listing
from fsviz.model.escaping import markdown_text, printable
from fsviz.model.names import fit
from fsviz.model.table import OPERATIONS

if TYPE_CHECKING:
    import pandas as pd

WIDTH = 80
"""Columns where nobody says how wide the terminal is."""

HEIGHT = 40
"""Lines of a terminal that nine systems must fit, as far as rows and notes can."""

NOTES = 10
"""Lines of notes at most."""

MORE = "More: --intervals, --by bucket, --cells; what to beware of: fsviz check"

_LONGEST, _NARROWEST, _NAME, _GAP = 18, 40, 10, " "
_STYLES = {"faster": "green", "slower": "red", DISQUALIFIED: "magenta"}
_WHOLE = {"throughput": "thrput", "rate": "rate", "elapsed": "time"}

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the matrix: two lines of title, a text and a style a system."""

    title: tuple[str, str]
    cells: dict[str, str]
    styles: dict[str, str]

    @property
    def width(self) -> int:
        """Columns of the terminal that it takes."""
        return max(map(len, (*self.title, *self.cells.values())))


def overview_text(
    frame: pd.DataFrame, headline: str, width: int = WIDTH, *, colour: bool = False
) -> str:
    """Draw an overview: headline, systems × operations, legend and notes."""
    width = max(width, _NARROWEST)
    names = [str(name) for name in frame["candidate"].unique()]
    left = [*map(printable, names), *(tool for tool, _ in _sections(frame))]
    room = min(_LONGEST, max(map(len, left)))
    blocks = [
        list(_matrix(tool, columns, names, room, colour))
        for tool, columns in _blocks(frame, width - room)
    ]
    said = _wrapped(headline, width)
    marks = legend(frame.to_dict("records"))
    below = [*_wrapped(marks, width), *_wrapped(MORE, width)]
    rows = sum(map(len, blocks)) + len(said) + len(below) + 2
    notes = _notes(frame, width, HEIGHT - rows)
    spare = rows + len(notes) + len(blocks) - 1 <= HEIGHT
    matrix = [line for block in blocks for line in (*block, *([""] if spare else []))]
    against = f"Each system against {printable(str(frame['baseline'].iloc[0]))}:"
    parts = [
        *said,
        fit(against, width),
        *matrix,
        *([] if spare else [""]),
        *below[:-1],
        *notes,
    ]
    return "\n".join(line.rstrip() for line in [*parts, below[-1]]) + "\n"


def overview_markdown(frame: pd.DataFrame, headline: str) -> str:
    """Write an overview as Markdown: headline, a table a tool, legend."""
    names = [str(name) for name in frame["candidate"].unique()]
    against = markdown_text(str(frame["baseline"].iloc[0]))
    parts = [f"**{markdown_text(headline)}**"]
    for tool, columns in _sections(frame):
        heads = [
            markdown_text(" ".join(c.title).strip().replace("/ ", "/")) for c in columns
        ]
        rows = [
            [
                markdown_text(name),
                *(markdown_text(c.cells.get(name, "")) for c in columns),
            ]
            for name in names
            if any(c.cells.get(name) for c in columns)
        ]
        first = [f"{markdown_text(tool)} against {against}", *heads]
        lines = [first, ["---"] * len(first), *rows]
        parts.append("\n".join(f"| {' | '.join(line)} |" for line in lines))
    marks = legend(frame.to_dict("records"))
    return "\n\n".join([*parts, markdown_text(marks) + "."]) + "\n"


def _notes(frame: pd.DataFrame, width: int, spare: int) -> list[str]:
    """Wrap the notes into the lines that a screen has left, three to ten."""
    most = min(NOTES, max(3, spare))
    lines = [line for note in notes_of(frame) for line in _wrapped(note, width, "  ")]
    if len(lines) <= most:
        return lines
    more = f"  … {count(len(lines) - most + 1, 'line')} more: fsviz check, --intervals"
    return [*lines[: most - 1], more]


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False)


def _blocks(frame: pd.DataFrame, room: int) -> list[tuple[str, list[Column]]]:
    """Part the columns into blocks that fit; a tool begins a block of its own.

    A tool of one operation joins the block before it, with its name in the title.
    """
    blocks: list[tuple[str, list[Column]]] = []
    for tool, columns in _sections(frame):
        if len(columns) == 1 and blocks:
            operation = " ".join(columns[0].title).strip()
            alone = replace(columns[0], title=(fit(tool, _NAME), fit(operation, _NAME)))
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


def _sections(frame: pd.DataFrame) -> Iterator[tuple[str, list[Column]]]:
    """List the columns of each tool and number of threads."""
    several = frame.groupby("tool", observed=True)["threads"].nunique() > 1
    for key, own in frame.groupby(SECTION, sort=False, dropna=False, observed=True):
        tool = printable(str(key[0]))
        columns = _columns(own)
        if columns:
            yield f"{tool} {key[1]} thr." if several[key[0]] else tool, columns


def _columns(own: pd.DataFrame) -> list[Column]:
    """One column an operation, then the mean of each metric, then wins and losses.

    What no system measured has none; a note names it.
    """
    drawn = [
        _column(
            ("mean", _WHOLE.get(metric, "all"))
            if operation == ALL
            else in_two_lines(operation),
            own.loc[(own["operation"] == operation) & (own["metric"] == metric)],
        )
        for operation, metric in columns_of(own)
    ]
    columns = [column for column in drawn if any(column.cells.values())]
    if len(columns) < 2:
        return columns
    single = own.loc[own["operation"] != ALL]
    wins = {
        str(row["candidate"]): f"{row['wins']}/{row['losses']}"
        for row in single.drop_duplicates("candidate").to_dict("records")
        if row["wins"] or row["losses"]
    }
    return [*columns, Column(("won/", "lost"), wins, {})]


def _column(title: tuple[str, str], rows: pd.DataFrame) -> Column:
    records = rows.to_dict("records")
    cells = {str(row["candidate"]): cell_text(row) for row in records}
    styles = {
        str(row["candidate"]): _STYLES[row["verdict"]]
        for row in records
        if row["verdict"] in _STYLES and measured(row)
    }
    shown = (fit(printable(title[0]), _NAME), fit(printable(title[1]), _NAME))
    return Column(shown, cells, styles)


def _matrix(
    tool: str, columns: Sequence[Column], names: Sequence[str], room: int, colour: bool
) -> Iterator[str]:
    """Draw the titles of a block, and each system that has something in it."""
    for n, left in enumerate(("", fit(tool, room))):
        titles = [column.title[n].ljust(column.width) for column in columns]
        yield _GAP.join([left.ljust(room), *titles])
    for name in names:
        if not any(column.cells.get(name) for column in columns):
            continue
        cells = [
            _paint(column.cells.get(name, "").ljust(column.width), style, colour)
            for column in columns
            for style in [column.styles.get(name, "")]
        ]
        yield _GAP.join([fit(printable(name), room).ljust(room), *cells])


def _paint(text: str, style: str, colour: bool) -> str:
    if not style or not colour:
        return text
    from rich.color import ColorSystem
    from rich.style import Style

    return Style.parse(style).render(text, color_system=ColorSystem.STANDARD)


def notes_of(frame: pd.DataFrame) -> list[str]:
    """Say what disqualifies and warns, in how many answers, and what is missing."""
    single = frame.loc[frame["operation"] != ALL]
    rows = [row for row in single.to_dict("records") if measured(row)]
    found = [
        f"{MARKS[DISQUALIFIED]} {rule} in {count(n, 'cell')}; to settle it: {advice}"
        for (rule, advice), n in _counted(rows, _disqualifying).items()
    ]
    warned = _counted(rows, _caveats)
    if warned:
        rules = [f"{rule} ({n})" for rule, n in warned.most_common()]
        found.append(f"fsviz check warns, in so many cells: {', '.join(rules)}.")
    found += _without_numbers(single)
    missing: dict[str, list[str]] = {}
    for (tool, name), own in single.groupby(
        ["tool", "candidate"], sort=False, observed=True
    ):
        if not any(ran(row) for row in own.to_dict("records")):
            missing.setdefault(str(tool), []).append(str(name))
    found += [
        f"Not measured with {printable(tool)}: {listing(names, 6)}."
        for tool, names in missing.items()
    ]
    return found


def _without_numbers(single: pd.DataFrame) -> Iterator[str]:
    """Name what ran on both sides and gave no number."""
    rows = [row for row in single.to_dict("records") if ran(row) and not measured(row)]
    for tool in dict.fromkeys(str(row["tool"]) for row in rows):
        own = [OPERATIONS[row["operation"]] for row in rows if row["tool"] == tool]
        said = f"{printable(tool)} printed no number, but a bound such as +++++, of "
        yield f"{said}{listing(own, 4)}."


def _disqualifying(row: Row) -> Iterable[tuple[str, str]]:
    return zip(row["disqualified_by"], row["advice"], strict=True)  # type: ignore[call-overload]


def _caveats(row: Row) -> Iterable[str]:
    return row["caveats"]  # type: ignore[return-value]


def _counted(rows: Sequence[Row], words: Callable[[Row], Iterable]) -> Counter:
    return Counter(word for row in rows for word in words(row))
