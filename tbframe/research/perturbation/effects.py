"""Who gains by whose game: outside influence, kingmakers, monotonicity, sabotage."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.archive import Criteria
from tbframe.codes import Criterion
from tbframe.editions import AUTO, Edition
from tbframe.errors import TbframeError
from tbframe.ledger.block import Ints
from tbframe.ledger.numbers import positions
from tbframe.research.perturbation.scenarios import Perturbation, Ranked
from tbframe.research.runs import Runs
from tbframe.standings import compute_ranks
from tbframe.tiebreaks import parse_order

__all__ = ["kingmakers", "monotonicity", "outside_influence", "sabotage"]

#: The kinds of scenarios in which one game has another result.
_OF_GAMES = ("flip", "forfeit")


def outside_influence(
    perturbation: Perturbation, order: Criteria, *, edition: str | Edition = AUTO
) -> pl.DataFrame:
    """Count how often a game of others decides between two players level on points.

    Parameters
    ----------
    perturbation
        Of kind ``"flip"`` or ``"forfeit"``.
    order, edition
        As in `Archive.standings`; the first criterion makes the ties.

    Returns
    -------
    DataFrame
        One row per scenario, sorted: ``scenario``, ``tournament``, ``round``; ``pairs`` of players
        who are level by the first criterion and not in the game; ``changed``, how many of them
        stand otherwise to each other (above, below or level) than before. The outside-influence
        share is the sum of the one over the sum of the other.

    Raises
    ------
    TbframeError
        If the scenarios are of another kind.

    Notes
    -----
    The measure is the probability that the order of a tied pair changes by a game in which
    neither plays. It is 0 for direct encounter and for the number of wins, and large for Buchholz.

    Examples
    --------
    >>> import tbframe as tb
    >>> from tbframe.research import outside_influence
    >>> flips = tb.perturb(tb.simulate(events=50, players=20, rounds=5, seed=1))
    >>> sums = outside_influence(flips, "PTS BH").sum()
    >>> bool(sums["changed"].item() > 0)
    True
    >>> outside_influence(flips, "PTS WIN").sum()["changed"].item()
    0
    """
    criteria = parse_order(order)
    games = _Games.of(perturbation)
    ties = _ties(perturbation, criteria, edition)
    pairs, changed = (np.zeros(len(games.one), np.int64) for _ in range(2))
    for part in perturbation.ranks(order, edition=edition):
        scenario, place = _places(part)
        which, start = ties.runs.spread(perturbation.tournament_rows[scenario])
        size = np.diff(np.append(start, len(which)))
        whose = np.repeat(np.arange(len(scenario)), size)
        base = place[whose]
        one, other = ties.one[which], ties.other[which]
        at_one, at_other = base + one - part.player_row[base], base + other - part.player_row[base]
        before = np.sign(part.before[at_one] - part.before[at_other])
        after = np.sign(part.after[at_one] - part.after[at_other])
        outside = ~(games.has(one, scenario[whose]) | games.has(other, scenario[whose]))
        pairs[scenario] = np.bincount(whose[outside], minlength=len(scenario))
        moved = whose[outside & (before != after)]
        changed[scenario] = np.bincount(moved, minlength=len(scenario))
    return perturbation.scenarios.select(
        "scenario", "tournament", "round", pl.Series("pairs", pairs), pl.Series("changed", changed)
    )


def kingmakers(
    perturbation: Perturbation, order: Criteria, *, top: int = 1, edition: str | Edition = AUTO
) -> pl.DataFrame:
    """Tell which games decide who wins although neither player can.

    Parameters
    ----------
    perturbation
        Of kind ``"flip"`` or ``"forfeit"``.
    order, edition
        As in `Archive.standings`.
    top
        How many places count as winning.

    Returns
    -------
    DataFrame
        One row per game, sorted: ``tournament``, ``round``, ``player``, ``opponent`` and
        ``kingmaker``: with some result other players have the first `top` places than with
        another, and neither player has one of them with any.

    Raises
    ------
    TbframeError
        If the scenarios are of another kind.
    """
    games = _Games.of(perturbation)
    moved, inside = (np.zeros(len(games.one), np.bool_) for _ in range(2))
    for part in perturbation.ranks(order, edition=edition):
        scenario, place = _places(part)
        before, after = part.before <= top, part.after <= top
        moved[scenario] = np.logical_or.reduceat(before != after, place)
        mine = (before | after) & games.has(part.player_row, part.scenario)
        inside[scenario] = np.logical_or.reduceat(mine, place)
    told = perturbation.scenarios.with_columns(
        moved=pl.Series(moved, dtype=pl.Boolean), inside=pl.Series(inside, dtype=pl.Boolean)
    )
    game = ["tournament", "round", "player", "opponent"]
    return told.group_by(game, maintain_order=True).agg(
        kingmaker=pl.col("moved").any() & ~pl.col("inside").any()
    )


def monotonicity(
    perturbation: Perturbation, order: Criteria, *, edition: str | Edition = AUTO
) -> pl.DataFrame:
    """Tell what a better or worse result of a player's own game does to his rank.

    Parameters
    ----------
    perturbation
        Of kind ``"flip"``.
    order, edition
        As in `Archive.standings`.

    Returns
    -------
    DataFrame
        Two rows per scenario, sorted: ``scenario``, ``tournament``, ``player``; ``improved``:
        whether his result is a better one; his rank ``before`` and ``after``; ``violation``:
        better and a worse rank, or worse and a better rank.

    Raises
    ------
    TbframeError
        If the scenarios are of another kind.
    """
    games = _Games.of(perturbation, "flip")
    found = []
    for part in perturbation.ranks(order, edition=edition):
        mine = games.has(part.player_row, part.scenario)
        scenario, row = part.scenario[mine], part.player_row[mine]
        better = games.better[scenario] == (games.one[scenario] == row)
        before, after = part.before[mine], part.after[mine]
        found.append(
            pl.DataFrame(
                {
                    "scenario": scenario,
                    "player_row": row,
                    "improved": better,
                    "before": before,
                    "after": after,
                    "violation": np.where(better, after > before, after < before),
                }
            )
        )
    players = perturbation.archive.players
    together = pl.concat(found)
    return together.select(
        pl.col("scenario").cast(pl.UInt32),
        players["tournament"].gather(together["player_row"]),
        players["player"].gather(together["player_row"]),
        pl.exclude("scenario", "player_row"),
    )


def sabotage(
    perturbation: Perturbation, order: Criteria, *, edition: str | Edition = AUTO
) -> pl.DataFrame:
    """Count who gains when somebody whom he has met does worse against a third.

    Parameters
    ----------
    perturbation
        Of kind ``"flip"``.
    order, edition
        As in `Archive.standings`.

    Returns
    -------
    DataFrame
        One row per scenario, sorted: ``scenario``, ``tournament``, ``round``; ``opponents``, how
        many players other than the two have met the one who does worse; ``gain``, how many of
        them have a better rank by it.

    Raises
    ------
    TbframeError
        If the scenarios are of another kind.
    """
    games = _Games.of(perturbation, "flip")
    worse = np.where(games.better, games.other, games.one)
    met = _met(perturbation)
    opponents, gain = (np.zeros(len(worse), np.int64) for _ in range(2))
    for part in perturbation.ranks(order, edition=edition):
        scenario, place = _places(part)
        which, start = met.runs.spread(worse[scenario])
        whose = np.repeat(np.arange(len(scenario)), np.diff(np.append(start, len(which))))
        third = met.other[which]
        outside = ~games.has(third, scenario[whose])
        at = place[whose] + third - part.player_row[place[whose]]
        better = outside & (part.after[at] < part.before[at])
        opponents[scenario] = np.bincount(whose[outside], minlength=len(scenario))
        gain[scenario] = np.bincount(whose[better], minlength=len(scenario))
    return perturbation.scenarios.select(
        "scenario",
        "tournament",
        "round",
        pl.Series("opponents", opponents),
        pl.Series("gain", gain),
    )


@dataclass(frozen=True)
class _Games:
    """The game of each scenario: rows of its two players, and whether the first does better."""

    one: Ints
    other: Ints
    better: NDArray[np.bool_]

    @classmethod
    def of(cls, perturbation: Perturbation, *kinds: str) -> _Games:
        kinds = kinds or _OF_GAMES
        if perturbation.kind not in kinds:
            raise TbframeError(
                f"this needs scenarios of kind {' or '.join(kinds)}, not {perturbation.kind!r}"
            )
        table = perturbation.archive.players.select("tournament", "player")
        scenarios = perturbation.scenarios
        one, other = (
            positions(scenarios.select("tournament", player=side), table)
            for side in ("player", "opponent")
        )
        worth = {"1": 2, "=": 1, "0": 0, "+": 2, "-": 0}
        was, becomes = (
            scenarios[column].replace_strict(worth, return_dtype=pl.Int8).to_numpy()
            for column in ("was", "becomes")
        )
        return cls(one, other, becomes > was)

    def has(self, player: Ints, scenario: Ints) -> NDArray[np.bool_]:
        """Tell whether players are in the games of scenarios."""
        mine: NDArray[np.bool_] = (self.one[scenario] == player) | (self.other[scenario] == player)
        return mine


@dataclass(frozen=True)
class _Pairs:
    """Pairs of rows of players, by group."""

    one: Ints
    other: Ints
    runs: Runs


def _places(part: Ranked) -> tuple[Ints, Ints]:
    """Return the scenarios of a part and where the players of each begin."""
    new = np.diff(part.scenario, prepend=-1) != 0
    return part.scenario[new], np.flatnonzero(new)


def _ties(perturbation: Perturbation, criteria: list[Criterion], edition: str | Edition) -> _Pairs:
    """List the pairs of each tournament that are level by the first criterion."""
    archive = perturbation.archive
    rank = compute_ranks(archive._ledger(None), criteria[:1], edition=edition)
    owner = positions(
        archive.players.select("tournament"), archive.tournaments.select("tournament")
    )
    order = np.lexsort((rank, owner))
    group = np.cumsum(
        (np.diff(owner[order], prepend=-1) != 0) | (np.diff(rank[order], prepend=-1) != 0)
    )
    # Each player with all that stand after him in his group.
    place = np.arange(len(order))
    last = np.searchsorted(group, group, side="right")
    after = last - place - 1
    one = np.repeat(place, after)
    other = one + 1 + np.arange(len(one)) - np.repeat(np.cumsum(after) - after, after)
    pairs = np.bincount(owner[order][one], minlength=archive.tournaments.height)
    return _Pairs(order[one], order[other], Runs.of(pairs))


def _met(perturbation: Perturbation) -> _Pairs:
    """List whom each player has met, by player."""
    archive = perturbation.archive
    table = archive.players.select("tournament", "player")
    games = archive.results.filter(pl.col("result").is_in(["1", "=", "0", "W", "D", "L"])).unique(
        ["tournament", "player", "opponent"], maintain_order=True
    )
    one = positions(games.select("tournament", "player"), table)
    other = positions(games.select("tournament", player="opponent"), table)
    return _Pairs(one, other, Runs.of(np.bincount(one, minlength=table.height)))
