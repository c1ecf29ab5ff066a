"""The tables of docs/chinese.md name what there is."""

from __future__ import annotations

from pathlib import Path

from support.tokeniser_names import tokeniser_names

DOCS = Path(__file__).parents[2] / "docs"


def test_every_segmenter_is_listed() -> None:
    page = (DOCS / "chinese.md").read_text(encoding="utf-8")
    names = {*tokeniser_names("packages")} - {"moses", "syntok", "spacy"}
    assert [name for name in names if f"| `{name}`" not in page] == []
