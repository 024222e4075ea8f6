"""How users' own tables become canonical frames."""

from tbframe.intake.boards import from_boards
from tbframe.intake.games import from_games
from tbframe.intake.results import from_results

__all__ = ["from_boards", "from_games", "from_results"]

# Whoever makes an archive has frames, and these get their ``.tb``.
import tbframe.namespace  # noqa: F401
