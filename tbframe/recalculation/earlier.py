"""An earlier dataset whose values are taken over where nothing has changed."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import polars as pl

from tbframe.errors import SourceError
from tbframe.sources.manifests import PARTS, read_manifest

__all__ = ["Earlier"]


class Earlier:
    """A finished dataset.

    Parameters
    ----------
    folder
        Where it is.

    Raises
    ------
    SourceError
        If there is no finished dataset.
    """

    def __init__(self, folder: Path) -> None:
        manifest = read_manifest(folder)
        if manifest is None or not manifest.get("complete"):
            raise SourceError(
                f"{folder}: there is no finished dataset whose values could be taken over; "
                "run without changed_only first"
            )
        self.folder = folder
        self.order: str = manifest["settings"]["order"]

    @cached_property
    def _hashes(self) -> pl.DataFrame:
        """``tournament``, ``hash`` and the number of the ``part`` of all tournaments."""
        parts = sorted((self.folder / PARTS).glob("[0-9]*"))
        frames = [
            pl.read_parquet(path / "tournaments.parquet", columns=["tournament", "hash"])
            .with_columns(part=pl.lit(path.name))
            for path in parts
        ]  # fmt: skip
        return pl.concat(frames)

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
        """
        keys = about.select("tournament", "hash").join(
            self._hashes, on=["tournament", "hash"], how="left"
        )
        parts = keys["part"].unique().sort().to_list()
        texts = keys["tournament"].cast(pl.String)
        taken = {}
        for name, wanted in (("standings", keys["tournament"]), ("findings", texts)):
            among = pl.col("tournament").is_in(wanted.implode())
            paths = [self.folder / PARTS / part / f"{name}.parquet" for part in parts]
            frames = [pl.scan_parquet(path).filter(among).collect() for path in paths]
            taken[name] = pl.concat(frames) if frames else pl.DataFrame()
        return taken
