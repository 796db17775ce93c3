"""What a page shows first: the headline, the matrix, and whether to believe it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from fsviz.analysis.cells import select
from fsviz.analysis.regimes import in_regime, regime_line
from fsviz.answers.alone import alone
from fsviz.answers.headline import answer, most_different, peers, shown_first
from fsviz.answers.matrix import overview
from fsviz.answers.notes import contradictions
from fsviz.answers.statement import statements
from fsviz.answers.trust import noun_of, trust
from fsviz.checks.engine import Examiner
from fsviz.checks.judged_comparison import compare
from fsviz.checks.marks import cell_marks
from fsviz.checks.measurable import measurable
from fsviz.checks.phrases import count, listing
from fsviz.checks.rules import RULES
from fsviz.figures.panels.ratio import maps_end
from fsviz.model.errors import FsvizError, UsageError
from fsviz.model.escaping import (
    html_text,
    html_with_code,
    markdown_text,
    printable,
)
from fsviz.model.libraries import pd
from fsviz.model.table import OPERATIONS
from fsviz.model.tools import title_of
from fsviz.model.units import format_value
from fsviz.report.entries import Card
from fsviz.report.index import ICONS

if TYPE_CHECKING:
    from IPython.display import HTML

    from fsviz.answers.statement import Statement
    from fsviz.answers.trust import Trust
    from fsviz.checks.findings import Examination
    from fsviz.model.campaign import Campaign
    from fsviz.report.matrix import View


class Sight:
    """What a page shows first, and what it rests on.

    Attributes
    ----------
    headline : str
        One bold line of Markdown, in which names mean nothing.
    matrix : IPython HTML
        Against the reference; empty if there is nothing to compare, which the headline
        then says.
    reference : str
        What the matrix compares with: the baseline, or the first of the peers.
    said : list of Statement
        Of the matrix.
    references : list of str
        That the page offers; the chosen one is first.
    """

    def __init__(
        self, campaign: Campaign, baseline: str, examination: Examination | None = None
    ) -> None:
        from IPython.display import HTML

        self.campaign = campaign
        self.reference = baseline
        self.headline: str = ""
        self.matrix = HTML("")
        self.said: list[Statement] = []
        self.references = [baseline]
        self._known = {baseline: examination} if examination else {}
        against = examination.against if examination else None
        self._against = against or Examiner(campaign)

    def examined(self, name: str) -> Examination:
        """Examine the campaign against a system, once."""
        return self._known.get(name) or self._against(name)

    def opens(self, operations: Sequence[str]) -> tuple[str, str]:
        """Say which operation and system a page opens with: what differs most."""
        own = [one for one in self.said if one.operation in operations]
        return most_different(own)

    @property
    def examination(self) -> Examination:
        """Of the campaign, against the reference."""
        return self.examined(self.reference)

    @cached_property
    def marks(self) -> pd.DataFrame:
        """Errors and warnings: of rules that compare, about each reference."""
        compares = [rule.name for rule in RULES if rule.compares]
        found = {name: cell_marks(self.examined(name)) for name in self.references}
        always = found[self.reference]
        always = always.loc[~always["rule"].isin(compares)]
        pairs = [
            marks.loc[marks["rule"].isin(compares)].assign(against=name)
            for name, marks in found.items()
        ]
        return pd.concat([always, *pairs], ignore_index=True)

    def end(self, name: str, tool: str = "") -> float:
        """Say where colours of maps against a system end [log₂]; 0 without maps."""
        table = select(self.campaign, tool=[tool] if tool else None).measurements
        if table["record_size_bytes"].nunique() < 2 or self.cells is None:
            return 0.0
        own = self.cells.loc[self.cells["baseline"] == name]
        return maps_end(own, "throughput")

    @cached_property
    def cells(self) -> pd.DataFrame | None:
        """Every cell of maps against each reference; None without two systems.

        What has no map, such as times of rsync, is left out: it changes no other row.
        """
        table = self.campaign.measurements
        sized = table.loc[table["record_size_bytes"].notna() & table["value"].notna()]
        records = sized.groupby("tool", observed=True)["record_size_bytes"].nunique()
        drawn = sized.loc[sized["tool"].isin(records.index[records > 1]), "system"]
        names = [name for name in self.references if name in set(drawn)]
        others = list(drawn.unique())
        if not names:
            return None
        try:
            return pd.concat(
                compare(
                    self.campaign,
                    baseline=name,
                    candidate=[other for other in others if other != name],
                    examination=self.examined(name),
                    cells=True,
                )
                for name in names
            )
        except FsvizError:  # nothing to compare
            return None


def first_sight(
    campaign: Campaign,
    *,
    baseline: str,
    candidates: Sequence[str],
    operations: Sequence[str] | None = None,
    examination: Examination | None = None,
    tool: str = "",
) -> Sight:
    """Show in Markdown and in a matrix which system is faster, and by how much.

    Parameters
    ----------
    campaign : Campaign
        What was measured.
    baseline : str
        System to compare with.
    candidates : sequence of str
        Systems to compare; without any there is no matrix.
    operations : sequence of str or None
        By default every operation.
    examination : Examination or None
        Examination of this campaign with this baseline, if known.
    tool : str
        Tool of a page about one tool. The answers use the whole campaign, so that its
        pages agree.

    Returns
    -------
    Sight
    """
    from fsviz.report.matrix import matrix_html

    sight = Sight(campaign, baseline, examination)
    if not candidates:
        sight.headline = f"**{markdown_text(alone(campaign, baseline, tool))}**"
        return sight
    try:
        whole = overview(
            campaign, baseline, candidates, operations, sight.examined(baseline)
        )
        frame = _of_tool(whole, tool)
    except FsvizError as error:
        sight.headline = f"*{markdown_text(str(error))}*"
        return sight
    shown = shown_first(campaign, whole, tool, operations, sight.examined)
    sight.reference = str(shown["baseline"].iloc[0])
    sight.said = statements(shown)
    sight.headline = _first_words(shown, sight.said, tool)
    known = {sight.reference: shown, baseline: whole}
    names = [baseline, *candidates]
    sight.references = _references(names, [sight.reference, *peers(frame)])
    views = list(_against(sight, names, operations, tool, known))
    if not tool:
        end = sight.end(sight.reference)
        views += _of_sizes(campaign, sight.reference, names, operations, end)
    if any(one.is_measured for view in views for one in statements(view.frame)):
        sight.matrix = matrix_html(views, campaign)
    return sight


def _first_words(shown: pd.DataFrame, said: Sequence[Statement], tool: str) -> str:
    """Write the headline and, below it, what contradicts it."""
    own = [one for one in said if not tool or one.tool == tool]
    lines = map(markdown_text, contradictions(own))
    return "\n\n".join([f"**{markdown_text(answer(shown, tool))}**", *lines])


def _against(
    sight: Sight,
    names: Sequence[str],
    operations: Sequence[str] | None,
    tool: str,
    known: Mapping[str, pd.DataFrame],
) -> Iterator[View]:
    """Compare with each system in turn; `known` are overviews that were made before."""
    from fsviz.report.matrix import View

    for name in sight.references:
        others = [other for other in names if other != name]
        frame = known.get(name)
        if frame is None:
            examined = sight.examined(name)
            frame = overview(sight.campaign, name, others, operations, examined)
        own = _of_tool(frame, tool)
        said = answer(own, tool)
        yield View("System", name, own, headline=said, end=sight.end(name, tool))


_MOST = 16
"""References that the menu offers; each costs seconds where there are many systems."""


def _of_tool(frame: pd.DataFrame, tool: str) -> pd.DataFrame:
    """Keep one tool's rows; empty keeps all."""
    kept = frame.loc[frame["tool"] == tool] if tool else frame
    if kept.empty:
        raise UsageError(f"expected two systems that ran {tool}, found one")
    return kept


