"""Crosstables: one row for each player and one column for each round, as web pages show them."""

from tbframe.sources.crosstable.opening import looks_like_crosstable
from tbframe.sources.crosstable.reader import read_crosstable, read_file
from tbframe.sources.crosstable.writing import CrosstableFormat, write_crosstable

__all__ = [
    "CrosstableFormat",
    "looks_like_crosstable",
    "read_crosstable",
    "read_file",
    "write_crosstable",
]
