"""What the reader has to say about its files: findings, and files set aside whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from tbframe.findings import Severity, concat_findings, findings_from, no_quarantine

__all__ = ["Notes"]

#: Characters of a message.
_LONGEST: Final = 300

Places = NDArray[np.int64] | Sequence[int]


class Notes:
    """Findings and rejections of one batch of files, gathered while it is read.

    Parameters
    ----------
    paths, keys
        Path and tournament key of each file of the batch.
    """

    def __init__(self, paths: pl.Series, keys: pl.Series) -> None:
        self._paths = paths
        self._keys = keys
        self._findings: list[pl.DataFrame] = []
        self._rejections: list[pl.DataFrame] = []
        #: True for each file that is set aside.
        self.rejected: NDArray[np.bool_] = np.zeros(len(paths), dtype=bool)

    def find(
        self,
        code: str,
        severity: Severity,
        message: pl.Expr | str,
        *,
        file: Places,
        line: ArrayLike | None = None,
        round: ArrayLike | None = None,  # noqa: A002 - the field's word for it
        player: ArrayLike | None = None,
        **words: object,
    ) -> None:
        """Report one finding for each element of `file`.

        Parameters
        ----------
        code, severity, message
            As in `findings_from`.
        file
            Which file of the batch.
        line, round, player
            Where in it; a single value holds for all, and 0 says nowhere.
        words
            Further columns that the message may name.
        """
        if len(file):
            place = self._place(file, {"line": line, "round": round, "player": player, **words})
            self._findings.append(
                findings_from(place, code=code, severity=severity, message=_shortened(message))
            )

    def reject(
        self,
        code: str,
        message: pl.Expr | str,
        *,
        file: Places,
        line: ArrayLike | None = None,
        **words: object,
    ) -> None:
        """Set the files aside whole, each for the reason that stands first in it."""
        if len(file):
            place = self._place(file, {"line": line, **words})
            self._rejections.append(
                place.select("index", "line", code=pl.lit(code), message=_shortened(message))
            )
            self.rejected[place["index"].to_numpy()] = True

    def findings(self) -> pl.DataFrame:
        """Return the findings of the files that were not set aside."""
        kept = self._paths.filter(pl.Series(~self.rejected))
        return concat_findings(*self._findings).filter(pl.col("file").is_in(kept.implode()))

    def quarantine(self, rows: NDArray[np.int64]) -> pl.DataFrame:
        """Return the files set aside, given the number of result rows in each file."""
        if not self._rejections:
            return no_quarantine()
        more = (
            pl.when(pl.len() > 1)
            .then(pl.format(" (and {} more)", pl.len() - 1))
            .otherwise(pl.lit(""))
        )
        first = (
            pl.concat(self._rejections)
            .sort("index", "line", nulls_last=True, maintain_order=True)
            .group_by("index", maintain_order=True)
            .agg(
                pl.col("line", "code").first(),
                pl.concat_str(pl.col("message").first(), more).alias("message"),
            )
        )
        index = first["index"]
        return first.select(
            file=self._paths.gather(index),
            line="line",
            tournament=self._keys.gather(index),
            code="code",
            message="message",
            rows=pl.Series(rows[index.to_numpy()], dtype=pl.Int64),
        )

    def _place(self, file: Places, columns: Mapping[str, object]) -> pl.DataFrame:
        index = np.asarray(file, dtype=np.int64)
        place = pl.DataFrame({"index": index}).with_columns(
            file=self._paths.gather(index), tournament=self._keys.gather(index)
        )
        given = {name: value for name, value in columns.items() if value is not None}
        place = place.with_columns(
            (
                pl.Series(name, value)
                if isinstance(value, np.ndarray | pl.Series)
                else pl.lit(value).alias(name)
            )
            for name, value in given.items()
        )
        if "line" not in given:
            place = place.with_columns(line=pl.lit(None))
        return place.with_columns(
            pl.when(pl.col(name) != 0).then(pl.col(name)).cast(dtype)
            for name, dtype in (
                ("line", pl.Int32),
                ("round", pl.Int32),
                ("player", pl.Int64),
            )
            if name in place.columns
        )


def _shortened(message: pl.Expr | str) -> pl.Expr:
    """Cut a message short that quotes a line without end."""
    said = (pl.lit(message) if isinstance(message, str) else message).cast(pl.String)
    short = said.str.head(_LONGEST - 3) + "..."
    return pl.when(said.str.len_chars() > _LONGEST).then(short).otherwise(said)
