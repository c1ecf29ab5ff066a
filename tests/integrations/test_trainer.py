"""transformers' Trainer: what is generated is decoded and scored as a corpus, whole or batch by batch."""

from __future__ import annotations

import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers

import geceval
from geceval.integrations.trainer import ComputeMetrics, compute_metrics
from support.examples import CAREFUL, REFERENCES, ROWS, SOURCE

WORDS = sorted({word for text in [*SOURCE, *CAREFUL, *REFERENCES[0], *REFERENCES[1]] for word in text.split()})
SPECIAL = ["<pad>", "</s>", "<unk>"]


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    vocabulary = {word: at for at, word in enumerate([*SPECIAL, *WORDS])}
    trained = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    trained.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=trained, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )


def ids(tokenizer: Any, texts: list[str]) -> np.ndarray:
    rows = [[*tokenizer.encode(text), tokenizer.eos_token_id] for text in texts]
    length = max(map(len, rows))
    return np.array([row + [-100] * (length - len(row)) for row in rows])


def prediction(tokenizer: Any, part: slice = slice(None), *, inputs: bool = True) -> SimpleNamespace:
    return SimpleNamespace(
        predictions=ids(tokenizer, CAREFUL[part]),
        label_ids=ids(tokenizer, REFERENCES[0][part]),
        inputs=ids(tokenizer, SOURCE[part]) if inputs else None,
    )


def expected(names: list[str], references: list[list[str]]) -> dict[str, float]:
    by_metric = {}
    for name in names:
        score = geceval.make_metric(name).corpus_score(SOURCE, CAREFUL, references)
        by_metric |= {name: score.value} | {f"{name}_{part}": value for part, value in score.parts.items()}
    return by_metric


def test_padding_is_no_token_and_inputs_are_sources(tokenizer: Any) -> None:
    compute = compute_metrics(tokenizer, ["errant", "green", "cleme"])
    assert compute(prediction(tokenizer)) == expected(["errant", "green", "cleme"], REFERENCES[:1])


def test_references_in_the_order_of_the_data(tokenizer: Any) -> None:
    compute = compute_metrics(tokenizer, "errant", sources=SOURCE, references=ROWS)
    for _ in range(2):
        assert compute(prediction(tokenizer, inputs=False)) == expected(["errant"], REFERENCES)
    with pytest.raises(geceval.GecevalError, match="not the same number of sentences"):
        compute(prediction(tokenizer, slice(0, 39)))
    assert compute(prediction(tokenizer)) == expected(["errant"], REFERENCES)


def test_batch_by_batch_is_the_corpus(tokenizer: Any) -> None:
    for options in ({}, {"sources": SOURCE}, {"sources": SOURCE, "references": ROWS}, {"references": ROWS}):
        compute = compute_metrics(tokenizer, ["errant", "cleme"], **options)
        for _ in range(2):
            for start in range(0, 40, 16):
                part = slice(start, start + 16)
                computed = compute(prediction(tokenizer, part), compute_result=part.stop >= 40)
                assert (computed == {}) == (part.stop < 40)
            assert computed == expected(["errant", "cleme"], REFERENCES if "references" in options else REFERENCES[:1])


def test_what_is_generated_may_be_wrapped(tokenizer: Any) -> None:
    compute = compute_metrics(
        tokenizer,
        "errant",
        extract=lambda text: " ".join(text.split()[1:]),
        extract_source=lambda text: " ".join(text.split()[1:]),
    )
    wrapped = prediction(tokenizer)
    wrapped.predictions, wrapped.inputs = (
        ids(tokenizer, [f"{WORDS[0]} {text}" for text in texts]) for texts in (CAREFUL, SOURCE)
    )
    assert compute(wrapped) == expected(["errant"], REFERENCES[:1])


def test_logits_are_no_correction(tokenizer: Any) -> None:
    compute = compute_metrics(tokenizer, "errant")
    logits = prediction(tokenizer)
    for wrong in (np.zeros((40, 7, 3), np.float32), (np.zeros((40, 7, 3), np.float32), np.zeros(3)), np.zeros((40, 7))):
        logits.predictions = wrong
        with pytest.raises(geceval.GecevalError, match="predictions must be generated token ids"):
            compute(logits)
    with pytest.raises(geceval.GecevalError, match="the sources cannot be decoded without inputs"):
        compute(prediction(tokenizer, inputs=False))
    assert compute(prediction(tokenizer)) == expected(["errant"], REFERENCES[:1])


def test_it_can_be_pickled(tokenizer: Any) -> None:
    compute = pickle.loads(pickle.dumps(compute_metrics(tokenizer, "errant", sources=SOURCE, references=ROWS)))
    assert isinstance(compute, ComputeMetrics)
    assert compute(prediction(tokenizer)) == expected(["errant"], REFERENCES)


@pytest.mark.parametrize("batched", [False, True])
def test_a_trainer(tokenizer: Any, tmp_path: Path, batched: bool) -> None:
    """A tiny random model, whose predictions are scored by hand."""
    torch.manual_seed(0)
    size = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2}
    config = transformers.T5Config(
        vocab_size=len(tokenizer), pad_token_id=0, eos_token_id=1, decoder_start_token_id=0, **size
    )
    model = transformers.T5ForConditionalGeneration(config)
    data = [
        {"input_ids": tokenizer.encode(text), "labels": tokenizer.encode(reference)}
        for text, reference in zip(SOURCE, REFERENCES[0], strict=True)
    ]
    seen: list[np.ndarray] = []
    compute = compute_metrics(tokenizer, ["errant", "gleu"], references=ROWS)

    def watched(evaluated: Any, compute_result: bool = True) -> dict[str, float]:
        predictions = evaluated.predictions
        seen.append(predictions.cpu().numpy() if hasattr(predictions, "cpu") else predictions)
        return compute(evaluated, compute_result)

    trainer = transformers.Seq2SeqTrainer(
        model=model,
        args=transformers.Seq2SeqTrainingArguments(
            output_dir=str(tmp_path),
            predict_with_generate=True,
            generation_max_length=12,
            per_device_eval_batch_size=16,
            include_for_metrics=["inputs"],
            batch_eval_metrics=batched,
            report_to=[],
            use_cpu=True,
        ),
        eval_dataset=data,
        data_collator=transformers.DataCollatorForSeq2Seq(tokenizer, model=model),
        processing_class=tokenizer,
        compute_metrics=watched,
    )
    metrics = trainer.evaluate()
    assert len(seen) == (3 if batched else 1)
    rows = [np.where(batch == -100, 0, batch) for batch in seen]
    texts = [text for batch in rows for text in tokenizer.batch_decode(batch, skip_special_tokens=True)]
    assert len(texts) == 40
    for name in ("errant", "gleu"):
        score = geceval.make_metric(name).corpus_score(SOURCE, [text.strip() for text in texts], REFERENCES)
        assert metrics[f"eval_{name}"] == score.value
        assert metrics[f"eval_{name}_precision"] == score.parts["precision"]
