"""``geceval score`` in continuous integration: bars, a baseline, a summary, exit status 1 for what is not kept."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from geceval.base.errors import BelowTheBarError, UsageError
from geceval.base.output_files import write_errors
from geceval.cli.output import write_text
from geceval.cli.score_options import BarOptions, bar
from geceval.counting.metric_names import labels

if TYPE_CHECKING:
    from geceval.counting.consumers import Result
    from geceval.counting.metric import Metric
    from geceval.studies.comparison.bars import Baseline, Check

#: The file to which GitHub shows what is appended.
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"


@dataclass(frozen=True)
class Gate:
    """What scores are held against: bars with the place of their metric, and the baseline, which has the first
    ``compared`` metrics."""

    bars: Sequence[tuple[int, Decimal]]
    compared: int
    baseline: Baseline | None
    allowed: Decimal

    def checks(self, results: Mapping[str, Sequence[Result]], level: Any) -> list[Check]:
        """The checks of all systems."""
        from geceval.studies.comparison.bars import against_bars, against_baseline

        found = list(against_bars(results, self.bars, level))
        if self.baseline is not None:
            own = {name: row[: self.compared] for name, row in results.items()}
            found += against_baseline(own, self.baseline, self.allowed, level)
        return found


def gate_of(asked: BarOptions, metrics: Sequence[Metric[Any]], compared: int) -> Gate:
    """Return what the scores are held against, the first ``compared`` metrics against the baseline.
    Raises UsageError for a bar that no metric has."""
    from geceval.studies.comparison.bars import read_baseline

    bars = [_placed(text, metrics, "--fail-under") for text in asked.fail_under]
    bars += [_placed(text, metrics, "--fail-over") for text in asked.fail_over]
    return Gate(bars, compared, None if asked.baseline is None else read_baseline(asked.baseline), asked.allowed)


def _placed(text: str, metrics: Sequence[Metric[Any]], option: str) -> tuple[int, Decimal]:
    """The place of the metric that an option names, and its bar."""
    from geceval.report.scores.score_report import metric_called

    name, points = bar(text)
    heads = labels(metrics)
    found = metric_called(name, heads)
    if found is None:
        raise UsageError(f"{option} {text}: {name!r} is not one of {', '.join(heads)}")
    at = heads.index(found)
    if metrics[at].higher_is_better != (option == "--fail-under"):
        which, other = ("higher", "--fail-under") if metrics[at].higher_is_better else ("lower", "--fail-over")
        raise UsageError(f"{option} {text}: {which} is better", hint=f"{other} {text}")
    return at, points


def report_checks(checks: Sequence[Check], digits: int, summary: str | None) -> None:
    """Write the summary. Raises BelowTheBarError that lists what was not kept."""
    from geceval.report.scores.bar_checks import lines, markdown

    text = markdown(checks, digits)
    if summary is not None:
        write_text(summary, text)
    elif step := os.environ.get(STEP_SUMMARY):
        with write_errors(step), open(step, "a", encoding="utf-8", errors="surrogateescape") as out:  # noqa: PTH123
            out.write(f"{text}\n")
    failed = sum(not check.kept for check in checks)
    if failed:
        raise BelowTheBarError(f"{failed} of {len(checks)} checks failed\n{lines(checks, digits)}")
