"""Fitting a result model to games: how often White wins, draws and loses at which ratings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from tbframe.archive import Archive
from tbframe.errors import TbframeError
from tbframe.research.audits.games import played_games
from tbframe.research.simulation.models import (
    Probabilities,
    ResultModel,
    davidson,
    ordinal,
    rao_kupper,
)
from tbframe.research.simulation.seeds import Floats
from tbframe.theory.needs import scipy_module

__all__ = ["Calibration", "calibrate"]

#: By name: the model of two parameters, and where the search for them begins.
_MODELS: Final[dict[str, tuple[Callable[[float, float], ResultModel], float]]] = {
    "davidson": (lambda draw, white: davidson(draw, advantage=white), 1.0),
    "rao_kupper": (lambda draw, white: rao_kupper(draw, advantage=white), 100.0),
    "ordinal": (lambda draw, white: ordinal(draw, advantage=white), 100.0),
}


@dataclass(frozen=True)
class Calibration:
    """A result model fitted to games.

    Attributes
    ----------
    draw, advantage
        The parameters of the model that make the games most likely.
    scale
        What rating differences are multiplied by first: below 1 where ratings are spread wider
        than results tell.
    log_likelihood
        Of the games, natural logarithm.
    games
        How many there are.
    table
        ``bin``, the lower end of an interval of White's rating minus Black's; ``games``; the share
        of each ``outcome`` (``"1-0"``, ``"draw"``, ``"0-1"``) ``observed`` and ``fitted``, and
        the standard error ``se`` of the observed one under the model. Sorted.
    """

    draw: float
    advantage: float
    scale: float
    log_likelihood: float
    games: int
    table: pl.DataFrame
    _make: Callable[[float, float], ResultModel]

    @property
    def model(self) -> ResultModel:
        """The fitted model, for `tbframe.simulate`."""
        fitted, scale = self._make(self.draw, self.advantage), self.scale

        def probabilities(white: Floats, black: Floats) -> Probabilities:
            return fitted(scale * white, scale * black)

        return ResultModel(f"{fitted.name} of differences times {scale:.3f}", probabilities)


def calibrate(
    games: Archive | pl.DataFrame, model: str = "davidson", *, bins: float = 50.0
) -> Calibration:
    """Fit the parameters of a result model to games by maximum likelihood.

    Parameters
    ----------
    games
        An archive, whose games over the board between rated players count; or a frame with
        ``white`` and ``black``, the ratings, and ``result``: 1, 0.5 or 0 for White.
    model
        ``"davidson"``, ``"rao_kupper"`` or ``"ordinal"`` (`tbframe.research.models`).
    bins
        The width of the intervals of `Calibration.table`, in rating points.

    Returns
    -------
    Calibration
        The parameters, and a table of observed and fitted shares.

    Raises
    ------
    TbframeError
        If the model is unknown, or there are no games, or not each of the three results among
        them: then no draw parameter makes them most likely.

    Examples
    --------
    >>> import tbframe as tb
    >>> from tbframe.research import calibrate, models
    >>> archive = tb.simulate(events=300, model=models.davidson(0.8, advantage=30), seed=1)
    >>> found = calibrate(archive)
    >>> 0.75 < found.draw < 0.85, 20 < found.advantage < 40, 0.9 < found.scale < 1.1
    (True, True, True)
    """
    if model not in _MODELS:
        raise TbframeError(f"the model is one of {', '.join(_MODELS)}, not {model!r}")
    if not bins > 0:
        raise TbframeError(f"bins are wider than 0, not {bins}")
    if isinstance(games, Archive):
        games = played_games(games).select(white="rating", black="opponent_rating", result="result")
    known = games.select("white", "black", "result").drop_nulls()
    results = known["result"].cast(pl.Float64)
    if set(results.unique()) != {0.0, 0.5, 1.0}:
        raise TbframeError(
            f"{known.height:,} games between rated players with the results "
            f"{sorted(results.unique())}: wins, draws and losses are needed to fit a model"
        )
    make, first = _MODELS[model]
    # Games of the same ratings and result are one entry with a weight.
    counted = known.group_by("white", "black", "result").len()
    white, black = (counted[side].cast(pl.Float64).to_numpy() for side in ("white", "black"))
    outcome = (2 - 2 * counted["result"].cast(pl.Float64)).cast(pl.Int64).to_numpy()
    weight = counted["len"].cast(pl.Float64).to_numpy()

    def shares(parameters: Floats) -> Floats:
        draw, advantage, scale = np.exp(parameters[0]), 100 * parameters[1], np.exp(parameters[2])
        return np.stack(make(float(draw), float(advantage))(scale * white, scale * black))

    def surprise(parameters: Floats) -> float:
        mine = shares(parameters)[outcome, np.arange(len(outcome))]
        return -float(weight @ np.log(np.maximum(mine, 1e-300))) / known.height

    start = np.array([np.log(first), 0.3, 0.0])
    options = {"xatol": 1e-6, "fatol": 1e-12, "maxiter": 4000}
    fitted = scipy_module("scipy.optimize").minimize(
        surprise, start, method="Nelder-Mead", options=options
    )
    table = _table(counted, shares(fitted.x), bins)
    return Calibration(
        draw=float(np.exp(fitted.x[0])),
        advantage=float(100 * fitted.x[1]),
        scale=float(np.exp(fitted.x[2])),
        log_likelihood=-float(fitted.fun) * known.height,
        games=known.height,
        table=table,
        _make=make,
    )


def _table(counted: pl.DataFrame, shares: Floats, bins: float) -> pl.DataFrame:
    """Sum up what was observed and what the model says, by rating difference."""
    outcomes = {"1-0": 1.0, "draw": 0.5, "0-1": 0.0}
    weight = pl.col("len")
    parts = [
        counted.with_columns(
            pl.Series("fitted", share),
            bin=((pl.col("white") - pl.col("black")) / bins).floor() * bins,
            outcome=pl.lit(name),
        )
        .group_by("bin", "outcome")
        .agg(
            games=weight.sum(),
            observed=(weight * (pl.col("result") == result)).sum() / weight.sum(),
            se=(weight * pl.col("fitted") * (1 - pl.col("fitted"))).sum().sqrt() / weight.sum(),
            fitted=(weight * pl.col("fitted")).sum() / weight.sum(),
        )
        for (name, result), share in zip(outcomes.items(), shares, strict=True)
    ]
    order = pl.col("outcome").replace_strict({name: at for at, name in enumerate(outcomes)})
    return (
        pl.concat(parts)
        .sort("bin", order)
        .select("bin", "games", "outcome", "observed", "fitted", "se")
    )
