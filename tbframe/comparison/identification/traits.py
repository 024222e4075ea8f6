"""What players have about them that may be why a value of theirs is another."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.archive import Archive

__all__ = ["TRAITS", "player_traits", "shared_traits"]

_KEY: Final = ["tournament", "player"]

#: Each trait as it is told: "5 of 5 misses ...".
TRAITS: Final = {
    "pab": "have a pairing-allocated bye",
    "half": "have a half-point bye",
    "full": "have a full-point bye",
    "absent": "were absent in a round",
    "won_by_forfeit": "won by forfeit",
    "lost_by_forfeit": "lost by forfeit",
    "late": "came after the first round",
    "withdrew": "left before the last round",
    "open": "have a result that is not known",
    "idle": "have no result at all",
    "unrated": "are unrated",
    "met_again": "met an opponent more than once",
    "opponent_unplayed": "have an opponent with an unplayed round",
    "opponent_pab": "have an opponent with a pairing-allocated bye",
    "opponent_forfeit": "have an opponent with a forfeit",
    "opponent_withdrew": "have an opponent who left before the last round",
    "opponent_late": "have an opponent who came after the first round",
    "opponent_unrated": "have an unrated opponent",
    "lost_last": "lost the last round",
}
_UNPLAYED: Final = ("+", "-", "F", "H", "U", "Z")
_AWAY: Final = ("-", "H", "Z")


def player_traits(archive: Archive) -> pl.DataFrame:
    """Look at every player of an archive.

    Returns
    -------
    DataFrame
        ``tournament``, ``player`` and a boolean column for each of `TRAITS`, in the rows of the
        archive's players.
    """
    own = _own(archive)
    names = [name for name in own.columns if name not in _KEY]
    met = archive.results.select(*_KEY, "opponent").drop_nulls("opponent")
    shared = ("unplayed", "pab", "forfeit", "withdrew", "late", "unrated")
    opponents = (
        met.join(
            own.select("tournament", pl.col("player").alias("opponent"), *names),
            on=["tournament", "opponent"],
        )
        .group_by(_KEY)
        .agg(pl.col(name).any().alias(f"opponent_{name}") for name in shared)
    )
    again = met.group_by(_KEY).agg(met_again=pl.col("opponent").is_duplicated().any())
    every = own
    for more in (opponents, again):
        every = every.join(more, on=_KEY, how="left", maintain_order="left")
    return every.select(*_KEY, pl.col(list(TRAITS)).fill_null(value=False))


def _own(archive: Archive) -> pl.DataFrame:
    last = pl.col("round").max().over("tournament")
    rows = archive.results.with_columns(result=pl.col("result").cast(pl.String), last=last)
    result, round_ = pl.col("result"), pl.col("round")
    played = ~result.is_in([*_AWAY, "*"])
    found = rows.group_by(_KEY).agg(
        pab=(result == "U").any(),
        half=(result == "H").any(),
        full=(result == "F").any(),
        absent=((result == "Z").any()) | (pl.len() < pl.col("last").first()),
        won_by_forfeit=(result == "+").any(),
        lost_by_forfeit=(result == "-").any(),
        late=(round_.filter(played).min() > 1).fill_null(value=True),
        withdrew=(round_.filter(played).max() < pl.col("last").first()).fill_null(value=True),
        open=(result == "*").any(),
        unplayed=result.is_in(_UNPLAYED).any() | (pl.len() < pl.col("last").first()),
        forfeit=result.is_in(["+", "-"]).any(),
        lost_last=((round_ == pl.col("last")) & result.is_in(["0", "L"])).any(),
    )
    return (
        archive.players.select(*_KEY, unrated=pl.col("rating").fill_null(0) == 0)
        .join(found, on=_KEY, how="left", maintain_order="left")
        .with_columns(idle=pl.col("absent").is_null())
        .with_columns(pl.exclude(_KEY).fill_null(value=False))
    )


def shared_traits(compared: pl.DataFrame, traits: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    """Hold the misses of each column against the other players.

    Parameters
    ----------
    compared
        ``by``, ``tournament``, ``player`` and ``match``, of columns that have misses.
    traits
        From `player_traits`.
    by
        What names a column.

    Returns
    -------
    DataFrame
        ``by``, ``trait`` (in words), ``misses_with`` it, ``misses``, ``others_with`` it and
        ``others``; the trait that sets the misses apart best first, those that none has left out.
    """
    miss = ~pl.col("match")
    return (
        compared.join(traits, on=_KEY, how="left")
        .unpivot(list(TRAITS), index=[*by, "match"], variable_name="trait", value_name="has")
        .group_by(*by, "trait")
        .agg(
            misses_with=(miss & pl.col("has")).sum(),
            misses=miss.sum(),
            others_with=(~miss & pl.col("has")).sum(),
            others=(~miss).sum(),
        )
        .filter(pl.col("misses_with") > 0)
        .with_columns(
            apart=pl.col("misses_with") / pl.col("misses")
            - (pl.col("others_with") / pl.col("others")).fill_nan(0)
        )
        .sort(*by, -pl.col("apart"), pl.col("trait").cast(pl.Enum(list(TRAITS))))
        .with_columns(pl.col("trait").replace_strict(TRAITS))
        .drop("apart")
    )
