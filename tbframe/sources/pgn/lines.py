"""The lines of a piece of PGN that are tags, found without looking at them one by one.

A tag stands on a line of its own and begins it. Inside a comment in braces, which may go over
many lines, nothing is a tag. Comments do not nest, so that a place is inside of one where the
last brace before it is an opening one. A brace counts for nothing in a tag, behind a ``;`` and
on a line that begins with ``%``: where that matters, such places are gone through one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bytes", "Ints", "Lines", "find_lines"]

Ints: TypeAlias = NDArray[np.int64]
Bytes: TypeAlias = NDArray[np.uint8]

_BLANK: Final = np.zeros(256, bool)
_BLANK[[9, 11, 12, 13, 32]] = True
_NAMING: Final = np.zeros(256, bool)
_NAMING[[*b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"]] = True
_NEWLINE, _OPENING, _CLOSING, _SEMICOLON, _PERCENT, _BRACKET, _QUOTE = b'\n{};%["'
_END: Final = ord("]")


@dataclass(frozen=True)
class Lines:
    """The lines of a piece.

    Attributes
    ----------
    start, end
        ``(lines,)``: where each begins and ends, without blanks around.
    tag
        Numbers of the lines that are one tag in its usual form.
    odd
        Numbers of the lines that begin like a tag and are none, or not in its usual form.
    content
        ``(lines,)``: whether a line is anything but a tag, a remark or empty.
    buried
        Numbers of the lines in comments that look like the beginning of a game.
    inside
        Whether the piece ends inside of a comment.
    """

    start: Ints
    end: Ints
    tag: Ints
    odd: Ints
    content: NDArray[np.bool_]
    buried: Ints
    inside: bool


def find_lines(data: bytes, text: Bytes, *, inside: bool = False) -> Lines:
    """Find the tags of a piece.

    Parameters
    ----------
    data, text
        The bytes of the piece, and the same as an array.
    inside
        Whether the piece begins inside of a comment.
    """
    newline = np.flatnonzero(text == _NEWLINE)
    start = np.concatenate([np.zeros(1, np.int64), newline + 1])
    end = np.concatenate([newline, np.array([len(text)])])
    column = start
    start = _forward(text, start, end)
    first = text[np.minimum(start, len(text) - 1)]
    full = start < end
    able = np.flatnonzero(full & (first == _BRACKET))
    second = text[np.minimum(start[able] + 1, len(text) - 1)]
    able = able[_NAMING[second] & (start[able] + 1 < end[able])]
    end[able] = _backward(text, start[able], end[able])
    remark = full & (start == column) & (first == _PERCENT)
    remark |= full & (first == _SEMICOLON)
    escaped = remark & (first == _PERCENT)
    within, inside = _comments(data, text, (start, end), (able, escaped), inside=inside)
    closed = (text[end[able] - 1] == _END) & (text[end[able] - 2] == _QUOTE)
    odd = ~closed
    odd |= np.isin(able, _with_second_tag(text, start))
    content = full & ~remark
    content[able[~within]] = False
    head = (within & closed).nonzero()[0]
    buried = [k for k in able[head] if data.startswith(b'[Event "', start[k])] if head.size else []
    return Lines(
        start, end, able[~within & ~odd], able[~within & odd], content,
        np.array(buried, np.int64), inside,
    )  # fmt: skip


def _forward(text: Bytes, start: Ints, end: Ints) -> Ints:
    """Move the beginnings of lines over blanks."""
    start = start.copy()
    at = np.flatnonzero(_BLANK[text[np.minimum(start, len(text) - 1)]] & (start < end))
    for _ in range(64):
        if not at.size:
            return start
        start[at] += 1
        at = at[start[at] < end[at]]
        at = at[_BLANK[text[start[at]]]]
    for k in at:  # hardly a line has more blanks; those that do are taken one at a time
        line = text[start[k] : end[k]]
        start[k] += np.argmin(np.append(_BLANK[line], False))
    return start


def _backward(text: Bytes, start: Ints, end: Ints) -> Ints:
    """Move the ends of lines that are not empty back over blanks."""
    end = end.copy()
    at = np.flatnonzero(_BLANK[text[end - 1]])
    for _ in range(64):
        if not at.size:
            return end
        end[at] -= 1
        at = at[_BLANK[text[end[at] - 1]]]
    for k in at:
        line = text[start[k] : end[k]]
        end[k] -= np.argmin(_BLANK[line[::-1]])
    return end


def _with_second_tag(text: Bytes, start: Ints) -> Ints:
    """List the lines with something like a tag behind their beginning."""
    bracket = np.flatnonzero(text[1:-1] == _BRACKET) + 1
    bracket = bracket[_NAMING[text[bracket + 1]] & (text[bracket - 1] != _NEWLINE)]
    line = np.searchsorted(start, bracket, side="right") - 1
    return np.asarray(line[start[line] != bracket])


def _comments(
    data: bytes,
    text: Bytes,
    lines: tuple[Ints, Ints],
    which: tuple[Ints, NDArray[np.bool_]],
    *,
    inside: bool,
) -> tuple[NDArray[np.bool_], bool]:
    """Tell which lines that may be tags are inside of comments, and whether the end is."""
    (start, end), (able, escaped) = lines, which
    if not inside and data.find(b"{") < 0:
        return np.zeros(able.size, bool), False
    brace = np.flatnonzero((text == _OPENING) | (text == _CLOSING))
    semicolon = np.flatnonzero(text == _SEMICOLON) if data.find(b";") >= 0 else start[:0]
    line = np.searchsorted(start, semicolon, side="right") - 1
    place = np.concatenate([start[able], start[escaped], semicolon])
    until = np.concatenate([end[able], end[escaped], end[line]])
    low, high = np.searchsorted(brace, place), np.searchsorted(brace, until)
    opening = np.concatenate([[inside], text[brace] == _OPENING])
    if ((high > low) & ~opening[low]).any():
        opens = high > low
        order = np.argsort(place[opens], kind="stable")
        seen = _not_hidden(opening, low[opens][order], high[opens][order])
        brace, opening = brace[seen], opening[np.concatenate([[True], seen])]
        low = np.searchsorted(brace, place)
    return opening[low[: able.size]], bool(opening[-1])


def _not_hidden(opening: NDArray[np.bool_], low: Ints, high: Ints) -> NDArray[np.bool_]:
    """Tell which braces count, where some stand in places that hide them outside of comments.

    Parameters
    ----------
    opening
        ``(braces + 1,)``: whether each is an opening one, behind the state at the beginning.
    low, high
        Which braces each place hides, in the order of the places.
    """
    seen = np.ones(opening.size - 1, bool)
    last = 0  # all braces before this one are settled
    inside = bool(opening[0])
    for first, behind in zip(low.tolist(), high.tolist(), strict=True):
        if first > last:
            inside, last = bool(opening[first]), first
        if first == last and not inside and behind > last:
            seen[first:behind] = False
            last = behind
    return seen
