"""Two annotations of one text, and the figures of files, against slow and obvious ways to count."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import Corpus, m2
from geceval.app.main import main
from geceval.base.errors import InputError
from geceval.m2 import Block, Edit, noop, ordered
from geceval.text.m2 import m2_statistics
from geceval.text.m2.blocks import BlockStream
from geceval.text.m2.operations import confidence
from support.commands import run_main
from support.instances import instances
from support.messages import message_of
from support.strategies import records
from support.strategies_edits import LINE, odd_blocks, odd_files, versions
from support.written_files import write
from twins import merging as twin


def key(edit: Edit) -> tuple[int, int, str]:
    return edit.start, edit.end, " ".join(edit.correction.split())


# --- stats ---


@given(odd_files)
def test_stats_are_those_of_the_twin(blocks: list[Block]) -> None:
    stats = m2.stats(blocks)
    edits_by_annotator = [{who: block.edits_of(who) for who in block.annotators} for block in blocks]
    edits = [edit for block in edits_by_annotator for version in block.values() for edit in version]
    assert (stats.sentences, stats.tokens) == (len(blocks), sum(len(block.tokens) for block in blocks))
    assert (stats.edits, stats.types) == (len(edits), Counter(edit.type for edit in edits))
    assert stats.lengths == Counter((e.end - e.start, len(e.correction.split())) for e in edits)
    for who, annotator in stats.annotators.items():
        versions = [block[who] for block in edits_by_annotator if who in block]
        expected = (len(versions), sum(map(bool, versions)), sum(map(len, versions)))
        assert (annotator.sentences, annotator.changed, annotator.edits) == expected
    assert set(stats.annotators) == {who for block in edits_by_annotator for who in block}
    pairs = {pair for block in edits_by_annotator for pair in combinations(sorted(block), 2)}
    assert set(stats.agreement) == pairs
    for first, second in pairs:
        sides = [
            [Counter(map(key, block[who])) for who in (first, second)]
            for block in edits_by_annotator
            if {first, second} <= {*block}
        ]
        agreement = stats.agreement[first, second]
        assert agreement.sentences == len(sides)
        assert agreement.edits == sum(a.total() + b.total() for a, b in sides)
        assert agreement.shared == sum((a & b).total() for a, b in sides)
        assert agreement.same == sum(a == b for a, b in sides)


def test_stats_count_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [Block("a b", (Edit(0, 1, "X", ("c",)), noop(1))), Block("a", (noop(1),)), Block("b")]
    expected = m2.stats(blocks)
    monkeypatch.setattr("geceval.text.m2.blocks.BATCH", 1)
    assert m2.stats(iter(blocks)) == expected


@given(st.lists(st.one_of(st.none(), st.integers(0, 30).map(lambda n: n / 8)), max_size=30), st.integers(0, 3))
def test_operation_has_answers_and_percentiles_of_latencies(times: list[float | None], silent: int) -> None:
    notes = [() if time is None else (f"I latency {time}", "I other") for time in times]
    blocks = [Block("a", notes=lines) for lines in notes] + [Block("a", notes=("I no answer",))] * silent
    known = [time for time in times if time is not None]
    expected = {"sentences": len(blocks), "answered": len(times)} if known or silent else {}
    if known:
        expected |= {f"p{p}": float(np.quantile(known, p / 100, method="inverted_cdf")) for p in (50, 95, 99)}
    assert m2.stats(blocks).operation == expected


# --- diff ---


@st.composite
def two_annotations(draw: st.DrawFn) -> tuple[list[Block], list[Block]]:
    """Of the same sentences, by the same annotators; types differ now and then."""
    annotators = range(draw(st.integers(1, 2)))
    sides: tuple[list[Block], list[Block]] = [], []
    for _ in range(draw(st.integers(1, 4))):
        tokens = draw(LINE)
        for side in sides:
            drawn = [edit for who in annotators for edit in draw(versions(len(tokens), who))]
            types = [draw(st.sampled_from(["X", "X", "Y"])) for _ in drawn]
            edits = [e if e.is_noop else Edit(e.start, e.end, t, e.corrections, annotator=e.annotator)
                     for e, t in zip(drawn, types, strict=True)]  # fmt: skip
            side.append(Block(" ".join(tokens), tuple(edits)))
    return sides


@given(two_annotations())
def test_diff_is_that_of_the_twin(sides: tuple[list[Block], list[Block]]) -> None:
    diff = m2.diff(*sides)
    who = diff.pairs
    keyed = [[(s, a, *key(e)) for s, b in enumerate(side) for a, _ in who for e in b.edits_of(a)] for side in sides]
    first, second = map(Counter, keyed)
    shared = (first & second).total()
    assert (diff.edits, diff.shared) == ((len(keyed[0]), len(keyed[1])), shared)
    assert diff.f1 == (2 * shared / len(keyed[0] + keyed[1]) if keyed[0] + keyed[1] else 1.0)
    spans = [Counter(edit[:4] for edit in side) for side in keyed]
    assert diff.spans_f1 == (
        2 * (spans[0] & spans[1]).total() / len(keyed[0] + keyed[1]) if keyed[0] + keyed[1] else 1.0
    )
    rows = list(diff.rows(all=True))
    assert Counter((r.sentence, who[r.pair][0], r.start, r.end, r.correction) for r in rows if r.types[0]) == first
    assert Counter((r.sentence, who[r.pair][0], r.start, r.end, r.correction) for r in rows if r.types[1]) == second
    assert sum(row.where == "both" for row in rows) == shared
    assert diff.is_equal == all(row.is_same for row in rows) == (not list(diff.rows()))
    assert diff.alike == len(sides[0]) - len({row.sentence for row in rows if not row.is_same})
    for name, of_type in diff.types.items():
        counts = [sum(e.type == name and not e.is_noop for b in side for e in b.edits) for side in sides]
        assert of_type.edits == tuple(counts)
    assert sum(of_type.both for of_type in diff.types.values()) == shared - diff.retyped
    back = m2.diff(*reversed(sides))
    assert (back.shared, back.retyped, back.f1, back.kappa) == (shared, diff.retyped, diff.f1, diff.kappa)
    assert diff.kappa == kappa(sides, [a for a, _ in who])


def kappa(sides: Any, annotators: list[int]) -> Any:
    """Cohen's, of tokens inside an edit or to the right of an insertion."""
    labels: list[list[bool]] = [[], []]
    for row, side in zip(labels, sides, strict=True):
        for block in side:
            for who in annotators:
                marked = {t for e in block.edits_of(who) for t in range(e.start, max(e.end, e.start + 1))}
                row += [t in marked for t in range(len(block.tokens))]
    total = len(labels[0])
    if not total:
        return None
    yes = [sum(row) / total for row in labels]
    expected = yes[0] * yes[1] + (1 - yes[0]) * (1 - yes[1])
    observed = sum(a == b for a, b in zip(*labels, strict=True)) / total
    return None if expected == 1 else pytest.approx((observed - expected) / (1 - expected))


