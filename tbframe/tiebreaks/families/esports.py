"""Esports: opponents by their wins and losses.

Where a team is out after a third loss, opponents have different numbers of matches, so wins less
losses says more than wins. A match that one side did not come to counts as won and lost; a round
without an opponent is no match.
"""

from __future__ import annotations

from tbframe.ledger import Batch
from tbframe.ledger.block import Ints
from tbframe.ledger.values import Bools
from tbframe.tiebreaks.families.percentages import outcomes
from tbframe.tiebreaks.registry import tiebreak

__all__: list[str] = []


def _matches(t: Batch) -> Bools:
    return t.paired & t.known


def _won(t: Batch) -> Bools:
    won: Bools = outcomes(1, 0)[t.kind] > 0
    return _matches(t) & won


def _lost(t: Batch) -> Bools:
    lost: Bools = outcomes(1, 1)[t.kind] == 0
    return _matches(t) & lost


@tiebreak(
    "esports.DIFF", name="Difficulty (Buchholz of wins less losses)",
    source="Valve, supplemental rulebook of the Majors",
)  # fmt: skip
def difficulty(t: Batch) -> Ints:
    """Sum over the opponents met so far their wins less their losses."""
    balance = t.count(_won(t)) - t.count(_lost(t))
    return t.total(t.opponent(balance, where=t.paired), where=_matches(t))


@tiebreak("esports.MBH", name="Median Buchholz", source="Challonge, as events on Liquipedia use it")
def median_buchholz(t: Batch) -> Ints:
    """Sum the opponents' scores without the best and the worst."""
    scores = t.opponent(t.score, where=t.paired)
    return t.total(scores, where=_matches(t), low=1, high=1, plain_cuts=True)


@tiebreak("esports.LTT", name="Losses to tied teams", source="sendou.ink", better="lower")
def losses_to_tied(t: Batch) -> Ints:
    """Count the losses to teams with as many wins and as many losses.

    Who dropped out has fewer matches, and is level with nobody who went on.
    """
    wins, losses = t.count(_won(t)), t.count(_lost(t))
    as_many = (t.opponent(wins, where=t.paired) == t.own(wins)) & (
        t.opponent(losses, where=t.paired) == t.own(losses)
    )
    return t.count(_lost(t) & as_many)
