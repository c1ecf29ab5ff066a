"""The MaxMatch lattice: the kernel does what its slow twin does, and the search what the exact algorithm does."""

from __future__ import annotations

import itertools
import random
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval._kernel import Edits, Text, match_gold
from support.effort import examples
from support.messages import message_of
from support.strategies import lists_of
from twins import lattice as twin

LETTERS = "abcAé"
tokens = lists_of(LETTERS, max_size=6)
#: Of up to two tokens, each number about as often.
TEXTS = [""] * 10 + [*LETTERS] * 2 + [" ".join(pair) for pair in itertools.product(LETTERS, repeat=2)]
alternatives = lists_of(TEXTS, min_size=1, max_size=2)


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[str], list[str], list[list[twin.Gold]]]:
    """Source, hypothesis, and the gold edits of one to three annotators: unsorted, repeated, overlapping, unreal."""
    source, hypothesis = draw(tokens), draw(tokens)
    edit = st.tuples(st.integers(0, len(source)), st.integers(0, 2), alternatives).map(
        lambda drawn: twin.Gold(drawn[0], min(len(source), drawn[0] + drawn[1]), tuple(drawn[2]))
    )
    return source, hypothesis, draw(st.lists(st.lists(edit, max_size=5), min_size=1, max_size=3))


Plain = tuple[int, int, list[str]]


class GoldTable(NamedTuple):
    """Sources with gold edits."""

    source: Text
    gold: Edits

    def count(
        self,
        hypothesis: Text,
        max_unchanged: int,
        ignore: bool,
        timeout: float | None = None,
        threads: int = 1,
        *,
        evidence: bool = False,
    ) -> Any:
        return match_gold(self.source, self.gold, hypothesis, (max_unchanged, ignore, timeout), threads, evidence)


def gold_table(sources: list[str], gold: list[list[list[Plain]]]) -> GoldTable:
    """``gold[s][a]``: (start, end, alternatives); edit e of all has the type "T<e>"."""
    number = itertools.count()
    rows = [
        [
            (a, [(start, end, f"T{next(number)}", "||".join(texts)) for start, end, texts in edits])
            for a, edits in enumerate(g)
        ]
        for g in gold
    ]
    return GoldTable(Text(sources), Edits(rows))


def table(source: list[str], gold: list[list[twin.Gold]]) -> GoldTable:
    return gold_table([" ".join(source)], [[[(e.start, e.end, list(e.alternatives)) for e in edits] for edits in gold]])


@settings(max_examples=examples(400))
@given(problems(), st.integers(0, 3), st.booleans())
def test_kernel_is_twin(
    problem: tuple[list[str], list[str], list[list[twin.Gold]]], max_unchanged: int, ignore: bool
) -> None:
    source, hypothesis, gold = problem
    kernel = table(source, gold)
    text = " ".join(hypothesis)
    counts, _ = kernel.count(Text([text]), max_unchanged, ignore)
    assert [tuple(row) for row in counts[0].tolist()] == [
        (*row, 0) for row in twin.counts(source, hypothesis, gold, max_unchanged, ignore)
    ]
    again, columns = kernel.count(Text([text]), max_unchanged, ignore, evidence=True)
    assert columns is not None
    np.testing.assert_array_equal(again, counts)
    assert rows_of(columns) == twin_evidence(source, hypothesis, gold, max_unchanged, ignore)


@pytest.mark.parametrize("words", ["ab", "abc"])
def test_crowded_insertions_are_the_twins(words: str) -> None:
    """Several gold insertions at one point are met from both ends, which few drawn problems need."""
    draw = random.Random(7)
    for _ in range(250):
        source = draw.choices(words, k=draw.randint(0, 2))
        hypothesis = draw.choices(words, k=draw.randint(2, 7))
        gold = []
        for _ in range(draw.randint(2, 6)):
            at = draw.randint(0, len(source))
            gold.append(twin.Gold(at, at, (" ".join(draw.choices(words, k=draw.randint(1, 2))),)))
        counts, _ = table(source, [gold]).count(Text([" ".join(hypothesis)]), 2, False)
        assert [tuple(row) for row in counts[0].tolist()] == [
            (*row, 0) for row in twin.counts(source, hypothesis, [gold], 2, False)
        ]


def rows_of(columns: Any) -> list[tuple[Any, ...]]:
    """Sentence, annotator, column, side, start, end, text, type of every row."""
    names = ("sentence", "reference", "column", "side", "start", "end")
    words = [[columns["strings"][number] for number in columns[name]] for name in ("text", "type")]
    return list(zip(*(columns[name].tolist() for name in names), *words, strict=True))


def twin_evidence(
    source: list[str], hypothesis: list[str], gold: list[list[twin.Gold]], max_unchanged: int, ignore: bool
) -> list[tuple[Any, ...]]:
    """What the kernel's evidence must be: edits correct, proposed, gold, with the types that gold_table gives."""
    rows: list[tuple[Any, ...]] = []
    number = itertools.count()
    for a, (proposed, reference) in enumerate(
        zip(twin.edits(source, hypothesis, gold, max_unchanged, ignore), gold, strict=True)
    ):
        types = [f"T{next(number)}" for _ in reference]
        matched = matches(proposed, reference)
        first = dict(reversed(matched))
        rows += [(0, a, 0, 0, proposed[f].start, proposed[f].end, proposed[f].text, types[g]) for f, g in matched]
        rows += [
            (0, a, 1, 0, edit.start, edit.end, edit.text, types[first[f]] if f in first else "")
            for f, edit in enumerate(proposed)
        ]
        rows += [
            (0, a, 2, 1, e.start, e.end, "||".join(e.alternatives), t) for e, t in zip(reference, types, strict=True)
        ]
    return rows