@given(two_annotations())
def test_a_file_is_equal_to_itself(sides: tuple[list[Block], list[Block]]) -> None:
    diff = m2.diff(sides[0], sides[0])
    assert diff.is_equal
    assert (diff.f1, diff.alike, diff.absent) == (1.0, len(sides[0]), (0, 0))
    assert diff.kappa in (None, 1.0)


def block(*edits: Edit, source: str = "a b c") -> Block:
    return Block(source, edits, path="x.m2", line=7)


def test_what_differs() -> None:
    first = [block(Edit(0, 1, "X", ("z", "q")), Edit(1, 2, "X", ("",)), Edit(3, 3, "M", ("d",)))]
    second = [block(Edit(1, 2, "Y", ("-NONE-",)), Edit(0, 1, "X", (" z ",)), Edit(3, 3, "M", ("e",)))]
    diff = m2.diff(first, second)
    assert [(row.start, row.correction, row.where, row.types) for row in diff.rows()] == [
        (1, "", "both", ("X", "Y")),
        (3, "d", "one", ("M", None)),
        (3, "e", "other", (None, "M")),
    ]
    assert (diff.shared, diff.retyped, diff.alike, diff.is_equal) == (2, 1, 0, False)
    assert (diff.f1, diff.spans_f1) == (4 / 6, 1.0)
    assert diff.types["X"] == m2_statistics.TypeCounts((2, 1), 1)


