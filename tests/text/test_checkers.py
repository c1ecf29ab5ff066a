"""Recorded outputs of checkers, and places in all readings."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import m2, read_corpus, read_table
from geceval.base.errors import InputError, UsageError
from geceval.text.m2.places import Reading, reading_of
from geceval.text.preparation import Preparation
from geceval.text.reading.edit_files import SuggestionReader
from geceval.text.reading.lines import read_lines
from support.commands import Run, run_main
from support.messages import message_of
from support.written_files import write

#: Pages, and what pinned checkers wrote about them: aspell 0.60.8, codespell 2.4.3, harper-py 0.2.0, hunspell 1.7.1,
#: proselint 0.16.0, typos 1.52.0; in French grammalecte 2.1.2, in Icelandic reynir-correct 4.1.3.
RECORDED = Path(__file__).parent / "checkers"
PAGE = read_lines(RECORDED / "page.txt")

TYPOS = [(0, "recieved", "received"), (6, "definately", "definitely"), (6, "teh", "the")]
HARPER = [
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
]
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
    "codespell.txt": [TYPOS[0], (4, "irregardless", "regardless"), *TYPOS[1:]],
    "harper.jsonl": HARPER,
    "harper_organized.jsonl": HARPER,
}
#: In other languages, without the punctuation after words.
FRENCH = [
    (1, "enfant", "enfants"),
    (1, "la", "le"),
    (2, "venue", "venu"),
    (2, "manger", "mangé"),
    (3, "allont", None),
    (4, "C'", "C’"),
    (5, "belle", "belles"),
    (5, "gateau", None),
]
ICELANDIC = [(1, "Mér", "Mig"), (2, "eithvað", "eitthvað")]


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
    assert sorted(changes(list(m2.read_json_lines(RECORDED / name, PAGE))), key=str) == sorted(EXPECTED[name], key=str)


@pytest.mark.parametrize(
    ("name", "page", "tokeniser", "expected"),
    [
        ("grammalecte.json", "page.fr.txt", "elisions", FRENCH),
        ("greynir.jsonl", "page.is.txt", "english", ICELANDIC),
    ],
)
@pytest.mark.filterwarnings("ignore:.*change no token")  # blanks before punctuation
def test_recorded_outputs_in_other_languages_are_read(
    name: str, page: str, tokeniser: str, expected: list[tuple[int, str, str | None]]
) -> None:
    preparation = Preparation(tokenise=tokeniser)
    blocks = SuggestionReader(preparation).blocks(str(RECORDED / name), read_lines(RECORDED / page))
    assert changes(list(blocks)) == expected


def vale(line: int, start: int, end: int, *replacements: str) -> dict[str, Any]:
    action = {"Name": "replace" if replacements else "edit", "Params": list(replacements) or ["regex", "o", "a"]}
    return {"Action": action, "Span": [start, end], "Line": line, "Check": "Own.Rule", "Match": "", "Message": "m"}


def test_alerts_of_vale_have_inclusive_columns_of_numbered_lines(tmp_path: Path) -> None:
    alerts = {"doc.txt": [vale(1, 4, 10, "use"), vale(3, 1, 2)]}
    for alert, match in zip(alerts["doc.txt"], ("utilise", "So"), strict=True):
        alert["Match"] = match
    path = write(tmp_path / "vale.json", json.dumps(alerts, indent=1))
    blocks = list(m2.read_json_lines(path, ["We utilise it", "Fine", "So it goes"]))
    assert changes(blocks) == [(0, "utilise", "use"), (2, "So", None)]
    alerts["doc.txt"][1]["Action"] = {"Name": "remove", "Params": None}
    path = write(tmp_path / "vale.json", json.dumps(alerts))
    assert changes(list(m2.read_json_lines(path, ["We utilise it", "Fine", "So it goes"])))[1] == (2, "So", "")


def test_texts_of_greynir_that_are_checked_one_by_one_have_places_of_their_own(tmp_path: Path) -> None:
    annotation = {"start": 1, "end": 1, "start_char": 3, "end_char": 5, "code": "C", "suggest": "er"}
    rows = [{"original": "Hún ej hér", "annotations": items} for items in ([annotation], [], [annotation])]
    path = write(tmp_path / "greynir.jsonl", "\n".join(map(json.dumps, rows)))
    assert changes(list(m2.read_json_lines(path, ["Hún ej hér"] * 3))) == [(0, "ej", "er"), (2, "ej", "er")]


def test_suggestions_that_are_the_rows_belong_to_one_text(tmp_path: Path) -> None:
    rows = [
        {"start": 3, "end": 5, "original": "go", "suggestions": ["goes"], "category": "grammar"},
        {"start": 11, "end": 13, "original": "is", "suggestions": [], "category": "grammar"},
    ]
    path = write(tmp_path / "quire.json", json.dumps(rows, indent=1))
    source = ["He go", "They is", "Fine"]
    assert changes(list(m2.read_json_lines(path, source))) == [(0, "go", "goes"), (1, "is", None)]
    # As many rows as sentences may be one for each.
    with pytest.raises(InputError, match="one for each, or all of the whole text"):
        list(m2.read_json_lines(path, source[:2]))
    of_text = m2.read_json_lines(path, source[:2], offsets="characters,document")
    assert changes(list(of_text)) == [(0, "go", "goes"), (1, "is", None)]
    rows[1] |= {"start": 5, "end": 7}
    path = write(tmp_path / "quire.json", json.dumps(rows))
    of_each = m2.read_json_lines(path, source[:2], offsets="characters,text")
    assert changes(list(of_each)) == [(0, "go", "goes"), (1, "is", None)]


def test_suggestions_of_one_of_many_sentences_are_refused_unless_the_scope_is_given(tmp_path: Path) -> None:
    row = {"suggestions": [{"start": 3, "end": 5, "replacements": ["goes"]}]}
    path, source = write(tmp_path / "x.jsonl", json.dumps(row)), ["He go .", *["Fine ."] * 9]
    with pytest.raises(InputError, match="suggestions for 1 sentence, but the source has 10"):
        list(m2.read_json_lines(path, source))
    assert changes(list(m2.read_json_lines(path, source, offsets="characters,document"))) == [(0, "go", "goes")]


def sarif(*results: tuple[dict[str, Any], dict[str, Any]], uri: str = "page.txt") -> dict[str, Any]:
    """Return a log of results, each with its region and its replacement."""
    rows = []
    for region, replacement in results:
        place = {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}
        fix = {"artifactChanges": [{"artifactLocation": {"uri": uri}, "replacements": [replacement]}]}
        rows.append({"ruleId": "R", "message": {"text": "m"}, "locations": [place], "fixes": [fix]})
    return {"version": "2.1.0", "runs": [{"columnKind": "unicodeCodePoints", "results": rows}]}


def region(line: int, start: int, end: int) -> dict[str, Any]:
    return {"startLine": line, "startColumn": start, "endColumn": end}


def test_a_fix_of_sarif_has_a_place_of_its_own_and_may_delete(tmp_path: Path) -> None:
    fixes = (
        (region(1, 1, 9), {"deletedRegion": region(1, 4, 6), "insertedContent": {"text": "goes"}}),
        (region(2, 1, 4), {"deletedRegion": region(2, 1, 5)}),
    )
    path, source = write(tmp_path / "x.json", json.dumps(sarif(*fixes))), ["He go .", "The the cat"]
    blocks = list(m2.read_json_lines(path, source))
    assert [str(m2.apply(block, 0)) for block in blocks] == ["He goes .", "the cat"]
    log = sarif(fixes[0])
    log["runs"] += sarif(fixes[1], uri="other.txt")["runs"]
    with pytest.raises(InputError, match=r"findings in 2 files: page\.txt, other\.txt"):
        list(m2.read_json_lines(write(tmp_path / "two.json", json.dumps(log)), source))
    both = sarif((region(1, 4, 2) | {"endLine": 2}, {"insertedContent": {"text": "x"}}))
    path = write(tmp_path / "lines.json", json.dumps(both))
    assert_is_misfit(path, source, "over several lines")


def assert_is_misfit(path: Path, source: list[str], reason: str) -> None:
    with pytest.raises(InputError, match=f"line 1: a finding {reason}"):
        list(m2.read_json_lines(path, source))
    with pytest.warns(match=f"left out findings {reason}: 1"):
        assert changes(list(m2.read_json_lines(path, source, misfits="drop"))) == []


def test_a_fix_of_several_places_and_a_region_without_columns_are_misfits(tmp_path: Path) -> None:
    regions = region(1, 1, 3), region(1, 4, 6)
    first, second = ({"deletedRegion": place, "insertedContent": {"text": "x"}} for place in regions)
    source = ["He go .", "It is ."]
    log = sarif((region(1, 1, 3), first))
    [result] = log["runs"][0]["results"]
    [change] = result["fixes"][0]["artifactChanges"]
    change["replacements"] = [first, second]
    assert_is_misfit(write(tmp_path / "x.json", json.dumps(log)), source, "with a fix of several places")
    other = {"deletedRegion": first["deletedRegion"], "insertedContent": {"text": "y"}}
    change["replacements"] = [first, other]
    blocks = list(m2.read_json_lines(write(tmp_path / "x.json", json.dumps(log)), source))
    assert [edit.corrections for edit in blocks[0].edits] == [("x", "y")], "changes of one place are alternatives"
    change["replacements"] = [first]
    result["fixes"].append({"artifactChanges": [{"replacements": [second]}]})
    blocks = list(m2.read_json_lines(write(tmp_path / "x.json", json.dumps(log)), source))
    assert changes(blocks) == [(0, "He", "x")], "fixes are alternatives"
    result["fixes"], place = [], result["locations"][0]["physicalLocation"]
    for columns in ({}, {"startColumn": 1}):
        place["region"] = {"startLine": 1, **columns}
        path = write(tmp_path / "x.json", json.dumps(log))
        assert_is_misfit(path, source, "without start or end column")
    rdjson = {"diagnostics": [{"location": {"range": {"start": {"line": 1, "column": 4}}}}]}
    assert_is_misfit(write(tmp_path / "y.json", json.dumps(rdjson)), source, "without start or end column")


def test_runs_in_different_units_are_refused(tmp_path: Path) -> None:
    run = json.loads((RECORDED / "typos.sarif.json").read_text(encoding="utf-8"))["runs"][0]
    runs = [run | {"columnKind": unit} for unit in ("unicodeCodePoints", "utf16CodeUnits")]
    for number in (1, 2):
        path = write(tmp_path / f"{number}.json", json.dumps({"runs": runs[:1] * number}))
        assert len(changes(list(m2.read_json_lines(path, PAGE, misfits="drop")))) >= len(TYPOS)
    path = write(tmp_path / "x.json", json.dumps({"runs": runs}))
    with pytest.raises(InputError, match="columns are counted in unicodeCodePoints and in utf16CodeUnits"):
        list(m2.read_json_lines(path, PAGE))


def test_a_region_without_a_line_is_not_about_the_file(tmp_path: Path) -> None:
    place = {"artifactLocation": {"uri": "x.txt"}, "region": {"charOffset": 3, "charLength": 2}}
    report = {"runs": [{"results": [{"locations": [{"physicalLocation": place}]}]}]}
    path = write(tmp_path / "x.json", json.dumps(report))
    with pytest.raises(InputError, match="a finding without the number of a line"):
        list(m2.read_json_lines(path, ["He go ."]))


LINES = ["He go to school .", "She like cats .", "I am here ."]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("is_quoted", [False, True])
def test_places_in_a_text_with_windows_line_ends_are_those_of_its_lines(
    tmp_path: Path, end: str, is_quoted: bool, recwarn: pytest.WarningsRecorder
) -> None:
    text, fixes = end.join(LINES), {"go": "goes", "like": "likes", "am here": "was there"}
    spans = {word: {"start": text.index(word), "end": text.index(word) + len(word)} for word in fixes}
    quotes = {word: {"matched_text": word} if is_quoted else {} for word in fixes}
    rows = [spans[word] | quotes[word] | {"replacement": fixes[word]} for word in fixes]
    blocks = m2.read_json_lines(write(tmp_path / "x.json", json.dumps({"suggestions": rows})), LINES)
    assert changes(list(blocks)) == [(0, "go", "goes"), (1, "like", "likes"), (2, "am here", "was there")]
    assert [str(warning.message)[-60:] for warning in recwarn] == (
        ["none is within a word there (hint: text in a row is the text that was checked)"[-60:]]
        if end == "\r\n" and not is_quoted
        else []
    )


def test_findings_about_the_name_of_the_file_are_left_out(tmp_path: Path) -> None:
    finding = {"type": "typo", "path": "./teh.txt", "typo": "teh", "corrections": ["the"]}
    rows = [finding | {"byte_offset": 2}, finding | {"line_num": 2, "byte_offset": 6}]
    path = write(tmp_path / "x.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    with pytest.warns(match="left out findings about the file, not its text: 1"):
        assert changes(list(m2.read_json_lines(path, ["A dog .", "I saw teh cat ."]))) == [(1, "teh", "the")]


SUGGESTION = {"offset": 3, "length": 2, "replacements": ["goes"]}
#: Columns and cells of the suggestion, as people and libraries write them.
CELLS = {
    "json": ("checker", json.dumps([SUGGESTION])),
    "answer": ("checker", json.dumps({"software": {}, "matches": [SUGGESTION]})),
    "python": ("checker", str([SUGGESTION])),
    "objects": ("checker", f"[Match({SUGGESTION})]"),
    "dataclasses": ("checker", "[Match(offset=3, length=2, replacements=['goes'])]"),
    "quoted": ("checker", json.dumps([{"original": "go", "corrected": "goes"}])),
    "edits": ("edits", json.dumps([{"start": 3, "end": 5, "replacement": "goes"}])),
}


def table_of(path: Path, column: str, cells: Sequence[Any], role: str = "reference") -> str:
    """Write a table whose further column has the cells, and return its path."""
    rows = [{"source": "He go .", role: "He goes .", column: cell} for cell in cells]
    table = io.StringIO()
    writer = csv.DictWriter(table, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    is_table = path.suffix == ".csv"
    return write(path, table.getvalue() if is_table else "".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize("form", CELLS)
def test_suggestions_in_cells_are_edits(tmp_path: Path, form: str) -> None:
    column, cell = CELLS[form]
    path = table_of(tmp_path / "x.csv", column, [cell, "[]", cell])
    blocks = read_table(path, hypothesis=column).m2_systems[column]
    assert changes(list(blocks)) == [(0, "go", "goes"), (2, "go", "goes")]
    text = read_table(path, hypothesis=column, suggestions="as-text").systems[column]
    assert list(text) == ["He goes .", "He go .", "He goes ."]


def test_suggestions_in_json_tables_are_edits_and_null_is_no_answer(tmp_path: Path) -> None:
    path = table_of(tmp_path / "x.jsonl", "checker", [[SUGGESTION], None, []])
    with pytest.warns(match="system checker: 1 of 3 lines has no answer"):
        blocks = read_table(path, hypothesis="checker").m2_systems["checker"]
    assert changes(list(blocks)) == [(0, "go", "goes")]


def test_suggestions_after_many_empty_lists_are_edits(tmp_path: Path) -> None:
    path = table_of(tmp_path / "x.csv", "checker", [*["[]"] * 150, json.dumps([SUGGESTION])])
    assert changes(list(read_table(path, hypothesis="checker").m2_systems["checker"])) == [(150, "go", "goes")]


def test_systems_without_suggestions_next_to_one_with_them_have_none(tmp_path: Path) -> None:
    cells = [f"A,{json.dumps(json.dumps([SUGGESTION])).replace(chr(92), chr(34))}", "B,[]"]
    rows = [f"He go .,He goes .,{cell}" for cell in cells]
    path = write(tmp_path / "x.csv", "\n".join(["source,reference,system,hypothesis", *rows]))
    systems = read_table(path, system="system").m2_systems
    assert {name: changes(list(blocks)) for name, blocks in systems.items()} == {"A": [(0, "go", "goes")], "B": []}


def test_a_fault_of_a_suggestion_in_a_cell_is_reported_with_its_line(tmp_path: Path) -> None:
    cells = [json.dumps([SUGGESTION | {"offset": offset}]) for offset in (3, 30)]
    with pytest.raises(InputError, match="outside the text") as caught:
        read_table(table_of(tmp_path / "x.csv", "checker", cells), hypothesis="checker")
    assert caught.value.line == 3


@pytest.mark.parametrize(
    "cell", [json.dumps([SUGGESTION]), '[[3, 5, "goes"]]', "[{'replacements': array(['goes'], dtype=object)}]"]
)
def test_edits_in_cells_of_texts_are_no_sentence(tmp_path: Path, cell: str) -> None:
    path = table_of(tmp_path / "x.csv", "reference", [cell, "", cell], role="hypothesis")
    with pytest.raises(InputError, match="reference: suggestions, not a sentence"):
        read_table(path)


@pytest.mark.parametrize("report", [{}, {"runs": [{"results": []}]}, {"grammalecte": "2", "data": []}])
def test_a_report_without_findings_has_none(tmp_path: Path, report: Any) -> None:
    path = write(tmp_path / "x.json", json.dumps(report))
    assert changes(list(m2.read_json_lines(path, ["Fine .", "Fine ."]))) == []


def test_insertions_at_one_place_stay_in_order(tmp_path: Path) -> None:
    rows = [{"start": 3, "end": 4, "replacements": ["a cat"]}, {"start": 5, "end": 8, "replacements": ["a cat"]}]
    path = write(tmp_path / "x.jsonl", json.dumps({"suggestions": rows}))
    [block] = m2.read_json_lines(path, ["is a cat ."])
    assert str(m2.apply(block, 0)) == "is a cat a cat ."


def test_a_rule_called_noop_is_refused(tmp_path: Path) -> None:
    rows = [{"start": 0, "end": 2, "replacements": ["She"], "rule": "noop"}]
    path = write(tmp_path / "x.jsonl", json.dumps({"suggestions": rows}))
    with pytest.raises(InputError, match="the rule noop is no edit in M2"):
        list(m2.read_json_lines(path, ["He"]))


@pytest.mark.parametrize("option", ["--tokenise english", "--normalise nfc", ""])
def test_suggestions_as_text_are_scored_in_any_file(tmp_path: Path, option: str) -> None:
    source, reference = (
        write(tmp_path / "s.txt", "He go home now .\n"),
        write(tmp_path / "r.txt", "He goes home now .\n"),
    )
    path = write(tmp_path / "llm.out", corrections(("go", "goes")))
    words = ["score", "-s", str(source), "-r", str(reference), "-c", str(path), *option.split(), "-m", "green"]
    result = run_main(*words, "--suggestions", "as-text", "-f", "csv")
    assert (result.out, result.err) == ("system,GREEN\nllm.out,100.00\n", "")


def test_m2_that_inserts_words_before_what_they_replace_is_warned_of(tmp_path: Path) -> None:
    blocks = [f"S He {word} .\nA 1 1|||X|||{word}s|||REQUIRED|||-NONE-|||0\n" for word in ("go", "run", "walk")]
    path = write(tmp_path / "x.m2", "\n".join(blocks))
    with pytest.warns(match="all 3 edits insert, most before a word like the correction: 'gos' before 'go'"):
        read_corpus(gold=path)
    blocks[0] = blocks[0].replace("A 1 1", "A 1 2")
    read_corpus(gold=write(tmp_path / "x.m2", "\n".join(blocks)))


def test_a_finding_beyond_the_text_is_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = write(tmp_path / "typos.jsonl", (RECORDED / "typos.jsonl").read_text(encoding="utf-8"))
    for source in (["I recieved it"], None):
        assert message_of(lambda source=source: list(m2.read_json_lines(path, source))) == snapshot


@pytest.mark.parametrize("offsets", ["", "characters,bytes", "from-2", "line,document", "auto,bytes", "length:tokens"])
def test_unknown_and_contradictory_offsets_are_refused(offsets: str) -> None:
    with pytest.raises(UsageError, match="offsets"):
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
    assert sorted(changes(blocks)) == [(0, "a", "an"), (0, "go", "goes")]
    path = write(tmp_path / "twice.jsonl", corrections(("teh", "the"), ("teh", "The")))
    assert changes(list(m2.read_json_lines(path, ["teh cat and teh dog"]))) == [(0, "teh", "the"), (0, "teh", "The")]
    path = write(tmp_path / "chinese.jsonl", corrections(("今天", "昨天")))
    assert [str(m2.apply(block, 0)) for block in m2.read_json_lines(path, ["我今天去了"])] == ["我昨天去了"]


@pytest.mark.parametrize("quote", ["a", "A apple", "app"])
def test_quoted_words_that_are_no_line_are_refused_or_left_out(
    tmp_path: Path, quote: str, snapshot: SnapshotAssertion
) -> None:
    source, path = ["a pear and a apple"], write(tmp_path / "x.jsonl", corrections((quote, "an"), ("pear", "peach")))
    assert message_of(lambda: list(m2.read_json_lines(path, source))) == snapshot
    with pytest.warns(match="left out suggestions that quote words of which the sentence has (none|several): 1"):
        assert changes(list(m2.read_json_lines(path, source, misfits="drop"))) == [(0, "pear", "peach")]


@pytest.mark.parametrize(
    ("option", "text"), [("--normalise quotes", "“ He go ” home ."), ("--normalise nfkc", "ﬁne … He go .")]
)
def test_suggestions_are_normalised_as_texts_are(tmp_path: Path, option: str, text: str) -> None:
    start = text.index("go")
    row = {"suggestions": [{"start": start, "end": start + 2, "quote": "go", "replacements": ["goes"]}]}
    path, source = write(tmp_path / "x.jsonl", json.dumps(row)), write(tmp_path / "s.txt", f"{text}\n")
    reference = write(tmp_path / "r.txt", text.replace("go", "goes") + "\n")
    words = ["score", "-s", str(source), "-r", str(reference), "-c", str(path), "-m", "errant", "-f", "csv"]
    assert run_main(*words, *option.split()).out == "system,ERRANT\nx,100.00\n"


@pytest.mark.parametrize("name", ["v1.jsonl", "v1.m2"])
@pytest.mark.parametrize("options", [[], ["--suggestions", "as-text"]])
def test_sentences_without_an_answer_are_warned_of_also_under_q(tmp_path: Path, name: str, options: list[str]) -> None:
    source = write(tmp_path / "s.txt", "a b\n" * 4)
    files = {
        "v1.jsonl": 'null\n{"matches": []}\nnull\n[]\n',
        "v1.m2": "S a b\nI no answer\n\nS a b\n\nS a b\nI no answer\n\nS a b\n\n",
        "v2.jsonl": '{"matches": []}\nnull\n[]\n[]\n',
        "v3.jsonl": '{"matches": []}\n[]\n[]\n[]\n',
    }
    systems = [
        write(tmp_path / system, text) for system, text in files.items() if system in (name, "v2.jsonl", "v3.jsonl")
    ]
    result = run_main("score", "-s", source, "-r", source, "-c", *systems, "-m", "errant", "-q", *options)
    warned = [line.partition(" (hint:")[0] for line in result.err.splitlines() if "no answer" in line]
    assert warned == [
        "warning: system v1: 2 of 4 lines have no answer (null)",
        "warning: system v2: 1 of 4 lines has no answer (null)",
    ]


def test_report_of_ispell_lacks_lines_that_are_commands(tmp_path: Path, run: Run) -> None:
    """Hunspell 1.7.1 reports nothing, not even an empty line, on a line that begins with a sign."""
    source = write(tmp_path / "source.txt", "I recieve it .\n- She go .\n")
    reference = write(tmp_path / "reference.txt", "I receive it .\n- She goes .\n")
    header, report = (
        "@(#) International Ispell Version 3.2.06 (but really Hunspell 1.7.1)\n",
        "& recieve 1 {}: receive\n\n",
    )
    checker = write(tmp_path / "checker.txt", header + report.format(2))
    words = ["score", "-s", source, "-r", reference, "-c", checker, "-m", "errant"]
    failed = run(*words)
    assert failed.status == 2
    assert "the report is on 1 lines, but the source has 2" in failed.err
    assert "sed 's/^/^/' SOURCE | hunspell -a" in failed.err
    write(checker, header + report.format(3) + "*\n*\n\n")
    assert "83.33" in run(*words).out  # one of two edits
