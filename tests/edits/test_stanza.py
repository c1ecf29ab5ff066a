"""The annotator of stanza against a stand-in with its interface: no models are downloaded here."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import geceval.edits.languages as languages
from geceval.base.errors import InputError, MissingExtraError, UsageError
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator


class Pipeline:
    """stanza.Pipeline, as far as it is used: one language is there, German, and nouns begin with a capital."""

    def __init__(self, lang: str, *, processors: str, tokenize_pretokenized: bool, download_method: None, **_: Any):
        assert (processors, tokenize_pretokenized, download_method) == ("tokenize,pos,lemma", True, None)
        if lang != "de":
            raise FileNotFoundError("no resources")
        self.load_list = [
            ("tokenize", [SimpleNamespace(package="gsd")]),
            ("pos", [SimpleNamespace(package="gsd_charlm")]),
        ]

    def __call__(self, sentences: list[list[str]]) -> Any:
        assert all(sentences), "stanza takes no empty sentence"
        return SimpleNamespace(sentences=[SimpleNamespace(words=list(map(self.word, row))) for row in sentences])

    def word(self, form: str) -> Any:
        lemma = form.removesuffix("er") if form != "cut" else None
        pos = "NOUN" if form[0].isupper() else None if form == "cut" else "VERB"
        feats = "Case=Nom" if form[0].isupper() else None
        return SimpleNamespace(text="c" if form == "bad" else form, lemma=lemma, upos=pos, xpos="NN", feats=feats)


@pytest.fixture
def stanza(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("stanza")
    module.Pipeline, module.__version__ = Pipeline, "1.15.0"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "stanza", module)
    languages._named.cache_clear()
    languages._of_language.cache_clear()


@pytest.mark.usefixtures("stanza")
def test_columns_are_what_stanza_says() -> None:
    annotator = make_annotator("stanza:de")
    assert (annotator.name, annotator.rules) == ("stanza-de_gsd_charlm-1.15.0", "generic")
    annotated = annotator.annotate([["Kinder", "spielen"], [], ["cut"]])
    rows = [[(token.form, token.lemma, token.pos) for token in annotated.sentence(s)] for s in range(3)]
    assert rows == [[("Kinder", "kind", "NOUN"), ("spielen", "spielen", "VERB")], [], [("cut", "cut", "")]]
    assert len(annotator.annotate([])) == 0


@pytest.mark.usefixtures("stanza")
def test_features_are_read_for_tag_sets_that_use_them() -> None:
    for name, expected in (("stanza:de", ""), ("stanza:de+russian", "Case=Nom")):
        [token] = make_annotator(name).annotate([["Kinder"]]).sentence(0)
        assert token.tag == expected


@pytest.mark.usefixtures("stanza")
def test_edits_have_the_types_of_any_language() -> None:
    extractor = Extractor(make_annotator("stanza:de"))
    assert extractor.signature == "annotator:stanza-de_gsd_charlm-1.15.0|types:universal"
    [edits] = extractor.extract([("Kind spielen", "Kinder spielen")])
    assert [edit.type for edit in edits] == ["R:NOUN:INFL"]


@pytest.mark.usefixtures("stanza")
def test_what_is_missing_is_named() -> None:
    with pytest.raises(MissingExtraError, match="models of stanza for 'xx' are not installed") as caught:
        make_annotator("stanza:xx")
    assert caught.value.hint == "python -c \"import stanza; stanza.download('xx')\""
    with pytest.raises(InputError, match="stanza changed the tokens of 'a bad'"):
        make_annotator("stanza:de").annotate([["a", "bad"]])
    with pytest.raises(UsageError, match="unknown annotator 'stanza'"):
        make_annotator("stanza")


def test_without_stanza_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stanza", None)
    languages._named.cache_clear()
    languages._of_language.cache_clear()
    with pytest.raises(MissingExtraError) as caught:
        make_annotator("stanza:de")
    assert caught.value.hint == "pip install 'geceval[stanza]'"