def _references(names: Sequence[str], near: Sequence[str]) -> list[str]:
    """List the systems that the menu offers: first the one that is shown."""
    order = dict.fromkeys([near[0], names[0], *near[1:], *names])
    return list(order)[:_MOST]


def _of_sizes(
    campaign: Campaign,
    reference: str,
    names: Sequence[str],
    operations: Sequence[str] | None,
    end: float,
) -> Iterator[View]:
    """Compare again at the sizes that can be measured, and at those of the storage."""
    from fsviz.report.matrix import View

    others = [name for name in names if name != reference]
    choices = {
        "measurable": lambda: measurable(campaign, names),
        "storage": lambda: (
            in_regime(campaign, "storage"),
            regime_line(campaign, "storage"),
        ),
    }
    for name, choose in choices.items():
        try:
            kept, line = choose()
            if len(kept.measurements) == len(campaign.measurements):
                continue
            frame = overview(kept, reference, others, operations)
        except FsvizError:
            continue  # nothing of these sizes was measured
        title = f"{reference}, {name} sizes only"
        yield View("Sizes", title, frame, line, end=end)


def card_of(campaign: Campaign, examined: Examiner) -> Card:
    """Say what the index shows of a campaign."""
    from fsviz.report.matrix import card_lines

    told = tuple((one.question, one.state) for one in trust(campaign, examined()))
    try:
        frame = overview(campaign, examination=examined())
        shown = shown_first(campaign, frame, examined=examined)
        said = answer(shown)
    except FsvizError:
        names = campaign.measurements["system"].unique()
        only = alone(campaign, str(names[0])) if len(names) == 1 else ""
        return Card(headline=only, trust=told)
    return Card(headline=said, trust=told, **card_lines(shown))


