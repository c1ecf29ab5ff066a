"""The options of raw text, which all commands with texts share: tokenise, normalise, repair white space, truecase."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from geceval.text.preparation import Preparation

#: As ``text.preparation`` has them; that is imported when a command runs.
FORMS = ("nfc", "nfd", "nfkc", "nfkd", "quotes", "dashes", "ellipses")
TEXTS = ("source", "references", "systems")


def add_preparation_arguments(parser: Any, texts: Sequence[str] = TEXTS) -> None:
    """What is done to raw text, and to which texts."""
    group = parser.add_argument_group(
        "raw text", "off by default; what is done stands in the signature; see docs/tokenisation.md"
    )
    group.add_argument(
        "--tokenise",
        metavar="NAME",
        help="cut the texts into tokens: english, treebank, char, moses, … (geceval tokenise --list)",
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
        nargs="+",
        choices=FORMS,
        default=[],
        metavar="FORM",
        help="Unicode form nfc, nfd, nfkc or nfkd; quotes, dashes, ellipses: printed marks become typed ones",
    )
    group.add_argument(
        "--whitespace",
        choices=["repair"],
        help="repair: runs of white space become one blank, those at the ends and invisible characters go",
    )


def preparation(args: argparse.Namespace) -> Preparation:
    """What the options ask for."""
    from geceval.text.preparation import Preparation, Role

    names: dict[str, Role] = {"source": "source", "systems": "systems"}
    return Preparation(
        args.tokenise,
        args.normalise,
        whitespace=args.whitespace == "repair",
        truecase=args.truecase,
        only=[names.get(text, "references") for text in args.tokenise_only],
        threads=getattr(args, "threads", 0),
    )
