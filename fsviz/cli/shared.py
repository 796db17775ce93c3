"""What the commands share: the program, loading, printing, complaining."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from fsviz.model.errors import FsvizError, ParseError, UsageError, quoted
from fsviz.model.escaping import printable, printable_lines
from fsviz.model.runs import Note
from fsviz.model.writing import refused_in_a_line, write_file

if TYPE_CHECKING:
    import pandas as pd
    from rich.progress import Progress

    from fsviz.answers.comparison import Comparison
    from fsviz.model.campaign import Campaign
    from fsviz.text.workbook import Rows

DONE, SOME_UNUSABLE, WRONG_USAGE, GATE = 0, 1, 2, 3

app = typer.Typer(
    name="fsviz",
    epilog="Example: fsviz compare before=old.txt after=new.txt. Every command has an "
    "example in its --help.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Read file-system benchmark output, compare it honestly, show where the "
    "difference lies.",
)


def _version(requested: bool) -> None:
    if requested:
        from fsviz import __version__

        typer.echo(f"fsviz {__version__}")
        raise typer.Exit


_QUIET, _VERBOSE = ("-q", "--quiet"), ("-v", "--verbose")


class _Talk:
    """How much is said on standard error besides what could not be used."""

    quiet = False
    verbose = False


def common_first(words: list[str]) -> list[str]:
    """Move what all commands share before the command, where nobody looks for it.

    >>> common_first(["read", "x", "-q", "--", "-v"])
    ['-q', 'read', 'x', '--', '-v']
    """
    end = words.index("--") if "--" in words else len(words)
    ours = [word for word in words[:end] if word in (*_QUIET, *_VERBOSE)]
    return [*ours, *(word for word in words[:end] if word not in ours), *words[end:]]


@app.callback()
def _common(
    quiet: Annotated[
        bool, typer.Option(*_QUIET, help="Say only what could not be used.")
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option(
            *_VERBOSE,
            help="Say which file is read, what is rendered, and all that could not be "
            "used; else ten of a kind, then a count.",
        ),
    ] = False,
    version: Annotated[  # noqa: ARG001 - answered by its callback
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version."
        ),
    ] = False,
) -> None:
    """Options that stand before any command, or after it."""
    _Talk.quiet, _Talk.verbose = quiet, verbose


class Filters(NamedTuple):
    """What a command keeps of what it loads, before it looks at anything."""

    regime: str | None = None
    settings: list[str] | None = None


def load_sources(sources: list[str], filters: Filters) -> tuple[Campaign, int]:
    """Load, name on standard error what could not be used, and say the status.

    With a regime, keep its numbers only and say how many that are.
    """
    from fsviz.analysis.cells import select
    from fsviz.model.libraries import pd
    from fsviz.store.load import load

    # Arrow's texts pay in large tables; to begin with them takes longer than to answer
    pd.set_option("mode.string_storage", "python")
    with reading() as show:
        campaign = load(sources, progress=show)
    complain([*campaign.problems, *campaign.notes])
    status = SOME_UNUSABLE if campaign.problems else DONE
    if filters.settings:
        campaign = select(campaign, setting=filters.settings)
    if filters.regime is None:
        return campaign, status
    from fsviz.analysis.regimes import in_regime, regime_line

    within = in_regime(campaign, filters.regime)
    inform(regime_line(campaign, filters.regime))
    return within, status


def names_in(text: str) -> list[str]:
    """Take apart what a person listed with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def labelled(command: str, mounts: Iterable[str]) -> dict[str, Path]:
    """Take apart what a person stated as LABEL=PATH."""
    paths: dict[str, Path] = {}
    for text in mounts:
        label, _, path = text.partition("=")
        if not (label and path):
            raise UsageError(f"{command}: expected LABEL=PATH, found {quoted(text)}")
        if label in paths:
            name = quoted(label)
            raise UsageError(f"{command}: expected each label once, found {name} twice")
        paths[label] = Path(path)
    return paths


_MOST_OF_A_KIND = 10


def complain(problems: Iterable[FsvizError | Note | str]) -> None:
    """Name problems on standard error, one line each; of a kind ten and a count."""
    kinds: Counter[tuple[str, str]] = Counter()
    flat = chain.from_iterable((p, *getattr(p, "others", ())) for p in problems)
    for problem in (p for p in flat if not (_Talk.quiet and isinstance(p, Note))):
        kind = _kind(problem)
        kinds[kind] += 1
        if kinds[kind] <= _MOST_OF_A_KIND or _Talk.verbose:
            typer.echo(printable_lines(str(problem)), err=True)
    for (_, expected), count in kinds.items():
        if count > _MOST_OF_A_KIND and not _Talk.verbose:
            typer.echo(
                f"… and {count - _MOST_OF_A_KIND:,} more like those"
                f"{printable(expected and f' that expected {expected}')}; -v names all",
                err=True,
            )


def _kind(problem: FsvizError | Note | str) -> tuple[str, str]:
    """Name what was expected; of one kind whatever its numbers are."""
    expected = problem.expected if isinstance(problem, ParseError) else ""
    return type(problem).__name__, re.sub(r"\d+", "…", expected)


