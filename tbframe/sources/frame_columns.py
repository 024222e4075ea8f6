"""The tables that tournaments are read from, their columns, and which of these hold keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tbframe.schema import BOARDS, FINDINGS, MEMBERS, PLAYERS, QUARANTINE, RESULTS, TOURNAMENTS

__all__ = ["KNOWN", "MAIN", "NEEDED", "TABLES", "TOLD", "key_kind", "main_table"]

#: The tables that rows are counted in; a source has one of them.
MAIN: Final = ("results", "games", "boards")
#: All tables that tournaments may be given in.
TABLES: Final = (*MAIN, "byes", "players", "tournaments", "members")
#: Frames that tell of tournaments, and are no tables of theirs.
TOLD: Final = ("findings", "quarantine")
#: The columns of each table, and of the frames that tell what was found in reading it.
KNOWN: Final[dict[str, tuple[str, ...]]] = {
    "results": (*RESULTS, "game", "game_points"),
    "games": ("tournament", "round", "white", "black", "result", "game"),
    "boards": tuple(BOARDS),
    "byes": ("tournament", "round", "player", "team", "type", "match_points", "game_points"),
    "players": tuple(PLAYERS),
    "tournaments": tuple(TOURNAMENTS),
    "members": tuple(MEMBERS),
    "findings": tuple(FINDINGS),
    "quarantine": tuple(QUARANTINE),
}
#: The columns that a main table cannot do without, besides ``tournament``.
NEEDED: Final[dict[str, tuple[str, ...]]] = {
    "results": ("round", "player", "opponent", "result"),
    "games": ("white", "black", "result"),
    "boards": ("round", "team", "opponent", "board", "result"),
}
_COMPETITORS: Final = ("white", "black", "player", "opponent", "team")


def main_table(columns: Iterable[str]) -> str | None:
    """Tell by its columns which of the main tables a table is.

    Examples
    --------
    >>> main_table(["round", "white", "black", "result"]), main_table(["name", "price"])
    ('games', None)
    >>> main_table(["round", "team", "board", "player", "opponent", "result"])
    'boards'
    """
    columns = {*columns}
    if {"team", "opponent", "board", "result"} <= columns:
        return "boards"
    if {"player", "result"} <= columns:
        return "results"
    return "games" if {"white", "black", "result"} <= columns else None


def key_kind(table: str, column: str) -> str | None:
    """Tell what the keys in a column of a table are keys of; ``None`` where it holds none.

    Examples
    --------
    >>> key_kind("games", "white"), key_kind("boards", "player"), key_kind("games", "round")
    ('competitor', 'individual', None)
    """
    if column == "tournament":
        return column
    if table in {"boards", "members"} and column in {"player", "opponent_player"}:
        return "individual"
    return "competitor" if column in _COMPETITORS else None
