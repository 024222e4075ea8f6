"""Ranking theory as tie-breaks: `tbframe.theory` with the usual parameters."""

from __future__ import annotations

import numpy as np

from tbframe.codes import Criterion
from tbframe.ledger import Batch
from tbframe.theory import (
    Solution,
    bradley_terry,
    colley,
    davidson,
    fair_bets,
    generalised_row_sum,
    keener,
    least_squares,
    mean_buchholz,
    mean_of_opponents,
    neustadtl,
    ordered_weighted_average,
    pagerank,
    perron,
    recursive_buchholz,
    recursive_performance,
    relative_elo,
)
from tbframe.theory.comparisons import Floats
from tbframe.tiebreaks.rating_tables import DIFFERENCE
from tbframe.tiebreaks.registry import tiebreak

__all__: list[str] = []


@tiebreak(
    "theory.LS",
    name="Least squares",
    source="Gulliksen 1956; Massey 1997",
    teams="too",
    unit="approximate",
    decimals=4,
)
def _least_squares(t: Batch) -> Solution:
    """Ratings whose differences are nearest to the results; mean 0 in each component."""
    return least_squares(t)


@tiebreak(
    "theory.GRS",
    name="Generalised row sum",
    source="Chebotarev 1989; Csató 2013",
    teams="too",
    unit="approximate",
    decimals=3,
)
def _generalised_row_sum(t: Batch) -> Solution:
    """Correct the score by the opponents', with the largest reasonable epsilon."""
    return generalised_row_sum(t)


@tiebreak(
    "theory.COLLEY",
    name="Colley rating",
    source="Colley 2002",
    teams="too",
    unit="approximate",
    decimals=4,
)
def _colley(t: Batch) -> Solution:
    """Shares of wins corrected by the opponents', with one win and one loss for everybody."""
    return colley(t)


@tiebreak(
    "theory.BT",
    name="Bradley-Terry maximum likelihood",
    source="Zermelo 1929; Bradley and Terry 1952",
    teams="too",
    unit="approximate",
    decimals=3,
)
def _bradley_terry(t: Batch) -> Solution:
    """Logarithms of strengths; where no maximum exists, with one game against a dummy."""
    return bradley_terry(t)


@tiebreak(
    "theory.DAVIDSON",
    name="Davidson maximum likelihood",
    source="Davidson 1970",
    teams="too",
    unit="approximate",
    decimals=3,
)
def _davidson(t: Batch) -> Solution:
    """Logarithms of strengths with draws; the prior as for Bradley and Terry."""
    return davidson(t)


@tiebreak(
    "theory.ELO",
    name="Relative Elo rating, normal curve",
    source="Elo 1978; Pippel 2020",
    teams="too",
    unit="approximate",
    decimals=1,
)
def _relative_elo(t: Batch) -> Solution:
    """Ratings that expect the scores made, mean 0; the prior as for Bradley and Terry."""
    return relative_elo(t)


@tiebreak(
    "theory.FB",
    name="Fair bets",
    source="Daniels 1969; Slutzki and Volij 2006",
    teams="too",
    unit="approximate",
    decimals=5,
)
def _fair_bets(t: Batch) -> Solution:
    """Shares; undefined where the tournament is not strongly connected."""
    return fair_bets(t)


@tiebreak(
    "theory.PERRON",
    name="Perron vector of the results",
    source="Wei 1952; Kendall 1955",
    teams="too",
    unit="approximate",
    decimals=5,
)
def _perron(t: Batch) -> Solution:
    """Shares; undefined where the tournament is not strongly connected."""
    return perron(t)


@tiebreak(
    "theory.KEENER",
    name="Keener rating",
    source="Keener 1993",
    teams="too",
    unit="approximate",
    decimals=5,
)
def _keener(t: Batch) -> Solution:
    """Shares; undefined where the tournament is not connected."""
    return keener(t)


@tiebreak(
    "theory.PAGERANK",
    name="PageRank, damping 0.85",
    source="Brin and Page 1998",
    teams="too",
    unit="approximate",
    decimals=5,
)
def _pagerank(t: Batch) -> Solution:
    """Shares of a walk from losers to winners."""
    return pagerank(t)


@tiebreak(
    "theory.NEUSTADTL",
    name="Neustadtl rating",
    unit="approximate",
    decimals=4,
    teams="too",
    source="González-Díaz, Hendrickx and Lohmann 2014",
)
def _neustadtl(t: Batch) -> Solution:
    """Mean over the games of points times the opponent's mean score."""
    return neustadtl(t)


@tiebreak(
    "theory.BUCHHOLZ",
    name="Buchholz rating",
    unit="approximate",
    decimals=4,
    teams="too",
    source="González-Díaz, Hendrickx and Lohmann 2014",
)
def _buchholz(t: Batch) -> Solution:
    """Mean score and the mean of the opponents' mean scores."""
    return mean_buchholz(t)


_RECURSIVE = "Brozos-Vázquez, Campo-Cabana, Díaz-Ramos, González-Díaz 2008; PyRP"


@tiebreak(
    "theory.RB",
    name="Recursive Buchholz",
    source=_RECURSIVE,
    teams="too",
    unit="approximate",
    decimals=4,
)
def _recursive_buchholz(t: Batch) -> Solution:
    """Undefined where the recursion does not come to rest."""
    return t.once(("theory.RB", t.score_name), lambda: recursive_buchholz(t))


@tiebreak(
    "theory.RP",
    name="Recursive performance",
    source=_RECURSIVE,
    teams="too",
    unit="approximate",
    decimals=1,
)
def _recursive_performance(t: Batch) -> Solution:
    """Undefined where the recursion does not come to rest; the unrated start from 1400."""
    return t.once(("theory.RP", t.score_name), lambda: recursive_performance(t, _table))


def _table(share: Floats) -> Floats:
    """Return the rating difference of a share of the points, by FIDE's table."""
    hundredths = np.floor(100 * share + 0.5 + 1e-9).astype(np.int64)
    return DIFFERENCE[hundredths].astype(np.float64)


@tiebreak(
    "theory.ARBO",
    name="Average recursive Buchholz of opponents",
    source=_RECURSIVE,
    modifiers="CM",
    teams="too",
    unit="approximate",
    decimals=4,
)
def _arbo(t: Batch, c: Criterion) -> Solution:
    """Average the opponents' values; ``/C1`` without the worst, ``/M1`` nor the best."""
    return mean_of_opponents(t, _recursive_buchholz(t), worst=c.low, best=c.high)


@tiebreak(
    "theory.ARPO",
    name="Average recursive performance of opponents",
    source=_RECURSIVE,
    modifiers="CM",
    teams="too",
    unit="approximate",
    decimals=1,
)
def _arpo(t: Batch, c: Criterion) -> Solution:
    """Average the opponents' values; ``/C1`` without the worst, ``/M1`` nor the best."""
    return mean_of_opponents(t, _recursive_performance(t), worst=c.low, best=c.high)


@tiebreak(
    "theory.OWA",
    name="Ordered weighted average of opponents' scores",
    source="Freixas 2022",
    teams="too",
    unit="approximate",
    decimals=3,
)
def _ordered_weighted_average(t: Batch) -> Solution:
    """Binomial weights: the middle of the opponents' scores counts most."""
    return ordered_weighted_average(t)
