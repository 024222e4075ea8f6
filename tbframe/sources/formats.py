"""The formats that are known by their content, in the order in which they are asked.

A format says of the beginning of a file whether it is its own, and reads the file.
Tournament reports, tables and databases are known in other ways: see `reading`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tbframe.archive import Archive
from tbframe.sources.crosstable import looks_like_crosstable, read_file
from tbframe.sources.gathering import Gathered, Refused
from tbframe.sources.h9 import looks_like_h9, read_h9
from tbframe.sources.lichess import looks_like_lichess, read_lichess
from tbframe.sources.matches import looks_like_matches, read_matches
from tbframe.sources.opengotha import looks_like_opengotha, read_opengotha
from tbframe.sources.pgn import looks_like_pgn, read_pgn_files
from tbframe.sources.tdf import looks_like_tdf, read_tdf

__all__ = ["FORMATS", "PGN", "Format", "format_of"]


@dataclass(frozen=True)
class Format:
    """A kind of file.

    Attributes
    ----------
    name
        What findings call it.
    looks_like
        Tells by the beginning of a file (unpacked, 64 KB at most) and by its path.
    read
        Takes a file apart. Its tournament is called by the name of the file without the ending;
        what cannot be read raises `UnreadableError`.
    together
        Makes one archive of several files, where the games of a tournament may be spread over
        them: `read` is then for a file alone. What cannot be read is in the quarantine.
    several
        Whether a file may have several tournaments, which then have names of their own.
    """

    name: str
    looks_like: Callable[[bytes, Path], bool]
    read: Callable[[Path], Archive | Sequence[Gathered | Refused]]
    together: Callable[[Sequence[Path]], Archive] | None = None
    several: bool = False

    @property
    def is_spread(self) -> bool:
        """Whether a file need not be one tournament."""
        return self.several or self.together is not None


PGN: Final = Format(
    "PGN", looks_like_pgn, lambda path: read_pgn_files([path]), together=read_pgn_files
)
FORMATS: Final[tuple[Format, ...]] = (
    PGN,
    Format("Go results (h9)", looks_like_h9, read_h9),
    Format("an OpenGotha tournament (XML)", looks_like_opengotha, read_opengotha),
    Format("a Pokémon tournament of TOM (.tdf)", looks_like_tdf, read_tdf, several=True),
    Format("results of a Lichess Swiss (NDJSON)", looks_like_lichess, read_lichess),
    Format("matches of a card game", looks_like_matches, read_matches, several=True),
    Format("a crosstable", looks_like_crosstable, read_file),
)


def format_of(head: bytes, path: Path) -> Format | None:
    """Return the first format that knows a file for its own."""
    return next((known for known in FORMATS if known.looks_like(head, path)), None)
