"""Data frames of Spark: what executors count and merge is what a local run counts, to the last bit."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyspark.cloudpickle import register_pickle_by_value
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import expr

import geceval
from geceval.counting.metric_names import metrics_of
from geceval.integrations.spark import clear_errors, corpus_scores, sentence_scores
from support.examples import CAREFUL, EXAMPLES, NOISY, REFERENCES, SOURCE
from support.spark_rows import COLUMNS, CORPUS, LONG, ROWS, SCHEMA, Frame

register_pickle_by_value(sys.modules[__name__])  # executors do not know of tests

#: One of each policy that can be merged, of whole and of real counts, with corpus constants and without.
METRICS = [
    "green",
    "green:unit=char,n=2",
    "gleu:selection=best",
    "gleu:selection=mean",
    "errant:selection=optimum",
    "errant:selection=optimum,beta=0.3",
    "cleme:selection=optimum",
    "cleme:selection=optimum,assumption=independent",
]


def told(scores: dict[str, Any]) -> str:
    """Every digit."""
    return json.dumps([(name, score.to_dict(), repr(score)) for name, score in scores.items()])


def local(corpus: geceval.Corpus, metrics: list[str], level: str = "corpus") -> str:
    results = geceval.evaluate(corpus, metrics_of(metrics), checks=False)["hypothesis"]
    return told({name: result.score(level) for name, result in zip(results.names, results, strict=True)})


def of(system: list[str], *, rows: slice = slice(None)) -> geceval.Corpus:
    return geceval.Corpus(SOURCE[rows], [row[rows] for row in REFERENCES], {"hypothesis": system[rows]})


# --- the same numbers ---


@pytest.mark.parametrize("partitions", [1, 3, 70])
def test_corpus_scores_are_those_of_a_local_run(frame: Frame, partitions: int) -> None:
    """More partitions than are merged at a time, and than there are rows: most are empty then."""
    scores = corpus_scores(frame(ROWS, SCHEMA, partitions), **COLUMNS, metrics=METRICS)
    assert told(scores) == local(CORPUS, METRICS)


def test_means_are_those_of_a_local_run_whatever_the_policy(frame: Frame) -> None:
    metrics = [*METRICS, "errant", "gleu", "cleme", "cleme2"]
    scores = corpus_scores(frame(ROWS, SCHEMA), **COLUMNS, metrics=metrics, level="mean")
    assert told(scores) == local(CORPUS, metrics, "mean")


def test_sentence_scores_stand_beside_the_columns(frame: Frame) -> None:
    metrics = ["green", "errant", "gleu", "cleme", "cleme2"]
    scored = sentence_scores(frame(ROWS, SCHEMA), **COLUMNS, metrics=metrics)
    rows = scored.orderBy("id").collect()
    results = geceval.evaluate(CORPUS, metrics_of(metrics), checks=False)["hypothesis"]
    assert scored.columns == ["id", "source", "system", "ref0", "ref1", *metrics]
    assert [tuple(row)[:5] for row in rows] == ROWS
    for name, result in zip(results.names, results, strict=True):
        assert [row[name] for row in rows] == result.sentence_scores().tolist()


def test_other_columns_keep_their_types(spark: SparkSession) -> None:
    types = [
        "cast(id as byte) a", "cast(id as decimal(20, 3)) b", "date'2026-11-22' c", "cast(id as float) d",
        "timestamp'2026-11-22 01:02:03' e", "timestamp_ntz'2026-11-22 01:02:03' f", "interval '1' day g",
        "array(id, null) h", "map('k', id) i", "struct(id as x, array('y') as z) j", "cast('b' as binary) k",
        "cast(null as string) l", "id > 1 m",
    ]  # fmt: skip
    df = spark.range(5).selectExpr("id", "'He go home .' as source", "'He goes home .' as `the system`", *types)
    scored = sentence_scores(df, source="source", hypothesis="the system", references=["the system"])
    assert scored.schema.fields[:-1] == df.schema.fields
    assert scored.drop("green").collect() == df.collect()
    assert {row.green for row in scored.collect()} == {1.0}


def test_references_in_lists_and_missing_ones(frame: Frame) -> None:
    cells = [[first, second] if s % 3 else [first] for s, (first, second) in enumerate(zip(*REFERENCES, strict=True))]
    cells[1] = [None, cells[1][1]]  # type: ignore[list-item]
    in_lists = frame(list(zip(SOURCE, CAREFUL, cells, strict=True)), "s string, h string, r array<string>")
    apart = frame(
        [(s, h, r[0], r[1] if len(r) > 1 else None) for s, h, r in zip(SOURCE, CAREFUL, cells, strict=True)],
        "s string, h string, a string, b string",
    )
    rows = [[r[0] for r in cells], [r[1] if len(r) > 1 else None for r in cells]]
    expected = local(geceval.Corpus(SOURCE, rows, {"hypothesis": CAREFUL}), METRICS)
    assert "refs:1-2" in expected
    assert told(corpus_scores(in_lists, source="s", hypothesis="h", references="r", metrics=METRICS)) == expected
    assert told(corpus_scores(apart, source="s", hypothesis="h", references=["a", "b"], metrics=METRICS)) == expected
    rows = [(s, h, r[:1], r[1] if len(r) > 1 else None) for s, h, r in zip(SOURCE, CAREFUL, cells, strict=True)]
    mixed = frame(rows, "s string, h string, a array<string>, b string")
    assert told(corpus_scores(mixed, source="s", hypothesis="h", references=["a", "b"], metrics=METRICS)) == expected


def test_texts_of_gold_edits_are_those_of_the_annotators_of_all_rows(frame: Frame) -> None:
    """Only some partitions have the second annotator, whose text is the first one's elsewhere."""
    edit = geceval.m2.Edit
    blocks = [
        geceval.m2.Block(
            f"he go {s}", (edit(1, 2, "R", ("goes",)), *([edit(1, 2, "R", ("went",), annotator=1)] * (s > 6)))
        )
        for s in range(8)
    ]
    rows = [(block.source, block.source.replace("go", "went"), str(block)) for block in blocks]
    metrics = ["green", "gleu:selection=mean", "errant:selection=optimum"]
    scores = corpus_scores(
        frame(rows, "s string, h string, m2 string", 4), source="s", hypothesis="h", gold="m2", metrics=metrics
    )
    corpus = geceval.Corpus([row[0] for row in rows], (), {"hypothesis": [row[1] for row in rows]}, blocks)
    assert told(scores) == local(corpus, metrics)


