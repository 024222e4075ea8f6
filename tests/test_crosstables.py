"""Crosstables of many shapes and languages, read as what they say; written ones read back."""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import xlsxwriter

import tbframe as tb
from tbframe.errors import SourceError


def games(archive: tb.Archive) -> dict[int, str]:
    """Write the results of each player on one line: opponent, color, result of each round."""
    return {
        player: " ".join(
            f"{row['opponent'] or ''}{row['color'] or ''}{row['result']}"
            for row in rows.iter_rows(named=True)
        )
        for (player,), rows in archive.results.group_by("player", maintain_order=True)
    }


def codes(archive: tb.Archive, severity: str = "") -> list[str]:
    found = archive.findings
    return (found.filter(severity=severity) if severity else found)["code"].to_list()


def said(archive: tb.Archive, code: str) -> list[str]:
    return archive.findings.filter(code=code)["message"].to_list()


#: One Swiss of four players as programs and people of several countries write it: 1 beats 4 and
#: 2, draws with 3; 2 beats 3, has a bye; 3 wins against 4, who did not come; 4 has half a point.
SWISS = {
    1: "4b1 2w1 3b=",
    2: "3b1 1b0 U",
    3: "2w0 4b+ 1w=",
    4: "1w0 3w- H",
}
WITHOUT_COLORS = {
    1: "41 21 3=",
    2: "31 10 U",
    3: "20 4+ 1=",
    4: "10 3- H",
}
#: The color of a forfeit is not in all tables.
COLORLESS_FORFEIT = {**SWISS, 3: "2w0 4+ 1w=", 4: "1w0 3- H"}
SHAPES = {
    "English, with lines above": """From the Tournament-Database of Chess-Results,,,,,,
Cup 2026 ,,,
Last update 13.02.2026 18:17:32,,,
Rk.,,Name,Rtg,FED,1.Rd,2.Rd,3.Rd,Pts. ,TB1
1,GM,Ada A ,2020,SWE, 4b1,  2w1,  3b½,2.5,3.5
2,,Bo B,1971,SWE, 3b1, 1b0, -1,2,3
3,WFM,Cy C,1904,SWE, 2w0, 4b+,  1w½,1.5,3.5
4,,Di D,1926,SWE, 1w0, 3w-,  -½,0.5,5
""",
    "German, slashes and forfeits without a color": """Stadtmeisterschaft 1998
Fortschrittstabelle: Stand nach der 3. Runde;;
Nr.;Teilnehmer;ELO;NWZ;1;2;3;Punkte;Buchh;SoBerg
1.;Ada;2159;2161;4s/1;2w/1;3s/½;2,5;19.0;17,00
2.;Bo;2147;2114;3s/1;1s/0;spielfrei;2,0;19.0;13.00
3.;Cy;1767;;2w/0;4/+;1w/½;1,5;19.0;12.75
4.;Di;;1816;1w/0;3/-;-½;0,5;14.5;7.75
""",
    "French, the result first": """Pl;;Nom;Elo;Cat.;Fede;R 1;R 2;R 3;Pts;Tr.;Bu.
1;g;ADA;2611 F;SenF;UKR;+ 4N;+ 2B;= 3N;2½;5;5,5
2;;BO;1200 N;PupM;FRA;+ 3N;- 1N;EXE;2;5;5,5
3;;CY;1399 E;BenF;FRA;- 2B;> 4N;= 1B;1½;5;5
4;;DI;1500 N;SenM;FRA;- 1B;< 3B;½;½;5;5
""",
    "Spanish": """Nº;Nombre;Elo;FED;1.Rda;2.Rda;3.Rda;Ptos.;Des 1
1;Ada;2100;ESP;4n1;2b1;3n½;2½;2,5
2;Bo;2000;ESP;3n1;1n0;descansa;2;5
3;Cy;1900;MEX;2b0;4n+;1b½;1½;5
4;Di;;CRC;1b0;3b-;-½;½;4
""",
    "Portuguese, points of the color": """Pos;Jogador;Elo;Rd.1;Rd.2;Rd.3;Pontos
1;Ada;2100;4p1;2b1;3p½;2,5
2;Bo;2000;3p1;1p0;folga 1;2
3;Cy;1900;2b0;4p+;1b½;1,5
4;Di;;1b0;3b-;folga ½;0,5
""",
    "Italian": """Pos\tGiocatore\tRating\tT 1\tTurno 2\tTurno 3\tPunti
1\tAda\t2100\t4n1\t2b1\t3n½\t2,5
""".replace("T 1", "Turno 1")
    + "2\tBo\t2000\t3n1\t1n0\triposo 1\t2\n3\tCy\t1900\t2b0\t4n+\t1b½\t1,5\n"
    + "4\tDi\t\t1b0\t3b-\triposo ½\t0,5\n",
    "Dutch": """Nr.;Naam;Rating;Ronde 1;Ronde 2;Ronde 3;Punten
1;Ada;2100;4z1;2w1;3z½;2½
2;Bo;2000;3z1;1z0;vrij 1;2
3;Cy;1900;2w0;4z+;1w½;1½
4;Di;;1w0;3w-;vrij ½;½
""",
    "Polish": """M-ce;Nazwisko i imię;Ranking;R1;R2;R3;Pkt
1;Ada;2100;4c1;2b1;3c½;2.5
2;Bo;2000;3c1;1c0;pauza 1;2
3;Cy;1900;2b0;4c+;1b½;1.5
4;Di;1800;1b0;3b-;pauza ½;0.5
""",
    "Hungarian": """Hely;Név;Értékszám;1.ford;2.ford;3.ford;Pont
1;Ada;2100;4s1;2v1;3s½;2,5
2;Bo;2000;3s1;1s0;szabad 1;2
3;Cy;1900;2v0;4s+;1v½;1,5
4;Di;1800;1v0;3v-;szabad ½;0,5
""",
    "Russian": """№;Фамилия, имя;Рейт.;Страна;1 тур;2 тур;3 тур;Очки;Бухг.
1;Ада;2400;RUS;4ч1;2б1;3ч½;2,5;4
2;Бо;2300;RUS;3ч1;1ч0;свободен 1;2;4
3;Ки;2200;RUS;2б0;4ч+;1б½;1,5;5
4;Ди;2100;KAZ;1б0;3б-;-½;0,5;6
""",
    "color and result before the opponent": """Rank|Player|R1|R2|R3|Score
1|Ada|b1 4|w1 2|b½ 3|2.5
2|Bo|b1 3|b0 1|-1|2
3|Cy|w0 2|b+ 4|w½ 1|1.5
4|Di|w0 1|w- 3|-½|.5
""",
    "result, color, opponent": """No,Name,Rd 1,Rd 2,Rd 3,Total
1,Ada,1 (b4),1 (w2),½ (b3),2.5
2,Bo,1 (b3),0 (b1),bye 1,2
3,Cy,0 (w2),+ (b4),½ (w1),1.5
4,Di,0 (w1),- (w3),bye ½,0.5
""",
    "result and color behind the opponent": """No;Name;1.Rd;2.Rd;3.Rd;Pts
1;Ada;4:1b;2:1w;3:½b;2.5
2;Bo;3:1b;1:0b;-1;2
3;Cy;2:0w;4:+b;1:½w;1.5
4;Di;1:0w;3:-w;-½;0.5
""",
    "color, opponent, result": """No;Name;1.Rd;2.Rd;3.Rd;Pts
1;Ada;B4 1;W2 1;B3 =;2.5
2;Bo;B3 1;B1 0;bye=1;2
3;Cy;W2 0;B4 +;W1 =;1.5
4;Di;W1 0;W3 -;bye =;0.5
""".replace("bye=1", "bye 1"),
    "points and fractions in ASCII": """No;Name;1.Rd;2.Rd;3.Rd;Pts
1;Ada;4b1.0;2w1.0;3b0.5;2.5
2;Bo;3b1;1b0.0;-1;2
3;Cy;2w0;4b+;1w1/2;1 1/2
4;Di;1w0;3w-;-1/2;1/2
""",
    "halves that are broken": """No;Name;1.Rd;2.Rd;3.Rd;Pts
1;Ada;4b1;2w1;3b�;2,5
2;Bo;3b1;1b0;-1;2
3;Cy;2w0;4b+;1w«;1,5
4;Di;1w0;3w-;-Â½;0,5
""",
    "three cells a round": """<table><tr><th>No<th>Name<th colspan=3>1.Rd<th colspan=3>2.Rd
<th colspan=3>3.Rd<th>Pts
<tr><td>1<td>Ada<td>4<td>b<td>1<td>2<td>w<td>1<td>3<td>b<td>&frac12;<td>2&frac12;
<tr><td>2<td>Bo<td>3<td>b<td>1<td>1<td>b<td>0<td><td><td>-1<td>2
<tr><td>3<td>Cy<td>2<td>w<td>0<td>4<td>b<td>+<td>1<td>w<td>&frac12;<td>1&frac12;
<tr><td>4<td>Di<td>1<td>w<td>0<td>3<td>w<td>-<td><td><td>-&frac12;<td>&frac12;</table>""",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_one_event_in_many_shapes(shape: str) -> None:
    archive = tb.read_crosstable(SHAPES[shape])
    assert archive.quarantine.is_empty(), archive.quarantine["message"].to_list()
    expected = COLORLESS_FORFEIT if "forfeits without a color" in shape else SWISS
    assert games(archive) == expected
    assert archive.players["points"].to_list() == [2.5, 2.0, 1.5, 0.5]
    # The declared points are those of the results, under any way of writing them.
    assert archive.audit().codes.filter(code="points")["match_rate"].to_list() == [1.0]
    assert "error" not in archive.check()["severity"]


def test_columns_of_players_are_kept() -> None:
    archive = tb.read_crosstable(SHAPES["English, with lines above"])
    assert archive.players.row(0, named=True) == {
        "tournament": "table", "player": 1, "name": "Ada A", "sex": None, "title": "GM",
        "rating": 2020, "federation": "SWE", "id": None, "birth": None, "points": 2.5, "rank": 1,
        "TB1": 3.5,
    }  # fmt: skip
    assert archive.tournaments["name"].to_list() == ["Cup 2026"]
    french = tb.read_crosstable(SHAPES["French, the result first"]).players
    assert french["rating"].to_list() == [2611, 1200, 1399, 1500]
    assert french["Bu."].to_list() == [5.5, 5.5, 5.0, 5.0]
    german = tb.read_crosstable(SHAPES["German, slashes and forfeits without a color"]).players
    assert german["SoBerg"].to_list() == [17.0, 13.0, 12.75, 7.75]
    assert german["NWZ"].to_list() == [2161.0, 2114.0, None, 1816.0]


def test_official_tie_breaks_can_be_audited() -> None:
    # By hand: the opponents of 1 have 0.5 + 2 + 1.5 points, those of 2 have 1.5 + 2.5 and a bye
    # (against himself with 2), those of 3 have 2 + 0.5 + 2.5, with a dummy (1.5) for the forfeit.
    archive = tb.read_crosstable(SHAPES["English, with lines above"].replace("TB1", "WON"))
    audit = archive.audit()
    # Games won over the board: 2, 1, 0, 0; the column says 3.5, 3, 3.5, 5.
    assert audit.codes.filter(code="WON").select("players", "matches").row(0) == (4, 0)
    right = archive.players.select("player", WON=pl.Series([2, 1, 0, 0]))
    assert archive.audit(official=right).codes.filter(code="WON")["matches"].to_list() == [4]


def test_american_letters() -> None:
    archive = tb.read_crosstable(
        "#,Name,Rtng,Rd 1,Rd 2,Rd 3,Total\n"
        '1,"Smith, A",1850,W3,D2,W4,2.5\n2,"Jones, B",1790,W4,D1,H---,2.0\n'
        '3,"Lee, C",1820,L1,B---,W5,2\n4,"Poe, D",1500,L2,U---,L1,0\n5,"Doe, E",1400,,,L3,0\n'
    )
    assert games(archive) == {1: "31 2= 41", 2: "41 1= H", 3: "10 U 51", 4: "20 Z 10", 5: "Z Z 30"}
    assert said(archive, "blank-rounds") == ["blank rounds read as absence (Z): 2"]


def test_wall_charts_with_two_lines_for_each_player() -> None:
    archive = tb.read_crosstable(
        "--------------------------------------\n"
        " Pair | Player Name        |Total|Round|Round| \n"
        " Num  | USCF ID / Rtg (Pre->Post) | Pts |  1  |  2  | \n"
        "--------------------------------------\n"
        "    1 | ADA SMITH          |1.5  |W   2|D   3|\n"
        "   ON | 15445895 / R: 1794   ->1817 |N:2  |W    |B    |\n"
        "--------------------------------------\n"
        "    2 | BO JONES           |0.5  |L   1|H    |\n"
        "   MI | 14598900 / R: 1553P12->1663 |     |B    |     |\n"
        "--------------------------------------\n"
        "    3 | CY POE             |1.5  |B    |D   1|\n"
        "   OH | 14959604 / R: 980   ->1640 |     |     |W    |\n"
    )
    assert games(archive) == {1: "2w1 3b=", 2: "1b0 H", 3: "U 1w="}
    assert archive.players["rating"].to_list() == [1794, 1553, 980]
    assert archive.players["id"].to_list() == ["15445895", "14598900", "14959604"]


# numbers of opponents


STARTING_LIST = """No.;Name;Rtg;1.Rd;2.Rd;3.Rd;Pts;Rk.
1;Ann;2300;3w1;2b½;4w0;1½;2
2;Bob;2200;4b1;1w½;3b½;2;1
3;Cid;2100;1b0;4w½;2w½;1;4
4;Dan;2000;2w0;3b½;1b1;1½;3
"""
#: The same, by rank, with the starting numbers of the opponents and with their ranks.
BY_START = """Rk;No.;Name;1.Rd;2.Rd;3.Rd;Pts
1;2;Bob;4b1;1w½;3b½;2
2;1;Ann;3w1;2b½;4w0;1½
3;4;Dan;2w0;3b½;1b1;1½
4;3;Cid;1b0;4w½;2w½;1
"""
BY_RANK = """Rk;No.;Name;1.Rd;2.Rd;3.Rd;Pts
1;2;Bob;3b1;2w½;4b½;2
2;1;Ann;4w1;1b½;3w0;1½
3;4;Dan;1w0;4b½;2b1;1½
4;3;Cid;2b0;3w½;1w½;1
"""


@pytest.mark.parametrize(
    ("text", "by"),
    [(STARTING_LIST, "starting number"), (BY_START, "starting number"), (BY_RANK, "rank")],
)
def test_ranks_and_starting_numbers_are_told_apart(text: str, by: str) -> None:
    archive = tb.read_crosstable(text)
    assert games(archive) == {
        1: "3w1 2b= 4w0", 2: "4b1 1w= 3b=", 3: "1b0 4w= 2w=", 4: "2w0 3b= 1b1",
    }  # fmt: skip
    assert archive.players["rank"].to_list() == [2, 1, 4, 3]
    (message,) = said(archive, "opponents-numbered")
    assert message == f"opponents are numbered by their {by}: 12 of 12 games stand in both rows"


def test_numbers_may_be_said() -> None:
    wrong = tb.read_crosstable(BY_RANK, numbers="start", contradictions="keep")
    assert "results-disagree" in codes(wrong, "error")
    assert wrong.quarantine["code"].to_list() == ["meets-himself"]
    assert tb.read_crosstable(BY_RANK, numbers="start").quarantine["code"][0] == "meets-himself"
    assert games(tb.read_crosstable(BY_RANK, numbers="rank"))[1] == "3w1 2b= 4w0"
    none = tb.read_crosstable(BY_RANK.replace("No.", "Club"), numbers="start")
    assert none.quarantine["code"].to_list() == ["numbers-missing"]


def test_rows_are_counted_where_ranks_are_shared() -> None:
    archive = tb.read_crosstable(
        "Rk;Name;1.Rd;Pts\n1;Ann;4w1;1\n;Bob;3w1;1\n3;Cid;2b0;0\n;Dan;1b0;0\n"
    )
    assert games(archive) == {1: "4w1", 2: "3w1", 3: "2b0", 4: "1b0"}
    assert archive.players["rank"].to_list() == [1, 1, 3, 3]
    assert codes(archive).count("rank-shared") == 1


def test_numbers_that_contradict_each_other_are_set_aside() -> None:
    archive = tb.read_crosstable(
        "No.;Name;1.Rd;2.Rd;Pts\n1;Ann;3w1;4w1;2\n2;Bob;1b0;3b0;0\n"
        "3;Cid;2w1;1w1;2\n4;Dan;3b0;2b0;0\n"
    )
    assert archive.tournaments.is_empty()
    (row,) = archive.quarantine.to_dicts()
    assert row["code"] == "opponents-contradict"
    assert "of 8 games few stand in the rows of both players" in row["message"]
    assert row["rows"] == 8


CONTRADICTION = """No.;Name;1.Rd;2.Rd;Pts
1;Ann;2w1;3b1;2
2;Bob;1b1;4w1;2
3;Cid;4b1;1w0;1
4;Dan;3w0;2b0;0
"""


def test_two_winners_of_a_game_set_the_table_aside_or_are_kept_when_asked() -> None:
    archive = tb.read_crosstable(CONTRADICTION)
    (row,) = archive.quarantine.to_dicts()
    assert (row["code"], row["line"]) == ("results-disagree", 2)
    assert "round 1: row 2 (Ann) and row 3 (Bob) have 1 and 1" in row["message"]
    kept = tb.read_crosstable(CONTRADICTION, contradictions="keep")
    assert games(kept)[1] == "2w1 3b1"
    assert kept.findings.filter(severity="error").select("code", "round", "player").rows() == [
        ("results-disagree", 1, "1")
    ]


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("2x", "cell-unread"),
        ("12", "cell-unread"),
        ("4w0", "opponents-disagree"),
        ("1b0", "opponents-disagree"),
        ("", "mirror-missing"),
        ("2b1", "results-disagree"),
    ],
)
def test_refusals_name_row_and_column(cell: str, code: str) -> None:
    text = CONTRADICTION.replace("1b1", "1b0").replace("2b0", cell)
    (row,) = tb.read_crosstable(text).quarantine.to_dicts()
    assert row["code"] == code
    assert "row 5 (Dan)" in row["message"] or "row 3 (Bob)" in row["message"]
    assert "2.Rd" in row["message"] or "round 2" in row["message"]


