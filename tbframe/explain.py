"""A tie-break value, round by round, as a worked exercise."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import numpy as np
import polars as pl

from tbframe.codes import Criterion
from tbframe.editions import AUTO, Edition, edition_of
from tbframe.errors import EditionError, TbframeError
from tbframe.explanation import Explanation, plain
from tbframe.ledger import Approximate, Batch, Ledger, Ratio, Sum, Values, notes_of
from tbframe.ledger.block import Ints
from tbframe.ledger.cuts import FIRST_CUT, HIGH_CUT, KEPT, LOW_CUT
from tbframe.ledger.kinds import BYE, FIRST_UNPLAYED, PENDING
from tbframe.ledger.unplayed import counted_as_draw
from tbframe.schema import RESULT_CODES
from tbframe.tiebreaks import TieBreak, definition
from tbframe.tiebreaks.direct_encounter import direct_encounter, meetings_among
from tbframe.tiebreaks.units import power_of_units
from tbframe.tiegroups import TieGroups, split

__all__ = ["Explanation", "explain"]

_OF_CUTS: Final = " (art. 14)"
_COLORS: Final = {1: "w", 2: "b", 0: None}


def explain(
    ledger: Ledger, player: object, criterion: Criterion, *, edition: str | Edition = AUTO
) -> Explanation:
    """Show what each round brings to a player's tie-break.

    Parameters
    ----------
    ledger
        Of one tournament.
    player
        The player's key.
    criterion
        The tie-break.
    edition
        An edition, or ``"auto"``.

    Returns
    -------
    Explanation
        One row for each round: ``round``, ``opponent``, ``name``, ``color``, ``result``,
        ``points``, ``opponent_score`` (as in the standings), ``taken_score`` (as the tie-break
        takes it, or that of the stand-in), ``why`` these differ, ``contribution``, and
        ``cut`` (by which rule; null: not cut).

    Raises
    ------
    TbframeError
        If the player is not in the tournament.
    EditionError
        If the edition does not know the tie-break.
    """
    column = _column_of(ledger, player)
    block = ledger.blocks[0]
    asked = criterion.edition or (block.edition if edition == AUTO else edition)
    under = edition_of(asked)
    known = definition(criterion.code)
    if not known.in_edition(criterion, under):
        raise EditionError(f"{known.code} ({known.name}) is not in edition {under}")
    if not known.applies(criterion, under, teams=bool(block.primary)):
        raise TbframeError(f"{criterion} is for team events")
    t = Batch.of(block, 0, 1, under, explaining=True).on(criterion.score)
    note: Sum | None = None
    if known.code == "DE":
        result, note, one = _encounter(t, criterion, column)
    elif known.formula is not None:
        values = known.values(t, criterion)
        note = _sum_of(values)
        one = _one_of(note, known, criterion, t)
        result = _result(t, known, criterion, values, column)
        result += "" if note is None else _beside(note, one, values, known, column)
    if note is None:
        raise TbframeError(
            f"{known.code} ({known.name}) is no sum over rounds: see it in the standings"
        )
    rows = [_round(ledger, note, one, column, slot) for slot in range(len(t.rounds))]
    frame = pl.DataFrame(rows, schema=_schema(ledger), orient="row").filter(
        pl.col("result").is_not_null()
    )
    if known.family != "fide":  # whose articles others do not follow
        frame = frame.with_columns(pl.col("cut").str.strip_suffix(_OF_CUTS))
    name = ledger.players["name"][column]
    title = (
        f"{known.name} ({criterion}) of player {player}{f' ({name})' if name else ''}, "
        f"{ledger.tournaments['tournament'][0]}{_rests_on(known, note, under)}"
    )
    return Explanation.of(frame, title=title, result=result)


def _rests_on(known: TieBreak, note: Sum, under: Edition) -> str:
    """Name the text that a value follows: FIDE's, the tie-break's own, or both."""
    if known.family == "fide":
        return f", edition {under}: {under.source}"
    if known.is_built_in and note.opponents is None:
        return f": {known.source}"
    return f", edition {under}: {known.source}; {under.source}"


def _sum_of(values: Values) -> Sum | None:
    """Return the sum that explains some values: the first they were made of.

    The score stands in every explanation anyway, so any other sum comes before it. A quotient is
    explained by what it divides.
    """
    if isinstance(values, Approximate):
        return None
    parts = (values.numerator, values.denominator) if isinstance(values, Ratio) else (values,)
    for part in parts:
        sums = [note for note in notes_of(part) if isinstance(note, Sum)]
        others = [s for s in sums if not np.array_equal(s.terms, s.batch.points)]
        if sums:
            return (others or sums)[0]
    return None


def _one_of(note: Sum | None, known: TieBreak, criterion: Criterion, t: Batch) -> int:
    """Return how many of the whole numbers of a sum make one of what is shown.

    The terms are taken again with points counted in units of other sizes, which tells.
    """

    def terms(batch: Batch) -> Ints:
        again = _sum_of(known.values(batch, criterion))
        return np.zeros(1, dtype=np.int64) if again is None else again.terms.reshape(-1)

    if note is None or not note.terms.any():
        return 1
    one = 1
    for score, counted in t.scores.items():
        one *= int(counted.unit) ** power_of_units(terms, t, score)
    return one


def _encounter(t: Batch, criterion: Criterion, column: int) -> tuple[str, Sum, int]:
    """Say the outcome; give the games among those level on points, and what divides them."""
    level = split(TieGroups.unordered(t).place, t.score)
    size = int((level == level[column]).sum())
    games = meetings_among(t, level, with_forfeits=criterion.forfeits or t.forfeits_are_games)
    own = games.only(games.player == column)
    terms = np.zeros(t.kind.shape, dtype=np.int64)
    terms[own.round, column] = own.points
    taken = np.zeros(t.kind.shape, dtype=np.bool_)
    taken[own.round, column] = True
    note = Sum(t, terms, taken, np.zeros(t.kind.shape, dtype=np.uint8), None, t)
    one = int(t.unit) * games.whole
    if size == 1:
        return f"{criterion}: nobody else has as many points", note, one
    after = direct_encounter(t, level, criterion)
    split_here = (after[level == level[column]] != level[column]).any()
    place = f"place {int(after[column] - level[column]) + 1} of {size}"
    mini = int(own.points.sum()) / games.whole / int(t.unit)
    met = int(own.weight.sum()) // games.whole
    outcome = place if split_here else "nothing decided"
    others = "the other player" if size == 2 else f"the {size - 1} others"
    return (
        f"{criterion} = {plain(mini)} against {others} with as many points, {met} met: {outcome}",
        note,
        one,
    )


def _column_of(ledger: Ledger, player: object) -> int:
    keys = ledger.players["player"].to_list()
    wanted = player
    if keys and isinstance(keys[0], int) and isinstance(player, str) and player.isdigit():
        wanted = int(player)
    if wanted not in keys:
        raise TbframeError(
            f"tournament {ledger.tournaments['tournament'][0]!r} has no player {player!r}"
            f"{_who_was_meant(ledger.players, str(player))}"
        )
    return keys.index(wanted)


def _who_was_meant(players: pl.DataFrame, asked: str) -> str:
    """Name the players whose name has the text asked for."""
    named = players.filter(
        pl.col("name").str.to_lowercase().str.contains(asked.lower(), literal=True)
    )
    some = [f"{key} ({name})" for key, name in named.select("player", "name").head(3).rows()]
    return f": did you mean {' or '.join(some)}?" if some else ""


def _schema(ledger: Ledger) -> dict[str, Any]:
    return {
        "round": pl.Int32,
        "opponent": ledger.players.schema["player"],
        "name": pl.String,
        "color": pl.String,
        "result": pl.String,
        "points": pl.Float64,
        "opponent_score": pl.Float64,
        "taken_score": pl.Float64,
        "why": pl.String,
        "contribution": pl.Float64,
        "cut": pl.String,
    }


def _round(ledger: Ledger, note: Sum, one: int, p: int, r: int) -> tuple[object, ...]:
    """Describe one round of the player in column `p`; `one` of the terms make one of the value."""
    t = note.batch
    own = note.own or t
    theirs = note.opponents or t
    kind = int(t.kind[r, p])
    if kind >= len(RESULT_CODES):  # nothing took place here
        return (t.rounds[r], *[None] * 10)
    opponent = int(t.opponent_at[r, p])
    paired = opponent != p and not BYE[kind]
    counted = bool(note.taken[r, p])
    stands_in = note.opponents is not None and counted and kind < PENDING
    return (
        t.rounds[r],
        ledger.players["player"][opponent] if paired else None,
        ledger.players["name"][opponent] if paired else None,
        _COLORS[int(t.color[r, p])],
        RESULT_CODES[kind],
        float(own.points[r, p]) / int(own.unit),
        float(theirs.score[opponent]) / int(theirs.unit) if paired else None,
        float(theirs.opponent_score[r, p]) / int(theirs.unit) if stands_in else None,
        _why(theirs, p, r) if note.opponents is not None and counted else None,
        float(note.terms[r, p]) / one if counted else None,
        _cut_by(t, int(note.cut[r, p])),
    )


def _cut_by(t: Batch, cut: int) -> str | None:
    """Say by which rule an element is cut; ``None``: it is not."""
    bye_first = t.edition.low_cut == "bye-first"
    return {
        KEPT: None,
        LOW_CUT: f"cut: least significant{_OF_CUTS}",
        HIGH_CUT: f"cut: most significant{_OF_CUTS}",
        FIRST_CUT: "cut: a bye goes first (rules of the event)"
        if bye_first
        else "cut: voluntarily unplayed round (art. 16.5)",
    }[cut]


def _why(t: Batch, p: int, r: int) -> str | None:
    """Say why the score taken is not the opponent's in the standings."""
    unit = int(t.unit)
    opponent = int(t.opponent_at[r, p])
    taken = int(t.opponent_score[r, p])
    forfeit_is_game = t.forfeits_count or t.forfeits_are_games
    if t.kind[r, p] < FIRST_UNPLAYED or (forfeit_is_game and opponent != p):
        if taken == int(t.score[opponent]):
            return None
        drawn = counted_as_draw(t, np.array([opponent]))[:, 0]
        rounds = ", ".join(str(number) for number in np.asarray(t.rounds)[drawn])
        return f"unplayed round {rounds} of the opponent as a draw"
    if t.edition.own_unplayed == "virtual-opponent":
        before = int(t.points[:r, p].sum()) / unit
        left = int(t.win - t.points[r, p]) / unit
        draws = int(t.draw) * (t.round_count - t.rounds[r]) / unit
        return f"virtual opponent: {plain(before)} before + {plain(left)} + {plain(draws)} drawn"
    own = int(t.score[p])
    if taken == own:
        return "dummy with the own score"
    cap = "the opponent's adjusted score" if opponent != p else "draws in all rounds"
    return f"dummy with the own score {plain(own / unit)}, capped at {cap}"


