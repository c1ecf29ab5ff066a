"""docs/tokenisation.md is true: its code yields what it says, its tables list what there is."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from geceval.text.preparation import FORMS
from geceval.text.tokenisers import TOKENISERS, make_tokeniser

PAGE = Path(__file__).parents[2] / "docs" / "tokenisation.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_code_of_the_page() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert results.attempted > 5
    assert results.failed == 0


def test_every_tokeniser_and_form_is_listed() -> None:
    listed = dict(re.findall(r"^\| (?:`[\w:]+`, )?`([\w:]+)`(?:, `[\w:]+`)? \| `([^`]*)` \|", TEXT, re.MULTILINE))
    assert {name.partition(":")[0] for name in listed} >= set(TOKENISERS.builtin) - {"moses"}
    for name in ("english", "treebank", "char", "grapheme"):
        assert listed[name] == make_tokeniser(name).name
    assert [form for form in FORMS if f"`{form}`" not in TEXT and f"--normalise {form}`" not in TEXT] == []