def test_colors_that_disagree_are_told_and_change_nothing() -> None:
    archive = tb.read_crosstable(CONTRADICTION.replace("1b1", "1w0"))
    assert games(archive)[2] == "1w0 4w1"
    assert "colors-disagree" in codes(archive, "warning")
    assert "colors-disagree" in archive.check().filter(severity="error")["code"]


def test_opponents_without_a_row_are_told() -> None:
    archive = tb.read_crosstable(
        "No.;Name;1.Rd;2.Rd;Pts\n1;Ann;2w1;9b1;2\n2;Bob;1b0;3w1;1\n3;Cid;4b1;2b0;1\n4;Dan;3w0;-0;0\n"
    )
    assert games(archive)[1] == "2w1 9b1"
    assert said(archive, "opponent-without-row") == [
        "row 2 (Ann): there is no player with the number 9"
    ]


def test_results_without_opponents_are_no_byes() -> None:
    text = "No.;Name;1.Rd;2.Rd;Pts\n1;Ann;1;½;1½\n2;Bob;0;½;½\n3;Cid;1;0;1\n4;Dan;0;1;1\n"
    (row,) = tb.read_crosstable(text).quarantine.to_dicts()
    assert row["code"] == "opponents-missing"
    assert "5 cells have points and name no opponent" in row["message"]


