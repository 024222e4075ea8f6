"""Tie-breaks of one's own: defined like the built-in ones, and wherever a code can stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import tbframe as tb
from tbframe.cli import main
from tbframe.tiebreaks import parse_order
from tbframe.tiebreaks.registry import codes, find
from tbframe.tiebreaks.sample import sample
from tbframe.tiegroups import refined

DATA = Path(__file__).resolve().parents[1] / "data" / "trf"
SWISS = "tec2023_swiss5"


@pytest.fixture(scope="module")
def archive() -> tb.Archive:
    return tb.read(DATA)


@pytest.fixture
def define() -> Iterator[Callable[..., Any]]:
    """Return `tb.tiebreak` with a name and a source; what it defines is forgotten in the end."""
    defined = []

    def define(code: str, formula: Callable[..., Any], **given: Any) -> None:
        tb.tiebreak(code, **{"name": "A try", "source": "this test", **given})(formula)
        defined.append(code)

    yield define
    for code in set(defined):
        tb.forget(code)


def sbx(t: tb.Batch) -> Any:
    return t.total(t.opponent(t.adjusted_score) * t.points) + t.score**2


def binomial(t: tb.Batch) -> Any:
    return t.total(t.opponent_score)


# values


def test_it_stands_in_orders_and_frames_like_a_built_in_one(archive, define):
    """Kramnik 57.75 + 8.5 x 8.5 = 130, Carlsen 56.25 + 72.25 = 128.5 (SB as published)."""
    define("SBX", sbx)
    table = archive.standings("PTS SBX").filter(tournament="candidates_london_2013").head(2)
    assert table.select("rank", "name", "SBX", "decided_by").rows() == [
        (1, "Kramnik, Vladimir", 130.0, None),
        (2, "Carlsen, Magnus", 128.5, "SBX"),
    ]
    both = archive.tiebreaks("SB PTS SBX", edition="plain")
    # where every game was played the opponents' scores are as they are
    difference = (both["SB"] + both["PTS"] ** 2 - both["SBX"]).abs()
    assert both.filter(difference > 0).is_empty()


def test_values_do_not_depend_on_the_unit(define):
    """Half points and thousandths: 1 + 0.5 against opponents of 0.5 and 0; SBX 0.25 + 2.25."""
    define("SBX", sbx)
    games = pl.DataFrame(
        {"round": [1, 2], "white": ["A", "A"], "black": ["B", "C"], "result": ["1-0", "1/2-1/2"]}
    )
    about = {"tournament": ["t"], "pairing": ["swiss"]}
    for scoring, value in ((None, 0.25 + 1.5**2), ("W=0.999 D=0.333", 0.333**2 + 1.332**2)):
        frame = pl.DataFrame(
            {**about, "scoring": [scoring]}, schema_overrides={"scoring": pl.String}
        )
        values = tb.from_games(games.with_columns(tournament=pl.lit("t")), None, frame)
        found = values.tiebreaks("SBX", edition="plain").filter(player="A")["SBX"].item()
        assert found == pytest.approx(value, abs=1e-12)


def test_modifiers_directions_and_editions(archive, define):
    define("lab.CUT", lambda t, c: t.total(t.opponent_score, low=c.low), modifiers="C")
    define("lab.LESS", lambda t: t.score, better="lower", since="2024-08")
    values = archive.tiebreaks("lab.CUT/C1 BH/C1 lab.cut@2012/c1 BH@2012/C1", edition="2026-03")
    assert values["lab.CUT/C1"].equals(values["BH/C1"])
    assert values["lab.CUT@2012/C1"].equals(values["BH@2012/C1"])
    first = archive.select(SWISS).standings("LAB.LESS", edition="2026-03")
    assert first["lab.LESS"].is_sorted()
    assert first.columns[4] == "lab.LESS"
    turned = archive.select(SWISS).standings("lab.LESS/R", edition="2026-03")
    assert turned["lab.LESS/R"].is_sorted(descending=True)
    with pytest.raises(tb.EditionError, match="came with 2024-08"):
        archive.standings("lab.LESS", edition="2012")
    assert "criterion-not-known" in archive.assumptions("lab.LESS")["code"]
    with pytest.raises(tb.CodeError, match=r"lab\.CUT takes /C1, /R, and no /P"):
        parse_order("lab.CUT/P")


def test_quotients_are_exact_and_undefined_is_null(define):
    """2 wins of 3 and 4 of 6 are level; without a game there is nothing to divide by."""
    define("SHARE", lambda t: tb.Ratio(t.count(t.games & (t.points == t.win)), t.count(t.games)))
    results = pl.DataFrame(
        [("t", 1, "A", "x1", "1"), ("t", 2, "A", "x2", "1"), ("t", 3, "A", "x3", "0")]
        + [("t", n, "B", f"y{n}", "1" if n < 5 else "0") for n in range(1, 7)]
        + [("t", 1, "C", None, "U")],
        schema=["tournament", "round", "player", "opponent", "result"],
        orient="row",
    )
    table = tb.from_results(results).standings("SHARE", edition="plain")
    ours = {row["player"]: row for row in table.iter_rows(named=True)}
    assert ours["A"]["rank"] == ours["B"]["rank"]
    assert ours["A"]["SHARE"] == pytest.approx(2 / 3, abs=1e-15)
    assert ours["C"]["SHARE"] is None
    assert ours["C"]["rank"] == table["rank"].max()


def test_quotients_of_large_numbers(archive, define):
    define("HUGE", lambda t: tb.Ratio(t.score * 2**52, np.full(t.players, 2**62)), unit="points")
    values = archive.tiebreaks("PTS HUGE")
    assert (values["HUGE"] * 2**10 == values["PTS"]).all()


def test_numbers_with_a_tolerance_are_tied_within_it():
    """Within 0.1: 1.0, 0.95 and 0.87 hang together, 0.7 does not; groups are apart."""
    place = np.array([0, 0, 0, 0, 0, 5, 5])
    values = tb.Approximate(np.array([0.87, 1.0, np.nan, 0.95, 0.7, 1.0, 0.97]), tolerance=0.1)
    after = refined(place, values, lower_is_better=False)
    assert after.tolist() == [0, 0, 4, 0, 3, 5, 5]
    lowest = refined(place, values, lower_is_better=True)
    assert lowest.tolist() == [1, 1, 4, 1, 0, 5, 5]
    endless = tb.Approximate(np.array([np.inf, np.inf, np.nan, 1.0, np.nan, 0.0, 1.0]), 1e-9)
    assert refined(place, endless, lower_is_better=False).tolist() == [0, 0, 3, 2, 3, 6, 5]


def test_approximate_values_are_shown_as_they_are(archive, define):
    define("ROOT", lambda t: tb.Approximate(np.sqrt(t.score / t.unit), tolerance=0.05))
    table = archive.select("avro_1938").standings("ROOT")
    assert table["ROOT"].to_list() == pytest.approx(
        [score**0.5 for score in (8.5, 8.5, 7.5, 7, 7, 7, 6, 4.5)]
    )
    assert table["rank"].to_list() == [1, 1, 3, 4, 4, 4, 7, 8]
    with pytest.raises(tb.TbframeError, match="no sum over rounds"):
        archive.explain("avro_1938", 1, "ROOT")
    (row,) = tb.catalogue().filter(code="ROOT").select("unit", "family").rows()
    assert row == ("approximate", "own")


# explanations


def test_explanations_need_nothing_of_the_formula(archive, define):
    """Player 11 drew with 3.5 points and beat 1.5; 2.5 points of his own: 1.75 + 1.5 + 6.25."""
    define("SBX", lambda t: t.score**2 + t.total(t.opponent(t.adjusted_score) * t.points))
    shown = archive.explain(SWISS, 11, "SBX", edition="2024-08")
    assert shown["contribution"].to_list() == [1.75, 0.0, 0.0, 0.0, 1.5]
    assert shown.result == "SBX = 9.5, which is 3.25 + 6.25"
    define("AVG", lambda t: t.mean(t.opponent(t.score), where=t.games))
    mean = archive.explain(SWISS, 11, "AVG", edition="2024-08")
    assert mean["contribution"].to_list() == [3.5, 3.5, 2.5, None, 1.5]
    assert mean.result == "AVG = 11 / 4 = 2.75"
    define("BEST", lambda t: t.explained(t.score, lambda: t.total(2 * t.points)))
    assert archive.explain(SWISS, 11, "BEST")["contribution"].sum() == 5.0


def test_an_explained_cut_says_so(archive, define):
    define(
        "MID",
        lambda t: t.total(t.opponent(t.score), where=t.games, low=1, high=1, plain_cuts=True),
    )
    shown = archive.explain(SWISS, 11, "MID", edition="2024-08")
    assert shown["cut"].drop_nulls().len() == 2
    assert shown.filter(pl.col("cut").is_null())["contribution"].sum() == 3.5 + 2.5


def test_an_explanation_names_the_text_that_the_value_follows(archive, define):
    """US Chess' rules know neither FIDE's editions nor their articles; one's own may use them."""
    uscf = archive.explain(SWISS, 11, "uscf.MMED", edition="2024-08")
    assert uscf.title.endswith(f"{SWISS}: US Chess 34E")
    # 2.5 of 5 is even: the forfeit, which is nothing, and one of the 3.5 are dropped.
    cut = uscf.filter(pl.col("cut").is_not_null()).select("cut", "contribution").sort("cut")
    assert cut.rows() == [("cut: least significant", 0.0), ("cut: most significant", 3.5)]
    assert uscf.result == "uscf.MMED = 7.5"
    older = archive.explain(SWISS, 11, "old.AROC", edition="2024-08")
    assert "edition" not in older.title
    define("OWN", lambda t, c: t.total(t.opponent_score, low=c.low), modifiers="C")
    own = archive.explain(SWISS, 11, "OWN/C1", edition="2024-08")
    assert own.title.endswith("edition 2024-08: this test; FIDE Handbook C.07 (2024-08-01)")
    fide = archive.explain(SWISS, 11, "BH/C1", edition="2024-08")
    assert fide.title.endswith("edition 2024-08: FIDE Handbook C.07 (2024-08-01)")
    assert fide["cut"].drop_nulls().to_list() == ["cut: least significant (art. 14)"]


