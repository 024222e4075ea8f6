"""Databases as sources: SQLite and a real PostgreSQL server give the same as the CSV files."""

from __future__ import annotations

import csv
import os
import pwd
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from urllib.parse import quote

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tbframe as tb
from tbframe.sources.database import Database

DATA = Path(__file__).resolve().parents[1] / "data" / "federation"
TABLES = ("events", "entries", "pairings", "byes")
ORDER = "PTS DE BH/C1 SB"


def mapping(folder: Path, database: str, *, change: tuple[str, str] = ("", "")) -> Path:
    """Write the mapping of the federation for another database."""
    text = (DATA / "federation.toml").read_text("utf-8")
    text = text.replace('"federation.sqlite"', f'"{database}"').replace(*change)
    path = folder / "federation.toml"
    path.write_text(text, "utf-8")
    return path


def table_rows(table: str) -> list[list[str]]:
    with (DATA / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


@pytest.fixture
def sqlite(tmp_path: Path) -> Path:
    """A database made from the schema and the CSV files."""
    target = tmp_path / "federation.sqlite"
    with sqlite3.connect(target) as database:
        database.executescript((DATA / "schema.sql").read_text("utf-8"))
        for table in TABLES:
            header, *rows = table_rows(table)
            database.executemany(
                f"INSERT INTO {table} VALUES ({', '.join('?' * len(header))})",
                [[cell or None for cell in row] for row in rows],
            )
    database.close()
    return target


class Server:
    """A PostgreSQL server of its own on the loopback address, by an unprivileged user."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.password = "p@ss word"
        self.folder, self._programs = folder, programs
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._user = "nobody" if os.geteuid() == 0 else None
        if self._user:
            folder.chmod(0o755)
            (folder / "cluster").mkdir()
            os.chown(folder / "cluster", pwd.getpwnam(self._user).pw_uid, -1)
        secret = folder / "secret"
        secret.write_text(self.password)
        self._run(
            "initdb", "-A", "scram-sha-256", "-U", "tb", "--pwfile", str(secret), "-E", "UTF8"
        )
        options = f"-h 127.0.0.1 -p {self.port} -k {folder / 'cluster'} -F"
        self._run("pg_ctl", "-w", "-l", str(folder / "cluster" / "log"), "-o", options, "start")

    def _run(self, program: str, *arguments: str) -> None:
        data = str(self.folder / "cluster" / "data")
        subprocess.run(
            [str(self._programs / program), "-D", data, *arguments],
            user=self._user, cwd="/", check=True, timeout=60,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
        )  # fmt: skip

    def address(self, password: str | None = None) -> str:
        secret = quote(self.password if password is None else password)
        return f"postgresql://tb:{secret}@127.0.0.1:{self.port}/postgres"

    def execute(self, *statements: str, at_once: bool = False) -> None:
        import adbc_driver_postgresql.dbapi as driver  # noqa: PLC0415

        with (
            driver.connect(self.address(), autocommit=at_once) as connection,
            connection.cursor() as cursor,
        ):
            for statement in statements:
                cursor.execute(statement)
            if not at_once:
                connection.commit()

    def end_other_sessions(self) -> None:
        self.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )

    def stop(self) -> None:
        self._run("pg_ctl", "-m", "immediate", "stop")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    pytest.importorskip("adbc_driver_postgresql", reason="the extra sql is not installed")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    program = found[-1] if found else shutil.which("initdb")
    if program is None:
        pytest.skip("no PostgreSQL server is installed")
    # The unprivileged user has to reach it, which pytest's own folders do not let him.
    with tempfile.TemporaryDirectory(prefix="tb-") as folder:
        server = Server(Path(folder), Path(program).parent)
        try:
            statements = (DATA / "schema.sql").read_text("utf-8").split(";\n")
            server.execute(*(text for text in statements if "CREATE" in text))
            for table in TABLES:
                _, *rows = table_rows(table)
                server.execute(*(f"INSERT INTO {table} VALUES ({_literals(row)})" for row in rows))
            yield server
        finally:
            server.stop()


def _literals(cells: list[str]) -> str:
    return ", ".join("NULL" if not cell else "'" + cell.replace("'", "''") + "'" for cell in cells)


def from_csv() -> tb.Archive:
    """The same through `from_games`, by hand."""
    events, entries, pairings, byes = (
        pl.read_csv(DATA / f"{table}.csv", try_parse_dates=True) for table in TABLES
    )
    words = {"W": "1-0", "D": "1/2-1/2", "B": "0-1", "WF": "1-0F", "BF": "0-1F"}
    pairing = {"SWISS": "swiss", "ROUND ROBIN": "predetermined"}
    code = {"event_code": "tournament"}
    return tb.from_games(
        pairings.rename(code | {"round_no": "round", "white_no": "white", "black_no": "black"})
        .with_columns(result=pl.col("outcome").replace(words))
        .drop("outcome"),
        entries.rename(
            code | {"start_no": "player", "full_name": "name", "elo": "rating",
                    "country": "federation"}
        ),
        events.select(
            tournament="event_code", name="title", start="begins", end="ends",
            federation="country", rounds=pl.col("planned_rounds").cast(pl.Int32),
            scoring="point_system", pairing=pl.col("pairing_system").replace(pairing),
        ),
        byes=byes.rename(code | {"round_no": "round", "start_no": "player", "kind": "type"}),
    )  # fmt: skip


def same(one: tb.Archive, other: tb.Archive) -> None:
    for name in ("results", "players", "tournaments"):
        assert_frame_equal(getattr(one, name), getattr(other, name))
    assert_frame_equal(one.standings(ORDER), other.standings(ORDER))


def test_the_federation_by_hand() -> None:
    """Alder beat Cedar and Elm and drew with Birch; the cup counts three points a win."""
    points = from_csv().tiebreaks("PTS")
    assert points.filter(tournament="autumn-07")["PTS"].to_list() == [2.5, 1.0, 1.0, 2.0, 1.0]
    # Fir: a draw, a loss, a win; Gorse three wins but the last; Hazel two draws and a win.
    assert points.filter(tournament="cup-25")["PTS"].to_list() == [4.0, 6.0, 5.0, 1.0]


def test_sqlite_gives_what_the_tables_hold(sqlite: Path, tmp_path: Path) -> None:
    same(tb.read(mapping(tmp_path, "federation.sqlite")), from_csv())


def test_the_database_in_the_repository() -> None:
    same(tb.read(DATA / "federation.toml"), from_csv())


def test_postgresql_gives_what_the_tables_hold(server: Server, tmp_path: Path) -> None:
    same(tb.read(mapping(tmp_path, server.address())), from_csv())


def test_recalculation_of_both(server: Server, sqlite: Path, tmp_path: Path) -> None:
    expected = from_csv().standings(ORDER)
    for name, address in (("sqlite", str(sqlite)), ("postgresql", server.address())):
        (tmp_path / name).mkdir()
        done = tb.recalc(mapping(tmp_path / name, address), tmp_path / name / "out", ORDER,
                         games_a_part=6)  # fmt: skip
        assert_frame_equal(done.standings.collect(), expected)
        # 18 games of two players each, and 3 byes
        assert done.manifest["totals"]["rows"] == {"in": 39, "out": 39, "quarantined": 0}
        assert len(done.manifest["parts"]) == 3
        assert not (tmp_path / name / "out" / ".beside").exists()


def test_the_address_may_stand_in_the_environment(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = mapping(tmp_path, "${FEDERATION}")
    with pytest.raises(tb.SourceError, match="no variable FEDERATION"), Database.open(path):
        pass
    monkeypatch.setenv("FEDERATION", server.address())
    with Database.open(path) as database:
        assert database.count("games") == 18
        assert database.tables == ("games", "byes", "players", "tournaments")


def test_a_wrong_password_is_not_printed(server: Server, tmp_path: Path) -> None:
    path = mapping(tmp_path, server.address("open sesame"))
    wrong = pytest.raises(tb.SourceError, match="password authentication failed")
    with wrong as error, Database.open(path):
        pass
    assert "sesame" not in str(error.value)


def test_nobody_there(tmp_path: Path) -> None:
    pytest.importorskip("adbc_driver_postgresql")
    path = mapping(tmp_path, "postgresql://tb@127.0.0.1:1/postgres")
    with pytest.raises(tb.SourceError, match="cannot be reached"), Database.open(path):
        pass


def test_a_connection_that_is_lost(server: Server, tmp_path: Path) -> None:
    """A table long enough that most of it is still to come when the server ends the session."""
    server.execute(
        "DROP TABLE IF EXISTS long",
        "CREATE TABLE long AS SELECT 'a' AS event_code, g AS round_no, 1 AS white_no, "
        "2 AS black_no, repeat('x', 200) AS outcome FROM generate_series(1, 300000) g",
    )
    path = mapping(tmp_path, server.address(), change=('table = "pairings"', 'table = "long"'))

    def cut(frames: Iterator[pl.DataFrame]) -> None:
        next(frames)
        server.end_other_sessions()
        for _ in frames:
            pass

    with (
        pytest.raises(tb.SourceError, match=r"long \(for games\) cannot be read"),
        Database.open(path) as database,
    ):
        cut(database.batches("games"))


def test_a_connection_lost_while_a_database_is_copied_can_be_resumed(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server ends the session when games are copied already, and players are to come."""
    path = mapping(tmp_path, server.address())
    real = Database.batches

    def cut(self: Database, name: str) -> Iterator[pl.DataFrame]:
        if name == "players":
            server.end_other_sessions()
        return real(self, name)

    monkeypatch.setattr(Database, "batches", cut)
    with pytest.raises(tb.SourceError, match=r"entries \(for players\) cannot be read"):
        tb.recalc(path, tmp_path / "out", ORDER)
    monkeypatch.undo()
    done = tb.recalc(path, tmp_path / "out", ORDER, resume=True)
    assert_frame_equal(done.standings.collect(), from_csv().standings(ORDER))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_long_tables_come_in_batches(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    rows = 600_000
    if kind == "postgresql":
        server: Server = request.getfixturevalue("server")
        server.execute(
            "DROP TABLE IF EXISTS many",
            f"CREATE TABLE many AS SELECT 'a' AS event_code, g AS round_no, 1 AS white_no, "
            f"2 AS black_no, 'D' AS outcome FROM generate_series(1, {rows}) g",
        )
        address = server.address()
    else:
        path = tmp_path / "many.sqlite"
        with sqlite3.connect(path) as database:
            database.execute(
                "CREATE TABLE many AS WITH RECURSIVE n(g) AS (SELECT 1 UNION ALL SELECT g + 1 "
                f"FROM n WHERE g < {rows}) SELECT 'a' AS event_code, g AS round_no, "
                "1 AS white_no, 2 AS black_no, 'D' AS outcome FROM n"
            )
        database.close()
        address = str(path)
    path = mapping(tmp_path, address)
    columns = path.read_text("utf-8").partition("[byes]")[0].replace('"pairings"', '"many"')
    path.write_text(columns, "utf-8")
    with Database.open(path) as database_:
        sizes = [batch.height for batch in database_.batches("games")]
    assert sum(sizes) == rows
    assert max(sizes) <= 250_000
    assert len(sizes) >= 3


def test_columns_of_mixed_values(tmp_path: Path) -> None:
    """SQLite keeps what it is given: a column of numbers with one word in it is one of text."""
    with sqlite3.connect(tmp_path / "mixed.sqlite") as database:
        database.execute("CREATE TABLE g (round integer, white, black, result, extra)")
        database.executemany(
            "INSERT INTO g VALUES (?, ?, ?, ?, ?)",
            [(1, 1, "two", 0.5, None), (2, "two", 3, "1-0", b"x")],
        )
    database.close()
    (tmp_path / "m.toml").write_text('database = "mixed.sqlite"\n[games]\ntable = "g"\n')
    with Database.open(tmp_path / "m.toml") as opened:
        (rows,) = opened.batches("games")
    assert rows.schema == {
        "round": pl.Int64, "white": pl.String, "black": pl.String, "result": pl.String,
    }  # fmt: skip
    assert rows.rows() == [(1, "1", "two", "0.5"), (2, "two", "3", "1-0")]


def test_text_that_is_not_utf8_and_no_rows(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "old.sqlite") as database:
        database.execute("CREATE TABLE g (white text, black text, result text)")
        database.execute("INSERT INTO g VALUES (CAST(x'4DFC6C6C6572' AS text), 'Bo', '1-0')")
        database.execute("CREATE TABLE none (player integer, name text)")
    database.close()
    text = 'database = "old.sqlite"\n[games]\ntable = "g"\n[players]\ntable = "none"\n'
    (tmp_path / "m.toml").write_text(text)
    with Database.open(tmp_path / "m.toml") as opened:
        (rows,) = opened.batches("games")
        (players,) = opened.batches("players")
    assert rows["white"].item() == "Müller"
    assert players.columns == ["player", "name"]
    assert players.is_empty()


WRONG: list[tuple[str, str, str]] = [
    ('database = "federation.sqlite"', 'database = "gone.sqlite"', "gone.sqlite: no such database"),
    ('database = "federation.sqlite"', 'database = "mysql://x/y"', "mysql:// is not known"),
    ('database = "federation.sqlite"', "database = 7", "database is a path or an address"),
    ('table = "pairings"', 'table = "pairing"', "no such table"),
    ('table = "pairings"', 'table = "pairings"\nquery = "x"', "either table or query"),
    ('table = "pairings"', 'tabel = "pairings"', r"'tabel' is not known; did you mean table\?"),
    ("[games]", "[game]", r"'game' is not known; did you mean games\?"),
    ('white = "white_no"', 'white = "white_n"', r"no column 'white_n'; did you mean white_no\?"),
    ("[games.values.result]", "[games.values.resul]", "the frame has no such column"),
    ("[games]", "[games", "cannot be read as TOML"),
    ('query = """', 'query = """ SELEC', "the query"),
    ('tournament = "event_code"\nround', 'tournamnt = "event_code"\nround',
     r"\[games.columns\] 'tournamnt' is not known; did you mean tournament\?"),
    ("[byes]", '[boards]\ntable = "byes"\n[byes]', r"\[games\] and \[boards\]; give one"),
    ("[games]", '[members]\ntable = "entries"\n[games]', r"\[members\] has no place beside"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), WRONG)
def test_what_is_wrong_with_a_mapping(
    sqlite: Path, tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = mapping(tmp_path, "federation.sqlite", change=(old, new))

    def read() -> None:
        with Database.open(path) as database:
            for name in database.tables:
                list(database.batches(name))

    with pytest.raises(tb.SourceError, match=message):
        read()


def made(folder: Path, *statements: str, mapped: str = '[games]\ntable = "g"\n') -> Path:
    """Make a database and its mapping; return the mapping."""
    with sqlite3.connect(folder / "made.sqlite") as database:
        for statement in statements:
            database.execute(statement)
    database.close()
    path = folder / "made.toml"
    path.write_text(f'database = "made.sqlite"\n{mapped}')
    return path


def read_all(path: Path) -> dict[str, pl.DataFrame]:
    with Database.open(path) as database:
        return {name: pl.concat(database.batches(name)) for name in database.tables}


def test_one_word_among_numbers_makes_all_keys_of_its_kind_text(tmp_path: Path) -> None:
    path = made(
        tmp_path,
        "CREATE TABLE g (round integer, white integer, black, result real)",
        "INSERT INTO g VALUES (1, 1, 2, 1.0), (1, 3, 'bye', NULL), (2, 1, 3, 0.5)",
        "CREATE TABLE p (player real, name text)",
        "INSERT INTO p VALUES (1.0, 'Ada'), (2.0, 'Bo'), (3.0, 'Cy')",
        mapped='[games]\ntable = "g"\n[players]\ntable = "p"\n',
    )
    archive = tb.read(path)
    assert archive.players.select("player", "name").rows() == [
        ("1", "Ada"), ("2", "Bo"), ("3", "Cy"),
    ]  # fmt: skip
    # A win and a draw; a loss; a bye of a point and a draw.
    assert archive.tiebreaks("PTS")["PTS"].to_list() == [1.5, 0.0, 1.5]


def test_numbers_that_no_float_tells_apart(tmp_path: Path) -> None:
    """2 ** 53 + 1 is the first whole number that a float cannot hold."""
    path = made(
        tmp_path,
        "CREATE TABLE g (tournament, white, black, result)",
        "INSERT INTO g VALUES (9007199254740993, 1, 2, '1-0'), (9007199254740992, 1, 2, '0-1'), "
        "(0.5, 1, 2, '0-1')",
    )
    assert read_all(path)["games"]["tournament"].to_list() == [
        "9007199254740993", "9007199254740992", "0.5",
    ]  # fmt: skip


def test_numeric_keys_of_postgresql(server: Server, tmp_path: Path) -> None:
    server.execute(
        "DROP TABLE IF EXISTS g",
        "CREATE TABLE g (tournament numeric, round numeric(4, 1), white numeric(20), "
        "black numeric(20), result numeric(2, 1))",
        "INSERT INTO g VALUES (12345678901234567890, 1, 9007199254740993, 2, 1.0), "
        "(12345678901234567891, 1, 9007199254740992, 2, 0.5)",
    )
    path = mapping(tmp_path, server.address())
    path.write_text(f'database = "{server.address()}"\n[games]\ntable = "public.g"\n')
    games = read_all(path)["games"]
    assert games["tournament"].to_list() == ["12345678901234567890", "12345678901234567891"]
    assert games["white"].to_list() == [9007199254740993, 9007199254740992]
    assert games["result"].to_list() == [1.0, 0.5]
    assert tb.read(path).tournaments.height == 2
    path.write_text(path.read_text() + '[games.values.result]\n1 = "1-0"\n')
    assert read_all(path)["games"]["result"].to_list() == ["1-0", "0.5"]


def test_moments_and_padded_text_of_postgresql(server: Server, tmp_path: Path) -> None:
    """Midnight in Paris is the day before in London, and another text may have been in force."""
    server.execute(
        "DROP TABLE IF EXISTS e",
        'CREATE TABLE e (tournament char(8), start timestamptz, "end" timestamp)',
        "INSERT INTO e VALUES ('cup', '2026-03-01 00:00+01', '2026-03-02 18:30')",
    )
    path = tmp_path / "m.toml"
    games = "[games]\nquery = \"SELECT 'cup' AS tournament, 1 AS white, 2 AS black, 'W' AS result\""
    start = f'database = "{server.address()}"\n{games}\n[tournaments]\n'
    path.write_text(start + 'table = "e"\n')
    with pytest.raises(tb.SourceError, match=r"m.toml: \[tournaments\] column 'start' is a moment"):
        read_all(path)
    path.write_text(
        start + 'query = """SELECT tournament, "end", '
        '(start AT TIME ZONE \'Europe/Paris\')::date AS start FROM e -- in Paris"""\n'
    )
    tournaments = read_all(path)["tournaments"]
    assert tournaments.select("tournament", "start", "end").rows() == [
        ("cup", date(2026, 3, 1), date(2026, 3, 2))
    ]


def test_a_database_that_is_not_in_utf8(server: Server, tmp_path: Path) -> None:
    execute = "CREATE DATABASE old ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'"
    server.execute(execute, at_once=True)
    path = tmp_path / "m.toml"
    address = server.address().replace("/postgres", "/old")
    path.write_text(
        f'database = "{address}"\n[games]\nquery = "SELECT convert_from(\'\\\\x4dfc\', '
        "'LATIN1') AS white, 'Bo' AS black, '1-0' AS result\"\n"
    )
    assert read_all(path)["games"]["white"].to_list() == ["Mü"]


def test_all_tables_are_of_one_moment(server: Server, tmp_path: Path) -> None:
    server.execute("DROP TABLE IF EXISTS p", "CREATE TABLE p AS SELECT 1 AS player")
    other = tmp_path / "other.toml"
    tables = "[games]\nquery = \"SELECT 1 AS white, 2 AS black, '1-0' AS result\"\n"
    tables += '[players]\ntable = "p"\n'
    other.write_text(f'database = "{server.address()}"\n{tables}')
    with Database.open(other) as database:
        list(database.batches("games"))
        server.execute("INSERT INTO p VALUES (2)")
        assert database.count("players") == 1
    lite = made(tmp_path, "PRAGMA journal_mode = wal", "CREATE TABLE p (player)",
                "INSERT INTO p VALUES (1)", mapped=tables)  # fmt: skip
    writer = sqlite3.connect(tmp_path / "made.sqlite")
    writer.execute("SELECT * FROM p").fetchall()
    with Database.open(lite) as database:
        list(database.batches("games"))
        database.count("players")
        writer.execute("INSERT INTO p VALUES (2)")
        writer.commit()
        assert database.count("players") == 1
    writer.close()


def test_reading_leaves_no_files_beside_a_write_ahead_log(tmp_path: Path) -> None:
    path = made(tmp_path, "PRAGMA journal_mode = wal", "CREATE TABLE g (white, black, result)",
                "INSERT INTO g VALUES (1, 2, '1-0')")  # fmt: skip
    assert read_all(path)["games"].height == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == ["made.sqlite", "made.toml"]


def test_a_write_in_the_middle_is_noticed(tmp_path: Path) -> None:
    """Nobody had it open; then a program comes, writes, and takes its log into the database."""
    path = made(tmp_path, "PRAGMA journal_mode = wal", "CREATE TABLE g (white, black, result)",
                "INSERT INTO g VALUES (1, 2, '1-0')")  # fmt: skip
    with Database.open(path) as database:
        list(database.batches("games"))
        with sqlite3.connect(tmp_path / "made.sqlite") as writer:
            writer.execute("INSERT INTO g VALUES (3, 4, '1-0')")
        writer.close()
        with pytest.raises(tb.SourceError, match="written to while it was read"):
            list(database.batches("games"))


def test_a_locked_database(tmp_path: Path) -> None:
    path = made(tmp_path, "CREATE TABLE g (white, black, result)")
    writer = sqlite3.connect(tmp_path / "made.sqlite", isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    with pytest.raises(tb.SourceError, match=r"g \(for games\) cannot be read: .*locked"):
        read_all(path)
    writer.close()


def test_truth_values_of_sqlite(tmp_path: Path) -> None:
    path = made(
        tmp_path,
        "CREATE TABLE g (tournament, round, white, black, result)",
        "INSERT INTO g VALUES ('cup', 1, 1, 2, '1-0')",
        "CREATE TABLE t (tournament, fide_event integer)",
        "INSERT INTO t VALUES ('cup', 1)",
        mapped='[games]\ntable = "g"\n[tournaments]\ntable = "t"\n',
    )
    assert tb.read(path).tournaments["fide_event"].to_list() == [True]


def test_binary_values_are_refused(tmp_path: Path) -> None:
    path = made(tmp_path, "CREATE TABLE g (white, black, result)",
                "INSERT INTO g VALUES (x'01', 2, '1-0')")  # fmt: skip
    with pytest.raises(tb.SourceError, match="column 'white' has binary values"):
        read_all(path)


def test_bytes_that_mean_nothing_stay_apart(tmp_path: Path) -> None:
    path = made(
        tmp_path,
        "CREATE TABLE g (white, black, result)",
        "INSERT INTO g VALUES (CAST(x'81' AS text), CAST(x'8D' AS text), '1-0')",
    )
    archive = tb.read(path)
    assert archive.players.height == 2
    found = archive.findings.filter(code="encoding")
    assert found.select("severity", "file").rows() == [("warning", str(path))]
    with pytest.warns(tb.FindingWarning, match=r"no UTF-8 \(2\)"):
        done = tb.recalc(path, tmp_path / "out", "PTS")
    assert done.standings.collect()["PTS"].to_list() == [1.0, 0.0]


SECRETS = [
    "postgresql://tb:hush@hush/w@127.0.0.1:1/x", "postgresql://tb:hu/sh@127.0.0.1:1/x",
    "postgresql://tb:hu?sh@127.0.0.1:1/x", "postgresql://tb:hu sh@127.0.0.1:1/x",
    "postgresql://tb:hu%zzsh@127.0.0.1:1/x", "postgresql://tb:hush", "postgresql://tb:hush@h:hush/x",
    "postgresql://tb@127.0.0.1:1/x?password=hush", "postgresql://tb@127.0.0.1:1/x?password=hu%zzsh",
    "postgresql://tb@127.0.0.1:1/x?password=hu sh", "postgresql://tb:hush@127.0.0.1:1/x?x=hush",
]  # fmt: skip


@pytest.mark.parametrize("address", SECRETS)
def test_no_message_has_a_piece_of_the_password(tmp_path: Path, address: str) -> None:
    pytest.importorskip("adbc_driver_postgresql")
    (tmp_path / "m.toml").write_text(f'database = "{address}"\n[games]\ntable = "g"\n')
    with pytest.raises(tb.SourceError) as error:
        read_all(tmp_path / "m.toml")
    assert not [piece for piece in ("hu", "sh") if piece in str(error.value)]


def test_the_extra_is_named_where_it_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "adbc_driver_postgresql.dbapi", None)
    path = mapping(tmp_path, "postgresql://tb@127.0.0.1:1/x")
    with pytest.raises(tb.SourceError, match=r'pip install "tbframe\[sql\]"'):
        read_all(path)


def test_byes_beside_results_would_be_lost(tmp_path: Path) -> None:
    path = made(tmp_path, mapped='[results]\ntable = "r"\n[byes]\ntable = "b"\n')
    with pytest.raises(tb.SourceError, match=r"\[byes\] has no place beside \[results\]"):
        read_all(path)


def test_a_database_of_one_tournament(tmp_path: Path) -> None:
    path = made(
        tmp_path,
        "CREATE TABLE g (round, white, black, result)",
        "INSERT INTO g VALUES (1, 1, 2, '1-0')",
        "CREATE TABLE p (player, name)",
        "INSERT INTO p VALUES (1, 'Ada'), (2, 'Bo')",
        mapped='[games]\ntable = "g"\n[players]\ntable = "p"\n',
    )
    ranked = tb.recalc(path, tmp_path / "out", "PTS").standings.collect()
    assert ranked.select("tournament", "name", "PTS").rows() == [
        ("made", "Ada", 1.0), ("made", "Bo", 0.0),
    ]  # fmt: skip


def test_a_broken_mapping_is_told_of_as_one(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("white,black,result\nAda,Bo,1-0\n")
    (tmp_path / "m.toml").write_text('database = "x.sqlite"\n[games\n')
    told = tb.read(tmp_path).quarantine["message"].to_list()
    assert [("cannot be read as TOML" in message) for message in told] == [True]


def test_a_database_is_only_read(sqlite: Path, tmp_path: Path) -> None:
    before = sqlite.read_bytes()
    tb.read(mapping(tmp_path, "federation.sqlite"))
    assert sqlite.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "federation.sqlite",
        "federation.toml",
    ]


def test_other_toml_files_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tmp_path / "a.csv").write_text("white,black,result\nAda,Bo,1-0\n")
    archive = tb.read(tmp_path)
    assert archive.results.height == 2
    assert archive.findings.filter(code="file-passed-over").height == 1