def matches(proposed: list[twin.Found], gold: list[twin.Gold]) -> list[tuple[int, int]]:
    """(place of an edit, place of the gold edit), from left to right; a gold edit is met behind those met before."""
    met: list[tuple[int, int]] = []
    for f, edit in enumerate(proposed):
        for g in range(met[-1][1] + 1 if met else 0, len(gold)):
            if (edit.start, edit.end) == (gold[g].start, gold[g].end) and edit.text in gold[g].alternatives:
                met.append((f, g))
    return met


def random_gold(seed: int, size: int, vocabulary: str, length: int) -> tuple[GoldTable, Text]:
    """Sentences with repeated phrases, hypotheses that resemble them, two annotators each."""
    draw = random.Random(seed)
    sources, hypotheses, gold = [], [], []
    for _ in range(size):
        source = [draw.choice(vocabulary) for _ in range(draw.randint(0, length))]
        hypothesis = list(source)
        for _ in range(draw.randint(1, 5)):
            at = draw.randint(0, len(hypothesis))
            change = draw.choice([[draw.choice(vocabulary)], [], hypothesis[at : at + 3] * 2])
            hypothesis[at : at + draw.randint(0, 2)] = change
        annotators = []
        for _ in range(2):
            edits = []
            for _ in range(draw.randint(0, 3)):
                start = draw.randint(0, len(source))
                end = min(len(source), start + draw.randint(0, 2))
                edits.append((start, end, [" ".join(draw.choices(vocabulary, k=draw.randint(start == end, 2)))]))
            annotators.append(edits)
        sources.append(" ".join(source))
        hypotheses.append(" ".join(hypothesis))
        gold.append(annotators)
    return gold_table(sources, gold), Text(hypotheses)


def test_threads_change_nothing() -> None:
    kernel, hypotheses = random_gold(1, 500, "abcde", 15)
    single, several = (kernel.count(hypotheses, 2, False, threads=threads)[0] for threads in (1, 4))
    np.testing.assert_array_equal(single, several)


def degenerate(source_repeats: int, hypothesis_repeats: int) -> tuple[str, str]:
    """A normal beginning and a list of 15 tokens, repeated; the hypothesis loses 3 % of its tokens."""
    draw = random.Random(5)
    head = ["this", "is", "how", "a", "normal", "sentence", "begins"]
    phrase = [f"w{k}" for k in range(15)]
    long = [word for word in phrase * hypothesis_repeats if draw.random() > 0.03]
    return " ".join(head + phrase * source_repeats), " ".join(head + long)


@pytest.mark.parametrize(
    ("source", "hypothesis"),
    [
        ("This is a sentence .", "This is a sentence ." + " there is no legal obligation ." * 60),
        degenerate(10, 30),
        degenerate(10, 60),
        degenerate(20, 60),
        (" ".join("abcdefghij" * 50), " ".join("klmnopqrst" * 50)),
    ],
)
def test_degenerate_text_is_bounded(source: str, hypothesis: str) -> None:
    edits = [(1, 2, ["was"]), (2, 3, ["the way"]), (5, 5, ["!"])]
    kernel = gold_table([source], [[edits, []]])
    [[first, second]], _ = kernel.count(Text([hypothesis]), 2, False, 60.0)
    assert first.tolist()[2:] == [3, 0]
    assert second.tolist()[2:] == [0, 0]
    assert second[1] > 0


def test_time_limit_gives_up_one_sentence_and_counts_the_others() -> None:
    source, hypothesis = degenerate(20, 60)
    kernel = gold_table([source, "a b"], [[[(0, 1, ["x"])], []], [[(0, 1, ["x"])]]])
    late, fine = kernel.count(Text([hypothesis, "x b"]), 2, False, 1e-4)[0].tolist()
    assert late == [[0, 0, 1, 1], [0, 0, 0, 1]]
    assert fine == [[1, 1, 1, 0], [0, 0, 0, 0]]
    _, columns = kernel.count(Text([hypothesis, "x b"]), 2, False, 1e-4, evidence=True)
    assert columns is not None
    assert [row[:3] for row in rows_of(columns)] == [(0, 0, 2), (1, 0, 0), (1, 0, 1), (1, 0, 2)]


def test_tokens_are_split_as_python_does() -> None:
    kernel = gold_table(["a\u3000b\x1cc"], [[[(1, 2, ["x"]), (2, 3, ["y\xa0z"])]]])
    assert kernel.count(Text(["a x\u2028c\x85"]), 2, False)[0].tolist() == [[[1, 1, 2, 0]]]
    assert kernel.count(Text(["a b y\xa0z"]), 2, False)[0].tolist() == [[[0, 1, 2, 0]]]


def test_wrong_arguments(snapshot: SnapshotAssertion) -> None:
    assert message_of(lambda: gold_table(["a"], []).count(Text(["a"]), 2, False)) == snapshot
    kernel = gold_table(["a"], [[[]]])
    assert message_of(kernel.count, Text(["a", "b"]), 2, False) == snapshot
    assert "negative" in message_of(kernel.count, Text(["a"]), 2, False, -1.0)


def test_odd_gold_never_matches() -> None:
    """Noops are no gold edits; offsets beyond the sentence are, and -NONE- deletes."""
    kernel = gold_table(
        ["a b"], [[[(-1, -1, ["-NONE-"]), (-2, 1, ["x"]), (1, 9, ["x"]), (1, 0, ["x"]), (1, 2, ["-NONE-"])]]]
    )
    assert kernel.count(Text(["a"]), 2, False)[0].tolist() == [[[1, 1, 4, 0]]]
