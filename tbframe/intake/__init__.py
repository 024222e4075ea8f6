"""How users' own tables become canonical frames."""

from tbframe.intake.games import from_games
from tbframe.intake.results import from_results

__all__ = ["from_games", "from_results"]
