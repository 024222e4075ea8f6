"""Recalculation on Spark gives the very files that one machine gives."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tbframe as tb
from benchmarks.synthetic import mixed_sizes

pytest.importorskip("pyspark", reason="the extra spark is not installed")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("there is no Java", allow_module_level=True)

from tbframe import cluster

ORDER = "PTS DE BH/C1 BH SB"


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession  # noqa: PLC0415  (not where it is skipped)

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    session = (
        SparkSession.builder.master("local[2]")
        .appName("tbframe tests")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    yield session
    session.stop()


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    archive = tb.from_results(mixed_sizes(30, seed=7, sizes=(8, 9, 17, 31)))
    return tb.write_ledger(archive, tmp_path_factory.mktemp("ledger") / "it", games_a_part=300)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


def test_a_cluster_writes_what_one_machine_writes(spark: Any, ledger: Path, tmp_path: Path) -> None:
    manifest = cluster.recalc(spark, ledger, tmp_path / "cluster", ORDER)
    one = tb.recalc(ledger, tmp_path / "one", ORDER)
    assert len(manifest["parts"]) > 5
    assert manifest == one.manifest
    assert contents(tmp_path / "cluster") == contents(tmp_path / "one")


def test_resuming_computes_what_is_missing(spark: Any, ledger: Path, tmp_path: Path) -> None:
    uri = (tmp_path / "out").as_uri()
    whole = cluster.recalc(spark, ledger.as_uri(), uri, ORDER)
    shutil.rmtree(tmp_path / "out" / "parts" / "00002")
    kept = tmp_path / "out" / "parts" / "00001" / "standings.parquet"
    before = kept.stat().st_mtime_ns
    with pytest.raises(tb.SourceError, match="holds a dataset"):
        cluster.recalc(spark, ledger.as_uri(), uri, ORDER)
    with pytest.raises(tb.SourceError, match="order was 'PTS DE BH/C1 BH SB', is 'PTS'"):
        cluster.recalc(spark, ledger.as_uri(), uri, "PTS", resume=True)
    assert cluster.recalc(spark, ledger.as_uri(), uri, ORDER, resume=True) == whole
    assert kept.stat().st_mtime_ns == before
    assert (tmp_path / "out" / "parts" / "00002" / "standings.parquet").is_file()


def test_parts_that_were_altered_are_computed_again(
    spark: Any, ledger: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    cluster.recalc(spark, ledger, out, ORDER)
    whole = contents(out)
    path = out / "parts" / "00001" / "standings.parquet"
    path.write_bytes(bytes(path.stat().st_size))
    (out / "parts" / "00002" / "part.json").write_text("{")
    shutil.copytree(out / "parts" / "00003", out / "parts" / "00099")
    cluster.recalc(spark, ledger, out, ORDER, resume=True)
    assert contents(out) == whole
    shutil.copytree(out / "parts" / "00003", out / "parts" / "00099")
    (out / "manifest.json").write_text("{")
    with pytest.raises(tb.SourceError, match=r"manifest.json: cannot be read"):
        cluster.recalc(spark, ledger, out, ORDER, resume=True)
    cluster.recalc(spark, ledger, out, ORDER, overwrite=True)
    assert contents(out) == whole


def test_a_ledger_is_not_written_into(spark: Any, ledger: Path, tmp_path: Path) -> None:
    before = contents(ledger)
    for out in (ledger, ledger / "out", ledger.parent):
        with pytest.raises(tb.SourceError, match="name a place apart from it"):
            cluster.recalc(spark, ledger, out, ORDER, overwrite=True)
    other = tb.write_ledger(tb.read(ledger), tmp_path / "other")
    with pytest.raises(tb.SourceError, match="holds a ledger"):
        cluster.recalc(spark, ledger, other, ORDER, overwrite=True)
    assert contents(ledger) == before


def test_a_part_that_fails_is_named(spark: Any, ledger: Path, tmp_path: Path) -> None:
    broken = tmp_path / "ledger"
    shutil.copytree(ledger, broken)
    (broken / "parts" / "00003" / "results.parquet").unlink()
    with pytest.raises(tb.SourceError, match=r"part 00003 failed: .*results.parquet is gone"):
        cluster.recalc(spark, broken, tmp_path / "out", ORDER)


def test_what_is_no_ledger(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(tb.SourceError, match="no complete ledger"):
        cluster.recalc(spark, tmp_path, tmp_path / "out", ORDER)
    with pytest.raises(tb.CodeError):
        cluster.recalc(spark, tmp_path, tmp_path / "out", "PTS NONSENSE")


def test_nothing_in_the_core_imports_spark() -> None:
    code = "import sys, tbframe, tbframe.archive, tbframe.recalculation, tbframe.cli; "
    code += "print('pyspark' in sys.modules, 'tbframe.cluster' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert found.stdout.split() == ["False", "False"]
