"""One piece of PGN as a frame with one row for each game: the values of the tags asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from tbframe.sources.pgn.lines import Ints, find_lines
from tbframe.sources.pgn.tags import Doubt, Piece, Tags, find_tags, number_games
from tbframe.sources.pgn.values import decode, escaped, gather

__all__ = ["Scanned", "scan"]

_REMARKS: Final = re.compile(rb"\{[^}]*\}?|;[^\n]*|\$[0-9]+|[ \t\r\n]+")
_ENDING: Final = re.compile(
    rb"1-0|0-1|1/2-1/2|1/2|\*|\+-+|-+\+|0-0|-/-|(?:\xc2)?\xbd-(?:\xc2)?\xbd"
)
#: Text behind the tags longer than this has moves in it, or a remark that no one looks at.
_SHORT: Final = 400
#: Words of the text that its fingerprint is made of.
_SAMPLES: Final = 8


@dataclass(frozen=True)
class Scanned:
    """What a piece has.

    Attributes
    ----------
    games
        One row for each game: ``line`` (within the piece, from 0), the tags asked for (null:
        not there), ``text`` (a fingerprint of what stands behind the tags), ``ending`` (the
        result there, where the tag has none), ``moveless`` (whether there are no moves).
    doubts
        What was adjusted.
    lines
        How many lines there are.
    inside
        Whether the piece ends inside of a comment.
    """

    games: pl.DataFrame
    doubts: list[Doubt]
    lines: int
    inside: bool


def scan(data: bytes, tags: tuple[str, ...], *, inside: bool = False) -> Scanned:
    """Read the tags of all games of a piece.

    Parameters
    ----------
    data
        Whole games.
    tags
        The names of the tags to read.
    inside
        Whether the piece begins inside of a comment that an earlier one opens.
    """
    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")
    data = data or b"\n"
    lines = find_lines(data, np.frombuffer(data, np.uint8), inside=inside)
    piece = Piece(data, lines, tuple(tag.encode() for tag in tags))
    found = find_tags(piece)
    game, first = number_games(piece, found)
    columns = {
        tag: gather(found, game, first.size, (number, tag), piece.doubts)
        for number, tag in enumerate(tags)
    }
    behind = _behind(piece, found, first, columns.get("Result"))
    games = pl.DataFrame(pa.table({"line": found.line[first], **columns, **behind}))
    if slashed := [tags[number] for number in escaped(found)]:
        games = games.with_columns(pl.col(slashed).str.replace_all(r'\\(["\\])', "$1"))
    message = "what looks like a game stands in a comment: no game"
    piece.doubts.extend((k, "warning", "game-in-comment", message) for k in lines.buried.tolist())
    return Scanned(games, piece.doubts, lines.start.size - 1, lines.inside)


def _behind(piece: Piece, found: Tags, first: Ints, result: pa.Array | None) -> dict[str, pa.Array]:
    """Tell of the text behind the tags: a fingerprint, its result, whether there are moves."""
    data, lines, text, count = piece.data, piece.lines, found.text, first.size
    last = found.line[np.concatenate([first[1:], [found.line.size]])[:count] - 1]
    start = lines.end[last]
    end = np.concatenate([lines.start[found.line[first[1:]]], [len(data)]])[:count]
    end = np.maximum(end, start)
    for _ in range(8):  # blanks around the text are no part of it
        start = np.where((start < end) & (text[start] <= 32), start + 1, start)
        end = np.where((start < end) & (text[np.maximum(end - 1, 0)] <= 32), end - 1, end)
    length = end - start
    moveless = (length == 0) & ~lines.content[last]
    unlike = (text[start] != ord("1")) | (text[start + 1] != ord(".")) | (length < 12)
    short = unlike & (length > 0) & (length < _SHORT) & ~lines.content[last]
    for k in np.flatnonzero(short).tolist():
        rest = _REMARKS.sub(b"", data[start[k] : end[k]])
        moveless[k] = not rest or _ENDING.fullmatch(rest) is not None
    ending: list[str | None] = [None] * count
    for k in np.flatnonzero(~_told(result, count)).tolist():
        token = data[max(int(start[k]), int(end[k]) - 16) : end[k]].split()[-1:]
        if token and _ENDING.fullmatch(token[0]):
            ending[k] = decode(token[0].replace(b"\xc2", b""))
    return {
        "text": pa.array(_fingerprint(found, start, length), pa.uint64()),
        "ending": pa.array(ending, pa.large_string()),
        "moveless": pa.array(moveless, pa.bool_()),
    }


def _fingerprint(
    found: Tags, start: Ints, length: Ints
) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Make a number of the length of each text and of words spread over it."""
    words = np.ndarray((found.text.size - 7,), "<u8", found.text, strides=(1,))
    mark = length.astype(np.uint64)
    with np.errstate(over="ignore"):
        for sample in range(_SAMPLES):
            place = start + np.maximum(length - 8, 0) * sample // (_SAMPLES - 1)
            word = np.where(length >= 8, words[place], 0)
            mark = (mark ^ word) * np.uint64(0x9E3779B97F4A7C15)
            mark ^= mark >> np.uint64(29)
    return mark


def _told(result: pa.Array | None, count: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Tell which games have a tag Result that says something."""
    if result is None:
        return np.zeros(count, bool)
    silent = pc.is_in(result, pa.array(["", "?"], pa.large_string()))
    return ~np.asarray(pc.or_(silent, pc.is_null(result)), bool)
