"""Archives from several sources put together as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from tbframe.archive import Archive
from tbframe.findings import concat_findings, findings_from

__all__ = ["merge"]

_KEYS: Final = {
    "results": ("tournament", "player", "opponent"),
    "players": ("tournament", "player"),
    "tournaments": ("tournament",),
    "boards": ("tournament", "team"),
}
#: Columns with keys of players, or of the teams that are the players of a team event.
_PLAYERS: Final = ("player", "opponent", "team")
_ORDER: Final = {
    "results": ("tournament", "player", "round", "game"),
    "players": ("tournament", "player"),
    "tournaments": ("tournament",),
    "boards": ("tournament", "team", "round", "board"),
}


def merge(archives: Sequence[Archive]) -> Archive:
    """Put archives together.

    Keys that are text in one archive and numbers in another become text; a tournament
    whose key is taken by an earlier archive gets a number behind it. Both are findings.

    Parameters
    ----------
    archives
        At least one.

    Returns
    -------
    Archive
        Sorted; findings and quarantine in the order of `archives`.
    """
    if len(archives) == 1:
        return archives[0]
    parts, said = _same_keys([_frames(archive) for archive in archives])
    findings = [archive.findings for archive in archives]
    taken: set[object] = set()
    for index, part in enumerate(parts):
        keys = part["tournaments"]["tournament"]
        renamed = {key: _free(key, taken | set(keys)) for key in keys if key in taken}
        taken |= {renamed.get(key, key) for key in keys}
        if renamed:
            change = pl.col("tournament").replace(renamed)
            parts[index] = {name: frame.with_columns(change) for name, frame in part.items()}
            text = {str(old): str(new) for old, new in renamed.items()}
            findings[index] = findings[index].with_columns(pl.col("tournament").replace(text))
            said.append(
                findings_from(
                    pl.DataFrame({"tournament": list(text.values()), "old": list(text)}),
                    code="tournament-renamed",
                    severity="info",
                    message=pl.format("the key {} is taken by another tournament", "old"),
                )
            )
    frames = {
        name: pl.concat(there, how="diagonal_relaxed")
        for name in _KEYS
        if (there := [part[name] for part in parts if name in part])
    }
    if "game" in frames["results"].columns:
        frames["results"] = frames["results"].with_columns(pl.col("game").fill_null(1))
    for name, frame in frames.items():
        frames[name] = frame.sort(column for column in _ORDER[name] if column in frame.columns)
    return Archive(
        frames["results"],
        frames["players"],
        frames["tournaments"],
        concat_findings(*findings, *said),
        pl.concat([archive.quarantine for archive in archives]),
        frames.get("boards"),
    )


def _frames(archive: Archive) -> dict[str, pl.DataFrame]:
    frames = {name: getattr(archive, name) for name in _KEYS}
    return {name: frame for name, frame in frames.items() if frame is not None}


def _same_keys(
    parts: list[dict[str, pl.DataFrame]],
) -> tuple[list[dict[str, pl.DataFrame]], list[pl.DataFrame]]:
    """Make keys text where the archives do not agree on their type."""
    said = []
    for key, columns in (("tournament", ("tournament",)), ("player", _PLAYERS)):
        # A frame without rows says nothing of its keys, but has to follow.
        types = {part["players"].schema[key] for part in parts if part["players"].height}
        wanted = types.pop() if len(types) == 1 else pl.String()
        if types:
            said.append(
                findings_from(
                    pl.DataFrame({"key": [key]}),
                    code="keys-as-text",
                    severity="info",
                    message=f"the {key} keys of some sources are numbers, of others text: all text",
                )
            )
        parts = [
            {
                name: frame.with_columns(
                    pl.col(column).cast(wanted) for column in columns if column in _KEYS[name]
                )
                for name, frame in part.items()
            }
            for part in parts
        ]
    return parts, said


def _free(key: object, taken: set[object]) -> object:
    """Return the first of key-2, key-3, ... (or of the numbers) that is not taken."""
    if isinstance(key, int):
        return max(number for number in taken if isinstance(number, int)) + 1
    number = 2
    while f"{key}-{number}" in taken:
        number += 1
    return f"{key}-{number}"