# byes and blank rounds


def test_a_row_for_nobody_is_a_bye() -> None:
    archive = tb.read_crosstable(
        "No.;Name;1.Rd;2.Rd;Pts\n1;Ann;2w1;3b1;2\n2;Bob;1b0;4w1;1\n3;Cid;4b1;1w0;1\n4;bye;3w0;2b0;0\n"
    )
    assert games(archive) == {1: "2w1 3b1", 2: "1b0 U", 3: "U 1w0"}
    assert "bye-rows" in codes(archive)


def test_declared_points_tell_what_a_blank_round_or_bye_was() -> None:
    text = "No.;Name;1.Rd;2.Rd;Pts\n1;Ann;2w1;{0};{1}\n2;Bob;1b0;3w1;1\n3;Cid;4b1;2b0;1\n"
    text += "4;Dan;3w0;;0\n"
    for cell, points, expected in (
        ("", "1", "Z"), ("", "1,5", "H"), ("", "2", "U"), ("bye", "2", "U"), ("bye", "1½", "H"),
        ("bye", "1", "Z"), ("bye", "", "U"),
    ):  # fmt: skip
        archive = tb.read_crosstable(text.format(cell, points))
        assert games(archive)[1] == f"2w1 {expected}", (cell, points)
        told = archive.findings.filter(code="bye-assumed", round=2)["severity"].to_list()
        assert told == {
            ("", "1"): [], ("bye", "2"): ["info"], ("bye", "1½"): ["info"], ("bye", "1"): ["info"],
        }.get((cell, points), ["warning"]), (cell, points)  # fmt: skip


