"""The records of team events to write."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.intake.matches import points_without_games
from tbframe.scoring import points_due
from tbframe.sources.trf.refusing import refuse
from tbframe.sources.trf.scoring_lines import Version
from tbframe.sources.trf.team_columns import number, number_list, whole
from tbframe.sources.trf.team_match_lines import forfeits, line_ups, refuse_matches
from tbframe.sources.trf.team_points import systems_of
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
    refuse_matches(sheets)
    boards = _boards(sheets, version)
    parts = [
        _rosters(sheets, version),
        _byes(sheets),
        _allocated_byes(sheets),
        forfeits(sheets),
        _abnormal_points(sheets),
        line_ups(sheets),
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


def _rosters(sheets: TeamSheets, version: Version) -> pl.DataFrame:
    place = [pl.col("order").fill_null(1 << 30), "number"]
    listed = (
        sheets.members.filter(pl.col("team").is_not_null())
        .sort(place)
        .group_by("tournament", "team")
        .agg(numbers=number_list(pl.col("number")))
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
            whole("team", 3),
            pl.lit(" "),
            name,
            pl.lit(" "),
            nickname.fill_null("").str.pad_end(5),
            *(
                number(teams, column, width)
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
        .agg(teams=number_list(pl.col("team").sort()))
        .sort("tournament", "round", "result")
        .select(
            "tournament",
            line=pl.concat_str(
                pl.lit("240 "), "result", pl.lit(" "), whole("round", 3), pl.lit(" "), "teams"
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
        .agg(teams=whole("team", 3).fill_null("   ").str.join(" "))
        .join(worth, on="tournament", how="left", maintain_order="left")
    )  # fmt: skip
    return every.select(
        "tournament",
        line=pl.concat_str(
            pl.lit("320"),
            number(every, "points", 4),
            number(every, "game_points", 4),
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
        .agg(teams=number_list(pl.col("team").sort()))
        .sort("tournament", "round", "symbol", "points", "game_points")
    )
    return written.select(
        "tournament",
        line=pl.concat_str(
            pl.lit("299 "),
            "symbol",
            pl.lit(" "),
            number(written, "points", 4),
            pl.lit(" "),
            number(written, "game_points", 4),
            pl.lit("  "),
            whole("round", 3),
            pl.lit(" "),
            "teams",
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
