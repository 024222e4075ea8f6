"""Go: h9 files and tournaments of OpenGotha."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import tbframe as tb

#: Three rounds from start scores 32 (3 dan) and 30 (1 dan). Ari gives Cai two stones and has a bye
#: in the last round, for which Doe is away.
#: McMahon scores: 32 + 2 + 1 = 35, 32 + 1 = 33, 30 + 2 = 32, 30.
#: SOS: 33 + (32 + 2) + 32 = 99; 35 + 30 + 32 = 97; 30 + (35 - 2) + 33 = 96; 32 + 33 + 30 = 95.
#: SOSOS: 97 + 96 + 3 x 32 = 289; 99 + 95 + 96 = 290; 95 + 99 + 97 = 291; 96 + 97 + 3 x 30 = 283.
H9 = """\
; CL[A]
; EV[Spring cup]
; PC[FI, Turku]
; DT[2023-03-29,2023-03-31]
; TM[60]
; CM[nothing]
;
; Pl Name      Rk Co Club  MMS  SOSSOSOS
 1 Ari Ann     3d FI Turk   35   99  289 0   2+/w0  3+/w2  0+     |10000001
 2 Bae Bob     3d NO Oslo   33   97  290 0   1-/b0  4+/w0  3-/w0  |10000002
 3 Cai Cid     1D SE Lund   32   96  291 0   4+/w0  1-/b2  2+/b0  |10000003
 4 Doe Dot     1d FI Hels   30   95  283 0   3-/b0  2-/b0  0-     |10000004
"""

OPENGOTHA = """\
<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<Tournament dataVersion="201">
<Players>
<Player name="Ari" firstName="Ann" rank="3D" grade="3D" rating="2300" country="FI"/>
<Player name="Bae" firstName="Bob" rank="3D" grade="3D" rating="-900" country="NO"/>
<Player name="Cai" firstName="Cid" rank="1D" grade="1D" rating="2100" country="SE"/>
<Player name="Doe" firstName="Dot" rank="2D" grade="1D" rating="2100" smmsCorrection="-1"/>
</Players>
<Games>
<Game roundNumber="1" tableNumber="1" whitePlayer="ARIANN" blackPlayer="BAEBOB" handicap="0"
 knownColor="true" result="RESULT_WHITEWINS"/>
<Game roundNumber="1" tableNumber="2" whitePlayer="CAICID" blackPlayer="DOEDOT" handicap="0"
 knownColor="true" result="RESULT_WHITEWINS"/>
<Game roundNumber="2" tableNumber="1" whitePlayer="ARIANN" blackPlayer="CAICID" handicap="2"
 knownColor="true" result="RESULT_WHITEWINS"/>
<Game roundNumber="2" tableNumber="2" whitePlayer="BAEBOB" blackPlayer="DOEDOT" handicap="0"
 knownColor="true" result="RESULT_WHITEWINS"/>
<Game roundNumber="3" tableNumber="1" whitePlayer="BAEBOB" blackPlayer="CAICID" handicap="0"
 knownColor="true" result="RESULT_BLACKWINS"/>
</Games>
<ByePlayers><ByePlayer player="ARIANN" roundNumber="3"/></ByePlayers>
<TournamentParameterSet>
<GeneralParameterSet name="Spring cup" location="Turku" beginDate="2023-03-29"
 endDate="2023-03-31" numberOfRounds="3" genMMBar="9D" genMMFloor="30K" genMMZero="30K"
 genMMS2ValueAbsent="0" genMMS2ValueBye="2" genRoundDownNBWMMS="true"
 genCountNotPlayedGamesAsHalfPoint="false"/>
