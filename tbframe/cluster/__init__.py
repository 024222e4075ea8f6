"""Recalculation on a Spark cluster: the parts of a ledger, spread over its machines.

Needs the extra ``spark``. Nothing else of tbframe imports this package.
"""

from tbframe.cluster.recalculate import recalc

__all__ = ["recalc"]
