"""The overview says what the parts it is made of say."""

from __future__ import annotations

import numpy as np
import pytest

import geceval
from geceval import ByType, Cleme2, Errant, Gleu, Green, compare, evaluate_groups
from geceval.counting.breakdown import BySentence, length_bands
from geceval.counting.comparison_options import Options
from geceval.reporting.overview import Overview, overview
from geceval.statistics.correlation import spearman
from support.reports import labelled_examples

METRICS = [Errant(), Green(), Cleme2(), Gleu()]
LABELS = [f"essay {k % 3}" for k in range(40)]


@pytest.fixture(scope="module")
def corpus() -> geceval.Corpus:
    return labelled_examples(LABELS)


@pytest.fixture(scope="module")
def found(corpus: geceval.Corpus) -> Overview:
    return overview(corpus, METRICS, Options(samples=300), groups=LABELS, sentences=10)


def test_the_comparison_is_compare_s(corpus: geceval.Corpus, found: Overview) -> None:
    assert vars(found.comparison) == vars(compare(corpus, METRICS, samples=300))


def test_groups_are_those_of_evaluate_groups(corpus: geceval.Corpus, found: Overview) -> None:
    for kind, grouping, metrics in (
        ("types", ByType("type"), [Errant(), Cleme2()]),
        ("lengths", BySentence(length_bands), METRICS),
        ("groups", BySentence(), METRICS),
    ):
        tables = getattr(found, kind)
        assert [table.metric for table in tables] == [metric.name for metric in metrics]
        for system, results in evaluate_groups(corpus, metrics, grouping).items():
            for table, result in zip(tables, results, strict=True):
                own = {str(label): group for label, group in result.groups().items()}
                assert set(own) <= set(table.groups)
                for group in table.groups:
                    cell = table.cells[system][group]
                    assert (cell is None) == (group not in own)
                    if cell is not None:
                        assert (cell.value, cell.parts) == (own[group].value, own[group].parts)
                        if table.sentences is not None:
                            assert table.sentences[group] == own[group].sentences


def test_what_is_found_wrong_and_missed_are_the_counts(corpus: geceval.Corpus, found: Overview) -> None:
    types = next(table for table in found.types if table.metric == "errant")
    for system, [result] in evaluate_groups(corpus, [Errant()], ByType("type")).items():
        for label, group in result.groups().items():
            cell = types.cells[system][label]
            assert cell is not None
            assert [cell.found, cell.wrong, cell.missed] == [group.totals[name] for name in ("tp", "fp", "fn")]


def test_which_scores_are_f(found: Overview) -> None:
    """CLEME2.0 has precision and recall, and its score is no F."""
    assert found.betas == {"errant": 0.5, "green": 2.0}


def test_agreement(corpus: geceval.Corpus, found: Overview) -> None:
    results = geceval.evaluate(corpus, METRICS)
    outputs = np.array([np.concatenate([row[k].sentence_scores() for row in results.values()]) for k in range(4)])
    systems = np.array([[row[k].score().value for row in results.values()] for k in range(4)])
    assert found.agreement.metrics == tuple(metric.name for metric in METRICS)
    for i in range(4):
        for j in range(4):
            assert found.agreement.of_outputs[i][j] == pytest.approx(float(spearman(outputs[i], outputs[j])))
            assert found.agreement.of_systems[i][j] == pytest.approx(float(spearman(systems[i], systems[j])))


def test_sentences(found: Overview) -> None:
    assert found.examined is not None
    assert len(found.examined) == 10
    assert sum(found.taken.values()) == 10
    assert next(iter(found.examined)).label in LABELS


def test_bands_of_length_stand_in_order() -> None:
    source = ["a " * 50, "a " * 5, "a " * 15, "", "a " * 35]
    corpus = geceval.Corpus(source, [source], {"A": source, "B": source})
    found = overview(corpus, [Green()], Options(samples=10), checks=False)
    assert found.lengths[0].groups == ("0", "1-10", "11-20", "31-40", "41+")
