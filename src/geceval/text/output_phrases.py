"""Phrases of raw output of language models: labels, refusals, prompts and others."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias, cast

from geceval._kernel import Phrases

PhraseKind: TypeAlias = Literal["preamble", "label", "refusal", "explanation", "prompt"]


@cache
def output_phrases() -> tuple[tuple[PhraseKind, str], ...]:
    """Return all phrases with their kinds; output_phrases.tsv defines the kinds.

    Returns:
        Pairs of a kind and a phrase in lower case.
    """
    lines = Path(__file__).with_name("output_phrases.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return tuple((cast(PhraseKind, kind), phrase) for kind, _, phrases in rows for phrase in phrases.split("|"))


@cache
def phrase_table() -> Phrases:
    """Return all phrases for the kernel."""
    return Phrases(output_phrases())
