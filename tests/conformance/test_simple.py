"""False alarms and macro-F against a few recorded lines of Python."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from geceval import ByType, Corpus, Errant, evaluate, evaluate_groups
from geceval.m2 import Block, Blocks, Edit, noop
from geceval.metrics.false_alarms import FalseAlarms, Rule
from support.golden import lines, load

SYSTEMS = ["AMU", "CAMB", "CUUI", "INPUT"]
OVER = {"macro_all_types": "any", "macro_gold_types": "gold", "weighted_by_gold": "weighted"}


def stripped(path: Path) -> list[str]:
    return [line.strip() for line in lines(path)]


@pytest.mark.parametrize("system", SYSTEMS)
def test_false_alarms(shared: Path, system: str) -> None:
    folder = shared / "data" / "conll14"
    source, hypothesis, *references = (
        stripped(folder / name) for name in ("source.txt", f"systems/{system}.txt", "ref0.txt", "ref1.txt")
    )
    recorded = load(shared / "golden" / "learned" / "simple.json")["false_positives"][system]
    cases: list[tuple[str, Rule, list[list[str]]]] = [
        ("ref0", "all", references[:1]), ("ref1", "any", references[1:]),
        ("any", "any", references), ("all", "all", references),
    ]  # fmt: skip
    for name, rule, texts in cases:
        [[result]] = evaluate(
            Corpus(source, texts, {"it": hypothesis}), [FalseAlarms(rule)], views=["corpus"], checks=False
        ).values()
        score = result.score()
        assert score.value == pytest.approx(recorded[name]["rate"], abs=1e-12)
        assert (score.totals["correct"], score.totals["changed"]) == (
            recorded[name]["correct_sentences"],
            recorded[name]["changed"],
        )
    [[each]] = evaluate(
        Corpus(source, references, {"it": hypothesis}), [FalseAlarms("each")], views=["corpus"], checks=False
    ).values()
    assert each.score().value == pytest.approx(np.mean([recorded[name]["rate"] for name in ("ref0", "ref1")]))


def of_one(blocks: Blocks, annotator: int) -> list[Block]:
    def only(block: Block) -> tuple[Edit, ...]:
        return tuple(edit for edit in block.edits if edit.annotator == annotator) or (noop(annotator),)

    return [Block(block.source, only(block)) for block in blocks]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("annotator", [0, 1])
def test_macro(shared: Path, system: str, annotator: int) -> None:
    folder = shared / "data" / "conll14-errant"
    recorded = load(shared / "golden" / "learned" / "simple.json")["macro_f"][system][f"ref{annotator}"]
    gold, system_blocks = (Blocks.read(folder / f"{name}.m2") for name in ("gold", system))
    corpus = Corpus(gold.source, (), {"it": system_blocks}, of_one(gold, annotator))
    [[result]] = evaluate_groups(corpus, [Errant()], ByType("type")).values()
    groups = result.groups()
    figures = {label: [*map(int, group.totals.values()), group.value] for label, group in groups.items()}
    assert figures == {label: pytest.approx(row, abs=1e-12) for label, row in recorded["types"].items()}
    for name, over in OVER.items():
        assert result.macro(over) == pytest.approx(recorded[name], abs=1e-12)  # type: ignore[arg-type]
    assert result.score().value == pytest.approx(recorded["micro"], abs=1e-12)
