"""``geceval score`` in continuous integration: bars, a baseline, a summary, exit status 1 for what is not kept."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from geceval.base.errors import BelowTheBarError, UsageError
from geceval.base.output_files import write_errors
from geceval.cli.annotating import annotator_or_usual
from geceval.cli.common import writing
from geceval.counting.metric_names import make_metric

if TYPE_CHECKING:
    from geceval.counting.evaluation import Result
    from geceval.counting.metric import Metric
    from geceval.studies.comparison.bars import Baseline, Check

#: What no ``-m`` knows, but a bar may name.
FALSE_ALARMS = "false-alarms"
#: The format of ``--format`` that is annotations.
GITHUB = "github"
#: The file to which GitHub shows what is appended.
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"


def add_gate_arguments(parser: argparse.ArgumentParser) -> None:
    """Bars, the baseline, the summary."""
    gate = parser.add_argument_group(
        "bars", "for continuous integration; exit status 1 where one is not kept. Points: the numbers that tables have"
    )
    several: dict[str, Any] = {"nargs": "+", "action": "extend", "default": [], "metavar": "METRIC=POINTS"}
    gate.add_argument("--fail-under", **several, help="such as errant=40 green:beta=0.5=55")
    over = "where lower is better: false-alarms=5, the share of right sentences that are changed"
    gate.add_argument("--fail-over", **several, help=over)
    gate.add_argument("--baseline", metavar="FILE", help="an earlier run's scores, as -f json -o FILE wrote them")
    gate.add_argument("--max-drop", metavar="POINTS", help="how much worse than the baseline is kept (default: 0)")
    gate.add_argument(
        "--summary",
        metavar="FILE",
        help=f"write what was found there, in Markdown (default: append to ${STEP_SUMMARY})",
    )


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


def gate_metrics(args: argparse.Namespace) -> list[Metric[Any]]:
    """The metrics that bars ask for beside those of ``-m``."""
    from geceval.studies.comparison.bars import bar

    if FALSE_ALARMS not in [bar(text)[0].casefold() for text in args.fail_over]:
        return []
    if args.level != "corpus":
        raise UsageError(f"{FALSE_ALARMS} is a score of corpora, not of --level {args.level}")
    return [make_metric("false-alarms", annotator=annotator_or_usual(args))]


def asked_gate(args: argparse.Namespace, metrics: Sequence[Metric[Any]], compared: int) -> Gate | None:
    """What the scores are to be held against, the first ``compared`` metrics against the baseline; None: nothing is
    asked. Raises UsageError for what cannot be."""
    from geceval.studies.comparison.bars import points, read_baseline

    asked = [*args.fail_under, *args.fail_over]
    if not asked and args.baseline is None:
        for option, value in (("--max-drop", args.max_drop), ("--summary", args.summary)):
            if value is not None:
                raise UsageError(f"{option} is for what --fail-under, --fail-over or --baseline ask")
        if args.format == GITHUB:
            raise UsageError("--format github tells what --fail-under, --fail-over or --baseline found")
        return None
    if args.level == "sentence" or args.by is not None or args.group is not None:
        raise UsageError("bars are for scores of whole corpora: not with --level sentence, --by or --group")
    if args.max_drop is not None and args.baseline is None:
        raise UsageError("--max-drop is how much worse than --baseline a score may be, and there is none")
    allowed = points(args.max_drop or "0")
    if allowed < 0:
        raise UsageError(f"--max-drop is {args.max_drop}; it must be at least 0")
    bars = [_placed(text, metrics, "--fail-under") for text in args.fail_under]
    bars += [_placed(text, metrics, "--fail-over") for text in args.fail_over]
    return Gate(bars, compared, None if args.baseline is None else read_baseline(args.baseline), allowed)


def _placed(text: str, metrics: Sequence[Metric[Any]], option: str) -> tuple[int, Decimal]:
    """The place of the metric that an option names, and its bar."""
    from geceval.counting.metric_labels import labels
    from geceval.report.scores.score_report import metric_called
    from geceval.studies.comparison.bars import bar

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


def for_github(args: argparse.Namespace, checks: Sequence[Check]) -> str:
    """What GitHub shows beside a change."""
    from geceval.report.scores.bar_checks import workflow_commands

    return workflow_commands(checks, args.digits)


def judged(args: argparse.Namespace, checks: Sequence[Check]) -> None:
    """Write the summary. Raises BelowTheBarError that says what was not kept."""
    from geceval.report.scores.bar_checks import lines, markdown

    text = markdown(checks, args.digits)
    if args.summary is not None:
        with writing(args.summary) as out:
            out.write(text)
    elif step := os.environ.get(STEP_SUMMARY):
        with write_errors(step), open(step, "a", encoding="utf-8", errors="surrogateescape") as out:  # noqa: PTH123
            out.write(f"{text}\n")
    failed = sum(not check.kept for check in checks)
    if failed:
        raise BelowTheBarError(f"{failed} of {len(checks)} checks failed\n{lines(checks, args.digits)}")
