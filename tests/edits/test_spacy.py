"""The spaCy annotator, on pipelines made here of spaCy's own rule-based components.

Needs spaCy (``pip install 'geceval[spacy]'``); where errant is installed too, errant_parallel is held against it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc

import geceval.errant
from geceval.app.main import main
from geceval.base.errors import InputError, MissingExtraError
from geceval.edits.extraction import Extractor
from geceval.edits.languages import language_of, make_annotator

TAGS = {
    "ing$": ("VBG", "VERB"),
    "ed$": ("VBD", "VERB"),
    "(?i)^(goes|is|has)$": ("VBZ", "VERB"),
    "(?i)^(go|are|have)$": ("VBP", "VERB"),
    "(?i)^(the|a|an)$": ("DT", "DET"),
    "(?i)^(to|on|in|at)$": ("IN", "ADP"),
    "^[.,;!?]$": (".", "PUNCT"),
    "'s$": ("POS", "PART"),
}

SOURCE = ["He go to a  school .", "", "They was playing on the  garden yesterday", "My friends dog bark's loud ."]
TARGET = [
    "He goes to school .",
    "Hello",
    "They were playing in the garden , yesterday .",
    "My friend 's dog barks loudly .",
]


def pipeline(folder: Path, language: str = "en") -> str:
    """A pipeline that tags by regular expressions, everything else as a noun."""
    nlp = spacy.blank(language)
    ruler = nlp.add_pipe("attribute_ruler")
    ruler.add([[{"TEXT": {"REGEX": "."}}]], {"TAG": "NN", "POS": "NOUN", "DEP": "dep"})
    for pattern, (tag, pos) in TAGS.items():
        ruler.add([[{"TEXT": {"REGEX": pattern}}]], {"TAG": tag, "POS": pos, "LEMMA": tag.lower()})
    nlp.to_disk(folder)
    return str(folder)


def test_a_missing_pipeline_is_named_with_the_command_that_installs_it() -> None:
    with pytest.raises(MissingExtraError) as caught:
        make_annotator("spacy:en_core_web_none")
    assert caught.value.hint == "python -m spacy download en_core_web_none"


def test_documents_of_another_pipeline_are_read_with_their_own_strings(tmp_path: Path) -> None:
    """``annotate`` gets documents that were parsed before, in scripts by a pipeline that is loaded elsewhere."""
    first, second = (spacy.load(pipeline(tmp_path / name)) for name in ("first", "second"))
    annotator = geceval.errant.load("en", nlp=first)
    source, target = "The quokka go home .", "The quokkas goes homeward ."
    expected = [
        (e.o_start, e.o_end, e.c_str, e.type) for e in annotator.annotate(*map(annotator.parse, (source, target)))
    ]
    documents = [second(Doc(second.vocab, words=text.split())) for text in (source, target)]
    assert [(e.o_start, e.o_end, e.c_str, e.type) for e in annotator.annotate(*documents)] == expected
    mixed = [annotator.parse(source), documents[1]]
    assert [(e.o_start, e.o_end, e.c_str, e.type) for e in annotator.annotate(*mixed)] == expected


def test_documents_keep_their_annotation_under_the_builtin_annotator(tmp_path: Path) -> None:
    """Tags of a document decide, unless it has none; in a batch, texts are annotated beside documents."""
    nlp, blank = spacy.load(pipeline(tmp_path / "nlp")), spacy.blank("en")
    annotator = geceval.errant.load("en")
    types = []
    for parse in (nlp, blank, annotator.nlp):
        [edit] = annotator.annotate(parse("He sees it"), parse("He eats it"))
        types.append(edit.type)
    assert types == ["R:NOUN:NUM", "R:VERB", "R:VERB"]
    ours = geceval.errant.load("en", nlp=nlp)
    pairs = [("He go .", "He goes ."), (nlp("The cat"), nlp("A cat"))]
    assert [[edit.type for edit in edits] for edits in ours.annotate_many(pairs)] == [["R:VERB"], ["R:DET"]]


def test_columns_are_what_spacy_says(tmp_path: Path) -> None:
    annotator = make_annotator(f"spacy:{pipeline(tmp_path)}")
    assert (annotator.name, annotator.rules) == ("spacy-en_pipeline-0.0.0", "errant-3")
    sentences = [line.split() for line in SOURCE]
    annotated = annotator.annotate(sentences)
    assert [[token.form for token in annotated.sentence(s)] for s in range(4)] == sentences
    nlp = spacy.load(tmp_path)
    doc = nlp(spacy.tokens.Doc(nlp.vocab, words=sentences[2]))
    expected = [(t.text, t.lemma_, t.pos_, t.tag_, t.dep_, t.head.i) for t in doc]
    assert [tuple(token) for token in annotated.sentence(2)] == expected
    assert len(annotator.annotate([])) == 0


def test_heads_point_where_spacy_points() -> None:
    from geceval.edits.languages.pipelines import SpacyAnnotator

    annotator = SpacyAnnotator("blank", spacy.blank("en"))

    @spacy.Language.component("geceval_test_heads")
    def heads(doc):  # type: ignore[no-untyped-def]
        return spacy.tokens.Doc(
            doc.vocab, words=[t.text for t in doc], heads=[len(doc) - 1] * len(doc), deps=["dep"] * len(doc)
        )

    annotator._nlp.add_pipe("geceval_test_heads")
    annotated = annotator.annotate([["a", "b", "c"], ["d", "e"]])
    assert annotated.head.tolist() == [2, 2, 2, 1, 1]


def test_a_pipeline_without_penn_tags_is_refused(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path)
    with pytest.raises(InputError, match="'' is not a Penn Treebank tag"):
        Extractor(make_annotator(f"spacy:{tmp_path}")).extract([("a b", "a c")])


def test_other_languages_get_generic_types(tmp_path: Path) -> None:
    extractor = Extractor(make_annotator(f"spacy:{pipeline(tmp_path, 'de')}"))
    assert extractor.signature == "annotator:spacy-de_pipeline-0.0.0|types:generic"
    language = language_of(extractor.annotator)
    assert (language.code, language.tokeniser, language.words) == ("de", f"spacy:{tmp_path}", None)
    [edits] = extractor.extract([("Haus Baum steht hier .", "haus Bäume steht hier ,")])
    assert [edit.type for edit in edits] == ["R:ORTH", "R:NOUN", "R:PUNCT"]


@pytest.mark.parametrize("options", [[], ["-tok"], ["-lev", "-merge", "all-merge"]], ids=" ".join)
def test_errant_parallel_writes_the_same(options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    errant = pytest.importorskip("errant", reason="errant is not installed")
    from errant.commands import parallel_to_m2

    from support.words import english_words

    names = [tmp_path / name for name in ("source.txt", "target.txt", "ours.m2", "theirs.m2")]
    for name, lines in zip(names[:2], (SOURCE, TARGET), strict=True):
        name.write_text("\n".join(lines) + "\n", encoding="utf-8")
    folder = pipeline(tmp_path / "pipeline")
    arguments = ["-orig", str(names[0]), "-cor", str(names[1]), *options]
    assert main(["errant_parallel", *arguments, "-out", str(names[2]), "--annotator", f"spacy:{folder}"]) == 0
    annotator = errant.load("en", spacy.load(folder))
    sys.modules["errant.en.classifier"].spell = english_words()
    monkeypatch.setattr(errant, "load", lambda language: annotator)
    monkeypatch.setattr(sys, "argv", ["errant_parallel", *arguments, "-out", str(names[3])])
    parallel_to_m2.main()
    assert names[2].read_text(encoding="utf-8") == names[3].read_text(encoding="utf-8")


def test_types_by_the_features_of_a_pipeline(tmp_path: Path) -> None:
    nlp = spacy.blank("ru")
    ruler = nlp.add_pipe("attribute_ruler")
    for form, case in (("дом", "Nom"), ("дома", "Gen")):
        attributes = {"POS": "NOUN", "LEMMA": "дом", "MORPH": f"Case={case}|Number=Sing"}
        ruler.add([[{"TEXT": form}]], attributes)
    nlp.to_disk(tmp_path / "ru")
    for name, expected in ((f"{tmp_path}/ru", "R:NOUN"), (f"{tmp_path}/ru+russian", "R:NOUN:CASE")):
        annotator = make_annotator(f"spacy:{name}")
        [[edit]] = Extractor(annotator).extract([("нет дом", "нет дома")])
        assert edit.type == expected
    assert language_of(annotator).types == "russian"
