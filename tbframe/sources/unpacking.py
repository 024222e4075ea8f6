"""Files as they are or packed (gzip, or a zip archive of one file), never beyond a size."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from tbframe.sources.unreadable import UnreadableError

__all__ = ["MOST_BYTES", "peek", "read_text", "unpack"]

#: No tournament is larger than this, unpacked; what a reader makes of it takes several times more.
MOST_BYTES: Final = 32 * 1024 * 1024
_GZIP: Final = b"\x1f\x8b"
_ZIP: Final = b"PK\x03\x04"
#: What damaged files raise; RuntimeError: an archive with a password.
_FAULTS: Final = (
    EOFError, zlib.error, zipfile.BadZipFile, gzip.BadGzipFile, NotImplementedError, RuntimeError,
)  # fmt: skip


def peek(path: Path, size: int) -> bytes:
    """Return the beginning of a file, unpacked; what is not packed soundly as it stands.

    Raises
    ------
    OSError
        If the file cannot be read.
    """
    try:
        with _unpacked(path) as file:
            return file.read(size)
    except _FAULTS:
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
    try:
        with _unpacked(path) as file:
            data = file.read(most + 1)
    except _FAULTS as error:
        raise UnreadableError(f"cannot be unpacked: {error}", code="damaged-archive") from error
    if len(data) > most:
        raise UnreadableError(
            f"holds more than {most // 1024**2} MB, unpacked: too large for one tournament",
            code="file-too-large",
        )
    return data


def read_text(path: Path) -> tuple[str, str | None]:
    """Return a whole file as text, and how it was read where it is not UTF-8.

    Raises
    ------
    UnreadableError, OSError
        As `unpack`.
    """
    data = unpack(path)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace"), "UTF-16"
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace"), "cp1252"


@contextmanager
def _unpacked(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as file:
        magic = file.read(4)
        file.seek(0)
        if magic.startswith(_GZIP):
            with gzip.open(file) as inner:
                yield inner  # type: ignore[misc]  # it reads bytes as any file
        elif magic == _ZIP:
            with zipfile.ZipFile(file) as archive:
                members = [member for member in archive.infolist() if not member.is_dir()]
                if len(members) == 1:
                    with archive.open(members[0]) as inner:
                        yield inner
                    return
            file.seek(0)
            yield file
        else:
            yield file
