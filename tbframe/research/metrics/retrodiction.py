"""How well an order agrees with the games, those it was made from or later ones."""

from __future__ import annotations

import numpy as np
import polars as pl

from tbframe.errors import TbframeError
from tbframe.research.groups import Floats
from tbframe.research.metrics.catalogue import metric
from tbframe.research.metrics.orders import Games, Orders

__all__ = ["game_score", "hit_rate", "violations"]


@metric(needs="games", low=0, high=1, best="high")
def hit_rate(orders: Orders) -> pl.Series:
    """Share of the decisive games that the player with the better rank won.

    Parameters
    ----------
    orders
        With games: later ones (prediction) or those that the order was made from (retrodiction).

    Returns
    -------
    Series
        0 to 1; 1/2 is what drawing lots gives; null where no game was decisive.

    Notes
    -----
    A game between two with the same rank counts 1/2; draws are left out.

    References
    ----------
    L. Csató, "On the ranking of a Swiss system chess team tournament", Annals of Operations
    Research 254 (2017) 17-36.

    Examples
    --------
    >>> import numpy as np
    >>> import polars as pl
    >>> from dataclasses import replace
    >>> from tbframe.research.metrics import Games
    >>> orders = Orders.of(pl.DataFrame({"tournament": "t", "rank": [1, 2, 3]}))
    >>> games = Games(np.array([0, 0]), np.array([0, 1]), np.array([1, 2]), np.array([1.0, 0.0]))
    >>> hit_rate(replace(orders, games=games)).item()
    0.5
    """
    games = _games(orders)
    return _mean(orders, games, _for_the_better(orders, games), games.points != 0.5)


@metric(needs="games", low=0, high=1, best="low")
def violations(orders: Orders) -> pl.Series:
    """Share of the decisive games that the player with the worse rank won.

    #(i ranks above j, and j beat i) / #(decisive games).

    Parameters
    ----------
    orders
        As of `hit_rate`.

    Returns
    -------
    Series
        0 to 1; null where no game was decisive.

    Notes
    -----
    1 - ``hit_rate``: a game between two with the same rank counts 1/2.

    References
    ----------
    L. Csató, "On the ranking of a Swiss system chess team tournament", Annals of Operations
    Research 254 (2017) 17-36 (retrodictive performance).

    Examples
    --------
    >>> import numpy as np
    >>> import polars as pl
    >>> from dataclasses import replace
    >>> from tbframe.research.metrics import Games
    >>> orders = Orders.of(pl.DataFrame({"tournament": "t", "rank": [1, 2, 3]}))
    >>> games = Games(np.array([0]), np.array([1]), np.array([2]), np.array([0.0]))
    >>> violations(replace(orders, games=games)).item()
    1.0
    """
    return 1 - hit_rate(orders)


@metric(needs="games", low=0, high=1, best="high")
def game_score(orders: Orders) -> pl.Series:
    """Mean score of the player with the better rank, draws included.

    Parameters
    ----------
    orders
        As of `hit_rate`.

    Returns
    -------
    Series
        0 to 1; null where there are no games.

    Notes
    -----
    A win counts 1 and a draw 1/2, whatever points the tournament gives; a game between two with the
    same rank counts 1/2.

    References
    ----------
    L. Csató, "On the ranking of a Swiss system chess team tournament", Annals of Operations
    Research 254 (2017) 17-36.

    Examples
    --------
    >>> import numpy as np
    >>> import polars as pl
    >>> from dataclasses import replace
    >>> from tbframe.research.metrics import Games
    >>> orders = Orders.of(pl.DataFrame({"tournament": "t", "rank": [1, 2, 3]}))
    >>> games = Games(np.array([0, 0]), np.array([0, 1]), np.array([1, 2]), np.array([1.0, 0.5]))
    >>> game_score(replace(orders, games=games)).item()
    0.75
    """
    games = _games(orders)
    every = np.ones(len(games.points), dtype=np.bool_)
    return _mean(orders, games, _for_the_better(orders, games), every)


def _games(orders: Orders) -> Games:
    if orders.games is None:
        raise TbframeError("this metric needs games, which are not given")
    return orders.games


def _for_the_better(orders: Orders, games: Games) -> Floats:
    """Return what the player with the better rank scored in each game."""
    one, other = orders.place[games.one], orders.place[games.other]
    return np.where(one < other, games.points, np.where(one > other, 1 - games.points, 0.5))


def _mean(orders: Orders, games: Games, scored: Floats, where: np.ndarray) -> pl.Series:
    """Return the mean over some games of each tournament."""
    count = len(orders.groups)
    of = games.tournament[where]
    total = np.bincount(of, weights=scored[where], minlength=count)
    return orders.quotient(total, np.bincount(of, minlength=count))
