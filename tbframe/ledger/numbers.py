"""Every key and every value of the result rows as a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.errors import ContractError
from tbframe.ledger.block import Ints
from tbframe.ledger.kinds import KIND
from tbframe.scoring import are_whole, parse_scoring

__all__ = ["Rows", "Scale", "number_rows", "numbered_rows", "positions", "scale", "worth"]

#: Units tried for a tournament's points, the usual half points first.
_UNITS: Final = (2, 4, 10, 20, 100, 1000)


@dataclass(frozen=True)
class Rows:
    """The result rows as numbers."""

    tournament: Ints
    player: Ints
    opponent: Ints  # -1: none
    round: Ints
    game: Ints
    kind: NDArray[np.uint8]
    color: NDArray[np.uint8]
    points: NDArray[np.float64]
    game_points: NDArray[np.float64]

    def up_to(self, last: int) -> Rows:
        """Return the rows of the rounds up to `last`."""
        kept = self.round <= last
        return Rows(**{name: value[kept] for name, value in vars(self).items()})


def number_rows(results: pl.DataFrame, players: pl.DataFrame, tournaments: pl.DataFrame) -> Rows:
    """Turn every key of the results into the number of its row in players and tournaments."""
    keys = results.select("tournament", "player")
    # Rows of one player usually stand together, so only the first of each run is looked up.
    starts = keys.select(
        (pl.col("tournament").ne_missing(pl.col("tournament").shift()))
        | (pl.col("player").ne_missing(pl.col("player").shift()))
    ).to_series()
    run = starts.cast(pl.Int64).cum_sum().to_numpy() - 1
    heads = keys.filter(starts)
    player = positions(heads, players.select("tournament", "player"))[run]
    tournament = positions(heads.select("tournament"), tournaments.select("tournament"))[run]
    opponent = _opponents(results["opponent"], tournament, players, tournaments)
    return Rows(tournament=tournament, player=player, opponent=opponent, **_values(results))


def numbered_rows(numbered: pl.DataFrame, owner: Ints) -> Rows:
    """Take result rows whose keys are numbers already.

    Parameters
    ----------
    numbered
        Results with ``player_row`` and ``opponent_row`` (null: none), rows of the players frame,
        in the place of the keys.
    owner
        ``(players,)``: the row of each player's tournament.
    """
    player = numbered["player_row"].cast(pl.Int64).to_numpy()
    opponent = numbered["opponent_row"].fill_null(-1).cast(pl.Int64).to_numpy()
    return Rows(tournament=owner[player], player=player, opponent=opponent, **_values(numbered))


def _values(results: pl.DataFrame) -> dict[str, NDArray[Any]]:
    """Return what the rows hold besides keys, under the names of `Rows`."""
    height = results.height
    return {
        "round": results["round"].cast(pl.Int64).to_numpy(),
        "game": (
            results["game"].fill_null(1).cast(pl.Int64).to_numpy()
            if "game" in results.columns
            else np.ones(height, dtype=np.int64)
        ),
        "kind": results["result"].to_physical().cast(pl.UInt8).to_numpy(),
        "color": results.select(
            (pl.col("color") == "w").cast(pl.UInt8) + 2 * (pl.col("color") == "b").cast(pl.UInt8)
        )
        .to_series()
        .fill_null(0)
        .to_numpy(),
        "points": _known_points(results),
        "game_points": (
            results["game_points"].cast(pl.Float64).fill_null(0.0).to_numpy()
            if "game_points" in results.columns
            else np.zeros(height)
        ),
    }


def _known_points(results: pl.DataFrame) -> NDArray[np.float64]:
    """Return the points; those of results not known yet are 0 for now."""
    unknown = results.filter(pl.col("points").is_null() & (pl.col("result") != "*"))
    if unknown.height:
        keys = [name for name in ("tournament", "player", "player_row") if name in unknown.columns]
        row = unknown.select(*keys, "round").row(0, named=True)
        raise ContractError(f"results: the points of {row} are null, and its result is known")
    return results["points"].fill_null(0.0).to_numpy()


def positions(keys: pl.DataFrame, table: pl.DataFrame) -> Ints:
    """Find the row of `table` in which each row of `keys` stands."""
    if keys.height == table.height and keys.equals(table):
        return np.arange(keys.height)
    found = keys.join(
        table.with_row_index("position"), on=table.columns, how="left", maintain_order="left"
    )["position"]
    if found.null_count():
        missing = keys.filter(found.is_null()).row(0, named=True)
        where = ", ".join(f"{name} {value!r}" for name, value in missing.items())
        raise ContractError(f"results: {where} has no row in the players or tournaments frame")
    return found.cast(pl.Int64).to_numpy()


def _opponents(
    opponent: pl.Series, tournament: Ints, players: pl.DataFrame, tournaments: pl.DataFrame
) -> Ints:
    """Find the players row of each opponent, -1 for none."""
    owner = positions(players.select("tournament"), tournaments.select("tournament"))
    key = players["player"]
    found = np.full(len(opponent), -1, dtype=np.int64)
    named = opponent.is_not_null().to_numpy()
    if not named.any():
        return found
    if key.dtype.is_integer() and opponent.dtype.is_integer():
        at = _by_number(
            opponent.drop_nulls().cast(pl.Int64).to_numpy(),
            tournament[named],
            key.cast(pl.Int64).to_numpy(),
            owner,
            tournaments.height,
        )
        if at is not None:
            found[named] = at
            return found
    asked = pl.DataFrame({"t": tournament[named], "key": opponent.drop_nulls()})
    table = pl.DataFrame({"t": owner, "key": key})
    found[named] = positions(asked, table)
    return found


def _by_number(
    asked: Ints, tournament: Ints, key: Ints, owner: Ints, tournaments: int
) -> Ints | None:
    """Look numbers up in a table, where start numbers have few gaps; else give up."""
    lowest = np.full(tournaments, np.iinfo(np.int64).max)
    highest = np.full(tournaments, -1)
    np.minimum.at(lowest, owner, key)
    np.maximum.at(highest, owner, key)
    lowest = np.where(highest < 0, 0, lowest)
    # Keys of any size may come, so the widths are weighed before they are whole numbers.
    widths = highest.astype(np.float64) - lowest + 1
    if (lowest < 0).any() or widths.sum() > 8 * len(key) + 1000:
        return None
    width = widths.astype(np.int64)
    first = np.cumsum(width) - width - lowest
    table = np.full(int(width.sum()), -1, dtype=np.int64)
    table[first[owner] + key] = np.arange(len(key))
    inside = (asked >= lowest[tournament]) & (asked <= highest[tournament])
    at = np.where(inside, table[np.where(inside, first[tournament] + asked, 0)], -1)
    return None if (at < 0).any() else at


@dataclass(frozen=True)
class Scale:
    """Each tournament's smallest unit, and its win and draw in units."""

    unit: Ints
    win: Ints
    draw: Ints


