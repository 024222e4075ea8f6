"""What a simulation is made of: result models, distributions of strengths, pairing engines.

>>> import tbframe as tb
>>> from tbframe.research import models
>>> model = models.rao_kupper(draw=120, advantage=35)
>>> archive = tb.simulate(events=10, players=8, model=model, strengths=models.normal(2000, 150))
>>> archive.tournaments.height
10
"""

from tbframe.research.simulation.engines import bbp_pairings, dutch
from tbframe.research.simulation.models import (
    ResultModel,
    coin_flip,
    davidson,
    deterministic,
    elo,
    fide_checker,
    ordinal,
    product_draw,
    rao_kupper,
)
from tbframe.research.simulation.strengths import Strengths, fixed, ladder, normal, uniform

__all__ = [
    "ResultModel",
    "Strengths",
    "bbp_pairings",
    "coin_flip",
    "davidson",
    "deterministic",
    "dutch",
    "elo",
    "fide_checker",
    "fixed",
    "ladder",
    "normal",
    "ordinal",
    "product_draw",
    "rao_kupper",
    "uniform",
]
