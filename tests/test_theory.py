"""Ranking theory against the digits of the papers, from their own data.

Expected values are those printed in the papers named in tests/facts/theory/README.md; where a
value comes from arithmetic, the test shows it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import tbframe as tb
from tbframe import theory
from tbframe.diagnosis import theory_diagnostics
from tbframe.ledger import Batch

FACTS = Path(__file__).resolve().parent / "facts" / "theory"
DATA = Path(__file__).resolve().parents[1] / "data"


def case(name: str) -> tb.Archive:
    """Return one case of comparisons.csv: each game in a round of its own."""
    table = pl.read_csv(FACTS / "comparisons.csv", schema_overrides={"player": pl.String})
    points = {(a, b): p for c, a, b, p in table.rows() if c == name}
    games: list[tuple[str, str, str]] = []
    for (a, b), mine in points.items():
        theirs = points.get((b, a), 0)
        if a < b and mine == theirs == 0.5:
            games.append((a, b, "1/2-1/2"))
        else:
            games += [(a, b, "1-0")] * int(mine)
    rows = [(number, *game) for number, game in enumerate(games, 1)]
    return tb.from_games(pl.DataFrame(rows, ["round", "white", "black", "result"], orient="row"))


def values(archive: tb.Archive, code: str) -> NDArray[np.float64]:
    """Return the values of the players in their order."""
    frame = archive.tiebreaks(code)
    ordered = frame.sort(pl.col("player").cast(pl.String).str.zfill(3))
    return ordered[code].cast(pl.Float64).fill_null(np.nan).to_numpy()


@pytest.fixture
def define():
    """Return a function that defines a tie-break for one test."""
    defined = []

    def with_code(code, formula):
        tb.tiebreak(code, name="for a test", source="a test", unit="approximate")(formula)
        defined.append(code)
        return code

    yield with_code
    for code in defined:
        tb.forget(code)


# -- González-Díaz, Hendrickx and Lohmann 2014, example 2.1 -----------------------------------


@pytest.fixture(scope="module")
def example() -> tb.Archive:
    return case("gonzalez_diaz_2014")


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("theory.BT", [2.051, 0.608, -2.659]),
        ("theory.NEUSTADTL", [0.352, 0.055, 0.027]),
        ("theory.FB", [0.801, 0.192, 0.006]),
        ("theory.LS", [0.533, 0.172, -0.705]),
        ("theory.BUCHHOLZ", [1.335, 1.011, 0.881]),
    ],
)
def test_example_of_three_players(example, code, printed):
    assert values(example, code) == pytest.approx(printed, abs=5e-4)


def test_fair_bets_of_the_example_are_exact(example):
    assert values(example, "theory.FB") == pytest.approx(np.array([125, 30, 1]) / 156, abs=1e-14)


def test_row_sum_of_the_example_reverses_the_first_two(example):
    """Printed .390 .407 -.798: (34528, 36036, -70564) / 3403 / 26, on the scale x / (2 m).

    The score and least squares put player 1 first.
    """
    ours = values(example, "theory.GRS") / (2 * 26)
    assert ours == pytest.approx(np.array([34528, 36036, -70564]) / 3403 / 26, abs=1e-12)
    assert example.standings("theory.GRS")["player"].to_list() == ["2", "1", "3"]
    assert example.standings("theory.LS")["player"].to_list() == ["1", "2", "3"]


def test_recursive_buchholz_of_the_example(example):
    """Printed .267 .086 -.353: half of least squares, but for the level."""
    ours = values(example, "theory.RB")
    assert ours - ours.mean() == pytest.approx([0.267, 0.086, -0.353], abs=5e-4)
    assert ours - ours.mean() == pytest.approx(values(example, "theory.LS") / 2, abs=1e-9)


def test_recursive_performance_of_the_example(example, define):
    """Printed 1.764 .491 -2.255: with the logistic curve instead of FIDE's table, sum 0."""

    def logistic(t: Batch) -> theory.Solution:
        return theory.recursive_performance(t, lambda share: np.log(share / (1 - share)))

    ours = values(example, define("lab.RP", logistic))
    assert ours - ours.mean() == pytest.approx([1.764, 0.491, -2.255], abs=5e-4)


