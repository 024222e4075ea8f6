"""What can happen to a file of any format, from a flipped bit to an archive that unpacks to much.

Each damage takes the bytes of a file, those of another one, and dice, and gives the bytes of a
damaged file. `damaged` does one to three of them.
"""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable
from typing import Final

__all__ = ["DAMAGES", "damaged"]

Damage = Callable[[bytes, bytes, random.Random], bytes]

_SIGNS: Final = b'[]{}()<>";,:=%&+-*/\\|\n\r \t\x00\xff\xc3\x1a0123456789.wbX?'
_WORDS: Final = (
    b"-1", b"0", b"999999999999999999999", b"1e308", b"nan", b"", b'"', b"1/2-1/2", b"*", b"0000",
    b"\xc2\xbd", b"\xbd", b"2024-13-45", b"????.??.??", b"=1+1", b"null", b"true", b"0.1",
)  # fmt: skip
_ENCODINGS: Final = ("utf-16", "utf-16-be", "utf-32", "utf-7", "cp1252", "cp037", "utf-8-sig")
_NESTED: Final = (b"{", b"[", b"(", b"<a>", b'{"a":', b"<!DOCTYPE x [", b'[A "', b"; {", b"\\")


def _place(data: bytes, dice: random.Random) -> int:
    return dice.randrange(len(data)) if data else 0


def _flip(data: bytes, _: bytes, dice: random.Random) -> bytes:
    changed = bytearray(data or b" ")
    for _ in range(dice.choice((1, 1, 3, 20))):
        changed[_place(changed, dice)] ^= 1 << dice.randrange(8)
    return bytes(changed)


def _signs(data: bytes, _: bytes, dice: random.Random) -> bytes:
    place = _place(data, dice)
    some = bytes(dice.choices(_SIGNS, k=dice.randrange(1, 8)))
    return data[:place] + some + data[place + dice.choice((0, 1, len(some))) :]


def _cut(data: bytes, _: bytes, dice: random.Random) -> bytes:
    return data[: _place(data, dice)]


def _lose(data: bytes, _: bytes, dice: random.Random) -> bytes:
    place = _place(data, dice)
    return data[:place] + data[place + dice.choice((1, 4, 40, 400)) :]


def _again(data: bytes, _: bytes, dice: random.Random) -> bytes:
    place = _place(data, dice)
    piece = data[place : place + dice.choice((1, 10, 100, 1000))]
    return data[:place] + piece * dice.choice((1, 1, 2, 50)) + data[place:]


def _splice(data: bytes, other: bytes, dice: random.Random) -> bytes:
    return data[: _place(data, dice)] + other[_place(other, dice) :]


def _lines(data: bytes, _: bytes, dice: random.Random) -> bytes:
    lines = data.split(b"\n")
    kind = dice.randrange(4)
    if kind == 0:
        dice.shuffle(lines)
    elif kind == 1:
        del lines[dice.randrange(len(lines))]
    elif kind == 2:
        lines.insert(dice.randrange(len(lines) + 1), dice.choice(lines))
    else:
        lines = [lines[0], *lines[:0:-1]]
    return dice.choice((b"\n", b"\n", b"\r\n", b"\r", b"\n\n")).join(lines)


def _word(data: bytes, _: bytes, dice: random.Random) -> bytes:
    place = _place(data, dice)
    ends = [found for sign in b" ,;\"'<>\n" if (found := data.find(sign, place)) >= 0]
    return data[:place] + dice.choice(_WORDS) + data[min(ends, default=len(data)) :]


def _nulls(data: bytes, _: bytes, dice: random.Random) -> bytes:
    place = _place(data, dice)
    return data[:place] + dice.choice((b"\0", b"\0" * 300, b"\r" * 300)) + data[place:]


def _huge(data: bytes, _: bytes, dice: random.Random) -> bytes:
    place = _place(data, dice)
    sign = dice.choice((b"x", b" ", b"9", b"\t", b";", b",", b'"', b"\xbd", b"\n", b"| "))
    return data[:place] + sign * dice.choice((1_000, 50_000, 400_000)) + data[place:]


def _nested(data: bytes, _: bytes, dice: random.Random) -> bytes:
    place = _place(data, dice)
    return data[:place] + dice.choice(_NESTED) * dice.choice((50, 5_000, 100_000)) + data[place:]


def _many(data: bytes, _: bytes, dice: random.Random) -> bytes:
    lines = data.split(b"\n")
    place = dice.randrange(len(lines))
    return b"\n".join([*lines[:place], *([lines[place]] * 2_000), *lines[place:]])


def _encode(data: bytes, _: bytes, dice: random.Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(dice.choice(_ENCODINGS), "replace")


def _pack(data: bytes, _: bytes, dice: random.Random) -> bytes:
    packed = gzip.compress(data + dice.choice((b"", b" " * 40_000_000)), compresslevel=1)
    return packed[: dice.choice((len(packed), len(packed), _place(packed, dice)))]


#: With how often each is thrown.
DAMAGES: Final[dict[Damage, int]] = {
    _flip: 12, _signs: 16, _cut: 8, _lose: 10, _again: 8, _splice: 6, _lines: 10, _word: 14,
    _nulls: 4, _huge: 4, _nested: 4, _many: 1, _encode: 3, _pack: 1,
}  # fmt: skip


def damaged(data: bytes, other: bytes, dice: random.Random) -> bytes:
    """Do one to three damages to a file, of which `other` is another one."""
    for damage in dice.choices(list(DAMAGES), list(DAMAGES.values()), k=dice.choice((1, 1, 2, 3))):
        data = damage(data, other, dice)
    return data
