"""Table of the checks: hints, thresholds and descriptions.

The thresholds were measured on public corpora and on damaged versions of them (tests/conformance/test_checks.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from geceval._kernel import LINE_MARKS
from geceval.base.hints import AnyHint, Hint, Option, hint_of_template
from geceval.base.package_tables import table_rows
from geceval.edits.languages import LANGUAGES
from geceval.text.m2.blank_tokens import DOUBLED_BLANKS


class CheckRow(NamedTuple):
    """Row of the table.

    Attributes:
        name: Name of the check.
        hint: Recommended action.
        hint_without_metrics: Recommended action where nothing is scored.
        is_minor: Whether scores mean what they say all the same: the output itself is odd.
        thresholds: Thresholds by name.
        description: Description of the lines (and of a single one where it differs in more than the verb), or of the
            two values of a property.
    """

    name: str
    hint: AnyHint
    hint_without_metrics: AnyHint
    is_minor: bool
    thresholds: Mapping[str, float]
    description: str


class LineCheck(NamedTuple):
    """CheckRow of all lines of a system, compared with the source.

    Attributes:
        name: Name of the check and of the kernel's mark.
        least: Share of lines that more lines must exceed.
        messages: Description of the lines, and of a single one.
        most: Largest share of lines; another check reports larger ones.
        certain: Number of lines that more lines must exceed, except in short files, if the fault is no correction.
    """

    name: str
    least: float
    messages: tuple[str, str]
    most: float
    certain: float | None


def _read_checks() -> dict[str, CheckRow]:
    languages = ", ".join(name for name in LANGUAGES if name != "en")
    checks = {}
    for name, hint, weight, thresholds, description in table_rows(Path(__file__).with_name("checks.tsv")):
        pairs = (threshold.split("=") for threshold in thresholds.split())
        values = {key: float(value) for key, value in pairs}
        first, _, of_metrics = hint.format(languages=languages, doubled_blanks=DOUBLED_BLANKS).partition("¦")
        hints = hint_of_template(first + of_metrics), hint_of_template(first)
        checks[name] = CheckRow(name, *hints, weight == "minor", values, description)
    return checks


#: The checks by name.
CHECKS = _read_checks()


def threshold(check: str, name: str) -> float:
    """Return a threshold of a check.

    Raises:
        KeyError: If the table lacks it.
    """
    return CHECKS[check].thresholds[name]


def _line_check(mark: str) -> LineCheck:
    thresholds = CHECKS[mark].thresholds
    plural, _, singular = CHECKS[mark].description.partition("|")
    verb, _, rest = plural.partition(" ")
    messages = plural, singular or f"{'is' if verb == 'are' else verb + 's'} {rest}"
    return LineCheck(mark, thresholds["share"], messages, thresholds["most"], thresholds.get("certain"))


#: Checks of lines, one for each mark of the kernel.
LINE_CHECKS = tuple(map(_line_check, LINE_MARKS))
#: Hints of the checks.
HINTS = {name: check.hint for name, check in CHECKS.items()}
#: Checks of outputs whose scores mean what they say.
MINOR = frozenset(name for name, check in CHECKS.items() if check.is_minor)
#: Checks of lines whose hint is to clean them.
CLEANABLE = frozenset(
    name for name in LINE_MARKS if isinstance(hint := HINTS[name], Hint) and hint.first_option == Option("clean", "llm")
)
