"""The score columns of an h9 file: what they are called, and which is the McMahon score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, isfinite
from typing import Final

from tbframe.schema import PLAYERS
from tbframe.sources.h9.rows import Row
from tbframe.sources.making import Doubts

__all__ = [
    "Made", "Scores", "Starts", "as_number", "criteria_of", "name_scores", "start_scores",
]  # fmt: skip

_MCMAHON: Final = frozenset({"MMS", "MM", "MCMAHON"})
_WINS: Final = frozenset({"NBW", "WINS", "W", "SCORE", "S"})
#: The catalogue's names of the columns, behind a McMahon score and behind the number of wins.
_CRITERIA: Final = {
    **dict.fromkeys(("SOS", "SOSM", "SOSW"), "go.SOS"),
    **dict.fromkeys(("SOSOS", "SSOS", "SOSO", "SOSOSM", "SOSOSW"), "go.SOSOS"),
    **dict.fromkeys(("SODOS", "SDOS", "SODOSM", "SODOSW"), "go.SODOS"),
    **dict.fromkeys(("CUSS", "CUSSM", "CUSSW"), "go.CUSS"),
}
_REFINED: Final = {"SDC": "go.SDC", "DC": "go.DC"}
#: Names of columns that would be taken for others.
_TAKEN: Final = frozenset({"start_score", "grade", "club", "score", "pts"})
#: No player begins with a higher score.
_MOST: Final = 60


@dataclass(frozen=True)
class Scores:
    """The score columns of a file.

    Attributes
    ----------
    names
        Of the columns, which are those of the players frame.
    values
        For each player, a number or None for each column.
    given
        How the file calls the first of them; the others are counted through.
    """

    names: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    given: tuple[str, ...]

    @property
    def has_mcmahon(self) -> bool:
        """Whether the file calls a column a McMahon score."""
        return any(name.upper() in _MCMAHON for name in self.given)


def as_number(word: str) -> float | None:
    """Read a score; half points may be written with ``½``, ``=`` or a comma.

    Examples
    --------
    >>> as_number("12½"), as_number("12="), as_number("7,5"), as_number("x")
    (12.5, 12.5, 7.5, None)
    """
    half = word.endswith(("½", "="))
    try:
        number = float(word.rstrip("½=").replace(",", ".") or "0") + 0.5 * half
    except ValueError:
        return None
    return number if isfinite(number) else None


def name_scores(given: Sequence[str], rows: Sequence[Sequence[str]], behind: str = "") -> Scores:
    """Put the names of a file to its score columns.

    Parameters
    ----------
    given
        The names that the file has, from the left.
    rows
        The scores of each player, as written.
    behind
        What is put behind every name, to tell two groups of columns apart.
    """
    width = max(map(len, rows), default=0)
    names: list[str] = []
    for number in range(width):
        name = (given[number] if number < len(given) else f"score_{number + 1}") + behind
        if name.lower() in PLAYERS or name.lower() in _TAKEN:
            name = f"{name} (file)"
        names.append(f"{name} ({number + 1})" if name in names else name)
    values = tuple(
        tuple(as_number(row[i]) if i < len(row) else None for i in range(width)) for row in rows
    )
    return Scores(tuple(names), values, tuple(given[:width]))


@dataclass(frozen=True)
class Made:
    """What a player made in all rounds.

    Attributes
    ----------
    games, byes
        Points in games, and in rounds without one.
    """

    games: float
    byes: float

    def total(self, *, keep_halves: bool) -> float:
        """Sum them up; without a game, halves count where they make a whole, or as they are."""
        return self.games + (self.byes if keep_halves else floor(self.byes))


@dataclass(frozen=True)
class Starts:
    """What the players had before the first round.

    Attributes
    ----------
    scores
        For each player; None where the file does not tell it.
    keep_halves
        Whether half points without a game count on their own.
    """

    scores: list[float | None]
    keep_halves: bool


def start_scores(
    scores: Scores, made: Sequence[Made], rows: Sequence[Row], doubts: Doubts
) -> Starts | None:
    """Find the McMahon score, and what each player had before the first round.

    Parameters
    ----------
    scores
        The columns.
    made
        What each player made since.
    rows
        The lines of the players.
    doubts
        Where to tell what the start scores are taken from, and which of them are odd.

    Returns
    -------
    Starts or None
        None where the scores are wins.
    """
    place = _mcmahon_column(scores, [one.total(keep_halves=False) for one in made])
    if place is None:
        return None
    # The program either rounded halves down or did not: then fewer players begin with a half.
    rounded, kept = (_starts(scores, place, made, keep_halves=keep) for keep in (False, True))
    starts = kept if _halves(kept) < _halves(rounded) else rounded
    told = place < len(scores.given) and scores.given[place].upper() in _MCMAHON
    plausible = [one is None or (0 <= one <= _MOST and (2 * one).is_integer())
                 for one in starts.scores]  # fmt: skip
    if not (told or all(plausible)):
        return None
    how = "read from" if told else "the file calls no column so: assumed from"
    halves = "; half points without a game count on their own" if starts.keep_halves else ""
    doubts.add(
        "start-score-derived",
        f"McMahon score {how} {scores.names[place]!r}; less the points made it is the start score"
        + halves,
        "info" if told else "warning",
    )
    _doubt_starts(starts.scores, rows, doubts)
    return starts


def _starts(scores: Scores, place: int, made: Sequence[Made], *, keep_halves: bool) -> Starts:
    return Starts(
        [None if (value := row[place]) is None else value - one.total(keep_halves=keep_halves)
         for row, one in zip(scores.values, made, strict=True)],
        keep_halves,
    )  # fmt: skip


def _halves(starts: Starts) -> int:
    return sum(one is not None and not one.is_integer() for one in starts.scores)


def _mcmahon_column(scores: Scores, points: Sequence[float]) -> int | None:
    """Return the place of the column that is, or may be, the McMahon score."""
    for place, name in enumerate(scores.given):
        if name.upper() in _MCMAHON:
            return place
    if not scores.names or (scores.given and scores.given[0].upper() not in _WINS):
        return None
    # A first column that is more than what was won (a win may count as two) is a McMahon score,
    # whatever it is called.
    most = len(points)
    equal = [max(_count_equal(scores, place, worth, points) for worth in (1, 2))
             for place in range(len(scores.names))]  # fmt: skip
    if 2 * equal[0] <= most:
        return 0
    # So it is where a second column has the wins of all, and the first has not.
    return 0 if not scores.given and equal[0] < most and most in equal[1:] else None


def _count_equal(scores: Scores, place: int, worth: int, points: Sequence[float]) -> int:
    return sum(row[place] == worth * one for row, one in zip(scores.values, points, strict=True))


def _doubt_starts(start: Sequence[float | None], rows: Sequence[Row], doubts: Doubts) -> None:
    """Tell of a start score that is missing, or differs from most of the same grade."""
    of_grade: dict[str, Counter[float]] = {}
    for row, score in zip(rows, start, strict=True):
        if score is not None:
            of_grade.setdefault(row.grade, Counter())[score] += 1
    for number, (row, score) in enumerate(zip(rows, start, strict=True), start=1):
        place = {"line": row.line, "player": row.place or number}
        if score is None:
            text = "has no McMahon score in the file: tie-breaks let the player begin with 0"
            doubts.add("start-score-missing", text, "error", **place)
            continue
        if score < 0:
            text = f"the McMahon score is {-score:g} less than the points made: begins below 0"
            doubts.add("start-score-odd", text, "warning", **place)
            continue
        (usual, times), *_ = of_grade[row.grade].most_common(1)
        if usual != score and times > 1:
            doubts.add(
                "start-score-odd",
                f"began with {score:g}, and most with grade {row.grade} with {usual:g}",
                "warning",
                **place,
            )


def criteria_of(scores: Scores, *, mcmahon: bool) -> str | None:
    """Return the ranking order that the names of the columns tell, in the catalogue's codes.

    Examples
    --------
    >>> names = ("NBW", "SOS", "SOSOS", "U16")
    >>> criteria_of(Scores(names, (), names), mcmahon=False)
    'go.NBW go.SOSW go.SOSOSW'
    """
    first, *others = [name.upper() for name in scores.given] or [""]
    if first not in {*_MCMAHON, *_WINS}:
        return None
    order = ["go.MMS" if mcmahon else "go.NBW"]
    for name in others:
        if name in _CRITERIA:
            counts_wins = name.endswith("W") or not (mcmahon or name.endswith("M"))
            order.append(_CRITERIA[name] + ("W" if counts_wins else ""))
        elif name in _REFINED:
            order.append(_REFINED[name])
        elif name not in _WINS:
            break
    return " ".join(dict.fromkeys(order))
