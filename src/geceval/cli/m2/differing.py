"""``geceval m2 diff``: two annotations of one text, edit by edit."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from geceval.base.arguments import PLACES, Bounds
from geceval.base.errors import UsageError
from geceval.cli.common import add_digits, add_output, terminal_width, whole_number, writing
from geceval.cli.m2.common import add_examples, listed, stem
from geceval.text.files import check_standard_input, display_name

if TYPE_CHECKING:
    from geceval.text.m2 import Blocks


def add_diff(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="two M2 files of the same sentences; or one, of which two annotators"
    )
    parser.add_argument(
        *("-a", "--annotators"),
        type=listed(whole_number(Bounds(0, PLACES.high))),
        action="extend",
        metavar="ID,…",
        help="who is compared: one of the first file, one of the second; one number: of both (default: all of the same "
        "number, or the only one of each; of one file its two)",
    )
    group = parser.add_argument_group("output")
    group.add_argument("--types", action="store_true", help="show the types of all edits, not only where they differ")
    group.add_argument("--summary", action="store_true", help="the tables alone, without the sentences")
    group.add_argument("-f", "--format", choices=["text", "tsv", "json"], default="text", help="default: text")
    add_output(group)
    add_digits(group)
    add_examples(
        parser,
        "  geceval m2 diff anna.m2 ben.m2\n"
        "  geceval m2 diff gold.m2 --annotators 0,1 --summary\n"
        "  geceval m2 diff old.m2 new.m2 -f tsv | cut -f 1,4-6\n\n"
        "An edit of both is {are→is =}, one of only the first {the→a <}, of only the second {+of >}; where the types\n"
        "differ, {go→goes ~}. Exit status 0: nothing differs; 1: something does.\n",
    )


def diff(args: argparse.Namespace) -> None:
    """Exit status 1 where something differs, as diff has it."""
    from geceval.report.report import render
    from geceval.report.sentences.inline_edits import print_view
    from geceval.report.sentences.m2_diff_report import m2_diff_report, m2_diff_view
    from geceval.text import m2

    check_standard_input(args.files)
    if len(args.files) > 2:
        raise UsageError(f"two files are compared, not {len(args.files)}")
    one = m2.Blocks.read(args.files[0])
    other = one if len(args.files) == 1 else m2.Blocks.read(args.files[1])
    found = m2.diff(one, other, _asked(args, one))
    names = _names(args.files, found.pairs[0])
    with writing(args.output) as out:
        if args.format != "text":
            out.write(render(m2_diff_report(found, names), args.format))
        else:
            width = terminal_width(args)
            terminal = width is not None
            view = m2_diff_view(found, names, sentences=not args.summary, types=args.types, terminal=terminal)
            print_view(view, out, args.digits, width)
    if not found.is_equal:
        raise SystemExit(1)


def _names(paths: Sequence[str], who: Sequence[int]) -> list[str]:
    """What the two are called: files by their names, or by their paths where those are the same; or annotators."""
    if len(paths) == 1:
        return [f"{stem(paths[0])}:{one}" for one in who]
    names = [stem(path) for path in paths]
    return names if names[0] != names[1] else [display_name(path) for path in paths]


def _asked(args: argparse.Namespace, blocks: Blocks) -> tuple[int, int] | None:
    """Who is to be compared, if it is said or there is one file with two annotators."""
    asked = args.annotators
    if asked is not None:
        if len(asked) > 2:
            raise UsageError(f"two annotators are compared, not {len(asked)}")
        if len(asked) == len(args.files) == 1:
            raise UsageError("of one file two annotators are compared: --annotators 0,1")
        return asked[0], asked[-1]
    if len(args.files) == 2:
        return None
    there = blocks.table.annotators
    if len(there) != 2:
        known = ", ".join(map(str, there)) or "none"
        raise UsageError(f"which two annotators of {args.files[0]} are compared? it has {known}: --annotators ID,ID")
    return there[0], there[1]
