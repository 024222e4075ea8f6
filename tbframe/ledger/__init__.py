"""The ledger: canonical rows, and the three verbs that carry all tie-breaks."""

from tbframe.ledger.batch import Batch
from tbframe.ledger.build import Ledger, build_ledger
from tbframe.ledger.values import Approximate, Ratio, Sum, Values, notes_of

__all__ = ["Approximate", "Batch", "Ledger", "Ratio", "Sum", "Values", "build_ledger", "notes_of"]
