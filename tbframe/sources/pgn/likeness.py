"""Names that may be spellings of one: reported, never merged.

Names are compared as `fold` writes them: without accents and double letters, and with letters
that transliterations mix up (``y``, ``i``, ``j``; ``ue``, ``ü``, ``u``; ``tch``, ``ch``) as one.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import Final

import polars as pl

from tbframe.findings import findings_from

__all__ = ["fold", "names_alike"]

#: What stands for one sound in several alphabets and languages, longer ones first.
_SOUNDS: Final = {
    "tsch": "c", "tch": "c", "sch": "s", "sh": "s", "ch": "c", "ph": "f", "kh": "h", "zh": "z",
    "ck": "k", "ks": "x", "ae": "a", "oe": "o", "ue": "u", "ß": "s", "ø": "o", "œ": "o", "æ": "a",
    "ł": "l", "đ": "d", "ı": "i", "y": "i", "j": "i", "w": "v",
}  # fmt: skip
_DOUBLED: Final = {2 * letter: letter for letter in ascii_lowercase}
#: Names that one may stand for, as far as they are listed.
_SHOWN: Final = 3
_KEY: Final = ["tournament", "player"]


def fold(name: pl.Expr) -> pl.Expr:
    """Write a name as it is compared: words of small plain letters and figures."""
    plain = name.str.normalize("NFKD").str.replace_all(r"\p{M}", "").str.to_lowercase()
    for written in (_SOUNDS, _DOUBLED):
        plain = plain.str.replace_many(list(written), list(written.values()), leftmost=True)
    plain = plain.str.replace_all(r"[\"'`´‘’\\]", "")
    return plain.str.replace_all(r"[^\p{L}\d,]+", " ").str.strip_chars()


def names_alike(players: pl.DataFrame, *, teams: bool = False) -> pl.DataFrame:
    """Report names of one tournament that may be one player's.

    That is names of the same words in any order, and a surname with given names of which one
    abbreviates the other. Two players who both have an id are two.

    Parameters
    ----------
    players
        ``tournament``, ``player`` and ``has_id``.
    teams
        Whether they are teams, whose names nobody abbreviates to the first word.

    Returns
    -------
    DataFrame
        Findings, one for each name that may be another's.
    """
    name = pl.col("player").str.replace(r" \(\d+\)$", "")
    rows = players.with_columns(folded=fold(name)).with_columns(
        words=pl.col("folded").str.replace_all(",", " ").str.extract_all(r"\S+")
    )
    pairs = pl.concat([_same_words(rows)] if teams else [_same_words(rows), _abbreviated(rows)])
    pairs = pairs.filter(pl.col("player") != pl.col("other"), ~(pl.col("id") & pl.col("other_id")))
    others = pl.col("other").unique().sort()
    alike = pairs.group_by(_KEY).agg(
        others=others.head(_SHOWN).str.join("; "),
        more=pl.col("other").n_unique().cast(pl.Int64) - _SHOWN,
    )
    more = pl.when(pl.col("more") > 0).then(pl.format(" and {} more", "more")).otherwise(pl.lit(""))
    return findings_from(
        alike.sort(_KEY),
        code="names-alike",
        severity="warning",
        message=pl.format(
            "may be {}{}: taken as another {}",
            "others",
            more,
            pl.lit("team" if teams else "player"),
        ),
    )


def _same_words(rows: pl.DataFrame) -> pl.DataFrame:
    """Pair each name with the first of its tournament that has the same words."""
    place = ["tournament", "letters"]
    rows = rows.with_columns(letters=pl.col("words").list.sort().list.join(""))
    rows = rows.filter(pl.col("letters") != "").sort(_KEY)
    return rows.select(
        *_KEY, other=pl.col("player").first().over(place),
        id="has_id", other_id=pl.col("has_id").first().over(place),
    )  # fmt: skip


def _abbreviated(rows: pl.DataFrame) -> pl.DataFrame:
    """Pair each name with those of the same surname whose given names begin like its own.

    Without a comma the first or the last word is the surname.
    """
    words, comma = pl.col("words"), pl.col("folded").str.contains(",", literal=True)
    parts = pl.col("folded").str.splitn(",", 2)
    sides = pl.concat(
        [
            rows.filter(comma).select(
                *_KEY, "has_id",
                surname=parts.struct.field("field_0").str.replace_all(r"[ ,]", ""),
                given=parts.struct.field("field_1").str.replace_all(",", " "),
            ),
            rows.filter(~comma, words.list.len() > 0).select(
                *_KEY, "has_id",
                surname=words.list.first(), given=words.list.slice(1).list.join(" "),
            ),
            rows.filter(~comma, words.list.len() > 1).select(
                *_KEY, "has_id", surname=words.list.last(),
                given=words.list.slice(0, words.list.len() - 1).list.join(" "),
            ),
        ]
    ).filter(pl.col("surname").str.len_chars() > 1)  # fmt: skip
    names = pl.col("given").str.extract_all(r"\S+")
    initials = names.list.eval(pl.element().str.slice(0, 1)).list.join("")
    written = names.list.join("")
    short = sides.with_columns(begins=written)
    first = names.list.first().fill_null("")
    long = sides.with_columns(
        whole=written,
        begins=pl.concat_list(
            pl.lit(""), *(written.str.slice(0, length) for length in (1, 2, 3)), initials, first,
            first + initials.str.slice(1),
        ),
    )  # fmt: skip
    long = long.explode("begins").filter(pl.col("begins") != pl.col("whole")).unique()
    pairs = short.join(
        long.select("tournament", "surname", "begins", other="player", other_id="has_id"),
        on=["tournament", "surname", "begins"],
    )
    return pairs.select(*_KEY, "other", "has_id", "other_id").rename({"has_id": "id"})
