"""Writing tournament report files, all tournaments together."""

from __future__ import annotations

import warnings
from os import PathLike
from pathlib import Path
from typing import Literal

import polars as pl

from tbframe.archive import Archive
from tbframe.errors import SourceError
from tbframe.schema import BOARDS, MEMBERS, PLAYERS, RESULTS, TOURNAMENTS
from tbframe.scoring import team_events
from tbframe.sources.names import unique_names
from tbframe.sources.trf.player_lines import number_players, player_lines
from tbframe.sources.trf.refusing import refuse
from tbframe.sources.trf.scoring_lines import Version
from tbframe.sources.trf.team_lines import with_team_lines
from tbframe.sources.trf.team_sheets import take_teams
from tbframe.sources.trf.tournament_lines import tournament_lines

__all__ = ["write_trf"]


def write_trf(
    archive: Archive,
    folder: str | PathLike[str],
    *,
    version: Literal["16", "26"] = "26",
    overwrite: bool = False,
) -> list[Path]:
    """Write each tournament as a tournament report file.

    What was read from such files comes back unchanged from those written: results,
    players and tournaments. A file is UTF-8, its lines end with CR LF.

    Version 26 has records for the number of rounds (142), the scoring (162), the pairing
    (192) and the ranking order (212). Version 16 has the extensions that programs for it
    know: XXR and XXS. What a version has no record for is written with the other's, which
    its readers pass over: 192 and 212, and 299 for points that differ from the scoring.
    Columns that no record is made for, such as the edition, are written as comments.

    The individuals of a team event are the players of its file. Version 26 has record 310 for a
    team, with its declared points and rank, and 352 for the number of boards; version 16 has 013
    for its name. Byes, forfeited matches, points and line-ups that do not follow from the games
    are written as 240, 320, 330, 299 and 300, the scoring of matches as 362, in both versions.

    Parameters
    ----------
    archive
        What to write. Player keys that are whole numbers from 1 to 9999 are the start
        numbers; otherwise the players of a tournament are numbered in the order of their
        keys, with a warning. A round that a player has no row for, among those paired, is
        written as absence (Z).
    folder
        Where; made if it does not exist.
    version
        ``"16"`` or ``"26"``.
    overwrite
        Whether files that are there may be replaced.

    Returns
    -------
    list of Path
        The files, in the order of the tournaments; their names are the keys, with ``_`` for
        characters that a file name cannot have.

    Raises
    ------
    SourceError
        If a value does not fit its columns, or the format cannot say it: the message names
        tournament, player and field. If a file is there already. Nothing is written then.

    Warns
    -----
    UserWarning
        If keys are replaced by start numbers, or columns are left out because the format has
        no place for them.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import polars as pl
    >>> import tbframe as tb
    >>> games = pl.DataFrame(
    ...     {"tournament": "cup", "round": [1], "white": [1], "black": [2], "result": ["1-0"]}
    ... )
    >>> with TemporaryDirectory() as folder:
    ...     (path,) = write_trf(tb.from_games(games), folder)
    ...     print(path.name, path.read_text().splitlines()[-2][86:])
    cup.trf      2 w 1
    """
    if version not in ("16", "26"):
        raise SourceError(f"version {version!r}: give '16' or '26'")
    _warn_of_columns(archive, version)
    archive, teams = take_teams(archive, Version(version))
    results, players = number_players(archive)
    tournaments = archive.tournaments
    if teams is not None:
        tournaments = with_team_lines(tournaments, teams.numbered(players), Version(version))
    header = tournament_lines(tournaments, results, players, Version(version))
    body = player_lines(results, players)
    without = archive.tournaments.join(players, on="tournament", how="anti")
    refuse(without, "tournament", "there are no players, and a file has to have some")

    texts = (
        pl.concat([header.with_columns(part=0), body.with_columns(part=1)])
        .sort("tournament", "part", maintain_order=True)
        .group_by("tournament", maintain_order=True)
        .agg(pl.col("line").str.join("\r\n"))
    )
    target = Path(folder)
    paths = [target / name for name in unique_names(texts["tournament"].to_list(), ".trf")]
    for path in paths:
        if path.exists() and not overwrite:
            raise SourceError(f"{path} is there already: give overwrite=True to replace it")
    try:
        target.mkdir(parents=True, exist_ok=True)
        for path, text in zip(paths, texts["line"], strict=True):
            path.write_bytes((text + "\r\n").encode())
    except OSError as error:
        raise SourceError(f"{target}: cannot be written ({error})") from error
    return paths


def _warn_of_columns(archive: Archive, version: str) -> None:
    teams = archive.boards is not None
    carried = {
        "results": {*RESULTS, "game", "game_points"},
        # Record 013 has the name of a team, and 310 a little more.
        "players": {*PLAYERS, *(("nickname", "strength", "game_points") if teams else ())},
        "tournaments": {*TOURNAMENTS, "records"},
        "boards": {*BOARDS},
        "members": {*MEMBERS},
    }
    lost = [
        f"{name}.{column}"
        for name, columns in carried.items()
        if (frame := getattr(archive, name)) is not None
        for column, nulls in frame.null_count().to_dict(as_series=False).items()
        if column not in columns and nulls[0] < frame.height
    ]
    if teams:
        lost += _lost_of_teams(archive, version)
    if lost:
        warnings.warn(
            f"what a tournament report file has no place for: {', '.join(lost)}",
            stacklevel=3,
        )


def _lost_of_teams(archive: Archive, version: str) -> list[str]:
    """Return the columns of teams that the records of teams do not have."""
    events = archive.tournaments.filter(team_events(archive.results, archive.tournaments))
    teams = archive.players.join(events, on="tournament", how="semi")
    known = {"tournament", "player", "name"}
    if version == "26":
        known |= {"nickname", "strength", "points", "game_points", "rank"}
    return [
        f"players.{column} (of teams)"
        for column in teams.columns
        if column not in known and teams[column].null_count() < teams.height
    ]
