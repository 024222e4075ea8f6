"""What all plots share: Altair, colours, and frames that are checked before they are drawn."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from tbframe.errors import TbframeError

if TYPE_CHECKING:
    import altair as alt

__all__ = ["CATEGORIES", "WIDTH", "altair", "needs", "title"]

WIDTH: Final = 460
#: Okabe and Ito's colours, which people with any colour vision tell apart, without the yellow.
CATEGORIES: Final = [
    "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#888888",
]  # fmt: skip


def altair() -> Any:
    """Return Altair.

    Raises
    ------
    TbframeError
        If it is not installed; the message names the extra that brings it.
    """
    try:
        return import_module("altair")
    except ImportError as error:
        raise TbframeError("plots need Altair: python -m pip install 'tbframe[plots]'") from error


def needs(frame: pl.DataFrame | pl.LazyFrame, *columns: str) -> pl.DataFrame:
    """Return a frame that has the columns named.

    Raises
    ------
    TbframeError
        If one is missing, or there are no rows.
    """
    frame = frame.lazy().collect()
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        raise TbframeError(
            f"the plot needs the columns {', '.join(columns)}; {', '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} not among {', '.join(frame.columns)}"
        )
    if frame.is_empty():
        raise TbframeError("there are no rows to draw")
    return frame


def title(text: str, subtitle: str = "") -> alt.TitleParams:
    """Return a title at the left edge, with a smaller line below."""
    made: alt.TitleParams = altair().TitleParams(
        text, subtitle=subtitle, anchor="start", subtitleColor="#555"
    )
    return made