def test_rounds_to_come_are_no_rounds() -> None:
    archive = tb.read_crosstable(
        "No.;Name;1.Rd;2.Rd;3.Rd;Pts\n1;Ann;2w1;3b;0w0;1\n2;Bob;1b0;-1;0w0;1\n3;Cid;-1;1w;;1\n"
    )
    assert games(archive) == {1: "2w1 3b*", 2: "1b0 U", 3: "U 1w*"}
    assert archive.results["round"].max() == 2
    assert archive.findings.filter(code="round-left-out")["round"].to_list() == [3]


def test_points_of_3_1_0() -> None:
    archive = tb.read_crosstable(
        "Pl,Player,1,2,3,Points\n1,A,2w1,3b½,4w1,7\n2,B,1b0,4w1,3b½,4\n3,C,4b1,1w½,2w½,5\n"
        "4,D,3w0,2b0,1b0,0\n"
    )
    assert archive.tournaments["scoring"].to_list() == ["W=3 D=1 L=0"]
    assert archive.standings("PTS")["PTS"].to_list() == [7.0, 5.0, 4.0, 0.0]
    assert "scoring-assumed" in codes(archive, "warning")


def test_teams_with_the_points_of_their_boards() -> None:
    archive = tb.read_crosstable(
        "Rk.\tMannschaft\t1.Rd\t2.Rd\tTB1\tTB2\n1\tRooks\t2w3\t3b2½\t4\t5½\n2\tKings\t1b1\t4w4\t2\t5\n"
        "3\tPawns\t4b2\t1w1½\t1\t3½\n4\tQueens\t3w2\t2b0\t1\t2\n"
    )
    assert games(archive) == {1: "2w1 3b1", 2: "1b0 4w1", 3: "4b= 1w0", 4: "3w= 2b0"}
    assert archive.tournaments.select("kind", "boards").row(0) == ("team", 4)
    standings = archive.standings("MPTS GPTS").select("player", "MPTS", "GPTS").rows()
    # The columns TB1 and TB2 are match points and board points.
    assert standings == [(1, 4.0, 5.5), (2, 2.0, 5.0), (3, 1.0, 3.5), (4, 1.0, 2.0)]


