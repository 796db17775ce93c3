"""Can it be believed? Four questions, each answered by the rules that ask about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from fsviz.analysis.cells import WHERE, in_passes
from fsviz.checks.findings import SEVERITIES, findings_about
from fsviz.checks.phrases import count, listing
from fsviz.model.escaping import printable
from fsviz.model.libraries import pd
from fsviz.model.runs import STANDS_FOR, facts_of_run
from fsviz.model.tools import TOOLS, title_of

if TYPE_CHECKING:
    from fsviz.checks.findings import Examination
    from fsviz.model.campaign import Campaign

State = Literal["fine", "warning", "error", "unknown"]
"""Asked and nothing found, a warning, an error, or not checkable."""

QUESTIONS: dict[str, tuple[str, ...]] = {
    "Repeated enough?": (
        *("too-few-runs", "unstable-cell", "outlier-run", "parallel-runs"),
        "not-interleaved",
    ),
    "Storage measured?": (
        *("answered-by", "over-line-rate", "no-storage-cells", "exceeds-memory-speed"),
        *("small-for-memory", "whole-file-record", "write-back"),
        *("cache-regime", "cache-cliff", "random-beats-sequential", "cpu-bound"),
        *("test-file-elsewhere", "compressible-data"),
    ),
    "Same settings?": (
        *("durability-differs", "settings-differ", "confounded"),
        *("direct-in-part", "unflushed-network-write", "invalid-mode", "busy-machine"),
    ),
    "Measured in full?": (
        *("incomplete-run", "too-short", "unmatched-cells", "clock-quantised"),
        *("stragglers", "undisclosed"),
    ),
}
"""Each question and its rules, those that weigh most first."""

_UNTIMED = "small-for-memory"
_WEIGHTY = (_UNTIMED, "too-short")
"""Rules whose information counts as a warning here: what bonnie++ was too quick to time
has no number, and no cell below half a second was measured long enough."""

_STARTS = "the runs' start times"
_ORDER = "not-interleaved"
"""Its information says that start times are missing, which no fact can state."""

_FINE = {
    "Storage measured?": "No sign that the numbers came from a cache.",
    "Same settings?": "No difference in options or stated facts.",
    "Measured in full?": "No size is missing, and none was over too soon.",
}

_IN_PART = "Each size was measured, but not in every run."


@dataclass(frozen=True, slots=True)
class Trust:
    """The answer to one question."""

    question: str
    state: State
    sentence: str
    advice: str
    rules: tuple[str, ...]


class Questions(tuple[Trust, ...]):
    """The four questions, which display themselves as chips."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(import_module("fsviz.text.html").chips_html(self))


def trust(
    campaign: Campaign,
    examination: Examination,
    systems: Sequence[str] = (),
    tool: str = "",
) -> list[Trust]:
    """Answer the four questions that decide whether a comparison can be believed.

    Parameters
    ----------
    campaign : Campaign
        What was measured.
    examination : Examination
        Examination of this campaign, as `fsviz.run_checks` returns it.
    systems : sequence of str
        Systems that are shown; empty for all.
    tool : str
        The only tool that is shown; empty for all.

    Returns
    -------
    list of Trust
        One per question, in the order of `QUESTIONS`.
    """
    tools = [tool] if tool else []
    findings = findings_about(examination.findings, systems, tools)
    info = findings["severity"] == "info"
    unordered = info & (findings["rule"] == _ORDER)
    findings = findings.assign(fact=findings["fact"].mask(unordered, _STARTS))
    unknown = findings.loc[info & (findings["fact"] != "")]
    weighty = info & (findings["fact"] == "") & findings["rule"].isin(_WEIGHTY)
    short = findings.loc[weighty].assign(severity="warning")
    findings = findings.loc[~info]
    table = campaign.measurements
    if systems:
        table = table.loc[table["system"].isin(list(systems))]
    if tool:
        table = table.loc[table["tool"] == tool]
    runs, everywhere = _runs(campaign, table, tool)
    *first_questions, (last, rules) = QUESTIONS.items()
    answers = [_answer(*each, findings, unknown, runs) for each in first_questions]
    if len(short):
        findings = pd.concat([short, findings.loc[findings["rule"] != _UNTIMED]])
        # before unmatched cells: that is what most of these are here
        rules = (rules[0], _UNTIMED, *rules[1:])
    answers.append(_answer(last, rules, findings, unknown, runs))
    if answers[-1].state == "fine" and not everywhere:
        answers[-1] = replace(answers[-1], sentence=_IN_PART)
    if complaint := _left_out(campaign, systems, tool) or _nothing_shared(table):
        answers[-1] = _worse(answers[-1], *complaint)
    return answers


def _answer(
    question: str,
    rules: tuple[str, ...],
    findings: pd.DataFrame,
    unknown: pd.DataFrame,
    runs: str,
) -> Trust:
    of_rules = findings.loc[findings["rule"].isin(rules)]
    # the runs are what the first question is about, whatever was found
    before = f"{runs} " if question == next(iter(QUESTIONS)) else ""
    if (of_rules["rule"] == "too-few-runs").any() and runs.startswith("1 run "):
        before = ""  # the finding says so, and of whom
    if of_rules.empty:
        unsaid = unknown.loc[unknown["rule"].isin(rules)]
        if len(unsaid):
            return _not_checkable(question, rules, unsaid, before)
        return Trust(question, "fine", before or _FINE[question], "", ())
    order = [
        (SEVERITIES.index(row.severity), rules.index(row.rule), -row.cells, k)
        for k, row in enumerate(of_rules.itertuples())
    ]
    ranked = of_rules.iloc[[place[-1] for place in sorted(order)]]
    worst = ranked.iloc[0]
    return Trust(
        question,
        worst["severity"],
        before + _sentence(str(worst["message"]), worst["systems"]),
        _sentence(str(worst["advice"]), worst["systems"]),
        tuple(dict.fromkeys(ranked["rule"])),
    )


