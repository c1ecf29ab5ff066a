"""``geceval m2``: what is made of files: apply, filter, merge, split, vote."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from geceval.base.arguments import PLACES, Bounds
from geceval.base.errors import UsageError
from geceval.cli.annotating import tell
from geceval.cli.common import add_output, add_quiet, natural, whole_number, write_output, writing
from geceval.cli.m2.common import (
    add_examples,
    add_file,
    asked_folder,
    counted,
    listed,
    stem,
    write_together,
)
from geceval.text.files import check_standard_input

if TYPE_CHECKING:
    from geceval.text.m2 import Blocks

_ID = whole_number(Bounds(0, PLACES.high))
_COUNT = whole_number(Bounds(1, PLACES.high))


# --- apply ---


def add_apply(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument(
        *("-a", "--annotator"), type=_ID, metavar="ID", help="whose edits (default: the smallest id of the file)"
    )
    parser.add_argument(
        "--missing",
        choices=["fallback", "plain"],
        default="fallback",
        help="a sentence the annotator has no line in takes the correction of its first annotator (fallback, the "
        "default: gives the published GLEU and GREEN numbers on CoNLL-2014) or stays as it is (plain)",
    )
    add_output(parser)


def apply(args: argparse.Namespace) -> None:
    from geceval.text.m2 import Blocks

    blocks = Blocks.read(args.file).as_errant()
    there = blocks.table.annotators or [0]
    who = there[0] if args.annotator is None else args.annotator
    check_annotators(args.file, [who], there)
    write_output(args, "".join(f"{line}\n" for line in blocks.corrected(who, args.missing)))


def check_annotators(path: str, asked: Sequence[int], there: Sequence[int]) -> None:
    """Raise UsageError for one who has no line in the file."""
    for who in asked:
        if who not in there:
            known = ", ".join(map(str, there))
            raise UsageError(f"{path} has no annotator {who}: choose from {known}")


# --- filter ---


def add_filter(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    which = parser.add_argument_group("which edits stay", "those that are all that is asked; noops always do")
    which.add_argument(
        "--type",
        type=listed(str),
        action="extend",
        default=[],
        metavar="TYPE,…",
        help="of one of these types: R:VERB:TENSE, VERB:TENSE, R; * stands for anything",
    )
    which.add_argument(
        "--operation",
        type=listed(str),
        action="extend",
        default=[],
        metavar="M|R|U,…",
        help="that insert what is missing (M), replace (R), or delete what is unnecessary (U), as the type says; of "
        "types without such a letter by what the edit does",
    )
    which.add_argument(
        "--shortest",
        type=natural,
        default=0,
        metavar="N",
        help="of N tokens or more, in the sentence or in the correction, whichever are more",
    )
    which.add_argument("--longest", type=natural, metavar="N", help="of N tokens or fewer")
    which.add_argument("--not", dest="invert", action="store_true", help="those that are not what is asked")
    group = parser.add_argument_group("who and where")
    group.add_argument(
        *("-a", "--annotators"),
        type=listed(_ID),
        action="extend",
        metavar="ID,…",
        help="only these annotators; of others nothing stays, whatever --not says",
    )
    group.add_argument("--changed", action="store_true", help="only sentences in which an edit is left")
    add_output(parser)
    add_examples(
        parser,
        "  geceval m2 filter gold.m2 --type 'R:VERB*,DET' -o some.m2\n"
        "  geceval m2 filter gold.m2 --type UNK --not -o corrections.m2\n"
        "  geceval m2 filter gold.m2 --operation M --longest 1 --changed | geceval m2 head -\n"
        "  geceval m2 filter gold.m2 --annotators 0,2 -o two.m2\n\n"
        "An annotator who loses all edits of a sentence keeps a noop there. Without --changed all sentences stay.\n",
    )


def filter(args: argparse.Namespace) -> None:
    from geceval.text.m2 import Blocks, Filter
    from geceval.text.m2.m2_files import pieces, write_pieces

    asked = args.type or args.operation or args.shortest or args.longest is not None
    if not (asked or args.annotators is not None or args.changed):
        raise UsageError("nothing is asked: --type, --operation, --shortest, --longest, --annotators or --changed")
    if args.invert and not asked:
        raise UsageError("--not turns round what is asked of edits: --type, --operation, --shortest or --longest")
    which = Filter(args.type, args.operation, args.annotators, args.shortest, args.longest, args.invert, args.changed)
    if args.annotators is None:
        with writing(args.output) as out:
            write_pieces(map(which, pieces(args.file)), out)
        return
    blocks = Blocks.read(args.file)  # whole: who is there is known at its end
    check_annotators(args.file, args.annotators, blocks.table.annotators)
    with writing(args.output) as out:
        write_pieces([which(blocks)], out)


# --- merge, vote ---


def add_merge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="M2 files of the same sentences, in order")
    add_output(parser)


def merge(args: argparse.Namespace) -> None:
    """Reads every file twice, so that it can be larger than memory."""
    from geceval.text import m2

    if "-" in args.files:
        raise UsageError("merge reads every file twice and cannot read standard input")
    ids = [m2.annotators(m2.read(path)) for path in args.files]
    with writing(args.output) as out:
        m2.write(m2.merge([m2.read(path) for path in args.files], ids), out)


def add_vote(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="M2 files of the same sentences, a system each; or one file, whose annotators vote",
    )
    parser.add_argument(
        *("-k", "--least"),
        type=natural,
        metavar="K",
        help="in how many files an edit is (default: more than half)",
    )
    parser.add_argument("--text", action="store_true", help="write the sentences that the edits make, not M2")
    add_output(parser)
    add_examples(
        parser,
        "  geceval m2 vote sys1.m2 sys2.m2 sys3.m2 -o voted.m2\n"
        "  geceval m2 vote gold.m2 -k 2 -o agreed.m2           # what two of its annotators agree on\n",
    )


def vote(args: argparse.Namespace) -> None:
    from geceval.text import m2

    check_standard_input(args.files)
    voters = [m2.read(path) for path in args.files]
    what = "files"
    if len(args.files) == 1:
        what, voters = "annotators", [*map(iter, m2.split_by_annotator(m2.Blocks.read(args.files[0])).values())]
    least = len(voters) // 2 + 1 if args.least is None else args.least
    if not 1 <= least <= len(voters):
        raise UsageError(f"an edit can be in 1 to {len(voters)} of the {what}, not in {least}")
    voted = m2.vote(voters, least)
    with writing(args.output) as out:
        if args.text:
            out.writelines(f"{m2.apply(block, 0)}\n" for block in voted)
        else:
            m2.write(voted, out)


# --- split ---


def add_split(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument(
        "--by-annotator", dest="annotators", action="store_true", help="a file for each annotator, with all sentences"
    )
    how.add_argument("--sentences", type=_COUNT, metavar="N", help="files of N sentences, the last one of the rest")
    how.add_argument("--parts", type=_COUNT, metavar="K", help="K files of as many sentences, or one more")
    parser.add_argument(
        *("-o", "--output"),
        default=".",
        metavar="NAME",
        help="their names, {} being the annotator's number, or the part's from 1 on; or a folder, for NAME.{}.m2 in it "
        "(default: this folder)",
    )
    parser.add_argument("--force", action="store_true", help="write over files that are there already")
    add_quiet(parser)
    add_examples(
        parser,
        "  geceval m2 split gold.m2 --by-annotator -o parts/     # parts/gold.0.m2, parts/gold.1.m2\n"
        "  geceval m2 split gold.m2 --sentences 100 -o 'for-ben-{}.m2'\n"
        "  geceval m2 split gold.m2 --parts 5\n",
    )


def split(args: argparse.Namespace) -> None:
    """All files, or none of them."""
    from geceval.text import m2
    from geceval.text.m2.m2_files import write_pieces

    blocks = m2.Blocks.read(args.file)
    if args.annotators:
        parts = {str(who): own for who, own in m2.split_by_annotator(blocks).items()}
    else:
        cut = list(m2.split(blocks, sentences=args.sentences, parts=args.parts))
        parts = {f"{number:0{len(str(len(cut)))}}": own for number, own in enumerate(cut, 1)}
    name = _template(args.output, args.file)
    if len(parts) > 1 and "{}" not in name:
        raise UsageError(f"{len(parts)} files cannot have one name: {{}} in it stands for their numbers")
    files = {name.replace("{}", number): own for number, own in parts.items()}
    write_together({path: partial(write_pieces, [own]) for path, own in files.items()}, force=args.force)
    for path, own in files.items():
        _say(args, path, own)


def _template(output: str, path: str) -> str:
    """The names of the files, with {} for their numbers; a folder that is asked for is made."""
    folder = asked_folder(output)
    return output if folder is None else str(folder / f"{stem(path)}.{{}}.m2")


def _say(args: argparse.Namespace, path: str, blocks: Blocks) -> None:
    """What was written, and in how many sentences of an annotator's there is no line."""
    from geceval.text.m2.edit_columns import EditColumns

    columns = EditColumns(blocks.edits)
    if not args.quiet:
        print(f"{path}: {counted(len(blocks), 'sentence')}, {counted(int(columns.is_edit.sum()), 'edit')}")
    without = len(blocks) - len(set(columns.sentence.tolist())) if args.annotators else 0
    if without:
        tell(args, f"{path}: {counted(without, 'sentence')} without a line of the annotator's, who said nothing there")
