"""What a page of fsviz may run, load and be styled by: its content security policy.

https://www.w3.org/TR/CSP3/ : nothing is allowed but what is stated by its digest, so
that text which slipped through escaping neither runs nor asks a server.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256

PLACE = "fsviz-policy"
"""Stands in a page's first ``<meta>`` until `with_policy` states what is allowed."""

_ATTRIBUTE = re.compile(r""" style=(?:"([^"]*)"|'([^']*)')""")
# Colours, borders and sizes, as in tables of pandas; nothing that moves a part of the
# page over another, hides it or loads something
_HARMLESS = re.compile(
    r"(?:\s*(?:color|background|background-color|text-align|font-weight|font-style|"
    r"text-decoration|vertical-align|width|height|min-width|max-width|"
    r"border(?:-left|-right|-top|-bottom|-collapse)?|padding|"
    r"white-space)\s*:\s*(?!url)[#%.,\w() -]{1,80}(?:;|$))+\s*",
)


def with_policy(
    page: str, *scripts: str, styles: Iterable[str] = (), beside: bool = False
) -> str:
    """State in a page what it may run and be styled by, and nothing from elsewhere.

    Only a script whose digest is stated runs: neither one that someone's text brings,
    nor an attribute such as ``onerror``, nor ``eval``. There is no directive for
    ``meta refresh``.
    """
    styled = sorted({*styles, *_attributes_of(page)})
    own = "'self'" if beside else ""
    policy = (
        "default-src 'none'; img-src data: blob:; font-src data:; "
        f"style-src 'unsafe-hashes' {_sources(styled)}; "
        f"script-src {own} {_sources(scripts)}; form-action 'none'; base-uri 'none'"
    )
    return page.replace(PLACE, policy, 1)


def _attributes_of(page: str) -> Iterator[str]:
    for double, single in _ATTRIBUTE.findall(page):
        value = html.unescape(double or single)
        if _HARMLESS.fullmatch(value):
            yield value


def _sources(texts: Iterable[str]) -> str:
    """State texts by their digests; no digest allows nothing."""
    digests = (sha256(text.encode()).digest() for text in texts)
    return " ".join(f"'sha256-{base64.b64encode(d).decode()}'" for d in digests)
