"""``fsviz init`` and ``fsviz facts``: a first ``campaign.toml``, and this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fsviz.cli.shared import DONE, SOME_UNUSABLE, app, complain, reading, write_text
from fsviz.model.errors import printable
from fsviz.model.writing import refuse_file


@app.command(epilog="Example: fsviz init results")
def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Of the results.")],
) -> None:
    """Write a campaign.toml from existing results, with every key as a comment.

    A campaign.toml that is there already is never changed.
    """
    from fsviz.campaigns.campaign_toml import NAME, read_campaign_file
    from fsviz.campaigns.starter import starter

    refuse_file(folder)
    with reading() as show:
        text, problems = starter(folder, show)
    write_text(text, folder / NAME)
    systems = read_campaign_file(folder / NAME).system
    complain(problems)
    names = ", ".join(printable(entry.name) for entry in systems)
    typer.echo(f"{folder / NAME}: {names}")
    raise typer.Exit(SOME_UNUSABLE if problems else DONE)


@app.command(epilog="Example: fsviz facts /mnt/nfs")
def facts(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="On the file system to describe.")
    ] = Path(),
) -> None:
    """Print the facts of this machine and of a mount, for campaign.toml.

    What cannot be seen from here, such as a server's options, is left out.
    """
    from fsviz.campaigns.machine import Machine
    from fsviz.campaigns.source_files import find
    from fsviz.campaigns.starter import facts_lines

    path, machine = find(str(path)), Machine()
    lines = [
        f"# What is mounted at {printable(str(path.resolve()))}, and the machine: for",
        "# [facts] or a [[system]] of campaign.toml.",
        *facts_lines(machine.facts() | machine.facts_of_mount(path)),
    ]
    write_text("\n".join(lines) + "\n", None)
