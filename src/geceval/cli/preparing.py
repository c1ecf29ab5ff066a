"""The options of raw text, which all commands with texts share: tokenise, normalise, repair white space, truecase."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from geceval.base.errors import UsageError
from geceval.cli.annotating import asked_tokeniser

if TYPE_CHECKING:
    from geceval.text.preparation import Preparation

#: As ``text.preparation`` has them; that is imported when a command runs.
FORMS = ("nfc", "nfd", "nfkc", "nfkd", "quotes", "dashes", "ellipses")
TEXTS = ("source", "references", "systems")


def add_preparation_arguments(parser: Any, texts: Sequence[str] = TEXTS) -> None:
    """What is done to raw text, and to which texts."""
    group = parser.add_argument_group("raw text", "off by default, and named in signatures; see docs/tokenisation.md")
    group.add_argument(
        "--tokenise",
        metavar="NAME",
        help="cut the texts into tokens: english, treebank, char, moses, … (geceval tokenise --list), or auto: as the"
        " --language does",
    )
    group.add_argument(
        "--tokenise-only",
        nargs="+",
        choices=texts,
        default=[],
        help="do what is asked for here to these texts only (default: to all)",
    )
    add_cleaning_arguments(group)
    group.add_argument(
        "--truecase",
        action="store_true",
        help=f"give the first word of a sentence the case it has within sentences of the {texts[1]}",
    )


def add_cleaning_arguments(group: argparse._ArgumentGroup) -> None:
    """What is done to characters."""
    group.add_argument(
        "--normalise",
        action="extend",
        type=_forms,
        default=[],
        metavar="FORM[,FORM…]",
        help="Unicode form nfc, nfd, nfkc or nfkd; quotes, dashes, ellipses: printed marks become typed ones",
    )
    group.add_argument(
        "--whitespace",
        choices=["repair"],
        help="repair: runs of white space become one blank, those at the ends and invisible characters go",
    )


def _forms(text: str) -> list[str]:
    """Names with commas between them, for argparse."""
    forms = text.split(",")
    for form in forms:
        if form not in FORMS:
            raise argparse.ArgumentTypeError(f"invalid choice: {form!r} (choose from {', '.join(FORMS)})")
    return forms


def preparation(args: argparse.Namespace) -> Preparation:
    """What the options ask for. Raises UsageError for texts without anything to do."""
    from geceval.text.preparation import Preparation, Role

    names: dict[str, Role] = {"source": "source", "systems": "systems"}
    steps = Preparation(
        asked_tokeniser(args, args.tokenise),
        args.normalise,
        whitespace=args.whitespace == "repair",
        truecase=args.truecase,
        only=[names.get(text, "references") for text in args.tokenise_only],
        threads=getattr(args, "threads", 0),
    )
    if args.tokenise_only and not steps:
        hint = "add --tokenise NAME, --normalise FORM, --whitespace repair or --truecase"
        raise UsageError("--tokenise-only says which texts, but not what is to be done", hint=hint)
    return steps
