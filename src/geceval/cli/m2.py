"""``geceval m2``: look at M2 files, check them, turn them into text, put them together."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from geceval.cli.actions import Action, add_actions
from geceval.cli.common import add_output, natural, write_output, writing
from geceval.errors import InputError, UsageError
from geceval.report.numbers import percent
from geceval.report.tables import TABLE_FORMATS, Table

if TYPE_CHECKING:
    from geceval.edits.m2stats import Stats

EXAMPLES = """\
examples:
  geceval m2 check gold.m2
  geceval m2 apply gold.m2 --annotator 1 > ref1.txt
  geceval m2 merge annotator-a.m2 annotator-b.m2 -o gold.m2
  geceval m2 vote sys1.m2 sys2.m2 sys3.m2 -k 2 --text > voted.txt
  geceval m2 stats gold.m2.gz
  geceval m2 head -n 3 gold.m2
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add_actions(parser, ACTIONS)


def run(args: argparse.Namespace) -> None:
    ACTIONS[args.action][2](args)


def _file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="an M2 file, plain or compressed; - is standard input")


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="M2 files")


def _check(args: argparse.Namespace) -> None:
    """All faults of all files on standard output; exit status 2 if there are any."""
    from geceval.text.m2 import check

    total = 0
    for path in args.files:
        faults = check(path)
        for fault in faults:
            print(f"{fault.where}{fault.message}")
        total += len(faults)
    if total:
        raise InputError(f"{total} fault{'s' if total > 1 else ''} found")


def _add_apply(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument(
        *("-a", "--annotator"), type=natural, metavar="ID", help="whose edits (default: the smallest id of the file)"
    )
    parser.add_argument(
        "--missing",
        choices=["fallback", "plain"],
        default="fallback",
        help="a sentence the annotator has no line in takes the correction of its first annotator (fallback, the "
        "default: gives the published GLEU and GREEN numbers on CoNLL-2014) or stays as it is (plain)",
    )
    add_output(parser)


def _apply(args: argparse.Namespace) -> None:
    from geceval.text import m2

    blocks = list(m2.Blocks.read(args.file).as_errant())
    annotators = m2.annotators(blocks)
    who = annotators[0] if args.annotator is None else args.annotator
    if who not in annotators:
        listed = ", ".join(map(str, annotators))
        raise UsageError(f"{args.file} has no annotator {who}: choose from {listed}")
    lines = m2.references(blocks, args.missing)[annotators.index(who)]
    write_output(args, "".join(f"{line}\n" for line in lines))


def _add_merge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="M2 files of the same sentences, in order")
    add_output(parser)


def _merge(args: argparse.Namespace) -> None:
    """Reads every file twice, so that it can be larger than memory."""
    from geceval.text import m2

    if "-" in args.files:
        raise UsageError("merge reads every file twice and cannot read standard input")
    ids = [m2.annotators(m2.read(path)) for path in args.files]
    with writing(args.output) as out:
        m2.write(m2.merge([m2.read(path) for path in args.files], ids), out)


def _add_vote(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="M2 files of the same sentences, a system each")
    parser.add_argument(
        *("-k", "--least"),
        type=natural,
        metavar="K",
        help="in how many files an edit is (default: more than half)",
    )
    parser.add_argument("--text", action="store_true", help="write the sentences that the edits make, not M2")
    add_output(parser)


def _vote(args: argparse.Namespace) -> None:
    from geceval.text import m2

    number = len(args.files)
    least = number // 2 + 1 if args.least is None else args.least
    if not 1 <= least <= number:
        raise UsageError(f"an edit can be in 1 to {number} of the files, not in {least}")
    if args.files.count("-") > 1:
        raise UsageError("standard input is one file")
    voted = m2.vote([m2.read(path) for path in args.files], least)
    with writing(args.output) as out:
        if args.text:
            out.writelines(f"{m2.apply(block, 0)}\n" for block in voted)
        else:
            m2.write(voted, out)


def _add_stats(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument("-f", "--format", choices=TABLE_FORMATS, default="table", help="default: table")
    add_output(parser)


def _stats(args: argparse.Namespace) -> None:
    from geceval.edits.m2stats import stats
    from geceval.text.m2 import read

    found = stats(read(args.file))
    tables: Iterable[Callable[[Stats], Table]] = (_annotators, _types, _lengths, _agreement)
    render = TABLE_FORMATS[args.format]
    head = f"{found.sentences} sentences, {found.tokens} tokens\n\n"
    write_output(args, head + "\n".join(render(table(found)) for table in tables if table(found).rows))


def _annotators(found: Stats) -> Table:
    rows = [
        [str(who), str(a.sentences), str(a.changed), str(a.edits), f"{a.edits / max(a.sentences, 1):.2f}"]
        for who, a in sorted(found.annotators.items())
    ]
    heads = ["annotator", "sentences", "changed", "edits", "edits a sentence"]
    return Table(heads, rows, right=frozenset(range(5)))


def _types(found: Stats) -> Table:
    total = found.types.total()
    rows = [[name, str(count), percent(count / total, 1)] for name, count in found.types.most_common()]
    return Table(["type", "edits", "%"], rows, right=frozenset({1, 2}))


def _lengths(found: Stats) -> Table:
    """Rows: source tokens; columns: correction tokens; the last of each stands for all above."""
    most = 5
    cells = [[0] * (most + 1) for _ in range(most + 1)]
    for (source, correction), count in found.lengths.items():
        cells[min(max(source, 0), most)][min(correction, most)] += count
    names = [*map(str, range(most)), f"{most}+"]
    rows = [[name, *map(str, row)] for name, row in zip(names, cells, strict=True) if any(row)]
    return Table(["tokens", *(f"-> {name}" for name in names)], rows, right=frozenset(range(most + 2)))


def _agreement(found: Stats) -> Table:
    rows = [
        [
            f"{one} and {other}", str(a.sentences), percent(a.same / a.sentences, 1),
            str(a.edits), str(2 * a.shared), percent(a.f1, 1),
        ]
        for (one, other), a in sorted(found.agreement.items())
    ]  # fmt: skip
    heads = ["annotators", "sentences", "% the same", "edits", "in common", "F1 of edits"]
    return Table(heads, rows, right=frozenset(range(1, 6)))


def _add_head(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument("-n", type=natural, default=10, metavar="N", help="how many sentences (default: 10)")
    add_output(parser)


def _head(args: argparse.Namespace) -> None:
    from geceval.text.m2 import read, write

    with writing(args.output) as out:
        write(itertools.islice(read(args.file), args.n), out)


ACTIONS: dict[str, Action] = {
    "check": ("list every fault of M2 files with file and line", _add_check, _check),
    "apply": ("print the sentences as one annotator corrects them", _add_apply, _apply),
    "merge": ("put the annotators of several M2 files into one", _add_merge, _merge),
    "vote": ("keep the edits that enough of several files have, as M2 or as text", _add_vote, _vote),
    "stats": ("count sentences, edits, types, lengths and agreement", _add_stats, _stats),
    "head": ("print the first sentences with their edits", _add_head, _head),
}
