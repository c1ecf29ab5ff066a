"""lighteval: its task, its shuffle, its aggregation and bootstrap, with answers of ours."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from lighteval.logging.info_loggers import MetricsLogger
from lighteval.metrics import apply_metric
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.lighteval_task import LightevalTask, LightevalTaskConfig
from lighteval.tasks.requests import Doc

import geceval
from geceval.integrations import lighteval as adapter
from support.examples import CAREFUL, REFERENCES, ROWS, SOURCE


def document(row: dict[str, Any], task_name: str = "") -> Doc:
    golds = row["references"]
    return Doc(
        query=f"Correct: {row['source']}",
        choices=golds,
        gold_index=list(range(len(golds))),
        specific={"source": row["source"]},
        task_name=task_name,
    )


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    rows = [{"source": source, "references": row} for source, row in zip(SOURCE, ROWS, strict=True)]
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "test.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return str(tmp_path / "data")


def test_a_task(data: str) -> None:
    names = ["errant", "gleu", "green", "cleme"]
    task = LightevalTask(
        LightevalTaskConfig(
            name="gec",
            prompt_function=document,
            hf_repo=data,
            hf_subset="default",
            hf_avail_splits=["test"],
            evaluation_splits=["test"],
            metrics=[adapter.metric(name) for name in names],
            generation_size=64,
        )
    )
    LightevalTask.load_datasets({"gec": task})
    docs = task.get_docs()
    assert [doc.id for doc in docs] != sorted((doc.id for doc in docs), key=int)  # it shuffles
    responses = [ModelResponse(text=[f" {CAREFUL[int(doc.id)]}\n"]) for doc in docs]
    logger = MetricsLogger()
    for row in apply_metric(responses=responses, docs=docs, metrics=task.metrics):
        json.dumps(row)
        logger.log(task.full_name, row)
    logger.aggregate({task.full_name: task}, bootstrap_iters=20)
    found = logger.metric_aggregated[task.full_name]
    for name in names:
        assert found[name] == geceval.make_metric(name).corpus_score(SOURCE, CAREFUL, REFERENCES).value
        assert 0 < found[f"{name}_stderr"] < 0.1


def docs_of(rows: list[list[str]]) -> list[Doc]:
    return [
        document({"source": source, "references": row}) for source, row in zip(SOURCE[: len(rows)], rows, strict=True)
    ]


def test_ragged_rows_and_sources_elsewhere() -> None:
    docs, responses = docs_of([ROWS[0], ROWS[1][:1]]), [ModelResponse(text=[text]) for text in CAREFUL[:2]]
    with pytest.raises(geceval.GecevalError, match=r"row 1 \(counted from 0\) has 1 references"):
        adapter.metric("green").compute_sample(responses=responses, docs=docs)
    metric = adapter.metric("green", ragged=True, source=lambda doc: doc.query.removeprefix("Correct: "))
    [items] = metric.compute_sample(responses=responses, docs=docs).values()
    assert [len(item["counts"]) for item in items] == [2, 1]
    expected = geceval.Green().corpus_score(SOURCE[:2], CAREFUL[:2], [REFERENCES[0][:2], [REFERENCES[1][0], None]])
    assert metric.corpus_level_fn.compute_corpus(items) == expected.value


def test_what_the_bootstrap_pickles() -> None:
    metric = adapter.metric("errant")
    [items] = metric.compute_sample(
        responses=[ModelResponse(text=[text]) for text in CAREFUL], docs=docs_of(ROWS)
    ).values()
    compute = pickle.loads(pickle.dumps(metric.get_corpus_aggregations()["errant"]))
    assert compute(items) == geceval.Errant().corpus_score(SOURCE, CAREFUL, REFERENCES).value
    assert [str(metric.sample_level_fn), str(metric.corpus_level_fn)] == ["errant", "errant"]