def test_mean_score_of_the_example(example, define):
    """Printed .900 .839 .032: 9/10, 26/31, 1/31."""
    first_power = define("lab.MEAN", lambda t: theory.neustadtl(t, power=1))
    assert values(example, first_power) == pytest.approx([9 / 10, 26 / 31, 1 / 31], abs=1e-14)


# -- linear systems ---------------------------------------------------------------------------


def test_chebotarev_1989(define):
    archive = case("chebotarev_1989")
    # Five players, one meeting at most. His parameter 4, that is epsilon = 1 / 4.
    row_sum = define("lab.GRS", lambda t: theory.generalised_row_sum(t, epsilon=1 / 4))
    printed = np.array([1065, 528, -234, -1932, 573]) / 533
    assert values(archive, row_sum) == pytest.approx(printed, abs=1e-12)
    assert values(archive, "theory.LS") * 15 == pytest.approx([19, 4, -6, -16, -1], abs=1e-10)


def test_csato_2015():
    printed = [38, 10, 17, -11, -4, -32, -18]
    assert values(case("csato_2015"), "theory.LS") * 21 == pytest.approx(printed, abs=1e-10)


def test_kaiser_and_serlin_1978():
    printed = [-0.2194, -0.2262, 0.0724, -0.6386, 0.0244, -1.2641, -0.0076, -0.2126, 0.2180,
               0.6114, 1.0679, 0.5744]  # fmt: skip
    ours = values(case("kaiser_serlin_1978"), "theory.LS")
    assert ours == pytest.approx(printed, abs=5.1e-5)


def test_colley_2002():
    printed = np.array([19, 24, 23, 22, 27]) / 46
    assert values(case("colley_2002"), "theory.COLLEY") == pytest.approx(printed, abs=1e-12)


def test_the_row_sum_is_the_score_for_small_epsilon_and_least_squares_for_large(define):
    archive = case("csato_2015")
    small = define("lab.SMALL", lambda t: theory.generalised_row_sum(t, epsilon=1e-9))
    large = define("lab.LARGE", lambda t: theory.generalised_row_sum(t, epsilon=1e9))
    # Wins minus losses: 1>3, 2>4, 3>5, 4>6, 5>6, 5>7, 7>6.
    assert values(archive, small) == pytest.approx([1, 1, 0, 0, 1, -3, 0], abs=1e-6)
    # m n = 1 * 7 times least squares.
    assert values(archive, large) == pytest.approx(7 * values(archive, "theory.LS"), abs=1e-6)


# -- maximum likelihood, fair bets, eigenvectors -----------------------------------------------


@pytest.mark.parametrize(
    ("name", "strengths"),
    [
        # y is the root of 3y^3 + y^2 + y - 1, and of 5y^3 + y^2 + 3y - 1.
        ("zermelo_n3_k2", [0.46940**2, 0.46940, 1]),
        ("zermelo_n4_k2", [1, 1, 3, 3]),
        ("zermelo_n4_k3", [0.27401**2, 0.27401, 0.27401, 1]),
    ],
)
def test_zermelo_1929(name, strengths):
    strength = np.exp(values(case(name), "theory.BT"))
    printed = np.array(strengths) / strengths[-1]
    assert strength / strength[-1] == pytest.approx(printed, abs=6e-6)


def test_slutzki_and_volij_2006():
    ours = values(case("slutzki_volij_2004"), "theory.FB")
    assert ours * 10 == pytest.approx([4, 3, 1, 2], abs=1e-12)


def test_david_1987():
    printed = [0.15527, 0.21035, 0.18986, 0.11654, 0.14966, 0.06310, 0.11521]
    assert values(case("david_1987"), "theory.PERRON") == pytest.approx(printed, abs=5.1e-6)


def two_players(results: str) -> tb.Archive:
    """Return games of A (White) and B: "1 = 0"."""
    names = {"1": "1-0", "=": "1/2-1/2", "0": "0-1"}
    rows = [(n, "A", "B", names[r]) for n, r in enumerate(results.split(), 1)]
    return tb.from_games(pl.DataFrame(rows, ["round", "white", "black", "result"], orient="row"))


