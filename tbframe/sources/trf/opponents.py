"""The two sides of a pairing: mirror rows, opponents that are missing, pending results."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.checks.mirrors import go_together
from tbframe.schema import RESULT_CODES
from tbframe.sources.trf.grid import BLACK, CODE, NO_COLOR, NO_RESULT, WHITE
from tbframe.sources.trf.sheet import Sheet

__all__ = ["settle_opponents"]

#: The result that the other side must have; NO_RESULT where one side does not tell.
_MIRRORED = np.full(NO_RESULT + 1, NO_RESULT, dtype=np.uint8)
for _one, _other in ("10", "==", "01", "WL", "DD", "LW", "+-", "**"):
    _MIRRORED[CODE[_one]] = CODE[_other]
#: Whether the result in the row and the one in the column can be of one game.
_TOGETHER = (
    pl.DataFrame({"one": RESULT_CODES})
    .join(pl.DataFrame({"other": RESULT_CODES}), how="cross", maintain_order="left_right")
    .select(go_together(pl.col("one"), pl.col("other")))
    .to_series()
    .to_numpy()
    .reshape(NO_RESULT, NO_RESULT)
)
_OPPOSITE = np.array([NO_COLOR, BLACK, WHITE], dtype=np.uint8)

Rows = NDArray[np.int64]


def settle_opponents(sheet: Sheet) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Compare both sides of every pairing.

    A side that is wholly blank is filled from the other one, with a warning; two sides
    that name each other without a result are a game whose result is not known yet. What
    cannot be settled so is reported and stays as written.

    Returns
    -------
    tuple
        File and start number of the opponents that have no 001 record.
    """
    grid, roster = sheet.grid, sheet.roster
    rows = np.flatnonzero(grid.opponent > 0)
    opponent = roster.find(roster.file[grid.player[rows]], grid.opponent[rows])
    absent = rows[opponent < 0]
    sheet.report(
        absent,
        "not-among-players",
        "error",
        "opponent {opponent} has no 001 record; the row is kept",
    )
    rows, opponent = rows[opponent >= 0], opponent[opponent >= 0]
    _reject_own_opponents(sheet, rows[opponent == grid.player[rows]])

    mirror = grid.first[opponent] + grid.round[rows] - 1
    back = grid.opponent[mirror] == roster.number[grid.player[rows]]
    _fill_blank_results(sheet, rows[back], mirror[back])
    _fill_blank_mirrors(sheet, rows[~back], mirror[~back])
    first = back & (grid.player[rows] < opponent)
    _report_disagreements(sheet, rows[first], mirror[first])

    # A result that is still blank now has nobody to take it from.
    blank = np.flatnonzero((grid.opponent > 0) & (grid.result == NO_RESULT))
    sheet.report(
        blank,
        "opponent-without-result",
        "error",
        "opponent {opponent} is named without a result: read as unplayed, no opponent, 0 points",
    )
    grid.result[blank] = CODE["Z"]
    grid.opponent[blank] = 0
    grid.color[blank] = NO_COLOR
    absent = absent[grid.opponent[absent] > 0]
    return roster.file[grid.player[absent]], grid.opponent[absent]


def _reject_own_opponents(sheet: Sheet, rows: Rows) -> None:
    player = sheet.grid.player[rows]
    sheet.notes.reject(
        "meets-himself",
        pl.format("player {} meets himself in round {}", "player", "round"),
        file=sheet.roster.file[player],
        line=sheet.player_line[player],
        player=sheet.roster.number[player],
        round=sheet.grid.round[rows],
    )


def _fill_blank_results(sheet: Sheet, rows: Rows, mirror: Rows) -> None:
    """Settle results that are blank on one side or on both."""
    grid = sheet.grid
    blank = grid.result[rows] == NO_RESULT
    rows, other = rows[blank], grid.result[mirror[blank]]
    pending = rows[other == NO_RESULT]
    taken = _MIRRORED[other] != NO_RESULT
    grid.result[pending] = CODE["*"]
    grid.result[rows[taken]] = _MIRRORED[other[taken]]
    sheet.report(
        pending,
        "result-unknown",
        "info",
        "both sides name the pairing with {opponent} without a result: not known yet (*)",
    )
    sheet.report(
        rows[taken],
        "mirror-result-filled",
        "warning",
        "no result is given against {opponent}; {result} is read from the opponent's row",
    )


def _fill_blank_mirrors(sheet: Sheet, rows: Rows, mirror: Rows) -> None:
    """Fill rounds that are wholly blank though one player names them."""
    grid = sheet.grid
    claims = np.bincount(mirror, minlength=len(grid.player)) if mirror.size else np.zeros(1)
    tells = _MIRRORED[grid.result[rows]] != NO_RESULT
    fillable = grid.empty[mirror] & (claims[mirror] == 1) & tells
    filled, given = mirror[fillable], rows[fillable]
    grid.opponent[filled] = sheet.roster.number[grid.player[given]]
    grid.color[filled] = _OPPOSITE[grid.color[given]]
    grid.result[filled] = _MIRRORED[grid.result[given]]
    grid.empty[filled] = False
    sheet.report(
        filled,
        "mirror-row-filled",
        "warning",
        "the round is blank, but {opponent} names this player: {result} is read from there",
    )
    sheet.report(
        rows[~fillable],
        "mirror-missing",
        "error",
        "opponent {opponent} does not name this player in the round; both stay as written",
    )


def _report_disagreements(sheet: Sheet, rows: Rows, mirror: Rows) -> None:
    """Tell, once for each game, where its two rows contradict each other."""
    grid = sheet.grid
    told = (grid.result[rows] != NO_RESULT) & (grid.result[mirror] != NO_RESULT)
    rows, mirror = rows[told], mirror[told]
    sheet.report(
        rows[~_TOGETHER[grid.result[rows], grid.result[mirror]]],
        "results-disagree",
        "error",
        "{result} and what {opponent} has are not two sides of one game; both stay as written",
    )
    colored = (grid.color[rows] != NO_COLOR) & (grid.color[rows] == grid.color[mirror])
    sheet.report(
        rows[colored],
        "colors-disagree",
        "error",
        "this player and {opponent} have the same colour; both stay as written",
    )
