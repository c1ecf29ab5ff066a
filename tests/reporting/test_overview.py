"""The overview has the numbers of comparison, groups, types and agreement."""

from __future__ import annotations

import numpy as np
import pytest

import geceval
from geceval import ByType, Cleme2, Errant, Gleu, Green, compare, evaluate_groups
from geceval.counting.comparison_options import Options
from geceval.counting.groupings import BySentence, length_bands
from geceval.reporting.overview import Overview, overview
from geceval.statistics.correlation import spearman
from support.reports import labelled_examples

METRICS = [Errant(), Green(), Cleme2(), Gleu()]
LABELS = [f"essay {k % 3}" for k in range(40)]


@pytest.fixture(scope="module")
def corpus() -> geceval.Corpus:
    return labelled_examples(LABELS)


@pytest.fixture(scope="module")
def summary(corpus: geceval.Corpus) -> Overview:
    return overview(corpus, METRICS, Options(samples=300), groups=LABELS, sentences=10)


def test_comparison_is_that_of_compare(corpus: geceval.Corpus, summary: Overview) -> None:
    assert vars(summary.comparison) | {"answered": None} == vars(compare(corpus, METRICS, samples=300))


def test_groups_are_those_of_evaluate_groups(corpus: geceval.Corpus, summary: Overview) -> None:
    for kind, grouping, metrics in (
        ("types", ByType("type"), [Errant(), Cleme2()]),
        ("lengths", BySentence(length_bands), METRICS),
        ("groups", BySentence(), METRICS),
    ):
        tables = getattr(summary, kind)
        assert [table.metric for table in tables] == [metric.name for metric in metrics]
        for system, results in evaluate_groups(corpus, metrics, grouping).items():
            for table, result in zip(tables, results, strict=True):
                groups = {str(label): group for label, group in result.groups().items()}
                assert set(groups) <= set(table.groups)
                for group in table.groups:
                    cell = table.cells[system][group]
                    assert (cell is None) == (group not in groups)
                    if cell is not None:
                        assert (cell.value, cell.parts) == (groups[group].value, groups[group].parts)
                        if table.sentences is not None:
                            assert table.sentences[group] == groups[group].sentences


def test_found_wrong_and_missed_edits_are_the_counts(corpus: geceval.Corpus, summary: Overview) -> None:
    types = next(table for table in summary.types if table.metric == "errant")
    for system, [result] in evaluate_groups(corpus, [Errant()], ByType("type")).items():
        for label, group in result.groups().items():
            cell = types.cells[system][label]
            assert cell is not None
            assert [cell.found, cell.wrong, cell.missed] == [group.totals[name] for name in ("tp", "fp", "fn")]


def test_betas_are_those_of_scores_that_are_f(summary: Overview) -> None:
    """CLEME2.0 has precision and recall, but its score is not an F."""
    assert summary.betas == {"errant": 0.5, "green": 2.0}


def test_agreement_of_metrics_is_spearman(corpus: geceval.Corpus, summary: Overview) -> None:
    results = geceval.evaluate(corpus, METRICS)
    outputs = np.array([np.concatenate([row[k].sentence_scores() for row in results.values()]) for k in range(4)])
    systems = np.array([[row[k].score().value for row in results.values()] for k in range(4)])
    assert summary.agreement.metrics == tuple(metric.name for metric in METRICS)
    for i in range(4):
        for j in range(4):
            assert summary.agreement.of_outputs[i][j] == pytest.approx(float(spearman(outputs[i], outputs[j])))
            assert summary.agreement.of_systems[i][j] == pytest.approx(float(spearman(systems[i], systems[j])))


def test_examined_sentences_are_the_requested_number(summary: Overview) -> None:
    assert summary.examined is not None
    assert len(summary.examined) == 10
    assert sum(summary.selected.values()) == 10
    assert next(iter(summary.examined)).label in LABELS


def test_bands_of_length_stand_in_order() -> None:
    source = ["a " * 50, "a " * 5, "a " * 15, "", "a " * 35]
    corpus = geceval.Corpus(source, [source], {"A": source, "B": source})
    summary = overview(corpus, [Green()], Options(samples=10), checks=False)
    assert summary.lengths[0].groups == ("0", "1-10", "11-20", "31-40", "41+")
