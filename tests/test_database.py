"""Databases as sources: SQLite and a real PostgreSQL server give the same as the CSV files."""

from __future__ import annotations

import csv
import os
import pwd
import shutil
import socket
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
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

    def execute(self, *statements: str) -> None:
        import adbc_driver_postgresql.dbapi as driver  # noqa: PLC0415

        with driver.connect(self.address()) as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
            connection.commit()

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
        assert done.manifest["totals"]["rows"] == {"in": 18, "out": 18, "quarantined": 0}
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
        server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        for _ in frames:
            pass

    with (
        pytest.raises(tb.SourceError, match=r"long \(for games\) cannot be read"),
        Database.open(path) as database,
    ):
        cut(database.batches("games"))


def test_a_server_that_goes_leaves_what_can_be_resumed(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = mapping(tmp_path, server.address())
    real = Database.batches

    def broken(self: Database, name: str) -> Iterator[pl.DataFrame]:
        if name == "players":
            raise tb.SourceError("the connection is lost")
        return real(self, name)

    monkeypatch.setattr(Database, "batches", broken)
    with pytest.raises(tb.SourceError, match="connection is lost"):
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
    path = mapping(tmp_path, address, change=('table = "pairings"', 'table = "many"'))
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
]


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
