"""Who sat at which board: the games of a team file as boards of matches."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.sources.trf.notes import Notes
from tbframe.sources.trf.team_records import TeamRecords

__all__ = ["find_matches", "seat_players"]

_SIDE: Final = ["file", "round", "team"]
_PAIR: Final = [*_SIDE, "opponent"]
_MATCH: Final = ["file", "round", "one", "two"]
_GAME: Final = ["file", "round", "number", "opponent_number"]
_MIRRORED: Final = ["file", "round", "opponent_number", "number"]


def find_matches(games: pl.DataFrame, records: TeamRecords, notes: Notes) -> pl.DataFrame:
    """Tell which teams met in which round.

    The games of their players say so; where there are none, a forfeited match (330) or a
    line-up (300) may. Files in which a team meets itself or two others in a round are rejected.

    Parameters
    ----------
    games
        ``file``, ``round``, ``team`` and ``opponent`` (a team), among others: one row for each
        player and round.

    Returns
    -------
    DataFrame
        ``file``, ``round``, ``team``, ``opponent``: two rows a match.
    """
    played = games.filter(pl.col("team").is_not_null(), pl.col("opponent").is_not_null())
    played = played.select(_PAIR).unique(maintain_order=True)
    line_ups = records.line_ups.filter(pl.col("opponent") > 0)
    turned = line_ups.with_columns(team="opponent", opponent="team")
    named = pl.concat(
        frame.select(*_PAIR, "line") for frame in (records.forfeits, line_ups, turned)
    ).unique(_PAIR, keep="first", maintain_order=True)
    others = played.rename({"opponent": "met"})
    wrong = (
        named.join(others, on=_SIDE, how="left", maintain_order="left")
        .filter(pl.col("met") != pl.col("opponent"))
        .unique("line", keep="first", maintain_order=True)
    )
    notes.find(
        "match-contradicted",
        "error",
        pl.format(
            "the record has team {} against {}, whose players met those of {}: it is passed over",
            "team",
            "opponent",
            "met",
        ),
        file=wrong["file"].to_numpy(),
        line=wrong["line"].to_numpy(),
        round=wrong["round"].to_numpy(),
        team=wrong["team"],
        opponent=wrong["opponent"],
        met=wrong["met"],
    )
    named = named.join(wrong, on=["file", "line"], how="anti", maintain_order="left")
    matches = pl.concat([played, named.select(_PAIR)]).unique(maintain_order=True)
    _reject_contradictions(matches, notes)
    return matches


def _reject_contradictions(matches: pl.DataFrame, notes: Notes) -> None:
    himself = matches.filter(pl.col("team") == pl.col("opponent"))
    several = (
        matches.filter(pl.col("team") != pl.col("opponent"))
        .group_by(_SIDE, maintain_order=True)
        .agg(opponents=pl.col("opponent").sort().cast(pl.String).str.join(", "), n=pl.len())
        .filter(pl.col("n") > 1)
    )
    for rows, code, message in (
        (
            himself.with_columns(opponents=pl.lit("")),
            "team-meets-itself",
            "players of team {} meet each other in round {}{}",
        ),
        (several, "several-opponents", "team {} meets several teams in round {}: {}"),
    ):
        notes.reject(
            code,
            pl.format(
                message + "; teams=False reads the list of the individuals",
                "team",
                "round",
                "opponents",
            ),
            file=rows["file"].to_numpy(),
            team=rows["team"],
            round=rows["round"],
            opponents=rows["opponents"],
        )


def seat_players(
    games: pl.DataFrame, matches: pl.DataFrame, records: TeamRecords, notes: Notes
) -> pl.DataFrame:
    """Give the players of each match their boards.

    They sit in the order of their team's list, unless a line-up (300) says otherwise. Who won
    because nobody came sits where the list has him, and the other team has nobody there.

    Parameters
    ----------
    games
        ``file``, ``round``, ``team``, ``order``, ``number``, ``opponent_number``, ``color``,
        ``result`` and others: one row for each player and round.
    matches
        From `find_matches`.

    Returns
    -------
    DataFrame
        The columns of `games`, ``opponent`` from `matches`, and ``board``: one row for each
        player who was at a board.
    """
    listed = records.line_ups.filter(pl.col("number") > 0).unique(
        [*_SIDE, "number"], keep="first", maintain_order=True
    )
    seats = (
        games.filter(pl.col("team").is_not_null())
        .drop("opponent")
        .join(matches, on=_SIDE, how="left", maintain_order="left")
        .join(
            listed.select(*_SIDE, "number", listed="board"),
            on=[*_SIDE, "number"],
            how="left",
            maintain_order="left",
        )
    )
    alone = pl.col("opponent_number").is_null()
    absent = alone & (pl.col("result") == "-") & pl.col("listed").is_not_null()
    seats = seats.filter(~alone | (pl.col("result") == "+") | absent)
    _report_strangers(listed, seats, notes)
    other = pl.struct("listed", "order", "color").alias("other")
    seats = seats.join(
        seats.select(*_GAME, other), left_on=_GAME, right_on=_MIRRORED, how="left"
    ).with_columns(
        one=pl.min_horizontal("team", "opponent"),
        two=pl.max_horizontal("team", "opponent"),
        shared=pl.col("other").is_not_null(),
    )
    seats = _in_list_order(seats, notes)
    fixed = pl.coalesce("listed", pl.col("other").struct["listed"])
    apart = seats.filter(pl.col("listed") < pl.col("other").struct["listed"])
    notes.find(
        "line-ups-disagree",
        "error",
        pl.format(
            "the line-ups have {} and {} at different boards: each at that of his own",
            "number",
            "opponent_number",
        ),
        file=apart["file"].to_numpy(),
        round=apart["round"].to_numpy(),
        player=apart["number"].to_numpy(),
        number=apart["number"],
        opponent_number=apart["opponent_number"],
    )
    return _around_fixed(seats.with_columns(fixed=fixed)).drop(
        "listed", "other", "shared", "one", "two", "place", "fixed"
    )


def _report_strangers(listed: pl.DataFrame, seats: pl.DataFrame, notes: Notes) -> None:
    missing = listed.join(seats, on=[*_SIDE, "number"], how="anti", maintain_order="left")
    notes.find(
        "line-up-contradicted",
        "warning",
        "the line-up names a player who had no game for the team in this round",
        file=missing["file"].to_numpy(),
        line=missing["line"].to_numpy(),
        round=missing["round"].to_numpy(),
        player=missing["number"].to_numpy(),
    )


def _in_list_order(seats: pl.DataFrame, notes: Notes) -> pl.DataFrame:
    """Add ``place``: the boards of each match in the order of both teams' lists.

    Both teams' players are in one order: games stand as many games down the list as they do for
    either side, and who sat alone stands between the games that he does in his own list.
    """
    seats = seats.sort(*_SIDE, "order").with_columns(
        games=pl.col("shared").cum_sum().over(_SIDE) - pl.col("shared")
    )
    other = seats.select(*_GAME, other_games="games")
    seats = seats.join(
        other, left_on=_GAME, right_on=_MIRRORED, how="left", maintain_order="left"
    ).with_columns(leads=_leads())
    crossed = pl.col("shared") & (pl.col("games") != pl.col("other_games"))
    covered = pl.col("listed").is_not_null() | pl.col("other").struct["listed"].is_not_null()
    first = pl.col("team") == pl.col("one")
    per_file = (
        seats.group_by(_MATCH, maintain_order=True)
        .agg(crossed=(crossed & ~covered).any())
        .group_by("file", maintain_order=True)
        .agg(
            pl.col("round", "one", "two").filter("crossed").first(),
            crossed=pl.col("crossed").sum(),
            all=pl.len(),
        )
        .filter(pl.col("crossed") > 0)
    )
    notes.find(
        "line-ups-cross",
        "warning",
        pl.format(
            "in {} of {} matches the lists of the two teams put the boards in different orders, "
            "first in {}-{}: the order is that of the team whose colours alternate under it, or "
            "else of the first one; tie-breaks by boards are in doubt",
            "crossed",
            "all",
            "one",
            "two",
        ),
        file=per_file["file"].to_numpy(),
        round=per_file["round"].to_numpy(),
        crossed=per_file["crossed"],
        all=per_file["all"],
        one=per_file["one"],
        two=per_file["two"],
    )
    games = pl.when(pl.col("shared") & (pl.col("leads") != first)).then("other_games")
    alone = ~pl.col("shared")
    key = (
        (games.otherwise("games").cast(pl.Int64) * 2 + pl.col("shared").cast(pl.Int64)) * 20_000
        + pl.when(alone & ~first).then(10_000).otherwise(0)
        + pl.when(alone).then("order").otherwise(0)
    )
    return seats.with_columns(place=key.rank("dense").over(_MATCH).cast(pl.Int64)).drop(
        "games", "other_games", "leads"
    )


def _leads() -> pl.Expr:
    """Tell whether the first team's list gives the order of a match whose lists disagree."""
    ours = pl.col("team") == pl.col("one")
    color = pl.when("shared").then("color")

    def alternates(side: pl.Expr) -> pl.Expr:
        colors = color.filter(side).drop_nulls()
        return ((colors != colors.shift()).all() & (colors.len() > 1)).over(_MATCH)

    return alternates(ours) | ~alternates(~ours)


