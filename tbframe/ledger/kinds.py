"""What happened in a round, as small integers and tables over them.

The ledger stores the position of a result code in `schema.RESULT_CODES`, and one more value
for a place where there is nothing: a free round of a round robin, or a second game that a
player does not have.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tbframe.schema import RESULT_CODES

__all__ = [
    "BYE",
    "DRAWN",
    "EMPTY",
    "FIRST_UNPLAYED",
    "FORFEIT",
    "FORFEIT_LOSS",
    "FORFEIT_WIN",
    "KIND",
    "PENDING",
    "REQUESTED_BYE",
    "VUR",
    "WON",
]

KIND: Final[dict[str, int]] = {code: number for number, code in enumerate(RESULT_CODES)}
EMPTY: Final = len(RESULT_CODES)
PENDING: Final = KIND["*"]
#: Kinds below this one were played over the board.
FIRST_UNPLAYED: Final = KIND["+"]
FORFEIT_WIN: Final = KIND["+"]
FORFEIT_LOSS: Final = KIND["-"]
DRAWN: Final = KIND["="]


def _table(codes: str) -> NDArray[np.bool_]:
    table = np.zeros(EMPTY + 1, dtype=np.bool_)
    table[[KIND[code] for code in codes]] = True
    return table


WON: Final = _table("1W")
FORFEIT: Final = _table("+-")
BYE: Final = _table("FHUZ")
REQUESTED_BYE: Final = _table("HZ")
#: Voluntarily unplayed rounds (art. 16.1.2).
VUR: Final = _table("HZ-")
