"""Archives from several sources put together as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from tbframe.archive import Archive
from tbframe.findings import concat_findings, findings_from

__all__ = ["free_keys", "merge", "told_of_text", "with_keys", "with_text_keys"]

#: The key columns of each frame, and whose keys they are; ``boards`` and ``members`` are
#: there for team events only, whose players are the teams.
_KEYS: Final = {
    "results": {"tournament": "tournament", "player": "player", "opponent": "player"},
    "players": {"tournament": "tournament", "player": "player"},
    "tournaments": {"tournament": "tournament"},
    "boards": {"tournament": "tournament", "team": "player", "opponent": "player",
               "player": "member", "opponent_player": "member"},
    "members": {"tournament": "tournament", "team": "player", "player": "member"},
}  # fmt: skip
_ORDER: Final = {
    "results": ("tournament", "player", "round", "game"),
    "players": ("tournament", "player"),
    "tournaments": ("tournament",),
    "boards": ("tournament", "team", "round", "board"),
    "members": ("tournament", "player"),
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
    keys = [part["tournaments"]["tournament"].to_list() for part in parts]
    for index, renamed in enumerate(free_keys(keys)):
        if renamed:
            parts[index] = _with_keys(parts[index], renamed)
            findings[index], more = _told_with_keys(findings[index], renamed)
            said.append(more)
    frames = {
        name: pl.concat(there, how="diagonal_relaxed")
        for name in _KEYS
        if (there := [part[name] for part in parts if name in part])
    }
    if "game" in frames["results"].columns:
        frames["results"] = frames["results"].with_columns(pl.col("game").fill_null(1))
    for name, frame in frames.items():
        frames[name] = _in_order(name, frame)
    return Archive(
        frames["results"],
        frames["players"],
        frames["tournaments"],
        concat_findings(*findings, *said),
        pl.concat([archive.quarantine for archive in archives]),
        **{name: frames[name] for name in ("boards", "members") if name in frames},
    )


def free_keys(keys: Sequence[Sequence[object]]) -> list[dict[object, object]]:
    """Tell for each of several archives which keys others before it have, and what is free.

    Examples
    --------
    >>> free_keys([["cup", "open"], ["cup", "cup-2"]])
    [{}, {'cup': 'cup-3'}]
    """
    taken: set[object] = set()
    renames = []
    for each in keys:
        renamed = {key: _free(key, taken | {*each}) for key in each if key in taken}
        taken |= {renamed.get(key, key) for key in each}
        renames.append(renamed)
    return renames


def with_keys(archive: Archive, renamed: Mapping[object, object], *, tell: bool = True) -> Archive:
    """Call tournaments otherwise, in all frames.

    Parameters
    ----------
    archive
        With keys that are text.
    renamed
        From `free_keys`.
    tell
        Whether findings are to tell of it.
    """
    if not renamed:
        return archive
    findings, said = _told_with_keys(archive.findings, renamed)
    frames = _with_keys(_frames(archive), renamed)
    return Archive(
        frames["results"],
        frames["players"],
        frames["tournaments"],
        concat_findings(findings, said) if tell else findings,
        archive.quarantine.with_columns(pl.col("tournament").replace(_as_text(renamed))),
        boards=frames.get("boards"),
        members=frames.get("members"),
    )


def with_text_keys(archive: Archive) -> Archive:
    """Make the keys of players text, as `merge` does where other archives have text."""
    frames = _frames(archive)
    for name, column in _columns(frames, "player"):
        frames[name] = frames[name].with_columns(pl.col(column).cast(pl.String))
    return Archive(
        **{name: _in_order(name, frame) for name, frame in frames.items()},
        findings=archive.findings,
        quarantine=archive.quarantine,
    )


def _in_order(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    return frame.sort(column for column in _ORDER[name] if column in frame.columns)


def _with_keys(
    part: Mapping[str, pl.DataFrame], renamed: Mapping[object, object]
) -> dict[str, pl.DataFrame]:
    change = pl.col("tournament").replace(dict(renamed))
    return {name: frame.with_columns(change) for name, frame in part.items()}


def _told_with_keys(
    findings: pl.DataFrame, renamed: Mapping[object, object]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rename the tournaments of findings, and tell of it in others."""
    text = _as_text(renamed)
    said = findings_from(
        pl.DataFrame({"tournament": list(text.values()), "old": list(text)}),
        code="tournament-renamed",
        severity="info",
        message=pl.format("the key {} is taken by another tournament", "old"),
    )
    return findings.with_columns(pl.col("tournament").replace(text)), said


def _as_text(renamed: Mapping[object, object]) -> dict[str, str]:
    return {str(old): str(new) for old, new in renamed.items()}


def _frames(archive: Archive) -> dict[str, pl.DataFrame]:
    frames = {name: getattr(archive, name) for name in _KEYS}
    return {name: frame for name, frame in frames.items() if frame is not None}


def _same_keys(
    parts: list[dict[str, pl.DataFrame]],
) -> tuple[list[dict[str, pl.DataFrame]], list[pl.DataFrame]]:
    """Make keys text where the archives do not agree on their type."""
    said = []
    for kind in ("tournament", "player", "member"):
        # A frame without rows says nothing of its keys, but has to follow.
        types = {
            part[name].schema[column]
            for part in parts
            for name, column in _columns(part, kind)
            if part[name].height and part[name].schema[column] != pl.Null
        }
        if len(types) < 2:
            wanted = next(iter(types), None)
        else:
            wanted = pl.String()
            said.append(told_of_text(kind))
        for part in parts:
            for name, column in _columns(part, kind):
                if wanted is not None:
                    part[name] = part[name].with_columns(pl.col(column).cast(wanted))
    return parts, said


def told_of_text(kind: str) -> pl.DataFrame:
    """Tell that the keys of tournaments, players or members were made text."""
    return findings_from(
        pl.DataFrame({"key": [kind]}),
        code="keys-as-text",
        severity="info",
        message=f"the {kind} keys of some sources are numbers, of others text: all text",
    )


def _columns(part: dict[str, pl.DataFrame], kind: str) -> list[tuple[str, str]]:
    """Return frame and column of all keys of a kind."""
    return [
        (name, column)
        for name, frame in part.items()
        for column, whose in _KEYS[name].items()
        if whose == kind and column in frame.columns
    ]


def _free(key: object, taken: set[object]) -> object:
    """Return the first of key-2, key-3, ... (or of the numbers) that is not taken."""
    if isinstance(key, int):
        return max(number for number in taken if isinstance(number, int)) + 1
    number = 2
    while f"{key}-{number}" in taken:
        number += 1
    return f"{key}-{number}"
