"""Rows of one table sorted into parts on disk, so that no more than a part is held at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from os import cpu_count
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl
import pyarrow as pa

from tbframe.recalculation.disk import as_json, explained, load_json, write_whole

__all__ = ["Spill"]

_INDEX: Final = "index.json"
_EMPTY: Final = "empty.arrow"
_OPTIONS: Final = pa.ipc.IpcWriteOptions(compression="lz4")
#: Arrow's older text: slices of the newer one are written with all of the text.
_COMPAT: Final = pl.CompatLevel.oldest()


class Spill:
    """A table in parts, as `Spill.write` left it in a folder.

    A chunk of the table is one Arrow file with a record batch for each part that it has rows of.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        index = load_json(folder / _INDEX) or {}
        self._chunks: list[dict[str, int]] = index["chunks"]
        self._schema = pl.Schema(pl.read_ipc_schema(folder / _EMPTY))

    @staticmethod
    def is_complete(folder: Path) -> bool:
        """Whether all of the table was written."""
        return (folder / _INDEX).is_file()

    @staticmethod
    def write(
        folder: Path,
        empty: pl.DataFrame,
        chunks: Iterable[pl.DataFrame],
        number: Callable[[pl.DataFrame], tuple[pl.DataFrame, pl.Series]],
    ) -> None:
        """Write a table.

        Parameters
        ----------
        folder
            Where; made here.
        empty
            The table without rows.
        chunks
            The table piece by piece.
        number
            Gives what is written of a piece, and the number of the part of each row.
        """
        with explained(folder), ThreadPoolExecutor(cpu_count() or 1) as pool:
            folder.mkdir(parents=True, exist_ok=True)
            empty.write_ipc(folder / _EMPTY)
            written: list[dict[str, int]] = []
            at_work: deque[Future[dict[str, int]]] = deque()

            def run(chunk: pl.DataFrame, path: Path) -> dict[str, int]:
                return _write_chunk(path, *number(chunk))

            for place, chunk in enumerate(chunks):
                at_work.append(pool.submit(run, chunk, folder / _name(place)))
                if len(at_work) > (cpu_count() or 1):  # no more chunks in memory than that
                    written.append(at_work.popleft().result())
            written += [future.result() for future in at_work]
            write_whole(folder / _INDEX, as_json({"chunks": written}))

    def part(self, number: int, where: pl.Expr | None = None) -> pl.DataFrame:
        """Read the rows of a part, in the order in which they were written.

        Parameters
        ----------
        number
            Of the part.
        where
            Which of its rows; by default all.
        """
        batches = []
        for chunk, places in enumerate(self._chunks):
            place = places.get(str(number))
            if place is not None:
                with (
                    pa.OSFile(str(self._folder / _name(chunk))) as file,
                    pa.ipc.open_file(file) as reader,
                ):
                    batches.append(reader.get_batch(place))
        if not batches:
            return self._schema.to_frame()
        frames: list[Any] = [pl.from_arrow(batch) for batch in batches]
        if where is not None:
            frames = [frame.filter(where) for frame in frames]
        together: pl.DataFrame = pl.concat(frames, how="vertical_relaxed")
        return together.cast(dict(self._schema))  # type: ignore[arg-type]


def _write_chunk(path: Path, frame: pl.DataFrame, part: pl.Series) -> dict[str, int]:
    """Write the rows of each part together; return the place of each part in the file."""
    # Stable, so that rows with equal keys stay in the order that the table has. Small numbers
    # are sorted several times as fast.
    small = part.to_numpy()
    small = small.astype(np.uint16 if small.max(initial=0) < 2**16 else np.uint32)
    order = np.argsort(small, kind="stable")
    numbers = small[order]
    table = _narrow(frame)[order].to_arrow(compat_level=_COMPAT)
    starts = np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1]))
    stops = np.append(starts[1:], len(numbers))
    with (
        pa.OSFile(str(path), "wb") as sink,
        pa.ipc.new_file(sink, table.schema, options=_OPTIONS) as writer,
    ):
        for start, stop in zip(starts, stops, strict=True):
            piece = table.slice(start, stop - start).combine_chunks()
            writer.write_batch(piece.to_batches()[0])
    return {str(number): place for place, number in enumerate(numbers[starts].tolist())}


def _narrow(frame: pl.DataFrame) -> pl.DataFrame:
    """Keep whole numbers in as few bytes as they need: half of the work is moving them."""
    return frame.with_columns(
        column.shrink_dtype() for column in frame.iter_columns() if column.dtype.is_integer()
    )


def _name(chunk: int) -> str:
    return f"chunk-{chunk:05d}.arrow"
