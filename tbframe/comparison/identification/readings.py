"""How a value may have been printed: rounded, cut off, doubled, moved by a constant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

__all__ = ["FURTHER", "PLAIN", "Reading"]


@dataclass(frozen=True)
class Reading:
    """One way of printing.

    Attributes
    ----------
    rounding
        To the decimals of the column: ``"exact"`` where nothing may be lost, ``"nearest"``
        (halves either way), ``"down"``.
    whole
        Whether values may be rounded where the column has no decimals at all.
    factor
        What values are multiplied by before.
    moved
        Whether a constant, one for each tournament, is added.
    """

    rounding: Literal["exact", "nearest", "down"]
    factor: int = 1
    moved: bool = False
    whole: bool = True

    def text(self, decimals: int | None) -> str:
        """Tell it in words; empty where values are printed as they are."""
        places = "their decimals" if decimals is None else _places(decimals)
        said = {"exact": "", "nearest": f"rounded to {places}", "down": f"cut off at {places}"}
        times = f"x {self.factor}" if self.factor != 1 else ""
        constant = "plus a constant" if self.moved else ""
        return ", ".join(filter(None, [times, constant, said[self.rounding]]))


def _places(decimals: int) -> str:
    if decimals == 0:
        return "whole numbers"
    return f"{decimals} decimal{'' if decimals == 1 else 's'}"


#: Tried on every column, the simpler first.
PLAIN: Final = (Reading("exact"), Reading("nearest", whole=False))
#: Tried where nothing plain fits.
FURTHER: Final = (
    Reading("nearest"),
    Reading("down"),
    Reading("exact", 2),
    Reading("exact", 4),
    Reading("exact", 10),
    Reading("exact", 100),
    Reading("exact", moved=True),
)
