"""Letters that look alike: find them, and write one in place of the others.

letters.tsv has letters of one script, by language: Romanian s with comma below is written with a cedilla, too, which is
a letter of Turkish. Letters of Latin, Cyrillic and Greek that look alike count within words of two scripts, and
compatibility characters (ligatures, digraphs, half-width forms) count everywhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple
from unicodedata import category, name, normalize

from geceval._kernel import Text
from geceval.base.package_tables import table_rows
from geceval.text.languages import find_language

#: Version of the rules in signatures; it changes whenever an output changes.
VERSION = 3
ALL = "*"


class LetterSet(NamedTuple):
    """Letters, or sequences of characters, that look alike.

    Attributes:
        kind: "fault" if no orthography has the others; else a text may use any of them, which are letters ("style")
            or punctuation marks ("mark").
        languages: Codes of the languages in which the first one is right; ``*`` for all.
        alternatives: The letters, the right one first.
    """

    kind: str
    languages: tuple[str, ...]
    alternatives: tuple[str, ...]


@cache
def letter_sets() -> tuple[LetterSet, ...]:
    """Return the sets of letters.tsv, one for each letter of a range."""
    sets = []
    for kind, languages, points, _ in table_rows(Path(__file__).with_suffix(".tsv")):
        ranges = [_characters(text.removeprefix("U+")) for text in points.split()]
        for alternatives in zip(*ranges, strict=True):
            sets.append(LetterSet(kind, tuple(languages.split(",")), alternatives))
    return tuple(sets)


def _characters(points: str) -> list[str]:
    """Return the characters of a range of code points, or one sequence."""
    if "-" in points:
        first, last = (int(point, 16) for point in points.split("-"))
        return list(map(chr, range(first, last + 1)))
    return ["".join(chr(int(point, 16)) for point in points.split("+"))]


# --- one letter for those that look alike ---


def unified_letters(lines: Text, language: str | None = None) -> Text:
    """Return lines with one letter in place of those that look alike.

    Args:
        lines: The lines; None stays None.
        language: Code of their language. Without it letters stay that are right in some languages.

    Returns:
        The lines. Cost: O(characters).
    """
    return Text(None if line is None else _unified(line, language) for line in lines)


def signed_letters(language: str | None) -> str:
    """Return the step in signatures, with the language if letters depend on it."""
    has_letters = any(language in letter_set.languages for letter_set in letter_sets())
    return f"letters-{VERSION}" + (f"-{language}" if has_letters else "")


def _unified(line: str, language: str | None) -> str:
    if line.isascii() and "`" not in line and "''" not in line:
        return line
    line = _COMPATIBLE.sub(lambda match: normalize("NFKC", match[0]), line)
    pattern, letters = _replacements(language)
    line = pattern.sub(lambda match: letters[match[0]], line)
    return _in_one_script(_APOSTROPHES.sub("'", line))


@cache
def _replacements(language: str | None) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return a pattern of the letters that are replaced in a language, and their replacements."""
    sets = [letter_set for letter_set in letter_sets() if {ALL, language} & {*letter_set.languages}]
    letters = {letter: letters[0] for _, _, letters in sets for letter in letters[1:]}
    marks = {letter for kind, _, alternatives in sets if kind == "mark" for letter in alternatives[1:]}
    return _pattern_of(letters, marks), letters


def _pattern_of(letters: Iterable[str], marks: Collection[str]) -> re.Pattern[str]:
    """Return a pattern of letters, sequences first; marks in ASCII are none between Latin letters or digits."""
    ascii_marks = "".join(letter for letter in letters if letter in marks and len(letter) == 1 and letter.isascii())
    sequences = [re.escape(letter) for letter in letters if len(letter) > 1]
    single = "".join(letter for letter in letters if len(letter) == 1 and letter not in ascii_marks)
    alternatives = [*sequences, *([f"[{re.escape(single)}]"] if single else [])]
    if ascii_marks:
        alternatives.append(f"[{re.escape(ascii_marks)}](?!(?<=[A-Za-z0-9].)[A-Za-z0-9])")
    return re.compile("|".join(alternatives))


