"""A finished dataset, to be read."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any, Final

import polars as pl

from tbframe.errors import SourceError
from tbframe.recalculation.integrity import faults, told
from tbframe.sources.manifests import MANIFEST, PARTS, RECALCULATION, read_manifest

__all__ = ["Recalculation"]

_MEND: Final = (
    "run recalc again with resume=True, from the same source, to have these parts computed again"
)


class Recalculation:
    """What `recalc` wrote: lazy frames over all parts, and the manifest.

    Parameters
    ----------
    folder
        The output folder of a complete run.

    Attributes
    ----------
    folder
        The folder.
    manifest
        Versions, settings, totals, notes, and the counts and checksums of each part.

    Raises
    ------
    SourceError
        If the folder holds no complete dataset, or files of it are missing, of another size
        than they were written with, or in a part that does not belong to it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import tbframe as tb
    >>> with TemporaryDirectory() as folder:
    ...     _ = tb.recalc("data/trf", f"{folder}/out", "PTS BH")
    ...     done = tb.Recalculation(f"{folder}/out")
    ...     done.verify()
    ...     first = done.standings.filter(rank=1).collect()
    >>> first.height, first["tournament"].n_unique()  # who shares a first rank is all there
    (11, 7)
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.folder = Path(folder)
        manifest = read_manifest(self.folder)
        if manifest is None:
            raise SourceError(f"{self.folder}: no dataset of recalc (it has no {MANIFEST} of one)")
        if manifest["settings"]["kind"] != RECALCULATION:
            raise SourceError(f"{self.folder}: a {manifest['settings']['kind']}, no recalculation")
        if not manifest["complete"]:
            raise SourceError(
                f"{self.folder}: the run is not complete; run it again with resume=True"
            )
        self.manifest: dict[str, Any] = manifest
        self._insist_on_whole(checksums=False)

    def verify(self) -> None:
        """Read all files through, and compare their checksums with those of the manifest.

        Raises
        ------
        SourceError
            If a file is not as it was written; the message names it.
        """
        self._insist_on_whole(checksums=True)

    @property
    def standings(self) -> pl.LazyFrame:
        """As of `Archive.standings`, in the order of the parts."""
        return self._scan("standings")

    @property
    def tournaments(self) -> pl.LazyFrame:
        """Each tournament: what it is, its counts, edition and content hash."""
        return self._scan("tournaments")

    @property
    def findings(self) -> pl.LazyFrame:
        """What was adjusted, assumed or contradicted (`schema.FINDINGS`)."""
        return self._scan("findings")

    @property
    def quarantine(self) -> pl.LazyFrame:
        """What was set aside, and why (`schema.QUARANTINE`)."""
        return self._scan("quarantine")

    def __repr__(self) -> str:
        """Say in one line what is there."""
        totals = self.manifest["totals"]
        return (
            f"Recalculation({str(self.folder)!r}: {totals['tournaments']:,} tournaments, "
            f"{totals['players']:,} players, {sum(totals['findings'].values()):,} findings, "
            f"{totals['quarantined']:,} quarantined)"
        )

    @property
    def _parts(self) -> list[Path]:
        """The folders of the parts."""
        return [self.folder / PARTS / name for name in sorted(self.manifest["parts"])]

    def _insist_on_whole(self, *, checksums: bool) -> None:
        wrong = faults(self.folder / PARTS, self.manifest["parts"], checksums=checksums)
        if wrong:
            raise SourceError(f"{self.folder}: not as it was written ({told(wrong)}); {_MEND}")

    def _scan(self, name: str) -> pl.LazyFrame:
        # The parts of reports need not agree on the types of columns that are null throughout.
        return pl.scan_parquet([part / f"{name}.parquet" for part in self._parts], glob=False)
