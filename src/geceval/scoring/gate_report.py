"""Report of checks of scores: tables, a message, and annotations of GitHub."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from geceval.scoring.bars import Check, RivalCheck, Scores
from geceval.scoring.score_report import document
from geceval.tables.numbers import interval, p_value, plain, rounded_beside, signed
from geceval.tables.report import Block, Report
from geceval.tables.table import ReportTable, TableColumn, TableRow

#: Maximum number of annotations of one kind that GitHub shows for a step.
MOST_ANNOTATIONS = 10


def gate_report(checks: Sequence[Check], scores: Scores, inputs: Mapping[str, Any], digits: int) -> Report:
    """Return the report of checks of scores.

    ``digits`` is the number of decimals of scores.
    """

    def content() -> Mapping[str, Any]:
        results = [document(name, result, "corpus") for name, row in scores.results.items() for result in row]
        return {**inputs, "results": results, "checks": [check.to_dict() for check in checks]}

    return Report(
        "geceval/gate@1",
        content,
        lambda: [f"geceval gate: {outcome(checks)}\n", *_tables(checks, digits)],
        annotations=lambda: "".join(_annotations(checks, digits)),
    )


def outcome(checks: Sequence[Check]) -> str:
    """Return the number of checks that failed or passed as text."""
    failed = sum(not check.kept for check in checks)
    checked = f"{len(checks)} check{'' if len(checks) == 1 else 's'}"
    return f"{failed} of {checked} failed" if failed else f"{checked} passed"


# --- lines ---


def line(check: Check, digits: int) -> str:
    """Return a check as one line: ``noisy: GREEN 52.53 < 60``."""
    text = _rival_line(check, digits) if isinstance(check, RivalCheck) else _bar_line(check, digits)
    return f"{check.system}: {check.metric} {text}"


def failed_lines(checks: Sequence[Check], digits: int) -> str:
    """Return the failed checks, one per line."""
    return "\n".join(f"  {line(check, digits)}" for check in checks if not check.kept)


def _bar_line(check: Check, digits: int) -> str:
    sign = ("≥" if check.kept else "<") if check.higher_is_better else ("≤" if check.kept else ">")
    if check.value.is_nan():
        return f"has no value, {'≥' if check.higher_is_better else '≤'} {plain(check.against)} is required"
    return f"{_value(check, digits)} {sign} {plain(check.against)}"


def _rival_line(check: RivalCheck, digits: int) -> str:
    found = f"difference {signed(_value_of(check.difference, digits))}, {_level(check)} "
    found += interval(check.low, check.high, digits)
    p = p_value(check.p)
    is_small = p.startswith("<")
    return f"{_value(check, digits)}, {check.rival} {_against(check, digits)}: {found}, p {'' if is_small else '= '}{p}"


def _value(check: Check, digits: int) -> str:
    return rounded_beside(check.value, digits, check.against)


def _against(check: Check, digits: int) -> str:
    return rounded_beside(check.against, digits, check.value)


def _value_of(number: float, digits: int) -> str:
    return rounded_beside(Decimal(repr(number)), digits, Decimal(0))


def _level(check: RivalCheck) -> str:
    return f"{100 * (1 - check.alpha):g} % interval"


# --- tables ---


def _tables(checks: Sequence[Check], digits: int) -> Iterator[Block]:
    """Yield a table for each kind of check, failed checks first."""
    for kind, (heads, cells) in _TABLES.items():
        own = sorted((check for check in checks if type(check) is kind), key=lambda check: check.kept)
        if own:
            rows: list[TableRow] = [
                [one.system, one.metric, _value(one, digits), *cells(one, digits), "yes" if one.kept else "no"]
                for one in own
            ]
            columns = [*map(TableColumn, ("system", "metric")), *(TableColumn(head, "count") for head in heads(own[0]))]
            tests = [check for check in own if isinstance(check, RivalCheck)]
            notes = list(dict.fromkeys([check.signature for check in own] + [test.statistics for test in tests]))
            p = "p: corrected for all tests (Holm). A system fails if it is worse and p < {:g}."
            legend = [p.format(test.alpha) for test in tests[:1]]
            yield ReportTable([*columns, TableColumn("kept")], rows, notes, legend=legend)


def _bar_cells(check: Check, digits: int) -> list[str]:
    return [f"{'≥' if check.higher_is_better else '≤'} {plain(check.against)}"]


def _rival_cells(check: RivalCheck, digits: int) -> list[str]:
    difference = signed(_value_of(check.difference, digits))
    return [_against(check, digits), difference, interval(check.low, check.high, digits), p_value(check.p)]


#: Heads of the table of each kind of check, and the cells between score and verdict.
_TABLES: Mapping[type[Check], tuple[Callable[[Any], Sequence[str]], Callable[[Any, int], Sequence[str]]]] = {
    Check: (lambda check: ("score", "bar"), _bar_cells),
    RivalCheck: (lambda check: ("score", check.rival, "difference", _level(check), "p"), _rival_cells),
}


# --- annotations ---


def _annotations(checks: Sequence[Check], digits: int) -> Iterator[str]:
    """Yield workflow commands of GitHub: errors for failed checks, or one notice.

    The last error contains all checks beyond the number that GitHub shows.
    """
    failed = [check for check in checks if not check.kept]
    if not failed:
        yield f"::notice title=geceval gate::{outcome(checks)}\n"
        return
    shown = failed if len(failed) <= MOST_ANNOTATIONS else failed[: MOST_ANNOTATIONS - 1]
    for check in shown:
        yield _error(f"{check.metric} of {check.system}", f"{line(check, digits)} ({check.signature})")
    if rest := failed[len(shown) :]:
        yield _error(f"{len(rest)} more", "\n".join(line(check, digits) for check in rest))


def _error(title: str, text: str) -> str:
    return f"::error title={_escaped(title).replace(':', '%3A').replace(',', '%2C')}::{_escaped(text)}\n"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