def test_gold_edits_in_a_column(frame: Frame) -> None:
    gold = list(geceval.m2.read(EXAMPLES / "gold.m2"))
    rows = [(source, system, str(block)) for source, system, block in zip(SOURCE, CAREFUL, gold, strict=True)]
    metrics = ["maxmatch:selection=optimum", "errant:selection=optimum", "cleme:selection=optimum", "goto:weights=none"]
    df = frame(rows, "s string, h string, m2 string")
    scores = corpus_scores(df, source="s", hypothesis="h", gold="m2", metrics=metrics)
    assert told(scores) == local(geceval.Corpus(SOURCE, (), {"hypothesis": CAREFUL}, gold), metrics)
    for cell, message in [
        ("S a\nA 0 1|||x", "expected 6 fields"),
        ("S a\n\nS b", "one M2 block is required, not 2"),
        ("", "one M2 block is required, not 0"),
    ]:
        df = frame([*rows[:3], ("a", "a", cell)], "s string, h string, m2 string", 1)
        with pytest.raises(geceval.GecevalError, match=message) as caught:
            corpus_scores(df, source="s", hypothesis="h", gold="m2", metrics=metrics)
        assert str(caught.value).startswith("gold, sentence 3 (counted from 0)")


def test_groups_have_constants_of_their_own(frame: Frame) -> None:
    """Rows of two systems, one after the other and mixed: CLEME's mean chunk length is each one's."""
    schema = f"{SCHEMA}, name string"
    expected = {"careful": local(of(CAREFUL), METRICS), "noisy": local(of(NOISY), METRICS)}
    mixed = sorted(LONG, key=lambda row: row[0])
    for rows in (LONG, mixed):
        by_group = corpus_scores(frame(rows, schema), **COLUMNS, metrics=METRICS, by="name")
        assert {name: told(scores) for name, scores in by_group.items()} == expected
    scored = sentence_scores(frame(mixed, schema), **COLUMNS, metrics=["cleme", "green"], by=["name"])
    rows_of = scored.where("name = 'noisy'").orderBy("id").collect()
    expected_rows = geceval.Cleme().sentence_scores(SOURCE, NOISY, REFERENCES)
    assert [row.cleme for row in rows_of] == expected_rows.tolist()