_MOST_RULES = 3
_TRUST = "trust tex2jax_ignore mathjax_ignore"  # MathJax: a price is no formula


def describe_measured(
    campaign: Campaign, systems: Sequence[str], tool: str = ""
) -> str:
    """Describe in one line of Markdown what was measured.

    Parameters
    ----------
    campaign : Campaign
        What was measured.
    systems : sequence of str
        Those that the page shows.
    tool : str
        Tool of a page about one tool.

    Returns
    -------
    str
        Markdown; everything from files is escaped.
    """
    runs = campaign.runs.loc[campaign.runs["system"].isin(list(systems))]
    if tool:
        runs = runs.loc[runs["tool"] == tool]
    tools = list(dict.fromkeys(runs["tool"].astype(str)))
    parts = [count(len(systems), "system")]
    # else 196 runs look like many repeats of one thing
    parts += [count(n, "setting") for n in [_settings(campaign, tools)] if n > 1]
    parts += [count(len(runs), noun_of(campaign, runs)), listing(map(title_of, tools))]
    known = campaign.systems.set_index("system")
    for fact, title in (("link", "link"), ("client_ram", "client RAM")):
        stated = list(known[fact].dropna().unique()) if fact in known else []
        if len(stated) == 1:
            parts.append(f"{title} {stated[0]}")
    parts += _copied(campaign.measurements, tool)
    # against what, the matrix says: it may compare near ones with one another
    return " · ".join(markdown_text(part) for part in parts)


def _settings(campaign: Campaign, tools: Sequence[str]) -> int:
    """Count the settings and numbers of processes that a lone tool measured with."""
    table = campaign.measurements
    own = table.loc[table["tool"].isin(tools), ["threads", "setting"]]
    return len(own.drop_duplicates()) if len(tools) == 1 else 0


