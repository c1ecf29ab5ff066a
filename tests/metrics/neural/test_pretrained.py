"""Loading networks, naming them, and computing values in batches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from geceval.base.errors import InputError, UsageError
from geceval.metrics.neural import pretrained
from geceval.metrics.neural.networks import MeanVectors, Regressor
from geceval.metrics.neural.pretrained import NetworkInput, load_shared
from support import stand_ins

TEXTS = ["the cat sat", "", "he is home .", "the  cat sat", "a b c d e f g h", "the cat sat"]


def plain_logits(folder: str, texts: list[str], second_texts: list[str] | None = None) -> list[float]:
    """One text, or pair, at a time, by transformers alone."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    pairs = (
        [([text],) for text in texts]
        if second_texts is None
        else [([a], [b]) for a, b in zip(texts, second_texts, strict=True)]
    )
    with torch.inference_mode():
        return [network(**tokenizer(*pair, return_tensors="pt")).logits.item() for pair in pairs]


@pytest.mark.parametrize("batch", [1, 2, 64])
def test_values_are_the_network_s_whatever_the_batch(batch: int) -> None:
    network = Regressor(stand_ins.rater(), batch=batch)
    inputs, cut = network.inputs(TEXTS)
    values = network.values(inputs)
    assert [values[key] for key in inputs] == pytest.approx(plain_logits(stand_ins.rater(), TEXTS), abs=1e-6)
    assert not cut.any()


def test_pairs_know_their_sides() -> None:
    network = Regressor(stand_ins.rater())
    reversed_texts = TEXTS[::-1]
    inputs, _ = network.inputs(TEXTS, reversed_texts)
    values = network.values(inputs)
    expected = plain_logits(stand_ins.rater(), TEXTS, reversed_texts)
    assert [values[key] for key in inputs] == pytest.approx(expected, abs=1e-6)
    assert network.inputs(["a b"], ["c"])[0] != network.inputs(["a"], ["b c"])[0]


def test_each_distinct_input_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    network, seen = Regressor(stand_ins.rater(), batch=2), list[NetworkInput]()
    computed = network._computed
    monkeypatch.setattr(network, "_computed", lambda batch: seen.extend(batch) or computed(batch))
    first = network.values(network.inputs(TEXTS)[0])
    again = network.values(network.inputs(TEXTS[2:])[0])
    assert first.items() >= again.items()
    assert len(seen) == len(set(seen)) == 4  # blanks are nothing to this tokenizer
    lengths = [len(network_input.pieces) for network_input in seen]
    assert lengths == sorted(lengths, reverse=True)


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Regressor, "remembered", 3)
    network = Regressor(stand_ins.rater())
    texts = ["a", "b", "c", "d", "e"]
    assert len(network.values(network.inputs(texts)[0])) == 5
    assert len(network._known) == 3


def test_texts_of_exactly_the_length_are_not_cut() -> None:
    network = Regressor(stand_ins.rater(), length=5)
    texts = ["a b", "a b c", "a b c d", "a b c d e"]
    inputs, cut = network.inputs(texts)
    assert [len(computed.pieces) for computed in inputs] == [4, 5, 5, 5]
    assert cut.tolist() == [False, False, True, True]
    assert inputs[1] == inputs[2]
    inputs, cut = network.inputs(["a b c d e", "a"], ["f", "b"])
    assert [len(computed.pieces) for computed in inputs] == [5, 5]
    assert cut.tolist() == [True, False]
    assert inputs[0].sides == (0, 0, 0, 1, 1)  # the longer text loses pieces


def test_lengths_that_the_network_does_not_take() -> None:
    with pytest.raises(UsageError, match=r"length is 513; .* supports at most 512 pieces"):
        Regressor(stand_ins.rater(), length=513)


def test_means_of_vectors() -> None:
    network = MeanVectors(stand_ins.encoder(), batch=2)
    inputs, _ = network.inputs(TEXTS)
    values = network.values(inputs)
    import torch
    from transformers import AutoModel, AutoTokenizer

    folder = stand_ins.encoder()
    tokenizer, plain = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    for text, one in zip(TEXTS, inputs, strict=True):
        with torch.inference_mode():
            states = plain(**tokenizer(text, return_tensors="pt")).last_hidden_state[0]
        np.testing.assert_allclose(values[one], states.mean(0), atol=1e-6)
    [same, different] = network.cosines([(inputs[0], inputs[3]), (inputs[0], inputs[1])])
    assert same == 1.0
    a, b = values[inputs[0]], values[inputs[1]]
    assert different == pytest.approx(a @ b / np.linalg.norm(a) / np.linalg.norm(b), abs=1e-6)


def test_a_vector_of_nothing_is_like_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    network = MeanVectors(stand_ins.encoder())
    empty, full = NetworkInput((2, 3)), NetworkInput((2, 5, 3))
    nothing = np.zeros(16, dtype=np.float32)
    monkeypatch.setattr(network, "_computed", lambda batch: [nothing for _ in batch])
    assert network.cosines([(empty, full), (empty, empty)]).tolist() == [0.0, 1.0]


def test_a_network_without_its_head_is_refused() -> None:
    """Transformers would draw one at random and say so in passing."""
    with pytest.raises(InputError, match=r"is not of the required kind: it lacks the weights .* and 3 more") as caught:
        Regressor(stand_ins.encoder())
    assert "\n" not in caught.value.message


def test_several_outputs_are_no_rating() -> None:
    with pytest.raises(InputError, match="has 3 outputs; a rating requires one"):
        Regressor(stand_ins.rater(0, 3))


def test_a_fingerprint_leaves_out_what_was_drawn_at_random() -> None:
    first, second = (MeanVectors(stand_ins.encoder()) for _ in range(2))
    assert first._drawn
    assert first.fingerprint == second.fingerprint
    assert first.signed == f"{Path(stand_ins.encoder()).name}@{first.fingerprint}"
    assert MeanVectors(stand_ins.encoder(7)).fingerprint != first.fingerprint


def test_precisions() -> None:
    exact, rough = (Regressor(stand_ins.rater(), precision=name) for name in ("float32", "bfloat16"))  # type: ignore[arg-type]
    values = [network.values(network.inputs(TEXTS)[0]) for network in (exact, rough)]
    for one, value in values[0].items():
        assert value != values[1][one]
        assert value == pytest.approx(values[1][one], abs=0.1)
    assert exact.fingerprint != rough.fingerprint


def test_pooling_is_the_configuration_s_unless_it_is_said() -> None:
    means = {
        (configured, said): list(network.values(network.inputs(["the cat sat"])[0]).values())
        for configured in ("cls", "mean")
        for said in (None, "cls", "mean")
        for network in [Regressor(stand_ins.modern_rater(configured), pooling=said)]  # type: ignore[arg-type]
    }
    assert means["cls", None] == means["cls", "cls"] == means["mean", "cls"]
    assert means["mean", None] == means["mean", "mean"] == means["cls", "mean"]
    assert means["cls", None] != means["mean", None]
    with pytest.raises(UsageError, match=r"pooling requires a classifier of ModernBERT; the type of .* is bert"):
        Regressor(stand_ins.rater(), pooling="mean")


def test_what_is_held_is_made_once() -> None:
    models = []

    class Thing:
        def __init__(self, name: str) -> None:
            models.append(name)

    assert load_shared(Thing, "one") is load_shared(Thing, "one")
    assert load_shared(Thing, "other") is not load_shared(Thing, "one")
    assert models == ["one", "other"]
    for number in range(10):
        load_shared(Thing, str(number))
    assert len(pretrained._LAST) == 4
