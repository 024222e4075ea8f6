"""The ledger: canonical rows, and the three verbs that carry all tie-breaks."""

from tbframe.ledger.batch import Batch, Ratio
from tbframe.ledger.build import Ledger, build_ledger

__all__ = ["Batch", "Ledger", "Ratio", "build_ledger"]
