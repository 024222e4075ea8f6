"""Frames of events that were played, in canonical order and types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from tbframe.archive import Archive
from tbframe.findings import no_findings
from tbframe.intake.completing import add_columns
from tbframe.research.simulation.codes import WORTH
from tbframe.research.simulation.playing import Played
from tbframe.research.simulation.seeds import Floats
from tbframe.schema import PLAYERS, QUARANTINE, RESULTS, TOURNAMENTS, ResultCode

__all__ = ["Made", "as_archive", "frames_of"]

_COLOURS: Final = {1: "w", -1: "b", 0: None}


@dataclass(frozen=True)
class Made:
    """The frames of a batch of events."""

    results: pl.DataFrame
    players: pl.DataFrame
    tournaments: pl.DataFrame


def frames_of(first: int, played: Played, rating: Floats, strength: Floats) -> Made:
    """Make the frames of a batch.

    Parameters
    ----------
    first
        The number of the first event, from 0.
    played
        What was played.
    rating, strength
        By event and player; an unrated player's is NaN.
    """
    count, rounds, players = played.code.shape
    keys = np.arange(first + 1, first + count + 1)
    numbers = np.arange(1, players + 1)
    opponent, colour, code = (
        np.ascontiguousarray(values.swapaxes(1, 2)).ravel()
        for values in (played.opponent, played.colour, played.code)
    )
    results = pl.DataFrame(
        {
            "tournament": np.repeat(keys, players * rounds),
            "round": np.tile(np.arange(1, rounds + 1, dtype=np.int32), count * players),
            "player": np.tile(np.repeat(numbers, rounds), count),
            "opponent": opponent + 1,
            "color": colour,
            "result": code,
            "points": WORTH[code] / 2,
        }
    )
    results = results.filter(results["result"] >= 0).with_columns(
        pl.when(pl.col("opponent") > 0).then("opponent"),
        pl.col("color").replace_strict(_COLOURS, return_dtype=pl.String),
        pl.col("result").cast(pl.UInt8).cat.to(ResultCode),
    )
    whose = {"tournament": np.repeat(keys, players), "player": np.tile(numbers, count)}
    ratings = pl.Series("rating", rating.ravel()).fill_nan(None).cast(pl.Int32)
    strengths = pl.Series("strength", strength.ravel())
    return Made(
        results.select(*RESULTS),
        pl.DataFrame(whose).with_columns(ratings, strengths),
        pl.DataFrame({"tournament": keys}).with_columns(rounds=pl.lit(rounds, pl.Int32)),
    )


def as_archive(made: list[Made], *, pairing: str, edition: str) -> Archive:
    """Put batches together.

    Parameters
    ----------
    made
        The batches, in order.
    pairing
        ``"swiss"`` or ``"predetermined"``.
    edition
        The text under which they are played.
    """
    results = pl.concat([each.results for each in made])
    players = pl.concat([each.players for each in made])
    tournaments = pl.concat([each.tournaments for each in made]).with_columns(
        kind=pl.lit("individual"), pairing=pl.lit(pairing), edition=pl.lit(edition)
    )
    return Archive(
        results.rechunk(),
        add_columns(players, PLAYERS).rechunk(),
        add_columns(tournaments, TOURNAMENTS).rechunk(),
        no_findings(),
        pl.DataFrame(schema=QUARANTINE),
    )
