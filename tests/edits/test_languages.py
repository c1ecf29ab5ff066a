"""Annotators by name: ours, those of installed packages, and objects."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval.edits.languages as languages
from differential.pseudo import PseudoAnnotator
from geceval import Corpus, Errant, errant
from geceval.base.errors import InputError, UsageError
from geceval.counting.metric_classes import METRICS
from geceval.counting.metric_names import make_metric
from geceval.counting.signature import signature_of
from geceval.dropins.errant import parallel_parser
from geceval.edits.annotation import DEFAULT_ANNOTATOR, UPOS, Token
from geceval.edits.corpus_edits import Extraction
from geceval.edits.extraction import Extractor
from geceval.edits.languages import LANGUAGES, language_of, make_annotator, tokeniser_of, types_of
from geceval.edits.languages.lexicon import SHIPPED, Lexicon, read_lexicon, shipped_morphology
from geceval.edits.languages.plain import Plain
from geceval.edits.languages.treebanks import Word, fingerprint, make_table, read_words
from support.commands import Run
from support.installed import install
from support.messages import message_of
from support.written_files import write


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A package that offers an annotator."""
    install(tmp_path, monkeypatch, {"geceval.languages": {"pseudo": "differential.pseudo:PseudoAnnotator"}})
    languages._named.cache_clear()
    languages._of_language.cache_clear()


@pytest.mark.usefixtures("installed")
def test_installed_packages_offer_annotators() -> None:
    assert isinstance(make_annotator("pseudo"), PseudoAnnotator)
    assert make_annotator("pseudo") is make_annotator("pseudo")
    assert make_annotator("pseudo:generic").rules == "generic"
    assert signature_of(Errant(annotator="pseudo:generic"), 1)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("name", ["none", "builtin:modern", "spacy"])
def test_an_unknown_name_lists_the_annotators(name: str, snapshot: SnapshotAssertion) -> None:
    assert message_of(make_annotator, name) == snapshot


@pytest.mark.parametrize("name", ["sv.lexicon", "lexicon:sv.lexicon"])
def test_a_table_that_is_missing_is_named(name: str) -> None:
    with pytest.raises(InputError, match=r"^sv.lexicon: cannot read: No such file"):
        make_annotator(name)


def test_an_annotator_without_a_tokeniser_is_named() -> None:
    lexicon = Lexicon(make_table([Word("hus", "hus", "NOUN")], "xx", "1"))
    with pytest.raises(UsageError, match="the annotator lexicon-xx-1 does not tokenise"):
        tokeniser_of(lexicon)


def test_an_annotator_can_be_given_itself() -> None:
    annotator = PseudoAnnotator()
    assert make_annotator(annotator) is annotator
    corpus = Corpus(["the cat eats"], [["The cats eat"]])
    metric = Errant(annotator=annotator)
    counts = metric.count(metric.prepare(corpus), ["The cats eat"])
    assert counts.array[0, 0].tolist() == [3, 0, 0]


# --- docs/languages.md ---


PAGE = (Path(__file__).parents[2] / "docs" / "languages.md").read_text(encoding="utf-8")


def test_each_language_says_what_the_page_says() -> None:
    rows = {cells[0]: cells[2:] for cells in table_after("| part | |")}
    for column, name in enumerate((*LANGUAGES, "plain")):
        annotator = make_annotator(name)
        language = language_of(annotator)
        assert rows["name and version"][column] == f"`{annotator.name}`"
        assert rows["tokeniser"][column] == (f"`{language.tokeniser}`" if language.tokeniser else "")
        assert rows["rules"][column] == f"`{annotator.rules}`"
        types = rows["types"][column]
        assert types == "ERRANT's" if name == "en" else types == f"`{types_of(annotator)}`"
        assert bool(rows["word list"][column]) == (language.words is not None)


def test_pages_and_help_name_every_language(run: Run) -> None:
    for command in ("score", "prepare"):
        assert ", ".join(LANGUAGES) in " ".join(run(command, "--help-all").out.split())
    assert all(f"`{name}`" in PAGE for name in LANGUAGES)


def table_after(head: str) -> list[list[str]]:
    """The rows of the table with this head."""
    lines = PAGE[PAGE.index(head) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


# --- plain and tables of forms ---


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
    return write(tmp_path / "tiny.conllu", CONLLU)


def test_words_of_a_treebank(treebank: Path) -> None:
    words = [(word.form, word.lemma, word.pos) for word in read_words(str(treebank))]
    assert words[:3] == [("Der", "der", "DET"), ("Hund", "Hund", "NOUN"), ("im", "im", "ADP")]
    assert [form for form, _, _ in words[3:]] == ["in", "dem", "Häuser", "10 000"]


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
    tmp_path_factory: pytest.TempPathFactory, drawn: list[Word], right: list[str]
) -> None:
    table = make_table(drawn, "xx", rules="czech", tokeniser="char", source="here", right=right)
    path = write(tmp_path_factory.getbasetemp() / "again.lexicon", "".join(f"{line}\n" for line in table.lines()))
    assert read_lexicon(path) == table


