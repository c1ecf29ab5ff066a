"""geceval.errant: ERRANT's Python API with geceval's annotators. tests/differential compares it with errant."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import errant
from geceval.base.errors import GecevalError, InputError, UsageError
from geceval.errant.commands import compare_m2
from support.commands import run_main
from support.errant_scripts import MODULE_SCRIPTS, SCRIPTS, Pairs, printed
from support.examples import EXAMPLES, REFERENCES, SOURCE
from support.strategies import lists_of, odd_sentences

ANNOTATOR = errant.load("en")
PAIRS = list(zip(SOURCE, REFERENCES[0], strict=True))
words = lists_of(["He", "he", "go", "goes", "to", "the", "the", "home", ",", "."], max_size=9).map(" ".join)


def annotated(source: str, target: str, **options: Any) -> errant.AnnotatedPair:
    return ANNOTATOR.annotate(ANNOTATOR.parse(source), ANNOTATOR.parse(target), **options)


def test_an_edit_has_the_attributes_and_the_m2_line_of_errant() -> None:
    [edit] = annotated("He go home .", "He goes home .")
    assert (edit.o_start, edit.o_end, edit.o_str, [t.text for t in edit.o_toks]) == (1, 2, "go", ["go"])
    assert (edit.c_start, edit.c_end, edit.c_str, [t.lemma_ for t in edit.c_toks]) == (1, 2, "goes", ["go"])
    assert edit.type == "R:VERB:SVA"
    assert str(edit) == "Orig: [1, 2, 'go'], Cor: [1, 2, 'goes'], Type: 'R:VERB:SVA'"
    assert edit.to_m2(2) == "A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||2"
    assert edit.to_m2(id=0).endswith("|||0")


def test_tokens_have_their_annotation_under_the_names_of_spacy() -> None:
    doc = ANNOTATOR.parse("He  goes home .")
    assert [(t.text, t.lower_, t.pos_, t.tag_, t.dep_, t.i, t.idx) for t in doc[:2]] == [
        ("He", "he", "PRON", "PRP", "nsubj", 0, 0),
        ("goes", "goes", "VERB", "VBZ", "ROOT", 1, 3),
    ]
    assert doc.text == "He goes home . "
    assert (doc[1:3].text, doc[1:3].start_char, doc[1:3].end_char) == ("goes home", 3, 12)
    assert (doc[-1].text, doc[1:3][-1].text, doc[1:][1:].text, len(doc[3:1])) == (".", "home", "home .", 0)
    assert doc[1] is doc[1:][0]
    with pytest.raises(IndexError):
        doc[1:3][2]
    with pytest.raises(UsageError, match="step"):
        doc[::-1]


@pytest.mark.parametrize("text", ["He can't go.", " He  can't\tgo. ", "", " "])
def test_raw_text_is_tokenised_where_asked(text: str) -> None:
    doc = ANNOTATOR.parse(text, tokenise=True)
    assert [t.text for t in doc] == (["He", "ca", "n't", "go", "."] if text.strip() else [])
    assert doc.text == text
    assert "".join(t.text_with_ws for t in doc) == text.lstrip()
    assert [doc.text[t.idx : t.idx + len(t)] for t in doc] == [t.text for t in doc]


@pytest.mark.parametrize("merging", ["rules", "all-split", "all-merge", "all-equal"])
@pytest.mark.parametrize("lev", [False, True])
@given(source=words, target=words)
def test_annotate_is_align_merge_classify(merging: str, lev: bool, source: str, target: str) -> None:
    orig, cor = ANNOTATOR.parse(source), ANNOTATOR.parse(target)
    annotated = ANNOTATOR.annotate(orig, cor, lev, merging)
    edits = ANNOTATOR.merge(ANNOTATOR.align(orig, cor, lev), merging)
    assert {edit.type for edit in edits} <= {"NA"}
    assert [str(ANNOTATOR.classify(edit)) for edit in edits] == list(map(str, annotated))
    text = [t.text for t in orig]
    for edit in reversed(annotated):
        assert [t.text for t in edit.c_toks] == target.split()[edit.c_start : edit.c_end]
        text[edit.o_start : edit.o_end] = [t.text for t in edit.c_toks]
    assert text == target.split()


def traced(kinds: list[list[str]]) -> list[tuple[str, int, int, int, int]]:
    """Follow the operations from the last cell to the first."""
    i, j = len(kinds) - 1, len(kinds[0]) - 1
    lines = []
    while i or j:
        kind = kinds[i][j]
        up, left = {"I": (0, 1), "D": (1, 0)}.get(kind, (int(kind[1:] or 1),) * 2)
        lines.append((kind, i - up, i, j - left, j))
        i, j = i - up, j - left
    return lines[::-1]


@pytest.mark.parametrize("lev", [False, True])
@given(source=words, target=words)
def test_the_alignment_follows_its_matrices(lev: bool, source: str, target: str) -> None:
    alignment = ANNOTATOR.align(ANNOTATOR.parse(source), ANNOTATOR.parse(target), lev)
    assert traced(alignment.op_matrix) == alignment.align_seq == alignment.get_cheapest_align_seq()
    assert [len(row) for row in alignment.cost_matrix] == [len(target.split()) + 1] * (len(source.split()) + 1)


@given(pairs=st.lists(st.tuples(odd_sentences, odd_sentences), max_size=4), threads=st.integers(0, 2))
def test_annotate_many_equals_annotate(pairs: Pairs, threads: int) -> None:
    many = ANNOTATOR.annotate_many(pairs, threads=threads)
    assert [list(map(str, edits)) for edits in many] == [list(map(str, annotated(*pair))) for pair in pairs]
    parsed = [(ANNOTATOR.parse(a), ANNOTATOR.parse(b)) for a, b in pairs]
    again = ANNOTATOR.annotate_many(parsed, threads, merging="all-split")
    assert [list(map(str, e)) for e in again] == [list(map(str, annotated(*p, merging="all-split"))) for p in pairs]
    assert [edits.orig for edits in again] == [orig for orig, _ in parsed]


@given(source=odd_sentences, target=odd_sentences)
def test_characters_are_places_in_the_given_texts(source: str, target: str) -> None:
    for edit in annotated(source, target):
        offsets = (edit.o_start_char, edit.o_end_char, edit.c_start_char, edit.c_end_char)
        for text, start, end, toks in ((source, *offsets[:2], edit.o_toks), (target, *offsets[2:], edit.c_toks)):
            assert 0 <= start <= end <= len(text)
            assert text[start:end].split() == [t.text for t in toks]
            assert len(text[:start].split()) == toks.start
            assert toks or text[start:] == text[start:].lstrip() or start == len(text.rstrip())


@pytest.mark.parametrize("name", ["builtin:2", "builtin:3", "builtin:classic"])
def test_annotate_writes_what_the_command_writes(name: str, tmp_path: Path) -> None:
    out = tmp_path / "out.m2"
    files = [str(EXAMPLES / name) for name in ("source.txt", "ref0.txt")]
    completed = run_main(*["annotate", "-s", files[0], "-c", files[1], "-o", str(out), "--language", name])
    assert completed.status == 0, completed.err
    annotator = errant.load("en", model_name=name)
    blocks = []
    for (source, _), edits in zip(PAIRS, annotator.annotate_many(PAIRS), strict=True):
        lines = [edit.to_m2() for edit in edits] or ["A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0"]
        blocks.append("\n".join([f"S {source}", *lines]))
    assert out.read_text(encoding="utf-8") == "\n\n".join(blocks) + "\n\n"


@pytest.mark.parametrize(
    ("language", "source", "target", "expected"),
    [
        ("de", "Er gehen nach Haus .", "Er geht nach Hause .", ["gehen geht", "Haus Hause"]),
        ("cs", "To je dobrý auto .", "To je dobré auto .", ["dobrý dobré"]),
        ("zh", "我 去 校 学", "我 去 学 校", ["校 学 学 校"]),
        ("plain", "abc def", "abc", ["def "]),
    ],
)
def test_other_languages_have_their_annotators(language: str, source: str, target: str, expected: list[str]) -> None:
    annotator = errant.load(language)
    assert annotator.lang == language
    edits = annotator.annotate(annotator.parse(source), annotator.parse(target))
    assert [f"{edit.o_str} {edit.c_str}" for edit in edits] == expected
    types = [edit.type for edit in edits]
    assert [annotator.classify(edit).type for edit in edits] == types


def test_the_word_list_of_the_spelling_rule_can_be_given() -> None:
    pair = "a lof", "a lot"
    types = []
    for words in (None, ["lof", "lot"]):
        annotator = errant.load("en", words=words)
        types += [edit.type for edit in annotator.annotate(*map(annotator.parse, pair))]
    assert types == ["R:SPELL", "R:NOUN"]


def test_equal_tokens_at_the_ends_of_an_edit_are_removed() -> None:
    orig, cor = ANNOTATOR.parse("He go home ."), ANNOTATOR.parse("He goes home .")
    edit = errant.Edit(orig, cor, [0, 4, 0, 4], "X")
    assert (edit.o_str, edit.minimise(), edit.o_str, edit.c_str) == ("He go home .", edit, "go", "goes")
    assert str(edit) == "Orig: [1, 2, 'go'], Cor: [1, 2, 'goes'], Type: 'X'"
    same = errant.Edit(orig, orig, [0, 2, 0, 2]).minimise()
    assert (same.o_start, same.o_end, same.o_str, same.type) == (2, 2, "", "NA")
    assert ANNOTATOR.classify(same).type == "UNK"


def test_given_edits_are_imported() -> None:
    orig, cor = ANNOTATOR.parse("He go home ."), ANNOTATOR.parse("He goes home .")
    for values, options, expected in [
        ([0, 2, 0, 2], {}, (1, 2, "R:VERB:SVA")),
        ([0, 2, 0, 2, "X"], {"old_cat": True}, (1, 2, "X")),
        ([0, 2, 0, 2, "X"], {"min": False, "old_cat": True}, (0, 2, "X")),
        ((-1, -1, -1, -1, "noop"), {"min": False, "old_cat": True}, (-1, -1, "noop")),
    ]:
        edit = ANNOTATOR.import_edit(orig, cor, values, **options)
        assert (edit.o_start, edit.o_end, edit.type) == expected


def test_name_of_an_annotator_in_place_of_a_pipeline_is_refused_with_a_call_that_works() -> None:
    with pytest.raises(UsageError) as error:
        errant.load("en", "builtin")
    assert error.value.hint == "load('en', model_name=\"builtin:3\")"
    assert errant.load("en", model_name="builtin:3").nlp.annotator.name == "builtin:3-2"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: errant.load("xx"), "unknown annotator 'xx'"),
        (lambda: errant.load("en", model_name="builtin:9"), "builtin:9"),
        (lambda: errant.load("en", nlp=object(), model_name="builtin:3"), "two annotators"),
        (lambda: errant.load("en", "en_core_web_sm"), "nlp must be a pipeline, not its name"),
        (lambda: errant.load(None), "unknown annotator 'None'"),  # type: ignore[arg-type]
        (lambda: ANNOTATOR.parse(None), "a text is required, not None"),  # type: ignore[arg-type]
        (lambda: ANNOTATOR.parse("a \ud800"), "a text is required, not 'a \\ud800'"),
        (lambda: ANNOTATOR.annotate("a", "b"), "the text 'a' is not parsed"),
        (lambda: ANNOTATOR.annotate_many([], threads=-1), "threads"),
        (lambda: annotated("a", "b", merging="none"), "unknown merging strategy 'none'"),
        (lambda: ANNOTATOR.import_edit(*map(ANNOTATOR.parse, "ab"), [0, 1, 0]), "an edit must be"),
        (
            lambda: ANNOTATOR.import_edit(*map(ANNOTATOR.parse, "ab"), [0, 2, 0, 1]),
            "not within orig, which has 1 token",
        ),
        (lambda: ANNOTATOR.import_edit(*map(ANNOTATOR.parse, "ab"), [0, 1, 1, 0]), "from 1 to 0 is not within cor"),
        (lambda: ANNOTATOR.import_edit(*map(ANNOTATOR.parse, "ab"), ["0", 1, 0, 1]), "from '0' to 1 is not within"),
        (lambda: errant.load("en_core_web_sm"), "unknown annotator 'en_core_web_sm'"),
    ],
    ids=range(15),
)
def test_a_wrong_argument_is_reported(call: Callable[[], object], message: str) -> None:
    with pytest.raises(GecevalError, match=re.escape(message)):
        call()


def test_a_pair_too_long_to_align_is_reported() -> None:
    with pytest.raises(InputError, match="too long to align"):
        annotated("a " * 7000 + "b", "c " * 7000)


def test_a_notebook_shows_the_marked_text() -> None:
    edits = annotated("He go to the  home <b> now", "He goes to  home <b> right now !")
    assert edits._repr_html_() == (
        'He <del title="R:VERB:SVA">go</del> <ins title="R:VERB:SVA">goes</ins> to <del title="U:DET">the</del>  '
        'home &lt;b&gt; <ins title="M:ADV">right</ins> now <ins title="M:PUNCT">!</ins>'
    )


@given(source=odd_sentences, target=odd_sentences)
def test_the_marked_text_has_both_texts(source: str, target: str) -> None:
    html = annotated(source, target)._repr_html_()
    for drop, text in (("ins", source), ("del", target)):
        left = re.sub(f'<{drop} title="[^"]*">.*?</{drop}>', "", html)
        assert unescape(re.sub(r"<[^>]*>", "", left)).split() == text.split()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.__name__)
def test_public_scripts_run(script: Callable[[Any, Pairs], object]) -> None:
    assert script(ANNOTATOR, PAIRS)


def test_edits_and_annotators_are_copied_and_pickled() -> None:
    edits = annotated(*PAIRS[0])
    annotator = pickle.loads(pickle.dumps(ANNOTATOR))
    for copied in (copy.deepcopy(edits), pickle.loads(pickle.dumps(edits)), annotator.annotate(edits.orig, edits.cor)):
        assert list(map(str, copied)) == list(map(str, edits))
        assert [t.tag_ for t in copied.orig] == [t.tag_ for t in edits.orig]


def test_importing_loads_nothing_heavy() -> None:
    code = "import geceval.errant as errant, sys; print(*{'spacy', 'argparse'} & set(sys.modules), errant.load)"
    completed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert completed.stdout.startswith("<function load")


@pytest.mark.parametrize("script", MODULE_SCRIPTS, ids=lambda script: script.__name__)
def test_public_scripts_that_import_modules_run(script: Callable[[Any, Any, Pairs], object]) -> None:
    assert printed(script, errant, ANNOTATOR, PAIRS)


def test_a_script_may_import_the_package_as_errant() -> None:
    """All names lead to the same classes, and the modules of commands run."""
    code = (
        "import sys, geceval.errant; sys.modules['errant'] = geceval.errant\n"
        "import errant\n"
        "from errant.edit import Edit\n"
        "from errant.annotator import Annotator\n"
        "from errant.commands.compare_m2 import evaluate_edits, print_results\n"
        "from errant.commands.parallel_to_m2 import noop_edit, parse_args\n"
        "from errant.en.classifier import conts, spell\n"
        "from errant.en.lancaster import LancasterStemmer\n"
        "annotator = errant.load('en')\n"
        "edits = annotator.annotate(*map(annotator.parse, ('He go .', 'He goes .')))\n"
        "assert isinstance(edits[0], Edit) and isinstance(annotator, Annotator) and Edit is errant.edit.Edit\n"
        "print(errant.__version__, 'goes' in spell, LancasterStemmer().stem('Going'), \"n't\" in conts, noop_edit(2))\n"
    )
    completed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert completed.stdout == "3.0.2 True going True A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||2\n"


@pytest.mark.parametrize(
    ("module", "command", "arguments"),
    [
        ("parallel_to_m2", "errant_parallel", ["-orig", "source.txt", "-cor", "ref0.txt", "-out", "-", "-lang", "en"]),
        ("m2_to_m2", "errant_m2", ["gold.m2", "-gold", "-out", "-"]),
        ("compare_m2", "errant_compare", ["-hyp", "gold.m2", "-ref", "gold.m2", "-cat", "2"]),
    ],
)
def test_modules_of_commands_run_as_the_drop_ins(module: str, command: str, arguments: list[str]) -> None:
    outputs = [
        subprocess.run([sys.executable, "-m", name, *words], cwd=EXAMPLES, capture_output=True, text=True, check=True)
        for name, *words in ([f"geceval.errant.commands.{module}", *arguments], ["geceval", command, *arguments])
    ]
    assert outputs[0].stdout == outputs[1].stdout != ""


def test_a_module_of_a_command_fails_as_the_drop_in() -> None:
    command = [sys.executable, "-m", "geceval.errant.commands.compare_m2"]
    for arguments, message in (
        (["-hyp", "none.m2", "-ref", "none.m2"], "error: none.m2"),
        ([], "usage: compare_m2.py"),
    ):
        completed = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
        assert completed.returncode == 2
        assert completed.stderr.startswith(message)


def test_the_pipeline_of_an_annotator_parses_many_texts() -> None:
    nlp = errant.load("en", nlp=True).nlp
    doc = nlp("He can't go.")
    assert [token.text for token in doc] == ["He", "ca", "n't", "go", "."]
    assert nlp(doc) is doc
    assert [[t.text for t in doc] for doc in nlp.pipe(["Go.", "No!"], batch_size=2)] == [["Go", "."], ["No", "!"]]
    assert [(len(doc), number) for doc, number in nlp.pipe([("Go.", 7)], as_tuples=True)] == [(2, 7)]
    again = errant.load("en", nlp=nlp)
    assert [edit.type for edit in again.annotate(nlp("He go."), nlp("He goes."))] == ["R:VERB:SVA"]
    with pytest.raises(UsageError, match="nlp must be a spaCy pipeline"):
        errant.load("en", nlp=object()).parse("a")


@pytest.mark.parametrize("name", ["builtin:2", "builtin:3", "builtin:classic"])
@given(text=odd_sentences)
def test_a_token_alone_has_the_annotation_of_its_sentence(name: str, text: str) -> None:
    doc = errant.load("en", model_name=name).parse(text)
    rows = [(token.lemma_, token.pos_, token.tag_) for token in reversed(doc)]
    assert rows[::-1] == [(row.lemma, row.pos, row.tag) for row in doc.rows]


def test_functions_take_the_calls_of_errant_2() -> None:
    args = SimpleNamespace(beta=1, verbose=False, dt=False, ds=False, cse=False, single=False, multi=False, filt=None)
    edits = compare_m2.simplify_edits("S a b\nA 0 1|||R:X|||c||||||-NONE-|||0\nA 1 2|||UNK|||d||||||-NONE-|||1")
    assert edits == [[0, 1, "R:X", "c", 0], [1, 2, "UNK", "d", 1]]
    answers = compare_m2.process_edits(edits, args)
    assert answers == {0: {(0, 1, "c"): ["R:X"]}, 1: {}}
    assert compare_m2.process_edits([], args) == {0: {(-1, -1, "-NONE-"): ["noop"]}}
    expected = {"tp": 1, "fp": 0, "fn": 0}, {"R:X": [1, 0, 0]}
    assert compare_m2.evaluate_edits(answers, answers, Counter(), 0, args) == expected
    assert compare_m2.evaluate_edits(answers, answers, Counter(), 0, "a b", args) == expected