def says_all() -> bool:
    """Say whether ``-v`` was given."""
    return _Talk.verbose


def inform(line: str) -> None:
    """Say on standard error what is good to know, unless only problems are wanted."""
    if not _Talk.quiet:
        typer.echo(line, err=True)


def say_with_v(line: str) -> None:
    """Say on standard error what ``-v`` asks for."""
    if _Talk.verbose:
        typer.echo(printable(line), err=True)


@contextmanager
def reading() -> Iterator[Callable[[str], None]]:
    """Show on a terminal which file is being read, and since when, if it takes long.

    With ``-v`` each file has a line that stays, wherever it goes.
    """
    if _Talk.verbose or _Talk.quiet or not sys.stderr.isatty():
        yield say_with_v
        return
    shown = _Slow(time.monotonic())
    timer = threading.Timer(_PATIENCE, shown.start)
    timer.daemon = True
    timer.start()
    try:
        yield shown.now
    finally:
        timer.cancel()
        shown.stop()


_PATIENCE = 2.0
"""Seconds after which people ask themselves whether anything happens."""


class _Slow:
    """The line of a command that takes long; rich is loaded only for such."""

    def __init__(self, begun: float) -> None:
        self._begun, self._line = begun, ""
        self._ended, self._lock = False, threading.Lock()
        self._bar: Progress | None = None

    def now(self, line: str) -> None:
        """Say what is being read from now on."""
        self._line = printable(line)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], description=self._line)

    def start(self) -> None:
        """Begin to show it, but for what ended meanwhile."""
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.table import Column

        # what an ASCII terminal can show
        spinner, since = SpinnerColumn("line"), TimeElapsedColumn(Column(no_wrap=True))
        # a long path takes what is left, and not the time's room
        wide = Column(ratio=1, no_wrap=True)
        text = TextColumn("{task.description}", markup=False, table_column=wide)
        out = Console(stderr=True)
        columns = spinner, since, text
        bar = Progress(*columns, console=out, transient=True, expand=True)
        bar.add_task(self._line)
        bar.tasks[0].start_time = self._begun
        with self._lock:
            if not self._ended:
                bar.start()
                self._bar = bar

    def stop(self) -> None:
        """Remove it."""
        with self._lock:
            self._ended = True
            if self._bar is not None:
                self._bar.stop()


def write_frame(
    frame: pd.DataFrame,
    form: str,
    output: Path | None,
    notes: Iterable[str] = (),
    comparisons: Iterable[tuple[str, Comparison]] = (),
) -> None:
    """Print a frame, or write it to a file.

    A workbook has sheets for notes, and for comparisons, each with its campaign's name.
    """
    if form == "xlsx" and output is not None:
        _write_book(comparisons, frame, notes, output)
        return
    if form == "parquet" and output is not None:
        content = BytesIO()
        _with_uniform_lists(frame).to_parquet(content, index=False)
        write_file(output, content.getvalue())
        return
    from fsviz.text.tables import render

    text = render(frame, form)  # type: ignore[arg-type]
    if form == "csv" and output is None and sys.stdout.isatty():
        # CSV is exact, but what is in a name must not steer a terminal
        text = printable_lines(text)
    write_text(text, output)


def _with_uniform_lists(frame: pd.DataFrame) -> pd.DataFrame:
    """Make text of lists that hold names in some rows and sizes in others.

    Parquet has one type a column; such are the places in which a row depends. What has
    names for its parts, as the answer of a size, keeps them.
    """
    from fsviz.text.tables import plain_value

    lists = {
        str(name): [plain_value(value) for value in column]
        for name, column in frame.items()
        if any(isinstance(value, list | tuple) for value in column)
    }
    for name, rows in lists.items():
        parts = [part for row in rows if isinstance(row, list) for part in row]
        if len({type(part) for part in parts if part is not None}) > 1:
            lists[name] = [[*map(str, row)] for row in rows]  # type: ignore[call-overload]
    return frame.assign(**lists)


def _write_book(
    comparisons: Iterable[tuple[str, Comparison]],
    frame: pd.DataFrame,
    notes: Iterable[str],
    output: Path,
) -> None:
    """Write a workbook: a sheet for each comparison, the data, the notes."""
    from fsviz.text.workbook import comparison_rows, frame_rows, save_workbook

    sheets: list[tuple[str, Rows]] = [
        (f"answers {number}".removesuffix(" 1"), comparison_rows(comparison, name))
        for number, (name, comparison) in enumerate(comparisons, 1)
    ]
    sheets.append(("data", frame_rows(frame)))
    if notes := list(notes):
        sheets.append(("notes", ([(note, "")] for note in notes)))
    # openpyxl collects sheets in files of its own, for which there may be no room
    with refused_in_a_line(output):
        save_workbook(sheets, output)


def write_text(text: str, output: Path | None) -> None:
    """Print a text, or write it to a file."""
    if output is None:
        sys.stdout.write(text)
        return
    write_file(output, text)
