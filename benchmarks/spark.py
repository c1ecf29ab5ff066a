"""GREEN of many pairs: Spark on two workers of one core against a local run with two threads.

    make bench-spark BENCH="--pairs 1000000 --runs 3"

Local: a new process that reads text files. Spark: ``corpus_scores`` of the same text in Parquet, in a running session;
the time to start the session (a JVM, two executors, their Pythons) is printed separately.
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

from harness import BIN, ROOT, Options, corpus_files, resampled, run_checked, seconds

#: Largest ratio of the time to that of the local run.
BUDGET = 2.5
NAMES = ["source", "system", "ref0", "ref1"]
MASTER = "local-cluster[2,1,2048]"


def session() -> Any:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(MASTER).config("spark.ui.enabled", "false")
    spark = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def processor_seconds() -> float:
    """Return the processor seconds of this process, its JVMs and their Pythons, finished children included."""
    ticks, pids = 0, {os.getpid()}
    processes = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        processes[int(path.parent.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    for _ in range(8):
        pids |= {pid for pid, (parent, _) in processes.items() if parent in pids}
    ticks = sum(used for pid, (_, used) in processes.items() if pid in pids)
    return ticks / os.sysconf("SC_CLK_TCK")


def children_seconds() -> float:
    """Return the processor seconds of all finished children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Print both times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--metric", default="green")
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("GECEVAL_SHARED", ROOT.parent / "shared")))
    options = parser.parse_args()
    from geceval.integrations.spark import corpus_scores

    bench_options = Options(options.shared, Path("absent"), None, options.runs, False, False)
    files = resampled(corpus_files(bench_options), options.pairs, distinct=True)
    paths = [files.source, *files.systems, *files.references]
    command = [str(BIN / "geceval"), "score", "-s", files.source, "-c", *files.systems, "-r", *files.references]
    command += ["-m", options.metric, "-j", "2", "--no-checks"]
    with tempfile.TemporaryDirectory() as folder:
        texts = [Path(path).read_text(encoding="utf-8").split("\n")[:-1] for path in paths]
        table = pyarrow.table(dict(zip(NAMES, texts, strict=True)))
        pyarrow.parquet.write_table(table, f"{folder}/pairs.parquet", row_group_size=max(1, options.pairs // 16))
        del texts, table
        start = time.perf_counter()
        spark = session()
        start_seconds = time.perf_counter() - start
        df = spark.read.parquet(folder)

        def scored() -> Any:
            return corpus_scores(
                df, source="source", hypothesis="system", references=["ref0", "ref1"], metrics=options.metric
            )

        first_seconds = seconds(scored)
        local_seconds, spark_seconds, local_cpu, spark_cpu = [], [], [], []
        for _ in range(options.runs):
            before = children_seconds()
            local_seconds.append(run_checked(command, bench_options).seconds)
            local_cpu.append(children_seconds() - before)
            before = processor_seconds()
            spark_seconds.append(seconds(scored))
            spark_cpu.append(processor_seconds() - before)
        spark.stop()
    local_median, spark_median = statistics.median(local_seconds), statistics.median(spark_seconds)
    print(f"{options.metric}, {options.pairs:,} pairs, medians of {options.runs} runs in turn")
    local_runs, spark_runs = (", ".join(f"{run:.1f}" for run in runs) for runs in (local_seconds, spark_seconds))
    print(f"local, two threads, process and reading included: {local_median:.1f} s ({local_runs})")
    print(f"    processor seconds: {statistics.median(local_cpu):.1f}")
    print(f"Spark, {MASTER}, session up: {spark_median:.1f} s ({spark_runs})")
    print(f"    processor seconds of all its processes: {statistics.median(spark_cpu):.1f}")
    print(f"    the session took {start_seconds:.1f} s to come up, the first call {first_seconds:.1f} s")
    ratio = spark_median / local_median
    print(f"Spark takes {ratio:.2f} times as long (budget: {BUDGET}{'' if ratio <= BUDGET else ': MISSED'})")
    sys.exit(ratio > 1.25 * BUDGET)


if __name__ == "__main__":
    main()
