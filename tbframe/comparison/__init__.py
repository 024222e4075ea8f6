"""Standings against each other, and against what was declared."""

from tbframe.comparison.auditing import Audit, audit
from tbframe.comparison.datasets import diff
from tbframe.comparison.difference import Difference, compare_editions

__all__ = ["Audit", "Difference", "audit", "compare_editions", "diff"]
