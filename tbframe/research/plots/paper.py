"""Tables for papers."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import polars as pl

from tbframe.errors import TbframeError
from tbframe.research.plots.drawing import needs

if TYPE_CHECKING:
    from great_tables import GT

__all__ = ["comparison_table"]


def comparison_table(
    comparison: pl.DataFrame | pl.LazyFrame, *, metric: str, decimals: int = 4
) -> GT:
    r"""Set a comparison as a table: one row a tie-break.

    Parameters
    ----------
    comparison
        ``key``, ``metric``, ``mean``, ``difference``, ``difference_se`` and ``events``: the table
        of `tbframe.compare`.
    metric
        The metric to show.
    decimals
        Of all numbers.

    Returns
    -------
    GT
        A table of great-tables: ``.as_latex()`` and ``.as_raw_html()`` give its text.

    Raises
    ------
    TbframeError
        If great-tables is not installed, columns are missing, or the metric is not there.

    Examples
    --------
    >>> import polars as pl
    >>> from tbframe.research import plots
    >>> found = pl.DataFrame(
    ...     {"key": ["BH", "SB"], "metric": "tau_b", "mean": [0.7, 0.694],
    ...      "difference": [0.0, -0.006], "difference_se": [0.0, 0.0002], "events": 1000}
    ... )
    >>> "\\begin{table}" in plots.comparison_table(found, metric="tau_b").as_latex()
    True
    """
    frame = needs(
        comparison, "key", "metric", "mean", "difference", "difference_se", "events"
    ).filter(metric=metric)
    if frame.is_empty():
        raise TbframeError(f"there are no values of the metric {metric!r}")
    try:
        great_tables = import_module("great_tables")
    except ImportError as error:
        raise TbframeError(
            "tables need great-tables: python -m pip install 'tbframe[plots]'"
        ) from error
    events = frame["events"].sort()[-1]
    table: GT = (
        great_tables.GT(frame.select("key", "mean", "difference", "difference_se"))
        .tab_header(title=f"{metric} by tie-break", subtitle=f"{events:,} tournaments")
        .cols_label(
            key="after points", mean=metric, difference="paired difference", difference_se="s.e."
        )
        .fmt_number(["mean", "difference", "difference_se"], decimals=decimals)
        .sub_missing()
    )
    return table
