"""PGN files as an archive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from os import PathLike, strerror
from pathlib import Path
from typing import Final

import polars as pl

from tbframe.archive import Archive
from tbframe.errors import SourceError
from tbframe.findings import concat_findings, findings_from
from tbframe.intake import from_games
from tbframe.schema import QUARANTINE
from tbframe.sources.names import as_text
from tbframe.sources.pgn.assembling import Duplicates, Options, make_archive, tidy
from tbframe.sources.pgn.headers import GAMES, scan_files
from tbframe.sources.pgn.pieces import ENDING
from tbframe.sources.pgn.results import Moveless
from tbframe.sources.pgn.rounds import Rounds
from tbframe.sources.unpacking import Stream, streams
from tbframe.sources.unreadable import UnreadableError

__all__ = [
    "Listed", "archive_of_games", "list_streams", "read_pgn", "read_pgn_files", "without_games",
]  # fmt: skip

_NO_GAMES: Final = {"white": pl.String, "black": pl.String, "result": pl.String}


def read_pgn(
    source: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    rounds: Rounds = "auto",
    gap: int = 60,
    duplicates: Duplicates = "once",
    moveless: Moveless = "played",
    teams: bool = True,
    workers: int | None = None,
) -> Archive:
    r"""Read the tournaments of PGN files.

    Only the tags are read. Nothing is merged by likeness, and whatever is taken for granted is
    in `Archive.findings`, with file and line. PGN knows neither byes nor absences, and many files
    have only some of the games: see `tbframe.completeness` before any tie-break.

    Parameters
    ----------
    source
        One or several files, plain or packed by gzip, bzip2, zstandard or zip.
    rounds
        What a round such as ``3.4`` means: ``"round.board"``, ``"round.game"``,
        ``"pair.game"``, or ``"auto"``: a guess for each tournament, which is reported
        (`sources.pgn.rounds`).
    gap
        Tournaments are told apart by Event, Site, Section and EventDate; without an EventDate,
        another begins behind this many days without a game (`sources.pgn.events`).
    duplicates
        What to do where a game stands there twice, with the same moves: ``"once"`` counts it
        once, ``"keep"`` as often as it is there, ``"refuse"`` sets the tournament aside.
    moveless
        Whether decided games without moves were ``"played"`` or decided by ``"forfeit"``.
    teams
        Whether tags of teams make an event one of teams, where they fit; its players are then
        the teams, and the individuals are in `Archive.boards` and `Archive.members`.
    workers
        How many pieces of a file are looked at together; by default one for each core.

    Returns
    -------
    Archive
        The key of a tournament is its name, section, site and year; that of a player his name,
        ``"Surname, Given"`` with one blank, and his FIDE id behind it where others of the
        tournament have that name. ``tournaments`` has a column ``source``, ``"pgn"``. Of several
        files those that cannot be read are in the quarantine.

    Raises
    ------
    SourceError
        If there is no such file, no game in it, or an option is none.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> game = '[Event "Cup"]\n[Round "{}"]\n[White "{}"]\n[Black "{}"]\n'
    >>> game += '[Result "{}"]\n\n{}\n\n'
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "cup.pgn")
    ...     _ = path.write_text(
    ...         game.format(1, "Ada", "Bo", "1-0", "1. e4 1-0")
    ...         + game.format(2, "Bo", "Cy", "1/2-1/2", "1. d4 1/2-1/2")
    ...     )
    ...     archive = read_pgn(path)
    >>> archive.results.select("tournament", "round", "player", "opponent", "result").rows()
    [('Cup', 1, 'Ada', 'Bo', '1'), ('Cup', 1, 'Bo', 'Ada', '0'), ('Cup', 2, 'Bo', 'Cy', '='),
     ('Cup', 2, 'Cy', 'Bo', '=')]
    """
    options = Options(rounds, gap, duplicates, moveless, teams)
    single = isinstance(source, str | PathLike)
    paths = [Path(source)] if single else [Path(path) for path in source]  # type: ignore[arg-type,union-attr]
    if not paths:
        raise SourceError("nothing to read: the list of files is empty")
    archive = read_pgn_files(paths, options, workers=workers)
    if archive.quarantine.height and archive.tournaments.is_empty():
        file, line, message = archive.quarantine.select("file", "line", "message").row(0)
        if archive.quarantine["tournament"][0] is None:
            raise SourceError(f"{file}{f', line {line}' if line else ''}: {message}")
    return archive


def read_pgn_files(
    paths: Sequence[Path], options: Options | None = None, *, workers: int | None = None
) -> Archive:
    """Read PGN files; those without a game, or that cannot be opened, are in the quarantine."""
    listed = list_streams(paths)
    parts = [pl.DataFrame(schema=GAMES)]
    told = [listed.findings]
    for games, found in scan_files(listed.streams, workers=workers):
        if games.height:
            parts.append(games)
        if found.height:
            told.append(found)
    findings = concat_findings(*told)
    games = pl.concat(parts)
    archive = archive_of_games(games, options)
    files = set(games["file"].unique())
    refused = [*listed.refused, *without_games(listed.streams, files, findings)]
    return replace(
        archive,
        findings=concat_findings(findings, archive.findings),
        quarantine=pl.concat(
            [archive.quarantine, pl.DataFrame(refused, schema=QUARANTINE, orient="row")]
        ),
    )


def archive_of_games(games: pl.DataFrame, options: Options | None = None) -> Archive:
    """Make an archive of games; files without a game that names a player are in the quarantine.

    Parameters
    ----------
    games
        As `scan_files` gives them.
    options
        What the user says.
    """
    games, unnamed = tidy(games)
    nobody = set(unnamed.filter(code="game-without-players")["file"]) - set(games["file"].unique())
    message = "no game in it names a player"
    rows = [(name, None, None, "no-players", message, 0) for name in sorted(nobody)]
    archive = make_archive(games, options or Options()) if games.height else _nothing()
    return replace(
        archive,
        findings=concat_findings(unnamed, archive.findings),
        quarantine=pl.concat(
            [archive.quarantine, pl.DataFrame(rows, schema=QUARANTINE, orient="row")]
        ),
    )


class Listed:
    """What files there are to read, and what is told of the others.

    Attributes
    ----------
    streams
        The files, and those in zip archives.
    findings
        What stands beside them in zip archives.
    refused
        Rows of the quarantine.
    """

    def __init__(self) -> None:
        self.streams: list[Stream] = []
        self.findings = findings_from(pl.DataFrame(), code="", severity="info", message="")
        self.refused: list[tuple[object, ...]] = []


def list_streams(paths: Iterable[Path]) -> Listed:
    """List the PGN files that paths lead to."""
    listed = Listed()
    passed_over: list[tuple[str, str]] = []
    for path in paths:
        name = as_text(path)
        try:
            inside, others = streams(path, ENDING)
        except UnreadableError as error:
            listed.refused.append((name, error.line, None, error.code, str(error), 0))
        except OSError as error:
            message = strerror(error.errno) if error.errno else str(error)
            listed.refused.append((name, None, None, "unreadable-file", message, 0))
        else:
            listed.streams += inside
            passed_over += [(name, other) for other in others]
    listed.findings = findings_from(
        pl.DataFrame(passed_over, schema={"file": pl.String, "other": pl.String}, orient="row"),
        code="member-passed-over",
        severity="info",
        message=pl.format("{} in it is no file .pgn: passed over", "other"),
    )
    return listed


def without_games(
    files: Iterable[Stream], there: set[str], findings: pl.DataFrame
) -> Iterator[tuple[object, ...]]:
    """Give rows of the quarantine for the files of which no game was read."""
    damaged = findings.filter(code="file-damaged")
    damage = {file: (line, text) for file, line, text in damaged["file", "line", "message"].rows()}
    for file in files:
        if file.name not in there:
            line, message = damage.get(file.name, (None, "no game in it"))
            code = "damaged-archive" if file.name in damage else "no-games"
            yield file.name, line, None, code, message, 0


def _nothing() -> Archive:
    return from_games(pl.DataFrame(schema=_NO_GAMES))