# all against all


MATRIX = {1: "41 21 3=", 2: "31 10 41", 3: "20 41 1=", 4: "10 30 20"}
ROBINS = {
    "numbers": """Pl.;Name;1;2;3;4;Pkt.;SB
1;Ann;x;1;½;1;2½;3
2;Bob;0;x;1;1;2;1
3;Cid;½;0;x;1;1½;1,25
4;Dan;0;0;0;x;0;0
""",
    "names": """Participants\tWin\tAn\tBo\tCi\tDa\tPoints
Ann\t5\t.\t1\t½\t1\t2½
Bob\t5\t0\t.\t1\t1\t2
Cid\t5\t½\t0\t.\t1\t1½
Dan\t5\t0\t0\t0\t.\t0
""",
    "letters": """No\tName\tLoc\tTotal\t#1\t#2\t#3\t#4
1\tAnn\tx\t2.5\t.\tW\tD\tW
2\tBob\tx\t2\tL\t.\tW\tW
3\tCid\tx\t1.5\tD\tL\t.\tW
4\tDan\tx\t0\tL\tL\tL\t.
""",
    "signs": """Nr;Naam;1;2;3;4;Ptn
1;Ann;;+;=;+;2½
2;Bob;-;;+;+;2
3;Cid;=;-;;+;1½
4;Dan;-;-;-;;0
""",
    "by rank, columns by lot": """Rk.;SNo;Name;1;2;3;4;Pts
3;3;Cid;½;0;*;1;1½
1;1;Ann;*;1;½;1;2½
4;4;Dan;0;0;0;*;0
2;2;Bob;0;*;1;1;2
""",
    "markup": """<table><tr><th rowspan="2">Pl.<th rowspan="2">Player<th colspan="4">Opponent
<th rowspan="2">Points</tr><tr><th>1<th>2<th>3<th>4</tr>
<tr><td>1<td>Ann<td bgcolor="gray"><td>1<td>&frac12;<td>1<td>2&frac12;
<tr><td>2<td>Bob<td>0<td><td>1<td>1<td>2
<tr><td>3<td>Cid<td>1/2<td>0<td><td>1<td>1&frac12;
<tr><td>4<td>Dan<td>0<td>0<td>0<td><td>0</table>""",
}


