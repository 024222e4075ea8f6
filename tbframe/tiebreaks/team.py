"""Tie-breaks of team events (arts 11 to 13).

Match points (MP) and game points (GP): one decides, the *primary* score, the other is the
*secondary*. What individuals have too (Buchholz, Koya, ...) takes ``:MP`` or ``:GP``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from tbframe.codes import Criterion
from tbframe.errors import TbframeError
from tbframe.ledger import Batch, Ratio
from tbframe.ledger.block import Ints
from tbframe.tiebreaks.buchholz import buchholz
from tbframe.tiebreaks.direct_encounter import encounters
from tbframe.tiebreaks.registry import refinement, tiebreak
from tbframe.tiegroups import split

__all__: list[str] = []


@tiebreak("MPTS", name="Match points", source="C.07 art. 11", teams="only")
def match_points(t: Batch) -> Ints:
    """Sum the match points."""
    return t.on("MP").score


@tiebreak("GPTS", name="Game points", source="C.07 art. 11", teams="only")
def game_points(t: Batch) -> Ints:
    """Sum the game points."""
    return t.on("GP").score


@tiebreak("MPVGP", name="Match v game points", source="C.07 art. 13.1", teams="only")
def secondary_score(t: Batch) -> Ints:
    """Sum the points of the score that does not decide."""
    return t.secondary.score


def _extended_sonneborn_berger(
    code: str, opponents: Literal["MP", "GP"], own: Literal["MP", "GP"]
) -> None:
    words = {"MP": "match points", "GP": "game points"}
    number = {"EMMSB": 1, "EMGSB": 2, "EGMSB": 3, "EGGSB": 4}[code]

    @tiebreak(
        code,
        name=f"Extended Sonneborn-Berger, opponents' {words[opponents]} times own {words[own]}",
        source=f"C.07 art. 13.2.{number}",
        modifiers="CP",
        teams="only",
    )
    def formula(t: Batch, c: Criterion) -> Ints:
        """Sum the opponents' scores, each multiplied by the points of the match with him.

        A cut takes the opponent with the lowest score, the lowest product of several: the score
        named first, or the primary score in the texts before August 2024.
        """
        t = t.with_forfeits if c.forfeits else t
        theirs, mine = t.on(opponents), t.on(own)
        products = theirs.opponent_score * mine.opponent_result
        by = t.opponent_score if t.edition.team_cut == "primary" else theirs.opponent_score
        return theirs.total(products, by=by, low=c.low, high=c.high)


for _code, _opponents, _own in (
    ("EMMSB", "MP", "MP"),
    ("EMGSB", "MP", "GP"),
    ("EGMSB", "GP", "MP"),
    ("EGGSB", "GP", "GP"),
):
    _extended_sonneborn_berger(_code, _opponents, _own)  # type: ignore[arg-type]


@tiebreak(
    "SSSC",
    name="Scores and schedule strength combination",
    source="C.07 art. 13.4",
    modifiers="PFK",
    teams="only",
)
def scores_and_schedule(t: Batch, c: Criterion) -> Ratio:
    """Add to the secondary score the Buchholz of the primary one, divided so as to match.

    The divisor is what the primary score can come to at most, over what the secondary score
    of one match can, rounded down; ``/Kx`` sets it.
    """
    other = t.secondary
    schedule = buchholz(t, replace(c, factor=None))
    most = t.win * t.round_count * other.unit // np.maximum(t.unit * other.win, 1)
    divisor = np.maximum(most, 1) if c.factor is None else np.int64(c.factor)
    top = schedule * other.unit + other.score * t.unit * divisor
    return Ratio(top, np.broadcast_to(t.unit * other.unit * divisor, t.players))


@tiebreak(
    "BC",
    name="Board count",
    source="C.07 art. 12.1",
    better="lower",
    teams="only",
    needs="boards",
)
def board_count(t: Batch) -> Ints:
    """Sum the points of each board times its number; the lower, the higher they were made."""
    boards = _board_points(t)
    return np.asarray((boards * _numbers(boards)).sum(axis=0))


@refinement("TBR", name="Top board results", source="C.07 art. 12.2", teams="only", needs="boards")
def top_boards(t: Batch, place: Ints, _: Criterion) -> Ints:
    """Split tie groups by the points on board 1, then on board 2, and so on."""
    for points in _board_points(t):
        place = split(place, points)
    return place


@refinement(
    "BBE", name="Bottom board elimination", source="C.07 art. 12.3", teams="only", needs="boards"
)
def bottom_boards(t: Batch, place: Ints, _: Criterion) -> Ints:
    """Split tie groups by the points without the last board, then without the last two, ..."""
    for points in np.cumsum(_board_points(t), axis=0)[-2::-1]:
        place = split(place, points)
    return place


def _extended_direct_encounter(code: str, then: str) -> None:
    names = {"C": "board count", "T": "top boards", "B": "bottom boards"}
    suffix = "".join(f", then {names[step]}" for step in then)

    @refinement(
        code,
        name=f"Extended direct encounter{suffix}",
        source="C.07 art. 13.3",
        modifiers="P",
        teams="only",
        needs="boards" if then else "",
    )
    def formula(t: Batch, place: Ints, c: Criterion) -> Ints:
        """Order tied teams by their matches on the primary score, else on the secondary.

        Subsets that the secondary score leaves are tried on it again before the primary score
        (as in exercise 45 of the Technical Commission). Where exactly two teams
        stay level on both, the boards of their match decide in the order that the code names.
        """
        while True:
            before = place
            place = encounters(t, place, with_forfeits=c.forfeits)
            place = encounters(
                t.secondary, place, with_forfeits=c.forfeits, once=t.edition.restart_encounters
            )
            if (place == before).all():
                break
        for step in then:
            place = _by_mutual_match(t, place, step)
        return place


for _code, _then in (("EDE", ""), ("EDEBT", "CT"), ("EDEBB", "CB"), ("EDET", "T"), ("EDEB", "B")):
    _extended_direct_encounter(_code, _then)


def _by_mutual_match(t: Batch, place: Ints, step: str) -> Ints:
    """Split pairs by the boards of their match: count, from the top, or from the bottom."""
    size = np.bincount(place, minlength=t.players)[place]
    together = t.opponent(place, otherwise=-1, where=t.paired) == t.own(place)
    mutual = together & t.own(size == 2) & t.over_the_board
    boards = (_boards(t) * mutual).sum(axis=1)
    if step == "C":
        return split(place, -(boards * _numbers(boards)).sum(axis=0))
    for points in boards if step == "T" else np.cumsum(boards, axis=0)[-2::-1]:
        place = split(place, points)
    return place


def _boards(t: Batch) -> Ints:
    if t.boards is None:
        raise TbframeError("board tie-breaks need the boards frame of the team event")
    return t.boards


def _board_points(t: Batch) -> Ints:
    """``(boards, players)``: what a team made on each board of all its matches."""
    return np.asarray(_boards(t).sum(axis=1))


def _numbers(boards: Ints) -> Ints:
    return np.arange(1, len(boards) + 1)[:, None]
