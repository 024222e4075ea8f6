"""What standings take for granted is said."""

from __future__ import annotations

import polars as pl
import pytest

import tbframe as tb
from tbframe.errors import FindingWarning

GAMES = pl.DataFrame(
    {
        "tournament": "t",
        "round": [1, 2],
        "white": ["a", "a"],
        "black": ["b", "c"],
        "result": ["1-0", "1/2-1/2"],
    }
)


def _codes(archive: tb.Archive, order: str | None = None, edition: str = "auto") -> list[str]:
    return archive.assumptions(order, edition=edition)["code"].to_list()


def _archive(**about: object) -> tb.Archive:
    return tb.from_games(GAMES, None, pl.DataFrame({"tournament": ["t"], **about}))


def test_no_date_no_order_and_no_rows():
    archive = _archive(pairing=["swiss"])
    # b has no row in round 2, c none in round 1
    assert _codes(archive) == ["undated", "absent-assumed", "no-order-declared"]
    (message,) = archive.assumptions().filter(code="absent-assumed")["message"]
    assert "2 of their rounds" in message
    assert _codes(archive, "PTS", "2012") == ["absent-assumed"]


def test_what_is_declared_is_not_assumed():
    archive = _archive(pairing=["swiss"], start=["2025-01-01"], criteria=["PTS BH"])
    assert _codes(archive) == ["absent-assumed"]


def test_a_round_robin_that_is_not_declared():
    third = pl.DataFrame(
        {"tournament": "t", "round": [3], "white": ["b"], "black": ["c"], "result": ["0-1"]}
    )
    games = pl.concat([GAMES, third])
    archive = tb.from_games(games)
    assert "round-robin-assumed" in _codes(archive, "PTS")
    assert "absent-assumed" not in _codes(archive, "PTS")  # free rounds
    assert "no-buchholz" in _codes(archive, "PTS BH", "2026-03")
    assert "no-buchholz" not in _codes(archive, "PTS BH", "2024-08")


def test_a_declared_criterion_that_is_not_known():
    archive = _archive(pairing=["swiss"], start=["2025-01-01"], criteria=["PTS OTHER_1 BH"])
    assert "order-cut-short" in _codes(archive)
    assert "OTHER_1" in archive.assumptions().filter(code="order-cut-short")["message"][0]
    assert archive.standings().columns[4:] == ["PTS", "decided_by"]
    nothing_known = _archive(criteria=["OTHER_1"])
    assert nothing_known.standings().columns[4:] == ["PTS", "decided_by"]


@pytest.mark.parametrize(
    ("order", "edition", "code"),
    [
        ("PTS FB", "auto", "criterion-not-known"),
        ("PTS MPTS", "2026-03", "criterion-not-known"),
        ("PTS BH:GP", "2026-03", "criterion-not-known"),
        ("PTS ARO", "2026-03", "unrated-players"),
    ],
)
def test_a_criterion_that_is_null_for_all(order, edition, code):
    archive = _archive(pairing=["swiss"], start=["2015-01-01"])
    assert code in _codes(archive, order, edition)
    table = archive.standings(order, edition=edition)
    assert table[order.split()[1]].null_count() == table.height


def test_a_rating_for_the_unrated_is_no_assumption():
    archive = _archive(pairing=["swiss"], start=["2025-01-01"])
    assert "unrated-players" not in _codes(archive, "PTS ARO/U1400")
    ruled = _archive(pairing=["swiss"], start=["2025-01-01"], unrated=["1400"])
    assert "unrated-players" not in _codes(ruled, "PTS ARO")


def test_python_warns_of_what_can_change_a_value():
    archive = _archive(pairing=["swiss"])
    with pytest.warns(
        FindingWarning, match=r"1 x undated, 1 x absent-assumed \(first: t, no start"
    ):
        archive.standings("PTS")
    with pytest.warns(FindingWarning, match="undated"):
        archive.tiebreaks("BH")


def test_an_event_before_the_first_text():
    archive = _archive(pairing=["swiss"], start=["1950-01-01"])
    assert "before-first-edition" in _codes(archive, "PTS")


