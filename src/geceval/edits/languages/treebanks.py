"""Making the table of a language from treebanks in CoNLL-U, as those of Universal Dependencies."""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from geceval.base.errors import InputError
from geceval.edits.annotation import UPOS, Rules, TagSet
from geceval.edits.languages.lexicon import LexiconTable, suffixes
from geceval.text.reading.lines import read_lines

K = TypeVar("K")


class Word(NamedTuple):
    """A word of a treebank."""

    form: str
    lemma: str
    pos: str


def read_words(path: str) -> Iterator[Word]:
    """The words of a CoNLL-U file, plain or compressed: its tokens, and the contractions that it cuts (``im`` as
    ``in dem``) with the part of speech of their first token. Empty nodes are left out.

    Raises InputError with file and line for a line that is none of CoNLL-U.
    """
    contraction = ""
    for number, line in enumerate(read_lines(path), 1):
        if not line or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 10:
            message = f"a line of CoNLL-U has 10 fields with tabs between them, here are {len(fields)}"
            raise InputError(message, path=path, line=number)
        place, form, lemma, pos = fields[:4]
        if "-" in place:
            contraction = form
        elif "." not in place:
            if pos not in UPOS:
                hint = "it is the fourth field of a line" if pos != "_" else "the treebank must have them"
                raise InputError(f"{pos!r} is no universal part of speech", path=path, line=number, hint=hint)
            if contraction:
                yield Word(contraction, contraction, pos)
                contraction = ""
            yield Word(form, lemma, pos)


def read_word_list(path: str) -> list[str]:
    """The words of a file, a word a line; empty lines are left out.

    Raises InputError with file and line for one that holds a blank: it is no word, or more than one.
    """
    words = [(number, line) for number, line in enumerate(map(str, read_lines(path)), 1) if line]
    for number, word in words:
        if _has_blank(word):
            raise InputError(f"a word list has a word in each line, here is {word!r}", path=path, line=number)
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
    """The table of a language from the words of a treebank; ``right``: words that are spelt right, for the type SPELL.

    Each form, suffix and lemma keeps what is most frequent, of equally frequent ones the alphabetically first. Without
    a ``version`` the table's contents make one, so that another table has another name.
    """
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    endings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    lemmas: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for form, lemma, pos in words:
        folded = form.casefold()
        forms[form][pos] += 1
        forms[folded][pos] += 1
        for key in suffixes(form):
            endings[key][pos] += 1
        lemmas[folded, pos][lemma.casefold()] += 1
    # Tokens hold no white space, so nothing that does is ever looked up.
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
    )
    if not table.forms:
        raise InputError("there are no words to make a table of")
    return table if version else replace(table, version=fingerprint(table))


def fingerprint(table: LexiconTable) -> str:
    """Eight hexadecimal digits of what decides the table's answers, and of nothing else."""
    decides = replace(table, version="", source="", licence="")
    text = "\n".join(decides.lines())
    return f"{zlib.crc32(text.encode()):08x}"


def _most_frequent(counts: dict[K, Counter[str]]) -> Iterator[tuple[K, str]]:
    for key, counter in counts.items():
        yield key, min(counter, key=lambda value: (-counter[value], value))


def _has_blank(text: str) -> bool:
    return text.split() != [text]