@given(st.lists(words, min_size=1, max_size=30))
def test_what_is_most_frequent_is_said(drawn: list[Word]) -> None:
    table = make_table(drawn, "xx")
    for form in {word.form for word in drawn}:
        tags = [word.pos for word in drawn if word.form == form]
        # The case-folded form is counted under itself as well, from all its spellings.
        tags += [word.pos for word in drawn if word.form.casefold() == form]
        assert table.forms[form] == min(tags, key=lambda pos: (-tags.count(pos), pos))


def test_the_name_changes_with_the_contents(treebank: Path) -> None:
    short, long = (make_table(list(read_words(str(treebank)))[:n], "de") for n in (5, 6))
    assert short.version == fingerprint(short) != long.version
    assert Lexicon(short).name == f"lexicon-de-{short.version}"
    assert Lexicon(short, "czech").name == f"lexicon-de-{short.version}+czech"
    assert make_table(read_words(str(treebank)), "de", "7").version == "7"
    assert short.version != fingerprint(make_table(list(read_words(str(treebank)))[:5], "de", right=["Hund"]))


def test_a_word_list_finds_what_is_misspelt(treebank: Path) -> None:
    pair = [("Der Hunnd", "Der Hund")]
    for right, expected in [((), "R:NOUN"), (("Der", "Hund"), "R:SPELL")]:
        table = make_table(read_words(str(treebank)), "de", right=right)
        [edits] = Extractor(Lexicon(table)).extract(pair)
        assert [edit.type for edit in edits] == [expected]


@pytest.mark.parametrize(
    "line",
    ["1\tDer\tder\tDET", "1\tDer\tder\tART\t_\t_\t_\t_\t_\t_", "1\tDer\tder\t_\t_\t_\t_\t_\t_\t_"],
)
def test_a_line_that_is_no_word_of_a_treebank_is_refused(
    tmp_path: Path, line: str, snapshot: SnapshotAssertion
) -> None:
    path = write(tmp_path / "odd.conllu", f"# text\n{line}\n")
    assert message_of(read_words, str(path)) == snapshot


