"""Team events among PGN games: what the tags WhiteTeam and BlackTeam make of them."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.findings import concat_findings, findings_from
from tbframe.intake.game_results import read_game_result
from tbframe.schema import ResultCode

__all__ = ["team_boards", "team_events"]

_MATCH: Final = ["tournament", "round", "one", "two"]


def team_events(games: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Find the tournaments whose games are boards of matches between teams.

    So it is taken where every game names two different teams, no team meets two others in a
    round, and most matches have several boards. Otherwise the tags are of clubs or countries.

    Returns
    -------
    tournaments, findings
        ``tournament``; what was guessed of every tournament with such tags.
    """
    white, black = pl.col("WhiteTeam"), pl.col("BlackTeam")
    named = games.filter(white.is_not_null() | black.is_not_null()).select("tournament").unique()
    rows = games.join(named, on="tournament", how="semi").with_columns(
        one=pl.min_horizontal("WhiteTeam", "BlackTeam"),
        two=pl.max_horizontal("WhiteTeam", "BlackTeam"),
    )
    proper = rows.group_by("tournament").agg(
        proper=(
            white.is_not_null()
            & black.is_not_null()
            & (white != black)
            & pl.col("round").is_not_null()
            & pl.col("white").is_not_null()
            & pl.col("black").is_not_null()
        ).all()
    )
    matches = rows.group_by(_MATCH).agg(boards=pl.len())
    each = pl.concat([matches.select("tournament", "round", team=side) for side in ("one", "two")])
    busy = each.group_by("tournament").agg(once=pl.struct("round", "team").n_unique() == pl.len())
    size = matches.group_by("tournament").agg(several=pl.col("boards").median() >= 2)
    facts = proper.join(busy, on="tournament").join(size, on="tournament").sort("tournament")
    teams = pl.col("proper") & pl.col("once") & pl.col("several")
    return facts.filter(teams).select("tournament"), concat_findings(
        findings_from(
            facts.filter(teams),
            code="team-event-assumed",
            severity="info",
            message="every game names two teams, and each team meets one other in a round: taken "
            "for a team event",
        ),
        findings_from(
            facts.filter(~teams.fill_null(value=False)),
            code="team-tags-individual",
            severity="info",
            message="tags of teams, but no matches between them: taken for an individual event",
        ),
    )


def team_boards(games: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Turn the games of team events into boards, two rows each, as `from_boards` takes them.

    The board is that of the tag Board, or of the round; where these leave a board of a match out
    or have one twice, the games are numbered in the order of the file.
    """
    rows = games.with_columns(
        one=pl.min_horizontal("WhiteTeam", "BlackTeam"),
        two=pl.max_horizontal("WhiteTeam", "BlackTeam"),
        said=pl.coalesce(pl.col("Board").str.extract(r"^\s*(\d{1,4})\s*$").cast(pl.Int32), "board"),
    )
    clear = pl.col("said").is_not_null().all() & (pl.col("said").n_unique() == pl.len())
    clear &= (pl.col("said") >= 1).all()
    rows = rows.with_columns(clear=clear.over(_MATCH))
    # Boards that count through the whole round are as good as any order.
    order = pl.when("clear").then(pl.col("said")).otherwise(pl.int_range(pl.len()))
    rows = rows.with_columns(number=order.rank("ordinal").over(_MATCH).cast(pl.Int32))
    small = pl.col("clear") & (
        pl.col("said").max().over("tournament") <= pl.len().over(_MATCH).max()
    )
    rows = rows.with_columns(number=pl.when(small).then("said").otherwise("number").cast(pl.Int32))
    codes = {text: read_game_result(text) for text in rows["result"].unique().to_list()}
    both = pl.col("result").replace_strict(codes, return_dtype=pl.String)
    sides = pl.concat(
        rows.select(
            "tournament", "round", team=f"{mine}Team", opponent=f"{other}Team", board="number",
            player=mine.lower(), opponent_player=other.lower(), color=pl.lit(mine[0].lower()),
            result=both.str.slice(place, 1).cast(ResultCode),
        )
        for place, (mine, other) in enumerate((("White", "Black"), ("Black", "White")))
    )  # fmt: skip
    unclear = rows.filter(~pl.col("clear")).group_by("tournament").len().sort("tournament")
    return sides, findings_from(
        unclear,
        code="boards-numbered",
        severity="warning",
        message=pl.format("the boards of {} games are numbered in the order of the file", "len"),
    )
