"""Read file-system benchmarks; say which is faster, where, and by how much.

>>> import fsviz
>>> campaign = fsviz.load("data/raw/onehost-2026")        # doctest: +SKIP
>>> fsviz.summary(campaign)                               # doctest: +SKIP
>>> fsviz.explorer(campaign, operation="write")           # doctest: +SKIP

Nothing heavy is imported before it is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fsviz.analysis.buckets import summary
    from fsviz.analysis.cells import present, select
    from fsviz.analysis.rankings import rankings
    from fsviz.analysis.regimes import in_regime
    from fsviz.analysis.scaling import scaling
    from fsviz.campaigns.load import load, read
    from fsviz.checks.compared import compare
    from fsviz.checks.engine import check, examine
    from fsviz.checks.judgement import judge
    from fsviz.checks.marks import marked
    from fsviz.checks.measurable import measurable
    from fsviz.figures.kinds.explorer import explorer
    from fsviz.figures.plot import plot
    from fsviz.model.campaign import Campaign
    from fsviz.model.errors import FsvizError, ParseError, UsageError
    from fsviz.model.escaping import markdown_text
    from fsviz.report.prose import (
        conclude,
        conclusions,
        describe_campaign,
        describe_comparison,
        describe_details,
        describe_findings,
        describe_problems,
        describe_regime,
        describe_runs,
        describe_systems,
        figure_or_reason,
    )
    from fsviz.text.comparison import comparison_notes, readable_comparison
    from fsviz.text.tables import readable, table_html

__version__ = "0.1.0"

_HOMES = {
    "Campaign": "fsviz.model.campaign",
    "FsvizError": "fsviz.model.errors",
    "ParseError": "fsviz.model.errors",
    "UsageError": "fsviz.model.errors",
    "check": "fsviz.checks.engine",
    "compare": "fsviz.checks.compared",
    "comparison_notes": "fsviz.text.comparison",
    "conclude": "fsviz.report.prose",
    "conclusions": "fsviz.report.prose",
    "describe_campaign": "fsviz.report.prose",
    "describe_comparison": "fsviz.report.prose",
    "describe_details": "fsviz.report.prose",
    "describe_findings": "fsviz.report.prose",
    "describe_problems": "fsviz.report.prose",
    "describe_regime": "fsviz.report.prose",
    "describe_runs": "fsviz.report.prose",
    "describe_systems": "fsviz.report.prose",
    "markdown_text": "fsviz.model.escaping",
    "examine": "fsviz.checks.engine",
    "explorer": "fsviz.figures.kinds.explorer",
    "figure_or_reason": "fsviz.report.prose",
    "in_regime": "fsviz.analysis.regimes",
    "judge": "fsviz.checks.judgement",
    "load": "fsviz.campaigns.load",
    "measurable": "fsviz.checks.measurable",
    "marked": "fsviz.checks.marks",
    "plot": "fsviz.figures.plot",
    "present": "fsviz.analysis.cells",
    "rankings": "fsviz.analysis.rankings",
    "read": "fsviz.campaigns.load",
    "readable": "fsviz.text.tables",
    "readable_comparison": "fsviz.text.comparison",
    "scaling": "fsviz.analysis.scaling",
    "select": "fsviz.analysis.cells",
    "summary": "fsviz.analysis.buckets",
    "table_html": "fsviz.text.tables",
}

__all__ = [
    "Campaign",
    "FsvizError",
    "ParseError",
    "UsageError",
    "__version__",
    "check",
    "compare",
    "comparison_notes",
    "conclude",
    "conclusions",
    "describe_campaign",
    "describe_comparison",
    "describe_details",
    "describe_findings",
    "describe_problems",
    "describe_regime",
    "describe_runs",
    "describe_systems",
    "examine",
    "explorer",
    "figure_or_reason",
    "in_regime",
    "judge",
    "load",
    "markdown_text",
    "marked",
    "measurable",
    "plot",
    "present",
    "rankings",
    "read",
    "readable",
    "readable_comparison",
    "scaling",
    "select",
    "summary",
    "table_html",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'fsviz' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
