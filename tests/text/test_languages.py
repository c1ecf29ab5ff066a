"""Languages by names and codes, and text without blanks between words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval.edits.languages import ANNOTATORS, language_of, make_annotator
from geceval.text.languages import find_language, languages, script_language
from geceval.text.tokenisers import make_tokeniser, tokenise


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("german", "de"),
        ("German", "de"),
        ("DEUTSCH", "de"),
        ("deu", "de"),
        ("ger", "de"),
        ("de-DE", "de"),
        ("zh_CN", "zh"),
        ("zh-Hans-CN", "zh"),
        ("pt_BR.UTF-8", "pt"),
        ("de-CH-1996", "de"),
        ("ca-ES-valencia", "ca"),
        ("es-419", "es"),
        ("sr_RS@latin", "sr"),
        ("japanese", "ja"),
        ("jpn", "ja"),
        ("Czech", "cs"),
        ("Español", "es"),
        (" french ", "fr"),
        ("en-GB", "en"),
    ],
)
def test_language_is_found_by_name_and_code(name: str, code: str) -> None:
    language = find_language(name)
    assert language is not None
    assert language.code == code
    assert make_annotator(name) is make_annotator(code)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "xx",
        "plain",
        "builtin",
        "germ",
        "de:czech",
        "de.lexicon",
        "klingon",
        "en-",
        "en_foo",
        "en_core_web_sm",
        "xx_ent_wiki_sm",
    ],
)
def test_other_names_are_no_languages(name: str) -> None:
    assert find_language(name) is None


def test_each_language_has_an_annotator_and_its_tokeniser() -> None:
    for language in set(languages().values()):
        described = language_of(make_annotator(language.code))
        assert (described.code, described.tokeniser) == (language.code, language.tokeniser)
        is_plain = language.code not in ANNOTATORS
        assert (make_annotator(language.code).name == "plain-1") == is_plain
        if language.tokeniser.partition(":")[0] != "moses":
            assert make_tokeniser(language.name) == make_tokeniser(language.tokeniser)


def test_text_is_tokenised_by_the_name_of_its_language() -> None:
    assert tokenise("¿Vienes, Ana?", "spanish") == "¿ Vienes , Ana ?"
    assert tokenise("J'arrive à l'heure.", "fr-CA") == "J' arrive à l' heure ."
    assert tokenise("猫が好き。", "Japanese") == "猫 が 好 き 。"
    assert tokenise("ที่นี่", "th") == "ที่ นี่"


@pytest.mark.parametrize(
    ("line", "code", "is_unbroken"),
    [
        ("昨日友達と映画を見ました。", "ja", True),
        ("昨日 友達 と 映画 を 見 まし た 。", "ja", False),
        ("コンピューター を 買い まし た", "ja", False),
        ("我们昨天看了电影。", "zh", True),
        ("我们 昨天 看 了 电影 。", "zh", False),
        ("我们看了“Titanic”这部电影。", "zh", True),
        ("เมื่อวานเราไปดูหนัง", "th", True),
        ("เมื่อวาน เรา ไป ดู หนัง", "th", False),
        ("ມື້ວານພວກເຮົາໄປເບິ່ງຮູບເງົາ", "lo", True),
        ("ម្សិលមិញយើងទៅមើលកុន", "km", True),
        ("မနေ့ကရုပ်ရှင်သွားကြည့်တယ်။", "my", True),
    ],
)
def test_script_tells_language_and_missing_blanks(line: str, code: str, is_unbroken: bool) -> None:
    script = script_language([line, None, ""])
    assert script is not None
    assert (script.code, script.is_unbroken) == (code, is_unbroken)


@pytest.mark.parametrize(
    "line", ["", "We saw it .", "어제 영화를 봤어요.", "Вчера мы смотрели кино.", "The film 千と千尋の神隠し is good ."]
)
def test_other_scripts_have_blanks(line: str) -> None:
    assert script_language([line]) is None


HAN = st.text("天地人大小上下中国我们好", min_size=5, max_size=20)


@given(st.lists(HAN, min_size=1, max_size=5))
def test_characters_are_tokens_and_lines_are_not(lines: list[str]) -> None:
    unbroken, broken = script_language(lines), script_language([" ".join(line) for line in lines])
    assert unbroken is not None
    assert broken is not None
    assert (unbroken.is_unbroken, broken.is_unbroken) == (True, False)
