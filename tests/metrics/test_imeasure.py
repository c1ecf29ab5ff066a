"""I-measure: alignments against the slow twin, formulas by hand, mixed references."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import Corpus, IMeasure, evaluate
from geceval.base.errors import GecevalWarning, InputError, UsageError
from geceval.edits.changes import Change, apply_changes
from geceval.edits.mixed_references import count_mixed_texts, group_errors, list_choices, mix_texts
from geceval.metrics.imeasure import COLUMNS
from geceval.text.m2 import Block, Edit
from twins import threeway as twins_threeway

lines = st.lists(st.sampled_from("abcd"), max_size=8).map(" ".join)


@given(lines, lines, st.lists(lines, min_size=1, max_size=3))
def test_tallies_are_those_of_the_definition(source: str, hypothesis: str, references: list[str]) -> None:
    counts = IMeasure(mix=0).counts([source], [hypothesis], [[text] for text in references], evidence=True)
    expected = [twins_threeway.tally(source, hypothesis, reference) for reference in references]
    assert counts.array[0].tolist() == expected
    assert counts.evidence is not None
    np.testing.assert_array_equal(counts.evidence.sums(counts.array.shape), counts.array)


def test_tallies_of_unlike_sentences_are_those_of_the_definition() -> None:
    """Most columns cost the most there is, which a bound of the cost must allow."""
    draw = random.Random(5)
    lines = [[" ".join(draw.choices("abcdefghij", k=draw.randint(1, 4))) for _ in range(3)] for _ in range(300)]
    source, hypothesis, reference = map(list, zip(*lines, strict=True))
    counts = IMeasure(mix=0).counts(source, hypothesis, [reference])
    assert counts.array[:, 0].tolist() == [twins_threeway.tally(*three) for three in lines]


def test_evidence_says_which_tokens() -> None:
    counts = IMeasure(mix=0).counts(["a b c"], ["a x d"], [["a c d"]], evidence=True)
    evidence = counts.evidence
    assert evidence is not None
    assert evidence.start is not None
    assert evidence.text is not None
    rows = [
        (counts.columns[column], start, evidence.strings[text])
        for column, start, text in zip(
            evidence.column.tolist(), evidence.start.tolist(), evidence.text.tolist(), strict=True
        )
        if not counts.columns[column].startswith("base")
    ]
    columns = twins_threeway.three_way("a b c".split(), "a x d".split(), "a c d".split())
    assert [name for name, _, _ in rows] == [counts.columns[twins_threeway.kind(column)] for column in columns]
    assert rows[0] == ("kept", 0, "a")
    assert rows[-1][2] == "d"


def test_evidence_of_missed_tokens_is_that_of_its_reference() -> None:
    counts = IMeasure(mix=0).counts(["a", "b"], ["a", "b"], [["a x", "b y"], ["a z", "b w"]], evidence=True)
    evidence = counts.evidence
    assert evidence is not None
    assert evidence.text is not None
    missed = evidence.column == counts.columns.index("missed")
    cells = zip(evidence.sentence[missed], evidence.reference[missed], evidence.text[missed], strict=True)
    assert {(int(s), int(r)): evidence.strings[text] for s, r, text in cells} == {
        (0, 0): "x", (0, 1): "z", (1, 0): "y", (1, 1): "w"
    }  # fmt: skip


def test_formulas_by_hand() -> None:
    """kept, missed, wrong, right, changed, base_kept, base_missed."""
    counts = np.array([6, 1, 1, 2, 1, 7, 4])
    parts = IMeasure().parts(counts)
    # Correction: TP 2, TN 6, FP 2, FN 2, FPN 1.
    assert parts["precision"] == parts["recall"] == parts["f"] == 1 / 2
    assert parts["accuracy"] == 8 / 11
    assert parts["weighted_accuracy"] == pytest.approx(10 / (8 + 6 + 2 - 1.5))
    assert parts["base"] == 7 / 11
    own, base = parts["weighted_accuracy"], parts["base"]
    assert IMeasure().score(counts) == pytest.approx((own - base) / (1 - base))
    detection = IMeasure(aspect="detection")
    assert detection.parts(counts)["precision"] == 3 / 4
    assert IMeasure(w=1.0).parts(counts)["weighted_accuracy"] == pytest.approx(parts["accuracy"])
    worse = np.array([6, 1, 5, 0, 0, 7, 1])
    assert IMeasure().score(worse) == pytest.approx(6 / 17 / (7 / 8) - 1)
    assert IMeasure().parts(worse)["accuracy"] == 6 / 12  # TP 0, TN 6, FP 5, FN 1, FPN 0


def test_the_source_scores_nothing_and_perfection_one() -> None:
    source, references = ["a b c", "d"], [["a x c", "d"]]
    assert IMeasure().corpus_score(source, source, references).value == 0.0
    assert IMeasure().corpus_score(source, references[0], references).value == 1.0
    assert IMeasure().corpus_score(["a"], ["a"], [["a"]]).value == 1.0
    assert IMeasure().corpus_score(["a b c"], ["d e f"], [["a b c"]]).value == -1.0


def test_the_candidate_with_the_highest_figure_is_taken() -> None:
    """Which figure makes a difference: near the first reference, but no better than the source."""
    source, hypothesis = ["a b c d e f g h"], ["a b c d e f g x"]
    references = [["a b c d e f g h"], ["q r s t u v w x"]]
    by_accuracy = IMeasure(mix=0).corpus_score(source, hypothesis, references)
    by_improvement = IMeasure(mix=0, maximise="i").corpus_score(source, hypothesis, references)
    assert by_accuracy.value < 0 < by_improvement.value
    assert "|policy:highest-wacc|" in by_accuracy.signature
    assert "|policy:highest-i|" in by_improvement.signature
    assert "|policy:running-acc|" in IMeasure(selection="running", maximise="acc").signature(1)


def test_signatures_name_the_annotator_where_edits_are_mixed() -> None:
    corpus = Corpus(["a b"], [["a c"]], {"it": ["a c"]})
    mixing, plain = (evaluate(corpus, [IMeasure(mix=mix)], checks=False)["it"][0].signature() for mix in (8, 0))
    assert "|mix:8|annotator:builtin-2|" in mixing
    assert "annotator" not in plain


# --- mixing ---


def change(start: int, end: int, correction: str) -> Change:
    return Change(start, end, correction)


def test_edits_that_overlap_are_about_one_error() -> None:
    first = [change(0, 1, "x"), change(2, 5, "y"), change(6, 6, "z")]
    second = [change(1, 2, "p"), change(3, 3, "q"), change(4, 6, "r"), change(6, 6, "s")]
    found = [
        {place: [(c.start, c.end) for c in own] for place, own in error.items()}
        for error in group_errors([first, second])
    ]
    assert found == [{0: [(0, 1)]}, {1: [(1, 2)]}, {0: [(2, 5)], 1: [(3, 3), (4, 6)]}, {0: [(6, 6)], 1: [(6, 6)]}]


def test_an_error_that_all_correct_is_corrected() -> None:
    tokens = "a b c".split()
    versions = [[change(0, 1, "x"), change(2, 3, "z")], [change(0, 1, "y")]]
    assert [len(own) for own in list_choices(versions)] == [2, 2]
    assert list(mix_texts(tokens, versions)) == ["x b z", "x b c", "y b z", "y b c"]
    assert list(mix_texts(tokens, [versions[0]])) == ["x b z"]
    assert list(mix_texts(tokens, [versions[0], []])) == ["x b z", "x b c", "a b z", "a b c"]
    assert list(mix_texts(tokens, [versions[0], versions[0]])) == ["x b z"]


@st.composite
def annotations(draw: st.DrawFn) -> tuple[list[str], list[list[Change]]]:
    tokens = draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=5))
    versions = []
    for _ in range(draw(st.integers(1, 3))):
        cuts = sorted(draw(st.sets(st.integers(0, len(tokens)), max_size=4)))
        spans = [(a, b) for a, b in itertools.pairwise(cuts)][::2]
        versions.append([change(a, b, draw(st.sampled_from(["", "x", "y z"]))) for a, b in spans])
    return tokens, versions


@given(annotations())
def test_every_annotator_is_among_the_mixed(given: tuple[list[str], list[list[Change]]]) -> None:
    tokens, versions = given
    texts = list(mix_texts(tokens, versions))
    assert len(texts) == len(set(texts)) <= count_mixed_texts(versions)
    assert {apply_changes(tokens, version) for version in versions} <= set(texts)
    if len(versions) == 1:
        assert texts == [apply_changes(tokens, versions[0])]


def test_more_than_the_limit_is_not_mixed_and_said() -> None:
    edits = [Edit(t, t + 1, "X", ("x",), annotator=t % 2) for t in range(4)]
    block = Block("a b c d", tuple(edits))
    corpus = Corpus([block.source], (), {"it": ["x x x x"]}, [block])
    [[mixing]] = evaluate(corpus, [IMeasure(mix=16)], checks=False).values()
    assert mixing.score().value == 1.0
    with pytest.warns(GecevalWarning, match="1 of the sentences 1 to 1 would make more than 15 references"):
        [[plain]] = evaluate(corpus, [IMeasure(mix=15)], checks=False).values()
    [[unmixed]] = evaluate(corpus, [IMeasure(mix=0)], checks=False).values()
    assert plain.score().totals == unmixed.score().totals


def test_sentences_of_500_tokens_are_aligned_exactly() -> None:
    source = [f"w{k}" for k in range(500)]
    hypothesis = [f"h{k}" if k % 50 == 0 else word for k, word in enumerate(source)]
    reference = [f"h{k}" if k % 100 == 0 else word for k, word in enumerate(source)]
    lines = [[" ".join(tokens)] for tokens in (source, hypothesis)]
    score = IMeasure(mix=0).corpus_score(*lines, [[" ".join(reference)]])
    assert [score.totals[name] for name in COLUMNS[:5]] == [490, 0, 5, 5, 0]


def test_what_cannot_be_is_refused() -> None:
    long = " ".join(["a"] * 500)
    with pytest.raises(InputError, match=r"(?s)line 2 is too long to be aligned: .* 500, 501 and 500 tokens"):
        IMeasure(mix=0).corpus_score(["a", long], ["a", f"{long} b"], [["a", long]])
    with pytest.raises(UsageError, match=r"w is 0\.0; it must be more than 0"):
        IMeasure(w=0.0)
    with pytest.raises(InputError, match="references"):
        IMeasure(mix=0).corpus_score(["a"], ["a"])
