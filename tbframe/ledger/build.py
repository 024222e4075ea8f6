"""From tidy frames to the ledger: every key becomes a number, every round has its place."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.editions import resolve_editions
from tbframe.errors import ContractError
from tbframe.ledger.block import Block, Ints
from tbframe.ledger.boards import with_boards
from tbframe.ledger.extras import Extras
from tbframe.ledger.kinds import BYE
from tbframe.ledger.layout import lay_out
from tbframe.ledger.numbers import Rows, Scale, number_rows, numbered_rows, positions, scale
from tbframe.ledger.pairing import complete_round_robins
from tbframe.scoring import scoring_of, team_events

__all__ = ["Ledger", "build_ledger"]


@dataclass(frozen=True)
class Ledger:
    """All tournaments of an archive in canonical form.

    Attributes
    ----------
    players
        The archive's players, sorted by tournament and player; blocks refer to its rows.
    tournaments
        The archive's tournaments, sorted.
    blocks
        The tournaments by shape.
    absences
        ``(tournaments,)``: rounds of players without a row, who count as absent.
    """

    players: pl.DataFrame
    tournaments: pl.DataFrame
    blocks: list[Block]
    absences: Ints

    def predetermined(self) -> pl.Series:
        """Tell which tournaments have predetermined pairings, declared or assumed."""
        keys = self.players["tournament"]
        found = [keys.gather(block.row) for block in self.blocks if block.predetermined]
        fixed = pl.concat([keys.clear(), *found])
        return self.tournaments["tournament"].is_in(fixed.implode())


def build_ledger(
    results: pl.DataFrame,
    players: pl.DataFrame,
    tournaments: pl.DataFrame,
    *,
    boards: pl.DataFrame | None = None,
    after_round: int | None = None,
    numbered: pl.DataFrame | None = None,
) -> Ledger:
    """Bring canonical frames into the form that everything is computed on.

    Parameters
    ----------
    results, players, tournaments
        The frames of an `Archive`.
    boards
        What teams scored on each board, for the tie-breaks that take it.
    after_round
        Leave out what came after this round.
    numbered
        The results with rows of the players frame in the place of keys, where they are known.

    Raises
    ------
    ContractError
        If a player has two rows for one round, or points are finer than a thousandth.
    """
    owner = positions(players.select("tournament"), tournaments.select("tournament"))
    if numbered is None:
        rows = number_rows(results, players, tournaments)
    else:
        rows = numbered_rows(numbered, owner)
    size = np.bincount(owner, minlength=tournaments.height)
    paired = (rows.opponent >= 0) & ~BYE[rows.kind]
    declared = tournaments["pairing"]
    assumed = complete_round_robins(
        rows.tournament[paired], rows.player[paired], rows.opponent[paired], size
    )
    predetermined = np.where(
        declared.is_null(), assumed, (declared == "predetermined").fill_null(value=False)
    )
    if after_round is not None:
        rows = rows.up_to(after_round)
    teams = team_events(results, tournaments)
    keys, count = tournaments["tournament"], tournaments.height
    rounds = np.zeros(count, dtype=np.int64)
    np.maximum.at(rounds, rows.tournament, rows.round)
    scoring = scoring_of(tournaments, teams)
    scales = {"points": scale(rows.points, rows.tournament, scoring, keys, rounds)}
    match_boards = np.zeros(count, dtype=np.int64)
    if teams.any():
        points, at = _game_points(rows, boards, keys)
        games = scale(points, at, tournaments["game_scoring"], keys, rounds)
        match_boards = _match_boards(rows, games, tournaments["boards"])
        scales["game_points"] = Scale(
            games.unit, games.win * match_boards, games.draw * match_boards
        )
    blocks = lay_out(
        rows,
        size,
        tournaments.select(
            edition=resolve_editions(tournaments),
            predetermined=pl.Series(predetermined),
            primary=pl.when(teams).then(_primary(tournaments)).otherwise(pl.lit("")),
        ),
        scales,
        pairing_number=_pairing_numbers(players["player"], np.cumsum(size) - size, owner),
        rating=players["rating"].fill_null(0).cast(pl.Int64).to_numpy(),
        unrated=_rules_for_the_unrated(tournaments["unrated"]),
        match_boards=match_boards,
    )
    if boards is not None and teams.any():
        blocks = with_boards(blocks, boards, players)
    extras = Extras(results if numbered is None else numbered, players, tournaments)
    blocks = [replace(block, extras=extras) for block in blocks]
    there = np.bincount(rows.tournament[rows.game == 1], minlength=count)
    return Ledger(players, tournaments, blocks, np.where(predetermined, 0, size * rounds - there))


def _pairing_numbers(key: pl.Series, first: Ints, owner: Ints) -> Ints:
    number = key.cast(pl.Int64, strict=False)
    unnumbered = np.bincount(owner, weights=number.is_null().to_numpy(), minlength=len(first)) > 0
    place = np.arange(len(key)) - first[owner] + 1
    return np.where(unnumbered[owner], place, number.fill_null(0).to_numpy())


def _primary(tournaments: pl.DataFrame) -> pl.Series:
    """Return the score that decides each team event: match points unless it says otherwise."""
    named = tournaments["primary"].fill_null("MP").str.to_uppercase()
    for wrong in set(named) - {"MP", "GP"}:
        raise ContractError(f"tournaments: primary is MP or GP, not {wrong!r}")
    return named


def _game_points(
    rows: Rows, boards: pl.DataFrame | None, keys: pl.Series
) -> tuple[NDArray[np.float64], Ints]:
    """Return the game points of all matches and boards, and the numbers of their tournaments."""
    if boards is None:
        return rows.game_points, rows.tournament
    each = boards["points"].cast(pl.Float64).fill_null(0.0).to_numpy()
    at = positions(boards.select("tournament"), keys.to_frame("tournament"))
    return np.append(rows.game_points, each), np.append(rows.tournament, at)


def _match_boards(rows: Rows, games: Scale, declared: pl.Series) -> Ints:
    """Return how many boards a match has: as declared, else what the largest match needs."""
    largest = np.zeros(len(declared))
    np.maximum.at(largest, rows.tournament, rows.game_points * games.unit[rows.tournament])
    needed = np.ceil(largest / np.maximum(games.win, 1)).astype(np.int64)
    return np.where(declared.is_null(), needed, declared.fill_null(0).cast(pl.Int64))


def _rules_for_the_unrated(rule: pl.Series) -> Ints:
    """Return a rating, -1 where games against the unrated do not count, 0 where no rule is."""
    number = rule.cast(pl.Int64, strict=False).fill_null(0)
    return np.where((rule == "exclude").fill_null(value=False), -1, number)