@pytest.mark.parametrize("shape", ROBINS)
def test_all_against_all(shape: str) -> None:
    archive = tb.read_crosstable(ROBINS[shape])
    assert archive.quarantine.is_empty(), archive.quarantine["message"].to_list()
    # The Berger tables of four: 1-4 2-3, 4-3 1-2, 2-4 3-1.
    assert games(archive) == MATRIX
    assert archive.tournaments["pairing"].to_list() == ["predetermined"]
    assert "rounds-assumed" in codes(archive, "warning")
    # SB by hand: Ann 2 + 0.75 + 0, Bob 1.5 + 0, Cid 1.25 + 0, Dan 0.
    assert archive.tiebreaks("SB")["SB"].to_list() == [2.75, 1.5, 1.25, 0.0]


DOUBLE = {
    1: "Z 21 31 Z 2= 31", 2: "31 10 Z 30 1= Z", 3: "20 Z 10 21 Z 10",
}  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "Pl;Name;1;2;3;Pts\n1;Ann;;1½;11;3½\n2;Bob;0½;;10;1½\n3;Cid;00;01;;1\n",
        "Pl;Name;1;2;3;Pts\n1;Ann;XX;1 ½;1 1;3½\n2;Bob;0 ½;XX;1 0;1½\n3;Cid;0 0;0 1;XX;1\n",
        "Pl;Name;1;2;3;Pts\n1;Ann;■;1/½;1/1;3½\n2;Bob;0/½;■;1/0;1½\n3;Cid;0/0;0/1;■;1\n",
        "Pl;Name;1a;1b;2a;2b;3a;3b;Pts\n1;Ann;*;*;1;½;1;1;3½\n2;Bob;0;½;*;*;1;0;1½\n"
        "3;Cid;0;0;0;1;*;*;1\n",
        "<table><tr><th>Pl<th>Name<th colspan=2>1<th colspan=2>2<th colspan=2>3<th>Pts"
        "<tr><td>1<td>Ann<td colspan=2>x<td>1<td>½<td>1<td>1<td>3½"
        "<tr><td>2<td>Bob<td>0<td>½<td colspan=2>x<td>1<td>0<td>1½"
        "<tr><td>3<td>Cid<td>0<td>0<td>0<td>1<td colspan=2>x<td>1</table>",
    ],
)
def test_two_games_against_each(text: str) -> None:
    archive = tb.read_crosstable(text)
    assert archive.quarantine.is_empty(), archive.quarantine["message"].to_list()
    assert games(archive) == DOUBLE


def test_draughts_count_2_1_0() -> None:
    archive = tb.read_crosstable(
        "Nr;Naam;1;2;3;4;Ptn\n1;A;x;2;1;2;5\n2;B;0;x;2;1;3\n3;C;1;0;x;2;3\n4;D;0;1;0;x;1\n"
    )
    assert archive.tournaments["scoring"].to_list() == ["W=2 D=1 L=0"]
    assert archive.audit().codes.filter(code="points")["matches"].to_list() == [4]


def test_a_matrix_of_a_swiss_does_not_tell_its_rounds() -> None:
    text = """{}
Nr.;Teilnehmer;TWZ;1;2;3;4;Punkte;Buchh
1.;Ann;2161;**;½;1;;{};19
2.;Bob;2114;½;**;;1;1,5;3
3.;Cid;1767;0;;**;½;0.5;1
4.;Dan;1800;;0;½;**;0.5;1
"""
    for title, points, reason in (
        ("Kreuztabelle im Schweizer-System", "1,5", "it is called 'Kreuztabelle im Schweizer"),
        ("Stand", "2,5", "Ann has more points than games"),
    ):
        (row,) = tb.read_crosstable(text.format(title, points)).quarantine.to_dicts()
        assert row["code"] == "rounds-unknown"
        assert reason in row["message"]
    unfinished = tb.read_crosstable(text.format("Stand", "1,5"))
    assert games(unfinished)[1] == "4* 2= 31"
    assert said(unfinished, "games-missing") == ["2 of 6 pairs have no result: not known (*)"]


