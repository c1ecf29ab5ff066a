"""Suggestions with offsets: the same corrections as text and as M2, in every unit, and what is refused."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import m2
from geceval.base.errors import GecevalWarning, InputError
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator
from geceval.edits.m2_annotation import annotate
from geceval.m2 import Block, Edit, Target, noop
from geceval.text.m2.m2_json import WRITERS
from geceval.text.tokenisers import make_tokeniser
from support.commands import run_main
from support.effort import examples
from support.examples import EXAMPLES
from support.messages import message_of
from support.strategies import corpora, odd_sentences
from support.strategies_edits import edited_corpora, in_files, is_preserved, odd_files
from support.written_files import write

FACTORY = pytest.TempPathFactory
SIZES = {
    "characters": lambda _: 1,
    "utf-16": lambda c: len(c.encode("utf-16-le")) // 2,
    "bytes": lambda c: len(c.encode()),
}
#: A family of three characters of two UTF-16 units each with joiners, and a letter of two characters.
TEXT = "👨‍👩‍👧 lik e\u0301 cats"


def in_unit(text: str, place: int, unit: str) -> int:
    return sum(map(SIZES[unit], text[:place]))


def read(path: Path, rows: Any, source: list[str] | None = None, **options: Any) -> list[Block]:
    path.write_text(
        "".join(json.dumps({"matches": row} if isinstance(row, list) else row) + "\n" for row in rows), encoding="utf-8"
    )
    return list(m2.read_json_lines(path, source, **options))


def match(start: int, end: int, *replacements: str, **more: Any) -> dict[str, Any]:
    return {"offset": start, "length": end - start, "replacements": [{"value": text} for text in replacements], **more}


def edits(blocks: list[Block]) -> list[tuple[int, int, str, str]]:
    return [(e.start, e.end, e.type, "||".join(e.corrections)) for block in blocks for e in block.edits]


# --- forms ---


@pytest.mark.parametrize(
    "row",
    [
        {"matches": [match(3, 5, "goes", "went", rule={"id": "SVA", "category": {"id": "G"}}, message="…")]},
        {"suggestions": [{"start": 3, "end": 5, "replacements": ["goes", "went"], "type": "SVA"}]},
        {"suggestions": [{"start": 3, "end": 5, "replacements": ["goes", "went"], "rule": "SVA"}]},
        {"suggestions": [{"start": 3, "length": 2, "replacements": ["goes", "went"], "category": "SVA"}]},
        {
            "lints": [
                {
                    "span": {"start": 3, "end": 5},
                    "lint_kind": "SVA",
                    "suggestions": [{"ReplaceWith": [*"goes"]}, {"ReplaceWith": [*"went"]}],
                    "message": "…",
                    "priority": 31,
                }
            ]
        },
    ],
    ids=["languagetool", "type", "rule", "span", "harper"],
)
def test_a_suggestion_of_any_form_is_an_edit(tmp_path: Path, row: Any) -> None:
    [block] = read(tmp_path / "x.jsonl", [row], ["He go ."])
    assert block == Block("He go .", (Edit(1, 2, "SVA", ("goes", "went")),))


def test_insertions_and_deletions_of_harper(tmp_path: Path) -> None:
    lints = [
        {"span": {"start": 0, "end": 2}, "lint_kind": "X", "suggestions": [{"InsertAfter": [*" will"]}]},
        {"span": {"start": 5, "end": 7}, "lint_kind": "Y", "suggestions": ["Remove"]},
    ]
    blocks = read(tmp_path / "x.jsonl", [{"lints": lints}], ["He go . . ."])
    assert edits(blocks) == [(1, 1, "X", "will"), (2, 3, "Y", "")]


#: As `harper-cli lint --format json` prints them: labels in place of replacements.
LABELLED = {
    "file": "letter.txt",
    "lints": [
        {"rule": "Is", "kind": "Agreement", "span": {"start": 5, "end": 7}, "suggestions": ["Replace with: “are”"]},
        {"rule": "So", "kind": "Style", "span": {"start": 5, "end": 7}, "suggestions": ["Insert “ so”"]},
        {"rule": "Very", "kind": "Style", "span": {"start": 7, "end": 12}, "suggestions": ["Remove error"]},
    ],
}


def test_labels_of_harper_are_read_as_their_corrections(tmp_path: Path) -> None:
    blocks = read(tmp_path / "x.json", [LABELLED], ["Cats is very shy ."])
    assert edits(blocks) == [(1, 2, "Is", "are"), (2, 2, "So", "so"), (2, 3, "Very", "")]


@pytest.mark.parametrize("label", ["are", "Replace by “are”", "Replace with: 'are'", "Insert"])
def test_unknown_label_of_harper_is_refused_with_its_line(
    tmp_path: Path, label: str, snapshot: SnapshotAssertion
) -> None:
    lints = [{"span": {"start": 5, "end": 7}, "rule": "Is", "suggestions": [label]}]
    rows = [{"lints": []}, {"lints": lints}]
    assert message_of(read, tmp_path / "x.jsonl", rows, ["Cats .", "Cats is shy ."]) == snapshot
    lints[0]["suggestions"] = [{"ReplaceWith": "are"}]
    assert edits(read(tmp_path / "x.jsonl", [{"lints": lints}], ["Cats is shy ."])) == [(1, 2, "Is", "are")]


def test_matched_text_of_harper_elsewhere_in_the_source_is_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    lints = [{"span": {"start": 0, "end": 2}, "rule": "Is", "matched_text": "is", "suggestions": ["Remove error"]}]
    assert message_of(read, tmp_path / "x.jsonl", [{"lints": lints}], ["Cats is shy ."]) == snapshot


def test_rule_of_languagetool_precedes_its_type(tmp_path: Path) -> None:
    more = {
        "message": "…",
        "type": {"typeName": "Other"},
        "rule": {"id": "AGREEMENT_CATS", "issueType": "grammar", "category": {"id": "GRAMMAR", "name": "Grammar"}},
        "context": {"text": "Cats is shy .", "offset": 5, "length": 2},
    }
    blocks = read(tmp_path / "x.jsonl", [{"matches": [match(5, 7, "are", **more)]}], ["Cats is shy ."])
    assert edits(blocks) == [(1, 2, "AGREEMENT_CATS", "are")]
    del more["rule"]
    blocks = read(tmp_path / "x.jsonl", [{"matches": [match(5, 7, "are", **more)]}], ["Cats is shy ."])
    assert edits(blocks) == [(1, 2, "Other", "are")]


#: Lists of a checker's output for the word from 3 to 5, and the type; of programs and services by their documentation.
OUTPUTS: dict[str, tuple[Any, str]] = {
    "cspell": ({"issues": [{"text": "go", "offset": 3, "row": 1, "col": 4, "suggestions": ["goes", "went"]}]}, "R"),
    "textlint": (
        {"messages": [{"ruleId": "sva", "index": 3, "line": 1, "fix": {"range": [3, 5], "text": "goes"}}]},
        "sva",
    ),
    "proselint": (
        {"data": {"errors": [{"check": "sva", "line": 1, "column": 4, "start": 3, "end": 5, "replacements": "goes"}]}},
        "sva",
    ),
    "grammalecte": (
        {"iParagraph": 1, "lGrammarErrors": [{"nStart": 3, "nEnd": 5, "sRuleId": "sva", "aSuggestions": ["goes"]}],
         "lSpellingErrors": []},
        "sva",
    ),
    "hunspell": ({"misspellings": [{"word": "go", "offset": 3, "suggestions": ["goes"]}]}, "R"),
    "bing": (
        {"flaggedTokens": [{"offset": 3, "token": "go", "type": "Verb", "suggestions": [{"suggestion": "goes"}]}]},
        "Verb",
    ),
    "textgears": (
        {"response": {"errors": [{"offset": 3, "length": 2, "bad": "go", "better": ["goes"], "type": "grammar"}]}},
        "grammar",
    ),
    "gingerit": ({"corrections": [{"start": 3, "text": "go", "correct": "goes"}], "result": "He goes ."}, "R"),
    "nlprule": (
        {"suggestions": [{"source": "SVA/1", "span": {"byte": {"start": 3, "end": 5}, "char": {"start": 3, "end": 5}},
                          "message": "", "replacements": ["goes"]}]},
        "R",
    ),
    "others": ({"errors": [{"begin": 3, "end": 5, "correction": "goes", "error_type": "SVA"}]}, "SVA"),
}  # fmt: skip


@pytest.mark.parametrize("name", OUTPUTS)
@pytest.mark.parametrize("is_document", [False, True])
def test_outputs_of_checkers_are_read_by_their_keys(tmp_path: Path, name: str, is_document: bool) -> None:
    row, type_ = OUTPUTS[name]
    [block] = read(tmp_path / "x.jsonl", [{"data": [row]} if is_document else row], ["He go ."])
    [edit] = block.edits
    assert (edit.start, edit.end, edit.type, edit.alternatives[0]) == (1, 2, type_, "goes")


def test_lists_of_lines_are_read(tmp_path: Path) -> None:
    """Answers of Yandex's speller, as pyaspeller 2.0 returns them."""
    row = [{"code": 1, "pos": 3, "row": 0, "col": 3, "len": 2, "word": "go", "s": ["goes", "got"]}]
    went, unchanged = read(tmp_path / "x.jsonl", [row, []], ["He go .", "He went ."])
    assert [(edit.start, edit.end, edit.alternatives[0]) for edit in went.edits] == [(1, 2, "goes")]
    assert [edit.type for edit in unchanged.edits] == ["noop"]


