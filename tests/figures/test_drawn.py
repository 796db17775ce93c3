"""Every kind of figure of small campaigns, as data.

``drawn.csv`` has their digests; ``FSVIZ_GOLDENS=write`` before pytest writes it anew.
What differs shows in ``tests/dumps.py``, before and after.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

import fsviz
from fsviz.figures.kinds import KINDS

LISTED = Path(__file__).with_name("drawn.csv")
OF = {"lines": ["bounds", "facts", "times"]}
"""Campaigns of a kind, else one."""


def plain(value):
    """Round numbers to nine digits: the last ones are the machine's."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items() if k != "template"}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def drawn(kind, name, data, **more):
    figure = plain(json.loads(fsviz.plot(data, kind, **more).to_json()))
    shown = digest(json.dumps(figure, sort_keys=True))
    return f"{kind},{name},{shown}\n"


def told(campaigns):
    for kind in KINDS:
        for name in OF.get(kind, ["facts"]):
            yield drawn(kind, name, campaigns[name])


def test_every_kind_is_drawn_as_before(root, monkeypatch):
    monkeypatch.chdir(root)  # figures name their files
    names = ("bounds", "facts", "times")
    campaigns = {name: fsviz.load(f"tests/transcripts/made/{name}") for name in names}
    now = [*told(campaigns)]
    requests = fsviz.load("data/lessons/tail-2026")
    asked = {"operation": "random_read", "x": "percentile"}
    now += [drawn("lines", "requests", requests, **asked)]
    if os.environ.get("FSVIZ_GOLDENS") == "write":
        LISTED.write_text("".join(now))
        pytest.skip("written anew")
    assert now == LISTED.read_text().splitlines(keepends=True)
