import random
import re
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tbframe as tb
from tbframe.contracts import Players, Results, Tournaments, validate
from tbframe.sources.trf import TrfFile, looks_like_trf, read_trf_files, reader

Player = Callable[..., str]
ReadText = Callable[..., tb.Archive]
FRAMES = ("results", "players", "tournaments", "findings", "quarantine")


def read_paths(paths: list[Path]) -> tb.Archive:
    files = [TrfFile(path.name, path.stem, path.read_bytes()) for path in paths]
    return read_trf_files(files, teams=False)


def keeps_contracts(archive: tb.Archive) -> bool:
    validate(archive.results.with_columns(game=pl.lit(1, pl.Int32)), Results, "results")
    validate(archive.players, Players, "players")
    validate(archive.tournaments, Tournaments, "tournaments")
    return True


@pytest.fixture(scope="module")
def real(cases: Path) -> tb.Archive:
    return read_paths(sorted((cases / "trf").glob("*.trf")))


@pytest.fixture(scope="module")
def generated(cases: Path) -> tb.Archive:
    return read_paths(sorted((cases / "generated").glob("*.trf")))


def test_all_real_files_are_read(real: tb.Archive) -> None:
    assert real.quarantine.is_empty()
    assert real.tournaments.height == 19
    assert keeps_contracts(real)
    assert real.findings.filter(severity="error").is_empty()


def test_players_and_rounds_are_those_in_the_names(real: tb.Archive) -> None:
    # The names of the files say how many there are.
    checked = 0
    for key in real.tournaments["tournament"]:
        players = re.search(r"_(\d+)p", key)
        rounds = re.search(r"_(\d+)(?:of\d+)?r(?:_|$)", key)
        if players:
            assert real.players.filter(tournament=key).height == int(players[1]), key
        if players and rounds:
            assert real.results.filter(tournament=key)["round"].max() == int(rounds[1]), key
            checked += 1
    assert checked == 16


def test_declared_points_are_the_sums_of_the_results(real: tb.Archive) -> None:
    sums = real.results.group_by("tournament", "player").agg(sum=pl.col("points").sum())
    wrong = real.players.join(sums, on=["tournament", "player"], how="left").filter(
        pl.col("points") != pl.col("sum").fill_null(0)
    )
    # Two players of one file are known to be wrong.
    assert wrong.select("tournament", "player").rows() == [
        ("team_15t_129p_7r_2024_two_wrong_points", 41),
        ("team_15t_129p_7r_2024_two_wrong_points", 122),
    ]
    said = real.findings.filter(code="points-declared")
    assert said["player"].to_list() == ["41", "122"]
    assert said["severity"].to_list() == ["warning", "warning"]


@pytest.mark.parametrize("folder", ["trf", "generated"])
def test_sums_are_those_of_the_reference_program(
    folder: str, cases: Path, real: tb.Archive, generated: tb.Archive
) -> None:
    archive = {"trf": real, "generated": generated}[folder]
    values = pl.read_parquet(cases / folder / "values.parquet").filter(code="PTS", level="player")
    sums = archive.results.group_by("tournament", "player").agg(sum=pl.col("points").sum())
    both = values.with_columns(tournament=pl.col("file").str.strip_suffix(".trf")).join(
        sums, on=["tournament", "player"], how="left"
    )
    assert both.height == {"trf": 774, "generated": 2385}[folder]
    assert both.filter(pl.col("value") != pl.col("sum").fill_null(-1)).is_empty()


def test_a_file_that_leaves_half_point_byes_blank(real: tb.Archive) -> None:
    rows = real.results.filter(
        pl.col("tournament") == "krause_56p_6r_2011_halfbyes_blank", pl.col("player") == 1
    )
    # `0000 - +`, a blank round, a win, a draw, a win, a loss; 4.0 points declared.
    assert rows["result"].to_list() == ["+", "H", "1", "=", "1", "0"]
    assert rows["points"].sum() == 4.0


