"""An archive from a table with one row per tournament, round and player."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.archive import Archive
from tbframe.findings import concat_findings, findings_from, no_findings
from tbframe.intake.assembling import assemble
from tbframe.intake.casting import spell
from tbframe.intake.tables import (
    Table,
    lone_tournament,
    only_tournament,
    read_table,
    take,
    take_sides,
)
from tbframe.schema import PLAYERS, RESULT_CODES, RESULTS, ResultCode

__all__ = ["from_results", "spell_codes"]

#: Other spellings of the result codes, in lower case.
_RESULT_WORDS: Final = {
    **{code.lower(): code for code in RESULT_CODES},
    **dict.fromkeys(("1.0", "win", "won"), "1"),
    **dict.fromkeys(("½", "1/2", "0.5", "0,5", ".5", "draw", "drawn"), "="),
    **dict.fromkeys(("0.0", "loss", "lost"), "0"),
    **dict.fromkeys(("−", "–"), "-"),
    **dict(zip(("pab", "fpb", "hpb", "zpb"), "UFHZ", strict=True)),
}
_RESULT_RULE: Final = (
    "a result is one of 1 = 0 (over the board), W D L (unrated), + - (forfeits), "
    "F H U Z (byes), * (not known yet), or win, draw, loss, 1/2, ½, 0.5"
)
_COLORS: Final = {"w": "w", "white": "w", "b": "b", "black": "b"}


def from_results(
    results: Table, players: Table | None = None, tournaments: Table | None = None
) -> Archive:
    """Make an archive of a table with one row per tournament, round and player.

    Parameters
    ----------
    results
        Columns ``tournament``, ``round``, ``player``, ``opponent`` (null for a bye),
        ``color`` ("w", "b", "white", "black" or null), ``result`` (a TRF code, another
        spelling of one, or 1, 0.5, 0 as numbers for games over the board), and, where wanted,
        ``points`` (null or absent: what the scoring system gives for the result), ``game``
        (where a player has several games in a round) and, of team events, ``game_points``
        (then ``points`` are match points). ``color`` may be missing; so may
        ``tournament``: then all rows are of one tournament. Other columns are carried along.
        An opponent ``"bye"``, and the opponent 0 of a bye or forfeit, is read as none.
        An eager or lazy Polars frame, or anything that speaks the Arrow C stream interface;
        it is not changed, and the order of its rows does not matter.
    players
        What is known of the players: ``tournament``, ``player`` and any of the other columns
        of `schema.PLAYERS`. Players that it lacks are added. ``tournament`` may be missing
        where all results are of one.
    tournaments
        What is known of the tournaments, likewise (`schema.TOURNAMENTS`).

    Returns
    -------
    Archive
        Every row of `results` is in its results, or in a tournament of its quarantine: set
        aside because a player meets himself, or has a bye besides a game in one round. What
        was assumed is in its findings; what the rows say of each other is left to
        `Archive.check`.

    Raises
    ------
    ContractError
        If a column is missing or of a wrong type, a value cannot be read, a key is null or
        occurs twice. The message names the frame, the columns, the rule and the first rows.

    Warns
    -----
    FindingWarning
        If a tournament is set aside: with its name and the reason.

    Examples
    --------
    >>> archive = from_results(pl.DataFrame({
    ...     "tournament": ["cup", "cup", "cup"],
    ...     "round": [1, 1, 1],
    ...     "player": ["Ann", "Bob", "Cid"],
    ...     "opponent": ["Bob", "Ann", None],
    ...     "result": ["1/2", "1/2", "U"],
    ... }))
    >>> archive.results.select("player", "opponent", "result", "points").rows()
    [('Ann', 'Bob', '=', 0.5), ('Bob', 'Ann', '=', 0.5), ('Cid', None, 'U', 1.0)]
    """
    table = read_table(results, "results")
    lone, single = lone_tournament(table, "results")
    columns = {**RESULTS, "game": pl.Int32(), "game_points": pl.Float64()}
    needed = ("round", "player", "opponent", "result")
    rows, findings = take(table, "results", columns, needed, lone)
    rows = spell_codes(rows, "results")
    sides, more = take_sides(players, tournaments, lone or only_tournament(rows))
    findings = concat_findings(
        single, findings, more, _misplaced(rows, sides.get("players")), _unrated(rows)
    )
    return assemble({"results": rows, **sides}, "results", findings)


def spell_codes(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    """Bring results and colors to their codes.

    Parameters
    ----------
    rows
        With ``result`` and perhaps ``color``.
    name
        What messages call the table.
    """
    rows = spell(
        rows,
        name,
        "result",
        lambda text: _RESULT_WORDS.get(text.strip().lower()),
        rule=_RESULT_RULE,
        dtype=ResultCode,
    )
    return spell(
        rows,
        name,
        "color",
        lambda text: _COLORS.get(text.strip().lower()),
        rule="a color is w, b, white, black or null",
        dtype=pl.String(),
    )


def _misplaced(results: pl.DataFrame, players: pl.DataFrame | None) -> pl.DataFrame:
    """Tell of columns that would be read from the players frame, and stand in the results."""
    there = () if players is None else players.columns
    columns = [c for c in PLAYERS if c in results.columns and c not in {*RESULTS, *there}]
    return findings_from(
        pl.DataFrame({"column": columns}, schema={"column": pl.String}),
        code="column-not-used",
        severity="warning",
        message=pl.format(
            "results: column '{}' is carried along and not used; it belongs in the players frame",
            "column",
        ),
    )


def _unrated(results: pl.DataFrame) -> pl.DataFrame:
    """Tell of tournaments whose W, D and L may not mean what they mean in tournament files."""
    result = pl.col("result").cast(pl.String)
    letters = results.filter(result.is_in(["W", "D", "L"])).select("tournament").unique()
    if letters.is_empty():
        return no_findings()
    usual = results.filter(result.is_in(["1", "=", "0"])).select("tournament")
    return findings_from(
        letters.join(usual, on="tournament", how="anti").sort("tournament"),
        code="letters-unrated",
        severity="warning",
        message="all games have the codes W, D, L: read as played and unrated (1, =, 0 are rated)",
    )
