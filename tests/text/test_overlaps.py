"""The rule for edits of one annotator that overlap or are equal."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import geceval
from geceval import Corpus, m2
from geceval.base.errors import InputError
from geceval.m2 import Block, Edit, noop
from geceval.text.m2.operations import confidence
from support.commands import run_main
from support.instances import instances
from support.strategies import records

SOURCE = "a b c d e f"
#: Long and short edits in one annotator's b c d, an insertion inside, one beside it, and an edit that is there twice.
LONG, SHORT = Edit(1, 4, "R:WO", ("d c b",), comment="0.5"), Edit(3, 5, "R", ("x",), comment="0.9")
INSIDE, BESIDE, TWICE = Edit(2, 2, "M", ("y",), comment=".7"), Edit(1, 1, "M", ("z",)), Edit(5, 6, "R", ("w",))
EDITS = (SHORT, LONG, INSIDE, BESIDE, TWICE, TWICE)
KEPT = {
    "first": ((BESIDE, INSIDE, SHORT, TWICE), "a z b y c x w"),
    "longest": ((BESIDE, LONG, TWICE), "a z d c b e w"),
    "confident": ((BESIDE, INSIDE, SHORT, TWICE), "a z b y c x w"),
    "skip": ((BESIDE, TWICE), "a z b c d e w"),
}


@pytest.mark.parametrize("rule", KEPT)
def test_each_rule_by_hand(rule: Any) -> None:
    other = Edit(0, 6, "R", ("v",), annotator=1)
    kept, text = KEPT[rule]
    [block] = m2.resolve_overlaps([Block(SOURCE, (*EDITS, other))], rule)
    assert block.edits == (*kept, other), "sorted; another annotator may edit the same tokens"
    assert m2.apply(block, 0) == text


def test_a_word_may_be_inserted_twice() -> None:
    """As in the published Czech (``15 : 54 : 00``) and Russian files."""
    blocks = m2.Blocks.of([Block(SOURCE, (BESIDE, BESIDE))])
    for rule in get_args(m2.Overlaps):
        assert m2.resolve_overlaps(blocks, rule) is blocks
    assert m2.apply(blocks[0], 0) == "a z z b c d e f"


def test_skip_leaves_a_noop() -> None:
    [block] = m2.resolve_overlaps([Block(SOURCE, (LONG, SHORT))], "skip")
    assert block.edits == (noop(0),)


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ((LONG, SHORT), "the edit 3 5 overlaps 1 4"),
        ((TWICE, TWICE), "the same edit is there twice: A 5 6"),
        ((LONG, INSIDE), "the edit 2 2 overlaps 1 4"),
    ],
)
def test_an_error_by_default_with_a_hint(edits: tuple[Edit, ...], message: str) -> None:
    for overlapping in ([Block(SOURCE, edits)], [Block("x"), Block(SOURCE, (noop(0), *edits))]):
        with pytest.raises(InputError, match=message) as error:
            Corpus([block.source for block in overlapping], gold=overlapping)
        assert "--overlaps first" in str(error.value.hint)


def test_confidence_is_a_number_in_the_comment() -> None:
    without = Edit(3, 5, "R", ("x",))
    with pytest.raises(InputError, match="has no confidence, which is a number in its comment field, not '-NONE-'"):
        m2.resolve_overlaps([Block(SOURCE, (LONG, without))], "confident")
    [block] = m2.resolve_overlaps([Block(SOURCE, (BESIDE, without))], "confident")
    assert block.edits == (BESIDE, without), "edits that do not overlap need none"
    with pytest.raises(InputError, match="not 'nan'"):
        m2.resolve_overlaps([Block(SOURCE, (LONG, Edit(3, 5, "R", ("x",), comment="nan")))], "confident")


def made(start: int, length: int, text: str, confidence: int, annotator: int) -> Edit:
    end = min(start + length, 6)
    return Edit(start, end, "X", (text,), comment=str(confidence), annotator=annotator)


drawn = records(made, range(7), range(4), ["x", "y", "-NONE-"], range(5), range(2), max_size=8)


@given(st.lists(drawn, min_size=1, max_size=3), st.sampled_from(["first", "longest", "confident", "skip"]))
def test_what_is_left_can_be_made(rows: list[list[Edit]], rule: Any) -> None:
    blocks = [Block(SOURCE, tuple(edits)) for edits in rows]
    resolved = m2.resolve_overlaps(blocks, rule)
    assert m2.resolve_overlaps(resolved, "error") is resolved
    for before, after in zip(blocks, resolved, strict=True):
        assert {*before.annotators} == {*after.annotators}
        for annotator in after.annotators:
            m2.apply(after, annotator)
            left = after.edits_of(annotator)
            of_tokens = [edit for edit in left if edit.start < edit.end]
            assert len(set(of_tokens)) == len(of_tokens)
            own = before.edits_of(annotator)
            assert set(left) <= set(own)
            alone = [edit for edit in own if not any(overlap(edit, other) for other in own if other != edit)]
            same = {(edit.start, edit.end, edit.alternatives) for edit in left}
            assert {(edit.start, edit.end, edit.alternatives) for edit in alone} <= same
            if rule == "skip":
                assert not any(overlap(one, other) for one in left for other in own)


def overlap(one: Edit, other: Edit) -> bool:
    same = (one.start, one.end, one.alternatives) == (other.start, other.end, other.alternatives)
    return not same and one.start < other.end and other.start < one.end


def test_every_metric_can_be_had() -> None:
    gold, source = [Block(SOURCE, EDITS)], [SOURCE]
    for metric in instances().values():
        if metric.evidence_of == "nothing":
            continue
        with pytest.raises(InputError, match="duplicate: the same edit"):
            metric.corpus_score(source, source, gold=gold)
        corpus = Corpus(source, (), {"it": [KEPT["longest"][1]]}, gold, overlaps="longest")
        score = geceval.evaluate(corpus, [metric], checks=False)["it"][0].score()
        assert "|overlaps:longest|" in score.signature
        resolved = Corpus(source, (), corpus.systems, m2.resolve_overlaps(gold, "longest"))
        assert geceval.evaluate(resolved, [metric], checks=False)["it"][0].score().totals == score.totals


def test_commands(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.m2", tmp_path / "it.txt"
    gold.write_text(f"{Block(SOURCE, EDITS)}\n", encoding="utf-8")
    system.write_text("a d c b e w\n", encoding="utf-8")
    alone = run_main(f"score -s {system} -r {system} -c {system} --overlaps first".split())
    assert (alone.status, "--overlaps first requires --gold" in alone.err) == (2, True)
    score = f"score --gold {gold} -c {system}"
    for command in (f"m2 apply {gold}", score, f"{score} -m green"):
        refused = run_main(command.split())
        assert refused.status == 2
        assert "gold.m2:7: duplicate: the same edit is in line 6\n  hint: --overlaps first" in refused.err
        for rule in get_args(m2.Overlaps)[1:]:
            done = run_main([*command.split(), "--overlaps", rule])
            assert done.status == 0, done.err
            if command.startswith("m2"):
                assert done.out == f"{KEPT[rule][1]}\n"
            else:
                assert f"|overlaps:{rule}|" in done.out
    assert run_main(["m2scorer", str(system), str(gold)]).status == 0, "the drop-in keeps all edits"


def test_confidences_are_those_of_one_annotator() -> None:
    blocks = [Block(SOURCE, (SHORT, LONG)), Block(SOURCE, (noop(0),)), Block(SOURCE), Block(SOURCE, (INSIDE,))]
    assert repr(m2.confidences(blocks).tolist()) == "[0.9, 0.5, nan, 0.7]"
    assert confidence(blocks[0], SHORT) == 0.9
    with pytest.raises(InputError, match="system with confidences, sentence 1: the M2 of a system has one annotator"):
        m2.confidences([Block(SOURCE, (SHORT, Edit(0, 1, "R", ("x",), comment="1", annotator=1)))])
    with pytest.raises(InputError, match="an M2 block is needed, not 5"):
        m2.confidences([5])  # type: ignore[list-item]
