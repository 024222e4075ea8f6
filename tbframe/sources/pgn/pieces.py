"""PGN files as pieces of bytes, cut between games, whatever they are packed in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final

from tbframe.sources.unpacking import DAMAGES, Readable, Stream
from tbframe.sources.unreadable import UnreadableError

__all__ = ["ENDING", "PIECE", "pieces"]

#: Of the files in a zip archive that are read.
ENDING: Final = ".pgn"
#: Bytes that are looked at together. Some ten times as much is in use for each core.
PIECE: Final = 8 << 20
#: A piece without a game border is read on up to here, and then cut at the end of a line.
_LONGEST: Final = 64 << 20
_STEP: Final = 64 << 10
_EVENT: Final = b"\n[Event "


def pieces(stream: Stream, size: int = PIECE) -> Iterator[bytes]:
    """Read a file piece by piece, each of whole games.

    Raises
    ------
    UnreadableError
        Behind the last piece, if the file is damaged or grows beyond what it may.
    """
    rest, total, ended = b"", 0, False
    trouble = None
    with ExitStack() as stack:
        opened = _open(stream, stack)
        while not ended:
            more, damage = _read(opened, size)
            if damage is not None:
                trouble = f"damaged, and read up to there ({damage})"
            total += len(more)
            if total > stream.most:
                trouble = f"grows beyond {stream.most:,} bytes when unpacked: read no on"
                more = b""
            data = rest + more
            ended = len(more) < size or trouble is not None
            cut = len(data) if ended else _border(data)
            if cut:
                yield data[:cut]
            rest = data[cut:]
    if trouble:
        raise UnreadableError(trouble, code="damaged-archive")


def _read(opened: Readable, size: int) -> tuple[bytes, Exception | None]:
    """Read so many bytes if there are as many, in steps: what was read before damage is kept."""
    steps: list[bytes] = []
    left = size
    try:
        while left and (step := opened.read(min(left, _STEP))):
            steps.append(step)
            left -= len(step)
    except DAMAGES as error:
        return b"".join(steps), error
    return b"".join(steps), None


def _open(stream: Stream, stack: ExitStack) -> Readable:
    try:
        return stack.enter_context(stream.open())
    except DAMAGES as error:
        raise UnreadableError(f"cannot be opened ({error})", code="damaged-archive") from error


def _border(data: bytes) -> int:
    """Find where the last game of a piece begins; 0 where it has to be read on."""
    place = data.rfind(_EVENT)
    while place > 0:
        before = data.rfind(b"\n", 0, place) + 1
        # Another tag may stand before the event's.
        if data[before:place].lstrip()[:1] != b"[":
            return place + 1
        place = data.rfind(_EVENT, 0, before)
    if len(data) < _LONGEST:
        return 0
    place = data.rfind(b"\n\n[")
    return place + 2 if place > 0 else data.rfind(b"\n") + 1 or len(data)
