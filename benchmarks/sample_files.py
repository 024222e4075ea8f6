"""One tournament in every format that tbframe reads: good files, to be damaged.

The tournament is a round robin of six; what a format needs beyond its results is made up.
"""

from __future__ import annotations

import bz2
import gzip
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import polars as pl
import pyarrow as pa

import tbframe as tb
from benchmarks.pgn_archive import write_archive

__all__ = ["write_samples"]

_NAMES: Final = ("Ari Ann", "Bae Bob", "Cai Cid", "Doe Dot", "Eek Eva", "Fox Fay")
#: Round by round: white, black, result.
_GAMES: Final = (
    (1, 1, 6, "1-0"), (1, 2, 5, "1/2-1/2"), (1, 3, 4, "0-1"), (2, 6, 4, "1/2-1/2"),
    (2, 5, 3, "0-1"), (2, 1, 2, "1-0"), (3, 2, 6, "1-0"), (3, 3, 1, "1/2-1/2"),
    (3, 4, 5, "1-0F"), (4, 6, 5, "0-1"), (4, 1, 4, "1/2-1/2"), (4, 2, 3, "1-0"),
    (5, 3, 6, "1-0"), (5, 4, 2, "0-1"), (5, 5, 1, "0-1"),
)  # fmt: skip


def write_samples(folder: Path) -> list[Path]:
    """Write the files, and return their paths in the order of the formats."""
    archive = _archive()
    texts = {
        "cup.h9": _h9(), "gotha.xml": _opengotha(), "tom.tdf": _tdf(), "matches.json": _platform(),
        "matches.csv": _match_table(), "swiss.ndjson": _lichess(), "crosstable.csv": _crosstable(),
    }  # fmt: skip
    paths = []
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
        paths.append(folder / name)
    for version in ("16", "26"):
        tb.write_trf(archive, folder / version, version=version)  # type: ignore[arg-type]
        paths += sorted((folder / version).iterdir())
    (folder / "teams.trf").write_text(_team_report(), encoding="utf-8")
    for ending in ("csv", "html", "xlsx", "tex"):
        paths += tb.write_crosstable(archive, folder / f"written.{ending}")
    write_archive(folder / "games.pgn", 40, odd=0.8)
    games = _table()
    games.write_csv(folder / "games.csv")
    games.write_parquet(folder / "games.parquet")
    games.write_ipc(folder / "games.arrow")
    archive.results.write_parquet(folder / "results.parquet")
    names = ("teams.trf", "games.pgn", "games.csv", "games.parquet", "games.arrow",
             "results.parquet")  # fmt: skip
    paths += [folder / name for name in names]
    return paths + list(_packed(folder))


def _table() -> pl.DataFrame:
    return pl.DataFrame(_GAMES, schema=["round", "white", "black", "result"], orient="row")


def _archive() -> tb.Archive:
    players = pl.DataFrame(
        {"player": range(1, 7), "name": _NAMES, "rating": [2400, 2310, None, 2200, 2150, 2000]}
    )
    about = pl.DataFrame({"tournament": ["cup"], "name": ["Cup"], "start": ["2024-05-01"]})
    about = about.with_columns(pl.col("start").str.to_date())
    return tb.from_games(_table().with_columns(tournament=pl.lit("cup")), players, about)


