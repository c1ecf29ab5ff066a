"""Chinese by characters: how edits are merged and typed, and how near they are to ChERRANT's."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from geceval._kernel import Text
from geceval.edits.annotation import Token
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator
from geceval.edits.languages.lexicon import guess
from support.commands import Run
from support.written_files import write
from twins.alignment import align
from twins.moves import merge_runs, type_of

EXTRACTOR = Extractor(make_annotator("zh"))


def edits(source: str, target: str) -> list[tuple[int, int, str, str]]:
    [extracted] = EXTRACTOR.extract([(" ".join(source), " ".join(target))])
    return [(edit.start, edit.end, edit.type, edit.correction.replace(" ", "")) for edit in extracted]


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("味确实好", "味道确实好", [(1, 1, "M", "道")]),
        ("他的的书", "他的书", [(1, 2, "U", "")]),
        ("死爱的", "爱死的", [(0, 2, "R:WO", "爱死")]),
        ("生名", "生命", [(1, 2, "R", "命")]),
        # What is taken from one place and put into another is one edit, punctuation aside.
        ("冬阴功对外国人的", "外国人对冬阴功的", [(0, 7, "R:WO", "外国人对冬阴功")]),
        ("泄漏从工厂里出来", "从工厂里泄漏出来", [(0, 6, "R:WO", "从工厂里泄漏")]),
        ("，他已经来", "他已经来，", [(0, 1, "U", ""), (5, 5, "M", "，")]),
    ],
)
def test_runs_and_moves(source: str, target: str, expected: list[tuple[int, int, str, str]]) -> None:
    assert edits(source, target) == expected


TEXTS = st.text("甲乙丙丁，", min_size=1, max_size=12)


def tokens(text: str) -> list[Token]:
    return [Token(c, c, "PUNCT" if c == "，" else "X", "", "", t) for t, c in enumerate(text)]


@given(TEXTS, TEXTS)
@example("丁丁丙乙丙乙丁丁", "丁丙丙乙，乙丙丙")
def test_edits_are_the_twins(source: str, target: str) -> None:
    rows = tokens(source), tokens(target)
    spans = merge_runs(align(*rows, plain=False), source, target)
    if source != target:
        assert edits(source, target) == [(a, b, type_of(source[a:b], target[c:d]), target[c:d]) for a, b, c, d in spans]


#: Words, each with a letter that stands for it in the twin.
WORDS = {"甲乙": "A", "丙丁": "B", "戊": "C", "，": "，"}


@given(*[st.lists(st.sampled_from(sorted(WORDS)), min_size=1, max_size=8)] * 2)
def test_edits_by_words_are_the_twins(source: list[str], target: list[str]) -> None:
    rows = [[Token(word, word, "PUNCT" if word == "，" else "X", "", "", t) for t, word in enumerate(side)]
            for side in (source, target)]  # fmt: skip
    source_text, target_text = ("".join(map(WORDS.__getitem__, side)) for side in (source, target))
    by_words = any(len(word) > 1 for word in source)
    if source != target:
        [extracted] = EXTRACTOR.extract_tokens([(source, target)])
        assert [(edit.start, edit.end, edit.correction) for edit in extracted] == [
            (a, b, " ".join(target[c:d]))
            for a, b, c, d in merge_runs(align(*rows, plain=False), source_text, target_text, by_words=by_words)
        ]


@pytest.mark.parametrize("last", ["她", "ok", "iPhone"])
def test_a_token_that_a_correction_brings_does_not_decide_how_it_is_cut(last: str) -> None:
    """The source alone does, so that all corrections of a sentence have their runs of substitutions cut alike."""
    [extracted] = EXTRACTOR.extract([("我 甲 乙 了 他", f"我 丙 丁 了 {last}")])
    assert [(edit.start, edit.end, edit.correction) for edit in extracted] == [(1, 3, "丙 丁"), (4, 5, last)]


@given(TEXTS, TEXTS)
def test_edits_make_the_target(source: str, target: str) -> None:
    result, shift = list(source), 0
    for start, end, _, text in edits(source, target):
        result[start + shift : end + shift] = text
        shift += len(text) - (end - start)
    assert "".join(result) == target


def test_the_annotator_says_what_it_is() -> None:
    annotator = make_annotator("zh")
    assert (annotator.name, annotator.language.code, annotator.language.tokeniser) == ("chinese-1", "zh", "char")
    assert pickle.loads(pickle.dumps(annotator)).name == annotator.name


def test_the_language_is_guessed_by_its_letters() -> None:
    chinese = Text(["它虽然不是很豪华 Hello 。"] * 3)
    assert guess(chinese).language == "zh"
    quoting = Text([*(["它虽然不是很豪华 。"] * 3), "我喜欢の这个字 。"])
    assert guess(quoting).language == "zh"
    assert guess(Text(["私は昨日東京に行きました。"] * 3)).language == "ja"


def test_statements_that_nothing_is_corrected_are_the_source(run: Run, tmp_path: Path) -> None:
    source, fixed = tmp_path / "source.txt", tmp_path / "fixed.txt"
    write(source, "他来到北京。\n我很好。\n他第一教育。\n")
    write(fixed, "他来了北京。\n没有错误\n无法标注。\n")
    result = run("annotate", "-s", source, "-c", fixed, "--language", "zh", "--tokenise", "char")
    assert [line.split("|||")[:3] for line in result.out.splitlines() if line.startswith("A")] == [
        ["A 2 3", "R", "了"],
        ["A -1 -1", "noop", "-NONE-"],
        ["A -1 -1", "noop", "-NONE-"],
    ]
    assert "note: 2 of 3 corrections are 没有错误 or 无法标注: read as the source" in result.err
