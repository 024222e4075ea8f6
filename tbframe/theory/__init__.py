"""Ranking theory: ratings from paired comparisons, for many tournaments at once.

Each function takes a batch of tournaments and returns a `Solution`: values with a tolerance, and
how they came about. The codes ``theory.LS``, ``theory.BT`` ... call them with their usual
parameters. For others, define a tie-break:

>>> import tbframe as tb
>>> from tbframe import theory
>>> @tb.tiebreak("lab.GRS", name="Row sum, epsilon 1/10", source="Chebotarev 1989",
...              unit="approximate")
... def row_sum(t):
...     return theory.generalised_row_sum(t, epsilon=0.1)
>>> archive = tb.read("data/trf/tec2023_swiss9_de.trf")
>>> archive.standings("PTS lab.GRS").select("rank", "player", "PTS").rows()[:4]
[(1, 3, 6.5), (2, 2, 6.0), (3, 4, 6.0), (4, 1, 6.0)]
>>> tb.forget("lab.GRS")

Games played over the board count, byes and forfeits do not (`comparisons`). Players without a
game have no value, nor has anybody where the theory defines none: `tbframe.diagnosis` says why.
"""

from tbframe.theory.averages import mean_buchholz, neustadtl, ordered_weighted_average
from tbframe.theory.comparisons import Comparisons, comparisons
from tbframe.theory.davidson import davidson
from tbframe.theory.eigenvectors import keener, pagerank, perron
from tbframe.theory.fair_bets import fair_bets
from tbframe.theory.least_squares import (
    colley,
    generalised_row_sum,
    least_squares,
    reasonable_epsilon,
)
from tbframe.theory.likelihood import bradley_terry, relative_elo
from tbframe.theory.recursive import (
    mean_of_opponents,
    recursive_buchholz,
    recursive_performance,
)
from tbframe.theory.solution import Solution

__all__ = [
    "Comparisons",
    "Solution",
    "bradley_terry",
    "colley",
    "comparisons",
    "davidson",
    "fair_bets",
    "generalised_row_sum",
    "keener",
    "least_squares",
    "mean_buchholz",
    "mean_of_opponents",
    "neustadtl",
    "ordered_weighted_average",
    "pagerank",
    "perron",
    "reasonable_epsilon",
    "recursive_buchholz",
    "recursive_performance",
    "relative_elo",
]
