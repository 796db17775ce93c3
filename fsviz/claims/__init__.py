"""What a publication concludes, held against the figures that it prints itself."""

from fsviz.claims.commands import command_table
from fsviz.claims.judge import judge
from fsviz.claims.links import link_table
from fsviz.claims.listed import Claim, Judgement, read_claims
from fsviz.claims.tables import citation, claim_table, figure_table

__all__ = [
    "Claim",
    "Judgement",
    "citation",
    "claim_table",
    "command_table",
    "figure_table",
    "judge",
    "link_table",
    "read_claims",
]
