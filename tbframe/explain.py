"""A tie-break value, round by round, as a worked exercise."""

from __future__ import annotations

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
from tbframe.tiebreaks.registry import TieBreak, in_one

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
    if not known.known_to(under):
        raise EditionError(f"{known.code} ({known.name}) is not in edition {under}")
    if not known.applies(criterion, under, teams=bool(block.primary)):
        raise TbframeError(f"{criterion} is for team events")
    if known.formula is None:
        raise TbframeError(
            f"{known.code} orders tied players among themselves and is no sum: "
            "see the standings, where it stands as the place within the group"
        )
    sums: list[Sum] = []
    t = Batch.of(block, 0, 1, under, sums=sums).on(criterion.score)
    values = known.formula(t, criterion)
    if not sums:
        raise TbframeError(f"{known.code} ({known.name}) is no sum over rounds")
    rows = [_round(ledger, sums[-1], known, column, slot) for slot in range(len(t.rounds))]
    frame = pl.DataFrame(rows, schema=_schema(ledger), orient="row")
    frame = frame.filter(pl.col("result").is_not_null())
    name = ledger.players["name"][column]
    title = (
        f"{known.name} ({criterion}) of player {player}{f' ({name})' if name else ''}, "
        f"{ledger.tournaments['tournament'][0]}, edition {under}: {under.source}"
    )
    return Explanation.of(frame, title=title, result=_result(t, known, criterion, values, column))


def _column_of(ledger: Ledger, player: object) -> int:
    keys = ledger.players["player"].to_list()
    wanted = player
    if keys and isinstance(keys[0], int) and isinstance(player, str) and player.isdigit():
        wanted = int(player)
    if wanted not in keys:
        raise TbframeError(
            f"tournament {ledger.tournaments['tournament'][0]!r} has no player {player!r}"
        )
    return keys.index(wanted)


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
        return f"{criterion} is undefined: no round counts"
    top = int(values.numerator[column]) / scale
    if number == 1 and known.unit == "count":
        return f"{criterion} = {_plain(top)}"
    return f"{criterion} = {_plain(top)} / {number} = {_plain(top / number)}"


def _plain(value: object) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)
