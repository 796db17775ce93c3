"""What is known of one comparison: its measurements, runs, systems and facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from fsviz.model.errors import ParseError
from fsviz.model.escaping import html_text, printable
from fsviz.model.runs import Note

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Looks:
    """After which rounds ``fsviz run`` looked at the answers, and how many it planned.

    ``closed`` says that the budget ended there, so that no further look will be taken.
    """

    planned: int
    taken: tuple[int, ...] = ()
    closed: bool = False


@dataclass(frozen=True, repr=False)
class Campaign:
    """Everything that is known about a campaign.

    Parameters
    ----------
    name, title : str
        Folder name and title; empty for lone files.
    baseline : str or None
        The system that the others are compared with, if the campaign names one.
    measurements, runs, systems : DataFrame
        The tidy table, a table with one row per run, and one with one row per system.
    problems : tuple of ParseError
        Input that could not be used, each with file and line.
    thresholds : mapping of str to float
        Limits of ``fsviz check`` rules that this campaign changes.
    compared : tuple of str
        Facts and settings that differ on purpose.
    question : str
        The question that the campaign should answer.
    started, ended : str
        When the measurement began and ended.
    notes : tuple of Note
        Decisions during loading that a person should know about, such as a file that
        counts once because it is a copy of another.
    files : DataFrame or None
        System and run of each file (`fsviz.campaigns._place_runs`).
    looks : Looks or None
        The looks of ``fsviz run``, which make answers stricter; None for campaigns
        that ``fsviz run`` did not measure.
    whole : Campaign or None
        The campaign with the operations that mix runs, if these were left out.
        ``fsviz check`` uses it, to report what is wrong with them.
    selected : tuple of Campaign and DataFrame, or None
        What `select` took, and of what: the answers of a part are those of the whole.
    regime : str
        The only regime whose files it has; empty for all.
    """

    name: str
    title: str
    baseline: str | None
    measurements: pd.DataFrame
    runs: pd.DataFrame
    systems: pd.DataFrame
    problems: tuple[ParseError, ...] = ()
    thresholds: Mapping[str, float] = field(default_factory=dict)
    compared: tuple[str, ...] = ()
    question: str = ""
    started: str = ""
    ended: str = ""
    notes: tuple[Note, ...] = ()
    files: pd.DataFrame | None = None
    looks: Looks | None = None
    whole: Campaign | None = None
    selected: tuple[Campaign, pd.DataFrame] | None = None
    regime: str = ""

    @property
    def origin(self) -> Campaign | None:
        """What this is a part of, unless its measurements were exchanged since."""
        whole, part = self.selected or (None, None)
        return whole if part is self.measurements else None

    def select(
        self,
        *,
        systems: Iterable[str] | str | None = None,
        operations: Iterable[str] | str | None = None,
        tool: Iterable[str] | str | None = None,
        setting: str | None = None,
        regime: str = "",
    ) -> Campaign:
        """Return a part of the campaign, whose answers are those of the whole.

        Parameters
        ----------
        systems, operations, tool, setting
            Names to keep; by default all.
        regime : str
            ``cache``, ``transition`` or ``storage``: files of that regime alone, which
            is another question than that of all sizes.

        Returns
        -------
        Campaign

        Raises
        ------
        UsageError
            If a name is unknown, or nothing is left.
        """
        import fsviz

        whole = self
        if regime:
            whole = replace(fsviz.in_regime(self.origin or self, regime), selected=None)
        part: Campaign = fsviz.select(
            whole, system=systems, operation=operations, tool=tool, setting=setting
        )
        return replace(part, regime=regime or self.regime)

    def compare(self, baseline: str | None = None, **choices: Any) -> Any:
        """Compare every system with a baseline, as `fsviz.compare` does.

        One system alone is no error here: there is nothing to say, but its numbers.
        """
        import fsviz

        if self.measurements["system"].nunique() == 1 and not choices:
            return fsviz.Comparison(self, baseline or None)
        return fsviz.compare(self, baseline=baseline or None, **choices)

    def __repr__(self) -> str:
        """Say what it is in a few words: the frames have thousands of rows."""
        return f"<Campaign {', '.join(self._parts())}>"

    def _repr_html_(self) -> str:
        """Show it in a notebook: the same words, and a row a system."""
        rows = self.systems.dropna(axis="columns", how="all")
        table = rows.to_html(index=False, border=0, max_rows=20, na_rep="–")
        return f"<p>{html_text(', '.join(self._parts()))}</p>{table}"

    def _parts(self) -> list[str]:
        tools = ", ".join(map(str, self.measurements["tool"].unique()))
        return [
            printable(self.name) or "lone files",
            _count(self.runs["system"].nunique(), "system"),
            f"{_count(len(self.runs), 'run')} of {tools or 'no tool'}",
            _count(len(self.measurements), "number"),
            _count(len(self.problems), "problem"),
        ]


Data: TypeAlias = "Campaign | pd.DataFrame"
"""A campaign, or its measurements as the tidy table has them."""

Same = TypeVar("Same", bound="Campaign | pd.DataFrame")
"""The kind of data that was given."""


def baseline_of(data: Data) -> str | None:
    """Name the system that a campaign compares the others with."""
    return data.baseline if isinstance(data, Campaign) else None


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
