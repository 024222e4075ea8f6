"""The tags of PGN files as frames, piece by piece, at the speed of an archive."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Final

import polars as pl

from tbframe.errors import SourceError
from tbframe.findings import concat_findings, no_findings
from tbframe.schema import FINDINGS
from tbframe.sources.names import as_text
from tbframe.sources.pgn.pieces import ENDING, PIECE, pieces
from tbframe.sources.pgn.scanning import Scanned, scan
from tbframe.sources.pgn.tags import Doubt
from tbframe.sources.unpacking import Stream, streams
from tbframe.sources.unreadable import UnreadableError

__all__ = ["GAMES", "TAGS", "pgn_headers", "scan_files"]

#: What tournaments, players and results are made of.
TAGS: Final = (
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "EventDate", "Section",
    "EventType", "EventRounds", "Board", "Termination", "WhiteElo", "BlackElo", "WhiteFideId",
    "BlackFideId", "WhiteTitle", "BlackTitle", "WhiteTeam", "BlackTeam",
)  # fmt: skip
#: The columns of the games that `scan_files` gives.
GAMES: Final[dict[str, pl.DataType]] = {
    "file": pl.String(), "line": pl.Int64(), **dict.fromkeys(TAGS, pl.String()),
    "text": pl.UInt64(), "ending": pl.String(), "moveless": pl.Boolean(),
}  # fmt: skip
_BOM: Final = b"\xef\xbb\xbf"
_NOTHING: Final = no_findings()
_WIDE: Final = (b"\xff\xfe", b"\xfe\xff")


@dataclass
class _Job:
    """A piece of a file on its way, or what is to say at its end."""

    file: Stream
    data: bytes = b""
    future: Future[Scanned] | None = None
    first: bool = False
    trouble: str | None = None


def scan_files(
    files: Iterable[Stream],
    tags: tuple[str, ...] = TAGS,
    *,
    workers: int | None = None,
    size: int = PIECE,
) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
    """Read the tags of all games of files, some thousands of games at a time.

    Parameters
    ----------
    files
        Of `unpacking.streams`.
    tags
        Names of the tags to read.
    workers
        How many pieces are looked at together; by default one for each core.
    size
        Bytes of a piece. Memory in use is some ten times that for each worker, however large
        the files are.

    Yields
    ------
    games, findings
        One row for each game in the order of the files: ``file``, ``line`` (from 1), one column
        for each tag (null where it is not there), and ``text``, ``ending`` and ``moveless`` as
        in `scanning.Scanned`; what was adjusted.
    """
    count = workers or os.cpu_count() or 1
    waiting: deque[_Job] = deque()
    state = _State(tags)
    with ThreadPoolExecutor(count) as pool:
        for job in _jobs(files, size):
            if job.trouble is None:
                job.future = pool.submit(scan, job.data, tags)
            waiting.append(job)
            if len(waiting) > count:
                yield state.finish(waiting.popleft())
        while waiting:
            yield state.finish(waiting.popleft())
        yield state.end()


class _State:
    """What one piece of a file has to know of those before it: the line, and open comments."""

    def __init__(self, tags: tuple[str, ...]) -> None:
        self.tags = tags
        self.name = ""
        self.line, self.inside = 1, False

    def finish(self, job: _Job) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Take what was found in the next piece."""
        before = self.end()[1] if job.first else _NOTHING
        if job.first:
            self.name, self.line, self.inside = job.file.name, 1, False
        if job.trouble is not None:
            self.inside = False
            damage = _findings(self.name, self.line, [(0, "error", "file-damaged", job.trouble)])
            return pl.DataFrame(), concat_findings(before, damage)
        assert job.future is not None  # noqa: S101 - only trouble has none
        scanned = job.future.result()
        if self.inside:  # it was taken to begin outside of comments
            scanned = scan(job.data, self.tags, inside=True)
        games = scanned.games.with_columns(
            pl.lit(self.name).alias("file"), pl.col("line") + self.line
        ).select("file", pl.exclude("file"))
        doubts = _findings(self.name, self.line, scanned.doubts)
        self.line += scanned.lines
        self.inside = scanned.inside
        return games, concat_findings(before, doubts) if before.height else doubts

    def end(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Tell of a file that ends inside of a comment."""
        doubt: Doubt = (0, "warning", "comment-unclosed", "the file ends inside of a comment")
        return pl.DataFrame(), _findings(self.name, self.line, [doubt] if self.inside else [])


def _jobs(files: Iterable[Stream], size: int) -> Iterator[_Job]:
    """Read the pieces of files, without byte order marks."""
    for file in files:
        first = True
        try:
            for data in pieces(file, size):
                if first and data[:2] in _WIDE:
                    trouble = "is UTF-16; PGN is UTF-8 or Windows-1252"
                    yield _Job(file, first=True, trouble=trouble)
                    break
                yield _Job(file, data.removeprefix(_BOM) if first else data, first=first)
                first = False
        except UnreadableError as error:
            yield _Job(file, first=first, trouble=str(error))


def _findings(name: str, line: int, doubts: list[Doubt]) -> pl.DataFrame:
    if not doubts:
        return _NOTHING
    rows = [
        (name, line + place, None, None, None, severity, code, message)
        for place, severity, code, message in sorted(doubts, key=lambda doubt: doubt[0])
    ]
    return pl.DataFrame(rows, schema=FINDINGS, orient="row")


def pgn_headers(
    source: str | PathLike[str],
    tags: tuple[str, ...] = TAGS,
    *,
    workers: int | None = None,
) -> Iterator[pl.DataFrame]:
    r"""Read the tags of the games of a PGN file, plain or packed, in bounded memory.

    Parameters
    ----------
    source
        A file, also packed by gzip, bzip2, zstandard or zip.
    tags
        Names of the tags to read.
    workers
        How many pieces are looked at together; by default one for each core.

    Yields
    ------
    DataFrame
        Some thousands of games each: ``file``, ``line`` and one column of text for each tag.

    Raises
    ------
    SourceError
        If the file cannot be read as what it is, or is damaged.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "one.pgn")
    ...     _ = path.write_text('[White "Ada"]\n[Result "1-0"]\n\n1. e4 1-0\n')
    ...     (games,) = pgn_headers(path, ("White", "Black", "Result"))
    >>> games.drop("file").rows()
    [(1, 'Ada', None, '1-0')]
    """
    name = as_text(source)
    try:
        files, _ = streams(Path(source), ENDING)
    except UnreadableError as error:
        raise SourceError(f"{name}: {error}") from error
    for games, findings in scan_files(files, tags, workers=workers):
        damaged = findings.filter(code="file-damaged")
        if damaged.height:
            file, message = damaged.select("file", "message").row(0)
            raise SourceError(f"{file}: {message}")
        if games.width:
            yield games.select("file", "line", *tags)
