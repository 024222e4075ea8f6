"""The records of team events: rosters, byes, forfeits, line-ups, scoring."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.sources.trf.characters import Characters, strings, whole_numbers
from tbframe.sources.trf.countable import scorable
from tbframe.sources.trf.notes import Notes

__all__ = ["MOST_BOARDS", "TeamRecords", "read_team_records"]

_NUMBER: Final = r"([0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)"
#: Both results of a match that was not played, as various programs write them.
_FORFEITS: Final = {
    **dict.fromkeys(("+-", "10", "WL", "WZ"), "+-"),
    **dict.fromkeys(("-+", "01", "LW", "ZW"), "-+"),
    **dict.fromkeys(("--", "00", "LL", "ZZ"), "--"),
}
#: No match has more boards: their points lie in tables with a place for each.
MOST_BOARDS: Final = 100
#: The result codes that a symbol of record 299 stands for.
_SYMBOLS: Final = {
    "W": "1W", "D": "=D", "L": "0L", "P": "U", **{code: code for code in "+-FHZ"},
}  # fmt: skip

Lines = NDArray[np.int64]


@dataclass(frozen=True)
class TeamRecords:
    """What the records of teams say, before it is held against the games.

    Every frame has ``file`` and ``line``, the number of the line in its file.

    Attributes
    ----------
    teams
        ``team``, ``name``, ``nickname``, ``strength``, ``points``, ``game_points``, ``rank``.
    members
        ``team``, ``order`` and ``number`` (a start number).
    byes
        ``round``, ``team``, ``result``: records 240 and 320.
    forfeits
        ``round``, ``team``, ``opponent``, ``color``, ``result``: records 330, two rows each.
    line_ups
        ``round``, ``team``, ``opponent``, ``board``, ``number`` (0: empty): records 300.
    awards
        ``symbol``, ``match_points``, ``game_points``, ``round``, ``team``: records 299, and
        what records 320 give for a bye; 0 where it holds for every round or team.
    scoring
        ``W``, ``D``, ``L``, ``A``, ``P``: records 362.
    sequences
        ``sequence``: records 352.
    """

    teams: pl.DataFrame
    members: pl.DataFrame
    byes: pl.DataFrame
    forfeits: pl.DataFrame
    line_ups: pl.DataFrame
    awards: pl.DataFrame
    scoring: pl.DataFrame
    sequences: pl.DataFrame

    def of(self, files: pl.Series) -> TeamRecords:
        """Return the records of some files."""
        kept = pl.col("file").is_in(files.implode())
        return TeamRecords(**{name: frame.filter(kept) for name, frame in vars(self).items()})


def read_team_records(text: Characters, records: pl.DataFrame, notes: Notes) -> TeamRecords:
    """Read the records of teams in all files.

    Parameters
    ----------
    text
        The lines.
    records
        From `header.read_records`.
    notes
        Told of records that cannot be read.
    """
    reader = _Reader(text, records, notes)
    teams, members = reader.rosters()
    allocated, worth = reader.allocated_byes()
    return TeamRecords(
        teams=teams,
        members=members,
        byes=pl.concat([reader.requested_byes(), allocated]),
        forfeits=reader.forfeits(),
        line_ups=reader.line_ups(),
        awards=pl.concat([worth, reader.awards()]),
        scoring=reader.scoring(),
        sequences=reader.sequences(),
    )


class _Reader:
    """Fields of the records of one batch."""

    def __init__(self, text: Characters, records: pl.DataFrame, notes: Notes) -> None:
        self._text = text
        self._records = records.filter(pl.col("id").is_not_null())
        self._notes = notes

    def rosters(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Read records 310, or 013 in files that have none: teams and their members."""
        numbered = self._records.filter(id="310")["file"].unique()
        named = (pl.col("id") == "013") & ~pl.col("file").is_in(numbered.implode())
        rows = self._records.filter((pl.col("id") == "310") | named)
        rows = rows.with_columns(
            place=pl.int_range(1, pl.len() + 1).over("file"), new=pl.col("id") == "310"
        )
        lines, new = rows["position"].to_numpy(), rows["new"].to_numpy()
        shift = np.where(new & self._older_layout(rows), 2, 0)
        number, _, _ = self._whole(lines, 5, 7)
        teams = rows.select(
            "file",
            "line",
            team=pl.when("new").then(pl.Series(number)).otherwise("place").cast(pl.Int64),
            name=pl.when("new")
            .then(self._text.field(lines, 9, 40))
            .otherwise(self._text.field(lines, 5, 36)),
            nickname=pl.when("new").then(self._text.field(lines, 42, 46)),
            strength=pl.when("new").then(self._decimal(lines, 48, 53)),
            points=pl.when("new").then(self._decimal(lines, 55, 60 - shift)),
            game_points=pl.when("new").then(self._decimal(lines, 62 - shift, 67 - shift)),
            rank=pl.when("new").then(self._decimal(lines, 69 - shift, 71 - shift)),
        ).with_columns(
            rank=pl.when(pl.col("rank") > 0).then(pl.col("rank").cast(pl.Int32, strict=False))
        )
        twice = teams.filter(teams.select("file", "team").is_duplicated() | (pl.col("team") == 0))
        self._notes.reject(
            "duplicate-team-number",
            pl.format("team number {} comes twice, or is none", "team"),
            file=twice["file"].to_numpy(),
            line=twice["line"].to_numpy(),
            team=twice["team"],
        )
        first = np.where(new, 74 - shift, 37)
        members = self._listed(teams.select("file", "line", "team"), lines, first, 4, 5)
        members = members.filter(pl.col("number") != 0).with_columns(
            order=pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over("file", "team")
        )
        return teams, members.select("file", "line", "team", "order", "number")

    def _older_layout(self, rows: pl.DataFrame) -> NDArray[np.bool_]:
        """Tell files of a draft, in which everything behind the match points came 2 earlier.

        Start numbers are right-aligned, so that it shows where the first one ends.
        """
        cells = self._text.cells(rows["position"].to_numpy(), 72, 77) != ord(" ")
        old = rows.select("file", "line", "new", old=pl.Series(cells[:, 3] & ~cells[:, 5]))
        old = old.with_columns(old=pl.col("old") & pl.col("new"))
        found = old.filter("old").unique("file", keep="first", maintain_order=True)
        self._notes.find(
            "older-layout",
            "info",
            "records 310 are laid out as in a draft of the format, and read so",
            file=found["file"].to_numpy(),
            line=found["line"].to_numpy(),
        )
        return old.select(pl.col("old").any().over("file")).to_series().to_numpy()

    def requested_byes(self) -> pl.DataFrame:
        """Read records 240 of teams: half-point, full-point and zero-point byes."""
        rows, lines = self._of("240")
        round_, _, _ = self._whole(lines, 7, 9)
        kind = self._text.field(lines, 5, 5).str.to_uppercase().fill_null("Z")
        head = rows.select("file", "line", round=pl.Series(round_), result=kind)
        byes = self._listed(head, lines, 11, 4, 5).filter(pl.col("number") != 0)
        wrong = ~pl.col("result").is_in(["F", "H", "Z"]) | (pl.col("round") == 0)
        self._unreadable(byes.filter(wrong), "240", "names no bye of a team in a round")
        return byes.filter(~wrong).select(
            "file", "line", "round", team=pl.col("number"), result="result"
        )

    def allocated_byes(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Read records 320: pairing-allocated byes, and what they bring."""
        rows, lines = self._of("320")
        worth = rows.select(
            "file",
            "line",
            symbol=pl.lit("P"),
            match_points=self._decimal(lines, 5, 8),
            game_points=self._decimal(lines, 10, 13),
            round=pl.lit(0, pl.Int64),
            team=pl.lit(0, pl.Int64),
        )
        fits = scorable(worth["match_points"]) & scorable(worth["game_points"])
        self._unreadable(worth.filter(~fits), "320", "gives points that no bye can bring")
        worth = worth.filter(fits)
        byes = self._listed(rows.select("file", "line"), lines, 15, 3, 4)
        byes = byes.filter(pl.col("number") != 0)
        return (
            byes.select(
                "file",
                "line",
                round=pl.col("slot") + 1,
                team=pl.col("number"),
                result=pl.lit("U"),
            ),
            worth,
        )

    def forfeits(self) -> pl.DataFrame:
        """Read records 330, as the row of the team with White and that of the other."""
        rows, lines = self._of("330")
        (round_, _, _), (white, _, _), (black, _, _) = (
            self._whole(lines, first, first + 2) for first in (8, 12, 16)
        )
        codes = self._text.field(lines, 5, 6).str.to_uppercase()
        read = rows.select(
            "file",
            "line",
            round=pl.Series(round_).cast(pl.Int64),
            white=pl.Series(white).cast(pl.Int64),
            black=pl.Series(black).cast(pl.Int64),
            codes=codes.replace_strict(_FORFEITS, default=None, return_dtype=pl.String),
        )
        whole = pl.col("codes").is_not_null() & pl.all_horizontal(
            pl.col("round", "white", "black") > 0
        )
        whole &= pl.col("white") != pl.col("black")
        self._unreadable(read.filter(~whole), "330", "names no forfeited match of two teams")
        read = read.filter(whole)
        sides = (("white", "black", "w", 0), ("black", "white", "b", 1))
        return pl.concat(
            read.select(
                "file",
                "line",
                "round",
                team=mine,
                opponent=other,
                color=pl.lit(color),
                result=pl.col("codes").str.slice(place, 1),
            )
            for mine, other, color, place in sides
        )

    def line_ups(self) -> pl.DataFrame:
        """Read records 300: who sat at which board; 0 for nobody."""
        rows, lines = self._of("300")
        (round_, _, _), (team, _, _), (opponent, _, _) = (
            self._whole(lines, first, first + 2) for first in (5, 9, 13)
        )
        head = rows.select(
            "file",
            "line",
            round=pl.Series(round_).cast(pl.Int64),
            team=pl.Series(team).cast(pl.Int64),
            opponent=pl.Series(opponent).cast(pl.Int64),
        )
        wrong = pl.any_horizontal(pl.col("round", "team") == 0)
        self._unreadable(head.filter(wrong), "300", "names no team and round")
        listed = (
            self._listed(head, lines, 17, 4, 5)
            .filter(~wrong)
            .select("file", "line", "round", "team", "opponent", "number", board=pl.col("slot") + 1)
        )
        beyond = pl.col("board") > MOST_BOARDS
        self._unreadable(listed.filter(beyond), "300", f"names more than {MOST_BOARDS} boards")
        return listed.filter(~beyond)

    def awards(self) -> pl.DataFrame:
        """Read records 299: points that a result brings, or that come on top of one."""
        rows, lines = self._of("299")
        round_, _, _ = self._whole(lines, 20, 22)
        symbol = self._text.field(lines, 5, 5).str.to_uppercase().fill_null("")
        head = rows.select(
            "file",
            "line",
            symbol=symbol,
            match_points=self._decimal(lines, 8, 11),
            game_points=self._decimal(lines, 14, 17),
            round=pl.Series(round_).cast(pl.Int64),
        )
        named = self._listed(head, lines, 24, 4, 5).filter(pl.col("number") != 0)
        general = head.join(named, on=["file", "line"], how="anti").with_columns(
            number=pl.lit(0, pl.Int64)
        )
        read = pl.concat([general, named], how="diagonal").sort("file", "line", maintain_order=True)
        points = pl.any_horizontal(pl.col("match_points", "game_points").is_not_null())
        known = pl.col("symbol").is_in([*_SYMBOLS, ""]) & points
        # What comes on top of a result does so in one round, and a team is named.
        known &= (pl.col("symbol") != "") | ((pl.col("number") > 0) & (pl.col("round") > 0))
        # What holds for every round and team is part of the scoring.
        scoring = scorable(read["match_points"]) & scorable(read["game_points"])
        known &= pl.any_horizontal(pl.col("number", "round") > 0) | pl.lit(scoring)
        self._unreadable(read.filter(~known), "299", "could not be read or applied")
        return read.filter(known).select(
            "file", "line", "symbol", "match_points", "game_points", "round", team="number"
        )

    def scoring(self) -> pl.DataFrame:
        """Read records 362, whose groups have nine columns, in some programs ten."""
        rows, _ = self._of("362")
        value = pl.col("value").fill_null("").str.to_uppercase()
        group = r"(?:^|\s)T?{}\s*" + _NUMBER + r"(?:\s|$)"
        read = rows.select(
            "file",
            "line",
            *(
                value.str.extract(group.replace("{}", symbol))
                .str.replace(",", ".", literal=True)
                .cast(pl.Float64)
                .alias(symbol)
                for symbol in "WDLAP"
            ),
            rest=value.str.replace_all(rf"T?[WDLAPX]\s*{_NUMBER}", "").str.strip_chars(),
        )
        fits = pl.all_horizontal(pl.lit(scorable(read[symbol])) for symbol in "WDLAP")
        self._unreadable(
            read.filter(~fits | (pl.col("rest") != "")), "362", "could not be read whole"
        )
        return read.filter(fits).drop("rest").unique("file", keep="first", maintain_order=True)

    def sequences(self) -> pl.DataFrame:
        """Read records 352: the colours of a team's boards."""
        rows, _ = self._of("352")
        read = rows.select("file", "line", sequence=pl.col("value").str.to_uppercase())
        known = pl.col("sequence").str.contains(f"^[WB]{{1,{MOST_BOARDS}}}$")
        known = known.fill_null(value=False)
        self._unreadable(
            read.filter(~known), "352", f"is no sequence of W and B for up to {MOST_BOARDS} boards"
        )
        return read.filter(known).unique("file", keep="first", maintain_order=True)

    def _of(self, id_: str) -> tuple[pl.DataFrame, Lines]:
        rows = self._records.filter(id=id_)
        return rows, rows["position"].to_numpy()

    def _whole(
        self, lines: Lines, first: int, last: int
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]]:
        number, blank, wrong = whole_numbers(self._text.cells(lines, first, last))
        return number.astype(np.int64), blank, wrong

    def _decimal(
        self, lines: Lines, first: int | NDArray[np.int64], last: int | NDArray[np.int64]
    ) -> pl.Series:
        """Read numbers between columns that may differ from line to line."""
        start, end = np.broadcast_arrays(first, last, lines)[:2]
        width = int((end - start).max(initial=0)) + 1
        cells = self._text.cells_at(
            self._text.start[lines] + start - 1, self._text.end[lines], width
        )
        cells[np.arange(width) > (end - start)[:, None]] = ord(" ")
        said = strings(cells).str.replace(",", ".", literal=True)
        value = said.cast(pl.Float64, strict=False)
        return value.set(~value.is_finite(), None)

    def _listed(
        self,
        head: pl.DataFrame,
        lines: Lines,
        first: int | NDArray[np.int64],
        width: int,
        step: int,
    ) -> pl.DataFrame:
        """Read the numbers that stand `step` columns apart from column `first` on.

        Returns
        -------
        DataFrame
            The columns of `head`, ``slot`` (from 0) and ``number`` (0 where it is blank).
        """
        text = self._text
        offset = np.broadcast_to(first, lines.shape) - 1
        length = text.end[lines] - text.start[lines]
        slots = np.maximum(0, -((offset - length) // step))
        record = np.repeat(np.arange(len(lines)), slots)
        slot = np.arange(len(record)) - np.repeat(np.cumsum(slots) - slots, slots)
        start = (text.start[lines] + offset)[record] + slot * step
        number, _, wrong = whole_numbers(text.cells_at(start, text.end[lines][record], width))
        listed = head[record].with_columns(slot=pl.Series(slot), number=pl.Series(number))
        self._unreadable(listed.filter(pl.Series(wrong)), "", "a number cannot be read: left out")
        return listed.with_columns(pl.col("number").cast(pl.Int64))

    def _unreadable(self, rows: pl.DataFrame, id_: str, what: str) -> None:
        rows = rows.unique(["file", "line"], keep="first", maintain_order=True)
        self._notes.find(
            "unreadable-team-record",
            "error",
            f"record {id_} {what}" if id_ else what,
            file=rows["file"].to_numpy(),
            line=rows["line"].to_numpy(),
        )
