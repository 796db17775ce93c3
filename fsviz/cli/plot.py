"""``fsviz plot``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fsviz.cli.answers import of_usable
from fsviz.cli.options import Baseline, Regime, Settings, Sources
from fsviz.cli.shared import (
    DONE,
    SOME_UNUSABLE,
    Filters,
    app,
    complain,
    load_sources,
    reading,
)
from fsviz.figures.kinds import Kind, Theme
from fsviz.model.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign


_Width = Annotated[int | None, typer.Option(help="Width of the figure, in pixels.")]
_Height = Annotated[
    int | None,
    typer.Option(help="Height of the figure without its caption, in pixels."),
]
_Theme = Annotated[
    Theme | None,
    typer.Option(
        help="Look of a picture: light, dark (for slides), or paper (title and caption "
        "are not drawn, but printed for the text around it)."
    ),
]


_Systems = Annotated[
    list[str] | None,
    typer.Option(
        "--system",
        metavar="NAME,...",
        help="This system, or several with commas; may be repeated.",
    ),
]
_Metric = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Such as cpu or latency; the default depends on kind and operation.",
    ),
]
_Axis = Annotated[
    str | None,
    typer.Option(
        metavar="AXIS",
        help="Of lines: file_size, record_size, threads, time, percentile, a setting "
        "such as iodepth, or none for a strip of all runs.",
    ),
]


@app.command(
    epilog="Example: fsviz plot results --kind versus --operation read -o read.html"
)
def plot(
    sources: Sources,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="File: .html, .png, .svg, .pdf or .json."),
    ],
    kind: Annotated[
        Kind | None,
        typer.Option(help="What to draw; else explorer, or maps for a picture."),
    ] = None,
    operation: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Such as random_read; the first by default."),
    ] = None,
    systems: _Systems = None,
    baseline: Baseline = None,
    metric: _Metric = None,
    x: _Axis = None,
    regime: Regime = None,
    settings: Settings = None,
    width: _Width = None,
    height: _Height = None,
    theme: _Theme = None,
) -> None:
    """Draw one figure: a page, a picture or its data, by the suffix of the file."""
    from fsviz.figures import export

    form = _form(output, theme)  # a browser starts while the rest is imported
    from fsviz.figures.kinds.lines import lines as draw_lines

    choices = {"system": systems, "baseline": baseline, "metric": metric, "x": x}
    # a kind that does not take what was asked for says so
    given: dict = {name: value for name, value in choices.items() if value}

    def save(figure: Any) -> None:
        export.save(figure, output, width, height, theme or "light")
        if theme == "paper":
            typer.echo(
                "\n".join(export.title_and_caption(figure.to_plotly_json()["layout"]))
            )

    kind = kind or ("lines" if x else None)
    if x == "time" and (logged := _time_logs(sources)):
        logs, status = logged
        more = {"operation": operation} if operation else {}
        save(draw_lines(logs, **given | more))
        raise typer.Exit(status)
    campaign, status = load_sources(sources, Filters(regime, settings))

    def answer(campaign: Campaign) -> str:
        chosen = kind or _usual(campaign, operation or "", form in export.PICTURES)
        save(_drawn(campaign, chosen, operation, given))
        return ""

    raise typer.Exit(max(status, of_usable(campaign, answer)[1]))


def _drawn(campaign: Campaign, kind: str, operation: str | None, given: dict) -> Any:
    """Draw with what is wrong with the benchmark: no page around it says so."""
    from fsviz.analysis.cells import present
    from fsviz.answers.first_words import alarm
    from fsviz.checks.engine import run_checks
    from fsviz.checks.findings import findings_about
    from fsviz.figures.choosing import note_beside
    from fsviz.figures.plot import function_of, plot
    from fsviz.model.names import choose

    examination = run_checks(campaign, baseline=given.get("baseline"))
    takes = function_of(kind).takes
    asked: dict = {"examination": examination} if "examination" in takes else {}
    figure = plot(campaign, kind, operation, **given, **asked)
    systems = present(campaign.measurements, "system")
    shown = choose("system", given.get("system"), systems)
    return note_beside(figure, alarm(findings_about(examination.findings, shown, [])))


def _form(output: Path, theme: Theme | None) -> str:
    """Return the form of the file, or refuse it before anything is read."""
    from fsviz.figures import export

    form = export.form_of(output)
    if theme and form not in export.PICTURES:
        raise UsageError(
            f"--theme: expected a picture (.png, .svg, .pdf), found {output}: a page "
            "takes the colours that its reader has chosen"
        )
    if form in export.PICTURES:
        export.expect_picture()
    return form


def _time_logs(sources: list[str]) -> tuple[pd.DataFrame, int] | None:
    """Read fio's time logs, if there are any, with the exit status."""
    from fsviz.campaigns.time_logs import read_time_logs

    try:
        with reading() as show:
            logs, problems = read_time_logs(sources, show)
    except UsageError as error:
        complain(error.others)
        return None
    complain(problems)
    return logs, SOME_UNUSABLE if problems else DONE


def _usual(campaign: Campaign, operation: str, picture: bool) -> str:
    """Choose the kind: a picture has no menu of systems, so it shows them all."""
    from fsviz.analysis.scaling import usual_kind

    kind = usual_kind(campaign, operation)
    return "maps" if picture and kind == "explorer" else kind
