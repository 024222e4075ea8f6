"""Result codes as small numbers, and what they are worth."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tbframe.schema import RESULT_CODES
from tbframe.scoring import STANDARD

__all__ = ["CODE", "NONE", "WORTH", "Codes", "Flags", "Ints"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Codes = NDArray[np.int8]

#: The position of each code in `RESULT_CODES`.
CODE: Final = {code: position for position, code in enumerate(RESULT_CODES)}
#: Nothing known yet; also the opponent of a player who has none.
NONE: Final = -1
#: In half points, so that sums are whole.
WORTH: Final = np.array([round(2 * STANDARD.get(code, 0.0)) for code in RESULT_CODES])
