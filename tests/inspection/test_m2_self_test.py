"""The self-test of ``geceval m2 check``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given

from geceval import m2
from geceval.inspection.m2_self_test import CAUSES, REORDERED, SelfTest, text_in_file_order
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.m2_files import check
from support.commands import Run
from support.strategies_edits import odd_files

#: Cause -> the edits of a sentence of six tokens: start, end, correction.
BLOCKS = {
    "edits out of order": [(4, 5, "x"), (0, 1, "y")],
    "overlapping or repeated edits": [(0, 2, "x"), (1, 3, "y")],
    "an edit that changes nothing": [(1, 2, "b")],
    "an edit keeps more than 2 of its tokens": [(0, 5, "x b c d y")],
    "edits next to each other": [(1, 2, "x"), (2, 2, "x")],
}


def self_test(text: str) -> SelfTest:
    blocks = Blocks.parse(text.encode(), dialect=None)
    tested = SelfTest(blocks.annotators)
    tested.add(blocks)
    return tested


def text_of(edits: list[tuple[int, int, str]]) -> str:
    lines = [f"A {start} {end}|||R|||{text}|||REQUIRED|||-NONE-|||0" for start, end, text in edits]
    return "\n".join(["S a b c d e f", *lines, ""])


@pytest.mark.parametrize("cause", BLOCKS)
def test_blocks_below_100_have_a_cause(cause: str) -> None:
    tested = self_test(f"{text_of([(0, 1, 'x')])}\n{text_of(BLOCKS[cause])}")
    assert cause in CAUSES
    assert [(block.line, block.cause) for block in tested.unmatched] == [(4, cause)]
    assert tested.unmatched[0].correct < max(tested.unmatched[0].proposed, tested.unmatched[0].gold)
    assert tested.scores("plain")[0] < 1


def test_sound_blocks_reach_100() -> None:
    tested = self_test(text_of([(0, 1, "x"), (2, 2, "y z"), (4, 6, "")]))
    assert (tested.scores("plain"), tested.unmatched) == ({0: 1.0}, [])


def test_scripts_that_go_in_file_order_make_another_text() -> None:
    """The insertion comes first by position, and the file has it last."""
    [block] = Blocks.parse(text_of([(1, 2, ""), (1, 1, "x y")]).encode())
    assert text_in_file_order(block, block.edits) == "x y a c d e f" != m2.apply(block, 0) == "a x y c d e f"
    [block] = Blocks.parse(text_of([(4, 5, "x y"), (0, 1, "z")]).encode())
    assert text_in_file_order(block, block.edits) != m2.apply(block, 0)


def test_sentences_without_a_line_take_the_first_annotator_as_m2_apply_does() -> None:
    tested = self_test("S a b\nA 0 1|||R|||x|||R|||N|||0\n\nS c d\nA 0 1|||R|||y|||R|||N|||1\n")
    assert tested.scores("plain") == {0: 1.0, 1: 1.0}
    assert tested.scores("fallback")[1] < 1


@given(odd_files)
def test_each_block_below_100_has_numbers_and_a_known_cause(blocks: list[m2.Block]) -> None:
    columns = Blocks.of(blocks, dialect=None)
    tested = SelfTest(columns.annotators)
    tested.add(columns)
    assert {block.cause for block in tested.unmatched} <= {*CAUSES, REORDERED}


def test_formats_have_all_blocks(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.m2").write_text("\n".join([text_of(BLOCKS["edits next to each other"])] * 7), encoding="utf-8")
    shown = run("m2", "check", "x.m2")
    assert shown.status == 0, "the self-test finds no faults"
    assert "  7 not at 100: edits next to each other: lines 1, 5, 9, 13, 17, …" in shown.out
    [document] = json.loads(run("m2", "check", "x.m2", "-f", "json").out)["files"]
    lines = [block["line"] for block in document["self_test"]["below"]]
    assert lines == [1, 5, 9, 13, 17, 21, 25]
    rows = list(csv.DictReader(io.StringIO(run("m2", "check", "x.m2", "-f", "csv").out)))
    assert [int(row["line"]) for row in rows if row["about"] == "not at 100"] == lines
    assert "MaxMatch" not in run("m2", "check", "x.m2", "-q").out


def test_faults_are_in_every_format_with_exit_status_1(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.m2"
    path.write_text(text_of(BLOCKS["edits out of order"]), encoding="utf-8")
    result = run("m2", "check", str(path), "-f", "json")
    [document] = json.loads(result.out)["files"]
    assert [fault["line"] for fault in document["faults"]] == [fault.line for fault in check(path).faults] == [3]
    assert result.status == 1
