"""Tie-breaks: one module for each family of formulas, in the order of the regulations."""

# Each module registers its definitions; the order here is the order of the catalogue.
from tbframe.tiebreaks import own_record  # noqa: F401  # isort: skip
from tbframe.tiebreaks import direct_encounter, buchholz, sonneborn_berger, rating, team  # noqa: F401  # isort: skip
from tbframe.tiebreaks import families  # noqa: F401  # isort: skip
from tbframe.tiebreaks.definition import TieBreak
from tbframe.tiebreaks.orders import declared_order, parse_order
from tbframe.tiebreaks.recommended import PRESETS, presets
from tbframe.tiebreaks.registry import catalogue, close, definition, forget, tiebreak

__all__ = [
    "PRESETS",
    "TieBreak",
    "catalogue",
    "declared_order",
    "definition",
    "forget",
    "parse_order",
    "presets",
    "tiebreak",
]

close()
