"""GMEG's ratings against the golden figures; the data are the user's own, so where they are says GECEVAL_GMEG."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from geceval.counting.metric_names import make_metric
from geceval.statistics.correlation import Correlations
from geceval.studies.meta.ratings import read_ratings
from geceval.studies.meta.sentence_agreement import accuracy
from geceval.studies.meta.study import StudyOptions, StudyResults, evaluate_metrics, make_study
from geceval.text.reading.corpus_files import read_corpus

SYSTEMS = ("amu", "lstm", "lstm-r", "marian", "nus", "source", "transformer")
METRICS = ("green", "gleu", "errant")
DOMAINS = ("fce", "wiki")
#: A checkout of grammarly/GMEG, folder data/dev.
GMEG = os.environ.get("GECEVAL_GMEG")


@pytest.fixture(scope="module", params=DOMAINS)
def domain(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def golden(domain: str, shared: Path) -> Any:
    return json.loads((shared / "golden/learned/gmeg.json").read_text(encoding="utf-8"))[domain]


@pytest.mark.parametrize("metric", METRICS)
def test_system_level_follows_from_the_scores(golden: Any, metric: str) -> None:
    own = golden["metrics"][metric]
    for key, systems in (
        ("system_level_7", SYSTEMS),
        ("system_level_6_without_source", tuple(name for name in SYSTEMS if name != "source")),
    ):
        found = Correlations.of([own["corpus"][name] for name in systems], [golden["human_corpus"][s] for s in systems])
        expected = own[key]
        assert (found.pearson, found.spearman, found.kendall) == pytest.approx(
            (expected["pearson"], expected["spearman"], expected["kendall_b"]), abs=1e-9
        )


@pytest.fixture(scope="module")
def results(domain: str, golden: Any) -> StudyResults:
    if GMEG is None:
        pytest.skip("GECEVAL_GMEG does not say where GMEG's data/dev is")
    folder = Path(GMEG) / domain
    for name, digest in golden["md5"].items():
        assert hashlib.md5((folder / name).read_bytes()).hexdigest() == digest, name
    references = [str(folder / f"ref{r}") for r in range(4)]
    corpus = read_corpus(str(folder / "source"), references, [str(folder / name) for name in SYSTEMS])
    study = make_study(read_ratings(Path(GMEG) / f"{domain}-segment-scores.csv"), corpus)
    return evaluate_metrics(study, [make_metric(name) for name in METRICS], StudyOptions(resamples=0))


def test_people_are_the_published_means(results: StudyResults, golden: Any) -> None:
    published = [golden["human_corpus"][name] for name in results.study.systems]
    assert results.people == pytest.approx(published, abs=1e-9)


def test_metrics_and_agreement_are_the_golden_ones(results: StudyResults, golden: Any) -> None:
    for name, result in zip(METRICS, results.metrics, strict=True):
        own = golden["metrics"][name]
        assert result.scores.values == pytest.approx([own["corpus"][s] for s in results.study.systems], abs=1e-9)
        means = np.array([own["mean_of_sentence_scores"][s] for s in results.study.systems])
        assert result.scores.sentences.mean(axis=1) == pytest.approx(means, abs=1e-9)
        assert result.segments is not None
        found, expected = result.segments.agreement, own["segment_level"]
        assert found.pearson == pytest.approx(expected["pearson_all_pairs"], abs=1e-9)
        assert found.spearman == pytest.approx(expected["spearman_all_pairs"], abs=1e-9)
        assert found.kendall == pytest.approx(expected["kendall_b_all_pairs"], abs=1e-9)
        pairs = own["segment_pairs_with_unequal_ratings"]
        verdicts = result.verdicts
        # Pairs closer than 1e-9 and not equal (equal fractions, rounded) are ties here and were decided there.
        near = int(verdicts.tied) - pairs["metric_tie"]
        assert 0 <= near <= 10
        assert int(verdicts.agree + verdicts.disagree) == pairs["agree"] + pairs["disagree"] - near
        loss = float(accuracy(verdicts, ties="loss"))
        assert loss == pytest.approx(pairs["accuracy_ties_wrong"], abs=(near + 0.01) / int(verdicts.decided))
