"""Other layouts of files whose round blocks do not stand in their columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

__all__ = ["REPAIRS"]

_NAME = slice(14, 47)


def _expand_tabs(text: str) -> str:
    return text.expandtabs(8)


def _count_bytes(text: str) -> str:
    """Lay out again the players whose columns were counted in bytes of UTF-8."""
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if line.startswith("001") and not line.isascii():
            data = line.encode()
            try:
                name = data[_NAME].decode().ljust(_NAME.stop - _NAME.start)
                lines[index] = data[: _NAME.start].decode() + name + data[_NAME.stop :].decode()
            except UnicodeDecodeError:
                # The cut falls into a character: these columns are not bytes.
                continue
    return "\n".join(lines)


#: What to try, in this order, with what a finding says about it.
REPAIRS: Final[tuple[tuple[Callable[[str], str], str], ...]] = (
    (_expand_tabs, "the columns are right only if a tab runs to the next multiple of 8: so read"),
    (_count_bytes, "the columns are right only if they count bytes, not characters: so read"),
)