def test_who_is_compared(snapshot: SnapshotAssertion) -> None:
    two = [block(Edit(0, 1, "X", ("z",)), noop(1)), block(noop(0), noop(1))]
    alone = [block(Edit(0, 1, "X", ("z",), annotator=4)), block()]
    assert m2.diff(two, alone, (0, 4)).is_equal
    assert m2.diff(two, alone, (0, 4)).absent == (0, 1)
    assert not m2.diff(two, two, (0, 1)).is_equal
    assert m2.diff(alone, [block(Edit(0, 1, "X", ("z",))), block()]).pairs == [(4, 0)]
    assert message_of(m2.diff, two, alone) == snapshot
    assert message_of(m2.diff, two, alone, (0, 3)) == snapshot
    for wrong in ((0,), (0, "a"), "01", 3):
        assert message_of(m2.diff, two, alone, wrong) == snapshot


def test_sentences_must_be_the_same(snapshot: SnapshotAssertion) -> None:
    assert message_of(m2.diff, [block(), block()], [block(), block(source="other")]) == snapshot
    assert message_of(m2.diff, [block()], [block(), block()]) == snapshot
    assert message_of(m2.diff, [block(Edit(0, 9, "X", ("z",)))], [block()]) == snapshot


# --- votes of several files ---


def voting(*edits: tuple[int, int, str], source: str = "a b c d") -> Block:
    return Block(source, tuple(Edit(start, end, "X", (text,)) for start, end, text in edits) or (noop(0),))


def voted(votes: int, *blocks: Block) -> list[tuple[int, int, str]]:
    [winner] = m2.vote([[ballot] for ballot in blocks], votes)
    return [(edit.start, edit.end, edit.correction) for edit in winner.edits if not edit.is_noop]


def test_edits_of_enough_files() -> None:
    files = voting((0, 1, "x"), (2, 3, "z")), voting((0, 1, "x")), voting((0, 1, "y"), (2, 3, "z"))
    assert voted(1, *files) == [(0, 1, "x"), (2, 3, "z")]
    assert voted(2, *files) == [(0, 1, "x"), (2, 3, "z")]
    assert voted(3, *files) == []


def test_of_edits_that_exclude_each_other_the_one_of_more_files() -> None:
    assert voted(1, voting((0, 2, "x")), voting((1, 3, "y")), voting((1, 3, "y"))) == [(1, 3, "y")]
    assert voted(1, voting((0, 2, "x")), voting((1, 3, "y"))) == [(0, 2, "x")]
    assert voted(1, voting((1, 1, "x")), voting((1, 1, "y"))) == [(1, 1, "x")]
    assert voted(1, voting((1, 1, "x")), voting((1, 2, "y"))) == [(1, 1, "x"), (1, 2, "y")]
    assert voted(1, voting((1, 1, "x")), voting((0, 2, "y")), voting((0, 2, "y"))) == [(0, 2, "y")]


@st.composite
def systems(draw: st.DrawFn) -> list[Block]:
    line = " ".join(draw(LINE))
    number = draw(st.integers(1, 5))
    return [Block(line, tuple(draw(versions(len(line.split()), 0)))) for _ in range(number)]


def keys(voted_block: Block) -> set[tuple[int, int, str]]:
    return {(edit.start, edit.end, edit.correction) for edit in ordered(voted_block, 0)}


@given(systems(), st.integers(1, 5))
def test_what_is_kept_had_the_votes_and_can_be_made(ballots: list[Block], minimum: int) -> None:
    [winner] = m2.vote([[ballot] for ballot in ballots], minimum)
    m2.apply(winner, 0)
    votes = {key: sum(key in keys(ballot) for ballot in ballots) for key in set().union(*map(keys, ballots))}
    assert keys(winner) <= {key for key, count in votes.items() if count >= minimum}
    if 2 * minimum > len(ballots):  # two edits that exclude each other cannot both have more than half
        assert keys(winner) == {key for key, count in votes.items() if count >= minimum}
    assert keys(next(m2.vote([[ballot] for ballot in ballots], len(ballots)))) == set.intersection(*map(keys, ballots))


