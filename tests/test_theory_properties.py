"""What must hold of ranking theory for every tournament, and what its diagnostics say."""

from __future__ import annotations

import builtins
import sys

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tbframe as tb
from tbframe import theory
from tbframe.codes import Criterion
from tbframe.diagnosis import row_sum_path, theory_diagnostics
from tbframe.errors import CodeError, TbframeError
from tbframe.ledger import Batch, build_ledger
from tbframe.theory import Comparisons, comparisons, linear
from tbframe.tiebreaks.registry import codes

THEORY = [code for code in codes() if code.startswith("theory.")]
#: Values that are shares or differences of about 1 are compared so closely, ratings less.
CLOSE = {"theory.ELO": 1e-6, "theory.RP": 1e-6, "theory.ARPO": 1e-6, "theory.DAVIDSON": 1e-7}

relaxed = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def events(draw: st.DrawFn) -> pl.DataFrame:
    """A small tournament with games, forfeits, byes and rematches."""
    players = draw(st.integers(2, 9))
    rows: list[tuple[object, ...]] = []
    for number in range(1, draw(st.integers(1, 7)) + 1):
        seats = draw(st.permutations(range(1, players + 1)))
        for white, black in zip(seats[::2], seats[1::2], strict=False):
            mine, his = draw(
                st.sampled_from([("1", "0"), ("0", "1"), ("=", "="), ("1", "0"), ("0", "1"),
                                 ("+", "-"), ("0", "0"), ("*", "*"), ("W", "L")])
            )  # fmt: skip
            rows += [(number, white, black, "w", mine), (number, black, white, "b", his)]
        if players % 2:
            rows.append((number, seats[-1], None, None, "U"))
    schema = {"round": pl.Int64, "player": pl.Int64, "opponent": pl.Int64, "color": pl.String,
              "result": pl.String}  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(tournament=pl.lit("t"))


def all_values(results: pl.DataFrame) -> pl.DataFrame:
    return tb.from_results(results).tiebreaks(THEORY).filter(tournament="t").drop("tournament")


def assert_close(one: pl.DataFrame, other: pl.DataFrame) -> None:
    assert one["player"].to_list() == other["player"].to_list()
    for code in THEORY:
        left, right = (frame[code].fill_null(np.nan).to_numpy() for frame in (one, other))
        within = CLOSE.get(code, 1e-8)
        assert np.allclose(left, right, rtol=0, atol=within, equal_nan=True), code


@relaxed
@given(events(), st.randoms(use_true_random=False))
def test_names_of_players_and_the_order_of_rows_do_not_matter(results, random):
    names = list(range(1, 10))
    random.shuffle(names)
    renamed = results.sample(fraction=1.0, shuffle=True, seed=random.randrange(1000)).with_columns(
        pl.col("player", "opponent").replace_strict(list(range(1, 10)), names, default=None)
    )
    back = all_values(renamed).with_columns(
        pl.col("player").replace_strict(names, list(range(1, 10)))
    )
    assert_close(all_values(results), back.sort("player"))


@relaxed
@given(events(), events())
def test_another_tournament_changes_nothing(results, other):
    company = pl.concat([other.with_columns(tournament=pl.lit("other")), results])
    assert_close(all_values(results), all_values(company))


@relaxed
@given(events())
def test_players_who_cannot_be_told_apart_stay_tied(results):
    """A tournament played twice over, by other players: everybody has a double."""
    doubles = results.with_columns(pl.col("player", "opponent") + 100)
    archive = tb.from_results(pl.concat([results, doubles]))
    for code in ("theory.LS", "theory.BT", "theory.COLLEY", "theory.PAGERANK", "theory.OWA"):
        table = archive.standings(code)
        ranks = dict(table.select("player", "rank").rows())
        assert all(ranks[player] == ranks[player + 100] for player in ranks if player < 100), code


@relaxed
@given(events())
def test_bye_and_forfeit_are_no_comparisons(results):
    rounds = results["round"].max()
    more = pl.DataFrame(
        [(rounds + 1, 1, 2, "w", "+"), (rounds + 1, 2, 1, "b", "-")],
        schema=results.drop("tournament").schema, orient="row",
    ).with_columns(tournament=pl.lit("t"))  # fmt: skip
    before, after = all_values(results), all_values(pl.concat([results, more]))
    # What starts from the number of rounds, or averages scores with their byes, may change.
    for code in set(THEORY) - {"theory.RB", "theory.ARBO", "theory.OWA"}:
        assert before[code].to_list() == pytest.approx(
            after[code].to_list(), abs=CLOSE.get(code, 1e-8), nan_ok=True
        ), code


