"""The errors that tbframe raises on purpose."""

from __future__ import annotations

import inspect

__all__ = [
    "CodeError",
    "ContractError",
    "EditionError",
    "FindingWarning",
    "SourceError",
    "TbframeError",
    "levels_to_the_user",
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


def levels_to_the_user() -> int:
    """Count the calls from the function that warns up to the first outside of the package.

    Returns
    -------
    int
        The ``stacklevel`` of a warning that names the line of the user's own code.
    """
    level, frame = 1, inspect.currentframe()
    package = __name__.partition(".")[0]
    frame = frame and frame.f_back
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        level, frame = level + 1, frame.f_back
    return level
