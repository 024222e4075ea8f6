"""Which definition made a column of official values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tbframe as tb
from tbframe.cli import main
from tbframe.comparison.identification.heeding import rules_heeded
from tbframe.tiebreaks import parse_order

ROOT = Path(__file__).resolve().parents[1]
FACTS = ROOT / "tests" / "facts"
SWISS5 = ROOT / "data" / "trf" / "tec2023_swiss5.trf"


def published(name: str, event: str) -> pl.DataFrame:
    """Return published values as columns."""
    values = pl.read_csv(FACTS / name, schema_overrides={"value": pl.Float64}).filter(event=event)
    return values.pivot(on="code", index="player", values="value").drop("ADJ", "rank PTS DE",
                                                                        strict=False)  # fmt: skip


def best(found: tb.Identification, column: str) -> dict[str, object]:
    (row,) = found.summary.filter(column=column).rows(named=True)
    return row


def games(*rows: tuple[int, str, str | None, str]) -> tb.Archive:
    """Make an event of games (round, player, opponent, result), both sides of each."""
    mirrored = {"1": "0", "0": "1", "=": "=", "+": "-"}
    sides = [(number, player, other, result) for number, player, other, result in rows]
    sides += [(number, other, player, mirrored[result])
              for number, player, other, result in rows if other is not None]  # fmt: skip
    frame = pl.DataFrame(
        sides, schema=["round", "player", "opponent", "result"], orient="row",
        schema_overrides={"opponent": pl.String},
    )  # fmt: skip
    return tb.from_results(frame, tournaments=pl.DataFrame({"start": ["2018-05-01"]}))


#: After the games A 2, B 0, C 1, D 1, E 2: D and E have a bye of one point.
BYES = (
    (1, "A", "B", "1"), (1, "C", "D", "1"), (1, "E", None, "U"),
    (2, "A", "C", "1"), (2, "E", "B", "1"), (2, "D", None, "U"),
)  # fmt: skip


# official columns of real and published events


def test_the_columns_of_2018_are_named_without_a_hint(cases):
    values = pl.read_csv(cases / "published" / "swiss_220p_9r_2018.csv")
    archive = tb.read(cases / "trf" / "swiss_220p_9r_2018.trf")
    assert archive.tournaments["criteria"].to_list() == [None]
    found = tb.identify(archive, values.pivot(on="column", index="player", values="value"))
    assert found.summary.select("column", "status", "code", "edition", "matches").rows() == [
        ("TB1", "reproduced", "BH@2012", "2012", 220),
        ("TB2", "reproduced", "BH@2012/C1", "2012", 220),
        ("TB3", "reproduced", "DE", "2012", 220),
        ("TB4", "reproduced", "SB@2012-software", "2012-software", 220),
    ]
    assert best(found, "TB3")["best"] == "DE, scores within ties on PTS TB1 TB2"
    assert found.misses.is_empty()
    # Buchholz of later texts is right for less than half: it does not come second.
    assert found.candidates.filter(column="TB1", place=2)["match_rate"].item() < 1


@pytest.mark.parametrize("event", ["tec2023_swiss5", "tec2023_rr6"])
def test_values_published_by_fide_are_named(fact_event, event):
    values = published("values_tec2023.csv", event)
    values = values.select(column for column in values if column.null_count() < values.height)
    names = {code: f"TB{number}" for number, code in enumerate(values.columns[1:], 1)}
    archive = fact_event(event)
    found = tb.identify(archive, values.rename(names), top=1)
    for code, column in names.items():
        row = best(found, column)
        alike = [text.split(" ")[0] for text in row["alike"]]
        assert row["status"] in ("reproduced", "constant"), row
        assert code in [row["best"].split(" ")[0], *alike], row


def test_team_values_published_by_fide_are_named():
    matches = pl.read_csv(FACTS / "team14_matches.csv", schema_overrides={"color": pl.String})
    kinds = {"played": None, "forfeit_win": "+", "forfeit_loss": "-", "PAB": "U", "HPB": "H",
             "ZPB": "Z"}  # fmt: skip
    results = matches.select(
        "round", "opponent", "match_points", player="team",
        result=pl.coalesce(
            pl.col("kind").replace_strict(kinds, return_dtype=pl.String),
            pl.col("match_points").replace_strict({2: "1", 1: "=", 0: "0"}),
        ),
        points=pl.col("match_points").cast(pl.Float64),
        game_points=pl.col("game_points").cast(pl.Float64),
    )  # fmt: skip
    about = pl.DataFrame({"kind": ["team"], "pairing": ["swiss"], "boards": [4],
                          "scoring": ["W=2 D=1 L=0 U=1"], "edition": ["2023"]})  # fmt: skip
    archive = tb.from_results(results, None, about)
    values = published("values_team14.csv", "tec2023_team14")
    wanted = {"MP": "MPTS", "GP": "GPTS", "BH:MP": "BH", "EMGSB": "EMGSB", "EGGSB": "EGGSB"}
    found = tb.identify(archive, values.select("player", *wanted))
    for column, code in wanted.items():
        row = best(found, column)
        assert row["status"] == "reproduced"
        names = [row["best"], *row["alike"]]
        assert any(name.startswith((f"{code} ", f"{code}:", "PTS")) for name in names), row


# hand-made columns


def test_an_altered_value_is_the_miss_and_nothing_else():
    archive = tb.read(SWISS5)
    values = archive.tiebreaks("BH", edition="2024-08").select("player", TB1="BH")
    wrong = values.with_columns(TB1=pl.col("TB1") + 7 * (pl.col("player") == 5))
    found = tb.identify(archive, wrong)
    row = best(found, "TB1")
    assert (row["status"], row["code"], row["matches"]) == ("not reproduced", "BH@2024-04", 15)
    right = values.filter(player=5)["TB1"].item()
    assert found.misses.select("player", "official", "found", "difference").rows() == [
        (5, right + 7, right, 7.0)
    ]
    assert "player 5 has" in row["note"]


def test_byes_that_were_worth_nothing():
    # With byes of 0: A 2, B 0, C 1, D 0, E 1, and the sums of the opponents are
    # A: B + C = 1; B: A + E = 3; C: D + A = 2; D: C = 1; E: B = 0.
    official = pl.DataFrame({"player": list("ABCDE"), "TB1": [1, 3, 2, 1, 0]})
    found = tb.identify(games(*BYES), official)
    row = best(found, "TB1")
    assert row["status"] == "reproduced"
    assert row["best"] == "BH (plain), pairing-allocated byes worth nothing"


def test_points_as_they_are():
    # A: B + C = 1; B: A + E = 4; C: D + A = 3; D: C = 1; E: B = 0.
    official = pl.DataFrame({"player": list("ABCDE"), "TB1": [1, 4, 3, 1, 0]})
    row = best(tb.identify(games(*BYES), official), "TB1")
    assert (row["status"], row["best"]) == ("reproduced", "BH (plain)")


def test_the_standing_before_the_last_round():
    rows = (
        (1, "A", "B", "1"), (1, "C", "D", "="), (2, "A", "C", "1"), (2, "B", "D", "0"),
        (3, "A", "D", "0"), (3, "B", "C", "="),
    )  # fmt: skip
    # After two rounds A 2, B 0, C 0.5, D 1.5: A: B + C = 0.5; B: A + D = 3.5;
    # C: D + A = 3.5; D: C + B = 0.5.
    official = pl.DataFrame({"player": list("ABCD"), "TB1": [0.5, 3.5, 3.5, 0.5]})
    found = tb.identify(games(*rows), official)
    told = [best(found, "TB1")["best"], *best(found, "TB1")["alike"]]
    assert any(text.startswith("BH (") and "before the last round" in text for text in told)


def test_doubled_cut_off_and_moved_values():
    archive = tb.read(SWISS5)
    values = archive.tiebreaks("BH AOB", edition="2023").with_columns(
        TB1=pl.col("BH") * 2,
        TB2=(pl.col("AOB") * 100).floor() / 100,  # 11.666... as 11.66
        TB3=pl.col("BH") + 24,
    )
    assert (values["AOB"] * 100 % 1 > 0.6).any()
    found = tb.identify(archive, values.select("player", "TB1", "TB2", "TB3"))
    readings = found.candidates.filter(place=1).select("code", "reading").rows()
    assert readings == [
        ("BH@2024-04", "x 2"),
        ("AOB@2024-04", "cut off at 2 decimals"),
        ("BH@2024-04", "plus a constant"),
    ]
    assert found.summary["status"].unique().to_list() == ["reproduced"]
    # `found` is what would have been printed.
    telling = found.telling.filter(column="TB3")
    assert (telling["official"] == telling["best"]).all()


def test_direct_encounter_is_judged_within_ties():
    # A and B have 2, and A beat B; C and D have 1, and drew; E and F have 0, and did not meet.
    rows = (
        (1, "A", "B", "1"), (1, "C", "E", "1"), (1, "D", "F", "1"),
        (2, "A", "E", "1"), (2, "B", "F", "1"), (2, "C", "D", "="),
        (3, "B", "C", "1"), (3, "D", "A", "="), (3, "E", None, "Z"), (3, "F", None, "H"),
    )  # fmt: skip
    # A 2.5, B 2, C 1.5, D 2, E 0, F 0.5: only B and D are level, and did not meet.
    # So let A lose to D: A 2, B 2, D 2.5, C 1.5: A and B met, and A won.
    rows = (*rows[:7], (3, "D", "A", "1"), *rows[8:])
    official = pl.DataFrame({"player": list("ABCDEF"), "TB1": [1, 0, 0, 0, 0, 0]})
    row = best(tb.identify(games(*rows), official, top=5), "TB1")
    assert row["status"] == "reproduced"
    assert any(text.startswith("DE") and "scores within ties on PTS" in text
               for text in [row["best"], *row["alike"]])  # fmt: skip
    places = pl.DataFrame({"player": list("ABCDEF"), "TB1": [1, 2, 0, 0, 0, 0]})
    row = best(tb.identify(games(*rows), places), "TB1")
    assert (row["status"], row["code"][:2]) == ("reproduced", "DE")
    assert "places within ties on PTS" in row["best"]


def test_direct_encounter_may_depend_on_the_columns_before():
    # Everybody of A, B, C beat one of the others: 1 point each in their own games, and D has 0.
    rows = (
        (1, "A", "B", "1"), (1, "C", "D", "1"), (2, "B", "C", "1"), (2, "A", "D", "1"),
        (3, "C", "A", "1"), (3, "B", "D", "1"),
    )  # fmt: skip
    # TB1 parts C from the others, so that A and B are level, and A beat B.
    official = pl.DataFrame({"player": list("ABCD"), "TB1": [5, 5, 4, 3], "TB2": [1, 0, 0, 0]})
    row = best(tb.identify(games(*rows), official), "TB2")
    assert row["status"] == "reproduced"
    assert row["best"].endswith("scores within ties on PTS TB1")


def test_columns_that_tell_nothing():
    archive = tb.read(SWISS5)
    official = archive.players.select(
        "player", TB1=pl.lit(0), TB2=pl.lit(None, pl.Int64), TB3=pl.lit("won"), TB4=pl.lit(3.5)
    )
    found = tb.identify(archive, official)
    assert found.summary.select("column", "status", "players").rows() == [
        ("TB1", "constant", 16), ("TB2", "empty", 0), ("TB3", "no numbers", 0),
        ("TB4", "constant", 16),
    ]  # fmt: skip
    assert best(found, "TB1")["note"] == "all values are 0.0"
    assert best(found, "TB3")["note"] == "no numbers: 16 values"


@pytest.mark.parametrize("text", ["13,5", "13½", " 13.5 ", "13.50"])
def test_texts_that_read_as_numbers(text):
    archive = tb.read(SWISS5)
    values = archive.tiebreaks("BH", edition="2023").select("player", TB1=pl.col("BH"))
    assert 13.5 in values["TB1"]
    as_text = values.with_columns(
        TB1=pl.when(pl.col("TB1") == 13.5).then(pl.lit(text)).otherwise(pl.format("{}", "TB1"))
    )
    assert best(tb.identify(archive, as_text), "TB1")["code"] == "BH@2024-04"


def test_what_misses_have_in_common():
    archive = random_events(seed=8, tournaments=1)
    byes = archive.results.filter(result="U")["player"].unique()
    assert 2 <= len(byes) < archive.players.height - 2
    values = archive.tiebreaks("BH", edition="2012")
    official = values.select(
        "player", TB1=pl.col("BH") + pl.when(pl.col("player").is_in(byes.implode())).then(7.25)
        .otherwise(0)
    )  # fmt: skip
    found = tb.identify(archive, official)
    assert sorted(found.misses["player"]) == sorted(byes)
    first = found.traits.row(0, named=True)
    assert first["trait"] == "have a pairing-allocated bye"
    assert (first["misses_with"], first["misses"], first["others_with"]) == (
        len(byes), len(byes), 0,
    )  # fmt: skip
    assert f"{len(byes)} of {len(byes)} misses have a pairing-allocated bye" in repr(found)


def test_players_whom_the_archive_lacks():
    archive = tb.read(SWISS5)
    values = archive.tiebreaks("BH", edition="2023").select("player", TB1="BH")
    more = pl.DataFrame({"player": [99], "TB1": [1.0]})
    found = tb.identify(archive, pl.concat([values, more]))
    assert found.strangers["player"].to_list() == [99]
    assert best(found, "TB1")["matches"] == 16
    assert "lacks the players: 1" in repr(found)


def test_what_tells_definitions_apart_differs_in_the_values():
    archive = tb.read(SWISS5)
    values = archive.tiebreaks("BH/C1", edition="2023").select("player", TB1="BH/C1")
    found = tb.identify(archive, values, top=2)
    first, second = found.candidates["code"].to_list()
    both = archive.tiebreaks([first, second]).filter(pl.col(first) != pl.col(second))
    assert (
        found.telling.select("player", "best", "other").rows()
        == both.select("player", first, second).rows()
    )
    assert both.height > 0


def test_without_a_date_the_columns_tell_the_edition():
    events = random_events(seed=7, tournaments=1)
    archive = tb.from_results(
        events.results, events.players, events.tournaments.select("tournament", "pairing")
    )
    values = archive.tiebreaks("BH BH/C1 SB WON", edition="2012")
    named = values.rename({"BH": "TB1", "BH/C1": "TB2", "SB": "TB3", "WON": "TB4"})
    rows = tb.identify(archive, named).summary.select("code", "status").rows()
    assert rows == [
        ("BH@2012", "reproduced"), ("BH@2012/C1", "reproduced"), ("SB@2012", "reproduced"),
        ("WON@2012", "reproduced"),
    ]  # fmt: skip


def test_without_unplayed_rounds_editions_are_not_told_apart():
    archive = tb.read(ROOT / "data" / "trf" / "candidates_london_2013.trf")
    values = archive.tiebreaks("SB").select("player", TB1="SB")
    row = best(tb.identify(archive, values), "TB1")
    assert row["best"] == "SB (2012)"
    assert "SB (every other edition)" in row["alike"]
    assert "players with unplayed rounds" in row["note"]


def test_ratings_with_unrated_opponents_left_out():
    archive = tb.from_results(
        pl.DataFrame({"round": [1, 1, 2, 2, 3, 3], "player": ["A", "B", "A", "C", "B", "C"],
                      "opponent": ["B", "A", "C", "A", "C", "B"],
                      "result": ["1", "0", "=", "=", "1", "0"]}),
        pl.DataFrame({"player": ["A", "B", "C"], "rating": [2000, 1801, None]}),
        pl.DataFrame({"start": ["2018-05-01"], "pairing": ["swiss"]}),
    )  # fmt: skip
    # A met B (1801); B met A (2000); C met A and B: 1900.5, rounded up.
    official = pl.DataFrame({"player": ["A", "B", "C"], "TB1": [1801, 2000, 1901]})
    found = tb.identify(archive, official, among=["ARO", "TPR"])
    row = best(found, "TB1")
    assert row["status"] == "reproduced"
    assert row["best"] == "ARO (2012), without games against the unrated"


# many tournaments


def random_events(seed: int, tournaments: int) -> tb.Archive:
    """Make events of every kind of round, with ratings, in several years."""
    rng = np.random.default_rng(seed)
    rows: list[tuple[int, int, int, int | None, str]] = []
    for event in range(1, tournaments + 1):
        count, rounds = int(rng.integers(6, 15)), int(rng.integers(3, 7))
        for number in range(1, rounds + 1):
            seats = rng.permutation(np.arange(1, count + 1)).tolist()
            for white, black in zip(seats[:-2:2], seats[1:-2:2], strict=False):
                mine, his = [("1", "0"), ("0", "1"), ("=", "="), ("+", "-")][
                    int(rng.choice(4, p=[0.4, 0.3, 0.25, 0.05]))
                ]
                rows += [(event, number, white, black, mine), (event, number, black, white, his)]
            paired = {row[2] for row in rows if row[:2] == (event, number)}
            rows += [(event, number, seat, None, str(rng.choice(list("UHZ"))))
                     for seat in seats if seat not in paired]  # fmt: skip
    results = pl.DataFrame(
        rows, schema=["tournament", "round", "player", "opponent", "result"], orient="row"
    )
    keys = results.select("tournament", "player").unique().sort("tournament", "player")
    players = keys.with_columns(rating=pl.Series(rng.integers(1400, 2600, keys.height)))
    starts = [f"{year}-07-15" for year in (2010, 2018, 2024, 2026)] * tournaments
    about = pl.DataFrame({"tournament": range(1, tournaments + 1),
                          "start": starts[:tournaments], "pairing": "swiss"})  # fmt: skip
    return tb.from_results(results, players, about)


CODES = ("PTS", "WIN", "WON", "BPG", "REP", "PS", "PS/C1", "BH", "BH/C1", "BH/C2", "BH/M1",
         "BH/P", "AOB", "SB", "SB/C1", "KS", "KS/L+1", "ARO", "ARO/C1", "TPR", "PTP", "APRO",
         "old.SUMBH", "old.AROC")  # fmt: skip


@pytest.mark.parametrize("edition", ["auto", "plain", "2012-software", "2023"])
def test_what_is_named_gives_the_values(edition):
    archive = random_events(seed=len(edition), tournaments=5)
    values = archive.tiebreaks(list(CODES), edition=edition)
    official = values.rename({code: f"TB{n}" for n, code in enumerate(CODES)})
    found = tb.identify(archive, official, top=1)
    assert found.summary.height == 5 * len(CODES)
    assert set(found.summary["status"]) <= {"reproduced", "constant"}
    for code, rows in found.summary.group_by("code"):
        again = archive.tiebreaks(str(code[0]))
        for row in rows.iter_rows(named=True):
            mine = official.filter(tournament=row["tournament"])[row["column"]]
            theirs = again.filter(tournament=row["tournament"])[str(code[0])]
            shown = row["best"].endswith("decimals")
            assert (mine - theirs).abs().max() < (1e-5 if shown else 1e-12), row


def test_rules_that_are_not_heeded_make_no_difference():
    archive = random_events(seed=5, tournaments=12)
    for code in (*CODES, "FB/C1", "BPG", "BWG", "STD", "RTNG", "APPO", "BH/C1/P", "BH/F"):
        (criterion,) = parse_order(code)
        seen: dict[tuple[object, ...], list[float | None]] = {}
        for key, edition in tb.EDITIONS.items():
            try:
                values = archive.tiebreaks(code, edition=key)[code].to_list()
            except tb.EditionError:
                continue
            kind = tuple(getattr(edition, rule) for rule in rules_heeded(criterion))
            assert seen.setdefault(kind, values) == values, (code, key)


def test_tournaments_together():
    archive = random_events(seed=3, tournaments=6)
    values = archive.tiebreaks("BH/C1").rename({"BH/C1": "TB1"})  # each under its date's text
    found = tb.identify(archive, values, pool=True)
    row = best(found, "TB1")
    assert row["tournament"] is None
    assert row["best"] == "BH/C1 (by date)"
    assert (row["status"], row["tournaments"], row["tournaments_reproduced"]) == (
        "reproduced", 6, 6,
    )  # fmt: skip
    wrong = values.with_columns(
        TB1=pl.col("TB1") + ((pl.col("tournament") == 4) & (pl.col("player") < 3))
    )
    found = tb.identify(archive, wrong, pool=True)
    row = best(found, "TB1")
    assert (row["status"], row["tournaments_reproduced"]) == ("not reproduced", 5)
    assert found.misses.select("event", "player").rows() == [(4, 1), (4, 2)]


def test_one_by_one_is_as_each_alone():
    archive = random_events(seed=11, tournaments=5)
    values = archive.tiebreaks("BH SB/C1", edition="2023").rename({"BH": "TB1", "SB/C1": "TB2"})
    together = tb.identify(archive, values)
    alone = [
        tb.identify(archive.select(key), values.filter(tournament=key)).summary
        for key in archive.tournaments["tournament"]
    ]
    assert together.summary.equals(pl.concat(alone))


def test_the_columns_of_the_players_are_taken():
    archive = tb.read(SWISS5)
    values = archive.tiebreaks("BH SB", edition="2023")
    results = archive.results
    players = archive.players.join(values, on=["tournament", "player"]).with_columns(
        club=pl.lit("Rooks")
    )
    carried = tb.from_results(results, players, archive.tournaments)
    found = tb.identify(carried)
    assert found.summary.select("column", "status").rows() == [
        ("BH", "reproduced"), ("SB", "reproduced"),
    ]  # fmt: skip


def test_other_families():
    archive = random_events(seed=2, tournaments=3)
    values = archive.tiebreaks("uscf.MMED go.SOSOS").rename({"uscf.MMED": "A", "go.SOSOS": "B"})
    found = tb.identify(archive, values, among=["uscf", "go"], top=1)
    assert set(found.summary.filter(column="A")["code"]) == {"uscf.MMED"}
    assert set(found.summary.filter(column="B")["code"]) == {"go.SOSOS"}
    only = tb.identify(archive, values, columns="A", among="uscf.MMED")
    assert only.summary["column"].unique().to_list() == ["A"]


def test_wrong_use():
    archive = tb.read(SWISS5)
    values = archive.tiebreaks("BH").select("player", TB1="BH")
    with pytest.raises(tb.TbframeError, match="no official column 'TB9': there are TB1"):
        tb.identify(archive, values, columns=["TB9"])
    with pytest.raises(tb.TbframeError, match="families are fide"):
        tb.identify(archive, values, among="draughs")
    with pytest.raises(tb.TbframeError, match="top is 1 or more"):
        tb.identify(archive, values, top=0)
    with pytest.raises(tb.TbframeError, match="each player of a tournament stands there once"):
        tb.identify(archive, pl.concat([values, values]))


def test_nothing_to_identify():
    archive = tb.read(SWISS5)
    found = tb.identify(archive)
    assert found.summary.is_empty()
    assert repr(found) == "no official values"
    assert found.telling.columns[:2] == ["tournament", "column"]


# the command line


def test_the_command(tmp_path, capsys):
    values = tb.read(SWISS5).tiebreaks("BH SB", edition="2023")
    path = tmp_path / "table.csv"
    values.select("player", TB1="BH", TB2="SB").write_csv(path)
    status = main(["identify", str(SWISS5), "--official", str(path), "--columns", "TB2",
                   "--format", "csv"])  # fmt: skip
    out, err = capsys.readouterr()
    assert status == 0
    assert out.splitlines()[1].startswith("tec2023_swiss5,TB2,reproduced,SB (2024-04),SB@2024-04")
    assert "TB2 = SB (2024-04), 16 of 16" in err
    values.select("player", TB1=pl.col("BH") + pl.col("player") % 2).write_csv(path)
    status = main(["identify", str(SWISS5), "--official", str(path), "--show", "misses"])
    assert status == 1
    assert "difference" in capsys.readouterr().out
