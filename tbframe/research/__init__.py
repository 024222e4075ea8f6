"""The research laboratory: compare, perturb and simulate tournaments, and show what comes out."""

from tbframe.research.audits.calibration import Calibration, calibrate
from tbframe.research.audits.colours import colour_balance, extra_white
from tbframe.research.audits.schedule import (
    floats,
    pairing_number_correlation,
    schedule_strength,
)
from tbframe.research.perturbation.effects import (
    kingmakers,
    monotonicity,
    outside_influence,
    sabotage,
)
from tbframe.research.perturbation.unplayed import bye_bias, withdrawal_sensitivity

__all__ = [
    "Calibration",
    "bye_bias",
    "calibrate",
    "colour_balance",
    "extra_white",
    "floats",
    "kingmakers",
    "monotonicity",
    "outside_influence",
    "pairing_number_correlation",
    "sabotage",
    "schedule_strength",
    "withdrawal_sensitivity",
]
