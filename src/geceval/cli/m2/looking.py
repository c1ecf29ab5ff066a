"""``geceval m2``: what is in files: check, stats, head, source."""

from __future__ import annotations

import argparse
from itertools import chain

from geceval.base.errors import InputError
from geceval.cli.common import add_output, add_quiet, natural, write_output, writing
from geceval.cli.m2.common import add_examples, add_files, counted
from geceval.report.report import FORMATS, render
from geceval.text.files import check_standard_input, display_name


def add_check(parser: argparse.ArgumentParser) -> None:
    add_files(parser)
    add_quiet(parser)
    add_examples(parser, "  geceval m2 check gold.m2\n  geceval m2 check *.m2 --quiet && echo sound\n")


def check(args: argparse.Namespace) -> None:
    """All faults of all files on standard output, and what was checked; exit status 2 if there are any."""
    from geceval.text.m2 import checked

    check_standard_input(args.files)
    total = 0
    for path in args.files:
        found = checked(path)
        for fault in found.faults:
            print(f"{fault.where}{fault.message}")
        total += len(found.faults)
        if not args.quiet:
            number = len(found.faults)
            what = [
                counted(found.sentences, "sentence"),
                counted(found.edits, "edit"),
                counted(len(found.annotators), "annotator"),
            ]
            print(f"{display_name(path)}: {', '.join(what)}: {counted(number, 'fault') if number else 'no faults'}")
    if total:
        raise InputError(f"{counted(total, 'fault')} found")


def add_stats(parser: argparse.ArgumentParser) -> None:
    add_files(parser, "; several are counted one by one")
    parser.add_argument("-f", "--format", choices=FORMATS, default="table", help="default: table")
    add_output(parser)
    add_examples(
        parser,
        "  geceval m2 stats gold.m2\n"
        "  geceval m2 stats train.m2 dev.m2 -f json\n"
        "  geceval m2 stats gold.m2 -f tsv | grep type\n",
    )


def stats(args: argparse.Namespace) -> None:
    from geceval.report.sentences.m2_stats_report import m2_stats_report
    from geceval.text.m2.m2_files import pieces
    from geceval.text.m2.m2_summary import Stats, add

    check_standard_input(args.files)
    found = []
    for path in args.files:
        one = Stats()
        for blocks in pieces(path):
            add(one, blocks)
        found.append((display_name(path), one))
    write_output(args, render(m2_stats_report(found), args.format))


def add_head(parser: argparse.ArgumentParser) -> None:
    add_files(parser, "; several follow each other")
    parser.add_argument("-n", type=natural, default=10, metavar="N", help="how many sentences of each (default: 10)")
    add_output(parser)


def head(args: argparse.Namespace) -> None:
    from geceval.text.m2.m2_files import first, write_pieces

    check_standard_input(args.files)
    with writing(args.output) as out:
        write_pieces(chain.from_iterable(first(path, args.n) for path in args.files), out)


def add_source(parser: argparse.ArgumentParser) -> None:
    add_files(parser, "; several follow each other")
    add_output(parser)
    add_examples(parser, "  geceval m2 source gold.m2 > source.txt\n")


def source(args: argparse.Namespace) -> None:
    from geceval.text.m2.m2_files import pieces

    check_standard_input(args.files)
    with writing(args.output) as out:
        for path in args.files:
            for blocks in pieces(path):
                out.writelines(f"{line}\n" for line in blocks.source)
