"""Standings against each other, against what was declared, and what declared values are."""

from tbframe.comparison.auditing import Audit, audit
from tbframe.comparison.datasets import diff
from tbframe.comparison.difference import Difference, compare_editions
from tbframe.comparison.identification import Identification, identify

__all__ = [
    "Audit",
    "Difference",
    "Identification",
    "audit",
    "compare_editions",
    "diff",
    "identify",
]
