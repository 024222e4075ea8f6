"""Recalculation of whole databases: in parts, resumable, with an account of every row."""

from tbframe.recalculation.recalculate import recalc, write_ledger
from tbframe.recalculation.result import Recalculation

__all__ = ["Recalculation", "recalc", "write_ledger"]
