"""Text that a spreadsheet would run as a formula, made harmless and read back.

A cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a line break is taken for a formula; an
apostrophe before it makes it text.
"""

from __future__ import annotations

import re
from typing import Final

import polars as pl

__all__ = ["escape", "escaped", "unescape", "unescaped", "unescaped_text"]

#: Signs of full width are run as well where they are usual.
_FORMULA: Final = r"^'*[=+\-@\t\r\n＝＋－＠]"
_COMPILED: Final = re.compile(_FORMULA)


def escape(text: str) -> str:
    """Make a text one that no spreadsheet runs.

    Examples
    --------
    >>> escape("=1+1"), escape("Ada"), escape("'-1")
    ("'=1+1", 'Ada', "''-1")
    """
    return f"'{text}" if _COMPILED.match(text) else text


def unescape(text: str) -> str:
    """Undo `escape`.

    Examples
    --------
    >>> [unescape(escape(text)) for text in ("=1+1", "Ada", "'-1", "O'Kelly")]
    ['=1+1', 'Ada', "'-1", "O'Kelly"]
    """
    return text[1:] if text.startswith("'") and _COMPILED.match(text) else text


def escaped(frame: pl.DataFrame) -> pl.DataFrame:
    """Escape the texts of a frame and the names of its columns.

    Examples
    --------
    >>> escaped(pl.DataFrame({"name": ["@Ada", "Bo"], "rating": [-1, 2]})).rows()
    [("'@Ada", -1), ('Bo', 2)]
    """
    text = pl.col(pl.String)
    changed = pl.when(text.str.contains(_FORMULA)).then(pl.lit("'") + text).otherwise(text)
    return frame.with_columns(changed.name.keep()).rename(escape)


def unescaped(frame: pl.DataFrame) -> pl.DataFrame:
    """Undo `escaped`.

    Examples
    --------
    >>> unescaped(escaped(pl.DataFrame({"=a": ["-1", "'"]}))).to_dict(as_series=False)
    {'=a': ['-1', "'"]}
    """
    text = unescaped_text(pl.col(pl.String))
    return frame.with_columns(text.name.keep()).rename(unescape)


def unescaped_text(text: pl.Expr) -> pl.Expr:
    """Undo `escaped` for a column of texts.

    Examples
    --------
    >>> pl.DataFrame({"name": ["'@Ada", "'"]}).select(unescaped_text(pl.col("name"))).rows()
    [('@Ada',), ("'",)]
    """
    marked = text.str.starts_with("'") & text.str.contains(_FORMULA)
    return pl.when(marked).then(text.str.slice(1)).otherwise(text)