#: Compatibility characters that are letters or digits: letters with an apostrophe or a dot, digraphs and ligatures,
#: Indic letters with nukta, Greek with oxia, Roman numerals, radicals and ideographs of other standards, presentation
#: forms of Hebrew and Arabic, mathematical letters, full-width Latin letters, half-width kana and Hangul.
_COMPATIBLE = re.compile(
    "[\u00b5\u0132\u0133\u013f\u0140\u0149\u01c4-\u01cc\u01f1-\u01f3\u0374\u037e\u0387\u0958-\u095f\u09dc-\u09df"
    "\u0a33-\u0a5e\u1f71\u1f73\u1f75\u1f77\u1f79\u1f7b\u1f7d\u2126\u212a\u212b\u2160-\u217f\u2f00-\u2fd5"
    "\uf900-\ufaff\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufb4f\ufb50-\ufdfb\ufe70-\ufefc\uff10-\uff19\uff21-\uff3a"
    "\uff41-\uff5a\uff66-\uffdc\U0001d400-\U0001d7ff]+"
)
#: Letters that are apostrophes anywhere, and quotes that are apostrophes between letters.
_APOSTROPHE_LETTERS, _APOSTROPHE_QUOTES = (
    "\u02b9\u02bb\u02bc\u055a\u05f3\ua78c",
    "`\u00b4\u2018\u2019\u201b\u2032\uff07",
)
_LETTER_BEFORE, _LETTER_AFTER = r"(?<=[^\W\d_])", r"(?=[^\W\d_])"
_APOSTROPHES = re.compile(f"[{_APOSTROPHE_LETTERS}]|{_LETTER_BEFORE}[{_APOSTROPHE_QUOTES}]{_LETTER_AFTER}")

# --- words of two scripts ---

#: Letters that look alike in Latin, Cyrillic and Greek; a hyphen where a script has none.
_ALIKE = (
    "aаα AАΑ BВΒ cс- CС- dԁ- eе- EЕΕ hһ- HНΗ iіι IІΙ jј- JЈ- kкκ KКΚ lӏ- MМΜ N-Ν oоο OОΟ pрρ PРΡ qԛ- QԚ- sѕ- SЅ- TТΤ"
    " u-υ vѵν wԝ- WԜ- xхχ XХΧ yу- YУΥ Z-Ζ ëё- ËЁ- ïїϊ ÏЇΪ á-ά í-ί ó-ό ú-ύ æӕ- ÆӔ- əә- ƏӘ- ß-β"
).split()
#: Letters of Latin, Cyrillic and Greek.
_SCRIPT_PATTERNS = [
    re.compile(f"[{ranges}]")
    for ranges in (
        "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1e00-\u1eff",
        "\u0400-\u0481\u048a-\u052f",
        "\u0370-\u0373\u0376\u0377\u037b-\u037d\u0386\u0388-\u03ff\u1f00-\u1fff",
    )
]
_GREEK = 2
_WORD = re.compile(r"[^\W\d_]+")
#: Letter in each script, by letter.
_TWINS = {letter: letters for letters in _ALIKE for letter in letters if letter != "-"}


@cache
def _script_of(letter: str) -> int | None:
    """Return the number of a letter's script; None for others than Latin, Cyrillic and Greek."""
    return next((number for number, pattern in enumerate(_SCRIPT_PATTERNS) if pattern.match(letter)), None)


def _has_two_scripts(line: str) -> bool:
    return sum(pattern.search(line) is not None for pattern in _SCRIPT_PATTERNS) > 1


def _in_one_script(line: str) -> str:
    """Return a line whose words have letters of one script each, where those of another one look like them.

    A word has the script of its letters without twins. Words without them have the line's script, also words of one
    letter, unless this is Greek: α and β are symbols.
    """
    if not _has_two_scripts(line):
        return line
    # Words whose script is certain come first: they determine the line's script, which a second pass must find, too.
    line = _WORD.sub(lambda match: _word_in_one_script(match[0], None), line)
    scripts = Counter(_script_of(letter) for letter in line if letter.isalpha())
    main_script = scripts.most_common(1)[0][0]
    return _WORD.sub(lambda match: _word_in_one_script(match[0], main_script), line)


def _word_in_one_script(word: str, main_script: int | None) -> str:
    scripts = Counter(map(_script_of, word))
    if len(scripts) == 1 and (len(word) > 1 or _GREEK in scripts):
        return word
    certain = {_script_of(letter) for letter in word if letter not in _TWINS}
    script = main_script if not certain else next(iter(certain)) if len(certain) == 1 else None
    # A Greek letter next to a Latin one, such as ΔT, is a symbol.
    if script is None or (_GREEK in {*scripts, script} and len(word) > 1 and 2 * scripts[script] <= len(word)):
        return word
    letters = [_TWINS[letter][script] if letter in _TWINS else letter for letter in word]
    return word if "-" in letters else "".join(letters)


