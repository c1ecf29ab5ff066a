"""Language tables (``lexicon:XX``): lemma and universal POS of forms without context.

A table is a text file: a line with the name of its layout, lines ``name<TAB>value``, and the sections ``[forms]``,
``[suffixes]``, ``[lemmas]`` and optionally ``[words]`` and ``[features]``, each sorted. ``treebanks.py`` makes them.

``guess`` identifies the language of a text by the share of words that each language knows.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, cast

from geceval._kernel import Text, WordList
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option, Step
from geceval.base.package_tables import table_rows
from geceval.edits.annotation import UNIVERSAL_RULES, UPOS, Annotated, Language, Rules, TagSet
from geceval.edits.languages import LANGUAGES, names_file
from geceval.edits.languages.features import FEATURE_TAG_SETS
from geceval.edits.languages.plain import is_punctuation
from geceval.text.languages import languages, script_language
from geceval.text.reading.lines import read_lines

LAYOUT = "geceval-lexicon 1"
#: Names of the lines before the sections, with defaults; code and version are required.
ABOUT = dict.fromkeys(("code", "version", "rules", "types", "tokeniser", "source", "licence"), "")
ABOUT |= {"rules": "generic", "types": "universal"}
SECTIONS = {"forms": 2, "suffixes": 2, "lemmas": 3, "words": 1, "features": 3}
"""Sections, and the number of fields of their lines."""
LONGEST_SUFFIX = 4


def suffixes(form: str) -> Iterator[str]:
    """Yield the keys of a form in the table of suffixes, longest first.

    A key consists of ``+`` or ``-``, for a first capital, and the last letters.
    """
    folded = form.casefold()
    mark = "+" if form[:1].isupper() else "-"
    for length in range(min(LONGEST_SUFFIX, len(folded)), 0, -1):
        yield mark + folded[-length:]


@dataclass(frozen=True)
class LexiconTable:
    """Data about the forms of a language.

    Attributes:
        code: See ``edits.annotation.Language``, as for the fields without description.
        version: Version for signatures.
        rules: Rules that merge edits.
        types: The tag set.
        tokeniser: Name of the tokeniser of raw text.
        source: The treebanks.
        licence: Their licence.
        forms: form -> universal part of speech.
        suffixes: Key of a suffix -> universal part of speech.
        lemmas: (case-folded form, part of speech) -> lemma, if it differs from the form.
        words: Correctly spelt words.
        features: (case-folded form, part of speech) -> features, for tag sets that use them.
    """

    code: str
    version: str
    rules: Rules = "generic"
    types: TagSet = "universal"
    tokeniser: str = ""
    source: str = ""
    licence: str = ""
    forms: Mapping[str, str] = field(default_factory=dict, repr=False)
    suffixes: Mapping[str, str] = field(default_factory=dict, repr=False)
    lemmas: Mapping[tuple[str, str], str] = field(default_factory=dict, repr=False)
    words: Sequence[str] = field(default=(), repr=False)
    features: Mapping[tuple[str, str], str] = field(default_factory=dict, repr=False)

    def pos(self, form: str) -> str:
        """Return the universal POS of a form."""
        if is_punctuation(form):
            return "PUNCT"
        pos = self.forms.get(form) or self.forms.get(form.casefold())
        return pos or next((self.suffixes[key] for key in suffixes(form) if key in self.suffixes), "X")

    def lemma_and_pos(self, form: str) -> tuple[str, str]:
        """Return lemma and POS of a form without context."""
        pos, folded = self.pos(form), form.casefold()
        return self.lemmas.get((folded, pos), folded), pos

    def lines(self) -> Iterator[str]:
        """Yield the lines of the table's file."""
        yield LAYOUT
        yield from (f"{name}\t{getattr(self, name)}" for name in ABOUT)
        rows: dict[str, Iterable[tuple[str, ...]]] = {
            "forms": self.forms.items(),
            "suffixes": self.suffixes.items(),
            "lemmas": ((*key, lemma) for key, lemma in self.lemmas.items()),
            "words": ((word,) for word in self.words),
        }
        if self.features:  # other tables are as they always were
            rows["features"] = ((*key, features) for key, features in self.features.items())
        for name, section in rows.items():
            yield f"[{name}]"
            yield from sorted("\t".join(row) for row in section)