def test_uneven_numbers_of_games_are_a_contradiction() -> None:
    text = "Pl;Name;1;2;3;Pts\n1;Ann;;1½;11;3½\n2;Bob;0½;;10;1½\n3;Cid;0;01;;1\n"
    (row,) = tb.read_crosstable(text).quarantine.to_dicts()
    assert row["code"] == "games-uneven"
    assert "Ann has 2 games against Cid, whose row has 1" in row["message"]
    (row,) = tb.read_crosstable(
        ROBINS["numbers"].replace("½;0;x;1;1½", "½;0;x;9;1½")
    ).quarantine.to_dicts()
    assert row["message"] == "row 4 (Cid), column '4': '9' is no result"


# files


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "cp850", "cp1251"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    shape = "Russian" if encoding == "cp1251" else "German, slashes and forfeits without a color"
    text = SHAPES[shape].replace("Ada", "Jörg")
    if encoding == "cp1251":  # it has no ½
        text = text.replace("½", "1/2")
    path = tmp_path / "cup.csv"
    path.write_bytes(text.encode(encoding))
    archive = tb.read(path)
    assert archive.quarantine.is_empty(), archive.quarantine["message"].to_list()
    assert games(archive)[1] == "4b1 2w1 3b="
    name = archive.players["name"][0]
    if encoding == "cp850":  # nothing tells it from the usual one
        assert said(archive, "encoding-assumed") == ["is no UTF-8: read as cp1252"]
        named = tb.read_crosstable(path, encoding="cp850")
        assert named.players["name"][0] == "Jörg"
    else:
        assert name == ("Ада" if encoding == "cp1251" else "Jörg")
        assert ("encoding-assumed" in codes(archive)) == (not encoding.startswith("utf-8"))


def workbook(path: Path, *sheets: tuple[str, list[list[Any]]]) -> Path:
    with xlsxwriter.Workbook(path) as book:
        for name, rows in sheets:
            sheet = book.add_worksheet(name)
            for row, cells in enumerate(rows):
                for column, cell in enumerate(cells):
                    sheet.write(row, column, cell)
    return path


def cells_of(text: str) -> list[list[Any]]:
    return [
        [float(cell) if cell.replace(".", "", 1).isdigit() else cell for cell in line.split(",")]
        for line in text.splitlines()
    ]


def test_workbooks(tmp_path: Path) -> None:
    swiss = cells_of(SHAPES["English, with lines above"])
    path = workbook(tmp_path / "cup.xlsx", ("Notes", [["nothing here"]]), ("Open", swiss))
    archive = tb.read(path)
    assert games(archive) == SWISS
    assert archive.players["rating"].to_list() == [2020, 1971, 1904, 1926]
    assert archive.tournaments["tournament"].to_list() == ["cup"]
    two = workbook(tmp_path / "two.xlsx", ("A", swiss), ("B", swiss))
    assert tb.read(two).tournaments["tournament"].to_list() == ["two-1", "two-2"]
    assert tb.read_crosstable(two, table=2).tournaments["tournament"].to_list() == ["two"]


def test_other_workbooks_and_pages_of_a_folder_are_passed_over(tmp_path: Path) -> None:
    workbook(tmp_path / "accounts.xlsx", ("A", [["Date", "Sum"], ["x", 1]]))
    (tmp_path / "about.html").write_text("<html><p>About us</p></html>")
    (tmp_path / "cup.csv").write_text(STARTING_LIST)
    archive = tb.read(tmp_path)
    assert archive.tournaments["tournament"].to_list() == ["cup"]
    assert archive.quarantine.is_empty()
    assert codes(archive).count("file-passed-over") == 2


PAGE = """<!DOCTYPE html><html><head><title>Club</title><script>var t = "<table>";</script></head>
<body><table><tr><td>Home<td>News<td><table><tr><td>Name<td>Phone<tr><td>Ann<td>12</table></table>
<h2>Winter Open</h2><p>Date: 2018/01/05 to 2018/01/07</p><p>Number of rounds: 3</p>
<h3>Final Ranking crosstable after 3 Rounds</h3>
<table border=1><tr><th>Rk.<th><th>Name<th>1.Rd<th>2.Rd<th>3.Rd<th>TB1<th>TB2
<tr><td>1<td>GM<td><a href="x">Ada <b>A</b></a><td>4b1<td>2w1<td>3b&frac12;<td>2,5<td>4
<tr><td>2<td><td>Bo<!-- x --><td>3b1<td>1b0<td>-1<td>2<td>4,5
<tr><td>3<td><td>Cy &lt;i&gt;<td>2w0<td>4b+<td>1w½<td>1,5<td>3
<tr><td>4<td><td>Di<td>1w0<td>3w-<td>-½<td>0,5<td>2</table>
<p>Tie Break1: points (game-points)<br>Tie Break2: Buchholz Tie-Breaks</p>
<h3>Final standings</h3><table><tr><th>Rk<th>Name<th>Pts<tr><td>1<td>Ada<td>2,5</table>
</body></html>"""


