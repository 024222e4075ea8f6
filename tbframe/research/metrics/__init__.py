"""Metrics: one value for each of many tournaments, from the orders of its players.

Each takes `Orders`, and gives a series with one value for each tournament, null where it is
undefined (a tournament of one player has no pairs): not 0, and not not-a-number. All work on every
tournament at once. Their docstrings say formula, range, what becomes of ties, and the source.

Metrics about the truth (a strength, a rating, a later result) compare an order with it;
``agreement`` and ``same_first`` compare it with another tie-break; ``hit_rate`` and its kin with
games; the others need nothing but the order and the points.
"""

from tbframe.research.metrics.ap_correlation import tau_ap
from tbframe.research.metrics.catalogue import METRICS, Metric, metric_named
from tbframe.research.metrics.displacement import footrule, rho
from tbframe.research.metrics.gain import ndcg
from tbframe.research.metrics.kendall import kendall_distance, tau_a, tau_b
from tbframe.research.metrics.orders import Games, Orders
from tbframe.research.metrics.rank_biased import rbo
from tbframe.research.metrics.retrodiction import game_score, hit_rate, violations
from tbframe.research.metrics.separation import (
    discriminating_power,
    resolution_depth,
    tie_at_cut,
    unresolved,
)
from tbframe.research.metrics.top import (
    best_reciprocal_rank,
    best_wins,
    top_k,
    winner_true_rank,
)
from tbframe.research.metrics.within_ties import agreement, same_first, within_tie_accuracy

__all__ = [
    "METRICS",
    "Games",
    "Metric",
    "Orders",
    "agreement",
    "best_reciprocal_rank",
    "best_wins",
    "discriminating_power",
    "footrule",
    "game_score",
    "hit_rate",
    "kendall_distance",
    "metric_named",
    "ndcg",
    "rbo",
    "resolution_depth",
    "rho",
    "same_first",
    "tau_a",
    "tau_ap",
    "tau_b",
    "tie_at_cut",
    "top_k",
    "unresolved",
    "violations",
    "winner_true_rank",
    "within_tie_accuracy",
]
