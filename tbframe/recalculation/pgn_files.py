"""PGN files as a source: read once, game by game, and sorted into parts on disk.

The games of a tournament may lie anywhere in a file of many gigabytes, and in several files. So the
tags of all games are read in one go, in bounded memory, and written beside the output, sorted by
the names of the tournaments: what begins alike is in one part. A part is made an archive when it is
asked for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import polars as pl

from tbframe.errors import SourceError
from tbframe.findings import concat_findings, no_findings
from tbframe.recalculation.disk import as_json, explained, load_json, remove, write_whole
from tbframe.recalculation.parts import Loaded
from tbframe.recalculation.spill import Spill
from tbframe.schema import QUARANTINE
from tbframe.sources.pgn.events import parts_of, words_of
from tbframe.sources.pgn.headers import GAMES, scan_files
from tbframe.sources.pgn.reader import Listed, archive_of_games, list_streams, without_games
from tbframe.sources.table_files import stamp_of

__all__ = ["PgnFiles"]

#: Of a file of games, for each of them; packed it is a fifth of that.
_BYTES_A_GAME: Final = 450
_PACKED: Final = 5
#: A name with more games stands for no tournament, and its games have no place in memory.
MOST_GAMES: Final = 1_000_000
_DONE: Final = "read.json"


class PgnFiles:
    """PGN files as a source of parts.

    Parameters
    ----------
    paths
        The files.
    findings
        What is told of the files beside them.
    beside
        Where the games are sorted.
    games_a_part
        About how many games a part has; the names of the tournaments decide how alike parts are.

    Raises
    ------
    SourceError
        If no game is in them.
    """

    def __init__(
        self, paths: Sequence[Path], findings: pl.DataFrame, *, beside: Path, games_a_part: int
    ) -> None:
        told = "\n".join(f"{path} {stamp_of(path)}" for path in paths)
        fingerprint = hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()
        self.described = {
            "kind": "pgn", "fingerprint": fingerprint, "games_a_part": games_a_part
        }  # fmt: skip
        listed = list_streams(paths)
        size = sum(stream.size * (_PACKED if stream.packed else 1) for stream in listed.streams)
        self._count = max(1, round(size / _BYTES_A_GAME / games_a_part))
        self._folder = beside / f"games-{fingerprint[:16]}-{games_a_part}"
        done = load_json(self._folder / _DONE)
        if done is None:
            done = self._read(listed)
        self._tournaments: list[int] = done["tournaments"]
        self._refused = pl.DataFrame(
            [*listed.refused, *done["refused"]], schema=QUARANTINE, orient="row"
        )
        self._too_large = [row[2] for row in done["refused"] if row[2] is not None]
        self._told = concat_findings(findings, listed.findings)

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return self._count

    @property
    def tournaments(self) -> list[int]:
        """How many names of tournaments each part has."""
        return self._tournaments

    def load(self, number: int) -> Loaded:
        """Make an archive of the games of one part; what concerns no game is told in the first."""
        spill, too_large = (
            Spill(self._folder / "games"),
            pl.Series(self._too_large, dtype=pl.String),
        )
        small = ~words_of().is_in(too_large.implode())
        archive = archive_of_games(spill.part(number, small if self._too_large else None))
        paths = sorted((self._folder / "findings").iterdir())[number :: self._count]
        told = [pl.read_parquet(path) for path in paths]
        if number == 0:
            told.insert(0, self._told)
            archive = replace(archive, quarantine=pl.concat([archive.quarantine, self._refused]))
        return Loaded(replace(archive, findings=concat_findings(*told, archive.findings)))

    def _read(self, listed: Listed) -> dict[str, Any]:
        """Read the tags of all games, and sort them into parts."""
        count = self._count
        names: dict[str, tuple[int, int, str]] = {}  # part, games, and the file of the first
        files: set[str] = set()
        damage = [no_findings()]

        def chunks() -> Iterator[pl.DataFrame]:
            for number, (games, found) in enumerate(scan_files(listed.streams)):
                if found.height:
                    found.write_parquet(self._folder / "findings" / f"{number:06d}.parquet")
                    damage.append(found.filter(code="file-damaged"))
                if games.height:
                    files.update(games["file"].unique())
                    each = parts_of(games, count).with_columns(games["file"])
                    each = each.group_by("words", "part").agg(pl.len(), pl.col("file").first())
                    for words, part, more, file in each.iter_rows():
                        _, before, first = names.get(words, (part, 0, file))
                        names[words] = (part, before + more, first)
                    yield games

        with explained(self._folder.parent):
            remove(self._folder)
            (self._folder / "findings").mkdir(parents=True)
            empty = pl.DataFrame(schema=GAMES)
            Spill.write(
                self._folder / "games", empty, chunks(),
                lambda games: (games, parts_of(games, count)["part"]),
            )  # fmt: skip
            refused = [
                *without_games(listed.streams, files, concat_findings(*damage)),
                *(
                    (file, None, words, "too-many-games", f"a name with {games:,} games: more than "
                     "any tournament has", 2 * games)
                    for words, (_, games, file) in names.items() if games > MOST_GAMES
                ),
            ]  # fmt: skip
            if not names:
                raise SourceError(str(refused[0][4]) if refused else "no game in the files")
            tournaments = [0] * count
            for part, _, _ in names.values():
                tournaments[part] += 1
            done: dict[str, Any] = {"tournaments": tournaments, "refused": refused}
            write_whole(self._folder / _DONE, as_json(done))
        return done