@relaxed
@given(events(), st.sampled_from(["3 1 0", "2 1 0"]))
def test_the_scoring_of_the_event_does_not_matter(results, scoring):
    win, draw, _ = scoring.split()
    about = pl.DataFrame({"tournament": ["t"], "scoring": [f"W={win} D={draw} L=0"]})
    plain, other = (tb.from_results(results, tournaments=frame) for frame in (None, about))
    theories = [code for code in THEORY if code != "theory.OWA"]
    ours, theirs = plain.tiebreaks(theories), other.tiebreaks(theories)
    for code in theories:
        assert ours[code].equals(theirs[code]), code


@relaxed
@given(events())
def test_undefined_is_null_and_never_an_infinity(results):
    archive = tb.from_results(results)
    played = set(results.filter(pl.col("result").is_in(list("1=0WDL")))["player"])
    frame = archive.tiebreaks(THEORY)
    for code in THEORY:
        diagnosis = theory_diagnostics(archive, code)
        defined = frame.filter(pl.col(code).is_not_null())
        assert np.isfinite(defined[code].to_numpy()).all()
        assert set(defined["player"]) <= played
        assert diagnosis.select("players", "defined").row(0) == (len(played), defined.height)
        if not code.startswith("theory.AR"):
            assert defined.height in (0, len(played))
            assert diagnosis["converged"][0] or not defined.height


def test_every_code_works_on_the_sample():
    for code in THEORY:
        codes()[code].tried()


# -- diagnostics -------------------------------------------------------------------------------


def games(*rows: tuple[int, str, str, str]) -> tb.Archive:
    return tb.from_games(pl.DataFrame(rows, ["round", "white", "black", "result"], orient="row"))


def test_a_winner_of_all_games_needs_a_prior():
    """A > B > C, A > C: nobody beat A, so no finite strengths have maximum likelihood."""
    archive = games((1, "A", "B", "1-0"), (2, "B", "C", "1-0"), (3, "A", "C", "1-0"))
    about = theory_diagnostics(archive, "theory.BT").row(0, named=True)
    assert not about["strongly_connected"]
    assert about["prior"]
    assert about["components"] == 1
    assert about["defined"] == 3
    # Score made = score expected, with one game more, half won, against a dummy of strength 1.
    a, b, c = archive.tiebreaks("theory.BT")["theory.BT"]
    expects = lambda own, other: 1 / (1 + np.exp(other - own))  # noqa: E731
    dummy = (a + b + c) / 3  # their mean is 0, the dummy's place follows from the equations
    assert b == pytest.approx(0, abs=1e-9)
    assert a == pytest.approx(-c, abs=1e-9)
    assert expects(a, b) + expects(a, c) + expects(a, dummy) == pytest.approx(2.5, abs=1e-9)
    for code in ("theory.FB", "theory.PERRON"):
        about = theory_diagnostics(archive, code).row(0, named=True)
        assert (about["defined"], about["converged"], about["prior"]) == (0, False, False)


def test_without_a_prior_nothing_is_defined():
    archive = games((1, "A", "B", "1-0"))

    @tb.tiebreak("lab.ML", name="Maximum likelihood alone", source="a test", unit="approximate")
    def alone(t: Batch) -> theory.Solution:
        return theory.bradley_terry(t, prior=None)

    try:
        assert archive.tiebreaks("lab.ML")["lab.ML"].null_count() == 2
        assert theory_diagnostics(archive, "lab.ML")["defined"].to_list() == [0]
    finally:
        tb.forget("lab.ML")


def test_fair_bets_with_a_prior_where_a_player_lost_everything():
    """A beat B; one game more against a dummy worth 1, half won and half lost.

    A: 1 B + 1/2 = A (0 + 1/2); B: 1/2 = B (1 + 1/2). So B = 1/3, A = 5/3; as shares 5/6, 1/6.
    """
    t = batch_of(games((1, "A", "B", "1-0")))
    solution = theory.fair_bets(t, prior=1)
    assert solution.values == pytest.approx([5 / 6, 1 / 6], abs=1e-14)
    assert solution.prior.tolist() == [True]


