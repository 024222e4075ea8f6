"""Sources: readers and writers of tournament files. A source never computes a tie-break."""

from tbframe.sources.crosstable import read_crosstable, write_crosstable
from tbframe.sources.pgn import pgn_headers, read_pgn
from tbframe.sources.reading import Source, read
from tbframe.sources.tables import read_frames, write_frames
from tbframe.sources.trf import write_trf

__all__ = [
    "Source",
    "pgn_headers",
    "read",
    "read_crosstable",
    "read_frames",
    "read_pgn",
    "write_crosstable",
    "write_frames",
    "write_trf",
]
