"""docs/checks.md is true: it has a row for every check."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from geceval.counting.checks.text_checks import HINTS, LINE_CHECKS, TRAITS, Limits, LineCheck, OutputAccount

PAGE = (Path(__file__).parents[3] / "docs" / "checks.md").read_text(encoding="utf-8")


def test_every_check_has_a_row() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.partition("## Account of outputs")[0], re.MULTILINE)
    assert rows == [
        *(
            "empty",
            "tokens",
            "unicode",
            "quotes",
            "overlap",
            "swapped",
            "equal",
            "english",
            "blanks",
            "raw",
            *(check.name for check in LINE_CHECKS if check.name != "raw"),
            "replaced",
            "unanswered",
            "outputs",
            "types",
            "forms",
            "evidence",
        )
    ]
    assert set(rows) == set(HINTS)


@pytest.mark.parametrize(
    "said",
    [
        f"fewer than {Limits.least} lines",
        f"more than {str(Limits.unlike).lstrip('0')} of the lines share less than half",
        f"more than {str(TRAITS['tokens'].large[0]).lstrip('0')} glued to words on one side",
        f"less than {str(TRAITS['tokens'].small[0]).lstrip('0')} on the other; from {TRAITS['tokens'].least} marks on",
        f"less than {str(Limits.corrected).lstrip('0')} are removed",
        f"from {Limits.changes} such changes on",
        f"from {Limits.words} words, or {Limits.letters} letters, on",
        f"The first {Limits.leading}, then stretches of {Limits.stretch}: one line in {Limits.one_in}",
        f"the first {Limits.marked} lines",
        f"from {TRAITS['quotes'].least} on",
        f"more than {Limits.unbroken} letters to a token",
    ],
)
def test_the_page_has_the_thresholds_of_the_code(said: str) -> None:
    assert said in PAGE.replace("\n", " ")


@pytest.mark.parametrize("check", LINE_CHECKS, ids=lambda check: check.name)
def test_the_page_has_the_share_of_each_check_of_lines(check: LineCheck) -> None:
    [row] = re.findall(rf"^\| `{check.name}` \|([^|]*)\|", PAGE.partition("## Account of outputs")[0], re.MULTILINE)
    assert (f"more than {str(check.least).lstrip('0')}" if check.least else "; any") in row
    assert ("half of them" in row) == (check.most < 1)


def test_an_account_has_a_row_for_each_number() -> None:
    table = PAGE.partition("## Account of outputs")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [*OutputAccount().to_dict()]
