"""Simulation: tournaments whose players' strengths are known."""

from tbframe.research.simulation.simulate import simulate

__all__ = ["simulate"]
