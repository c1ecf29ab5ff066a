"""``geceval show``: sentences with their edits inline, the ones worth looking at first."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from geceval.base.arguments import KERNEL_SEEDS
from geceval.base.errors import UsageError
from geceval.cli.annotating import annotator_or_usual
from geceval.cli.common import (
    add_checks_argument,
    add_common_output,
    add_data_arguments,
    add_metric_argument,
    asked_metrics,
    collected,
    data_files,
    given_files,
    natural,
    terminal_width,
    whole_number,
    write_output,
    writing,
)
from geceval.cli.progress import progress

if TYPE_CHECKING:
    from geceval.counting.metric import Metric
    from geceval.report.sentences.shown_sentences import ScoreDigits
    from geceval.studies.explaining.examined_sentences import Examined
    from geceval.studies.explaining.sentence_selection import Wanted

EXAMPLES = """\
examples:
  geceval show -s source.txt -r ref0.txt ref1.txt -c system.txt
  geceval show --gold gold.m2 -c system.txt --type VERB:TENSE --outcome missed
  geceval show -s source.txt -r ref*.txt -c old.txt new.txt --system new --worse-than old
  geceval show -s source.txt -r ref*.txt -c system.txt -m green --grep '\\bhowever\\b' --sort given
  geceval show -s source.txt -r ref*.txt -c sys*.txt --system sys1 --against sys2 -m errant gleu --disagree
  geceval show -s source.txt -r ref*.txt -c system.txt --all --format tsv | cut -f 1,3,11

An edit stands in braces: {are→is ✓} is correct, {the→a ✗} wrong, {+of ○} missed by the system, in the line of
the reference; {-to ·} does not count. All of it: docs/explaining.md.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add_data_arguments(parser)
    add_metric_argument(parser, ["errant"], ", the first one sorts")
    which = parser.add_argument_group("which sentences")
    which.add_argument("-n", "--number", type=natural, default=20, metavar="N", help="so many (default: 20)")
    which.add_argument("--all", action="store_true", help="all that fit")
    which.add_argument(
        "--sentences", nargs="+", type=natural, metavar="N", help="those with these numbers, from 1; nothing is chosen"
    )
    which.add_argument("--system", metavar="NAME", help="of this system (default: all; scores are means over them)")
    which.add_argument("--worse-than", metavar="NAME", help="where the system scores lower than this one")
    which.add_argument("--against", metavar="NAME", help="show this system beside it, whoever is better")
    which.add_argument(
        "--disagree", action="store_true", help="where two metrics of -m rank the two systems the other way round"
    )
    which.add_argument(
        "--type", metavar="TYPE", help="with an edit of this type: R:VERB:TENSE, VERB:TENSE, R; * stands for anything"
    )
    which.add_argument("--outcome", choices=["correct", "wrong", "missed"], help="with an edit that is so")
    which.add_argument(
        "--grep", metavar="REGEX", help="found in the source, a reference or the system's text; (?i): in any case"
    )
    which.add_argument(
        "--sort",
        choices=["worst", "best", "difference", "random", "given"],
        help="what comes first: the lowest or highest score, the largest difference of the systems, a sentence drawn "
        "by --seed, or as given (default: worst; difference with --worse-than and --disagree)",
    )
    which.add_argument(
        "--seed", type=whole_number(KERNEL_SEEDS), default=0, metavar="N", help="of --sort random (default: 0)"
    )
    group = parser.add_argument_group("output")
    group.add_argument("--types", action="store_true", help="show the types of edits (on with --type)")
    group.add_argument("-f", "--format", choices=["text", "tsv", "json"], default="text", help="default: text")
    add_common_output(group)
    add_checks_argument(parser)