@pytest.mark.parametrize(
    "answer",
    [
        [{"From": 3, "To": 4, "Suggestions": [{"Text": "He goes ."}]}],
        {"result": {"tags": [{"startPos": 3, "endPos": 4, "options": ["goes to"]}]}},
        {"LightGingerTheTextResult": [{"From": 3, "To": 4, "Mistakes": [], "Suggestions": [{"Text": "goes"}]}]},
    ],
    ids=["rows", "nested", "ginger"],
)
@pytest.mark.parametrize("role", ["system", "reference"])
def test_texts_within_an_unknown_list_of_suggestions_are_refused(tmp_path: Path, answer: Any, role: str) -> None:
    path = write(tmp_path / "it.jsonl", f"{json.dumps(answer)}\n" * 2)
    source = write(tmp_path / "s.txt", "He go .\nHe go .\n")
    files = [path if role == "reference" else source, path if role == "system" else source]
    message = message_of(geceval.read_corpus, source, files[:1], {"it": files[1]})
    assert f"is within a list that has places: suggestions, not the text of the {role}" in message
    step = "m2 convert" if role == "reference" else "write start and end, or offset and length"
    assert step in message


def test_a_reference_next_to_quoted_fixes_is_refused(tmp_path: Path) -> None:
    row = {"text": "I have a apple .", "corrections": [{"original": "a apple", "corrected": "an apple"}]}
    path = write(tmp_path / "r.jsonl", f"{json.dumps(row)}\n")
    source = write(tmp_path / "s.txt", "I have a apple .\n")
    assert "text is next to a list of suggestions" in message_of(geceval.read_corpus, source, [path], {"it": source})


def test_lines_and_columns_are_refused(tmp_path: Path) -> None:
    row = {"path": "x.txt", "start_line": 1, "end_line": 1, "start_column": 4, "message": "goes"}
    with pytest.raises(InputError) as caught:
        read(tmp_path / "x.jsonl", [row], ["He go ."])
    checkers = "typos, vale, sarif, rdjson, grammalecte, codespell"
    hint = f"write start and end, counted in the text from 0; lines and columns are read of {checkers}"
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("layout", "prefix"),
    [
        ("Did you mean {}", "Did you mean "),
        ("Did you mean “{}”?", "Did you mean “"),
        ('Replace with: "{}"', 'Replace with: "'),
        ("Use {}", "Use "),
        ("→ {}", "→ "),
    ],
)
def test_beginning_of_most_replacements_is_warned_of(tmp_path: Path, layout: str, prefix: str) -> None:
    rows = [[match(3, 5, layout.format(word))] for word in ("goes", "runs")]
    with pytest.warns(GecevalWarning) as caught:
        read(tmp_path / "x.jsonl", rows, ["He go .", "He ru ."])
    [warning] = caught
    assert f"2 of 2 replacements begin with {prefix!r}, but no replaced text does" in str(warning.message)
    # The hint shows the correction.
    assert "(hint: write the correction alone: 'goes')" in str(warning.message)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "words",
    [["to go", "to run"], ["the go", "a ru"], ["Gone", "Run"], ["“goes”", "runs"], ["it's", "it"]],
)
def test_other_replacements_are_not(tmp_path: Path, words: list[str]) -> None:
    blocks = read(tmp_path / "x.jsonl", [[match(3, 5, word)] for word in words], ["He go .", "He ru ."])
    assert [len(block.edits) for block in blocks] == [1, 1]


def test_offsets_from_one_are_warned_of(tmp_path: Path) -> None:
    with pytest.warns(GecevalWarning, match="2 of 2 suggestions begin or end within a word, such as 'oes'"):
        read(tmp_path / "x.jsonl", [[match(4, 7, "go")], [match(4, 7, "run")]], ["He goes in .", "He runs in ."])


