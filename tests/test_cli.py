"""The command line: what goes where, in which form, with which exit status."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import tbframe as tb
import tbframe.cli.progress as progress_module
from tbframe.cli import main
from tbframe.cli.cells import cells
from tbframe.cli.report import number_of, some
from tbframe.cli.tables import write_tables

ROOT = Path(__file__).resolve().parents[1]
TRF = ROOT / "data" / "trf"
LONDON = str(TRF / "candidates_london_2013.trf")
SWISS5 = str(TRF / "tec2023_swiss5.trf")


@pytest.fixture(autouse=True)
def _no_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def with_bad_file(tmp_path: Path) -> str:
    """Return a folder of one good file and one that is no tournament report."""
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "good.trf").write_bytes(Path(SWISS5).read_bytes())
    (folder / "bad.trf").write_text("012 Nobody came\n", encoding="utf-8")
    return str(folder)


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tbframe", *arguments],
        cwd=ROOT, capture_output=True, text=True, check=False, **options,  # type: ignore[call-overload]
    )  # fmt: skip


def rows_of(table: str) -> list[list[str]]:
    """Cut a table into cells: columns are at least two blanks apart."""
    return [
        [cell.strip() for cell in line.split("  ") if cell.strip()] for line in table.splitlines()
    ]


# what is printed


def test_standings_by_the_declared_order_are_the_official_ones(capsys: pytest.CaptureFixture[str]):
    assert main(["standings", LONDON]) == 0
    title, head, *lines = capsys.readouterr().out.splitlines()
    assert title == "candidates_london_2013: FIDE Candidates Tournament 2013 (edition 2012)"
    assert head.split() == ["rank", "player", "name", "PTS", "DE", "WIN", "SB", "decided", "by"]
    with (ROOT / "data/standings/candidates_london_2013.csv").open(encoding="utf-8") as file:
        official = list(csv.DictReader(file))
    assert len(lines) == len(official) == 8
    for line, row in zip(rows_of("\n".join(lines)), official, strict=True):
        assert line[:3] == [row["place"], row["player"], row["name"]]
        assert float(line[3]) == float(row["points"])
        assert (line[7:] or [""]) == [row["decided_by"]]


def test_values_read_as_published(capsys: pytest.CaptureFixture[str]):
    # FIDE Technical Commission, Exercises in Tie-Breaking (2024), section 2.1
    codes = "PTS BH/C1 BH AOB WIN"
    assert main(["tiebreaks", SWISS5, "--codes", codes, "--edition", "2023"]) == 0
    rows = rows_of(capsys.readouterr().out)
    assert rows[0][0].endswith("(edition 2023)")
    assert rows[3] == ["2", "Bruno", "4.0", "12.0", "13.0", "13.60", "3"]


def test_one_table_for_each_tournament(capsys: pytest.CaptureFixture[str]):
    assert main(["standings", LONDON, SWISS5, "--order", "PTS", "--after-round", "3"]) == 0
    out = capsys.readouterr().out
    titles = [line for line in out.splitlines() if "edition" in line]
    assert [title.split(":")[0] for title in titles] == ["candidates_london_2013", "tec2023_swiss5"]
    assert all("after round 3" in title for title in titles)
    assert "\n\ntec2023_swiss5" in out


def test_each_tournament_shows_its_own_criteria(capsys: pytest.CaptureFixture[str]):
    assert main(["standings", LONDON, SWISS5]) == 0
    captured = capsys.readouterr()
    heads = [line.split() for line in captured.out.splitlines() if line.startswith("rank")]
    assert heads == [
        ["rank", "player", "name", "PTS", "DE", "WIN", "SB", "decided", "by"],
        ["rank", "player", "name", "PTS", "decided", "by"],
    ]
    (undeclared,) = [line for line in captured.err.splitlines() if "no-order-declared" in line]
    assert "tec2023_swiss5" in undeclared
    assert "candidates_london_2013" not in undeclared


def test_a_column_of_names_only_where_there_are_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    games = tmp_path / "club.csv"
    games.write_text("round,white,black,result\n1,Ada,Bo,1-0\n", encoding="utf-8")
    assert main(["standings", str(games), "--order", "PTS"]) == 0
    rows = rows_of(capsys.readouterr().out)
    assert rows[1:] == [
        ["rank", "player", "PTS", "decided by"],
        ["1", "Ada", "1"],
        ["2", "Bo", "0", "PTS"],
    ]


@pytest.mark.parametrize(
    ("values", "printed"),
    [
        ([8.5, 8.0, None], ["8.5", "8.0", "-"]),
        ([3.0, 0.0], ["3", "0"]),
        ([57.75, 1.5], ["57.75", "1.50"]),
        ([2.125, 2.135], ["2.13", "2.14"]),  # half up, of the decimal fraction that is meant
        ([40 / 3], ["13.33"]),
        ([1005 / 1000], ["1.01"]),
    ],
)
def test_numbers_are_rounded_half_up_to_what_the_column_needs(
    values: list[float | None], printed: list[str]
):
    assert cells(pl.Series(values, dtype=pl.Float64)) == printed


def test_counts_text_and_control_characters():
    assert cells(pl.Series([3, None], dtype=pl.Int64)) == ["3", "-"]
    assert cells(pl.Series(["a\x1b[31m\nb", None])) == ["a [31m b", ""]


def test_explain_prints_the_worked_exercise(capsys: pytest.CaptureFixture[str]):
    # FIDE Technical Commission, Exercises in Tie-Breaking (2024), section 2.1
    assert main(["explain", SWISS5, "2", "BH/C1", "--edition", "2023"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Buchholz (BH/C1) of player 2 (Bruno), tec2023_swiss5, edition 2023")
    assert out.rstrip().endswith("BH/C1 = 12")


def test_catalogue_and_editions(capsys: pytest.CaptureFixture[str]):
    assert main(["catalogue"]) == 0
    assert any(row[:2] == ["BH", "Buchholz"] for row in rows_of(capsys.readouterr().out))
    assert main(["editions", "--format", "json"]) == 0
    keys = [row["key"] for row in json.loads(capsys.readouterr().out)]
    assert keys == list(tb.EDITIONS)


def test_version_and_help(capsys: pytest.CaptureFixture[str]):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"tbframe {tb.__version__}\n"
    assert main([]) == 0
    bare = capsys.readouterr().out
    assert main(["--help"]) == 0
    assert capsys.readouterr().out == bare
    assert main(["standings", "--help"]) == 0
    assert 'tbframe standings 2024/ --order "PTS DE BH/C1 BH SB"' in capsys.readouterr().out


# forms


def test_csv_and_json_carry_full_values(capsys: pytest.CaptureFixture[str]):
    ask = ["tiebreaks", SWISS5, "--codes", "AOB", "--edition", "2012", "--format"]
    frame = tb.read(SWISS5).tiebreaks("AOB", edition="2012")
    assert any(value != round(value, 2) for value in frame["AOB"])
    assert main([*ask, "csv"]) == 0
    assert pl.read_csv(io.StringIO(capsys.readouterr().out)).equals(frame)
    assert main([*ask, "json"]) == 0
    assert json.loads(capsys.readouterr().out) == frame.to_dicts()


@pytest.mark.parametrize("form", ["csv", "json", "parquet", "txt"])
def test_out_writes_a_file_and_prints_nothing(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    target = tmp_path / f"standings.{form}"
    assert main(["standings", LONDON, "--out", str(target)]) == 0
    assert capsys.readouterr().out == ""
    expected = tb.read(LONDON).standings()
    if form == "parquet":
        assert pl.read_parquet(target).equals(expected)
    elif form == "csv":
        assert target.read_text(encoding="utf-8") == expected.write_csv()
    elif form == "json":
        assert json.loads(target.read_text(encoding="utf-8")) == expected.to_dicts()
    else:
        assert "Carlsen, Magnus" in target.read_text(encoding="utf-8")


def test_a_pipe_has_no_edge_unless_columns_gives_one(monkeypatch: pytest.MonkeyPatch):
    frame = pl.DataFrame({"player": ["x" * 300], "PTS": [1.5]})
    wide = io.StringIO()
    write_tables([("a title", frame)], wide)
    assert wide.getvalue().splitlines()[2] == "x" * 300 + "  1.5"
    monkeypatch.setenv("COLUMNS", "60")
    narrow = io.StringIO()
    write_tables([("a title", frame)], narrow)
    assert max(map(len, narrow.getvalue().splitlines())) <= 60
    assert narrow.getvalue().count("x") == 300, "folded, not cut"


def test_wide_characters_keep_the_columns_straight():
    target = io.StringIO()
    write_tables([("", pl.DataFrame({"name": ["王皓", "Ann"], "PTS": [1, 0]}))], target)
    assert target.getvalue().splitlines() == ["name  PTS", "王皓    1", "Ann     0"]


def test_a_pipe_gets_no_colour_codes():
    done = run("standings", LONDON, env={**os.environ, "TERM": "xterm-256color"})
    assert done.returncode == 0
    assert "Carlsen" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


def test_a_reader_who_has_seen_enough_is_no_error():
    with subprocess.Popen(
        [sys.executable, "-m", "tbframe", "standings", str(TRF), "--format", "csv"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
        assert process.wait() == 0
    assert "Error" not in errors
    assert "Traceback" not in errors


def test_many_tables_are_advised_against(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    games = tmp_path / "many.csv"
    lines = [f"t{number:03},A,B,1-0" for number in range(60)]
    games.write_text("\n".join(["tournament,white,black,result", *lines]), encoding="utf-8")
    assert main(["standings", str(games), "--order", "PTS"]) == 0
    captured = capsys.readouterr()
    assert captured.out.count("(edition") == 60
    assert "60 tables: --format csv" in captured.err


# findings, exit status


def test_a_quarantined_file_is_named_and_the_others_go_on(
    with_bad_file: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["standings", with_bad_file, "--format", "csv"]) == 1
    captured = capsys.readouterr()
    assert pl.read_csv(io.StringIO(captured.out))["tournament"].unique().to_list() == ["good"]
    assert "quarantined: 1" in captured.err
    assert "bad.trf" in captured.err
    for command in (["check"], ["convert", "--to", "csv", "--out", f"{with_bad_file}/out"]):
        assert main([command[0], with_bad_file, *command[1:]]) == 1


def test_nothing_but_quarantine(with_bad_file: str, capsys: pytest.CaptureFixture[str]):
    bad = f"{with_bad_file}/bad.trf"
    assert main(["standings", bad, "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out) == []
    assert main(["standings", bad]) == 1
    assert main(["explain", bad, "1", "BH"]) == 1
    assert capsys.readouterr().out == ""


def test_findings_are_summed_up_or_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = Path(SWISS5).read_text(encoding="utf-8")
    wrong = tmp_path / "wrong.trf"
    wrong.write_text(text.replace("3.5   ", "3.0   ", 2), encoding="utf-8")
    found = tb.read(wrong).findings
    assert found.height >= 2, "two players declare points that their results do not bring"
    assert main(["standings", str(wrong)]) == 0
    summary = capsys.readouterr().err
    assert f"2 x warning points-declared: {found['message'][0]} (first: {wrong}:" in summary
    assert f":{found['line'][0]}, tournament wrong, player {found['player'][0]})" in summary
    assert main(["standings", str(wrong), "--findings"]) == 0
    listed = capsys.readouterr().err
    for finding in found.iter_rows(named=True):
        assert finding["message"] in listed
    assert main(["check", str(wrong), "--format", "csv"]) == 0
    checked = pl.read_csv(io.StringIO(capsys.readouterr().out), infer_schema=False)
    assert set(found["message"]) <= set(checked["message"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["standings", SWISS5, "--order", "PTS BHC1"], "did you mean BH/C1?"),
        (["standings", SWISS5, "--order", " "], "the order is empty"),
        (["tiebreaks", SWISS5, "--codes", "PTS/C1"], "and no /C"),
        (["standings", SWISS5, "--edition", "2013"], "unknown edition '2013'"),
        (["standings", SWISS5, "--order", "FB", "--edition", "2012"], "came with 2022d"),
        (["standings", str(TRF / "nobody.trf")], "nobody.trf"),
        (["standings"], "Missing argument 'PATH'"),
        (["standings", SWISS5, "--ordre", "PTS"], "--ordre"),
        (["standings", SWISS5, "--after-round", "0"], "'0' is no round: give a whole number"),
        (["standings", SWISS5, "--after-round", "two"], "'two' is no round: give a whole number"),
        (["standings", SWISS5, "--format", "xml"], "'--format': 'xml' is none of table, csv"),
        (["convert", SWISS5, "--to", "xml", "--out", "x"], "'xml' is none of trf16, trf26"),
        (["standings", SWISS5, "--out", "a.xlsx"], "none of the endings .csv .json .parquet .txt"),
        (["standings", SWISS5, "--format", "parquet"], "--out FILE"),
        (["standings", SWISS5, "--out", "nowhere/at/all.csv"], "there is no folder"),
        (["standings", SWISS5, "--out", str(TRF)], "is a folder"),
        (["tiebreaks", SWISS5], "--codes"),
        (["explain", SWISS5, "99", "BH"], "no player '99'"),
        (["explain", SWISS5, "1", "BHX"], "BHX"),
        (["explain", SWISS5, "1", "BH SB"], "one criterion at a time"),
        (["explain", str(TRF), "1", "BH"], "choose one with --tournament"),
        (["explain", str(TRF), "1", "BH", "--tournament", "x"], "no tournament 'x'"),
        (["convert", SWISS5, "--to", "trf16"], "--out"),
        (["ranking", SWISS5], "No such command 'ranking'"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert line.startswith("tbframe: ")
    assert said in line


def test_columns_of_tables_may_be_called_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "games.csv"
    path.write_text("rd,first,second,res\n1,Ann,Bob,1-0\n", encoding="utf-8")
    pairs = ["round=rd", "white=first", "black = second", "result=res"]
    arguments = [word for pair in pairs for word in ("--map", pair)]
    for command in (["standings"], ["tiebreaks", "--codes", "PTS"]):
        assert main([*command, str(path), *arguments, "--format", "csv"]) == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        assert {row["player"]: row["PTS"] for row in rows} == {"Ann": "1.0", "Bob": "0.0"}
    out = str(tmp_path / "out")
    for command in (
        ["explain", str(path), "Ann", "BH"], ["check", str(path)], ["audit", str(path)],
        ["completeness", str(path)], ["convert", str(path), "--to", "csv", "--out", out],
    ):  # fmt: skip
        assert main([*command, *arguments]) == 0, command
        capsys.readouterr()
    assert main(["standings", str(path), *arguments[:-1], "result=score"]) == 1
    assert "there is no column 'score'; there are rd, first, second, res" in capsys.readouterr().err


def test_a_code_is_refused_before_the_files_are_read(capsys: pytest.CaptureFixture[str]):
    assert main(["standings", "no/such/folder", "--order", "BHC1"]) == 2
    assert "BHC1" in capsys.readouterr().err


def test_a_list_that_may_be_long():
    assert some(["a", "b"]) == "a, b"
    assert some(list(range(1_500)), limit=3) == "0, 1, 2 and 1,497 more"


# conversion


@pytest.mark.parametrize("form", ["trf16", "trf26", "parquet", "csv"])
def test_what_is_converted_reads_back(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out = str(tmp_path / form)
    assert main(["convert", str(TRF), "--to", form, "--out", out]) == 0
    assert f"wrote 7 tournaments to {out}\n" in capsys.readouterr().err
    assert tb.read(out).standings("PTS BH").equals(tb.read(TRF).standings("PTS BH"))
    assert main(["convert", LONDON, "--to", form, "--out", out]) == 2, "nothing is overwritten"
    (refused,) = capsys.readouterr().err.splitlines()
    assert "give --overwrite to replace it" in refused
    assert main(["convert", LONDON, "--to", form, "--out", out, "--overwrite"]) == 0
    assert f"wrote 1 tournament to {out}\n" in capsys.readouterr().err


# haste and patience


def test_help_loads_nothing_heavy_and_comes_at_once():
    done = run("--help", env={**os.environ, "PYTHONPROFILEIMPORTTIME": "1"})
    assert "typer" in done.stderr, "the list of imports"
    for heavy in ("polars", "numpy", "pyarrow", "dataframely", "rich"):
        assert f" {heavy}\n" not in done.stderr
    # as a ratio to what Typer alone takes, because machines are busy and differ
    alone = [sys.executable, "-c", "import typer"]
    ours, theirs = [], []
    for _ in range(5):
        ours.append(processor_time(lambda: run("standings", "--help")))
        theirs.append(processor_time(lambda: subprocess.run(alone, check=True)))
    assert min(ours) < 4 * min(theirs)


def processor_time(start: Callable[[], object]) -> float:
    """Return the seconds that a child process needs of a processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_moves_on_a_terminal_once_patience_ends(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress_module, "_PATIENCE", 0.01)
    monkeypatch.setattr(sys, "stderr", terminal := _Terminal())
    with progress_module.progress("reading"):
        time.sleep(0.3)
    assert "reading" in terminal.getvalue()
    monkeypatch.setattr(progress_module, "_PATIENCE", 60)
    monkeypatch.setattr(sys, "stderr", terminal := _Terminal())
    with progress_module.progress("reading"):
        pass
    assert terminal.getvalue() == ""
    monkeypatch.setattr(progress_module, "_PATIENCE", 0.01)
    monkeypatch.setattr(sys, "stderr", pipe := io.StringIO())
    with progress_module.progress("reading"):
        time.sleep(0.1)
    assert pipe.getvalue() == ""


