"""Tie-breaks of other federations and games, each behind its own prefix."""

from tbframe.tiebreaks.families import old, local, uscf, esports, opponents_met  # noqa: F401  # isort: skip
from tbframe.tiebreaks.families import go, go_confrontation, keizer, mtg, pokemon, ygo, netrunner  # noqa: F401  # isort: skip
from tbframe.tiebreaks.families import theory  # noqa: F401  # isort: skip
