"""Files as they are or packed (gzip, bzip2, zstandard, zip), never beyond a size.

A zip archive of one file stands for that file; of one with several files, each is a stream of its
own (`streams`). What a packed file may grow to is bounded, whatever it says of itself.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import pyarrow as pa

from tbframe.sources.names import as_text
from tbframe.sources.unreadable import UnreadableError

__all__ = [
    "DAMAGES", "MOST_BYTES", "PACKED", "Readable", "Stream", "is_packed", "peek", "several_files",
    "streams", "unpack",
]  # fmt: skip

#: No tournament is larger than this, unpacked; what a reader makes of it takes several times more.
MOST_BYTES: Final = 32 * 1024 * 1024
#: Endings of packed files, behind that of what is in them.
PACKED: Final = frozenset({".gz", ".bz2", ".zst", ".zip"})
#: Streams may be this many times as large unpacked: text of games shrinks to a tenth at best.
_EXPANSION: Final = 200
_SPARE: Final = 64 << 20
_GZIP: Final = b"\x1f\x8b"
_BZIP2: Final = b"BZh"
_ZSTANDARD: Final = b"\x28\xb5\x2f\xfd"
_ZIP: Final = b"PK\x03\x04"
#: What damaged files raise; OSError too, which gzip and zstandard raise for what is none of theirs;
#: RuntimeError: an archive with a password.
_FAULTS: Final = (
    EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, gzip.BadGzipFile, struct.error,
    NotImplementedError, RuntimeError, ValueError, pa.ArrowException,
)  # fmt: skip
DAMAGES: Final = (OSError, *_FAULTS)


class Readable(Protocol):
    """What bytes can be read from."""

    def read(self, size: int, /) -> bytes:
        """Return so many bytes, or fewer at the end."""


@dataclass(frozen=True)
class Stream:
    """A file, or one inside of a zip archive, to be read piece by piece.

    Attributes
    ----------
    name
        What messages call it; that of a zip archive stands before that of the file in it.
    open
        Opens it, unpacked.
    size
        Bytes that it takes, packed where it is.
    packed
        Whether it is.
    """

    name: str
    open: Callable[[], AbstractContextManager[Readable]]
    size: int
    packed: bool

    @property
    def most(self) -> int:
        """Bytes that it may have, unpacked."""
        return (_EXPANSION * self.size if self.packed else self.size) + _SPARE


def streams(path: Path, ending: str) -> tuple[list[Stream], list[str]]:
    """List what is in a file: itself, unpacked, or in a zip archive all files with an ending.

    Returns
    -------
    streams, others
        In their order; the names of files in a zip archive that have another ending.

    Raises
    ------
    UnreadableError
        If it is a zip archive that is damaged, or has no such file.
    OSError
        If it cannot be opened.
    """
    name = as_text(path)
    with path.open("rb") as file:
        magic = file.read(4)
    size = path.stat().st_size
    if magic != _ZIP:
        packed = _opener(magic) is not None
        return [Stream(name, lambda: _opened(path, magic), size, packed)], []
    try:
        with zipfile.ZipFile(path) as archive:
            every = [member for member in archive.infolist() if not member.is_dir()]
    except DAMAGES as error:
        raise _damaged(error) from error
    found = [member for member in every if member.filename.lower().endswith(ending)]
    if not found:
        raise UnreadableError(f"a zip archive without a file {ending} in it", code="no-member")
    members = [
        Stream(
            f"{name}/{member.filename}",
            lambda member=member: _member(path, member),  # type: ignore[misc]
            member.compress_size,
            packed=True,
        )
        for member in found
    ]
    return members, [member.filename for member in every if member not in found]


def peek(path: Path, size: int) -> bytes:
    """Return the beginning of a file, unpacked; what is not packed soundly as it stands.

    Raises
    ------
    OSError
        If the file cannot be read.
    """
    with path.open("rb") as file:
        magic = file.read(4)
    try:
        with _unpacked(path, magic) as inner:
            return inner.read(size)
    except DAMAGES:
        with path.open("rb") as plain:
            return plain.read(size)


def unpack(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return a whole file, unpacked.

    Parameters
    ----------
    path
        The file.
    most
        How many bytes it may have.

    Raises
    ------
    UnreadableError
        If it has more, or is packed and damaged.
    OSError
        If it cannot be read.
    """
    with path.open("rb") as file:
        magic = file.read(4)
    faults = _FAULTS if _opener(magic) is None and magic != _ZIP else DAMAGES
    try:
        with _unpacked(path, magic) as inner:
            data = inner.read(most + 1)
    except faults as error:
        raise _damaged(error) from error
    if len(data) > most:
        raise UnreadableError(
            f"holds more than {most // 1024**2} MB, unpacked: too large for one tournament",
            code="file-too-large",
        )
    return data


def is_packed(path: Path) -> bool:
    """Tell by its first bytes whether a file is packed, in one of the ways known here."""
    with path.open("rb") as file:
        magic = file.read(4)
    return magic == _ZIP or _opener(magic) is not None


def several_files(path: Path) -> str | None:
    """Say so where a file is a zip archive of several, none of which is read; else None."""
    try:
        with zipfile.ZipFile(path) as archive:
            count = sum(not member.is_dir() for member in archive.infolist())
    except DAMAGES:
        return None
    return None if count == 1 else f"a zip archive of {count} files: unpack it to read them"


def _damaged(error: Exception) -> UnreadableError:
    return UnreadableError(f"cannot be unpacked: {error}", code="damaged-archive")


def _opener(magic: bytes) -> Callable[[Path], AbstractContextManager[Readable]] | None:
    """Say how a packed file that is no zip archive is opened; None for what is not packed."""
    if magic.startswith(_GZIP):
        return lambda path: gzip.open(path, "rb")
    if magic.startswith(_BZIP2):
        return lambda path: bz2.open(path, "rb")
    if magic == _ZSTANDARD:
        return lambda path: pa.input_stream(str(path), compression="zstd")
    return None


def _opened(path: Path, magic: bytes) -> AbstractContextManager[Readable]:
    opener = _opener(magic)
    return path.open("rb") if opener is None else opener(path)


@contextmanager
def _member(path: Path, member: zipfile.ZipInfo) -> Iterator[Readable]:
    with zipfile.ZipFile(path) as archive, archive.open(member) as file:
        yield file


@contextmanager
def _unpacked(path: Path, magic: bytes) -> Iterator[Readable]:
    """Open a file, unpacked; a zip archive that is not of one file (a workbook) as it stands."""
    if magic == _ZIP:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
        if len(members) == 1:
            with _member(path, members[0]) as inner:
                yield inner
            return
        magic = b""
    with _opened(path, magic) as file:
        yield file
