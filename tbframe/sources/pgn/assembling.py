"""Games with their tags made into tournaments, all that is assumed on the way reported."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, fields, replace
from typing import Final, Literal, get_args

import polars as pl

from tbframe.archive import Archive
from tbframe.errors import FindingWarning, SourceError
from tbframe.findings import concat_findings, counted, findings_from, no_findings
from tbframe.intake import from_boards, from_games
from tbframe.sources.merging import merge
from tbframe.sources.pgn.about import about_players, about_tournaments, with_players
from tbframe.sources.pgn.events import clean, name_tournaments, whole_date
from tbframe.sources.pgn.likeness import names_alike
from tbframe.sources.pgn.names import BYE, tidy_name
from tbframe.sources.pgn.results import Moveless, read_results, settle_repeats
from tbframe.sources.pgn.rounds import Rounds, read_rounds
from tbframe.sources.pgn.teams import team_boards, team_events

__all__ = ["Options", "make_archive", "tidy"]

Duplicates = Literal["refuse", "once", "keep"]

_PLAIN: Final = ("Event", "Site", "Section", "EventDate", "Round", "Date", "EventType")
_CHOICES: Final = {
    "rounds": get_args(Rounds), "duplicates": get_args(Duplicates), "moveless": get_args(Moveless)
}  # fmt: skip


@dataclass(frozen=True)
class Options:
    """What the user says of PGN files: the parameters of `read_pgn`."""

    rounds: Rounds = "auto"
    gap: int = 60
    duplicates: Duplicates = "once"
    moveless: Moveless = "played"
    teams: bool = True

    def __post_init__(self) -> None:
        """Insist on values that mean something."""
        for field in fields(self):
            value = getattr(self, field.name)
            allowed = _CHOICES.get(field.name)
            if allowed is not None and value not in allowed:
                wanted = ", ".join(map(repr, allowed))
                raise SourceError(f"{field.name}={value!r}: give one of {wanted}")
        if isinstance(self.gap, bool) or not isinstance(self.gap, int) or self.gap < 1:
            raise SourceError(f"gap={self.gap!r}: give a number of days")


def tidy(games: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Clean the tags; leave out what has no player on either side.

    Parameters
    ----------
    games
        ``file``, ``line`` and the tags of `headers.TAGS`.

    Returns
    -------
    games, findings
        The frame with ``day``, the date where it is known in full.
    """
    games = games.with_columns(
        *(clean(tag) for tag in _PLAIN),
        tidy_name("White"), tidy_name("Black"), tidy_name("WhiteTeam"), tidy_name("BlackTeam"),
    )  # fmt: skip
    nobody = pl.lit(value=True)
    for side in ("White", "Black"):
        nobody &= pl.col(side).is_null() | pl.col(side).str.contains(BYE)
    lone = pl.format("? ({}:{})", pl.col("file").str.extract(r"([^/\\]*)$"), "line")
    unknown = games.filter(~nobody & (pl.col("White").is_null() | pl.col("Black").is_null()))
    findings = concat_findings(
        findings_from(
            games.filter(nobody),
            code="game-without-players",
            severity="warning",
            message="no player is named: left out, as no game of a tournament",
        ),
        findings_from(
            unknown,
            code="player-unknown",
            severity="warning",
            message="a player is not named: taken as a player of his own, for this game only",
        ),
    )
    kept = games.filter(~nobody).with_columns(
        pl.col("White").fill_null(lone), pl.col("Black").fill_null(lone), day=whole_date("Date")
    )
    return kept, findings