def test_components_are_counted_and_centred_apart():
    archive = games((1, "A", "B", "1-0"), (1, "C", "D", "1-0"), (2, "C", "D", "1/2-1/2"))
    about = theory_diagnostics(archive, "theory.LS").row(0, named=True)
    assert (about["players"], about["components"]) == (4, 2)
    # A - B = 1; C - D is the mean of 1 and 0.
    assert archive.tiebreaks("theory.LS")["theory.LS"].to_list() == pytest.approx(
        [0.5, -0.5, 0.25, -0.25], abs=1e-12
    )
    for code in ("theory.KEENER", "theory.PERRON"):
        assert theory_diagnostics(archive, code)["defined"].to_list() == [0]


def test_two_groups_that_only_meet_each_other_have_no_recursive_performance():
    archive = games((1, "A", "B", "1-0"), (2, "C", "B", "1-0"), (3, "C", "D", "0-1"))
    for code in ("theory.RP", "theory.RB", "theory.ARPO"):
        about = theory_diagnostics(archive, code).row(0, named=True)
        assert (about["defined"], about["converged"], about["iterations"]) == (0, False, 500)


def test_davidson_falls_back_to_a_prior_where_draws_have_no_bound():
    """A beat B and drew with him: both games ever likelier, the stronger A and the more draws."""
    archive = games((1, "A", "B", "1-0"), (2, "A", "B", "1/2-1/2"))
    about = theory_diagnostics(archive, "theory.DAVIDSON").row(0, named=True)
    assert about["strongly_connected"]
    assert about["prior"]
    only_draws = games((1, "A", "B", "1/2-1/2"))
    assert theory_diagnostics(only_draws, "theory.DAVIDSON")["defined"].to_list() == [0]
    # Without draws it is Bradley and Terry's model.
    archive = games((1, "A", "B", "1-0"), (2, "A", "B", "1-0"), (3, "A", "B", "0-1"))
    frame = archive.tiebreaks("theory.BT theory.DAVIDSON")
    assert frame["theory.BT"].to_list() == pytest.approx(frame["theory.DAVIDSON"].to_list())
    assert theory_diagnostics(archive, "theory.DAVIDSON")["draw"].to_list() == [0.0]


def test_davidson_with_whites_advantage_has_the_highest_likelihood():
    """The likelihood falls on every side, and White's factor is its own optimum."""
    rng = np.random.default_rng(2)
    rows = []
    for number in range(1, 9):
        seats = rng.permutation(10)
        for white, black in zip(seats[::2], seats[1::2], strict=True):
            result = rng.choice(["1-0", "1/2-1/2", "0-1"], p=[0.45, 0.35, 0.2])
            rows.append((number, f"p{white}", f"p{black}", str(result)))
    t = batch_of(games(*rows))
    solution = theory.davidson(t, white=True)
    c = comparisons(t)

    def likelihood(strength: np.ndarray, draw: float, white: float) -> float:
        own = strength + np.where(c.color > 0, white, 0)
        other = strength[c.opponent] + np.where(c.color < 0, white, 0)
        total = np.exp(own) + np.exp(other) + np.exp(draw + (own + other) / 2)
        wins = c.points - c.draws / 2
        drawn = c.draws * (draw + (own + other) / 2 - np.log(total)) / 2
        return float((wins * (own - np.log(total)) + drawn).sum())

    at = (np.log(solution.estimates["draw"][0]), np.log(solution.estimates["white"][0]))
    best = likelihood(solution.values, *at)
    assert solution.converged.all()
    assert not solution.prior.any()
    for _ in range(50):
        away = rng.normal(size=12) * 0.01
        assert likelihood(solution.values + away[:10], at[0] + away[10], at[1] + away[11]) < best


def test_only_theories_have_diagnostics():
    archive = games((1, "A", "B", "1-0"))
    with pytest.raises(CodeError, match="BH has no diagnostics"):
        theory_diagnostics(archive, "BH")
    with pytest.raises(CodeError, match="one tie-break at a time"):
        theory_diagnostics(archive, "theory.LS theory.BT")


def test_a_tournament_without_games_has_a_row():
    results = pl.DataFrame(
        {"tournament": ["t"], "round": [1], "player": [1], "opponent": [None], "result": ["U"]},
        schema_overrides={"opponent": pl.Int64},
    )
    for code in THEORY:
        about = theory_diagnostics(tb.from_results(results), code).row(0, named=True)
        assert (about["players"], about["defined"]) == (0, 0)