<PlacementParameterSet><PlacementCriteria>
<PlacementCriterion name="SOSM" number="2"/><PlacementCriterion name="MMS" number="1"/>
<PlacementCriterion name="SOSOSM" number="3"/><PlacementCriterion name="NULL" number="4"/>
</PlacementCriteria></PlacementParameterSet>
</TournamentParameterSet>
</Tournament>
"""

VALUES = [(35.0, 99.0, 289.0), (33.0, 97.0, 290.0), (32.0, 96.0, 291.0), (30.0, 95.0, 283.0)]
CODES = ("go.MMS", "go.SOS", "go.SOSOS")


def read(folder: Path, name: str, text: str | bytes) -> tb.Archive:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return tb.read(path)


def places(archive: tb.Archive, code: str) -> list[tuple[object, ...]]:
    return archive.findings.filter(code=code).select("line", "round", "player", "severity").rows()


def test_h9_gives_the_scores_of_the_file(tmp_path: Path) -> None:
    archive = read(tmp_path, "cup.h9", H9)
    standings = archive.standings("preset:go-mcmahon")
    assert standings.select(CODES).rows() == VALUES
    assert standings["name"].to_list() == ["Ari Ann", "Bae Bob", "Cai Cid", "Doe Dot"]
    assert archive.standings().select(CODES).rows() == VALUES, "the order is that of the columns"
    assert archive.players.select("MMS", "SOS", "SOSOS").rows() == VALUES
    assert archive.players["start_score"].to_list() == [32, 32, 30, 30]
    assert archive.players.row(2, named=True)["grade"] == "1d"
    about = archive.tournaments.row(0, named=True)
    assert (about["tournament"], about["name"], about["city"]) == ("cup", "Spring cup", "Turku")
    assert str(about["start"]) == "2023-03-29"
    assert archive.results.filter(player=1).select("color", "result", "handicap").rows() == [
        ("w", "1", 0), ("w", "1", 2), (None, "U", None),
    ]  # fmt: skip
    (read_as,) = archive.findings.filter(code="read-as")["message"]
    assert read_as == "read as Go results (h9)"
    assert archive.findings.filter(pl.col("severity") != "info").is_empty()


@pytest.mark.parametrize(
    "text",
    [
        H9.replace(" 1 ", "1\t").replace("  ", "\t"),
        H9.replace("\n", "\r\n"),
        "\ufeff" + H9,
        H9.replace("|1000000", "| 1000000"),
        H9.replace(" 0   2+/w0", " 0=   2+/w0"),
        H9.replace("MMS  SOSSOSOS", "MM SOS SOSOS 1. 2. 3."),
    ],
    ids=["tabs", "crlf", "mark", "blank", "score-like-round", "other-names"],
)
def test_h9_spellings_are_the_same(tmp_path: Path, text: str) -> None:
    archive = read(tmp_path, "cup.txt", text)
    assert archive.quarantine.is_empty()
    assert archive.standings("preset:go-mcmahon").select(CODES).rows() == VALUES


def test_h9_without_names_assumes_and_says_so(tmp_path: Path) -> None:
    text = "\n".join(line for line in H9.splitlines() if "Pl Name" not in line)
    archive = read(tmp_path, "cup.h9", text)
    assert archive.players["score_1"].to_list() == [35, 33, 32, 30]
    assert archive.players["start_score"].to_list() == [32, 32, 30, 30]
    assert places(archive, "start-score-derived") == [(None, None, None, "warning")]
    assert archive.tournaments["criteria"].to_list() == [None]


def test_h9_of_wins_has_no_start_scores(tmp_path: Path) -> None:
    text = H9.replace("MMS  SOSSOSOS", "NBW  SOSSOSOS")
    for whole, wins in (("35 ", "3 "), ("33 ", "1 "), ("32 ", "2 "), ("30 ", "0 ")):
        text = text.replace(f"   {whole}", f"   {wins}", 1)
    archive = read(tmp_path, "cup.h9", text)
    assert "start_score" not in archive.players.columns
    assert archive.tournaments["criteria"].to_list() == ["go.NBW go.SOSW go.SOSOSW"]
    # Wins 3 1 2 0; rounds without a game bring nothing: 1 + 2, 3 + 0 + 2, 0 + 3 + 1, 2 + 1.
    assert archive.tiebreaks("go.SOSW")["go.SOSW"].to_list() == [3, 5, 4, 3]


def test_h9_games_that_disagree_are_told_with_line_and_round(tmp_path: Path) -> None:
    text = H9.replace("1-/b0  4+/w0", "1+/w3  4+/w0").replace("3-/b0  2-/b0", "3-/b0  0-   ")
    archive = read(tmp_path, "cup.h9", text)
    assert places(archive, "results-disagree") == [(9, 1, "1", "warning")]
    assert places(archive, "colors-disagree") == [(9, 1, "1", "warning")]
    assert places(archive, "handicap-disagrees") == [(9, 1, "1", "warning")]
    assert places(archive, "mirror-missing") == [(10, 2, "2", "warning")]
    assert archive.results.height == 12


def test_h9_absence_and_open_results(tmp_path: Path) -> None:
    text = H9.replace("2+/w0", "2+!w0").replace("1-/b0", "1-!b0")
    text = text.replace("3-/w0", "3?/w0").replace("2+/b0", "2?/b0").replace("0-  ", "--  ")
    archive = read(tmp_path, "cup.h9", text)
    result = {
        (p, r): code for p, r, code in archive.results.select("player", "round", "result").rows()
    }
    assert (result[1, 1], result[2, 1], result[2, 3], result[4, 3]) == ("+", "-", "*", "Z")


def test_h9_shared_places_are_numbered_by_line(tmp_path: Path) -> None:
    archive = read(tmp_path, "cup.h9", H9.replace(" 3 Cai", "   Cai"))
    assert archive.players.select("player", "rank").rows() == [(1, 1), (2, 2), (3, 2), (4, 4)]
    assert archive.standings("preset:go-mcmahon").select(CODES).rows() == VALUES
    assert len(places(archive, "places-shared")) == 1


def test_h9_odd_lines_and_opponents(tmp_path: Path) -> None:
    archive = read(
        tmp_path, "cup.h9", H9.replace("4+/w0  1-/b2", "9+/w0  1-/b2") + "what is this\n"
    )
    assert places(archive, "line-ignored") == [(13, None, None, "warning")]
    assert places(archive, "opponent-without-line") == [(11, 1, "3", "error")]
    odd = read(tmp_path, "odd.h9", H9.replace("Club  MMS", "Club  MMS").replace("  33 ", "  34 "))
    assert len(places(odd, "start-score-odd")) == 0, "two of a grade decide nothing"
    himself = read(tmp_path, "self.h9", H9.replace("1-/b0", "2-/b0"))
    assert himself.quarantine.select("line", "code").rows() == [(10, "meets-himself")]
    nobody = read(tmp_path, "none.h9", "; EV[Cup]\n")
    assert nobody.quarantine["code"].to_list() == ["no-players"]


def test_h9_scores_with_halves_are_told_from_jigos_by_their_columns(tmp_path: Path) -> None:
    # 33= and 32= could be jigos; but their column has scores that can be nothing else. A rank
    # of juniors stands behind them.
    text = H9.replace("33   97  290 0 ", "33=  97  290= 1 ").replace("32   96", "32=  96")
    archive = read(tmp_path, "cup.h9", text.replace("2-/b0  0-  ", "2-/b0  0=  "))
    assert archive.players["MMS"].to_list() == [35, 33.5, 32.5, 30]
    assert archive.players["SOSOS"].to_list() == [289, 290.5, 291, 283]
    assert archive.players["start_score"].to_list() == [32, 32.5, 30.5, 30]
    assert archive.results.filter(player=4)["result"].to_list() == ["0", "0", "H"]
    jigo = read(tmp_path, "jigo.h9", H9.replace("4+/w0  3-/w0", "4=/w0  3-/w0"))
    assert jigo.results.filter(player=2)["result"].to_list() == ["0", "=", "0"]


def test_h9_halves_without_a_game_are_kept_where_the_file_keeps_them(tmp_path: Path) -> None:
    # 0= for Doe in the last round: 30 + 1/2, and the sums are of the score with the half.
    text = H9.replace("2-/b0  0-  ", "2-/b0  0=  ")
    rounded = read(tmp_path, "rounded.h9", text)
    assert rounded.players["start_score"].to_list() == [32, 32, 30, 30]
    assert rounded.tournaments["keep_halves"].to_list() == [0]
    kept = read(tmp_path, "kept.h9", text.replace("30   95", "30=  95"))
    assert kept.players["start_score"].to_list() == [32, 32, 30, 30]
    assert kept.tournaments["keep_halves"].to_list() == [1]
    assert kept.tiebreaks("go.MMS")["go.MMS"].to_list() == [35, 33, 32, 30.5]
    assert kept.tiebreaks("go.SOS")["go.SOS"].to_list() == [99, 97.5, 96.5, 95]


def test_h9_scores_of_some_groups_are_mcmahon_scores(tmp_path: Path) -> None:
    # No names, and most players begin with 0: the second column has the wins of all.
    lines = [" 1 A 5d FI Turk 6 2 2+ 3+", " 2 B 3d FI Turk 1 1 1- 4+", " 3 C 3d FI Turk 1 1 4+ 1-",
             " 4 D 3d FI Turk 0 0 3- 2-"]  # fmt: skip
    archive = read(tmp_path, "cup.h9", "; EV[Cup]\n" + "\n".join(lines))
    assert archive.players["start_score"].to_list() == [4, 0, 0, 0]
    assert places(archive, "start-score-derived") == [(None, None, None, "warning")]


def test_h9_scores_behind_the_rounds(tmp_path: Path) -> None:
    # The start scores before the rounds have a name of their own; that behind is in Cyrillic.
    lines = ["; N Name Rank Coun/Terr ММо 1 2 ММ Wins", " 1 A 5d FI Turk 3 2+ 3+ 5 2",
             " 2 B 3d FI Turk 1 1- 4+ 2 1", " 3 C 3d FI Turk 1 4+ 1- 2 1",
             " 4 D 3d FI Turk 1 3- 2- 1 0"]  # fmt: skip
    archive = read(tmp_path, "cup.h9", "; EV[Cup]\n" + "\n".join(lines))
    assert archive.players["start_score"].to_list() == [3, 1, 1, 1]
    assert places(archive, "start-score-derived") == [(None, None, None, "info")]
    assert archive.tiebreaks("go.MMS")["go.MMS"].to_list() == [5, 2, 2, 1]


def test_h9_grades_without_a_letter_are_kyu(tmp_path: Path) -> None:
    text = H9.replace("1d FI Hels", "12 FI Hels").replace("Doe Dot", "Doe Dot 3")
    archive = read(tmp_path, "cup.h9", text)
    assert archive.players["grade"].to_list() == ["3d", "3d", "1d", "12k"]
    assert archive.players["name"][3] == "Doe Dot 3"
    assert archive.findings.filter(pl.col("severity") != "info").is_empty()


def test_h9_clubs_of_several_words(tmp_path: Path) -> None:
    archive = read(tmp_path, "cup.h9", H9.replace("NO Oslo", "NO Oslo Go"))
    assert archive.players["club"].to_list() == ["Turk", "Oslo Go", "Lund", "Hels"]
    assert archive.findings.filter(pl.col("severity") != "info").is_empty()
    # A number among them looks like a score, and a score is wanting in the next line.
    text = H9.replace("NO Oslo", "NO Oslo 7").replace("96  291 0", "96  291  ")
    archive = read(tmp_path, "cup.h9", text)
    assert places(archive, "scores-uneven") == [
        (10, None, None, "warning"), (11, None, None, "warning"),
    ]  # fmt: skip
    assert archive.players["MMS"].to_list() == [35, 33, None, 30]
    assert places(archive, "start-score-missing") == [(11, None, "3", "error")]
    assert archive.results.filter(player=2)["result"].to_list() == ["0", "1", "0"]
    assert archive.results.filter(player=3)["result"].to_list() == ["1", "0", "1"]


def test_h9_rounds_that_are_not_known_are_told(tmp_path: Path) -> None:
    archive = read(tmp_path, "cup.h9", H9.replace("3-/w0  |", "?      |"))
    assert places(archive, "round-unknown") == [(10, None, None, "warning")]
    assert archive.results.filter(player=2)["result"].to_list() == ["0", "1", "Z"]


def test_h9_in_another_encoding(tmp_path: Path) -> None:
    archive = read(tmp_path, "cup.h9", H9.replace("Ann", "Zoë").encode("cp1252"))
    assert archive.players["name"][0] == "Ari Zoë"
    assert places(archive, "encoding-assumed") == [(None, None, None, "info")]


def test_opengotha_gives_the_same_values(tmp_path: Path) -> None:
    archive = read(tmp_path, "cup.xml", OPENGOTHA)
    standings = archive.standings()
    assert standings.select(CODES).rows() == VALUES
    assert archive.tournaments["criteria"].to_list() == ["go.MMS go.SOS go.SOSOS"]
    assert archive.players["start_score"].to_list() == [32, 32, 30, 30]
    assert archive.players["rating"].to_list() == [2300, None, 2100, 2100]
    assert places(archive, "rating-negative") == [(5, None, "BAEBOB", "info")]
    assert archive.results.filter(player="DOEDOT")["result"].to_list() == ["0", "0", "Z"]


def test_opengotha_options_reach_the_tie_breaks(tmp_path: Path) -> None:
    text = OPENGOTHA.replace('Absent="0"', 'Absent="1"')
    text = text.replace('genRoundDownNBWMMS="true"', 'genRoundDownNBWMMS="false"')
    archive = read(tmp_path, "cup.xml", text)
    assert archive.tiebreaks("go.MMS")["go.MMS"].to_list() == [35, 33, 32, 30.5]
    half = text.replace('PlayedGamesAsHalfPoint="false"', 'PlayedGamesAsHalfPoint="true"')
    assert read(tmp_path, "half.xml", half).tournaments["unplayed_as_half"].to_list() == [1]


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ('result="RESULT_BLACKWINS"', 'result="RESULT_X"', "game-unread", 18),
        ('blackPlayer="BAEBOB"', 'blackPlayer="NOBODY"', "game-unread", 10),
        ('firstName="Bob"', 'firstName="Bob" x="1"/><Player name="Ari" firstName="Ann"',
         "player-repeated", 5),
        ("</Games>", "", "damaged-xml", None),
        ('roundNumber="3" tableNumber', 'roundNumber="300" tableNumber', "game-unread", 18),
    ],
)  # fmt: skip
def test_opengotha_refusals_name_the_place(
    tmp_path: Path, old: str, new: str, code: str, line: int | None
) -> None:
    archive = read(tmp_path, "cup.xml", OPENGOTHA.replace(old, new, 1))
    assert archive.tournaments.is_empty()
    (found,) = archive.quarantine.select("code", "line").rows()
    assert found[0] == code
    assert line is None or found[1] == line
