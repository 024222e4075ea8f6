"""Which fields of the lines are scores, and which are rounds.

Nothing in the file says it, and some fields could be either: ``11=`` is a jigo against player 11
or eleven and a half points, ``?`` a game that is not known or a score that is not there. But they
stand in columns, and a column of rounds has fields that can be nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from tbframe.sources.h9.rows import ABSENT, CELL, NUMBER, Row
from tbframe.sources.making import Doubts
from tbframe.sources.unreadable import UnreadableError

__all__ = ["Columns", "part_columns"]

_Words = tuple[str, ...]


@dataclass(frozen=True)
class Columns:
    """The fields of every line.

    Attributes
    ----------
    before, rounds, after
        Scores, rounds, and the scores behind the rounds, as written; a tuple for each line.
    """

    before: list[_Words]
    rounds: list[_Words]
    after: list[_Words]


def part_columns(rows: Sequence[Row], doubts: Doubts) -> Columns:
    """Tell scores from rounds.

    Parameters
    ----------
    rows
        The lines of the players, at least one with a round.
    doubts
        Where to tell of lines that have more or fewer rounds or scores than most.

    Raises
    ------
    UnreadableError
        If most lines have no rounds in the same columns.
    """
    sure = [len(row.words) for row in rows if any(map(_surely, row.words))]
    usual = Counter(sure or [len(row.words) for row in rows]).most_common(1)[0][0]
    begin, end = _rounds_of([row.words for row in rows if len(row.words) == usual])
    if begin == end:
        raise UnreadableError("the lines have no rounds in the same columns", code="no-games")
    parts = Columns([], [], [])
    for row in rows:
        first, last = begin, end
        if len(row.words) != usual:
            first, last = _run(row.words)
            # What may be a score is one as long as scores are wanting.
            while first < min(begin, last) and NUMBER.fullmatch(row.words[first]):
                first += 1
            if last - first != end - begin:
                text = f"{last - first} rounds where most lines have {end - begin}"
                doubts.add("rounds-uneven", text, "warning", line=row.line)
        before = row.words[:first]
        if len(before) != begin:
            # A name or club with a blank too many moves the scores: those beside the rounds stay.
            taken = "the last ones" if len(before) > begin else "none of them"
            text = f"{len(before)} scores where most lines have {begin}: {taken} are taken"
            doubts.add("scores-uneven", text, "warning", line=row.line)
            before = before[len(before) - begin :] if len(before) > begin else ("?",) * begin
        parts.before.append(before)
        parts.rounds.append(row.words[first:last])
        parts.after.append(row.words[last:])
    return parts


def _rounds_of(lines: Sequence[_Words]) -> tuple[int, int]:
    """Return where the columns of rounds begin and end, in lines of one length."""
    columns = list(zip(*lines, strict=True))
    # Most fields decide: a line may be damaged, and some scores are left open with a dash.
    sure = [sum(map(_surely, column)) > sum(map(_never, column)) for column in columns]
    # A column of byes alone is a round where it stands among rounds: nobody's score is 0=.
    maybe = [one or all(map(_perhaps, column)) for one, column in zip(sure, columns, strict=True)]
    # Where every game is a jigo, nothing is sure.
    sure = sure if any(sure) else maybe
    begin, end = _longest(sure, maybe)
    while begin < end and not sure[begin]:
        begin += 1
    return begin, end


def _run(words: _Words) -> tuple[int, int]:
    """Return where the rounds of one line begin and end."""
    return _longest([_surely(word) for word in words], [_perhaps(word) for word in words])


def _longest(sure: Sequence[bool], maybe: Sequence[bool]) -> tuple[int, int]:
    """Return the longest stretch of what may be a round with something that surely is one."""
    best = (0, 0)
    begin = 0
    for place in range(len(maybe) + 1):
        if place == len(maybe) or not maybe[place]:
            if place - begin > best[1] - best[0] and any(sure[begin:place]):
                best = (begin, place)
            begin = place + 1
    return best


def _surely(word: str) -> bool:
    return _kind(word) == "round"


def _never(word: str) -> bool:
    return _kind(word) == "score"


def _perhaps(word: str) -> bool:
    return _kind(word) != "score"


@lru_cache(maxsize=100_000)  # the same fields stand on many lines
def _kind(word: str) -> Literal["round", "score", "either"]:
    """Tell what a field can be."""
    if word in ABSENT:
        return "round"
    if CELL.fullmatch(word) is not None:
        return "either" if NUMBER.fullmatch(word) else "round"
    return "either" if word == "?" else "score"
