"""Under what a tie-break is computed: an edition, altered rules, another value of a bye."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, Literal

import numpy as np

from tbframe.editions import AUTO, Edition, edition_of
from tbframe.ledger import Batch
from tbframe.ledger.block import Ints, Score
from tbframe.ledger.kinds import KIND

__all__ = [
    "IN_FORCE",
    "LAST_ROUND",
    "UNRATED_OUT",
    "Option",
    "Variation",
    "altered_rules",
    "bye_values",
    "changed",
    "edition_text",
]

Worth = Literal["nothing", "draw", "win"]

_BYES: Final[dict[str, str]] = {
    "U": "pairing-allocated byes",
    "H": "half-point byes",
    "F": "full-point byes",
    "Z": "absences",
    "+": "forfeit wins",
}
#: What each of them may have been worth to somebody.
_WORTHS: Final[dict[str, tuple[Worth, ...]]] = {
    "U": ("nothing", "draw", "win"),
    "H": ("nothing", "win"),
    "F": ("nothing", "draw"),
    "Z": ("draw",),
    "+": ("nothing", "draw"),
}
#: The rules of an edition about unplayed rounds, each with the values it may have.
_RULES: Final[dict[str, tuple[str, ...]]] = {
    "opponent_unplayed": ("awarded", "draw", "trailing-requested", "trailing-vur"),
    "own_unplayed": ("nothing", "own-score", "virtual-opponent", "capped"),
    "own_unplayed_result": ("awarded", "draw"),
    "low_cut": ("plain", "vur-first", "vur-unless-lower", "bye-first"),
}


@dataclass(frozen=True)
class Option:
    """Something that somebody may have done otherwise, whatever the edition.

    Attributes
    ----------
    text
        As it is told.
    kind, worth
        A kind of unplayed round, and what it is worth.
    unrated_out
        Games against the unrated do not count.
    last_round_missing
        As it stood before the last round.
    """

    text: str
    kind: str | None = None
    worth: Worth = "nothing"
    unrated_out: bool = False
    last_round_missing: bool = False

    @property
    def about(self) -> str:
        """What an event must have for it to make a difference."""
        if self.kind is not None:
            return _BYES[self.kind]
        return "unrated opponents" if self.unrated_out else "a last round that counts"

    def applied(self, t: Batch) -> Batch | None:
        """Return the batch so changed; ``None`` where nothing changes."""
        if self.kind is not None:
            return _with_byes(t, KIND[self.kind], self.worth)
        if self.unrated_out:
            return replace(t, unrated=np.asarray(-1)) if (t.rating == 0).any() else None
        return _before_last_round(t)


UNRATED_OUT: Final = Option("without games against the unrated", unrated_out=True)
LAST_ROUND: Final = Option("as before the last round", last_round_missing=True)


@dataclass(frozen=True)
class Variation:
    """What a batch is computed under.

    Attributes
    ----------
    edition
        A key of `EDITIONS`, or ``"auto"``: the one in force on each tournament's date.
    rules
        Rules of the edition that are replaced.
    option
        What else is done otherwise.
    """

    edition: str = AUTO
    rules: tuple[tuple[str, str], ...] = ()
    option: Option | None = None

    def applied(self, t: Batch) -> Batch | None:
        """Return the batch under this; ``None`` where it comes to nothing of its own."""
        edition = t.edition if self.edition == AUTO else edition_of(self.edition)
        rules = changed(edition, self.rules)
        if self.rules and not rules:
            return None
        if rules:
            edition = edition_of(" ".join([edition.key, *rules]))
        # A copy, so that what it remembers is forgotten with it.
        t = replace(t, edition=edition)
        return t if self.option is None else self.option.applied(t)


#: The edition in force on each tournament's date.
IN_FORCE: Final = Variation()


def bye_values() -> Iterator[Option]:
    """Give the options about the worth of an unplayed round."""
    for kind, worths in _WORTHS.items():
        for worth in worths:
            said = worth if worth == "nothing" else f"a {worth}"
            yield Option(f"{_BYES[kind]} worth {said}", kind, worth)


def altered_rules(heeded: Sequence[str]) -> Iterator[Variation]:
    """Give every combination of those rules about unplayed rounds that a tie-break heeds."""
    names = [name for name in _RULES if name in heeded]
    for values in product(*(_RULES[name] for name in names)):
        yield Variation(rules=tuple(zip(names, values, strict=True)))


def changed(edition: Edition, rules: tuple[tuple[str, str], ...]) -> list[str]:
    """List the rules that an edition does not have already, as `edition_of` reads them."""
    return [f"{name}={value}" for name, value in rules if getattr(edition, name) != value]


def edition_text(variation: Variation, in_force: str) -> str:
    """Name the edition of a variation, for tournaments of one edition (``"auto"``: of several)."""
    key = in_force if variation.edition == AUTO else variation.edition
    if key == AUTO:
        return " ".join([key, *(f"{name}={value}" for name, value in variation.rules)])
    return " ".join([key, *changed(edition_of(key), variation.rules)])


def _with_byes(t: Batch, kind: int, worth: Worth) -> Batch | None:
    """Return the batch with other points for a kind of unplayed round."""
    there = t.kind == kind
    if not there.any():
        return None
    scores: dict[str, Score] = {}
    for name, score in t.scores.items():
        worths: dict[Worth, Ints | int] = {"nothing": 0, "draw": score.draw, "win": score.win}
        scores[name] = replace(score, points=np.where(there, worths[worth], score.points))
    if all((scores[name].points == t.scores[name].points).all() for name in scores):
        return None
    return replace(t, scores=scores)


def _before_last_round(t: Batch) -> Batch | None:
    """Return the batch without the games of its last round."""
    kept = int(np.searchsorted(np.asarray(t.rounds), t.round_count))
    if kept == 0:
        return None
    return replace(
        t,
        rounds=t.rounds[:kept],
        kind=t.kind[:kept],
        color=t.color[:kept],
        scores={
            name: replace(score, points=score.points[:kept]) for name, score in t.scores.items()
        },
        opponent_at=t.opponent_at[:kept],
        met_again=t.met_again[:kept],
        boards=None if t.boards is None else t.boards[:, :kept],
    )
