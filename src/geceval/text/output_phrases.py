"""Phrases of raw output of language models: labels, refusals, prompts and others."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias, cast

from geceval._kernel import Phrases
from geceval.base.data_files import table_rows

PhraseKind: TypeAlias = Literal["preamble", "label", "refusal", "explanation", "prompt"]


@cache
def output_phrases() -> tuple[tuple[PhraseKind, str], ...]:
    """Return all phrases with their kinds; output_phrases.tsv defines the kinds.

    Returns:
        Pairs of a kind and a phrase in lower case.
    """
    return tuple((cast(PhraseKind, kind), phrase) for kind, phrases in _rows() for phrase in phrases.split("|"))


@cache
def phrase_table() -> Phrases:
    """Return all phrases for the kernel."""
    return Phrases(_rows())


def _rows() -> list[tuple[str, str]]:
    return [(kind, phrases) for kind, _, phrases in table_rows(Path(__file__).with_suffix(".tsv"))]
