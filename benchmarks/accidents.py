"""What can happen to a tournament report file, from a flipped bit to a spreadsheet's help.

Each accident takes the bytes of a file and dice, and gives the bytes of a damaged one; which
part of the file it hits is up to the dice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

__all__ = ["ACCIDENTS", "Accident"]

Rng = np.random.Generator
Accident = Callable[[bytes, Rng], bytes]


def _places(data: bytes, dice: Rng, most: int) -> list[int]:
    return dice.integers(0, len(data), int(dice.integers(1, most + 1))).tolist() if data else []


def _with_lines(change: Callable[[list[bytes], Rng], list[bytes]]) -> Accident:
    def accident(data: bytes, dice: Rng) -> bytes:
        lines = data.splitlines(keepends=True)
        return b"".join(change(lines, dice)) if lines else data

    return accident


def _with_a_line(
    change: Callable[[bytes, Rng], bytes], record: bytes = b"", most: int = 3
) -> Accident:
    """Change one to `most` lines that start with `record`."""

    def accident(data: bytes, dice: Rng) -> bytes:
        lines = data.splitlines(keepends=True)
        fit = [index for index, line in enumerate(lines) if line.startswith(record)]
        for index in dice.permutation(fit)[: dice.integers(1, most + 1)].tolist():
            lines[index] = change(lines[index], dice)
        return b"".join(lines)

    return accident


def _flip_bytes(data: bytes, dice: Rng) -> bytes:
    changed = bytearray(data)
    for place in _places(data, dice, 6):
        changed[place] = int(dice.integers(256))
    return bytes(changed)


def _flip_bits(data: bytes, dice: Rng) -> bytes:
    changed = bytearray(data)
    for place in _places(data, dice, 6):
        changed[place] ^= 1 << int(dice.integers(8))
    return bytes(changed)


def _insert(*pieces: bytes) -> Accident:
    def accident(data: bytes, dice: Rng) -> bytes:
        for place in _places(data, dice, 5):
            data = data[:place] + pieces[dice.integers(len(pieces))] + data[place:]
        return data

    return accident


def _wrong_digits(data: bytes, dice: Rng) -> bytes:
    changed = bytearray(data)
    digits = [place for place, byte in enumerate(data) if 48 <= byte <= 57]
    for place in dice.permutation(digits)[: dice.integers(1, 6)].tolist():
        changed[place] = 48 + int(dice.integers(10))
    return bytes(changed)


def _swap_lines(lines: list[bytes], dice: Rng) -> list[bytes]:
    one, other = dice.integers(0, len(lines), 2).tolist()
    lines[one], lines[other] = lines[other], lines[one]
    return lines


def _shuffle_lines(lines: list[bytes], dice: Rng) -> list[bytes]:
    return [lines[place] for place in dice.permutation(len(lines))]


def _double_line(lines: list[bytes], dice: Rng) -> list[bytes]:
    place = int(dice.integers(len(lines)))
    times = int(dice.choice([1, 1, 1, 50]))
    return lines[:place] + lines[place : place + 1] * times + lines[place:]


def _mix_ends(lines: list[bytes], dice: Rng) -> list[bytes]:
    ends = [b"\n", b"\r", b"\r\n", b"\n\r", b"\r\r\n", b"\x0b", b"\x85", b"\x1a\r\n"]
    return [line.rstrip(b"\r\n") + ends[dice.integers(len(ends))] for line in lines]


def _shift_columns(line: bytes, dice: Rng) -> bytes:
    place, width = int(dice.integers(len(line) + 1)), int(dice.integers(1, 4))
    if dice.random() < 0.5:
        return line[:place] + b" " * width + line[place:]
    return line[:place] + line[place + width :]


def _in_block(first: int, last: int, values: Sequence[str]) -> Accident:
    """Put values into columns `first` to `last` (from 0) of round blocks."""

    def change(line: bytes, dice: Rng) -> bytes:
        blocks = (len(_text(line).rstrip()) - 89) // 10
        if blocks < 1:
            return line
        start = 91 + 10 * int(dice.integers(blocks))
        return _put(line, start + first, start + last, values[dice.integers(len(values))])

    return _with_a_line(change, b"001", most=4)


def _in_field(first: int, last: int, values: Sequence[str]) -> Accident:
    """Put values into columns `first` to `last` (from 0) of player lines."""

    def change(line: bytes, dice: Rng) -> bytes:
        return _put(line, first, last, values[dice.integers(len(values))])

    return _with_a_line(change, b"001", most=4)


def _put(line: bytes, first: int, last: int, value: str) -> bytes:
    text = _text(line).ljust(first)
    changed = text[:first] + value.rjust(last - first)[: last - first] + text[last:]
    return changed.encode(errors="surrogateescape")


def _text(line: bytes) -> str:
    """Decode a line: columns are characters, not bytes."""
    return line.decode(errors="surrogateescape")


def _odd_record(lines: list[bytes], dice: Rng) -> list[bytes]:
    """Add a record of the header or of teams with a value that makes no sense."""
    record = _RECORDS[dice.integers(len(_RECORDS))]
    value = _ODD_VALUES[dice.integers(len(_ODD_VALUES))]
    wide = b" " * int(dice.choice([1, 1, 1, 4, 10, 87]))
    place = int(dice.integers(len(lines) + 1))
    return [*lines[:place], record + wide + value + b"\r\n", *lines[place:]]


def _odd_value(line: bytes, dice: Rng) -> bytes:
    """Replace what a record says."""
    return line[:4] + _ODD_VALUES[dice.integers(len(_ODD_VALUES))] + b"\r\n"


def _huge_line(lines: list[bytes], dice: Rng) -> list[bytes]:
    place = int(dice.integers(len(lines)))
    piece = [b"x", b" ", b"9", b"  0002 w 1", b"\t", b"\xc3\xa9"][dice.integers(6)]
    lines[place] = lines[place].rstrip() + piece * int(dice.integers(20_000, 200_000)) + b"\r\n"
    return lines


def _foreign_digits(data: bytes, dice: Rng) -> bytes:
    digits = ("٠١٢٣٤٥٦٧٨٩", "０１２３４５６７８９", "²³¹⁴⁵⁶⁷⁸⁹½")[dice.integers(3)]
    text = data.decode("utf-8", "replace")
    places = [place for place, character in enumerate(text) if character.isdigit()]
    characters = list(text)
    for place in dice.permutation(places)[: dice.integers(1, 6)].tolist():
        characters[place] = digits[dice.integers(10)]
    return "".join(characters).encode()


def _other_encoding(data: bytes, dice: Rng) -> bytes:
    encodings = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "cp437", "utf-7")
    encoding = encodings[dice.integers(len(encodings))]
    return data.decode("utf-8", "replace").encode(encoding, "replace")


def _nothing(_: bytes, dice: Rng) -> bytes:
    return [b"", b" ", b"\r\n", b"\n" * 1000, b"\xef\xbb\xbf", b"\xff\xfe", b"\x1a"][
        dice.integers(7)
    ]


_RECORDS: Final = (
    b"001 012 013 022 032 042 052 062 072 082 092 102 112 122 132 142 152 162 172 182 192 202 212 "
    b"222 240 250 260 299 300 310 320 330 352 362 801 802 XXR XXS XXC XXA XXP XXZ 999 ###"
).split()
_ODD_VALUES: Final = (
    b"", b"0", b"-1", b"1", b"3", b"007", b"99999", b"99999999999999999999", b"1e9", b"1e400",
    b"nan", b"inf", b"-inf", b"0.5", b"1,5", b"1/3", b"\xbd", b"W", b"W=", b"W=3 W=2",
    b"W=1e300 D=nan L=-5", b"W=5000 D=0.12345 L=0", b"W=999 D=0.125", b"W 3.0    D 1.0    L 0.0",
    b"W 5000.0    D 0.3    L 0.0    P 0.00001", b"TW 5000 TD 0.1234567 TL 0", b"W 1001",
    b"MP GP", b"PTS,PTS,BH", b"BH/C99999", b"FIDE_TEAM_SWISS", b"FIDE_DUTCH", b"ROUNDROBIN",
    b"Team", b"Round Robin", b"2024/02/30", b"0000/00/00", b"99.99.9999", b"2024-13-45",
    b"24/05/01  24/05/02  xx/yy/zz", b"1    2    3    4    5    6",
    b"   1    2    1    2    1    2", b"H   1    1    2    3", b"F 999   1", b"(1) 2 3", b"NULL",
    b"W   1.0   1.0    1    1    2", b"    -5.   1.0    2    1", b"tbframe edition bogus",
    b"tbframe unrated -5", b"tbframe primary \xff", b"tbframe boards 999999999",
    b"tbframe game_scoring W=x", b"\x00", b"\xff\xfe", b"Rooks" * 40, b"WB" * 4000, b"9" * 400,
    b"    1 Rooks       1    2    3    4",
)  # fmt: skip

#: Everything that can happen to a file.
ACCIDENTS: Final[dict[str, Accident]] = {
    "flipped-bytes": _flip_bytes,
    "flipped-bits": _flip_bits,
    "no-utf-8": _insert(b"\xff", b"\xc3", b"\xe9", b"\x81", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"),
    "nuls": _insert(b"\0", b"\0\0\0\0"),
    "odd-blanks": _insert(*(blank.encode() for blank in "\t\xa0\u2003\u200b\u0301\f\u2028")),
    "extra-bytes": _insert(b" ", b"-", b"0", b"w", b"\n", b"\r"),
    "tail-cut": lambda data, dice: data[: dice.integers(len(data) + 1)],
    "head-cut": lambda data, dice: data[dice.integers(len(data) + 1) :],
    "nothing": _nothing,
    "binary": lambda data, dice: dice.bytes(int(dice.integers(1, 5000))) + data * dice.integers(2),
    "bom": lambda data, dice: (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")[dice.integers(3)] + data,
    "other-encoding": _other_encoding,
    "line-ends": _with_lines(_mix_ends),
    "line-deleted": _with_a_line(lambda _line, _dice: b"", most=2),
    "line-doubled": _with_lines(_double_line),
    "lines-swapped": _with_lines(_swap_lines),
    "lines-shuffled": _with_lines(_shuffle_lines),
    "line-cut": _with_a_line(lambda line, dice: line[: dice.integers(len(line))] + b"\r\n"),
    "line-glued": _with_a_line(lambda line, _dice: line.rstrip(b"\r\n")),
    "line-huge": _with_lines(_huge_line),
    "columns-shifted": _with_a_line(_shift_columns),
    "players-shifted": _with_a_line(_shift_columns, b"001", most=40),
    "wrong-digits": _wrong_digits,
    "foreign-digits": _foreign_digits,
    "twice": lambda data, _dice: data + data,
    "start-numbers": _in_field(4, 8, ["", "0", "1", "2", "9999", "-1", "1.5", "x", "12 4"]),
    "ratings": _in_field(48, 52, ["", "0", "9999", "-100", "nan", "2e3", "x"]),
    "points": _in_field(80, 84, ["", "0.0", "99.5", "-1.0", "nan", "inf", "1e9", "3,5", "x"]),
    "ranks": _in_field(85, 89, ["", "0", "1", "9999", "-1", "1e3", "x"]),
    "opponents": _in_block(0, 4, ["", "0000", "1", "2", "3", "7", "99", "9999", "-1", "x"]),
    "colors": _in_block(5, 6, " wbW-xé"),
    "results": _in_block(7, 8, "10=WDL+-FHUZ*?Xxa 2½"),
    "odd-record": _with_lines(_odd_record),
    "odd-value": _with_a_line(_odd_value, most=2),
}  # fmt: skip
