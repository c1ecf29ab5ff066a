"""Results with the references of each annotator alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from geceval import Cleme, Corpus, Errant, Gleu, Green, MaxMatch, compare, m2
from geceval.comparison.verdicts import verdicts
from geceval.extending import Metric
from geceval.resampling import replicates
from geceval.resampling.comparison_results import Comparison

RNG = np.random.default_rng(5)
WORDS = "a b c d e f g h".split()
SOURCE = [" ".join(RNG.choice(WORDS, 7)) for _ in range(80)]


def corrected(share: float, seed: int, letters: Sequence[str] = WORDS) -> list[str]:
    """Return the source with a share of these words in upper case."""
    rng = np.random.default_rng(seed)
    return [
        " ".join(word.upper() if word in letters and rng.random() < share else word for word in line.split())
        for line in SOURCE
    ]


REFERENCES = [corrected(0.9, 1, "abcd"), corrected(0.9, 2, "abgh"), corrected(0.6, 3)]
SYSTEMS = {"x": corrected(0.7, 4, "abc"), "y": corrected(0.7, 5, "abg"), "z": corrected(0.4, 6, "ab")}


def compared(references: Sequence[list[str]], *metrics: Metric[Any], **options: Any) -> Comparison:
    return compare(Corpus(SOURCE, references, SYSTEMS), metrics, samples=400, checks=False, **options)


@pytest.mark.parametrize("metric", [Green(n=2), Errant(), Gleu(n=2, iterations=10)])
@pytest.mark.parametrize("options", [{}, {"test": "bootstrap"}, {"blocks": [k // 2 for k in range(80)]}])
@pytest.mark.parametrize("many_units", [500, 20])
def test_result_of_an_annotator_is_that_of_these_references_alone(
    metric: Metric[Any], options: Any, many_units: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replicates, "MANY_UNITS", many_units)
    together = compared(REFERENCES, metric, **options)
    assert len(together.by_annotator) == 9
    for annotator, reference in enumerate(REFERENCES):
        alone = compared([reference], metric, **options)
        assert alone.by_annotator == ()
        for pair in alone.pairs:
            [row] = [row for row in together[metric.name].of_annotators(pair) if row.annotator == annotator]
            for name in ("difference", "effect", "better", "equal", "worse"):
                assert getattr(row, name) == pytest.approx(getattr(pair, name), abs=1e-12), name
            near = {"abs": 1e-12} if many_units == 500 else {"abs": 0.08}  # of a normal distribution
            assert (row.low, row.high, row.p) == pytest.approx((pair.low, pair.high, pair.p), **near)


def edits_of(line: str, reference: str, annotator: int) -> str:
    """Return the edits of a line as M2, or its noop."""
    words = zip(line.split(), reference.split(), strict=True)
    edits = [(f"{k} {k + 1}|||R", new) for k, (old, new) in enumerate(words) if old != new] or [
        ("-1 -1|||noop", "-NONE-")
    ]
    return "".join(f"A {span}|||{text}|||REQUIRED|||-NONE-|||{annotator}\n" for span, text in edits)


def gold_of(tmp_path: Path, annotators: Sequence[int]) -> Any:
    lines = [
        f"S {line}\n" + "".join(edits_of(line, REFERENCES[annotator][at], annotator) for annotator in annotators)
        for at, line in enumerate(SOURCE)
    ]
    (tmp_path / "gold.m2").write_text("\n".join(lines))
    return m2.read(tmp_path / "gold.m2")


def test_result_of_an_annotator_of_m2_is_that_of_the_annotator_alone(tmp_path: Path) -> None:
    def of(annotators: Sequence[int]) -> Comparison:
        corpus = Corpus(SOURCE, [], SYSTEMS, gold_of(tmp_path, annotators))
        return compare(corpus, [MaxMatch()], samples=100, checks=False)

    together = of([0, 2])
    assert len(together.by_annotator) == 6
    for number, annotator in enumerate((0, 2)):
        for pair in of([annotator]).pairs:
            row = together["maxmatch"].of_annotators(pair)[number]
            assert row.difference == pytest.approx(pair.difference)
            assert row.p == pytest.approx(pair.p, abs=0.08)


def test_metric_of_all_references_and_sentences_without_a_reference_have_no_results_of_annotators() -> None:
    assert compared(REFERENCES, Cleme()).by_annotator == ()
    with_gaps = [REFERENCES[0], [*REFERENCES[1][:-1], None]]
    assert compared(with_gaps, Green()).by_annotator == ()  # type: ignore[arg-type]


def test_sentences_state_the_results_of_annotators(snapshot: SnapshotAssertion) -> None:
    assert verdicts(compared(REFERENCES, Green(n=2), Errant()), "group", 2) == snapshot
    two = compare(Corpus(SOURCE, REFERENCES[:2], {n: SYSTEMS[n] for n in "xz"}), [Green(n=2), Errant()], checks=False)
    assert verdicts(two, "group", 2) == snapshot
