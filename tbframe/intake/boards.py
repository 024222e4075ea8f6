"""An archive of team events from a table with one row per team, round and board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import polars as pl

from tbframe.archive import Archive
from tbframe.findings import concat_findings, findings_from, no_findings
from tbframe.intake.assembling import assemble
from tbframe.intake.casting import insist, unify_keys
from tbframe.intake.completing import add_columns, add_tournaments
from tbframe.intake.matches import board_points, derive_matches, points_without_games
from tbframe.intake.results import spell_codes
from tbframe.intake.tables import Table, lone_tournament, read_table, take
from tbframe.intake.team_byes import take_team_byes
from tbframe.order import sort_by_key
from tbframe.schema import BOARDS, MEMBERS, PLAYERS, ROW, TOURNAMENTS, ResultCode
from tbframe.scoring import is_countable

__all__ = ["from_boards"]

_SIDE: Final = ["tournament", "round", "team"]
#: The columns of each side table, and which it must have.
_SIDE_TABLES: Final[dict[str, tuple[dict[str, pl.DataType | None], tuple[str, ...]]]] = {
    "teams": ({("team" if c == "player" else c): dtype for c, dtype in PLAYERS.items()}, ("team",)),
    "members": (MEMBERS, ("player", "team")),
    "tournaments": (TOURNAMENTS, ()),
}
_KINDS: Final = [("tournament",), ("team", "opponent"), ("player", "opponent_player")]


def from_boards(
    boards: Table,
    byes: Table | None = None,
    teams: Table | None = None,
    members: Table | None = None,
    tournaments: Table | None = None,
) -> Archive:
    """Make an archive of team events of a table with one row per team, round and board.

    Parameters
    ----------
    boards
        Columns ``tournament``, ``round``, ``team``, ``opponent`` (the other team), ``board``
        (from 1), ``result`` (as in `from_results`) and, where wanted, ``player``,
        ``opponent_player``, ``color`` and ``points`` (null or absent: what the game scoring
        gives for the result). A game has two rows, one for each team; a board where nobody
        sat may have none. ``tournament`` may be missing: then all rows are of one. Any kind
        of table, as for `from_results`; it is not changed, and the order of its rows does not
        matter. Other columns are carried along.
    byes
        Columns ``tournament``, ``round``, ``team``, ``type`` (PAB, FPB, HPB, ZPB or U, F, H, Z)
        and, where wanted, ``match_points`` and ``game_points`` (null or absent: a
        pairing-allocated bye counts as a drawn match, on all boards too, unless the scoring
        names it: C.04.6).
    teams
        What is known of the teams: ``tournament``, ``team`` and any of the other columns of
        `schema.PLAYERS`. Teams that it lacks are added.
    members
        What is known of the individuals: ``tournament``, ``player``, ``team`` and any of the
        other columns of `schema.MEMBERS`. Individuals that it lacks are added.
    tournaments
        What is known of the tournaments (`schema.TOURNAMENTS`): ``scoring`` is that of matches
        (2, 1, 0 by default), ``game_scoring`` that of boards (1, 1/2, 0), ``boards`` how many
        a match has (by default as many as were found), ``primary`` the score that decides.

    Returns
    -------
    Archive
        Its results are the matches, one row for each team and round: who has more points on
        the boards of a match won it, and a match without any game was forfeited. ``points``
        are match points, ``game_points`` the sum of the boards. Every row of `boards` and
        `byes` is in it, or in a tournament of its quarantine (whose ``rows`` count matches and
        byes of teams): set aside because a team meets
        itself or several others in a round, has a board twice, a bye besides a match, or a
        match that the other team has not.

    Raises
    ------
    ContractError
        If a column is missing or of a wrong type, a value cannot be read, a key is null. The
        message names the frame, the columns, the rule and the first rows.

    Examples
    --------
    >>> archive = from_boards(pl.DataFrame({
    ...     "round": [1, 1, 1, 1],
    ...     "team": ["Rooks", "Rooks", "Kings", "Kings"],
    ...     "opponent": ["Kings", "Kings", "Rooks", "Rooks"],
    ...     "board": [1, 2, 1, 2],
    ...     "result": ["1", "=", "0", "="],
    ... }))
    >>> archive.results.select("player", "opponent", "result", "points", "game_points").rows()
    [('Kings', 'Rooks', '0', 0.0, 0.5), ('Rooks', 'Kings', '1', 2.0, 1.5)]
    """
    table = read_table(boards, "boards")
    lone, single = lone_tournament(table, "boards")
    side_tables = {"teams": teams, "members": members, "tournaments": tournaments}
    frames, findings = _take(table, byes, side_tables, lone)
    rows, off = frames["boards"], frames["byes"]
    about, added = _tournaments(frames, rows, off)
    verdicts = _contradictions(rows, off)
    good = rows.join(verdicts, on="tournament", how="anti", maintain_order="left")
    good = good.with_columns(points=board_points(good, about))
    off = off.join(verdicts, on="tournament", how="anti", maintain_order="left")
    results, sides = _results(good, off, about)
    side_frames = {"tournaments": about}
    if "teams" in frames:
        side_frames["players"] = frames["teams"].rename({"team": "player"})
    archive = assemble(
        {"boards": results, **side_frames},
        "boards",
        concat_findings(single, findings, added, sides),
        verdicts,
    )
    kept = archive.tournaments.select("tournament")
    good = good.join(kept, on="tournament", how="semi", maintain_order="left")
    individuals, found = _members(frames.get("members"), rows, kept)
    return replace(
        archive,
        findings=concat_findings(archive.findings, found),
        quarantine=_count_rows(archive.quarantine, rows, frames["byes"]),
        boards=good.drop(ROW),
        members=individuals,
    )


def _take(
    table: pl.DataFrame,
    byes: Table | None,
    side_tables: Mapping[str, Table | None],
    lone: Mapping[str, str],
) -> tuple[dict[str, pl.DataFrame], pl.DataFrame]:
    """Bring all tables to their columns, types and codes, and their keys to one type."""
    needed = ("round", "team", "opponent", "board", "result")
    rows, named = take(table, "boards", BOARDS, needed, lone)
    for column in ("round", "team", "opponent", "board", "result"):
        insist(rows, "boards", [column], "never null", pl.col(column).is_not_null())
    insist(rows, "boards", ["round"], "rounds count from 1", pl.col("round") >= 1)
    insist(rows, "boards", ["board"], "boards count from 1", pl.col("board") >= 1)
    if "points" in rows.columns:
        insist(rows, "boards", ["points"], "a finite number", pl.col("points").is_finite())
    frames = {"boards": add_columns(spell_codes(rows, "boards"), BOARDS)}
    findings = [named]
    for name, given in side_tables.items():
        if given is not None:
            columns, keys = _SIDE_TABLES[name]
            frames[name], more = take(read_table(given, name), name, columns, keys, lone)
            findings.append(more)
    if byes is None:
        keys_only = {"tournament": pl.Null, "team": pl.Null}
        empty = pl.DataFrame(
            schema={
                ROW: pl.UInt32, **keys_only, "round": pl.Int32, "result": ResultCode,
                "match_points": pl.Float64, "game_points": pl.Float64,
            }
        )  # fmt: skip
        frames["byes"] = empty
    else:
        frames["byes"] = take_team_byes(byes, lone)
    frames = unify_keys(frames, _KINDS)
    frames["boards"] = sort_by_key(frames["boards"], ["tournament", "team", "round", "board"])
    return frames, concat_findings(*findings)


def _tournaments(
    frames: Mapping[str, pl.DataFrame], boards: pl.DataFrame, byes: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Complete the tournaments: all of them, of teams, with the number of boards."""
    given = frames.get("tournaments", boards.clear().select("tournament", ROW))
    about = sort_by_key(add_columns(given, TOURNAMENTS), ["tournament"])
    insist(about, "tournaments", ["tournament"], "never null", pl.col("tournament").is_not_null())
    insist(about, "tournaments", ["kind"], "boards are of team events", pl.col("kind") == "team")
    insist(
        about, "tournaments", ["tournament"], "one row for each tournament",
        ~pl.col("tournament").is_duplicated(),
    )  # fmt: skip
    about, added = add_tournaments(about, boards, sort_by_key(byes, ["tournament"]))
    found = boards.group_by("tournament").agg(found=pl.col("board").max())
    about = about.join(found, on="tournament", how="left", maintain_order="left")
    counted = about.filter(pl.col("boards").is_null(), pl.col("found").is_not_null())
    return about.with_columns(kind=pl.lit("team"), boards=pl.coalesce("boards", "found")).drop(
        "found"
    ), concat_findings(
        added if "tournaments" in frames else no_findings(),
        findings_from(
            counted,
            code="boards-counted",
            severity="info",
            message=pl.format("matches have {} boards, as many as were found", "found"),
        ),
    )


