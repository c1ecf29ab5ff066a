"""The n-gram kernel: equal to its twin, bounded, and never at a loss for odd text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from syrupy.assertion import SnapshotAssertion

from geceval import Corpus, Gleu, Green
from geceval._kernel import NgramCorpus, Text
from geceval.metrics.shared.ngram_counting import NgramUnit
from support.effort import examples
from support.messages import message_of
from support.strategies import any_text, corpora, odd_sentences, sentences
from twins import ngrams as twins_ngrams

TEXT = st.one_of(sentences, odd_sentences, any_text)


def corpus_of(texts: Sequence[Sequence[str]], n: int, unit: str) -> NgramCorpus:
    """``texts[s]`` is the source followed by its references."""
    source, *references = (Text(lines) for lines in zip(*texts, strict=True))
    return NgramCorpus(source, references, n, unit)  # type: ignore[arg-type]


def counts(texts: Sequence[Sequence[str]], hypotheses: Sequence[str], n: int, unit: str) -> NDArray[np.int32]:
    """What is counted alone, which equals what is counted with other hypotheses, with the last column and without."""
    corpus, hypothesis = corpus_of(texts, n, unit), Text(hypotheses)
    [counted] = corpus.count([hypothesis], 1, True)
    others = [Text(hypotheses[::-1]), Text([line for line, *_ in texts]), *(Text(t) for t in zip(*texts, strict=True))]
    np.testing.assert_array_equal(corpus.count([*others, hypothesis], 1, True)[-1], counted)
    np.testing.assert_array_equal(corpus.count([hypothesis, *others], 1, False)[0], counted[..., :-1])
    return counted


def edited(data: st.DataObject, line: str) -> str:
    """A line that begins and ends as another one, as corrections do, cut anywhere."""
    start, stop = (data.draw(st.integers(0, len(line))) for _ in range(2))
    return line[:start] + data.draw(st.sampled_from(["", " ", "a", " the ", "\u3000", "e\u0301"])) + line[stop:]


@settings(max_examples=examples(300))
@given(st.data(), st.sampled_from(["word", "char"]), st.integers(1, 5), st.integers(1, 3))
def test_versions_that_resemble_the_source(data: st.DataObject, unit: str, n: int, references: int) -> None:
    source = data.draw(TEXT)
    *texts, hypothesis = [source, *(edited(data, source) for _ in range(references + 1))]
    counted = counts([texts], [hypothesis], n, unit)
    np.testing.assert_array_equal(counted, twins_ngrams.count([texts], [hypothesis], n, unit))


@settings(max_examples=examples(300))
@given(st.data(), st.sampled_from(["word", "char"]), st.integers(1, 5), st.integers(0, 3))
def test_kernel_equals_twin(data: st.DataObject, unit: str, n: int, references: int) -> None:
    size = data.draw(st.integers(1, 4))
    texts = [data.draw(st.lists(TEXT, min_size=1 + references, max_size=1 + references)) for _ in range(size)]
    hypotheses = data.draw(st.lists(TEXT, min_size=size, max_size=size))
    counted = counts(texts, hypotheses, n, unit)
    assert counted.shape == (size, references, n, 8)
    if references:
        np.testing.assert_array_equal(counted, twins_ngrams.count(texts, hypotheses, n, unit))


@given(TEXT, TEXT, TEXT, st.sampled_from(["word", "char", "grapheme"]), st.integers(1, 6))
def test_counts_swap_with_the_texts(source: str, reference: str, hypothesis: str, unit: str, n: int) -> None:
    counted = counts([[source, reference]], [hypothesis], n, unit)[0, 0]
    tk, td, ti, od, oi, ud, ui, absent = counted.T
    swapped = corpus_of([[source, hypothesis]], n, unit).count([Text([reference])], 1, True)[0][0, 0]
    assert (counted >= 0).all()
    assert (absent <= ud).all()
    np.testing.assert_array_equal(swapped[:, :3], counted[:, :3])  # what both do
    np.testing.assert_array_equal(swapped[:, 3:7], counted[:, [5, 6, 3, 4]])  # what one does and the other does not
    if unit != "grapheme":
        sizes = [sum(twins_ngrams.ngrams(source, order, unit).values()) for order in range(1, n + 1)]
        np.testing.assert_array_equal(tk + td + od + ud, sizes)
        sizes = [sum(twins_ngrams.ngrams(reference, order, unit).values()) for order in range(1, n + 1)]
        np.testing.assert_array_equal(tk + ti + od + ui, sizes)
        sizes = [sum(twins_ngrams.ngrams(hypothesis, order, unit).values()) for order in range(1, n + 1)]
        np.testing.assert_array_equal(tk + ti + oi + ud, sizes)


def test_ten_thousand_random_lines_keep_the_invariants() -> None:
    """Arbitrary Unicode, empty lines and lines of 10^4 tokens: no panic, no hang, the invariants hold."""
    random = np.random.default_rng(0)
    alphabet = np.array([*map(chr, range(1, 0x300)), *"  \u3000\u2028", *map(chr, range(0x1F600, 0x1F650))])
    lines = ["".join(random.choice(alphabet, random.integers(0, 40))) for _ in range(10_000)]
    lines += [" ".join(random.choice(["a", "b", "ab", "a\xa0b"], 10_000)) for _ in range(10)]
    lines += [" ".join(f"a x{i}" for i in range(5_000)), "a " * 10_000, ""]
    order = random.permutation(len(lines))
    references, hypotheses = [lines[i] for i in order], [lines[i] for i in order[::-1]]
    for unit in ("word", "char", "grapheme"):
        counted = counts(list(zip(lines, references, strict=True)), hypotheses, 4, unit)
        assert (counted >= 0).all()
        assert (counted[..., 7] <= counted[..., 5]).all()
    green = Green()
    scores = green.sentence_scores(lines, hypotheses, [references])
    assert ((scores >= 0) & (scores <= 1)).all()
    same = green.sentence_scores(lines, references, [references])
    long_enough = np.array(
        [len(line.split()) >= 4 or len(ref.split()) >= 4 for line, ref in zip(lines, references, strict=True)]
    )
    np.testing.assert_array_equal(same[long_enough], 1.0)


def test_wrong_shapes_are_refused(snapshot: SnapshotAssertion) -> None:
    single, pair = Text(["a"]), Text(["a", "b"])
    assert message_of(lambda: NgramCorpus(single, [single], 1, "word").count([single, pair], 1, True)) == snapshot
    assert message_of(lambda: NgramCorpus(single, [single], 1, "word").evidence(pair, 1)) == snapshot
    assert message_of(NgramCorpus, single, [single, pair], 1, "word") == snapshot
    assert message_of(NgramCorpus, single, [single], 1, "byte") == snapshot
    assert message_of(NgramCorpus(single, [single], 10**10, "word").count, [single], 1, True) == snapshot


@settings(max_examples=examples(200))
@given(st.data(), st.sampled_from(["word", "char"]), st.integers(1, 4), st.integers(1, 3))
def test_evidence_equals_twin(data: st.DataObject, unit: str, n: int, references: int) -> None:
    size = data.draw(st.integers(1, 4))
    line = st.one_of(TEXT, st.none())
    columns = [data.draw(st.lists(line, min_size=size, max_size=size)) for _ in range(references)]
    source, hypotheses = (data.draw(st.lists(TEXT, min_size=size, max_size=size)) for _ in range(2))
    counter = NgramCorpus(Text(source), [Text(column) for column in columns], n, unit)  # type: ignore[arg-type]
    columns_of = counter.evidence(Text(hypotheses), 1)
    *numbers, strings = columns_of.values()
    rows = [
        (s, r, order, region, weight, strings[text]) for s, r, order, region, weight, text in zip(*numbers, strict=True)
    ]
    assert sorted(rows) == sorted(twins_ngrams.evidence(source, columns, hypotheses, n, unit))
    assert [row[:3] for row in rows] == sorted(row[:3] for row in rows)
    *again, strings_again = counter.evidence(Text(hypotheses), 3).values()
    assert strings_again == strings
    np.testing.assert_array_equal(again, numbers)


@given(corpora(), st.integers(1, 4), st.sampled_from(["word", "char", "grapheme"]), st.data())
def test_evidence_sums_to_the_counts(
    texts: tuple[list[str], list[list[str]], list[str]], n: int, unit: NgramUnit, data: st.DataObject
) -> None:
    source, references, hypothesis = texts
    gaps = [[data.draw(st.booleans()) for _ in source] for _ in references[1:]]
    some = [
        [None if gap else line for gap, line in zip(*row, strict=True)]
        for row in zip(gaps, references[1:], strict=True)
    ]
    systems = data.draw(st.sampled_from([{}, {"one": hypothesis}]))
    corpus = Corpus(source, [references[0], *some], systems)
    for metric in (Green(n, unit=unit), Gleu(n, unit), Gleu(n, unit, variant="paper")):
        counts = metric.count(metric.prepare(corpus), hypothesis, evidence=True)
        assert counts.evidence is not None
        np.testing.assert_array_equal(counts.evidence.sums(counts.array.shape), counts.array)
        assert (counts.evidence.weight > 0).all()
        assert metric.count(metric.prepare(corpus), hypothesis).evidence is None


def test_references_are_required(snapshot: SnapshotAssertion) -> None:
    assert message_of(lambda: Green().prepare(Corpus(["a"], []))) == snapshot


def test_missing_references_are_not_empty_ones() -> None:
    green = Green(n=1)
    corpus = (["a", "b"], ["", "x"])
    both = green.counts(*corpus, [["a", "b"], ["", None]])
    assert both.mask.tolist() == [[True, True], [True, False]]
    assert (both.array[1, 1] == 0).all()
    [choice] = green.choices(both)
    assert choice.tolist() == [1, 0]
    assert "refs:1-2" in green.corpus_score(*corpus, [["a", "b"], ["", None]]).signature
