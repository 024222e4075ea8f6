"""Card games against cardarena-tournament-core, a program of its own for such events."""

from __future__ import annotations

import random
from typing import Any

import polars as pl
import pytest

import tbframe as tb

peer = pytest.importorskip("cardarena_tournament_core")
from cardarena_tournament_core import utils  # noqa: E402
from cardarena_tournament_core.common.models import Matchup, MatchupOutcome, Player, Round  # noqa: E402
from cardarena_tournament_core.scoring import PokemonTCG, YuGiOh  # noqa: E402

ENDS = {
    "1": MatchupOutcome.PLAYER1_WINS,
    "0": MatchupOutcome.PLAYER2_WINS,
    "=": MatchupOutcome.DRAW,
}
OTHER = {"1": "0", "0": "1", "=": "="}


def _event(seed: int) -> tuple[list[Round], tb.Archive]:
    """Play an event with ties, byes and players who stay away for a time or leave."""
    draw = random.Random(seed)
    players = [Player(f"p{number:02}", f"Player {number}") for number in range(draw.randint(4, 30))]
    rounds, rows = [], []
    there = list(players)
    for number in range(1, draw.randint(3, 9)):
        there = [player for player in there if draw.random() > 0.08] or there
        seats = draw.sample(there, len(there))
        pairs: list[Any] = []
        for one, two in zip(seats[::2], seats[1::2], strict=False):
            result = draw.choice("1100=")
            pairs.append(Matchup(one, two, ENDS[result]))
            rows += [(number, one.id, two.id, result), (number, two.id, one.id, OTHER[result])]
        if len(seats) % 2:
            pairs.append(Matchup(seats[-1], None))
            rows.append((number, seats[-1].id, None, "U"))
        rounds.append(Round(number, pairs))
    results = pl.DataFrame(
        rows, schema=["round", "player", "opponent", "result"], orient="row",
        infer_schema_length=None,
    )  # fmt: skip
    about = pl.DataFrame({"scoring": ["W=3 D=1 L=0"], "pairing": ["swiss"]})
    return rounds, tb.from_results(results, tournaments=about)


def _values(archive: tb.Archive, codes: str) -> dict[str, dict[str, float]]:
    """Give the values of each player; an average of no opponents, which is null, as 0."""
    values = archive.tiebreaks(codes).drop("tournament").fill_null(0)
    return {row.pop("player"): row for row in values.rows(named=True)}


@pytest.mark.parametrize("seed", range(12))
def test_win_percentages_of_the_opponents(seed: int) -> None:
    rounds, archive = _event(seed)
    mine = _values(archive, "pokemon.OWP pokemon.OOWP ygo.OWP ygo.OOWP")
    for player, values in mine.items():
        for family, least in (("pokemon", 0.25), ("ygo", 0.0)):
            assert values[f"{family}.OWP"] == pytest.approx(
                utils.owp(player, rounds, min_win_pct=least), abs=1e-12
            )
            assert values[f"{family}.OOWP"] == pytest.approx(
                utils.oowp(player, rounds, min_win_pct=least), abs=1e-12
            )


@pytest.mark.parametrize("seed", range(12))
def test_match_win_percentages_with_a_third_as_the_least(seed: int) -> None:
    # Union Arena has them as Magic does, with a third for 0.33.
    rounds, archive = _event(seed)
    for player, values in _values(archive, "mtg.MW/K3 mtg.OMW/K3").items():
        if any(player in (m.player1.id, m.player2 and m.player2.id) and m.player2
               for r in rounds for m in r.matchups):  # fmt: skip
            assert values["mtg.MW/K3"] == pytest.approx(
                utils.union_arena_mw_percentage(player, rounds), abs=1e-12
            )
        assert values["mtg.OMW/K3"] == pytest.approx(
            utils.union_arena_omw_percentage(player, rounds), abs=1e-12
        )


@pytest.mark.parametrize("seed", range(12))
def test_the_number_of_yu_gi_oh(seed: int) -> None:
    rounds, archive = _event(seed)
    codes = "PTS ygo.OWP ygo.OOWP ygo.TB ygo.TB8"
    compared = 0
    for player, values in _values(archive, codes).items():
        thousandths = [1000 * values[code] for code in ("ygo.OWP", "ygo.OOWP")]
        if any(abs(value % 1 - 0.5) < 1e-9 for value in thousandths):
            continue  # the peer rounds halves to even, or where a float has gone to
        lost = [
            r.round_number
            for r in rounds
            for m in r.matchups
            if m.player2 is not None
            and player
            == {"player1_wins": m.player2.id, "player2_wins": m.player1.id}.get(m.outcome.value)
        ]
        shares = [values["ygo.OWP"], values["ygo.OOWP"]]
        points = int(values["PTS"])
        assert values["ygo.TB8"] == utils.yugioh_tiebreak_number(points, *shares)
        assert values["ygo.TB"] == utils.yugioh_tiebreak_number(points, *shares, loss_rounds=lost)
        compared += 1
    assert compared > len(archive.players) // 2


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    ("scoring", "order"),
    [
        (PokemonTCG, "PTS pokemon.OWP pokemon.OOWP"),
        (YuGiOh, "PTS ygo.OWP ygo.OOWP"),
    ],
)
def test_standings(seed: int, scoring: Any, order: str) -> None:
    rounds, archive = _event(seed)
    theirs = {standing.player.id: standing for standing in scoring().calculate(rounds)}
    mine = archive.standings(order)
    assert sorted(mine["player"]) == sorted(theirs)
    for standing in theirs.values():
        assert mine.filter(player=standing.player.id)["PTS"].item() == standing.points
    # The peer numbers the level by their keys, and compares floats; mine are level.
    for rank, group in mine.group_by("rank", maintain_order=True):
        places = sorted(theirs[player].rank for player in group["player"])
        assert places == list(range(rank[0], rank[0] + group.height))
