"""Names of files as text: not every name that a file system allows is one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from os import PathLike
from typing import Final

__all__ = ["as_text", "unique_names"]

_FORBIDDEN: Final = re.compile(r'[\x00-\x1f<>:"/\\|?*]|^\.+|[ .]+$')
_LONGEST: Final = 120


def as_text(path: str | PathLike[str]) -> str:
    r"""Return a name as text that can be written; bytes that are no UTF-8 are marked.

    Examples
    --------
    >>> as_text("caf\udce9.trf")
    'caf�.trf'
    """
    return os.fsencode(path).decode("utf-8", errors="replace")


def unique_names(keys: Iterable[object], ending: str) -> list[str]:
    """Make a file name of each key, unlike all others.

    Examples
    --------
    >>> unique_names(["Cup", "cup", "a/b"], ".trf")
    ['Cup.trf', 'cup-2.trf', 'a_b.trf']
    """
    taken: set[str] = set()
    names = []
    for key in keys:
        stem = name = _FORBIDDEN.sub("_", str(key))[:_LONGEST] or "_"
        number = 1
        # Some file systems do not tell capitals from small letters.
        while name.casefold() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.casefold())
        names.append(f"{name}{ending}")
    return names
