"""In what a run differs from the one that it is to go on with, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

__all__ = ["what_differs"]

_KINDS: Final = {
    "archive": "an archive in memory",
    "database": "a database",
    "ledger": "a ledger",
    "pgn": "PGN files",
    "reports": "tournament files",
    "tables": "tables",
}


def what_differs(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Say what differs between the settings of two runs; nothing, if nothing does.

    Parameters
    ----------
    before, now
        The settings of a manifest: ``order``, ``edition``, ``source``, ``versions`` and
        ``definitions``, as far as the kind of dataset has them.
    """
    found = [
        f"{name} was {before.get(name)!r}, is {now[name]!r}"
        for name in ("order", "edition")
        if name in now and before.get(name) != now[name]
    ]
    found += _of_source(_fields(before, "source"), _fields(now, "source"))
    versions = _fields(before, "versions")
    found += [
        f"{name} was {versions.get(name)}, is {version}"
        for name, version in _fields(now, "versions").items()
        if versions.get(name) != version
    ]
    definitions = _fields(before, "definitions")
    found += [
        f"the definition of {code} has changed"
        for code, digest in _fields(now, "definitions").items()
        if code in definitions and definitions[code] != digest
    ]
    return found


def _of_source(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    if before.get("kind") != now.get("kind"):
        was, is_ = (_KINDS.get(str(each.get("kind")), each.get("kind")) for each in (before, now))
        yield f"the source was {was}, is {is_}"
        return
    if before.get("games_a_part") != now.get("games_a_part"):
        yield f"games_a_part was {before.get('games_a_part')}, is {now.get('games_a_part')}"
    if before.get("fingerprint") != now.get("fingerprint"):
        yield "the source has changed, or is another one"


def _fields(settings: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = settings.get(name)
    return found if isinstance(found, dict) else {}
