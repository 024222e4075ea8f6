"""The research laboratory: compare, perturb and simulate tournaments, and show what comes out."""

from tbframe.research.perturbation.effects import (
    kingmakers,
    monotonicity,
    outside_influence,
    sabotage,
)
from tbframe.research.perturbation.unplayed import bye_bias, withdrawal_sensitivity

__all__ = [
    "bye_bias",
    "kingmakers",
    "monotonicity",
    "outside_influence",
    "sabotage",
    "withdrawal_sensitivity",
]
