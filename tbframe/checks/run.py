"""All checks of an archive, one after the other."""

from __future__ import annotations

import numpy as np
import polars as pl

from tbframe.checks.boards import check_boards
from tbframe.checks.games_due import incomplete
from tbframe.checks.mirrors import check_mirrors
from tbframe.checks.points import check_points
from tbframe.checks.rounds import check_rounds, check_rounds_of_players
from tbframe.checks.rows import BYE, check_players, check_rows, check_tournaments
from tbframe.checks.screen import suspects
from tbframe.findings import concat_findings, findings_from
from tbframe.ledger.pairing import complete_round_robins

__all__ = ["check"]


def check(
    results: pl.DataFrame,
    players: pl.DataFrame,
    tournaments: pl.DataFrame,
    *,
    boards: pl.DataFrame | None = None,
    members: pl.DataFrame | None = None,
    numbered: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Check all tournaments at once.

    Parameters
    ----------
    results, players, tournaments, boards, members
        Canonical frames, as an `Archive` has them.
    numbered
        The results with row numbers in the place of keys (`ledger.numbering.number`), where
        they are known: tournaments in which numbers show nothing are then not looked at closely.

    Returns
    -------
    DataFrame
        Findings (`schema.FINDINGS`) with the codes above, sorted by tournament, round, player
        and code, what concerns a whole tournament or round before what concerns a part of it;
        empty where all is well.

    Examples
    --------
    >>> from tbframe.intake import from_results
    >>> archive = from_results(pl.DataFrame({
    ...     "tournament": [1, 1], "round": [1, 1], "player": [1, 2], "opponent": [2, 1],
    ...     "color": ["w", "w"], "result": ["1", "="],
    ... }))
    >>> found = check(archive.results, archive.players, archive.tournaments)
    >>> found.filter(pl.col("severity") == "error").select("code", "message").rows()
    [('colors-disagree', '1 and 2 both have color w'),
     ('results-disagree', '1 against 2, who has =: not two sides of one game')]
    """
    missing = incomplete(results, tournaments, boards)
    if numbered is not None:
        closely = tournaments.filter(pl.Series(suspects(numbered, players, tournaments)))
        results, players, tournaments = (
            frame.join(closely, on="tournament", how="semi", maintain_order="left")
            for frame in (results, players, tournaments)
        )
    rows = _number(results, players)
    robins = _round_robins(rows, players, tournaments)
    proper = rows.filter((pl.col("player") != pl.col("opponent")).fill_null(value=True))
    found = concat_findings(
        check_rows(rows),
        check_mirrors(proper.filter(pl.col("player_number").is_not_null())),
        check_rounds_of_players(rows, robins),
        check_points(results, players, tournaments),
        check_rounds(rows, tournaments),
        check_players(results, players),
        check_tournaments(results, tournaments),
        check_boards(boards, members, results, tournaments),
        missing,
        findings_from(
            robins.filter(~pl.col("declared")),
            code="looks-like-round-robin",
            severity="info",
            message="everybody met everybody equally often and pairings are not declared: taken "
            "as predetermined",
        ),
    )
    keys = {"tournament": results.schema["tournament"], "player": results.schema["player"]}
    order = [
        pl.col(column).cast(keys[column]) if column in keys else pl.col(column)
        for column in ("tournament", "round", "player", "code", "message")
    ]
    return found.sort(order)


def _number(results: pl.DataFrame, players: pl.DataFrame) -> pl.DataFrame:
    """Take the columns that are checked, with numbers for the players; null for strangers."""
    key = ["tournament", "player"]
    numbers = players.select(key).with_row_index("number")
    rows = results.select("tournament", "round", "player", "opponent", "color", "result")
    against = rows.select("tournament", player="opponent")
    own, other = (
        keys.join(numbers, on=key, how="left", maintain_order="left")["number"].cast(pl.Int64)
        for keys in (rows.select(key), against)
    )
    game = results["game"] if "game" in results.columns else pl.lit(1, pl.Int32)
    return rows.with_columns(
        own.alias("player_number"), other.alias("opponent_number"), game.alias("game")
    )


def _round_robins(
    rows: pl.DataFrame, players: pl.DataFrame, tournaments: pl.DataFrame
) -> pl.DataFrame:
    """List the tournaments with predetermined pairings: ``tournament``, ``declared``."""
    numbers = tournaments.select("tournament").with_row_index("number")
    owner = (
        players.select("tournament")
        .join(numbers, on="tournament", how="left", maintain_order="left")["number"]
        .to_numpy()
    )
    paired = rows.filter(
        pl.col("player_number").is_not_null() & pl.col("opponent_number").is_not_null() & ~BYE
    )
    player, opponent = (paired[side].to_numpy() for side in ("player_number", "opponent_number"))
    size = np.bincount(owner, minlength=tournaments.height)
    assumed = complete_round_robins(owner[player], player, opponent, size)
    declared = pl.col("pairing") == "predetermined"
    return (
        tournaments.select("tournament", "pairing", assumed=pl.lit(pl.Series(assumed)))
        .filter(declared.fill_null(pl.col("assumed")))
        .select("tournament", declared=pl.col("pairing").is_not_null())
    )
