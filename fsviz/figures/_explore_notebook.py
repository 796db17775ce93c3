"""What ``notebooks/explore.ipynb`` shows of one campaign: figures, and the answer.

Everything that is made is kept, so that a choice made again, or drawn ahead, costs
nothing.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from fsviz.analysis.buckets import EDGES, bucket_of
from fsviz.analysis.cells import present
from fsviz.analysis.regimes import REGIMES, in_regime
from fsviz.answers.comparison import Comparison
from fsviz.figures.kinds.buckets import buckets
from fsviz.figures.kinds.explorer import explorer
from fsviz.figures.style import make_scale
from fsviz.model.errors import FsvizError, UsageError
from fsviz.model.libraries import np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import plotly.graph_objects as go

    from fsviz.model.campaign import Campaign

Scale = Literal["linear", "log"]
"""Of values: one that is chosen, so that it never changes in silence."""
_KEPT = 96
"""Figures that are kept, each of about a fifth of a megabyte."""


@dataclass(frozen=True)
class Choice:
    """What the controls say, and the rows that they leave."""

    shown: Campaign
    operation: str
    metric: str
    systems: tuple[str, ...]
    sizes: tuple[tuple[str, ...], str]
    reference: str
    scale: Scale

    @property
    def compares(self) -> bool:
        """Whether a system is chosen besides the reference."""
        return len({self.reference, *self.systems}) > 1

    @property
    def choices(self) -> dict[str, Any]:
        """As figures take it."""
        return {
            "operation": self.operation,
            "metric": self.metric,
            "system": self.systems,
            "scale": self.scale,
        }


class Explored:
    """One campaign, and what was made of it."""

    def __init__(self, source: str, campaign: Campaign) -> None:
        table = campaign.measurements
        self.rows = table.dropna(subset=["record_size_bytes", "value"])
        if self.rows.empty:
            tools = ", ".join(present(table, "tool")) or "no numbers"
            raise UsageError(
                f"{source}: expected numbers by file size and record size, as IOzone "
                f"prints them, found {tools}"
            )
        self.campaign = campaign
        self._buckets = bucket_of(self.rows["file_size_bytes"])
        self.buckets_found = [name for name in EDGES if (self._buckets == name).any()]
        self._comparisons: dict[str, Comparison | None] = {}
        self._compared: dict[tuple, Comparison] = {}
        self._drawn: dict[tuple, str] = {}

    def choice(
        self,
        operation: str,
        metric: str,
        systems: Sequence[str],
        sizes: tuple[tuple[str, ...], str],
        reference: str,
        scale: Scale,
    ) -> Choice:
        """Take the rows of the chosen sizes; see `Choice` for the parameters."""
        names, regime = sizes
        inside = self._buckets.isin(list(names))
        shown = replace(self.campaign, measurements=self.rows.loc[inside], whole=None)
        if inside.any():
            shown = in_regime(shown, regime)
        # a bucket without numbers changes nothing
        buckets = (tuple(name for name in self.buckets_found if name in names), regime)
        return Choice(
            shown, operation, metric, tuple(systems), buckets, reference, scale
        )

    def scale(self, opened: Mapping[str, Any]) -> Scale:
        """Say which scale figures choose by themselves."""
        conditions = (
            self.rows[name] == opened[name] for name in ("operation", "metric")
        )
        values = self.rows.loc[np.logical_and.reduce([*conditions]), "value"]
        return "log" if make_scale(values, opened["metric"]).log else "linear"

    def likely(
        self, chosen: Choice, operations: Sequence[str], references: Sequence[str]
    ) -> Iterator[Choice]:
        """List what is likely chosen next: one thing is another than in this choice."""
        for operation in operations:
            yield replace(chosen, operation=operation)
        names, regime = chosen.sizes
        alone = [((name,), regime) for name in self.buckets_found]
        every = tuple(self.buckets_found)
        for sizes in [
            *alone,
            (every, regime),
            *((names, limits) for limits in ("", *REGIMES)),
        ]:
            with suppress(UsageError):  # nothing would be left
                yield self.choice(
                    chosen.operation,
                    chosen.metric,
                    chosen.systems,
                    sizes,
                    chosen.reference,
                    chosen.scale,
                )
        for reference in references:
            yield replace(chosen, reference=reference)

    @property
    def parts(self) -> list[Callable[[Choice], str]]:
        """List what makes the figures of a choice, in their order on the page."""
        return [self.explorer, self.buckets]

    def steps(self, chosen: Choice) -> list[Callable[[Choice], object]]:
        """List what makes all that a choice shows, in parts that take about as long."""
        compared = [self.compared] if chosen.compares else []
        return [*compared, *self.parts, self.answer]

    def explorer(self, chosen: Choice) -> str:
        """Draw the chosen systems against the reference, as JSON."""
        first = chosen.reference
        return self._drawn_once(
            explorer,
            chosen,
            system=[first, *(name for name in chosen.systems if name != first)],
            baseline=first,
            comparison=self.compared(chosen),
        )

    def buckets(self, chosen: Choice) -> str:
        """Draw the means of the size buckets, as JSON."""
        return self._drawn_once(buckets, chosen)

    def compared(self, chosen: Choice) -> Comparison:
        """Compare the cells of these sizes, once for all operations and systems."""
        key = (chosen.reference, *chosen.sizes)
        if key not in self._compared:
            self._compared[key] = Comparison(chosen.shown, chosen.reference)
        return self._compared[key]

    def is_drawn(self, chosen: Choice) -> bool:
        """Say whether the figure that takes long is there already."""
        return _key(explorer, chosen) in self._drawn

    def answer(self, chosen: Choice) -> str:
        """Say how each chosen system compares at an operation, over all sizes."""
        comparisons = self._comparisons
        if chosen.reference not in comparisons:
            try:
                comparisons[chosen.reference] = Comparison(
                    self.campaign, chosen.reference
                )
            except FsvizError:
                comparisons[chosen.reference] = None  # one system
        comparison = comparisons[chosen.reference]
        if comparison is None:
            return ""
        words = [
            f"{answer.candidate} {answer.words}"
            for answer in comparison.answers
            if answer.operation == chosen.operation
            and answer.candidate in chosen.systems
        ]
        return (
            f"Against {chosen.reference}, all sizes: {', '.join(words)}"
            if words
            else ""
        )

    def _drawn_once(
        self, draw: Callable[..., go.Figure], chosen: Choice, **other: object
    ) -> str:
        """Draw a figure, or have it drawn already."""
        key = _key(draw, chosen)
        if key not in self._drawn:
            if len(self._drawn) >= _KEPT:
                self._drawn.pop(next(iter(self._drawn)))
            figure = draw(chosen.shown, **chosen.choices | other)
            self._drawn[key] = str(figure.to_json())
        return self._drawn[key]


def _key(draw: Callable[..., go.Figure], chosen: Choice) -> tuple:
    """Say on what a figure depends: another reference changes the explorer alone."""
    other = (chosen.reference,) if draw is explorer else ()
    return (draw, *chosen.choices.values(), *chosen.sizes, *other)
