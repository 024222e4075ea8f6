"""Tie-breaks: one module for each family of formulas, in the order of the regulations."""

from tbframe.tiebreaks import (  # noqa: F401  (each registers its definitions)  # noqa: F401
    buchholz,
    own_record,
    sonneborn_berger,
)
from tbframe.tiebreaks.direct_encounter import direct_encounter  # noqa: F401
from tbframe.tiebreaks.registry import TieBreak, catalogue, definition, parse_order, tiebreak

__all__ = ["TieBreak", "catalogue", "definition", "parse_order", "tiebreak"]
