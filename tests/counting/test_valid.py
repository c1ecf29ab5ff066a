"""Edits that are right though no reference has them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import Cleme, Cleme2, Errant, MaxMatch
from geceval.counting.signature import signature_of
from geceval.edits.corpus_edits import Extraction
from geceval.edits.extraction import annotate
from geceval.extending import Metric
from geceval.m2 import Block, Edit
from geceval.metrics.shared.edit_matching import minimise
from support.messages import message_of
from support.written_files import m2_text, write

SOURCE = ["I has cats .", "He go home ."]
GOLD = [
    Block(SOURCE[0], (Edit(1, 2, "R:VERB:SVA", ("have",)),)),
    Block(SOURCE[1], (Edit(1, 2, "R:VERB:SVA", ("goes",)),)),
]
SYSTEM = ["I have a cat .", "He goes home now ."]


def accepted(*edits: tuple[str, int, int, str]) -> list[Block]:
    return [Block(source, (Edit(start, end, "OK", (text,)),)) for source, start, end, text in edits]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    blocks = accepted((SOURCE[0], 1, 3, "has a cat"), ("He  go home .", 3, 3, "now"), ("Other .", 0, 1, "x"))
    return write(tmp_path / "accepted.m2", m2_text(blocks))


def counts(metric: Metric, **options: Any) -> Any:
    return metric.counts(SOURCE, SYSTEM, gold=GOLD, **options)


def test_errant_counts_them_as_true_positives(file: Path) -> None:
    plain, valid = counts(Errant()), counts(Errant(valid=str(file)), evidence=True)
    before, after = plain.array.sum(0)[0], valid.array.sum(0)[0]
    # "a" and "cat" are two edits, of which the file has none: it has one that is both.
    assert after.tolist() == [before[0] + 1, before[1] - 1, before[2]]
    np.testing.assert_array_equal(valid.evidence.sums(valid.array.shape), valid.array)
    assert counts(Errant(valid=str(file))).evidence is None


def test_maxmatch_counts_them_as_correct_and_gold(file: Path) -> None:
    plain, valid = counts(MaxMatch(), evidence=True), counts(MaxMatch(valid=str(file)), evidence=True)
    before, after = plain.array[:, 0], valid.array[:, 0]
    more = after - before
    assert more[:, 1].tolist() == [0, 0]
    assert (more[:, 0] == more[:, 2]).all()
    assert more[1].tolist() == [1, 0, 1]
    np.testing.assert_array_equal(valid.evidence.sums(valid.array.shape), valid.array)
    assert counts(MaxMatch(valid=str(file))).array.tolist() == valid.array.tolist()


@pytest.mark.parametrize("assumption", ["dependent", "independent"])
def test_cleme_counts_accepted_chunks_as_hits(file: Path, assumption: Any) -> None:
    plain = Cleme(assumption=assumption, weights="none")
    before, valid = counts(plain), counts(replace(plain, valid=str(file)), evidence=True)
    hit, over = Cleme.columns.index("tp"), Cleme.columns.index("fp_unnecessary")
    more = (valid.array - before.array)[:, 0]
    # "have a cat" is one chunk of three edits, of which the file has none: it has "a cat" as one.
    assert more[:, hit].tolist() == [0, 1]
    assert (more[:, hit] == -more[:, over]).all()
    np.testing.assert_array_equal(valid.evidence.sums(valid.array.shape), valid.array)
    assert "|valid:accepted.m2@" in signature_of(replace(plain, valid=str(file)), 1)
    assert counts(Cleme2(assumption=assumption, weights="none", valid=str(file))).array.tolist() == valid.array.tolist()


def test_cleme_accepts_a_chunk_of_accepted_and_gold_edits(tmp_path: Path) -> None:
    path, gold = tmp_path / "accepted.m2", [Block("a b c", (Edit(0, 1, "X", ("x",)), Edit(2, 3, "X", ("z",))))]
    metric, column = Cleme(valid=str(path), weights="none", merge_distance=3), Cleme.columns.index("tp")
    for edits, hits in (((Edit(1, 2, "X", ("y",)),), 1), ((Edit(1, 2, "X", ("w",)),), 0)):
        path.write_text("".join(f"{block}\n" for block in [Block("a b c", edits)]))
        chunk_counts = metric.counts(["a b c"], ["x y z"], gold=gold)
        assert chunk_counts.array[0, 0, column] == hits


sentences = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=4)


@given(sentences, st.data())
def test_all_edits_accepted_make_the_precision_1(
    tmp_path_factory: pytest.TempPathFactory, source: list[str], data: st.DataObject
) -> None:
    line = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)
    systems, gold = ([data.draw(line) for _ in source] for _ in range(2))
    rows = [(line.split(), system.split()) for line, system in zip(source, systems, strict=True)]
    blocks = annotate(Extraction().extractor, rows)
    path = write(tmp_path_factory.mktemp("valid") / "accepted.m2", m2_text(blocks))
    for metric in (Errant(valid=str(path)), Cleme(valid=str(path)), Cleme(valid=str(path), assumption="independent")):
        score = metric.corpus_score(source, systems, [gold])
        assert score.parts["precision"] == (1 if score.totals["tp"] else None)


def test_the_signature_names_the_file_by_its_content(file: Path) -> None:
    metric = Errant(valid=str(file))
    before = signature_of(metric, 1)
    assert "|valid:accepted.m2@" in before
    assert "valid" not in signature_of(Errant(), 1)
    assert "|valid:accepted.m2@" in signature_of(MaxMatch(valid=str(file)), 1)
    file.write_text(file.read_text().replace("|||now|||", "|||then|||"))
    assert signature_of(metric, 1) != before


def test_a_name_that_no_file_can_have_is_refused(snapshot: SnapshotAssertion) -> None:
    assert message_of(lambda: signature_of(Errant(valid="a\0b"), 1)) == snapshot


def test_what_cannot_be_is_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    assert message_of(Errant, mode="ds", valid="x") == snapshot
    assert message_of(lambda: signature_of(Errant(valid=str(tmp_path / "none")), 1)) == snapshot
    path = write(tmp_path / "bad.m2", "S a\nA 3 4|||X|||b|||REQUIRED|||-NONE-|||0\n\n")
    assert message_of(lambda: signature_of(Errant(valid=str(path)), 1)) == snapshot


words = st.lists(st.sampled_from("abc"), max_size=4)


@given(words, words, words, words)
def test_a_minimal_edit_makes_the_same(before: list[str], replaced: list[str], by: list[str], after: list[str]) -> None:
    tokens = before + replaced + after
    span = len(before), len(before) + len(replaced)
    start, end, text = minimise(tokens, *span, " ".join(by))
    assert [*tokens[:start], *text, *tokens[end:]] == before + by + after
    assert span[0] <= start <= end <= span[1]
    assert minimise(tokens, start, end, " ".join(text)) == (start, end, text)
    if start < end and text:
        assert tokens[start] != text[0]
        assert tokens[end - 1] != text[-1]
