"""Values as a tournament director writes them: rounded in print only."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import polars as pl

__all__ = ["cells"]

#: How many decimals a number has at most, where its source does not say.
_DECIMALS: Final = 2
#: What would move the cursor instead of being seen.
_CONTROL: Final = dict.fromkeys([*range(32), *range(127, 160)], " ")


def cells(column: pl.Series, decimals: int | None = None) -> list[str]:
    """Write the values of a column.

    Numbers with a fraction get as many `decimals`, or those that the column needs, two at most;
    all are rounded half up. A number that is undefined is ``-``, any other missing value blank.

    Examples
    --------
    >>> import polars as pl
    >>> cells(pl.Series([5.5, 4.0, None]))
    ['5.5', '4.0', '-']
    >>> cells(pl.Series([2.675, 1.0]))
    ['2.68', '1.00']
    >>> cells(pl.Series([5.0, 4.0]))
    ['5', '4']
    >>> cells(pl.Series([2 / 3, 0.5]), decimals=4)
    ['0.6667', '0.5000']
    """
    if not column.dtype.is_float():
        missing = "-" if column.dtype.is_numeric() else ""
        return [
            missing if value is None else str(value).translate(_CONTROL)
            for value in column.to_list()
        ]
    # the shortest text of a float is the decimal fraction meant: 2.675, not 2.67499...
    last = Decimal(1).scaleb(-(_DECIMALS if decimals is None else decimals))
    rounded = [
        None if value is None else Decimal(repr(value)).quantize(last, ROUND_HALF_UP)
        for value in column.to_list()
    ]
    if decimals is None:
        decimals = max((_decimals(value) for value in rounded if value is not None), default=0)
    return ["-" if value is None else f"{value:.{decimals}f}" for value in rounded]


def _decimals(value: Decimal) -> int:
    """Count the decimals that are not trailing zeros."""
    hundredths = int(value * 100)
    return 0 if hundredths % 100 == 0 else 1 if hundredths % 10 == 0 else 2