def test_kinds_of_findings_in_real_files(real: tb.Archive) -> None:
    found = real.findings.group_by("file").agg(pl.col("code").unique().sort())
    codes = dict(found.iter_rows())
    assert codes["krause_34p_5r_2011_cp1252.trf"] == [
        "encoding", "half-point-bye-assumed", "pairing-bye-assumed",
    ]  # fmt: skip
    assert codes["trfx_52p_5r.trf"] == ["round-not-paired"]
    assert codes["trf26_official_sample.trf"] == ["team-records-not-read"]
    for name in ("swiss_220p_9r_2018", "lichess_43p_14r_2026", "engine_60p_14r_bare_cr"):
        assert f"{name}.trf" not in codes


def test_generated_files_leave_no_doubt(generated: tb.Archive) -> None:
    assert generated.tournaments.height == 40
    assert generated.findings.is_empty()
    assert generated.quarantine.is_empty()
    assert keeps_contracts(generated)


def test_a_tournament_in_progress(cases: Path) -> None:
    archive = read_paths([cases / "reports" / "t1_real_trf16_in_progress.trf"])
    row = archive.tournaments.row(0, named=True)
    assert (str(row["start"]), str(row["end"]), row["rounds"]) == ("2025-07-21", "2025-07-27", 7)
    assert archive.results["round"].max() == 4
    assert archive.results.height == 24
    assert archive.players.filter(pl.col("name").is_not_null())["player"].to_list() == [
        1, 2, 3, 4, 5, 6,
    ]  # fmt: skip
    missing = archive.findings.filter(code="not-among-players")
    known = pl.col("opponent").is_between(1, 6)
    assert missing.height == archive.results.filter(~known).height == 14
    assert missing.select("line", "round", "player").row(0) == (15, 1, "1")
    assert keeps_contracts(archive)


def test_a_round_block_without_a_result(cases: Path) -> None:
    archive = read_paths([cases / "reports" / "t2_invalid_player_line.trf"])
    assert archive.results.is_empty()
    row = archive.quarantine.row(0, named=True)
    assert (row["line"], row["code"], row["rows"]) == (4, "unreadable-round", 2)
    assert "columns 92-99: '0000 w'" in row["message"]


def test_an_opponent_with_a_zero_point_bye(cases: Path) -> None:
    archive = read_paths([cases / "reports" / "t3_opponent_with_Z.trf"])
    assert archive.results.select("round", "opponent", "result", "points").rows() == [
        (1, 42, "0", 0.0),
        (2, None, "Z", 0.0),
    ]
    finding = archive.findings.filter(code="bye-with-opponent").row(0, named=True)
    assert (finding["line"], finding["round"], finding["player"]) == (3, 2, "4")
    assert "62" in finding["message"]


def test_forfeits_keep_their_opponents(cases: Path) -> None:
    archive = read_paths([cases / "reports" / "t5_lichess_swiss_forfeits_blank_rounds.trf"])
    first = archive.results.filter(player=1).select("opponent", "result").rows()
    assert first == [(3, "0"), (6, "-"), (4, "-"), (5, "-"), (None, "-"), (None, "-"), (None, "-")]
    assert archive.results.filter(player=3)["points"].sum() == 6.5


