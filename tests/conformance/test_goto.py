"""GoToScorer against what the authors' program (GTS) yields."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from geceval import Corpus, Goto, evaluate
from geceval.counting.groupings import evidence_of
from geceval.counting.system_results import kept_counts
from geceval.m2 import Blocks
from support.golden import load

RUNS = [(at, weights) for at in range(4) for weights in ("weighted", "unweighted")]


@cache
def blocks(path: Path) -> Blocks:
    return Blocks.read(path)


def corpus_of(shared: Path, run: dict[str, Any]) -> Corpus:
    folder = shared / "data" / "conll14-errant"
    of = {name: blocks(folder / f"{name}.m2") for name in ("gold", *run["systems"])}
    picked = {
        name: version if run["set"] == "all" else Blocks.of([version[s] for s in run["indices"]])
        for name, version in of.items()
    }
    gold = picked.pop("gold")
    return Corpus(gold.source, (), picked, gold)


@pytest.mark.parametrize(("at", "weights"), RUNS)
def test_counts_and_scores(shared: Path, at: int, weights: str) -> None:
    run = load(shared / "golden" / "learned" / "gotoscorer.json")["runs"][at]
    corpus = corpus_of(shared, run)
    settings: dict[str, Any] = {"ref_id": run["ref_id"], "weights": "pool" if weights == "weighted" else "none"}
    metrics = [Goto(beta=beta, **settings) for beta in (1.0, 0.5)]
    for name, expected in zip(run["systems"], run[weights], strict=True):
        f1, f05 = (result.score() for result in evaluate(corpus, metrics)[name])
        figures = {
            **{column: f1.totals[column] for column in ("tp", "fp", "fn", "tn")},
            "p": f1.parts["precision"], "r": f1.parts["recall"], "accuracy": f1.parts["accuracy"],
            "f1": f1.value, "f0.5": f05.value,
        }  # fmt: skip
        assert figures == pytest.approx(expected, rel=0, abs=1e-9)


@pytest.mark.parametrize("at", [0, 1])
def test_every_chunk(shared: Path, at: int) -> None:
    """How many systems have it right: of three, what is left of its weight."""
    run = load(shared / "golden" / "learned" / "gotoscorer.json")["runs"][at]
    metric = Goto(ref_id=run["ref_id"])
    for counts in kept_counts(corpus_of(shared, run), metric, evidence=True).values():
        evidence = evidence_of(counts)
        tp, _, fn, _, every = range(len(metric.columns))
        chunks = evidence.column == every
        right = np.rint(3 - 3 * evidence.weight[chunks]).astype(int)
        assert "".join(map(str, right)) == "".join(run["right_systems_per_chunk"])
        assert len(right) == run["chunks"]
        assert evidence.side is not None
        edits = int(np.isin(evidence.column, (tp, fn))[evidence.side == 1].sum())
        assert edits == "".join(run["is_edit"]).count("1")
