"""The two rows of a game against each other.

Every game stands twice in the results, once for each player. Here the row of the opponent is
found for each row, and what the two say is compared. Each contradiction is told once.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.findings import concat_findings, counted, findings_from

__all__ = ["LEGAL", "check_mirrors", "go_together"]

#: What may stand on the two sides of one game: a win and a loss, two draws, two losses (a
#: decision of the arbiter), the same unrated; forfeits; not known yet.
LEGAL: Final = ("10", "01", "==", "00", "WL", "LW", "DD", "LL", "+-", "-+", "--", "**")
#: Legal as well, but rare enough to be told of: one side draws, the other loses.
_UNEVEN: Final = ("=0", "0=", "DL", "LD")
#: The same result, rated on one side and unrated on the other.
_HALF_RATED: Final = ("1L", "L1", "0W", "W0", "=D", "D=", "0L", "L0")
#: Codes under which a row without an opponent goes with an opponent's row that names one.
_ABSENT: Final = ("+", "-", "Z", "*")

_GAME: Final = ["player_number", "opponent_number", "round", "nth"]
_MIRRORED: Final = ["opponent_number", "player_number", "round", "nth"]


def go_together(result: pl.Expr, other: pl.Expr) -> pl.Expr:
    """Whether two results can stand on the two sides of one game."""
    codes = result.cast(pl.String) + other.cast(pl.String)
    return codes.is_in([*LEGAL, *_UNEVEN, *_HALF_RATED])


def check_mirrors(rows: pl.DataFrame) -> pl.DataFrame:
    """Compare the two rows of each game.

    Parameters
    ----------
    rows
        The results with ``player_number`` and ``opponent_number``, which are unique over all
        tournaments, and ``game``. Nobody meets himself.

    Returns
    -------
    DataFrame
        Findings with the keys of `rows` as text.
    """
    nth = pl.lit(1, pl.UInt32)
    if rows["game"].max() not in (None, 1):
        # Whoever meets twice in a round: the first of one side's games is the first of the other's.
        nth = pl.col("game").rank("ordinal").over(_GAME[:3])
    games = rows.filter(pl.col("opponent_number").is_not_null()).with_columns(nth=nth)
    other = games.select(*_GAME, other_result="result", other_color="color")
    games = games.join(other, left_on=_GAME, right_on=_MIRRORED, how="left")
    alone = games.filter(pl.col("other_result").is_null())
    once = pl.col("player_number") < pl.col("opponent_number")
    pairs = games.filter(once & pl.col("other_result").is_not_null())
    return concat_findings(_compare(pairs), _explain_missing(alone, rows))


def _compare(pairs: pl.DataFrame) -> pl.DataFrame:
    """Compare what the two rows of a game say, one row per game."""
    codes = pl.col("result").cast(pl.String) + pl.col("other_result").cast(pl.String)
    said = pl.format("{} against {}, who has {}", "result", "opponent", "other_result")
    odd = pairs.with_columns(codes=codes).filter(~pl.col("codes").is_in(LEGAL))
    uneven, half_rated = (pl.col("codes").is_in(known) for known in (_UNEVEN, _HALF_RATED))
    same_color = pairs.filter(pl.col("color") == pl.col("other_color"))
    return concat_findings(
        findings_from(
            odd.filter(~uneven & ~half_rated),
            code="results-disagree",
            severity="error",
            message=pl.format("{}: not two sides of one game", said),
        ),
        findings_from(
            odd.filter(half_rated),
            code="rated-disagree",
            severity="warning",
            message=pl.format("{}: rated on one side only", said),
        ),
        findings_from(
            odd.filter(uneven),
            code="asymmetric-result",
            severity="info",
            message=pl.format("{}: one draws, the other loses", said),
        ),
        findings_from(
            same_color,
            code="colors-disagree",
            severity="error",
            message=pl.format("{} and {} both have color {}", "player", "opponent", "color"),
        ),
    )


def _explain_missing(alone: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Say what the opponent has instead, for the rows without a counterpart."""
    pair = ["player_number", "opponent_number"]
    alone = alone.drop("other_result", "other_color").with_columns(
        nth=pl.col("round").rank("ordinal").over(pair)
    )
    alone = alone.join(
        alone.select(*pair, "nth", other_round="round"),
        left_on=[*pair, "nth"],
        right_on=[*reversed(pair), "nth"],
        how="left",
    )
    moved = alone.filter(pl.col("other_round").is_not_null() & (pl.col(pair[0]) < pl.col(pair[1])))
    asked = alone.select(player_number="opponent_number", round="round")
    instead = (
        rows.join(asked, on=asked.columns, how="semi")
        .group_by(asked.columns)
        .agg(
            pl.col("opponent").sort_by("game").first().alias("other_opponent"),
            pl.col("result").sort_by("game").first().alias("other_result"),
        )
    )
    alone = alone.filter(pl.col("other_round").is_null()).join(
        instead,
        left_on=["opponent_number", "round"],
        right_on=["player_number", "round"],
        how="left",
    )
    # An opponent with fewer games against the player than the player against him is no other.
    missing = pl.col("other_result").is_null() | (pl.col("other_opponent") == pl.col("player"))
    missing = missing.fill_null(value=False)
    idle = ~missing & pl.col("other_opponent").is_null()
    excused = idle & pl.all_horizontal(
        pl.col(side).cast(pl.String).is_in(_ABSENT) for side in ("result", "other_result")
    )
    named = pl.format("opponent {}", "opponent")
    return concat_findings(
        findings_from(
            alone.filter(missing),
            code="mirror-missing",
            severity="error",
            message=pl.format("{} has no row for this game", named),
        ),
        findings_from(
            alone.filter(excused),
            code="mirror-unnamed",
            severity="info",
            message=pl.format("{} has {} without an opponent", named, "other_result"),
        ),
        findings_from(
            alone.filter(idle & ~excused),
            code="opponents-disagree",
            severity="error",
            message=pl.format("{} has {} without an opponent", named, "other_result"),
        ),
        findings_from(
            alone.filter(~missing & ~idle),
            code="opponents-disagree",
            severity="error",
            message=pl.format("{} has opponent {} in this round", named, "other_opponent"),
        ),
        findings_from(
            moved.sort("player_number", "round")
            .group_by("tournament", maintain_order=True)
            .agg(pl.len(), pl.col("player", "opponent", "round", "other_round").first())
            .select(
                "tournament",
                text=pl.format(
                    "{} in different rounds for the two players, the first: {} "
                    "against {}, in round {} for the one and {} for the other",
                    counted("len", "game"),
                    "player",
                    "opponent",
                    "round",
                    "other_round",
                ),
            ),
            code="rounds-disagree",
            severity="warning",
            message=pl.col("text"),
        ),
    )
