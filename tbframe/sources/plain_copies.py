"""Tables that are packed, or in an older encoding, as files that can be scanned."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tbframe.errors import TbframeError
from tbframe.sources.making import key_of
from tbframe.sources.table_kinds import TableKind
from tbframe.sources.texts import as_utf8
from tbframe.sources.unpacking import is_packed, unpack

__all__ = ["plain_table"]

#: A packed table is not larger, unpacked.
_MOST_UNPACKED: Final = 256 * 1024 * 1024
_CHUNK: Final = 16 * 1024 * 1024


@contextmanager
def plain_table(path: Path, kind: TableKind) -> Iterator[tuple[Path, str | None]]:
    """Give a table as a file that is not packed, and in UTF-8 where it is text.

    Parameters
    ----------
    path, kind
        The file, and what kind of table it is.

    Yields
    ------
    path, encoding
        The file itself, or a copy for the time being; how its text was read where it is not UTF-8.

    Raises
    ------
    UnreadableError
        If it is packed and damaged, or too large.
    TbframeError
        What comes up in the block, with the name of the file itself.
    """
    packed = is_packed(path)
    if not packed and (kind != "csv" or _is_utf8(path)):
        yield path, None
        return
    data = unpack(path, _MOST_UNPACKED) if packed else path.read_bytes()
    data, encoding = as_utf8(data) if kind == "csv" else (data, None)
    with TemporaryDirectory(prefix="tbframe-") as folder:
        copy = Path(folder) / f"{key_of(path)}.{kind}"
        copy.write_bytes(data)
        try:
            yield copy, encoding
        except TbframeError as error:
            error.args = (str(error).replace(str(copy), str(path)),)
            raise


def _is_utf8(path: Path) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    with path.open("rb") as file:
        try:
            while chunk := file.read(_CHUNK):
                decoder.decode(chunk)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True
