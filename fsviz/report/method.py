"""How the numbers of a page were made, as every page says it."""

from __future__ import annotations

from fsviz.analysis.answers import BAND
from fsviz.analysis.buckets import EDGES
from fsviz.analysis.tests import FEWEST
from fsviz.model.units import format_size


def describe_method() -> str:
    """Explain in Markdown what the words and numbers of a page mean.

    Returns
    -------
    str
    """
    small, medium, large = (format_size(edge) for edge in [*EDGES.values()][:3])
    return (
        "*Run*: one invocation of the tool. Only runs are repeats: intervals and tests "
        f"are calculated over runs. *Bucket*: small files (up to {small}), medium (up "
        f"to {medium}), large (up to {large}) or very large ones. *Mean* and *median* "
        "are taken over the cells of the bucket, each averaged over its runs. In a "
        "bucket with one cell, the median is taken over the runs. *std cells* says how "
        "much the cells differ, *std runs* how much their mean differs from run to "
        "run. *Ratio*: candidate ÷ baseline, as a geometric mean over the cells that "
        "both measured. The test is a t test on logarithms: round by round if the "
        "systems took turns, otherwise Welch's; if a run printed only a bound (+++++), "
        "the runs are ranked. Intervals are 95 %. *q* is p corrected for many tests: "
        "in rows of a whole operation or tool, those of all candidates; in other rows, "
        "those of the row's candidate. Of all differences with *q* < 0.05, fewer than "
        "one in twenty are false on average (Benjamini–Hochberg). *Same*: the interval "
        f"of the ratio lies within 1/{BAND[1]:g} to {BAND[1]:g}. *Depends*: faster in "
        "some parts of the row and slower in others. *Unclear*: the runs show neither "
        f"a difference nor equality. *Untested*: fewer than {FEWEST} runs on "
        "one side. The words in brackets after a verdict say what it refers to, such "
        "as *cache* or *sync against async*. *Disqualified*: the numbers belong to "
        "another system or to different work, or cannot be compared. The ratio is "
        "still shown as measured."
    )