def run(args: argparse.Namespace) -> None:
    from geceval.report.report import render
    from geceval.report.sentences.inline_edits import print_view
    from geceval.report.sentences.shown_sentences import sentences_report, sentences_view
    from geceval.studies.explaining.examination import examine

    metrics, corpus = asked_metrics(args), data_files(args)
    which = numbers_asked(args) or wanted(args, corpus.system_names)
    how: dict[str, Any] = {"annotator": annotator_or_usual(args), "threads": args.threads, "checks": args.checks}
    with progress(None, quiet=args.quiet) as advance, collected(quiet=args.quiet) as told:
        examined = examine(corpus, metrics, which, **how, progress=advance)
    numbers = figures(examined, metrics, args.digits)
    if args.format != "text":
        report = sentences_report(examined, given_files(args, told), numbers.in_percent)
        write_output(args, render(report, args.format, args.digits))
        return
    types, width = args.types or args.type is not None, terminal_width(args)
    with writing(args.output) as out:
        view = sentences_view(examined, numbers, head=said(examined, args), types=types, terminal=width is not None)
        print_view(view, out, args.digits, width)


def figures(examined: Examined, metrics: Sequence[Metric[Any]], digits: int) -> ScoreDigits:
    """How the scores are printed."""
    from geceval.report.sentences.shown_sentences import ScoreDigits

    distinct = dict.fromkeys(metrics)
    return ScoreDigits({label: one.in_percent for label, one in zip(examined.metrics, distinct, strict=True)}, digits)


#: What chooses sentences, beside their numbers.
CHOOSE = ("all", "system", "worse_than", "against", "disagree", "type", "outcome", "grep", "sort")


def numbers_asked(args: argparse.Namespace) -> list[int]:
    """The numbers of ``--sentences``. Raises UsageError where something else is to choose, too."""
    others = [name for name in CHOOSE if getattr(args, name)]
    if args.sentences and others:
        option = others[0].replace("_", "-")
        raise UsageError(f"--sentences says which sentences are shown; --{option} would choose others")
    return args.sentences or []


def wanted(args: argparse.Namespace, names: Sequence[str]) -> Wanted:
    """What the options ask for. Where there are two systems, naming one of them is enough."""
    from geceval.studies.explaining.sentence_selection import Wanted, known_system

    if args.worse_than is not None and args.against is not None:
        raise UsageError("--worse-than and --against both name the other system; one of them is enough")
    other = args.worse_than if args.worse_than is not None else args.against
    if other is not None:
        known_system(other, names)
    system = args.system
    if len(names) == 2 and (args.disagree or other is not None):
        system = system or next((name for name in names if name != other), None)
        other = other or next((name for name in names if name != system), None)
    if system is None and other is not None:
        raise UsageError(f"which system is to be compared with {other}? --system NAME says it")
    if args.disagree and other is None:
        raise UsageError("--disagree is about two systems: --system NAME --against NAME")
    return Wanted(
        number=None if args.all else args.number,
        sort=args.sort,
        system=system,
        against=other,
        worse=args.worse_than is not None,
        disagree=args.disagree,
        type=args.type,
        outcome=args.outcome,
        grep=args.grep,
        seed=args.seed,
    )


def said(examined: Examined, args: argparse.Namespace) -> str:
    """How many sentences there are, and how the two metrics that may disagree go together."""
    here = len(examined.sentences)
    if args.sentences:
        return f"{here} of {examined.total} sentences"
    lines = [f"{here} of {examined.fit} that fit, of {examined.total} sentences"]
    if examined.fit == examined.total:
        lines = [f"{here} of {examined.total} sentences"]
    elif examined.fit == 0:
        lines = [f"none of the {examined.total} sentences fits"]
    agreement = examined.agreement
    if agreement is not None:
        first, second = examined.metrics[:2]
        a, b = examined.systems
        lines.append(
            f"{first} and {second} rank {a} and {b} alike in {agreement.alike} sentences, the other way round in "
            f"{agreement.opposite}; in {agreement.one_sees_none} one of them sees no difference"
        )
    return "\n".join(lines)
