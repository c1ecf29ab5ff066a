"""SOME with tiny networks."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from geceval import Corpus, GecevalWarning, Some, evaluate
from geceval.base.errors import InputError, UsageError
from geceval.counting.signature import signature_of
from geceval.metrics.some import FOLDERS
from support import stand_ins

SOURCE = ["he go home .", "the cat sit .", "", "the cat"]
HYPOTHESIS = ["he goes home .", "x y", "the cat", ""]


def some(**settings: object) -> Some:
    return Some(model=stand_ins.raters(), **settings)  # type: ignore[arg-type]


def test_ratings_are_brought_to_0_and_1_and_not_clipped() -> None:
    metric = some()
    counts = metric.counts(SOURCE, HYPOTHESIS).array[:, 0]
    for column, network, texts in (
        (0, metric.networks["g"], (HYPOTHESIS,)),
        (1, metric.networks["f"], (HYPOTHESIS,)),
        (2, metric.networks["m"], (SOURCE, HYPOTHESIS)),
    ):
        inputs, _ = network.inputs(*texts)
        values = network.values(inputs)
        assert counts[:, column] == pytest.approx([(values[key] - 1) / 3 for key in inputs], abs=1e-6)
    assert (counts[:, :3] < 0).any()


def test_the_score_is_linear_in_the_weights() -> None:
    parts = [
        some(weight_g=g, weight_f=f, weight_m=m).sentence_scores(SOURCE, HYPOTHESIS)
        for g, f, m in ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    ]
    mixed = some(weight_g=2.0, weight_f=0.5, weight_m=3.0).sentence_scores(SOURCE, HYPOTHESIS)
    np.testing.assert_allclose(mixed, 2 * parts[0] + 0.5 * parts[1] + 3 * parts[2], rtol=1e-12)
    score = some().corpus_score(SOURCE, HYPOTHESIS)
    by_hand = 0.55 * score.parts["grammaticality"] + 0.43 * score.parts["fluency"] + 0.02 * score.parts["meaning"]
    assert score.value == pytest.approx(by_hand)


def test_weights_share_one_counting_pass() -> None:
    assert some().count_key == some(weight_g=1.0).count_key
    assert some().count_key != some(length=127).count_key


def test_one_folder_or_three(tmp_path: Path) -> None:
    folders = {part: Path(stand_ins.raters(), name) for part, name in FOLDERS.items()}
    three = Some(**{part: str(folder) for part, folder in folders.items()})
    assert signature_of(three, 0) == signature_of(some(), 0)
    assert three.corpus_score(SOURCE, HYPOTHESIS).value == some().corpus_score(SOURCE, HYPOTHESIS).value
    moved = tmp_path / "other"
    shutil.copytree(folders["g"], moved)
    mixed = some(g=str(moved))
    assert mixed.corpus_score(SOURCE, HYPOTHESIS).value == some().corpus_score(SOURCE, HYPOTHESIS).value
    assert "|g:other@" in signature_of(mixed, 0)
    exchanged = Some(g=str(folders["f"]), f=str(folders["g"]), m=str(folders["m"]))
    assert signature_of(exchanged, 0) != signature_of(some(), 0)
    with pytest.raises(UsageError, match="some needs three models") as caught:
        Some(g=str(moved)).corpus_score(["a"], ["a"])
    assert "grammer/" in str(caught.value.hint)
    with pytest.raises(UsageError, match=r"folder .*grammer does not exist"):
        Some(model=str(tmp_path)).corpus_score(["a"], ["a"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="cannot be loaded"):
        some(m=str(tmp_path / "empty")).corpus_score(["a"], ["a"])


def test_pairs_that_are_cut_are_said() -> None:
    corpus = Corpus(["a b c", "a b"], (), {"it": ["a b c", "a"]})
    with pytest.warns(GecevalWarning, match=r"some: 1 of 2 sentences have a text or pair of more than 7 pieces"):
        evaluate(corpus, [some(length=7)])
