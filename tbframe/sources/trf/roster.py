"""The players of a file: the fixed columns of the 001 records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.sources.trf.characters import Characters, identifier, whole_numbers
from tbframe.sources.trf.notes import Notes

__all__ = ["Roster", "read_profiles", "read_roster"]

#: The letters of the older format, besides the titles written out.
_TITLES = {
    "g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM", "wc": "WCM",
    "gm": "GM", "im": "IM", "fm": "FM", "cm": "CM", "wgm": "WGM", "wim": "WIM", "wfm": "WFM",
    "wcm": "WCM",
}  # fmt: skip


@dataclass(frozen=True)
class Roster:
    """The 001 records of a batch of files, sorted by file and start number.

    Attributes
    ----------
    line, file, number
        Line among all lines of the batch, file, and start number of each player.
    size
        Players of each file.
    """

    line: NDArray[np.int64]
    file: NDArray[np.int64]
    number: NDArray[np.int32]
    size: NDArray[np.int64]

    def find(self, file: NDArray[np.int64], number: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return which player has the start `number` in `file`, -1 where none has."""
        # One dense table of all start numbers that a file could have: they stop at 9999.
        largest = np.zeros(len(self.size), dtype=np.int64)
        np.maximum.at(largest, self.file, self.number)
        base = np.concatenate(([0], np.cumsum(largest + 1)))
        table = np.full(base[-1], -1, dtype=np.int64)
        table[base[self.file] + self.number] = np.arange(len(self.number))
        known = number <= largest[file]
        return np.where(known, table[base[file] + np.where(known, number, 0)], -1)


def read_roster(text: Characters, files: int, notes: Notes) -> Roster:
    """Find the 001 records and read their start numbers.

    Files without players, with a start number that cannot be read or that comes twice
    are rejected.
    """
    every = np.arange(len(text.start))
    glued = every[(text.identifier == 0) & _starts_like_a_player(text)]
    lines = every[text.identifier == identifier("001")]
    number, _, wrong = whole_numbers(text.cells(lines, 5, 8))
    file = text.file[lines]

    without = np.setdiff1d(np.arange(files), np.union1d(file, text.file[glued]))
    notes.reject("no-players", "no 001 record: not a tournament report file", file=without)
    unreadable = np.concatenate((glued, lines[wrong | (number == 0)]))
    notes.reject(
        "unreadable-player",
        pl.format("columns 5-8 of a 001 record hold no start number: {}", "said"),
        file=text.file[unreadable],
        line=text.number[unreadable],
        said=text.field(unreadable, 4, 13).fill_null("(blank)"),
    )

    # A number of 0 stands for no opponent; its file is rejected, and it must not be looked up.
    kept = number > 0
    lines, number, file = lines[kept], number[kept], file[kept]
    order = np.lexsort((number, file))
    lines, number, file = lines[order], number[order], file[order]
    twice = 1 + np.flatnonzero((file[1:] == file[:-1]) & (number[1:] == number[:-1]))
    notes.reject(
        "duplicate-start-number",
        pl.format("start number {} comes twice", "number"),
        file=file[twice],
        line=text.number[lines[twice]],
        number=number[twice],
    )
    return Roster(lines, file, number, np.bincount(file, minlength=files))


