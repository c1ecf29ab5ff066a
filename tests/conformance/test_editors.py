"""The simulated editors of research/simulations.md, from the CoNLL-2014 outputs."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from geceval.m2 import Edit
from support.scripts import import_script, run_main

PAGE = Path(__file__).parents[2] / "research" / "simulations.md"
editors = import_script("research/editors.py")


def test_the_page_has_the_simulated_scores(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shared / "data" / "conll14"
    outputs = [folder / "systems" / f"{name}.txt" for name in ("AMU", "CAMB", "RAC", "UMC")]
    assert run_main(editors, "--gold", folder / "gold.m2", "-c", *outputs) == 0
    assert capsys.readouterr().out in PAGE.read_text(encoding="utf-8")


def test_editors_of_strictness_0_and_1_take_the_output_and_the_gold() -> None:
    gold = [Edit(0, 1, "R:NOUN", ["Cats"]), Edit(3, 3, "M:PUNCT", ["."])]
    edits = [Edit(0, 1, "R:NOUN", ["Dogs"]), Edit(1, 2, "R:VERB", ["sleep"])]
    draw = random.Random(0)
    assert editors.post_edited(gold, edits, 1.0, draw) == gold
    assert editors.post_edited(gold, edits, 0.0, draw) == edits
    assert editors.post_edited(gold, gold, 0.0, draw) == gold
