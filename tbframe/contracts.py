"""The contracts of the canonical frames, and the words for breaking one.

A canonical frame has all its columns in their types, its rows sorted by the key, and each
key once. `validate` checks that; `breach` words every broken rule of a frame, wherever it
is found, in the same way: frame, column, rule, first offending rows.
"""

# ruff: noqa: D102 - the rules are named and worded, in `_RULES`, for the messages

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import dataframely as dy
import polars as pl

from tbframe.editions import edition_of
from tbframe.errors import ContractError, TbframeError
from tbframe.schema import (
    KEY_TYPES,
    MOST_ROUNDS,
    PLAYERS,
    RESULT_CODES,
    RESULTS,
    ROW,
    TOURNAMENTS,
)
from tbframe.scoring import parse_clauses, parse_scoring

__all__ = ["Players", "Results", "Tournaments", "breach", "validate"]


def _each_key_once(*keys: str) -> pl.Expr:
    """Whether a row comes after the row before it, and is not the twin of the next one.

    In a sorted frame this finds every duplicate with a look at the neighbours: 0.01 s for
    2 M rows with integer keys and 0.03 s with strings, where a hash table takes 0.2 to 0.3 s.
    """
    after = pl.lit(value=False)
    for key in map(pl.col, reversed(keys)):
        after = (key > key.shift()) | ((key == key.shift()) & after)
    twin = pl.all_horizontal(pl.col(key) == pl.col(key).shift(-1) for key in keys)
    return after.fill_null(value=True) & ~twin.fill_null(value=False)


class Results(dy.Schema):
    """Contract of the ``results`` frame: one row per tournament, player, round (and game).

    ``game`` is taken as 1 where the frame has no such column.
    """

    tournament = dy.Any()
    round = dy.Int32(min=1, max=MOST_ROUNDS)
    player = dy.Any()
    opponent = dy.Any()
    color = dy.String(nullable=True)
    result = dy.Enum(RESULT_CODES)
    points = dy.Float64(nullable=True)
    game = dy.Int32(min=1)

    @dy.rule()
    def tournament_not_null(cls) -> pl.Expr:
        return pl.col("tournament").is_not_null()

    @dy.rule()
    def player_not_null(cls) -> pl.Expr:
        return pl.col("player").is_not_null()

    @dy.rule()
    def color_is_w_or_b(cls) -> pl.Expr:
        return pl.col("color").is_null() | pl.col("color").is_in(["w", "b"])

    @dy.rule()
    def one_row_per_tournament_player_round(cls) -> pl.Expr:
        return _each_key_once("tournament", "player", "round", "game")


class Players(dy.Schema):
    """Contract of the ``players`` frame: one row per tournament and player."""

    tournament = dy.Any()
    player = dy.Any()
    rating = dy.Int32(nullable=True, min=0)
    points = dy.Float64(nullable=True)
    rank = dy.Int32(nullable=True)

    @dy.rule()
    def tournament_not_null(cls) -> pl.Expr:
        return pl.col("tournament").is_not_null()

    @dy.rule()
    def player_not_null(cls) -> pl.Expr:
        return pl.col("player").is_not_null()

    @dy.rule()
    def one_row_per_tournament_player(cls) -> pl.Expr:
        return _each_key_once("tournament", "player")


class Tournaments(dy.Schema):
    """Contract of the ``tournaments`` frame: one row per tournament."""

    tournament = dy.Any()
    rounds = dy.Int32(nullable=True, min=0)
    kind = dy.String(nullable=True)
    pairing = dy.String(nullable=True)
    boards = dy.Int32(nullable=True, min=1)
    primary = dy.String(nullable=True)
    unrated = dy.String(nullable=True)

    @dy.rule()
    def primary_is_mp_or_gp(cls) -> pl.Expr:
        return pl.col("primary").is_null() | pl.col("primary").is_in(["MP", "GP"])

    @dy.rule()
    def unrated_is_a_rule(cls) -> pl.Expr:
        rating = pl.col("unrated").str.contains(r"^[1-9][0-9]{0,3}$")
        return pl.col("unrated").is_null() | (pl.col("unrated") == "exclude") | rating

    @dy.rule()
    def tournament_not_null(cls) -> pl.Expr:
        return pl.col("tournament").is_not_null()

    @dy.rule()
    def kind_is_individual_or_team(cls) -> pl.Expr:
        return pl.col("kind").is_null() | pl.col("kind").is_in(["individual", "team"])

    @dy.rule()
    def pairing_is_swiss_or_predetermined(cls) -> pl.Expr:
        return pl.col("pairing").is_null() | pl.col("pairing").is_in(["swiss", "predetermined"])

    @dy.rule()
    def one_row_per_tournament(cls) -> pl.Expr:
        return _each_key_once("tournament")


#: Columns and types, and the key, of each contract.
_COLUMNS: Final = {Results: RESULTS, Players: PLAYERS, Tournaments: TOURNAMENTS}
_KEYS: Final = {
    Results: ("tournament", "player", "round", "game"),
    Players: ("tournament", "player"),
    Tournaments: ("tournament",),
}