def scale(
    points: NDArray[np.float64],
    tournament: Ints,
    scoring: pl.Series,
    tournaments: pl.Series,
    rounds: Ints,
) -> Scale:
    """Find the unit in which the points of each tournament are whole numbers.

    Parameters
    ----------
    points, tournament
        The points of each row, and the number of its tournament.
    scoring, tournaments, rounds
        ``(tournaments,)``: scoring system, key and number of rounds of each tournament.

    Raises
    ------
    ContractError
        If some points are finer than a thousandth, or too large to be counted exactly.
    """
    due = worth(scoring)
    unit = np.zeros(len(scoring), dtype=np.int64)
    for candidate in _UNITS:
        open_ = unit == 0
        if not open_.any():
            break
        fits = open_ & are_whole(due * candidate).all(axis=1)
        fits[tournament[~are_whole(points * candidate)]] = False
        unit[fits] = candidate
    largest = np.abs(due).max(axis=1, initial=0)
    np.maximum.at(largest, tournament, np.abs(points))
    # So sums of products of sums stay whole numbers that can be compared exactly.
    too_large = (largest * unit * np.maximum(rounds, 1)) ** 3 > 2.0**61
    for wrong, what in ((unit == 0, "finer than 1/1000"), (too_large, "too large")):
        if wrong.any():
            key = tournaments[int(np.flatnonzero(wrong)[0])]
            raise ContractError(f"results: the points of tournament {key!r} are {what}")
    win, draw = (np.rint(due[:, code] * unit).astype(np.int64) for code in (KIND["1"], KIND["="]))
    return Scale(unit, win, draw)


def worth(scoring: pl.Series) -> NDArray[np.float64]:
    """``(tournaments, results)``: what each result is worth in each tournament."""
    asked = pl.DataFrame({"scoring": scoring})
    systems = asked.unique(maintain_order=True)
    system = asked.join(
        systems.with_row_index("system"),
        on="scoring",
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )["system"]
    points = [list(parse_scoring(text).values()) for text in systems["scoring"]]
    table = np.array(points).reshape(len(points), len(KIND) - 1)
    return np.asarray(table[system.to_numpy()])
