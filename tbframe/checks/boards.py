"""The boards of team events against the matches, against each other, and against the lists."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.checks.mirrors import go_together
from tbframe.findings import concat_findings, findings_from, no_findings

__all__ = ["check_boards"]

_EXACT: Final = 1e-6
_SIDE: Final = ["tournament", "round", "team"]
_BOARD: Final = [*_SIDE, "opponent", "board"]
_MIRRORED: Final = ["tournament", "round", "opponent", "team", "board"]


def check_boards(
    boards: pl.DataFrame | None,
    members: pl.DataFrame | None,
    results: pl.DataFrame,
    tournaments: pl.DataFrame,
) -> pl.DataFrame:
    """Check the boards of team events; ``player`` of a finding is the team.

    Parameters
    ----------
    boards, members
        Of an `Archive`; null where there are no team events.
    results, tournaments
        Of the same.
    """
    if boards is None:
        return no_findings()
    boards = boards.with_columns(player="team", individual="player")
    return concat_findings(
        _compare_sums(boards, results),
        _compare_sides(boards),
        _count_boards(boards, tournaments),
        _compare_teams(boards, members),
    )


def _compare_sums(boards: pl.DataFrame, results: pl.DataFrame) -> pl.DataFrame:
    """Compare the points of a match with those on its boards."""
    if "game_points" not in results.columns:
        return no_findings()
    sums = boards.group_by(_SIDE).agg(found=pl.col("points").sum())
    both = results.join(sums, left_on=["tournament", "round", "player"], right_on=_SIDE)
    given = pl.col("game_points")
    wrong = both.filter((given - pl.col("found")).abs() > _EXACT, pl.col("result") != "*")
    return findings_from(
        wrong,
        code="game-points-differ",
        severity="error",
        message=pl.format("{} game points of the match, {} on its boards", given, "found"),
    )


def _compare_sides(boards: pl.DataFrame) -> pl.DataFrame:
    """Compare what both teams have at a board; each contradiction is told once."""
    other = boards.select(
        *_BOARD,
        there=pl.lit(value=True),
        other_result="result",
        other_individual="individual",
        named="opponent_player",
    )
    both = boards.filter(pl.col("opponent").is_not_null()).join(
        other, left_on=_BOARD, right_on=_MIRRORED, how="left"
    )
    alone = both.filter(
        pl.col("there").is_null(), ~pl.col("result").is_in(["+", "-"])
        | pl.col("opponent_player").is_not_null(),
    )  # fmt: skip
    pairs = both.filter(pl.col("there"), pl.col("team") < pl.col("opponent"))
    crossed = (pl.col("individual") != pl.col("named")) | (
        pl.col("opponent_player") != pl.col("other_individual")
    )
    said = pl.format(
        "board {}: {} against {}, who has {}", "board", "result", "opponent", "other_result"
    )
    unlike = ~go_together(pl.col("result"), pl.col("other_result"))
    return concat_findings(
        findings_from(
            alone,
            code="board-mirror-missing",
            severity="error",
            message=pl.format("board {}: {} has no row for the game", "board", "opponent"),
        ),
        findings_from(
            pairs.filter(unlike),
            code="boards-disagree",
            severity="error",
            message=pl.format("{}: not two sides of one game", said),
        ),
        findings_from(
            pairs.filter(crossed.fill_null(value=False)),
            code="boards-disagree",
            severity="error",
            message=pl.format("board {}: the players of the two sides are not the same", "board"),
        ),
    )


def _count_boards(boards: pl.DataFrame, tournaments: pl.DataFrame) -> pl.DataFrame:
    found = boards.group_by("tournament").agg(found=pl.col("board").max())
    both = tournaments.join(found, on="tournament")
    return findings_from(
        both.filter(pl.col("found") > pl.col("boards")),
        code="boards-beyond-plan",
        severity="warning",
        message=pl.format("{} boards found, {} declared", "found", "boards"),
    )


def _compare_teams(boards: pl.DataFrame, members: pl.DataFrame | None) -> pl.DataFrame:
    """Tell of individuals at a board of a team that does not list them."""
    if members is None:
        return no_findings()
    listed = members.select("tournament", individual="player", listed="team")
    both = boards.join(listed, on=["tournament", "individual"])
    strange = both.filter(pl.col("listed") != pl.col("team"))
    return findings_from(
        strange,
        code="board-of-another-team",
        severity="warning",
        message=pl.format("board {}: {} is listed for {}", "board", "individual", "listed"),
    )
