"""An archive from a table with one row per game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

import polars as pl

from tbframe.archive import Archive
from tbframe.contracts import breach
from tbframe.errors import ContractError
from tbframe.findings import concat_findings, findings_from, no_findings
from tbframe.intake.assembling import assemble
from tbframe.intake.byes import read_byes
from tbframe.intake.casting import insist, spell, unify_keys
from tbframe.intake.game_results import GAME_RESULT_RULE, read_game_result
from tbframe.intake.numbering import number_games, number_rounds
from tbframe.intake.tables import (
    Table,
    lone_tournament,
    only_tournament,
    read_table,
    take,
    take_sides,
)
from tbframe.schema import ROW, ResultCode

__all__ = ["Duplicates", "from_games"]

Duplicates = Literal["refuse", "once", "keep"]

_COLUMNS: Final[dict[str, pl.DataType | None]] = {
    "tournament": None,
    "round": pl.Int32(),
    "white": None,
    "black": None,
    "result": pl.String(),
    "game": pl.Int32(),
}
_BYES: Final[dict[str, pl.DataType | None]] = {
    "tournament": None,
    "round": pl.Int32(),
    "player": None,
    "type": pl.String(),
}
_NUMBERS: Final = {"1.0": "10", "0.5": "==", "0.0": "01"}
_BYE_TYPES: Final = {
    **dict(zip(("pab", "fpb", "hpb", "zpb"), "UFHZ", strict=True)),
    **{code.lower(): code for code in "UFHZ"},
}


def from_games(
    games: Table,
    players: Table | None = None,
    tournaments: Table | None = None,
    *,
    byes: Table | None = None,
    duplicates: Duplicates = "refuse",
) -> Archive:
    """Make an archive of a table with one row per game.

    Parameters
    ----------
    games
        Columns ``white``, ``black``, ``result`` (``1-0``, ``1/2-1/2``, ``0-1``, ``1-0F``,
        ``+/-``, ``*`` and their variants; a number is White's points), and, where wanted,
        ``tournament`` (missing: all are one), ``round`` and ``game`` (the order of the games
        that a player has in one round). Other columns are carried along, into both rows of
        the game. Where one side is null or ``"bye"``, the other had a bye. Any kind of table,
        as for `from_results`; it is not changed.

        The order of the rows matters only where there is no column ``round``: then the games
        of each player are numbered in that order, and a warning says so. Nothing is then
        known of rounds without a game, or of standings after a round.
    players, tournaments
        As for `from_results`.
    byes
        Columns ``tournament``, ``round``, ``player`` and ``type``: PAB, FPB, HPB, ZPB
        (pairing-allocated, full-point, half-point, zero-point) or the codes U, F, H, Z. Other
        columns are not carried along.
    duplicates
        What to do where rows are equal in every column: ``"refuse"`` sets the tournament
        aside, ``"once"`` counts the game once, ``"keep"`` takes each for a game of its own.

    Returns
    -------
    Archive
        Two result rows for each game, one for each bye. Several games of a player in one
        round are numbered in the order of ``game`` and then of the other columns, so that
        the order of the rows plays no part; a warning tells where ``game`` did not decide.

    Raises
    ------
    ContractError
        As for `from_results`.

    Warns
    -----
    FindingWarning
        As for `from_results`.

    Examples
    --------
    >>> archive = from_games(pl.DataFrame({
    ...     "round": [1, 1, 2],
    ...     "white": ["Ann", "Cid", "Bob"],
    ...     "black": ["Bob", None, "Cid"],
    ...     "result": ["1-0", None, "0-1F"],
    ... }))
    >>> archive.results.select("player", "round", "opponent", "color", "result").rows()
    [('Ann', 1, 'Bob', 'w', '1'), ('Bob', 1, 'Ann', 'b', '0'), ('Bob', 2, 'Cid', 'w', '-'),
     ('Cid', 1, None, None, 'U'), ('Cid', 2, 'Bob', 'b', '+')]
    """
    if duplicates not in get_args(Duplicates):
        raise ContractError(f"duplicates={duplicates!r} is none of {get_args(Duplicates)}")
    table = read_table(games, "games")
    lone, single = lone_tournament(table, "games")
    rows, named = _take_games(table, lone)
    only = lone or only_tournament(rows)
    sides, sides_named = take_sides(players, tournaments, only)
    frames = {"games": rows, **sides}
    if byes is not None:
        frames["byes"] = _take_byes(byes, rows, only)
    frames = unify_keys(frames, [("tournament",), ("white", "black", "player")])
    rows, verdicts, repeated = _settle_duplicates(frames["games"], duplicates)
    results, byes_read = _to_results(rows)
    if "byes" in frames:
        results = pl.concat([results, _bye_results(frames["byes"])], how="diagonal")
    results, rounds = number_rounds(results)
    results, several = number_games(results, rows)
    findings = [single, named, sides_named, repeated, byes_read, rounds, several]
    given = {name: frames[name] for name in sides}
    return assemble({"games": results, **given}, "games", concat_findings(*findings), verdicts)


def _take_games(table: pl.DataFrame, lone: dict[str, str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Bring the games to their columns, types and codes (``result``: those of both sides)."""
    for column in ("player", "opponent", "color", "points"):
        if column in table.columns:
            raise breach("games", [column], "has no place among games; drop or rename it")
    if "game" in table.columns and "round" not in table.columns:
        raise breach("games", ["game"], "numbers games within a round: needs a column 'round'")
    if "game_points" in table.columns:
        raise breach(
            "games",
            ["game_points"],
            "a match has two sides: give from_boards its boards, or from_results both rows",
        )
    games, findings = take(table, "games", _COLUMNS, ("white", "black", "result"), lone)
    number = games.schema["result"].is_numeric()
    if number:
        games = games.with_columns(pl.col("result").cast(pl.Float64))
        message = "games: the numbers in 'result' are read as White's points"
        told = pl.DataFrame({"frame": ["games"]})
        found = findings_from(told, code="result-number", severity="info", message=message)
        findings = concat_findings(findings, found)
    games = spell(
        games,
        "games",
        "result",
        _NUMBERS.get if number else read_game_result,
        rule="as a number, a result is White's 1, 0.5 or 0" if number else GAME_RESULT_RULE,
        dtype=pl.String(),
    )
    return games, findings


def _take_byes(byes: Table, games: pl.DataFrame, lone: Mapping[str, object]) -> pl.DataFrame:
    """Bring the byes to their columns, types and codes; other columns to the games' types."""
    if "round" not in games.columns:
        raise breach("games", ["round"], "the column is missing, and byes are given by round")
    table, _ = take(read_table(byes, "byes"), "byes", _BYES, ("round", "player", "type"), lone)
    insist(table, "byes", ["round"], "rounds count from 1", pl.col("round") >= 1)
    for column in table.columns:
        insist(table, "byes", [column], "never null", pl.col(column).is_not_null())
    table = spell(
        table,
        "byes",
        "type",
        lambda text: _BYE_TYPES.get(text.strip().lower()),
        rule="a bye is one of PAB, FPB, HPB, ZPB, or U, F, H, Z",
        dtype=ResultCode,
    )
    return table.select("tournament", "round", "player", "type", pl.col(ROW) + games.height)


def _settle_duplicates(
    games: pl.DataFrame, duplicates: Duplicates
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Deal with games that are equal in every column.

    Returns
    -------
    games, verdicts, findings
        The games that count; the tournaments to be set aside for their duplicates; a warning
        for each game that stood there more than once and is counted once.
    """
    columns = [column for column in games.columns if column != ROW]
    repeated = games.filter(games.select(columns).is_duplicated())
    place = [column for column in ("tournament", "round", "white", "black") if column in columns]
    groups = repeated.group_by(columns).len("__times__").select(*place, "__times__")
    groups = groups.sort([*place, "__times__"])
    game = pl.format(
        "{} - {}", *(pl.col(c).cast(pl.String).fill_null("nobody") for c in ("white", "black"))
    )
    verdicts = groups.group_by("tournament", maintain_order=True).agg(
        code=pl.lit("duplicate-games"),
        message=pl.format(
            "games that stand there more than once: {}, the first is {}, {} times; say "
            "duplicates='once' to count each once, or 'keep' where they were all played",
            pl.len(),
            game.first(),
            pl.col("__times__").first(),
        ),
    )
    if duplicates == "refuse":
        return games, verdicts, no_findings()
    if duplicates == "keep":
        return games, verdicts.clear(), no_findings()
    findings = findings_from(
        groups,
        code="duplicate-counted-once",
        severity="warning",
        message=pl.format("the game {} stands there {} times: counted once", game, "__times__"),
    )
    once = games.unique(columns, keep="first", maintain_order=True) if groups.height else games
    return once, verdicts.clear(), findings


def _to_results(games: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Turn each game into a row for White and one for Black; a game against nobody into a bye."""
    nobody = {side: pl.col(side).is_null() for side in ("white", "black")}
    if games.schema["white"] == pl.String():
        nobody = {
            side: none | (pl.col(side).str.to_lowercase() == "bye") for side, none in nobody.items()
        }
    sides = ["white", "black"]
    empty = nobody["white"] & nobody["black"]
    insist(games, "games", sides, "a game has a player on one side at least", ~empty)
    rule = "never null; write * for not known yet"
    one = nobody["white"] | nobody["black"]
    insist(games, "games", ["result"], rule, one | pl.col("result").is_not_null())
    rows = [
        games.filter(~nobody[side])
        .with_columns(
            pl.when(~nobody[other]).then(pl.col(other)).alias("opponent"),
            pl.lit(side[0]).alias("color"),
            pl.col("result").str.slice(place, 1).cast(ResultCode),
        )
        .rename({side: "player"})
        .drop(other)
        for place, (side, other) in enumerate((sides, sides[::-1]))
    ]
    results = pl.concat(rows, how="diagonal")
    return read_byes(results, results["opponent"].is_null())


def _bye_results(byes: pl.DataFrame) -> pl.DataFrame:
    """Turn byes into result rows."""
    return byes.rename({"type": "result"}).with_columns(
        pl.lit(None, byes.schema["player"]).alias("opponent"),
        pl.lit(None, pl.String).alias("color"),
    )
