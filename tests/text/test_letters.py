"""Letters that look alike: one of them is written for the others, by language."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from geceval import Corpus, GecevalError, Green, Preparation, check, read_corpus
from geceval._kernel import Text
from geceval.text.letters import (
    _ALIKE,
    code_of_language,
    faulty_letters,
    language_of_letters,
    letter_sets,
    unified_letters,
)

LANGUAGES = sorted({code for _, codes, _ in letter_sets() for code in codes} - {"*"})


def unified(line: str, language: str | None = None) -> str:
    [text] = unified_letters(Text([line]), language)
    return str(text)


@pytest.mark.parametrize(
    ("language", "line", "expected"),
    [
        ("ro", "Ma\u015fina \u015fi ra\u0163a", "Ma\u0219ina \u0219i ra\u021ba"),
        ("tr", "Ma\u015fa \u0219ey", "Ma\u015fa \u015fey"),
        (None, "Ma\u015fa \u0219ey", "Ma\u015fa \u0219ey"),
        ("fa", "\u064a\u0643\u06f1\u0661", "\u06cc\u06a9\u06f1\u06f1"),
        ("ar", "\u06cc\u06a9\u06f1\u0661", "\u064a\u0643\u0661\u0661"),
        ("hu", "n\u00f5 f\u00fbz", "n\u0151 f\u0171z"),
        ("pt", "n\u00e3o p\u00f5e", "n\u00e3o p\u00f5e"),
        ("hr", "\u01c6ep \u01c8iljan \u00f0ak", "d\u017eep Ljiljan \u0111ak"),
        ("is", "\u0111a\u00f0", "\u00f0a\u00f0"),
        ("hi", "\u0918\u0930 |", "\u0918\u0930 \u0964"),
        ("bn", "\u0998\u09b0|", "\u0998\u09b0\u0964"),
        ("zh", "\u6211 , \u4f60 (3.5) 1,000 ?", "\u6211 \uff0c \u4f60 \uff083.5\uff09 1,000 \uff1f"),
        ("fr", "\u00ab oui \u2026 \u00bb", '" oui ... "'),
        ("hy", "\u0565\u0574 :", "\u0565\u0574 \u0589"),
        ("el", "\u03b5\u03b4\u03ce \u0387", "\u03b5\u03b4\u03ce \u00b7"),
        (None, "\u0918\u0930 |", "\u0918\u0930 |"),
        (
            "uk",
            "\u043f\u2019\u044f\u0442\u044c \u043c\u02bc\u044f\u0442\u0430 \u043f`\u044e",
            "\u043f'\u044f\u0442\u044c \u043c'\u044f\u0442\u0430 \u043f'\u044e",
        ),
        (
            None,
            "\u0432o\u0434a \u0438 c\u043e\u043b\u044c a \u0436",
            "\u0432\u043e\u0434\u0430 \u0438 \u0441\u043e\u043b\u044c \u0430 \u0436",
        ),
        (None, "The \u0441at and h\u0430t", "The cat and hat"),
        (None, "\u03bb\u03ccgo\u03c2 \u03c4\u03bfu", "\u03bb\u03ccgo\u03c2 \u03c4\u03bf\u03c5"),
        (None, "Stra\u03b2e, \u0394T, k\u03a9, \u03b1 and \u03b2", "Stra\u00dfe, \u0394T, k\u03a9, \u03b1 and \u03b2"),
        (None, "\ufb01ne \uff28\uff49 \uff76\uff9e \U0001d41a \u2167", "fine Hi \u30ac a VIII"),
        (
            None,
            "\u05d1\u05d9\u05ea\u05be\u05e1\u05e4\u05e8 \u05d2\u05f3",
            "\u05d1\u05d9\u05ea-\u05e1\u05e4\u05e8 \u05d2'",
        ),
        (None, "\u0e40\u0e40\u0e21\u0e48", "\u0e41\u0e21\u0e48"),
        (
            None,
            "IT-\u0448\u043d\u0438\u043a caf\u00e9 \u2018so\u2019",
            "IT-\u0448\u043d\u0438\u043a caf\u00e9 \u2018so\u2019",
        ),
    ],
)  # fmt: skip
def test_one_letter_is_written_by_language(language: str | None, line: str, expected: str) -> None:
    assert unified(line, language) == expected


LETTERS = (
    "".join(letter for _, _, letters in letter_sets() for letter in letters)
    + "".join(_ALIKE)
    + "ab \u0436\u03bb`\u2019"
)


@example("bЁ:Ё", None)
@given(st.text(LETTERS), st.sampled_from([None, *LANGUAGES]))
def test_unified_letters_stay(line: str, language: str | None) -> None:
    once = unified(line, language)
    assert unified(once, language) == once


def test_each_row_of_twins_has_a_letter_of_each_script() -> None:
    for row in _ALIKE:
        for letter, script in zip(row, ("LATIN", "CYRILLIC", "GREEK"), strict=True):
            assert letter == "-" or unicodedata.name(letter).startswith(script)
    letters = [letter for row in _ALIKE for letter in row if letter != "-"]
    assert len(letters) == len(set(letters))


def test_every_language_of_the_table_is_known_and_has_one_letter_for_each() -> None:
    assert all(code_of_language(code) == code for code in LANGUAGES)
    for code in LANGUAGES:
        sets = [letters for _, codes, letters in letter_sets() if code in codes]
        assert not {letters[0] for letters in sets} & {letter for letters in sets for letter in letters[1:]}


def test_language_is_that_of_the_letters_of_the_source() -> None:
    assert language_of_letters(["Ra\u0163a \u015fi", None]) == "ro"
    assert language_of_letters(["\u0131\u015f\u0131k"]) == "tr"
    assert language_of_letters(["d\u00e9j\u00e0 vu"]) is None


SOURCE = ["Rata \u015fi gasca noat\u0103 .", "Fata cite\u015fte o carte .", "Doi b\u0103ie\u0163i alearga ."]
CEDILLA = [
    "Ra\u0163a \u015fi g\u00e2sca noat\u0103 .",
    "Fata cite\u015fte o carte .",
    "Doi b\u0103ie\u0163i alearg\u0103 .",
]
COMMA = [unified(line, "ro") for line in CEDILLA]


def letters_findings(source: Sequence[str], references: Sequence[Sequence[str]], **systems: Sequence[str]) -> list[str]:
    findings = check(Corpus(list(source), list(map(list, references)), dict(systems)), [Green()])
    return [f"{finding.file}: {finding.message}|{finding.hint}" for finding in findings if finding.check == "letters"]


def test_file_with_other_letters_is_reported_with_a_step_that_unifies_them() -> None:
    [message] = letters_findings(SOURCE, [COMMA], it=CEDILLA)
    assert message.startswith("reference 0: it has \u0219 (U+0219), \u021b (U+021B); the source has \u015f (U+015F)")
    assert message.endswith('corpus.prepared(geceval.Preparation(normalise="letters", language="ro"))')
    assert letters_findings(SOURCE, [CEDILLA], it=CEDILLA) == []
    assert letters_findings(SOURCE * 20, [COMMA * 20], it=CEDILLA * 20) == [message]
    plain = ["Rata si gasca noata .", "Fata citeste o carte .", "Doi baieti alearga ."]
    [message] = letters_findings(plain, [COMMA], it=CEDILLA)
    assert message.startswith("system it: it has")
    assert "; reference 0 has" in message


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("\u043f\u02bc\u044f\u0442\u044c", "\u043f\u2019\u044f\u0442\u044c"),
        ("\u06cc\u06a9", "\u064a\u0643"),
        ("\u05d1\u05d9\u05ea-\u05e1\u05e4\u05e8", "\u05d1\u05d9\u05ea\u05be\u05e1\u05e4\u05e8"),
        ("\u0432\u043e\u0434\u0430", "\u0432o\u0434a"),
        ("d\u017eep", "\u01c6ep"),
        ("office", "o\ufb03ce"),
        ("\u30ac\u30e9\u30b9", "\uff76\uff9e\uff97\uff7d"),
        ("h\u00e1z\u0151", "h\u00e1z\u00f5"),
        ("\u0918\u0930 \u0964", "\u0918\u0930 |"),
        ("\u0565\u0574 \u0589", "\u0565\u0574 :"),
        ("\u6211\u662f\uff0c\u4f60", "\u6211\u662f,\u4f60"),
        ("well ... I", "well \u2026 I"),
        ("\u043e\u043d : \u00ab \u0434\u0430 \u00bb", '\u043e\u043d : " \u0434\u0430 "'),
        ("5 \u00b5m", "5 \u03bcm"),
        ("\u300c\u672c\u300d", "\uff62\u672c\uff63"),
        ('\u05e6\u05d4"\u05dc', "\u05e6\u05d4\u05f4\u05dc"),
        ('" yes "', "`` yes ''"),
        # Split into characters:
        ("\u0e41 \u0e21 \u0e48", "\u0e40 \u0e40 \u0e21 \u0e48"),
        ("\u0e17\u0e33 \u0e07 \u0e32 \u0e19", "\u0e17\u0e4d \u0e32 \u0e07 \u0e32 \u0e19"),
    ],
)
def test_letters_that_look_alike_are_reported_on_one_side_only(first: str, second: str) -> None:
    lines, others = ([f"{word} {n} {word} ." for n in range(4)] for word in (first, second))
    [message] = letters_findings(lines, [lines], it=others)
    assert message.startswith("system it: ")
    assert letters_findings(others, [others], it=others) == []
    mixed = [*lines[:2], *others[2:]]
    assert letters_findings(mixed, [mixed], it=mixed) == []


def test_text_that_lost_its_accents_is_reported() -> None:
    lines = [
        f"{word} {n} ." for n, word in enumerate(["sch\u00f6n", "gr\u00f6\u00dfer", "k\u00e4me", "\u017elu\u0165"] * 4)
    ]
    plain = [line.encode("ascii", "ignore").decode() for line in lines]
    [message] = letters_findings(lines, [lines], it=plain)
    assert message.startswith("system it: it has no letters with accents or umlauts; the source has 24 in the examined")
    assert letters_findings(plain, [lines], it=lines) == []
    assert letters_findings(plain, [plain], it=plain) == []
    assert letters_findings(lines[:4], [lines[:4]], it=plain[:4]) == []


@pytest.mark.parametrize(
    ("letter", "ascii_mark", "language"),
    [("\u0964", ".", "hi"), ("\u0969", "3", "hi"), ("\u0e53", "3", "th")],
)
def test_marks_and_digits_in_ascii_stand_for_those_of_a_script(letter: str, ascii_mark: str, language: str) -> None:
    word = {"hi": "\u0918\u0930", "th": "\u0e41\u0e21"}[language]
    lines, others = ([f"{word} {mark}"] * 4 for mark in (letter, ascii_mark))
    [message] = letters_findings(lines, [lines], it=others)
    assert message.startswith(f"system it: it has {ascii_mark} (U+00{ord(ascii_mark):X}); the source has {letter} (")
    assert "which stands for the same" in message
    assert message.endswith(f'language="{language}"))')
    assert unified(others[0], language) == unified(lines[0], language)


def test_marks_of_another_language_are_no_step() -> None:
    lines, others = ([f"El col{dot}legi {n} ." for n in range(4)] for dot in ("\u00b7", "\u2022"))
    [message] = letters_findings(lines, [lines], it=others)
    assert message.endswith("|use the same letters in all files")


@pytest.mark.parametrize(
    ("source", "system", "lost"),
    [
        ("\u0415\u0449\u0451 \u0432\u0441\u0451 .", "\u0415\u0449\u0435 \u0432\u0441\u0435 .", "\u0451"),
        ("Die Stra\u00dfe f\u00fcr mich .", "Die Strasse f\u00fcr mich .", "\u00df"),
        ("K\u0131z \u00e7ok iyi .", "Kiz \u00e7ok iyi .", "\u0131"),
        ("Aloha \u02bboe n\u014d .", "Aloha \u2018oe n\u014d .", "\u02bb"),
    ],
)
def test_letters_that_were_replaced_are_reported(source: str, system: str, lost: str) -> None:
    lines, others = [source] * 10, [system] * 10
    [message] = letters_findings(lines, [lines], it=others)
    number = 10 * source.lower().count(lost)
    assert message.startswith(
        f'system it: it has no "{lost}"; the source has {number} in the examined lines|write them'
    )
    assert letters_findings(lines, [others], it=others) == []  # both correct it
    assert letters_findings(lines[:4], [lines[:4]], it=others[:4]) == []
    assert letters_findings(lines, [lines], it=[*others[:9], source]) == []


def test_text_in_another_script_is_reported() -> None:
    lines, others = ["\u041e\u043d \u0458\u0435 \u043e\u0432\u0434\u0435 ."] * 4, ["On je ovde ."] * 4
    [message] = letters_findings(lines, [lines], it=others)
    assert message.startswith("system it: most of its letters are Latin; those of the source are Cyrillic")
    simplified, traditional = ["\u4ed6\u8bf4\u8fc7\u8fd9\u4e2a ."] * 4, ["\u4ed6\u8aaa\u904e\u9019\u500b ."] * 4
    for first, second, step in ((simplified, traditional, "t2s"), (traditional, simplified, "s2t")):
        [message] = letters_findings(first, [first], it=second)
        assert message.endswith(f"|opencc -c {step} -i FILE -o NEW converts them")
    assert letters_findings(simplified, [simplified], it=[*simplified[:2], *traditional[2:]]) == []


def test_decomposed_letters_are_reported_where_the_source_has_none_and_where_characters_are_tokens() -> None:
    def decomposed(source: str, reference: str) -> list[str]:
        lines = [unicodedata.normalize("NFD", reference)] * 4
        if " " in reference and len(reference.split()) > 3:
            lines = [" ".join(line.replace(" ", "")) for line in lines]
        findings = check(Corpus([source] * 4, [[reference] * 4], {"it": lines}), [Green()])
        return [finding.message for finding in findings if finding.check == "unicode"]

    composed = "it has decomposed accents (NFD); {} has composed accents (NFC)"
    assert decomposed("\u0627\u0646\u0627 .", "\u0623\u0646\u0627 .") == [composed.format("reference 0")]
    assert decomposed("\u30ac \u30e0 \u3092 \u3002", "\u30ac \u30e0 \u306f \u3002") == [composed.format("the source")]


@pytest.mark.parametrize("quotes", ["\u201c\u201d", "\u201e\u201d", "\u00bb\u00ab"])
def test_quotes_of_another_language_are_reported(quotes: str) -> None:
    lines = [f"Er sagte {n} : \u201e Ja \u201c ." for n in range(20)]
    others = [line.translate(str.maketrans("\u201e\u201c", quotes)) for line in lines]
    findings = check(Corpus(lines, [lines], {"it": others}), [Green()])
    [finding] = [finding for finding in findings if finding.check == "quotes"]
    assert finding.file == "system it"
    assert finding.message == f"its quotes are {' '.join(sorted(quotes))}; those of the source are \u201c \u201e"
    steps = Preparation(normalise=["quotes", "letters"])
    assert steps.apply("systems", Text(others)) == steps.apply("source", Text(lines))
    assert letters_findings(lines, [lines], it=lines) == []


def test_language_of_the_step_is_signed_and_the_same_in_all_parts(tmp_path: Path) -> None:
    steps = Preparation(normalise="letters")  # type: ignore[arg-type]
    corpus = Corpus(SOURCE, [COMMA], {"it": CEDILLA}).prepared(steps)
    assert corpus.prepared_by.signed == {"norm": "letters-3-ro"}
    assert list(corpus.systems["it"]) == COMMA
    for name, lines in {"source": SOURCE, "it": CEDILLA, "reference": COMMA}.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    read = read_corpus(
        tmp_path / "source.txt", [tmp_path / "reference.txt"], {"it": tmp_path / "it.txt"}, prepare=steps
    )
    assert read == corpus
    turkish = Corpus(SOURCE, [COMMA], {}).prepared(Preparation(normalise=["letters"], language="turkish"))
    assert turkish.prepared_by.signed == {"norm": "letters-3-tr"}
    assert list(turkish.source) == SOURCE
    assert list(turkish.references[0]) == [line.replace("\u0219", "\u015f") for line in COMMA]
    with pytest.raises(GecevalError, match="unknown language"):
        Preparation(normalise=["letters"], language="klingon")


def test_faulty_letters_are_named() -> None:
    assert list(faulty_letters("\ufb01ne \u0432o\u0434a caf\u00e9 \u0394T")) == ["\ufb01", "\u0432o\u0434a"]
