"""GoToScorer against its slow twin, its weights, and files of weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import Corpus, Goto, evaluate
from geceval._kernel import SlotTable
from geceval.counting.breakdown import evaluate_groups
from geceval.counting.groupings import ByType
from geceval.counting.signature import signature_of
from geceval.counting.system_results import kept_counts
from geceval.m2 import Block, Blocks, Edit, noop, ordered
from geceval.metrics.goto import HEAD
from geceval.text.columns import HypothesisLike
from support.messages import message_of
from support.strategies_edits import LINE, versions
from support.written_files import write
from twins.slots import verdicts


@st.composite
def pools(draw: st.DrawFn) -> tuple[list[Block], dict[str, list[Block]]]:
    """Gold edits and those of up to four systems."""
    lines = [" ".join(draw(LINE)) for _ in range(draw(st.integers(1, 4)))]

    def version() -> list[Block]:
        return [Block(line, tuple(draw(versions(len(line.split()), 0)))) for line in lines]

    return version(), {str(k): version() for k in range(draw(st.integers(1, 4)))}


def plain(block: Block) -> list[tuple[int, int, str]]:
    return [(edit.start, edit.end, edit.correction) for edit in ordered(block, 0)]


@given(pools(), st.booleans())
def test_equal_to_the_definition(pool: tuple[list[Block], dict[str, list[Block]]], weighted: bool) -> None:
    gold, systems = pool
    corpus = Corpus([block.source for block in gold], (), systems, gold)
    judged = {
        name: [
            verdicts(block.tokens, plain(block), plain(output)) for block, output in zip(gold, outputs, strict=True)
        ]
        for name, outputs in systems.items()
    }  # fmt: skip
    metric = Goto(weights="pool" if weighted else "none")
    for name, counts in kept_counts(corpus, metric, evidence=True).items():
        for s, rows in enumerate(judged[name]):
            expected = dict.fromkeys(metric.columns, 0.0)
            for c, (is_edit, right, modified) in enumerate(rows):
                weight = 1 - np.mean([rows[s][c][1] for rows in judged.values()]) if weighted else 1.0
                expected["all"] += weight
                if right:
                    expected["tp" if modified else "tn"] += weight
                else:
                    expected["fp"] += weight * modified
                    expected["fn"] += weight * (is_edit or not modified)
            assert counts.array[s, 0] == pytest.approx(list(expected.values()), abs=1e-12)
        assert counts.evidence is not None
        np.testing.assert_allclose(counts.evidence.sums(counts.array.shape), counts.array, rtol=0, atol=1e-12)


SOURCE = ["He go home .", "She have a cats ."]
REFERENCES = [["He goes home .", "She has a cat ."], ["He went home .", "She has cats ."]]
SYSTEMS: dict[str, HypothesisLike] = {
    "same": SOURCE,
    "good": REFERENCES[0],
    "half": ["He goes home .", "She have a cats !"],
}
CORPUS = Corpus(SOURCE, REFERENCES, SYSTEMS)


def scores(metric: Goto, corpus: Corpus = CORPUS) -> dict[str, Any]:
    return {name: result.score() for name, [result] in evaluate(corpus, [metric]).items()}


def test_by_hand() -> None:
    """have -> has and cats -> cat are right in one of three, go -> goes in two; the full stop weighs 1/3."""
    by_system = scores(Goto())
    assert by_system["good"].value == 1.0
    assert by_system["same"].value == 0.0
    third = 1 / 3
    assert by_system["half"].totals == pytest.approx(
        {"tp": third, "fp": third, "fn": 4 * third, "tn": 0, "all": third + 4 * third + third}
    )
    assert by_system["half"].parts == pytest.approx({"precision": 1 / 2, "recall": 1 / 5, "accuracy": 1 / 6})
    assert scores(Goto(weights="none"))["good"].parts["accuracy"] == 1.0
    assert scores(Goto(ref_id=1))["good"].value < 1.0


def test_evidence_has_the_texts_of_its_edits() -> None:
    metric = Goto(weights="none")
    counts = metric.count(metric.prepare(CORPUS), SYSTEMS["half"], evidence=True)
    evidence = counts.evidence
    assert evidence is not None
    assert evidence.text is not None
    assert evidence.start is not None
    rows = zip(evidence.sentence, evidence.start, evidence.column, evidence.text, strict=True)
    listed = {(int(s), int(start), counts.columns[k], evidence.strings[text]) for s, start, k, text in rows}
    assert {row for row in listed if row[2] in ("tp", "fp", "fn")} == {
        (0, 1, "tp", "goes"), (1, 1, "fn", "has"), (1, 3, "fn", "cat"), (1, 4, "fp", "!")
    }  # fmt: skip


def test_the_pool_decides_and_is_named() -> None:
    alone = scores(Goto(), Corpus(SOURCE, REFERENCES, {"good": SYSTEMS["good"]}))["good"]
    assert alone.value == 0.0  # what all systems have right weighs nothing
    assert "|weights:pool|" in alone.signature
    assert "|pool:good|refs:2|" in alone.signature
    unweighted = scores(Goto(weights="none"))["good"].signature
    assert "pool:" not in unweighted
    assert "|a:" not in unweighted


def test_counts_without_the_pool_are_refused() -> None:
    """Equal weights would be those of another metric."""
    metric = Goto()
    prepared = metric.prepare(CORPUS)
    assert "goto weighs chunks by the systems of a run" in message_of(metric.count, prepared, SYSTEMS["half"])


def test_counts_by_type_sum_to_the_totals() -> None:
    [result] = evaluate_groups(CORPUS, [Goto()], ByType())["half"]
    groups = result.groups()
    sums = {name: sum(group.totals[name] for group in groups.values()) for name in ("tp", "fp", "fn", "tn", "all")}
    assert sums == pytest.approx(result.score().totals)
    assert groups["R:VERB:SVA"].totals["tp"] == pytest.approx(1 / 3)
    assert groups["R:PUNCT"].totals["fp"] == pytest.approx(1 / 3)


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    return write(tmp_path / "pool.txt", "".join(f"{line}\n" for line in Goto().weight_lines(CORPUS)))


def test_a_file_of_weights_is_the_pool(weights: Path) -> None:
    metric = Goto(weights=str(weights))
    for name, score in scores(Goto()).items():
        alone = Corpus(SOURCE, REFERENCES, {name: SYSTEMS[name]})
        assert scores(metric, alone)[name].totals == score.totals
        [parts] = evaluate(alone, [metric], block=1)[name]
        assert parts.score().totals == score.totals
    signature = signature_of(metric, 1)
    assert "|weights:pool.txt@" in signature
    weights.write_text(weights.read_text().replace("3", "2"))
    assert signature_of(metric, 1) != signature


def test_files_of_weights_with_faults_are_refused(weights: Path, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    metric, good = Goto(weights=str(weights)), weights.read_text()
    head, _, third, *_ = good.splitlines()
    for text in (
        good.replace(third[:8], "00000000"),
        "\n".join(good.splitlines()[:2]),
        *(good.replace(head, line) for line in ("systems", f"{HEAD}0", f"{HEAD}x", "3")),
        "",
        good.replace("3 3", "4 3"),
        good.replace("3 3", "3 x"),
    ):
        write(weights, text)
        assert message_of(scores, metric) == snapshot
    write(weights, good)
    assert message_of(scores, Goto(ref_id=1, weights=str(weights))) == snapshot
    assert message_of(scores, Goto(weights=str(tmp_path / "none here"))) == snapshot


def test_what_cannot_be_is_refused(snapshot: SnapshotAssertion) -> None:
    assert message_of(scores, Goto(ref_id=2)) == snapshot
    gold = [Block(line, (noop(4),)) for line in SOURCE]
    assert message_of(scores, Goto(), Corpus(SOURCE, (), SYSTEMS, gold)) == snapshot
    assert message_of(scores, Goto(), Corpus(SOURCE, [["x", None], ["x", "y"]], SYSTEMS)) == snapshot
    assert message_of(scores, Goto(b=1.0)) == snapshot
    assert scores(Goto(b=1.0, c=2.0))["good"].value > 0


@pytest.mark.filterwarnings("ignore:the ceiling of")
def test_an_annotator_without_a_line_changes_nothing() -> None:
    gold = [
        Block(SOURCE[0], (Edit(1, 2, "R:VERB:SVA", ("goes",), annotator=1),)),
        Block(SOURCE[1], (Edit(1, 2, "R:VERB:SVA", ("has",), annotator=0),)),
    ]
    corpus = Corpus(SOURCE, (), {"same": SOURCE}, gold)
    assert scores(Goto(ref_id=0, weights="none"), corpus)["same"].totals["fn"] == 1
    none = [Block(line, ()) for line in SOURCE]
    assert scores(Goto(weights="none"), Corpus(SOURCE, (), {"same": SOURCE}, none))["same"].parts["accuracy"] == 1


def test_a_version_of_another_sentence_is_refused(snapshot: SnapshotAssertion) -> None:
    blocks = Blocks.of([Block("a"), Block("a b c d")])
    assert message_of(SlotTable, blocks.source, blocks.edits, np.array([1, 1]), [], 1) == snapshot
