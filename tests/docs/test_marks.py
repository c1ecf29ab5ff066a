"""Marks of blocks state a reason, and pages are split into commands and their output."""

from __future__ import annotations

import re

import pytest

from support.pages import PAGES, Block, Command, agrees, blocks, commands

MARKED = [(page, block) for page in PAGES for block in blocks(page) if block.mark]
#: Packages that blocks may need. make test-neural, test-integrations and test-peers install them.
NEEDS = frozenset(
    "accelerate corpora dask evaluate inspect_ai lm_eval neural nltk pandas pyarrow pyspark "
    "sacrebleu syntok torchmetrics trl".split()
)


def test_every_mark_has_a_reason() -> None:
    for page, block in MARKED:
        if block.mark == "not run":
            assert len(block.said.split()) > 3, f"{page}:{block.line}"
        elif block.mark == "needs":
            assert set(block.needs) <= NEEDS, f"{page}:{block.line}"
            assert block.needs


def test_every_mark_stands_before_code() -> None:
    for page, path in PAGES.items():
        marks = re.findall(r"^<!-- (?:not run|needs|as text)", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(marks) == len([block for block in blocks(page) if block.mark]), page
    assert all(block.kind != "text" or block.mark == "as text" for _, block in MARKED)


def test_few_blocks_are_not_run() -> None:
    assert len([block for _, block in MARKED if block.mark == "not run"]) <= 7


def test_pages_have_code() -> None:
    kinds = [block.kind for page in PAGES for block in blocks(page)]
    assert kinds.count("python") > 20
    assert kinds.count("typed") > 60


def block(*lines: str, language: str = "") -> Block:
    return Block("page.md", 1, language, lines)


def test_blocks_are_split_into_commands_and_their_output() -> None:
    session = block("$ geceval score \\", "    -m green", "system  GREEN", "", "note", "$ geceval rank", "")
    assert commands(session) == [
        Command("geceval score -m green", ("system  GREEN", "", "note")),
        Command("geceval rank", ()),
    ]
    assert commands(block("geceval a  # why", "D=x", "output")) == [
        Command("geceval a", ()),
        Command("D=x", ("output",)),
    ]
    assert block("P = TP / (TP + FP)").kind == "text"
    assert block("geceval a", language="yaml").kind == "text"
    assert block(">>> 1", language="python").kind == "doctest"


@pytest.mark.parametrize(
    ("shown", "printed", "expected"),
    [
        (("a", "b"), "a\nb\n", True),
        (("a", "b"), "\na  \nb\n\n", True),
        (("a",), "a\nb\n", False),
        (("b",), "a\nb\n", False),
        (("…", "b"), "a\na\nb\n", True),
        (("a", "…"), "a\n", True),
        (("a … c",), "a b c\n", True),
        (("a … c",), "a b\nc\n", False),
        (("a.c",), "abc\n", False),
    ],
)
def test_ellipsis_agrees_with_any_text_or_lines(shown: tuple[str, ...], printed: str, expected: bool) -> None:
    assert agrees(shown, printed) is expected
