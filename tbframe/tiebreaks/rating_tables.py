"""The conversion tables of the rating regulations (B.02, 8.1.1 and 8.1.2)."""

from __future__ import annotations

from typing import Final

import numpy as np

from tbframe.ledger.block import Ints

__all__ = ["CERTAIN", "DIFFERENCE", "EXPECTED"]

#: 8.1.1: rating difference dp for a fractional score of .50, .51, ... 1.00.
_UPPER_HALF: Final = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
    800,
)  # fmt: skip
#: 8.1.2: the largest difference for which the higher rated is expected to score .50, .51, ... .99.
_BAND_ENDS: Final = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68,
    76, 83, 91, 98, 106, 113, 121, 129, 137, 145,
    153, 162, 170, 179, 188, 197, 206, 215, 225, 235,
    245, 256, 267, 278, 290, 302, 315, 328, 344, 357,
    374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
)  # fmt: skip

#: From this difference on the higher rated is expected to win with certainty.
CERTAIN: Final = _BAND_ENDS[-1] + 1
#: ``DIFFERENCE[p]``: dp for a score of p hundredths.
DIFFERENCE: Final[Ints] = np.array([-dp for dp in _UPPER_HALF[:0:-1]] + list(_UPPER_HALF))
_higher = 50 + np.searchsorted(_BAND_ENDS, np.arange(CERTAIN + 1))
#: ``EXPECTED[CERTAIN + d]``: expected hundredths of a player who is rated d points higher.
EXPECTED: Final[Ints] = np.concatenate([100 - _higher[:0:-1], _higher])
