"""Check scores against bars or another system, and report the checks.

Scores are compared as decimal numbers that are not rounded to the printed digits: a score at the bar is kept, 39.999 is
under 40.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from geceval.base.arguments import counted
from geceval.base.errors import UsageError
from geceval.base.hints import Hint, Option
from geceval.base.ties import TOLERANCE
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import labels, names
from geceval.counting.results import Result
from geceval.counting.scores import number_of
from geceval.resampling.comparison_results import Comparison
from geceval.results.named_figures import Bar
from geceval.scoring.score_report import score_document
from geceval.tables.number_text import UNDEFINED, interval, p_value, plain, round_in_order, signed
from geceval.tables.report import Block, Report
from geceval.tables.table import ReportTable, TableColumn, TableRow

#: Losses up to this are rounding errors.
_ROUNDING = Decimal(repr(TOLERANCE))


@dataclass(frozen=True)
class Check:
    """A score and the bar that it must reach.

    ``value`` and ``against`` are on the scale of tables (times 100 if the metric is in per cent); ``metric`` is the
    label of the metric, with the part of the score.
    """

    kind: ClassVar[str] = "bar"

    system: str
    metric: str
    value: Decimal
    against: Decimal
    signature: str
    higher_is_better: bool = True

    @property
    def loss(self) -> Decimal:
        """Amount by which the score is worse than ``against``; NaN without a value."""
        return self.against - self.value if self.higher_is_better else self.value - self.against

    @property
    def kept(self) -> bool:
        """Whether the score is good enough; a score without a value is not."""
        return not self.value.is_nan() and self.loss <= _ROUNDING

    def to_dict(self) -> dict[str, Any]:
        """Return the check as JSON values, on the scale of tables."""
        names = {"check": self.kind, "system": self.system, "metric": self.metric, "signature": self.signature}
        return names | {"value": float(self.value), **self._against(), "kept": self.kept}

    def _against(self) -> dict[str, Any]:
        return {"fail_under" if self.higher_is_better else "fail_over": float(self.against)}


@dataclass(frozen=True)
class AnswerCheck(Check):
    """A share of lines without an answer, in per cent, and the largest one that is kept; ``metric`` is their kind."""

    kind: ClassVar[str] = "answers"


@dataclass(frozen=True)
class RivalCheck(Check):
    """A score and the score of another system, the rival.

    ``difference`` is ``value`` - ``against``; ``low`` and ``high`` bound its bootstrap interval of the level 1 - alpha.
    ``p`` is corrected for the number of tests; ``statistics`` is the signature of the test. The check fails if the
    score is significantly worse.
    """

    kind: ClassVar[str] = "not-worse-than"

    rival: str = ""
    difference: float = 0.0
    low: float = 0.0
    high: float = 0.0
    p: float = 1.0
    alpha: float = 0.05
    statistics: str = ""

    @property
    def kept(self) -> bool:
        return not self.loss.is_nan() and not (self.loss > _ROUNDING and self.p < self.alpha)

    def _against(self) -> dict[str, Any]:
        names = ("rival", "difference", "low", "high", "p", "alpha", "statistics")
        return {"rival_value": float(self.against)} | {name: getattr(self, name) for name in names}


def exact(value: float, in_percent: bool) -> Decimal:
    """Return a score on the scale of tables, from its shortest decimal form."""
    number = Decimal(repr(float(value)))
    return number.scaleb(2) if in_percent and number.is_finite() else number


# --- checks of results ---


@dataclass(frozen=True)
class Scores:
    """The scores of systems under metrics."""

    metrics: Sequence[AnyMetric]
    results: Mapping[str, Sequence[Result]]

    def rows(self) -> Iterator[tuple[str, dict[AnyMetric, tuple[str, Result]]]]:
        """Yield each system with the label and the result of each metric."""
        heads = labels(self.metrics)
        for system, row in self.results.items():
            yield system, dict(zip(self.metrics, zip(heads, row, strict=True), strict=True))


def against_bars(scores: Scores, bars: Sequence[Bar]) -> Iterator[Check]:
    """Yield the check of each system against each bar."""
    for system, row in scores.rows():
        for bar in bars:
            metric, part = bar.figure.metric, bar.figure.part
            label, result = row[metric]
            score = result.score()
            value = exact(number_of(score.parts[part]) if part else score.value, bar.figure.in_percent)
            head = f"{label} {part}".rstrip()
            yield Check(system, head, value, bar.points, score.signature, bar.higher_is_better)


def against_shares(scores: Scores, shares: Mapping[str, Decimal]) -> Iterator[Check]:
    """Yield the check of each system against the largest share of each kind of lines without an answer, in per cent.

    Raises UsageError if the lines of a system were not counted, or its file does not contain how answers ended.
    """
    for system, row in scores.results.items():
        account = row[0].outputs
        for kind, points in shares.items():
            if account is None:
                raise UsageError(f"{kind}={plain(points)}: the lines of {system} are edits, or were not checked")
            if kind == "cut" and not account.has_ends:
                fields = " with finish_reason, stop_reason or incomplete_details next to the answers"
                message = f"cut={plain(points)}: the file of {system} does not contain how answers ended"
                raise UsageError(message, hint=Hint(Option("table", "FILE"), fields))
            number = len(account.failures[kind])
            value = Decimal(100 * number) / account.lines
            yield AnswerCheck(system, kind, value, points, "", higher_is_better=False)


def against_rival(scores: Scores, rival: str, comparison: Comparison) -> Iterator[Check]:
    """Yield the check of each system against the rival under each tested metric."""
    rows, metrics = dict(scores.rows()), dict(zip(names(scores.metrics), scores.metrics, strict=True))
    for pair in comparison.pairs:
        metric = metrics[pair.metric]
        (label, result), (_, rival_result) = rows[pair.a][metric], rows[rival][metric]
        value, against = (exact(row.score().value, metric.scale.in_percent) for row in (result, rival_result))
        signature = result.score().signature
        factor = metric.scale.factor
        bounds = (pair.difference * factor, pair.low * factor, pair.high * factor)
        test = (pair.p_adjusted, comparison.alpha, comparison.signature)
        yield RivalCheck(
            pair.a, label, value, against, signature, metric.scale.higher_is_better, rival, *bounds, *test
        )  # fmt: skip


#: Maximum number of annotations of one kind that GitHub shows for a step.
MOST_ANNOTATIONS = 10


def gate_report(checks: Sequence[Check], scores: Scores, inputs: Mapping[str, Any], digits: int) -> Report:
    """Return the report of checks of scores.

    ``digits`` is the number of decimals of scores.
    """

    def content() -> Mapping[str, Any]:
        results = [score_document(name, result, "corpus") for name, row in scores.results.items() for result in row]
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
    checked = counted(len(checks), "check")
    return f"{failed} of {checked} failed" if failed else f"{checked} passed"


# --- lines ---


def check_line(check: Check, digits: int) -> str:
    """Return a check as one line: ``noisy: GREEN 52.53 < 60``."""
    text = _rival_line(check, digits) if isinstance(check, RivalCheck) else _bar_line(check, digits)
    return f"{check.system}: {check.metric} {text}"


def failed_lines(checks: Sequence[Check], digits: int) -> str:
    """Return the failed checks, one per line."""
    return "\n".join(f"  {check_line(check, digits)}" for check in checks if not check.kept)


def _bar_line(check: Check, digits: int) -> str:
    sign = ("≥" if check.kept else "<") if check.higher_is_better else ("≤" if check.kept else ">")
    if check.value.is_nan():
        return f"is undefined, {'≥' if check.higher_is_better else '≤'} {plain(check.against)} is required"
    of_answers = " % of the answers" if isinstance(check, AnswerCheck) else ""
    return f"{_value(check, digits)}{of_answers} {sign} {plain(check.against)}"


def _rival_line(check: RivalCheck, digits: int) -> str:
    if check.loss.is_nan():
        return f"{_value(check, digits)}, {check.rival} {_against(check, digits)}: the difference is undefined"
    text = f"difference {signed(_value_of(check.difference, digits))}, {_level(check)} "
    text += interval(check.low, check.high, digits)
    p = p_value(check.p)
    is_small = p.startswith("<")
    return f"{_value(check, digits)}, {check.rival} {_against(check, digits)}: {text}, p {'' if is_small else '= '}{p}"


def _value(check: Check, digits: int) -> str:
    return round_in_order(check.value, digits, check.against)


def _against(check: Check, digits: int) -> str:
    return round_in_order(check.against, digits, check.value)


def _value_of(number: float, digits: int) -> str:
    return round_in_order(Decimal(repr(number)), digits, Decimal(0))


def _level(check: RivalCheck) -> str:
    return f"{100 * (1 - check.alpha):g} % interval"


# --- tables ---


def _tables(checks: Sequence[Check], digits: int) -> Iterator[Block]:
    """Yield a table for each kind of check, failed checks first."""
    for kind, (heads, cells) in _TABLES.items():
        group = sorted((check for check in checks if type(check) is kind), key=lambda check: check.kept)
        if group:
            rows: list[TableRow] = [
                [row.system, row.metric, _value(row, digits), *cells(row, digits), "yes" if row.kept else "no"]
                for row in group
            ]
            numbers = [TableColumn(head, "count") for head in heads(group[0])]
            named = TableColumn("answers" if kind is AnswerCheck else "metric")
            columns = [TableColumn("system"), named, *numbers, TableColumn("passed")]
            tests = [check for check in group if isinstance(check, RivalCheck)]
            signatures = [check.signature for check in group] + [test.statistics for test in tests]
            notes = list(filter(None, dict.fromkeys(signatures)))
            p = "p: corrected for all tests (Holm). A system fails if it is worse and p < {:g}."
            legend = [p.format(tests[0].alpha)] if tests else []
            yield ReportTable(columns, rows, notes, legend=legend)


def _bar_cells(check: Check, digits: int) -> list[str]:
    return [f"{'≥' if check.higher_is_better else '≤'} {plain(check.against)}"]


def _rival_cells(check: RivalCheck, digits: int) -> list[str]:
    difference = signed(_value_of(check.difference, digits))
    p = UNDEFINED if math.isnan(check.p) else p_value(check.p)
    return [_against(check, digits), difference, interval(check.low, check.high, digits), p]


#: Heads of the table of each kind of check, and the cells between score and verdict.
_TABLES: Mapping[type[Check], tuple[Callable[[Any], Sequence[str]], Callable[[Any, int], Sequence[str]]]] = {
    Check: (lambda check: ("score", "threshold"), _bar_cells),
    AnswerCheck: (lambda check: ("per cent", "threshold"), _bar_cells),
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
    annotated = failed if len(failed) <= MOST_ANNOTATIONS else failed[: MOST_ANNOTATIONS - 1]
    for check in annotated:
        signature = f" ({check.signature})" if check.signature else ""
        yield _error(f"{check.metric} of {check.system}", f"{check_line(check, digits)}{signature}")
    if rest := failed[len(annotated) :]:
        yield _error(f"{len(rest)} more", "\n".join(check_line(check, digits) for check in rest))


def _error(title: str, text: str) -> str:
    return f"::error title={_escaped(title).replace(':', '%3A').replace(',', '%2C')}::{_escaped(text)}\n"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
