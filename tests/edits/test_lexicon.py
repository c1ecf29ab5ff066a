"""plain, and tables of forms: made, written, read, looked up; what is said of wrong ones."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval.base.errors import InputError, UsageError
from geceval.edits.annotation import Token
from geceval.edits.extraction import Extractor
from geceval.edits.languages import language_of, make_annotator, types_of
from geceval.edits.languages.lexicon import Lexicon, read_lexicon
from geceval.edits.languages.plain import Plain
from geceval.edits.languages.treebanks import Word, fingerprint, make_table, read_words

CONLLU = """\
# sent_id = 1
1\tDer\tder\tDET\tART\t_\t2\tdet\t_\t_
2\tHund\tHund\tNOUN\tNN\t_\t3\tnsubj\t_\t_
2.1\tnull\tnull\tVERB\t_\t_\t_\t_\t_\t_
3-4\tim\t_\t_\t_\t_\t_\t_\t_\t_
3\tin\tin\tADP\tAPPR\t_\t5\tcase\t_\t_
4\tdem\tder\tDET\tART\t_\t5\tdet\t_\t_
5\tHäuser\tHaus\tNOUN\tNN\t_\t3\tobl\t_\t_
6\t10 000\t10 000\tNUM\tCARD\t_\t5\tnummod\t_\t_

