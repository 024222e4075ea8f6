"""Report files in miniature, laid out column by column as the format describes them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import tbframe as tb
from tbframe.sources.trf import TrfFile, read_trf_files

Player = Callable[..., str]
ReadText = Callable[..., tb.Archive]


def lay_out(number: object = "", name: str = "", *blocks: str, **fields: object) -> str:
    """Lay out a 001 record; `fields` are right- or left-aligned as the format wants."""
    line = f"001 {number!s:>4} "
    line += f"{fields.get('sex', '')!s:1}{fields.get('title', '')!s:>3} {name:<33} "
    line += f"{fields.get('rating', '')!s:>4} {fields.get('federation', '')!s:<3} "
    line += f"{fields.get('id', '')!s:>11} {fields.get('birth', '')!s:<10} "
    line += f"{fields.get('points', '')!s:>4} {fields.get('rank', '')!s:>4}"
    assert len(line) == 89
    return line + "".join("  " + block for block in blocks)


@pytest.fixture(scope="session")
def player() -> Player:
    """Return a function that lays out a 001 record."""
    return lay_out


@pytest.fixture(scope="session")
def read_text() -> ReadText:
    """Return a function that reads lines as one file called ``cup.trf``."""

    def read(*lines: str) -> tb.Archive:
        return read_trf_files([TrfFile("cup.trf", "cup", "\n".join(lines).encode())])

    return read
