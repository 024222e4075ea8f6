"""The records of matches to write: forfeits (330) and line-ups (300)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import polars as pl

from tbframe.intake.matches import derive_matches
from tbframe.sources.trf.line_ups import seat_players
from tbframe.sources.trf.notes import Notes
from tbframe.sources.trf.refusing import refuse
from tbframe.sources.trf.team_columns import number_list, whole
from tbframe.sources.trf.team_records import TeamRecords
from tbframe.sources.trf.team_sheets import TeamSheets

__all__ = ["forfeits", "line_ups", "refuse_matches"]

_SIDE: Final = ["tournament", "round", "team"]


def refuse_matches(sheets: TeamSheets) -> None:
    """Refuse what no record can say of a match."""
    matches = sheets.matches.with_columns(player="team")
    forfeit = pl.col("result").is_in(["+", "-"])
    boards = sheets.boards.filter(pl.col("opponent").is_null())
    alone = matches.join(boards, on=_SIDE, how="anti")
    unrated = pl.col("result").is_in(["W", "D", "L"])
    for rows, reason in (
        (matches.filter(unrated), "a match has no unrated result"),
        (alone.filter(forfeit, pl.col("opponent").is_null()), "a forfeit has an opponent"),
    ):
        refuse(rows, "result", reason)
    if "game" in matches.columns:
        refuse(matches.filter(pl.col("game") > 1), "game", "a team has one match in a round")
    derived = derive_matches(sheets.boards).rename({"result": "derived"})
    both = matches.join(derived, on=[*_SIDE, "opponent"], how="left", nulls_equal=True)
    played = pl.col("result").is_in(["1", "=", "0", "*"])
    other = both.filter(
        (pl.col("result") != pl.col("derived")) & (played | ~pl.col("derived").is_in(["+", "-"]))
    )
    refuse(other, "result", "is not what the boards of the match make it")
    refuse(
        both.filter(played, pl.col("derived").is_null()),
        "result",
        "a match is written with its boards",
    )


def _unnamed_forfeits(sheets: TeamSheets) -> pl.DataFrame:
    """Return the sides of forfeited matches whose players do not name each other."""
    paired = sheets.boards.filter(pl.col("opponent_number").is_not_null())
    forfeit = pl.col("result").is_in(["+", "-"])
    return sheets.matches.filter(forfeit, pl.col("opponent").is_not_null()).join(
        paired, on=_SIDE, how="anti"
    )


def _named_by_line_up(sheets: TeamSheets) -> pl.DataFrame:
    """Return sides of which a line-up is enough: record 330 would give them colours."""
    sides = _unnamed_forfeits(sheets).filter(pl.col("color").is_null())
    seated = sides.join(sheets.boards, on=_SIDE, how="semi")
    return pl.concat(
        [
            seated.select(_SIDE),
            seated.select("tournament", "round", team="opponent"),
        ]
    ).unique()


def forfeits(sheets: TeamSheets) -> pl.DataFrame:
    """Return records 330: forfeited matches that neither games nor line-ups name."""
    sides = _unnamed_forfeits(sheets).join(_named_by_line_up(sheets), on=_SIDE, how="anti")
    other = sides.select(
        "tournament", "round", team="opponent", opponent="team", other=pl.col("result")
    )
    both = sides.join(other, on=[*_SIDE, "opponent"], how="left")
    alone = pl.col("other").is_null() | ((pl.col("result") == "+") & (pl.col("other") == "+"))
    refuse(
        both.filter(alone).with_columns(player="team"),
        "result",
        "a forfeited match has two sides, and one winner at most",
    )
    white = pl.col("color").fill_null(
        pl.when(pl.col("team") < pl.col("opponent")).then(pl.lit("w")).otherwise(pl.lit("b"))
    )
    return (
        both.filter(white == "w")
        .sort(_SIDE)
        .select(
            "tournament",
            line=pl.concat_str(
                pl.lit("330 "),
                pl.col("result").cast(pl.String),
                pl.col("other").cast(pl.String),
                pl.lit(" "),
                whole("round", 3),
                pl.lit(" "),
                whole("team", 3),
                pl.lit(" "),
                whole("opponent", 3),
            ),
        )
    )


def line_ups(sheets: TeamSheets) -> pl.DataFrame:
    """Return records 300: line-ups that are not in the order of the list, or name the opponent.

    Where a reader would still not find the boards of a match, there are records for both teams.
    """
    boards = sheets.boards.filter(pl.col("number").is_not_null())
    files = sheets.tournaments.select("tournament").with_row_index("file")
    order = sheets.members.sort(pl.col("order").fill_null(1 << 30), "number").select(
        "tournament",
        "number",
        order=pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over("tournament", "team"),
    )
    games = (
        boards.join(files, on="tournament")
        .with_columns(pl.col("file", "round", "board").cast(pl.Int64), line=pl.lit(0, pl.Int64))
        .join(order, on=["tournament", "number"], how="left")
    )
    place = pl.col("order").rank("ordinal").over(_SIDE)
    named = _named_by_line_up(sheets).with_columns(
        pl.col("round").cast(pl.Int64), named=pl.lit(value=True)
    )
    games = games.join(named, on=_SIDE, how="left")
    listed = (place != pl.col("board")).any().over(_SIDE) | pl.col("named").is_not_null()
    out_of_order = games.filter(listed)
    matches = games.filter(pl.col("opponent").is_not_null()).select(
        "file", "round", "team", "opponent"
    )
    read = seat_players(
        games.drop("board", "line", "named"),
        matches.unique(),
        replace(_NO_RECORDS, line_ups=out_of_order.select(_NO_RECORDS.line_ups.columns)),
        _no_notes(files.height),
    ).select(*_SIDE, "number", read="board")
    other = games.join(read, on=[*_SIDE, "number"], how="left").filter(
        pl.col("read").ne_missing(pl.col("board"))
    )
    turned = other.filter(pl.col("opponent").is_not_null())
    sides = pl.concat(
        [
            out_of_order.select(_SIDE),
            other.select(_SIDE),
            turned.select("tournament", "round", team="opponent"),
        ]
    ).unique()
    numbers = pl.col("number").fill_null(0)
    seats = (
        games.join(sides, on=_SIDE, how="semi")
        .group_by(_SIDE)
        .agg(pl.col("opponent").first(), board=pl.int_range(1, pl.col("board").max() + 1))
        .explode("board", empty_as_null=False)
        .join(games.select(*_SIDE, "board", "number"), on=[*_SIDE, "board"], how="left")
        .sort(*_SIDE, "board")
        .group_by(_SIDE, maintain_order=True)
        .agg(pl.col("opponent").first(), numbers=number_list(numbers))
    )
    return seats.select(
        "tournament",
        line=pl.concat_str(
            pl.lit("300 "),
            whole("round", 3),
            pl.lit(" "),
            whole("team", 3),
            pl.lit(" "),
            whole("opponent", 3).fill_null("   "),
            pl.lit(" "),
            "numbers",
        ),
    )


def _no_notes(files: int) -> Notes:
    nothing = pl.repeat("", files, eager=True)
    return Notes(nothing, nothing)


_EMPTY: Final = dict.fromkeys(("file", "line", "round", "team", "opponent", "number"), pl.Int64)
_NO_RECORDS: Final = TeamRecords(
    **{
        name: pl.DataFrame(schema={**_EMPTY, "board": pl.Int64})
        for name in (
            "teams", "members", "byes", "forfeits", "line_ups", "awards", "scoring", "sequences",
        )
    }
)  # fmt: skip
