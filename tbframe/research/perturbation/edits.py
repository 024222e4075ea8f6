"""What changes in each scenario: rows of the results that come out otherwise.

Edits are a frame: ``scenario`` (a number), ``row`` of the results, and the new ``result``; a null
result strikes the row out. ``alone`` says that there is no opponent any more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import polars as pl

from tbframe.errors import TbframeError
from tbframe.schema import BYES, ResultCode

__all__ = ["KINDS", "edits_of"]

_GAME: Final = ["1", "=", "0"]
_MIRROR: Final = {"1": "0", "=": "=", "0": "1", "+": "-", "-": "+"}
_PLAYED: Final = {"W": "1", "D": "=", "L": "0"}

#: The columns of a scenario, and of an edit.
_SCENARIO: Final = ("tournament", "round", "player", "opponent", "was", "becomes")


def edits_of(kind: str, results: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """List the scenarios of a kind, and what they change.

    Parameters
    ----------
    kind
        One of `KINDS`.
    results
        The canonical results with ``game`` and their ``row``; ``chosen``: whether the round is in
        scope; ``fixed``: whether pairings are predetermined.

    Returns
    -------
    scenarios, edits
        ``scenario`` from 0 in the order of tournament, round and player, and what it is;
        ``scenario``, ``row``, ``result``, ``alone``.
    """
    if kind not in KINDS:
        raise TbframeError(f"kind is one of {', '.join(KINDS)}, not {kind!r}")
    return KINDS[kind](results)


def _numbered(scenarios: pl.DataFrame) -> pl.DataFrame:
    place = ["tournament", "round", "player", "becomes"]
    return scenarios.sort(place, maintain_order=True).with_row_index("scenario")


def _games(results: pl.DataFrame) -> pl.DataFrame:
    """List the games over the board in scope once, from White's side or the first player's."""
    mirror = results.select(
        "tournament", "round", "game", player="opponent", opponent="player", other_row="row"
    )
    return (
        results.filter("chosen", pl.col("result").is_in([*_GAME, *_PLAYED]))
        .join(
            mirror, on=["tournament", "round", "game", "player", "opponent"], maintain_order="left"
        )
        .filter(
            (pl.col("color") == "w")
            | (pl.col("color").is_null() & (pl.col("row") < pl.col("other_row")))
        )
        .unique("row", maintain_order=True)
    )


def _otherwise(results: pl.DataFrame, codes: list[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Give every game each of `codes` that it did not have."""
    was = pl.col("result").cast(pl.String).replace(_PLAYED)
    scenarios = _numbered(
        _games(results)
        .with_columns(was=was, becomes=pl.lit(codes))
        .explode("becomes")
        .filter(pl.col("becomes") != pl.col("was"))
    )
    mine = scenarios.select("scenario", "row", result="becomes")
    theirs = scenarios.select(
        "scenario", row="other_row", result=pl.col("becomes").replace_strict(_MIRROR)
    )
    return _as_scenarios(scenarios), _as_edits(mine, theirs)


def _flip(results: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    return _otherwise(results, _GAME)


def _forfeit(results: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    return _otherwise(results, ["+", "-"])


def _withdraw(results: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Let each player leave before each round in scope in which he has a game.

    In a Swiss event he is absent from then on, and those whom he met have the pairing-allocated
    bye; where pairings are predetermined, the games are forfeited.
    """
    games = results.filter(pl.col("opponent").is_not_null())
    leaves = games.filter("chosen").unique(["tournament", "player", "round"], maintain_order=True)
    scenarios = _numbered(leaves.with_columns(was="result", becomes=pl.lit("Z")))
    later = scenarios.select("scenario", "tournament", "player", since="round")
    gone = results.select("tournament", "player", "round", "row", "opponent", "fixed")
    left = games.select("tournament", "round", "row", "fixed", player="opponent")
    since = pl.col("round") >= pl.col("since")
    mine = later.join(gone, on=["tournament", "player"]).filter(since)
    theirs = later.join(left, on=["tournament", "player"]).filter(since)
    forfeit = pl.col("fixed") & pl.col("opponent").is_not_null()
    return _as_scenarios(scenarios), _as_edits(
        mine.select(
            "scenario",
            "row",
            result=pl.when(forfeit).then(pl.lit("-")).otherwise(pl.lit("Z")),
            alone=~pl.col("fixed"),
        ),
        theirs.select(
            "scenario",
            "row",
            result=pl.when("fixed").then(pl.lit("+")).otherwise(pl.lit("U")),
            alone=~pl.col("fixed"),
        ),
    )


def _drop_round(results: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Play the tournament without each round in scope."""
    rounds = results.filter("chosen").unique(["tournament", "round"], maintain_order=True)
    scenarios = _numbered(
        rounds.with_columns(
            player=pl.lit(None, results.schema["player"]),
            opponent=pl.lit(None, results.schema["opponent"]),
            was=pl.lit(None, pl.String),
            becomes=pl.lit(None, pl.String),
        )
    )
    struck = scenarios.select("scenario", "tournament", "round").join(
        results.select("tournament", "round", "row"), on=["tournament", "round"]
    )
    none = pl.lit(None, pl.String)
    return _as_scenarios(scenarios), _as_edits(struck.select("scenario", "row", result=none))


def _bye(results: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Make every bye in scope one of the other kinds."""
    scenarios = _numbered(
        results.filter("chosen", pl.col("result").is_in(BYES))
        .with_columns(was=pl.col("result").cast(pl.String), becomes=pl.lit(list(BYES)))
        .explode("becomes")
        .filter(pl.col("becomes") != pl.col("was"))
    )
    return _as_scenarios(scenarios), _as_edits(
        scenarios.select("scenario", "row", result="becomes")
    )


def _as_scenarios(frame: pl.DataFrame) -> pl.DataFrame:
    texts = pl.col("was", "becomes").cast(pl.String)
    return frame.select("scenario", *_SCENARIO).with_columns(texts)


def _as_edits(*parts: pl.DataFrame, alone: bool = False) -> pl.DataFrame:
    together = pl.concat(parts).with_columns(pl.col("result").cast(ResultCode), alone=pl.lit(alone))
    return together.unique(["scenario", "row"], maintain_order=True).sort("scenario", "row")


#: The kinds of scenarios by name.
KINDS: Final[dict[str, Callable[[pl.DataFrame], tuple[pl.DataFrame, pl.DataFrame]]]] = {
    "flip": _flip,
    "forfeit": _forfeit,
    "withdraw": _withdraw,
    "drop_round": _drop_round,
    "bye": _bye,
}
