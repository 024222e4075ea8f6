"""Sources: readers and writers of tournament files. A source never computes a tie-break."""

from tbframe.sources.crosstable import read_crosstable, write_crosstable
from tbframe.sources.reading import Source, read
from tbframe.sources.tables import read_frames, write_frames
from tbframe.sources.trf import write_trf

__all__ = [
    "Source",
    "read",
    "read_crosstable",
    "read_frames",
    "write_crosstable",
    "write_frames",
    "write_trf",
]
