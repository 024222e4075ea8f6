"""Make federation.sqlite from schema.sql and the CSV files: ``python data/federation/make.py``."""

import csv
import sqlite3
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def make(target: Path) -> None:
    """Make the database anew."""
    target.unlink(missing_ok=True)
    with sqlite3.connect(target) as database:
        database.executescript((HERE / "schema.sql").read_text("utf-8"))
        for table in ("events", "entries", "pairings", "byes"):
            with (HERE / f"{table}.csv").open(encoding="utf-8", newline="") as file:
                header, *rows = csv.reader(file)
            values = [[cell or None for cell in row] for row in rows]
            marks = ", ".join("?" * len(header))
            database.executemany(f"INSERT INTO {table} VALUES ({marks})", values)  # noqa: S608
    database.close()


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "federation.sqlite")
