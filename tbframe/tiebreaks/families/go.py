"""Go: number of wins, McMahon score, and the sums over them, as OpenGotha has them.

The McMahon score is the column ``start_score`` of the players frame and the points made since;
without that column it is the number of wins. A jigo is half a point. Codes that end in ``W`` count
wins, also in a McMahon tournament; without it they count the McMahon score.

*Rounds without a game.* The points of byes and absences are those that the results award, and
their sum is rounded down to whole points, unless the column ``keep_halves`` of the tournaments
frame is 1. In the sums over opponents such a round brings the player's own start score, in those
over wins 0. Where the column ``unplayed_as_half`` of the tournaments frame is 1, every round that
an opponent did not play, also one decided by absence, counts half a point for him there.

*Handicap.* The column ``handicap`` of the results holds the stones of a game, on the rows of both
players. White meets an opponent who counts so many points more, Black one who counts so many less,
in the sums over McMahon scores; a row without a color is not corrected.

*SOS-1, SOS-2* are written ``go.SOS/C1`` and ``go.SOS/C2``: the lowest summands are left out, those
of rounds without a game too.

The sum of defeated opponents' scores depends on the origin of the McMahon scale: moved up, it
prefers the player with more wins among those level on points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tbframe.codes import Criterion
from tbframe.ledger import Batch
from tbframe.ledger.block import Ints
from tbframe.ledger.kinds import EMPTY
from tbframe.ledger.values import Bools
from tbframe.tiebreaks.registry import tiebreak

__all__ = ["Scores"]

_SOURCE: Final = "OpenGotha 3.52, placement criterion"
_WHITE, _BLACK = 1, 2


@dataclass(frozen=True)
class Scores:
    """One way of counting: by wins alone, or by McMahon score.

    Attributes
    ----------
    t
        The batch.
    start
        ``(players,)``: the score before the first round, in units.
    handicap
        ``(rounds, players)``: what is added to the opponent's score of a round, in units.
    """

    t: Batch
    start: Ints
    handicap: Ints | int

    @classmethod
    def of_wins(cls, t: Batch) -> Scores:
        """Count wins."""
        return cls(t, np.zeros(t.players, dtype=np.int64), 0)

    @classmethod
    def mcmahon(cls, t: Batch) -> Scores:
        """Count from the start scores on, and handicap stones."""
        start = t.column("players.start_score", unit=t.unit)
        if not t.given("results.handicap").any():
            return cls(t, start, 0)
        side = np.where(t.color == _WHITE, 1, np.where(t.color == _BLACK, -1, 0))
        return cls(t, start, side * t.column("results.handicap", unit=t.unit, least=0))

    @property
    def rounds(self) -> Bools:
        """``(rounds, players)``: rounds that took place, with a game or without."""
        return np.asarray(self.t.kind != EMPTY)

    def after_each_round(self) -> Ints:
        """Return the score after every round, ``(rounds, players)``."""
        t = self.t
        made = np.where(t.paired, t.points, 0).cumsum(axis=0)
        without = np.where(t.paired, 0, t.points).cumsum(axis=0)
        halves = t.column("tournaments.keep_halves") != 0
        awarded = np.where(halves, without, without // t.unit * t.unit)
        return np.asarray(self.start + made + awarded)

    def final(self) -> Ints:
        """Return the score, ``(players,)``."""
        return np.asarray(self.after_each_round()[-1])

    def for_opponents(self) -> Ints:
        """Return the score as the sums of the opponents take it, ``(players,)``."""
        t = self.t
        as_half = t.column("tournaments.unplayed_as_half") != 0
        if not as_half.any():
            return self.final()
        played = np.where(t.over_the_board, t.points, 0).sum(axis=0)
        others = (self.rounds & ~t.over_the_board).sum(axis=0)
        return np.where(as_half, self.start + played + others * t.unit // 2, self.final())

    def of_opponents(self) -> Ints:
        """Return the opponent's score with handicap, or the start score, ``(rounds, players)``."""
        t = self.t
        score = t.opponent(self.for_opponents(), where=t.paired) + self.handicap
        return np.where(t.paired, score, np.where(self.rounds, self.start, 0))

    def sos(self, low: int = 0) -> Ints:
        """Sum the opponents' scores without the lowest."""
        return self.t.total(self.of_opponents(), where=self.rounds, low=low, plain_cuts=True)

    def sodos(self) -> Ints:
        """Sum the opponents' scores, each multiplied by the points made against him."""
        t = self.t
        return t.total(self.of_opponents() * t.points, where=t.paired)

    def sosos(self) -> Ints:
        """Sum the opponents' SOS; a round without a game brings what SOS would be without any."""
        t = self.t
        alone = np.where(self.rounds, self.start * self.rounds.sum(axis=0), 0)
        return t.total(t.opponent(self.sos(), where=t.paired, otherwise=alone))

    def cuss(self) -> Ints:
        """Sum the scores after each round."""
        rounds = np.asarray(self.t.rounds)
        closes = np.append(rounds[1:] != rounds[:-1], [True])  # a round's last game
        return self.t.total(
            self.after_each_round(), where=np.broadcast_to(closes[:, None], self.t.kind.shape)
        )


def _define(suffix: str, of: str, how: str) -> None:
    """Define the sums over one way of counting."""
    count = {"M": Scores.mcmahon, "W": Scores.of_wins}[how]

    @tiebreak(
        f"go.SOS{suffix}", name=f"Sum of opponents' scores ({of})", modifiers="C",
        source=f"{_SOURCE} SOS{how}",
    )  # fmt: skip
    def sos(t: Batch, c: Criterion) -> Ints:
        """Sum the opponents' scores; a cut leaves out the lowest."""
        return count(t).sos(c.low)

    @tiebreak(
        f"go.SODOS{suffix}", name=f"Sum of defeated opponents' scores ({of})",
        source=f"{_SOURCE} SODOS{how}",
    )  # fmt: skip
    def sodos(t: Batch) -> Ints:
        """Sum the scores of opponents defeated, and half of those who made jigo."""
        return count(t).sodos()

    @tiebreak(
        f"go.SOSOS{suffix}", name=f"Sum of opponents' SOS ({of})", source=f"{_SOURCE} SOSOS{how}"
    )
    def sosos(t: Batch) -> Ints:
        """Sum the opponents' sums of opponents' scores."""
        return count(t).sosos()

    @tiebreak(
        f"go.CUSS{suffix}", name=f"Cumulative sum of scores ({of})", source=f"{_SOURCE} CUSS{how}"
    )
    def cuss(t: Batch) -> Ints:
        """Sum the scores after each round."""
        return count(t).cuss()


@tiebreak("go.NBW", name="Number of wins", source=f"{_SOURCE} NBW")
def number_of_wins(t: Batch) -> Ints:
    """Sum the points, those of byes and absences rounded down."""
    return t.explained(Scores.of_wins(t).final(), lambda: t.total(t.points))


@tiebreak("go.MMS", name="McMahon score", source=f"{_SOURCE} MMS")
def mcmahon_score(t: Batch) -> Ints:
    """Add the points to the start score, those of byes and absences rounded down."""
    return t.explained(Scores.mcmahon(t).final(), lambda: t.total(t.points))


_define("", "McMahon score", "M")
_define("W", "wins", "W")