def test_the_path_over_epsilon_ends_at_score_and_least_squares():
    archive = tb.read("data/trf/tec2023_swiss9_de.trf")
    path = row_sum_path(archive, [1e-9, None, 1e9])
    assert path.height == 3 * archive.players.height
    over_the_board = archive.results.filter(pl.col("result").is_in(["1", "=", "0"]))
    score = over_the_board.group_by("player").agg(
        difference=(2 * pl.col("points") - 1).sum().cast(pl.Float64)
    )
    first = path.gather_every(3).join(score, on="player")
    assert first["value"].to_list() == pytest.approx(first["difference"].to_list(), abs=1e-6)
    last = path.gather_every(3, offset=2)["rank"].to_list()
    ranks = archive.standings("theory.LS").sort("player")["rank"].to_list()
    assert last == ranks
    reasonable = path.gather_every(3, offset=1)["epsilon"].unique().to_list()
    assert reasonable == [1 / (1 * (16 - 2))]
    with pytest.raises(TbframeError, match="numbers above 0"):
        row_sum_path(archive, [0])


# -- the machinery -----------------------------------------------------------------------------


def batch_of(archive: tb.Archive) -> Batch:
    ledger = build_ledger(archive.results, archive.players, archive.tournaments)
    block = ledger.blocks[0]
    return Batch.of(block, 0, len(block.row), tb.EDITIONS["2026-03"])


def test_a_game_twice_in_a_round_counts_twice():
    archive = games((1, "A", "B", "1-0"), (1, "A", "B", "1/2-1/2"), (1, "A", "C", "0-1"))
    c = comparisons(batch_of(archive))
    assert c.number.tolist() == [3, 2, 1]
    assert c.score.tolist() == [1.5, 0.5, 1]
    assert c.games_of_pair.max() == 2


def test_an_unmatched_row_is_no_comparison():
    results = pl.DataFrame(
        {"tournament": ["t"] * 3, "round": [1, 2, 2], "player": [1, 1, 2],
         "opponent": [2, 2, 1], "result": ["1", "0", "1"]}
    )  # fmt: skip
    archive = tb.from_results(results)
    assert comparisons(batch_of(archive)).score.tolist() == [0, 1]


def test_sparse_elimination_gives_what_dense_does(monkeypatch):
    rng = np.random.default_rng(4)
    rows = []
    for number in range(1, 8):
        seats = rng.permutation(30)
        for white, black in zip(seats[::2], seats[1::2], strict=True):
            rows.append((number, f"p{white}", f"p{black}", str(rng.choice(["1-0", "0-1"]))))
    t = batch_of(games(*rows))
    dense = theory.fair_bets(t, prior=1).values
    monkeypatch.setattr(linear, "_DENSE", 5)
    assert theory.fair_bets(t, prior=1).values == pytest.approx(dense, abs=1e-13)


def test_elimination_joins_in_where_products_are_slow():
    """Four circles of six, each beaten by the one above but for one game."""
    pairs = []
    for circle in range(4):
        for number in range(6):
            here, following = f"{circle}-{number}", f"{circle}-{(number + 1) % 6}"
            pairs += [(here, following)] * 2
            if circle < 3:
                pairs.append((here, f"{circle + 1}-{number}"))
        if circle < 3:
            pairs.append((f"{circle + 1}-0", f"{circle}-1"))
    archive = games(*((number, *pair, "1-0") for number, pair in enumerate(pairs, 1)))
    about = theory_diagnostics(archive, "theory.PERRON").row(0, named=True)
    assert about["converged"]
    assert about["iterations"] > 300
    t = batch_of(archive)
    c, x = comparisons(t), theory.perron(t).values
    growth = c.product(c.points, x) / x
    assert growth == pytest.approx(np.full(24, growth[0]), rel=1e-12)


def test_the_message_without_scipy_names_the_extra(monkeypatch):
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name.startswith("scipy"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    for name in [name for name in sys.modules if name.startswith("scipy")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("tbframe.theory.needs.import_module", without)
    with pytest.raises(TbframeError, match=r"tbframe\[research\]"):
        codes()["theory.LS"].values(batch_of(games((1, "A", "B", "1-0"))), Criterion("theory.LS"))


def test_comparisons_come_back_as_they_are():
    c = comparisons(batch_of(games((1, "A", "B", "1-0"))))
    assert isinstance(c, Comparisons)
    assert theory.least_squares(c).values == pytest.approx([0.5, -0.5])
