"""The research laboratory: compare, perturb and audit tournaments, and show what comes out.

`compare` says which tie-break orders players best, `resolution` which criterion decided,
`agreement_matrix` how alike tie-breaks are; `metrics` has what all of it is measured with,
`models` what simulations are made of, and `plots` draws it. Everything works on all tournaments
at once, and comes out as plain frames.
"""

from tbframe.research import metrics
from tbframe.research.agreeing import agreement_matrix, rankings
from tbframe.research.audits.calibration import Calibration, calibrate
from tbframe.research.audits.colours import colour_balance, extra_white
from tbframe.research.audits.schedule import (
    floats,
    pairing_number_correlation,
    schedule_strength,
)
from tbframe.research.comparing import compare
from tbframe.research.comparison import Comparison
from tbframe.research.decisions import Resolution
from tbframe.research.perturbation.effects import (
    kingmakers,
    monotonicity,
    outside_influence,
    sabotage,
)
from tbframe.research.perturbation.unplayed import bye_bias, withdrawal_sensitivity
from tbframe.research.resolving import resolution

__all__ = [
    "Calibration",
    "Comparison",
    "Resolution",
    "agreement_matrix",
    "bye_bias",
    "calibrate",
    "colour_balance",
    "compare",
    "extra_white",
    "floats",
    "kingmakers",
    "metrics",
    "monotonicity",
    "outside_influence",
    "pairing_number_correlation",
    "rankings",
    "resolution",
    "sabotage",
    "schedule_strength",
    "withdrawal_sensitivity",
]
