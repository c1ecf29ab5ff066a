"""A language model in a folder as the judge: tiny, with random weights, so what it says cannot be read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import geceval
from geceval import GecevalWarning, Llm
from geceval.base.errors import GecevalError, InputError
from geceval.metrics.judging.judge import JudgeError, Request
from geceval.metrics.judging.judge_client import Local

REQUEST = Request("Be a judge.", "Grade.", ("a",), 1, 5, 0.0, 7, 12, "schema")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    path = tmp_path_factory.mktemp("judge")
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({piece: number for number, piece in enumerate([*alphabet, "<end>"])}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>").save_pretrained(path)
    torch.manual_seed(3)
    config = GPT2Config(
        vocab_size=257, n_positions=4096, n_embd=16, n_layer=2, n_head=2, initializer_range=0.5,
        bos_token_id=256, eos_token_id=256,
    )  # fmt: skip
    GPT2LMHeadModel(config).save_pretrained(path)
    return path


def test_answers_follow_from_the_request(folder: Path) -> None:
    judge = Local(str(folder), "cpu")
    first = judge.answer(REQUEST)
    assert judge.answer(REQUEST) == first
    assert Local(str(folder), "cpu").answer(replace(REQUEST, seed=8)) == first  # the likeliest piece each time
    assert first.prompt_tokens == len("Be a judge.\n\nGrade.\n\n")
    assert 0 < (first.answer_tokens or 0) <= 12
    warm = [replace(REQUEST, temperature=1.5, seed=seed) for seed in (1, 2, 1)]
    answers = [judge.answer(request) for request in warm]
    assert answers[0] == answers[2] != answers[1]


def test_the_name_tells_weights_apart(folder: Path, tmp_path: Path) -> None:
    from transformers import GPT2LMHeadModel, PreTrainedTokenizerFast

    judge = Local(str(folder), "cpu")
    name, _, digits = judge.name.partition("@")
    assert name == folder.name
    assert len(digits) == 8
    model = GPT2LMHeadModel.from_pretrained(folder)
    model.transformer.wpe.weight.data[0, 0] += 1
    model.save_pretrained(tmp_path)
    PreTrainedTokenizerFast.from_pretrained(folder).save_pretrained(tmp_path)
    assert Local(str(tmp_path), "cpu").name.partition("@")[2] != digits


def test_a_chat_template_is_used(folder: Path, tmp_path: Path) -> None:
    from transformers import GPT2LMHeadModel, PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast.from_pretrained(folder)
    tokenizer.chat_template = "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}[answer]"
    tokenizer.save_pretrained(tmp_path)
    GPT2LMHeadModel.from_pretrained(folder).save_pretrained(tmp_path)
    answer = Local(str(tmp_path), "cpu").answer(REQUEST)
    assert answer.prompt_tokens == len("[system]Be a judge.[user]Grade.[answer]")


def test_it_judges_through_the_metric(folder: Path) -> None:
    metric = Llm(model=str(folder), max_tokens=8, tries=2, device="cpu")
    with pytest.warns(GecevalWarning, match="1 of 1 questions have no readable answer after 2 tries"):
        score = metric.corpus_score(["He go ."], ["He goes ."])
    assert score.value == 0.5
    assert score.parts["unread"] == 1.0
    assert f"|model:{folder.name}@" in score.signature


def test_what_does_not_fit_is_said(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match=r"has 4096 positions"):
        Local(str(folder), "cpu").answer(replace(REQUEST, user="a" * 5000))
    with pytest.raises(InputError, match="the language model cannot be loaded"):
        Local(str(tmp_path), "cpu")
    with pytest.raises(GecevalError, match="the language model cannot be loaded"):
        geceval.Llm(model=str(tmp_path)).corpus_score(["a"], ["b"])