def test_groups_by_several_columns(frame: Frame) -> None:
    rows = [(*row, None if row[0] < 10 else row[0] % 2 == 0) for row in LONG]
    scores = corpus_scores(frame(rows, f"{SCHEMA}, name string, even boolean"), **COLUMNS, by=["name", "even"])
    assert list(scores) == [(name, even) for name in ("careful", "noisy") for even in (None, False, True)]
    assert told(scores["noisy", None]) == local(of(NOISY, rows=slice(10)), ["green"])


def gold_rows(*types: str) -> list[tuple[str, str, str]]:
    """Return a row with an edit of each type."""
    return [("a b", "a c", f"S a b\nA 1 2|||{name}|||c|||REQUIRED|||-NONE-|||0") for name in types]


def test_warnings_come_from_executors(frame: Frame) -> None:
    columns: dict[str, Any] = {"source": "s", "hypothesis": "h", "gold": "m2"}
    df = frame(gold_rows(*["UNK"] * 6), "s string, h string, m2 string")
    with pytest.warns(geceval.GecevalWarning, match="UNK") as caught:
        corpus_scores(df, **columns, metrics="errant:selection=optimum")
    assert len([warning for warning in caught if issubclass(warning.category, geceval.GecevalWarning)]) == 1


def test_excluded_type_is_refused_if_no_partition_has_it(frame: Frame) -> None:
    columns: dict[str, Any] = {"source": "s", "hypothesis": "h", "gold": "m2"}
    df = frame(gold_rows(*["R:OTHER"] * 4, "Wci"), "s string, h string, m2 string", 5)
    scores = corpus_scores(df, **columns, metrics="errant:selection=optimum,exclude=Wci")
    assert scores["errant"].totals["fn"] == 0
    with pytest.raises(geceval.GecevalError, match="exclude names 'NOUNS', which is not a type") as refused:
        corpus_scores(df, **columns, metrics="errant:selection=optimum,exclude=NOUNS")
    assert refused.value.hint == "did you mean NOUN?"
    with pytest.raises(geceval.GecevalError, match="exclude names 'NOUNS', which is not a type"):
        sentence_scores(df, **columns, metrics=["cleme", "errant:exclude=NOUNS"])


# --- many rows, and what befalls them ---

PAIRS = 1_000_000