def test_pages_with_several_tables(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    archive = tb.read(path)
    assert games(archive) == SWISS
    assert archive.players["name"].to_list() == ["Ada A", "Bo", "Cy <i>", "Di"]
    about = archive.tournaments.select("name", "rounds", pl.col("start").cast(pl.String)).row(0)
    assert about == ("Winter Open", 3, "2018-01-05")
    assert said(archive, "tables-chosen") == ["of 3 tables with names, crosstables are: 2"]
    # The points are in the column of the first tie-break, as the text says.
    assert archive.players["points"].to_list() == [2.5, 2.0, 1.5, 0.5]
    assert archive.players["TB2"].to_list() == [4.0, 4.5, 3.0, 2.0]
    assert said(archive, "column-explained")[1] == "Tie Break2: Buchholz Tie-Breaks"


def test_a_heading_on_every_page_begins_no_new_table() -> None:
    head, *rows = STARTING_LIST.splitlines()
    text = "\n".join([head, *rows[:2], "page 2", head, *rows[2:]])
    archive = tb.read_crosstable(text)
    assert len(games(archive)) == 4
    both = tb.read_crosstable(STARTING_LIST + "\nGroup B\n" + STARTING_LIST)
    assert both.tournaments["tournament"].to_list() == ["table-1", "table-2"]


def test_names_with_the_separator_in_them() -> None:
    archive = tb.read_crosstable("No,Name,1.Rd,Pts\n1,Smith, Ann,2w1,1\n2,Poe, Bob,1b0,0\n")
    assert archive.players["name"].to_list() == ["Smith, Ann", "Poe, Bob"]
    assert codes(archive, "warning") == ["name-joined", "name-joined"]
    (row,) = tb.read_crosstable(
        "No,Name,1.Rd,Pts\n1,A,B,C,2w1,1\n2,Bob,1b0,0\n"
    ).quarantine.to_dicts()
    assert (row["code"], row["line"]) == ("row-too-long", 2)


def test_what_the_user_knows_prevails() -> None:
    archive = tb.read_crosstable(PAGE, about={"start": date(1998, 5, 2), "pairing": "swiss"})
    assert archive.tournaments.select("start", "pairing").row(0) == (date(1998, 5, 2), "swiss")
    assert archive.findings["file"].null_count() == archive.findings.height


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"table": 0}, "counted from 1"),
        ({"table": 9}, "there are 1 tables"),
        ({"numbers": "lot"}, "'rank', 'start', 'row'"),
        ({"contradictions": "ignore"}, "'quarantine', 'keep'"),
        ({"about": {"begin": 1}}, "'begin' is no column"),
        ({"about": "x"}, "no mapping"),
        ({"encoding": "klingon"}, "none of this name"),
    ],
)
def test_options_that_are_none(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SourceError, match=message):
        tb.read_crosstable(STARTING_LIST, **options)


def test_sources_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        tb.read_crosstable(tmp_path / "missing.csv")
    with pytest.raises(SourceError, match="no crosstable in it"):
        tb.read_crosstable("Name;Phone\nAnn;12\n")
    with pytest.raises(SourceError, match="no int"):
        tb.read_crosstable(3)  # type: ignore[arg-type]
    with pytest.raises(SourceError, match="no crosstable in it"):
        tb.read_crosstable("<table></table>")


def test_damaged_and_oversized_files_are_refused_with_a_reason(tmp_path: Path) -> None:
    good = io.BytesIO(workbook(tmp_path / "a.xlsx", ("A", cells_of(STARTING_LIST))).read_bytes())
    (tmp_path / "cut.xlsx").write_bytes(good.getvalue()[:2000])
    wide = "<table><tr><td colspan=1000000>Name<td>1.Rd</table>" * 2
    (tmp_path / "wide.html").write_text(wide)
    deep = "<table><tr><td>" * 200
    (tmp_path / "deep.html").write_text(deep)
    (tmp_path / "entities.html").write_text(
        '<!DOCTYPE html [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "&a;&a;">]>'
        "<table><tr><td>Name<td>1.Rd<tr><td>&a;&b;<td>2w1</table>"
    )
    for name in ("cut.xlsx", "wide.html", "deep.html", "entities.html"):
        archive = tb.read(tmp_path / name)
        assert archive.tournaments.is_empty() or name == "entities.html"
        assert not archive.players["name"].str.contains("root:").any()
        if archive.tournaments.is_empty():
            assert archive.quarantine["message"][0]