def test_davidson_of_two_players():
    """As many parameters as frequencies: 3 wins, 2 draws, 1 loss.

    The strengths have the ratio 3 : 1, and nu = 2 / sqrt(3 * 1).
    """
    archive = two_players("1 1 1 = = 0")
    difference = np.subtract(*values(archive, "theory.DAVIDSON"))
    assert difference == pytest.approx(np.log(3), abs=1e-9)
    draw = theory_diagnostics(archive, "theory.DAVIDSON")["draw"][0]
    assert draw == pytest.approx(2 / np.sqrt(3), abs=1e-9)


def test_keener_of_two_players():
    """One win: (1+1)/(1+2) against (0+1)/(1+2), so r1/r2 = 2/3 r2 / (1/3 r1): the root of 2."""
    better, worse = values(two_players("1"), "theory.KEENER")
    assert better / worse == pytest.approx(np.sqrt(2), abs=1e-10)


def test_pagerank_of_two_players():
    """B lost to A: B = (1 - d)/2 + d A/2, A = (1 - d)/2 + d (A/2 + B); A lost nothing.

    With d = 0.85 and A + B = 1: A (1 - d/2 + d) = (1 - d)/2 + d, A = 0.925 / 1.425.
    """
    assert values(two_players("1"), "theory.PAGERANK")[0] == pytest.approx(0.925 / 1.425, abs=1e-12)


def test_binomial_weights_on_the_scores_of_the_opponents():
    """Player 1 met scores 1, 2 and 3: 1/4 * 1 + 2/4 * 2 + 1/4 * 3 = 2; and 4 alone is 4."""
    games = pl.DataFrame(
        [(1, 1, 2, "0-1"), (2, 1, 3, "0-1"), (3, 1, 4, "0-1"), (2, 5, 6, "0-1")],
        ["round", "white", "black", "result"], orient="row",
    )  # fmt: skip
    byes = pl.DataFrame(
        [(1, 3, "FPB"), (1, 4, "FPB"), (2, 4, "FPB"), *((r, 6, "FPB") for r in (1, 3, 4))],
        ["round", "player", "type"], orient="row",
    )  # fmt: skip
    archive = tb.from_games(games, byes=byes)
    ours = dict(archive.tiebreaks("theory.OWA").select("player", "theory.OWA").rows())
    assert ours[1] == pytest.approx((1 + 2 * 2 + 3) / 4)
    assert ours[5] == pytest.approx(4)


# -- Open de Sangmelima 2014 (Pippel 2020) -----------------------------------------------------


@pytest.fixture(scope="module")
def sangmelima() -> tb.Archive:
    table = pl.read_csv(FACTS / "sangmelima_2014.csv")
    result = pl.col("points_of_2").replace_strict({2: "1", 1: "=", 0: "0"})
    about = pl.DataFrame({"tournament": ["S"], "scoring": ["W=2 D=1 L=0"], "pairing": ["swiss"]})
    rows = table.with_columns(tournament=pl.lit("S"), result=result).drop("points_of_2")
    return tb.from_results(rows, None, about)


@pytest.mark.parametrize(
    ("code", "printed", "within"),
    [
        # Printed to three or four digits.
        ("theory.LS", [0.6435, 0.7077, 0.0590, 0.4203, 0.3923, -0.0421, -0.1217, 0.0540, -0.0466,
                       -0.0297, -0.2344, -0.4248, -0.6939, -0.6835], 6e-5),
        # The printed iteration stops at step 28, within 0.4.
        ("theory.ELO", [304.2, 312.8, 18.2, 185.4, 181.0, -26.6, -63.1, 33.7, -19.4, -16.4,
                        -102.5, -177.3, -299.5, -330.7], 0.06),
        ("BH@plain", [36, 38, 25, 43, 41, 30, 27, 37, 35, 44, 41, 34, 33, 40], 0),
        ("draughts.SOLK", [36, 38, 25, 43, 41, 30, 27, 37, 35, 44, 41, 34, 33, 40], 0),
    ],
)  # fmt: skip
def test_sangmelima(sangmelima, code, printed, within):
    assert values(sangmelima, code) == pytest.approx(printed, abs=within)


def test_truncated_solkoff_of_sangmelima(sangmelima):
    """The first player's, as printed: 34 without the lowest, 25 without the highest too."""
    codes = "draughts.SOLK/C1 draughts.SOLK/M1"
    assert sangmelima.tiebreaks(codes).filter(player=1).row(0)[2:] == (34, 25)


