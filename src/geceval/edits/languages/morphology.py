"""Inflection and spelling of a language: lemmas of words that its table does not contain.

A file of endings has lines of three fields: ``POS lemma forms`` for words of closed classes, ``POS /pattern/
replacement`` for stems of forms, of which the first that applies is used, ``* /pattern/ replacement`` for
spellings of one sound, and ``POS POS`` for unknown words that suffixes of the table take for another part of speech.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from geceval.base.registry import table_rows
from geceval.edits.annotation import UPOS

if TYPE_CHECKING:
    from geceval.edits.languages.lexicon import LexiconTable

#: Fewest letters of a stem.
SHORTEST_STEM = 3
SPELLING = "*"


class Morphology:
    """Words of closed classes and endings of open classes, and a table that they complete.

    Args:
        table: The table.
        path: The file of endings.
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
        if folded in self.closed:
            return self.closed[folded]
        lemma, pos = self.table.lemma_and_pos(form)
        if form in self.table.forms or folded in self.table.forms or not form.isalpha():
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
