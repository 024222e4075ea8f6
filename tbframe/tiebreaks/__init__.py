"""Tie-breaks: one module for each family of formulas, in the order of the regulations."""

# Each module registers its definitions; the order here is the order of the catalogue.
from tbframe.tiebreaks import own_record  # noqa: F401  # isort: skip
from tbframe.tiebreaks import direct_encounter, buchholz, sonneborn_berger, rating, team  # noqa: F401  # isort: skip
from tbframe.tiebreaks.registry import (
    TieBreak,
    catalogue,
    declared_order,
    definition,
    parse_order,
    tiebreak,
)

__all__ = ["TieBreak", "catalogue", "declared_order", "definition", "parse_order", "tiebreak"]
