"""Artefacts that one file has and the file that it is compared with lacks.

Most lines begin or end with the same text (numbers, special tokens), or some lines contain characters or tokens of
pipelines (subword marks, entities, tags). All metrics count them as errors.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import filterfalse, islice
from typing import Literal, NamedTuple, TypeAlias, get_args
from unicodedata import category, normalize

from geceval._kernel import Text
from geceval.base.hints import AnyHint, Hint, Option, Step
from geceval.counting.checks.check_table import threshold
from geceval.counting.checks.limits import Limits
from geceval.counting.checks.text_properties import examined_part
from geceval.text.artefacts import artefact_kinds, artefacts_in
from geceval.text.line_rules import LLM, REPAIR, LineRules, make_rules, rule_table
from geceval.text.preparation import Form, Preparation

Place: TypeAlias = Literal["begin", "end", "contain"]
#: Number of a file in pairs of lines.
Side: TypeAlias = Literal[0, 1]

#: Number of pairs of lines in which beginnings and ends are examined.
_PAIRS = 300
_MOST, _WORDS_FROM = threshold("affix", "share"), threshold("affix", "words_from")
_SOME, _LEAST = threshold("artefact", "share"), threshold("artefact", "lines")
_SEVERAL, _LONGER, _SEVERAL_FROM = (threshold("several", name) for name in ("share", "longer", "lines"))
_DOUBLE = threshold("several", "double")
#: Number of distinct words of a sentence of which a line may have two versions.
_FEWEST_WORDS = 4
#: Share of these words that each version has.
_VERSION = 0.65
_UNKNOWN_FROM, _IN_MOST = threshold("artefact", "unknown_from"), threshold("artefact", "in_most")
#: Largest number of characters before the first word of the source, and number of its words that are looked for.
_LONGEST, _WORDS = 200, 3
#: Identifiers of tokens with rare marks, and of words in capitals, whatever their shape.
RARE, CAPITALS = "()/", "CAPITALS"
#: Largest number of characters of an example.
_SHOWN = 40

_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"\w+")
#: Number of characters in which most lines and their sentences have a first word, and a pattern of its end.
_HEAD, _HEAD_WITH_WORD = 20, re.compile(r"\W*\w+\W")
#: Quotes, of which another check reports those around lines, and marks that corrections add to sentences.
_QUOTES = re.compile(r"[\s'\"‘’“”„«»「」『』]*")
_QUOTE = re.compile(r"['\"‘’“”„«»「」『』]")
_MARKS = r".,;:!?'\"()\-‘’“”„–—…«»¿¡。，！？、；：」』》؟،؛"
_PUNCTUATION = re.compile(rf"[\s{_MARKS}]*")
#: Character of beginnings and ends that are more than words and these marks.
_SYMBOL = re.compile(rf"[^\w\s{_MARKS}]|[\d_]")
#: Lines without a character that this pattern matches have no artefacts.
_UNUSUAL = re.compile(
    r"[^\w\s.,;:!?'\"()\-/$%‘’“”„–—…«»£€+]|[\t_ĠĊ\u0640]|-(?:[LR][RSC]B|NONE)-|%[2-7]|[\x00-\x08\x0e-\x1f\x7f-\x9f]|\\"
)
#: Lines of ASCII without them, which are matched in a fraction of the time.
_USUAL = re.compile(r"[A-Za-z0-9 .,;:!?'\"()/$+]*")
_FULL_WIDTH = re.compile("[\u3001\u3002\uff01-\uff5e]")
_TOKEN = re.compile(r"\S*[<>{}\[\]\\|@#*_~^=]\S*")
#: An instruction of several words before a sentence.
_INSTRUCTION = re.compile(r"\w+ [^:]*:\s*")
#: A word before a sentence, such as its level, and the largest share of distinct ones if they are labels.
_LABEL, _LABELS = re.compile(r"\S{1,20}\s+"), 0.2


class Artefact(NamedTuple):
    """An artefact of one of two files.

    Attributes:
        place: Whether lines begin or end with it, or contain it.
        key: Identifier: the text with digits as 0, the name of a kind, the shape of a token, or a symbol.
        lines: Number of lines that have it.
        example: Text in one of these lines.
        others: Other instructions or labels with which lines begin.
    """

    place: Place
    key: str
    lines: int
    example: str
    others: tuple[str, ...] = ()

    @property
    def is_certain(self) -> bool:
        """Whether it is certainly no correction: of a known kind, or more than words and punctuation at an end."""
        if self.place == "contain":
            return self.key in artefact_kinds()
        return bool(_SYMBOL.search(self.key))

    def __str__(self) -> str:
        example = "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in self.example[:_SHOWN])
        if self.place == "contain":
            kind = artefact_kinds().get(self.key)
            return f'contain {"tokens" if kind is None else kind.description} such as "{example}"'
        noun = "instruction" if _INSTRUCTION.fullmatch(self.key) else "label"
        variants = f" or another {noun}" if self.others else ", with other digits" if "0" in self.key else ""
        return f'{self.place} with "{example}"{variants}'


class LinePairs:
    """Examined lines of two files, in which artefacts are counted.

    Args:
        is_system: Whether the second file is a system, whose lines in quotes another check reports.
    """

    def __init__(self, *, is_system: bool = False) -> None:
        self.lines = self._long_lines = self._double_lines = 0
        self._is_system = is_system
        self._pairs: list[tuple[str, str]] = []
        #: Numbers of lines by identifier in the first and the second file, and examples.
        self._counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self._examples: dict[str, str] = {}
        #: Common beginnings and ends by side and number of pairs.
        self._ends: dict[tuple[int, int], list[Artefact]] = {}

    def add(self, lines: Iterable[tuple[str | None, str | None]]) -> None:
        """Add lines of both files, in O(examined characters); lines that a file lacks are left out."""
        for first, second in lines:
            if first is None or second is None:
                continue
            self.lines += 1
            if len(second) > _LONGER * len(first):
                self._long_lines += _has_words(second, first)
                self._double_lines += _has_two_versions(second, first)
            if len(self._pairs) < _PAIRS:
                self._pairs.append((_ends(first), _ends(second)))
            for counts, line in zip(self._counts, (first, second), strict=True):
                for key, example in _examined_artefacts(line):
                    counts[key] += 1
                    self._examples[key] = example
            if first != second and (word := _raised_word(first, examined_part(second))):
                self._counts[1][CAPITALS] += 1
                self._examples[CAPITALS] = word

    @property
    def are_long(self) -> bool:
        """Whether most lines of the second file are much longer than those of the first, as several versions are."""
        return self.lines >= _SEVERAL_FROM and self._long_lines > _SEVERAL * self.lines

    @property
    def double_lines(self) -> int:
        """Number of lines of the second file with two versions of the sentence; 0 for a few."""
        is_some = self._double_lines >= _DOUBLE and self._double_lines > _SOME * self.lines
        return self._double_lines if is_some else 0

    def artefacts(self, side: Side) -> Iterator[Artefact]:
        """Yield what a file has and the other one lacks: beginning, end, and one artefact within lines.

        This is the commonest one of a known kind, or else of any.
        """
        if (side, len(self._pairs)) not in self._ends:
            artefacts = (self._common_end(side, place) for place in get_args(Place)[:2])
            self._ends[side, len(self._pairs)] = [artefact for artefact in artefacts if artefact is not None]
        ends = self._ends[side, len(self._pairs)]
        yield from ends
        # Known kinds are first, whose steps are certain: the tokens of <del>go</del> have a slash, too.
        numbers = sorted(self._counts[side].items(), key=lambda item: (item[0] not in artefact_kinds(), -item[1]))
        for key, lines in numbers:
            if self._counts[1 - side][key] or lines < _LEAST or lines <= _SOME * self.lines:
                continue
            if key not in artefact_kinds() and (ends or side == 0 or lines <= max(_LEAST, self._most_corrected(key))):
                continue
            if not any(key in dict(_artefacts(f" {artefact.example} ")) for artefact in ends):
                yield Artefact("contain", key, lines, self._examples[key])
                return

    def _most_corrected(self, key: str) -> float:
        """Return the largest number of lines that corrections may give an unknown artefact, such as T.V. → TV."""
        may_be_correction, is_short = key in (RARE, CAPITALS), self.lines < _UNKNOWN_FROM
        if may_be_correction and is_short:
            return max(_LEAST + 1, self.lines - 1)
        return _IN_MOST * self.lines if may_be_correction or is_short else 0

    def has(self, artefact: Artefact, side: Side) -> bool:
        """Return whether lines of a file have an artefact."""
        if artefact.place == "contain":
            return self._counts[side][artefact.key] > 0
        return self._number_with_end(artefact, side) > 0

    def _number_with_end(self, artefact: Artefact, side: Side) -> int:
        """Return the number of lines that begin or end with an artefact; all white space is alike."""
        has_end = str.startswith if artefact.place == "begin" else str.endswith
        texts = tuple(map(_blanks, (artefact.key, *artefact.others)))
        return sum(has_end(_blanks(_DIGITS.sub("0", pair[side])), texts) for pair in self._pairs)

    def _number_in_quotes(self, side: Side) -> int:
        """Return the number of lines that begin and end with quotes."""
        lines = (pair[side] for pair in self._pairs)
        return sum(bool(line) and None not in map(_QUOTE.match, (line[0], line[-1])) for line in lines)

    def _common_end(self, side: Side, place: Place) -> Artefact | None:
        """Return what most lines of a file have before (after) the sentence of the other one, if this never has it."""
        turned: Callable[[str], str] = (lambda text: text) if place == "begin" else (lambda text: text[::-1])
        affixes = [_before(turned(pair[1 - side]), turned(pair[side])) for pair in self._pairs]
        number = sum(map(bool, (pair[side] for pair in self._pairs)))
        common = _common_beginning([_DIGITS.sub("0", affix) for affix in affixes if affix], _MOST * number)
        if not common and side == 0:
            return self._instructions(affixes, _MOST * number) if place == "begin" else None
        if not common:
            return None
        if _QUOTES.fullmatch(common) and self._number_in_quotes(side) > _MOST * number:
            if side == 1 and self._is_system:
                return None
        elif place == "end" and _PUNCTUATION.fullmatch(common):
            return None
        artefact = Artefact(place, turned(common), 0, "")
        number_of_lines = self._number_with_end(artefact, side)
        is_rare = self.lines < _WORDS_FROM and (side == 0 or not artefact.is_certain)
        if is_rare or number_of_lines < _LEAST or self.has(artefact, 0 if side else 1):
            return None
        example = next(affix for affix in affixes if _DIGITS.sub("0", affix).startswith(common))
        lengths = (n for n in range(len(example) + 1) if _DIGITS.sub("0", example[:n]) == common)
        return artefact._replace(lines=number_of_lines, example=turned(example[: max(lengths)]))

    def _instructions(self, affixes: Sequence[str], least: float) -> Artefact | None:
        """Return what precedes more than ``least`` sentences: instructions to language models, or a few labels."""
        folded = [_DIGITS.sub("0", affix) for affix in affixes]
        numbers = Counter(filter(_INSTRUCTION.fullmatch, folded))
        if numbers.total() <= least:
            numbers = Counter(filter(_LABEL.fullmatch, folded))
        lines = numbers.total()
        if lines <= least or self.lines < _WORDS_FROM or len(numbers) > _LABELS * lines:
            return None
        first, *more = (affix for affix, _ in numbers.most_common())
        example = affixes[folded.index(first)]
        artefact = Artefact("begin", first, lines, example, tuple(more))
        return None if self.has(artefact, 1) else artefact


def _ends(line: str) -> str:
    """Return a line in NFC, without the middle of a very long one: affixes are at its ends."""
    line = normalize("NFC", line.strip())
    length = Limits.characters
    return line if len(line) <= 2 * length else line[:length] + line[-length:]


def _before(sentence: str, line: str) -> str:
    """Return the text of a line before the beginning of a sentence; empty if the line begins like it.

    One of the first words of the sentence is looked for, since others may have been corrected.
    """
    if sentence == line:
        return ""
    head = sentence[:_HEAD].casefold()
    if line[:_HEAD].casefold() == head and _HEAD_WITH_WORD.match(head):
        return ""
    folded, sentence = line.casefold(), sentence.casefold()
    for match in islice(_WORD.finditer(sentence), _WORDS):
        is_spaced = match[0] < "\u0e00"
        word = match[0] if is_spaced else match[0][:2]
        position = folded.find(word)
        while is_spaced and 0 <= position < _LONGEST and _is_part(folded, position, position + len(word)):
            position = folded.find(word, position + 1)
        if not 0 <= position < _LONGEST:
            continue
        start = position - match.start()
        if folded.startswith(sentence[: match.start()], start):
            return line[:start] if start > 0 else ""
        near = (start + step for step in (0, -1, 1, -2, 2, -3, 3))  # a word before was corrected
        starts = [n for n in near if 0 < n < position and folded[n] == sentence[0] and _is_boundary(folded, n)]
        return line[: starts[0]] if starts else ""
    return ""


def _has_words(line: str, sentence: str, share: float = 0.5) -> bool:
    """Return whether a line has a share of the words of a sentence."""
    words = set(sentence.split())
    return 0 < share * len(words) <= len(words.intersection(line.split()))


def _has_two_versions(line: str, sentence: str) -> bool:
    """Return whether each half of a line has most words of a sentence, which has several.

    Half of them is too few: each half of ``He/PRP go/VB home/NN`` has as many.
    """
    words = line.split()
    if len(set(sentence.split())) < _FEWEST_WORDS:  # which a correction may repeat
        return False
    middle = len(words) // 2
    return all(_has_words(" ".join(half), sentence, _VERSION) for half in (words[:middle], words[middle:]))


def _blanks(text: str) -> str:
    """Return a text with a space for each white space character."""
    return re.sub(r"\s", " ", text)


def _is_part(line: str, start: int, end: int) -> bool:
    """Return whether a letter of ASCII precedes or follows a part of a line."""
    neighbours = line[max(0, start - 1) : start] + line[end : end + 1]
    return any(c.isascii() and c.isalpha() for c in neighbours)


def _is_boundary(line: str, position: int) -> bool:
    return not (line[position - 1].isalnum() and line[position].isalnum())


def _common_beginning(texts: list[str], least: float) -> str:
    """Return the longest beginning that more than ``least`` of the texts have."""
    common = ""
    while len(texts) > least:
        following = Counter(text[len(common)] for text in texts if len(text) > len(common))
        if not following or following.most_common(1)[0][1] <= least:
            break
        common += following.most_common(1)[0][0]
        texts = [text for text in texts if text.startswith(common)]
    return common


#: Slashes, except those of tags.
_SLASH = re.compile(r"/(?<!</)(?!>)")


def _has_rare_mark(text: str) -> bool:
    """Return whether a text has marks that corrections rarely add, but not never."""
    return "(" in text or _SLASH.search(text) is not None


_CAPITALS = re.compile(r"[^\W\d_a-z]{2}")


def _raised_word(sentence: str, line: str) -> str | None:
    """Return a word of a line in capitals that its sentence does not have; None if all words or none are."""
    words = line.split()
    raised = [word for word in words if word.isupper() and _CAPITALS.search(word)]
    return next(filterfalse(sentence.split().__contains__, raised), None) if raised and not line.isupper() else None


@lru_cache(maxsize=4 * _PAIRS)  # each text is compared with the same lines of the source, and has many of them
def _examined_artefacts(line: str) -> tuple[tuple[str, str], ...]:
    """Return the artefacts within the examined part of a line, each identifier once."""
    return tuple(dict(_artefacts(examined_part(line))).items())


def _artefacts(line: str) -> Iterator[tuple[str, str]]:
    """Yield the artefacts within a line: identifier and text."""
    if _has_rare_mark(line):
        yield RARE, next(filter(_has_rare_mark, line.split()))
    if _USUAL.fullmatch(line) or not _UNUSUAL.search(line):
        return
    tokens = set()
    for kind, token in artefacts_in(line):
        tokens.add(token)
        yield kind.name, token
    for match in _TOKEN.finditer(line):
        if len(match[0]) > 1 and match[0] not in tokens:
            shape = re.sub(r"[^\W\d_]+", "a", _DIGITS.sub("0", match[0]))
            yield re.sub(r"((\W|_)a)(?:\2a)+", r"\1", shape), match[0]
    for c in line:
        if c > "\x7f" and c not in tokens and (_FULL_WIDTH.match(c) or category(c) in ("So", "Sk", "Sm", "Co", "Cn")):
            yield c, c


# --- steps that remove artefacts ---

#: Kinds of artefacts that are removed outside of geceval: an option would hide their cause.
_OUTSIDE = (
    *("latin1", "misread", "replacement", "tabs"),
    *("wdiff", "critic", "latex", "pairs", "crossed", "strokes"),
)
#: Normal forms that may replace signs by those of the source.
_FORMS: tuple[Form, ...] = ("letters", "nfkc")
#: Step for lines that begin with the numbers of their sentences, in another order.
_SORT = "sort -V FILE | cut -f 2- > SORTED puts them in the order of their numbers, which the source has"


def removing_step(
    artefact: Artefact, lines: Sequence[str], source: Sequence[str], preparation: Preparation, *, is_system: bool
) -> AnyHint:
    """Return the step that removes an artefact from lines, which is tried.

    Args:
        artefact: Artefact of the lines.
        lines: Unprepared lines.
        source: Unprepared sentences of the source.
        preparation: Steps of the run.
        is_system: Whether the lines are outputs of a system, which options of the command clean.

    Returns:
        Hint, with an option or with what to do outside of geceval.
    """
    if _are_numbered_in_another_order(lines):
        return _SORT
    texts = Text(lines), Text(source)
    kind = artefact_kinds().get(artefact.key)
    if kind is not None and kind.name in _OUTSIDE:
        return kind.step
    if _removes(artefact, texts, replace(preparation, whitespace=True)):
        python = "corpus.prepared(geceval.Preparation(whitespace=True))"
        return Hint(Step(Hint(Option("normalise", "whitespace")), python), " removes it")
    for form in _FORMS if kind is None else ():
        normalising = replace(preparation, normalise=(*preparation.normalise, form)).of_source(lambda: source)
        if _replaces_signs(artefact.example, texts, normalising):
            return Hint(Option("normalise", form), " removes it")
    names = [LLM, *(rule.name for set_name, rule in rule_table() if set_name == REPAIR)]
    signed = preparation.clean.name if isinstance(preparation.clean, LineRules) else ""
    present = [name for name in names if name in signed.replace("-", "+").split("+")]
    for name in [name for name in names if name not in present]:
        cleaned = replace(preparation, clean=make_rules([*present, name]))
        if (is_system or name != LLM) and _removes(artefact, texts, cleaned):
            return _cleaning(",".join([*present, name]), is_system=is_system)
    if artefact.place == "contain":
        by_rule = Option("clean", "FILE.toml"), " removes text, docs/tokenisation.md"
        return Hint("check how the file was written; ", *by_rule) if kind is None else kind.step
    affixes = [
        re.escape(key).replace("\\ ", " ").replace("\\\t", r"\t").replace("'", r"\x27").replace("0", r"\d+")
        for key in (artefact.key, *artefact.others)
    ]
    affix = f"(?:{'|'.join(affixes)})" if artefact.others else affixes[0]
    pattern = f"^{affix}" if artefact.place == "begin" else f"{affix}$"
    table = f"rules = [{{name = \"{artefact.place}\", pattern = '{pattern}', guarded = false}}]"
    cleaning = _cleaning(",".join([*present, "FILE.toml"]), is_system=is_system)
    condition = f" if FILE.toml is: {table}"
    return cleaning + condition if isinstance(cleaning, str) else Hint(cleaning, condition)


def _replaces_signs(example: str, texts: tuple[Text, Text], preparation: Preparation) -> bool:
    """Return whether steps replace the unusual signs of an example by letters, ASCII, or signs that the source has."""
    lines, source = texts
    before, after, usual = (
        set("".join(map(str, text)))
        for text in (lines, preparation.apply("systems", lines, source), preparation.apply("source", source))
    )
    signs = set(filter(_UNUSUAL.search, example))
    return (
        bool(signs)
        and not signs & after
        and all(sign.isalnum() or sign.isascii() or sign in usual for sign in after - before)
    )


def _are_numbered_in_another_order(lines: Sequence[str]) -> bool:
    """Return whether each line begins with another number, as of ``s7``, and a tab, and the numbers do not ascend."""
    matches = [re.match(r"([^\W\d]*[-.#]?)(\d{1,18})\t", line) for line in lines]
    numbers = [int(match[2]) for match in matches if match is not None]
    names = {match[1] for match in matches if match is not None}
    return len(names) == 1 and len(set(numbers)) == len(lines) and numbers != sorted(numbers)


def _cleaning(names: str, *, is_system: bool) -> AnyHint:
    if is_system:
        return Hint(Option("clean", names), " removes it")
    return f"geceval prepare --clean {names} TEXT -o NEW removes it"


def _removes(artefact: Artefact, texts: tuple[Text, Text], preparation: Preparation) -> bool:
    lines, source = texts
    pairs = LinePairs()
    pairs.add(zip(preparation.apply("source", source), preparation.apply("systems", lines, source), strict=True))
    return not pairs.has(artefact, 1)
