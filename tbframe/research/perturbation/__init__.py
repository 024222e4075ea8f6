"""Perturbation: what would have come out if one thing had been otherwise."""

from tbframe.research.perturbation.scenarios import Perturbation, perturb

__all__ = ["Perturbation", "perturb"]
