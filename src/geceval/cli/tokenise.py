"""``geceval tokenise``: raw text to tokens, as ``--tokenise`` of the other commands does it."""

from __future__ import annotations

import argparse

from geceval.base.errors import MissingExtraError, UsageError
from geceval.cli.annotating import AUTO, asked_tokeniser
from geceval.cli.common import add_output, add_threads, write_output, writing
from geceval.cli.preparing import add_cleaning_arguments
from geceval.edits.languages import LANGUAGES

EXAMPLES = """\
examples:
  geceval tokenise --with english raw.txt -o tokenised.txt
  decode | geceval tokenise --with treebank --normalise quotes,dashes > system.txt
  geceval tokenise --whitespace repair --normalise nfc raw.txt.gz
  geceval tokenise --list
"""

#: Lines in memory at a time.
PART = 1 << 14


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="text, a line a sentence or more, plain or compressed; one after another (default: standard input)",
    )
    parser.add_argument("--with", dest="tokeniser", metavar="NAME", help="the tokeniser (default: none, tokens stay)")
    parser.add_argument(
        "--language",
        metavar="NAME",
        help=f"the tokeniser of this language: {', '.join(LANGUAGES)}, a table (FILE), or auto: guessed from the first "
        "file; in place of --with",
    )
    add_cleaning_arguments(parser.add_argument_group("before that"))
    parser.add_argument("--list", action="store_true", help="list the tokenisers and stop")
    add_output(parser)
    add_threads(parser)


def run(args: argparse.Namespace) -> None:
    if args.list:
        write_output(args, _listed())
        return
    from geceval.text.files import check_standard_input
    from geceval.text.preparation import Preparation
    from geceval.text.reading import is_m2, line_parts

    if args.language is not None and args.tokeniser not in (None, AUTO):
        raise UsageError(f"--with {args.tokeniser} and --language {args.language}: give one of them")
    for path in args.files:
        if is_m2(path):
            raise UsageError(f"{path}: the edits of an M2 file count the tokens of its sentences as they are")
    args.source = next(iter(args.files), None)  # what --language auto looks at
    tokeniser = asked_tokeniser(args, args.tokeniser or (args.language and AUTO))
    steps = Preparation(tokeniser, args.normalise, whitespace=args.whitespace == "repair", threads=args.threads)
    if not steps:
        raise UsageError("nothing to do", hint="--with NAME, --normalise FORM or --whitespace repair")
    check_standard_input(args.files)
    with writing(args.output) as out:
        for path in args.files or ["-"]:
            for lines in line_parts(path, PART):
                out.writelines(f"{line}\n" for line in steps.cleaned("systems", lines))


def _listed() -> str:
    """A row for each tokeniser: what it is asked by, how it is signed, or what is missing."""
    from geceval.report.formats.terminal import as_text
    from geceval.report.table import plain_table
    from geceval.text.tokenisers import TOKENISERS

    rows = [[name, _signed(name), _about(name)] for name in TOKENISERS.names()]
    return as_text(plain_table(["name", "in signatures", "what it does"], rows))


def _signed(name: str) -> str:
    """What signatures say, or what it needs; nothing for a name with a place for another."""
    from geceval.text.tokenisers import make_tokeniser

    if name.endswith((":NAME", ":LANG")):
        return ""
    try:
        return make_tokeniser(name).name
    except MissingExtraError as error:
        return f"needs {error.hint}"


def _about(name: str) -> str:
    """The first line of its documentation."""
    from geceval.text.tokenisers import TOKENISERS

    return str(TOKENISERS[name.partition(":")[0]].__doc__ or "").partition("\n")[0]
