"""Which criterion decided, counted by hand."""

from __future__ import annotations

from datetime import date

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tbframe as tb
from benchmarks.synthetic import mixed_sizes
from tbframe.errors import CodeError, TbframeError

#: In "a" the first two are tied, the third came behind by BH and the fourth by points; in "b"
#: SB made the winner, and the last two are tied; nobody is behind the winner of "c".
STANDINGS = pl.DataFrame(
    {
        "tournament": ["a", "a", "a", "a", "b", "b", "b", "b", "c"],
        "rank": [1, 1, 3, 4, 1, 2, 3, 3, 1],
        "player": [1, 2, 3, 4, 1, 2, 3, 4, 1],
        "name": ["Ada", "Bo", "Cy", "Di", "Eli", "Flo", "Gus", "Hal", "Ida"],
        "PTS": [2.0, 2, 2, 0, 3, 3, 1, 1, 0],
        "BH": [5.0, 5, 3.5, 9, 4, 4, None, None, None],
        "SB": [1.0, 1, 9, 9, 2.5, 2, 0, 0, 0],
        "decided_by": [None, None, "BH", "PTS", None, "SB", "PTS", None, None],
    }
)
ABOUT = pl.DataFrame(
    {
        "tournament": ["a", "b", "c"],
        "start": [date(2001, 5, 1), date(2001, 6, 1), date(2002, 5, 1)],
        "federation": ["FRA", "GER", "GER"],
    }
)


def test_pairs_by_hand(layout):
    found = tb.resolution(layout(STANDINGS)).pairs
    assert found.drop("order").rows() == [
        ("a", 2, 1, 2, 1, None, None, None),
        ("a", 3, 3, 3, 2, "BH", 2, 1.5),
        ("a", 4, 4, 4, 3, "PTS", 1, 2.0),
        ("b", 2, 2, 2, 1, "SB", 3, 0.5),
        ("b", 3, 3, 3, 2, "PTS", 1, 2.0),
        ("b", 4, 3, 4, 3, None, None, None),
    ]
    assert found["order"].unique().to_list() == ["PTS BH SB"]
    assert found.columns[-3:] == ["decided_by", "depth", "margin"]


def test_lines_by_hand(layout):
    found = tb.resolution(layout(STANDINGS), prizes=2, tournaments=layout(ABOUT)).tournaments
    lines = [
        f"{line}_{what}" for line in ("winner", "podium", "prizes") for what in ("by", "depth")
    ]
    assert found.select("tournament", *lines).rows() == [
        ("a", None, 0, "PTS", 1, "BH", 2),
        ("b", "SB", 3, None, 0, "PTS", 1),
        ("c", None, None, None, None, None, None),
    ]
    assert found.select("players", "year", "federation").rows() == [
        (4, 2001, "FRA"), (4, 2001, "GER"), (1, 2002, "GER"),
    ]  # fmt: skip


def test_summary_by_hand():
    found = tb.resolution(STANDINGS, tournaments=ABOUT)
    assert found.lines == {"winner": 1, "podium": 3}
    assert found.summary().rows() == [
        ("neighbours", None, 0, 2, 2 / 6),
        ("neighbours", "PTS", 1, 2, 2 / 6),
        ("neighbours", "BH", 2, 1, 1 / 6),
        ("neighbours", "SB", 3, 1, 1 / 6),
        ("winner", None, 0, 1, 1 / 2),
        ("winner", "SB", 3, 1, 1 / 2),
        ("podium", None, 0, 1, 1 / 2),
        ("podium", "PTS", 1, 1, 1 / 2),
    ]
    assert found.summary("federation").filter(what="winner").rows() == [
        ("FRA", "winner", None, 0, 1, 1.0), ("GER", "winner", "SB", 3, 1, 1.0),
    ]  # fmt: skip
    assert found.summary("year")["year"].unique().to_list() == [2001]
    assert repr(found).splitlines() == [
        "3 tournaments, 6 pairs of neighbours",
        "  neighbours: tied 33.3 %, PTS 33.3 %, BH 16.7 %, SB 16.7 %",
        "  winner: tied 50.0 %, SB 50.0 %",
        "  podium: tied 50.0 %, PTS 50.0 %",
    ]


