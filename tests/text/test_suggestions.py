"""Suggestions with offsets: the same corrections as text and as M2, in every unit, and what is refused."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import geceval
from geceval import m2
from geceval.base.errors import GecevalWarning, InputError
from geceval.edits.extraction import Extractor, annotate
from geceval.edits.languages import make_annotator
from geceval.m2 import Block, Edit, noop
from geceval.text.m2.m2_json import WRITERS
from support.commands import run_main
from support.effort import examples
from support.examples import EXAMPLES
from support.strategies import corpora, odd_sentences

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
    return {"offset": start, "length": end - start, "replacements": [{"value": own} for own in replacements], **more}


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
    found = read(tmp_path / "x.jsonl", [{"lints": lints}], ["He go . . ."])
    assert edits(found) == [(1, 1, "X", "will"), (2, 3, "Y", "")]


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
    found = read(tmp_path / "x.json", [LABELLED], ["Cats is very shy ."])
    assert edits(found) == [(1, 2, "Is", "are"), (2, 2, "So", "so"), (2, 3, "Very", "")]


@pytest.mark.parametrize("label", ["are", "Replace by “are”", "Replace with: 'are'", "Insert"])
def test_unknown_label_of_harper_is_refused_with_its_line(tmp_path: Path, label: str) -> None:
    lints = [{"span": {"start": 5, "end": 7}, "rule": "Is", "suggestions": [label]}]
    with pytest.raises(InputError, match="not a label of Harper's suggestions") as caught:
        read(tmp_path / "x.jsonl", [{"lints": []}, {"lints": lints}], ["Cats .", "Cats is shy ."])
    assert (caught.value.path, caught.value.line) == (str(tmp_path / "x.jsonl"), 2)
    assert '{"ReplaceWith": "x"}' in str(caught.value.hint)
    lints[0]["suggestions"] = [{"ReplaceWith": "are"}]
    assert edits(read(tmp_path / "x.jsonl", [{"lints": lints}], ["Cats is shy ."])) == [(1, 2, "Is", "are")]


def test_matched_text_of_harper_elsewhere_in_the_source_is_refused(tmp_path: Path) -> None:
    lints = [{"span": {"start": 0, "end": 2}, "rule": "Is", "matched_text": "is", "suggestions": ["Remove error"]}]
    with pytest.raises(InputError, match="offset 0 to 2: the text has 'Ca' there"):
        read(tmp_path / "x.jsonl", [{"lints": lints}], ["Cats is shy ."])


def test_rule_of_languagetool_precedes_its_type(tmp_path: Path) -> None:
    more = {
        "message": "…",
        "type": {"typeName": "Other"},
        "rule": {"id": "AGREEMENT_CATS", "issueType": "grammar", "category": {"id": "GRAMMAR", "name": "Grammar"}},
        "context": {"text": "Cats is shy .", "offset": 5, "length": 2},
    }
    found = read(tmp_path / "x.jsonl", [{"matches": [match(5, 7, "are", **more)]}], ["Cats is shy ."])
    assert edits(found) == [(1, 2, "AGREEMENT_CATS", "are")]
    del more["rule"]
    found = read(tmp_path / "x.jsonl", [{"matches": [match(5, 7, "are", **more)]}], ["Cats is shy ."])
    assert edits(found) == [(1, 2, "Other", "are")]


@pytest.mark.parametrize("names", [("errorLength", "ruleId"), ("error_length", "rule_id")])
@pytest.mark.parametrize("sentences", [1, 2, 3])
def test_matches_of_language_tool_python_are_read(tmp_path: Path, names: tuple[str, str], sentences: int) -> None:
    length, rule = names
    one = {"offset": 5, length: 2, rule: "AGREEMENT", "replacements": ["are"], "sentence": "Cats is shy ."}
    one |= {"context": "Cats is shy .", "offsetInContext": 5, "category": "GRAMMAR"}
    path = tmp_path / "x.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in ([one], [], [one])[:sentences]), encoding="utf-8")
    found = list(m2.read_json_lines(path, ["Cats is shy ."] * sentences))
    expected = [(1, 2, "AGREEMENT", "are")], [(-1, -1, "noop", "-NONE-")], [(1, 2, "AGREEMENT", "are")]
    assert [edits([block]) for block in found] == list(expected[:sentences])


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


def test_replacement_that_m2_reads_as_a_deletion_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="offset 5: the replacement -NONE- is a deletion in M2"):
        read(tmp_path / "x.jsonl", [[match(5, 9, "-NONE-")]], ["I am very well"])


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


def test_hints_for_texts_in_place_of_suggestions_work_when_followed(tmp_path: Path) -> None:
    source, reference = write(tmp_path / "s.txt", "Cats is shy .\n"), write(tmp_path / "r.txt", "Cats are shy .\n")
    table = write(tmp_path / "out.jsonl", json.dumps({"id": "1", "prediction": "Cats are shy ."}) + "\n")
    words = f"score -s {source} -r {reference} -m errant -f csv -q"
    refused = run_main([*words.split(), "-c", str(table)])
    assert (refused.status, f"hint: for a table with a column of texts: -i {table} --hypothesis-column prediction") == (
        2,
        refused.err.splitlines()[-1].strip(),
    )
    followed = run_main([*words.split(), *refused.err.splitlines()[-1].partition("texts: ")[2].split()])
    assert followed.out == "system,ERRANT\nprediction,100.00\n"
    texts = write(tmp_path / "out.json", json.dumps(["Cats are shy ."]))
    refused = run_main([*words.split(), "-c", str(texts)])
    command = refused.err.partition("write one sentence per line: ")[2].strip().replace("FILE.txt", "it.txt")
    subprocess.run(command.replace("python ", f"{sys.executable} ", 1), shell=True, check=True, cwd=tmp_path)
    assert run_main([*words.split(), "-c", str(tmp_path / "it.txt")]).out == "system,ERRANT\nit,100.00\n"


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


def test_one_row_for_all_sentences_is_a_document(tmp_path: Path) -> None:
    source = ["He go .", "", "She like it ."]
    whole = "\n".join(source)
    row = {"matches": [match(3, 5, "goes"), match(whole.index("like"), whole.index(" it"), "likes")]}
    found = read(tmp_path / "x.jsonl", [row], source)
    assert [edits([block]) for block in found] == [
        [(1, 2, "R", "goes")],
        [(-1, -1, "noop", "-NONE-")],
        [(1, 2, "R", "likes")],
    ]
    own = read(tmp_path / "y.jsonl", [row | {"text": whole}], [source[0], source[2]])
    assert edits(own) == [(1, 2, "R", "goes"), (1, 2, "R", "likes")]
    with pytest.raises(InputError, match="offset 3 to 10: the suggestion changes several lines"):
        read(tmp_path / "x.jsonl", [{"matches": [match(3, 10, "goes")]}], source)


def test_confidence_latency_and_missing_answers_are_kept(tmp_path: Path) -> None:
    rows = [{"latency": 0.25, "matches": [match(0, 1, "b", confidence=0.5)]}, None, {"matches": []}]
    found = read(tmp_path / "x.jsonl", rows, ["a", "a", "a"])
    assert [block.notes for block in found] == [("I latency 0.25",), ("I no answer",), ()]
    assert (found[0].edits[0].comment, found[0].edits[0].confidence) == ("0.5", 0.5)
    out = io.StringIO()
    m2.write_spans(found[:1], out, "languagetool")
    assert list(m2.read_json_lines(write(tmp_path / "y.jsonl", out.getvalue()))) == found[:1]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_tokens_that_do_not_change_are_no_part_of_an_edit(tmp_path: Path) -> None:
    source = ["I saw a apple there"]
    [block] = read(tmp_path / "x.jsonl", [[match(6, 13, "an apple", "an  old apple")]], source)
    assert block.edits == (Edit(2, 3, "R", ("an", "an old")),)
    with pytest.warns(GecevalWarning, match="1 replacements left out, which change other tokens"):
        [block] = read(tmp_path / "x.jsonl", [[match(6, 13, "an apple", "the apples")]], source)
    assert block.edits == (Edit(2, 3, "R", ("an",)),)
    with pytest.warns(GecevalWarning, match="1 suggestions that change no token left out"):
        [block] = read(tmp_path / "x.jsonl", [[match(5, 6, "  ")]], source)
    assert block.edits == (noop(0),)


def test_raw_text_is_tokenised_with_its_suggestions(tmp_path: Path) -> None:
    row = {
        "text": "However he don't go.",
        "matches": [match(0, 7, "However,"), match(11, 16, "doesn't"), match(17, 19, "goes")],
    }
    path = write(tmp_path / "x.json", json.dumps(row))
    found = run_main(f"m2 convert {path} --tokenise english --to m2".split())
    edits = [line.split("|||REQ")[0] for line in found.out.splitlines()]
    assert edits == ["S However he do n't go .", "A 1 1|||M|||,", "A 2 3|||R|||does", "A 4 5|||R|||goes", ""]
    source, reference = write(tmp_path / "s.txt", row["text"]), write(tmp_path / "r.txt", "However, he doesn't goes.")
    words = f"score -s {source} -r {reference} -c {path} --tokenise english -m green -q"
    assert "100.00" in run_main(words.split()).out


def test_edits_of_another_source_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    with path.open("w", encoding="utf-8") as out:
        m2.write_json_lines([Block("a b", (Edit(0, 1, "X", ("c",)),))], out)
    source = write(tmp_path / "s.txt", "a c\n")
    with pytest.raises(InputError, match="sentence 1 differs from the source"):
        geceval.read_corpus(str(source), [str(source)], {"it": str(path)})


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


def test_ambiguous_offsets_are_refused_with_line_and_offset(tmp_path: Path) -> None:
    rows = [[match(0, 1, "b")], [match(9, 10, "b")]]
    with pytest.raises(InputError, match=r"offset 9 to 10 is ambiguous: it may count characters or utf-16") as caught:
        read(tmp_path / "x.jsonl", rows, ["a b c", TEXT])
    assert (caught.value.path, caught.value.line) == (str(tmp_path / "x.jsonl"), 2)
    assert "--offsets" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("row", "source", "message"),
    [
        ([match(2, 9, "b")], "a b", "offset 2 to 9: outside the text of 3 characters"),
        ([match(-1, 1, "b")], "a b", "offset -1 to 1: outside the text"),
        ([match(1, 2, "b")], "𝔘", "offset 1 to 2: outside the text of 1 characters|within a character"),
        ([match(0, 1, "b", quote="b")], "a b", "offset 0 to 1: the text has 'a' there"),
        ([{"start": 1}], "a b", "a suggestion has no place"),
        ([{"start": 0, "end": 1, "replacements": [3]}], "a b", "offset 0: a replacement is text, not \\[3\\]"),
        ([match(0, 1, "b", confidence="high")], "a b", "offset 0: a confidence is a number, not 'high'"),
        ({"matches": [], "latency": True}, "a b", "a latency is a number, not True"),
        ({"rows": []}, "a b", "a sentence is an object with a list of suggestions"),
        ({"text": "a c", "matches": []}, "a b", "the text of the suggestions is not the source"),
        (
            {"text": "ab", "matches": []},
            "a b",
            "the text of the suggestions is not the source\n  hint: --tokenise NAME",
        ),
        ({"text": 3, "matches": []}, "a b", "the text of the suggestions is required, not 3"),
        ([3], "a b", "a suggestion is an object, not 3"),
        (3, "a b", "a sentence is an object with a list of suggestions"),
    ],
    ids=str,
)
def test_faulty_rows_are_refused_with_their_line(tmp_path: Path, row: Any, source: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(tmp_path / "x.jsonl", [[], row], ["a b", source])
    assert (caught.value.path, caught.value.line) == (str(tmp_path / "x.jsonl"), 2)


# --- laws ---


def test_the_example_scores_the_same_as_text_and_as_m2(tmp_path: Path) -> None:
    folder, prepare = EXAMPLES / "checker", geceval.Preparation(tokenise="english")
    files = [str(folder / name) for name in ("source.txt", "reference.txt", "checker.jsonl")]
    with pytest.warns(GecevalWarning, match="2 replacements left out"):
        given = geceval.read_corpus(files[0], files[1:2], {"it": files[2]}, prepare=prepare, offsets="utf-16")
    blocks = m2.Blocks.of(given.systems["it"])
    text = write(tmp_path / "it.txt", "\n".join(m2.apply(block, 0) for block in blocks) + "\n")
    edits = write(tmp_path / "it.m2", "\n".join(map(str, blocks)) + "\n")
    systems = {"suggestions": blocks, "m2": list(m2.read(edits)), "text": text.read_text(encoding="utf-8").splitlines()}
    corpus = geceval.Corpus(given.source, given.references, systems)
    for name in ("errant", "spans", "green", "gleu", "cleme", "false-alarms"):
        results = geceval.evaluate(corpus, [geceval.make_metric(name)], checks=False).values()
        assert len({own[0].score().value for own in results}) == 1, name


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
        name: str(write(folder / f"{name}.txt", "".join(f"{' '.join(line.split())}\n" for line in own)))
        for name, own in texts.items()
    }
    systems = {"text": paths["text"]} | {name: str(folder / file) for name, file in names.items()}
    corpus = geceval.read_corpus(paths["source"], [paths["ref"]], systems, offsets="utf-16")
    assert corpus.m2_systems.keys() == {*names}
    metrics = [
        geceval.make_metric(name, **more)
        for name, more in (("green", {}), ("gleu", {}), ("errant", {"annotator": "plain"}))
    ]
    results = geceval.evaluate(corpus, metrics, checks=False)
    for at in range(len(metrics)):
        totals = [dict(results[name][at].score().totals) for name in systems]
        assert all(own == totals[0] for own in totals)
