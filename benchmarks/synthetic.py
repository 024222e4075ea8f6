"""Seeded synthetic Swiss tournaments, for benchmarks and tests.

All tournaments of one size are made together: every array has the axes (tournament, seat or
player), and the only loop runs over the rounds. In each round the players present are sorted
by score, at random within a score group, and neighbours meet, so that tie groups look like
those of real events. Whoever is left over has the pairing-allocated bye.

The unplayed rounds are of all kinds: half-point, full-point and zero-point byes, forfeits of
one side or both, and withdrawals (zero-point byes to the end). Pairing-allocated byes come on
top of the rate asked for.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from tbframe.schema import RESULT_CODES, ResultCode
from tbframe.scoring import STANDARD

__all__ = ["SIZES", "mixed_sizes", "shares_for", "swiss_results"]

Array = npt.NDArray[Any]
Seed = int | tuple[int, ...]

#: Numbers of players that `mixed_sizes` draws from, odd ones among them.
SIZES: Final = (8, 9, 10, 12, 15, 17, 24, 31, 40, 51, 64, 81, 100, 149, 200, 251, 300)

#: Numbers of rounds that `mixed_sizes` draws from, the end excluded.
_ROUNDS: Final = (5, 14)

#: How the unplayed rounds divide into kinds.
_WITHDRAWN, _BYES, _FORFEITS = 0.4, 0.35, 0.25

#: Results travel as positions in `RESULT_CODES`, points as half points: both fit into a byte.
_CODE: Final = {code: position for position, code in enumerate(RESULT_CODES)}
_HALF_POINTS: Final = np.array([2 * STANDARD.get(code, 0.0) for code in RESULT_CODES], np.int8)
_NO_BYE: Final = -1


def swiss_results(
    tournaments: int, players: int, rounds: int, unplayed: float = 0.04, seed: Seed = 1
) -> pl.DataFrame:
    """Make Swiss tournaments of one size.

    Parameters
    ----------
    tournaments, players, rounds
        How many of each; every tournament has the same numbers.
    unplayed
        The share of player-rounds without a game, pairing-allocated byes not counted.
    seed
        A whole number or several; the same seed gives the same frame.

    Returns
    -------
    DataFrame
        ``tournament`` (from 1), ``round``, ``player`` (1 to `players`), ``opponent``, ``color``,
        ``result``, ``points`` in canonical types, one row per tournament, player and round,
        sorted so. Two players may meet again where no other opponent was close by.
    """
    games = _swiss(np.random.default_rng(seed), tournaments, players, rounds, unplayed)
    every = np.ones(tournaments, np.int64)
    return _frame(every * players, every * rounds, *(values.ravel() for values in games))


def _swiss(
    rng: np.random.Generator, tournaments: int, players: int, rounds: int, unplayed: float
) -> tuple[Array, Array, Array]:
    """Return opponents, colours and result codes by tournament, player and round."""
    shape = (tournaments, players)
    strength = rng.normal(size=shape).astype(np.float32)
    byes = _requested_byes(rng, (*shape, rounds), unplayed)
    opponents = np.zeros((*shape, rounds), np.int16)  # player numbers, 0: nobody
    whites = np.zeros((*shape, rounds), np.int8)  # 1 White, -1 Black, 0 no colour
    codes = byes.copy()
    score = np.zeros(shape, np.int16)
    balance = np.zeros(shape, np.int16)  # games with White minus games with Black

    for this in range(rounds):
        seats, present = _seats(rng, score, byes[:, :, this])
        if this:
            _avoid_rematches(seats, present, opponents[:, :, :this])
        first, second = seats[:, 0 : players - 1 : 2], seats[:, 1::2]
        paired = np.arange(1, players, 2) < present[:, None]  # both seats are taken
        tournament = np.broadcast_to(np.arange(tournaments)[:, None], paired.shape)[paired]
        a, b = first[paired], second[paired]
        lead = balance[tournament, a] - balance[tournament, b]
        a_white = (lead < 0) | ((lead == 0) & (rng.random(a.size, np.float32) < 0.5))
        white, black = np.where(a_white, a, b), np.where(a_white, b, a)

        edge = strength[tournament, white] - strength[tournament, black]
        white_code, black_code = _games(rng, edge, unplayed * _FORFEITS)
        opponents[tournament, white, this] = black + 1
        opponents[tournament, black, this] = white + 1
        codes[tournament, white, this] = white_code
        codes[tournament, black, this] = black_code
        whites[tournament, white, this] = 1
        whites[tournament, black, this] = -1

        odd = np.flatnonzero(present % 2)
        codes[odd, seats[odd, present[odd] - 1], this] = _CODE["U"]
        score += _HALF_POINTS[codes[:, :, this]]
        balance += whites[:, :, this]

    return opponents, whites, codes


def mixed_sizes(
    tournaments: int,
    unplayed: float = 0.04,
    seed: Seed = 1,
    sizes: tuple[int, ...] = SIZES,
    shares: Array | None = None,
) -> pl.DataFrame:
    """Make Swiss tournaments of 5 to 13 rounds and of many sizes.

    Parameters
    ----------
    tournaments
        How many in all.
    unplayed, seed
        As in `swiss_results`.
    sizes
        The numbers of players to draw from.
    shares
        How likely each of them is; by default one as likely as the next.

    Returns
    -------
    DataFrame
        As from `swiss_results`. The sizes are mixed: neighbouring tournaments are not alike.
    """
    rng = np.random.default_rng(seed)
    players = rng.choice(np.array(sizes), tournaments, p=shares)
    rounds = np.minimum(rng.integers(*_ROUNDS, tournaments), players - 1)
    rows = players * rounds
    first = np.cumsum(rows) - rows
    opponents = np.zeros(rows.sum(), np.int16)
    whites, codes = np.zeros((2, rows.sum()), np.int8)
    for size, length in sorted(set(zip(players.tolist(), rounds.tolist(), strict=True))):
        alike = first[(players == size) & (rounds == length)]
        part = np.random.default_rng(int(rng.integers(2**31)))
        games = _swiss(part, alike.size, size, length, unplayed)
        place = alike[:, None] + np.arange(size * length)
        for target, values in zip((opponents, whites, codes), games, strict=True):
            target[place] = values.reshape(place.shape)
    return _frame(players, rounds, opponents, whites, codes)


def shares_for(rows: float, sizes: tuple[int, ...] = SIZES) -> Array:
    """Return how likely each size has to be for a mean number of rows a tournament.

    A size is the less likely the larger it is, or the more likely, by a power of it.

    Raises
    ------
    ValueError
        If even the smallest sizes have more rows, or the largest fewer.
    """
    players = np.array(sizes, np.float64)
    rounds = np.minimum(np.arange(*_ROUNDS), players[:, None] - 1).mean(axis=1)

    def shares(power: float) -> Array:
        weights = (players / players.max()) ** power
        return weights / weights.sum()

    low, high = -16.0, 16.0
    if not (shares(low) * players * rounds).sum() < rows < (shares(high) * players * rounds).sum():
        raise ValueError(f"tournaments of these sizes do not have {rows:.0f} rows on average")
    for _ in range(60):
        middle = (low + high) / 2
        if (shares(middle) * players * rounds).sum() < rows:
            low = middle
        else:
            high = middle
    return shares(high)


def _requested_byes(rng: np.random.Generator, shape: tuple[int, int, int], rate: float) -> Array:
    """Return the codes of the byes known before the pairing, `_NO_BYE` elsewhere."""
    rounds = shape[2]
    byes = np.full(shape, _NO_BYE, np.int8)
    asked = rng.random(shape, np.float32) < rate * _BYES
    kinds = [_CODE["H"], _CODE["H"], _CODE["Z"], _CODE["Z"], _CODE["F"]]
    byes[asked] = rng.choice(np.array(kinds, np.int8), int(asked.sum()))
    # A withdrawal after a round drawn uniformly leaves half of the rounds empty on average.
    leaves = rng.random(shape[:2]) < 2 * rate * _WITHDRAWN
    after = np.where(leaves, rng.integers(1, max(rounds, 2), shape[:2]), rounds)
    byes[np.arange(rounds) >= after[:, :, None]] = _CODE["Z"]
    return byes


def _seats(rng: np.random.Generator, score: Array, bye: Array) -> tuple[Array, Array]:
    """Return the players in pairing order, and how many of each tournament are present."""
    absent = bye != _NO_BYE
    # The noise stays below half a point, so that it only mixes players of equal score.
    key = score + rng.random(score.shape, np.float32)
    seats = np.argsort(np.where(absent, np.float32(np.inf), -key), axis=1).astype(np.int16)
    return seats, score.shape[1] - absent.sum(axis=1)


def _avoid_rematches(seats: Array, present: Array, met: Array) -> None:
    """Swap players of neighbouring pairs, in place, where a pair has met before."""
    tournament = np.arange(seats.shape[0])[:, None]
    for start in (0, 2, 0):  # pairs 0, 2, 4 ... with the pair after, then 1, 3, 5 ...
        first = np.arange(start, seats.shape[1] - 3, 4)
        a, b = seats[:, first], seats[:, first + 1]
        again = (met[tournament, a] == b[:, :, None] + 1).any(axis=2)
        again &= first + 3 < present[:, None]  # the pair after is complete
        row, column = np.nonzero(again)
        seat = first[column] + 1
        seats[row, seat], seats[row, seat + 1] = seats[row, seat + 1], seats[row, seat]


def _games(rng: np.random.Generator, edge: Array, forfeits: float) -> tuple[Array, Array]:
    """Return the result codes of White and Black; `edge` is White's strength minus Black's."""
    expected = 1 / (1 + np.exp(-edge - 0.15))
    draw = np.minimum(expected, 1 - expected)  # the closer the game, the more draws
    luck = rng.random(edge.size, np.float32)
    wins, loses = luck < expected - draw / 2, luck > expected + draw / 2
    white = np.select([wins, loses], [_CODE["1"], _CODE["0"]], _CODE["="])
    black = np.select([wins, loses], [_CODE["0"], _CODE["1"]], _CODE["="])

    dice = rng.random(edge.size, np.float32)
    forfeit = dice < forfeits
    both, white_stays_away = dice < forfeits * 0.1, dice < forfeits * 0.5
    white = np.where(forfeit, np.where(white_stays_away, _CODE["-"], _CODE["+"]), white)
    black = np.where(forfeit, np.where(white_stays_away & ~both, _CODE["+"], _CODE["-"]), black)
    return white.astype(np.int8), black.astype(np.int8)


def _frame(
    players: Array, rounds: Array, opponents: Array, whites: Array, codes: Array
) -> pl.DataFrame:
    """Lay out canonical rows; `players` and `rounds` are those of each tournament."""
    rows = players * rounds
    length = np.repeat(rounds, rows)
    within = np.arange(rows.sum()) - np.repeat(np.cumsum(rows) - rows, rows)
    player, number = np.divmod(within, length)
    frame = pl.DataFrame(
        {
            "tournament": np.repeat(np.arange(1, len(rows) + 1), rows),
            "round": (number + 1).astype(np.int32),
            "player": player + 1,
            "opponent": pl.Series(opponents).cast(pl.Int64),
            "color": pl.Series(whites),
            "result": pl.Series(codes.view(np.uint8)).cat.to(ResultCode),
            "points": _HALF_POINTS[codes] / 2,
        }
    )
    return frame.with_columns(
        pl.col("opponent").replace(0, None),
        pl.col("color").replace_strict({1: "w", -1: "b", 0: None}, return_dtype=pl.String),
    )