@pytest.fixture(scope="module")
def archive() -> tb.Archive:
    results = mixed_sizes(40, seed=6, sizes=(2, 8, 9, 24))
    keys = results.select("tournament").unique().sort("tournament")
    orders = pl.Series(["PTS DE BH SB", "PTS SB BH", None, "PTS NO_SUCH_CODE"]).gather(
        pl.int_range(keys.height, eager=True) % 4
    )
    return tb.from_results(results, None, keys.with_columns(criteria=orders))


def test_each_tournament_has_its_own_order(archive):
    found = tb.resolution(archive)
    orders = dict(found.tournaments.select("tournament", "order").rows())
    assert set(orders.values()) == {"PTS DE BH SB", "PTS SB BH", "PTS"}
    for text in set(orders.values()):
        keys = [key for key, order in orders.items() if order == text]
        alone = tb.resolution(archive.select(*keys), text)
        ours = found.pairs.filter(pl.col("tournament").is_in(keys))
        assert_frame_equal(ours, alone.pairs)
    by_order = found.summary("order")
    assert by_order["order"].unique().sort().to_list() == sorted(set(orders.values()))


def test_an_archive_is_its_standings(archive):
    order = "PTS DE BH DE SB"
    found = tb.resolution(archive, order, prizes=2)
    other = tb.resolution(archive.standings(order), prizes=2, tournaments=archive.tournaments)
    assert_frame_equal(found.pairs, other.pairs)
    assert_frame_equal(found.summary("year"), other.summary("year"))
    assert found.pairs["order"][0] == "PTS DE BH DE (2) SB"
    assert found.summary()["decided_by"].is_in(["PTS", "DE", "BH", "DE (2)", "SB", None]).all()


def test_every_pair_is_counted_once(archive):
    found = tb.resolution(archive, "PTS BH SB", prizes=5)
    sizes = archive.players.group_by("tournament").len()["len"]
    assert found.pairs.height == (sizes - 1).sum()
    shares = found.summary("players").group_by("players", "what").agg(
        pl.col("share").sum(), pl.col("number").sum()
    )  # fmt: skip
    assert shares["share"].to_list() == pytest.approx([1.0] * shares.height)
    # five prizes for two players turn on nothing
    assert shares.filter(players=2).select("what", "number").sort("what").rows() == [
        ("neighbours", int((sizes == 2).sum())), ("winner", int((sizes == 2).sum())),
    ]  # fmt: skip


def test_tied_pairs_are_tied_in_rank(archive):
    found = tb.resolution(archive, "PTS").pairs
    above = found["rank"] != found["position"]
    tied = found["decided_by"].is_null()
    assert tied.to_list() == above.to_list()


def test_order_names_the_columns():
    more = STANDINGS.with_columns(age=30).select("age", pl.exclude("age"))
    with_age = tb.resolution(more).pairs["order"][0]
    assert with_age == "age PTS BH SB"
    found = tb.resolution(more, "PTS BH SB")
    assert_frame_equal(found.pairs, tb.resolution(STANDINGS).pairs)


@pytest.mark.parametrize(
    ("frame", "asked", "message"),
    [
        (STANDINGS.drop("decided_by"), {}, "need a column 'decided_by'"),
        (STANDINGS, {"order": "PTS BH"}, "'SB' decided a place, and is not in the order"),
        (STANDINGS, {"order": "PTS BH SB WIN"}, "no such column"),
        (STANDINGS, {"prizes": 0}, "prizes is a number of ranks"),
        (STANDINGS, {"tournaments": ABOUT.with_row_index("n").drop("tournament")}, "of the type"),
    ],
)
def test_what_cannot_be_is_refused(frame, asked, message):
    with pytest.raises(TbframeError, match=message):
        tb.resolution(frame, **asked)


def test_unknown_columns_and_codes(archive):
    with pytest.raises(TbframeError, match="no column 'colour' of the tournaments"):
        tb.resolution(STANDINGS).summary("colour")
    with pytest.raises(CodeError, match="did you mean"):
        tb.resolution(archive, "PTS BHC1")


def test_nothing_to_tell():
    found = tb.resolution(STANDINGS.clear())
    assert found.pairs.height == found.tournaments.height == found.summary().height == 0
    assert repr(found) == "0 tournaments, 0 pairs of neighbours"
