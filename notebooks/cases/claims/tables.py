"""Claims, figures and citation of a publication as tables and words for a notebook."""

from __future__ import annotations

import math
import re
import tomllib

import pandas as pd

from claims.intervals import bounds_of
from claims.judge import judge
from claims.listed import read_claims
from claims.quoted import QuotedValue, quoted_values
from fsviz.campaigns.campaign_toml import NAME, read_campaign_file
from fsviz.campaigns.source_files import find
from fsviz.campaigns.sources import CITATION
from fsviz.model.escaping import markdown_text
from fsviz.model.units import format_value
from fsviz.text.tables import GAP

CLAIMS = ("claim", "authors' number", "recomputed, with bounds", "answer", "line")
FIGURES = ("figure", "value", "at least", "at most", "place")


def claim_table(folder: str) -> pd.DataFrame:
    """Judge every claim of a publication that its own numbers can judge."""
    path = find(folder)
    figures = quoted_values(path)
    link = read_campaign_file(path / NAME).facts.link or ""
    rows = []
    for claim in read_claims(path):
        judgement = judge(claim, figures, link)
        answer = ": ".join(filter(None, (judgement.verdict, claim.remark)))
        line = claim.place.removeprefix("lines ").removeprefix("line ")
        printed = claim.printed or None
        rows.append((claim.claim, printed, judgement.recomputed, answer, line))
    return pd.DataFrame(rows, columns=CLAIMS, dtype="string")


def figure_table(folder: str) -> pd.DataFrame:
    """List every number of a publication with the bounds that its digits allow."""
    rows = []
    for key, figure in quoted_values(find(folder)).items():
        value = _shown(figure.value, figure.unit, figure.printed or GAP)
        ends = (_shown(end, figure.unit) for end in (figure.low, figure.high))
        rows.append((key, value, *ends, figure.place))
    return pd.DataFrame(rows, columns=FIGURES, dtype="string")


def per_unit(figure: QuotedValue, count: float) -> str:
    """Write a figure divided by a count, with both ends.

    >>> per_unit(QuotedValue("", "32-36", math.nan, 32.0, 36.0, "s", ""), 1800)
    '17.8 ms to 20 ms'
    """
    low, high, _ = bounds_of(figure)
    ends = [format_value(end / count, figure.unit) for end in (low, high)]
    return " to ".join(dict.fromkeys(ends)) if low else f"less than {ends[1]}"


def _shown(number: float, unit: str, missing: str = GAP) -> str:
    if not math.isfinite(number):
        return missing
    return f"{number:,.0f}" if unit == "1" else format_value(number, unit)


def citation(folder: str) -> str:
    """Write in Markdown what was published where."""
    stated = tomllib.loads((find(folder) / CITATION).read_text(encoding="utf-8"))
    cited = {key: markdown_text(text) for key, text in stated.items()}
    parts = [
        f"*{cited['title']}*",
        f"Author: {cited['author']}",
        f"In: {cited['site']}",
        f"Date: {cited['published'] or 'none is printed'}",
        f"Address: {_link(str(stated['url'])) or 'none is printed'}",
        f"Read: a saved copy, {cited['accessed']}; line numbers refer to it",
    ]
    notes = [cited[key] for key in ("note", "rounding") if key in cited]
    return "\n\n".join(["  \n".join(parts), *notes])


def _link(url: str) -> str:
    """Link an address of the web; any other text is only shown."""
    plain = re.fullmatch(r"https?://[\w./?&=#%~+:-]+", url, re.ASCII)
    return f"<{url}>" if plain else markdown_text(url)
