"""The bundle of frames that everything is asked of."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

__all__ = ["Archive"]


@dataclass(frozen=True)
class Archive:
    """Tournaments as tidy frames, with what was found and what was set aside on the way.

    Attributes
    ----------
    results
        One row per tournament, round and player (and game, where a player has several in
        a round), sorted by tournament, player, round, game; columns of `schema.RESULTS`
        first, then any others that came along. ``points`` is null only where the result is ``*``.
    players
        One row per tournament and player, sorted so; every player of `results` is there.
    tournaments
        One row per tournament, sorted.
    findings
        What was adjusted, assumed or contradicted, one row each (`schema.FINDINGS`).
    quarantine
        What was set aside whole, and why (`schema.QUARANTINE`).
    """

    results: pl.DataFrame
    players: pl.DataFrame
    tournaments: pl.DataFrame
    findings: pl.DataFrame
    quarantine: pl.DataFrame
