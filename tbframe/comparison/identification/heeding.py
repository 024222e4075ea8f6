"""Which rules of an edition a tie-break heeds: the others make no difference to its values."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from tbframe.codes import Criterion
from tbframe.editions import EDITIONS, Edition
from tbframe.tiebreaks import definition

__all__ = ["SHOWN_BY", "editions_alike", "editions_apart", "rules_heeded"]

#: What an event must have for a rule to make a difference.
SHOWN_BY: Final = {
    "opponent_unplayed": "opponents with unplayed rounds",
    "own_unplayed": "players with unplayed rounds",
    "own_unplayed_result": "players whose unplayed rounds brought no draw",
    "low_cut": "voluntarily unplayed rounds among what is cut",
    "predetermined_forfeits": "forfeits in predetermined pairings",
    "predetermined_losses_own": "forfeits in predetermined pairings",
    "predetermined_forfeits_rated": "forfeits in predetermined pairings",
    "partial_encounters": "ties in which not all have met",
    "team_cut": "cuts of team scores",
    "restart_encounters": "ties that the secondary score splits",
}
_OVER_SCORES: Final = ("opponent_unplayed", "own_unplayed", "predetermined_forfeits")
_OWN_GAMES: Final = ("predetermined_forfeits", "predetermined_losses_own")
_RATINGS: Final = ("predetermined_forfeits", "predetermined_forfeits_rated")
#: Editions are FIDE's, and what somebody defines himself may heed them.
_WITH_EDITIONS: Final = ("fide", "old", "own")
#: What is not listed may heed every rule.
_HEEDS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("PTS", "WIN", "PS", "STD", "TPN", "RTNG", "KS", "old.AROC"), ()),
    **dict.fromkeys(("WON", "BPG", "BWG", "REP"), _OWN_GAMES),
    **dict.fromkeys(("BH", "FB", "AOB", "old.SUMBH"), _OVER_SCORES),
    "SB": (*_OVER_SCORES, "own_unplayed_result"),
    **dict.fromkeys(("ARO", "TPR", "PTP", "APRO", "APPO"), _RATINGS),
    "DE": ("partial_encounters", "predetermined_forfeits"),
}


def rules_heeded(criterion: Criterion) -> tuple[str, ...]:
    """Return the rules on which the values of a criterion may depend.

    Parameters
    ----------
    criterion
        Code and modifiers.
    """
    if definition(criterion.code).family not in _WITH_EDITIONS:
        return ()
    rules = _HEEDS.get(criterion.code)
    if rules is None:
        return tuple(SHOWN_BY)
    return (*rules, "low_cut") if criterion.low and "own_unplayed" in rules else rules


def editions_apart(criterion: Criterion) -> Iterator[str]:
    """Give the editions in which a criterion has values of its own, one of each kind.

    Of those that are of one kind, one that was in force stands for the others. Other families
    have rules of their own, which are of no edition: then there is none.

    Parameters
    ----------
    criterion
        Code and modifiers.
    """
    if definition(criterion.code).family not in _WITH_EDITIONS:
        return
    known, rules = definition(criterion.code), rules_heeded(criterion)
    kinds: dict[tuple[object, ...], str] = {}
    dated_first = sorted(EDITIONS.items(), key=lambda each: each[1].since is None)
    for key, edition in dated_first:
        if known.in_edition(criterion, edition):
            kinds.setdefault(tuple(getattr(edition, rule) for rule in rules), key)
    yield from kinds.values()


@cache
def editions_alike(key: str, rules: tuple[str, ...]) -> list[Edition]:
    """Return the editions that say the same as another on some rules.

    Parameters
    ----------
    key
        Key of the other.
    rules
        Fields of `Edition`.
    """
    said = [getattr(EDITIONS[key], rule) for rule in rules]
    return [
        edition
        for edition in EDITIONS.values()
        if [getattr(edition, rule) for rule in rules] == said
    ]
