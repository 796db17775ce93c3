"""What the commands share: the program, loading, printing, complaining."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fsviz.model.errors import FsvizError, ParseError, UsageError
from fsviz.model.escaping import printable, printable_lines
from fsviz.model.runs import Note

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

DONE, SOME_UNUSABLE, WRONG_USAGE = 0, 1, 2

app = typer.Typer(
    name="fsviz",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Read file-system benchmark output, compare it honestly, show where the "
    "difference lies.",
)


def _version(wanted: bool) -> None:
    if wanted:
        from fsviz import __version__

        typer.echo(f"fsviz {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[  # noqa: ARG001 - its callback answers
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version."
        ),
    ] = False,
    failures: Annotated[
        Path | None,
        typer.Option(
            "--failures",
            metavar="FILE",
            help="Write every complaint about the input to a file, a JSON object a "
            "line. Standard error has ten of a kind, then a count.",
        ),
    ] = None,
) -> None:
    """Options that stand before the command."""
    _complaints.file = None if failures is None else _begin(failures)


def load_sources(sources: list[str], regime: str | None = None) -> tuple[Campaign, int]:
    """Load, name on standard error what could not be used, and say the status.

    With a regime, keep its numbers only and say how many that are.
    """
    from fsviz.campaigns.load import load

    campaign = load(sources, progress=show_progress)
    show_progress("")
    complain([*campaign.problems, *campaign.notes])
    status = SOME_UNUSABLE if campaign.problems else DONE
    if regime is None:
        return campaign, status
    from fsviz.analysis.regimes import in_regime, regime_line

    kept = in_regime(campaign, regime)
    typer.echo(regime_line(campaign, regime), err=True)
    return kept, status


def names_in(text: str) -> list[str]:
    """Take apart what a person listed with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


_MOST_OF_A_KIND = 10


@dataclass(slots=True)
class _Complaints:
    """Where every complaint goes besides standard error."""

    file: Path | None = None


_complaints = _Complaints()


def _begin(file: Path) -> Path:
    """Empty the file of complaints, or refuse it before anything is read."""
    try:
        file.write_text("", encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"{file}:1: expected a file to write, found {error.strerror}"
        ) from error
    return file


def complain(problems: Iterable[FsvizError | Note | str]) -> None:
    """Name problems on standard error, one line each; of a kind ten and a count.

    Parameters
    ----------
    problems : iterable of FsvizError, Note or str
        In the order in which they are named.
    """
    kinds: Counter[tuple[str, str]] = Counter()
    every = list(problems)
    for problem in every:
        kind = _kind(problem)
        kinds[kind] += 1
        if kinds[kind] <= _MOST_OF_A_KIND:
            typer.echo(printable_lines(str(problem)), err=True)
    for (_, expected), count in kinds.items():
        if count > _MOST_OF_A_KIND:
            typer.echo(
                f"… and {count - _MOST_OF_A_KIND:,} more like those"
                f"{printable(expected and f' that expected {expected}')}; "
                "fsviz --failures FILE … writes all",
                err=True,
            )
    if _complaints.file is not None and every:
        with _complaints.file.open("a", encoding="utf-8") as file:
            file.writelines(f"{_record(problem)}\n" for problem in every)


def _kind(problem: FsvizError | Note | str) -> tuple[str, str]:
    expected = problem.expected if isinstance(problem, ParseError) else ""
    return type(problem).__name__, expected


def _record(problem: FsvizError | Note | str) -> str:
    record: dict[str, object] = {"kind": type(problem).__name__}
    if isinstance(problem, ParseError | Note):
        record |= {"path": problem.path, "line": problem.line}
    if isinstance(problem, ParseError):
        record |= {"expected": problem.expected, "found": problem.found}
    return json.dumps({**record, "message": str(problem)})


def show_progress(line: str) -> None:
    """Show one changing line, on a terminal only; an empty one removes it."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{printable(line)[:100]}")
        sys.stderr.flush()


def write_frame(frame: pd.DataFrame, form: str, output: Path | None) -> None:
    """Print a frame, or write it to a file."""
    if form == "parquet" and output is not None:
        _write_aside(output, lambda aside: frame.to_parquet(aside, index=False))
        return
    from fsviz.text.tables import render

    text = render(frame, form)  # type: ignore[arg-type]
    if form == "csv" and output is None and sys.stdout.isatty():
        # CSV is exact, but what is in a name must not steer a terminal
        text = printable_lines(text)
    write_text(text, output)


def write_text(text: str, output: Path | None) -> None:
    """Print a text, or write it to a file."""
    if output is None:
        sys.stdout.write(text)
        return
    _write_aside(output, lambda aside: aside.write_text(text, encoding="utf-8"))


def _write_aside(output: Path, write: Callable[[Path], object]) -> None:
    """Write beside the file and rename, so that no half file stays."""
    aside = output.with_name(f".{output.name}.part")
    try:
        write(aside)
        aside.replace(output)
    except OSError as error:
        raise UsageError(
            f"{output}:1: expected a file to write, found {error.strerror}"
        ) from error
    finally:
        aside.unlink(missing_ok=True)
