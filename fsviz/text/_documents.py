"""A table as a document: a page that needs nothing beside it, or LaTeX to include."""

from __future__ import annotations

from collections.abc import Sequence

from fsviz.model.escaping import html_text, tex_text
from fsviz.model.policy import with_policy

_STYLE = """body { margin: 1em; font: 15px/1.5 "DejaVu Sans", Arial, sans-serif; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 2px 10px; text-align: left; border-bottom: 1px solid #d9dee3; }
td.number { text-align: right; white-space: nowrap; }"""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="fsviz-policy">
<title>fsviz</title>
<style>{style}</style>
</head>
<body>
<table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
{notes}</body>
</html>
"""


def html_document(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[bool],
    notes: Sequence[str] = (),
) -> str:
    """Write a table as a page of its own."""
    marks = [' class="number"' if number else "" for number in right]
    lines = [
        "<tr>"
        + "".join(
            f"<td{mark}>{html_text(cell)}</td>"
            for cell, mark in zip(row, marks, strict=True)
        )
        + "</tr>"
        for row in rows
    ]
    said = "".join(f"<li>{html_text(note)}</li>\n" for note in notes)
    page = _PAGE.format(
        style=_STYLE,
        head="".join(f'<th scope="col">{html_text(name)}</th>' for name in header),
        rows="\n".join(lines),
        notes=f"<ol>\n{said}</ol>\n" if said else "",
    )
    return with_policy(page, styles=[_STYLE])


def tex_document(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[bool],
    notes: Sequence[str] = (),
) -> str:
    r"""Write a table for ``\input``; LaTeX needs the package booktabs for it."""
    columns = "".join("r" if number else "l" for number in right)
    lines = [" & ".join(map(tex_text, row)) + r" \\" for row in (header, *rows)]
    listed = [rf"\item {tex_text(note)}" for note in notes]
    if listed:
        listed = [r"\begin{enumerate}", *listed, r"\end{enumerate}"]
    parts = [
        r"% needs \usepackage{booktabs}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        lines[0],
        r"\midrule",
        *lines[1:],
        r"\bottomrule",
        r"\end{tabular}",
        *listed,
    ]
    return "\n".join(parts) + "\n"
