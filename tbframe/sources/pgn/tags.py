"""Name and value of each tag of a piece: those in the usual form together, others one by one."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tbframe.findings import Severity
from tbframe.sources.pgn.lines import Bytes, Ints, Lines

__all__ = ["PAD", "Doubt", "Piece", "Tags", "find_tags", "number_games"]

#: A remark of the scanner: line within the piece, from 0, severity, code, message.
Doubt = tuple[int, Severity, str, str]

#: Bytes behind the text, so that eight can be read at once from each of its places.
PAD: Final = bytes(64)

_TAG: Final = re.compile(rb'\[[ \t]*([A-Za-z0-9_][^"\[\]\n]*?)[ \t]*"((?:[^"\\]|\\.)*)"[ \t]*\]')
#: The quotes within the value are not escaped.
_LOOSE: Final = re.compile(rb'\[[ \t]*([A-Za-z0-9_]+)[ \t]*"(.*)"[ \t]*\]')
_BROKEN_OFF: Final = re.compile(
    rb'\[[ \t]*([A-Za-z0-9_][^"\[\]\n]*?)[ \t]*"([^"\n]*?)\[[A-Za-z]\w*[ \t]+"'
)
_NAMED: Final = re.compile(rb"\[([A-Za-z0-9_]+)[ \t]")


@dataclass(frozen=True)
class Piece:
    """A piece of PGN, its lines, the names of the tags asked for, and what was adjusted."""

    data: bytes
    lines: Lines
    names: tuple[bytes, ...]
    doubts: list[Doubt] = field(default_factory=list)


@dataclass(frozen=True)
class Tags:
    """Tags in their order: line, number of the name (-1: not asked for), place of the value.

    The places are those of ``text``, which is the piece and behind it the values that had to be
    put together.
    """

    text: Bytes
    line: Ints
    name: Ints
    start: Ints
    length: Ints


def find_tags(piece: Piece) -> Tags:
    """Find name and value of each tag."""
    data, lines = piece.data, piece.lines
    text = np.frombuffer(data + PAD, np.uint8)
    start, end = lines.start[lines.tag], lines.end[lines.tag]
    words = np.ndarray((len(data) + 32,), "<u8", text, strides=(1,))
    key = words[start]
    name = np.full(start.size, -1, np.int64)
    value = start.copy()
    for number, each in enumerate(piece.names):
        prefix = b"[" + each + b' "'
        size = len(prefix)
        if size < 8:
            mask = np.uint64((1 << 8 * size) - 1)
            like = np.flatnonzero((key & mask) == int.from_bytes(prefix, "little"))
        else:
            like = np.flatnonzero(key == int.from_bytes(prefix[:8], "little"))
        for offset in {min(offset, size - 8) for offset in range(8, size, 8)}:
            wanted = int.from_bytes(prefix[offset : offset + 8], "little")
            like = like[words[start[like] + offset] == wanted]
        like = like[start[like] + size <= end[like] - 2]
        name[like] = number
        value[like] += size
    unusual = _in_other_form(piece, start, key, name)
    line, name, value = lines.tag[~unusual], name[~unusual], value[~unusual]
    usual = Tags(text, line, name, value, end[~unusual] - 2 - value)
    odd = np.sort(np.concatenate([lines.odd, lines.tag[unusual]]))
    return _with_odd(piece, odd, usual) if odd.size else usual


def _in_other_form(
    piece: Piece, start: Ints, key: NDArray[np.uint64], name: Ints
) -> NDArray[np.bool_]:
    """Tell which tags have one of the names with more than one blank, or a tab, behind it."""
    data = piece.data
    other = np.zeros(start.size, bool)
    rest = np.flatnonzero(name < 0)
    # There are few beginnings of eight bytes, however many tags.
    kinds, place, kind = np.unique(key[rest], return_index=True, return_inverse=True)
    for number in range(kinds.size):
        begins = int(kinds[number]).to_bytes(8, "little")
        one = _NAMED.match(data, int(start[rest[place[number]]]))
        if one is not None and data[one.end() - 1 : one.end() + 1] == b' "' and b'"' in begins:
            continue
        if any(begins[1 : 1 + len(each)] == each[:7] for each in piece.names):
            for k in rest[kind == number]:
                match = _NAMED.match(data[start[k] : start[k] + 40])
                other[k] = match is None or match[1] in piece.names
        elif one is None:
            other[rest[kind == number]] = True
    return other


def _with_odd(piece: Piece, odd: Ints, usual: Tags) -> Tags:
    """Add the tags on lines in no usual form, which are looked at one by one."""
    numbers = {name: number for number, name in enumerate(piece.names)}
    rows: list[tuple[int, int, int, int]] = []
    extra: list[bytes] = []
    place = len(piece.data)
    for k in odd.tolist():
        for name, value in _read_line(piece, k):
            rows.append((k, numbers.get(name, -1), place, len(value)))
            extra.append(value)
            place += len(value)
    if not rows:
        return usual
    more = np.array(rows, np.int64)
    line = np.concatenate([usual.line, more[:, 0]])
    order = np.argsort(line, kind="stable")
    names, start, length = (
        np.concatenate([column, more[:, number]])[order]
        for number, column in ((1, usual.name), (2, usual.start), (3, usual.length))
    )
    text = np.frombuffer(piece.data + b"".join(extra) + PAD, np.uint8)
    return Tags(text, line[order], names, start, length)


def _read_line(piece: Piece, k: int) -> list[tuple[bytes, bytes]]:
    """Read the tags of a line, and say what is wrong with it."""
    line = piece.data[piece.lines.start[k] : piece.lines.end[k]]
    shown = line[:60].decode("utf-8", errors="replace") + ("..." if len(line) > 60 else "")
    tags = list(_TAG.finditer(line))
    if tags and tags[0].start() == 0:
        rest = line[tags[-1].end() :].strip()
        piece.lines.content[k] = bool(rest) and not rest.startswith(b";")
        return [(tag[1], tag[2]) for tag in tags]
    if (broken := _BROKEN_OFF.match(line)) is not None:
        message = f"{shown}: a tag breaks off where another begins: read up to there"
        piece.doubts.append((k, "warning", "tag-truncated", message))
        return [(broken[1], broken[2].rstrip())]
    if (joined := _over_lines(piece, k)) is not None:
        message = f"{shown}: goes on on the next line"
        piece.doubts.append((k, "info", "tag-over-lines", message))
        return [(joined[1], b" ".join(joined[2].split()))]
    if (loose := _LOOSE.fullmatch(line)) is not None:
        return [(loose[1], loose[2])]
    piece.doubts.append((k, "warning", "tag-unreadable", f"{shown}: no tag: left out"))
    return []


def _over_lines(piece: Piece, k: int) -> re.Match[bytes] | None:
    """Read a tag whose value goes on on the next line."""
    data, lines = piece.data, piece.lines
    if k + 1 >= lines.start.size or data.startswith(b"[", lines.start[k + 1]):
        return None
    both = _TAG.fullmatch(data[lines.start[k] : lines.end[k + 1]].rstrip())
    if both is not None:
        lines.content[k + 1] = False
    return both


def number_games(piece: Piece, found: Tags) -> tuple[Ints, Ints]:
    """Give for each tag the number of its game, and for each game the number of its first tag.

    A game begins with the first tag behind anything else, with a second tag Event, and where
    behind an empty line the tag comes again that the game began with.
    """
    count = found.line.size
    if not count:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    content = np.concatenate([[0], np.cumsum(piece.lines.content)])
    starts = np.ones(count, bool)
    starts[1:] = content[found.line[1:]] > content[found.line[:-1]]
    if b"Event" in piece.names:
        event = found.name == piece.names.index(b"Event")
        block = np.cumsum(starts) - 1
        earlier = np.cumsum(event) - event
        starts |= event & (earlier > earlier[starts][block])
    gap = np.flatnonzero(np.diff(found.line, prepend=found.line[0]) > 1)
    gap = gap[~starts[gap]]
    if gap.size:
        head = piece.lines.start[found.line]
        opens = np.maximum.accumulate(np.where(starts, np.arange(count), 0))
        words = np.ndarray((found.text.size - 16,), "<u8", found.text, strides=(1,))
        starts[gap[words[head[gap]] == words[head[opens[gap]]]]] = True
    return np.cumsum(starts) - 1, np.flatnonzero(starts)
