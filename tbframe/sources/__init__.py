"""Sources: readers and writers of tournament files. A source never computes a tie-break."""

from tbframe.sources.reading import Source, read
from tbframe.sources.tables import read_frames, write_frames
from tbframe.sources.trf import write_trf

__all__ = ["Source", "read", "read_frames", "write_frames", "write_trf"]
