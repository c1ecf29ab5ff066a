"""The word error rate of a system's own source beside jiwer's."""

from __future__ import annotations

import random

import pytest

from geceval import Corpus
from geceval.edits.corpus_edits import Extraction
from geceval.edits.own_sources import carry_over

jiwer = pytest.importorskip("jiwer")

WORDS = ["a", "b", "the", "cat", "sat", "mat"]


@pytest.mark.parametrize("seed", range(20))
def test_word_error_rate_is_the_one_of_jiwer(seed: int) -> None:
    draw = random.Random(seed)
    source = [" ".join(draw.choices(WORDS, k=draw.randint(1, 12))) for _ in range(30)]
    heard = [
        " ".join(draw.choice(WORDS) if draw.random() < 0.2 else word for word in line.split() if draw.random() > 0.1)
        for line in source
    ]
    corpus = Corpus({None: source, "A": heard}, [source], {"A": heard})
    _, misheard = carry_over(corpus, "A", Extraction("plain"))
    assert misheard.errors / misheard.tokens == pytest.approx(jiwer.wer(source, heard))
