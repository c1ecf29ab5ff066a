"""docs/tokenisation.md is true: its tables list what there is."""

from __future__ import annotations

import re
from pathlib import Path

from geceval.text.preparation import FORMS
from geceval.text.tokenisers import TOKENISERS, make_tokeniser
from support.tokeniser_names import tokeniser_names

TEXT = (Path(__file__).parents[2] / "docs" / "tokenisation.md").read_text(encoding="utf-8")


def test_every_tokeniser_and_form_is_listed() -> None:
    listed = dict(re.findall(r"^\| (?:`[\w:]+`, )?`([\w:-]+)`(?:, `[\w:]+`)? \| `([^`]*)` \|", TEXT, re.MULTILINE))
    assert {name.partition(":")[0] for name in listed} >= set(TOKENISERS.builtin) - {"moses"}
    names = [name for name in tokeniser_names("builtin") if name != "multigec"]
    assert len(names) == 9
    for name in names:
        assert listed[name] == make_tokeniser(name).name
    assert [form for form in FORMS if f"`{form}`" not in TEXT and f"--normalise {form}`" not in TEXT] == []
