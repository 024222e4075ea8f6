"""A user's table of declared values, brought to the keys of an archive."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.archive import Archive
from tbframe.contracts import breach
from tbframe.errors import TbframeError
from tbframe.intake.casting import cast_columns, unify_keys
from tbframe.intake.tables import Table, only_tournament, read_table
from tbframe.schema import ROW

__all__ = ["take_official"]

_NAME: Final = "official"
_KEY: Final = ["tournament", "player"]


def take_official(archive: Archive, table: Table, *, texts: bool = False) -> pl.DataFrame:
    """Bring a table of declared values into a frame.

    Parameters
    ----------
    archive
        What it is about.
    table
        ``player`` and columns of numbers; ``tournament``, unless the archive has only one.
    texts
        Whether columns may hold anything else too.

    Returns
    -------
    DataFrame
        ``tournament`` and ``player`` with the types of the archive, and the other columns.

    Raises
    ------
    ContractError
        If it is no table, its keys are of other types, or a player stands there twice.
    TbframeError
        If a column is missing, or holds no numbers.
    """
    frame = read_table(table, _NAME)
    if "tournament" not in frame.columns:
        frame = frame.with_columns(
            pl.lit(value).alias(key) for key, value in only_tournament(archive.tournaments).items()
        )
    for key in _KEY:
        if key not in frame.columns:
            raise TbframeError(f"{_NAME}: there is no column {key!r}")
    for column, dtype in frame.drop(_KEY).schema.items():
        if not (texts or dtype.is_numeric() or dtype == pl.Null()):
            raise TbframeError(f"{_NAME}: column {column!r} has type {dtype}, and no numbers")
    frame = cast_columns(frame, _NAME, dict.fromkeys(_KEY))
    unify_keys({_NAME: frame, "players": archive.players}, [(key,) for key in _KEY])
    twice = frame.filter(pl.struct(_KEY).is_duplicated())
    if twice.height:
        raise breach(_NAME, _KEY, "each player of a tournament stands there once",
                     twice.select(ROW, *_KEY))  # fmt: skip
    types = {key: archive.players.schema[key] for key in _KEY}
    return frame.drop(ROW).with_columns(pl.col(key).cast(dtype) for key, dtype in types.items())
