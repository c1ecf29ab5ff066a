"""Spark on two workers of one core against a local run with two threads: GREEN of many pairs, from one Parquet file.

    make bench-spark BENCH="--pairs 1000000 --runs 3"

Local: a process of its own, which reads the same text from files. Spark: ``corpus_scores`` of the same text in
Parquet, in a session that is up; what it takes to get there (a JVM, two executors, their Pythons) stands beside.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

from harness import BIN, ROOT, Options, checked, corpus, resampled, seconds

#: At most so many times as long as the local run.
BUDGET = 2.5
NAMES = ["source", "system", "ref0", "ref1"]
MASTER = "local-cluster[2,1,2048]"


def session() -> Any:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark.sql import SparkSession

    found = SparkSession.builder.master(MASTER).config("spark.ui.enabled", "false")
    made = found.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    return made


def processor_seconds() -> float:
    """What this process, its JVMs and their Pythons have used so far, as far as they still run or were waited for."""
    ticks, ours = 0, {os.getpid()}
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        found[int(path.parent.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    for _ in range(8):
        ours |= {pid for pid, (parent, _) in found.items() if parent in ours}
    ticks = sum(used for pid, (_, used) in found.items() if pid in ours)
    return ticks / os.sysconf("SC_CLK_TCK")


def children_seconds() -> float:
    """The processor seconds of all processes that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Print both times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--metric", default="green")
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("GECEVAL_SHARED", ROOT.parent / "shared")))
    given = parser.parse_args()
    from geceval.integrations.spark import corpus_scores

    options = Options(given.shared, Path("absent"), None, given.runs, False, False)
    files = resampled(corpus(options), given.pairs, distinct=True)
    paths = [files.source, *files.systems, *files.references]
    command = [str(BIN / "geceval"), "score", "-s", files.source, "-c", *files.systems, "-r", *files.references]
    command += ["-m", given.metric, "-j", "2", "--no-checks"]
    with tempfile.TemporaryDirectory() as folder:
        texts = [Path(path).read_text(encoding="utf-8").split("\n")[:-1] for path in paths]
        table = pyarrow.table(dict(zip(NAMES, texts, strict=True)))
        pyarrow.parquet.write_table(table, f"{folder}/pairs.parquet", row_group_size=max(1, given.pairs // 16))
        del texts, table
        start = time.perf_counter()
        spark = session()
        up = time.perf_counter() - start
        df = spark.read.parquet(folder)

        def scored() -> Any:
            return corpus_scores(
                df, source="source", hypothesis="system", references=["ref0", "ref1"], metrics=given.metric
            )

        first = seconds(scored)
        local, ours, used_locally, used = [], [], [], []
        for _ in range(given.runs):
            before = children_seconds()
            local.append(checked(command, options).seconds)
            used_locally.append(children_seconds() - before)
            before = processor_seconds()
            ours.append(seconds(scored))
            used.append(processor_seconds() - before)
        spark.stop()
    one, other = statistics.median(local), statistics.median(ours)
    print(f"{given.metric}, {given.pairs:,} pairs, medians of {given.runs} runs in turn")
    print(f"local, two threads, process and reading included: {one:.1f} s ({', '.join(f'{s:.1f}' for s in local)})")
    print(f"    processor seconds: {statistics.median(used_locally):.1f}")
    print(f"Spark, {MASTER}, session up: {other:.1f} s ({', '.join(f'{s:.1f}' for s in ours)})")
    print(f"    processor seconds of all its processes: {statistics.median(used):.1f}")
    print(f"    the session took {up:.1f} s to come up, the first call {first:.1f} s")
    ratio = other / one
    print(f"Spark takes {ratio:.2f} times as long (budget: {BUDGET}{'' if ratio <= BUDGET else ': MISSED'})")
    sys.exit(ratio > 1.25 * BUDGET)


if __name__ == "__main__":
    main()
