"""An earlier dataset whose values are taken over where nothing has changed."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import polars as pl
from polars.exceptions import PolarsError

from tbframe.errors import SourceError
from tbframe.recalculation.disk import DiskError
from tbframe.recalculation.integrity import Fault, faults
from tbframe.sources.manifests import PARTS, read_manifest

__all__ = ["Earlier"]


class Earlier:
    """A finished dataset. Of a part with a file that is not as it was written, nothing is taken.

    Parameters
    ----------
    folder
        Where it is.

    Attributes
    ----------
    faults
        What is not as it was written.

    Raises
    ------
    SourceError
        If there is no finished dataset.
    """

    def __init__(self, folder: Path) -> None:
        manifest = read_manifest(folder)
        if manifest is None or not manifest["complete"]:
            raise SourceError(
                f"{folder}: there is no finished dataset whose values could be taken over; "
                "run without changed_only first"
            )
        self._parts = folder / PARTS
        self.faults: list[Fault] = faults(self._parts, manifest["parts"], checksums=True)
        damaged = {fault.part for fault in self.faults}
        self._names = [name for name in sorted(manifest["parts"]) if name not in damaged]

    @cached_property
    def _hashes(self) -> pl.DataFrame:
        """``tournament``, ``hash`` and the name of the ``part`` of all tournaments."""
        columns = ["tournament", "hash"]
        frames = [
            self._read(name, "tournaments").select(*columns, part=pl.lit(name))
            for name in self._names
        ]
        return pl.concat(frames) if frames else pl.DataFrame(schema=[*columns, "part"])

    def knows(self, about: pl.DataFrame) -> pl.Series:
        """Tell which tournaments are there under the same hash."""
        if self._hashes.schema["tournament"] != about.schema["tournament"]:
            return pl.repeat(value=False, n=about.height, eager=True)
        return about.join(
            self._hashes, on=["tournament", "hash"], how="left", maintain_order="left"
        )["part"].is_not_null()

    def take(self, about: pl.DataFrame) -> dict[str, pl.DataFrame]:
        """Return the standings and findings of tournaments that are there under the same hash.

        Parameters
        ----------
        about
            ``tournament`` and ``hash``.

        Raises
        ------
        DiskError
            If a part has changed since it was looked at.
        """
        keys = about.select("tournament", "hash").join(
            self._hashes, on=["tournament", "hash"], how="left"
        )
        parts = keys["part"].unique().sort().to_list()
        texts = keys["tournament"].cast(pl.String)
        taken = {}
        for name, wanted in (("standings", keys["tournament"]), ("findings", texts)):
            among = pl.col("tournament").is_in(wanted.implode())
            frames = [self._read(part, name).filter(among) for part in parts]
            taken[name] = pl.concat(frames) if frames else pl.DataFrame()
        return taken

    def _read(self, part: str, name: str) -> pl.DataFrame:
        path = self._parts / part / f"{name}.parquet"
        try:
            return pl.read_parquet(path)
        except (OSError, PolarsError) as error:
            raise DiskError(f"{path}: cannot be read any more ({error})") from error
