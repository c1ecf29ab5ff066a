"""Capitals and punctuation that a text lost, or that most of its words have."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from geceval import Corpus, check
from geceval.extending import Finding

SOURCE = [f"Yesterday Anna 's brother go to Rome , and he buyed {n} apples ." for n in range(24)]
CLEAN = [line.replace("go", "went").replace("buyed", "bought") for line in SOURCE]


def letters(system: list[str], source: list[str] = SOURCE) -> list[Finding]:
    findings = check(Corpus(source, [CLEAN], {"it": system}))
    return [finding for finding in findings if (finding.check, finding.file) == ("letters", "system it")]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (str.capitalize, "no word after the first one of a line begins with a capital; 48 of the source do"),
        (str.title, "216 of 216 words after the first ones begin with a capital; of the source 48 do"),
        (lambda line: line.replace(" ,", ""), "it has no ,; the source has 24"),
        (lambda line: line.replace(" ,", "").replace("'", ""), "it has no ' or ,; the source has 48"),
        (
            lambda line: line[:-2].replace("Rome", "St. Ives"),
            "few of its lines end with punctuation; 24 of 24 of the source do",
        ),
        (lambda line: " , ".join(line.split()), "it has 336 ,; the source has 24"),
    ],
)
def test_difference_of_all_lines_is_named(damage: Callable[[str], str], message: str) -> None:
    [finding] = letters(list(map(damage, CLEAN)))
    assert finding.message == f"{message} in the examined lines"
    assert letters([*map(damage, CLEAN[:6]), *CLEAN[6:]]) == []


def test_marks_that_are_replaced_and_lines_in_one_case_are_not_lost() -> None:
    assert letters([line.replace(" ,", " ;") for line in CLEAN]) == []
    assert letters([line.lower() for line in CLEAN]) == []
    assert letters([line.upper() for line in CLEAN]) == []
    assert letters(CLEAN, [line.replace(",", "").replace("R", "r") for line in SOURCE]) == []


def test_reference_that_is_the_source_is_named() -> None:
    findings = check(Corpus(SOURCE, [CLEAN, SOURCE], {"it": CLEAN}))
    assert [(finding.check, finding.file) for finding in findings if "source" in finding.message] == [
        ("equal", "reference 1")
    ]
