"""Columns that frames carry along, in the places of the rounds and players of a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest

import tbframe as tb
from tbframe import standings

ROWS = pl.DataFrame(
    {
        "tournament": ["t", "t", "t", "t", "t", "s", "s"],
        "round": [1, 1, 2, 2, 3, 2, 2],
        "player": ["B", "A", "A", "C", "C", "A", "B"],
        "opponent": ["A", "B", "C", "A", None, "B", "A"],
        "result": ["0", "1", "=", "=", "U", "1", "0"],
        "stones": [2, 3, None, 5, 7, 11, 13],
        "half": [0.5, 1.5, 2.0, None, 0.0, 0.5, 0.5],
        "note": ["a", "b", "c", "d", "e", "f", "g"],
    }
)
PLAYERS = pl.DataFrame(
    {"tournament": ["t", "t", "s"], "player": ["C", "A", "B"], "start": [30, -4, 9]}
)
EVENTS = pl.DataFrame({"tournament": ["s", "t"], "bar": [100, 200], "pairing": ["swiss", "swiss"]})

Define = Callable[[Callable[[Any], Any]], Callable[..., pl.DataFrame]]


@pytest.fixture
def values() -> Iterator[Define]:
    """Give a function that computes a formula on the frames above."""

    def compute(formula: Callable[[Any], Any]) -> Callable[..., pl.DataFrame]:
        @tb.tiebreak("TRIED", name="tried", source="a test", unit="count")
        def tried(t: tb.Batch) -> Any:
            return formula(t)

        def run(results: pl.DataFrame = ROWS, **asked: Any) -> list[float]:
            archive = tb.from_results(results, PLAYERS, EVENTS)
            return archive.tiebreaks("TRIED", **asked)["TRIED"].to_list()

        return run

    yield compute
    tb.forget("TRIED")


# The players in the order of the answers: A and B of s, A, B and C of t.


def test_a_column_of_the_results(values: Define) -> None:
    run = values(lambda t: (t.column("results.stones") * np.array(t.rounds)[:, None]).sum(axis=0))
    # A of t: round 1 has 3, round 2 none; C: 5 in round 2 and 7 in round 3.
    expected = [2 * 11, 2 * 13, 3, 2, 2 * 5 + 3 * 7]
    assert run() == expected
    assert run(ROWS.sample(fraction=1.0, shuffle=True, seed=3)) == expected
    assert run(after_round=2) == [22, 26, 3, 2, 10]


def test_where_a_value_is_given(values: Define) -> None:
    run = values(lambda t: t.count(t.given("results.stones")))
    assert run() == [1, 1, 1, 1, 2]
    run = values(lambda t: t.column("results.stones", otherwise=1000).sum(axis=0) % 1000)
    assert run() == [11, 13, 3, 2, 12]


def test_columns_of_players_and_tournaments(values: Define) -> None:
    run = values(lambda t: t.column("players.start", otherwise=50) + t.column("tournaments.bar"))
    assert run() == [150, 109, 196, 250, 230]


def test_fractions_in_units(values: Define) -> None:
    run = values(lambda t: t.column("results.half", unit=t.unit).sum(axis=0))
    assert run() == [1, 1, 7, 1, 0]  # the smallest unit is a half
    run = values(lambda t: t.column("results.half").sum(axis=0))
    with pytest.raises(tb.TbframeError, match=r"results\.half holds 0\.5, no whole number"):
        run()


def test_several_games_of_a_round(values: Define) -> None:
    games = pl.DataFrame(
        {
            "tournament": "t",
            "round": [1, 1, 1, 1, 2, 2],
            "game": [1, 2, 1, 2, 1, 1],
            "player": ["A", "A", "B", "B", "A", "B"],
            "opponent": ["B", "B", "A", "A", "B", "A"],
            "result": ["1", "0", "0", "1", "=", "="],
            "stones": [1, 2, 3, 4, 5, 6],
        }
    )
    place = np.array([1, 10, 100])[:, None]
    run = values(lambda t: (t.column("results.stones")[: len(place)] * place).sum(axis=0))
    # B of s and C of t are in the players frame alone.
    assert run(games) == [0, 521, 643, 0]


def test_batches_of_any_size_agree(values: Define, monkeypatch: pytest.MonkeyPatch) -> None:
    run = values(lambda t: t.column("results.stones").sum(axis=0) + t.column("players.start"))
    whole = run()
    monkeypatch.setattr(standings, "_BATCH", 1)
    assert run() == whole == [11, 22, -1, 2, 42]


def test_a_column_that_is_not_there(values: Define) -> None:
    run = values(
        lambda t: (
            t.column("results.none", otherwise=3).sum(axis=0)
            + t.column("players.none", otherwise=t.rating + 1)
            + t.count(t.given("results.none"))
            + t.given("players.none")
        )
    )
    assert run() == [7, 7, 10, 10, 10]  # two rounds and three


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("results.note", "holds String, not numbers"),
        ("boards.note", "'boards.note' is no column"),
        ("stones", "'stones' is no column"),
    ],
)
def test_what_is_no_column_of_numbers_is_refused(values: Define, path: str, told: str) -> None:
    run = values(lambda t: np.asarray(t.column(path).sum(axis=0)) + 0 * t.rating)
    with pytest.raises(tb.TbframeError, match=told):
        run()


def test_a_value_that_cannot_be_counted_with_is_told_with_its_place(values: Define) -> None:
    stones = values(lambda t: t.column("results.stones", least=3).sum(axis=0))
    told = r"results\.stones holds 2, less than 3 \(tournament 't', player 'B', round 1\)"
    with pytest.raises(tb.TbframeError, match=told):
        stones()
    bar = values(lambda t: t.column("tournaments.bar", unit=2**50))
    with pytest.raises(tb.TbframeError, match=r"bar holds 100, too large \(tournament 's'\)"):
        bar()
    start = values(lambda t: t.column("players.start", least=0))
    with pytest.raises(tb.TbframeError, match=r"holds -4, less than 0 \(.* 't', player 'A'\)"):
        start()
    huge = ROWS.with_columns(half=pl.lit(1e300))
    with pytest.raises(tb.TbframeError, match="holds 1e\\+300, too large"):
        values(lambda t: t.column("results.half").sum(axis=0))(huge)


@pytest.mark.parametrize(
    ("code", "column", "frame"),
    [
        ("mtg.GW", "games_lost", "results"),
        ("go.SOS", "handicap", "results"),
        ("netrunner.SOS", "weight", "results"),
        ("pokemon.OWP", "dropped_after", "players"),
        ("mtg.OMW", "cut_after", "players"),
    ],
)
def test_numbers_below_nothing_are_refused(code: str, column: str, frame: str) -> None:
    minus = pl.lit(-1).alias(column)
    results = ROWS.with_columns(games_won=pl.lit(2), games_lost=pl.lit(1))
    results = results.with_columns(minus) if frame == "results" else results
    players = PLAYERS.with_columns(minus) if frame == "players" else PLAYERS
    archive = tb.from_results(results, players, EVENTS)
    with pytest.raises(tb.TbframeError, match=rf"{column} holds -1, less than 0 \(tournament"):
        archive.tiebreaks(code)
