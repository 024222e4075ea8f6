"""A finished dataset, to be read."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

import polars as pl

from tbframe.errors import SourceError
from tbframe.sources.manifests import PARTS, read_manifest

__all__ = ["Recalculation"]


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
        Versions, settings, totals, and the counts and checksums of each part.

    Raises
    ------
    SourceError
        If the folder holds no complete dataset.
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.folder = Path(folder)
        manifest = read_manifest(self.folder)
        if manifest is None:
            raise SourceError(f"{self.folder}: no dataset of recalc (there is no manifest.json)")
        if not manifest.get("complete"):
            raise SourceError(
                f"{self.folder}: the run is not complete; run it again with resume=True"
            )
        if manifest["settings"]["kind"] != "recalculation":
            raise SourceError(f"{self.folder}: a {manifest['settings']['kind']}, no recalculation")
        self.manifest: dict[str, Any] = manifest

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

    def _scan(self, name: str) -> pl.LazyFrame:
        # The parts of reports need not agree on the types of columns that are null throughout.
        return pl.scan_parquet(
            sorted(self.folder.glob(f"{PARTS}/[0-9]*/{name}.parquet")), glob=False
        )
