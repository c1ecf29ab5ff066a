"""``geceval false-alarms``: what systems change in sentences that need no change."""

from __future__ import annotations

import argparse

from geceval.cli.annotating import annotator_or_usual
from geceval.cli.common import add_checks_argument, add_data_arguments, add_output_arguments, write_output

EXAMPLES = """\
examples:
  geceval false-alarms -s source.txt -r ref0.txt ref1.txt -c sys1.txt sys2.txt
  geceval false-alarms --gold gold.m2 -c sys1.m2 --rule all any each

A sentence needs no change if all references leave it alone (all, the default), if any does, or by each reference by
itself, of which the mean is taken. Texts are compared as they are: case and blanks count.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add_data_arguments(parser)
    parser.add_argument(
        "--rule", nargs="+", choices=["all", "any", "each"], default=["all"], help="who leaves it alone (default: all)"
    )
    add_output_arguments(parser)
    add_checks_argument(parser)


def run(args: argparse.Namespace) -> None:
    from geceval.cli.common import collected, data_files, given_files
    from geceval.counting.evaluation import evaluate
    from geceval.metrics.false_alarms import FalseAlarms
    from geceval.report.report import render
    from geceval.report.scores.false_alarm_report import false_alarm_report

    annotator = annotator_or_usual(args)
    metrics = [FalseAlarms(rule, annotator) for rule in dict.fromkeys(args.rule)]
    with collected(quiet=args.quiet) as told:
        results = evaluate(data_files(args), metrics, views=["corpus"], threads=args.threads, checks=args.checks)
    write_output(args, render(false_alarm_report(results, given_files(args, told)), args.format, args.digits))