def test_files_in_any_order_and_any_batches(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [
        TrfFile(f"{key}.trf", key, "\n".join(lines).encode(encoding))
        for key, encoding, lines in (
            ("b", "utf-8", [player(1, "Ä", "   2 w 1"), player(2, "B", "   1 b 0")]),
            ("a", "cp1252", [player(1, "Ö", "   2 w =")]),
            ("d", "utf-8", ["nothing"]),
            ("c", "utf-8", [player(9, "Z", "0000 - U", "0000 - H", points="1.5")]),
        )
    ]
    together = read_trf_files(files)
    assert together.tournaments["tournament"].to_list() == ["a", "b", "c"]
    monkeypatch.setattr(reader, "_BATCH", 0)
    apart = read_trf_files(files[::-1])
    for name in FRAMES:
        assert_frame_equal(getattr(together, name), getattr(apart, name))


def test_no_files_at_all() -> None:
    archive = read_trf_files([])
    assert all(getattr(archive, name).is_empty() for name in FRAMES)
    assert keeps_contracts(archive)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_line_ends_and_encodings(end: str, encoding: str, player: Player) -> None:
    lines = ["012 Köln", player(1, "Çelik, Ümit", "   2 w 1"), player(2, "B", "   1 b 0")]
    archive = read_trf_files([TrfFile("k.trf", "k", end.join(lines).encode(encoding))])
    assert archive.tournaments["name"].to_list() == ["Köln"]
    assert archive.players["name"].to_list() == ["Çelik, Ümit", "B"]
    assert archive.results.height == 2
    assumed = encoding in ("cp1252", "utf-16")
    assert archive.findings["code"].to_list() == ["encoding"] * assumed


def test_files_are_known_by_their_records(player: Player) -> None:
    assert looks_like_trf(player(1, "A").encode())
    assert looks_like_trf(b"012 Cup\r042 2024\r")
    assert looks_like_trf("012 Cup\n022 Town".encode("utf-16"))
    assert not looks_like_trf(b"012 a number\nand text")
    assert not looks_like_trf(b"\x00" + player(1, "A").encode())
    assert not looks_like_trf(b"")


MUTATIONS = (
    b"\n", b"\r", b"\t", b" ", b"0", b"1", b"9999", b"w", b"Z", b"?", b"\xff", b"\x00", b"\xc3\xa9",
    b"\n001\n", b"\n001 ", b"\n240 H 003    1   2\n", b"\n299 W           2.0    1    1\n",
    b"\nXXS W=3 D=\n", b"\n162  W 3.0  \n", b"\n132" + b" " * 88 + b"xx/yy/zz\n", b"\n142 x\n",
    b"\n042 31/02/2020\n", b"\nBBW 1\nBBX 2\n", b"\n172 FRA\nFRA    1\n", b"\n013 Team\n",
)  # fmt: skip


def mutated(data: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(data) + 1)
        until = at + chance.randint(1, 40)
        data = chance.choice(
            (
                data[:at] + data[until:],
                data[:at] + chance.choice(MUTATIONS) + data[at:],
                data[:at] + chance.choice(MUTATIONS) + data[until:],
                data[:until] + data[at:],
                data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :],
                b"\n".join(sorted(data.split(b"\n"))),
                data[: max(at, 1)],
            )
        )
    return data


@pytest.mark.parametrize("seed", range(20))
def test_broken_files_are_read_or_set_aside(seed: int, player: Player) -> None:
    lines = [
        "012 Öpen", "042 2024/05/01", "052 2024/05/03", "062 6 (2)", "092 Individual: Swiss",
        "132" + " " * 88 + "24/05/01  24/05/02  24/05/03", "142 3", "162  W 3.0    D 1.0",
        player(1, "Ärmel, A", "   2 w 1", "   3 b =", "   4 w +", rating=2000, points="7.0"),
        player(2, "B", "   1 b 0", "   4 w 1", "0000 - H", birth="1990/01/01", points="4.0"),
        player(3, "C", "   4 w =", "   1 w =", "        ", id="1234567", points="2.0"),
        player(4, "D", "   3 b =", "   2 b 0", "   1 b -", sex="w", points="1.0"),
        "240 H 003    2", "250      1.0   1   2    1    2", "XXC white1",
    ]  # fmt: skip
    good = "\n".join(lines).encode()
    chance = random.Random(seed)
    files = [TrfFile(f"{n}.trf", f"{n:02}", mutated(good, chance)) for n in range(20)]
    archive = read_trf_files(files)
    assert archive.tournaments.height + archive.quarantine.height == len(files)
    assert keeps_contracts(archive)
