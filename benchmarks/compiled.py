"""The yardstick: a compiled loop that can do four tie-breaks of one edition and nothing else.

Points, Buchholz, Buchholz Cut-1 and Sonneborn-Berger of complete Swiss events under the text of
2026-03 (arts 8.1, 9.1, 14.1 and 16), written as plainly and as fast as the canonical rows allow:
each player's rounds side by side, opponents as row numbers, small whole numbers; on one core, or
with the tournaments shared among all. It was written from the text alone and shares no code
with the package, so its values are a check as well.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
from numba import njit, prange

from tbframe.schema import RESULT_CODES

__all__ = ["Rows", "Values", "compute", "rows_of"]

Array = npt.NDArray[Any]

_PLUS: Final = RESULT_CODES.index("+")  # all codes before it were played over the board
_MINUS: Final = RESULT_CODES.index("-")
_HALF: Final = RESULT_CODES.index("H")
_ZERO: Final = RESULT_CODES.index("Z")
_BEYOND: Final = 2**30


class Rows(NamedTuple):
    """Canonical rows, ``(players, rounds)``: positions in `RESULT_CODES`, opponents' numbers (the
    own where there is none), half points; and where each tournament's players start and end.
    """

    kind: Array
    opponent: Array
    points: Array
    first: Array


class Values(NamedTuple):
    """``(players,)`` each: half points; Sonneborn-Berger in quarters."""

    points: Array
    buchholz: Array
    buchholz_cut_1: Array
    sonneborn_berger: Array


def rows_of(results: pl.DataFrame) -> Rows:
    """Lay canonical results out for the loop.

    Raises
    ------
    ValueError
        If they are anything but complete events of as many rounds each, with points in halves.
    """
    rounds = int(results["round"].max())  # type: ignore[arg-type]
    keys = ["tournament", "player"]
    players = results.filter(pl.col("round") == 1).select(*keys, number=pl.int_range(pl.len()))
    opponents = results.select("tournament", "opponent").join(
        players,
        left_on=["tournament", "opponent"],
        right_on=keys,
        how="left",
        maintain_order="left",
    )["number"]
    if len(opponents) != len(players) * rounds or (results["result"] == "*").any():
        raise ValueError("the loop takes complete events of as many rounds each only")
    halves = (2 * results["points"]).to_numpy()
    if (halves % 1).any():
        raise ValueError("the loop takes points in halves only")
    own = np.repeat(np.arange(len(players)), rounds)
    return Rows(
        results["result"].to_physical().cast(pl.UInt8).to_numpy().reshape(-1, rounds),
        opponents.fill_null(pl.Series(own)).cast(pl.Int32).to_numpy().reshape(-1, rounds),
        halves.astype(np.int8).reshape(-1, rounds),
        np.append(0, players["tournament"].rle().struct.field("len").cum_sum().to_numpy()),
    )


def compute(rows: Rows, *, all_cores: bool = True) -> Values:
    """Compute the four; the first call compiles the loop."""
    players = len(rows.kind)
    values = Values(*(np.empty(players, np.int32) for _ in Values._fields))
    run: Any = _on_all_cores if all_cores else _on_one_core
    run(*rows, np.empty(players, np.int32), *values)
    return values


def _loop(  # noqa: C901  (one loop, so that the compiler sees all of it)
    kind: Array,
    opponent: Array,
    points: Array,
    first: Array,
    adjusted: Array,
    score: Array,
    buchholz: Array,
    cut_1: Array,
    sonneborn_berger: Array,
) -> None:
    rounds = kind.shape[1]
    for tournament in prange(len(first) - 1):
        start, end = first[tournament], first[tournament + 1]
        for player in range(start, end):
            made = 0
            for number in range(rounds):
                made += points[player, number]
            score[player] = made
            number = rounds - 1
            while number >= 0:  # 16.3: requested byes at the end count as draws
                code = kind[player, number]
                if code in (_HALF, _ZERO):
                    made += 1 - points[player, number]
                elif code != _MINUS:
                    break
                number -= 1
            adjusted[player] = made
        for player in range(start, end):
            own, total, products = score[player], 0, 0
            least, least_vur = _BEYOND, _BEYOND
            for number in range(rounds):
                code = kind[player, number]
                value = adjusted[opponent[player, number]]
                if code >= _PLUS:  # 16.4: a dummy with the own score, capped
                    if code > _MINUS:
                        value = rounds
                    elif opponent[player, number] == player:
                        value = own
                    value = min(own, value)
                    if code in (_MINUS, _HALF, _ZERO):
                        least_vur = min(value, least_vur)
                total += value
                products += value * points[player, number]
                least = min(value, least)
            buchholz[player] = total
            cut_1[player] = total - (least if least_vur == _BEYOND else least_vur)  # 16.5
            sonneborn_berger[player] = products


_on_one_core = njit(_loop)
_on_all_cores = njit(parallel=True)(_loop)
