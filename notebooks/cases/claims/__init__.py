"""What a publication concludes, compared with the figures that it prints itself."""

from claims.quoted import quoted_values
from claims.tables import citation, claim_table, figure_table, per_unit

__all__ = ["citation", "claim_table", "figure_table", "per_unit", "quoted_values"]
