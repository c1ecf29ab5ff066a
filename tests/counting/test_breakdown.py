"""Tables by groups, from Python: labels travel with the counts, a metric says what it knows of kinds of edits."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import ByLength, BySentence, ByType, Cleme, Corpus, Errant, Gleu, Green, MaxMatch
from geceval.counting.breakdown import Breakdown
from geceval.counting.consumers import KeptCounts
from geceval.counting.counts import Counts
from geceval.counting.figures import Figure
from geceval.counting.groupings import Grouping
from geceval.counting.policies import Chosen, Policy
from geceval.counting.run import Run
from geceval.counting.run_options import RunOptions
from geceval.extending import length_bands
from geceval.m2 import Block, Edit
from geceval.text.m2.edit import cut_at_colons
from support.messages import message_of

SOURCE = ["He go home .", "She have a cats .", "", "a " * 41]
REFERENCES = [["He goes home .", "She has a cat .", "", "a " * 41]]
SYSTEM = ["He goes home .", "She has a cats .", "x", "a " * 40]


def labelled_corpus(labels: Any = None) -> Corpus:
    return Corpus(SOURCE, REFERENCES, {"it": SYSTEM}, labels=labels)


def test_bands_of_length() -> None:
    lengths = [0, 1, 10, 11, 20, 21, 30, 31, 40, 41, 500]
    source = ["a " * length for length in lengths]
    bands = ["0", "1-10", "1-10", "11-20", "11-20", "21-30", "21-30", "31-40", "31-40", "41+", "41+"]
    assert length_bands(Corpus(source, [source])) == bands
    assert sorted(set(bands)) == list(dict.fromkeys(bands)), "in order as they are sorted"


@pytest.mark.parametrize("metric", [Green(), Gleu(), Gleu(selection="mean"), Errant(), Cleme()], ids=lambda m: m.name)
@pytest.mark.parametrize("block", [1, 3, None])
def test_groups_are_corpora_of_their_own_where_references_are_not_chosen(metric: Any, block: int | None) -> None:
    """With one reference nothing is chosen; only CLEME's mean length is that of the whole corpus."""
    corpus = labelled_corpus(["x", "y", "x", "y"])
    [result] = geceval.evaluate_groups(corpus, [metric], BySentence(), block=block, checks=False)["it"]
    prepared = metric.prepare(labelled_corpus())
    constant = metric.constant.with_constant(metric.constant.sums(prepared, SYSTEM)) if metric.constant else metric
    for label, start in (("x", 0), ("y", 1)):
        source, reference, system = (text[start::2] for text in (SOURCE, REFERENCES[0], SYSTEM))
        alone, group = constant.corpus_score(source, system, [reference]), result.groups()[label]
        assert (group.value, group.parts, group.totals) == (alone.value, alone.parts, alone.totals)
        assert group.sentences == 2
    assert result.score() == metric.corpus_score(SOURCE, SYSTEM, REFERENCES)


def test_labels_are_required(snapshot: SnapshotAssertion) -> None:
    assert message_of(geceval.evaluate_groups, labelled_corpus(), [Green()], BySentence()) == snapshot


