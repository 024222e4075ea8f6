"""Simulation: tournaments whose players' strengths are known."""

from tbframe.research.simulation.simulating import simulate

__all__ = ["simulate"]
