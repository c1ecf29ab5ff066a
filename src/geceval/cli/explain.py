"""``geceval explain``: one sentence, what every metric gives it and why, and what each edit is worth."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from geceval.base.arguments import DRAWN_ORDERS, EXACT_EDITS, KERNEL_SEEDS
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
from geceval.cli.preparing import preparation
from geceval.cli.progress import progress
from geceval.cli.show import figures

if TYPE_CHECKING:
    from geceval.text.corpus import Corpus, TextSource

EXAMPLES = """\
examples:
  geceval explain "He go to school ." "He goes to the school ." "He goes to school ."
  geceval explain -s source.txt -r ref0.txt ref1.txt -c system.txt -n 17
  geceval explain --gold gold.m2 -c old.txt new.txt -n 17 -m errant maxmatch cleme --method add
  geceval explain -s source.txt -r ref0.txt -c system.txt -n 17 -m green --full --format json

Texts stand before the options: source, correction, references. All of it: docs/explaining.md.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument(
        "texts", nargs="*", metavar="TEXT", help="the source, the correction and the references, instead of files"
    )
    add_data_arguments(parser)
    parser.add_argument("-n", "--sentence", type=natural, metavar="N", help="which sentence of the files, from 1")
    add_metric_argument(parser, ["errant", "green", "gleu"], ", a section each")
    worth = parser.add_argument_group("what each edit is worth")
    worth.add_argument(
        "--method",
        choices=["shapley", "add", "sub", "none"],
        default="shapley",
        help="the mean gain over all orders (default), the gain of the edit alone, the loss without it, or nothing",
    )
    worth.add_argument(
        "--exact",
        type=whole_number(EXACT_EDITS),
        default=12,
        metavar="N",
        help="up to so many edits all subsets are scored, at most 16 (default: 12); beyond, orders are drawn",
    )
    worth.add_argument(
        "--orders", type=whole_number(DRAWN_ORDERS), default=200, metavar="N", help="so many (default: 200)"
    )
    seeds = whole_number(KERNEL_SEEDS)
    worth.add_argument("--seed", type=seeds, default=0, metavar="N", help="of the orders (default: 0)")
    group = parser.add_argument_group("output")
    group.add_argument("--full", action="store_true", help="long lists of evidence to their end")
    group.add_argument("-f", "--format", choices=["text", "json"], default="text", help="default: text")
    add_common_output(group)
    add_checks_argument(parser)


def run(args: argparse.Namespace) -> None:
    from geceval.report.report import render
    from geceval.report.sentences.explanation_report import ExplanationView, explanation_report
    from geceval.report.sentences.inline_edits import print_view
    from geceval.studies.explaining.explanation import explain_sentence

    metrics = asked_metrics(args)
    corpus, sentence = asked_corpus(args)
    how: dict[str, Any] = {name: getattr(args, name) for name in ("exact", "orders", "seed", "threads")}
    how |= {
        "annotator": annotator_or_usual(args),
        "method": None if args.method == "none" else args.method,
        "checks": args.checks and not args.texts,
    }
    with progress(None, quiet=args.quiet) as advance, collected(quiet=args.quiet) as told:
        explanation = explain_sentence(corpus, metrics, sentence, **how, progress=advance)
    if args.format == "json":
        write_output(args, render(explanation_report(explanation, given_files(args, told)), args.format))
        return
    numbers = figures(explanation.examined, metrics, args.digits)
    width = terminal_width(args)
    with writing(args.output) as out:
        view = ExplanationView(explanation, numbers, args.full, terminal=width is not None)
        print_view(view.parts(), out, args.digits, width)


def asked_corpus(args: argparse.Namespace) -> tuple[TextSource, int]:
    """The files with the number of a sentence, or the texts as a corpus of one."""
    files = [args.source, args.gold, args.references, args.systems, args.input]
    if not args.texts:
        if not (args.systems or args.input):
            raise UsageError(
                "nothing to explain", hint='geceval explain "source" "correction" "reference", or -s, -r, -c and -n'
            )
        if args.sentence is None:
            raise UsageError("which sentence? -n N says it, from 1 on")
        return data_files(args), args.sentence
    if any(files):
        raise UsageError("texts and files are both given: explain one or the other", hint="texts stand before options")
    if args.sentence is not None:
        raise UsageError("-n is the number of a sentence in files")
    return one_sentence(args), 1


def one_sentence(args: argparse.Namespace) -> Corpus:
    """The texts of the command line, prepared as asked. Raises UsageError if there is a source alone."""
    from geceval.text.corpus import Corpus

    if len(args.texts) < 2:
        raise UsageError("a source and its correction are needed, then references")
    source, correction, *references = args.texts
    corpus = Corpus([source], [[text] for text in references], {"correction": [correction]})
    prepare = preparation(args)
    return corpus.prepared(prepare) if prepare else corpus
