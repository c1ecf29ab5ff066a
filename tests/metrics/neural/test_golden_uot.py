"""UOT-ERRANT against the public code, with the same stand-in for ELECTRA."""

from __future__ import annotations

import json
import runpy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from geceval import Corpus, UotErrant, m2
from geceval.counting.policies import best
from geceval.m2 import Block
from support.golden import load

SYSTEMS = ("AMU", "CAMB", "CUUI")
SETTINGS = ({"vectorize": "src-add"}, {"cost": "cosine"}, {"mass": "uniform"}, {"reg": 0.5, "reg_m": 1.0})
RUNS = ("default", *map(json.dumps, SETTINGS))
#: The public code has float32 vectors and expands |x - y|², so that the distance of equal vectors is some 1e-4.
CELL, CORPUS = 2e-3, 1e-4


@pytest.fixture(scope="session")
def electra(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("models")
    runpy.run_path(str(shared / "golden" / "learned" / "make_models.py"))["make"](folder)
    return str(folder / "electra")


@cache
def blocks(path: Path) -> list[Block]:
    return list(m2.read(path))


def corpus_of(shared: Path, system: str, indices: list[int]) -> Corpus:
    folder = shared / "data" / "conll14-errant"
    gold, own = ([blocks(folder / f"{name}.m2")[s] for s in indices] for name in ("gold", system))
    return Corpus([block.source for block in gold], (), {system: own}, gold)


def massless(metric: UotErrant, corpus: Corpus, system: str) -> set[tuple[int, int]]:
    """The pairs with an edit without mass, of which the public code makes the start kernel or no number."""
    pairs = metric.pairs(metric.prepare(corpus), corpus.systems[system], 1)
    return {
        (s, r)
        for s, row in enumerate(pairs)
        for r, pair in enumerate(row)
        if len(pair.system.mass)
        and len(pair.reference.mass)
        and not all(np.linalg.norm(side.vectors, axis=1).all() for side in (pair.system, pair.reference))
    }


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_cells(shared: Path, electra: str, system: str, run: str) -> None:
    document = load(shared / "golden" / "learned" / "uot.json")
    recorded = document["systems"][system]["runs"][run]
    settings: dict[str, Any] = {} if run == "default" else json.loads(run)
    zero = "left-out" if settings.get("cost") == "cosine" else "public"
    metric = UotErrant(model=electra, zero=zero, **settings)  # type: ignore[arg-type]
    corpus = corpus_of(shared, system, document["indices"])
    counts = metric.counts(corpus.source, corpus.systems[system], gold=corpus.gold)
    expected = np.array(recorded["per_reference"], dtype=float)
    marked = massless(metric, corpus, system)
    assert 1 <= len(marked) <= 8
    known = ~np.isnan(expected).any(axis=-1)
    np.testing.assert_allclose(counts.array[..., :3][known], expected[known], rtol=0, atol=CELL)
    apart = np.abs(counts.array[..., :3] - expected).max(axis=-1)
    assert (apart[known] > 1e-5).sum() <= 7  # of 120
    assert {(s, r) for s, r in np.argwhere(~known).tolist()} <= marked
    if known.all():
        [totals] = metric.totals(counts)
        assert float(metric.score(totals)) == pytest.approx(recorded["corpus"]["f"], abs=CORPUS)
        rows = counts.chosen(best(metric.figure, counts))
        assert metric.score(rows) == pytest.approx(recorded["sentences"], abs=5e-3)


@pytest.mark.parametrize("system", SYSTEMS)
def test_masses(shared: Path, electra: str, system: str) -> None:
    document = load(shared / "golden" / "learned" / "uot.json")
    corpus = corpus_of(shared, system, document["indices"])
    metric = UotErrant(model=electra)
    pairs = metric.pairs(metric.prepare(corpus), corpus.systems[system], 1)
    for row, expected in zip(pairs, document["systems"][system]["masses"], strict=True):
        assert row[0].system.mass == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize("system", SYSTEMS)
def test_edits_without_mass_are_left_out(shared: Path, electra: str, system: str) -> None:
    """Elsewhere nothing changes; there a pair has the plan of the edits that have some."""
    document = load(shared / "golden" / "learned" / "uot.json")
    corpus = corpus_of(shared, system, document["indices"])
    ours, public = UotErrant(model=electra), UotErrant(model=electra, zero="public")
    counts, theirs = (m.counts(corpus.source, corpus.systems[system], gold=corpus.gold).array for m in (ours, public))
    differing = {(s, r) for s, r in np.argwhere((counts != theirs).any(axis=-1)).tolist()}
    assert differing <= massless(ours, corpus, system)
