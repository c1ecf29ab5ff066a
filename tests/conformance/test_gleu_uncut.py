"""GLEU without the cut against what gec-metrics' GLEU printed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from geceval import Gleu
from support.golden import lines, load


def stripped(path: Path) -> list[str]:
    return [line.strip() for line in lines(path)]


@pytest.mark.parametrize("system", ["AMU", "CAMB", "CUUI", "INPUT"])
def test_conll14(shared: Path, system: str) -> None:
    document = load(shared / "golden" / "learned" / "gleu_uncut.json")
    recorded, rows = document["systems"][system], document["sentence_indices"]
    folder = shared / "data" / "conll14"
    source, hypothesis, *references = (
        stripped(folder / name) for name in ("source.txt", f"systems/{system}.txt", "ref0.txt", "ref1.txt")
    )
    gleu = Gleu(cut="none")
    assert gleu.corpus_score(source, hypothesis, references).value == pytest.approx(recorded["corpus"], rel=1e-9)
    sentences = gleu.sentence_scores(source, hypothesis, references)[rows]
    np.testing.assert_allclose(sentences, recorded["sentences"], rtol=0, atol=1e-12)

    one, score = recorded["ref0_only"], gleu.corpus_score(source, hypothesis, references[:1])
    assert score.value == pytest.approx(one["corpus"], rel=1e-12)
    for order, (tp, fp) in enumerate(one["tp_fp"], 1):
        match, penalty, total = (score.totals[f"{name}_{order}"] for name in ("match", "penalty", "total"))
        assert (match - penalty, total - match + penalty) == (tp, fp)
    lengths = score.totals["hypothesis_length"], score.totals["reference_length"]
    assert lengths == (one["hypothesis_length"], one["reference_length"])


def test_small_lists_with_empty_texts(shared: Path) -> None:
    for toy in load(shared / "golden" / "learned" / "gleu_uncut.json")["toy"]:
        texts = toy["source"], toy["hypothesis"], toy["references"]
        tolerance = 1e-12 if len(toy["references"]) == 1 else 1e-9
        assert Gleu(cut="none").corpus_score(*texts).value == pytest.approx(toy["corpus"], abs=tolerance)
        np.testing.assert_allclose(Gleu(cut="none").sentence_scores(*texts), toy["sentences"], rtol=0, atol=1e-12)
        char = Gleu(cut="none", unit="char").corpus_score(*texts).value
        assert char == pytest.approx(toy["char"], abs=tolerance)


def test_the_three_sentences_of_gec_metrics() -> None:
    source = ["This sentences contain gramamtical error .", "This is a sentence .", "This is no change ."]
    hypothesis = [
        "This sentence contains a grammatical error .",
        "the sentence was corrected into completely different one .",
        "This is no change .",
    ]
    assert Gleu(cut="none").sentence_scores(source, hypothesis, [hypothesis]).tolist() == [1.0, 1.0, 1.0]
