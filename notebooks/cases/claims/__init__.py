"""What a publication concludes, compared with the figures that it prints itself."""

from claims.commands import command_table
from claims.judge import judge
from claims.links import link_table
from claims.listed import Claim, Judgement, read_claims
from claims.tables import citation, claim_table, decides, figure_table, time_of_one

__all__ = [
    "Claim",
    "Judgement",
    "citation",
    "claim_table",
    "command_table",
    "decides",
    "figure_table",
    "judge",
    "link_table",
    "read_claims",
    "time_of_one",
]
