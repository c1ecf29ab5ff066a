"""The simulation of essays: by sentence statistics are wrong, by essay they keep what they state."""

from __future__ import annotations

import re

import pytest

from support.pages import ROOT
from support.scripts import import_script

essays = import_script("research/essays.py")


@pytest.fixture(scope="module")
def shares() -> dict[str, essays.Share]:
    return essays.simulate(30, 0.6, 120, first_seed=10_000)


def test_by_sentence_intervals_are_too_short_and_tests_reject_too_often(shares: dict[str, essays.Share]) -> None:
    assert shares["sentence"].coverage < 0.75
    assert shares["sentence"].rejections > 0.2


def test_by_essay_intervals_and_tests_keep_their_level(shares: dict[str, essays.Share]) -> None:
    assert shares["essay"].coverage > 0.85
    assert shares["essay"].rejections < 0.12


def test_independent_sentences_need_no_essays() -> None:
    shares = essays.simulate(10, 0.0, 120, first_seed=10_000)
    for unit in ("sentence", "essay"):
        assert shares[unit].coverage > 0.89
        assert shares[unit].rejections < 0.12


def test_page_has_all_cells_of_the_simulation() -> None:
    page = (ROOT / "research" / "simulations.md").read_text(encoding="utf-8")
    table = page.split("<!-- begin: essays -->")[1].split("<!-- end: essays -->")[0].strip().splitlines()
    rows = [re.findall(r"[\d.]+", line) for line in table[2:]]
    cells = [(str(size), f"{100 * deviation:.0f}") for size in essays.PER_ESSAY for deviation in essays.DEVIATIONS]
    assert [tuple(row[:2]) for row in rows] == cells
    for *_, by_sentence, by_essay, rejected_by_sentence, rejected_by_essay in (map(float, row) for row in rows):
        assert by_sentence <= by_essay + 1
        assert rejected_by_essay <= min(rejected_by_sentence + 1, 6)
