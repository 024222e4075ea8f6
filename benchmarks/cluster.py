"""Recalculates a ledger on whatever Spark session there is, and compares with one machine.

The same script runs on all kinds of sessions:

    python -m benchmarks.cluster LEDGER                               local[2]
    spark-submit --master spark://HOST:7077 benchmarks/cluster.py LEDGER     standalone master
    SPARK_REMOTE=sc://HOST:15002 python -m benchmarks.cluster LEDGER         Spark Connect

The start of the session is not counted; a first run of one part warms it up.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from pyspark.sql import SparkSession

import tbframe as tb
from tbframe import cluster

ORDER = "PTS DE BH/C1 BH SB"


def session() -> SparkSession:
    """Take the session that the environment asks for; else one of two local processes."""
    builder = SparkSession.builder.appName("tbframe")
    asked_for = "SPARK_REMOTE" in os.environ or "PYSPARK_GATEWAY_PORT" in os.environ
    if asked_for:  # the second is set by spark-submit, which knows its master
        return builder.getOrCreate()
    return builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ledger", type=Path)
    parser.add_argument("--out", type=Path, help="where both datasets go; removed if not given")
    arguments = parser.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    start = time.perf_counter()
    spark = session()
    print(f"session {spark.version}: {time.perf_counter() - start:.1f} s")
    with tempfile.TemporaryDirectory() as folder:
        out = arguments.out or Path(folder)
        cluster.recalc(spark, arguments.ledger, out / "warm", "PTS", overwrite=True)
        start = time.perf_counter()
        cluster.recalc(spark, arguments.ledger, out / "cluster", ORDER, overwrite=True)
        there = time.perf_counter() - start
        start = time.perf_counter()
        tb.recalc(arguments.ledger, out / "one", ORDER)
        here = time.perf_counter() - start
        same = all(
            (out / "cluster" / path.relative_to(out / "one")).read_bytes() == path.read_bytes()
            for path in (out / "one").rglob("*")
            if path.is_file() and path.name != ".lock"
        )
        print(f"cluster {there:.2f} s, one machine {here:.2f} s: {there / here:.2f} times")
        print("every file is the same" if same else "FILES DIFFER")
    spark.stop()


if __name__ == "__main__":
    main()