def read_lexicon(path: str | Path, *, tracked: bool = True) -> LexiconTable:
    """Return the table in a file, plain or compressed.

    ``tracked``: see files.open_bytes. Raises InputError with file and line for a malformed table.
    """
    lines = iter(enumerate(read_lines(path, tracked=tracked), 1))
    first = next(lines, (1, ""))
    if first[1] != LAYOUT:
        hint = "geceval language make makes a table from a treebank"
        raise InputError(f"not a language table: the first line must be {LAYOUT!r}", path=path, line=1, hint=hint)
    properties = dict(ABOUT)
    sections: dict[str, list[list[str]]] = {name: [] for name in SECTIONS}
    rows, width = None, 2
    for number, line in lines:
        if line[:1] == "[" and line[-1:] == "]" and line[1:-1] in SECTIONS:
            rows, width = sections[line[1:-1]], SECTIONS[line[1:-1]]
            continue
        fields = line.split("\t")
        if len(fields) != width or (rows is None and fields[0] not in ABOUT):
            raise InputError(f"expected {width} fields, found {line!r}", path=path, line=number)
        if rows is None:
            properties[fields[0]] = fields[1]
            continue
        if width > 1 and fields[1] not in UPOS:
            raise InputError(f"{fields[1]!r} is not a universal part of speech", path=path, line=number)
        rows.append(fields)
    _check(properties, path)
    if not sections["forms"]:
        raise InputError("the language table has no forms", path=path)
    return LexiconTable(
        **cast(Any, properties),
        forms=dict(cast("list[tuple[str, str]]", sections["forms"])),
        suffixes=dict(cast("list[tuple[str, str]]", sections["suffixes"])),
        lemmas={(form, pos): lemma for form, pos, lemma in sections["lemmas"]},
        words=[word for [word] in sections["words"]],
        features={(form, pos): features for form, pos, features in sections["features"]},
    )


#: Characters of codes and versions.
NAMES_HAVE = "letters, digits, . and -"


def is_name(text: str) -> bool:
    """Return whether a text is valid as a code or a version of signatures."""
    return text.isascii() and text.replace(".", "").replace("-", "").isalnum()


def _check(properties: Mapping[str, str], path: str | Path) -> None:
    choices = {"rules": UNIVERSAL_RULES, "types": ("generic", "universal", *FEATURE_TAG_SETS)}
    for name in ("code", "version"):
        if not properties[name]:
            raise InputError(f"the language table has no {name}", path=path)
        if not is_name(properties[name]):
            raise InputError(f"the {name} {properties[name]!r} is not valid in a signature", path=path, hint=NAMES_HAVE)
    for name, known in choices.items():
        if properties[name] not in known:
            raise InputError(f"{name} is one of {', '.join(known)}, not {properties[name]!r}", path=path)


#: Fewest letters of a stem.
SHORTEST_STEM = 3
SPELLING = "*"


class Morphology:
    """Inflection and spelling of a language, which complete a table.

    A file of endings has lines of three fields: ``POS lemma forms`` for words of closed classes, ``POS /pattern/
    replacement`` for stems of forms, of which the first that applies is used, ``* /pattern/ replacement`` for spellings
    of one sound, and ``POS POS`` for unknown words that suffixes of the table take for another part of speech.
    """

    def __init__(self, table: LexiconTable, path: Path) -> None:
        self.table = table
        self.closed: dict[str, tuple[str, str]] = {}
        self.other_pos: dict[str, str] = {}
        self.patterns: defaultdict[str, list[tuple[re.Pattern[str], str]]] = defaultdict(list)
        for pos, lemma, forms in table_rows(path):
            if lemma.startswith("/"):
                self.patterns[pos].append((re.compile(lemma.strip("/")), forms))
            elif lemma in UPOS:
                self.other_pos[pos] = lemma
            else:
                self.closed |= dict.fromkeys([lemma, *forms.split()], (lemma, pos))
        self.spellings = self.patterns.pop(SPELLING, [])

    def stem(self, form: str, pos: str) -> str:
        """Return a form without its ending, case-folded."""
        for pattern, replacement in self.patterns[pos]:
            stem, replaced = pattern.subn(replacement, form)
            if replaced and len(stem) >= SHORTEST_STEM:
                return stem.casefold()
        return form.casefold()

    @cached_property
    def stems(self) -> dict[tuple[str, str], str]:
        """(part of speech, stem) -> lemma, of the words of the table."""
        rows = ((form, *self.table.lemma_and_pos(form)) for form in self.table.forms)
        return {(pos, self.stem(form, pos)): lemma for form, lemma, pos in rows if pos in self.patterns}

    def lemma_and_pos(self, form: str) -> tuple[str, str]:
        """Return lemma and part of speech of a form without context.

        A misspelt form has the lemma of the word that it stands for, and the part of speech X.
        """
        folded = form.casefold()
        lemma, pos = self.table.lemma_and_pos(form)
        is_known = form in self.table.forms or folded in self.table.forms
        # The table knows the most frequent part of speech: "sein" is a verb.
        if folded in self.closed and (not is_known or self.closed[folded][1] == pos):
            return self.closed[folded]
        if is_known or not form.isalpha():
            return lemma, pos
        # The part of speech of the ending first.
        for name in sorted(self.patterns, key=pos.__ne__):
            known = self.stems.get((name, self.stem(form, name)))
            if known is not None:
                return known, name
        for pattern, replacement in self.spellings:
            spelling = pattern.sub(replacement, folded)
            if spelling in self.table.forms:
                return self.table.lemma_and_pos(spelling)[0], "X"
        pos = self.other_pos.get(pos, pos)
        return self.stem(form, pos), pos


