"""docs/sources.md lists the formats there are."""

from __future__ import annotations

from pathlib import Path

from geceval.text.reading.formats import FORMATS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")


def test_every_format_is_listed() -> None:
    assert [name for name in FORMATS.builtin if name not in ("text", "m2") and f"`-i pairs.{name}`" not in PAGE] == []
