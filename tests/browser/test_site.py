"""The site of the documentation (make docs), read from its folder: search works, and it asks for nothing elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from browser.conftest import Open

SITE = Path(__file__).parents[2] / "build" / "site"


@pytest.mark.skipif(not SITE.is_dir(), reason="no site here; make docs builds it")
def test_search_without_a_network(opened: Open) -> None:
    page = opened(SITE / "index.html")
    page.wait_for_timeout(2000)  # until its program listens
    page.keyboard.press("Control+k")
    page.wait_for_timeout(1000)
    for letter in "lattice":  # each one asks the worker anew
        page.keyboard.type(letter)
        page.wait_for_timeout(100)
    page.get_by_text(re.compile(r"^\d+ results?$")).first.wait_for(timeout=10_000)
