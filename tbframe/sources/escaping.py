"""Text that a spreadsheet would run as a formula, made harmless and read back.

A cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a line break is taken for a formula; an
apostrophe before it makes it text.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["escape", "runs_as_formula", "unescape"]

_FORMULA: Final = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")


def runs_as_formula(text: str) -> bool:
    """Tell whether a spreadsheet may take the text for a formula.

    Examples
    --------
    >>> runs_as_formula("=1+1"), runs_as_formula("12w1")
    (True, False)
    """
    return _FORMULA.match(text) is not None


def escape(text: str) -> str:
    """Make a text one that no spreadsheet runs.

    Examples
    --------
    >>> escape("=1+1"), escape("Ada"), escape("'-1")
    ("'=1+1", 'Ada', "''-1")
    """
    return f"'{text}" if runs_as_formula(text) else text


def unescape(text: str) -> str:
    """Undo `escape`.

    Examples
    --------
    >>> [unescape(escape(text)) for text in ("=1+1", "Ada", "'-1", "O'Kelly")]
    ['=1+1', 'Ada', "'-1", "O'Kelly"]
    """
    return text[1:] if text.startswith("'") and runs_as_formula(text) else text
