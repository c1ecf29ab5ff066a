"""``geceval m2 convert``: M2 as other formats, and back."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

from geceval.base.errors import UsageError
from geceval.cli.annotating import tell
from geceval.cli.common import add_output, add_quiet, collected, writing
from geceval.cli.m2.common import add_examples, asked_folder, counted, stem, write_together
from geceval.text.files import unpacked_name

if TYPE_CHECKING:
    from geceval.text.m2 import Block, Blocks

#: What can be read, and the ends of names that say so; M2 is what all others are.
READ = {"jsonl": (".jsonl", ".ndjson"), "brat": (".ann", ".txt"), "m2": ()}
WRITTEN = ("m2", "errant", "cherrant", "jsonl", "brat")


def add_convert(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="one file; of stand-off the .ann or .txt of each annotator; - is standard input",
    )
    parser.add_argument(
        "--from", dest="read", choices=list(READ), help="what it is (default: by its name; m2 if that says nothing)"
    )
    parser.add_argument(
        "--to",
        choices=WRITTEN,
        help="m2 as it is read; errant or cherrant: M2 in that dialect; jsonl: an object a sentence; brat: NAME.txt "
        "and NAME.ann, for several annotators NAME.0.txt, NAME.0.ann, …, in a folder called as FILE (default: by the "
        "name of --output)",
    )
    parser.add_argument(
        "--dialect",
        choices=["auto", "cherrant"],
        default="auto",
        help="of M2 that is read, for --to errant: told by its T lines (auto, the default), or it is said",
    )
    add_output(parser)
    parser.add_argument("--force", action="store_true", help="--to brat: write over files that are there already")
    add_quiet(parser)
    add_examples(
        parser,
        "  geceval m2 convert gold.m2 -o gold.jsonl\n"
        "  geceval m2 convert gold.jsonl --to m2 > gold.m2\n"
        "  geceval m2 convert gold.m2 --to brat -o brat/gold\n"
        "  geceval m2 convert brat/gold.0.ann brat/gold.1.ann -o gold.m2\n"
        "  geceval m2 convert zh.m2 --to errant -o zh.errant.m2\n\n"
        "What a format cannot hold is an error, or a warning says so; docs/m2.md lists it.\n",
    )


def convert(args: argparse.Namespace) -> None:
    read = args.read or _format_of(unpacked_name(args.files[0])) or "m2"
    to = args.to or (args.output and (_format_of(args.output) or ("m2" if args.output.endswith(".m2") else None)))
    if to is None:
        raise UsageError(f"--to says what is written: {', '.join(WRITTEN)}")
    if read != "brat" and len(args.files) > 1:
        raise UsageError("one file is converted at a time; geceval m2 merge puts annotators together")
    if read == "brat" and "-" in args.files:
        raise UsageError("stand-off is in files, of which standard input would be one")
    if args.dialect != "auto" and (read, to) != ("m2", "errant"):
        raise UsageError("--dialect says what M2 is read with --to errant")
    if args.force and to != "brat":
        raise UsageError("--force is for --to brat, whose files are several")
    with collected(quiet=args.quiet):
        blocks = _read(args.files, read)
        if to == "brat":
            _write_standoff(args, blocks)
            return
        made = _MADE[to](args, blocks)
        with writing(args.output) as out:
            _write(made, out, lines=to == "jsonl")


def _format_of(name: str) -> str | None:
    return next((read for read, ends in READ.items() if ends and name.endswith(ends)), None)


def _read(paths: Sequence[str], read: str) -> Iterable[Block]:
    from geceval.text import m2

    if read == "brat":
        return m2.read_standoff(paths)
    return m2.read_json_lines(paths[0]) if read == "jsonl" else m2.read(paths[0])


def _write(blocks: Iterable[Block], out: TextIO, *, lines: bool) -> None:
    from geceval.text import m2

    (m2.write_json_lines if lines else m2.write)(blocks, out)


def _as_errant(args: argparse.Namespace, blocks: Iterable[Block]) -> Iterable[Block]:
    """What is scored of ChERRANT's dialect; what is left out is told."""
    from geceval.text import m2

    read = m2.Blocks.of(list(blocks))
    made = read.as_errant(args.dialect)
    if made is not read:
        _tell_lost(args, read, made)
    return made


def _tell_lost(args: argparse.Namespace, read: Blocks, made: Blocks) -> None:
    """How many alignments and answers ERRANT's M2 has no place for."""
    from geceval.text.m2 import NOT_ANNOTATABLE

    further = sum(len({(t.annotator, t.alignment) for t in block.targets}) for block in read) - sum(
        len({t.annotator for t in block.targets}) for block in read
    )
    refused = sum(edit.type == NOT_ANNOTATABLE for block in read for edit in block.edits)
    if further:
        tell(args, f"{counted(further, 'further alignment')} of answers left out: the first of each stays")
    if refused:
        tell(args, f"{counted(refused, 'answer')} NA (cannot be corrected) left out, or a noop where there is no other")


def _as_cherrant(args: argparse.Namespace, blocks: Iterable[Block]) -> Iterable[Block]:
    from geceval.text import m2

    return m2.cherrant_blocks(blocks)


def _as_read(args: argparse.Namespace, blocks: Iterable[Block]) -> Iterable[Block]:
    return blocks


_MADE: dict[str, Callable[[argparse.Namespace, Iterable[Block]], Iterable[Block]]] = {
    "m2": _as_read,
    "jsonl": _as_read,
    "errant": _as_errant,
    "cherrant": _as_cherrant,
}


def _called(path: str) -> str:
    """What files made of one are called: gold of data/gold.jsonl.gz."""
    name = stem(path)
    return next((name.removesuffix(end) for ends in READ.values() for end in ends if name.endswith(end)), name)


def _write_standoff(args: argparse.Namespace, blocks: Iterable[Block]) -> None:
    """A pair of files for each annotator, all of them or none."""
    from geceval.text import m2

    if args.output in (None, "-"):
        raise UsageError("stand-off is several files: -o NAME says how they are called")
    folder = asked_folder(args.output)
    name = re.sub(r"\.(?:txt|ann)$", "", args.output) if folder is None else str(folder / _called(args.files[0]))
    if not name or name.endswith("/"):
        raise UsageError(f"{args.output!r} names no files: -o NAME for NAME.txt and NAME.ann, or a folder")
    files: dict[str, Callable[[TextIO], object]] = {}
    made = m2.to_standoff(list(blocks))
    for own in made:
        base = name if [own.annotator for own in made] == [0] else f"{name}.{own.annotator}"
        files[f"{base}.txt"] = lambda out, own=own: out.write(own.text)  # type: ignore[misc]
        files[f"{base}.ann"] = lambda out, own=own: out.write(own.annotations)  # type: ignore[misc]
    write_together(files, force=args.force)