# --- letters of a text ---


@cache
def style_sets() -> tuple[tuple[str, ...], ...]:
    """Return the letters of which texts that are compared must use the same one, with the apostrophes of words."""
    by_letters = {frozenset(letters): letters for kind, _, letters in letter_sets() if kind != "fault"}
    return (*by_letters.values(), ("'", *_APOSTROPHE_LETTERS, *_APOSTROPHE_QUOTES))


def style_letters(line: str) -> Iterator[str]:
    """Yield the letters of ``style_sets`` in a line."""
    if not line.isascii() or _ascii_styles().search(line):
        yield from _styles().findall(line)


@cache
def _ascii_styles() -> re.Pattern[str]:
    """Return a pattern of the letters of ``style_sets`` that lines in ASCII have: few of them are in most lines.

    Marks of languages with other scripts are none.
    """
    marks = [
        letter
        for kind, languages, letters in letter_sets()
        if kind == "mark" and ALL not in languages
        for letter in letters
    ]
    letters = {letter for letters in style_sets() for letter in letters if letter.isascii() and letter not in marks}
    return re.compile("|".join(sorted(map(re.escape, letters))))


@cache
def _styles() -> re.Pattern[str]:
    letters = [letter for letters in style_sets()[:-1] for letter in letters]
    marks = [letter for kind, _, letters in letter_sets() if kind == "mark" for letter in letters]
    apostrophes = f"{_LETTER_BEFORE}['{_APOSTROPHE_QUOTES}]{_LETTER_AFTER}|[{_APOSTROPHE_LETTERS}]"
    return re.compile(f"{_pattern_of(letters, marks).pattern}|{apostrophes}")


def are_marks(letters: Iterable[str]) -> bool:
    """Return whether all letters are punctuation marks of letters.tsv."""
    marks = {letter for kind, _, alternatives in letter_sets() if kind == "mark" for letter in alternatives}
    return marks.issuperset(letters)


def languages_of(first: str, second: str) -> tuple[str, ...]:
    """Return the codes of the languages in which one of two letters is written for the other; ``*`` for all."""
    return tuple(code for _, codes, letters in letter_sets() if {first, second} <= {*letters} for code in codes) or (
        ALL,
    )


def faulty_letters(line: str) -> Iterator[str]:
    """Yield compatibility characters, sequences for one letter, and words of two scripts in a line."""
    if line.isascii():
        return
    yield from (character for match in _COMPATIBLE.finditer(line) for character in match[0])
    yield from (match[0] for match in _faults().finditer(line))
    if not _has_two_scripts(line):
        return
    for match in _WORD.finditer(line):
        word = match[0]
        if len(word) > 1 and not word.isascii() and _word_in_one_script(word, _script_of(word[0])) != word:
            yield word


#: Largest number of characters to a token of text that was split into characters.
_CHARACTERS_OF_TOKEN = 1.25
#: Mean length of a token, with its space and marks, above which it is certainly no character.
_LONGEST_TOKEN = 5


def with_joined_characters(line: str) -> str:
    """Return a line that was split into characters without its spaces, which separate letters from their marks."""
    if line.isascii() or len(line) > _LONGEST_TOKEN * (line.count(" ") + 1):
        return line
    characters = sum(not character.isspace() and category(character)[0] != "M" for character in line)
    return line if characters > _CHARACTERS_OF_TOKEN * len(line.split()) else line.replace(" ", "")


#: Typographic double quotes, of which languages use different ones.
_DOUBLE_QUOTES = frozenset("\u201c\u201d\u201e\u201f\u00ab\u00bb")


def double_quotes(characters: Counter[str]) -> Counter[str]:
    """Return the numbers of typographic double quotes among characters."""
    return Counter({quote: characters[quote] for quote in _DOUBLE_QUOTES & characters.keys()})