def _result(
    t: Batch,
    known: TieBreak,
    criterion: Criterion,
    values: Values,
    column: int,
) -> str:
    """Write the last line: the value and, for an average, the division."""
    if isinstance(values, Approximate):
        return f"{criterion} = {plain(float(values.values[column]))}"
    scale = int(known.unit.in_one(t))
    if not isinstance(values, Ratio):
        return f"{criterion} = {plain(int(values[column]) / scale)}"
    top, number = int(values.numerator[column]), int(values.denominator[column])
    if number == 0:
        unrated = "U" in known.modifiers and criterion.unrated is None and (t.rating == 0).any()
        why = "unrated players take part (art. 10)" if unrated else "no round counts"
        return f"{criterion} is undefined: {why}"
    value = plain(top / (scale * number))
    if values.is_whole:
        return f"{criterion} = {value}"
    if known.unit.name == "ratio":  # of numbers in units that nobody uses
        fraction = Fraction(top, number)
        return f"{criterion} = {fraction.numerator} / {fraction.denominator} = {value}"
    return f"{criterion} = {plain(top / scale)} / {number} = {value}"


def _beside(note: Sum, one: int, values: Values, known: TieBreak, column: int) -> str:
    """Say what a value has besides the sum that explains it."""
    if not isinstance(values, np.ndarray) or int(known.unit.in_one(note.batch)) != one:
        return ""
    kept = note.taken[:, column] & (note.cut[:, column] == KEPT)
    summed = int(note.terms[kept, column].sum())
    rest = int(values[column]) - summed
    sign = "-" if rest < 0 else "+"
    return f", which is {plain(summed / one)} {sign} {plain(abs(rest) / one)}" if rest else ""