# what is found, in words


@pytest.fixture
def contradiction(tmp_path: Path) -> str:
    """Return a table in which both players of a game won it."""
    rows = ["tournament,round,player,opponent,color,result", "cup,1,a,b,w,1", "cup,1,b,a,b,1"]
    path = tmp_path / "cup.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    "command",
    [["standings", "--order", "PTS"], ["tiebreaks", "--codes", "BH"], ["explain", "a", "BH"]],
)
def test_contradictions_are_never_silent(
    command: list[str], contradiction: str, capsys: pytest.CaptureFixture[str]
):
    name, *rest = command
    assert main([name, contradiction, *rest, "--edition", "2012"]) == 0
    said = capsys.readouterr().err
    assert "1 x error results-disagree: 1 against b, who has 1" in said
    assert "tbframe check looks for more" in said
    assert "color-missing" not in said, "only errors of the check are told here"


def test_check_ends_with_1_for_an_error(contradiction: str, capsys: pytest.CaptureFixture[str]):
    assert main(["check", contradiction, "--format", "json"]) == 1
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert [row["code"] for row in found if row["severity"] == "error"] == ["results-disagree"]
    assert "--findings" not in captured.err, "check has no such option"


@pytest.mark.parametrize("form", ["csv", "json", "parquet", "txt"])
def test_check_lists_what_was_set_aside(form: str, with_bad_file: str, tmp_path: Path):
    target = tmp_path / f"found.{form}"
    assert main(["check", with_bad_file, "--out", str(target)]) == 1
    if form == "txt":
        assert rows_of(target.read_text(encoding="utf-8"))[1][1:] == [
            "-", "bad", "-", "quarantined", "no-players",
            "no 001 record: not a tournament report file",
        ]  # fmt: skip
        return
    readers = {"csv": pl.read_csv, "json": pl.read_json, "parquet": pl.read_parquet}
    row = readers[form](target).row(0, named=True)
    assert row["file"].endswith("bad.trf")
    assert (row["tournament"], row["severity"], row["code"]) == ("bad", "quarantined", "no-players")


