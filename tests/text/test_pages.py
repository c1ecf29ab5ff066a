"""The code of docs/chinese.md and docs/detection.md runs; their tables name what there is."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from geceval.text.tokenisers import SEGMENTERS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["chinese.md", "detection.md"])
def test_the_code_of_a_page(page: str) -> None:
    results = doctest.testfile(str(DOCS / page), module_relative=False, encoding="utf-8")
    assert results.attempted > 2
    assert results.failed == 0


def test_every_segmenter_is_listed() -> None:
    page = (DOCS / "chinese.md").read_text(encoding="utf-8")
    assert [name for name in (*SEGMENTERS, "icu") if f"| `{name}`" not in page] == []
