"""Match points and game points of a team file: its scoring, and what departs from it."""

from __future__ import annotations

from typing import Final

import polars as pl
from polars import selectors as cs

from tbframe.intake.matches import points_without_games
from tbframe.scoring import MATCHES, parse_scoring, points_due
from tbframe.sources.trf.notes import Notes
from tbframe.sources.trf.team_records import TeamRecords

__all__ = ["settle_team_points", "systems_of", "team_systems"]

_USUAL: Final = parse_scoring(MATCHES)
#: The result codes that a symbol of record 299 stands for.
_CODES: Final = {
    "W": ["1", "W"], "D": ["=", "D"], "L": ["0", "L"], "P": ["U"],
    **{code: [code] for code in "+-FHZ"},
}  # fmt: skip
#: Values of a scoring that are written only where they depart from another one.
_FOLLOWS: Final = {"+": "W", "F": "W", "H": "D", "-": None, "Z": None}


def team_systems(
    records: TeamRecords, tournaments: pl.DataFrame, found: pl.DataFrame, notes: Notes
) -> pl.DataFrame:
    """Read how matches are scored, and on how many boards.

    Parameters
    ----------
    records
        What the records of teams say.
    tournaments
        ``file``, ``code``, ``boards``, ``primary``, ``game_scoring``: one row a file.
    found
        ``file``, ``found``: the largest board.

    Returns
    -------
    DataFrame
        ``file``, ``scoring``, ``game_scoring``, ``boards``, ``primary``.
    """
    general = records.awards.filter(
        pl.col("round") == 0, pl.col("team") == 0, pl.col("match_points").is_not_null()
    )
    awards = general.group_by("file").agg(
        pl.col("match_points").filter(symbol=symbol).last().alias(f"299{symbol}")
        for symbol in _CODES
    )
    sequences = records.sequences.select("file", sequence="sequence")
    table = tournaments.select("file", "code", "boards", "primary", "game_scoring")
    for frame in (records.scoring.drop("line"), awards, sequences, found):
        table = table.join(frame, on="file", how="left", maintain_order="left")
    counted = pl.coalesce(pl.col("sequence").str.len_chars().cast(pl.Int32), "boards")
    table = table.with_columns(scoring=_scoring(), declared=counted)
    missing = table.filter(pl.col("declared").is_null(), pl.col("found").is_not_null())
    more = table.filter(pl.col("found") > pl.col("declared"))
    for rows, code, severity, message in (
        (missing, "boards-counted", "info", "matches have {} boards, as many as were found"),
        (more, "boards-beyond-plan", "warning", "{} boards found, {} declared"),
    ):
        notes.find(
            code,
            "info" if severity == "info" else "warning",
            pl.format(message, *("found", "declared")[: message.count("{}")]),
            file=rows["file"].to_numpy(),
            found=rows["found"],
            declared=rows["declared"],
        )
    return table.select(
        "file",
        "scoring",
        "game_scoring",
        boards=pl.coalesce("declared", pl.col("found").cast(pl.Int32)),
        primary=pl.coalesce(
            "primary", pl.col("code").str.to_uppercase().str.extract("_(MP|GP)(?:_|$)")
        ),
    )


def _scoring() -> pl.Expr:
    """Write the scoring of matches; null for the usual one."""
    base = {symbol: pl.col(symbol).fill_null(_USUAL[symbol]) for symbol in "WDL"}
    value = {symbol: pl.col(f"299{symbol}").fill_null(base[symbol]) for symbol in "WDL"}
    value["U"] = pl.coalesce("299P", "P", base["D"])
    for code, other in _FOLLOWS.items():
        otherwise = base[other] if other else pl.col("A").fill_null(0.0)
        value[code] = pl.col(f"299{code}").fill_null(otherwise)
    usual = pl.all_horizontal(value[code] == _USUAL[code] for code in value)
    named = [pl.lit(f"{code}=") + _decimal(value[code]) for code in "WDLU"]
    # What follows from the others, as `scoring.parse_scoring` takes it, is not written.
    rest = [
        pl.when(value[code] != (value[other] if other else 0.0)).then(
            pl.lit(f"{code}=") + _decimal(value[code])
        )
        for code, other in _FOLLOWS.items()
    ]
    return pl.when(~usual).then(pl.concat_str([*named, *rest], separator=" ", ignore_nulls=True))