#: The rules in words, with the columns they speak of.
_RULES: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "tournament_not_null": (("tournament",), "a key is never null"),
    "player_not_null": (("player",), "a key is never null"),
    "round|nullability": (("round",), "a key is never null"),
    "round|min": (("round",), "rounds count from 1"),
    "round|max": (("round",), f"no more than {MOST_ROUNDS:,} rounds: a date, or another number?"),
    "game|nullability": (("game",), "a key is never null"),
    "game|min": (("game",), "games count from 1"),
    "result|nullability": (("result",), "never null; write Z for absent and * for not known yet"),
    "color_is_w_or_b": (("color",), "w, b or null"),
    "points|nan": (("points",), "a number or null, not NaN"),
    "points|inf": (("points",), "a finite number or null"),
    "rating|min": (("rating",), "0 or more; null is unrated"),
    "rounds|min": (("rounds",), "0 or more"),
    "kind_is_individual_or_team": (("kind",), "individual, team or null"),
    "pairing_is_swiss_or_predetermined": (("pairing",), "swiss, predetermined or null"),
    "boards|min": (("boards",), "1 or more"),
    "primary_is_mp_or_gp": (("primary",), "MP, GP or null"),
    "unrated_is_a_rule": (("unrated",), "a rating such as '1400', 'exclude' or null"),
    "one_row_per_tournament_player_round": (
        ("tournament", "player", "round", "game"),
        "one row for each tournament, player, round and game, in this order",
    ),
    "one_row_per_tournament_player": (
        ("tournament", "player"),
        "one row for each tournament and player, in this order",
    ),
    "one_row_per_tournament": (("tournament",), "one row for each tournament, in order"),
}


def validate(frame: pl.DataFrame, schema: type[dy.Schema], name: str) -> None:
    """Check a canonical frame against its contract.

    Parameters
    ----------
    frame
        The frame. A column `ROW` gives the row numbers that the message names.
    schema
        `Results`, `Players` or `Tournaments`.
    name
        What the message calls the frame.

    Raises
    ------
    ContractError
        Naming the frame, the columns, the broken rule and the first five rows that break it.

    Examples
    --------
    >>> events = pl.DataFrame({"tournament": [1, 1]}, schema={"tournament": pl.Int64})
    >>> events = events.with_columns(
    ...     pl.lit(None, dtype).alias(name) for name, dtype in TOURNAMENTS.items() if dtype
    ... )
    >>> validate(events.head(1), Tournaments, "tournaments")
    >>> validate(events, Tournaments, "tournaments")
    Traceback (most recent call last):
    tbframe.errors.ContractError: tournaments, column 'tournament': one row for each tournament,
    in order. Broken by 2 row(s), the first (counted from 0):
      row 0: tournament=1
      row 1: tournament=1
    """
    columns = _COLUMNS[schema]
    for column, dtype in columns.items():
        if column not in frame.columns:
            raise breach(name, [column], "the column is missing")
        found = frame.schema[column]
        if found not in (KEY_TYPES if dtype is None else (dtype,)):
            wanted = "String or Int64" if dtype is None else str(dtype)
            raise breach(name, [column], f"has type {found} where {wanted} is due")
    if schema is Results and "game" not in frame.columns:
        frame = frame.with_columns(pl.lit(1, pl.Int32).alias("game"))
    if schema is Tournaments:
        _read_each(frame, name, "edition", edition_of)
        _read_each(frame, name, "scoring", parse_scoring)
        _read_each(frame, name, "game_scoring", _read_board_scoring)
    _, failure = schema.filter(frame)
    counts = failure.counts()
    if not counts:
        return
    # Of several broken rules the one of the table above that comes first: a key that is
    # null or out of range is the cause, rows out of order are its consequence.
    rule = min(counts, key=[*_RULES].index)
    about, words = _RULES[rule]
    keys = [key for key in _KEYS[schema] if key in frame.columns]
    shown = [*dict.fromkeys([*keys, *about])]
    broken = failure.details().filter(pl.col(rule) == "invalid").select(shown).unique()
    # The details do not say which rows these are. Rows that agree in what the rule looks at
    # break it together, so they are found again by that.
    if ROW not in frame.columns:
        frame = frame.with_row_index(ROW)
    rows = frame.join(broken, on=shown, how="semi", nulls_equal=True)
    raise breach(name, about, words, rows.select(ROW, *shown))


def _read_board_scoring(text: str) -> None:
    """Refuse what is for some rows only: boards are all alike."""
    parse_scoring(text)
    if parse_clauses(text):
        raise ContractError(f"scoring {text!r}: that of boards is the same for all of them")


def _read_each(frame: pl.DataFrame, name: str, column: str, read: Callable[[str], object]) -> None:
    """Read every distinct text of a column, so that none fails once much has been computed."""
    for text in frame[column].drop_nulls().unique(maintain_order=True):
        try:
            read(text)
        except TbframeError as error:
            numbered = frame if ROW in frame.columns else frame.with_row_index(ROW)
            rows = numbered.filter(pl.col(column) == text).select(ROW, "tournament", column)
            raise breach(name, [column], str(error), rows) from error


def breach(
    frame: str, columns: Sequence[str], rule: str, rows: pl.DataFrame | None = None
) -> ContractError:
    """Word the breach of a contract.

    Parameters
    ----------
    frame
        What the user calls the frame.
    columns
        The columns the rule speaks of.
    rule
        The rule, as a clause without a full stop.
    rows
        The offending rows, with their numbers in `ROW`.

    Returns
    -------
    ContractError
        To be raised; it shows the first five of `rows`.

    Examples
    --------
    >>> print(breach("results", ["round"], "rounds count from 1",
    ...              pl.DataFrame({ROW: [7], "round": [0]})))
    results, column 'round': rounds count from 1. Broken by 1 row(s), the first (counted from 0):
      row 7: round=0
    """
    names = ", ".join(f"{column!r}" for column in columns)
    message = f"{frame}, column{'s' if len(columns) > 1 else ''} {names}: {rule}"
    if rows is not None:
        message += f". Broken by {rows.height} row(s), the first (counted from 0):"
        for row in rows.sort(ROW).head(5).iter_rows(named=True):
            number = row.pop(ROW)
            message += f"\n  row {number}: " + ", ".join(f"{k}={v!r}" for k, v in row.items())
    return ContractError(message)
