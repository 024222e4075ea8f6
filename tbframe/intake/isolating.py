"""Keeping what is wrong with one tournament from stopping the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import polars as pl

from tbframe.errors import SourceError, TbframeError
from tbframe.schema import QUARANTINE

__all__ = ["isolate", "quarantined"]

_Made = TypeVar("_Made")


def isolate(
    keys: pl.Series, attempt: Callable[[pl.Series], _Made]
) -> tuple[list[_Made], list[tuple[object, Exception]]]:
    """Do something with all tournaments together, and find those with which it cannot be done.

    What fails is tried again in halves, so a bad tournament among a thousand costs some
    twenty attempts, and none where all are well.

    Parameters
    ----------
    keys
        Of the tournaments.
    attempt
        What to do with some of them.

    Returns
    -------
    made, failed
        What came of the attempts, in the order of `keys`, and the key and the error of each
        tournament that fails even alone.

    Raises
    ------
    MemoryError, OSError, SourceError
        What the machine or a file has to answer for, and no tournament.
    """
    try:
        return [attempt(keys)], []
    except (MemoryError, OSError, SourceError):
        raise
    except Exception as error:  # also what nobody foresaw: it concerns these tournaments alone
        if len(keys) <= 1:
            return [], [(keys[0] if len(keys) else None, error)]
    half = len(keys) // 2
    made, failed = isolate(keys[:half], attempt)
    more_made, more_failed = isolate(keys[half:], attempt)
    return made + more_made, failed + more_failed


def quarantined(failed: list[tuple[object, Exception]], rows: pl.DataFrame) -> pl.DataFrame:
    """Write the quarantine of tournaments that failed.

    Parameters
    ----------
    failed
        Their keys and errors.
    rows
        ``tournament`` (text) and ``rows``.
    """
    entries = [
        (
            str(key),
            "contract-broken" if isinstance(error, TbframeError) else "not-computable",
            str(error) if isinstance(error, TbframeError) else f"{type(error).__name__}: {error}",
        )
        for key, error in failed
    ]
    told = pl.DataFrame(entries, ["tournament", "code", "message"], orient="row", strict=False)
    told = told.cast(pl.String).join(rows, on="tournament", how="left", maintain_order="left")
    return told.select(
        (pl.col(name) if name in told.columns else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in QUARANTINE.items()
    )
