"""The figures of docs/training.md are what the program computes."""

from __future__ import annotations

from pathlib import Path

import pytest

import geceval
from support.golden import lines

PAGE = Path(__file__).parents[2] / "docs" / "training.md"
FIVE = ("AMU", "CAMB", "RAC", "CUUI", "POST")


@pytest.mark.filterwarnings("ignore:.*fewer than 4 tokens has the lowest score")
def test_what_a_choice_among_five_systems_brings(shared: Path) -> None:
    folder = shared / "data" / "conll14"
    source, *references = (lines(folder / name) for name in ("source.txt", "ref0.txt", "ref1.txt"))
    systems = {name: lines(folder / "systems" / f"{name}.txt") for name in FIVE}
    candidates = list(zip(*systems.values(), strict=True))
    per_sentence = list(zip(*references, strict=True))
    chosen = {
        "has {errant} ERRANT": geceval.mbr(candidates, "errant", source).texts,
        "best of the five has {errant}": systems["CUUI"],
        "the oracle {errant}": geceval.rerank(candidates, "errant", source, per_sentence=per_sentence).texts,
        "has {green} GREEN": geceval.mbr(candidates, "green", source).texts,
        "where the best has {green}": systems["CAMB"],
    }
    scorer = geceval.Scorer(["green", "errant"], source, references, checks=False)
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    for statement, texts in chosen.items():
        figures = {name: f"{100 * score.value:.2f}" for name, score in scorer.score(texts).items()}
        assert statement.format(**figures) in page
    alone = {name: scorer.score(texts) for name, texts in systems.items()}
    assert max(alone, key=lambda name: alone[name]["green"]) == "CAMB"
    assert max(alone, key=lambda name: alone[name]["errant"]) == "CUUI"
