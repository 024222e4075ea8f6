"""Whether a file is PGN: by its beginning, or by its ending."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tbframe.sources.pgn.pieces import ENDING
from tbframe.sources.unpacking import DAMAGES, PACKED, streams
from tbframe.sources.unreadable import UnreadableError

__all__ = ["looks_like_pgn"]

_TAG: Final = re.compile(
    rb'^[ \t]*\[(?:Event|Site|Date|Round|White|Black|Result)[ \t]+"[^\n\r]*', re.MULTILINE
)
_NOISE: Final = re.compile(rb"\A(?:\xef\xbb\xbf)?(?:[%;][^\n]*\n|\s|\{[^}]*\})*")
_ZIP: Final = b"PK\x03\x04"


def looks_like_pgn(head: bytes, path: Path | None = None) -> bool:
    r"""Tell by the beginning of a file, or by the ending ``.pgn``, whether it is PGN.

    Parameters
    ----------
    head
        Its first bytes, unpacked; a zip archive of several files as it stands.
    path
        The file: a zip archive with files ``.pgn`` in it is PGN.

    Examples
    --------
    >>> looks_like_pgn(b'[Event "Cup"]\n[Site "?"]\n')
    True
    >>> looks_like_pgn(b'012 Cup\n')
    False
    """
    if path is not None:
        plain = path.with_suffix("") if path.suffix.lower() in PACKED else path
        if plain.suffix.lower() == ENDING or (head.startswith(_ZIP) and _holds_pgn(path)):
            return True
    noise = _NOISE.match(head)
    head = head[noise.end() :] if noise else head
    if not head.startswith(b"["):
        return False
    return len(_TAG.findall(head.replace(b"\r", b"\n"))) >= 2


def _holds_pgn(path: Path) -> bool:
    try:
        return bool(streams(path, ENDING))
    except (UnreadableError, *DAMAGES):
        return False
