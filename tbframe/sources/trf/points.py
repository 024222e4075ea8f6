"""Points: what each result brought, held against the points that the players declare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.schema import RESULT_CODES
from tbframe.scoring import parse_scoring
from tbframe.sources.trf.countable import reject_uncountable
from tbframe.sources.trf.grid import CODE, NO_RESULT
from tbframe.sources.trf.scorings import Scorings
from tbframe.sources.trf.sheet import Sheet

__all__ = ["CANDIDATES", "settle_points"]

#: Systems tried for a file that declares none, the likeliest first.
CANDIDATES: Final = (
    "W=3 D=1 L=0", "W=3 D=1 L=0 U=1", "W=3 D=1 L=0 U=0",
    "W=2 D=1 L=0", "W=2 D=1 L=0 U=1", "W=2 D=1 L=0 U=0",
    "W=3 D=2 L=1", "W=3 D=2 L=1 U=2", "W=3 D=2 L=1 U=1",
    "W=1 D=0.5 L=0 U=0.5", "W=1 D=0.5 L=0 U=0",
)  # fmt: skip
#: Declared points have one decimal.
_TOLERANCE: Final = 0.0501


@dataclass
class _Agreement:
    """How the results agree with the declared points.

    Attributes
    ----------
    points
        Points of each row; NaN where the result is not known.
    gap
        Declared points of each player less those of his results.
    agrees
        Whether they agree, or say nothing: not declared, or a result not known.
    """

    points: NDArray[np.float64]
    gap: NDArray[np.float64]
    agrees: NDArray[np.bool_]


def settle_points(
    sheet: Sheet,
    declared: NDArray[np.float64],
    paired: NDArray[np.int64],
    scorings: Scorings,
) -> NDArray[np.float64]:
    """Turn blank rounds into byes and results into points, in agreement with the declared ones.

    A blank round is absence (Z). Where the declared points of a player exceed his results
    by just a draw for each of his blank rounds, they are half-point byes; where they exceed
    them by just one pairing-allocated bye for the only blank round, and nobody else has such
    a bye in the round, it is one. A file that declares no scoring and disagrees under the
    usual one gets the first of a few simple systems under which every player agrees.

    Parameters
    ----------
    declared
        Points of each player's record, NaN where it has none.
    paired
        Paired rounds of each file: some programs count the points of later byes, some do not.

    Returns
    -------
    ndarray
        Points of each row; NaN where the result is not known.
    """
    grid = sheet.grid
    blank = grid.result == NO_RESULT
    grid.result[blank] = CODE["Z"]
    ahead = grid.round > paired[sheet.file()]

    state = _agreement(sheet, declared, ahead, scorings)
    _report_idle_records(sheet, scorings)
    if _solve(sheet, declared, state.agrees, scorings):
        state = _agreement(sheet, declared, ahead, scorings)
    if blank.any():
        _read_blanks(sheet, np.flatnonzero(blank), state, scorings)
    _report_gaps(sheet, declared, state)
    rows = {"file": sheet.file(), "round": grid.round, "points": state.points}
    reject_uncountable(pl.DataFrame(rows, nan_to_null=True), sheet.notes)
    return state.points


def _agreement(
    sheet: Sheet, declared: NDArray[np.float64], ahead: NDArray[np.bool_], scorings: Scorings
) -> _Agreement:
    player = sheet.grid.player
    points = scorings.award(sheet)
    unknown = np.isnan(points)
    value = np.where(unknown, 0.0, points)
    gap = declared - np.bincount(player, value, minlength=len(declared))
    agrees = (np.abs(gap) < _TOLERANCE) | np.isnan(declared)
    if ahead.any():
        later = np.bincount(player[ahead], value[ahead], minlength=len(declared))
        agrees |= np.abs(gap + later) < _TOLERANCE
    agrees[player[unknown]] = True
    return _Agreement(points, gap, agrees)


def _read_blanks(
    sheet: Sheet, rows: NDArray[np.int64], state: _Agreement, scorings: Scorings
) -> None:
    """Read blank rounds as the byes that the declared points want."""
    grid = sheet.grid
    player = grid.player[rows]
    file = sheet.roster.file[player]
    count = np.bincount(player, minlength=len(state.gap))[player]
    gap = np.where(state.agrees, np.nan, state.gap)[player]
    half = scorings.white[file, CODE["H"]]
    allocated = scorings.white[file, CODE["U"]]
    is_half = (half > 0) & (np.abs(gap - count * half) < _TOLERANCE)
    is_whole = ~is_half & (count == 1) & (np.abs(gap - allocated) < _TOLERANCE)
    # A round has one pairing-allocated bye at most.
    most = int(grid.round.max()) + 1
    place = file * most + grid.round[rows]
    given = (sheet.file() * most + grid.round)[grid.result == CODE["U"]]
    wanted = np.bincount(place[is_whole], minlength=int(place.max()) + 1)
    is_whole &= (wanted[place] == 1) & ~np.isin(place, given)

    for where, code, finding, message in (
        (
            rows[is_half],
            "H",
            "half-point-bye-assumed",
            "the round is blank and the declared points want a draw for each blank round of "
            "the player: read as a half-point bye (H)",
        ),
        (
            rows[is_whole],
            "U",
            "pairing-bye-assumed",
            "the round is blank and the declared points want a pairing-allocated bye for it, "
            "which nobody else has in the round: read as one (U)",
        ),
    ):
        grid.result[where] = CODE[code]
        state.points[where] = scorings.white[sheet.roster.file[grid.player[where]], CODE[code]]
        state.agrees[grid.player[where]] = True
        sheet.report(where, finding, "warning", message)

    absent = ~is_half & ~is_whole
    per_file = (
        pl.DataFrame(
            {"file": file[absent], "player": player[absent]},
            schema={"file": pl.Int64, "player": pl.Int64},
        )
        .with_columns(line=pl.Series(sheet.player_line[player[absent]]))
        .group_by("file", maintain_order=True)
        .agg(pl.col("line").first(), rows=pl.len(), players=pl.col("player").n_unique())
    )
    sheet.notes.find(
        "blank-rounds",
        "info",
        pl.format("blank rounds read as absence (Z): {}, of players: {}", "rows", "players"),
        file=per_file["file"].to_numpy(),
        line=per_file["line"].to_numpy(),
        rows=per_file["rows"],
        players=per_file["players"],
    )


def _report_gaps(sheet: Sheet, declared: NDArray[np.float64], state: _Agreement) -> None:
    roster = sheet.roster
    wrong = np.flatnonzero(~state.agrees)
    # A file whose points are all 0 declares none.
    nothing = np.ones(len(roster.size), dtype=bool)
    nothing[roster.file[declared > 0]] = False
    silent = nothing[roster.file[wrong]]
    sheet.notes.find(
        "no-declared-points",
        "info",
        "no player has declared points above 0",
        file=np.unique(roster.file[wrong[silent]]),
    )
    wrong = wrong[~silent]
    sheet.notes.find(
        "points-declared",
        "warning",
        pl.format("{} points are declared, the results bring {}", "declared", "sum"),
        file=roster.file[wrong],
        line=sheet.player_line[wrong],
        player=roster.number[wrong],
        declared=declared[wrong],
        sum=(declared - state.gap)[wrong].round(4),
    )


def _report_idle_records(sheet: Sheet, scorings: Scorings) -> None:
    sheet.notes.find(
        "idle-record",
        "warning",
        "record 299 concerns no result of the file and changes nothing",
        file=[award.file for award in scorings.idle],
        line=pl.Series([award.line for award in scorings.idle], dtype=pl.Int64),
    )


def _solve(
    sheet: Sheet,
    declared: NDArray[np.float64],
    agrees: NDArray[np.bool_],
    scorings: Scorings,
) -> bool:
    """Find the scoring of files that declare none, from the points of all their players."""
    grid, roster = sheet.grid, sheet.roster
    doubted = np.bincount(roster.file[~agrees], minlength=len(roster.size)) >= 2
    doubted &= ~scorings.declared & ~sheet.notes.rejected
    if not doubted.any():
        return False
    players = np.flatnonzero(doubted[roster.file])
    codes = len(RESULT_CODES)
    counts = np.bincount(
        grid.player * codes + np.minimum(grid.result, codes - 1), minlength=len(declared) * codes
    ).reshape(-1, codes)[players]
    said = declared[players]
    # Points of players with a result not known yet say nothing.
    silent = np.isnan(said) | (counts[:, CODE["*"]] > 0)
    files = np.flatnonzero(doubted)
    open_ = np.ones(len(files), dtype=bool)
    position = np.searchsorted(files, roster.file[players])
    found: list[tuple[int, str]] = []
    for system in CANDIDATES:
        values = parse_scoring(system)
        per_code = np.array([values.get(code, 0.0) for code in RESULT_CODES])
        fits = silent | (np.abs(counts @ per_code - said) < _TOLERANCE)
        good = open_ & (np.bincount(position[~fits], minlength=len(files)) == 0)
        found += [(int(file), system) for file in files[good]]
        open_ &= ~good
    if not found:
        return False
    scorings.assume(dict(found))
    sheet.notes.find(
        "scoring-assumed",
        "warning",
        pl.format(
            "no scoring is declared and the points are wrong under 1-1/2-0: under {} those of "
            "every player are right, which is assumed",
            "system",
        ),
        file=[file for file, _ in found],
        system=pl.Series([system for _, system in found]),
    )
    return True
