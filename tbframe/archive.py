"""The bundle of frames that everything is asked of."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import polars as pl

from tbframe.assumptions import assumptions, circles, columns_lacking, halves
from tbframe.checks import check, incomplete
from tbframe.connections import FAMILY, connections, loose_ends
from tbframe.editions import AUTO, Edition
from tbframe.errors import FindingWarning, TbframeError, levels_to_the_user
from tbframe.explain import Explanation, explain
from tbframe.findings import concat_findings
from tbframe.ledger import Ledger, build_ledger
from tbframe.scoring import team_events
from tbframe.standings import compute_standings, compute_tiebreaks
from tbframe.tiebreaks import declared_order, parse_order

if TYPE_CHECKING:
    from tbframe.comparison import Audit, Difference
    from tbframe.intake.tables import Table

__all__ = ["Archive", "Criteria"]

#: A ranking order, as text or as a list of codes.
Criteria = str | list[str] | tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Archive:
    """Tournaments as tidy frames, with what was found and what was set aside on the way.

    Attributes
    ----------
    results
        One row per tournament, round and player (and game, where a player has several in
        a round), sorted by tournament, player, round, game; columns of `schema.RESULTS`
        first, then any others that came along. ``points`` is null only where the result is ``*``.
    players
        One row per tournament and player, sorted so; every player of `results` is there.
    tournaments
        One row per tournament, sorted.
    findings
        What was adjusted, assumed or contradicted, one row each (`schema.FINDINGS`).
    quarantine
        What was set aside whole, and why (`schema.QUARANTINE`).
    boards
        For team events, one row for each team and board of a match (`schema.BOARDS`), sorted
        by tournament, team, round, board; else null.
    members
        For team events, whose `players` are teams, one row for each individual
        (`schema.MEMBERS`), sorted by tournament and player; else null.

    Examples
    --------
    >>> import polars as pl
    >>> import tbframe as tb
    >>> games = pl.DataFrame(
    ...     {
    ...         "round": [1, 2, 3],
    ...         "white": ["Ada", "Bo", "Cy"],
    ...         "black": ["Bo", "Cy", "Ada"],
    ...         "result": ["1-0", "1/2-1/2", "0-1"],
    ...     }
    ... )
    >>> archive = tb.from_games(games)
    >>> archive.standings("PTS").select("rank", "player", "PTS").rows()
    [(1, 'Ada', 2.0), (2, 'Bo', 0.5), (2, 'Cy', 0.5)]
    """

    results: pl.DataFrame
    players: pl.DataFrame
    tournaments: pl.DataFrame
    findings: pl.DataFrame
    quarantine: pl.DataFrame
    boards: pl.DataFrame | None = None
    members: pl.DataFrame | None = None
    _ledgers: dict[int | None, Ledger] = field(default_factory=dict, init=False, repr=False)
    _assumed: dict[object, pl.DataFrame] = field(default_factory=dict, init=False, repr=False)

    def __repr__(self) -> str:
        """Say in one line what is there."""
        counts = [f"{self.tournaments.height:,} tournaments", f"{self.players.height:,} players",
                  f"{self.results.height:,} results", f"{self.findings.height:,} findings",
                  f"{self.quarantine.height:,} quarantined"]  # fmt: skip
        return f"Archive({', '.join(counts)})"

    def standings(
        self,
        order: Criteria | None = None,
        *,
        edition: str | Edition = AUTO,
        after_round: int | None = None,
    ) -> pl.DataFrame:
        """Rank the players of every tournament.

        Parameters
        ----------
        order
            The criteria in order, ``"PTS DE BH/C1"`` or a list. By default each tournament's
            own declared order, as far as its criteria are known, and points alone where it
            declares none: `assumptions` tells where.
        edition
            The text to apply; ``"auto"``: the one in force on each tournament's start date.
        after_round
            The standings as they were after this round; by default after the last.

        Returns
        -------
        DataFrame
            One row per player: ``tournament``, ``rank`` (ties share it: 1, 1, 3), ``player``,
            ``name``, a column for each criterion under its code, and ``decided_by``, the
            criterion that separated the player from the one above; null for the first and
            for players level with the one above. Sorted by tournament, rank, player.
            A refinement such as DE shows the place within the group it was applied to,
            0 where it split nothing, and null where nobody was tied; where it stands in the
            order again, its column is ``DE (2)``. Undefined values are null and rank last.

        Raises
        ------
        CodeError
            If a criterion cannot be read or does not exist.
        EditionError
            If the edition does not exist or does not know a criterion.

        Warns
        -----
        FindingWarning
            Where the answer rests on an assumption that can change a value: a tournament has no
            date, players have no row for a round. `assumptions` lists them.
        """
        self._warn(order, edition)
        if order is not None:
            criteria = parse_order(order)
            return compute_standings(self._ledger(after_round), criteria, edition=edition)
        declared = self.tournaments["criteria"].fill_null("PTS")
        parts = []
        for own in declared.unique(maintain_order=True).to_list():
            criteria = declared_order(own)[0] or parse_order("PTS")
            chosen = declared == own
            archive = self if chosen.all() else self._of(chosen)
            ledger = archive._ledger(after_round)
            parts.append(compute_standings(ledger, criteria, edition=edition))
        if not parts:
            return self.standings("PTS", edition=edition, after_round=after_round)
        if len(parts) == 1:
            return parts[0]
        together = pl.concat(parts, how="diagonal").sort("tournament", maintain_order=True)
        return together.select(pl.exclude("decided_by"), "decided_by")

    def tiebreaks(
        self,
        codes: Criteria,
        *,
        edition: str | Edition = AUTO,
        after_round: int | None = None,
    ) -> pl.DataFrame:
        """Compute tie-breaks for every player, without ranking.

        Parameters
        ----------
        codes
            ``"BH SB/C1"`` or a list.
        edition, after_round
            As in `standings`.

        Returns
        -------
        DataFrame
            ``tournament``, ``player`` and one column for each code, sorted by tournament and
            player. Direct encounter is applied among the players level on points.

        Raises
        ------
        CodeError, EditionError
            As in `standings`.
        """
        criteria = parse_order(codes)
        self._warn(codes, edition)
        return compute_tiebreaks(self._ledger(after_round), criteria, edition=edition)

    def explain(
        self,
        tournament: object,
        player: object,
        code: str,
        *,
        edition: str | Edition = AUTO,
        after_round: int | None = None,
    ) -> Explanation:
        """Show round by round how a value came about; print it to read it.

        Parameters
        ----------
        tournament, player
            Their keys.
        code
            One tie-break, such as ``"BH/C1"``.
        edition, after_round
            As in `standings`.

        Returns
        -------
        Explanation
            A frame with one row per round: see `tbframe.explain.explain`.

        Raises
        ------
        TbframeError
            If there is no such tournament or player, or the code is not a sum over rounds.
        """
        (criterion, *others) = parse_order(code)
        if others:
            raise TbframeError(f"explain one criterion at a time, not {code!r}")
        ledger = self.select(tournament)._ledger(after_round)
        return explain(ledger, player, criterion, edition=edition)

    def assumptions(
        self, order: Criteria | None = None, *, edition: str | Edition = AUTO
    ) -> pl.DataFrame:
        """List what standings take for granted where a tournament does not say it.

        Parameters
        ----------
        order, edition
            As in `standings`.

        Returns
        -------
        DataFrame
            Findings: tournaments without a date or a ranking order, criteria that a tournament
            or its edition does not know. See `tbframe.assumptions` and `tbframe.connections`
            for the codes.

        Raises
        ------
        CodeError, EditionError
            As in `standings`.
        """
        criteria = None if order is None else parse_order(order)
        asked = (None if criteria is None else tuple(criteria), edition)
        if asked not in self._assumed:
            unrated = self.players.group_by("tournament").agg(
                unrated_players=pl.col("rating").null_count()
            )
            ledger = self._ledger(None)
            facts = self.tournaments.with_columns(
                teams=team_events(self.results, self.tournaments),
                predetermined=ledger.predetermined(),
                absences=pl.Series(ledger.absences),
                lacking=columns_lacking(self.tournaments, self._frames(), criteria),
            ).join(unrated, on="tournament", how="left", maintain_order="left")
            found = concat_findings(
                assumptions(facts, criteria, edition),
                halves(self.results, self.tournaments, criteria or ()),
                incomplete(self.results, self.tournaments, self.boards),
            )
            if any(criterion.code == "keizer.PTS" for criterion in criteria or ()):
                length = parse_order("keizer.PTS_PERIOD")
                found = concat_findings(found, circles(compute_tiebreaks(ledger, length)))
            if any(criterion.code.startswith(FAMILY) for criterion in criteria or ()):
                found = concat_findings(found, loose_ends(connections(ledger), criteria or ()))
            self._assumed[asked] = found
        return self._assumed[asked]

    def _frames(self) -> dict[str, pl.DataFrame]:
        return {
            "results": self.results, "players": self.players, "tournaments": self.tournaments
        }  # fmt: skip

    def _warn(self, order: Criteria | None, edition: str | Edition) -> None:
        """Say once for each place in the caller's code what its answer rests on."""
        assumed = self.assumptions(order, edition=edition).filter(severity="warning")
        if assumed.is_empty():
            return
        codes = assumed.group_by("code", maintain_order=True).len()
        kinds = ", ".join(f"{number} x {code}" for code, number in codes.rows())
        first = assumed.row(0, named=True)
        warnings.warn(
            f"{kinds} (first: {first['tournament']}, {first['message']}); "
            "Archive.assumptions lists them",
            FindingWarning,
            stacklevel=levels_to_the_user(),
        )

    def check(self, numbered: pl.DataFrame | None = None) -> pl.DataFrame:
        """Look for what would make a value wrong, before it is computed.

        Parameters
        ----------
        numbered
            The results with row numbers in the place of keys, where they are known already
            (`ledger.numbering.number`): the same findings sooner.

        Returns
        -------
        DataFrame
            Findings; none where all is well. See `tbframe.checks` for the codes.
        """
        return check(
            self.results,
            self.players,
            self.tournaments,
            boards=self.boards,
            members=self.members,
            numbered=numbered,
        )

    def diff(
        self,
        before: str | Edition,
        after: str | Edition,
        order: Criteria | None = None,
        *,
        prizes: int = 3,
    ) -> Difference:
        """Compare the standings under two texts of the rules.

        Parameters
        ----------
        before, after
            Two editions, as of `standings`.
        order
            The criteria; by default each tournament's own, as of `standings`.
        prizes
            How many ranks have a prize.

        Returns
        -------
        Difference
            Who changes rank, which winners, prizes and values change, per tournament and
            summed up by year and federation.

        Raises
        ------
        CodeError, EditionError
            As in `standings`.

        Examples
        --------
        >>> import tbframe as tb
        >>> tb.read("data/trf").diff("2012", "2026-03", "PTS BH/C1 BH")
        2012 against 2026-03: 7 tournaments, 79 players
          winners change in 0 (0.0 %), the first 3 in 0 (0.0 %)
          ranks change in 2 (28.6 %), values change in 2 (28.6 %)
        """
        from tbframe.comparison import compare_editions  # noqa: PLC0415  it works on archives

        return compare_editions(self, before, after, order, prizes=prizes)

    def audit(
        self,
        order: Criteria | None = None,
        *,
        edition: str | Edition = AUTO,
        official: Table | None = None,
    ) -> Audit:
        """Compare what the source declares with what its results give.

        Parameters
        ----------
        order, edition, official
            As of `tbframe.audit`.

        Returns
        -------
        Audit
            The match rate of each code, the tournaments that disagree and the likely reason.

        Raises
        ------
        CodeError, EditionError
            As in `standings`.
        """
        from tbframe.comparison import audit  # noqa: PLC0415  it works on archives

        return audit(self, order, edition=edition, official=official)

    def select(self, *tournaments: object) -> Archive:
        """Return the archive of some tournaments only.

        Parameters
        ----------
        *tournaments
            Their keys.

        Returns
        -------
        Archive
            With the findings about them, and nothing in quarantine.

        Raises
        ------
        TbframeError
            If one is not there.
        """
        keys = self.tournaments["tournament"]
        wanted = [_like(keys, key) for key in tournaments]
        there = set(keys.to_list())
        for key in wanted:
            if isinstance(key, list | set | tuple | pl.Series):
                raise TbframeError("name the tournaments one by one: select(*keys)")
            if key not in there:
                some = ", ".join(repr(each) for each in keys.head(5))
                more = ", ..." if len(keys) > 5 else ""
                raise TbframeError(f"no tournament {key!r}; there are {some}{more}")
        return self._of(keys.is_in(wanted))

    def _of(self, chosen: pl.Series) -> Archive:
        """Return the archive of the tournaments for which `chosen` holds."""
        tournaments = self.tournaments.filter(chosen)
        keys = tournaments.select("tournament")

        def those(frame: pl.DataFrame) -> pl.DataFrame:
            return frame.join(keys, on="tournament", how="semi", maintain_order="left")

        texts = keys["tournament"].cast(pl.String).implode()
        return replace(
            self,
            results=those(self.results),
            players=those(self.players),
            tournaments=tournaments,
            boards=None if self.boards is None else those(self.boards),
            members=None if self.members is None else those(self.members),
            findings=self.findings.filter(pl.col("tournament").is_in(texts)),
            quarantine=self.quarantine.clear(),
        )

    def _keep(self, ledger: Ledger) -> None:
        """Take a ledger of these very frames that was built elsewhere, to compute on it."""
        self._ledgers[None] = ledger

    def _ledger(self, after_round: int | None) -> Ledger:
        if after_round is not None and (not isinstance(after_round, int) or after_round < 1):
            raise TbframeError(f"after_round is a round, 1 or more, not {after_round!r}")
        if after_round not in self._ledgers:
            self._ledgers[after_round] = build_ledger(
                self.results,
                self.players,
                self.tournaments,
                boards=self.boards,
                after_round=after_round,
            )
        return self._ledgers[after_round]


def _like(keys: pl.Series, key: object) -> object:
    """Return a key as the type of `keys` has it, where that is unmistakable."""
    if keys.dtype.is_integer() and isinstance(key, str) and key.isdigit():
        return int(key)
    return str(key) if keys.dtype == pl.String and isinstance(key, int) else key