def test_what_reader_and_check_both_found_is_one_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    text = Path(SWISS5).read_text(encoding="utf-8")
    wrong = tmp_path / "wrong.trf"
    wrong.write_text(text.replace("3.5   ", "3.0   ", 2), encoding="utf-8")
    archive = tb.read(wrong)
    both = pl.concat([archive.findings, archive.check()]).filter(code="points-declared")
    assert both["player"].n_unique() == 2
    assert both.height == 4
    assert both["severity"].unique().to_list() == ["warning"]
    assert main(["check", str(wrong), "--format", "json"]) == 0
    rows = [row for row in json.loads(capsys.readouterr().out) if row["code"] == "points-declared"]
    assert len(rows) == 2
    assert all(row["file"] == str(wrong) and row["line"] for row in rows)


def test_the_first_of_several_findings_is_named_as_such(capsys: pytest.CaptureFixture[str]):
    assert main(["standings", str(TRF)]) == 0
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "no-order-dec" in line]
    assert int(line.split()[0]) > 1
    assert line.endswith(")")
    assert " (first: tournament " in line


@pytest.mark.parametrize(
    ("count", "noun", "said"),
    [(1, "warning", "1 warning"), (6_000, "warning", "6,000 warnings"), (2, "info", "2 info")],
)
def test_numbers_and_what_they_count(count: int, noun: str, said: str):
    assert number_of(count, noun) == said


