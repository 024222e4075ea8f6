"""Which definition made an official column."""

from tbframe.comparison.identification.identify import Identification, identify

__all__ = ["Identification", "identify"]