def _packed(folder: Path) -> Iterator[Path]:
    """Pack some of them, each in another way."""
    report, games, go = (folder / name for name in ("teams.trf", "games.pgn", "cup.h9"))
    (folder / "teams.trf.gz").write_bytes(gzip.compress(report.read_bytes()))
    (folder / "games.pgn.bz2").write_bytes(bz2.compress(games.read_bytes()))
    (folder / "games.pgn.zst").write_bytes(
        pa.compress(games.read_bytes(), codec="zstd", asbytes=True)
    )
    with zipfile.ZipFile(folder / "games.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(games, "a.pgn")
        archive.write(games, "b.pgn")
    with zipfile.ZipFile(folder / "cup.h9.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(go, "cup.h9")
    names = ("teams.trf.gz", "games.pgn.bz2", "games.pgn.zst", "games.zip", "cup.h9.zip")
    yield from (folder / name for name in names)


def _rounds(player: int) -> Iterator[tuple[int, str, str]]:
    """Give the opponent, the color and the own result of each round: ``1``, ``=`` or ``0``."""
    codes = {"1-0": "10", "0-1": "01", "1/2-1/2": "==", "1-0F": "10"}
    for _, white, black, result in _GAMES:
        if player in (white, black):
            side = player == black
            yield (white if side else black), "wb"[side], codes[result][side]


def _h9() -> str:
    lines = ["; EV[Cup]", "; PC[FI, Turku]", "; DT[2024-05-01]", "; CM[made up]"]
    for number, name in enumerate(_NAMES, 1):
        signs = {"1": "+", "0": "-", "=": "="}
        cells = " ".join(
            f"{opponent}{signs[result]}/{color}0" for opponent, color, result in _rounds(number)
        )
        lines.append(f"{number} {name} 3d FI Turk {30 + number} 99 289 {cells} |1000000{number}")
    return "\n".join(lines) + "\n"


def _opengotha() -> str:
    keys = [name.replace(" ", "").upper() for name in _NAMES]
    words = {"1-0": "WHITEWINS", "0-1": "BLACKWINS", "1/2-1/2": "EQUAL", "1-0F": "WHITEWINS_BYDEF"}
    players = "\n".join(
        f'<Player name="{name.split()[0]}" firstName="{name.split()[1]}" rank="3D" rating="2300"/>'
        for name in _NAMES
    )
    games = "\n".join(
        f'<Game roundNumber="{number}" tableNumber="1" whitePlayer="{keys[white - 1]}" '
        f'blackPlayer="{keys[black - 1]}" handicap="0" result="RESULT_{words[result]}"/>'
        for number, white, black, result in _GAMES
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<Tournament dataVersion="201">\n<Players>\n'
        f"{players}\n</Players>\n<Games>\n{games}\n</Games>\n<TournamentParameterSet>\n"
        '<GeneralParameterSet name="Cup" beginDate="2024-05-01" numberOfRounds="5"/>\n'
        "</TournamentParameterSet>\n</Tournament>\n"
    )


def _tdf() -> str:
    players = "\n".join(
        f'<player userid="{number}"><firstname>{name}</firstname></player>'
        for number, name in enumerate(_NAMES, 1)
    )
    outcome = {"1-0": 1, "0-1": 2, "1/2-1/2": 3, "1-0F": 1}
    rounds = "\n".join(
        f'<round number="{number}" type="3"><matches>'
        + "".join(
            f'<match outcome="{outcome[result]}"><player1 userid="{white}"/>'
            f'<player2 userid="{black}"/></match>'
            for each, white, black, result in _GAMES
            if each == number
        )
        + "</matches></round>"
        for number in range(1, 6)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<tournament type="2" gametype="TRADING_CARD_GAME">'
        "\n<data><name>Cup</name><startdate>05/01/2024</startdate></data>\n<players>\n"
        f'{players}\n</players>\n<pods><pod category="2"><rounds>\n{rounds}\n</rounds></pod></pods>'
        "\n</tournament>\n"
    )


_MATCHES: Final = {"1-0": "2-1-0", "0-1": "0-2-0", "1/2-1/2": "1-1-1", "1-0F": "2-0-0"}


def _platform() -> str:
    rounds = [
        {
            "RoundName": f"Round {number}",
            "Matches": [
                {"Player1": _NAMES[white - 1], "Player2": _NAMES[black - 1],
                 "Result": _MATCHES[result]}
                for each, white, black, result in _GAMES if each == number
            ],
        }
        for number in range(1, 6)
    ]  # fmt: skip
    standings = [{"Rank": 1, "Player": _NAMES[0], "Points": 12, "OMWP": 0.6667}]
    about = {"Name": "Cup", "Date": "2024-05-01T18:00:00"}
    return json.dumps({"Tournament": about, "Rounds": rounds, "Standings": standings}, indent=1)


def _match_table() -> str:
    rows = [
        f"{number},{_NAMES[white - 1]},{_NAMES[black - 1]},{_MATCHES[result]}"
        for number, white, black, result in _GAMES
    ]
    return "\n".join(["Round,Player 1,Player 2,Result", *rows, "6,Ari Ann,BYE,2-0-0"]) + "\n"


def _lichess() -> str:
    rows = [
        {"rank": number, "points": 6 - number, "tieBreak": 10.5, "rating": 2400,
         "username": name.split()[1].lower(), "performance": 2300}
        for number, name in enumerate(_NAMES, 1)
    ]  # fmt: skip
    return "".join(json.dumps(row) + "\n" for row in rows)


def _crosstable() -> str:
    lines = ["Cup 2024", "", "Rk.;Name;Rtg;1.Rd;2.Rd;3.Rd;4.Rd;5.Rd;Pts.;TB1"]
    marks = {"1": "1", "0": "0", "=": "½"}
    for number, name in enumerate(_NAMES, 1):
        rounds = list(_rounds(number))
        cells = ";".join(f"{other}{color}{marks[result]}" for other, color, result in rounds)
        points = sum({"1": 1.0, "0": 0.0, "=": 0.5}[result] for *_, result in rounds)
        lines.append(f"{number};{name};2300;{cells};{points:g};10,5".replace(".5;", ",5;"))
    return "\n".join(lines) + "\n"


def _team_report() -> str:
    """Write two teams of two, who meet twice, as a TRF16."""
    lines = ["012 Teams", "042 2024/05/01", "092 Swiss team"]
    opponents = {1: 3, 2: 4, 3: 1, 4: 2}
    for number, name in enumerate(_NAMES[:4], 1):
        cells = "".join(
            f"  {opponents[number]:4} {'wb'[(number + each) % 2]} ="[:10] for each in range(2)
        )
        lines.append(f"001 {number:4}      {name:33} 2300".ljust(80) + f" 1.0 {number:4}{cells}")
    lines += ["013 Rooks".ljust(36) + "   1    2", "013 Kings".ljust(36) + "   3    4"]
    return "\n".join(lines) + "\n"
