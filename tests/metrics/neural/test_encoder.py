"""The encoder: layers, batches, memory, and what is said when it cannot be had."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from geceval.base.errors import InputError, UsageError
from geceval.metrics.neural.networks import Encoder, usual_layer

SENTENCES = ["the cat sat .", "", "he is home", "the cat", "a b c d e f g h", "the cat sat ."]


def plain_states(folder: str, sentence: str, layer: int) -> np.ndarray:
    """The layer's output for one sentence, by transformers alone."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    with torch.inference_mode():
        states = model(**tokenizer(sentence, return_tensors="pt"), output_hidden_states=True).hidden_states[layer][0]
    return (states / states.norm(dim=-1, keepdim=True)).numpy()


@pytest.mark.parametrize("layer", [1, 2, 3])
@pytest.mark.parametrize("batch", [1, 4])
def test_vectors_are_those_of_the_layer(tiny_bert: str, layer: int, batch: int) -> None:
    encoder = Encoder(tiny_bert, layer, batch=batch)
    inputs, _ = encoder.inputs(SENTENCES)
    encoded = encoder.values(inputs)
    for sentence, key in zip(SENTENCES, inputs, strict=True):
        expected = plain_states(tiny_bert, sentence, layer)
        np.testing.assert_allclose(encoded[key].vectors, expected, atol=2e-6)
        is_own = encoded[key].from_text
        assert not is_own[0]
        assert not is_own[-1]
        assert is_own[1:-1].all()


def test_each_distinct_sentence_is_encoded_once(tiny_bert: str, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = Encoder(tiny_bert, 2)
    computed, seen = encoder._computed, []
    monkeypatch.setattr(encoder, "_computed", lambda batch: seen.extend(batch) or computed(batch))
    encoder.values(encoder.inputs(SENTENCES)[0])
    encoder.values(encoder.inputs(SENTENCES[2:])[0])
    assert sorted(seen) == sorted(set(encoder.inputs(SENTENCES)[0]))


def test_memory_is_bounded(tiny_bert: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Encoder, "remembered", 600)
    encoder = Encoder(tiny_bert, 2)
    inputs, _ = encoder.inputs(SENTENCES)
    assert len(encoder.values(inputs)) == len(set(inputs))
    assert encoder._extents <= 600
    assert encoder._extents == sum(extent.vectors.nbytes for extent in encoder._known.values())


def test_long_sentences_are_cut(tiny_bert: str) -> None:
    encoder = Encoder(tiny_bert, 1)
    [one], cut = encoder.inputs(["the cat " * 100])
    assert len(one.pieces) == 64
    assert cut.all()
    assert encoder.values([one])[one].vectors.shape == (64, 16)


def test_the_fingerprint_is_of_the_weights(tiny_bert: str, tmp_path: Path) -> None:
    from support.tiny_bert import tiny_bert as make

    copy = tmp_path / "elsewhere"
    shutil.copytree(tiny_bert, copy)
    assert Encoder(str(copy), 2).fingerprint == Encoder(tiny_bert, 2).fingerprint
    assert Encoder(make(seed=1), 2).fingerprint != Encoder(tiny_bert, 2).fingerprint


def test_layers_that_do_not_exist(tiny_bert: str) -> None:
    for layer in (0, 4):
        with pytest.raises(UsageError, match=f"layer is {layer}; .* has the layers 1 to 3"):
            Encoder(tiny_bert, layer)
    with pytest.raises(UsageError, match="has no default layer"):
        Encoder(tiny_bert)
    assert usual_layer("bert-base-uncased") == 9


def test_a_folder_without_a_model_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be loaded") as caught:
        Encoder(str(tmp_path), 1)
    assert "\n" not in caught.value.message


def test_a_device_that_is_not_there(tiny_bert: str) -> None:
    with pytest.raises(UsageError, match="device 'nonsense' is not available"):
        Encoder(tiny_bert, 1, device="nonsense")


def test_a_folder_needs_no_network(tiny_bert: str) -> None:
    """With every socket refused the encoder still loads and encodes."""
    code = (
        "import socket, sys\n"
        "def refuse(*_, **__): raise AssertionError('the network was used')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
        "from geceval.metrics.neural.networks import Encoder\n"
        "encoder = Encoder(sys.argv[1], 2)\n"
        "print(len(encoder.values(encoder.inputs(['the cat'])[0])))\n"
    )
    completed = subprocess.run([sys.executable, "-c", code, tiny_bert], capture_output=True, text=True, check=False)
    assert (completed.returncode, completed.stdout) == (0, "1\n"), completed.stderr