def test_offsets_in_the_text_before_it_was_tokenised_are_warned_of_with_a_way(tmp_path: Path) -> None:
    raw, tokens = ['Well, "he go" home.', "I goes in.", "He go."], ['Well , " he go " home .', "I goes in .", "He go ."]
    rows = [[match(10, 12, "goes"), match(14, 18, "away")], [match(2, 6, "go")], [match(3, 5, "goes")]]
    with pytest.warns(GecevalWarning, match=r"2 of 4 suggestions .*geceval m2 convert FILE -s TEXT --tokenise NAME"):
        read(tmp_path / "x.jsonl", rows, tokens)
    source = write(tmp_path / "raw.txt", "\n".join(raw))
    words = ["m2", "convert", tmp_path / "x.jsonl", "-s", source, "--tokenise", "plain", "-o", tmp_path / "x.m2"]
    assert run_main(*map(str, words)).status == 0
    assert [block.source for block in m2.read(tmp_path / "x.m2")] == tokens


@pytest.mark.parametrize("names", [("errorLength", "ruleId"), ("error_length", "rule_id")])
@pytest.mark.parametrize("sentences", [1, 2, 3])
def test_matches_of_language_tool_python_are_read(tmp_path: Path, names: tuple[str, str], sentences: int) -> None:
    length, rule = names
    suggestion = {"offset": 5, length: 2, rule: "AGREEMENT", "replacements": ["are"], "sentence": "Cats is shy ."}
    suggestion |= {"context": "Cats is shy .", "offsetInContext": 5, "category": "GRAMMAR"}
    path = write(
        tmp_path / "x.jsonl", "".join(f"{json.dumps(row)}\n" for row in ([suggestion], [], [suggestion])[:sentences])
    )
    blocks = list(m2.read_json_lines(path, ["Cats is shy ."] * sentences))
    expected = [(1, 2, "AGREEMENT", "are")], [(-1, -1, "noop", "-NONE-")], [(1, 2, "AGREEMENT", "are")]
    assert [edits([block]) for block in blocks] == list(expected[:sentences])


@pytest.mark.parametrize(
    "row",
    [
        {"matches": [match(5, 9, "too", "")]},
        {"lints": [{"span": {"start": 5, "end": 9}, "suggestions": [{"ReplaceWith": [*"too"]}, "Remove"]}]},
        {"lints": [{"span": {"start": 5, "end": 9}, "suggestions": ["Replace with: “too”", "Remove error"]}]},
        {"suggestions": [{"start": 5, "end": 9, "replacements": ["too", ""]}]},
    ],
)
def test_empty_alternative_after_the_first_is_a_deletion(tmp_path: Path, row: Any) -> None:
    [block] = read(tmp_path / "x.jsonl", [row], ["I am very well"])
    assert block.edits[0].alternatives == ("too", "")
    assert m2.apply(block, 0) == "I am too well"
    assert list(m2.Blocks.parse(f"{block}\n".encode())) == [block]


def test_empty_alternative_before_others_is_the_correction(tmp_path: Path) -> None:
    [block] = read(tmp_path / "x.jsonl", [[match(5, 9, "", "too")]], ["I am very well"])
    assert (block.edits[0].alternatives, m2.apply(block, 0)) == (("", "too"), "I am well")


def test_replacement_that_m2_reads_as_a_deletion_is_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    assert message_of(read, tmp_path / "x.jsonl", [[match(5, 9, "-NONE-")]], ["I am very well"]) == snapshot


alternatives = st.lists(st.sampled_from(["", "too", "not at all", "🙂"]), min_size=1, max_size=3, unique=True)


@given(alternatives, st.sampled_from(["jsonl", "spans", "languagetool", "m2"]))
def test_alternatives_are_read_back_from_every_form(tmp_path_factory: FACTORY, texts: list[str], form: str) -> None:
    block = Block("𝔘 am very well", (Edit(2, 3, "X", tuple(text or "-NONE-" for text in texts)),))
    out = io.StringIO()
    WRITERS.get(form, m2.write)([block], out)
    path = write(tmp_path_factory.mktemp("forms") / f"x.{'m2' if form == 'm2' else 'jsonl'}", out.getvalue())
    offsets: Any = "utf-16" if form == "languagetool" else "auto"
    [again] = m2.read(path) if form == "m2" else m2.read_json_lines(path, offsets=offsets)
    assert again.edits[0].alternatives == block.edits[0].alternatives
    assert m2.apply(again, 0) == m2.apply(block, 0)


def test_alternatives_of_json_need_no_other_key(tmp_path: Path) -> None:
    edit = {"start": 1, "end": 2, "type": "X", "correction": "too", "alternatives": [""]}
    row = {"tokens": ["I", "very"], "annotators": [{"annotator": 0, "edits": [edit]}]}
    [block] = read(tmp_path / "x.jsonl", [row])
    assert block.edits[0].alternatives == ("too", "")


@pytest.mark.parametrize("indent", [None, 1])
def test_a_document_of_json_is_read_as_its_rows(tmp_path: Path, indent: int | None) -> None:
    path = tmp_path / "x.json"
    rows = [{"matches": [match(0, 1, "b")]}, {"matches": []}, {"matches": [match(0, 9, "c")]}]
    path.write_text(json.dumps(rows[:2], indent=indent), encoding="utf-8")
    assert edits(list(m2.read_json_lines(path, ["a", "a"]))) == [(0, 1, "R", "b"), (-1, -1, "noop", "-NONE-")]
    path.write_text(json.dumps(rows, indent=indent), encoding="utf-8")
    with pytest.raises(InputError, match="offset 0 to 9") as caught:
        list(m2.read_json_lines(path, ["a", "a", "a"]))
    assert caught.value.line == (
        1 if indent is None else path.read_text(encoding="utf-8").split("9")[0].count("\n") - 3
    )


