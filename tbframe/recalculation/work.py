"""What is done with one part: standings, and an account of every row that came in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from tbframe import __version__
from tbframe.archive import Archive
from tbframe.codes import Criterion
from tbframe.editions import edition_of, editions_in_force
from tbframe.errors import TbframeError
from tbframe.findings import concat_findings
from tbframe.intake.isolating import isolate, quarantined
from tbframe.ledger import build_ledger
from tbframe.ledger.numbering import number
from tbframe.ledger.numbers import positions
from tbframe.recalculation.digest import contents, with_rules
from tbframe.recalculation.earlier import Earlier
from tbframe.recalculation.parts import Loaded
from tbframe.standings import compute_standings
from tbframe.tiebreaks import definition
from tbframe.tiebreaks.fingerprint import Basis, basis_of

__all__ = ["Job", "Made", "account", "sorted_findings"]


@dataclass(frozen=True)
class Made:
    """The frames of a part of the output, and its counts."""

    frames: Mapping[str, pl.DataFrame]
    counts: Mapping[str, Any]


@dataclass(frozen=True)
class Job:
    """Recalculate a part.

    Attributes
    ----------
    criteria
        The ranking order.
    edition
        The text to apply, or ``"auto"``.
    earlier
        A dataset whose values are taken over where nothing has changed.
    """

    criteria: Sequence[Criterion]
    edition: str
    earlier: Earlier | None = None

    @property
    def order(self) -> str:
        """The order as text."""
        return " ".join(map(str, self.criteria))

    @cached_property
    def _bases(self) -> dict[str, Basis]:
        """What each definition rests on that did not come with the package."""
        entries = {criterion.code: definition(criterion.code) for criterion in self.criteria}
        own = {code: entry for code, entry in entries.items() if not entry.is_built_in}
        return {code: basis_of(entry) for code, entry in sorted(own.items())}

    @property
    def definitions(self) -> dict[str, str]:
        """The digest of each definition that did not come with the package."""
        return {code: basis.digest for code, basis in self._bases.items()}

    @property
    def doubts(self) -> dict[str, str]:
        """What may change a definition without changing its digest."""
        return {code: ", ".join(each.doubts) for code, each in self._bases.items() if each.doubts}

    def __call__(self, loaded: Loaded) -> Made:
        """Compute what the part gives.

        Returns
        -------
        Made
            ``standings`` as of `Archive.standings`; ``tournaments``: what each is, its counts,
            edition and content hash; ``findings`` and ``quarantine``.

        Raises
        ------
        TbframeError
            If rows were lost on the way, which would be an error of this package.
        """
        archive = loaded.archive
        keys = archive.tournaments["tournament"]

        def attempt(some: pl.Series) -> dict[str, pl.DataFrame]:
            if len(some) == len(keys):
                return self._compute(archive, loaded.numbered, loaded.contents, loaded.checked)
            return self._compute(archive.select(*some), None, None, loaded.checked)

        made, failed = isolate(keys, attempt)
        frames = {
            name: pl.concat([part[name] for part in made], how="diagonal_relaxed")
            for name in (made[0] if made else ())
        }
        if not made:
            frames = self._compute(archive._of(keys.is_null()), None, None, checked=True)
        elsewhere = archive.findings.filter(
            ~pl.col("tournament").is_in(keys.cast(pl.String).implode()).fill_null(value=False)
        )
        frames["findings"] = sorted_findings(frames["findings"], elsewhere)
        frames["quarantine"] = pl.concat(
            [archive.quarantine, quarantined(failed, loaded.rows_read)]
        )
        about = frames["tournaments"]
        taken = int(self.earlier.knows(about).sum()) if self.earlier else 0
        more = {"editions": _counts(about["edition"]), "taken_over": taken}
        return Made(frames, account(frames, loaded) | more)

    def _compute(
        self,
        archive: Archive,
        numbered: pl.DataFrame | None,
        content: pl.Series | None,
        checked: bool,
    ) -> dict[str, pl.DataFrame]:
        if numbered is None:
            numbered = _number(archive)
        if content is None:
            content = contents(archive, numbered)
        asked = f"{self.order} {self.definitions}"
        about = _about(archive, numbered, content, self.edition, asked)
        if self.earlier is None:
            return self._rank(archive, numbered, checked=checked) | {"tournaments": about}
        known = self.earlier.knows(about)
        new = archive._of(~known)
        made = self._rank(new, _number(new), checked=checked)
        taken = self.earlier.take(about.filter(known))
        return {
            name: pl.concat([made[name], taken[name]], how="diagonal_relaxed").sort(
                "tournament", maintain_order=True
            )
            for name in made
        } | {"tournaments": about}

    def _rank(
        self, archive: Archive, numbered: pl.DataFrame, *, checked: bool
    ) -> dict[str, pl.DataFrame]:
        ledger = build_ledger(
            archive.results,
            archive.players,
            archive.tournaments,
            boards=archive.boards,
            numbered=numbered,
        )
        archive._keep(ledger)
        findings = [archive.findings, archive.assumptions(self.order, edition=self.edition)]
        if not checked:
            findings.append(archive.check(numbered))
        return {
            "standings": compute_standings(ledger, self.criteria, edition=self.edition),
            "findings": concat_findings(*findings),
        }


def _number(archive: Archive) -> pl.DataFrame:
    return number(archive.results, archive.players, archive.tournaments)


def sorted_findings(*parts: pl.DataFrame) -> pl.DataFrame:
    """Put findings in an order that does not depend on how they were come by."""
    found = concat_findings(*parts)
    place = ["tournament", "file", "line", "round", "player", "code", "message"]
    return found.unique(maintain_order=True).sort(place, maintain_order=True)


def _about(
    archive: Archive, numbered: pl.DataFrame, content: pl.Series, edition: str, asked: str
) -> pl.DataFrame:
    """Describe the tournaments, one row each; `asked` is what their hash depends on besides."""
    tournaments = archive.tournaments
    owner = positions(archive.players.select("tournament"), tournaments.select("tournament"))
    at = owner[numbered["player_row"].to_numpy()]
    rounds = np.zeros(tournaments.height, dtype=np.int32)
    np.maximum.at(rounds, at, numbered["round"].to_numpy())
    in_force = editions_in_force(tournaments, edition)
    texts = in_force.unique().to_list()
    rules = [f"{edition_of(key)!r} {asked} {__version__}" for key in texts]
    return tournaments.select(
        "tournament",
        "name",
        "federation",
        "start",
        "end",
        pl.Series("rounds", rounds),
        pl.Series("players", np.bincount(owner, minlength=tournaments.height), dtype=pl.Int32),
        pl.Series("rows", np.bincount(at, minlength=tournaments.height), dtype=pl.Int32),
        in_force.alias("edition"),
        with_rules(content, in_force.replace_strict(texts, rules, return_dtype=pl.String)),
    )


def account(frames: Mapping[str, pl.DataFrame], loaded: Loaded) -> dict[str, Any]:
    """Count what came in, what comes out and what is set aside.

    Parameters
    ----------
    frames
        With ``tournaments``, ``players`` or ``standings``, ``findings`` and ``quarantine``.
    loaded
        Where they are from.

    Raises
    ------
    TbframeError
        If a row is neither in a tournament that comes out nor in the quarantine.
    """
    read = loaded.rows_read
    is_out = _among(read["tournament"], frames["tournaments"]["tournament"].cast(pl.String))
    is_aside = ~is_out & _among(read["tournament"], frames["quarantine"]["tournament"])
    rows = {
        "in": int(read["rows"].sum()),
        "out": int(read.filter(is_out)["rows"].sum()),
        "quarantined": int(read.filter(is_aside)["rows"].sum()),
    }
    if rows["in"] != rows["out"] + rows["quarantined"]:
        lost = read.filter(~is_out & ~is_aside)["tournament"]
        raise TbframeError(
            f"rows of {len(lost):,} tournaments were lost ({', '.join(map(str, lost.head(3)))}): "
            "this is a fault of tbframe"
        )
    made = frames["results"].height if "results" in frames else frames["tournaments"]["rows"].sum()
    if loaded.one_to_one and made != rows["out"]:
        raise TbframeError(
            f"{rows['out']:,} result rows came in and {made:,} came out: this is a fault of tbframe"
        )
    players = frames["standings"] if "standings" in frames else frames["players"]
    return {
        "tournaments": frames["tournaments"].height,
        "players": players.height,
        "rows": rows,
        "quarantined": frames["quarantine"].height,
        "findings": _counts(frames["findings"]["severity"]),
    }


def _counts(values: pl.Series) -> dict[str, int]:
    return dict(sorted(values.value_counts().iter_rows()))


def _among(keys: pl.Series, others: pl.Series) -> pl.Series:
    return keys.is_in(others.implode()).fill_null(value=False)
