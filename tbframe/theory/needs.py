"""What ranking theory and simulation take from SciPy, loaded when it is first needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tbframe.errors import TbframeError

__all__ = ["scipy_module"]


def scipy_module(name: str) -> Any:
    """Return a module of SciPy.

    Parameters
    ----------
    name
        Such as ``"scipy.special"``.

    Raises
    ------
    TbframeError
        If SciPy is not installed; the message names the extra that brings it.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise TbframeError("this needs SciPy: python -m pip install 'tbframe[research]'") from error
