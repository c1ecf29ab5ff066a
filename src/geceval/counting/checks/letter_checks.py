"""Checks of letters and quotes: scripts, accents, and letters that look like those of another file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from geceval.base.hints import Hint, Option, Step
from geceval.counting.checks.findings import Finding, in_words
from geceval.counting.checks.limits import Limits
from geceval.counting.checks.lost_characters import lost_characters
from geceval.counting.checks.text_properties import ComparedText, SourceText, TextProperties, main_one
from geceval.text.letters import (
    ALL,
    TRADITIONAL,
    accented_letters,
    alphabet_letters,
    are_marks,
    chinese_characters,
    language_of_letters,
    languages_of,
    scripts_of,
)

#: Hint for typographic quotes of several languages, some of which are guillemets.
_ASCII_QUOTES = Hint("use the same quotes in all files, for example with ", Option("normalise", "quotes,letters"))
#: Languages whose option also splits text into characters.
_UNSPACED = ("zh", "ja")


def quote_findings(source: SourceText, texts: Sequence[ComparedText]) -> Iterator[Finding]:
    """Yield texts without typographic quotes of the source and with those of another language."""
    style = source.letters.quote_style
    for text in texts:
        if text.letters.quote_style and not {*style} <= {*text.letters.quote_style}:
            message = f"its quotes are {text.letters.quote_style}; those of the source are {style}"
            yield Finding("quotes", text.name, message, _ASCII_QUOTES)


def letter_findings(
    source: SourceText, texts: Sequence[ComparedText], lines: int, reported: Set[str]
) -> Iterator[Finding]:
    """Yield files with letters that look like those of a file before, and with letters that no orthography has.

    Files in another script than the source, and without letters that it has, are also reported.

    Args:
        source: The source.
        texts: References and systems.
        lines: Number of lines of the corpus so far.
        reported: Names of the files with odd letters that were reported.
    """
    standards: dict[tuple[str, ...], tuple[str, str, int]] = {}
    detected = language_of_letters(source.head) if source.script is None else source.script.code
    of_source, *of_texts = map(_LetterForms.of, (source, *texts))
    usual = {letter: number for letter, number in of_source.alphabet.items() if number >= Limits.accented}
    if usual and len(texts) > 1:  # letters that no text has are no mistake of one of them
        present = set[str]().union(*(forms.alphabet for forms in of_texts))
        usual = {letter: number for letter, number in usual.items() if letter in present}
    for text, forms in zip((source, *texts), (of_source, *of_texts), strict=True):
        if (finding := _other_letters(text, forms, of_source)) is not None:
            yield finding
            continue
        pairs: dict[str, list[tuple[str, str]]] = {}
        numbers = Counter[str]()
        for letters, (letter, number) in text.letters.styles().items():
            file, standard, standard_number = standards.setdefault(letters, (text.name, letter, number))
            # The check of quotes compares these.
            if letter != standard and {letter, standard} != {"'", "\u2019"}:
                pairs.setdefault(file, []).append((letter, standard))
                numbers[file] += min(number, standard_number)
        file, number = numbers.most_common(1)[0] if numbers else ("", 0)
        if number >= Limits.letters_alike:
            yield _letters_finding(text.name, file, pairs[file], detected)
        elif text.name not in reported:
            is_source = text is source
            finding = _faulty_letters(text, texts if is_source else [source], lines, is_source=is_source)
            finding = finding or _lost_letters(text.name, forms, usual)
            if finding is None and isinstance(text, ComparedText) and text.mostly("unlike") is None:
                finding = lost_characters(text, source)
            if finding is not None:
                yield finding


def _faulty_letters(
    text: TextProperties, compared_texts: Sequence[TextProperties], lines: int, *, is_source: bool
) -> Finding | None:
    """Return the finding that a text has letters that no orthography has, and no text that it is compared with has."""
    letters = text.letters
    has_clean_texts = bool(compared_texts) and not any(compared.letters.faults for compared in compared_texts)
    # Corrections may replace letters of the source.
    least = max(Limits.letters_alike, Limits.faulty * letters.lines) if is_source else 0
    if not (letters.faults >= Limits.letters_alike and letters.faulty_lines > least and has_clean_texts):
        return None
    number = "its" if letters.lines == lines else "the examined"
    example = f'"{letters.example}" ({_code_points(letters.example)})'
    message = f"{letters.faulty_lines} of {number} {letters.lines} lines have letters that only look right"
    whose = "any other file" if is_source else "the source"
    return Finding("letters", text.name, f"{message}, such as {example}; no line of {whose} does")


class _LetterForms(NamedTuple):
    """Letters of a text.

    Attributes:
        script: Script of most letters, if there are enough.
        chinese: Simplified or traditional, if its characters are.
        accented: Number of Latin letters with accents, umlauts and the like.
        alphabet: Numbers of letters that are not ASCII.
    """

    script: str | None
    chinese: str | None
    accented: int
    alphabet: Counter[str]

    @classmethod
    def of(cls, text: TextProperties) -> _LetterForms:
        """Return the forms of the letters of a text, in O(distinct characters)."""
        characters = text.letters.characters
        script = main_one(scripts_of(characters), Limits.accented, Limits.within)
        chinese = main_one(chinese_characters(characters), Limits.accented, Limits.same_letters)
        return cls(script, chinese, accented_letters(characters), alphabet_letters(characters))


def _other_letters(text: TextProperties, forms: _LetterForms, of_source: _LetterForms) -> Finding | None:
    """Return the finding that a text has another script than the source, or none of its accents."""
    if None not in (forms.script, of_source.script) and forms.script != of_source.script:
        message = f"most of its letters are {forms.script}; those of the source are {of_source.script}"
        return Finding("letters", text.name, message, "write all files in one script")
    if None not in (forms.chinese, of_source.chinese) and forms.chinese != of_source.chinese:
        message = f"its characters are {forms.chinese}; those of the source are {of_source.chinese}"
        step = "opencc -c t2s" if forms.chinese == TRADITIONAL else "opencc -c s2t"
        return Finding("letters", text.name, message, f"{step} -i FILE -o NEW converts them")
    if of_source.accented >= Limits.accented and not (forms.accented or text.letters.faults):
        message = f"it has no letters with accents or umlauts; the source has {of_source.accented}"
        advice = "keep them: the text was converted to ASCII"
        return Finding("letters", text.name, f"{message} in the examined lines", advice)
    return None


def _lost_letters(name: str, forms: _LetterForms, usual: Mapping[str, int]) -> Finding | None:
    """Return the finding that a text lacks letters that the source has often, and another text, too.

    A correction removes a letter here and there; these were replaced (ё by е, ß by ss) or lost.
    """
    lost = {letter: number for letter, number in usual.items() if not forms.alphabet[letter]}
    if not lost:
        return None
    letters = " or ".join(f'"{letter}"' for letter in lost)
    message = f"it has no {letters}; the source has {sum(lost.values())} in the examined lines"
    return Finding("letters", name, message, "write them in all files, or in none")


def _letters_finding(file: str, other: str, pairs: Sequence[tuple[str, str]], detected: str | None) -> Finding:
    """Return the finding that a file has letters that look like those of another one."""
    first, second = (
        ", ".join(f"{letter} ({' '.join(f'U+{ord(c):04X}' for c in letter)})" for letter in dict.fromkeys(side))
        for side in zip(*pairs, strict=True)
    )
    verb = "stand{} for the same" if are_marks(letter for pair in pairs for letter in pair) else "look{} alike"
    message = f"it has {first}; {in_words(other)} has {second}, which {verb.format('s' * (len(pairs) == 1))}"
    codes = [code for pair in pairs for code in languages_of(*pair)]
    code = detected if detected in codes else codes[0]
    if code != detected and code in _UNSPACED:  # their punctuation would be written in a text of another language
        return Finding("letters", file, message, "use the same letters in all files")
    step: Option | Step = Option("normalise", "letters")
    if code != ALL:
        preparation = f'geceval.Preparation(normalise="letters", language="{code}")'
        step = Step(Hint(step, " ", Option("language", code)), f"corpus.prepared({preparation})")
    return Finding("letters", file, message, Hint("use the same letters in all files, for example with ", step))


def _code_points(text: str) -> str:
    """Return the code points of the characters that are not ASCII, or of all if all are."""
    return " ".join(f"U+{ord(character):04X}" for character in text if not character.isascii()) or "ASCII"
