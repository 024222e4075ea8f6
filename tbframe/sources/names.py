"""Names of files as text: not every name that a file system allows is one."""

from __future__ import annotations

import os
from os import PathLike

__all__ = ["as_text"]


def as_text(path: str | PathLike[str]) -> str:
    r"""Return a name as text that can be written; bytes that are no UTF-8 are marked.

    Examples
    --------
    >>> as_text("caf\udce9.trf")
    'caf�.trf'
    """
    return os.fsencode(path).decode("utf-8", errors="replace")
