"""The options that say what language texts are in, which all commands with texts share."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from geceval.base.errors import UsageError
from geceval.cli.notes import note
from geceval.edits.languages import ANNOTATORS, LANGUAGES

if TYPE_CHECKING:
    from geceval._kernel import Text


def tell(args: argparse.Namespace, text: str) -> None:
    """A note on stderr, unless it is to be quiet."""
    note(text, quiet=getattr(args, "quiet", False))


#: What is left to geceval.
AUTO = "auto"
#: Lines that a guess looks at.
HEAD = 1000


def add_language_arguments(parser: argparse.ArgumentParser) -> None:
    """The language of the texts, and another annotator than the language's."""
    group = parser.add_argument_group("language", "for edits found in text, and for --tokenise auto; docs/languages.md")
    group.add_argument(
        "--language",
        metavar="NAME",
        help=f"{', '.join(LANGUAGES)} (default: en; zh is by characters), plain (any language written with blanks), a "
        "table (FILE: geceval language make), or auto: guessed from the source, told on stderr and in signatures",
    )
    group.add_argument(
        "--annotator",
        metavar="NAME",
        help=f"what finds edits in text, in place of the language's: {', '.join(ANNOTATORS.shown)}",
    )


def asked_language(args: argparse.Namespace) -> str | None:
    """The language that ``--language`` names or that is guessed; None without it. Errors: see make_annotator."""
    if args.language == AUTO:
        args.language = _guessed(args)  # once a run
    if args.language is not None:
        _check(args.language)
    language: str | None = args.language
    return language


def _check(language: str) -> None:
    from geceval.edits.languages import is_known, make_annotator

    if not is_known(language):
        hint = "plain does for any language written with blanks; geceval language make makes a table of a treebank"
        known = f"en, {', '.join(ANNOTATORS.names())}, auto, or a file that is a table"
        raise UsageError(f"there is no language {language!r}: choose from {known}", hint=hint)
    make_annotator(language)


def asked_annotator(args: argparse.Namespace) -> str | None:
    """What is to find edits in text; None: what is usual."""
    annotator: str | None = args.annotator
    return asked_language(args) if annotator is None else annotator


def annotator_or_usual(args: argparse.Namespace) -> str:
    """What is to find edits in text."""
    annotator = asked_annotator(args)
    return "builtin" if annotator is None else annotator


def language_setting(metric: str, annotator: str | None) -> dict[str, str]:
    """The annotator as a setting of a metric by name, if it has such a one and there is one."""
    from geceval.counting.metric_names import setting_types

    return {"annotator": annotator} if annotator is not None and "annotator" in setting_types(metric) else {}


def asked_tokeniser(args: argparse.Namespace, tokeniser: str | None) -> str | None:
    """The tokeniser of a name; of ``auto`` that of the language or, without one, of the annotator's, which is told on
    stderr."""
    from geceval.edits.languages import language_of, make_annotator

    if tokeniser != AUTO:
        return tokeniser
    name = asked_language(args) or getattr(args, "annotator", None) or "en"
    own = language_of(make_annotator(name)).tokeniser
    if own is None:
        hint = "name one: char for scripts without blanks, icu or moses:XX for others (geceval tokenise --list)"
        raise UsageError(f"the language {name} has no tokeniser of its own", hint=hint)
    tell(args, f"--tokenise auto: {own}")
    return own


def _guessed(args: argparse.Namespace) -> str:
    from geceval.edits.languages.identification import guess

    found = guess(_head(args))
    tell(args, f"--language auto: {found.language} ({found.why})")
    return found.language


def _head(args: argparse.Namespace) -> Text:
    """The first lines of the source, which must be a file that can be read again."""
    from geceval._kernel import Text
    from geceval.text.m2 import read
    from geceval.text.reading import is_m2, is_read_once, line_parts

    path = getattr(args, "source", None)
    if path is None and getattr(args, "input", None) is not None:
        from geceval.cli.tables import first_sentences

        return first_sentences(args, HEAD)
    path = path or getattr(args, "gold", None)
    if path in (None, "-") or is_read_once(path):
        raise UsageError("--language auto reads the source first, which must be a file", hint="name the language")
    if is_m2(path):
        blocks = read(path)
        return Text(block.source for block, _ in zip(blocks, range(HEAD), strict=False))
    return next(line_parts(path, HEAD), Text([]))