def test_findings_are_listed_by_every_command_that_says_so(
    contradiction: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    broken = Path(contradiction).with_name("odd.csv")
    broken.write_text("White,Black,Result\nA,B,1-0\n", encoding="utf-8")
    out = str(tmp_path / "o")
    for command in (
        ["explain", str(broken), "A", "BH"],
        ["convert", str(broken), "--to", "csv", "--out", out],
    ):
        assert main(command) == 0
        assert "--findings lists them" in capsys.readouterr().err
        again = [*command, "--findings", *(["--overwrite"] if command[0] == "convert" else [])]
        assert main(again) == 0
        listed = capsys.readouterr().err
        assert "info columns-renamed" in listed
        assert " x " not in listed


def test_no_warning_of_python_reaches_the_user(tmp_path: Path):
    table = tmp_path / "t.csv"
    table.write_text("tournament,white,black,result\na,x,x,1-0\nb,x,y,1-0\n", encoding="utf-8")
    done = run("standings", str(table), "--order", "PTS")
    assert done.returncode == 1
    assert "FindingWarning" not in done.stderr
    assert "quarantined meets-himself" in done.stderr


def test_the_report_file_of_the_readme(tmp_path: Path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^```text\n(012 .*?)^```", readme, re.DOTALL | re.MULTILINE)
    path = tmp_path / "club.trf"
    path.write_text(text, encoding="utf-8")
    archive = tb.read(path)
    assert archive.findings.is_empty()
    assert archive.check().is_empty()
    assert archive.players.select("name", "rating", "points", "rank").rows() == [
        ("Ada", 2010, 1.5, 1), ("Bo", 1875, 0.0, 3), ("Cy", None, 1.5, 2),
    ]  # fmt: skip
    assert archive.standings().columns[4:7] == ["PTS", "DE", "BH/C1"]
