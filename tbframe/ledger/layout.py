"""Result rows laid out as blocks, each row in the place of its round."""

from __future__ import annotations

import numpy as np
import polars as pl

from tbframe.errors import ContractError
from tbframe.ledger.block import Block, Ints, Score
from tbframe.ledger.kinds import BYE, EMPTY, FIRST_UNPLAYED, FORFEIT_LOSS, KIND, PENDING
from tbframe.ledger.numbers import Rows, Scale

__all__ = ["lay_out"]


def lay_out(
    rows: Rows,
    size: Ints,
    traits: pl.DataFrame,
    scales: dict[str, Scale],
    *,
    pairing_number: Ints,
    rating: Ints,
    unrated: Ints,
    match_boards: Ints,
) -> list[Block]:
    """Lay the rows out, tournaments of one shape side by side.

    Parameters
    ----------
    rows
        The result rows, in any order.
    size
        ``(tournaments,)``: how many players each has.
    traits
        ``edition``, ``predetermined`` and ``primary`` of each tournament: what a block shares
        besides its rounds. ``primary`` is ``""`` for an individual event.
    scales
        Unit, win and draw of each tournament for ``points`` and a team's ``game_points``.
    pairing_number, rating
        ``(players,)``, in the rows of the players frame.
    unrated, match_boards
        ``(tournaments,)``: the rule for the unrated, and the boards of a team match.

    Raises
    ------
    ContractError
        If a player has two rows for one round and game.
    """
    shape, slot, shapes = _slots(rows, len(size))
    alike = traits.with_columns(pl.Series("shape", shape))
    group = alike.select(pl.struct(pl.all()).rank("dense") - 1).to_series().to_numpy()
    members = [
        np.flatnonzero((group == number) & (size > 0)) for number in np.unique(group[size > 0])
    ]
    # All blocks live in one flat array, so the cell of a result row is found by arithmetic.
    width = np.array([size[member].sum() for member in members], dtype=np.int64)
    height = np.array([len(shapes[shape[member[0]]]) for member in members], dtype=np.int64)
    base = np.cumsum(width * height) - width * height
    column = np.zeros(len(size), dtype=np.int64)
    block_of = np.zeros(len(size), dtype=np.int64)
    for number, member in enumerate(members):
        block_of[member] = number
        column[member] = np.cumsum(size[member]) - size[member]
    row = np.cumsum(size) - size
    # What a row needs to know of its place is one number for each player, of whom there are few.
    owner = np.repeat(np.arange(len(size)), size)
    place = np.arange(len(owner)) + (column - row)[owner]
    start, step = base[block_of[owner]] + place, width[block_of[owner]]
    cell = start[rows.player] + slot * step[rows.player]
    cells = int((width * height).sum())
    taken = np.zeros(cells, dtype=np.bool_)
    taken[cell] = True
    if int(taken.sum()) != len(cell):
        raise ContractError("results: a player has more than one row for one round")

    kind = np.zeros(cells, dtype=np.uint8)
    opponent = np.zeros(cells, dtype=np.int32)
    color = np.zeros(cells, dtype=np.uint8)
    # `scale` has refused points that would not fit.
    counted = {name: np.zeros(cells, dtype=np.int32) for name in scales}
    blocks = []
    for number, member in enumerate(members):
        rounds = shapes[shape[member[0]]]
        span = slice(base[number], base[number] + width[number] * height[number])
        edition, fixed, primary = traits.select("edition", "predetermined", "primary").row(
            int(member[0])
        )

        def score(name: str, span: slice = span, member: Ints = member) -> Score:
            points = counted[name][span].reshape(-1, size[member].sum())
            of = scales[name]
            return Score(points, of.unit[member], of.win[member], of.draw[member])

        block = Block(
            edition=edition,
            predetermined=fixed,
            rounds=rounds,
            kind=kind[span].reshape(len(rounds), width[number]),
            opponent=opponent[span].reshape(len(rounds), width[number]),
            color=color[span].reshape(len(rounds), width[number]),
            scores=(
                {"MP": score("points"), "GP": score("game_points")}
                if primary
                else {"": score("points")}
            ),
            primary=primary,
            first=np.append(column[member], width[number]),
            row=row[member],
            met_again=np.zeros((len(rounds), width[number]), dtype=np.bool_),
            pairing_number=np.empty(width[number], dtype=np.int64),
            rating=np.empty(width[number], dtype=np.int64),
            unrated=unrated[member],
            match_boards=match_boards[member],
        )
        # Where no row comes, a Swiss player was absent; elsewhere there was no round for him.
        second = np.array(rounds) == np.array((0, *rounds[:-1]))
        block.kind[:] = np.where(second | fixed, EMPTY, KIND["Z"])[:, None]
        block.opponent[:] = np.arange(width[number])
        blocks.append(block)
    # A forfeit needs somebody to forfeit to: without, the player was absent (16.1.1). A game
    # needs an opponent: without, only its points count.
    alone = rows.opponent < 0
    kind[cell] = np.where(alone & (rows.kind < FIRST_UNPLAYED), EMPTY, rows.kind)
    kind[cell[alone & (rows.kind == FORFEIT_LOSS)]] = KIND["Z"]
    color[cell] = rows.color
    for name, of in scales.items():
        units = np.rint(getattr(rows, name) * of.unit[rows.tournament]).astype(np.int64)
        counted[name][cell] = np.where(rows.kind == PENDING, 0, units)
    paired = (rows.opponent >= 0) & ~BYE[rows.kind]
    opponent[cell[paired]] = place[rows.opponent[paired]]
    for block in blocks:
        block.pairing_number[:] = pairing_number[block.player_rows()]
        block.rating[:] = rating[block.player_rows()]
        _mark_rematches(block)
    return blocks


def _slots(rows: Rows, tournaments: int) -> tuple[Ints, Ints, list[tuple[int, ...]]]:
    """Give every row its place among its tournament's rounds.

    Returns
    -------
    shape, slot, shapes
        For each tournament the number of its shape, for each row its place, and for each
        shape the rounds in order: 1..n, or with a round repeated where players had more games.
    """
    last = np.zeros(tournaments, dtype=np.int64)
    np.maximum.at(last, rows.tournament, rows.round)
    if (rows.game == 1).all():
        shapes = [_plain_rounds(count) for count in range(int(last.max(initial=0)) + 1)]
        return last, rows.round - 1, shapes
    most = np.ones((tournaments, int(last.max(initial=0)) + 1), dtype=np.int64)
    np.maximum.at(most, (rows.tournament, rows.round), rows.game)
    most[:, 0] = 0
    most[np.arange(most.shape[1]) > last[:, None]] = 0
    before = np.cumsum(most, axis=1) - most
    distinct, shape = np.unique(most, axis=0, return_inverse=True)
    shapes = [
        tuple(np.repeat(np.arange(len(games)), games).tolist()) or _plain_rounds(0)
        for games in distinct
    ]
    return shape.reshape(-1), before[rows.tournament, rows.round] + rows.game - 1, shapes


def _plain_rounds(count: int) -> tuple[int, ...]:
    """Return the rounds 1..count; a tournament without any gets one place with nothing in it."""
    return tuple(range(1, count + 1)) or (0,)


def _mark_rematches(block: Block) -> None:
    """Mark the rounds of players who had the same opponent more than once."""
    nobody = np.arange(block.first[-1])
    for place, opponent in enumerate(block.opponent):
        for earlier in range(place):
            again = (block.opponent[earlier] == opponent) & (opponent != nobody)
            block.met_again[earlier] |= again
            block.met_again[place] |= again
