"""A tie-break value, round by round, as a worked exercise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np
import polars as pl

from tbframe.codes import Criterion
from tbframe.editions import AUTO, Edition, edition_of
from tbframe.errors import EditionError, TbframeError
from tbframe.ledger import Batch, Ledger, Ratio, Sum
from tbframe.ledger.cuts import FIRST_CUT, HIGH_CUT, KEPT, LOW_CUT
from tbframe.ledger.kinds import BYE, FIRST_UNPLAYED, PENDING
from tbframe.ledger.unplayed import counted_as_draw
from tbframe.schema import RESULT_CODES
from tbframe.tiebreaks import definition
from tbframe.tiebreaks.direct_encounter import direct_encounter, meetings_among
from tbframe.tiebreaks.registry import TieBreak, in_one
from tbframe.tiegroups import TieGroups, split

__all__ = ["Explanation", "explain"]

_COLORS: Final = {1: "w", 2: "b", 0: None}


class Explanation(pl.DataFrame):
    """A frame with one row for each round, which prints as a worked exercise."""

    title: str = ""
    result: str = ""

    @classmethod
    def of(cls, frame: pl.DataFrame, *, title: str, result: str) -> Explanation:
        """Give a frame its heading and its last line."""
        explanation = cls(frame)
        explanation.title, explanation.result = title, result
        return explanation

    def __str__(self) -> str:
        """Write the heading, the rounds in columns, and the sum."""
        if not self.title:
            return super().__str__()
        shown = [name for name in self.columns if self[name].null_count() < self.height]
        cells = [[name.replace("_", " ") for name in shown]]
        cells += [
            ["" if v is None else _plain(v) for v in row] for row in self.select(shown).rows()
        ]
        widths = [max(len(row[i]) for row in cells) for i in range(len(shown))]
        right = [self.schema[name].is_numeric() for name in shown]
        lines = [
            "  ".join(
                cell.rjust(width) if to_right else cell.ljust(width)
                for cell, width, to_right in zip(row, widths, right, strict=True)
            ).rstrip()
            for row in cells
        ]
        return "\n".join([self.title, "", *lines, "", self.result])


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
    sums: list[Sum] = []
    t = Batch.of(block, 0, 1, under, sums=sums).on(criterion.score)
    if known.formula is not None:
        values = known.formula(t, criterion)
        result = _result(t, known, criterion, values, column)
        parts = 1
        if known.unit == "products" and isinstance(values, Ratio):
            # The terms of SSSC are those of Buchholz, the others' are products of two scores.
            parts = int(t.unit if known.code == "SSSC" else values.denominator[column])
    elif known.code == "DE":
        result, parts = _encounter(t, criterion, column)
        known = replace(known, unit="points")
    if not sums:
        raise TbframeError(
            f"{known.code} ({known.name}) is no sum over rounds: see it in the standings"
        )
    rows = [_round(ledger, sums[-1], known, column, slot) for slot in range(len(t.rounds))]
    frame = pl.DataFrame(rows, schema=_schema(ledger), orient="row").filter(
        pl.col("result").is_not_null()
    )
    if parts > 1:
        frame = frame.with_columns(pl.col("contribution") / parts)
    name = ledger.players["name"][column]
    title = (
        f"{known.name} ({criterion}) of player {player}{f' ({name})' if name else ''}, "
        f"{ledger.tournaments['tournament'][0]}, edition {under}: {under.source}"
    )
    return Explanation.of(frame, title=title, result=result)


def _encounter(t: Batch, criterion: Criterion, column: int) -> tuple[str, int]:
    """Note the games among those level on points; say the outcome, and what divides the terms."""
    level = split(TieGroups.unordered(t).place, t.score)
    size = int((level == level[column]).sum())
    games = meetings_among(t, level, with_forfeits=criterion.forfeits or t.forfeits_are_games)
    own = games.only(games.player == column)
    terms = np.zeros(t.kind.shape, dtype=np.int64)
    terms[own.round, column] = own.points
    taken = np.zeros(t.kind.shape, dtype=np.bool_)
    taken[own.round, column] = True
    if t.sums is not None:
        t.sums.append(Sum(t, terms, taken, np.zeros(t.kind.shape, dtype=np.uint8)))
    if size == 1:
        return f"{criterion}: nobody else has as many points", games.whole
    after = direct_encounter(t, level, criterion)
    split_here = (after[level == level[column]] != level[column]).any()
    place = f"place {int(after[column] - level[column]) + 1} of {size}"
    mini = int(own.points.sum()) / games.whole / int(t.unit)
    met = int(own.weight.sum()) // games.whole
    outcome = place if split_here else "nothing decided"
    others = "the other player" if size == 2 else f"the {size - 1} others"
    return (
        f"{criterion} = {_plain(mini)} against {others} with as many points, {met} met: {outcome}",
        games.whole,
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


def _round(ledger: Ledger, note: Sum, known: TieBreak, p: int, r: int) -> tuple[object, ...]:
    """Describe one round of the player in column `p`."""
    t = note.batch
    kind = int(t.kind[r, p])
    if kind >= len(RESULT_CODES):  # nothing took place here
        return (t.rounds[r], *[None] * 10)
    unit = int(t.unit)
    opponent = int(t.opponent_at[r, p])
    paired = opponent != p and not BYE[kind]
    taken = float(t.opponent_score[r, p]) / unit if t.uses_opponents and kind < PENDING else None
    counted = bool(note.taken[r, p])
    return (
        t.rounds[r],
        ledger.players["player"][opponent] if paired else None,
        ledger.players["name"][opponent] if paired else None,
        _COLORS[int(t.color[r, p])],
        RESULT_CODES[kind],
        float(t.points[r, p]) / unit,
        float(t.score[opponent]) / unit if paired else None,
        taken if counted else None,
        _why(t, p, r) if t.uses_opponents and counted else None,
        float(note.terms[r, p]) / int(in_one(known.unit, t)) if counted else None,
        _cut_by(t, int(note.cut[r, p])),
    )


def _cut_by(t: Batch, cut: int) -> str | None:
    """Say by which rule an element is cut; ``None``: it is not."""
    bye_first = t.edition.low_cut == "bye-first"
    return {
        KEPT: None,
        LOW_CUT: "cut: least significant (art. 14)",
        HIGH_CUT: "cut: most significant (art. 14)",
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
        return f"virtual opponent: {_plain(before)} before + {_plain(left)} + {_plain(draws)} drawn"
    own = int(t.score[p])
    if taken == own:
        return "dummy with the own score"
    cap = "the opponent's adjusted score" if opponent != p else "draws in all rounds"
    return f"dummy with the own score {_plain(own / unit)}, capped at {cap}"


def _result(
    t: Batch,
    known: TieBreak,
    criterion: Criterion,
    values: Any,
    column: int,
) -> str:
    """Write the last line: the value and, for an average, the division."""
    scale = int(in_one(known.unit, t))
    if not isinstance(values, Ratio):
        return f"{criterion} = {_plain(int(values[column]) / scale)}"
    number = int(values.denominator[column])
    if number == 0:
        unrated = known.needs == "ratings" and criterion.unrated is None and (t.rating == 0).any()
        why = "unrated players take part (art. 10)" if unrated else "no round counts"
        return f"{criterion} is undefined: {why}"
    top = int(values.numerator[column]) / scale
    if known.unit == "products" or (number == 1 and known.unit == "count"):
        return f"{criterion} = {_plain(top / number)}"
    return f"{criterion} = {_plain(top)} / {number} = {_plain(top / number)}"


def _plain(value: object) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)