def _contradictions(boards: pl.DataFrame, byes: pl.DataFrame) -> pl.DataFrame:
    """List the tournaments with rows that cannot all be true: ``tournament, code, message``."""
    matches = boards.group_by([*_SIDE, "opponent"], maintain_order=True).agg(
        over=pl.col("result").is_in(["+", "-"]).all()
    )
    mirrored = matches.select("tournament", "round", team="opponent", opponent="team")
    alone = matches.join(mirrored, on=[*_SIDE, "opponent"], how="anti", maintain_order="left")
    busy = pl.concat([matches.select(_SIDE), byes.select(_SIDE)]).unique()
    other = {"tournament": "tournament", "round": "round", "opponent": "team"}
    elsewhere = alone.join(busy, left_on=[*other], right_on=[*other.values()], how="semi")
    gone = alone.filter(~pl.col("over")).join(
        busy, left_on=[*other], right_on=[*other.values()], how="anti"
    )
    several = matches.filter(pl.col("opponent").n_unique().over(_SIDE) > 1)
    twice = boards.filter(pl.len().over([*_SIDE, "board"]) > 1)
    off_twice = byes.filter(pl.len().over(_SIDE) > 1)
    fine = ~is_countable(pl.col("points")) if "points" in boards.columns else pl.lit(value=False)
    found = [
        (matches.filter(pl.col("team") == pl.col("opponent")), "meets-itself",
         "team {} meets itself in round {}"),
        (several, "several-opponents", "team {} has several opponents in round {}"),
        (twice, "board-twice", "team {} has a board twice in round {}"),
        (elsewhere, "opponents-disagree",
         "team {} has a match in round {} with a team that has another opponent, or a bye"),
        (gone, "side-missing", "the opponent of team {} in round {} has no boards"),
        (byes.join(matches, on=_SIDE, how="semi"), "bye-and-match",
         "team {} has a bye besides a match in round {}"),
        (off_twice, "bye-twice", "team {} has several byes in round {}"),
        (boards.filter(fine), "points-not-countable",
         "team {} has points on a board of round {} that are no whole thousandths"),
    ]  # fmt: skip
    return pl.concat(
        rows.sort(_SIDE)
        .unique("tournament", keep="first", maintain_order=True)
        .select("tournament", code=pl.lit(code), message=pl.format(message, "team", "round"))
        for rows, code, message in found
    )


