"""What the commands do: read, ask the archive, write the answer, report."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

import tbframe as tb
from tbframe.cli.output import Destination, standard_output
from tbframe.cli.progress import progress
from tbframe.cli.report import LISTS, WRONG, report, some
from tbframe.cli.tables import Titled
from tbframe.editions import AUTO, edition_of, editions_in_force
from tbframe.errors import TbframeError
from tbframe.findings import concat_findings, without_repeats
from tbframe.schema import FINDINGS
from tbframe.standings import column_names
from tbframe.tiebreaks import declared_order, parse_order

__all__ = ["Question", "check", "check_rules", "completeness", "explain", "read_paths"]

#: So many tables are no longer read but searched.
_MANY = 50


@dataclass(frozen=True)
class Question:
    """A question put to every tournament of an archive.

    Attributes
    ----------
    paths
        What to read.
    order
        Criteria, or ``None`` for each tournament's own.
    edition, after_round
        As in `Archive.standings`.
    destination
        Where the answer goes.
    every_finding
        Whether findings are listed one by one.
    columns
        What tables call their columns, as for `tbframe.read`.
    """

    paths: Sequence[str]
    order: str | None
    edition: str
    after_round: int | None
    destination: Destination
    every_finding: bool
    columns: Mapping[str, str] | None = None

    def standings(self) -> int:
        """Rank the players of every tournament; return the exit status."""
        return self._answer(
            lambda archive: archive.standings(
                self.order, edition=self.edition, after_round=self.after_round
            )
        )

    def tiebreaks(self) -> int:
        """Compute tie-breaks without ranking; return the exit status."""
        codes = self.order or ""
        return self._answer(
            lambda archive: archive.tiebreaks(
                codes, edition=self.edition, after_round=self.after_round
            )
        )

    def _answer(self, ask: Callable[[tb.Archive], pl.DataFrame]) -> int:
        check_rules(self.order, self.edition)  # before the files, which may be many
        archive = read_paths(self.paths, self.columns)
        with progress("computing"):
            frame = ask(archive)
        self.destination.write(frame, self._tables(archive, frame))
        assumed = archive.assumptions(self.order, edition=self.edition)
        found = concat_findings(archive.findings, assumed, _errors(archive))
        return _report(replace(archive, findings=found), every=self.every_finding)

    def _tables(self, archive: tb.Archive, frame: pl.DataFrame) -> Iterator[Titled]:
        """Cut the answer into one table for each tournament."""
        about = archive.tournaments
        if about.height > _MANY:
            sys.stderr.write(f"{about.height:,} tables: --format csv gives a single one\n")
        if "name" not in frame.columns:
            names = archive.players.select("tournament", "player", "name")
            frame = frame.join(names, on=["tournament", "player"], maintain_order="left")
            frame = frame.select("tournament", "player", "name", pl.exclude(names.columns))
        editions = editions_in_force(about, self.edition)
        used = dict(zip(about["tournament"], editions, strict=True))
        about_each = {row["tournament"]: row for row in about.iter_rows(named=True)}
        for part in frame.partition_by("tournament", maintain_order=True):
            row = about_each[part["tournament"][0]]
            moment = f", after round {self.after_round}" if self.after_round else ""
            name = f": {row['name']}" if row["name"] else ""
            title = f"{row['tournament']}{name} (edition {used[row['tournament']]}{moment})"
            yield title, self._own_columns(part, row["criteria"])

    def _own_columns(self, part: pl.DataFrame, declared: str | None) -> pl.DataFrame:
        """Leave out the name where there is none, and criteria of other tournaments."""
        unwanted = {"tournament"}
        if part["name"].null_count() == part.height:
            unwanted.add("name")
        if self.order is None:
            own = column_names(declared_order(declared or "PTS")[0] or parse_order("PTS"))
            unwanted |= {*part.columns} - {*own} - {"rank", "player", "name", "decided_by"}
        return part.drop(unwanted)


def explain(
    path: str,
    player: str,
    code: str,
    *,
    tournament: str | None,
    edition: str,
    after_round: int | None,
    findings: bool,
    columns: Mapping[str, str] | None,
) -> int:
    """Print how a value came about; return the exit status."""
    check_rules(code, edition)
    archive = read_paths([path], columns)
    keys = archive.tournaments["tournament"].to_list()
    if tournament is None and len(keys) > 1:
        raise TbframeError(
            f"{path} holds {len(keys):,} tournaments, choose one with --tournament: {some(keys)}"
        )
    if tournament is None and not keys:
        return report(archive, every=findings)
    chosen = keys[0] if tournament is None else tournament
    explanation = archive.explain(chosen, player, code, edition=edition, after_round=after_round)
    with standard_output() as file:
        file.write(f"{explanation}\n")
    found = concat_findings(archive.findings, _errors(archive.select(chosen)))
    return _report(replace(archive, findings=found), every=findings)


def check(paths: Sequence[str], columns: Mapping[str, str] | None, destination: Destination) -> int:
    """Write what would make a value wrong; return the exit status."""
    archive = read_paths(paths, columns)
    with progress("checking"):
        checked = without_repeats(archive.findings, archive.check())
    found = concat_findings(archive.findings, checked)
    rows = pl.concat([_set_aside(archive.quarantine), found])
    destination.write(rows, [("", rows)] if rows.height else [])
    status = report(replace(archive, findings=found), hint="")
    return WRONG if "error" in found["severity"] else status


def completeness(
    paths: Sequence[str],
    columns: Mapping[str, str] | None,
    destination: Destination,
    *,
    findings: bool,
) -> int:
    """Write how many games are there of those due; return the exit status."""
    archive = read_paths(paths, columns)
    rows = tb.completeness(archive)
    destination.write(rows, [("", rows)])
    return report(archive, every=findings)


def _report(archive: tb.Archive, *, every: bool) -> int:
    """Report what was read, with the errors of the check among the findings."""
    return report(archive, every=every, hint=f"{LISTS}, tbframe check looks for more")


def _errors(archive: tb.Archive) -> pl.DataFrame:
    """Return the contradictions that leave a value in doubt and were not found in reading."""
    found = archive.check().filter(severity="error")
    return without_repeats(archive.findings, found)


def _set_aside(quarantine: pl.DataFrame) -> pl.DataFrame:
    """Write what was set aside as rows of a table of findings."""
    return quarantine.select(
        (
            pl.lit("quarantined")
            if name == "severity"
            else pl.col(name)
            if name in quarantine.columns
            else pl.lit(None)
        )
        .cast(dtype)
        .alias(name)
        for name, dtype in FINDINGS.items()
    )


def read_paths(paths: Sequence[str], columns: Mapping[str, str] | None) -> tb.Archive:
    """Read what the paths lead to, with a sign of life where it takes long."""
    with progress("reading"):
        return tb.read(list(paths), columns=columns)


def check_rules(order: str | None, edition: str) -> None:
    """Refuse a code or an edition that does not exist."""
    if order is not None:
        parse_order(order)
    if edition != AUTO:
        edition_of(edition)
