"""The options that commands share, and the choices of each: declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from fsviz.analysis.buckets import By, SummaryBy
from fsviz.analysis.regimes import RegimeName
from fsviz.model.names import normalised_name
from fsviz.text.forms import Form

_SOURCE = typer.Argument(
    metavar="SOURCE",
    help="A campaign folder, a stored campaign, or label=path[,path...].",
)
Sources = Annotated[list[str], _SOURCE]
SourcesIfAny = Annotated[list[str] | None, _SOURCE]

# What a shell may complete


def _operations(incomplete: str) -> list[str]:
    from fsviz.model.table import OPERATIONS

    return [name for name in OPERATIONS if name.startswith(incomplete)]


def rules(incomplete: str) -> list[str]:
    """List the rules whose names begin like this, for completion in a shell."""
    from fsviz.checks.rules import RULES

    return [rule.name for rule in RULES if rule.name.startswith(incomplete)]


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
Metric = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Such as cpu or latency; the default depends on kind and operation.",
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
Ignored = Annotated[
    str,
    typer.Option(
        metavar="RULE,...", help="Judge without these rules.", autocompletion=rules
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

# What check asks

Selected = Annotated[
    str,
    typer.Option(
        metavar="RULE,...", help="Ask these rules only.", autocompletion=rules
    ),
]
RulePage = Annotated[
    str,
    typer.Option(
        metavar="RULE", help="Print the page of a rule instead.", autocompletion=rules
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
Candidates = Annotated[
    list[str] | None,
    typer.Option(
        "--candidate",
        metavar="NAME,...",
        help="System to compare, or several with commas; may be repeated. Else all.",
    ),
]

# What one row of the answer is

SummaryRow = Annotated[
    SummaryBy,
    typer.Option(help="What one row covers."),
]
ComparisonRow = Annotated[
    By | None,
    typer.Option(help="Rows with ratios and intervals, and what one covers."),
]
Cells = Annotated[bool, typer.Option("--cells", help="One row per cell, not per test.")]
EveryNote = Annotated[
    bool, typer.Option("--notes", help="All notes below the table, not only the first.")
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

# How reports are rendered

To = Annotated[str, typer.Option(help="html, pdf or html,pdf.")]
ReportsFolder = Annotated[
    Path, typer.Option("-o", "--output", help="Folder of the reports.")
]
Jobs = Annotated[
    int, typer.Option(min=0, help="Notebooks rendered at once; 0: one per core.")
]
Scheduler = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="Dask scheduler whose workers do the work, such as tcp://host:8786.",
    ),
]
Standalone = Annotated[
    bool,
    typer.Option("--standalone", help="Pages that need no other file (5 MB each)."),
]
Title = Annotated[str, typer.Option(help="Heading of the index; later runs keep it.")]
Footer = Annotated[
    str, typer.Option(help="Last line of the index; later runs keep it.")
]
Force = Annotated[bool, typer.Option("--force", help="Also render what is up to date.")]