def test_one_row_for_all_sentences_is_a_document(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    source = ["He go .", "", "She like it ."]
    document = "\n".join(source)
    row = {"matches": [match(3, 5, "goes"), match(document.index("like"), document.index(" it"), "likes")]}
    blocks = read(tmp_path / "x.jsonl", [row], source)
    assert [edits([block]) for block in blocks] == [
        [(1, 2, "R", "goes")],
        [(-1, -1, "noop", "-NONE-")],
        [(1, 2, "R", "likes")],
    ]
    of_text = read(tmp_path / "y.jsonl", [row | {"text": document}], [source[0], source[2]])
    assert edits(of_text) == [(1, 2, "R", "goes"), (1, 2, "R", "likes")]
    assert message_of(read, tmp_path / "x.jsonl", [{"matches": [match(3, 10, "goes")]}], source) == snapshot


def test_confidence_latency_and_missing_answers_are_kept(tmp_path: Path) -> None:
    rows = [{"latency": 0.25, "matches": [match(0, 1, "b", confidence=0.5)]}, None, {"matches": []}]
    blocks = read(tmp_path / "x.jsonl", rows, ["a", "a", "a"])
    assert [block.notes for block in blocks] == [("I latency 0.25",), ("I no answer",), ()]
    assert (blocks[0].edits[0].comment, blocks[0].edits[0].confidence) == ("0.5", 0.5)
    out = io.StringIO()
    m2.write_spans(blocks[:1], out, "languagetool")
    assert list(m2.read_json_lines(write(tmp_path / "y.jsonl", out.getvalue()))) == blocks[:1]


def test_tokens_that_do_not_change_are_no_part_of_an_edit(tmp_path: Path) -> None:
    source = ["I saw a apple there"]
    [block] = read(tmp_path / "x.jsonl", [[match(6, 13, "an apple", "an  old apple")]], source)
    assert block.edits == (Edit(2, 3, "R", ("an", "an old")),)
    with pytest.warns(GecevalWarning, match="ignored replacements that change other tokens than the first one: 1"):
        [block] = read(tmp_path / "x.jsonl", [[match(6, 13, "an apple", "the apples")]], source)
    assert block.edits == (Edit(2, 3, "R", ("an",)),)
    with pytest.warns(GecevalWarning, match="ignored suggestions that change no token: 1"):
        [block] = read(tmp_path / "x.jsonl", [[match(5, 6, "  ")]], source)
    assert block.edits == (noop(0),)


def test_raw_text_is_tokenised_with_its_suggestions(tmp_path: Path) -> None:
    row = {
        "text": "However he don't go.",
        "matches": [match(0, 7, "However,"), match(11, 16, "doesn't"), match(17, 19, "goes")],
    }
    path = write(tmp_path / "x.json", json.dumps(row))
    converted = run_main(*f"m2 convert {path} --tokenise english --to m2".split())
    edits = [line.split("|||REQ")[0] for line in converted.out.splitlines()]
    assert edits == ["S However he do n't go .", "A 1 1|||M|||,", "A 2 3|||R|||does", "A 4 5|||R|||goes", ""]
    source, reference = write(tmp_path / "s.txt", row["text"]), write(tmp_path / "r.txt", "However, he doesn't goes.")
    words = f"score -s {source} -r {reference} -c {path} --tokenise english -m green -q"
    assert "100.00" in run_main(*words.split()).out


def test_edits_of_another_source_are_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = tmp_path / "x.jsonl"
    with path.open("w", encoding="utf-8") as out:
        m2.write_json_lines([Block("a b", (Edit(0, 1, "X", ("c",)),))], out)
    source = write(tmp_path / "s.txt", "a c\n")
    assert message_of(geceval.read_corpus, str(source), [str(source)], {"it": str(path)}) == snapshot


def test_a_suggestion_without_replacement_marks_an_error(tmp_path: Path) -> None:
    [block] = read(tmp_path / "x.jsonl", [[match(2, 5)]], ["I saw it"])
    assert block.edits == (Edit(1, 2, "UNK", ("saw",)),)
    assert m2.apply(block, 0) == "I saw it"


# --- units ---


@pytest.mark.parametrize("unit", SIZES)
@pytest.mark.parametrize("quote", [None, "quote", "context"])
def test_offsets_count_units(tmp_path: Path, unit: str, quote: str | None) -> None:
    start, end = in_unit(TEXT, TEXT.index("lik"), unit), in_unit(TEXT, TEXT.index(" cats"), unit)
    length, before = end - start, "… 𝔘 "
    quotes: dict[str | None, dict[str, Any]] = {
        None: {},
        "quote": {"quote": "lik e\u0301"},
        "context": {"context": {"text": before + TEXT, "offset": in_unit(before, 99, unit) + start, "length": length}},
    }
    rows = [[match(start, end, "like") | quotes[quote]]]
    expected = [(1, 3, "R", "like")]
    assert edits(read(tmp_path / "x.jsonl", rows, [TEXT], offsets=unit)) == expected
    if quote:
        assert edits(read(tmp_path / "x.jsonl", rows, [TEXT])) == expected


def test_ambiguous_offsets_are_refused_with_line_and_offset(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    rows = [[match(0, 1, "b")], [match(9, 10, "b")]]
    assert message_of(read, tmp_path / "x.jsonl", rows, ["a b c", TEXT]) == snapshot


@pytest.mark.parametrize(
    ("row", "source"),
    [
        ([match(2, 9, "b")], "a b"),
        ([match(-1, 1, "b")], "a b"),
        ([match(1, 2, "b")], "𝔘"),
        ([match(0, 1, "b", quote="b")], "a b"),
        ([{"start": 1}], "a b"),
        ([{"start": 0, "end": 1, "replacements": [3]}], "a b"),
        ([match(0, 1, "b", confidence="high")], "a b"),
        ({"matches": [], "latency": True}, "a b"),
        ({"rows": []}, "a b"),
        ({"text": "a c", "matches": []}, "a b"),
        ({"text": "ab", "matches": []}, "a b"),
        ({"text": 3, "matches": []}, "a b"),
        ([3], "a b"),
        (3, "a b"),
    ],
    ids=str,
)
def test_faulty_rows_are_refused_with_their_line(
    tmp_path: Path, row: Any, source: str, snapshot: SnapshotAssertion
) -> None:
    assert message_of(read, tmp_path / "x.jsonl", [[], row], ["a b", source]) == snapshot


# --- laws ---


def test_the_example_scores_the_same_as_text_and_as_m2(tmp_path: Path) -> None:
    folder, prepare = EXAMPLES / "checker", geceval.Preparation(tokenise="english")
    files = [str(folder / name) for name in ("source.txt", "reference.txt", "checker.jsonl")]
    with pytest.warns(GecevalWarning, match="ignored replacements that change other tokens than the first one: 2"):
        suggested = geceval.read_corpus(files[0], files[1:2], {"it": files[2]}, prepare=prepare, offsets="utf-16")
    blocks = m2.Blocks.of(suggested.systems["it"])
    text = write(tmp_path / "it.txt", "\n".join(m2.apply(block, 0) for block in blocks) + "\n")
    edits = write(tmp_path / "it.m2", "\n".join(map(str, blocks)) + "\n")
    systems = {"suggestions": blocks, "m2": list(m2.read(edits)), "text": text.read_text(encoding="utf-8").splitlines()}
    corpus = geceval.Corpus(suggested.source, suggested.references, systems)
    for name in ("errant", "spans", "green", "gleu", "cleme", "false-alarms"):
        results = geceval.evaluate(corpus, [geceval.make_metric(name)], checks=False).values()
        assert len({row[0].score().value for row in results}) == 1, name


@st.composite
def changed(draw: st.DrawFn) -> tuple[str, int, int, str]:
    """A text, a span of its characters, and a replacement."""
    text = draw(odd_sentences)
    start, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
    return text, start, end, draw(odd_sentences)


@given(changed(), st.sampled_from(list(SIZES)))
def test_any_suggestion_makes_its_text(tmp_path_factory: FACTORY, drawn: tuple[str, int, int, str], unit: str) -> None:
    text, start, end, replacement = drawn
    rows = [{"text": text, "suggestions": [match(*(in_unit(text, at, unit) for at in (start, end)), replacement)]}]
    expected = (text[:start] + replacement + text[end:]).split()
    path = tmp_path_factory.mktemp("one") / "x.jsonl"
    with pytest.warns() if expected == text.split() else pytest.MonkeyPatch.context():
        [block] = read(path, rows, offsets=unit)
    assert m2.apply(block, 0).split() == expected


@pytest.mark.filterwarnings("ignore:.* replacements begin with ")
@settings(max_examples=examples(40))
@given(corpora(max_references=2))
def test_scores_equal_those_of_the_text_and_of_m2(
    tmp_path_factory: FACTORY, drawn: tuple[list[str], list[list[str]], list[str]]
) -> None:
    source, references, hypothesis = drawn
    folder = tmp_path_factory.mktemp("systems")
    blocks = list(
        annotate(
            Extractor(make_annotator("plain")),
            [[a.split(), b.split()] for a, b in zip(source, hypothesis, strict=True)],
        )
    )
    written = {name: io.StringIO() for name in ("m2", "spans", "languagetool")}
    m2.write(blocks, written["m2"])
    m2.write_spans(blocks, written["spans"])
    m2.write_spans(blocks, written["languagetool"], "languagetool")
    names = {"m2": "a.m2", "spans": "a.jsonl", "languagetool": "b.json"}
    for name, file in names.items():
        write(folder / file, written[name].getvalue())
    source = [" ".join(line.split()) for line in source]
    texts = {"source": source, "ref": references[0], "text": [" ".join(line.split()) for line in hypothesis]}
    paths = {
        name: str(write(folder / f"{name}.txt", "".join(f"{' '.join(line.split())}\n" for line in lines)))
        for name, lines in texts.items()
    }
    systems = {"text": paths["text"]} | {name: str(folder / file) for name, file in names.items()}
    corpus = geceval.read_corpus(paths["source"], [paths["ref"]], systems, offsets="utf-16", blank="empty")
    assert corpus.m2_systems.keys() == {*names}
    metrics = [
        geceval.make_metric(name, **more)
        for name, more in (("green", {}), ("gleu", {}), ("errant", {"annotator": "plain"}))
    ]
    results = geceval.evaluate(corpus, metrics, checks=False)
    for at in range(len(metrics)):
        totals = [dict(results[name][at].score().totals) for name in systems]
        assert all(total == totals[0] for total in totals)


# --- M2 as JSON Lines and as spans ---


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


def test_line_of_json_has_all_fields_of_a_block(snapshot: SnapshotAssertion) -> None:
    block = Block(
        "He go  .",
        (Edit(1, 2, "R:VERB", ("goes", "went")), Edit(2, 2, "U", ("-NONE-",)), noop(1), Edit(0, 1, "X", ("",))),
        notes=("I note",),
    )
    assert lines_of([block]) == snapshot
    answer = Block("a", (noop(0),), targets=(Target(0, None, "x"), Target(1, 2, "y")))
    assert lines_of([answer]) == snapshot


def test_what_may_be_left_out(tmp_path: Path) -> None:
    edit = {"start": 0, "end": 1, "type": "X", "correction": ""}
    text = json.dumps({"tokens": ["a"], "annotators": [{"annotator": 3, "edits": [edit]}]})
    assert from_lines(tmp_path / "x.jsonl", text) == [Block("a", (Edit(0, 1, "X", ("",), annotator=3),))]


EDIT = {"start": 0, "end": 1, "type": "X", "correction": "b"}


def sentence(edit: Any = EDIT, **more: Any) -> str:
    return json.dumps({"tokens": ["a"], "annotators": [{"annotator": 0, "edits": [edit]}]} | more)


@pytest.mark.parametrize(
    "line",
    [
        "[1]",
        b"\xff",
        "{}",
        '{"tokens": "a"}',
        '{"tokens": [1]}',
        '{"tokens": ["a"]}',
        sentence(source="a b"),
        sentence(label=3),
        sentence(3),
        sentence(EDIT | {"start": True}),
        sentence(EDIT | {"start": 1.0}),
        sentence(EDIT | {"start": 10**40}),
        sentence(EDIT | {"mood": "x"}),
        sentence(EDIT | {"correction": "-NONE-"}),
        sentence(EDIT | {"correction": "x||y"}),
        sentence(EDIT | {"type": "X\nS c"}),
        sentence(EDIT | {"type": "X|||y"}),
        sentence(EDIT | {"correction": "\ud800"}),
        sentence(EDIT | {"written": "c"}),
        sentence(annotators=[{"annotator": "0", "edits": []}]),
        sentence(annotators=[{"annotator": -1, "edits": []}]),
        sentence(targets=[{"annotator": 0, "text": "x"}]),
        sentence(notes=["no I line"]),
    ],
    ids=str,
)
def test_lines_that_are_no_sentences(tmp_path: Path, line: str | bytes, snapshot: SnapshotAssertion) -> None:
    data = line if isinstance(line, bytes) else line.encode()
    assert message_of(from_lines, tmp_path / "x.jsonl", lines_of([Block("a")]).encode() + b"\n" + data) == snapshot


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("]", "x.jsonl:1: not JSON: Expecting value"),
        ("{", "x.jsonl:1: not JSON: Expecting property name"),
        (f'{{"tokens": ["a"], "annotators": [{{"id": {"9" * 5000}, "edits": []}}]}}', "a number is too large"),
        ("[" * 100_000, "not JSON: "),
    ],
    ids=["bracket", "brace", "number", "brackets"],
)
def test_lines_that_are_no_json(tmp_path: Path, line: str, message: str) -> None:
    """The words of the parser depend on the version of Python."""
    with pytest.raises(InputError, match=message):
        from_lines(tmp_path / "x.jsonl", line)


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


