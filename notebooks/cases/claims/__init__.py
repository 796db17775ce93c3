"""What a publication concludes, compared with the figures that it prints itself."""

from claims.judge import Judgement, judge
from claims.listed import Claim, read_claims
from claims.tables import citation, claim_table, figure_table, per_unit

__all__ = [
    "Claim",
    "Judgement",
    "citation",
    "claim_table",
    "figure_table",
    "judge",
    "per_unit",
    "read_claims",
]
