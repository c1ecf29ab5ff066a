"""Spark as a cluster of two workers on this machine, for all tests of a run; executors are processes of their own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from support.spark_rows import Frame


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.task.maxFailures", "2")  # one for the worker that is killed; errors are errors the first time
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture
def frame(spark: SparkSession) -> Frame:
    """Rows in this order, in so many partitions."""

    def made(rows: Sequence[tuple[Any, ...]], schema: str, partitions: int = 3) -> DataFrame:
        return spark.createDataFrame(spark.sparkContext.parallelize(rows, partitions), schema)

    return made
