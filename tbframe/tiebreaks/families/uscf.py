"""US Chess: the tie-breaks of rule 34E for Swiss tournaments.

An opponent's unplayed rounds count half a point each, whatever points they brought (a draw, under
another scoring system). The player's own unplayed rounds count as opponents with no points. So a
forfeit is unplayed on both sides, and FIDE's editions play no part.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tbframe.codes import Criterion
from tbframe.ledger import Batch, Ratio
from tbframe.ledger.block import Ints
from tbframe.ledger.kinds import EMPTY, FIRST_UNPLAYED, PENDING
from tbframe.ledger.values import Bools
from tbframe.tiebreaks.families.percentages import average, outcomes, rounds_multiple, shares
from tbframe.tiebreaks.registry import refinement, tiebreak
from tbframe.tiegroups import split

__all__: list[str] = []

_BLACK: Final = 2
#: From so many rounds on two scores are dropped instead of one.
_LONG: Final = 9


def _adjusted(t: Batch) -> Ints:
    """``(players,)``: the score with half a point for every unplayed round."""
    unplayed = (t.kind >= FIRST_UNPLAYED) & (t.kind < PENDING)
    return t.total(np.where(unplayed, t.draw, t.points))


def _opponents(t: Batch) -> Ints:
    """Put the opponents' adjusted scores on each round; 0 on unplayed ones."""
    return t.opponent(_adjusted(t), where=t.over_the_board)


def _without(t: Batch, *, low: Bools | bool, high: Bools | bool) -> Ints:
    """Sum the opponents' scores without the lowest, the highest or both: two each if it is long."""
    number = 1 if t.round_count < _LONG else 2
    return t.total(
        _opponents(t), where=t.known, low=number * low, high=number * high, plain_cuts=True
    )


def _plus_or_minus(t: Batch) -> Ints:
    """Return 1 for a win, 0 for a draw and -1 for a loss, whatever they score."""
    return np.asarray(outcomes(2, 1)[t.kind] - 1)


@tiebreak("uscf.MMED", name="Modified Median", source="US Chess 34E")
def modified_median(t: Batch) -> Ints:
    """Drop the lowest score for a plus score, the highest for a minus score, both for an even one.

    Two instead of one with nine or more rounds.
    """
    surplus = _surplus(t)
    return _without(t, low=surplus >= 0, high=surplus <= 0)


@tiebreak(
    "uscf.MMEDL",
    name="Modified Median, lowest dropped for minus scores too",
    source="Michigan Chess Association",
)
def modified_median_low(t: Batch) -> Ints:
    """Compute the Modified Median as a page prints it that drops the lowest for minus scores."""
    return _without(t, low=True, high=_surplus(t) == 0)


def _surplus(t: Batch) -> Ints:
    """Return by how much a player has more, or less, than half of the points, doubled."""
    possible = t.win * (t.kind != EMPTY).sum(axis=0)
    return np.asarray(2 * t.points.sum(axis=0) - possible)


@tiebreak("uscf.SOLK", name="Solkoff", source="US Chess 34E")
def solkoff(t: Batch) -> Ints:
    """Sum the opponents' scores."""
    return t.total(_opponents(t))


@tiebreak("uscf.MED", name="Median (Harkness)", source="US Chess 34E")
def median(t: Batch) -> Ints:
    """Sum the opponents' scores without the lowest and the highest; two each if it is long."""
    return _without(t, low=True, high=True)


@tiebreak("uscf.CUM", name="Cumulative", source="US Chess 34E")
def cumulative(t: Batch) -> Ints:
    """Sum the scores after each round, less the points of unplayed rounds once."""
    rounds = np.asarray(t.rounds)
    goes_on = np.append(rounds[1:] == rounds[:-1], [False])[:, None]  # to a round's next game
    closes = t.known & ~(goes_on & np.roll(t.known, -1, axis=0))
    running = t.total(np.cumsum(t.points, axis=0), where=closes)
    return running - t.total(t.points, where=t.known & ~t.over_the_board)


@tiebreak("uscf.CUMO", name="Cumulative of opposition", source="US Chess 34E")
def cumulative_of_opposition(t: Batch) -> Ints:
    """Sum the opponents' cumulative scores."""
    return t.total(t.opponent(cumulative(t), where=t.over_the_board))


@tiebreak("uscf.SB", name="Sonneborn-Berger", source="US Chess 34E")
def sonneborn_berger(t: Batch) -> Ints:
    """Sum the opponents' scores, each multiplied by the points made against him."""
    return t.total(_opponents(t) * t.points)


@tiebreak("uscf.KASH", name="Kashdan", source="US Chess 34E7")
def kashdan(t: Batch) -> Ints:
    """Give 4 for a win, 2 for a draw, 1 for a loss and nothing for an unplayed round."""
    return t.total(1 + outcomes(3, 1)[t.kind], where=t.over_the_board)


@tiebreak("uscf.BLACK", name="Most Blacks", source="US Chess 34E")
def most_blacks(t: Batch) -> Ints:
    """Count the games played with Black."""
    return t.count(t.over_the_board & (t.color == _BLACK))


@refinement("uscf.RBT", name="Result between tied players", source="US Chess 34E", modifiers="")
def result_between_tied(t: Batch, place: Ints, _: Criterion) -> Ints:
    """Split tie groups by the games among their members: plus or minus, not a percentage.

    A win counts for the player and a loss against him, in one table for each group; who met
    nobody is level with who made half.
    """
    tied = t.opponent(place, otherwise=-1, where=t.over_the_board) == t.own(place)
    return split(place, t.total(_plus_or_minus(t), where=tied))


@tiebreak("uscf.OAVG", name="Average opposition", source="US Chess 34E", needs="ratings")
def average_opposition(t: Batch) -> Ratio:
    """Average the ratings of the opponents who have one."""
    rated = t.opponent(t.rating, where=t.over_the_board)
    return t.mean(rated, where=rated > 0)


@tiebreak("uscf.PERF", name="Own performance", source="US Chess 34E", needs="ratings")
def performance(t: Batch) -> Ratio:
    """Average the opponents' ratings, 400 more for a win and 400 less for a loss.

    Opponents without a rating are left out; undefined without any.
    """
    rated = t.opponent(t.rating, where=t.over_the_board)
    return t.mean(rated + 400 * _plus_or_minus(t), where=rated > 0)


@tiebreak("uscf.OPERF", name="Opposition's performance", source="US Chess 34E", needs="ratings")
def opposition_performance(t: Batch) -> Ratio:
    """Average the opponents' performances; undefined without any."""
    own = performance(t)
    games = t.opponent(own.denominator > 0, where=t.over_the_board)
    return average(t, shares(own, rounds_multiple(t)), games).ratio()


@tiebreak("uscf.SOME", name="Points made over the board", source="Michigan Chess Association")
def points_over_the_board(t: Batch) -> Ints:
    """Return 0 for a player whose whole score is from unplayed rounds, 1 for all others.

    Put first, it makes him lose any tie.
    """
    played = t.total(t.points, where=t.over_the_board)
    return np.where((t.score > 0) & (played == 0), 0, 1)


@tiebreak("uscf.USAT", name="U.S. Amateur Team", source="US Chess 34G2", teams="only")
def amateur_team(t: Batch) -> Ints:
    """Sum the opponents' match points, each multiplied by the board points against them."""
    return t.total(t.opponent(t.on("MP").score) * t.on("GP").points)