@pytest.mark.filterwarnings("ignore:.*replacements begin with")  # drawn corrections may share a beginning
@given(edited_corpora)
def test_spans_make_the_corrected_text_and_are_read_back(
    tmp_path_factory: FACTORY, rows: list[tuple[Block, Block]]
) -> None:
    blocks = [block for _, block in rows]
    written = spans_of(blocks)
    for row, block in zip(written, blocks, strict=True):
        assert applied(row) == row["corrected"]
        assert row["corrected"].split() == m2.apply(block, 0).split()
        offsets = [place for edit in row["edits"] for place in (edit["start"], edit["end"])]
        assert offsets == sorted(offsets)
    path = tmp_path_factory.mktemp("spans") / "some.jsonl"
    read = from_lines(path, "\n".join(map(json.dumps, written)))
    for again, block in zip(read, blocks, strict=True):
        assert again.tokens == block.tokens
        expected = [(e.start, e.end, e.type, e.correction) for e in m2.ordered(block, 0)]
        assert [(e.start, e.end, e.type, e.correction) for e in again.edits if not e.is_noop] == expected
        assert again.edits


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
    "change",
    [
        {"corrected": "a b"},
        {"source": None},
        {"edits": [{"start": 0, "end": 9, "replacement": "", "type": ""}]},
        {"edits": [{"start": 1, "end": 0, "replacement": "", "type": ""}]},
        {"edits": [{"start": 0, "end": 1, "replacement": "a", "type": "X|||Y"}]},
        {"edits": [{"start": n, "end": n, "replacement": "x", "type": "X"} for n in (1, 0)]},
    ],
    ids=str,
)
def test_faulty_spans_are_reported_with_their_line(
    tmp_path: Path, change: dict[str, Any], snapshot: SnapshotAssertion
) -> None:
    row = {"source": "a c", "corrected": "a c", "edits": []}
    text = f"{json.dumps(row)}\n{json.dumps(row | change)}\n"
    assert message_of(from_lines, tmp_path / "some.jsonl", text) == snapshot


