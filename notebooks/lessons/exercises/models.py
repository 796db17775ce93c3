"""Interpretations in the learner's own words, beside one of ours that unfolds.

Nobody can mark a sentence by comparing words. So the learner compares: ours is folded,
with a list of what a good answer contains.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exercises.samples import DIFFERENCE, run_scatter
from exercises.watching import watched
from fsviz.analysis.power import POWER, runs_for
from fsviz.model.errors import UsageError, printable
from fsviz.model.escaping import html_text, html_with_code
from fsviz.model.units import MIB, significant

if TYPE_CHECKING:
    from fsviz.model.campaign import Campaign

_NOTHING = "Nothing yet. Write two or three sentences into the cell above."


@dataclass(frozen=True, slots=True, repr=False)
class ModelAnswer:
    """A learner's text, and ours below it, folded."""

    yours: str
    model: str
    points: tuple[str, ...]

    def __repr__(self) -> str:
        """Return the learner's text alone, as a saved notebook holds it."""
        return self.yours or _NOTHING

    def _repr_html_(self) -> str:
        yours = html_text(self.yours or _NOTHING)
        points = "".join(f"<li>{html_with_code(point)}</li>" for point in self.points)
        return (
            '<div class="fsviz-model"><b>Yours</b>'
            f"<blockquote>{yours}</blockquote>"
            "<details><summary>Ours, and what a good answer contains</summary>"
            f"<blockquote>{html_with_code(self.model)}</blockquote><ul>{points}</ul>"
            "</details></div>"
        )


def model_answer(name: str, answer: object, campaign: Campaign) -> ModelAnswer:
    """Show a model interpretation beside the learner's."""
    if name not in MODELS:
        known = ", ".join(MODELS)
        raise UsageError(
            f"interpretation: expected one of {known}, found {printable(name)}"
        )
    try:
        model, points = MODELS[name](campaign)
    except (LookupError, ValueError, TypeError) as error:
        raise UsageError(
            f"{name}: expected the campaign that the lesson was written for, found "
            "another one"
        ) from error
    return ModelAnswer("" if answer is None else str(answer).strip(), model, points)


def _first_write(campaign: Campaign) -> tuple[str, tuple[str, ...]]:
    rows = campaign.measurements
    own = rows.loc[rows["system"] == "memory"].set_index("operation")["value"] / MIB
    table = watched("memory")
    during = table.loc[table["time"] < "08:08:24"]
    wrote = significant(float(during["wrote"].max()))
    programs = significant(float(during["user"].mean()))
    model = (
        f"The first write ran at {significant(float(own['write']))} MiB/s and the "
        f"second at {significant(float(own['rewrite']))} MiB/s, on the same disk. "
        f"During the first write, the disk wrote at most {wrote} MiB/s, and mostly "
        "nothing, so it did not limit the write. The processors were busy all the "
        f"time, and spent {programs} % of the time in programs. But IOzone works in "
        "the kernel, so other programs were running. These recordings do not show what "
        "made the first write slow. One guess is that the kernel first had to find "
        "free pages of memory. A run on an idle machine would test this guess."
    )
    return model, (
        "both speeds, with their unit",
        "that the disk was nearly idle, with the number that shows it",
        "that other programs used the processors",
        "what the recordings do not show, and how to find out",
    )


def _what_it_can_find(campaign: Campaign) -> tuple[str, tuple[str, ...]]:
    row = run_scatter(campaign).iloc[0]
    scatter, n = float(row["scatter"]) / 100, int(row["n_runs"])
    needed = runs_for(scatter, DIFFERENCE, rounds=bool(row["rounds"]))
    of = "The ratios of the rounds" if row["rounds"] else "The runs"
    enough = "so it can find" if n >= needed else "so it may miss"
    model = (
        f"{of} of {row['system']} ({row['operation']}) scatter by "
        f"{significant(100 * scatter)} % (standard deviation of logarithms, n = {n}). "
        f"To find a difference of 5 % in {100 * POWER:g} of 100 campaigns, you "
        f"need {needed} runs of each system. This campaign has {n}, {enough} such a "
        "difference. If it finds no difference, there may still be one."
    )
    return model, (
        "scatter and n",
        "the difference that matters to the reader, chosen before measuring",
        "that a campaign may miss a difference: `inconclusive` is not `same`",
    )


MODELS: dict[str, Callable[[Campaign], tuple[str, tuple[str, ...]]]] = {
    "first-write": _first_write,
    "what-it-can-find": _what_it_can_find,
}
"""Name of an interpretation → ours, and what a good one contains."""
