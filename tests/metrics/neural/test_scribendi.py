"""The Scribendi score with a tiny language model."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geceval import Corpus, GecevalWarning, Green, Scribendi, evaluate
from geceval.app.main import main
from geceval.base.errors import InputError, UsageError
from geceval.counting.signature import signature_of
from geceval.metrics.neural.networks import LanguageModel
from geceval.metrics.neural.pretrained import load_shared
from geceval.metrics.scribendi import similarities
from support import stand_ins
from support.effort import examples
from support.examples import EXAMPLES

SOURCE = ["he go home .", "the cat sit .", "a b", "", "the cat", "home to go they"]
HYPOTHESIS = ["he goes home .", "the cat sat .", "a b", "the cat", "", "they go to home"]


@pytest.fixture
def metric() -> Scribendi:
    return Scribendi(model=stand_ins.language_model())


def plain_perplexity(folder: str, text: str) -> float:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer, network = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder).eval()
    ids = tokenizer(tokenizer.bos_token + text, return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        logs = network(ids).logits.log_softmax(-1)[0, :-1]
    return math.exp(-logs.gather(1, ids[0, 1:, None]).mean())


@pytest.mark.parametrize("batch", [1, 3, 64])
@pytest.mark.parametrize("room", [1, 1 << 27])
@pytest.mark.parametrize("packed", [True, False])
def test_perplexities(batch: int, room: int, packed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LanguageModel, "room", (room, room))
    monkeypatch.setattr(LanguageModel, "_is_packed", packed)
    network = LanguageModel(stand_ins.language_model(), batch=batch)
    texts = [*SOURCE, *HYPOTHESIS, "he", "the cat " * 20]
    inputs, cut = network.inputs(texts)
    assert not cut.any()
    values = network.values(inputs)
    for text, one in zip(texts, inputs, strict=True):
        expected = plain_perplexity(stand_ins.language_model(), text) if text else math.nan
        assert values[one] == pytest.approx(expected, rel=1e-5, nan_ok=True)


@settings(max_examples=examples(20))
@given(texts=st.lists(st.text("ab c", max_size=9), min_size=1, max_size=9), pieces=st.sampled_from([1, 9, 99]))
def test_texts_packed_as_a_tree_have_the_perplexities_of_single_texts(texts: list[str], pieces: int) -> None:
    folder = stand_ins.language_model(20)  # the tree has more pieces than the network has positions
    network = load_shared(LanguageModel, folder)
    inputs, _ = network.inputs(texts)
    network._known.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LanguageModel, "packed_pieces", pieces)
        patch.setattr(LanguageModel, "words", 100)
        values = network.values(inputs)
    ids = [network_input.pieces for network_input in inputs]
    expected = [separate_perplexity(network, row) for row in ids]
    assert [values[network_input] for network_input in inputs] == pytest.approx(expected, rel=1e-5, nan_ok=True)


def separate_perplexity(network: LanguageModel, pieces: tuple[int, ...]) -> float:
    import torch

    with torch.inference_mode():
        logs = network._network(torch.tensor([pieces])).logits.log_softmax(-1)[0, :-1]
    return math.exp(-logs.gather(1, torch.tensor(pieces[1:])[:, None]).mean()) if pieces[1:] else math.nan


def test_each_beginning_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    network, computed = LanguageModel(stand_ins.language_model()), list[int]()
    forward = network._network.base_model.forward

    def counted(*, input_ids: Any, **others: Any) -> Any:
        computed.append(input_ids.numel())
        return forward(input_ids=input_ids, **others)

    monkeypatch.setattr(network._network.base_model, "forward", counted)
    inputs, _ = network.inputs(["abcdef", "abcxyz", "abcdef", "", "abcd"])
    network.values(inputs)
    assert computed == [1 + 5 + 2]  # the beginning, abcde and xy: the last piece of a text predicts nothing


def test_a_network_in_bfloat16_computes_separate_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LanguageModel, "_packed_losses", None)
    network = LanguageModel(stand_ins.language_model(), precision="bfloat16")
    inputs, _ = network.inputs(["abc", "abd"])
    assert all(value > 1 for value in network.values(inputs).values())


def test_a_sentence_is_better_if_it_is_likelier_and_similarities(metric: Scribendi) -> None:
    before, after = (
        np.array([plain_perplexity(metric.model, text) if text else math.nan for text in side])
        for side in (SOURCE, HYPOTHESIS)
    )
    likelier = ~(before <= after)
    better = likelier & (similarities(SOURCE, HYPOTHESIS) >= 0.8)
    same = np.array(SOURCE) == np.array(HYPOTHESIS)
    expected = np.where(same, 0, np.where(better, 1, -1)).tolist()
    assert {-1, 0, 1} == set(expected)
    assert metric.sentence_scores(SOURCE, HYPOTHESIS).tolist() == expected
    assert metric.corpus_score(SOURCE, HYPOTHESIS).value == sum(expected)
    mean = Scribendi(model=metric.model, total="mean").corpus_score(SOURCE, HYPOTHESIS)
    assert mean.value == pytest.approx(np.mean(expected))
    assert mean.parts["zero"] == pytest.approx(1 / 6)


def test_only_what_is_alike_is_computed(metric: Scribendi, monkeypatch: pytest.MonkeyPatch) -> None:
    def computed(self: LanguageModel, batch: object) -> None:
        raise AssertionError("nothing was to be computed")

    monkeypatch.setattr(LanguageModel, "_computed", computed)
    assert metric.sentence_scores(["a b", "the cat", ""], ["a b", "x y z", "a"]).tolist() == [0, -1, -1]


def test_an_empty_side_leaves_it_to_being_similarities(metric: Scribendi) -> None:
    """As in the public code, whose comparison with NaN is false: a quotation mark may go, a word may not."""
    pairs = [('"', ""), ("", "."), ("a", ""), ("", "a"), ("", "")]
    assert [metric.corpus_score([one], [other]).value for one, other in pairs] == [1, 1, -1, -1, 0]


def test_a_tie_loses(metric: Scribendi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LanguageModel, "_computed", lambda self, batch: [5.0 for _ in batch])
    fresh = Scribendi(model=metric.model, batch=7)
    assert fresh.sentence_scores(["he go home ."], ["he goes home ."]).tolist() == [-1]


def test_a_text_longer_than_the_model_takes_is_named(metric: Scribendi) -> None:
    short = Scribendi(model=stand_ins.language_model(20))
    source = ["a b", "he go home .", "the cat sat on the mat .", "he go"]
    hypothesis = ["a b", "he goes home .", "the cat sits on the mat .", "he goes"]
    named = r"sentence 2 \(counted from 0\): the source has 2\d pieces, but .* supports at most 20"
    with pytest.raises(InputError, match=named) as caught:
        short.corpus_score(source, hypothesis)
    assert caught.value.hint == "length=20 cuts longer texts and is in the signature"
    with pytest.raises(InputError, match=r"sentence 1 .*: the correction has 2\d"):
        short.corpus_score(["a", "the cat sat on the"], ["a", "the cat sat on the mat"])
    assert short.sentence_scores(source[2:3], source[2:3]).tolist() == [0]  # nobody asks how likely it is


def test_what_is_cut_is_said_once_a_run(metric: Scribendi) -> None:
    cutting = Scribendi(model=metric.model, length=12)
    corpus = Corpus(SOURCE, (), {"one": HYPOTHESIS, "two": SOURCE, "three": HYPOTHESIS})
    with pytest.warns(GecevalWarning) as warned:
        results = evaluate(corpus, [cutting], block=2, checks=False)
    [message] = [str(warning.message) for warning in warned]
    assert message.startswith("scribendi: 6 of 18 sentences have a text or pair of more than 12 pieces; ")
    assert results["one"][0].score().totals["cut"] == 3
    assert "|length:12|" in results["one"][0].signature()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate(corpus, [metric], checks=False)
    with pytest.raises(UsageError, match=r"length is 257; .* supports at most 256 pieces"):
        Scribendi(model=metric.model, length=257).corpus_score(["a"], ["b"])


def test_a_network_that_looks_at_what_follows_is_refused() -> None:
    with pytest.raises(UsageError, match="is not a causal language model"):
        LanguageModel(stand_ins.bidirectional())
    with pytest.raises(InputError, match="is not of the required kind"):
        LanguageModel(stand_ins.rater())


def test_weights_in_bfloat16(metric: Scribendi) -> None:
    rough = Scribendi(model=metric.model, precision="bfloat16")
    assert set(rough.sentence_scores(SOURCE, HYPOTHESIS).tolist()) <= {-1, 0, 1}
    assert "|precision:bfloat16|" in signature_of(rough, 0)


def test_the_signature_has_no_references(metric: Scribendi) -> None:
    result = evaluate(Corpus(SOURCE, [SOURCE], {"it": HYPOTHESIS}), [metric, Green()], checks=False)["it"]
    assert "refs:" not in result[0].signature()
    assert "refs:1" in result[1].signature()
    assert result[0].signature().startswith(f"SCRIBENDI|model:gpt2-256@{metric.networks.fingerprint}|bos:prefix|")


def test_the_command_needs_no_references(metric: Scribendi, capsys: pytest.CaptureFixture[str]) -> None:
    systems = [str(EXAMPLES / "systems" / f"{name}.txt") for name in ("careful", "noisy")]
    data = ["-s", str(EXAMPLES / "source.txt"), "-c", *systems]
    assert main(["score", *data, "-m", f"scribendi:model={metric.model}", "-f", "json"]) == 0
    values = [result["value"] for result in json.loads(capsys.readouterr().out)["results"]]
    assert main(["score", *data, "-m", f"scribendi:model={metric.model}", "--parts"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == "system SCRIBENDI plus SCRIBENDI zero SCRIBENDI minus SCRIBENDI".split()
    assert [line.split()[-1] for line in lines[2:5]] == [f"{value:.2f}" for value in values]  # sums, not per cent
    assert main(["score", *data, "-m", f"scribendi:model={metric.model},total=mean"]) == 0
    mean = float(capsys.readouterr().out.splitlines()[2].split()[-1])
    sentences = len((EXAMPLES / "source.txt").read_text(encoding="utf-8").splitlines())
    assert mean == pytest.approx(100 * values[0] / sentences, abs=0.01)
    assert main(["score", *data, "-m", f"scribendi:model={metric.model}", "--group", "length"]) == 0
    assert f" {values[0]:.2f}" in capsys.readouterr().out
    assert main(["score", *data, "-m", f"scribendi:model={metric.model}", "--level", "sentence"]) == 0
    assert set(capsys.readouterr().out.splitlines()[2].split()[1:]) <= {"-1.00", "0.00", "1.00"}


def test_a_folder_needs_no_network() -> None:
    code = (
        "import socket, sys\n"
        "def refuse(*_, **__): raise AssertionError('the network was used')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
        "from geceval.app.main import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    data = ["-s", str(EXAMPLES / "source.txt"), "-c", str(EXAMPLES / "systems" / "careful.txt")]
    networks = [
        f"scribendi:model={stand_ins.language_model()}",
        f"impara:model={stand_ins.rater()},similarity={stand_ins.encoder()}",
        f"some:model={stand_ins.raters()}",
    ]
    command = [sys.executable, "-c", code, "score", *data, "-m", *networks]
    completed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (completed.returncode, completed.stderr) == (0, "")
    assert completed.stdout.split()[:4] == "system SCRIBENDI IMPARA SOME".split()
