"""Claims, figures and citation of a publication as tables and words for a notebook."""

from __future__ import annotations

import math
import re
import tomllib
from typing import TYPE_CHECKING

from claims.intervals import bounds_of
from claims.judge import judge
from claims.listed import Claim, Judgement, read_claims
from fsviz.campaigns.campaign_toml import NAME, read_campaign_file
from fsviz.campaigns.publication import CITATION, QuotedValue, quoted_values
from fsviz.campaigns.source_files import find
from fsviz.model.escaping import markdown_text
from fsviz.model.units import format_value
from fsviz.text.tables import GAP

if TYPE_CHECKING:
    import pandas as pd


_QUESTIONS = ("(Our question)", "(A reader's question)")
_ANSWERS = {
    "holds": "yes",
    "contradicted": "no",
    "contradicted by the text": "no, by the text",
}


def claim_table(folder: str) -> pd.DataFrame:
    """Judge every claim of a publication."""
    import pandas as pd

    path = find(folder)
    known = quoted_values(path)
    link = read_campaign_file(path / NAME).facts.link or ""
    rows = []
    for claim in read_claims(path):
        found = judge(claim, known, link)
        answer = ": ".join(filter(None, (_said(claim, found), claim.remark)))
        rows.append(
            {
                "claim": claim.claim,
                "authors' number": claim.printed or None,
                "recomputed, with bounds": found.recomputed or None,
                "answer": answer,
                "line": claim.place.removeprefix("lines ").removeprefix("line "),
            }
        )
    return pd.DataFrame(rows, dtype="string")


def _said(claim: Claim, found: Judgement) -> str:
    """Answer a question with yes or no: nobody claimed what it asks."""
    if not claim.claim.startswith(_QUESTIONS):
        return found.verdict
    return _ANSWERS.get(found.verdict, found.verdict)


def figure_table(folder: str) -> pd.DataFrame:
    """List every number of a publication with the bounds that its digits allow."""
    import pandas as pd

    rows = [
        {
            "figure": key,
            "value": _value(figure),
            "at least": _shown(figure.low, figure.unit),
            "at most": _shown(figure.high, figure.unit),
            "place": figure.place,
        }
        for key, figure in quoted_values(find(folder)).items()
    ]
    return pd.DataFrame(rows, dtype="string")


def time_of_one(folder: str, ending: str, count: str = "") -> pd.DataFrame:
    """Turn times and throughputs into the time of one file or byte.

    Parameters
    ----------
    folder : str
        Folder of the publication.
    ending : str
        How the names of the figures end: an elapsed time, or a throughput.
    count : str, default ""
        Figure that counts what was done in an elapsed time.

    Returns
    -------
    DataFrame of str
        One row a figure, with the bounds that its printed digits allow.
    """
    import pandas as pd

    known = quoted_values(find(folder))
    rows = []
    for key, figure in known.items():
        if not key.endswith(ending):
            continue
        low, high, _ = bounds_of(figure)
        if count:
            low, high = (end / known[count].value for end in (low, high))
        else:
            low, high = 1 / high, 1 / low
        ends = dict.fromkeys(format_value(end, "s") for end in (low, high))
        one = " to ".join(ends) if low else f"less than {format_value(high, 's')}"
        rows.append({"figure": key.removesuffix(ending).strip(), "one takes": one})
    return pd.DataFrame(rows, dtype="string")


def _value(figure: QuotedValue) -> str:
    if math.isfinite(figure.value):
        return _shown(figure.value, figure.unit)
    return figure.printed or GAP


def _shown(number: float, unit: str) -> str:
    if math.isfinite(number) and unit == "1":
        return f"{number:,.0f}"
    return format_value(number, unit)


def citation(folder: str) -> str:
    """Say in Markdown what was published where."""
    text = (find(folder) / CITATION).read_text(encoding="utf-8")
    cited = tomllib.loads(text)
    said = {key: markdown_text(text) for key, text in cited.items()}
    parts = [
        f"*{said['title']}*",
        f"Author: {said['author']}",
        f"In: {said['site']}",
        f"Date: {said['published'] or 'none is printed'}",
        f"Address: {_link(str(cited['url'])) or 'none is printed'}",
        f"Read: a saved copy of the text, {said['accessed']}; line numbers refer to it",
    ]
    notes = [said[key] for key in ("note", "rounding") if key in said]
    return "\n\n".join(["  \n".join(parts), *notes])


def decides(folder: str, name: str = "") -> str:
    """Write in Markdown which number decides a case.

    Parameters
    ----------
    folder : str
        Folder of the publication.
    name : str, default ""
        Name of a claim in its ``claims.csv``; by default the number is how many of the
        claims come without one.

    Returns
    -------
    str
        What was claimed, the number recomputed, and the answer to it.
    """
    path = find(folder)
    claims = read_claims(path)
    if not name:
        bare = sum(not claim.printed for claim in claims)
        return (
            f"**The number that decides.** **{bare} of {len(claims)}** conclusions "
            "come without a number in the text."
        )
    claim = next(c for c in claims if c.name == name)
    found = judge(claim, quoted_values(path))
    said, number, answer = map(
        markdown_text, (claim.claim, found.recomputed, found.verdict)
    )
    return f"**The number that decides.** {said}: **{number}**. Answer: *{answer}*."


def _link(url: str) -> str:
    """Link an address of the web; any other text is only shown."""
    plain = re.fullmatch(r"https?://[\w./?&=#%~+:-]+", url, re.ASCII)
    return f"<{url}>" if plain else markdown_text(url)
