"""The site of the documentation (make docs), opened as files: its search works without a server or a network."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from browser.conftest import Open

SITE = Path(__file__).parents[2] / "build" / "site"


@pytest.mark.skipif(not SITE.is_dir(), reason="no site here; make docs builds it")
def test_search_for_a_word_without_a_network_lists_its_pages(opened: Open) -> None:
    page = opened(SITE / "index.html", wait_for="main")
    page.wait_for_timeout(2000)  # until its program listens
    page.keyboard.press("Control+k")
    page.wait_for_timeout(1000)
    for letter in "annotator":  # each one asks the worker anew
        page.keyboard.type(letter)
        page.wait_for_timeout(100)
    results = page.get_by_text(re.compile(r"^\d+ results?$")).first
    results.wait_for(timeout=10_000)
    assert int(results.inner_text().split()[0]) > 0
