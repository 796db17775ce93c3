"""The options that commands share, and the choices of each: declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from fsviz.analysis.regimes import RegimeName
from fsviz.model.names import normalised_name
from fsviz.text.forms import Form

SOURCE = typer.Argument(
    metavar="SOURCE",
    help="A campaign folder, a stored campaign, or label=path[,path...].",
)
Sources = Annotated[list[str], SOURCE]

# What a shell may complete


def _operations(incomplete: str) -> list[str]:
    from fsviz.model.table import OPERATIONS

    return [name for name in OPERATIONS if name.startswith(incomplete)]


# What is looked at

Operations = Annotated[
    list[str] | None,
    typer.Option(
        "--operation",
        metavar="NAME,...",
        help="This operation, or several with commas; may be repeated. Else all.",
        autocompletion=_operations,
    ),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        metavar="NAME,...",
        help="This metric, such as cpu or elapsed, or several. Else all.",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--setting",
        metavar="NAME=VALUE,...",
        help="Only results with this setting, such as iodepth=8, or with one of those "
        "listed; 'none' for results without a setting. May be repeated.",
    ),
]
Regime = Annotated[
    RegimeName | None,
    typer.Option(
        help="Only files below client_ram (cache), below 3 times it (transition), or "
        "larger (storage). Needs client_ram in campaign.toml."
    ),
]
Sizes = Annotated[
    Literal["all", "measurable"],
    typer.Option(
        help="Sizes that count: those that IOzone could measure on every system, "
        "or all."
    ),
]
Edges = Annotated[
    str,
    typer.Option(
        metavar="EDGES",
        help="Largest file size of each bucket, such as 512k,16m; or 'regimes': in "
        "the processor's cache, in memory, beyond memory.",
    ),
]

FailOn = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-on",
        metavar="CONDITION",
        help="Exit with 3 if a test has this answer, such as slower>5%, mixed or "
        "read:slower; may be repeated.",
    ),
]

# How systems are compared

Baseline = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        parser=normalised_name,
        help="System to compare with; else the campaign's, else first.",
    ),
]


# How an answer is written

_FORMAT = typer.Option(
    "--format", help="Format of the answer; by default the suffix of FILE, else text."
)
TableForm = Annotated[Form | None, _FORMAT]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="FILE", help="Write to a file: .csv, .json, .xlsx …"
    ),
]

Scheduler = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="Dask scheduler whose workers do the work, such as tcp://host:8786.",
    ),
]
