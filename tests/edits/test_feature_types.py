"""Types of replaced words by their features: the tag sets ``russian`` and ``korean``."""

from __future__ import annotations

from pathlib import Path

import pytest

from geceval.base.errors import UsageError
from geceval.edits.annotation import Annotated, Token
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator, signed_types
from geceval.edits.languages.features import FEATURE_TAG_SETS, features_of, split_types
from geceval.edits.languages.lexicon import Lexicon, read_lexicon
from geceval.edits.languages.treebanks import Word, make_table

RUSSIAN = [
    Word("дом", "дом", "NOUN", "NN", "Case=Nom|Gender=Masc|Number=Sing"),
    Word("дома", "дом", "NOUN", "NN", "Case=Gen|Gender=Masc|Number=Sing"),
    Word("домов", "дом", "NOUN", "NN", "Case=Gen|Gender=Masc|Number=Plur"),
    Word("новый", "новый", "ADJ", "JJL", "Case=Nom|Degree=Pos|Gender=Masc|Number=Sing"),
    Word("новая", "новый", "ADJ", "JJL", "Case=Nom|Degree=Pos|Gender=Fem|Number=Sing"),
    Word("новее", "новый", "ADJ", "JJR", "Degree=Cmp"),
    Word("нов", "новый", "ADJ", "JJH", "Degree=Pos|Gender=Masc|Number=Sing|Variant=Short"),
    Word("читал", "читать", "VERB", "VBC", "Aspect=Imp|Gender=Masc|Mood=Ind|Number=Sing|Tense=Past|VerbForm=Fin"),
    Word("читала", "читать", "VERB", "VBC", "Aspect=Imp|Gender=Fem|Mood=Ind|Number=Sing|Tense=Past|VerbForm=Fin"),
    Word("читать", "читать", "VERB", "VB", "Aspect=Imp|VerbForm=Inf"),
    Word(
        "прочитал", "прочитать", "VERB", "VBC", "Aspect=Perf|Gender=Masc|Mood=Ind|Number=Sing|Tense=Past|VerbForm=Fin"
    ),
    Word("он", "он", "PRON", "PRP", "Case=Nom"),
    Word("его", "он", "PRON", "PRP", "Case=Gen"),
]
KOREAN = [
    Word("서울", "서울", "PROPN", "NNP"),
    Word("서울을", "서울+을", "NOUN", "NNP+JKO"),
    Word("서울에", "서울+에", "ADV", "NNP+JKB"),
    Word("부산을", "부산+을", "NOUN", "NNP+JKO"),
    Word("갑니다", "가+ㅂ니다", "VERB", "VV+EF"),
    Word("갔다", "가+았+다", "VERB", "VV+EP+EF"),
    Word("온다", "오+ㄴ다", "VERB", "VV+EF"),
]


def types(words: list[Word], tag_set: str, *replacements: tuple[str, str]) -> list[str]:
    """Return the type of each replacement of a word."""
    extractor = Extractor(Lexicon(make_table(words, "xx", "1", types=tag_set)))  # type: ignore[arg-type]
    return extractor.classify([([o], [c], (0, 1, 0, 1)) for o, c in replacements])


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("дом", "дома", "R:NOUN:CASE"),
        ("дом", "домов", "R:NOUN:NUM:CASE"),
        ("дома", "домов", "R:NOUN:NUM"),
        ("новый", "новая", "R:ADJ:GEN"),
        ("новый", "новее", "R:ADJ:COMP_FORM"),
        ("новый", "нов", "R:ADJ:FULL/SHORT"),
        ("читал", "читала", "R:VERB:GEN"),
        ("читал", "читать", "R:VERB:FORM"),
        ("читал", "прочитал", "R:VERB:ASPECT"),
        ("читать", "прочитал", "R:VERB"),
        ("он", "его", "R:PRON"),
        ("дом", "читал", "R:OTHER"),
        ("дом", "Дом", "R:ORTH:CASING"),
    ],
)
def test_edit_in_russian_has_its_type(source: str, target: str, expected: str) -> None:
    assert types(RUSSIAN, "russian", (source, target)) == [expected]


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("서울", "서울을", "R:PARTICLE"),
        ("서울을", "서울에", "R:PARTICLE"),
        ("서울을", "부산을", "R:NOUN"),
        ("서울", "부산을", "R:OTHER"),
        ("갑니다", "갔다", "R:ENDING"),
        ("갑니다", "온다", "R:CONJUGATION"),
    ],
)
def test_edit_in_korean_has_its_type(source: str, target: str, expected: str) -> None:
    assert types(KOREAN, "korean", (source, target)) == [expected]


def test_other_tag_sets_use_no_features() -> None:
    assert types(RUSSIAN, "universal", ("дом", "дома")) == ["R:NOUN:INFL"]
    assert features_of("universal", "Case=Gen", "дом", "NN") == ""
    assert not make_table(RUSSIAN, "ru", "1").features


def test_features_of_words() -> None:
    assert features_of("russian", "Case=Gen", "дом", "NN") == "Case=Gen"
    assert features_of("russian", "_", "и", "CC") == ""
    assert features_of("korean", "_", "스타벅스+가", "NNP+JKS") == "NOUN=스타벅스|PARTICLE=가"
    assert features_of("korean", "_", "경기+공사+와", "NNG+NNG+JC") == "NOUN=경기+공사|PARTICLE=와"
    assert features_of("korean", "_", "아", "??") == "OTHER=아"


@pytest.mark.parametrize("tag_set", FEATURE_TAG_SETS)
def test_table_with_features_is_read_as_it_is_written(tag_set: str, tmp_path: Path) -> None:
    words = RUSSIAN if tag_set == "russian" else KOREAN
    table = make_table(words, "xx", "1", types=tag_set)  # type: ignore[arg-type]
    path = tmp_path / "xx.lexicon"
    path.write_text("".join(f"{line}\n" for line in table.lines()), encoding="utf-8")
    assert read_lexicon(path) == table
    assert signed_types(make_annotator(str(path))) == {"types": tag_set}


def test_types_after_the_name_of_a_model() -> None:
    assert split_types("ru_core_news_sm+russian") == ("ru_core_news_sm", "russian")
    assert split_types("de") == ("de", None)
    with pytest.raises(UsageError, match="unknown types 'french' in 'x\\+french': choose from russian, korean"):
        split_types("x+french")


def test_tags_are_replaced() -> None:
    annotated = Annotated.from_rows([[Token("a", "a", "X", "", "", 0), Token("b", "a", "X", "", "", 1)]])
    tagged = annotated.with_tags(["Case=Gen", "a"])
    assert [token.tag for token in tagged.sentence(0)] == ["Case=Gen", "a"]
    assert [token.form for token in tagged.sentence(0)] == ["a", "b"]
