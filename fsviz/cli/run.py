"""``fsviz run``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from fsviz.cli.options import Output
from fsviz.cli.shared import app, inform, labelled, names_in, write_text
from fsviz.model.errors import UsageError, printable

if TYPE_CHECKING:
    from fsviz.model.campaign import Campaign


@app.command(epilog="Example: fsviz run lab nfs=/mnt/nfs smb=/mnt/smb --within 30m")
def run(
    folder: Annotated[
        Path, typer.Argument(metavar="CAMPAIGN", help="Folder for the results.")
    ],
    mounts: Annotated[
        list[str],
        typer.Argument(
            metavar="LABEL=PATH...",
            help="Name of each system, and a folder on it; the baseline first.",
        ),
    ],
    within: Annotated[
        str, typer.Option(metavar="TIME", help="Budget, such as 45s, 30m or 2h.")
    ] = "30m",
    question: Annotated[
        Literal["throughput", "small-files", "latency", "everything"],
        typer.Option(help="What to measure; it chooses the tools."),
    ] = "throughput",
    tools: Annotated[
        str,
        typer.Option(
            metavar="TOOL,...",
            help="Tools to use instead: iozone, bonnie++, rsync, fio.",
        ),
    ] = "",
    seed: Annotated[
        int | None,
        typer.Option(help="Seed of the random order; by default drawn.", min=0),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the plan, and measure nothing.")
    ] = False,
    output: Output = None,
) -> None:
    """Measure systems in rounds, and stop when the answer is clear.

    A trial of at most a tenth of the time chooses sizes and rounds. Each round measures
    each system once, in random order. From the third round on, the answers are judged
    after each round, and the allowed error is spread over these looks. The same command
    continues a stopped run.
    """
    from fsviz.measuring.run import planned
    from fsviz.measuring.run import run as measure

    budget, places = _seconds(within), labelled("run", mounts)
    chosen: dict[str, Any] = {"question": question, "tool": names_in(tools)}
    if dry_run:
        lines = planned(places, folder, budget, **chosen)
        write_text("\n".join(lines) + "\n", output)
        return
    with _view() as view:
        chosen |= {"tell": view.tell, "now": view.now, "seed": seed}
        rounds = measure(folder, places, within=budget, **chosen)
        for campaign in rounds:
            view.show(campaign)
    _conclude(folder, output)


def _seconds(text: str) -> float:
    from fsviz.model.units import parse_duration

    try:
        return parse_duration(text)
    except ValueError as error:
        raise UsageError(f"--within: {error}") from None


def _conclude(folder: Path, output: Path | None) -> None:
    """Say why it ended, and print what ``compare`` says of it."""
    from fsviz.campaigns.campaign_toml import NAME, read_campaign_file
    from fsviz.cli.compare import compare

    measured = read_campaign_file(folder / NAME).measured
    if measured is not None:
        rounds = measured.looks[-1] if measured.looks else 0
        after = f" after {rounds} rounds" if rounds else ""
        inform(f"{measured.ended}{after}, {measured.used_s:.0f} s in all")
    try:
        compare([str(folder)], output=output)
    finally:
        inform(f"next: fsviz report {folder}")


@contextmanager
def _view() -> Iterator[_Lines | _Picture]:
    """Show one changing picture on a terminal, else a plain line a round."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines()
        return
    from rich.live import Live

    with Live(console=console, refresh_per_second=4) as live:
        yield _Picture(live)


class _Lines:
    """A plain line a round, and what failed or was decided."""

    def tell(self, line: str) -> None:
        inform(printable(line))

    def now(self, line: str) -> None:
        pass

    def show(self, campaign: Campaign) -> None:
        rows = map(" ".join, _rows(campaign))
        inform(printable(f"round {_round(campaign)}: {'; '.join(rows)}"))


class _Picture:
    """What runs now, above a small table of ratios."""

    def __init__(self, live: Any) -> None:
        self._live = live
        self._line = ""
        self._rows: list[tuple[str, ...]] = []

    def tell(self, line: str) -> None:
        self._live.console.print(printable(line), markup=False, highlight=False)

    def now(self, line: str) -> None:
        self._line = printable(line)
        self._draw()

    def show(self, campaign: Campaign) -> None:
        self._line = f"round {_round(campaign)} done"
        self._rows = _rows(campaign)
        self._draw()

    def _draw(self) -> None:
        from rich.console import Group
        from rich.spinner import Spinner
        from rich.table import Table
        from rich.text import Text

        now = Spinner("line", Text(self._line))
        if not self._rows:
            self._live.update(now)
            return
        table = Table("tool", "system", "so far")
        for row in self._rows:
            table.add_row(*(Text(word) for word in row))
        self._live.update(Group(now, table))


def _round(campaign: Campaign) -> int:
    """Return how many rounds there are."""
    return int(campaign.runs["repeat"].max())


def _rows(campaign: Campaign) -> list[tuple[str, ...]]:
    """Return what is said of the rounds so far: tool, systems, words."""
    from fsviz.answers.comparison import Comparison

    lines = Comparison(campaign).first_words.lines
    return [(line.tool, ", ".join(line.names), line.words) for line in lines]