def test_everybody_has_cuts_of_his_own(archive, define):
    """The two lowest for who made less than half, the highest for all others: as two sums."""
    define("OWN", lambda t: t.total(
        t.opponent(t.score), where=t.games, plain_cuts=True,
        low=2 * (2 * t.score < t.win * t.round_count), high=2 * t.score >= t.win * t.round_count,
    ))  # fmt: skip
    for code, low, high in (("LOW", 2, 0), ("HIGH", 0, 1)):
        define(code, lambda t, low=low, high=high: t.total(
            t.opponent(t.score), where=t.games, plain_cuts=True, low=low, high=high
        ))  # fmt: skip
    swiss = archive.select(SWISS).tiebreaks("PTS OWN LOW HIGH")
    less = pl.col("PTS") < 2.5
    assert swiss.select(less.any() & (~less).any()).item()
    assert swiss.filter(pl.col("OWN") != pl.when(less).then("LOW").otherwise("HIGH")).is_empty()


# what goes wrong


@pytest.mark.parametrize(
    ("formula", "says"),
    [
        (lambda t: t.total(t.opponent_score * t.points) + t.score, "different kinds"),
        (lambda t: t.score // 2, "or rounds"),
        (lambda t: t.count(t.own(t.score) >= 3), "against a bare number"),
        (lambda t: t.score * 0, "name its unit"),
        (lambda t: t.score.max() - t.score, "depends on the other tournaments"),
        (lambda t: t.score - t.score.mean().astype(int), "depends on the other tournaments"),
        (lambda t: t.count(t.own(2 * t.score > t.score.max())), "depends on the other"),
        (lambda t: t.count(t.own(t.score > np.median(t.score))), "depends on the other"),
        (lambda t: 10**9 * t.unit + t.score - int(t.score.mean()), "depends on the other"),
        (lambda t: t.score / t.unit, "gives float64 where whole numbers"),
        (lambda t: t.score > t.unit, "gives True and False"),
        (lambda t: t.points, r"gives the shape \(4, 15\), not one value .* t.total brings"),
        (lambda t: 3, "gives int, not one value for each player"),
        (lambda t: t.score[:2], r"gives the shape \(2,\)"),
        (lambda t: t.total(t.points / t.unit), "adds up whole numbers"),
        (lambda t: t.total(t.points[:2]), r"for each round and player \(4, 15\), not \(2, 15\)"),
        (lambda t: t.opponent(t.score[:2]), r"opponent\(\) needs one value for each player"),
        (lambda t: t.total(t.opponent(t.score, otherwise=0.5)), "whole number"),
        (lambda t: t.scores["nothing"].points, "its formula failed: KeyError: 'nothing'"),
        (lambda t: t.score.__iadd__(1), "read-only"),
        (lambda t: t.points.__imul__(2).sum(axis=0), "read-only"),
        (lambda t: tb.Approximate(t.score * 1.0, tolerance=-1.0), "tolerance is 0 or more"),
        (lambda t: tb.Ratio(t.score, 2), "the denominator gives int"),
        (lambda t: tb.Ratio(t.score, -t.count(t.games)), "the denominator is below 0"),
        (lambda t: t.score.astype(np.uint64) + np.uint64(2**63), "beyond 64 bits"),
    ],
)
def test_a_formula_that_is_no_tie_break(formula, says):
    with pytest.raises(tb.TbframeError, match=rf"^BAD: .*{says}"):
        tb.tiebreak("BAD", name="Bad", source="a mistake")(formula)
    assert find("BAD") is None


@pytest.mark.parametrize(
    ("code", "given", "says"),
    [
        ("bad", {}, "cannot be a code"),
        ("LAB.BAD", {}, "cannot be a code"),
        ("B-D", {}, "cannot read"),
        ("BH", {}, "'BH' is taken: Buchholz"),
        ("BAD", {"modifiers": "X"}, "letters of"),
        ("BAD", {"modifiers": "C"}, r"def .*\(t, c\)"),
        ("BAD", {"unit": "goals"}, "the unit is"),
        ("BAD", {"better": "faster"}, "'higher' or 'lower'"),
        ("BAD", {"since": "1990"}, "since is an edition"),
        ("BAD/C1", {}, "and no modifier"),
        ("BAD@2012", {}, "and no modifier"),
        ("BAD:GP", {}, "and no modifier"),
        ("BAD", {"teams": "yes"}, "teams is one of no, too, only, not 'yes'"),
        ("BAD", {"needs": "elo"}, "not 'elo'"),
        ("BAD", {"needs": "games.won"}, "not 'games.won'"),
        ("BAD", {"decimals": -1}, "a number from 0 to 15"),
        ("BAD", {"decimals": 2.5}, "a number from 0 to 15"),
        ("BAD", {"name": ""}, "what it is called"),
        ("BAD", {"source": " "}, "where it is from"),
    ],
)
def test_a_definition_that_is_none(code, given, says):
    with pytest.raises(tb.CodeError, match=says):
        tb.tiebreak(code, **{"name": "Bad", "source": "a mistake", **given})(binomial)
    assert find("BAD") is None


def test_what_was_said_to_count_has_to_count(archive, define):
    define("HALF", lambda t: tb.Ratio(t.score, 2 * t.unit + t.rating * 0), unit="count")
    with pytest.raises(tb.TbframeError, match="HALF is said to count"):
        archive.tiebreaks("HALF")


def test_a_cell_that_runs_again_replaces_its_definition(archive, define):
    for factor in (1, 2):
        define("AGAIN", lambda t, factor=factor: factor * t.score)
        values = archive.tiebreaks("PTS AGAIN")
        assert (values["AGAIN"] == factor * values["PTS"]).all()
    with pytest.raises(tb.CodeError, match="the code 'AGAIN' is taken: A try"):
        tb.tiebreak("AGAIN", name="Another", source="elsewhere")(sbx)
    with pytest.raises(tb.CodeError, match="stays"):
        tb.forget("BH")
    with pytest.raises(tb.CodeError, match="unknown code"):
        tb.forget("NEVER")


# where it is seen


def test_the_catalogue_and_the_command_line_have_it(define, capsys):
    define("lab.SBX", sbx, decimals=3)
    (row,) = tb.catalogue().filter(code="lab.SBX").rows(named=True)
    assert (row["family"], row["source"], row["unit"]) == ("lab", "this test", "points squared")
    assert main(["catalogue", "--format", "csv"]) == 0
    assert "lab.SBX,A try,lab,this test,points squared,higher,/R" in capsys.readouterr().out
    path = str(DATA / "avro_1938.trf")
    assert main(["standings", path, "--order", "PTS lab.sbx"]) == 0
    assert "130.500" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("MMED", "uscf.MMED"),
        ("uscf.MMEDX", "uscf.MMED"),
        ("usfc.MMED", "uscf.MMED"),
        ("uscf.SOLKOFF", "uscf.SOLK"),
        ("BHC1", "BH/C1"),
    ],
)
def test_suggestions_know_prefixes(asked, meant):
    with pytest.raises(tb.CodeError, match=rf"did you mean .*{meant}"):
        parse_order(asked)


