"""Names and types of the frames that a user sees.

Every column name and result code is written down here and nowhere else. Keys
(``tournament``, ``player``, ``opponent``) may be strings or integers; a player
key needs to be unique only within its tournament. Columns that are not listed
are carried along untouched. `tbframe.contracts` checks that a frame keeps to this.
"""

from __future__ import annotations

from typing import Final

import polars as pl

__all__ = [
    "BOARDS",
    "BYES",
    "FINDINGS",
    "FORFEITS",
    "KEY_TYPES",
    "MEMBERS",
    "MOST_ROUNDS",
    "OVER_THE_BOARD",
    "PLAYERS",
    "QUARANTINE",
    "RESULTS",
    "RESULT_CODES",
    "ROW",
    "TOURNAMENTS",
    "ResultCode",
]

#: TRF result codes: 1 = 0 over the board; W D L played but unrated; + - forfeits;
#: F H U Z full-point, half-point, pairing-allocated and zero-point bye; * not known yet.
RESULT_CODES: Final = ("1", "=", "0", "W", "D", "L", "+", "-", "F", "H", "U", "Z", "*")
ResultCode: Final = pl.Enum(RESULT_CODES)
OVER_THE_BOARD: Final = ("1", "=", "0", "W", "D", "L")
FORFEITS: Final = ("+", "-")
BYES: Final = ("F", "H", "U", "Z")

#: No tournament has more rounds: a larger number is a date or an identifier that went astray.
MOST_ROUNDS: Final = 300

#: The types of key columns in canonical frames; other integers are brought to the second.
KEY_TYPES: Final = (pl.String(), pl.Int64())

#: Column with the number of a row in the user's table, present only until the frame is canonical.
ROW: Final = "__row__"

#: Columns of the canonical frames with their types; ``None`` marks a key column,
#: whose type (string or 64-bit integer) is the user's. A column ``game`` (Int32) numbers the
#: games of a player within a round, from 1; it is there only if some player has several.
RESULTS: Final[dict[str, pl.DataType | None]] = {
    "tournament": None,
    "round": pl.Int32(),
    "player": None,
    "opponent": None,
    "color": pl.String(),
    "result": ResultCode,
    "points": pl.Float64(),
}
PLAYERS: Final[dict[str, pl.DataType | None]] = {
    "tournament": None,
    "player": None,
    "name": pl.String(),
    "sex": pl.String(),  # "m", "w" or null
    "title": pl.String(),  # GM, IM, FM, CM, WGM, WIM, WFM, WCM, or as the file has it
    "rating": pl.Int32(),  # null: unrated
    "federation": pl.String(),
    "id": pl.String(),  # the FIDE id, or another register's
    "birth": pl.String(),  # "1990-01-31", "1990-01" or "1990"
    "points": pl.Float64(),  # declared
    "rank": pl.Int32(),  # declared
}
TOURNAMENTS: Final[dict[str, pl.DataType | None]] = {
    "tournament": None,
    "name": pl.String(),
    "city": pl.String(),
    "federation": pl.String(),
    "start": pl.Date(),
    "end": pl.Date(),
    "rounds": pl.Int32(),  # planned
    "kind": pl.String(),  # "individual" or "team"
    "pairing": pl.String(),  # "swiss", "predetermined", or null: not declared
    "type": pl.String(),  # the source's own words for its type
    "scoring": pl.String(),  # "W=3 D=1 L=0 ..." (tbframe.scoring); null: the usual one
    "game_scoring": pl.String(),  # the same for the boards of a team event
    "boards": pl.Int32(),  # boards of a team match
    "primary": pl.String(),  # the score that decides a team event, "MP" or "GP"; null: MP
    "criteria": pl.String(),  # declared ranking order, "PTS DE BH/C1"; null: none
    "edition": pl.String(),  # overrides the edition of the start date
    "unrated": pl.String(),  # "exclude", or the rating they count with; null: no rule (art. 10)
    "fide_event": pl.Boolean(),  # an event of FIDE itself (EVE, GSC): other dates apply
    "arbiter": pl.String(),
    "deputies": pl.String(),  # separated by "; "
    "time_control": pl.String(),
    "round_dates": pl.String(),  # ISO dates separated by blanks
}
#: One row for each team and board of a match: what its player scored there.
BOARDS: Final[dict[str, pl.DataType | None]] = {
    "tournament": None,
    "round": pl.Int32(),
    "team": None,
    "opponent": None,  # the other team
    "board": pl.Int32(),  # from 1
    "player": None,
    "opponent_player": None,
    "color": pl.String(),
    "result": ResultCode,
    "points": pl.Float64(),
}
#: The individuals of team events; players of a team event are its teams.
MEMBERS: Final[dict[str, pl.DataType | None]] = {
    "tournament": None,
    "player": None,
    "team": None,
    "order": pl.Int32(),  # place in the team's list, from 1
    **{name: dtype for name, dtype in PLAYERS.items() if dtype is not None},
}
FINDINGS: Final[dict[str, pl.DataType]] = {
    "file": pl.String(),
    "line": pl.Int32(),
    "tournament": pl.String(),
    "round": pl.Int32(),
    "player": pl.String(),
    "severity": pl.String(),  # "info", "warning" or "error"
    "code": pl.String(),
    "message": pl.String(),
}
#: Tournaments that were set aside whole: where they came from, why, and how many result rows.
QUARANTINE: Final[dict[str, pl.DataType]] = {
    "file": pl.String(),
    "line": pl.Int32(),
    "tournament": pl.String(),
    "code": pl.String(),
    "message": pl.String(),
    "rows": pl.Int64(),  # result rows: two for a game, one for a bye, one for a team's match
}