@st.composite
def files(draw: st.DrawFn) -> list[list[Block]]:
    """Files of the same sentences; most edits fit, and most blocks have one annotator."""
    sources = draw(st.lists(odd_blocks.map(lambda drawn: drawn.source), max_size=4))
    return [[draw(one_voter(source)) for source in sources] for _ in range(draw(st.integers(1, 4)))]


@functools.cache
def one_voter(source: str) -> st.SearchStrategy[Block]:
    """A block of this sentence: fitting edits of annotator 0, rarely any edits; spans without alternatives repeat."""
    fitting = versions(len(source.split()), 0).map(lambda edits: Block(source, tuple(edits)))
    return st.one_of(*[fitting] * 12, odd_blocks.map(lambda drawn: replace(drawn, source=source)))


def until_error(blocks: Iterator[Block]) -> tuple[list[Block], str]:
    """The blocks up to the first error, and its message."""
    read = []
    try:
        for block in blocks:
            read.append(block)
    except InputError as error:
        return read, str(error)
    return read, ""


@given(files(), st.integers(1, 4))
def test_votes_are_those_of_the_twin(ballots: list[list[Block]], minimum: int) -> None:
    assert until_error(m2.vote(ballots, minimum)) == until_error(twin.vote(ballots, minimum))


@given(files(), st.integers(0, 2))
def test_pieces_of_any_size_give_the_same_votes(ballots: list[list[Block]], cut: int) -> None:
    pieces = [[m2.Blocks.of(file[:place]), m2.Blocks.of(file[place:])] for place, file in enumerate(ballots, cut)]
    assert until_error(m2.vote([BlockStream(iter(file)) for file in pieces], 1)) == until_error(m2.vote(ballots, 1))


answers = st.lists(
    st.builds(m2.Target, st.integers(0, 3), st.sampled_from([None, 0, 1]), st.just("a")), max_size=2
).map(tuple)


@given(files(), st.data())
def test_merged_files_are_those_of_the_twin(annotations: list[list[Block]], data: st.DataObject) -> None:
    annotations = [[replace(block, targets=data.draw(answers)) for block in file] for file in annotations]
    ids = [m2.annotators(file) for file in annotations]
    assert list(m2.merge(annotations, ids)) == list(twin.merge(annotations, ids))


def test_files_that_do_not_fit_are_refused(snapshot: SnapshotAssertion) -> None:
    assert message_of(m2.vote, [[voting(), voting()], [voting()]], 1) == snapshot
    assert message_of(m2.vote, [[voting()], [voting(source="other")]], 1) == snapshot
    several = Block("a", (noop(0), noop(1)))
    assert message_of(m2.vote, [[several]], 1) == snapshot


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = []
    for k, block in enumerate([voting((0, 1, "x"), (2, 3, "z")), voting((0, 1, "x")), voting((3, 3, "q"))]):
        path = write(tmp_path / f"{k}.m2", f"{block}\n")
        paths.append(str(path))
    assert main(["m2", "vote", *paths]) == 0
    assert capsys.readouterr().out == "S a b c d\nA 0 1|||X|||x|||REQUIRED|||-NONE-|||0\n\n"
    assert main(["m2", "vote", *paths, "-k", "1", "--text"]) == 0
    assert capsys.readouterr().out == "x b z q d\n"
    assert main(["m2", "vote", *paths, "-k", "4"]) == 2
    assert "1 to 3, the number of files, not 4" in capsys.readouterr().err


# --- edits of one annotator that overlap or are equal ---


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
    second_annotator = Edit(0, 6, "R", ("v",), annotator=1)
    resolved, text = KEPT[rule]
    [block] = m2.resolve_overlaps([Block(SOURCE, (*EDITS, second_annotator))], rule)
    assert block.edits == (*resolved, second_annotator), "sorted; another annotator may edit the same tokens"
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
    "edits", [(LONG, SHORT), (TWICE, TWICE), (LONG, INSIDE)], ids=["overlap", "duplicate", "insertion"]
)
def test_an_error_by_default_with_a_hint(edits: tuple[Edit, ...], snapshot: SnapshotAssertion) -> None:
    for blocks in ([Block(SOURCE, edits)], [Block("x"), Block(SOURCE, (noop(0), *edits))]):
        assert message_of(Corpus, [block.source for block in blocks], gold=blocks) == snapshot


