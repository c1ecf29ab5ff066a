"""CLEME and CLEME2.0 worked by hand, and against the twin."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import evaluate, m2
from geceval.counting import counts as sides
from geceval.counting.consumers import KeptCounts
from geceval.counting.run import Run
from geceval.counting.run_options import RunOptions
from geceval.counting.system_results import kept_counts
from geceval.edits import corpus_edits
from geceval.edits.corpus_edits import LruCache
from geceval.edits.extraction import Extractor
from geceval.m2 import Block, Edit, noop
from geceval.metrics.cleme import Cleme
from geceval.metrics.cleme2 import FACTORS, Cleme2
from geceval.metrics.shared import chunk_metric
from geceval.metrics.shared.chunk_metric import TN, MeanChunkLength
from geceval.text.corpus import Corpus
from support.messages import message_of
from support.strategies_edits import edited_corpora, plain, versions_of
from twins import chunks as twins_chunks

ASSUMPTIONS = ("dependent", "independent")

SENTENCE = "When they had visitted of with several old friend , he did wanted to show these picture to our guests ."


def edits(*rows: tuple[int, int, str, int]) -> tuple[Edit, ...]:
    return tuple(
        Edit(start, end, "X", (correction,), annotator=annotator) for start, end, correction, annotator in rows
    )


#: Chunks as in the worked example of the metric's page, and a sentence in which nothing is wrong.
FIRST = edits((3, 4, "visited", 0), (4, 5, "-NONE-", 0), (8, 9, "friends", 0))
SECOND = edits((3, 4, "visited", 1), (4, 5, "-NONE-", 1), (6, 6, "the", 1), (12, 13, "want", 1))
SYSTEM = edits(
    (3, 4, "visited", 0), (8, 9, "friends", 0), (15, 16, "the", 0), (16, 17, "results", 0), (18, 19, "their", 0)
)
GOLD = [Block(SENTENCE, FIRST + SECOND), Block("It is fine .", (noop(0), noop(1)))]
HYPOTHESIS = [Block(SENTENCE, SYSTEM), Block("It is fine .", ())]
TEXT = [block.source for block in GOLD]


def test_by_hand() -> None:
    counts = Cleme(weights="none").counts(TEXT, HYPOTHESIS, gold=GOLD)
    assert counts.columns == ("tp", "fp_necessary", "fp_unnecessary", "fn", "tn")
    assert counts.array[0].tolist() == [[1, 1, 2, 0, 9], [0, 1, 3, 2, 7]]
    independent = Cleme(assumption="independent", weights="none").counts(TEXT, HYPOTHESIS, gold=GOLD)
    assert independent.array[0].tolist() == [[1, 1, 2, 0, 9]] * 2
    score = Cleme(weights="none").corpus_score(TEXT, HYPOTHESIS, gold=GOLD)
    assert score.parts == pytest.approx({"precision": 0.25, "recall": 1.0, "accuracy": 11 / 14})
    assert score.value == pytest.approx(0.25 * 1.25 / (0.25 * 0.25 + 1))
    assert Cleme(weights="none").mean_score(TEXT, HYPOTHESIS, gold=GOLD).value == pytest.approx((1 + 0.2941) / 2)


def test_length_weights_by_hand() -> None:
    score = Cleme().corpus_score(TEXT, HYPOTHESIS, gold=GOLD)
    assert list(score.totals.values()) == pytest.approx([0.802624679775096, 0.75, 1.947375320224904, 0, 10])
    assert score.parts == pytest.approx({"precision": 0.2293, "recall": 1.0, "accuracy": 0.8002}, abs=5e-5)
    assert score.value == pytest.approx(0.27110890707817127)
    assert Cleme().mean_score(TEXT, HYPOTHESIS, gold=GOLD).value == pytest.approx((1 + 0.2711) / 2)
    assert Cleme(x0=1.4).corpus_score(TEXT, HYPOTHESIS, gold=GOLD).totals == score.totals
    assert Cleme(x0=9.0).corpus_score(TEXT, HYPOTHESIS, gold=GOLD).totals != score.totals
    # As the paper weighs sentences: a hit counts at least 2.5 if references are independent.
    sentence = Cleme(weights="length-sentence", assumption="independent").corpus_score(TEXT, HYPOTHESIS, gold=GOLD)
    assert sentence.totals["tp"] == 2.5


def test_cleme2_breaks_ties_as_the_public_code() -> None:
    """Of equal scores, ``running`` prefers counts of the sentence, and sentence scores prefer rates."""
    figure = Cleme2(weights="none").figure
    equal = np.zeros((1, 3, 5), np.int64)
    equal[0, :, 0], equal[0, :, 4] = [1, 3, 2], [0, 0, 9]  # hits only: all rates are equal
    everyone = np.ones((1, 3), bool)
    assert figure.run(equal, everyone, np.zeros(5, np.int64))[0].tolist() == [1]
    assert figure.best(equal, everyone).tolist() == [0]
    changed = np.zeros((1, 2, 5), np.int64)
    changed[0, :, 2], changed[0, :, 4] = [1, 2], [0, 9]  # unnecessary changes only
    assert figure.run(changed, everyone[:, :2], np.zeros(5, np.int64))[0].tolist() == [0]


def test_cleme2_by_hand() -> None:
    score = Cleme2(weights="none").corpus_score(TEXT, HYPOTHESIS, gold=GOLD)
    assert score.value == pytest.approx(0.575)
    assert score.parts == pytest.approx({"hit": 0.5, "wrong": 0.5, "under": 0.0, "over": 0.5})
    sentences = Cleme2(weights="none", factors="sentence").sentence_scores(TEXT, HYPOTHESIS, gold=GOLD)
    assert sentences == pytest.approx([0.6, 0.65])
    assert all(sum(factors) == pytest.approx(1) for factors in FACTORS.values())


def test_without_a_changed_reference_all_weights_are_1() -> None:
    gold = [Block("a b", (noop(0),)), Block("c d", ())]
    hypothesis = [Block("a b", edits((0, 1, "A", 0))), Block("c d", ())]
    score = Cleme().corpus_score(["a b", "c d"], hypothesis, gold=gold)
    assert list(score.totals.values()) == [0, 0, 1, 0, 2]
    assert score.value == 0
    assert Cleme2().corpus_score(["a b", "c d"], hypothesis, gold=gold).value == pytest.approx(0.35 + 0.15)


def test_rounding_decides_which_reference_is_taken() -> None:
    """With 10,000 hits before it F rounds to 1 with either reference; then more hits decide, then fewer misses."""
    hit = Block("a", edits((0, 1, "b", 0), (0, 1, "b", 1)))
    last = Block("a x c x e", edits((0, 1, "b", 0), (2, 3, "d", 0), (4, 5, "f", 0), (0, 1, "z", 1)))
    hypothesis = [Block("a", edits((0, 1, "b", 0)))] * 20_000
    hypothesis.append(Block("a x c x e", edits((0, 1, "b", 0))))
    gold = [hit] * 20_000 + [last]
    score = Cleme(weights="none").corpus_score([block.source for block in gold], hypothesis, gold=gold)
    assert score.totals["fn"] == 2
    assert score.totals["tp"] == 20_001


@given(edited_corpora, st.sampled_from(ASSUMPTIONS), st.sampled_from(["none", "length", "length-sentence"]))
def test_equal_to_the_twin(corpus: list[tuple[Block, Block]], assumption: str, weights: str) -> None:
    gold, hypothesis = [g for g, _ in corpus], [h for _, h in corpus]
    metric = Cleme(assumption=assumption, weights=weights)  # type: ignore[arg-type]
    counts = metric.counts([block.source for block in gold], hypothesis, gold=gold)
    chunked = []
    for s, (block, system_block) in enumerate(corpus):
        own_version, *references = map(plain, versions_of(block, system_block))
        present = [reference for r, reference in enumerate(references) if counts.mask[s, r]]
        chunked.append(twins_chunks.chunks(block.tokens, [own_version, *present], 0))
    x0 = twins_chunks.mean_length(chunked)
    rows = [twins_chunks.counts(chunks, weights, assumption, x0) for chunks in chunked]
    for s, row in enumerate(rows):
        assert counts.array[s][counts.mask[s]] == pytest.approx(np.array(row), abs=1e-12)
        assert not counts.array[s][~counts.mask[s]].any()
    [choice] = metric.choices(counts)
    assert counts.chosen(choice).sum(0) == pytest.approx(twins_chunks.corpus_totals(rows), abs=1e-9)
    means = metric.sentence_scores([block.source for block in gold], hypothesis, gold=gold)
    assert means == pytest.approx([twins_chunks.sentence_f(row) for row in rows], abs=1.01e-4)


@given(edited_corpora, st.data())
def test_the_optimum_is_no_worse_and_needs_no_order(corpus: list[tuple[Block, Block]], data: st.DataObject) -> None:
    order = data.draw(st.permutations(corpus))
    optimum = Cleme(x0=1.5, selection="optimum")
    best, running, shuffled = (
        metric.corpus_score([g.source for g, _ in rows], [h for _, h in rows], gold=[g for g, _ in rows]).value
        for metric, rows in ((optimum, corpus), (Cleme(x0=1.5), corpus), (optimum, order))
    )
    assert best >= running - 1e-12
    assert shuffled == pytest.approx(best, abs=1e-12)


@given(edited_corpora)
def test_with_one_reference_both_assumptions_agree(corpus: list[tuple[Block, Block]]) -> None:
    gold = [Block(g.source, tuple(e for e in g.edits if e.annotator == 0)) for g, _ in corpus]
    for block, (_, hypothesis) in zip(gold, corpus, strict=True):
        for chunk in twins_chunks.chunks(block.tokens, list(map(plain, versions_of(block, hypothesis))), 0):
            if chunk.changed[1] and chunk.texts[1] == block.tokens[chunk.start : chunk.end]:
                return  # edits that change nothing are missed only if references are independent
    rows = [
        Cleme(assumption=a).counts([b.source for b in gold], [h for _, h in corpus], gold=gold) for a in ASSUMPTIONS
    ]
    np.testing.assert_array_equal(rows[0].array, rows[1].array)


def test_wrong_settings_and_input_are_named(snapshot: SnapshotAssertion) -> None:
    assert message_of(lambda: Cleme().corpus_score(TEXT, GOLD, gold=GOLD)) == snapshot


def test_overlapping_edits_are_refused_with_their_place(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = tmp_path / "gold.m2"
    tail = "|||REQUIRED|||-NONE-|||0"
    path.write_text(f"S a b c\nA 0 2|||X|||x{tail}\nA 1 3|||X|||y{tail}\n\n", encoding="utf-8")
    assert message_of(lambda: Cleme().corpus_score(["a b c"], [Block("a b c")], gold=list(m2.read(path)))) == snapshot


def test_evidence_by_hand() -> None:
    metric = Cleme(weights="none")
    prepared = metric.prepare(Corpus(TEXT, (), {}, GOLD))
    counts = metric.count(prepared, HYPOTHESIS, evidence=True)
    assert metric.count(prepared, HYPOTHESIS).evidence is None
    evidence = counts.evidence
    assert evidence is not None
    of_second = (evidence.sentence == 0) & (evidence.reference == 1) & (evidence.column != TN)
    spans = zip(*(column[of_second].tolist() for column in (evidence.side, evidence.start, evidence.end)), strict=True)
    names = [counts.columns[k] for k in evidence.column[of_second]]
    texts, types = ([evidence.strings[e] for e in column[of_second]] for column in (evidence.text, evidence.type))
    rows = list(zip(names, *zip(*spans, strict=True), texts, types, strict=True))
    assert rows == [
        ("fp_necessary", sides.HYPOTHESIS, 3, 5, "visited of", "X"),
        ("fn", sides.REFERENCE, 6, 6, "the", "X"),
        ("fp_unnecessary", sides.HYPOTHESIS, 8, 9, "friends", "X"),
        ("fn", sides.REFERENCE, 12, 13, "want", "X"),
        ("fp_unnecessary", sides.HYPOTHESIS, 15, 17, "the results", "X+X"),
        ("fp_unnecessary", sides.HYPOTHESIS, 18, 19, "their", "X"),
    ]
    untouched = (evidence.column == TN) & (evidence.sentence == 1)
    assert [evidence.strings[place] for place in evidence.text[untouched]] == ["It is fine ."] * 2


@given(
    edited_corpora, st.sampled_from(ASSUMPTIONS), st.sampled_from(["none", "length", "length-sentence"]), st.booleans()
)
def test_evidence_sums_to_counts(
    corpus: list[tuple[Block, Block]], assumption: str, weights: str, drop_unchanged: bool
) -> None:
    gold, hypothesis = [g for g, _ in corpus], [h for _, h in corpus]
    metric = Cleme(assumption=assumption, weights=weights, drop_unchanged=drop_unchanged, x0=1.5)  # type: ignore[arg-type]
    prepared = metric.prepare(Corpus([block.source for block in gold], (), {}, gold))
    counts = metric.count(prepared, hypothesis, evidence=True)
    assert counts.evidence is not None
    np.testing.assert_array_equal(counts.evidence.sums(counts.array.shape), counts.array)
    assert counts.mask[counts.evidence.sentence, counts.evidence.reference].all()


@pytest.mark.parametrize("budget", [0, 1 << 26])
def test_second_pass_extracts_no_edits_if_the_first_one_has_kept_the_chunks(
    budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus_edits, "MEMORY", LruCache(budget=0))
    monkeypatch.setattr(chunk_metric, "FIRST_PASS_CHUNKS", LruCache(budget))
    extracted = []
    columns = Extractor.columns
    monkeypatch.setattr(Extractor, "columns", lambda *args: extracted.append(args) or columns(*args))
    rng = np.random.default_rng(1)
    source, first, second, system = (
        [" ".join(rng.choice(list("abcd"), 5)) + f" {s}" for s in range(2 * chunk_metric.MANY)] for _ in range(4)
    )
    corpus = Corpus(source, [first, second], {"it": system})
    metrics = [Cleme(), Cleme2(), Cleme(merge_distance=1, assumption="independent")]
    results = evaluate(corpus, metrics, block=chunk_metric.MANY)["it"]
    # Two parts, two merge distances, texts of the references and of the system; Cleme2 adds nothing.
    assert len(extracted) == (8 if budget else 16)
    alone = [evaluate(corpus, [metric])["it"][0] for metric in metrics]
    assert [result.score() for result in results] == [result.score() for result in alone]


def test_metrics_with_one_corpus_constant_share_the_first_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    surveys = []
    survey = MeanChunkLength.sums
    monkeypatch.setattr(MeanChunkLength, "sums", lambda *args: surveys.append(args) or survey(*args))
    corpus = Corpus(["a b c", "d e"], [["a x c", "d e f"]], {"it": ["a x c", "d e"], "other": ["a", "d"]})
    metrics = [Cleme(), Cleme2(), Cleme(assumption="independent"), Cleme(weights="none"), Cleme(x0=9.0)]
    progress: list[int] = []
    run = Run(corpus, metrics, RunOptions(progress=progress.append))
    counts_by_metric = {
        key: consumer.result() for key, consumer in run.consume(lambda _, metric: KeptCounts(metric)).items()
    }
    assert len(surveys) == 2
    assert sum(progress) == run.work == 2 * 2 * 6
    for (name, metric), counts in counts_by_metric.items():
        alone = kept_counts(corpus, metric)[name]
        np.testing.assert_array_equal(counts.array, alone.array)
