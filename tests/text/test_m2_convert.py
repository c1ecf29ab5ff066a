"""M2 to other formats and back: JSON Lines and spans."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import m2
from geceval.base.errors import GecevalWarning, InputError
from geceval.m2 import Block, Edit, Target, noop
from geceval.text.m2.m2_files import is_preserved
from support.strategies_edits import edited_corpora, in_files, odd_files

FACTORY = pytest.TempPathFactory


# --- JSON Lines ---


def lines_of(blocks: list[Block]) -> str:
    out = io.StringIO()
    m2.write_json_lines(blocks, out)
    return out.getvalue()


def from_lines(path: Path, text: str | bytes) -> list[Block]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(m2.read_json_lines(path))


def chinese(blocks: list[Block]) -> list[Block]:
    return in_files([block for block in m2.cherrant_blocks(blocks) if block.edits])


@given(st.one_of(odd_files, edited_corpora.map(lambda rows: chinese([gold for gold, _ in rows]))))
def test_json_lines_lose_nothing(tmp_path_factory: FACTORY, blocks: list[Block]) -> None:
    path = tmp_path_factory.mktemp("jsonl") / "some.jsonl"
    assert from_lines(path, lines_of(blocks)) == blocks
    assert lines_of(from_lines(path, lines_of(blocks))) == lines_of(blocks)
    assert from_lines(path, "\ufeff" + lines_of(blocks).replace("\n", "\r\n\n")) == blocks


def test_what_a_line_looks_like() -> None:
    block = Block(
        "He go  .",
        (Edit(1, 2, "R:VERB", ("goes", "went")), Edit(2, 2, "U", ("-NONE-",)), noop(1), Edit(0, 1, "X", ("",))),
        notes=("I note",),
    )
    usual = {"required": "REQUIRED", "comment": "-NONE-"}
    [line] = lines_of([block]).splitlines()
    assert json.loads(line) == {
        "tokens": ["He", "go", "."],
        "source": "He go  .",
        "annotators": [
            {
                "annotator": 0,
                "edits": [
                    {"start": 1, "end": 2, "type": "R:VERB", "correction": "goes", "alternatives": ["went"]} | usual,
                    {"start": 2, "end": 2, "type": "U", "correction": "", "written": "-NONE-"} | usual,
                ],
            },
            {"annotator": 1, "edits": []},
            {"annotator": 0, "edits": [{"start": 0, "end": 1, "type": "X", "correction": ""} | usual]},
        ],
        "notes": ["I note"],
    }
    answer = Block("a", (noop(0),), targets=(Target(0, None, "x"), Target(1, 2, "y")))
    assert json.loads(lines_of([answer]))["targets"] == [
        {"annotator": 0, "alignment": None, "text": "x"},
        {"annotator": 1, "alignment": 2, "text": "y"},
    ]


def test_what_may_be_left_out(tmp_path: Path) -> None:
    edit = {"start": 0, "end": 1, "type": "X", "correction": ""}
    text = json.dumps({"tokens": ["a"], "annotators": [{"annotator": 3, "edits": [edit]}]})
    assert from_lines(tmp_path / "x.jsonl", text) == [Block("a", (Edit(0, 1, "X", ("",), annotator=3),))]


EDIT = {"start": 0, "end": 1, "type": "X", "correction": "b"}


def sentence(edit: Any = EDIT, **more: Any) -> str:
    return json.dumps({"tokens": ["a"], "annotators": [{"annotator": 0, "edits": [edit]}]} | more)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[1]", "a sentence is an object, not \\[1\\]"),
        ("]", "not JSON: Expecting value"),
        (f'{{"tokens": ["a"], "annotators": [{{"id": {"9" * 5000}, "edits": []}}]}}', "a number is too large"),
        ("{", "not JSON: Expecting property name"),
        ("[" * 100_000, "not JSON: "),
        (b"\xff", "not UTF-8: byte 0xff at byte offset"),
        ("{}", "a sentence has no 'tokens'"),
        ('{"tokens": "a"}', "'tokens' of a sentence is a list, not 'a'"),
        ('{"tokens": [1]}', "'tokens' of a sentence is a list of texts, not 1"),
        ('{"tokens": ["a"]}', "a sentence has no 'annotators'"),
        (sentence(source="a b"), "the tokens are not the tokens of the source"),
        (sentence(label=3), "unknown key 'label' of a sentence\n  hint: available: annotators, notes"),
        (sentence(3), "an edit is an object, not 3"),
        (sentence(EDIT | {"start": True}), "an edit's start is a whole number, not True"),
        (sentence(EDIT | {"start": 1.0}), "an edit's start is a whole number, not 1.0"),
        (sentence(EDIT | {"start": 10**40}), "an edit's start is 1000.* at most 2147483647"),
        (sentence(EDIT | {"mood": "x"}), "unknown key 'mood' of an edit"),
        (sentence(EDIT | {"correction": "b\nS c"}), "not valid in M2: reading it again"),
        (sentence(EDIT | {"type": "X|||y"}), "not valid in M2"),
        (sentence(EDIT | {"correction": "\ud800"}), r"an edit's corrections: lone surrogate U\+D800"),
        (sentence(EDIT | {"written": "c"}), "the edit is written 'c', which does not make \\['b'\\]"),
        (sentence(annotators=[{"annotator": "0", "edits": []}]), "an edit's annotator is a whole number"),
        (sentence(annotators=[{"annotator": -1, "edits": []}]), "not valid in M2"),
        (sentence(targets=[{"annotator": 0, "text": "x"}]), "a target has no 'alignment'"),
        (sentence(notes=["no I line"]), "not valid in M2"),
    ],
)
def test_lines_that_are_no_sentences(tmp_path: Path, line: str | bytes, message: str) -> None:
    good = lines_of([Block("a")]).encode()
    raw = line if isinstance(line, bytes) else line.encode()
    with pytest.raises(InputError, match=message) as raised:
        from_lines(tmp_path / "x.jsonl", good + b"\n" + raw)
    assert raised.value.where == f"{tmp_path / 'x.jsonl'}:3: "


def test_what_no_file_says_does_not_survive() -> None:
    assert is_preserved(Block("a", (Edit(0, 1, "X", ("b",)),)))
    assert not is_preserved(Block("a\nb"))
    assert not is_preserved(Block("a", (Edit(0, 1, "X", ("b", "")),)))


# --- spans ---


def spans_of(blocks: list[Block]) -> list[dict[str, Any]]:
    out = io.StringIO()
    m2.write_spans(blocks, out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def applied(row: dict[str, Any]) -> str:
    text, shift = row["source"], 0
    for edit in row["edits"]:
        text = text[: edit["start"] + shift] + edit["replacement"] + text[edit["end"] + shift :]
        shift += len(edit["replacement"]) - (edit["end"] - edit["start"])
    return str(text)


def test_spans_are_places_of_characters() -> None:
    edits = (
        Edit(0, 0, "M", ("Oh",)),
        Edit(0, 1, "R", ("𝔘  x",)),
        Edit(1, 2, "U", ("-NONE-",)),
        Edit(3, 3, "M", ("the",)),
        Edit(4, 5, "U", ("",)),
    )
    [row] = spans_of([Block("é b   c d e", edits)])
    assert row["source"] == "é b c d e"
    assert row["corrected"] == "Oh 𝔘 x c the d"
    assert [(edit["start"], edit["end"], edit["replacement"], edit["type"]) for edit in row["edits"]] == [
        (0, 0, "Oh ", "M"),
        (0, 1, "𝔘 x", "R"),
        (1, 3, "", "U"),
        (5, 5, " the", "M"),
        (7, 9, "", "U"),
    ]


@given(edited_corpora)
def test_spans_make_the_corrected_text_and_are_read_back(
    tmp_path_factory: FACTORY, rows: list[tuple[Block, Block]]
) -> None:
    blocks = [block for _, block in rows]
    written = spans_of(blocks)
    for row, block in zip(written, blocks, strict=True):
        assert applied(row) == row["corrected"]
        assert row["corrected"].split() == m2.apply(block, 0).split()
        places = [place for edit in row["edits"] for place in (edit["start"], edit["end"])]
        assert places == sorted(places)
    path = tmp_path_factory.mktemp("spans") / "some.jsonl"
    read = from_lines(path, "\n".join(map(json.dumps, written)))
    for own, block in zip(read, blocks, strict=True):
        assert own.tokens == block.tokens
        wanted = [(e.start, e.end, e.type, e.correction) for e in m2.ordered(block, 0)]
        assert [(e.start, e.end, e.type, e.correction) for e in own.edits if not e.is_noop] == wanted
        assert own.edits


@pytest.mark.parametrize(
    ("source", "start", "end", "replacement", "expected"),
    [
        ("He go home.", 3, 5, "goes", (1, 2, "goes")),
        ("He go home.", 10, 10, "s", (2, 3, "homes.")),
        ("He can not go", 6, 7, "", (1, 3, "cannot")),
        ("He cannot go", 6, 6, " ", (1, 2, "can not")),
        ("He  go", 3, 3, "will ", (1, 1, "will")),
        ("He  go", 2, 6, "", (1, 2, "")),
        ("He go", 0, 5, "", (0, 2, "")),
        ("go", 0, 1, "G", (0, 1, "Go")),
        ("go", 2, 2, ".", (0, 1, "go.")),
        ("", 0, 0, "a b", (0, 0, "a b")),
        ("a b", 3, 3, " c", (2, 2, "c")),
    ],
)
def test_spans_of_other_programs_are_read(
    tmp_path: Path, source: str, start: int, end: int, replacement: str, expected: tuple[int, int, str]
) -> None:
    row = {"source": source, "edits": [{"start": start, "end": end, "replacement": replacement, "type": "X"}]}
    [block] = from_lines(tmp_path / "some.jsonl", json.dumps(row))
    [edit] = block.edits
    assert (edit.start, edit.end, edit.correction) == expected
    assert m2.apply(block, 0).split() == applied(row).split()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"corrected": "a b"}, "the edits do not make the corrected text"),
        ({"source": None}, "the text of the suggestions is required"),
        ({"edits": [{"start": 0, "end": 9, "replacement": "", "type": ""}]}, "offset 0 to 9: outside the text of 3 "),
        ({"edits": [{"start": 1, "end": 0, "replacement": "", "type": ""}]}, "offset 1 to 0: outside"),
        ({"edits": [{"start": 0, "end": 1, "replacement": "a", "type": "X|||Y"}]}, "not valid in M2"),
        (
            {"edits": [{"start": n, "end": n, "replacement": "x", "type": "X"} for n in (1, 0)]},
            "the edit 0 1 overlaps|the edit 0 1 occurs twice",
        ),
    ],
    ids=str,
)
def test_faulty_spans_are_reported_with_their_line(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    row = {"source": "a c", "corrected": "a c", "edits": []}
    path = tmp_path / "some.jsonl"
    with pytest.raises(InputError, match=message) as caught:
        from_lines(path, f"{json.dumps(row)}\n{json.dumps(row | change)}\n")
    assert (caught.value.path, caught.value.line) == (str(path), 2)


def test_spans_report_what_they_cannot_hold() -> None:
    block = Block("a b", (Edit(0, 1, "X", ("x",), "no", "none"),), notes=("I note",))
    with pytest.warns(GecevalWarning) as caught:
        spans_of([block, block])
    messages = {str(warning.message) for warning in caught}
    assert messages == {f"spans: 2 {what} left out" for what in ("I lines", "fields")}
    for other in (Block("a", (noop(0), noop(1))), Block("a", (noop(0),), targets=(Target(0, 0, "a"),))):
        with pytest.raises(InputError, match="one annotator and no alignments"):
            spans_of([other])
    with pytest.raises(InputError, match="overlaps"):
        spans_of([Block("a b", (Edit(0, 2, "X", ("x",)), Edit(1, 2, "X", ("y",))))])