def test_criteria_of_little_use_are_told():
    swiss = _archive(pairing=["swiss"], start=["2025-01-01"])
    robin = _archive(pairing=["predetermined"], start=["2025-01-01"])
    for archive, order, code in (
        (robin, "PTS BH", "constant-in-a-tie"),
        (robin, "PTS uscf.SOLK", "constant-in-a-tie"),
        (swiss, "PTS AOB", "punishes-a-win"),
        (swiss, "PTS ARO/U1400", "punishes-a-win"),
        (swiss, "go.MMS go.SODOS", "depends-on-origin"),
    ):
        found = archive.assumptions(order).filter(code=code)
        assert found["severity"].to_list() == ["info"]
    assert "constant-in-a-tie" not in _codes(swiss, "PTS BH")
    assert not {"constant-in-a-tie", "punishes-a-win"} & set(_codes(robin, "PTS SB ARO/U1400"))


def test_buchholz_is_a_constant_in_a_round_robin():
    """Who met everybody met all points but his own: 3 in all of three games."""
    third = pl.DataFrame(
        {"tournament": "t", "round": [3], "white": ["b"], "black": ["c"], "result": ["0-1"]}
    )
    archive = tb.from_games(pl.concat([GAMES, third]))
    values = archive.tiebreaks("PTS BH", edition="plain")
    assert (values["PTS"] + values["BH"]).to_list() == [3.0, 3.0, 3.0]


@pytest.mark.parametrize("scoring", ["W=1 D=2", "W=1 D=0 L=0.5", "W=0 D=0 L=0"])
def test_a_scoring_in_which_it_does_not_pay_to_win(scoring):
    archive = _archive(pairing=["swiss"], start=["2025-01-01"], scoring=[scoring])
    found = archive.assumptions("PTS").filter(code="scoring-upside-down")
    assert found["severity"].to_list() == ["warning"]


@pytest.mark.parametrize("scoring", [None, "W=1 D=0", "W=3 D=1", "W=1 D=1", "W=1 D=0.5; R1 x0"])
def test_a_scoring_in_which_it_does(scoring):
    archive = _archive(pairing=["swiss"], start=["2025-01-01"], scoring=[scoring])
    assert "scoring-upside-down" not in _codes(archive, "PTS")


def test_nobody_has_a_rating():
    archive = _archive(pairing=["swiss"], start=["2025-01-01"])
    found = archive.assumptions("uscf.PERF").filter(code="column-missing")
    assert found["message"].to_list() == [
        "uscf.PERF needs the column players.rating, and there is none"
    ]
    assert archive.tiebreaks("uscf.PERF", edition="2026-03")["uscf.PERF"].null_count() == 3


def test_what_ties_the_players_together():
    """Nobody in t lost to b; the two games of u have nobody in common."""
    rows = [("t", "a", "b", "1-0"), ("t", "c", "b", "1-0"), ("u", "a", "b", "1-0"),
            ("u", "c", "d", "1-0"), ("v", "a", "b", "1/2-1/2")]  # fmt: skip
    games = pl.DataFrame(rows, ["tournament", "white", "black", "result"], orient="row")
    archive = tb.from_games(games.with_columns(round=pl.int_range(pl.len()) + 1))

    def told(code):
        found = archive.assumptions(code).filter(
            pl.col("code").is_in(["not-comparable", "theory-undefined", "prior-used"])
        )
        return found.select("tournament", "code", "severity").rows()

    assert told("theory.LS") == [("u", "not-comparable", "warning")]
    undefined = [(each, "theory-undefined", "warning") for each in "tu"]
    assert told("PTS theory.FB") == told("theory.PERRON") == undefined
    assert told("theory.KEENER") == undefined[1:]
    assert told("theory.BT") == [(each, "prior-used", "info") for each in "tu"]
    assert told("theory.COLLEY") == told("PTS") == []
    values = archive.tiebreaks("theory.FB theory.KEENER", edition="2026-03")
    null = values.filter(pl.col("theory.FB").is_null())["tournament"].unique().sort()
    assert null.to_list() == ["t", "u"]
    null = values.filter(pl.col("theory.KEENER").is_null())["tournament"].unique()
    assert null.to_list() == ["u"]


def test_the_warning_names_the_line_that_asked():
    archive = _archive(pairing=["swiss"])
    results = archive.results
    for ask in (
        lambda: archive.standings("PTS"),
        lambda: archive.tiebreaks("PTS"),
        lambda: results.tb.standings("PTS"),
        lambda: results.lazy().tb.tiebreaks("PTS"),
    ):
        with pytest.warns(FindingWarning, match="undated") as warned:
            ask()
        assert [warning.filename for warning in warned] == [__file__]