def test_spans_report_what_they_cannot_hold(snapshot: SnapshotAssertion) -> None:
    block = Block("a b", (Edit(0, 1, "X", ("x",), "no", "none"),), notes=("I note",))
    with pytest.warns(GecevalWarning) as caught:
        spans_of([block, block])
    messages = {str(warning.message) for warning in caught}
    assert messages == {f"spans cannot represent {what}: 2 ignored" for what in ("I lines", "fields")}
    for unsupported in (Block("a", (noop(0), noop(1))), Block("a", (noop(0),), targets=(Target(0, 0, "a"),))):
        assert message_of(spans_of, [unsupported]) == snapshot
    assert message_of(spans_of, [Block("a b", (Edit(0, 2, "X", ("x",)), Edit(1, 2, "X", ("y",))))]) == snapshot


# --- a text next to suggestions ---

CHECKED = ["Dogs barks loud .", "We likes tea .", "It rains ."]
FIXED = ["Dogs bark loudly .", "We like tea .", "It rains ."]
#: Places, replaced texts and replacements of the suggestions for each sentence.
PLACES = [[(5, 10, "barks", "bark"), (11, 15, "loud", "loudly")], [(3, 8, "likes", "like")], []]
#: Forms of a suggestion in lists that checkers write.
ITEMS: dict[str, Callable[[int, int, str, str], Any]] = {
    "errs": lambda start, end, form, new: [form, start, end, "agr", "feil", [new, form], "tittel"],
    "errors": lambda start, end, form, new: {"start": start, "end": end, "error_id": "agr", "suggestions": [new]},
    "matches": lambda start, end, form, new: match(start, end, new),
    "lints": lambda start, end, form, new: {
        "span": {"start": start, "end": end},
        "inner": {"lint_kind": "agr", "suggestions": [{"ReplaceWith": [*new]}, "Remove"], "message": "…"},
        "problem_text": form,
    },
    "lGrammarErrors": lambda start, end, form, new: {"nStart": start, "nEnd": end, "aSuggestions": [new]},
}


def lists_of(name: str) -> list[list[Any]]:
    return [[ITEMS[name](*place) for place in places] for places in PLACES]


@pytest.mark.parametrize("name", ITEMS)
@pytest.mark.parametrize("key", ["text", "sentence", "source", "original", "corrected"])
@pytest.mark.parametrize("layout", ["lines", "within", "document"])
def test_a_row_with_suggestions_is_not_its_text(tmp_path: Path, name: str, key: str, layout: str) -> None:
    rows: list[dict[str, Any]] = [
        {key: text, ("result" if layout == "within" else name): {name: items} if layout == "within" else items}
        for text, items in zip(CHECKED, lists_of(name), strict=True)
    ]
    text = json.dumps({"data": rows}) if layout == "document" else "".join(f"{json.dumps(row)}\n" for row in rows)
    path, source, gold = tmp_path / "it.jsonl", tmp_path / "s.txt", tmp_path / "r.txt"
    corpus = geceval.read_corpus(
        str(write(source, "\n".join(CHECKED))),
        [str(write(gold, "\n".join(FIXED)))],
        {"it": str(write(path, text))},
    )
    blocks = m2.Blocks.of(corpus.systems["it"])
    assert [m2.apply(block, 0) for block in blocks] == FIXED
    if key != "corrected":
        assert list(m2.read_json_lines(path)) == list(blocks)


