"""The results of a Swiss on lichess.org: one JSON object on each line, one for each player.

They are final standings without a game: the games are in the TRF export of the same tournament.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tbframe.sources.gathering import Gathered
from tbframe.sources.json_values import as_dict, number_of, parse_json, text_of, whole_of
from tbframe.sources.making import Doubts, key_of
from tbframe.sources.unreadable import UnreadableError

__all__ = ["looks_like_lichess", "read_lichess"]


def looks_like_lichess(head: bytes, _: Path) -> bool:
    r"""Tell by the keys of the first line whether a file is of this kind.

    Examples
    --------
    >>> looks_like_lichess(b'{"rank":1,"points":2,"tieBreak":1,"username":"a"}\n', Path("x"))
    True
    """
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
    keys = (b'"username"', b'"rank"', b'"points"', b'"tieBreak"')
    return first.startswith(b"{") and all(key in first for key in keys)


def read_lichess(path: Path) -> list[Gathered]:
    """Read the results of a Swiss.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    list of Gathered
        Players with declared ``points`` and ``rank``, and ``tieBreak``, ``performance`` and
        ``absent`` as official values; no results, of which a warning tells: nothing can be
        computed of them.

    Raises
    ------
    UnreadableError
        If a line is no JSON object with a user name, or a user stands there twice.
    """
    doubts = Doubts()
    text = doubts.text(path)
    rows: list[dict[str, Any]] = []
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        about = as_dict(parse_json(line, line=number), f"line {number}")
        key = text_of(about.get("username"), f"line {number}, username")
        if key is None or key in lines:
            reason = "no user name" if key is None else f"{key} stands on line {lines[key]} too"
            raise UnreadableError(reason, line=number, code="player-repeated")
        lines[key] = number
        rows.append(_player(key, about, number, doubts))
    doubts.add(
        "no-games",
        "final standings without games: no tie-break follows from them; the games are in the "
        "TRF export",
        "warning",
    )
    about = {"kind": "individual", "pairing": "swiss", "type": "Lichess Swiss"}
    return [Gathered(path, key_of(path), [], rows, about, doubts)]


def _player(key: str, about: dict[str, Any], line: int, doubts: Doubts) -> dict[str, Any]:
    read = {
        "rating": whole_of(about.get("rating")),
        "points": number_of(about.get("points")),
        "rank": whole_of(about.get("rank")),
        "tieBreak": number_of(about.get("tieBreak")),
        "performance": whole_of(about.get("performance")),
    }
    for name, value in read.items():
        if value is None and about.get(name) is not None:
            text = f"{name}: no number: {str(about[name])[:40]!r}"
            doubts.add("number-unread", text, "warning", line=line, player=key)
    title = about.get("title")
    return {
        "player": key,
        "name": key,
        "title": title if isinstance(title, str) else None,
        "absent": about.get("absent") is True,
        **read,
    }