def _around_fixed(seats: pl.DataFrame) -> pl.DataFrame:
    """Put the players without a board in a line-up at the boards that are free."""
    some = seats.filter(pl.col("fixed").is_not_null().any().over(_MATCH))
    if some.is_empty():
        return seats.with_columns(board=pl.col("place").cast(pl.Int32))
    others = seats.filter(~pl.col("fixed").is_not_null().any().over(_MATCH))
    boards = (
        some.group_by(_MATCH)
        .agg(free=pl.int_range(1, pl.col("fixed").max() + pl.len() + 1), taken=pl.col("fixed"))
        .select(
            *_MATCH,
            free=pl.col("free").list.set_difference(pl.col("taken").list.drop_nulls()).list.sort(),
        )
    )
    open_ = pl.when(pl.col("fixed").is_null()).then("place")
    some = (
        some.with_columns(rank=open_.rank("dense").over(_MATCH).cast(pl.Int64) - 1)
        .join(boards, on=_MATCH, how="left", nulls_equal=True, maintain_order="left")
        .with_columns(place=pl.coalesce("fixed", pl.col("free").list.get("rank")))
        .drop("rank", "free")
    )
    seats = pl.concat([others, some], how="diagonal_relaxed")
    return seats.with_columns(board=pl.col("place").cast(pl.Int32))
