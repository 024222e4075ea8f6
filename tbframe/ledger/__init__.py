"""The ledger: canonical rows, and the three verbs that carry all tie-breaks."""

from tbframe.ledger.batch import Batch, Ratio, Sum
from tbframe.ledger.build import Ledger, build_ledger

__all__ = ["Batch", "Ledger", "Ratio", "Sum", "build_ledger"]
