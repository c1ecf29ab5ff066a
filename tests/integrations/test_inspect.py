"""Inspect: samples scored as its tasks do it, and the corpus score out of Inspect's own results."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from inspect_ai._eval.task.results import eval_results
from inspect_ai.model import ChatMessageUser, ModelName, ModelOutput
from inspect_ai.scorer import SampleScore, Target
from inspect_ai.solver import TaskState

import geceval
from geceval.integrations import inspect as adapter
from support.examples import CAREFUL, NOISY, REFERENCES, ROWS, SOURCE


def state(source: str, completion: str, metadata: dict[str, Any] | None = None, epoch: int = 1) -> TaskState:
    model = "mockllm/model"
    return TaskState(
        model=ModelName(model),
        sample_id=1,
        epoch=epoch,
        input=[ChatMessageUser(content=source)],
        messages=[ChatMessageUser(content=source)],
        output=ModelOutput.from_content(model, completion),
        metadata=metadata,
    )


def scored(scorer: Any, texts: list[str]) -> list[SampleScore]:
    async def all_of_them() -> list[Any]:
        return [
            await scorer(state(source, f" {text}\n"), Target(row))
            for source, text, row in zip(SOURCE, texts, ROWS, strict=True)
        ]

    return [SampleScore(score=score, sample_id=at) for at, score in enumerate(asyncio.run(all_of_them()))]


@pytest.mark.parametrize("name", ["errant", "green", "gleu", "cleme"])
def test_samples_and_corpus(name: str) -> None:
    metric = geceval.make_metric(name)
    samples = scored(adapter.scorer(name), CAREFUL)
    alone = [metric.sentence_score(*row) for row in zip(SOURCE, CAREFUL, ROWS, strict=True)]
    assert [sample.score.value for sample in samples] == alone
    assert [sample.score.answer for sample in samples] == CAREFUL
    corpus_score = metric.corpus_score(SOURCE, CAREFUL, REFERENCES)
    expected = {name: corpus_score.value} | {f"{name}_{part}": value for part, value in corpus_score.parts.items()}
    assert adapter.corpus(name)(samples) == expected


def test_inspect_settles_it_over_all_epochs() -> None:
    scorer = adapter.scorer("errant")
    epochs = [*scored(scorer, CAREFUL), *scored(scorer, NOISY)]
    results, _ = eval_results(40, [{"geceval_errant": sample} for sample in epochs], None, [scorer], None)
    [score] = results.scores
    expected = geceval.Errant().corpus_score(SOURCE * 2, CAREFUL + NOISY, [reference * 2 for reference in REFERENCES])
    assert score.metrics["errant"].value == expected.value
    assert score.metrics["errant_recall"].value == expected.parts["recall"]
    assert score.scored_samples == 80


def test_a_sample_without_a_target_is_refused() -> None:
    scorer = adapter.scorer("errant")
    for target in ("", [], ["", " "]):
        with pytest.raises(geceval.GecevalError, match="the sample 1 has no target"):
            asyncio.run(scorer(state("He go .", "He goes ."), Target(target)))
    assert asyncio.run(scorer(state("", ""), Target(""))).value == 1.0


def test_where_the_sentence_is() -> None:
    async def one(scorer: Any, task_state: TaskState) -> Any:
        return await scorer(task_state, Target(["He goes ."]))

    prompt = "Correct: He go ."
    sample_score = asyncio.run(one(adapter.scorer(), state(prompt, "He goes .", {"source": "He go ."})))
    assert (sample_score.value, sample_score.metadata["source"]) == (1.0, "He go .")
    cut = adapter.scorer(source=lambda state: state.input_text.removeprefix("Correct: "))
    assert asyncio.run(one(cut, state(prompt, "He goes ."))) == sample_score
    wrapped = adapter.scorer(extract=lambda text: text.partition(": ")[2], source=lambda state: "He go .")
    assert asyncio.run(one(wrapped, state(prompt, "Sure: He goes ."))).answer == "He goes ."
