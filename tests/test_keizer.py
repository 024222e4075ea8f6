"""Keizer points: ranks and points that wait for each other, worked out by hand."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import polars as pl
import pytest

import tbframe as tb
from tbframe.tiebreaks.families.keizer import Keizer

OTHER = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+"}


def _archive(text: str, ratings: dict[str, int]) -> tb.Archive:
    """Read ``"1 A-B 1, 1 C U"``: round, players and the result of the first; or a bye."""
    rows: list[tuple[Any, ...]] = []
    for game in text.split(","):
        number, players, result = game.split()
        first, _, second = players.partition("-")
        rows.append((int(number), first, second or None, result))
        if second:
            rows.append((int(number), second, first, OTHER[result]))
    results = pl.DataFrame(rows, schema=["round", "player", "opponent", "result"], orient="row")
    players = pl.DataFrame({"player": list(ratings), "rating": list(ratings.values())})
    return tb.from_results(results, players, pl.DataFrame({"pairing": ["swiss"]}))


def _values(archive: tb.Archive, code: str) -> list[float | None]:
    return archive.tiebreaks(code, edition="2026-03")[code].to_list()


@pytest.fixture
def define() -> Iterator[Callable[[Keizer], None]]:
    """Give a function that defines the Keizer points of a club; take them away afterwards."""

    def definer(figures: Keizer) -> None:
        @tb.tiebreak("club.KEIZER", name="Keizer points of the club", source="its rules")
        def points(t: tb.Batch) -> tb.Ratio:
            return figures.points(t)

        @tb.tiebreak("club.PERIOD", name="orders in a circle", source="its rules")
        def period(t: tb.Batch) -> tb.Ratio:
            return figures.period(t)

    yield definer
    tb.forget("club.KEIZER")
    tb.forget("club.PERIOD")


FOUR = {"A": 2000, "B": 1900, "C": 1800, "D": 1700}


def test_points_by_hand() -> None:
    # Four players: 6, 5, 4, 3. With these A has 6 + 5, B 5, C 4 + 3, D 3: C goes before B. Valued
    # again with A 6, C 5, B 4, D 3: A 6 + 4, C 5 + 3, B 4, D 3, and the order stays.
    archive = _archive("1 A-B 1, 1 C-D 1", FOUR)
    assert _values(archive, "keizer.PTS") == [10, 4, 8, 3]
    assert _values(archive, "keizer.PTS_PERIOD") == [1, 1, 1, 1]
    # Without the own value: A 4, C 3, the others nothing.
    assert _values(archive, "keizer.NET") == [4, 0, 3, 0]
    assert archive.standings("keizer.PTS")["player"].to_list() == ["A", "C", "B", "D"]


def test_earlier_rounds_are_valued_again() -> None:
    # Round 2: B beats C and D beats A. From the order A C B D (6 5 4 3): A 6 + 4, C 5 + 3,
    # B 4 + 5, D 3 + 6; so A, then B and D level (B is rated higher), then C. With A 6, B 5, D 4,
    # C 3: A 6 + 5 = 11, B 5 + 3 = 8, D 4 + 6 = 10, C 3 + 4 = 7, so A D B C. With A 6, D 5, B 4,
    # C 3: A 10, D 11, B 7, C 8, so D A C B. With D 6, A 5, C 4, B 3: D 11, A 8, C 10, B 7, so
    # D C A B. With D 6, C 5, A 4, B 3: D 10, C 11, A 7, B 8, so C D B A. With C 6, D 5, B 4, A 3:
    # C 11, D 8, B 10, A 7, so C B D A. With C 6, B 5, D 4, A 3: C 10, B 11, D 7, A 8, so B C A D.
    # With B 6, C 5, A 4, D 3: B 11, C 8, A 10, D 7, so B A C D. With B 6, A 5, C 4, D 3: B 10,
    # A 11, C 7, D 8, so A B D C: the order of the beginning, after eight.
    archive = _archive("1 A-B 1, 1 C-D 1, 2 B-C 1, 2 D-A 1", FOUR)
    assert _values(archive, "keizer.PTS_PERIOD") == [8, 8, 8, 8]
    assert _values(archive, "keizer.PTS") == [None] * 4
    # Valued again once, without the own value. Round 1: A 5, C 3, the others 0, so A C B D. With
    # A 6, C 5, B 4, D 3: A 4, B 5, C 3, D 6, so D B A C; and with D 6, B 5, A 4, C 3:
    assert _values(archive, "keizer.NET") == [5, 3, 6, 4]


def test_two_players_who_beat_each_other(define: Callable[[Keizer], None]) -> None:
    # Without the own value, who is second has beaten the first: the order turns round for ever.
    define(Keizer(own=False))
    archive = _archive("1 A-B 1, 2 B-A 1", {"A": 2000, "B": 1900})
    assert _values(archive, "club.PERIOD") == [2, 2]
    assert _values(archive, "club.KEIZER") == [None, None]
    # With it both have 3 + 2, and stay in the order of their ratings.
    assert _values(archive, "keizer.PTS") == [5, 5]
    assert _values(archive, "keizer.PTS_PERIOD") == [1, 1]


def test_rounds_without_a_game(define: Callable[[Keizer], None]) -> None:
    # Values 8, 7, 6, 5, 4 of five players. A beats B, C has the bye, D is on duty, E away.
    archive = _archive(
        "1 A-B 1, 1 C U, 1 D F, 1 E H, 2 A-C 1, 2 B Z, 2 D-E +",
        {"A": 2000, "B": 1900, "C": 1800, "D": 1700, "E": 1600},
    )
    # From the start: A 8 + 7, B 7, C 6 + 4, D 5 + 10/3, E 4 + 4/3: A C D B E. With A 8, C 7,
    # D 6, B 5, E 4 after round 2: A 8 + 5 + 7 = 20, B 5, C 7 + 14/3, D 6 + 4 + 4, E 4 + 4/3: D
    # goes before C, and E before B. With A 8, D 7, C 6, E 5, B 4: A 8 + 4 + 6, B 4, C 6 + 4,
    # D 7 + 14/3 + 5, E 5 + 5/3, and the order stays.
    expected = [18, 4, 10, 7 + 14 / 3 + 5, 5 + 5 / 3]
    assert _values(archive, "keizer.PTS") == pytest.approx(expected, abs=1e-12)
    # A club that gives a sixth for absences with notice, a fixed top value, and other parts.
    figures = Keizer(
        top=70, own=False, odd_one_out=Fraction(1, 2), duty=Fraction(3, 4), excused=Fraction(1, 6),
        unexcused=Fraction(1, 10), until_it_stays=False,
    )  # fmt: skip
    define(figures)
    # Round 1, from 70 69 68 67 66: A 69, B 0, C 34, D 50.25, E 11: A D C E B. Round 2 from A 70,
    # D 69, C 68, E 67, B 66: A 66 + 68, D 51.75 + 67, C 34, E 67/6, B 6.6: the order stays.
    expected = [134, 6.6, 34, 118.75, 67 / 6]
    assert _values(archive, "club.KEIZER") == pytest.approx(expected, abs=1e-12)


def test_only_the_first_absences_bring_something(define: Callable[[Keizer], None]) -> None:
    figures = Keizer(top=10, own=False, excused=Fraction(1, 2), excused_times=2)
    define(figures)
    archive = _archive("1 A H, 2 A H, 3 A H, 4 A H", {"A": 2000})
    assert _values(archive, "club.KEIZER") == [10]  # 5 + 5


def test_who_is_level_shares_a_value() -> None:
    # No ratings: all start with the top value of 6. After the draws A, B, C and D have as much,
    # and stay level: 6 + 3 each.
    archive = _archive("1 A-B =, 1 C-D =", {"A": 2000, "B": 2000, "C": 2000, "D": 2000})
    assert _values(archive, "keizer.PTS") == [9, 9, 9, 9]
    assert archive.standings("keizer.PTS")["rank"].to_list() == [1, 1, 1, 1]


def _points(rows: list[tuple[int, str, str, str]], value: dict[str, int]) -> dict[str, Fraction]:
    part = {"1": Fraction(1), "=": Fraction(1, 2)}
    return {
        player: value[player]
        + sum(
            (part.get(r, Fraction(0)) * value[o] for _, p, o, r in rows if p == player), Fraction(0)
        )
        for player in value
    }


@pytest.mark.parametrize("seed", range(15))
def test_against_the_rule_taken_word_by_word(seed: int) -> None:
    draw = random.Random(seed)
    size = draw.randint(2, 9)
    rating = {f"p{n}": draw.choice([1500, 1600, 1700, 1800]) for n in range(size)}
    text, rows = [], []
    for number in range(1, draw.randint(2, 6)):
        seats = draw.sample(list(rating), size)
        for one, two in zip(seats[::2], seats[1::2], strict=False):
            result = draw.choice("110=")
            text.append(f"{number} {one}-{two} {result}")
            rows += [(number, one, two, result), (number, two, one, OTHER[result])]

    def values(points: dict[str, Fraction]) -> dict[str, int]:
        key = {player: (points[player], rating[player]) for player in rating}
        top = (3 * size + 1) // 2
        return {p: top - sum(other > key[p] for other in key.values()) for p in rating}

    value = values(dict.fromkeys(rating, Fraction(0)))
    for last in range(1, max(row[0] for row in rows) + 1):
        value = values(_points([row for row in rows if row[0] <= last], value))
    seen = [value]
    while (value := values(_points(rows, value))) not in seen:
        seen.append(value)
    period = len(seen) - seen.index(value)
    archive = _archive(",".join(text), rating)
    players = archive.players["player"].to_list()
    assert _values(archive, "keizer.PTS_PERIOD") == [period] * size
    points = _points(rows, value)
    expected = [float(points[player]) if period == 1 else None for player in players]
    assert _values(archive, "keizer.PTS") == expected


def test_a_circle_is_told_of() -> None:
    archive = _archive("1 A-B 1, 1 C-D 1, 2 B-C 1, 2 D-A 1", FOUR)
    found = archive.assumptions("keizer.PTS").filter(code="order-in-a-circle")
    assert found.select("severity", "message").rows() == [
        ("warning", "keizer.PTS is null for all: 8 orders follow each other")
    ]
    with pytest.warns(tb.FindingWarning, match="order-in-a-circle"):
        archive.standings("keizer.PTS")
    still = _archive("1 A-B 1, 1 C-D 1", FOUR)
    assert still.assumptions("keizer.PTS").filter(code="order-in-a-circle").is_empty()
    assert archive.assumptions("PTS").filter(code="order-in-a-circle").is_empty()