class Lexicon:
    """An annotator with a table.

    ``rules`` merge edits, by default the ones of the table; ``morphology`` knows words that the table does not contain,
    so that the forms of the table suffice for the spelling rule.
    """

    def __init__(self, table: LexiconTable, rules: Rules | None = None, morphology: Morphology | None = None) -> None:
        self.table = table
        self.rules = rules or table.rules
        self.morphology = morphology
        self.lemma_and_pos = (morphology or table).lemma_and_pos

    @property
    def name(self) -> str:
        """``lexicon-de-3``, or ``lexicon-cs-3+generic`` with other rules."""
        suffix = "" if self.rules == self.table.rules else f"+{self.rules}"
        return f"lexicon-{self.table.code}-{self.table.version}{suffix}"

    @cached_property
    def language(self) -> Language:
        words = partial(WordList, self.table.words) if self.table.words else None
        if words is None and self.morphology is not None:
            words = partial(WordList.partial, self.table.forms)
        return Language(self.table.code, self.table.tokeniser or None, self.table.types, words)

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        return Annotated.by_form(sentences, self.lemma_and_pos, self.table.features)


#: Tables of the package, with their folders.
SHIPPED = {"de": "german", "cs": "czech"}
#: Version of their annotation and types.
SHIPPED_VERSION = "3"


@cache
def shipped(code: str) -> LexiconTable:
    """Return the table of a language of the package."""
    table = read_lexicon(Path(__file__).parent / SHIPPED[code] / f"{code}.lexicon", tracked=False)
    return replace(table, version=SHIPPED_VERSION)


@cache
def shipped_morphology(code: str) -> Morphology:
    """Return the inflection of a language of the package."""
    return Morphology(shipped(code), Path(__file__).parent / SHIPPED[code] / f"{code}.endings.tsv")


def lexicon(what: str = "") -> Lexicon | None:
    """Return the annotator of a code or of a file, or None.

    Examples are ``lexicon:de`` and ``lexicon:sv.lexicon``.

    ``lexicon:cs+generic`` has other rules of merging than the table. Raises InputError for a malformed table.
    """
    name, _, rules = what.rpartition("+")
    merging_rules = next((known for known in UNIVERSAL_RULES if name and known == rules), None)
    table = name if merging_rules else what
    if table in SHIPPED:
        return Lexicon(shipped(table), merging_rules, shipped_morphology(table))
    return Lexicon(read_lexicon(table), merging_rules) if names_file(table) else None


def german(rules: str = "") -> Lexicon | None:
    """Return the annotator of the German table.

    ``de:RULES`` has other rules of merging.
    """
    return lexicon(f"de+{rules}" if rules else "de")


def czech(rules: str = "") -> Lexicon | None:
    """Return the annotator of the Czech table.

    ``cs:RULES`` has other rules of merging.
    """
    return lexicon(f"cs+{rules}" if rules else "cs")


#: Minimum number of words.
LEAST = 50
#: Minimum share of known words, by the English word list or by the forms of small tables. Measured: English knows at
#: least 96 % of English and at most 26 % of other languages (Swedish); the German table knows 88 % of German and 21 %
#: of English; the Czech one knows 48 % of Czech and 2 % of others.
SHARE, SHARES = 0.35, {"en": 0.6}
SHORTEST = 3


class Guess(NamedTuple):
    """The name of a language (``--language``), and the reason."""

    language: str
    why: str


def guess(lines: Text, least: int = LEAST) -> Guess:
    """Return the language of a text, and the reason.

    It is a language without spaces between words by its letters, else the one that knows most words, else ``plain``.

    Words are tokens of at least three letters that begin with a lower-case letter, so names are excluded. Raises
    UsageError for fewer than ``least`` words.
    """
    script = script_language(lines)
    if script is not None:
        return Guess(script.code, f"of the letters {100 * script.share:.0f} % are {languages()[script.code].name}")
    tokens = chain.from_iterable(str(line).split() for line in lines if line is not None)
    words = [token for token in tokens if len(token) >= SHORTEST and token.isalpha() and not token[0].isupper()]
    if len(words) < least:
        command = Hint(Option("language", ", ".join(LANGUAGES)), ", plain or a table")
        hint = Hint("name it: ", Step(command, 'annotator="german" or another name'))
        counted = f"words in lower case with {SHORTEST} or more letters: {len(words)}, required: {least}"
        raise UsageError(f"cannot identify the language of the source ({counted})", hint=hint)
    shares = {code: sum(map(known.__contains__, words)) / len(words) for code, known in _vocabularies().items()}
    best = max(shares, key=shares.__getitem__)
    percentages = ", ".join(f"{code} {100 * share:.0f} %" for code, share in shares.items())
    is_enough = shares[best] >= SHARES.get(best, SHARE)
    return Guess(best if is_enough else "plain", f"of the words known: {percentages}")


@cache
def _vocabularies() -> dict[str, WordList | Mapping[str, str]]:
    return {"en": WordList.english(), **{code: shipped(code).forms for code in SHIPPED}}
