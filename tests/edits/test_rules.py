"""The rules for any language, and those for Czech, against their slow twins and by example."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geceval._kernel import WordList
from geceval.edits.annotation import Annotated, Language, Rules, TagSet, Token
from geceval.edits.extraction import Extractor
from support.effort import examples
from support.strategies import records
from twins.alignment import align, merge
from twins.universal import classify

#: Forms that are near each other, by case, accents, and i for y, or are not.
FORMS = "byl Byl byla bila být byť se Se že ze na ná dům dum duům pes psa já ja 1 , . ' -".split()
WORDS = ["byl", "byla", "se", "že", "na", "dům", "pes", "já"]
POS = ["NOUN", "VERB", "AUX", "PART", "DET", "PUNCT", "ADP", "X", ""]

sentences = records(Token, FORMS, "ab", POS, ["", "POS"], [""], [0], max_size=10)


class Said:
    """An annotator that has all answers."""

    name = "said"

    def __init__(self, *rows: list[Token], rules: Rules, types: TagSet, words: list[str]) -> None:
        self.rows = {tuple(token.form for token in row): row for row in rows}
        self.rules = rules
        self.language = Language("xx", types=types, words=lambda: WordList(words))

    def annotate(self, sentences: list[tuple[str, ...]]) -> Annotated:
        return Annotated.from_rows(self.rows[tuple(sentence)] for sentence in sentences)


def edits_of(extractor: Extractor, source: list[Token], target: list[Token]) -> list[tuple[int, int, str, str]]:
    [edits] = extractor.extract_tokens([tuple([token.form for token in row] for row in (source, target))])  # type: ignore[list-item]
    return [(edit.start, edit.end, edit.type, edit.corrections[0]) for edit in edits]


@settings(max_examples=examples(400))
@given(
    sentences,
    sentences,
    st.sampled_from(["generic", "czech"]),
    st.sampled_from(["generic", "universal"]),
    st.booleans(),
    st.sampled_from([[], WORDS]),
)
def test_edits_are_the_twins(
    source: list[Token], target: list[Token], rules: Rules, types: TagSet, lev: bool, words: list[str]
) -> None:
    forms = [token.form for token in target]
    if [token.form for token in source] == forms:
        return
    extractor = Extractor(Said(source, target, rules=rules, types=types, words=words), lev=lev)
    spans = merge(align(source, target, plain=lev, rules=rules), source, target, "rules", rules)
    kinds = [classify(source, target, span, types, words) for span in spans]
    texts = [" ".join(forms[c:d]) for _, _, c, d in spans]
    assert edits_of(extractor, source, target) == [
        (a, b, kind, text) for (a, b, _, _), kind, text in zip(spans, kinds, texts, strict=True)
    ]


@pytest.mark.parametrize(
    ("rules", "expected"), [("errant-3", [(1, 3)]), ("generic", [(1, 2), (2, 3)]), ("czech", [(1, 2), (2, 3)])]
)
def test_possessive_suffixes_are_of_english(rules: Rules, expected: list[tuple[int, int]]) -> None:
    """What another tag set calls POS is not merged with the word before."""
    rows = [
        [Token(form, form, "NOUN", "POS" if len(form) == 1 else "", "", 0) for form in row.split()]
        for row in ("na pes x", "na dům y")
    ]
    extractor = Extractor(Said(*rows, rules=rules, types="generic", words=[]))
    assert [edit[:2] for edit in edits_of(extractor, *rows)] == expected


@settings(max_examples=examples(60))
@given(st.permutations([Token(form, "a", "VERB", "", "", 0) for form in FORMS]), st.data())
def test_long_sentences_in_another_order_are_the_twins(source: list[Token], data: st.DataObject) -> None:
    """Windows in which everything moves, near a band's edge."""
    target = data.draw(st.permutations(source))
    if source == target:
        return
    extractor = Extractor(Said(source, target, rules="czech", types="universal", words=[]))
    spans = merge(align(source, target, plain=False, rules="czech"), source, target, "rules", "czech")
    assert [edit[:2] for edit in edits_of(extractor, source, target)] == [span[:2] for span in spans]


def typed(source: str, target: str, words: list[str] = WORDS) -> list[str]:
    """Types by the annotator that calls words of o VERB, of others NOUN, by their first letter as a lemma."""

    def row(text: str) -> list[Token]:
        return [Token(form, form[:1].lower(), "VERB" if "o" in form else "NOUN", "", "", 0) for form in text.split()]

    extractor = Extractor(Said(row(source), row(target), rules="czech", types="universal", words=words))
    return [kind for _, _, kind, _ in edits_of(extractor, row(source), row(target))]


@pytest.mark.parametrize(
    ("source", "target", "kind"),
    [
        ("Byl", "byl", "R:ORTH:CASING"),
        ("na dům", "nadům", "R:ORTH:WSPACE"),
        ("na dům", "Nadům", "R:ORTH"),
        ("dum", "dům", "R:DIACR"),
        ("byl pes", "pes byl", "R:WO"),
        ("byli psi", "psi byly", "R:WO:SPELL"),
        ("bylla", "byla", "R:SPELL"),
        ("pes", "psa", "R:NOUN:INFL"),
        ("pes", "pokus", "R:MORPH"),
        ("pes", "kůň", "R:NOUN"),
        ("pes", "kolo", "R:OTHER"),
        ("pes", "pes byl", "M:NOUN"),
        ("pes kolo", "", "U:OTHER"),
    ],
)
def test_types_of_any_language(source: str, target: str, kind: str) -> None:
    assert typed(source, target) == [kind]


def test_without_a_word_list_nothing_is_misspelt() -> None:
    assert typed("bylla", "byla", words=[]) == ["R:NOUN:INFL"]
