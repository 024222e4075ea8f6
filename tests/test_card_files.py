"""Card games: tables and JSON of matches, and files of the Pokémon organisers' program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tbframe as tb

#: Cid has a bye. Ann beats Bob 2-1 and draws with Cid 1-1-1.
#: Match-win percentages: Ann 4 / 6, Bob 0.33, Cid 1 / 3 without the bye.
#: Game points: Ann 3 x 3 + 1 of 3 x 6, Bob 3 of 9, Cid 6 + 3 + 1 of 3 x 5.
TABLE = """\
Round,Player 1,Player 2,Result
1,Ann,Bob,2-1
1,Cid,BYE,2-0
2,Ann,Cid,1-1-1
"""
STANDINGS = {
    "Cid": (4.0, 0.666667, 0.666667, 0.555556),
    "Ann": (4.0, 0.331667, 0.555556, 0.5),
    "Bob": (0.0, 0.666667, 0.333333, 0.555556),
}

PLATFORM: dict[str, Any] = {
    "Tournament": {"Name": "Cup", "Date": "2024-05-01T18:00:00"},
    "Rounds": [
        {"RoundName": "Round 1", "Matches": [
            {"Player1": "Ann", "Player2": "Bob", "Result": "2-1-0"},
            {"Player1": "-", "Player2": "Cid", "Result": "0-2-0"}]},
        {"RoundName": "Round 2", "Matches": [
            {"Player1": "Ann", "Player2": "Cid", "Result": "1-1-1"},
            {"Player1": "Cid", "Player2": "Ann", "Result": "1-1-1"}]},
        {"RoundName": "Finals", "Matches": [
            {"Player1": "Ann", "Player2": "Cid", "Result": "2-0-0"}]},
    ],
    "Standings": [
        {"Rank": 1, "Player": "Cid", "Points": 4, "OMWP": 0.6667, "GWP": "66.67%"},
        {"Rank": 2, "Player": "Ann", "Points": 4, "OMWP": 0.3317, "GWP": "55.56%"},
        {"Rank": 3, "Player": "Bob", "Points": 0, "OMWP": 0.6667, "GWP": "33.33%"},
    ],
}  # fmt: skip

TABLES: dict[str, Any] = {
    "TID": "cup-1", "tournamentName": "Cup", "startDate": 1714521600, "swissNum": 2,
    "rounds": [
        {"round": 1, "tables": [
            {"table": 1, "players": [{"name": "A", "id": "Ann"}, {"name": "B", "id": "Bob"}],
             "winner_id": "Ann"},
            {"table": "Byes", "players": [{"name": "C", "id": "Cid"}]}]},
        {"round": 2, "tables": [
            {"table": 1, "players": [{"name": "A", "id": "Ann"}, {"name": "C", "id": "Cid"}],
             "winner": "Draw"}]},
        {"round": "Top 2", "tables": [
            {"table": 1, "players": [{"name": "A", "id": "Ann"}, {"name": "C", "id": "Cid"}],
             "winner": "A"}]},
    ],
    "standings": [{"name": "C", "id": "Cid", "opponentWinRate": 0.66}],
}  # fmt: skip

TDF = """\
<?xml version="1.0" encoding="UTF-8"?>
<tournament type="2" stage="5" version="1.73" gametype="TRADING_CARD_GAME" mode="TCG1DAY">
<data><name>Cup</name><city>Town</city><startdate>06/20/2026</startdate></data>
<players>
<player userid="1"><firstname>Ann</firstname><lastname>Ek</lastname></player>
<player userid="2"><firstname>Bob</firstname>
<dropped><status>1</status><round>1</round></dropped></player>
<player userid="3"><firstname>Cid</firstname></player>
</players>
<pods><pod category="2"><rounds>
<round number="1" type="3"><matches>
<match outcome="1"><player1 userid="1"/><player2 userid="2"/><tablenumber>1</tablenumber></match>
<match outcome="5"><player userid="3"/><tablenumber>0</tablenumber></match>
</matches></round>
<round number="2" type="3"><matches>
<match outcome="3"><player1 userid="1"/><player2 userid="3"/></match>
</matches></round>
<round number="3" type="1"><matches>
<match outcome="2"><player1 userid="1"/><player2 userid="3"/></match>
</matches></round>
</rounds></pod></pods>
<standings><pod category="2" type="finished"><player id="3" place="1"/></pod></standings>
</tournament>
"""


def read(folder: Path, name: str, content: object) -> tb.Archive:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return tb.read(path)


def rows(archive: tb.Archive, order: str | None = None) -> dict[str, tuple[float, ...]]:
    standings = archive.select(archive.tournaments["tournament"][0]).standings(order)
    values = [c for c in standings.columns if c == "PTS" or "." in c]
    return {
        row["player"]: tuple(round(row[c], 6) for c in values)
        for row in standings.iter_rows(named=True)
    }


@pytest.mark.parametrize(
    "text",
    [
        TABLE,
        TABLE.replace(",", ";"),
        TABLE.replace(",", "\t"),
        TABLE.replace("Cid,BYE,2-0", "-,Cid,0-2"),
        TABLE.replace("Cid,BYE", "Cid,"),
        TABLE.replace("2,Ann,Cid,1-1-1\n", "2,Ann,Cid,1-1-1\n2,Cid,Ann,1-1-1\n"),
        TABLE.replace("1,Ann,Bob,2-1", "1,Bob,Ann,Ann won 2-1"),
        "round,player1,player2,player1_wins,player2_wins,draws\n"
        "1,Ann,Bob,2,1,0\n1,Cid,,2,0,0\n2,Ann,Cid,1,1,1\n",
    ],
)
def test_a_table_of_matches_gives_the_percentages(tmp_path: Path, text: str) -> None:
    archive = read(tmp_path, "cup.csv", text)
    assert rows(archive, "preset:mtg") == rows(archive) == STANDINGS
    assert archive.findings["code"][0] == "read-as"
    assert archive.quarantine.is_empty()
    assert archive.results.filter(player="Bob")["result"].to_list() == ["0", "Z"]


def test_json_of_a_platform_keeps_the_knock_out_apart(tmp_path: Path) -> None:
    archive = read(tmp_path, "cup.json", PLATFORM)
    assert rows(archive, "preset:mtg") == STANDINGS
    assert archive.tournaments["tournament"].to_list() == ["cup", "cup-playoff"]
    assert str(archive.tournaments["start"][0]) == "2024-05-01"
    cup = archive.players.filter(tournament="cup")
    assert cup.select("player", "rank", "points", "OMWP", "GWP").rows() == [
        ("Ann", 2, 4.0, 0.3317, 0.5556), ("Bob", 3, 0.0, 0.6667, 0.3333),
        ("Cid", 1, 4.0, 0.6667, 0.6667),
    ]  # fmt: skip
    (repeated,) = archive.findings.filter(code="match-repeated")["message"]
    assert "rounds[1].matches[1]" in repeated
    assert archive.results.filter(tournament="cup-playoff")["result"].to_list() == ["1", "0"]


def test_a_match_listed_twice_alike_counts_once_with_a_warning(tmp_path: Path) -> None:
    archive = read(tmp_path, "cup.csv", TABLE + "1,Ann,Bob,2-1\n")
    assert rows(archive) == STANDINGS
    found = archive.findings.filter(code="match-repeated").select("severity", "line").rows()
    assert found == [("warning", 5)]


def test_percentages_of_losers_are_raised(tmp_path: Path) -> None:
    """Opponents with 0-3, 1-2 and 2-1 make 44.33 %, and 44.44 % where 1/3 is the least.

    Source: case 19 of the reports, after appendix C of the tournament rules.
    """
    pairs = [["Pat Amy", "Dan Ben", "Cat Eve"], ["Pat Ben", "Eve Amy", "Cat Dan"],
             ["Pat Cat", "Dan Amy", "Ben Eve"]]  # fmt: skip
    rounds = [
        {"RoundName": f"Round {number}", "Matches": [
            dict(zip(("Player1", "Player2"), pair.split(), strict=True)) | {"Result": "2-0-0"}
            for pair in group]}
        for number, group in enumerate(pairs, start=1)
    ]  # fmt: skip
    archive = read(tmp_path, "cup.json", {"Rounds": rounds})
    values = archive.tiebreaks("PTS mtg.OMW mtg.OMW/K3").filter(player="Pat").row(0)[2:]
    assert values == (
        9.0, pytest.approx((0.33 + 1 / 3 + 2 / 3) / 3), pytest.approx((1 / 3 + 1 / 3 + 2 / 3) / 3),
    )  # fmt: skip


def test_json_of_tables_and_winners(tmp_path: Path) -> None:
    archive = read(tmp_path, "cup.json", TABLES)
    assert {player: values[:2] for player, values in rows(archive, "PTS mtg.OMW").items()} == {
        player: values[:2] for player, values in STANDINGS.items()
    }
    assert str(archive.tournaments["start"][0]) == "2024-05-01"
    assert archive.tournaments["criteria"].to_list() == ["PTS mtg.OMW", None], "games are not told"
    assert archive.players.filter(tournament="cup")["opponentWinRate"].to_list() == [
        None, None, 0.66,
    ]  # fmt: skip


def test_knock_out_rounds_with_numbers_are_found_by_their_winners(tmp_path: Path) -> None:
    pairs = {1: ("AB", "CD", "EF", "GH"), 2: ("AC", "EG", "BD", "FH")}
    swiss = [f"{turn},{a},{b},2-0" for turn, pair in pairs.items() for a, b in pair]
    cup = ["3,A,E,2-0", "3,C,G,2-0", "4,A,C,2-1"]
    text = "\n".join(["round,player1,player2,result", *swiss, *cup])
    archive = read(tmp_path, "cup.csv", text)
    assert archive.tournaments.select("tournament", "rounds").rows() == [
        ("cup", 2), ("cup-playoff", 2),
    ]  # fmt: skip
    (found,) = archive.findings.filter(code="playoff-assumed").select("severity", "message").rows()
    assert found[0] == "warning"
    assert "rounds 3 to 4" in found[1]
    # E, who lost, plays the last match: this is no knock-out.
    other = read(tmp_path, "swiss.csv", text.replace("4,A,C", "4,A,E"))
    assert other.tournaments["rounds"].to_list() == [4]


def test_several_events_in_one_table(tmp_path: Path) -> None:
    text = "event,round,player1,player2,result\nx,1,Ann,Bob,2-0\ny,1,Ann,Bob,0-2\n"
    archive = read(tmp_path, "all.csv", text)
    assert archive.standings("PTS").select("tournament", "player").rows()[::2] == [
        ("x", "Ann"), ("y", "Bob"),
    ]  # fmt: skip


def test_a_bad_event_does_not_stop_the_others(tmp_path: Path) -> None:
    text = "event,round,player1,player2,result\nx,1,Ann,Bob,2-0\ny,1,Ann,Ann,0-2\nz,1,A,B,1-0\n"
    archive = read(tmp_path, "all.csv", text)
    assert archive.tournaments["tournament"].to_list() == ["x", "z"]
    assert archive.quarantine.select("tournament", "code", "line", "rows").rows() == [
        ("y", "match-unread", 3, 2)
    ]  # fmt: skip
    listed = read(tmp_path, "all.json", [PLATFORM, {**PLATFORM, "Rounds": 3}, TABLES, []])
    assert listed.tournaments["tournament"].to_list() == [
        "all-1", "all-1-playoff", "cup-1", "cup-1-playoff",
    ]  # fmt: skip
    assert listed.quarantine.select("tournament", "code").rows() == [
        ("all-2", "wrong-type"), ("all-4", "wrong-type"),
    ]  # fmt: skip
    assert "[1].rounds" in listed.quarantine["message"][0]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (TABLE.replace("2-1", "won"), "match-unread", 2),
        (TABLE.replace("Ann,Bob", "Ann,Ann"), "match-unread", 2),
        (TABLE + "2,Cid,Ann,2-0\n", "matches-disagree", 5),
        (TABLE.replace("1,Ann", '1,"Ann'), "damaged-table", 4),
        ("round,player1,player2,result\n", "no-games", None),
    ],
)
def test_tables_refused_name_the_line(
    tmp_path: Path, text: str, code: str, line: int | None
) -> None:
    archive = read(tmp_path, "cup.csv", text)
    assert archive.quarantine.select("code", "line").rows() == [(code, line)]


@pytest.mark.parametrize(
    ("change", "code", "place"),
    [
        ({"Rounds": 3}, "wrong-type", "rounds"),
        ({"Rounds": [7]}, "wrong-type", "rounds[0]"),
        ({"Rounds": [{"Matches": [{"Player1": ["x"], "Player2": "y"}]}]}, "wrong-type",
         "rounds[0].matches[0]"),
        ({"Rounds": [{"Matches": []}]}, "no-games", "no matches"),
        ({"Standings": [{"Player": "Ann"}, {"Player": "Ann"}]}, "player-repeated", "standings[1]"),
    ],
)  # fmt: skip
def test_json_of_wrong_types_names_the_place(
    tmp_path: Path, change: dict[str, Any], code: str, place: str
) -> None:
    archive = read(tmp_path, "cup.json", {**PLATFORM, **change})
    (found,) = archive.quarantine.select("code", "message").rows()
    assert found[0] == code
    assert place in found[1]


def test_an_open_match_and_a_lost_bye_are_told(tmp_path: Path) -> None:
    archive = read(tmp_path, "cup.csv", TABLE.replace("1-1-1", "0-0-0").replace("BYE,2-0", "-,0-2"))
    found = archive.findings.filter(severity="warning").select("code", "line", "player").rows()
    assert sorted(found) == [("bye-assumed", 3, "Cid"), ("result-open", 4, None)]
    assert archive.results.filter(player="Cid")["result"].to_list() == ["Z", "*"]


def test_tdf_gives_points_and_percentages(tmp_path: Path) -> None:
    archive = read(tmp_path, "cup.tdf", TDF)
    # Ann: 1 + 1/2 of 2. Cid: half of 1, without the bye. Bob: 0, raised to 25 %.
    # Cid met Ann, 75 %; Ann met Bob and Cid, (25 + 50) / 2 %. Bob left after round 1, when Ann had
    # won all.
    assert rows(archive) == rows(archive, "preset:pokemon") == {
        "3": (4.0, 0.75, 0.375), "1": (4.0, 0.375, 0.75), "2": (0.0, 1.0, 0.25),
    }  # fmt: skip
    assert archive.players.filter(tournament="cup").select(
        "name", "rank", "dropped_after"
    ).rows() == [("Ann Ek", None, None), ("Bob", None, 1), ("Cid", 1, None)]
    assert archive.tournaments["tournament"].to_list() == ["cup", "cup-playoff"]
    assert str(archive.tournaments["start"][0]) == "2026-06-20"
    assert archive.findings.filter(code="playoff-apart")["line"].to_list() == [18]


def test_tdf_has_who_left_before_the_first_round(tmp_path: Path) -> None:
    late = '<player userid="4"/><player userid="5"/></players>\n<pods>'
    text = TDF.replace("</players>\n<pods>", late)
    archive = read(tmp_path, "a.tdf", text)
    mine = archive.results.filter(tournament="a", player="4")
    assert mine["result"].to_list() == ["Z", "Z"]
    # Of several pods, the standings tell who belongs to which, and nobody to whom 5 belongs.
    pod = '<pod category="1"><rounds><round number="1" type="3"><match outcome="5">' \
          '<player userid="3"/></match></round></rounds></pod></pods>'  # fmt: skip
    text = text.replace("</pods>", pod).replace(
        "</standings>", '<pod category="1" type="dnf"><player id="4"/></pod></standings>'
    )
    archive = read(tmp_path, "b.tdf", text)
    assert archive.results.filter(tournament="b-1").select("player", "result").rows() == [
        ("3", "U"), ("4", "Z"),
    ]  # fmt: skip
    found = archive.findings.filter(code="player-without-match")
    assert found.select("severity", "player", "tournament", "line").rows() == [
        ("warning", "5", "b-2", 9)
    ]  # fmt: skip


def test_a_bad_pod_does_not_stop_the_others(tmp_path: Path) -> None:
    match = '<match outcome="1"><player1 userid="3"/><player2 userid="9"/></match>'
    pod = f'<pod category="1"><rounds><round number="1">{match}</round></rounds></pod></pods>'
    archive = read(tmp_path, "a.tdf", TDF.replace("</pods>", pod))
    assert archive.tournaments["tournament"].to_list() == ["a-2", "a-2-playoff"]
    assert archive.quarantine.select("tournament", "code", "line", "rows").rows() == [
        ("a-1", "match-unread", 21, 2)
    ]  # fmt: skip


def test_tdf_oddities(tmp_path: Path) -> None:
    archive = read(tmp_path, "a.tdf", TDF.replace('outcome="3"', 'outcome="10"'))
    (found,) = archive.findings.filter(severity="error").select("code", "line", "round").rows()
    assert found == ("outcome-unknown", 16, 2)
    assert archive.results.filter(tournament="a", player="1")["result"].to_list() == ["1", "*"]
    strange = read(tmp_path, "b.tdf", TDF.replace('<player2 userid="2"/>', '<player2 userid="9"/>'))
    assert strange.quarantine.select("code", "line").rows() == [("match-unread", 12)]
    none = read(tmp_path, "c.tdf", TDF.replace("match ", "mitch ").replace("/match>", "/mitch>"))
    assert none.quarantine["code"].to_list() == ["no-games"]


def test_a_real_event_of_the_organisers_program(tmp_path: Path, cases: Path) -> None:
    case = json.loads(
        (cases / "reports" / "18_pokemon_tom_23_players_bye_drops.json").read_text("utf-8")
    )
    outcome = {"1-0": 1, "0-1": 2, "1/2": 3}
    players = "".join(
        f'<player userid="{one["id"]}">'
        + (f"<dropped><round>{after}</round></dropped>"
           if (after := one["dropped_after_round"]) is not None else "")
        + "</player>"
        for one in case["players"]
    )  # fmt: skip
    rounds = ""
    for number in range(1, case["rounds_total"] + 1):
        here = [match for match in case["matches"] if match["round"] == number]
        rounds += f'<round number="{number}" type="3">' + "".join(
            f'<match outcome="5"><player userid="{one["bye"]}"/></match>' if "bye" in one else
            f'<match outcome="{outcome[one["result"]]}"><player1 userid="{one["p1"]}"/>'
            f'<player2 userid="{one["p2"]}"/></match>'
            for one in here) + "</round>"  # fmt: skip
    text = (
        f'<tournament gametype="x"><players>{players}</players>'
        f'<pods><pod category="2"><rounds>{rounds}</rounds></pod></pods></tournament>'
    )
    archive = read(tmp_path, "event.tdf", text)
    left = {one["id"] for one in case["players"] if one["dropped_after_round"] is not None}
    order = archive.standings("PTS pokemon.OWP/K3 pokemon.OOWP/K3")
    stayed = [player for player in order["player"] if player not in left]
    published = case["expected"]["published_places"]
    assert stayed == [player for player in published if player not in left]
    points = dict(order.select("player", "PTS").rows())
    assert points == case["expected"]["points"]
