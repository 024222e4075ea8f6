"""The documentation is complete and true: docstrings, README, CONTRIBUTING."""

from __future__ import annotations

import dataclasses
import doctest
import inspect
import re
import shutil
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import polars as pl
import pytest
import typer
from numpydoc.docscrape import get_doc_object
from numpydoc.validate import validate

import tbframe as tb
from tbframe.cli.commands import app
from tbframe.explain import Explanation
from tbframe.namespace import ResultsNamespace

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FAMILIES = (ROOT / "tbframe" / "tiebreaks" / "families" / "README.md").read_text(encoding="utf-8")
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS

#: What numpydoc's validation is asked to find. Left out are matters of taste (a "See Also" in each
#: docstring, capital letters behind a colon) and what ruff checks (blank lines).
CHECKS = {
    "GL01", "GL02", "GL03", "GL05", "GL06", "GL07", "GL08", "GL09", "GL10",
    "SS01", "SS03", "SS04", "SS05", "PR01", "PR02", "PR03", "PR05", "PR09",
    "RT01", "RT03", "RT05", "YD01",
}  # fmt: skip
#: numpydoc counts them as attributes; they have docstrings of their own.
PROPERTIES = (property, cached_property)


def public() -> Iterator[tuple[str, object]]:
    """Give what users call, with their names: functions, classes and the methods of classes."""
    for name in tb.__all__:
        value = getattr(tb, name)
        if inspect.isfunction(value) or inspect.isclass(value):
            yield name, value
    for class_ in (tb.Archive, tb.Batch, Explanation, ResultsNamespace):
        for name, value in vars(class_).items():
            if inspect.isfunction(value) and not name.startswith("_"):
                yield f"{class_.__name__}.{name}", value


PUBLIC = dict(public())


def fenced(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)


def table(frame: pl.DataFrame) -> list[str]:
    """Write a frame as rows of a Markdown table."""
    return [
        "|" + "".join(f" {cell} |" if cell else " |" for cell in row)
        for row in frame.select(pl.all().cast(pl.String).fill_null("")).iter_rows()
    ]


# docstrings


@pytest.mark.parametrize("name", PUBLIC)
def test_docstrings_are_complete(name: str):
    value = PUBLIC[name]
    docs = get_doc_object(value)
    checks = CHECKS
    if dataclasses.is_dataclass(value):  # its fields are parameters and attributes in one
        fields = {field.name for field in dataclasses.fields(value) if field.init}
        described = {
            word.strip()
            for class_ in value.__mro__  # type: ignore[attr-defined]
            if dataclasses.is_dataclass(class_)
            for each in get_doc_object(class_)["Attributes"]
            for word in each.name.split(",")
            if not isinstance(inspect.getattr_static(value, word, None), PROPERTIES)
        }
        assert described == fields
        checks = CHECKS - {"PR01"}
    elif "see `" in docs["Summary"][0]:  # a shorthand refers to what it is short for
        checks = CHECKS - {"PR01", "RT01"}
    assert not [error for error in validate(docs)["errors"] if error[0] in checks]


@pytest.mark.parametrize(
    "name",
    [name for name, value in PUBLIC.items() if inspect.isfunction(value) and "." not in name],
)
def test_functions_have_examples(name: str):
    assert doctest.DocTestFinder().find(PUBLIC[name], name)[0].examples


def test_constants_are_explained_in_the_readme():
    constants = set(tb.__all__) - set(PUBLIC)
    assert constants == {"EDITIONS", "__version__"}
    assert "tb.EDITIONS" in README


# README and CONTRIBUTING


@pytest.fixture
def beside_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the current folder one that has the data and may be written to."""
    shutil.copytree(ROOT / "data", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    yield
    for code in tb.catalogue().filter(family="own")["code"]:  # what the examples defined
        tb.forget(code)


@pytest.mark.usefixtures("beside_data")
def test_the_readme_runs():
    blocks = fenced(README, "python")
    assert len(blocks) >= 5
    # an empty line would end the expected output
    text = "\n".join(block.rstrip().replace("\n\n", "\n<BLANKLINE>\n") + "\n" for block in blocks)
    session = doctest.DocTestParser().get_doctest(text, {}, "README", "README.md", 0)
    assert len(session.examples) >= 10
    told: list[str] = []
    results = doctest.DocTestRunner(optionflags=OPTIONS).run(session, out=told.append)
    assert results.failed == 0, "".join(told)


def test_the_first_two_blocks_are_the_two_commands():
    commands = [block.strip() for block in fenced(README, "[a-z]*")[:2]]
    assert all("\n" not in command and "pip install" in command for command in commands)
    assert " standings data/" in commands[0]
    assert "pytest" in commands[1]
    assert commands == [block.strip() for block in fenced(CONTRIBUTING, "[a-z]*")[:2]]


def test_the_readme_lists_the_catalogue():
    rows = (
        tb.catalogue()
        .filter(family="fide")
        .select(pl.format("`{}`", "code"), "name", "source", "modifiers", "since", "teams")
    )
    assert [line for line in README.splitlines() if "| C.07 art." in line] == table(rows)


def test_the_families_are_listed_with_their_sources():
    others = tb.catalogue().filter(~pl.col("family").is_in(["fide", "own"]))
    rows = others.select(pl.format("`{}`", "code"), "name", "source", "modifiers", "needs")
    presets = tb.presets().select(pl.format("`{}`", "name"), pl.format("`{}`", "order"), "source")
    listed = [line for line in FAMILIES.splitlines() if line.startswith("| `")]
    assert listed == [*table(rows), *table(presets)]


def test_the_readme_lists_the_editions():
    rows = tb.editions().select(pl.format("`{}`", "key"), "since", "name")
    lines = README.splitlines()
    start = lines.index("| edition | in force from | what it is |") + 2
    assert lines[start : start + rows.height + 1] == [*table(rows), ""]


def test_the_readme_shows_every_command_with_its_options():
    group = typer.main.get_command(app)
    (block,) = [text for text in fenced(README, "text") if "tbframe standings" in text]
    usage = {line.split()[1]: line for line in block.splitlines()}
    assert set(usage) == set(group.commands)
    for name, command in group.commands.items():
        for option in [option for parameter in command.params for option in parameter.opts]:
            if option.startswith("--") and option not in {"--format", "--out"}:
                assert option in usage[name]
    assert "--format table|csv|json|parquet" in README


def test_the_changelog_has_this_version():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[({re.escape(tb.__version__)}|Unreleased)\]", changelog, re.MULTILINE)