def test_confidence_is_a_number_in_the_comment(snapshot: SnapshotAssertion) -> None:
    without = Edit(3, 5, "R", ("x",))
    assert message_of(m2.resolve_overlaps, [Block(SOURCE, (LONG, without))], "confident") == snapshot
    [block] = m2.resolve_overlaps([Block(SOURCE, (BESIDE, without))], "confident")
    assert block.edits == (BESIDE, without), "edits that do not overlap need none"
    assert (
        message_of(m2.resolve_overlaps, [Block(SOURCE, (LONG, Edit(3, 5, "R", ("x",), comment="nan")))], "confident")
        == snapshot
    )


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
            original = before.edits_of(annotator)
            assert set(left) <= set(original)
            alone = [
                edit
                for edit in original
                if not any(overlap(edit, neighbour) for neighbour in original if neighbour != edit)
            ]
            same = {(edit.start, edit.end, edit.alternatives) for edit in left}
            assert {(edit.start, edit.end, edit.alternatives) for edit in alone} <= same
            if rule == "skip":
                assert not any(overlap(remaining, neighbour) for remaining in left for neighbour in original)


def overlap(first: Edit, second: Edit) -> bool:
    same = (first.start, first.end, first.alternatives) == (second.start, second.end, second.alternatives)
    return not same and first.start < second.end and second.start < first.end


def test_every_metric_scores_resolved_overlaps() -> None:
    gold, source = [Block(SOURCE, EDITS)], [SOURCE]
    for metric in instances().values():
        if not metric.uses_references:
            continue
        assert "duplicate: the same edit" in message_of(metric.corpus_score, source, source, gold=gold)
        corpus = Corpus(source, (), {"it": [KEPT["longest"][1]]}, gold, overlaps="longest")
        score = geceval.evaluate(corpus, [metric], checks=False)["it"][0].score()
        assert "|overlaps:longest|" in score.signature
        resolved = Corpus(source, (), corpus.systems, m2.resolve_overlaps(gold, "longest"))
        assert geceval.evaluate(resolved, [metric], checks=False)["it"][0].score().totals == score.totals


def test_commands(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.m2", tmp_path / "it.txt"
    gold.write_text(f"{Block(SOURCE, EDITS)}\n", encoding="utf-8")
    system.write_text("a d c b e w\n", encoding="utf-8")
    alone = run_main(*f"score -s {system} -r {system} -c {system} --overlaps first".split())
    assert (alone.status, "--overlaps first requires --gold" in alone.err) == (2, True)
    score = f"score --gold {gold} -c {system}"
    for command in (f"m2 apply {gold}", score, f"{score} -m green"):
        refused = run_main(*command.split())
        assert refused.status == 2
        assert "gold.m2:7: duplicate: the same edit is in line 6\n  hint: --overlaps first" in refused.err
        for rule in get_args(m2.Overlaps)[1:]:
            completed = run_main(*command.split(), "--overlaps", rule)
            assert completed.status == 0, completed.err
            if command.startswith("m2"):
                assert completed.out == f"{KEPT[rule][1]}\n"
            else:
                assert f"|overlaps:{rule}|" in completed.out
    assert run_main("m2scorer", str(system), str(gold)).status == 0, "the drop-in keeps all edits"


def test_confidences_are_those_of_one_annotator(snapshot: SnapshotAssertion) -> None:
    blocks = [Block(SOURCE, (SHORT, LONG)), Block(SOURCE, (noop(0),)), Block(SOURCE), Block(SOURCE, (INSIDE,))]
    assert repr(m2.confidences(blocks).tolist()) == "[0.9, 0.5, nan, 0.7]"
    assert confidence(blocks[0], SHORT) == 0.9
    assert (
        message_of(m2.confidences, [Block(SOURCE, (SHORT, Edit(0, 1, "R", ("x",), comment="1", annotator=1)))])
        == snapshot
    )
    assert message_of(m2.confidences, [5]) == snapshot