def systems_of(text: str) -> tuple[dict[str, float], dict[str, float]]:
    """Return what record 362 says for a scoring, and what is left to records 299.

    Examples
    --------
    >>> systems_of("W=3 D=1 L=0 U=1 +=2")
    ({'W': 3.0, 'D': 1.0, 'L': 0.0}, {'+': 2.0})
    """
    points = parse_scoring(text if "U=" in text.upper() else f"{text} U={parse_scoring(text)['=']}")
    groups = {"W": points["1"], "D": points["="], "L": points["0"]}
    if points["U"] != points["="]:
        groups["P"] = points["U"]
    due = {code: groups[other] if other else 0.0 for code, other in _FOLLOWS.items()}
    return groups, {code: points[code] for code in due if points[code] != due[code]}


def _decimal(value: pl.Expr) -> pl.Expr:
    return value.cast(pl.String).str.strip_suffix(".0")


def settle_team_points(
    results: pl.DataFrame, systems: pl.DataFrame, records: TeamRecords, notes: Notes
) -> pl.DataFrame:
    """Give every row its match points and game points.

    Parameters
    ----------
    results
        ``file``, ``round``, ``team``, ``result``, ``game_points`` as far as boards tell, and
        ``match_points`` as far as byes given from outside tell.
    systems
        From `team_systems`.
    records
        Records 299, and 320 for the value of a bye.

    Returns
    -------
    DataFrame
        `results` with ``points`` and ``game_points`` filled.
    """
    general = records.awards.filter(
        pl.col("round") == 0,
        pl.col("team") == 0,
        ~pl.col("symbol").is_in(["W", "D", "L"]),
        pl.col("game_points").is_not_null(),
    ).unique(["file", "symbol"], keep="last", maintain_order=True)
    worth = general.select("file", result=_code(), worth="game_points")
    keyed = results.with_columns(pl.col("result").cast(pl.String).alias("code"))
    keyed = keyed.join(
        worth.rename({"result": "code"}), on=["file", "code"], how="left", maintain_order="left"
    )
    about = systems.rename({"file": "tournament"}).with_columns(kind=pl.lit("team"))
    rows = keyed.rename({"file": "tournament"})
    forfeit = pl.col("code").is_in(["+", "-"])
    rows = rows.with_columns(
        game_points=pl.coalesce(
            pl.when(forfeit).then("worth"),
            "game_points",
            "worth",
            points_without_games(rows, about),
        )
    )
    rows = rows.with_columns(points=pl.coalesce("match_points", points_due(rows, about)))
    settled = rows.rename({"tournament": "file"}).drop("worth", "match_points")
    return _apply_awards(settled, records, notes).drop("code")


def _code() -> pl.Expr:
    return pl.col("symbol").replace({"P": "U"})


def _apply_awards(results: pl.DataFrame, records: TeamRecords, notes: Notes) -> pl.DataFrame:
    """Apply the records 299 that concern some teams or rounds only."""
    special = records.awards.filter((pl.col("round") > 0) | (pl.col("team") > 0))
    if special.is_empty():
        return results
    codes = pl.col("symbol").replace_strict(_CODES, default=None, return_dtype=pl.List(pl.String))
    rows = results.select("file", "code", at_round="round", at_team="team")
    met = (
        special.with_row_index("award")
        .with_columns(codes=codes)
        .join(rows, on="file", how="inner", maintain_order="left")
        .filter(
            (pl.col("round") == 0) | (pl.col("round") == pl.col("at_round")),
            (pl.col("team") == 0) | (pl.col("team") == pl.col("at_team")),
            pl.col("codes").is_null() | pl.col("codes").list.contains(pl.col("code")),
        )
    )
    idle = special.with_row_index("award").join(met, on="award", how="anti")
    notes.find(
        "idle-record",
        "warning",
        "record 299 concerns no result of the file and changes nothing",
        file=idle["file"].to_numpy(),
        line=idle["line"].to_numpy(),
    )
    set_ = pl.col("symbol") != ""
    values = [
        column.filter(set_).drop_nulls().last().alias(f"{name}_set")
        for name in ("match_points", "game_points")
        for column in [pl.col(name)]
    ] + [
        pl.col(name).filter(~set_).sum().alias(f"{name}_more")
        for name in ("match_points", "game_points")
    ]
    changes = met.group_by("file", round="at_round", team="at_team").agg(values)
    results = results.join(changes, on=["file", "round", "team"], how="left", maintain_order="left")
    return results.with_columns(
        (pl.coalesce(f"{name}_set", column) + pl.col(f"{name}_more").fill_null(0.0)).alias(column)
        for name, column in (("match_points", "points"), ("game_points", "game_points"))
    ).drop(cs.ends_with("_set", "_more"))