def _copied(table: pd.DataFrame, tool: str) -> list[str]:
    """Say how much a tool copied, where every run copied the same."""
    own = table.loc[(table["tool"] == tool) & (table["operation"] == "transfer")]
    told = own.groupby(own["metric"].astype(str))["value"].unique()
    if not all(len(told.get(name, ())) == 1 for name in ("count", "size")):
        return []
    files, size = int(told["count"][0]), format_value(float(told["size"][0]), "B")
    return [f"{count(files, 'file')}, {size} copied"]


def trust_html(answers: Iterable[Trust]) -> HTML:
    """Show in four lines whether the numbers can be trusted; each line opens advice.

    Parameters
    ----------
    answers : iterable of Trust
        As `fsviz.answers.trust.trust` gives them.

    Returns
    -------
    IPython HTML
        Everything from files is escaped.
    """
    from IPython.display import HTML

    inside = "".join(map(_box, answers))
    return HTML(f'<div id="trust" class="{_TRUST}">{inside}</div>')


def _box(one: Trust) -> str:
    links = [
        f'<a href="#finding-{rule}">{rule}</a>' for rule in one.rules[:_MOST_RULES]
    ]
    more = len(one.rules) - len(links)
    told = ", ".join(links) + (f" and {more} more" if more else "")
    beside = [html_with_code(one.advice), told]
    inside = "".join(f'<p class="soft">{text}</p>' for text in beside if text)
    said = html_with_code(one.said)
    head = f'<h3 aria-level="2">{_asked(one)}</h3><span>{said}</span>'
    if not inside:
        return f'<section class="{one.state}">{head}</section>'
    return f'<details class="{one.state}"><summary>{head}</summary>{inside}</details>'


def _asked(one: Trust) -> str:
    return f'<span aria-hidden="true">{ICONS[one.state]}</span> {one.question}'


def trust_line(answers: Iterable[Trust]) -> HTML:
    """Show the answers of `trust_html` as links in one line.

    A page shows this line above a matrix, only in a narrow window. There the boxes of
    `trust_html` are far below the matrix; in a wide window they are beside it.

    Parameters
    ----------
    answers : iterable of Trust
        As `fsviz.answers.trust.trust` gives them.

    Returns
    -------
    IPython HTML
    """
    from IPython.display import HTML

    told = [
        f'<a class="{one.state}" href="#trust">{_asked(one)}</a>' for one in answers
    ]
    return HTML(f'<nav class="trust-line" aria-label="Trust">{"".join(told)}</nav>')


def folded(shown: object, title: str) -> object:
    """Fold away details. On paper, a folded figure is left out and a table is shown.

    Parameters
    ----------
    shown : plotly Figure, IPython HTML or str
        The part to fold; a reason why there is no figure is not folded.
    title : str
        What to click on.

    Returns
    -------
    plotly Figure, IPython HTML or str
    """
    from IPython.display import HTML

    if isinstance(shown, HTML):
        head = f"<summary>{html_text(title)}</summary>"
        return HTML(f'<details class="fsviz-fold">{head}{shown.data}</details>')
    if (layout := getattr(shown, "layout", None)) is not None:
        layout.meta |= {"folded": title}
    return shown


def tab(
    operation: str, systems: Sequence[str], opened: tuple[str, str] = ("", "")
) -> HTML:
    """Begin the tab of an operation, which lasts until the next tab.

    Parameters
    ----------
    operation : str
        Such as ``random_read``.
    systems : sequence of str
        Those that the page shows.
    opened : tuple of str
        Operation and system that the page opens with, as `Sight.opens` says.

    Returns
    -------
    IPython HTML
        A heading; the page's script turns all these headings into tabs.
    """
    from IPython.display import HTML

    title = OPERATIONS[operation].capitalize()
    names = html_text(json.dumps(list(map(printable, systems)), ensure_ascii=False))
    first = html_text(opened[1]) if opened[0] == operation else ""
    return HTML(
        f'<h3 class="tab" data-tab="{operation}" data-systems="{names}" '
        f'data-opened="{first}">{title}</h3>'
    )
