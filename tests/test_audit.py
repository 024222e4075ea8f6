"""Declared values against recomputed ones, and why they differ."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import tbframe as tb
from benchmarks.synthetic import mixed_sizes
from tbframe.cli import main

ORDER = "PTS BH/C1 BH SB"


@pytest.fixture(scope="module")
def plain() -> tb.Archive:
    results = mixed_sizes(6, seed=9, sizes=(17, 31))
    about = results.select("tournament").unique().sort("tournament").with_columns(
        start=pl.date(2015, 1, 1), pairing=pl.lit("swiss"), criteria=pl.lit(ORDER),
        rounds=pl.lit(None, pl.Int32),
    )  # fmt: skip
    return tb.from_results(results, tournaments=about)


def declaring(
    archive: tb.Archive, *, order: str = ORDER, edition: str = "auto", codes: str = "BH"
) -> tb.Archive:
    """Declare what one computation gives."""
    ranks = archive.standings(order, edition=edition).select("tournament", "player", "rank")
    values = archive.tiebreaks(f"PTS {codes}", edition=edition).rename({"PTS": "points"})
    players = archive.players.drop("points", "rank").join(values, on=["tournament", "player"])
    players = players.join(ranks, on=["tournament", "player"]).sort("tournament", "player")
    return replace(archive, players=players)


def rates(found: tb.Audit) -> dict[str, float]:
    return dict(found.codes.select("code", "match_rate").iter_rows())


def test_all_agree(plain: tb.Archive) -> None:
    found = declaring(plain).audit()
    assert rates(found) == {"points": 1.0, "rank": 1.0, "BH": 1.0}
    assert found.tournaments.is_empty()
    assert found.players.is_empty()
    assert found.codes["tournaments_matching"].to_list() == [6, 6, 6]


def test_nothing_is_declared(plain: tb.Archive) -> None:
    found = plain.audit()
    assert found.codes.is_empty()
    assert str(found) == "nothing is compared"


def test_two_wrong_points(plain: tb.Archive) -> None:
    archive = declaring(plain)
    wrong = (pl.col("tournament") == 2) & pl.col("player").is_in([3, 5])
    points = pl.when(wrong).then(pl.col("points") + 0.5).otherwise("points")
    found = replace(archive, players=archive.players.with_columns(points=points)).audit()
    assert found.players.select("tournament", "player", "code", "difference").rows() == [
        (2, 3, "points", 0.5), (2, 5, "points", 0.5),
    ]  # fmt: skip
    (row,) = found.tournaments.rows(named=True)
    assert (row["tournament"], row["code"], row["misses"], row["reason"]) == (
        2,
        "points",
        2,
        "unknown",
    )
    assert found.codes.filter(code="points")["tournaments_matching"].item() == 5


def test_another_edition(plain: tb.Archive) -> None:
    found = declaring(plain, edition="2026-03").audit()
    reasons = found.tournaments.filter(code="BH")
    assert reasons.height > 0
    assert set(reasons["reason"]) == {"edition"}
    # Every text that gives the same values would do; the one that was applied is among them.
    for row in reasons.iter_rows(named=True):
        key = row["message"].removeprefix("as under edition ")
        one = plain.select(row["tournament"])
        assert (
            one.tiebreaks("BH", edition=key)["BH"].to_list()
            == one.tiebreaks("BH", edition="2026-03")["BH"].to_list()
        )
    assert "as under edition" in str(found)


def test_another_bye(plain: tb.Archive) -> None:
    halves = pl.when(pl.col("result") == "U").then(0.5).otherwise("points")
    halved = replace(plain, results=plain.results.with_columns(points=halves))
    points = halved.tiebreaks("PTS").rename({"PTS": "points"})
    players = plain.players.drop("points").join(points, on=["tournament", "player"])
    found = replace(plain, players=players.sort("tournament", "player")).audit()
    with_byes = plain.results.filter(result="U")["tournament"].unique().sort().to_list()
    assert found.tournaments["tournament"].to_list() == with_byes
    assert set(found.tournaments["reason"]) == {"bye-value"}
    assert set(found.tournaments["message"]) == {"as if a pairing-allocated bye (U) were worth 0.5"}


def test_another_order(plain: tb.Archive) -> None:
    found = declaring(plain, order="PTS SB BH BH/C1").audit(ORDER)
    rank = found.tournaments.filter(code="rank")
    assert rank.height > 0
    for row in rank.iter_rows(named=True):
        if row["reason"] != "order":
            continue
        one = plain.select(row["tournament"])
        text = row["message"].removeprefix("as ranked by ")
        assert one.standings(text)["rank"].to_list() == one.standings("PTS SB BH")["rank"].to_list()
    assert "order" in set(rank["reason"])


def test_ties_broken_by_the_starting_number(plain: tb.Archive) -> None:
    ranks = plain.standings("PTS").sort("tournament", "rank", "player")
    ranks = ranks.with_columns(rank=pl.int_range(1, pl.len() + 1).over("tournament").cast(pl.Int32))
    players = plain.players.drop("rank").join(
        ranks.select("tournament", "player", "rank"), on=["tournament", "player"]
    )
    found = replace(plain, players=players.sort("tournament", "player")).audit("PTS")
    assert set(found.tournaments["reason"]) == {"ties-broken"}
    assert found.tournaments["code"].to_list() == ["rank"] * 6


def four_draws(rank: list[int], **about: object) -> tb.Archive:
    """A round robin of four in which all games are drawn: all share the first place."""
    games = pl.DataFrame(
        {
            "round": [1, 1, 2, 2, 3, 3],
            "white": [1, 3, 1, 4, 4, 2],
            "black": [2, 4, 3, 2, 1, 3],
            "result": ["1/2-1/2"] * 6,
        }
    )
    archive = tb.from_games(games, tournaments=pl.DataFrame({"start": ["2015-01-01"], **about}))
    ranks = pl.Series("rank", rank, dtype=pl.Int32)
    return replace(archive, players=archive.players.with_columns(ranks))


@pytest.mark.parametrize(
    ("rank", "reason"),
    [
        ([1, 2, 3, 4], "ties-broken"),
        ([1, 2, 2, 4], "ties-broken"),  # 1; 2 and 2; 4
        ([2, 2, 2, 2], "unknown"),  # nobody is first
        ([4, 4, 4, 4], "unknown"),
        ([1, 3, 3, 3], "unknown"),  # nobody is second
    ],
)
def test_only_ranks_of_a_competition_break_ties(rank: list[int], reason: str) -> None:
    found = four_draws(rank, criteria=["PTS SB"]).audit()
    assert found.tournaments["reason"].to_list() == [reason]


def test_ranks_are_compared_only_where_an_order_is_declared() -> None:
    assert four_draws([1, 2, 3, 4]).audit().codes.is_empty()
    assert four_draws([1, 2, 3, 4]).audit("PTS").codes["code"].to_list() == ["rank"]


def test_some_tournaments_declare_no_order(plain: tb.Archive) -> None:
    orders = pl.when(pl.col("tournament") < 3).then("criteria")
    some = plain.tournaments.with_columns(criteria=orders)
    found = replace(declaring(plain), tournaments=some).audit()
    assert found.codes.filter(code="rank").select("tournaments", "match_rate").row(0) == (2, 1.0)
    assert found.tournaments.is_empty()


def test_orders_are_tried_with_the_own_criteria_only(plain: tb.Archive) -> None:
    """Ranks by the criteria of another tournament are no other order of the own ones."""
    own = (
        pl.when(pl.col("tournament") < 4).then(pl.lit("PTS BH SB")).otherwise(pl.lit("PTS WIN PS"))
    )
    archive = declaring(plain, order="PTS PS WIN")
    tournaments = plain.tournaments.with_columns(criteria=own)
    told = replace(archive, tournaments=tournaments).audit().tournaments.filter(code="rank")
    told = told.filter(reason="order")
    assert set(told["message"]) == {"as ranked by PTS PS WIN"}
    assert min(told["tournament"].to_list()) >= 4


def test_a_code_that_old_texts_lack_hides_no_edition(plain: tb.Archive) -> None:
    """STD came with 2026-03; the Buchholz beside it follows the text of 2012 all the same."""
    new = plain.tournaments.with_columns(start=pl.date(2026, 6, 1))
    archive = replace(plain, tournaments=new)
    key = ["tournament", "player"]
    buchholz = archive.tiebreaks("BH", edition="2012")
    official = buchholz.join(archive.tiebreaks("STD"), on=key)
    found = archive.audit(official=official)
    assert rates(found)["STD"] == 1.0
    assert set(found.tournaments["code"]) == {"BH"}
    assert set(found.tournaments["message"]) == {"as under edition 2012"}


def test_a_bye_in_another_scoring() -> None:
    """A bye counted 1 where win, draw and loss are 3, 1, 0, and was taken for a win."""
    rows = {
        "round": [1, 1, 1, 2, 2, 2, 3, 3, 3],
        "player": [1, 2, 3] * 3,
        "opponent": [2, 1, None, 3, None, 1, None, 3, 2],
        "result": ["1", "0", "U", "1", "U", "0", "U", "=", "="],
    }
    about = pl.DataFrame({"start": ["2025-01-01"], "pairing": ["swiss"],
                          "scoring": ["W=3 D=1 L=0 U=1"]})  # fmt: skip
    archive = tb.from_results(pl.DataFrame(rows), tournaments=about)
    # 1: 3 + 3 + bye; 2: 0 + bye + 1; 3: bye + 0 + 1
    official = pl.DataFrame({"player": [1, 2, 3], "points": [9.0, 4.0, 4.0]})
    found = archive.audit(official=official)
    assert found.players["found"].to_list() == [7.0, 2.0, 2.0]
    assert found.tournaments["message"].to_list() == [
        "as if a pairing-allocated bye (U) were worth 3"
    ]


def test_a_contradiction_may_be_why() -> None:
    rows = pl.DataFrame(
        {"round": [1, 1], "player": [1, 2], "opponent": [2, 1], "result": ["1", "="]}
    )
    archive = tb.from_results(rows, tournaments=pl.DataFrame({"start": ["2025-01-01"]}))
    found = archive.audit(official=pl.DataFrame({"player": [1, 2], "points": [0.25, 0.0]}))
    (row,) = found.tournaments.rows(named=True)
    assert row["reason"] == "data-missing"
    assert row["message"].startswith("a contradiction in the results may be why: ")


def test_an_unknown_criterion_may_be_why() -> None:
    found = four_draws([2, 2, 2, 2], criteria=["PTS OTHER_1"]).audit()
    (row,) = found.tournaments.rows(named=True)
    assert (row["reason"], row["message"]) == (
        "data-missing",
        "OTHER_1 in the declared order may be why: it is not known",
    )


def test_missing_rounds(plain: tb.Archive) -> None:
    archive = declaring(plain)
    last = pl.col("round").max().over("tournament")
    about = plain.results.group_by("tournament").agg(rounds=pl.col("round").max().cast(pl.Int32))
    tournaments = plain.tournaments.drop("rounds").join(about, on="tournament").sort("tournament")
    cut = replace(
        archive, results=archive.results.filter(pl.col("round") < last), tournaments=tournaments
    )
    found = cut.audit()
    points = found.tournaments.filter(code="points")
    assert set(points["reason"]) == {"data-missing"}
    assert points["message"].str.contains("rounds planned may be missing").all()


def test_values_are_compared_at_the_decimals_printed() -> None:
    """16.25 printed as 16.3 or 16.2 agrees; 3.5 printed as 4 does not."""
    games = pl.DataFrame(
        {
            "round": [1, 1, 2, 2, 3, 3],
            "white": [1, 3, 1, 4, 4, 2],
            "black": [2, 4, 3, 2, 1, 3],
            "result": ["1-0", "1/2-1/2", "1/2-1/2", "1/2-1/2", "0-1", "1-0"],
        }
    )
    archive = tb.from_games(games)
    # 1: 1 + 1/2 + 1 = 2.5, 2: 0 + 1/2 + 1 = 1.5, 3: 1/2 + 1/2 + 0 = 1, 4: 1/2 + 1/2 + 0 = 1.
    # SB: 1: 1.5 + 1/2 + 1 = 3; 2: 1/2 + 1 = 1.5; 3: 1/2 + 1.25 = 1.75; 4: 1/2 + 3/4 = 1.25.
    assert archive.tiebreaks("SB")["SB"].to_list() == [3.0, 1.5, 1.75, 1.25]

    def misses(values: list[float]) -> list[int]:
        official = pl.DataFrame(
            {"tournament": ["tournament"] * 4, "player": [1, 2, 3, 4], "SB": values}
        )
        return archive.audit(official=official).players["player"].to_list()

    assert misses([3.0, 1.5, 1.8, 1.3]) == []
    assert misses([3.0, 1.5, 1.7, 1.2]) == []
    assert misses([3.0, 1.5, 1.9, 1.3]) == [3]
    assert misses([3.0, 2.0, 2.0, 1.0]) == [2, 3, 4]


def test_official_columns_have_to_be_codes(plain: tb.Archive) -> None:
    official = pl.DataFrame({"tournament": [1], "player": [1], "Buchholtz": [1.0]})
    with pytest.raises(tb.TbframeError, match="'Buchholtz' is no code"):
        plain.audit(official=official)


def test_official_tables_of_any_kind(plain: tb.Archive) -> None:
    official = plain.tiebreaks("PTS BH").rename({"PTS": "points"})
    for table in (official, official.lazy(), official.to_arrow()):
        assert rates(plain.audit(official=table)) == {"points": 1.0, "BH": 1.0}
    gaps = official.with_columns(
        BH=pl.when(pl.col("player") > 1).then("BH").otherwise(float("nan"))
    )
    assert plain.audit(official=gaps).codes.filter(code="BH")["players"].item() == (
        official.height - 6
    )


def test_official_rows_about_others_are_told(plain: tb.Archive) -> None:
    official = pl.DataFrame({"tournament": [1, 999], "player": [9999, 1], "BH": [1.0, 2.0]})
    found = plain.audit(official=official)
    assert found.codes.is_empty()
    assert found.strangers.rows() == [(1, 9999), (999, 1)]
    assert str(found).endswith("the archive lacks the players: 2")


@pytest.mark.parametrize(
    ("official", "message"),
    [
        ({"tournament": ["1"], "player": [1], "BH": [1.0]}, "official.tournament is String"),
        ({"player": [1], "BH": [1.0]}, "there is no column 'tournament'"),
        ({"tournament": [1], "player": [1], "BH": ["1.0"]}, "'BH' has type String"),
        ({"tournament": [1, 1], "player": [1, 1], "BH": [1.0, 2.0]}, "stands there once"),
        ({"tournament": [1], "player": [1], "BH/C1": [1.0], "bh-c1": [1.0]}, "are both BH/C1"),
    ],
)
def test_official_tables_that_cannot_be_read(
    plain: tb.Archive, official: dict[str, list[object]], message: str
) -> None:
    with pytest.raises(tb.TbframeError, match=message):
        plain.audit(official=pl.DataFrame(official))


def test_the_official_columns_of_2018(cases: Path) -> None:
    """TB1 and TB2 agree by the date alone; TB4 is Sonneborn-Berger as programs read it."""
    values = pl.read_csv(cases / "published" / "swiss_220p_9r_2018.csv")
    wide = values.pivot(on="column", index="player", values="value")
    official = wide.select(
        pl.lit("swiss_220p_9r_2018").alias("tournament"), pl.col("player").cast(pl.Int64),
        *(pl.col(tb_).cast(pl.Float64).alias(code)
          for tb_, code in (("TB1", "BH"), ("TB2", "BH/C1"), ("TB4", "SB"))),
    )  # fmt: skip
    archive = tb.read(cases / "trf" / "swiss_220p_9r_2018.trf")
    found = archive.audit(official=official)
    assert rates(found)["BH"] == rates(found)["BH/C1"] == 1.0
    assert rates(found)["SB"] < 1.0
    (row,) = found.tournaments.filter(code="SB").rows(named=True)
    assert (row["reason"], row["message"]) == ("edition", "as under edition 2012-software")


@pytest.mark.parametrize(
    ("points", "reasons"),
    [
        ([1.0, 0.5, 1.5], [("rank", "unknown")]),  # the bye was worth 1, say the points
        ([1.0, 0.5, 0.5], [("points", "bye-value"), ("rank", "bye-value")]),
    ],
)
def test_points_that_agree_rule_out_another_bye(
    points: list[float], reasons: list[tuple[str, str]]
) -> None:
    """1: 1/2 + 1/2; 2: 1/2 + 0; 3: bye + 1/2. Only a bye worth 0 makes the ranks 1, 2, 2."""
    rows = {
        "round": [1, 1, 1, 2, 2, 2],
        "player": [1, 2, 3] * 2,
        "opponent": [2, 1, None, 3, None, 1],
        "result": ["=", "=", "U", "=", "Z", "="],
    }
    about = pl.DataFrame({"start": ["2025-01-01"], "pairing": ["swiss"]})
    archive = tb.from_results(pl.DataFrame(rows), tournaments=about)
    official = pl.DataFrame({"player": [1, 2, 3], "points": points, "rank": [1, 2, 2]})
    found = archive.audit("PTS", official=official).tournaments
    assert found.select("code", "reason").rows() == reasons


def test_points_of_nobody_are_not_declared() -> None:
    archive = four_draws([1, 1, 1, 1], criteria=["PTS"])
    silent = replace(archive, players=archive.players.with_columns(points=0.0))
    assert silent.audit().codes["code"].to_list() == ["rank"]
    one = pl.when(pl.col("player") == 1).then(1.5).otherwise(0.0)
    told = replace(archive, players=archive.players.with_columns(points=one)).audit()
    assert rates(told) == {"points": 0.25, "rank": 1.0}


def team_event(**declared: float) -> tb.Archive:
    """Rooks beat Kings 1.5-0.5 while Pawns have a bye: Ann 1, Bea 1/2, Kim 0, Lee 1/2, Una none."""
    places = [("Rooks", "Kings", 1, 1, 3, "1"), ("Rooks", "Kings", 2, 2, 4, "="),
              ("Kings", "Rooks", 1, 3, 1, "0"), ("Kings", "Rooks", 2, 4, 2, "=")]  # fmt: skip
    names = ["team", "opponent", "board", "player", "opponent_player", "result"]
    boards = pl.DataFrame(places, schema=names, orient="row").with_columns(round=1)
    points = {"Ann": 1.0, "Bea": 0.5, "Kim": 0.0, "Lee": 0.5, "Una": 0.0} | declared
    members = pl.DataFrame(
        {
            "player": [1, 2, 3, 4, 5],
            "team": ["Rooks", "Rooks", "Kings", "Kings", "Pawns"],
            "name": list(points),
            "points": list(points.values()),
        }
    )
    byes = pl.DataFrame({"round": [1], "team": ["Pawns"], "type": ["PAB"]})
    about = pl.DataFrame({"start": ["2025-01-01"], "pairing": ["swiss"]})
    return tb.from_boards(boards, byes, members=members, tournaments=about)


@pytest.mark.parametrize(
    ("declared", "misses", "reason"),
    [
        ({}, [], []),
        ({"Kim": 1.0}, [("Kim", "Kings", 1.0, 0.0, 1.0)], ["unknown"]),
        ({"Una": 1.0}, [("Una", "Pawns", 1.0, 0.0, 1.0)], ["data-missing"]),  # one bye
        ({"Una": 2.0}, [("Una", "Pawns", 2.0, 0.0, 2.0)], ["unknown"]),
        ({"Ann": 0.5}, [("Ann", "Rooks", 0.5, 1.0, -0.5)], ["unknown"]),
    ],
)
def test_points_of_individuals(
    declared: dict[str, float], misses: list[tuple[object, ...]], reason: list[str]
) -> None:
    found = team_event(**declared).audit()
    shown = found.members.select("name", "team", "declared", "found", "difference")
    assert shown.rows() == misses
    assert found.codes.select("code", "players", "matches").rows() == [
        ("member points", 5, 5 - len(misses))
    ]
    assert found.tournaments["reason"].to_list() == reason
    assert found.players.is_empty()


def test_two_wrong_points_of_a_real_team_event(cases: Path) -> None:
    """Player 41 declares 1.0 with a forfeit loss at best, player 122 0.0 with a forfeit win."""
    name = "team_15t_129p_7r_2024"
    found = tb.read([cases / "trf" / f"{name}{more}.trf" for more in ("", "_two_wrong_points")])
    told = found.audit()
    assert told.members.select("tournament", "player", "difference").rows() == [
        (f"{name}_two_wrong_points", 41, 1.0), (f"{name}_two_wrong_points", 122, -1.0),
    ]  # fmt: skip
    assert told.codes.filter(code="member points").select(
        "tournaments", "tournaments_matching"
    ).row(0) == (2, 1)


def test_command_lists_individuals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tb.write_frames(team_event(Kim=1.0), tmp_path / "cup")
    assert main(["audit", str(tmp_path / "cup"), "--misses", "--format", "csv"]) == 1
    assert capsys.readouterr().out.splitlines()[1].endswith(",3,Kim,member points,1.0,0.0,1.0")


def test_command(plain: tb.Archive, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = declaring(plain)
    tb.write_frames(archive, tmp_path / "good")
    assert main(["audit", str(tmp_path / "good")]) == 0
    told = capsys.readouterr().err
    players = archive.players.height
    assert f"points: {players} of {players} values (100.0 %), 6 of 6 tournaments in full" in told
    tb.write_frames(declaring(plain, edition="2026-03"), tmp_path / "other")
    assert main(["audit", str(tmp_path / "other"), "--format", "csv"]) == 1
    out = capsys.readouterr().out
    assert out.splitlines()[0] == "tournament,code,players,misses,reason,message"
    assert ",edition,as under edition" in out
    assert main(["audit", str(tmp_path / "other"), "--misses", "--format", "csv"]) == 1
    assert capsys.readouterr().out.startswith("tournament,player,name,code,declared,found")