@pytest.mark.parametrize("role", ["system", "reference"])
def test_a_text_next_to_an_unknown_list_of_suggestions_is_refused(
    tmp_path: Path, role: str, snapshot: SnapshotAssertion
) -> None:
    rows = [{"text": text, "remarks": items} for text, items in zip(CHECKED, lists_of("errors"), strict=True)]
    path = write(tmp_path / "it.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    source = write(tmp_path / "s.txt", "\n".join(CHECKED))
    files = [path if role == "reference" else source, path if role == "system" else source]
    assert message_of(geceval.read_corpus, source, files[:1], {"it": files[1]}) == snapshot
    table = ["score", "-s", source, "-r", source, "-i", path, "-m", "green", "-q"]
    refused = run_main(*map(str, table))
    assert (refused.status, refused.err.replace(str(tmp_path), "FOLDER")) == (2, snapshot)
    assert run_main(*map(str, table), "--hypothesis-column", "text").status == 0


@pytest.mark.parametrize(
    "place",
    [
        {"startIndex": 5, "endIndex": 9},
        {"from": 5, "to": 10},
        {"position": 5, "size": 5, "column": 6},
        {"range": {"start": {"line": 0, "character": 5}, "end": {"line": 0, "character": 10}}},
        {"Line": 1, "Span": [6, 10]},
    ],
    ids=str,
)
def test_a_text_next_to_suggestions_with_unknown_places_is_refused(tmp_path: Path, place: dict[str, Any]) -> None:
    rows = [{"text": CHECKED[0], "result": {"remarks": [place | {"fix": "bark"}]}}, {"text": CHECKED[2], "result": {}}]
    path = write(tmp_path / "it.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    source = write(tmp_path / "s.txt", f"{CHECKED[0]}\n{CHECKED[2]}\n")
    with pytest.raises(InputError, match="the checked text"):
        geceval.read_corpus(source, [source], {"it": path})


@pytest.mark.parametrize("name", ["output", "corrected_text", "correction", "target"])
@pytest.mark.parametrize("listed", [[], [{"original": "go", "corrected": "goes"}]], ids=["empty", "incomplete"])
def test_a_correction_next_to_suggestions_that_do_not_make_it_is_refused(
    tmp_path: Path, name: str, listed: list[Any]
) -> None:
    text, fixed = "He go to to school .", "He goes to school ."
    path = write(tmp_path / "it.jsonl", json.dumps({name: fixed, "errors": listed}) + "\n")
    source, reference = write(tmp_path / "s.txt", f"{text}\n"), write(tmp_path / "r.txt", f"{fixed}\n")
    refused = run_main("score", "-s", source, "-r", reference, "-c", path, "-m", "errant")
    reason = "the edits do not make the corrected text" if listed else f"no suggestion, but {name} is not the sentence"
    assert (refused.status, reason in refused.err) == (2, True)
    gate = ["gate", "-s", source, "-r", reference, "-i", path, "--hypothesis-column", name]
    assert run_main(*gate, "--fail-under", "errant=100").status == 0
    complete = [*(listed or [{"original": "go", "corrected": "goes"}]), {"start": 6, "end": 9, "replacement": ""}]
    rows = [{name: fixed, "errors": complete}, {name: text, "errors": []}]
    made, unchanged = read(tmp_path / "made.jsonl", rows, [text, text])
    assert (m2.apply(made, 0), m2.apply(unchanged, 0)) == (fixed, text)


@pytest.mark.parametrize(
    "items",
    [
        {"errors": [["平果", "苹果", 4]]},  # pycorrector
        {"errors": [["平果", "苹果", 4, 6]], "target": "我喜欢吃苹果"},
        {"result": {"suggestions": [{"offset": "4", "length": "2", "word": "平果", "suggestion": "苹果"}]}},
        {"errors": [{"error": "平果", "correction": "苹果", "explanation": "字"}]},
        {"mistakes": [{"incorrect": "平果", "correct": "苹果"}]},
        {"edits": [{"from": "平果", "to": "苹果", "offset": 4}]},
        {"corrections": [{"before": "平果", "after": "苹果"}]},
    ],
    ids=str,
)
def test_further_forms_of_suggestions_are_read(tmp_path: Path, items: Any) -> None:
    [block] = read(tmp_path / "it.jsonl", [items], ["我喜欢吃平果"])
    assert m2.apply(block, 0) == "我喜欢吃苹果"


def test_texts_in_a_list_of_suggestions_are_candidates(tmp_path: Path) -> None:
    path = write(tmp_path / "it.jsonl", json.dumps({"suggestions": ["He goes .", "He went ."]}) + "\n")
    source, reference = write(tmp_path / "s.txt", "He go .\n"), write(tmp_path / "r.txt", "He goes .\n")
    texts = ["-s", source, "-r", reference]
    assert "--hypothesis-column suggestions.0" in run_main("score", *texts, "-c", path).err
    gate = ["gate", *texts, "-i", path, "--hypothesis-column", "suggestions.0", "--fail-under", "errant=100"]
    assert run_main(*gate).status == 0


@pytest.mark.parametrize("key", ["text", "sentence", None])
def test_edits_of_a_checker_are_reduced_as_suggestions_are(tmp_path: Path, key: str | None) -> None:
    text = "Dogs are are loud ."
    rows = [{"edits": [{"start": 5, "end": 12, "replacement": "are"}]} | ({key: text} if key else {})]
    [block] = read(tmp_path / "x.jsonl", rows, [text])
    assert edits([block]) == [(1, 2, "U", "")]


def test_suggestions_after_the_first_rows_are_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    rows: list[dict[str, Any]] = [{"text": "It rains ."}] * 120
    rows.append({"text": CHECKED[1], "errs": lists_of("errs")[1]})
    path = write(tmp_path / "it.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    source = write(tmp_path / "s.txt", "".join(row["text"] + "\n" for row in rows))
    assert message_of(geceval.read_corpus, source, [source], {"it": path}) == snapshot


@pytest.mark.parametrize(
    "row",
    [
        {"output": "It rains .", "request": {"messages": [{"role": "user", "content": "Correct: It rain ."}]}},
        {"message": {"role": "assistant", "content": "It rains .", "annotations": []}},
        {"completion": "It rains .", "meta": {"errors": []}},
        {"prediction": "It rains .", "changes": [{"start": 3, "end": 7, "from": "rain", "to": "rains"}]},
    ],
)
def test_answers_next_to_other_lists_are_texts(tmp_path: Path, row: Any) -> None:
    path = write(tmp_path / "it.jsonl", f"{json.dumps(row)}\n" * 2)
    source = write(tmp_path / "s.txt", "It rain .\nIt rain .\n")
    corpus = geceval.read_corpus(source, [], {"it": path})
    assert list(corpus.systems["it"]) == ["It rains ."] * 2


@pytest.mark.parametrize("ending", ["tsv", "jsonl"])
def test_a_table_of_suggestions_has_no_system_called_text(
    tmp_path: Path, ending: str, snapshot: SnapshotAssertion
) -> None:
    lists = lists_of("matches")
    rows = [
        {
            "source": text,
            "text": text,
            "reference": corrected,
            "matches": items if ending == "jsonl" else json.dumps(items),
        }
        for text, corrected, items in zip(CHECKED, FIXED, lists, strict=True)
    ]
    lines = ["\t".join(row) for row in [list(rows[0]), *([*row.values()] for row in rows)]] if ending == "tsv" else []
    text = "\n".join(lines or map(json.dumps, rows))
    table = str(write(tmp_path / f"t.{ending}", text))
    assert message_of(geceval.read_table, table) == snapshot
    assert geceval.read_table(table, hypothesis="text").systems == {"text": CHECKED}


# --- the place of an edit ---


@pytest.mark.parametrize(
    ("source", "corrected", "start", "end", "replacement"),
    [
        ("He is is late .", "He is late .", 3, 8, "is"),  # both words
        ("He is is late .", "He is late .", 6, 9, ""),  # the second one
        ("No no way .", "No way .", 0, 5, "No"),  # words that differ in case
        ("A dog a dog a dog barks .", "A dog a dog barks .", 12, 18, ""),
        ("We run , , then walk .", "We run , then walk .", 9, 11, ""),
        ("It is it is cold .", "It is cold .", 6, 12, ""),
        ("She came .", "She came came .", 8, 8, " came"),  # an insertion
        ("It was very very very cold .", "It was very very cold .", 17, 22, ""),
        ("Is is it ?", "Is it ?", 3, 6, ""),
    ],
)
@pytest.mark.parametrize("annotator", ["builtin:3", "plain"])
def test_repeated_words_are_changed_where_annotators_change_them(
    tmp_path: Path, source: str, corrected: str, start: int, end: int, replacement: str, annotator: str
) -> None:
    [block] = read(tmp_path / "x.jsonl", [[match(start, end, replacement)]], [source])
    [expected] = annotate(Extractor(make_annotator(annotator)), [[source.split(), corrected.split()]])
    assert m2.apply(block, 0) == corrected
    assert [(edit.start, edit.end, edit.corrections) for edit in block.edits] == [
        (edit.start, edit.end, edit.corrections) for edit in expected.edits
    ]


@pytest.mark.parametrize(
    ("source", "corrected", "places"),
    [
        ("It was very very very cold .", "It was very cold .", [(7, 16, "very"), (12, 21, "very")]),  # overlapping
        ("It was very very very cold .", "It was very cold .", [(11, 16, ""), (16, 21, "")]),
        ("It was very very very cold .", "It was very cold .", [(7, 12, ""), (12, 17, "")]),
        ("No no no way .", "No way .", [(0, 5, "No"), (3, 8, "no")]),
        ("It was so so so so cold .", "It was so cold .", [(7, 12, "so"), (10, 15, "so"), (13, 18, "so")]),
    ],
)
def test_words_repeated_several_times_are_deleted_in_one_edit(
    tmp_path: Path, source: str, corrected: str, places: list[tuple[int, int, str]]
) -> None:
    [block] = read(tmp_path / "x.jsonl", [[match(*place) for place in places]], [source])
    [expected] = annotate(Extractor(make_annotator("builtin:3")), [[source.split(), corrected.split()]])
    assert m2.apply(block, 0) == corrected
    assert [(edit.start, edit.end, edit.corrections) for edit in block.edits] == [
        (edit.start, edit.end, edit.corrections) for edit in expected.edits
    ]


def test_deletions_of_repeated_words_have_the_smaller_confidence(tmp_path: Path) -> None:
    first, second = (match(start, start + 3, "") | {"confidence": share} for start, share in ((3, 0.9), (6, 0.4)))
    [block] = read(tmp_path / "x.jsonl", [[first, second]], ["so so so cold"])
    [edit] = block.edits
    assert (edit.start, edit.end, edit.confidence) == (0, 2, 0.4)


def test_repeated_words_stay_next_to_another_suggestion(tmp_path: Path) -> None:
    rows = [[match(0, 2, "We"), match(3, 6, "")], [match(3, 5, "was"), match(6, 9, "")]]
    first, second = read(tmp_path / "x.jsonl", rows, ["He he goes .", "He is is late ."])
    assert edits([first]) == [(0, 1, "R", "We"), (1, 2, "U", "")]
    assert edits([second]) == [(1, 2, "R", "was"), (2, 3, "U", "")]


def test_edits_of_other_files_keep_their_place(tmp_path: Path) -> None:
    block = Block("a b b c", (Edit(2, 3, "U", ("",)),))
    with (tmp_path / "x.jsonl").open("w", encoding="utf-8") as out:
        m2.write_spans([block], out)
    assert list(m2.read_json_lines(tmp_path / "x.jsonl")) == [block]


@pytest.mark.parametrize(
    ("raw", "start", "end", "expected"),
    [
        ("She saw Zorvik.", 8, 14, (2, 3, "Zorvik")),
        ("Is it a “blorf”, then?", 9, 14, (4, 5, "blorf")),
        ("(Qwix) is here.", 1, 5, (1, 2, "Qwix")),
        ("Is it a blorf, then?", 8, 14, (3, 5, "blorf ,")),  # the comma, too
        ("She  came.", 3, 5, (1, 1, "")),  # blanks only
        ("Is it a blorf, then?", 9, 12, (3, 4, "blorf")),  # within the word
    ],
)
def test_a_suggestion_without_replacement_marks_the_tokens_of_its_span(
    tmp_path: Path, raw: str, start: int, end: int, expected: tuple[int, int, str]
) -> None:
    split = make_tokeniser("english").tokenise
    [block] = read(tmp_path / "x.jsonl", [[match(start, end)]], [raw], tokens=[" ".join(split(raw))], split=split)
    [edit] = block.edits
    assert (edit.start, edit.end, edit.type, edit.corrections) == (*expected[:2], "UNK", (expected[2],))


def test_a_remark_in_place_of_a_replacement_is_none(tmp_path: Path) -> None:
    limit = "(suggestion limit reached)"
    rows = [[match(3, 6, limit)], [match(3, 6, "is", limit)]]
    blocks = read(tmp_path / "x.jsonl", rows, ["We iss .", "He iss ."])
    assert edits(blocks) == [(1, 2, "UNK", "iss"), (1, 2, "R", "is")]


# --- rows with the numbers of their sentences ---


def paragraphs(*numbers: int) -> list[dict[str, Any]]:
    return [{"iParagraph": number, "lGrammarErrors": lists_of("lGrammarErrors")[number - 1]} for number in numbers]


@pytest.mark.parametrize("numbers", [(1,), (2,), (3,), (1, 2), (2, 3), (1, 2, 3)])
@pytest.mark.parametrize("is_document", [False, True])
def test_numbers_of_paragraphs_name_the_sentence(tmp_path: Path, numbers: tuple[int, ...], is_document: bool) -> None:
    rows = [{"lang": "en", "data": paragraphs(*numbers)}] if is_document else paragraphs(*numbers)
    texts = [m2.apply(block, 0) for block in read(tmp_path / "x.jsonl", rows, CHECKED)]
    assert texts == [FIXED[s] if s + 1 in numbers else CHECKED[s] for s in range(3)]


def test_each_of_several_documents_has_one_paragraph(tmp_path: Path) -> None:
    rows = [{"data": [row | {"iParagraph": 1}]} for row in paragraphs(1, 2)] + [{"data": []}]
    assert [m2.apply(block, 0) for block in read(tmp_path / "x.jsonl", rows, CHECKED)] == FIXED


@pytest.mark.parametrize("numbers", [(2, 2), (1, 4), (0, 1)])
def test_numbers_of_no_paragraph_are_refused(
    tmp_path: Path, numbers: tuple[int, ...], snapshot: SnapshotAssertion
) -> None:
    rows = [{"iParagraph": number, "lGrammarErrors": []} for number in numbers]
    assert message_of(read, tmp_path / "x.jsonl", rows, CHECKED) == snapshot
