"""Result models: how likely each result of a game is, by the strengths of the two players.

A model is a `ResultModel`; anything with the same call will do: it takes the strengths of White and
of Black as arrays of any shape and returns the probabilities of a win of White, a draw and a win
of Black. `d` below is White's strength minus Black's plus White's `advantage`, in rating points;
E = 1 / (1 + 10^(-d/400)) is the expected score by Elo.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log10
from typing import Final, TypeAlias

import numpy as np

from tbframe.errors import TbframeError
from tbframe.research.simulation.seeds import Floats
from tbframe.theory.needs import scipy_module

__all__ = [
    "Probabilities",
    "ResultModel",
    "coin_flip",
    "davidson",
    "deterministic",
    "elo",
    "fide_checker",
    "ordinal",
    "product_draw",
    "rao_kupper",
]

Probabilities: TypeAlias = tuple[Floats, Floats, Floats]

#: Elo's scale: ten times the odds for each of these rating points.
_SCALE: Final = 400.0
#: Below this mean of the two ratings the checker's probability of a draw is negative.
_CHECKER_LOWEST: Final = 1037.6


@dataclass(frozen=True)
class ResultModel:
    """A result model with a name that says its parameters.

    Attributes
    ----------
    name
        As it is called: ``"davidson(draw=0.6, advantage=0)"``.
    probabilities
        Takes strengths of White and Black, gives probabilities of 1-0, draw and 0-1.
    """

    name: str
    probabilities: Callable[[Floats, Floats], Probabilities]

    def __call__(self, white: Floats, black: Floats) -> Probabilities:
        """Return the probabilities of a win of White, a draw and a win of Black."""
        return self.probabilities(np.asarray(white, np.float64), np.asarray(black, np.float64))

    def __repr__(self) -> str:
        """Return the name."""
        return self.name


def elo(*, advantage: float = 0.0) -> ResultModel:
    """Return Elo's model without draws: White wins with probability E.

    Examples
    --------
    >>> from tbframe.research import models
    >>> [round(float(p), 4) for p in models.elo()(2200, 2000)]
    [0.7597, 0.0, 0.2403]
    """

    def probabilities(white: Floats, black: Floats) -> Probabilities:
        win = _expected(white - black + advantage)
        return win, np.zeros_like(win), 1 - win

    return ResultModel(f"elo(advantage={advantage:g})", probabilities)


def product_draw(*, advantage: float = 0.0) -> ResultModel:
    """Return E^2, 2 E (1 - E), (1 - E)^2: expected scores as by Elo, half of equal games drawn.

    Examples
    --------
    >>> from tbframe.research import models
    >>> [round(float(p), 3) for p in models.product_draw()(2200, 2000)]
    [0.577, 0.365, 0.058]
    """

    def probabilities(white: Floats, black: Floats) -> Probabilities:
        win = _expected(white - black + advantage)
        return win**2, 2 * win * (1 - win), (1 - win) ** 2

    return ResultModel(f"product_draw(advantage={advantage:g})", probabilities)


def davidson(draw: float = 1.0, *, advantage: float = 0.0) -> ResultModel:
    """Return Davidson's model: weights x, `draw` and 1/x with x = 10^(d/800).

    The odds of decisive games are Elo's, 10^(d/400); equal players draw with probability
    draw / (2 + draw). (Davidson 1970.)

    Raises
    ------
    TbframeError
        If `draw` is negative.

    Examples
    --------
    >>> from tbframe.research import models
    >>> [round(float(p), 4) for p in models.davidson(0.5)(2000, 2000)]
    [0.4, 0.2, 0.4]
    """
    if not draw >= 0:
        raise TbframeError(f"draw is a weight of 0 or more, not {draw}")

    def probabilities(white: Floats, black: Floats) -> Probabilities:
        win = 10 ** ((white - black + advantage) / (2 * _SCALE))
        whole = win + draw + 1 / win
        return win / whole, draw / whole, 1 / win / whole

    return ResultModel(f"davidson(draw={draw:g}, advantage={advantage:g})", probabilities)


def rao_kupper(
    draw: float = 97.3, *, advantage: float = 32.8, scale: float = _SCALE
) -> ResultModel:
    """Return Rao and Kupper's model: a win asks for `draw` rating points more than the opponent.

    P(1-0) = 1 / (1 + 10^((draw - d)/scale)), P(0-1) = 1 / (1 + 10^((draw + d)/scale)), and the
    rest are draws. The defaults are those of the program BayesElo.

    Raises
    ------
    TbframeError
        If `draw` is negative, or `scale` not positive.

    Examples
    --------
    >>> from tbframe.research import models
    >>> [round(float(p), 3) for p in models.rao_kupper(advantage=0)(2000, 2000)]
    [0.364, 0.273, 0.364]
    """
    if not (draw >= 0 and scale > 0):
        raise TbframeError(f"draw is 0 or more and scale above 0, not {draw} and {scale}")

    def probabilities(white: Floats, black: Floats) -> Probabilities:
        better = white - black + advantage
        win, loss = _expected(better - draw, scale), _expected(-better - draw, scale)
        return win, 1 - win - loss, loss

    name = f"rao_kupper(draw={draw:g}, advantage={advantage:g}, scale={scale:g})"
    return ResultModel(name, probabilities)


def ordinal(
    draw: float = 100.0, *, advantage: float = 0.0, spread: float = 2000 / 7
) -> ResultModel:
    """Return an ordinal normal model: a normal margin around d, a draw between -draw and draw.

    Thurstone's model with thresholds; `spread` is the standard deviation of the margin, in rating
    points, by default that of Elo's normal table (200 for each player, rounded as FIDE's is).

    Raises
    ------
    TbframeError
        If `draw` is negative, or `spread` not positive.

    Examples
    --------
    >>> from tbframe.research import models
    >>> [round(float(p), 3) for p in models.ordinal(0)(2200, 2000)]
    [0.758, 0.0, 0.242]
    """
    if not (draw >= 0 and spread > 0):
        raise TbframeError(f"draw is 0 or more and spread above 0, not {draw} and {spread}")

    def probabilities(white: Floats, black: Floats) -> Probabilities:
        ndtr = scipy_module("scipy.special").ndtr
        better = white - black + advantage
        win, loss = ndtr((better - draw) / spread), ndtr((-better - draw) / spread)
        return win, 1 - win - loss, loss

    return ResultModel(f"ordinal(draw={draw:g}, advantage={advantage:g})", probabilities)


def fide_checker(*, clamp: bool = False) -> ResultModel:
    """Return the model of the random tournament generator that belongs to FIDE's checker.

    Rao and Kupper's with a scale of 370 and thresholds that grow with the mean m of the ratings:
    White needs 96 + 0.0986 (m - 2000) rating points for a win, Black 150 + 0.157 (m - 2000).
    Stronger players draw more, and White scores 0.514 to 0.55 among equals.

    Parameters
    ----------
    clamp
        Below a mean rating of 1037.6 the probability of a draw would be negative. By default
        that is an error; with `clamp` it is 0, and Black wins what White does not.

    Raises
    ------
    TbframeError
        When called with ratings of a lower mean, without `clamp`.

    Examples
    --------
    >>> from tbframe.research import models
    >>> [round(float(p), 3) for p in models.fide_checker()(2600, 2600)]
    [0.276, 0.545, 0.18]
    """

    def probabilities(white: Floats, black: Floats) -> Probabilities:
        mean = (white + black) / 2
        for_white = 96 + 0.0986 * (mean - 2000)
        for_black = 150 + 0.157 * (mean - 2000)
        win = _expected(white - black - for_white, 370.0)
        loss = _expected(black - white - for_black, 370.0)
        draw = 1 - win - loss
        if not clamp and np.min(draw, initial=0.0) < 0:
            raise TbframeError(
                f"the checker's model has no draws below a mean rating of {_CHECKER_LOWEST}, and "
                f"two players with a mean of {np.min(mean):.0f} meet: raise the strengths, or "
                "give clamp=True"
            )
        draw = np.maximum(draw, 0.0)
        return win, draw, 1 - win - draw

    return ResultModel(f"fide_checker(clamp={clamp})", probabilities)


def coin_flip(draw: float = 0.0) -> ResultModel:
    """Return a model in which strength plays no part: `draw` is the share of draws.

    Raises
    ------
    TbframeError
        If `draw` is not between 0 and 1.
    """
    if not 0 <= draw <= 1:
        raise TbframeError(f"draw is a share between 0 and 1, not {draw}")

    def probabilities(white: Floats, black: Floats) -> Probabilities:
        drawn = np.full(np.broadcast_shapes(white.shape, black.shape), draw)
        return (1 - drawn) / 2, drawn, (1 - drawn) / 2

    return ResultModel(f"coin_flip(draw={draw:g})", probabilities)


def deterministic() -> ResultModel:
    """Return a model in which the stronger player wins, and equal players draw."""

    def probabilities(white: Floats, black: Floats) -> Probabilities:
        win, loss = (white > black).astype(np.float64), (white < black).astype(np.float64)
        return win, 1 - win - loss, loss

    return ResultModel("deterministic()", probabilities)


def _expected(difference: Floats, scale: float = _SCALE) -> Floats:
    """Return 1 / (1 + 10^(-difference/scale)), without overflow."""
    expected: Floats = 0.5 * (1 + np.tanh(difference / (2 * scale * log10(np.e))))
    return expected
