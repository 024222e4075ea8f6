"""What the tags of all games together say of players and tournaments."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.sources.pgn.events import first_day
from tbframe.sources.pgn.names import BYE, name_players

__all__ = ["about_players", "about_tournaments", "with_players"]

#: EventType, as ChessBase and others write it, where it says how players are paired.
_PAIRINGS: Final = (
    ("swiss", r"(?i)swiss|schweizer"),
    ("predetermined", r"(?i)^tourn|round.?robin|^rr$|scheveningen"),
)


def with_players(games: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Give everybody a key: ``white`` and ``black``, null for a bye."""
    sides = pl.concat(_side(games, color) for color in ("White", "Black"))
    keys, findings = name_players(sides.filter(~pl.col("name").str.contains(BYE)))
    for color in ("White", "Black"):
        mine = _side(games, color).select("tournament", "name", "id")
        key = mine.join(
            keys, on=["tournament", "name", "id"], how="left", nulls_equal=True,
            maintain_order="left",
        )  # fmt: skip
        games = games.with_columns(
            key["player"].alias(color.lower()), key["known_id"].alias(f"{color}Id")
        )
    return games, findings


def _side(games: pl.DataFrame, color: str) -> pl.DataFrame:
    fide = pl.col(f"{color}FideId").str.extract(r"^\s*0*([1-9]\d{3,})\s*$")
    return games.select("tournament", name=pl.col(color), id=fide)


def about_players(games: pl.DataFrame, team: bool) -> pl.DataFrame:
    """Tell of each player what the tags say most often."""
    rating = r"^\s*([1-9]\d{0,3})\s*$"
    sides = pl.concat(
        games.select(
            "tournament",
            player=color.lower(),
            title=pl.col(f"{color}Title").str.strip_chars().replace(["", "-", "?"], None),
            rating=pl.col(f"{color}Elo").str.extract(rating).cast(pl.Int32),
            id=f"{color}Id",
            team=f"{color}Team",
        )
        for color in ("White", "Black")
    ).filter(pl.col("player").is_not_null())
    facts = ["title", "rating", "id", "team"]
    usual = [pl.col(fact).drop_nulls().mode(maintain_order=True).first() for fact in facts]
    people = sides.group_by("tournament", "player", maintain_order=True).agg(
        *usual, ratings=pl.col("rating").drop_nulls().n_unique()
    )
    people = people.with_columns(name=pl.col("player").str.replace(r" \(\d{4,}\)$", ""))
    return (
        people
        if team
        else people.drop("team")
        if people["team"].null_count() == people.height
        else people
    )


def about_tournaments(games: pl.DataFrame) -> pl.DataFrame:
    """Tell what the tags say of each tournament."""
    kind = pl.col("type")
    pairing = pl.lit(None, pl.String)
    for name, pattern in reversed(_PAIRINGS):
        pairing = pl.when(kind.str.contains(pattern)).then(pl.lit(name)).otherwise(pairing)
    return (
        games.group_by("tournament", maintain_order=True)
        .agg(
            pl.col("Event").first().alias("name"),
            pl.col("Site").drop_nulls().first().alias("city"),
            pl.coalesce(first_day("EventDate"), first_day("Date")).min().alias("start"),
            pl.max_horizontal(first_day("Date"), first_day("EventDate")).max().alias("end"),
            pl.col("EventType").drop_nulls().first().alias("type"),
            pl.col("EventRounds").str.extract(r"^\s*([1-9]\d{0,2})\s*$").cast(pl.Int32).max()
            .alias("rounds"),
        )
        .with_columns(pairing=pairing, source=pl.lit("pgn"))
    )  # fmt: skip
