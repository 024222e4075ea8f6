"""Tournament report files as a source, so many in a part as have about as many games."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Final

import polars as pl

from tbframe.errors import SourceError
from tbframe.findings import Severity, concat_findings, findings_from
from tbframe.recalculation.disk import DiskError
from tbframe.recalculation.parts import Loaded
from tbframe.sources.names import as_text
from tbframe.sources.reading import Source, is_report, list_files, read_reports, unique_keys

__all__ = ["Reports"]

#: Of a report file, for each game.
_BYTES_A_GAME: Final = 45
_TABLES: Final = (".parquet", ".csv")


class Reports:
    """The report files of a folder as a source of parts, in the order of their paths.

    Parameters
    ----------
    source
        What `tbframe.read` takes. Tables among the files are passed over, with a warning.
    games_a_part
        About how many games a part has at most.

    Raises
    ------
    SourceError
        If the source does not exist, or leads to no report file.
    """

    def __init__(self, source: Source, *, games_a_part: int) -> None:
        listed = list_files(source)
        reports = [path for path, _ in listed if is_report(path)]
        if not reports:
            raise SourceError(
                f"nothing to recalculate in {source}: no tournament report files "
                "(.trf, .trfx, .tab, .txt), and not the Parquet files of one dataset"
            )
        self._names, renamed = unique_keys(reports)
        stats = [(str(path), path.stat()) for path in reports]
        sizes = pl.Series([stat.st_size for _, stat in stats])
        before = sizes.cum_sum() - sizes
        parts = (before // (games_a_part * _BYTES_A_GAME)).rle().struct.field("len").to_list()
        starts = [sum(parts[:place]) for place in range(len(parts))]
        self._parts = [
            reports[start : start + files] for start, files in zip(starts, parts, strict=True)
        ]
        told = "\n".join(f"{path} {stat.st_size} {stat.st_mtime_ns}" for path, stat in stats)
        self.described = {
            "kind": "reports",
            "fingerprint": hashlib.sha256(told.encode()).hexdigest(),
            "games_a_part": games_a_part,
        }
        others = [path for path, _ in listed if path not in self._names]
        self._apart = concat_findings(renamed, *(_passed_over(path) for path in others))

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return len(self._parts)

    @property
    def tournaments(self) -> list[int]:
        """How many files each part has."""
        return [len(paths) for paths in self._parts]

    def load(self, number: int) -> Loaded:
        """Read the files of one part; those that cannot be trusted are in the quarantine.

        Raises
        ------
        DiskError
            If a file is no longer there: then the source is not what it was.
        """
        paths = self._parts[number]
        for path in paths:
            if not path.exists():
                raise DiskError(f"{path}: was there at the start and is gone")
        archive = read_reports(paths, self._names)
        about = {as_text(path) for path in paths}
        mine = pl.col("file").is_in(list(about))
        # What concerns no part's files is told in the first.
        others = ~pl.col("file").is_in([as_text(path) for path in self._names])
        told = self._apart.filter(mine | (others & pl.lit(number == 0)))
        return Loaded(replace(archive, findings=concat_findings(archive.findings, told)))


def _passed_over(path: Path) -> pl.DataFrame:
    table = path.suffix.lower() in _TABLES
    severity: Severity = "warning" if table else "info"
    reason = "a table among report files" if table else "not a kind of file that could be read"
    return findings_from(
        pl.DataFrame({"file": [as_text(path)]}),
        code="file-passed-over",
        severity=severity,
        message=reason,
    )
