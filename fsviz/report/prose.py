"""Campaign facts as frames for people: what a report says before its first figure."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fsviz.analysis.cells import performance, present
from fsviz.analysis.regimes import regime_line
from fsviz.analysis.scaling import one_size, usual_kind
from fsviz.analysis.verdicts import DISQUALIFIED
from fsviz.answers.statement import statement_of
from fsviz.answers.trust import trust
from fsviz.answers.words import WORDS, range_words, speed_of, times_words
from fsviz.checks.findings import SEVERITIES, Examination
from fsviz.checks.judged_comparison import compare
from fsviz.checks.measurable import measurable
from fsviz.checks.phrases import listing
from fsviz.checks.rules import RULES
from fsviz.figures.plot import plot
from fsviz.model.campaign import Campaign, Data
from fsviz.model.errors import FsvizError, UsageError
from fsviz.model.escaping import html_text, markdown_text, printable
from fsviz.model.names import names_of
from fsviz.model.table import MAIN_METRICS, METRICS, OPERATIONS, measurements_of
from fsviz.text.comparison import comparison_notes, readable_comparison
from fsviz.text.summary import readable
from fsviz.text.tables import table_html

if TYPE_CHECKING:
    import pandas as pd
    from IPython.display import HTML

    from fsviz.report.first_sight import Sight


__all__ = [
    "comparison_notes",
    "conclude",
    "conclusions",
    "describe_campaign",
    "describe_comparison",
    "describe_details",
    "describe_findings",
    "describe_found",
    "describe_problems",
    "describe_regime",
    "describe_runs",
    "describe_systems",
    "figure_of_each",
    "figure_or_reason",
    "markdown_text",
    "names_of",
    "one_size",
    "present",
    "readable",
    "readable_comparison",
    "table_html",
    "trust",
    "usual_kind",
    "written_against",
]

UNSTATED = "not stated"
LONG = 32
"""Characters; a fact with longer texts does not fit a column."""


def describe_systems(
    campaign: Campaign, systems: Sequence[str] | None = None
) -> pd.DataFrame:
    """List the systems with the short facts in which they differ.

    Parameters
    ----------
    campaign : Campaign
        Whose ``systems`` are listed.
    systems : sequence of str, optional
        Those that the report shows, in its order.

    Returns
    -------
    DataFrame of str
        One row per system, one column per fact. `describe_details` lists long facts,
        such as mount options.
    """
    frame = _chosen(campaign, systems)
    stated = frame.dropna(axis="columns", how="all").fillna(UNSTATED)
    shown = [name for name in _differing(stated) if not _is_long(stated[name])]
    table = stated[list(dict.fromkeys(["system", *shown]))].map(printable)
    return table.rename(columns=lambda name: str(name).replace("_", " "))


def describe_details(campaign: Campaign, systems: Sequence[str] | None = None) -> str:
    """List in Markdown the long facts in which the systems differ, folded away.

    Parameters
    ----------
    campaign : Campaign
        Whose ``systems`` are listed.
    systems : sequence of str, optional
        Those that the report shows, in its order.

    Returns
    -------
    str
        Markdown; empty if there are no such facts.
    """
    stated = _chosen(campaign, systems).dropna(axis="columns", how="all")
    stated = stated.fillna(UNSTATED)
    parts = []
    for name in _differing(stated):
        if not _is_long(stated[name]):
            continue
        lines = [
            f"<li>{markdown_text(system)}: {markdown_text(text)}</li>"
            for system, text in zip(stated["system"], stated[name], strict=True)
        ]
        title = markdown_text(name.replace("_", " ").capitalize())
        parts.append(
            f"<details><summary>{title}</summary><ul>{''.join(lines)}</ul></details>"
        )
    return "\n\n".join(parts)


def _chosen(campaign: Campaign, systems: Sequence[str] | None) -> pd.DataFrame:
    frame = campaign.systems
    if systems is None:
        return frame
    return frame.set_index("system", drop=False).loc[list(systems)]


def _differing(stated: pd.DataFrame) -> list[str]:
    return [name for name in stated if name != "system" and stated[name].nunique() > 1]


def _is_long(column: pd.Series) -> bool:
    return bool(column.str.len().max() > LONG)


def describe_campaign(campaign: Campaign, systems: Sequence[str]) -> str:
    """Describe in Markdown what was compared, and the facts that all systems share.

    Parameters
    ----------
    campaign : Campaign
        The campaign whose title, question, dates and ``systems`` are described.
    systems : sequence of str
        Those that the report shows.

    Returns
    -------
    str
        Markdown; everything from files is escaped.
    """
    frame = campaign.systems.set_index("system").loc[list(systems)]
    shared = [
        f"- {name.replace('_', ' ')}: {markdown_text(str(frame[name].iloc[0]))}"
        for name in frame.dropna(axis="columns", how="any")
        if frame[name].nunique() == 1
    ]
    names = ", ".join(f"**{markdown_text(name)}**" for name in systems)
    title = markdown_text(campaign.title or campaign.name or "Lone files")
    lines = [f"{title}. Compared: {names}.", ""]
    if campaign.question:
        lines += [f"Question: {markdown_text(campaign.question)}", ""]
    if campaign.started:
        end = f" to {markdown_text(campaign.ended)}" if campaign.ended else ""
        lines += [f"Measured: {markdown_text(campaign.started)}{end}", ""]
    if shared:
        lines += ["The same for every system, as the campaign states it:", "", *shared]
    else:
        lines.append("The campaign states no facts about the systems.")
    return "\n".join(lines)


def describe_regime(campaign: Campaign, regime: str) -> str:
    """State in Markdown that a report shows one regime only, and what it leaves out.

    Parameters
    ----------
    campaign : Campaign
        The campaign before anything was left out.
    regime : str
        As for `fsviz.in_regime`.

    Returns
    -------
    str
        Markdown; empty for an empty regime.
    """
    line = regime_line(campaign, regime)
    return f"**A part of the campaign:** {markdown_text(line)}." if line else ""


def describe_comparison(comparison: pd.DataFrame) -> str:
    """List in Markdown the notes on the rows of a comparison.

    Parameters
    ----------
    comparison : DataFrame
        As for `fsviz.report.comparison_notes`.

    Returns
    -------
    str
        Markdown, with the numbers by which rows refer to the notes; everything from
        files is escaped.
    """
    notes = enumerate(comparison_notes(comparison), 1)
    return "\n".join(f"{number}. {markdown_text(note)}" for number, note in notes)


def describe_runs(campaign: Campaign) -> pd.DataFrame:
    """Count the runs of each system and tool, and list their configurations.

    Parameters
    ----------
    campaign : Campaign
        The campaign whose ``runs`` are counted.

    Returns
    -------
    DataFrame
        One row per system, tool, version and configuration.
    """
    runs = campaign.runs.fillna({"tool_version": "", "configuration": ""})
    grouped = runs.groupby(
        ["tool", "system", "tool_version", "configuration"], observed=True, sort=False
    )
    counted = grouped.agg(
        runs=("run", "size"),
        complete=("complete", "sum"),
        first=("started", "min"),
        last=("started", "max"),
    )
    shown = counted.reset_index().astype({"first": "string", "last": "string"})
    return shown.rename(columns=lambda name: str(name).replace("_", " ")).fillna("")


def describe_problems(campaign: Campaign) -> str:
    """Count the files that were used, and list what could not be used, in Markdown.

    Parameters
    ----------
    campaign : Campaign
        Campaign whose ``runs``, ``problems``, ``notes`` and ``files`` are described.

    Returns
    -------
    str
        Files used and not used, if known; one item per problem,
        ``PATH:LINE: expected …, found …``, or a sentence that there are none; and one
        item per note.
    """
    incomplete = campaign.runs.loc[~campaign.runs["complete"].fillna(value=True)]
    lines = [f"- {markdown_text(str(problem))}" for problem in campaign.problems]
    lines += [
        f"- {markdown_text(row.source)}: this run is incomplete "
        f"({markdown_text(str(row.note))})"
        for row in incomplete.itertuples()
    ]
    notes = [f"- {markdown_text(str(note))}" for note in campaign.notes]
    said = "\n".join(lines) or "Everything was read, and every run is complete."
    return "\n\n".join(
        filter(None, (_describe_files(campaign), said, "\n".join(notes)))
    )


def _describe_files(campaign: Campaign) -> str:
    """Count the files that numbers were taken from; `fsviz files` lists each."""
    if campaign.files is None:
        return ""
    used = campaign.files.groupby("source")["numbers"].sum()
    total, taken = len(used), int((used > 0).sum())
    rest = f"; {total - taken} gave none of their own" if taken < total else ""
    return f"Numbers were taken from {taken} of {total} files{rest}."


# What a comparison says, in sentences whose numbers are computed.

_ALL_CELLS = "**Counting all sizes**, as they were measured:"
_BLURRED = ("too-short", "clock-quantised", "whole-file-record", "over-line-rate")
"""Rules about sizes that are too small to be measured, or to be of the storage."""


def conclude(
    data: Data,
    *,
    baseline: str,
    systems: Sequence[str] | None = None,
    operations: Sequence[str] | None = None,
    tool: str | None = None,
    examination: Examination | None = None,
    comparison: pd.DataFrame | None = None,
) -> str:
    """Compare every system with the baseline and describe the result in Markdown.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements (without facts to check).
    baseline : str
        The system that the others are compared with.
    systems, operations : sequence of str or None
        Systems and operations to include; by default all.
    tool : str or None
        The only tool to include.
    examination : Examination or None
        Examination of the campaign with this baseline, if known.
    comparison : DataFrame or None
        Comparison of these data, if known, as `fsviz.compare` returns it.

    Returns
    -------
    str
        As `conclusions`. If rules object to sizes that are too small, the text begins
        with the result for the sizes that could be measured, and names these sizes.
        With one system, the text says that there is no other.
    """
    table = measurements_of(data)
    table = table.loc[(table["tool"] == tool) | (tool is None)]
    found = performance(table)["system"].unique()
    names = [name for name in systems or found if name in found]
    if len({baseline, *names}) < 2 or baseline not in found:
        only = markdown_text(baseline)
        return f"Only {only} was measured, so there is nothing to compare."
    chosen: dict[str, Any] = {
        "baseline": baseline,
        "candidate": [name for name in names if name != baseline],
        "operation": operations,
    }
    if comparison is None:
        comparison = compare(data, examination=examination, **chosen)
        comparison = comparison.loc[(comparison["tool"] == tool) | (tool is None)]
    first = _of_measurable_sizes(data, [baseline, *names], comparison, chosen)
    if not first:
        return conclusions(comparison)
    return "\n\n".join([*first, _ALL_CELLS, conclusions(comparison)])


def _of_measurable_sizes(
    data: Data,
    systems: Sequence[str],
    comparison: pd.DataFrame,
    chosen: dict[str, Any],
) -> list[str]:
    """Say what comes of the sizes that could be measured, if others blur the answer."""
    iozone = comparison.loc[comparison["tool"] == "iozone", "caveats"]
    blurred = iozone.map(lambda rules: any(rule in _BLURRED for rule in rules))
    if not blurred.any() or not isinstance(data, Campaign):
        return []
    try:
        kept, line = measurable(data, systems)
        told = compare(kept, **chosen)
    except UsageError:
        return []
    told = told.loc[told["tool"] == "iozone"]
    if not told["cells"].sum():
        return []
    start = f"**Counting only** {markdown_text(line)}:"
    return [start, conclusions(told)]


def conclusions(comparison: pd.DataFrame) -> str:
    """Describe in Markdown, for each candidate, what the comparison shows.

    Parameters
    ----------
    comparison : DataFrame
        As `fsviz.compare` returns it.

    Returns
    -------
    str
        One item per candidate and tool; everything from files is escaped.
    """
    measured = _finest(comparison.loc[comparison["cells"] > 0])
    main = measured["metric"].isin(MAIN_METRICS)
    if not main.any():
        return (
            "There is nothing to compare: no two systems have a number for the same "
            "throughput, rate or time."
        )
    parts = [
        _of_one_tool(str(tool), part, measured.loc[~main & (measured["tool"] == tool)])
        for tool, part in measured.loc[main].groupby("tool", sort=False, observed=True)
    ]
    return "\n\n".join(parts)


def _of_one_tool(tool: str, rows: pd.DataFrame, others: pd.DataFrame) -> str:
    baseline = markdown_text(str(rows["baseline"].iloc[0]))
    lines = [
        " ".join(
            [
                f"- {_conclusion(str(candidate), part)}",
                *_beside(others.loc[others["candidate"] == candidate]),
            ]
        )
        for candidate, part in rows.groupby("candidate", sort=False, observed=True)
    ]
    start = f"Against **{baseline}**, by {markdown_text(tool)}:"
    return "\n".join([start, "", *lines, *_reasons(rows)])


def _reasons(rows: pd.DataFrame) -> list[str]:
    """Name the rules that disqualify rows, those of most comparisons first."""
    rules = rows["disqualified_by"].explode().dropna().value_counts().index
    if not len(rules):
        return []
    named = ", ".join(f"`{rule}`" for rule in rules)
    return ["", f"Disqualified by `fsviz check`: {named}."]


def _finest(rows: pd.DataFrame) -> pd.DataFrame:
    """Drop the bucket `all` where the sizes are told apart."""
    sized = (
        rows["bucket"]
        .ne("all")
        .groupby([rows["tool"], rows["operation"]])
        .transform("any")
    )
    return rows.loc[~sized | rows["bucket"].ne("all")]


def _conclusion(candidate: str, rows: pd.DataFrame) -> str:
    start = f"**{markdown_text(candidate)}** is {_counted(rows)} comparisons."
    return " ".join([start, *_extremes(rows), *_held(rows)])


def _beside(rows: pd.DataFrame) -> list[str]:
    """Count what is measured beside speed, such as latency: nothing is left out."""
    if rows.empty:
        return []
    names = [METRICS[name].title for name in METRICS if name in set(rows["metric"])]
    return [f"In {listing(names)}: {_counted(rows)}."]


def _counted(rows: pd.DataFrame) -> str:
    """Count verdicts, such as ``faster in 2, inconclusive in 6 of 8``."""
    counts = {str(k): int(n) for k, n in rows["verdict"].value_counts().items()}
    told = [
        f"{word} in {counts[verdict]}"
        for verdict, word in WORDS.items()
        if counts.get(verdict)
    ]
    return f"{', '.join(told)} of {len(rows)}"


def _extremes(rows: pd.DataFrame) -> list[str]:
    """Spell out the largest gain and the largest loss that are not chance."""
    sentences = []
    for verdict, word in (("faster", "gain"), ("slower", "loss")):
        # a verdict may rest on bounds alone, as where bonnie++ was too quick to time
        chosen = rows.loc[(rows["verdict"] == verdict) & rows["ci_low"].notna()]
        if len(chosen):
            sentences.append(f"Largest {word}: {spell(_strongest(chosen))}.")
    return sentences


def _held(rows: pd.DataFrame) -> list[str]:
    """Spell out the largest ratio that is disqualified."""
    held = rows.loc[(rows["verdict"] == DISQUALIFIED) & rows["ci_low"].notna()]
    if held.empty:
        return []
    return [f"Largest disqualified ratio: {spell(_strongest(held))}."]


def _strongest(rows: pd.DataFrame) -> pd.Series:
    """The row whose ratio is furthest from 1."""
    strength = rows["geomean_ratio"].map(lambda ratio: max(ratio, 1 / ratio))
    return rows.loc[strength.idxmax()]


def spell(row: pd.Series) -> str:
    """Spell out one row of a comparison."""
    what = OPERATIONS[str(row["operation"])]
    bucket = str(row["bucket"]).replace("_", " ")
    if bucket != "all":
        what += f" of {bucket} files"
    if METRICS[str(row["metric"])].better < 0:
        what += f", {METRICS[str(row['metric'])].title}"
    ratio, *ends = (
        speed_of(float(row[name]), str(row["metric"]))
        for name in ("geomean_ratio", "ci_low", "ci_high")
    )
    runs = statement_of(row.to_dict()).counted
    scope = f"; {markdown_text(', '.join(row['scope']))}" if row["scope"] else ""
    interval = f"95 % interval {range_words(*sorted(ends))}"
    return f"{what}, {times_words(ratio)} ({interval}, {runs}{scope})"


# What `fsviz check` finds, in Markdown.

_CODE = re.compile(f"{markdown_text('`')}(.+?){markdown_text('`')}")


def describe_findings(
    findings: pd.DataFrame, tool: str | None = None, *, linked: bool = True
) -> str:
    """List in Markdown what `fsviz.check` finds, the most serious first.

    Parameters
    ----------
    findings : DataFrame
        As `fsviz.check` returns them.
    tool : str or None
        Leave out what is about other tools only.
    linked : bool
        Whether figures can link to the findings.

    Returns
    -------
    str
        Markdown; everything from files is escaped. The first finding of each rule has
        an anchor, ``finding-RULE``.
    """
    if tool is not None:
        about = findings["tools"]
        findings = findings.loc[[not names or tool in names for names in about]]
    parts = []
    seen: set[str] = set() if linked else set(findings["rule"])
    for severity in SEVERITIES:
        rows = findings.loc[findings["severity"] == severity]
        lines = [_item(row, seen) for row in rows.to_dict("records")]
        if lines and severity == "info":
            folded = "\n".join(lines)
            parts.append(
                f"<details><summary>{len(lines)} for information</summary>\n\n"
                f"{folded}\n\n</details>"
            )
        elif lines:
            parts.append(f"*{severity.capitalize()}s*\n\n" + "\n".join(lines))
    return "\n\n".join(parts) or "`fsviz check` found nothing wrong."


def describe_found(sight: Sight, tool: str | None = None) -> str:
    """List in Markdown what `fsviz.check` finds, also for each comparison of a page.

    Parameters
    ----------
    sight : Sight
        Of the page.
    tool : str or None
        Leave out what is about other tools only.

    Returns
    -------
    str
        As `describe_findings`. Findings of a comparison have a part for each reference,
        and the page shows the part of the chosen reference.
    """
    compares = [rule.name for rule in RULES if rule.compares]
    parts = {name: sight.examined(name).findings for name in sight.references}
    found = parts[sight.reference]
    always = found.loc[~found["rule"].isin(compares)]
    if len(parts) < 2:
        return describe_findings(found, tool)
    said = [describe_findings(always, tool)]
    # what is hidden can not be gone to
    said.append("".join(_anchor(rule, set()) for rule in compares))
    for name, found in parts.items():
        own = found.loc[found["rule"].isin(compares)]
        text = describe_findings(own, tool, linked=False)
        title = f"**Of the comparison with {markdown_text(name)}**"
        shown = "" if name == sight.reference else " hidden"
        of = html_text(printable(name))
        said.append(f'<div data-of="{of}"{shown}>\n\n{title}\n\n{text}\n\n</div>')
    return "\n\n".join(said)


def written_against(sight: Sight) -> HTML:
    """Mark a section as valid for a page's first reference only.

    Parameters
    ----------
    sight : Sight
        Of the page.

    Returns
    -------
    IPython HTML
        Nothing visible. The page hides the section if another reference is chosen.
    """
    from IPython.display import HTML

    return HTML(
        f'<i hidden data-reference="{html_text(printable(sight.reference))}"></i>'
    )


def _item(finding: dict[str, object], seen: set[str]) -> str:
    rule, message, evidence, advice = (
        _CODE.sub(r"<code>\1</code>", markdown_text(str(finding[name])))
        for name in ("rule", "message", "evidence", "advice")
    )
    return (
        f"- {_anchor(rule, seen)}**{rule}**: {message}. *Seen:* {evidence}. "
        f"*To settle it:* {advice}."
    )


def _anchor(rule: str, seen: set[str]) -> str:
    """Give the first finding of a rule a place that figures can link to."""
    if rule in seen:
        return ""
    seen.add(rule)
    return f'<a id="finding-{rule}"></a>'


# A figure, or the reason why there is none: a report has no silent gap.


def figure_or_reason(
    data: Data, kind: str, operation: str | None = None, **more: Any
) -> object:
    """Draw a figure or, if that is not possible, explain why in a sentence.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    kind : str
        One of `fsviz.figures.kinds.KINDS`.
    operation : str, optional
        Which operation.
    **more
        What else the kind takes.

    Returns
    -------
    plotly Figure or IPython Markdown
        For `display`.
    """
    from IPython.display import Markdown

    try:
        return plot(data, kind, operation, **more)
    except FsvizError as error:
        of = f" of {operation.replace('_', ' ')}" if operation else ""
        why = str(error).removeprefix(f"{kind}: ")
        return Markdown(f"*No {kind} figure{of}: {markdown_text(why)}.*")


def figure_of_each(sight: Sight, kind: str, **more: Any) -> object:
    """Draw a figure against each reference; the page shows the chosen reference.

    Parameters
    ----------
    sight : Sight
        Of the page.
    kind : str
        One of `fsviz.figures.kinds.KINDS` that takes ``baseline`` and ``examination``.
    **more
        What else the kind takes.

    Returns
    -------
    plotly Figure or IPython Markdown
        For `display`: the figure of the first reference, with the others in
        ``layout.meta``.
    """
    figures: list[Any] = [
        figure_or_reason(
            sight.campaign,
            kind,
            baseline=name,
            examination=sight.examined(name),
            **more,
        )
        for name in sight.references
    ]
    first, *others = figures
    drawn = {
        figure.layout.meta["reference"]: json.loads(figure.to_json())
        for figure in others
        if hasattr(figure, "layout")
    }
    if drawn and hasattr(first, "layout"):
        first.layout.meta |= {"others": drawn}
    return first