def test_recursive_buchholz_of_sangmelima_is_half_of_least_squares(sangmelima):
    """But for its level; printed as the same after 15 iterations."""
    ours = values(sangmelima, "theory.RB")
    assert 2 * (ours - ours.mean()) == pytest.approx(values(sangmelima, "theory.LS"), abs=1e-8)


def test_sangmelima_on_the_logistic_curve(sangmelima):
    printed = [309.8, 318.2, 17.9, 189.0, 185.7, -27.6, -64.8, 36.6, -19.4, -18.5, -103.8, -178.7,
               -304.3, -340.0]  # fmt: skip
    ours = values(sangmelima, "theory.BT") * 400 / np.log(10)
    assert ours == pytest.approx(printed, abs=0.06)


# -- Chess Olympiad 2018 -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def olympiad() -> tb.Archive:
    rounds = [str(number) for number in range(1, 12)]
    table = pl.read_csv(
        DATA / "teams" / "olympiad_2018_open.csv", schema_overrides=dict.fromkeys(rounds, pl.String)
    )
    cells = table.unpivot(on=rounds, index=["rank", "team"], variable_name="round")
    cell = pl.col("value")
    whole = cell.str.extract(r"^\d+[wb](\d?)½?$").cast(pl.Float64, strict=False)
    cells = cells.with_columns(
        round=pl.col("round").cast(pl.Int64),
        opponent=cell.str.extract(r"^(\d+)[wb]\d*½?$").cast(pl.Int64),
        game_points=whole.fill_null(0) + 0.5 * cell.str.ends_with("½"),
    )
    played = pl.col("opponent").is_not_null()
    above = pl.col("game_points") - 2
    result = pl.when(~played).then(pl.lit("Z")).when(above > 0).then(pl.lit("1"))
    results = cells.select(
        tournament=pl.lit("Batumi"),
        round="round",
        player="rank",
        opponent="opponent",
        result=result.when(above < 0).then(pl.lit("0")).otherwise(pl.lit("=")),
        game_points="game_points",
    )
    players = table.select(tournament=pl.lit("Batumi"), player="rank", name="team")
    about = pl.DataFrame(
        {"tournament": ["Batumi"], "kind": ["team"], "boards": [4], "pairing": ["swiss"],
         "edition": ["olympiad"]}
    )  # fmt: skip
    return tb.from_results(results, players, about)


def test_olympiad_sonneborn_berger(olympiad):
    """Published: China 372.5, USA 360.5, Russia 354.5."""
    table = olympiad.standings("MPTS EMGSB/C1 GPTS").head(3)
    assert table.select("player", "EMGSB/C1").rows() == [(1, 372.5), (2, 360.5), (3, 354.5)]
    named = dict(olympiad.standings("MPTS EMGSB/C1 GPTS").select("name", "EMGSB/C1").rows())
    further = {"Poland": 374.5, "England": 340, "India": 388, "Vietnam": 379.5, "Armenia": 371}
    assert {team: named[team] for team in further} == further


def test_least_squares_re_orders_the_podium_of_the_olympiad(olympiad):
    """Computed elsewhere with the same crosstable, three digits each."""
    top = olympiad.standings("theory.LS").head(8)
    right = {
        "Poland": 1.979, "China": 1.947, "United States of America": 1.944, "Azerbaijan": 1.814,
        "Armenia": 1.792, "India": 1.734, "Ukraine": 1.732, "Russia": 1.718,
    }  # fmt: skip
    assert top["name"].to_list() == list(right)
    assert top["theory.LS"].to_list() == pytest.approx(list(right.values()), abs=5e-4)


def test_game_points_are_shares_of_the_boards(olympiad):
    """Least squares of 2 x share - 1: the differences of neighbours meet the system itself."""
    rating = dict(olympiad.tiebreaks("theory.LS:GP").select("player", "theory.LS:GP").rows())
    china = olympiad.results.filter(player=1)
    left = sum(rating[1] - rating[opponent] for opponent in china["opponent"])
    right = sum(2 * points / 4 - 1 for points in china["game_points"])
    assert left == pytest.approx(right, abs=1e-9)
