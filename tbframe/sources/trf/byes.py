"""Rounds without an opponent: byes of rounds to come, contradictory blocks, records 240."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.sources.trf.characters import identifier, whole_numbers
from tbframe.sources.trf.grid import CODE, NO_COLOR, NO_RESULT, UNPLAYED
from tbframe.sources.trf.sheet import Sheet

__all__ = ["apply_bye_records", "paired_rounds", "settle_contradictions"]

#: What a result over the board means where no opponent is named.
_BYE_OF = {"1": "U", "W": "U", "=": "H", "D": "H", "0": "Z", "L": "Z"}


def paired_rounds(sheet: Sheet) -> NDArray[np.int64]:
    """Return how many rounds are paired in each file.

    Pairing programs keep the byes that players ask for in advance in the columns of rounds
    to come. So a round behind the last one with a pairing is not paired yet unless every
    player has a block in it: its byes are read, and whoever has none has no row there.
    """
    grid, file = sheet.grid, sheet.file()
    paired = (grid.opponent > 0) | np.isin(grid.result, (CODE["U"], CODE["+"]))
    last = np.zeros(len(grid.rounds), dtype=np.int64)
    np.maximum.at(last, file[paired], grid.round[paired])
    # A file without any pairing shows no other sign of where play stopped.
    last[last == 0] = grid.rounds[last == 0]
    ahead = np.flatnonzero(grid.round > last[file])
    if not ahead.size:
        return last
    rounds = (
        pl.DataFrame({"file": file[ahead], "round": grid.round[ahead], "empty": grid.empty[ahead]})
        .group_by("file", "round", maintain_order=True)
        .agg(byes=(~pl.col("empty")).sum(), complete=~pl.col("empty").any())
    )
    complete = rounds.filter("complete")
    np.maximum.at(last, complete["file"].to_numpy(), complete["round"].to_numpy())
    announced = rounds.filter(
        pl.col("round") > pl.Series(last[rounds["file"].to_numpy()]), pl.col("byes") > 0
    )
    sheet.notes.find(
        "round-not-paired",
        "warning",
        pl.format(
            "round {} is not paired yet but has byes for {} players: they are read, the other "
            "players have no row",
            "round",
            "byes",
        ),
        file=announced["file"].to_numpy(),
        round=announced["round"].to_numpy(),
        byes=announced["byes"],
    )
    return last


def settle_contradictions(sheet: Sheet) -> None:
    """Read blocks that say two things at once.

    A bye with an opponent is a bye, and the opponent is reported. A result over the board
    without an opponent is the bye that brings as much.
    """
    grid = sheet.grid
    named = np.flatnonzero(UNPLAYED[grid.result] & (grid.opponent > 0))
    sheet.report(
        named,
        "bye-with-opponent",
        "error",
        "opponent {opponent} is named but the result is {result}: read as a bye, no opponent",
    )
    grid.opponent[named] = 0

    played = np.isin(grid.result, [CODE[code] for code in _BYE_OF])
    alone = np.flatnonzero(played & (grid.opponent == 0))
    sheet.report(
        alone,
        "game-without-opponent",
        "error",
        "result {result} without an opponent: read as a bye with as many points",
    )
    becomes = np.arange(NO_RESULT + 1, dtype=np.uint8)
    becomes[[CODE[code] for code in _BYE_OF]] = [CODE[code] for code in _BYE_OF.values()]
    grid.result[alone] = becomes[grid.result[alone]]
    grid.color[UNPLAYED[grid.result]] = NO_COLOR


def apply_bye_records(sheet: Sheet, individual: NDArray[np.bool_]) -> None:
    """Read the byes of records 240 into rounds that are blank in the 001 records.

    Only of `individual` files: those of a team file are the teams'.
    """
    text, grid = sheet.text, sheet.grid
    lines = np.flatnonzero((text.identifier == identifier("240")) & individual[text.file])
    if not lines.size:
        return
    byes = _bye_records(sheet, lines).unique(maintain_order=True)
    for rows, finding, severity, message in (
        (
            byes.filter(pl.any_horizontal(pl.col("player", "code", "round").is_null())),
            "unreadable-bye-record",
            "error",
            "record 240 names no bye of a player in a round",
        ),
        (
            byes.filter(pl.col("round") > pl.col("rounds")),
            "announced-bye",
            "info",
            "record 240 announces a bye in a round that is not played yet",
        ),
    ):
        place = {name: rows[name].fill_null(0).to_numpy() for name in ("line", "round", "number")}
        sheet.notes.find(
            finding,
            "error" if severity == "error" else "info",
            message,
            file=rows["file"].to_numpy(),
            line=place["line"],
            round=place["round"],
            player=place["number"],
        )
    byes = byes.drop_nulls().filter(pl.col("round") <= pl.col("rounds"))
    target = grid.first[byes["player"].to_numpy()] + byes["round"].to_numpy() - 1
    code = byes["code"].to_numpy().astype(np.uint8)
    free = (grid.opponent[target] == 0) & (grid.result[target] == NO_RESULT)
    sheet.report(
        target[~free & (grid.result[target] != code)],
        "bye-record-contradicted",
        "error",
        "record 240 gives a bye; the player's own record has {result}, which holds",
    )
    grid.result[target[free]] = code[free]
    grid.empty[target[free]] = False


def _bye_records(sheet: Sheet, lines: NDArray[np.int64]) -> pl.DataFrame:
    """Return the byes of the records: what cannot be read or found is null."""
    text = sheet.text
    codes = {code: CODE[code] for code in "FHZ"}
    kind = (
        text.field(lines, 5, 5)
        .str.to_uppercase()
        .replace_strict(codes, default=None, return_dtype=pl.Int64)
    )
    slots = np.maximum(0, -((10 - (text.end[lines] - text.start[lines])) // 5))
    record = np.repeat(np.arange(len(lines)), slots)
    slot = np.arange(len(record)) - np.repeat(np.cumsum(slots) - slots, slots)
    start = text.start[lines][record] + 10 + slot * 5
    number, blank, _ = whole_numbers(text.cells_at(start, text.end[lines][record], 4))
    record, number = record[~blank], number[~blank]
    file = text.file[lines[record]]
    player = sheet.roster.find(file, number)
    round_, _, _ = whole_numbers(text.cells(lines, 7, 9))
    return pl.DataFrame(
        {
            "file": file,
            "line": text.number[lines[record]],
            "number": number,
            "rounds": sheet.grid.rounds[file],
            "code": kind.gather(record),
            "player": player,
            "round": round_[record].astype(np.int64),
        }
    ).with_columns(
        player=pl.when((pl.col("player") >= 0) & (pl.col("number") > 0)).then("player"),
        round=pl.when(pl.col("round") > 0).then("round"),
    )
