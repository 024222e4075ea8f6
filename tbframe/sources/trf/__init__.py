"""Tournament report files: TRF06, TRF16, TRFx and TRF26 of individual events."""

from tbframe.sources.trf.reader import TrfFile, looks_like_trf, read_trf_files
from tbframe.sources.trf.writer import write_trf

__all__ = ["TrfFile", "looks_like_trf", "read_trf_files", "write_trf"]
