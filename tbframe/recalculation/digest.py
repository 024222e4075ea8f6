"""What a tournament holds, as one short text that changes with any of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.archive import Archive
from tbframe.ledger.block import Ints
from tbframe.ledger.numbers import positions
from tbframe.schema import BOARDS, FINDINGS, MEMBERS, PLAYERS, TOURNAMENTS

__all__ = ["contents", "digests", "with_rules"]

#: Bytes: among all tournaments ever played no two different ones will meet.
_SIZE: Final = 16
#: The columns that every frame has; results are numbered.
_COLUMNS: Final = {
    "tournaments": tuple(TOURNAMENTS),
    "players": tuple(PLAYERS),
    "results": ("player_row", "opponent_row", "round", "color", "result", "points"),
    "boards": tuple(BOARDS),
    "members": tuple(MEMBERS),
    "findings": tuple(FINDINGS),
}


@dataclass(frozen=True)
class _Rows:
    """Rows as bytes: those of tournament `i` from ``first[i]`` up to ``first[i + 1]``."""

    name: bytes
    data: memoryview
    first: Ints
    present: list[bool]  # whether a tournament has anything here


def digests(archive: Archive, numbered: pl.DataFrame, rules: pl.Series) -> pl.Series:
    """Return the content hash of every tournament under its rules.

    Parameters
    ----------
    archive
        Canonical frames, so that the order in which rows came plays no part.
    numbered
        Its results with rows of the players in the place of keys (`numbering.number`).
    rules
        What else the values rest on: a text for each tournament.

    Returns
    -------
    Series
        32 hexadecimal digits for each row of `Archive.tournaments`. They change when a row of
        the tournament in any frame, what was found in reading it, or its rules change; and
        with nothing else.
    """
    return with_rules(contents(archive, numbered), rules)


def with_rules(content: pl.Series, rules: pl.Series) -> pl.Series:
    """Hash contents together with the rules that values rest on besides."""
    made = [
        blake2b(f"{each} {rule}".encode(), digest_size=_SIZE).hexdigest()
        for each, rule in zip(content, rules, strict=True)
    ]
    return pl.Series("hash", made, dtype=pl.String)


def contents(archive: Archive, numbered: pl.DataFrame) -> pl.Series:
    """Return the hash of what every tournament holds, as of `digests` but for the rules."""
    keys = archive.tournaments["tournament"]
    owner = positions(archive.players.select("tournament"), keys.to_frame())
    parts = list(_results(numbered, owner, len(keys)))
    for name, frame in (
        ("tournaments", archive.tournaments),
        ("players", archive.players),
        ("boards", archive.boards),
        ("members", archive.members),
    ):
        if frame is not None:
            at = positions(frame.select("tournament"), keys.to_frame())
            parts += _by_tournament(name, frame, np.bincount(at, minlength=len(keys)))
    told = archive.findings.filter(pl.col("tournament").is_in(keys.cast(pl.String).implode()))
    if told.height:
        told = told.sort(pl.all())
        at = positions(told.select("tournament"), keys.cast(pl.String).to_frame())
        counts = np.bincount(at, minlength=len(keys))
        parts += _by_tournament("findings", told[np.argsort(at, kind="stable")], counts)
    made = []
    # A loop over tournaments, but of calls that hash thousands of bytes each.
    for number in range(len(keys)):
        digest = blake2b(digest_size=_SIZE)
        for part in parts:
            if part.present[number]:
                digest.update(part.name)
                digest.update(part.data[part.first[number] : part.first[number + 1]])
        made.append(digest.hexdigest())
    return pl.Series("content", made, dtype=pl.String)


def _results(numbered: pl.DataFrame, owner: Ints, tournaments: int) -> Iterator[_Rows]:
    """Give the result rows; players count from the first of their tournament on."""
    at = owner[numbered["player_row"].to_numpy()]
    size = np.bincount(owner, minlength=tournaments)
    start = pl.Series((np.cumsum(size) - size)[at], dtype=pl.Int32)
    within = numbered.with_columns(
        pl.col("player_row") - start,
        pl.col("opponent_row") - start,
        pl.col("color").cast(pl.Enum(["w", "b"])),
    )
    counts = np.bincount(at, minlength=tournaments)
    first, present = np.append(0, np.cumsum(counts)), list(counts > 0)
    for column in _COLUMNS["results"]:  # one by one as they lie in memory: the table is long
        yield from _packed(f"results.{column}", within.select(column), first, present)
    yield from _others("results", within, first)


def _by_tournament(name: str, frame: pl.DataFrame, counts: Ints) -> Iterator[_Rows]:
    """Give the usual columns together, and every other one that a tournament has by itself.

    Which other columns a frame has depends on the tournaments that it was read with.
    """
    first = np.append(0, np.cumsum(counts))
    yield from _packed(name, frame.select(_COLUMNS[name]), first, list(counts > 0))
    yield from _others(name, frame, first)


def _others(name: str, frame: pl.DataFrame, first: Ints) -> Iterator[_Rows]:
    """Give the columns that not every frame has."""
    if "game" in frame.columns:  # where nobody has several games in a round, it is not there
        frame = frame.with_columns(pl.col("game").replace(1, None))
    for column in frame.columns:
        if column not in _COLUMNS[name]:
            filled = np.append(0, np.cumsum(frame[column].is_not_null().to_numpy()))[first]
            present = list(np.diff(filled) > 0)
            yield from _packed(f"{name}.{column}", frame.select(column), first, present)


def _packed(name: str, frame: pl.DataFrame, first: Ints, present: list[bool]) -> Iterator[_Rows]:
    """Give the columns as bytes: numbers and the lengths of texts, then the texts."""
    numbers = frame.select(
        # Lengths keep "ab", "c" apart from "a", "bc"; -1 is no text at all.
        pl.col(column).str.len_bytes().cast(pl.Int32).fill_null(-1)
        if dtype == pl.String
        else _as_number(column, dtype)
        for column, dtype in frame.schema.items()
    )
    fields = [(column, series.to_numpy()) for column, series in numbers.to_dict().items()]
    rows = np.empty(frame.height, dtype=[(column, values.dtype) for column, values in fields])
    for column, values in fields:
        rows[column] = values
    yield _Rows(name.encode(), _bytes(rows), first * rows.itemsize, present)
    if pl.String in frame.dtypes:
        texts = frame.select(pl.concat_str(pl.col(pl.String), ignore_nulls=True)).to_series()
        ends = np.append(0, np.cumsum(texts.str.len_bytes().cast(pl.Int64).to_numpy()))
        yield _Rows(b"", memoryview(texts.str.join("")[0].encode()), ends[first], present)


def _bytes(rows: NDArray[np.void]) -> memoryview:
    return memoryview(rows.view(np.uint8).data) if rows.size else memoryview(b"")


def _as_number(name: str, dtype: pl.DataType) -> pl.Expr:
    """Return a column of numbers, dates or codes as plain numbers; null as none of its values."""
    column = pl.col(name)
    if isinstance(dtype, pl.Enum):
        return column.to_physical().cast(pl.Int16).fill_null(-1)
    if dtype in (pl.Int32, pl.Date, pl.Boolean):
        return column.to_physical().cast(pl.Int32).fill_null(np.iinfo(np.int32).min)
    if dtype.is_float():
        return column.cast(pl.Float64).fill_null(np.nan) + 0.0  # -0.0 is 0.0
    column = column.hash() if dtype.is_nested() else column.to_physical()
    return column.cast(pl.Int64, wrap_numerical=True).fill_null(np.iinfo(np.int64).min)
