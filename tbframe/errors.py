"""The errors that tbframe raises on purpose."""

from __future__ import annotations

__all__ = [
    "CodeError",
    "ContractError",
    "EditionError",
    "FindingWarning",
    "SourceError",
    "TbframeError",
]


class TbframeError(ValueError):
    """Base of every error that tbframe raises on purpose."""


class ContractError(TbframeError):
    """A frame breaks its contract: the message names frame, column, rule and first rows."""


class CodeError(TbframeError):
    """A tie-break code cannot be read, is unknown, or has a modifier it does not take."""


class EditionError(TbframeError):
    """An edition is unknown, or does not know the tie-break asked for."""


class SourceError(TbframeError):
    """A path or file cannot be used as a source, or a target cannot be written."""


class FindingWarning(UserWarning):
    """An answer rests on an assumption, or something was set aside: the findings say what."""
