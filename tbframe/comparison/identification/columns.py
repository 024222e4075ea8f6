"""Official columns, brought to whole numbers in the rows of an archive's players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.archive import Archive
from tbframe.comparison.official import take_official
from tbframe.errors import TbframeError
from tbframe.intake.tables import Table
from tbframe.ledger.block import Ints
from tbframe.schema import PLAYERS

__all__ = ["OfficialColumns", "official_columns"]

_KEY: Final = ["tournament", "player"]
#: Nobody prints more decimals; what has more is a quotient that was not rounded.
_MOST_DECIMALS: Final = 6
#: Columns of a table of values that are no tie-breaks.
_OTHERS: Final = {*PLAYERS, "points", "rank"}
#: Larger numbers are no tie-breaks, and would not fit with their decimals.
_LARGEST: Final = 1e9
#: Decimals that differ by less are the same.
_EXACT: Final = 1e-6


@dataclass(frozen=True)
class OfficialColumns:
    """The values of official columns, exact.

    Attributes
    ----------
    names
        The columns in their order, which is taken for the order of the tie-breaks.
    chosen
        ``(columns,)``: which of them are to be identified.
    units
        ``(players, columns)``: values in units of the last decimal that is printed; 0 where none.
    given
        ``(players, columns)``: where there is a value.
    decimals
        ``(tournaments, columns)``: how many decimals the longest value has.
    unreadable
        ``(tournaments, columns)``: how many entries are no numbers.
    owner
        ``(players,)``: the number of each player's tournament.
    strangers
        ``tournament`` and ``player`` of values about players whom the archive does not have.
    """

    names: list[str]
    chosen: NDArray[np.bool_]
    units: Ints
    given: NDArray[np.bool_]
    decimals: Ints
    unreadable: Ints
    owner: Ints
    strangers: pl.DataFrame

    @property
    def values(self) -> NDArray[np.float64]:
        """``(players, columns)``: as they were printed; not-a-number where there is none."""
        return np.where(self.given, self.units / 10.0 ** self.decimals[self.owner], np.nan)

    def counts(self) -> Ints:
        """``(tournaments, columns)``: how many values there are."""
        return self._each(np.add, self.given.astype(np.int64))

    def constant(self) -> NDArray[np.bool_]:
        """``(tournaments, columns)``: whether all values are the same."""
        beyond = np.int64(2**62)
        least = self._each(np.minimum, np.where(self.given, self.units, beyond))
        most = self._each(np.maximum, np.where(self.given, self.units, -beyond))
        return np.asarray(least == most)

    def of(self, tournaments: NDArray[np.bool_]) -> OfficialColumns:
        """Return the columns of some tournaments only."""
        rows = tournaments[self.owner]
        number = np.cumsum(tournaments) - 1
        return OfficialColumns(
            self.names, self.chosen, self.units[rows], self.given[rows],
            self.decimals[tournaments], self.unreadable[tournaments], number[self.owner[rows]],
            self.strangers.clear(),
        )  # fmt: skip

    def _each(self, reduction: np.ufunc, values: Ints) -> Ints:
        return _over_tournaments(reduction, values, self.owner, len(self.decimals))


def official_columns(
    archive: Archive, official: Table | None, columns: Sequence[str] | None
) -> OfficialColumns:
    """Take the official columns of a table, or those that an archive's players carry along.

    Parameters
    ----------
    archive
        What they are about.
    official
        ``player``, ``tournament`` unless there is only one, and columns of values; ``None``: the
        columns of the archive's players that are no others.
    columns
        Which to identify; by default all.

    Returns
    -------
    OfficialColumns
        Numbers, or texts that read as such: ``"46,5"``, ``"46½"``.

    Raises
    ------
    TbframeError
        If there is no such column, or the keys are of other types.
    """
    frame = archive.players if official is None else take_official(archive, official, texts=True)
    names = [name for name in frame.columns if name not in _OTHERS and name not in _KEY]
    read = {name: _numbers(frame[name]) for name in names}
    if official is None:  # what players carry along may be anything
        names = [name for name in names if _is_mostly_numbers(frame[name], read[name])]
    asked = names if columns is None else list(columns)
    for name in asked:
        if name not in read:
            have = f"there are {', '.join(names)}" if names else "there are none"
            raise TbframeError(f"there is no official column {name!r}: {have}")
    names = [name for name in read if name in {*names, *asked}]
    placed = archive.players.select(_KEY).join(
        frame.select(
            *_KEY,
            *(read[name].alias(f"value {name}") for name in names),
            *((frame[name].is_not_null() & read[name].is_null()).alias(f"odd {name}")
              for name in names),
        ),
        on=_KEY, how="left", maintain_order="left",
    )  # fmt: skip
    keys = archive.tournaments["tournament"]
    order = pl.DataFrame({"tournament": keys}).with_row_index("owner")
    owner = (
        placed.select("tournament")
        .join(order, on="tournament", how="left", maintain_order="left")["owner"]
        .cast(pl.Int64)
        .to_numpy()
    )
    values = placed.select(f"value {name}" for name in names).to_numpy().astype(np.float64)
    odd = placed.select(pl.col(f"odd {name}").fill_null(value=False) for name in names).to_numpy()
    shape = (placed.height, len(names))
    units, decimals = _in_units(values.reshape(shape), owner, len(keys))
    return OfficialColumns(
        names,
        np.isin(np.array(names, dtype=np.str_), asked),
        units,
        ~np.isnan(values).reshape(shape),
        decimals,
        _over_tournaments(np.add, odd.reshape(shape).astype(np.int64), owner, len(keys)),
        owner,
        frame.join(archive.players, on=_KEY, how="anti").select(_KEY).sort(_KEY),
    )


def _in_units(values: NDArray[np.float64], owner: Ints, tournaments: int) -> tuple[Ints, Ints]:
    """Find the decimals of each tournament's columns, and count in units of the last."""
    values = np.nan_to_num(values)
    decimals = np.zeros(values.shape, dtype=np.int64)
    for number in range(_MOST_DECIMALS):
        exact = values * 10**number
        decimals[np.abs(np.rint(exact) - exact) > _EXACT] = number + 1
    most = _over_tournaments(np.maximum, decimals, owner, tournaments)
    return np.rint(values * 10.0 ** most[owner]).astype(np.int64), most


def _over_tournaments(reduction: np.ufunc, values: Ints, owner: Ints, tournaments: int) -> Ints:
    """Reduce over the players of each tournament; 0 where there are none."""
    found = np.zeros((tournaments, values.shape[1]), dtype=np.int64)
    if len(values):
        starts = np.flatnonzero(np.append(True, np.diff(owner) > 0))
        found[owner[starts]] = reduction.reduceat(values, starts)
    return found


def _numbers(column: pl.Series) -> pl.Series:
    """Read numbers; null where an entry is none."""
    if column.dtype == pl.String:
        text = column.str.strip_chars().str.replace(",", ".", literal=True)
        # "46½" is 46.5, and "½" is 0.5
        column = text.str.replace("½", ".5", literal=True)
    elif not (column.dtype.is_numeric() or column.dtype == pl.Null()):
        return pl.repeat(None, len(column), dtype=pl.Float64, eager=True)
    numbers = column.cast(pl.Float64, strict=False).fill_nan(None)
    return numbers.set(numbers.abs() > _LARGEST, None)


def _is_mostly_numbers(column: pl.Series, numbers: pl.Series) -> bool:
    return 2 * numbers.count() > column.count()