def test_a_table_needs_words(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    (tmp_path / "empty.conllu").write_text("# nothing\n")
    assert message_of(make_table, read_words(str(tmp_path / "empty.conllu")), "xx") == snapshot


HEAD = "geceval-lexicon 1\ncode\txx\nversion\t1\n"


@pytest.mark.parametrize(
    "text",
    [
        "S He go home .\n",
        "",
        "geceval-lexicon 1\ncode\txx\n",
        HEAD + "colour\tred\n",
        HEAD + "[forms]\na\tNOUN\tb\n",
        HEAD + "[lemmas]\na\tNOUN\n",
        HEAD,
        HEAD + "[forms]\na\tNOUN\n[lemmas]\nb\tBLAH\tc\n",
        HEAD + "[forms]\nfoo\tBLAH\n",
        HEAD + "[suffixes]\n-o\t\n",
        HEAD + "code\tx|y:z\n",
        HEAD + "version\t1 2\n",
        HEAD + "rules\terrant-3\n",
        HEAD + "types\tfrench\n",
    ],
)
def test_a_file_that_is_no_language_table_is_refused(tmp_path: Path, text: str, snapshot: SnapshotAssertion) -> None:
    assert message_of(make_annotator, str(write(tmp_path / "odd.lexicon", text))) == snapshot


@pytest.mark.parametrize("name", ["xx.lexicon", "lexicon:xx.lexicon", "lexicon:xx.lexicon+czech"])
def test_relative_path_after_chdir_is_the_table_of_the_new_folder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    annotators = []
    for version in "12":
        (tmp_path / version).mkdir()
        write(tmp_path / version / "xx.lexicon", HEAD + f"version\t{version}\n[forms]\na\tNOUN\n")
        monkeypatch.chdir(tmp_path / version)
        annotators.append(make_annotator(name))
    assert [annotator.name.partition("+")[0][-2:] for annotator in annotators] == ["-1", "-2"]
    assert make_annotator(name) is annotators[1]


@pytest.mark.parametrize("name", ["builtin", "Builtin"])
def test_builtin_alone_is_an_error_that_names_both_annotators(name: str) -> None:
    with pytest.raises(UsageError, match=r"choose builtin:3 \(as errant 3\.0\.2\) or builtin:2 \(as errant 2\.3\)"):
        make_annotator(name)


@pytest.mark.parametrize("name", ["builtin", "Builtin", "builtin:9", "nobody"])
def test_metric_refuses_a_name_without_annotator_where_no_edit_is_extracted(name: str) -> None:
    metrics = [metric for metric in METRICS.builtin if hasattr(make_metric(metric), "annotator")]
    assert {"errant", "llm", "cleme", "ptm2"} <= {*metrics}
    for metric in metrics:
        with pytest.raises(UsageError, match="builtin:3"):
            make_metric(metric, annotator=name)


def test_default_annotator_is_the_one_of_today_everywhere() -> None:
    names = {metric.annotator for metric in map(make_metric, METRICS.builtin) if hasattr(metric, "annotator")}
    assert names == {DEFAULT_ANNOTATOR} == {"builtin:3"}
    assert make_annotator("en").name == errant.load("en").nlp.annotator.name == Extraction().extractor.annotator.name
    assert parallel_parser().get_default("annotator") == DEFAULT_ANNOTATOR


def test_languages_by_name(snapshot: SnapshotAssertion) -> None:
    assert make_annotator("en").name == make_annotator("builtin:3").name == "builtin:3-2"
    german, *_ = annotators = [make_annotator(name) for name in ("de", "cs", "cs:generic")]
    assert [annotator.name for annotator in annotators] == ["lexicon-de-3", "lexicon-cs-3", "lexicon-cs-3+generic"]
    assert [annotator.rules for annotator in annotators] == ["generic", "czech", "generic"]
    assert make_annotator("lexicon:de").name == "lexicon-de-3"
    assert language_of(german).code == "de"
    assert types_of(german) == "universal"
    assert message_of(make_annotator, "de:errant-3") == snapshot
    assert message_of(make_annotator, "lexicon:nowhere") == snapshot
    assert message_of(make_annotator, "x" * 5000) == snapshot
    assert message_of(make_annotator, "a\0b\ud800") == snapshot


def type_of(language: str, source: str, target: str) -> str:
    """Return the type of the replacement of one word."""
    [[edit]] = Extractor(make_annotator(language)).extract([(source, target)])
    return edit.type


@pytest.mark.parametrize(
    ("language", "types"),
    [
        (
            "de",
            {
                "jemanden jemandem": "R:PRON:INFL",
                "niemand niemandem": "R:PRON:INFL",
                "deine deiner": "R:DET:INFL",
                "eure eurem": "R:DET:INFL",
                "meine meiner": "R:DET:INFL",
                "gekaufen gekauft": "R:VERB:INFL",
                "geschreibt geschrieben": "R:VERB:INFL",
                "lächerliche lächerlichen": "R:ADJ:INFL",
                "Seminare Seminaren": "R:NOUN:INFL",
                "Beby Baby": "R:SPELL",
                "kaufen verkaufen": "R:VERB",
            },
        ),
        (
            "cs",
            {
                "teďka teď": "R:ADV:INFL",
                "tadyhle tady": "R:ADV:INFL",
                "velký velkého": "R:ADJ:INFL",
                "krásný krásná": "R:ADJ:INFL",
                "našeho našemu": "R:DET:INFL",
                "nikdo nikoho": "R:PRON:INFL",
                "dcera dceru": "R:NOUN:INFL",
                "oblečený oblečení": "R:MORPH",
                "mněl měl": "R:SPELL",
                "mněli měli": "R:SPELL",
                "velký mladý": "R:ADJ",
            },
        ),
    ],
)
def test_forms_of_one_word_have_its_lemma(language: str, types: dict[str, str]) -> None:
    assert {pair: type_of(language, *pair.split()) for pair in types} == types


@pytest.mark.parametrize("code", SHIPPED)
def test_each_form_of_a_closed_class_has_the_lemma_and_part_of_speech_of_its_line(code: str) -> None:
    morphology = shipped_morphology(code)
    assert len(morphology.closed) > 80
    for form, (lemma, pos) in morphology.closed.items():
        other = morphology.table.forms.get(form)
        if other in (None, pos):
            assert morphology.lemma_and_pos(form) == (lemma, pos)
        else:  # "sein" is a verb
            assert morphology.lemma_and_pos(form)[1] == other


@given(st.text(min_size=1, max_size=12).filter(lambda text: text.split() == [text]))
def test_any_form_has_a_lemma_and_a_part_of_speech(form: str) -> None:
    for code in SHIPPED:
        lemma, pos = shipped_morphology(code).lemma_and_pos(form)
        assert lemma
        assert pos in UPOS


def test_plain_annotator_folds_case_and_tags_numbers_and_punctuation() -> None:
    annotated = Plain().annotate([["Größe", "1a", "…", "$", "ÉT"], [], ["a"]])
    assert annotated.sentence(0) == [
        Token("Größe", "grösse", "X", "", "", 0),
        Token("1a", "1a", "NUM", "", "", 1),
        Token("…", "…", "PUNCT", "", "", 2),
        Token("$", "$", "PUNCT", "", "", 3),
        Token("ÉT", "ét", "X", "", "", 4),
    ]
    assert (len(annotated), annotated.sentence(1), len(Plain().annotate([]))) == (3, [], 0)
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