def _results(
    boards: pl.DataFrame, byes: pl.DataFrame, about: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Make result rows of matches and byes."""
    first = boards.group_by(_SIDE).agg(pl.col(ROW).min())
    matches = derive_matches(boards).join(first, on=_SIDE, how="left")
    mirrored = matches.select("tournament", "round", team="opponent", opponent="team")
    absent = mirrored.join(matches, on=[*_SIDE, "opponent"], how="anti").with_columns(
        result=pl.lit("-", ResultCode), game_points=pl.lit(0.0)
    )
    findings = findings_from(
        absent.sort(_SIDE).with_columns(player="team"),
        code="side-added",
        severity="warning",
        message=pl.format(
            "team {} has no boards in the match that {} has against it, in which nobody played: "
            "lost by forfeit",
            "team",
            "opponent",
        ),
    )
    off = byes.rename({"match_points": "points"})
    rows = pl.concat([matches, absent, off], how="diagonal_relaxed").rename({"team": "player"})
    rows = rows.with_columns(pl.col("game_points").fill_null(points_without_games(rows, about)))
    return rows, findings


def _members(
    members: pl.DataFrame | None, boards: pl.DataFrame, kept: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Complete the individuals with those who sat at a board."""
    key = ["tournament", "player"]
    seen = boards.filter(pl.col("player").is_not_null()).select(*key, "team")
    seen = seen.unique(key, keep="first", maintain_order=True)
    given = seen.clear().with_columns(pl.lit(0, pl.UInt32).alias(ROW))
    frame = given if members is None else members
    for column in key:
        insist(frame, "members", [column], "never null", pl.col(column).is_not_null())
    rule = "one row for each individual of a tournament"
    insist(frame, "members", key, rule, ~pl.struct(key).is_duplicated())
    added = seen.join(frame, on=key, how="anti", maintain_order="left")
    findings = findings_from(
        added.sort(key),
        code="member-added",
        severity="info",
        message="not in the members frame: added, with nothing known but key and team",
    )
    everybody = pl.concat([frame, added], how="diagonal").join(
        kept, on="tournament", how="semi", maintain_order="left"
    )
    everybody = sort_by_key(add_columns(everybody, MEMBERS), key).drop(ROW)
    return everybody, no_findings() if members is None else findings


def _count_rows(quarantine: pl.DataFrame, boards: pl.DataFrame, byes: pl.DataFrame) -> pl.DataFrame:
    """Count what was set aside in the result rows that it would have: of matches and byes."""
    both = pl.concat([boards.select(_SIDE).unique(), byes.select(_SIDE)])
    counts = both.group_by(pl.col("tournament").cast(pl.String)).agg(n=pl.len().cast(pl.Int64))
    counted = quarantine.join(counts, on="tournament", how="left", maintain_order="left")
    return counted.with_columns(rows=pl.col("n").fill_null(0)).drop("n")
