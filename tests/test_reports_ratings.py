"""More failures met in other programs: performance ratings, several games in a round."""

from __future__ import annotations

import polars as pl
import pytest

import tbframe as tb
from tbframe.ledger import Batch, build_ledger

#: Five players, one value for each tie-break of player A. The rounds are labels of a crosstable:
#: some players have several games in one.
FIVE = [
    (1, "A", "B", "1-0"),
    (2, "A", "C", "1/2-1/2"),
    (3, "D", "A", "1-0"),
    (4, "A", "E", "1-0"),
    (2, "B", "C", "1-0"),
    (3, "B", "D", "1/2-1/2"),
    (4, "E", "B", "1-0"),
    (3, "C", "D", "1-0"),
    (4, "C", "E", "1/2-1/2"),
    (4, "D", "E", "1-0"),
]
RATINGS = {"A": 1500, "B": 1600, "C": 1550, "D": 1450, "E": 1650}


@pytest.fixture(scope="module")
def five() -> tb.Archive:
    games = pl.DataFrame(FIVE, schema=["round", "white", "black", "result"], orient="row")
    players = pl.DataFrame({"player": list(RATINGS), "rating": list(RATINGS.values())})
    tournament = pl.lit("five").alias("tournament")
    about = pl.DataFrame({"tournament": ["five"], "pairing": ["predetermined"]})
    return tb.from_games(games.with_columns(tournament), players.with_columns(tournament), about)


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("PTS", 2.5), ("SB", 4.0), ("SB/C1", 2.5), ("BH", 7.5), ("BH/C1", 6.0), ("BH/C2", 4.5),
        ("BH/M1", 3.5), ("BH/M2", 0.0), ("AOB", 8.125), ("ARO", 1563), ("ARO/C1", 1600),
        ("ARO/M1", 1575), ("ARO/M2", None), ("APRO", 1527), ("APPO", 1523), ("TPR", 1658),
        ("PTP", 1657), ("KS", 0.5), ("PS", 6.5), ("PS/C1", 5.5), ("WON", 2), ("BWG", 0),
        ("FB", 8.0), ("FB/C1", 6.0),
    ],
)  # fmt: skip
def test_08_five_players_all_tiebreaks(five, code, value):
    """Mean rating 1562.5 is 1563; nothing left is undefined; Koya's limit is half of 4 games."""
    for edition in ("2024-08", "2026-03"):
        ours = five.tiebreaks(code, edition=edition).filter(player="A")[code][0]
        assert ours == value


def _performance(
    ratings: list[int], results: list[str], byes: list[str] | None = None
) -> tb.Archive:
    """Player 0 meets one opponent of each rating, and has byes after that."""
    games = [
        {"round": number, "white": 0, "black": number, "result": result}
        for number, result in enumerate(results, start=1)
    ]
    players = [{"player": 0, "rating": 2000}] + [
        {"player": number, "rating": rating} for number, rating in enumerate(ratings, start=1)
    ]
    free = [
        {"round": len(results) + place, "player": 0, "type": kind}
        for place, kind in enumerate(byes or [], start=1)
    ]
    return tb.from_games(
        pl.DataFrame(games).with_columns(tournament=pl.lit("p")),
        pl.DataFrame(players).with_columns(tournament=pl.lit("p")),
        byes=pl.DataFrame(free).with_columns(tournament=pl.lit("p")) if free else None,
    )


def _value(archive: tb.Archive, code: str) -> float | None:
    return archive.tiebreaks(code, edition="2026-03").filter(player=0)[code][0]


def test_30_two_thirds_against_1850():
    """3 wins, 2 draws, 1 loss: 66.7 % is .67, dp 125."""
    archive = _performance([1850] * 6, ["1-0"] * 3 + ["1/2-1/2"] * 2 + ["0-1"])
    assert _value(archive, "TPR") == 1850 + 125


def test_30_no_score_is_800_below():
    assert _value(_performance([2476] * 7, ["0-1"] * 7), "TPR") == 2476 - 800
    # PTP: below the lowest opponent, not below the average.
    assert _value(_performance([1600, 1550, 1450], ["0-1"] * 3), "PTP") == 1450 - 800


def test_30_full_score_and_a_half_point_bye():
    """The bye is no game. Mean 13976 / 7 = 1996.57 is 1997; PTP by the table: 2145 + 736."""
    ratings = [1834, 1929, 1988, 2145, 1990, 1965, 2125]
    archive = _performance(ratings, ["1-0"] * 7, ["HPB"])
    assert _value(archive, "TPR") == 1997 + 800
    assert _value(archive, "PTP") == 2145 + 736


def test_30_five_of_six():
    """Mean 11674 / 6 = 1945.67 is 1946, .83 is dp 273."""
    ratings = [1830, 1914, 1867, 2255, 1818, 1990]
    archive = _performance(ratings, ["1-0", "1-0", "1-0", "0-1", "1-0", "1-0"])
    assert _value(archive, "TPR") == 1946 + 273
    assert _value(archive, "PTP") == 2259


def test_25_a_team_that_dropped_out_is_not_level():
    """Losses to level teams: level is as many wins and as many losses."""
    records = {"E": (3, 3), "T": (3, 2), "R": (3, 3), "C": (2, 4), "A": (2, 3), "B": (2, 4)}
    lost_to = {"E": ["T"], "C": ["A", "B"]}
    rows: list[tuple[int, str, str, str]] = []
    left = {team: list(record) for team, record in records.items()}
    number = 0
    for loser, winners in lost_to.items():
        for winner in winners:
            number += 1
            rows += [(number, loser, winner, "0"), (number, winner, loser, "1")]
            left[loser][1] -= 1
            left[winner][0] -= 1
    for team, (wins, losses) in left.items():  # the rest against teams of no account
        for place in range(wins + losses):
            number += 1
            mine, his = ("1", "0") if place < wins else ("0", "1")
            rows += [(number, team, f"x{number}", mine), (number, f"x{number}", team, his)]
    results = pl.DataFrame(rows, schema=["round", "player", "opponent", "result"], orient="row")
    about = pl.DataFrame({"tournament": ["t"], "pairing": ["swiss"]})
    archive = tb.from_results(results.with_columns(tournament=pl.lit("t")), None, about)
    (block,) = build_ledger(archive.results, archive.players, archive.tournaments).blocks
    t = Batch.of(block, 0, 1, tb.EDITIONS["plain"])
    games = t.count(t.over_the_board)
    level = (t.opponent(t.score) == t.own(t.score)) & (t.opponent(games) == games)
    value = -t.count(t.over_the_board & level & (t.points == 0))
    ours = dict(zip(archive.players["player"], value.tolist(), strict=True))
    assert (ours["E"], ours["C"]) == (0, -1)
