"""I-measure against what the authors' program printed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from geceval import Corpus, IMeasure, evaluate
from geceval.counting.run import kept_counts
from geceval.metrics.imeasure import Aspect, confusion_of
from geceval.text.corpus import as_text
from geceval.text.m2 import Blocks
from support.golden import load

ASPECTS: dict[str, Aspect] = {"Detection": "detection", "Correction": "correction"}
NAMES = {
    "p": "precision", "r": "recall", "f": "f", "acc": "accuracy", "wacc": "weighted_accuracy", "wacc_b": "base"
}  # fmt: skip
RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "nomix": ("ids_nomix", {"mix": 0}),
    "mix": ("ids_mix", {}),
    "nomix_corpus": ("ids_mix", {"mix": 0, "selection": "running"}),
}


def check_totals(corpus: Corpus, recorded: dict[str, Any], settings: dict[str, Any]) -> None:
    for name, aspect in ASPECTS.items():
        # The candidate is chosen by its correction, whatever is looked at.
        metric = IMeasure(**settings)
        [[result]] = evaluate(corpus, [metric]).values()
        expected = recorded["totals"][name]
        counts = confusion_of(result.totals()[0], aspect)._asdict()
        assert counts == {key: expected[key] for key in counts}
        shown = IMeasure(**{**settings, "aspect": aspect})
        figures = shown.parts(result.totals()[0])
        for key, part in NAMES.items():
            assert 100 * figures[part] == pytest.approx(expected[key], abs=0.005001), (name, key)
        assert 100 * shown.score(result.totals()[0]) == pytest.approx(expected["i"], abs=0.005001)


def check_sentences(corpus: Corpus, recorded: list[dict[str, Any]], settings: dict[str, Any]) -> None:
    metric = IMeasure(**settings)
    [counts] = kept_counts(corpus, metric).values()
    [choice] = metric.choices(counts)
    for row, expected in zip(counts.chosen(choice), recorded, strict=True):
        for name, aspect in ASPECTS.items():
            assert [int(count) for count in confusion_of(row, aspect)] == expected[name[:3]]
            score = IMeasure(**{**settings, "aspect": aspect}).score(row)
            assert 100 * score == pytest.approx(expected[f"{name[:3]}_I"], abs=0.005001)


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("system", ["AMU", "CAMB", "CUUI"])
def test_conll14(shared: Path, system: str, run: str) -> None:
    document = load(shared / "golden" / "learned" / "imeasure.json")
    which, settings = RUNS[run]
    recorded = document["runs"][system][run]
    folder = shared / "data" / "conll14-errant"
    ids = document[which]
    gold, own = (Blocks.read(folder / f"{name}.m2") for name in ("gold", system))
    corpus = Corpus([gold[s].source for s in ids], (), {system: as_text([own[s] for s in ids])}, [gold[s] for s in ids])
    check_totals(corpus, recorded, settings)
    if "sentences" in recorded:
        check_sentences(corpus, [recorded["sentences"][str(s)] for s in ids], settings)


#: Its two errors, each corrected by both annotators in their way.
FIRST = ["These machines are designed", "This machine is designed"]
SECOND = ["for helping people .", "to help people ."]


@pytest.mark.parametrize(
    ("run", "mixed", "settings"),
    [
        ("default", True, {}),
        ("nomix", False, {}),
        ("corpus", True, {"selection": "running"}),
        ("w1", True, {"w": 1.0}),
        ("max_ci", True, {"maximise": "i"}),
    ],
)
def test_the_example_of_the_program(shared: Path, run: str, mixed: bool, settings: dict[str, Any]) -> None:
    """Its file says which edits are about one error, where ours go by overlap; so the candidates are given as texts."""
    example = load(shared / "golden" / "learned" / "imeasure.json")["example"]
    pairs = [(a, b) for a in (0, 1) for b in (0, 1) if mixed or a == b]
    references = [[f"{FIRST[a]} {SECOND[b]}"] for a, b in pairs]
    corpus = Corpus([example["input"]["source"]], references, {"it": [example["input"]["hypothesis"]]})
    check_totals(corpus, example[run], {"mix": 0, **settings})
    check_sentences(corpus, [example[run]["sentences"]["1"]], {"mix": 0, **settings})
