"""Phrases of language models' answers: labels, refusals, prompts and others.

output_phrases.tsv contains them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias, cast

from geceval._kernel import Phrases
from geceval.base.package_tables import table_rows

PhraseKind: TypeAlias = Literal[
    "preamble",
    "label",
    "refusal",
    "explanation",
    "prompt",
    "reasoning",
    "fine",
    "change",
    "negation",
    "filler",
    "acknowledgement",
]

#: Pattern of the colon of phrases, in place of which a dash may stand.
COLON = "(?: ?[:：]| [–—] )"


@cache
def output_phrases() -> tuple[tuple[PhraseKind, str], ...]:
    """Return all phrases with their kinds; output_phrases.tsv defines the kinds.

    Returns:
        Pairs of a kind and a phrase in lower case.
    """
    return tuple((cast(PhraseKind, kind), phrase) for kind, phrases in _rows() for phrase in phrases.split("|"))


@cache
def phrase_pattern(kind: PhraseKind) -> str:
    """Return a pattern of the phrases of a kind."""
    phrases = sorted((phrase for row, phrase in output_phrases() if row == kind), key=len, reverse=True)
    # Scripts from Thai on have no spaces between words.
    ends = (r"\b" if phrase[-1].isalpha() and phrase[-1] < "\u0e00" else "" for phrase in phrases)
    pattern = "|".join(map(str.__add__, map(re.escape, phrases), ends))
    return pattern.replace("'", "['’]").replace(r"\ ", "[ _]").replace(":", COLON)


@cache
def phrase_table() -> Phrases:
    """Return all phrases for the kernel."""
    return Phrases(_rows())


def _rows() -> list[tuple[str, str]]:
    return [(kind, phrases) for kind, _, phrases in table_rows(Path(__file__).with_name("output_phrases.tsv"))]