def test_presets_are_orders():
    for name, order in tb.presets().select("name", "order").rows():
        assert parse_order(f"preset:{name}") == parse_order(order)
    with_more = [str(criterion) for criterion in parse_order("PRESET:Uscf-WinTD, TPN")]
    assert with_more == ["PTS", "uscf.MMED", "uscf.SOLK", "uscf.SB", "uscf.CUM", "TPN"]
    with pytest.raises(tb.CodeError, match="unknown preset 'uscff': did you mean uscf"):
        parse_order("preset:uscff")


@pytest.mark.parametrize("code", [code for code, entry in codes().items() if entry.formula])
def test_explaining_changes_no_value(code):
    entry = codes()[code]
    t = replace(sample(teams=entry.teams == "only"))
    plain, explained = (
        entry.values(each, parse_order(code)[0]) for each in (t, replace(t, explaining=True))
    )
    for side in ("numerator", "denominator", "values"):
        if hasattr(plain, side):
            assert np.array_equal(getattr(plain, side), getattr(explained, side), equal_nan=True)
    if isinstance(plain, np.ndarray):
        assert np.array_equal(plain, explained)
    assert type(plain) is np.ndarray or not isinstance(plain, np.ndarray)


@pytest.mark.parametrize("code", list(codes()))
def test_built_in_ones_pass_the_same_trial(code):
    entry = codes()[code]
    if entry.formula is not None:
        entry.tried()
    assert entry.family != "own"
