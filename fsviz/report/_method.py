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
        "the runs are ranked. Intervals are 95 %. *q* is p corrected for all tests of "
        "the campaign (Benjamini–Hochberg): of all differences with *q* < 0.05, fewer "
        "than one in twenty are false on average. *Mixed*: faster at some sizes and "
        "slower at others, or the total time contradicts the ratios. *In part*: shown "
        "at some sizes only. *About the same*: the interval of the ratio lies within "
        f"1/{BAND[1]:g} to {BAND[1]:g}. *Inconclusive*: neither a difference nor "
        f"equality is shown. *Untested*: fewer than {FEWEST} runs on one side; the "
        "ratio is in brackets. *Not comparable*: the numbers are not of the named "
        "system or not of the same work. The words in brackets after an answer say "
        "what it is about, such as *cache* or *sync against async*."
    )
