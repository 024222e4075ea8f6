"""Go results as the European Go Federation takes them: files called h9."""

from tbframe.sources.h9.reader import looks_like_h9, read_h9

__all__ = ["looks_like_h9", "read_h9"]
