"""The records of team events to write."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import polars as pl

from tbframe.intake.matches import derive_matches, points_without_games
from tbframe.scoring import points_due
from tbframe.sources.trf.line_ups import seat_players
from tbframe.sources.trf.notes import Notes
from tbframe.sources.trf.refusing import refuse
from tbframe.sources.trf.scoring_lines import Version
from tbframe.sources.trf.team_points import systems_of
from tbframe.sources.trf.team_records import TeamRecords
from tbframe.sources.trf.team_sheets import TeamSheets

__all__ = ["with_team_lines"]

_SIDE: Final = ["tournament", "round", "team"]
_SYMBOLS: Final = {"1": "W", "=": "D", "0": "L", "U": "P", **{code: code for code in "+-FHZ"}}


def with_team_lines(
    tournaments: pl.DataFrame, sheets: TeamSheets, version: Version
) -> pl.DataFrame:
    """Add the records of teams to those that tournaments have as text.

    Parameters
    ----------
    tournaments
        Of the archive with individuals, from `team_sheets.take_teams`.
    sheets
        The teams; their players numbered.
    version
        26 has records 310 for rosters, and 352 for the number of boards; 16 has records 013,
        and a comment. The others are the same.
    """
    _refuse_matches(sheets)
    boards = _boards(sheets, version)
    parts = [
        _rosters(sheets, version),
        _byes(sheets),
        _allocated_byes(sheets),
        _forfeits(sheets),
        _abnormal_points(sheets),
        _line_ups(sheets),
        boards.select("tournament", "line").drop_nulls(),
        _scoring(sheets),
    ]
    lines = (
        pl.concat(part.select("tournament", "line") for part in parts)
        .group_by("tournament", maintain_order=True)
        .agg(lines=pl.col("line").str.strip_chars_end(" ").str.join("\n"))
    )
    if "records" not in tournaments.columns:
        tournaments = tournaments.with_columns(records=pl.lit(None, pl.String))
    told = boards.select("tournament", comment="boards")
    return (
        tournaments.join(lines, on="tournament", how="left", maintain_order="left")
        .join(told, on="tournament", how="left", maintain_order="left")
        .with_columns(
            records=pl.concat_str("records", "lines", separator="\n", ignore_nulls=True).replace(
                {"": None}
            ),
            boards=pl.coalesce("boards", "comment"),
        )
        .drop("lines", "comment")
    )


def _refuse_matches(sheets: TeamSheets) -> None:
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


def _rosters(sheets: TeamSheets, version: Version) -> pl.DataFrame:
    place = [pl.col("order").fill_null(1 << 30), "number"]
    listed = (
        sheets.members.filter(pl.col("team").is_not_null())
        .sort(place)
        .group_by("tournament", "team")
        .agg(numbers=_list(pl.col("number")))
    )
    teams = sheets.teams.join(listed, on=["tournament", "team"], how="left").sort(
        "tournament", "team"
    )
    numbers = pl.col("numbers").fill_null("")
    columns = teams.columns
    nothing = pl.lit(None, pl.String)
    nickname = pl.col("nickname") if "nickname" in columns else nothing
    for text, width in (("name", 32), ("nickname", 5)):
        if text in columns:
            wide = teams.filter(pl.col(text).str.len_chars() > width)
            refuse(wide, text, f"longer than its {width} columns")
            broken = teams.filter(pl.col(text).str.contains(r"[\r\n\t]"))
            refuse(broken, text, "a line break or tab in it")
    name = pl.col("name").fill_null("").str.pad_end(32)
    if version is Version.TRF16:
        line = pl.concat_str(pl.lit("013 "), name, numbers)
    else:
        line = pl.concat_str(
            pl.lit("310 "),
            _whole("team", 3),
            pl.lit(" "),
            name,
            pl.lit(" "),
            nickname.fill_null("").str.pad_end(5),
            *(
                _number(teams, column, width)
                for column, width in (
                    ("strength", 6), ("points", 6), ("game_points", 6), ("rank", 3),
                )
            ),
            pl.lit("  "),
            numbers,
        )  # fmt: skip
    return teams.select("tournament", line=line)


def _byes(sheets: TeamSheets) -> pl.DataFrame:
    byes = sheets.matches.filter(pl.col("result").is_in(["F", "H"]))
    return (
        byes.group_by("tournament", "round", pl.col("result").cast(pl.String))
        .agg(teams=_list(pl.col("team").sort()))
        .sort("tournament", "round", "result")
        .select(
            "tournament",
            line=pl.concat_str(
                pl.lit("240 "), "result", pl.lit(" "), _whole("round", 3), pl.lit(" "), "teams"
            ),
        )
    )


def _allocated_byes(sheets: TeamSheets) -> pl.DataFrame:
    """Return records 320; where several teams have a bye in a round, one more for each."""
    byes = sheets.matches.filter(result="U").sort("tournament", "round", "team")
    if byes.is_empty():
        return pl.DataFrame(schema={"tournament": byes.schema["tournament"], "line": pl.String})
    byes = byes.with_columns(nth=pl.col("team").cum_count().over("tournament", "round"))
    worth = _worth_of_byes(sheets)
    every = (
        byes.group_by("tournament", "nth")
        .agg(round=pl.int_range(1, pl.col("round").max() + 1))
        .explode("round", empty_as_null=False)
        .with_columns(pl.col("round").cast(byes.schema["round"]))
        .join(byes.select("tournament", "nth", "round", "team"),
              on=["tournament", "nth", "round"], how="left")
        .sort("tournament", "nth", "round")
        .group_by("tournament", "nth", maintain_order=True)
        .agg(teams=_whole("team", 3).fill_null("   ").str.join(" "))
        .join(worth, on="tournament", how="left", maintain_order="left")
    )  # fmt: skip
    return every.select(
        "tournament",
        line=pl.concat_str(
            pl.lit("320"),
            _number(every, "points", 4),
            _number(every, "game_points", 4),
            pl.lit(" "),
            "teams",
        ),
    )


def _worth_of_byes(sheets: TeamSheets) -> pl.DataFrame:
    """Return what the bye brings by the scoring, and in game points to most who had one."""
    byes = sheets.matches.filter(result="U")
    due = points_due(byes, sheets.tournaments)
    return (
        byes.with_columns(points=due)
        .group_by("tournament")
        .agg(pl.col("points").first(), pl.col("game_points").mode().min())
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


def _forfeits(sheets: TeamSheets) -> pl.DataFrame:
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
                _whole("round", 3),
                pl.lit(" "),
                _whole("team", 3),
                pl.lit(" "),
                _whole("opponent", 3),
            ),
        )
    )


def _abnormal_points(sheets: TeamSheets) -> pl.DataFrame:
    """Return records 299: points of teams that are not what a reader would give them."""
    found = sheets.boards.group_by(_SIDE).agg(
        found=pl.col("points").sum(), won=pl.col("points").sum() > 0
    )
    about = sheets.tournaments
    rows = sheets.matches.with_columns(
        due=points_due(sheets.matches, about), rule=points_without_games(sheets.matches, about)
    )
    rows = rows.join(found, on=_SIDE, how="left").join(
        _worth_of_byes(sheets).select("tournament", bye="game_points"), on="tournament", how="left"
    )
    result = pl.col("result").cast(pl.String)
    game_points = (
        pl.when(result == "U").then("bye")
        .when(result == "-").then(pl.col("found").fill_null(0.0))
        .when((result == "+") & ~pl.col("won").fill_null(value=False)).then("rule")
        .otherwise(pl.coalesce("found", "rule"))
    )  # fmt: skip
    odd = rows.filter(
        (result != "*"),
        (pl.col("points") != pl.col("due")) | (pl.col("game_points") != game_points),
    )
    symbol = result.replace_strict(_SYMBOLS, return_dtype=pl.String)
    written = (
        odd.group_by("tournament", "round", "points", "game_points", symbol=symbol)
        .agg(teams=_list(pl.col("team").sort()))
        .sort("tournament", "round", "symbol", "points", "game_points")
    )
    return written.select(
        "tournament",
        line=pl.concat_str(
            pl.lit("299 "),
            "symbol",
            pl.lit(" "),
            _number(written, "points", 4),
            pl.lit(" "),
            _number(written, "game_points", 4),
            pl.lit("  "),
            _whole("round", 3),
            pl.lit(" "),
            "teams",
        ),
    )


def _line_ups(sheets: TeamSheets) -> pl.DataFrame:
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
        .agg(pl.col("opponent").first(), numbers=_list(numbers))
    )
    return seats.select(
        "tournament",
        line=pl.concat_str(
            pl.lit("300 "),
            _whole("round", 3),
            pl.lit(" "),
            _whole("team", 3),
            pl.lit(" "),
            _whole("opponent", 3).fill_null("   "),
            pl.lit(" "),
            "numbers",
        ),
    )


def _boards(sheets: TeamSheets, version: Version) -> pl.DataFrame:
    """Return record 352 where colours alternate, else the number of boards for a comment."""
    about = sheets.tournaments
    kept = (
        about["records"].str.extract(r"(?im)^352 +([WB]+)").str.len_chars()
        if "records" in about.columns
        else pl.repeat(None, about.height, dtype=pl.UInt32, eager=True)
    )
    odd = (pl.col("color") == "w") == (pl.col("board") % 2 == 1)
    broken = (
        sheets.boards.filter(pl.col("color").is_not_null())
        .group_by(_SIDE)
        .agg(both=odd.n_unique() > 1)
        .filter("both")
        .select("tournament", broken=pl.lit(value=True))
        .unique()
    )
    alternate = pl.col("broken").is_null() & pl.lit(version is Version.TRF26)
    text = pl.lit("WB").repeat_by(pl.col("boards") // 2 + 1).list.join("")
    table = (
        about.select("tournament", "boards", kept=kept)
        .join(broken, on="tournament", how="left", maintain_order="left")
        .filter(
            pl.col("boards").is_not_null(),
            pl.col("boards").cast(pl.UInt32).ne_missing(pl.col("kept")),
        )
    )
    sequence = pl.lit("352 ") + text.str.head(pl.col("boards"))
    return table.select(
        "tournament",
        line=pl.when(alternate & (pl.col("boards") > 0)).then(sequence),
        boards=pl.when(~alternate).then("boards"),
    )


def _scoring(sheets: TeamSheets) -> pl.DataFrame:
    """Return records 362, and 299 for values that it has no symbol for."""
    lines = []
    for system in sheets.tournaments["scoring"].drop_nulls().unique(maintain_order=True):
        groups, rest = systems_of(system)
        for value in [*groups.values(), *rest.values()]:
            if len(str(value)) > 4:
                rows = sheets.tournaments.filter(scoring=system)
                refuse(rows, "scoring", f"the points {value} do not fit their 4 columns")
        written = "   ".join(f"T{symbol}{value!s:>4}" for symbol, value in groups.items())
        lines.append((system, f"362 {written}"))
        lines += [(system, f"299 {code}  {value!s:>4}") for code, value in rest.items()]
    table = pl.DataFrame(lines, schema={"scoring": pl.String, "line": pl.String}, orient="row")
    return sheets.tournaments.select("tournament", "scoring").join(
        table, on="scoring", maintain_order="left_right"
    )


def _list(numbers: pl.Expr) -> pl.Expr:
    return numbers.cast(pl.String).str.pad_start(4).str.join(" ")


def _whole(column: str, width: int) -> pl.Expr:
    return pl.col(column).cast(pl.String).str.pad_start(width)


def _number(frame: pl.DataFrame, column: str, width: int) -> pl.Expr:
    """Return a blank and a number in its columns; raise if it does not fit."""
    if column not in frame.columns:
        return pl.lit(" " * (width + 1))
    text = pl.col(column).cast(pl.String)
    if width == 6 and column == "strength":
        text = text.str.strip_suffix(".0")
    refuse(frame.filter(text.str.len_chars() > width), column, f"does not fit {width} columns")
    return pl.lit(" ") + text.fill_null("").str.pad_start(width)


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
