"""transformers' Trainer: what is generated is decoded and scored as a corpus, whole or batch by batch."""

from __future__ import annotations

import json
import os
import pickle
import socket
import subprocess
import sys
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
from support.examples import CAREFUL, EXAMPLES, REFERENCES, ROWS, SOURCE

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
@pytest.mark.parametrize("together", [False, True])
def test_separate_batches_are_the_corpus(tokenizer: Any, together: bool, batched: bool) -> None:
    """``eval_do_concat_batches=False`` gives lists of batches, which have different lengths."""
    compute = compute_metrics(tokenizer, "errant")
    parts = [prediction(tokenizer, slice(start, start + 16)) for start in range(0, 40, 16)]
    if batched:
        for part in parts:
            computed = compute(part, compute_result=part is parts[-1])
    else:
        lists = {name: [getattr(part, name) for part in parts] for name in ("predictions", "label_ids", "inputs")}
        if together:
            lists["predictions"] = [(batch, np.zeros(3)) for batch in lists["predictions"]]
        computed = compute(SimpleNamespace(**lists))
    assert computed == expected(["errant"], REFERENCES[:1])


PROCESS = """
import json, os, sys, warnings
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import DataCollatorForSeq2Seq, PreTrainedTokenizerFast, Seq2SeqTrainer, Seq2SeqTrainingArguments
from transformers import T5Config, T5ForConditionalGeneration
import geceval
from geceval.integrations.trainer import compute_metrics
examples, output = sys.argv[1:]
lines = [open(f"{examples}/{name}", encoding="utf-8").read().splitlines()[:13] for name in ("source.txt", "ref0.txt")]
names = ["<pad>", "</s>", "<unk>", *sorted({word for texts in lines for text in texts for word in text.split()})]
words = Tokenizer(models.WordLevel({word: at for at, word in enumerate(names)}, unk_token="<unk>"))
words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<pad>", eos_token="</s>", unk_token="<unk>")
torch.manual_seed(0)
size = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2}
config = T5Config(vocab_size=len(tokenizer), pad_token_id=0, eos_token_id=1, decoder_start_token_id=0, **size)
model = T5ForConditionalGeneration(config)
data = [{"input_ids": tokenizer.encode(s), "labels": tokenizer.encode(t)} for s, t in zip(*lines, strict=True)]
computed, warned = {}, {}
givens = {"sources": {"sources": lines[0]}, "references": {"references": lines[1]}, "none": {}}
for name, batched in [(name, batched) for name in givens for batched in (False, True)]:
    trainer = Seq2SeqTrainer(
        model=model,
        args=Seq2SeqTrainingArguments(
            output_dir=output, predict_with_generate=True, generation_max_length=12, per_device_eval_batch_size=4,
            include_for_metrics=["inputs"], batch_eval_metrics=batched, report_to=[], use_cpu=True,
            ddp_backend="gloo" if "RANK" in os.environ else None,
        ),
        eval_dataset=data,
        data_collator=DataCollatorForSeq2Seq(tokenizer, model=model),
        processing_class=tokenizer,
        compute_metrics=compute_metrics(tokenizer, ["green", "errant"], **givens[name]),
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            results = trainer.evaluate()
            computed[f"{name} {batched}"] = {key: results[key] for key in results if "green" in key or "errant" in key}
        except geceval.GecevalError as error:
            computed[f"{name} {batched}"] = str(error)
    messages = [row.message for row in caught if isinstance(row.message, geceval.GecevalWarning)]
    warned[f"{name} {batched}"] = list(map(str, messages))
print(json.dumps([computed, warned]))
"""


def evaluated(tmp_path: Path, processes: int) -> list[dict[str, Any]]:
    """Return the numbers of Trainers in a number of processes, and their warnings."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free.getsockname()[1])}
    started = []
    for rank in range(processes):
        ranks = {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(processes)} if processes > 1 else {}
        command = [sys.executable, "-c", PROCESS, str(EXAMPLES), str(tmp_path)]
        started.append(
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **address, **ranks})
        )
    outputs = [process.communicate(timeout=400)[0].splitlines() for process in started]
    assert [process.returncode for process in started] == [0] * processes
    computed = [json.loads(next(line for line in lines if line.startswith("[{"))) for lines in outputs]
    assert all(figures == computed[0] for figures in computed)
    return computed[0]


def test_two_processes_equal_one(tmp_path: Path) -> None:
    (alone, no_warnings), (both, warnings) = (evaluated(tmp_path, processes) for processes in (1, 2))
    assert not any(no_warnings.values())
    expected = alone["sources False"]
    assert all(figures == expected for figures in alone.values())
    for name in ("sources False", "sources True", "references False"):
        assert (both.pop(name), warnings.pop(name)) == (expected, [])
    [warning] = warnings["none False"]
    assert both.pop("none False") != expected
    assert "the last batch of several processes repeats the first sentences" in warning
    for message in both.values():  # the Trainer gathers no inputs of single batches
        assert "the inputs are those of one of several processes" in message


@pytest.mark.parametrize("batched", [False, True])
def test_trainer_reports_the_scores_of_its_predictions(tokenizer: Any, tmp_path: Path, batched: bool) -> None:
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