@pytest.fixture(scope="module")
def many(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> tuple[DataFrame, geceval.Corpus]:
    """A million pairs that Spark generates out of the examples, with a number in each; and the same as a corpus."""
    table = spark.createDataFrame(ROWS, SCHEMA).withColumnRenamed("id", "k")
    numbered = spark.range(0, PAIRS, 1, 8).selectExpr("id", f"id % {len(ROWS)} as k").join(table.hint("broadcast"), "k")
    texts = [f"concat({name}, ' ', id) as {name}" for name in ("source", "system", "ref0", "ref1")]
    path = str(tmp_path_factory.mktemp("many") / "pairs")
    numbered.selectExpr("id", *texts).write.parquet(path)
    lines = [
        list(map(lambda s, column=column: f"{ROWS[s % len(ROWS)][column]} {s}", range(PAIRS)))
        for column in (1, 2, 3, 4)
    ]
    corpus = geceval.Corpus(lines[0], lines[2:], {"hypothesis": lines[1]})
    return spark.read.parquet(path), corpus


def kill_once(rows: Iterator[Any], marker: str, victim: str) -> Iterator[Any]:
    """The rows; in the middle of the first partition that gets there, once, what runs it is killed."""
    for at, batch in enumerate(rows):
        if at == 2:
            try:
                os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                daemon = os.getppid()
                jvm = int(Path(f"/proc/{daemon}/stat").read_text().rpartition(")")[2].split()[1])
                assert b"java" in Path(f"/proc/{jvm}/cmdline").read_bytes()
                os.kill(jvm if victim == "executor" else os.getpid(), signal.SIGKILL)
        yield batch


def test_a_million_pairs_and_workers_that_die(many: tuple[DataFrame, geceval.Corpus], tmp_path: Path) -> None:
    df, corpus = many
    expected = local(corpus, ["green"])
    assert df.count() == PAIRS
    assert told(corpus_scores(df, **COLUMNS)) == expected
    for victim in ("executor", "python"):
        marker = str(tmp_path / victim)
        dying = df.mapInArrow(lambda rows, marker=marker, victim=victim: kill_once(rows, marker, victim), df.schema)
        assert told(corpus_scores(dying, **COLUMNS)) == expected
        assert Path(marker).exists()


def test_a_skewed_partition_and_empty_ones(many: tuple[DataFrame, geceval.Corpus]) -> None:
    """Nearly all rows are in one of 13 partitions."""
    df, corpus = many
    size = 100_000
    some = df.where(f"id < {size}").selectExpr("*", "if(id < 99990, 0, id) as part").repartition(13, "part")
    assert told(corpus_scores(some, **COLUMNS)) == local(corpus.part(0, size), ["green"])


# --- what is refused ---


def test_a_data_frame_without_rows(frame: Frame) -> None:
    empty = frame([], SCHEMA)
    with pytest.raises(geceval.GecevalError, match=r"^the data frame has no rows$"):
        corpus_scores(empty, **COLUMNS)
    assert sentence_scores(empty, **COLUMNS).collect() == []


@pytest.mark.parametrize(
    ("metric", "message", "hint"),
    [
        (
            "errant",
            "chooses references by the preceding sentences (policy running)",
            "use selection=optimum, or level=",
        ),
        ("gleu", "(policy sampled)", "use selection=mean, or level="),
        ("maxmatch", "(policy running)", "use selection=optimum, or level="),
        ("cleme2", "(policy running)", 'use level="mean"'),
        ("goto", "scores all systems of a run together", "geceval.evaluate"),
        ("llm:model=x", "scores all systems", "geceval.evaluate"),
        ("dsgram:model=x", "uses a language model", "geceval.evaluate"),
    ],
)
def test_what_cannot_be_merged_is_refused(frame: Frame, metric: str, message: str, hint: str) -> None:
    with pytest.raises(geceval.GecevalError) as refused:
        corpus_scores(frame(ROWS, SCHEMA), **COLUMNS, metrics=metric)
    assert message in refused.value.message
    assert hint in str(refused.value.hint)


def test_columns_that_do_not_fit(frame: Frame) -> None:
    df = frame(ROWS, SCHEMA)
    for wrong, message in [
        ({"source": "sorce"}, "the data frame has no column 'sorce': choose from id, source, system, ref0, ref1"),
        ({"source": "id"}, r"source, sentence 0 \(counted from 0\): expected a string, not int"),
        ({"references": "id"}, "must be a list of references, not 1"),
        ({"references": ["id", "ref0"]}, r"reference 0, sentence 0 \(counted from 0\): expected a string, not int"),
        ({"references": ()}, "need references"),
        ({"metrics": "maxmatch:selection=optimum"}, "MaxMatch needs gold edits"),
        ({"metrics": "gren"}, "unknown metric 'gren'"),
        ({"by": "source", "level": "sentence"}, "level"),
        ({"threads": -1}, "threads"),
    ]:
        with pytest.raises(geceval.GecevalError, match=message):
            corpus_scores(df, **{**COLUMNS, **wrong})
    with pytest.raises(geceval.GecevalError, match="df must be a Spark DataFrame, not"):
        corpus_scores({"source": []}, **COLUMNS)
    with pytest.raises(geceval.GecevalError, match="the data frame already has a column 'green'"):
        sentence_scores(df.withColumnRenamed("id", "Green"), **COLUMNS)


def test_bad_cells_are_named(frame: Frame) -> None:
    """The row, whether the executor or the driver finds it; nobody sees a traceback of Spark's."""
    df = frame([(*row, "careful") for row in ROWS], f"{SCHEMA}, name string", 1)
    for cell, column, message in [
        ("null", "system", "system hypothesis, sentence 7 (counted from 0): expected a string, not NoneType"),
        ("null", "source", "source, sentence 7 (counted from 0): expected a string, not NoneType"),
        ("cast(x'c328' as string)", "system", "column 'system', sentence 7 (counted from 0): the bytes are not UTF-8"),
    ]:
        bad = df.withColumn(column, expr(f"if(id = 7, {cell}, {column})"))
        with pytest.raises(geceval.GecevalError) as caught:
            corpus_scores(bad, **COLUMNS)
        assert caught.value.message == f"{message} (counted from row 0 of partition 0 on)"
        assert "Traceback" not in str(caught.value)
        with pytest.raises(geceval.GecevalError, match=re.escape(message)), clear_errors():
            sentence_scores(bad, **COLUMNS).collect()
    none = df.selectExpr("id", "source", "system", "if(id = 7, null, ref0) ref0", "if(id = 7, null, ref1) ref1")
    with pytest.raises(
        geceval.GecevalError, match=r"sentence 7 \(counted from 0\) has no reference \(counted from row 0"
    ):
        corpus_scores(none, **COLUMNS)
    long = " ".join(map(str, range(7_000)))
    odd = df.selectExpr(
        "id", f"if(id = 7, '{long}', source) source", "system", "ref0", f"if(id = 7, '{long[::-1]}', ref1) ref1", "name"
    )
    for by in ("", "name"):
        position = r"\(counted in each group from" if by else r"\(counted from"
        with pytest.raises(geceval.GecevalError, match=f"too long .*{position} row 0 of partition 0"):
            corpus_scores(odd, **COLUMNS, metrics="errant:selection=optimum", by=by or ())


def test_errors_of_others_stay_theirs(frame: Frame) -> None:
    df = frame(ROWS, SCHEMA).selectExpr("id", "source", "cast(raise_error('own') as string) as system", "ref0", "ref1")
    with pytest.raises(Exception, match="own") as caught:
        corpus_scores(df, **COLUMNS)
    assert not isinstance(caught.value, geceval.GecevalError)
    with pytest.raises(KeyError), clear_errors():
        raise KeyError("geceval.base.errors.InputError: not Spark's")


def test_streams_are_refused_where_they_have_no_end(spark: SparkSession, frame: Frame, tmp_path: Path) -> None:
    frame(ROWS, SCHEMA, 1).write.parquet(str(tmp_path / "rows"))
    stream = spark.readStream.schema(SCHEMA).parquet(str(tmp_path / "rows"))
    with pytest.raises(geceval.GecevalError, match="a stream has no end"):
        corpus_scores(stream, **COLUMNS)
    query = (
        sentence_scores(stream, **COLUMNS).writeStream.format("memory").queryName("scored").trigger(availableNow=True)
    ).start()
    query.awaitTermination(120)
    scores = [row.green for row in spark.table("scored").orderBy("id").collect()]
    np.testing.assert_array_equal(scores, geceval.Green().sentence_scores(SOURCE, CAREFUL, REFERENCES))


# --- Spark Connect ---

CONNECT = """
import json, sys
import geceval
from pyspark.sql import SparkSession
from geceval.integrations.spark import corpus_scores, sentence_scores
from support.spark_rows import COLUMNS, ROWS, SCHEMA
metrics = sys.argv[1:]
spark = SparkSession.builder.remote("local[2]").getOrCreate()
df = spark.createDataFrame(ROWS, SCHEMA).repartition(3)
scores = {name: score.to_dict() for name, score in corpus_scores(df, **COLUMNS, metrics=metrics).items()}
rows = sentence_scores(df, **COLUMNS, metrics=["cleme"]).orderBy("id").collect()
try:
    corpus_scores(df.limit(0), **COLUMNS)
except geceval.GecevalError as error:
    print(json.dumps([scores, [row.cleme for row in rows], str(error)]))
"""


def test_spark_connect_gives_the_same_numbers() -> None:
    """In another process, since a process has sessions of one kind."""
    pytest.importorskip("grpc")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SPARK_REMOTE")}
    environment |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    environment["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[2]), environment.get("PYTHONPATH", "")])
    completed = subprocess.run(
        [sys.executable, "-c", CONNECT, *METRICS], capture_output=True, text=True, env=environment, check=False
    )
    assert completed.returncode == 0, completed.stderr[-3000:]
    scores, cleme, message = json.loads(completed.stdout.splitlines()[-1])
    results = geceval.evaluate(CORPUS, metrics_of(METRICS), checks=False)["hypothesis"]
    assert scores == {name: json.loads(json.dumps(results[name].score().to_dict())) for name in results.names}
    [result] = geceval.evaluate(CORPUS, metrics_of(["cleme"]), checks=False)["hypothesis"]
    assert cleme == result.sentence_scores().tolist()
    assert message == "the data frame has no rows"
