"""docs/checks.md is true: it has a row for every check."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from geceval.counting.checks.findings import HINTS, Limits
from geceval.counting.checks.text_checks import TRAITS

PAGE = (Path(__file__).parents[3] / "docs" / "checks.md").read_text(encoding="utf-8")


def test_every_check_has_a_row() -> None:
    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == [
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
            "types",
            "forms",
            "evidence",
        )
    ]
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == set(HINTS)


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