SIMPLIFIED, TRADITIONAL = "simplified", "traditional"
#: Frequent characters of Chinese, simplified and traditional.
_CHINESE_PAIRS = (
    "们們 这這 个個 来來 时時 说說 会會 国國 学學 过過 对對 没沒 还還 给給 点點 钱錢 买買 让讓 长長 开開"
    " 间間 问問 见見 车車 书書 话話 请請 吗嗎 经經 现現 实實 样樣 为為 从從 欢歡 兴興 觉覺 认認 识識 东東"
    " 电電 机機 关關 气氣 爱愛 应應 该該 难難 虽雖 当當 师師 业業 动動 种種 进進 听聽 写寫 读讀 两兩 谁誰"
    " 边邊 岁歲 妈媽 爷爺 钟鐘 饭飯 馆館 热熱"
).split()
_CHINESE = {
    character: form for pair in _CHINESE_PAIRS for character, form in zip(pair, (SIMPLIFIED, TRADITIONAL), strict=True)
}


def chinese_characters(characters: Counter[str]) -> Counter[str]:
    """Return the numbers of characters that are only simplified or only traditional; none of Japanese, with both."""
    forms = Counter[str]()
    if not any("\u3041" <= character <= "\u30ff" for character in characters):
        for character in _CHINESE.keys() & characters.keys():
            forms[_CHINESE[character]] += characters[character]
    return forms


#: Scripts whose letters occur in one text of Japanese or Chinese.
_EAST_ASIAN = ("Cjk", "Hiragana", "Katakana")


@cache
def _script_name(letter: str) -> str:
    """Return the first word of a letter's Unicode name, which is the name of its script."""
    script = name(letter, "").split(" ")[0].title()
    return "Chinese or Japanese" if script in _EAST_ASIAN else script


def scripts_of(characters: Counter[str]) -> Counter[str]:
    """Return the numbers of letters of each script among characters."""
    scripts = Counter[str]()
    for letter in filter(str.isalpha, characters):
        scripts[_script_name(letter)] += characters[letter]
    return scripts


#: Letters with two cases, and letters such as the okina: alphabets of which a text uses all.
_ALPHABETIC = re.compile("[\u00c0-\u024f\u02bb\u02bc\u0370-\u03ff\u0400-\u052f\u1e00-\u1fff]")


def alphabet_letters(characters: Counter[str]) -> Counter[str]:
    """Return the numbers of letters of Latin, Greek and Cyrillic that are not ASCII, with their accents."""
    letters = Counter[str]()
    for letter in filter(_ALPHABETIC.match, filter(str.isalpha, characters)):
        lower = letter.lower()  # of the Turkish capital with a dot these are two characters
        letters[lower if len(lower) == 1 else letter] += characters[letter]
    return letters


#: Latin letters with accents, umlauts and the like, which conversions to ASCII lose.
_ACCENTED = re.compile("[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]")


def accented_letters(characters: Counter[str]) -> int:
    """Return the number of Latin letters that are not ASCII among composed characters."""
    return sum(characters[letter] for letter in filter(_ACCENTED.match, characters))


@cache
def _faults() -> re.Pattern[str]:
    letters = [letter for kind, _, letters in letter_sets() if kind == "fault" for letter in letters[1:]]
    return re.compile("|".join(map(re.escape, letters)))


# --- the language by its letters ---

#: Letters of a language that the other languages of letters.tsv lack.
_SIGNS = {
    "ro": "ăĂțŢȚţ", "tr": "ığİĞ", "az": "əƏ", "hu": "őűŐŰ", "hr": "ćĆ", "vi": "ạảấầẩậắằẳặẹẻếềểệọỏốồổộớờởợụủứừửựỳỷỹ",
    "is": "þÞ", "fa": "پچژگ", "ur": "ٹڈڑںے", "ar": "ةأإ",
    "ja": "のはをがにでとましたていもへ", "zh": "的是了我不这们個這",
    "hi": "ािीकरनमत", "bn": "াকরনম", "pa": "ਾਕਰਨਮ", "hy": "աենրոկ",
}  # fmt: skip


def language_of_letters(lines: Iterable[str | None]) -> str | None:
    """Return the code of the language whose letters a text has; None for a language without a row of ``_SIGNS``."""
    letters = Counter(letter for line in lines if line is not None and not line.isascii() for letter in line)
    numbers = {code: sum(letters[sign] for sign in signs) for code, signs in _SIGNS.items()}
    best = max(numbers, key=numbers.__getitem__)
    return best if numbers[best] else None


def code_of_language(name: str | None) -> str | None:
    """Return the code of a language's name or code; None for other names."""
    language = None if name is None else find_language(name)
    return None if language is None else language.code
