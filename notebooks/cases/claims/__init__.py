"""What a publication concludes, compared with the figures that it prints itself."""

from claims.judge import Judgement, judge
from claims.listed import Claim, read_claims
from claims.quoted import QuotedValue, quoted_values
from claims.tables import citation, claim_table, figure_table, per_unit

__all__ = [
    "Claim",
    "Judgement",
    "QuotedValue",
    "citation",
    "claim_table",
    "figure_table",
    "judge",
    "per_unit",
    "quoted_values",
    "read_claims",
]
