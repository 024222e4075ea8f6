"""The values of one tag, one for each game, as a column of text."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tbframe.sources.pgn.lines import Bytes, Ints
from tbframe.sources.pgn.tags import Doubt, Tags

__all__ = ["decode", "escaped", "gather"]


def gather(
    found: Tags, game: Ints, games: int, tag: tuple[int, str], doubts: list[Doubt]
) -> pa.Array:
    """Gather the values of one tag.

    Parameters
    ----------
    found, game
        The tags, and the number of the game of each.
    games
        How many there are.
    tag
        Number and name of the tag.
    doubts
        Where to say what was adjusted.

    Returns
    -------
    Array
        ``(games,)`` of text; null where a game does not have the tag. Of several the last counts.
    """
    number, name = tag
    here = np.flatnonzero(found.name == number)
    if not here.size:
        return pa.nulls(games, pa.large_string())
    owner = game[here]
    for k in np.flatnonzero(owner[1:] == owner[:-1]).tolist():
        message = f"a second tag {name} for one game: the last one counts"
        doubts.append((int(found.line[here[k + 1]]), "warning", "tag-twice", message))
    there = np.zeros(games, bool)
    start, length, line = (np.zeros(games, np.int64) for _ in range(3))
    there[owner] = True
    start[owner], length[owner], line[owner] = (
        found.start[here], found.length[here], found.line[here],
    )  # fmt: skip
    offset = np.concatenate([[0], np.cumsum(length)])
    place = np.arange(offset[-1]) + np.repeat(start - offset[:-1], length)
    value = found.text[place]
    if _is_utf8(value, offset):
        bits = pa.py_buffer(np.packbits(there, bitorder="little"))
        buffers = [bits, pa.py_buffer(offset), pa.py_buffer(value)]
        return pa.Array.from_buffers(pa.large_string(), games, buffers)
    decoded, foreign = _foreign(value.tobytes(), offset, there)
    message = f"{len(foreign)} values of {name} are no UTF-8: read as Windows-1252"
    doubts.append((int(line[foreign[0]]), "info", "encoding-cp1252", message))
    return pa.array(decoded, pa.large_string())


def _is_utf8(value: Bytes, offset: Ints) -> bool:
    """Whether all values that stand one behind the other are UTF-8, each by itself."""
    if not (value >= 128).any():
        return True
    heads = value[offset[:-1][offset[:-1] < value.size]]
    if ((heads & 0xC0) == 0x80).any():
        return False
    try:
        value.tobytes().decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _foreign(
    value: bytes, offset: Ints, there: NDArray[np.bool_]
) -> tuple[list[str | None], list[int]]:
    """Decode values of which some are no UTF-8, and tell which."""
    decoded: list[str | None] = []
    foreign = []
    for k in range(there.size):
        one = value[offset[k] : offset[k + 1]]
        try:
            decoded.append(one.decode("utf-8") if there[k] else None)
        except UnicodeDecodeError:
            decoded.append(decode(one))
            foreign.append(k)
    return decoded, foreign


def decode(value: bytes) -> str:
    """Read bytes as Windows-1252, or as Latin-1 where that gives them no meaning."""
    try:
        return value.decode("cp1252")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def escaped(found: Tags) -> list[int]:
    """List the numbers of the tags asked for of which a value has a backslash."""
    slash = np.flatnonzero(found.text == ord("\\"))
    if not slash.size:
        return []
    after = np.searchsorted(slash, found.start + found.length)
    with_one = found.name[after > np.searchsorted(slash, found.start)]
    return sorted({*with_one.tolist()} - {-1})
