"""Recorded outputs of checkers, and places in all readings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import m2
from geceval.base.errors import InputError, UsageError
from geceval.text.m2.places import Reading, reading_of
from support.messages import message_of
from support.written_files import write

#: A page, and what pinned checkers wrote about it: aspell 0.60.8, harper-py 0.2.0, hunspell 1.7.1,
#: proselint 0.16.0, typos 1.52.0.
RECORDED = Path(__file__).parent / "checkers"
PAGE = (RECORDED / "page.txt").read_text(encoding="utf-8").splitlines()

TYPOS = [(0, "recieved", "received"), (6, "definately", "definitely"), (6, "teh", "the")]
EXPECTED = {
    "typos.jsonl": TYPOS,
    "typos.sarif.json": TYPOS,
    "hunspell.txt": [*TYPOS, (6, "café.", "cafe.")],
    "aspell.txt": [TYPOS[0], (4, "irregardless", "regardless"), *TYPOS[1:], (6, "café.", "cafe.")],
    "proselint.json": [
        (2, "preventative", "preventive"),
        (3, "the the", None),
        (4, "could of", "could've"),
        (4, "irregardless", "regardless"),
    ],
    "harper.jsonl": [
        (0, "recieved", "received"),
        (1, "have", "has"),
        (1, "a", "an"),
        (1, "a", "an"),
        (3, "go", "goes"),
        (3, "the", ""),
        (4, "of", "have"),
        (4, "their,", "there,"),
        (4, "irregardless", "regardless"),
        (6, "definately", "definitely"),
        (6, "teh", "the"),
    ],
}


def changes(blocks: list[m2.Block]) -> list[tuple[int, str, str | None]]:
    """Return the sentence, the tokens and the correction of each edit; None: the edit marks an error."""
    return [
        (s, " ".join(block.tokens[edit.start : edit.end]), None if edit.type == "UNK" else edit.correction)
        for s, block in enumerate(blocks)
        for edit in block.edits
        if not edit.is_noop
    ]


@pytest.mark.parametrize("name", EXPECTED)
def test_recorded_outputs_are_read(name: str) -> None:
    assert changes(list(m2.read_json_lines(RECORDED / name, PAGE))) == EXPECTED[name]


def vale(line: int, start: int, end: int, *replacements: str) -> dict[str, Any]:
    action = {"Name": "replace" if replacements else "", "Params": list(replacements) or None}
    return {"Action": action, "Span": [start, end], "Line": line, "Check": "Own.Rule", "Match": "", "Message": "m"}


def test_alerts_of_vale_have_inclusive_columns_of_numbered_lines(tmp_path: Path) -> None:
    alerts = {"doc.txt": [vale(1, 4, 10, "use"), vale(3, 1, 2)]}
    for alert, match in zip(alerts["doc.txt"], ("utilise", "So"), strict=True):
        alert["Match"] = match
    path = write(tmp_path / "vale.json", json.dumps(alerts, indent=1))
    blocks = list(m2.read_json_lines(path, ["We utilise it", "Fine", "So it goes"]))
    assert changes(blocks) == [(0, "utilise", "use"), (2, "So", None)]


def test_a_finding_beyond_the_text_is_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = write(tmp_path / "typos.jsonl", (RECORDED / "typos.jsonl").read_text(encoding="utf-8"))
    for source in (["I recieved it"], None):
        assert message_of(lambda source=source: list(m2.read_json_lines(path, source))) == snapshot


@pytest.mark.parametrize("offsets", ["", "characters,bytes", "from-2", "line,document", "auto,bytes", "length:tokens"])
def test_unknown_and_contradictory_offsets_are_refused(offsets: str) -> None:
    with pytest.raises(UsageError, match="offsets: "):
        reading_of(offsets)


def test_a_reading_is_written_as_it_is_read() -> None:
    for offsets in ("utf-16", "characters,from-1,inclusive", "bytes,line", "characters,length:utf-16"):
        assert str(reading_of(offsets)) == offsets
    assert reading_of("auto") is None


def position(text: str, index: int, unit: str) -> int:
    """Return where a character begins, in a unit."""
    before = text[:index]
    return {"characters": len(before), "utf-16": len(before.encode("utf-16-le")) // 2, "bytes": len(before.encode())}[
        unit
    ]


@given(
    text=st.text("aé😀 ", min_size=1, max_size=12),
    ends=st.tuples(st.integers(0, 12), st.integers(0, 12)),
    unit=st.sampled_from(["characters", "utf-16", "bytes"]),
    length_unit=st.sampled_from([None, "characters", "utf-16", "bytes"]),
    from_one=st.booleans(),
    inclusive=st.booleans(),
)
def test_a_place_is_found_in_every_reading(
    text: str, ends: tuple[int, int], unit: Any, length_unit: Any, from_one: bool, inclusive: bool
) -> None:
    begin, after = sorted(min(end, len(text)) for end in ends)
    start, end = (position(text, index, unit) + from_one for index in (begin, after))
    reading = Reading(unit, from_one, inclusive, length_unit)
    assert reading.span(text, start, end - inclusive) == (begin, after)
    length = position(text[begin:], after - begin, length_unit or unit)
    assert reading.span(text, start, None, length) == (begin, after)


@given(text=st.text("ab ", max_size=12), first=st.integers(0, 6), last=st.integers(0, 6))
def test_tokens_are_counted_as_python_splits(text: str, first: int, last: int) -> None:
    span, tokens = Reading("tokens").span(text, first, last), text.split()
    if first <= last <= len(tokens):
        assert span is not None
        assert text[slice(*span)].split() == tokens[first:last]
    else:
        assert span is None


def test_offsets_from_one_are_found_if_the_text_is_quoted(tmp_path: Path) -> None:
    rows = [{"suggestions": [{"start": 4, "end": 6, "quote": "go", "replacements": ["goes"]}]}]
    path = write(tmp_path / "x.jsonl", json.dumps(rows[0]))
    assert changes(list(m2.read_json_lines(path, ["He go home"]))) == [(0, "go", "goes")]
    with pytest.raises(InputError, match="quotes another one"):
        list(m2.read_json_lines(path, ["He go home"], offsets="characters"))


@pytest.mark.parametrize(("shift", "hint"), [(1, 'offsets="characters,from-1"'), (2, "--tokenise NAME")])
def test_suggestions_that_all_begin_within_words_are_refused(tmp_path: Path, shift: int, hint: str) -> None:
    source = [f"He {word} home" for word in ("goo", "runn", "walkk", "comee", "drivee")]
    ends = [line.rindex(" ") for line in source]
    rows = [{"suggestions": [{"start": 3 + shift, "end": end + shift, "replacements": ["is"]}]} for end in ends]
    path = write(tmp_path / "x.jsonl", "\n".join(map(json.dumps, rows)))
    with pytest.raises(InputError, match="all 5 suggestions begin within a word") as caught:
        list(m2.read_json_lines(path, source))
    assert hint in str(caught.value)
    if shift == 1:
        given = list(m2.read_json_lines(path, source, offsets="characters,from-1"))
        assert changes(given) == [(s, line.split()[1], "is") for s, line in enumerate(source)]


def corrections(*pairs: tuple[str, str]) -> str:
    """Return a row as language models write it."""
    return json.dumps(
        {"corrections": [{"original": old, "corrected": new, "explanation": "why"} for old, new in pairs]}
    )


def test_quoted_words_without_offsets_are_found(tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", corrections(("a apple", "an apple"), ("go", "goes")))
    blocks = list(m2.read_json_lines(path, ["He go and has a apple , a gong and goo"]))
    assert changes(blocks) == [(0, "a", "an"), (0, "go", "goes")] or changes(blocks) == [
        (0, "go", "goes"),
        (0, "a", "an"),
    ]
    path = write(tmp_path / "chinese.jsonl", corrections(("今天", "昨天")))
    assert [str(m2.apply(block, 0)) for block in m2.read_json_lines(path, ["我今天去了"])] == ["我昨天去了"]


@pytest.mark.parametrize("quote", ["a", "A apple", "app"])
def test_quoted_words_that_are_no_place_are_refused_or_left_out(
    tmp_path: Path, quote: str, snapshot: SnapshotAssertion
) -> None:
    source, path = ["a pear and a apple"], write(tmp_path / "x.jsonl", corrections((quote, "an"), ("pear", "peach")))
    assert message_of(lambda: list(m2.read_json_lines(path, source))) == snapshot
    with pytest.warns(match="left out suggestions that quote words of which the sentence has (none|several): 1"):
        assert changes(list(m2.read_json_lines(path, source, misfits="drop"))) == [(0, "pear", "peach")]