"""

upos = st.sampled_from("NOUN VERB ADJ X PUNCT".split())
texts = st.text(alphabet="aAbßÄé.1", min_size=1, max_size=6)
words = st.builds(Word, texts, texts, upos)


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    return path


def test_words_of_a_treebank(treebank: Path) -> None:
    found = [(word.form, word.lemma, word.pos) for word in read_words(str(treebank))]
    assert found[:3] == [("Der", "der", "DET"), ("Hund", "Hund", "NOUN"), ("im", "im", "ADP")]
    assert [form for form, _, _ in found[3:]] == ["in", "dem", "Häuser", "10 000"]


def test_a_form_is_looked_up(treebank: Path) -> None:
    table = make_table(read_words(str(treebank)), "de")
    assert table.lemma_and_pos("Häuser") == ("haus", "NOUN")
    assert table.lemma_and_pos("HÄUSER") == ("haus", "NOUN")  # as häuser
    assert table.lemma_and_pos("dem") == ("der", "DET")
    assert table.lemma_and_pos("im") == ("im", "ADP")
    assert table.lemma_and_pos("Bäuser") == ("bäuser", "NOUN")  # by its ending, with a capital
    assert table.lemma_and_pos("bäuser") == ("bäuser", "X")  # no such ending without one
    assert table.lemma_and_pos("…") == ("…", "PUNCT")
    assert not any(" " in form for form in table.forms)


@given(st.lists(words, min_size=1, max_size=4))
def test_the_order_of_words_does_not_matter(given_words: list[Word]) -> None:
    tables = {fingerprint(make_table(order, "xx")) for order in permutations(given_words)}
    assert len(tables) == 1


@given(st.lists(words, min_size=1, max_size=30), st.lists(texts, max_size=3))
def test_a_table_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, made: list[Word], right: list[str]
) -> None:
    table = make_table(made, "xx", rules="czech", tokeniser="char", source="here", right=right)
    path = tmp_path_factory.getbasetemp() / "again.lexicon"
    path.write_text("".join(f"{line}\n" for line in table.lines()), encoding="utf-8")
    assert read_lexicon(path) == table


@given(st.lists(words, min_size=1, max_size=30))
def test_what_is_most_frequent_is_said(made: list[Word]) -> None:
    table = make_table(made, "xx")
    for form in {word.form for word in made}:
        said = [word.pos for word in made if word.form == form]
        # The case-folded form is counted under itself as well, from all its spellings.
        said += [word.pos for word in made if word.form.casefold() == form]
        assert table.forms[form] == min(said, key=lambda pos: (-said.count(pos), pos))


def test_the_name_changes_with_the_contents(treebank: Path) -> None:
    one, other = (make_table(list(read_words(str(treebank)))[:n], "de") for n in (5, 6))
    assert one.version == fingerprint(one) != other.version
    assert Lexicon(one).name == f"lexicon-de-{one.version}"
    assert Lexicon(one, "czech").name == f"lexicon-de-{one.version}+czech"
    assert make_table(read_words(str(treebank)), "de", "7").version == "7"
    assert one.version != fingerprint(make_table(list(read_words(str(treebank)))[:5], "de", right=["Hund"]))


def test_a_word_list_finds_what_is_misspelt(treebank: Path) -> None:
    pair = [("Der Hunnd", "Der Hund")]
    for right, expected in [((), "R:NOUN"), (("Der", "Hund"), "R:SPELL")]:
        table = make_table(read_words(str(treebank)), "de", right=right)
        [edits] = Extractor(Lexicon(table)).extract(pair)
        assert [edit.type for edit in edits] == [expected]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1\tDer\tder\tDET", "has 10 fields separated by tabs, found 4"),
        ("1\tDer\tder\tART\t_\t_\t_\t_\t_\t_", "'ART' is not a universal part of speech"),
        ("1\tDer\tder\t_\t_\t_\t_\t_\t_\t_", "'_' is not a universal part of speech"),
    ],
)
def test_what_is_no_treebank_is_told(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "odd.conllu"
    path.write_text(f"# text\n{line}\n")
    with pytest.raises(InputError, match=message) as caught:
        list(read_words(str(path)))
    assert caught.value.line == 2


def test_a_table_needs_words(tmp_path: Path) -> None:
    (tmp_path / "empty.conllu").write_text("# nothing\n")
    with pytest.raises(InputError, match="no words"):
        make_table(read_words(str(tmp_path / "empty.conllu")), "xx")


HEAD = "geceval-lexicon 1\ncode\txx\nversion\t1\n"


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("S He go home .\n", "not a language table", 1),
        ("", "not a language table", 1),
        ("geceval-lexicon 1\ncode\txx\n", "has no version", None),
        (HEAD + "colour\tred\n", "expected 2 fields", 4),
        (HEAD + "[forms]\na\tNOUN\tb\n", "expected 2 fields", 5),
        (HEAD + "[lemmas]\na\tNOUN\n", "expected 3 fields", 5),
        (HEAD, "the language table has no forms", None),
        (HEAD + "[forms]\na\tNOUN\n[lemmas]\nb\tBLAH\tc\n", "'BLAH' is not a universal part of speech", 7),
        (HEAD + "[forms]\nfoo\tBLAH\n", "'BLAH' is not a universal part of speech", 5),
        (HEAD + "[suffixes]\n-o\t\n", "'' is not a universal part of speech", 5),
        (HEAD + "code\tx|y:z\n", r"the code 'x\|y:z' is not valid in a signature", None),
        (HEAD + "version\t1 2\n", "the version '1 2' is not valid in a signature", None),
        (HEAD + "rules\terrant-3\n", "rules is one of generic, czech", None),
        (HEAD + "types\tfrench\n", "types is one of generic, universal", None),
    ],
)
def test_what_is_no_table_is_told(tmp_path: Path, text: str, message: str, line: int | None) -> None:
    path = tmp_path / "odd.lexicon"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        make_annotator(str(path))
    assert caught.value.line == line


def test_languages_by_name() -> None:
    assert make_annotator("en").name == make_annotator("builtin").name == "builtin-2"
    german, czech, other = (make_annotator(name) for name in ("de", "cs", "cs:generic"))
    assert [annotator.name for annotator in (german, czech, other)] == [
        "lexicon-de-1",
        "lexicon-cs-1",
        "lexicon-cs-1+generic",
    ]
    assert [annotator.rules for annotator in (german, czech, other)] == ["generic", "czech", "generic"]
    assert make_annotator("lexicon:de").name == "lexicon-de-1"
    assert language_of(german).code == "de"
    assert types_of(german) == "universal"
    with pytest.raises(UsageError, match="unknown annotator 'de:errant-3'"):
        make_annotator("de:errant-3")
    with pytest.raises(UsageError, match="unknown annotator 'lexicon:nowhere'"):
        make_annotator("lexicon:nowhere")
    with pytest.raises(UsageError, match="unknown annotator"):
        make_annotator("x" * 5000)
    with pytest.raises(UsageError, match="unknown annotator"):
        make_annotator("a\0b\ud800")


def test_plain() -> None:
    found = Plain().annotate([["Größe", "1a", "…", "$", "ÉT"], [], ["a"]])
    assert found.sentence(0) == [
        Token("Größe", "grösse", "X", "", "", 0),
        Token("1a", "1a", "NUM", "", "", 1),
        Token("…", "…", "PUNCT", "", "", 2),
        Token("$", "$", "PUNCT", "", "", 3),
        Token("ÉT", "ét", "X", "", "", 4),
    ]
    assert (len(found), found.sentence(1), len(Plain().annotate([]))) == (3, [], 0)
    assert (Plain().name, Plain("czech").name) == ("plain-1", "plain-1+czech")
    assert make_annotator("plain:czech").rules == "czech"
    assert types_of(Plain()) == types_of(Plain("czech")) == "generic"
    extractor = Extractor(Plain())
    assert extractor.signature == "annotator:plain-1|types:generic"
    [edits] = extractor.extract([("Кіт сидить там", "Кіт сидів , там")])
    assert [str(edit).split("|||")[:3] for edit in edits] == [
        ["A 1 2", "R:X", "сидів"],  # words without a part of speech are no content, and are not joined with others
        ["A 2 2", "M:PUNCT", ","],
    ]