def make_archive(games: pl.DataFrame, options: Options) -> Archive:
    """Make an archive of games.

    Parameters
    ----------
    games
        One row at least, from `tidy`, in the order of the files, with ``text``, ``ending`` and
        ``moveless`` (`scanning.Scanned`).
    options
        What the user says.
    """
    games, grouped = name_tournaments(games, options.gap)
    games, named = with_players(games)
    games, resulted = read_results(games, options.moveless)
    games, repeated = settle_repeats(games, options.duplicates)
    games = games.with_row_index("place").sort("tournament", "day", "place", nulls_last=True)
    games, rounded = read_rounds(games, options.rounds)
    about = about_tournaments(games)
    of_teams, assumed = team_events(games) if options.teams else (games.clear(), no_findings())
    archive = _put_together(games, of_teams, about, options.duplicates)
    told = concat_findings(grouped, named, resulted, repeated, rounded, assumed, archive.findings)
    only = games.group_by("tournament").agg(
        pl.col("file").first().alias("of"), pl.col("file").n_unique().alias("n")
    )
    only = only.filter(pl.col("n") == 1).select("tournament", "of")
    return replace(
        archive,
        findings=_with_file(told, only),
        quarantine=_with_file(archive.quarantine, only),
    )


def _put_together(
    games: pl.DataFrame, of_teams: pl.DataFrame, about: pl.DataFrame, duplicates: Duplicates
) -> Archive:
    """Put the archives of team events and of others, with and without rounds, together."""
    boards = games.join(of_teams, on="tournament", how="semi", maintain_order="left")
    single = games.join(of_teams, on="tournament", how="anti", maintain_order="left")
    with_round = single.filter(pl.col("round").is_not_null())
    without = single.filter(pl.col("round").is_null()).drop("round")
    kinds = [rows for rows in (with_round, without) if rows.height]
    parts = [_individual(rows, about, duplicates) for rows in kinds]
    if boards.height:
        sides, numbered = team_boards(boards)
        members = about_players(boards, team=True).drop("ratings")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FindingWarning)  # told by the quarantine
            made = from_boards(
                sides,
                members=members,
                tournaments=_of(about, sides).with_columns(kind=pl.lit("team")),
            )
        teams = sides.select("tournament", player="team", has_id=pl.lit(value=False)).unique()
        alike = names_alike(teams, teams=True)
        parts.append(replace(made, findings=concat_findings(numbered, alike, made.findings)))
    return merge(parts)


def _individual(games: pl.DataFrame, about: pl.DataFrame, duplicates: Duplicates) -> Archive:
    people = about_players(games, team=False)
    drifting = findings_from(
        people.filter(pl.col("ratings") > 1).sort("tournament", "player"),
        code="rating-varies",
        severity="info",
        message=pl.format("{}: the most frequent, {}, is taken",
                          counted("ratings", "different rating"), "rating"),
    )  # fmt: skip
    columns = ["tournament", "white", "black", "result"]
    rows = games
    if "round" in games.columns:
        columns.append("round")
        twin = games.select("tournament", "round", "white").is_duplicated().any()
        twin |= (
            pl.concat(
                games.select("tournament", "round", player=side) for side in ("white", "black")
            )
            .filter(pl.col("player").is_not_null())
            .is_duplicated()
            .any()
        )
        if twin:
            order = pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over("tournament")
            rows = games.with_columns(game=pl.coalesce(pl.col("game").cast(pl.Int32), order))
            columns.append("game")
    if games["board"].null_count() < games.height:
        columns.append("board")
    settled = "keep"
    if duplicates == "refuse":
        columns += ["Date", "text"]
        columns = [column for column in columns if column != "game"]
        settled = "refuse"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FindingWarning)  # told by the quarantine
        made = from_games(
            rows.select(columns), people.drop("ratings"), _of(about, games),
            duplicates=settled,  # type: ignore[arg-type]
        )  # fmt: skip
    made = replace(made, results=made.results.drop("Date", "text", strict=False))
    # That there are no rounds is told with the reason by `read_rounds`.
    found = made.findings.filter(pl.col("code") != "rounds-numbered")
    return replace(made, findings=concat_findings(drifting, found))


def _of(about: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    return about.join(rows.select("tournament").unique(), on="tournament", how="semi")


def _with_file(frame: pl.DataFrame, only: pl.DataFrame) -> pl.DataFrame:
    """Name the file of what is said of tournaments that are in one file only."""
    files = frame.select("tournament").join(
        only, on="tournament", how="left", maintain_order="left"
    )
    return frame.with_columns(pl.coalesce("file", files["of"]).alias("file"))