@pytest.mark.parametrize("grouping", [ByType(), ByLength()], ids=["types", "lengths"])
def test_what_a_metric_does_not_know_is_refused_before_anything_is_counted(
    grouping: Grouping, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setattr(Errant, "count", None)
    assert message_of(geceval.evaluate_groups, labelled_corpus(), [Errant(), Green()], grouping) == snapshot


def test_a_recall_by_length_is_that_of_the_gold() -> None:
    block = Block("a b c d", (Edit(0, 1, "X", ("x", "y y y")), Edit(1, 3, "Y", ("-NONE-",))))
    both = Corpus([block.source], (), {"it": ["x b c d"]}, [block])
    [result] = geceval.evaluate_groups(both, [MaxMatch()], ByLength())["it"]
    groups = result.groups()
    assert [(label, group.parts["recall"], group.value) for label, group in groups.items()] == [
        (1, 1.0, None),
        (2, 0.0, None),
    ]
    [result] = geceval.evaluate_groups(both, [MaxMatch()], BySentence(lambda part: ["all"] * len(part)))["it"]
    assert result.groups()["all"].value == result.score().value


def test_types_are_cut_at_their_colons() -> None:
    types = ["R:NOUN:NUM", "M:DET+R:VERB", "R:VERB+R:VERB", "UNK", "ArtOrDet", "Rloc-", "X:Y", ""]
    operations = ["R", "M+R", "R", "UNK", "(none)", "(none)", "(none)", "(none)"]
    rest = ["NOUN:NUM", "DET+VERB", "VERB", "UNK", "ArtOrDet", "Rloc-", "X:Y", ""]
    for type_, operation, kind in itertools.zip_longest(types, operations, rest):
        assert [cut_at_colons(type_, tier) for tier in ("operation", "type", "full")] == [operation, kind, type_]


# --- sums do not depend on the split ---


def random_counts(sentences: int, seed: int) -> Counts:
    """Return counts of floats whose sum depends on the order of plain additions."""
    drawn = np.random.default_rng(seed)
    array = drawn.random((sentences, 1, 28)) * 10.0 ** drawn.integers(-9, 9, (sentences, 1, 1))
    return Counts(array, Green().columns, labels=drawn.choice(["a", "b", "c"], sentences).tolist())


@pytest.mark.parametrize("size", [1, 7, 40])
def test_sums_of_groups_are_exact_however_parts_are_merged(size: int) -> None:
    counts = random_counts(100, 3)
    merged = Breakdown(Green(), BySentence())
    for start in reversed(range(0, 100, size)):
        part = Breakdown(Green(), BySentence())
        labels = (counts.labels or [])[start : start + size]
        part.add(Counts(counts.array[start : start + size], counts.columns, labels=labels))
        merged.merge(part)
    groups = merged.result()
    for label, sums in zip(groups.labels, groups.sums[0], strict=True):
        rows = counts.array[[group == label for group in counts.labels or []], 0]
        assert sums.tolist() == [math.fsum(column) for column in rows.T]


def test_scores_of_groups_are_rounded_as_scores_of_corpora() -> None:
    source = [f"a b c d e f {s}" for s in range(24)]
    references = [[f"a b x{s % 5} d e f {s}" for s in range(24)], [f"y a b c z{s % 3} {s}" for s in range(24)]]
    metric, labels = Gleu(), [s % 2 for s in range(24)]
    corpus = Corpus(source, references, {"system": references[0][:9] + references[1][9:]}, labels=labels)
    [result] = geceval.evaluate_groups(corpus, [metric], BySentence(), checks=False)["system"]
    counts = metric.counts(source, corpus.systems["system"], references)
    chosen = np.stack([counts.chosen(choice) for choice in metric.choices(counts)])
    for label, group in result.groups().items():
        of_group = chosen[:, np.array(labels) == label].sum(axis=1)
        assert group.value == metric.score(of_group).mean()
        assert group.parts == {name: part.mean() for name, part in metric.parts(of_group).items()}


@dataclass(frozen=True)
class LastInChunks(Policy):
    """Choice of the last reference, of some sentences at a time, the last ones first."""

    name: ClassVar[str] = "last"
    order_free: ClassVar[bool] = True
    chunks: int = 1

    def choose(self, figure: Figure, counts: Counts, state: None) -> Iterator[Chosen]:
        for sentences in np.array_split(np.arange(len(counts))[::-1], self.chunks):
            yield sentences, (counts.array.shape[1] - 1 - sentences % 2)[np.newaxis]


@dataclass(frozen=True)
class LastGreen(Green):
    chunks: int = 1

    @property
    def policy(self) -> Policy:
        return LastInChunks(chunks=self.chunks)


def test_policies_may_choose_for_some_sentences_at_a_time() -> None:
    references, intervals = [*REFERENCES, SOURCE], []
    corpus = Corpus(SOURCE, references, {"it": SYSTEM, "source": SOURCE}, labels=["x", "y", "x", "y"])
    for metric in (LastGreen(chunks=1), LastGreen(chunks=3)):
        [result] = geceval.evaluate_groups(corpus, [metric], BySentence(), checks=False)["it"]
        counts = metric.counts(SOURCE, SYSTEM, references)
        for label, start in (("x", 0), ("y", 1)):
            totals = counts.array[start::2, 1 - start].sum(axis=0)
            assert result.groups()[label].value == metric.score(totals)
        comparison = geceval.compare(corpus, [metric], samples=100, checks=False)
        intervals.append([(row.value, row.low, row.high) for row in comparison.systems])
    assert intervals[0] == intervals[1]


def test_sums_of_types_are_exact() -> None:
    """The weights of CLEME's chunks are no binary fractions."""
    rows = ["I has the a pen .", "They was at in school now .", "It rain much much .", "Him like tea a lot ."] * 30
    right = ["I have a pen .", "They were at school now .", "It rains much .", "He likes tea a lot ."] * 30
    corpus = Corpus(rows, [right], {"it": [right[s] if s % 3 else row for s, row in enumerate(rows)]})
    [result] = geceval.evaluate_groups(corpus, [Cleme()], ByType("operation"), checks=False)["it"]
    run = Run(corpus, [Cleme()], RunOptions(evidence=True, checks=False))
    evidence = run.consume(lambda _, metric: KeptCounts(metric))["it", Cleme()].result().evidence
    assert evidence is not None
    assert evidence.type is not None
    columns, types = Cleme().columns, [cut_at_colons(evidence.strings[code], "operation") for code in evidence.type]
    assert {"R", "U"} <= result.groups().keys()
    for label in ("R", "U"):
        for k, column in enumerate(columns):
            is_of_cell = (evidence.column == k) & np.array([name == label for name in types])
            expected = math.fsum(evidence.weight[is_of_cell])
            assert result.groups()[label].totals[column] == expected


def test_floats_without_evidence_have_no_groups() -> None:
    """Such as those of empty sentences under PT-M2."""
    counts = Cleme().counts([""], [""], [[""]], evidence=True)
    assert counts.evidence is not None
    breakdown = Breakdown(Cleme(), ByType("operation"))
    breakdown.add(replace(counts, evidence=counts.evidence.take(np.zeros(0, np.int64))))
    assert breakdown.result().labels == ()