def _not_checkable(
    question: str, rules: tuple[str, ...], unsaid: pd.DataFrame, before: str
) -> Trust:
    """Name the one fact without which a question gets no tick."""
    facts = unsaid["fact"].value_counts()
    first = unsaid.loc[unsaid["fact"] == facts.index[0]].iloc[0]
    named = sorted(set(unsaid["rule"]), key=rules.index)
    fact = str(first["fact"])
    lacks = "are not known" if fact == _STARTS else "is not stated"
    sentence = f"{before}Not checkable: {_title_of_fact(fact)} {lacks}."
    return Trust(
        question, "unknown", sentence, _sentence(str(first["advice"])), tuple(named)
    )


def _worse(answer: Trust, sentence: str, otherwise: str) -> Trust:
    """Say first what is not answered at all; a finding keeps its advice."""
    after = f" {answer.sentence}" if answer.rules else ""
    advice = answer.advice or otherwise
    return replace(answer, state="error", sentence=sentence + after, advice=advice)


def _nothing_shared(table: pd.DataFrame) -> tuple[str, ...]:
    """Say whose operations nobody else measured with the same tool, and what to do."""
    test = ["tool", "operation"]
    table = table[["system", *test]].drop_duplicates()
    systems_of = table.groupby(test, observed=True)["system"].transform("nunique")
    names = list(table["system"].astype(str).unique())
    paired = {*table.loc[systems_of > 1, "system"].astype(str)}
    alone = [name for name in names if name not in paired]
    if len(names) < 2 or not alone:
        return ()
    sentence = "No two systems have an operation of one tool in common."
    if paired:
        sentence = f"No other system has an operation of {listing(alone, 3)}."
    return sentence, "Run the same tool on both."


def _left_out(campaign: Campaign, systems: Sequence[str], tool: str) -> tuple[str, ...]:
    """Say whose operations were left out because they mix runs, and what to do."""
    if campaign.whole is None:
        return ()
    key = ["system", "tool", "operation"]
    before, after = (
        set(data.measurements[key].astype(str).itertuples(index=False, name=None))
        for data in (campaign.whole, campaign)
    )
    lost, left = sorted(before - after), {system for system, *_ in after}
    whose = {(used, system): None for system, used, _ in lost}
    parts = [
        f"{title_of(used)} on {system}"
        for used, system in whose
        if (not tool or used == tool)
        and (not systems or system in systems or system not in left)
    ]
    sentence = (
        f"Left out, for the runs are no repeats of one another: {listing(parts)}."
    )
    return (sentence, "Give each its own label or [[system]].") if parts else ()


def _runs(campaign: Campaign, table: pd.DataFrame, tool: str) -> tuple[str, bool]:
    """Say how often each system measured the same, and whether every cell as often.

    That is with each tool and setting. Tools that are started for one operation at a
    time make more runs than that.
    """
    runs = in_passes(table).drop_duplicates([*WHERE, "run"])
    each = " of each system" if tool else " of each system and tool"
    if runs["system"].nunique() == 1 and runs["tool"].nunique() == 1:
        each = ""
    noun = noun_of(campaign, runs)
    sizes = runs.groupby([*WHERE], observed=True, dropna=False, sort=False).size()
    section = sizes.groupby(["system", "tool", "setting"], observed=True)
    everywhere, sizes = bool((section.min() == section.max()).all()), section.max()
    if sizes.empty:
        return "No runs.", True
    least, most = int(sizes.min()), int(sizes.max())
    from_least = f"{least} to " * (least < most)
    return f"{from_least}{count(most, noun)}{each}.", everywhere


def noun_of(campaign: Campaign, rows: pd.DataFrame) -> str:
    """Say what numbers are: runs, unless all of them stand for several."""
    runs = campaign.runs.loc[campaign.runs["run"].isin(list(rows["run"]))]
    kinds = {facts_of_run(facts).get(STANDS_FOR) for facts in runs["facts"]}
    return {"mean": "mean", "published": "published figure"}.get(
        str(kinds.pop()) if len(kinds) == 1 else "", "run"
    )


def _title_of_fact(fact: str) -> str:
    """Name a fact in a sentence."""
    words = fact.replace("_", " ").replace(" ram", " RAM")
    return fact if fact == _STARTS else f"the {words}"


def _sentence(text: str, names: Sequence[str] = ()) -> str:
    """Make a sentence of a message; a system that it begins with keeps its name."""
    named = any(text.startswith(printable(name)) for name in names)
    first, space, tail = text.partition(" ")
    if first in TOOLS:
        first = title_of(first)
    elif not named:
        first = first[:1].upper() + first[1:]
    return f"{first}{space}{tail}" + ("" if text.endswith(".") else ".")
