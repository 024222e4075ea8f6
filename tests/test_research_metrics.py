"""Metrics against SciPy, against every way to break ties, and against values by hand."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise, permutations, product
from pathlib import Path
from statistics import fmean

import numpy as np
import polars as pl
import polars.testing
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpydoc.docscrape import get_doc_object
from numpydoc.validate import validate
from scipy import stats

from tbframe.errors import TbframeError
from tbframe.research import metrics
from tbframe.research.groups import Groups
from tbframe.research.metrics import METRICS, Games, Orders, metric_named
from tbframe.research.metrics.inversions import inversions, weighted_inversions

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")

#: Two orders of one tournament: a rank by the order and a strength for each player.
Event = list[tuple[int, int]]

relaxed = settings(max_examples=60, deadline=None)
events = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=4)
archives = st.lists(events, min_size=1, max_size=6)


def orders_of(several: Sequence[Event]) -> Orders:
    rows = [(number, *player) for number, event in enumerate(several) for player in event]
    frame = pl.DataFrame(rows, schema=["tournament", "rank", "strength"], orient="row")
    return Orders.of(frame, truth="strength")


def value(event: Event, metric: Callable[[Orders], pl.Series]) -> float | None:
    return metric(orders_of([event])).item()


# Against every way to break the ties


def lists(keys: Sequence[float]) -> Iterator[tuple[int, ...]]:
    """Give every list of the players, lowest key first, that breaking ties can make."""
    levels = [[i for i, key in enumerate(keys) if key == level] for level in sorted(set(keys))]
    for parts in product(*(permutations(level) for level in levels)):
        yield tuple(player for part in parts for player in part)


def by_lot(event: Event, of_lists: Callable[[tuple[int, ...], tuple[int, ...]], float]) -> float:
    """Average over all ways to break the ties of both orders."""
    order = [rank for rank, _ in event]
    truth = [-strength for _, strength in event]
    return fmean(of_lists(one, other) for one in lists(order) for other in lists(truth))


def plain_distance(order, truth):
    pairs = list(combinations(order, 2))
    return sum(truth.index(a) > truth.index(b) for a, b in pairs) / len(pairs)


def plain_tau_ap(order, truth):
    total = 0.0
    for i in range(1, len(order)):
        before = order[:i]
        total += sum(truth.index(player) < truth.index(order[i]) for player in before) / i
    return 2 * total / (len(order) - 1) - 1


def plain_rbo(p, order, truth):
    n = len(order)
    shares = (len(set(order[:d]) & set(truth[:d])) / d for d in range(1, n + 1))
    return (1 - p) * sum(p**d * share for d, share in enumerate(shares)) + p**n


def plain_top_k(k, within, order, truth):
    return len(set(truth[:k]) & set(order[:within])) / k


TIES_BY_LOT = {
    "tau_ap": (metrics.tau_ap, plain_tau_ap, 2),
    "rbo": (metrics.rbo, partial(plain_rbo, 0.9), 1),
    "rbo(0.5)": (partial(metrics.rbo, p=0.5), partial(plain_rbo, 0.5), 1),
    "top_k": (metrics.top_k, partial(plain_top_k, 3, 3), 3),
    "top 1 in 2": (partial(metrics.top_k, k=1, within=2), partial(plain_top_k, 1, 2), 2),
    "winner_true_rank": (metrics.winner_true_rank, lambda o, t: t.index(o[0]) + 1, 2),
    "best_reciprocal_rank": (metrics.best_reciprocal_rank, lambda o, t: 1 / (o.index(t[0]) + 1), 2),
}


@pytest.mark.parametrize("name", TIES_BY_LOT)
@relaxed
@given(event=events)
def test_the_value_is_the_mean_over_all_ways_to_break_ties(name, event):
    metric, plain, least = TIES_BY_LOT[name]
    found = value(event, metric)
    if len(event) < least:
        assert found is None
    else:
        assert found == pytest.approx(by_lot(event, plain), abs=1e-12)


@relaxed
@given(events)
def test_distance_is_that_of_lots_but_for_pairs_tied_in_both(event):
    found = value(event, metrics.kendall_distance)
    pairs = list(combinations(event, 2))
    if not pairs:
        assert found is None
        return
    both = sum(one == other for one, other in pairs) / len(pairs)
    assert found == pytest.approx(by_lot(event, plain_distance) - both / 2)
    tau = value(event, metrics.tau_a)
    assert tau == pytest.approx(1 - 2 * found - both)


@relaxed
@given(events, st.sampled_from([None, 1, 3]))
def test_gain_breaks_the_ties_of_the_order_by_lot(event, k):
    strengths = [strength for _, strength in event]
    n = len(event)
    rank = stats.rankdata([-strength for strength in strengths])
    worth = n - rank

    def gain(players):
        return sum(worth[p] / math.log2(i + 2) for i, p in enumerate(players) if k is None or i < k)

    ideal = fmean(gain(players) for players in lists([-strength for strength in strengths]))
    found = value(event, partial(metrics.ndcg, k=k))
    if ideal == 0:
        assert found is None
    else:
        reached = fmean(gain(players) for players in lists([order for order, _ in event]))
        assert found == pytest.approx(reached / ideal)


def test_gain_takes_another_worth():
    event = [(1, 2), (2, 3), (3, 1)]
    steep = partial(metrics.ndcg, relevance=lambda rank, n: 2.0 ** (n - rank) - 1)
    ideal = 3 + 1 / math.log2(3)
    assert value(event, steep) == pytest.approx((1 + 3 / math.log2(3)) / ideal)


@relaxed
@given(events)
def test_the_best_wins_with_the_chance_of_the_draw(event):
    found = value(event, metrics.best_wins)
    if len(event) < 2:
        assert found is None
        return
    lowest, highest = min(rank for rank, _ in event), max(strength for _, strength in event)
    winners = [strength for rank, strength in event if rank == lowest]
    assert found == pytest.approx(sum(s == highest for s in winners) / len(winners))


# Against SciPy


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 9, 16, 33, 100, 300])
@pytest.mark.parametrize("levels", [3, 20, 1_000_000])
def test_correlations_are_those_of_scipy(size, levels):
    rng = np.random.default_rng(size * levels)
    several = [[(int(r), int(s)) for r, s in rng.integers(0, levels, (size, 2))] for _ in range(20)]
    orders = orders_of(several)
    tau, rho = metrics.tau_b(orders), metrics.rho(orders)
    for event, ours, our_rho in zip(several, tau, rho, strict=True):
        rank, strength = np.array(event).T
        if len(set(rank)) == 1 or len(set(strength)) == 1:
            assert ours is None
            assert our_rho is None
            continue
        assert ours == pytest.approx(stats.kendalltau(-rank, strength).statistic, abs=1e-12)
        assert our_rho == pytest.approx(stats.spearmanr(-rank, strength).statistic, abs=1e-12)


@relaxed
@given(archives)
def test_footrule_and_distance_stay_within_diaconis_and_graham(several):
    orders = orders_of(several)
    pairs = orders.groups.size * (orders.groups.size - 1) / 2
    distance = (metrics.kendall_distance(orders) * pl.Series(pairs)).fill_null(0).to_numpy()
    most = orders.groups.size**2 // 2
    rule = (metrics.footrule(orders) * pl.Series(most)).fill_null(0).to_numpy()
    assert (distance <= rule + 1e-9).all()
    assert (rule <= 2 * distance + 1e-9).all()


@relaxed
@given(events)
def test_footrule_adds_up_the_distances_of_middle_ranks(event):
    rank, strength = np.array(event).T
    apart = np.abs(stats.rankdata(rank) - stats.rankdata(-strength)).sum()
    found = value(event, metrics.footrule)
    assert found == (None if len(event) < 2 else pytest.approx(apart / (len(event) ** 2 // 2)))


# Inversions


@pytest.mark.parametrize("width", [1, 2, 4, 32, 256])
def test_inversions_are_those_of_all_pairs(width):
    rng = np.random.default_rng(width)
    numbers = np.array([rng.permutation(width) for _ in range(9)])
    weights = rng.random(numbers.shape)
    wrong = np.triu(numbers[:, :, None] > numbers[:, None, :])
    assert inversions(numbers).tolist() == wrong.sum(axis=(1, 2)).tolist()
    weighed = np.einsum("gij,gj->g", wrong, weights)
    assert weighted_inversions(numbers, weights) == pytest.approx(weighed)


def test_one_large_tournament_needs_wider_numbers():
    n = 40_000
    orders = orders_of([[(i, i // 2) for i in range(n)]])
    # reversed, and 20,000 pairs of equal strength are tied in the truth alone
    tied, pairs = n // 2, n * (n - 1) // 2
    assert metrics.kendall_distance(orders).item() == (pairs - tied + tied / 2) / pairs


# By hand

#: The first two share the first place, ranks 3 to 5 are one tie; points split 3 from 4 and 5.
HAND = pl.DataFrame(
    {
        "tournament": ["t"] * 6,
        "rank": [1, 1, 3, 4, 4, 6],
        "PTS": [4.0, 4.0, 3.0, 3.0, 3.0, 3.0],
        "strength": [2400, 2500, 2300, 2350, 2200, None],
        "other": [2, 1, 3, 4, 5, 5],
    }
)


def hand() -> Orders:
    return Orders.of(HAND, truth="strength", points="PTS", reference="other")


def test_discriminating_power_by_hand():
    # 1 + 6 pairs tied on points; left are the first two and the 4th with the 5th
    assert metrics.discriminating_power(hand()).item() == pytest.approx(5 / 7)


def test_within_tie_accuracy_by_hand():
    # rated pairs: 1-2 tied (1/2), 3-4 wrong (0), 3-5 right (1), 4-5 tied (1/2)
    assert metrics.within_tie_accuracy(hand()).item() == pytest.approx(2 / 4)


def test_within_tie_accuracy_leaves_out_equal_strengths():
    frame = HAND.with_columns(strength=pl.Series([1, 1, 3, 2, 2, 1]))
    orders = Orders.of(frame, truth="strength", points="PTS")
    # 1-2 and 4-5 are equally strong; 3-4, 3-5, 3-6, 4-6, 5-6 are all right
    assert metrics.within_tie_accuracy(orders).item() == 1


def test_agreement_by_hand():
    # of 7 pairs the order ties 1-2 and 4-5, the other 5-6; both put 3-4, 3-5, 3-6, 4-6 alike
    assert metrics.agreement(hand()).item() == pytest.approx(4 / math.sqrt(5 * 6))


def test_same_first_by_hand():
    orders = hand()
    found = [metrics.same_first(orders, k).item() for k in (1, 2, 3, 4, 5)]
    assert found == [0, 1, 1, 0, 0]  # with the fourth comes the fifth, with the fifth the sixth


def test_ties_at_a_line_by_hand():
    found = [metrics.tie_at_cut(hand(), k).item() for k in range(1, 8)]
    assert found == [1, 0, 0, 1, 0, None, None]
    assert metrics.unresolved(hand()).item() == pytest.approx(2 / 6)


def test_an_order_without_points_is_read_within_the_groups():
    """Ranked by the tie-break alone the third comes first, and within the groups all is as was."""
    alone = HAND.with_columns(rank=pl.Series([4, 4, 1, 2, 2, 6]))
    orders = Orders.of(alone, truth="strength", points="PTS", reference="other")
    for metric in (metrics.discriminating_power, metrics.within_tie_accuracy, metrics.agreement):
        assert metric(orders).item() == metric(hand()).item()
    assert metrics.tau_a(orders).item() != metrics.tau_a(hand()).item()


def test_depth_is_the_mean_over_separated_neighbours():
    orders = hand()
    depth = np.array([0, 0, 1, 3, 0, 2])
    assert metrics.resolution_depth(orders.by(orders.place, depth)).item() == 2
    nothing = np.zeros(6, dtype=int)
    assert metrics.resolution_depth(orders.by(orders.place, nothing)).item() is None


def test_games_by_hand():
    one, other = np.array([0, 0, 2, 3, 5]), np.array([1, 2, 3, 4, 0])
    points = np.array([1.0, 0.5, 0.0, 1.0, 0.0])
    games = Games(np.zeros(5, dtype=int), one, other, points)
    orders = replace(hand(), games=games)
    # decisive: 1-2 tied, 3-4 lost by the better, 4-5 tied, 6-1 won by the better
    assert metrics.hit_rate(orders).item() == pytest.approx(2 / 4)
    assert metrics.violations(orders).item() == pytest.approx(2 / 4)
    assert metrics.game_score(orders).item() == pytest.approx(2.5 / 5)


def test_players_of_unknown_strength_are_left_out():
    rated = HAND.filter(pl.col("strength").is_not_null())
    without = Orders.of(rated, truth="strength", points="PTS")
    for name, known in METRICS.items():
        if known.needs in ("truth", "truth points"):
            assert known.function(hand()).item() == known.function(without).item(), name
    not_a_number = HAND.with_columns(pl.col("strength").cast(pl.Float64).fill_null(math.nan))
    assert metrics.tau_b(Orders.of(not_a_number, truth="strength")).equals(metrics.tau_b(without))


# What must hold of all

ALONE = pl.DataFrame({"tournament": "a", "rank": [1], "PTS": [0.0], "strength": [1], "other": [1]})


def all_values(frame: pl.DataFrame | pl.LazyFrame) -> pl.DataFrame:
    orders = Orders.of(frame, truth="strength", points="PTS", reference="other")
    orders = replace(orders, depth=np.zeros(orders.groups.players, dtype=int),
                     games=Games(*np.zeros((3, 0), dtype=int), np.zeros(0)))  # fmt: skip
    return pl.DataFrame(
        [orders.tournaments, *(m.function(orders).alias(m.name) for m in METRICS.values())]
    )


def test_one_player_is_null_where_there_are_no_pairs():
    (row,) = all_values(ALONE).drop("tournament").rows(named=True)
    defined = {name for name, found in row.items() if found is not None}
    # a list of one is complete, has nobody unresolved, and agrees with another
    assert defined == {"rbo", "unresolved", "same_first"}
    assert (row["rbo"], row["unresolved"], row["same_first"]) == (1, 0, 1)


def test_nobody_known_is_null():
    frame = HAND.with_columns(strength=pl.lit(None, dtype=pl.Int64))
    orders = Orders.of(frame, truth="strength", points="PTS")
    for name, known in METRICS.items():
        if "truth" in known.needs:
            assert known.function(orders).item() is None, name


def test_no_tournament():
    found = all_values(HAND.clear())
    assert found.height == 0
    assert all(dtype == pl.Float64 for dtype in found.drop("tournament").schema.values())


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    rows = [
        (f"t{number}", *player)
        for number in range(draw(st.integers(1, 4)))
        for player in draw(
            st.lists(
                st.tuples(*(st.integers(1, 5) for _ in range(3)), st.none() | st.integers(1, 5)),
                min_size=1,
                max_size=9,
            )
        )
    ]
    schema = {"tournament": pl.String, "rank": pl.Int64, "PTS": pl.Int64, "other": pl.Int64,
              "strength": pl.Int64}  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def assert_close(one: pl.DataFrame, other: pl.DataFrame) -> None:
    pl.testing.assert_frame_equal(one, other, abs_tol=1e-12)


@relaxed
@given(frames(), st.integers(0, 99))
def test_the_order_of_rows_does_not_matter(frame, seed):
    shuffled = frame.sample(fraction=1, shuffle=True, seed=seed)
    assert_close(all_values(shuffled), all_values(frame))
    assert_close(all_values(shuffled.lazy()), all_values(frame))


@relaxed
@given(frames(), frames())
def test_another_tournament_changes_nothing(frame, other):
    company = pl.concat([other.with_columns(pl.format("before {}", "tournament")), frame])
    found = all_values(company).filter(pl.col("tournament").is_in(frame["tournament"].implode()))
    assert_close(found, all_values(frame))


@relaxed
@given(frames())
def test_values_stay_in_their_range(frame):
    found = all_values(frame)
    for metric in METRICS.values():
        if metric.low is not None:
            assert (found[metric.name].drop_nulls() >= metric.low - 1e-12).all(), metric.name
        if metric.high is not None:
            assert (found[metric.name].drop_nulls() <= metric.high + 1e-12).all(), metric.name


@relaxed
@given(st.lists(st.integers(0, 30), min_size=4, max_size=20, unique=True), st.randoms())
def test_the_true_order_is_the_best(strengths, random):
    ranks = list(range(1, len(strengths) + 1))
    best = sorted(strengths, reverse=True)
    random.shuffle(strengths)
    true = orders_of([list(zip(ranks, best, strict=True))])
    another = orders_of([list(zip(ranks, strengths, strict=True))])
    for metric in METRICS.values():
        if metric.needs == "truth":
            one, other = metric.function(true).item(), metric.function(another).item()
            assert one >= other - 1e-12 if metric.best == "high" else one <= other + 1e-12
            if metric.best == "high" and metric.high is not None:
                assert one == pytest.approx(metric.high)


def test_groups_of_every_size_find_their_places():
    sizes = [0, 1, 5, 0, 64, 65, 3, 0]
    groups = Groups(np.concatenate([[0], np.cumsum(sizes)]))
    rng = np.random.default_rng(3)
    values = rng.integers(0, 9, groups.players)
    expected = [
        stats.rankdata(-values[begin:end], method="min") - 1
        for begin, end in pairwise(groups.first.tolist())
        if end > begin
    ]
    assert groups.places(values).tolist() == np.concatenate(expected).astype(int).tolist()
    assert groups.sum(values).tolist()[::7] == [0, 0]
    kept = values > 4
    among = groups.places_among(groups.places(values), kept)
    assert among.tolist() == groups.without(kept).places(values[kept]).tolist()


# Names and documentation


def test_metrics_are_named_with_their_parameters():
    assert metric_named("top_k").name == "top_k(3)"
    assert metric_named(" top_k( 5 ,8) ").name == "top_k(5, 8)"
    assert metric_named("rbo(0.5)").function(hand()).item() == metrics.rbo(hand(), 0.5).item()
    assert metric_named("ndcg").name == "ndcg"
    assert metric_named("ndcg(5)").name == "ndcg(5)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tau", "did you mean tau_"),
        ("nonsense", "there are tau_ap, "),
        ("tau_b(3)", "takes at most 0 parameters"),
        ("ndcg(3, 4)", "takes at most 1 parameters"),
        ("top_k(three)", "parameters are numbers"),
        ("tau_b)", "no metric"),
    ],
)
def test_wrong_names_are_told(text, message):
    with pytest.raises(TbframeError, match=re.escape(message)):
        metric_named(text)


@pytest.mark.parametrize("text", ["top_k(0)", "top_k(1.5)", "tie_at_cut(-1)", "rbo(1)", "ndcg(0)"])
def test_wrong_parameters_are_told(text):
    with pytest.raises(TbframeError, match="is a number"):
        metric_named(text).function(hand())


def test_what_is_missing_is_told():
    orders = Orders.of(HAND)
    for name, known in METRICS.items():
        if known.needs:
            with pytest.raises(TbframeError, match=r"needs (truth|points|reference|depth|games)"):
                known.function(orders)
        else:
            assert known.function(orders).len() == 1, name


def test_columns_are_checked():
    with pytest.raises(TbframeError, match="every player needs a value"):
        Orders.of(HAND, rank="strength")
    with pytest.raises(TbframeError, match="has to hold numbers"):
        Orders.of(HAND, truth="tournament")


@pytest.mark.parametrize("name", METRICS)
def test_docstrings_say_range_ties_source_and_have_an_example(name):
    docs = get_doc_object(METRICS[name].function)
    for section in ("Parameters", "Returns", "Notes", "References", "Examples"):
        assert docs[section], section
    assert "null" in " ".join(docs["Returns"][0].desc)
    assert re.search(r"(?i)\b(tie[sd]?|same rank)\b", " ".join(docs["Notes"]))
    wanted = {"PR01", "PR02", "RT01", "RT03", "SS03"}
    assert not [error for error in validate(docs)["errors"] if error[0] in wanted]


def test_the_readme_lists_all_metrics():
    lines = [line.split("|")[1:5] for line in README.splitlines() if line.startswith("| `")]
    told = {
        name.partition("(")[0]: (name, area.strip(), best.strip(), needs.strip())
        for names, area, best, needs in (line for line in lines if len(line) == 4)
        for name in re.findall("`([^`]+)`", names)
    }
    for name, metric in METRICS.items():
        area = f"{metric.low} to {metric.high}" if metric.high is not None else f"from {metric.low}"
        needs = set(metric.needs.split())
        named, *listed, needed = told[name]
        assert metric_named(named).name == metric_named(name).name
        assert listed == [area, metric.best or ""]
        assert set(re.findall(r"\w+", needed)) == needs


def test_all_metrics_are_public():
    functions = {metric.function.__name__ for metric in METRICS.values()}
    assert functions <= set(metrics.__all__)
