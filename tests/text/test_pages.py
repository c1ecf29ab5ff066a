"""Pages list all tokenisers, formats and normal forms, and the table of phrases has each once."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import get_args

import geceval.text.phrases as module
from geceval.text.phrases import PhraseKind, output_phrases
from geceval.text.preparation import FORMS
from geceval.text.reading.file_kinds import FORMATS
from geceval.text.tokenisers import TOKENISERS, make_tokeniser
from support.tokeniser_names import tokeniser_names

DOCS = Path(__file__).parents[2] / "docs"


def test_every_segmenter_is_listed() -> None:
    page = (DOCS / "chinese.md").read_text(encoding="utf-8")
    names = {*tokeniser_names("packages")} - {"moses", "syntok", "spacy"}
    assert [name for name in names if f"| `{name}`" not in page] == []


def test_every_format_is_listed() -> None:
    page = (DOCS / "sources.md").read_text(encoding="utf-8")
    assert [name for name in FORMATS.builtin if name not in ("text", "m2") and f"`-i pairs.{name}`" not in page] == []


def test_every_tokeniser_and_form_is_listed() -> None:
    page = (DOCS / "tokenisation.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| (?:`[\w:]+`, )?`([\w:-]+)`(?:, `[\w:]+`)? \| `([^`]*)` \|", page, re.MULTILINE))
    packages = {name for name in tokeniser_names("packages") if f"`{name}" not in page}
    assert packages <= {"jieba", "fugashi", "sudachi", "kiwi", "pythainlp"}  # on chinese.md
    assert {*listed, *tokeniser_names("packages")} >= set(TOKENISERS.builtin)
    names = [name for name in tokeniser_names("builtin") if name != "multigec"]
    assert len(names) == 11
    for name in names:
        assert listed[name] == make_tokeniser(name).name
    assert [form for form in FORMS if f"`{form}`" not in page and f"--normalise {form}`" not in page] == []


# --- phrases of raw output ---


def test_every_kind_has_phrases() -> None:
    assert {kind for kind, _ in output_phrases()} == set(get_args(PhraseKind))


def test_phrases_are_lower_case_with_plain_apostrophes() -> None:
    for kind, phrase in output_phrases():
        assert phrase == phrase.strip().lower(), phrase
        assert len(phrase) > 1 or kind in ("negation", "filler", "acknowledgement", "label")
        assert "’" not in phrase


def test_a_phrase_of_one_kind_does_not_appear_twice_in_a_language() -> None:
    table = Path(module.__file__).with_name("output_phrases.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in table.splitlines() if not line.startswith("#")]
    assert not [pair for pair, number in Counter((kind, language) for kind, language, _ in rows).items() if number > 1]
    for kind, language, phrases in rows:
        listed = phrases.split("|")
        assert len(set(listed)) == len(listed), (kind, language)