def read_profiles(text: Characters, roster: Roster, notes: Notes) -> pl.DataFrame:
    """Read who the players are.

    Returns
    -------
    DataFrame
        The columns of `schema.PLAYERS` from ``name`` to ``rank``, one row a player.
    """
    lines = roster.line

    def numeric(first: int, last: int, dtype: pl.DataType) -> tuple[pl.Series, pl.Series]:
        said = text.field(lines, first, last)
        value = said.str.replace(",", ".", literal=True).cast(dtype, strict=False)
        value = value.set(~(value.is_finite() & (value >= 0)), None)
        return value, said.is_not_null() & value.is_null()

    rating, bad_rating = numeric(49, 52, pl.Int32())
    # Column 80 is a blank unless the points do not fit behind it.
    points, bad_points = numeric(80, 84, pl.Float64())
    rank, bad_rank = numeric(86, 89, pl.Int32())
    said_birth = text.field(lines, 70, 79)
    said_sex = text.field(lines, 10, 10)
    title = text.field(lines, 11, 13)
    # "G" before "M  " is a title set one column early, not a sex.
    early = said_sex.is_in(["G", "I", "C"]) & (title == "M")

    frame = pl.DataFrame(
        {
            "name": text.field(lines, 15, 47),
            "sex": said_sex.str.to_lowercase(),
            "title": title,
            "rating": rating,
            "federation": text.field(lines, 54, 56),
            # Real numbers overflow their eleven columns on either side.
            "id": text.field(lines, 57, 69),
            "birth": said_birth,
            "points": points,
            "rank": rank,
        }
    ).with_columns(
        title=pl.when(early).then(said_sex + "M").otherwise("title"),
        sex=pl.col("sex").replace_strict({"m": "m", "w": "w", "f": "w"}, default=None),
        rating=pl.when(pl.col("rating") > 0).then("rating"),
        rank=pl.when(pl.col("rank") > 0).then("rank"),
        id=pl.when(pl.col("id").str.strip_chars("0") != "").then("id"),
        birth=_birth(pl.col("birth")),
    )
    lower = frame["title"].str.to_lowercase()
    # A single capital may mean anything; as the file has it.
    old = (frame["title"] == lower) | (frame["title"].str.len_chars() > 1)
    frame = frame.with_columns(
        title=pl.when(old)
        .then(lower.replace_strict(_TITLES, default=frame["title"]))
        .otherwise("title")
    )

    for name, columns, severity, bad in (
        ("sex", "10", "info", said_sex.is_not_null() & frame["sex"].is_null() & ~early),
        ("rating", "49-52", "warning", bad_rating),
        ("date of birth", "70-79", "info", frame["birth"].is_null() & _has_digits(said_birth)),
        ("points", "81-84", "warning", bad_points),
        ("rank", "86-89", "warning", bad_rank),
    ):
        where = bad.fill_null(value=False).arg_true().to_numpy()
        first, _, last = columns.partition("-")
        notes.find(
            "unreadable-field",
            "info" if severity == "info" else "warning",
            pl.format(f"{name} in columns {columns} is not readable and left empty: {{}}", "said"),
            file=roster.file[where],
            line=text.number[lines[where]],
            player=roster.number[where],
            said=text.field(lines[where], int(first), int(last or first)),
        )
    return frame


def _has_digits(said: pl.Series) -> pl.Series:
    """Whether text has digits that say anything: dates that are not known are written as zeros."""
    return said.str.contains("[1-9]")


def _starts_like_a_player(text: Characters) -> NDArray[np.bool_]:
    cells = text.cells(np.arange(len(text.start)), 1, 4)
    starts: NDArray[np.bool_] = (cells[:, :3] == np.frombuffer(b"001", np.uint8)).all(axis=1)
    starts &= cells[:, 3] != ord(" ")
    return starts


def _birth(said: pl.Expr) -> pl.Expr:
    """``1990/01/31`` and its kin to ISO, as far as it is known: 1990-01-31, 1990-01 or 1990."""
    parts = said.str.extract_groups(r"^([0-9]{4})(?:[-/. ]([0-9]{1,2})(?:[-/. ]([0-9]{1,2}))?)?$")
    year, month, day = (parts.struct[f"{part}"] for part in (1, 2, 3))
    month, day = month.str.zfill(2), day.str.zfill(2)
    with_month = month.is_not_null() & (month != "00")
    full = year + "-" + month + "-" + day
    return (
        pl.when(year == "0000")
        .then(None)
        .when(with_month & day.is_not_null() & (day != "00"))
        .then(full.str.to_date("%Y-%m-%d", strict=False).cast(pl.String))
        .when(with_month)
        .then(pl.when(month <= "12").then(year + "-" + month))
        .otherwise(year)
    )
