"""The table of phrases of raw output: what every phrase must be."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import get_args

import geceval.text.answers as module
from geceval.text.answers import PhraseKind, output_phrases


def test_every_kind_has_phrases() -> None:
    assert {kind for kind, _ in output_phrases()} == set(get_args(PhraseKind))


def test_phrases_are_lower_case_with_plain_apostrophes() -> None:
    for kind, phrase in output_phrases():
        assert phrase == phrase.strip().lower(), phrase
        assert len(phrase) > 1 or kind in ("negation", "filler")
        assert "’" not in phrase


def test_a_phrase_of_one_kind_does_not_appear_twice_in_a_language() -> None:

    table = Path(module.__file__).with_name("output_phrases.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in table.splitlines() if not line.startswith("#")]
    assert not [pair for pair, number in Counter((kind, language) for kind, language, _ in rows).items() if number > 1]
    for kind, language, phrases in rows:
        own = phrases.split("|")
        assert len(set(own)) == len(own), (kind, language)
