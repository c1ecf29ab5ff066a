"""Make the table of a language from treebanks in CoNLL-U, such as Universal Dependencies."""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from geceval.base.errors import InputError
from geceval.edits.annotation import UPOS, Rules, TagSet
from geceval.edits.languages.features import features_of
from geceval.edits.languages.lexicon import LexiconTable, suffixes
from geceval.text.reading.lines import read_lines

K = TypeVar("K")


class Word(NamedTuple):
    """A word of a treebank, with the language's own tag and features."""

    form: str
    lemma: str
    pos: str
    tag: str = "_"
    features: str = "_"


def read_words(path: str) -> Iterator[Word]:
    """Yield the words of a CoNLL-U file, plain or compressed.

    A contraction (``im``, split into ``in dem``) is a word, too, with the part of speech of its first token. Empty
    nodes are skipped. Raises InputError with file and line for a malformed line.
    """
    contraction = ""
    for number, line in enumerate(read_lines(path), 1):
        if not line or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 10:
            message = f"a line of CoNLL-U has 10 fields separated by tabs, found {len(fields)}"
            raise InputError(message, path=path, line=number)
        token_id, form, lemma, pos, tag, features = fields[:6]
        if "-" in token_id:
            contraction = form
        elif "." not in token_id:
            if pos not in UPOS:
                hint = "it is the fourth field of a line" if pos != "_" else "the treebank must contain them"
                raise InputError(f"{pos!r} is not a universal part of speech", path=path, line=number, hint=hint)
            if contraction:
                yield Word(contraction, contraction, pos)
                contraction = ""
            yield Word(form, lemma, pos, tag, features)


def read_word_list(path: str) -> list[str]:
    """Return the words of a file with one word per line; empty lines are skipped.

    Raises InputError with file and line for a line with white space.
    """
    words = [(number, line) for number, line in enumerate(map(str, read_lines(path)), 1) if line]
    for number, word in words:
        if _has_blank(word):
            raise InputError(f"a word list has one word per line, found {word!r}", path=path, line=number)
    return [word for _, word in words]


def make_table(
    words: Iterable[Word],
    code: str,
    version: str = "",
    *,
    rules: Rules = "generic",
    types: TagSet = "universal",
    tokeniser: str = "",
    source: str = "",
    licence: str = "",
    right: Sequence[str] = (),
) -> LexiconTable:
    """Return the table of a language from the words of a treebank.

    Each form, suffix and lemma gets its most frequent value; ties are resolved alphabetically.

    Args:
        words: The words.
        code: Code of the language.
        version: Version for signatures; by default a fingerprint of the table's contents.
        rules: Rules that merge edits.
        types: The tag set.
        tokeniser: Name of the tokeniser of raw text.
        source: The treebanks.
        licence: Their licence.
        right: Correctly spelt words, for the type SPELL.
    """
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    endings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    lemmas: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    features: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for form, lemma, pos, tag, ud_features in words:
        folded = form.casefold()
        forms[form][pos] += 1
        forms[folded][pos] += 1
        for key in suffixes(form):
            endings[key][pos] += 1
        lemmas[folded, pos][lemma.casefold()] += 1
        features[folded, pos][features_of(types, ud_features, lemma, tag)] += 1
    # Entries with white space are dropped because tokens never contain any.
    table = LexiconTable(
        code,
        version,
        rules=rules,
        types=types,
        tokeniser=tokeniser,
        source=source,
        licence=licence,
        forms={form: pos for form, pos in _most_frequent(forms) if not _has_blank(form)},
        suffixes={key: pos for key, pos in _most_frequent(endings) if not _has_blank(key)},
        lemmas={
            (form, pos): lemma
            for (form, pos), lemma in _most_frequent(lemmas)
            if lemma != form and not _has_blank(form) and "\t" not in lemma
        },
        words=sorted(set(right)),
        features={key: text for key, text in _most_frequent(features) if text and not _has_blank(key[0])},
    )
    if not table.forms:
        raise InputError("the treebank contains no words")
    return table if version else replace(table, version=fingerprint(table))


def fingerprint(table: LexiconTable) -> str:
    """Return eight hexadecimal digits that depend on the table's annotations only."""
    text = "\n".join(replace(table, version="", source="", licence="").lines())
    return f"{zlib.crc32(text.encode()):08x}"


def _most_frequent(counts: dict[K, Counter[str]]) -> Iterator[tuple[K, str]]:
    for key, counter in counts.items():
        yield key, min(counter, key=lambda value: (-counter[value], value))


def _has_blank(text: str) -> bool:
    return text.split() != [text]
