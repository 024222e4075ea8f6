"""Results of PGN games, and games that stand there twice."""

from __future__ import annotations

from typing import Final, Literal

import polars as pl

from tbframe.findings import Severity, concat_findings, counted, findings_from, no_findings
from tbframe.intake.game_results import read_game_result

__all__ = ["Moveless", "read_results", "settle_repeats"]

Moveless = Literal["played", "forfeit"]

#: What the tag Termination says of games that nobody played.
_UNPLAYED: Final = r"(?i)^\s*(unplayed|forfeit(ed|ure)?|default|walk-?over|no[- ]?show)\s*$"
_FORFEITED: Final = {"1-0": "1-0F", "0-1": "0-1F", "0-0": "0-0F"}


def read_results(games: pl.DataFrame, moveless: Moveless) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read the results.

    Parameters
    ----------
    games
        ``file``, ``line``, ``tournament``, ``white``, ``black``, ``Result``, ``ending``,
        ``moveless``, ``Termination``.
    moveless
        Whether a decided game without moves was played or forfeited.

    Returns
    -------
    games, findings
        The frame with ``result``, as `from_games` takes it.
    """
    said = pl.col("Result").str.strip_chars()
    said = pl.when(~said.is_in(["", "?"])).then(said)
    games = games.with_columns(said=pl.coalesce(said, "ending"))
    texts = games["said"].drop_nulls().unique().to_list()
    known = {text: _plain(text) for text in texts}
    result = pl.col("said").replace_strict(known, default=None, return_dtype=pl.String)
    games = games.with_columns(result=result)
    unread = pl.col("said").is_not_null() & pl.col("result").is_null()
    absent = pl.col("said").is_null()
    behind = said.is_null() & pl.col("ending").is_not_null()
    forfeited = pl.col("Termination").str.contains(_UNPLAYED).fill_null(value=False)
    decided = pl.col("result").is_in(list(_FORFEITED))
    game = pl.col("white").is_not_null() & pl.col("black").is_not_null()
    empty = pl.col("moveless") & decided & ~forfeited & game
    over = forfeited | pl.lit(moveless == "forfeit") & empty
    parts = [
        findings_from(
            games.filter(unread).with_columns(shown=pl.col("said").str.slice(0, 40)),
            code="result-unreadable",
            severity="warning",
            message=pl.format("the result {} says nothing: not known (*)", "shown"),
        ),
        findings_from(
            games.filter(absent),
            code="result-missing",
            severity="warning",
            message="no result, neither as a tag nor behind the moves: not known (*)",
        ),
        findings_from(
            games.filter(behind),
            code="result-behind-moves",
            severity="info",
            message=pl.format("no tag Result: {} stands behind the moves", "ending"),
        ),
        findings_from(
            games.filter(forfeited & decided),
            code="forfeit-by-termination",
            severity="info",
            message=pl.format("Termination {}: read as a forfeit", "Termination"),
        ),
        findings_from(
            games.filter(forfeited & (pl.col("result") == "1/2-1/2")),
            code="forfeit-drawn",
            severity="warning",
            message=pl.format("Termination {}, and a draw: taken as played", "Termination"),
        ),
    ]
    counts = games.group_by("tournament").agg(n=empty.sum(), all=pl.len()).filter(pl.col("n") > 0)
    meant = "played" if moveless == "played" else "forfeited"
    few = pl.col("n") * 2 < pl.col("all")
    message = pl.format(
        "{} without moves, taken as {}", counted("n", "decided game"), pl.lit(meant)
    )
    counts = counts.sort("tournament")
    severities: tuple[tuple[pl.Expr, Severity], ...] = ((few, "warning"), (~few, "info"))
    parts += [
        findings_from(
            counts.filter(rows), code="games-without-moves", severity=severity, message=message
        )
        for rows, severity in severities
    ]
    games = games.with_columns(
        result=pl.when(over)
        .then(pl.col("result").replace(_FORFEITED))
        .otherwise(pl.col("result").fill_null("*"))
    )
    return games.drop("said"), concat_findings(*parts)


def _plain(text: str) -> str | None:
    """Write a result as `from_games` takes it; null where it says nothing."""
    codes = read_game_result(text)
    if codes is None:
        return None
    one = {"1": "1", "0": "0", "=": "1/2", "*": "*", "+": "+", "-": "-"}
    if codes in ("**", "=="):
        return "*" if codes == "**" else "1/2-1/2"
    if codes[0] in "+-":
        return f"{codes[0]}/{codes[1]}"
    return f"{one[codes[0]]}-{one[codes[1]]}"


def settle_repeats(
    games: pl.DataFrame, duplicates: Literal["refuse", "once", "keep"]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Find games that stand there several times, and pairs that play several games in a round.

    A game is the same as an earlier one if tournament, tag Round, date, both players, the result
    and the moves are the same; without moves, only if there is a round. The same players, round
    and date with other moves are a replay, a second cycle or another record of the game, which
    nobody can tell: kept.

    Parameters
    ----------
    games
        ``file``, ``line``, ``tournament``, ``Round``, ``Date``, ``white``, ``black``,
        ``result``, ``text``, ``moveless``.
    duplicates
        ``"once"`` counts what is the same once; ``"keep"`` and ``"refuse"`` leave it in.
    """
    place = ["tournament", "Round", "Date", "white", "black"]
    pair = pl.format("{} - {}", pl.col("white").fill_null("?"), pl.col("black").fill_null("?"))
    moves = ["tournament", "white", "black", "text"]
    with_moves = games.filter(~pl.col("moveless"))
    copies = with_moves.filter(with_moves.select(moves).is_duplicated())
    again = games.select(place).is_duplicated()
    if not again.any() and copies.is_empty():
        return games, no_findings()
    # Without round and moves, nothing tells a game from another one.
    tells = ~pl.col("moveless") | pl.col("Round").is_not_null()
    suspects = games.filter(again).with_columns(
        same=pl.int_range(pl.len()).over(*place, "result", "text"),
        nth=pl.int_range(pl.len()).over(place),
    )
    same = suspects.filter(tells, pl.col("same") > 0)
    other = suspects.filter(
        pl.when(tells).then(pl.col("same") == 0).otherwise(pl.col("same") > 0),
        pl.col("nth") > 0,
        pl.col("Round").is_not_null() | ~tells,
    )
    copies = copies.filter(pl.int_range(pl.len()).over(moves) > 0)
    copies = copies.join(pl.concat([same, other]), on=["file", "line"], how="anti")
    once = duplicates == "once"
    words = pl.when("moveless").then(pl.lit("just so")).otherwise(pl.lit("with the same moves"))
    unlike = pl.when(tells).then(pl.lit("other moves or another result"))
    found = concat_findings(
        findings_from(
            same,
            code="duplicate-counted-once" if once else "duplicate-games",
            severity="warning",
            message=pl.format(
                "the game {} stands there before, {}{}", pair, words,
                pl.lit(": counted once" if once else ""),
            ),
        ),
        *(
            findings_from(
                rows,
                code="game-again",
                severity="warning",
                message=pl.format(
                    "the game {} stands there before, with {}: kept, as a game of its own",
                    pair, how,
                ),
            )
            for rows, how in (
                (other, unlike.otherwise(pl.lit("neither round nor moves"))),
                (copies, pl.lit("the same moves, in another round or on another day")),
            )
        ),
    )  # fmt: skip
    if not once:
        return games, found
    return games.join(same.select("file", "line"), on=["file", "line"], how="anti",
                      maintain_order="left"), found  # fmt: skip
