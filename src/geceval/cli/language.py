"""``geceval language``: which languages there are, and a table for another one from a treebank."""

from __future__ import annotations

import argparse
from itertools import chain

from geceval.base.errors import MissingExtraError, UsageError
from geceval.cli.actions import Action, add_actions
from geceval.cli.common import add_output, write_output, writing
from geceval.edits.languages import ANNOTATORS

EXAMPLES = """\
examples:
  geceval language list
  geceval language make --conllu sv_talbanken-ud-train.conllu --code sv
  geceval score -s source.txt -r ref.txt -c system.txt -m errant --language sv.lexicon

Treebanks: https://universaldependencies.org. docs/languages.md says how good a table is, and what its licence asks for.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add_actions(parser, ACTIONS)


def run(args: argparse.Namespace) -> None:
    ACTIONS[args.action][2](args)


def _list(args: argparse.Namespace) -> None:
    """A row for each annotator: how it is asked for, signed, and what its edits are merged and typed by."""
    from geceval.report.formats.terminal import as_text
    from geceval.report.table import plain_table

    rows = [[name, *_about(name)] for name in ANNOTATORS.names()]
    write_output(args, as_text(plain_table(["name", "language", "in signatures", "rules", "types"], rows)))


def _about(name: str) -> list[str]:
    """What an annotator says of itself, or what it needs; nothing for a name with a place for another."""
    from geceval.edits.languages import language_of, make_annotator, types_of

    kind, _, rest = name.partition(":")
    if rest.isupper():
        return [f"any: {rest}", "", "", ""]
    try:
        annotator = make_annotator(name)
    except MissingExtraError as error:
        return ["", f"needs {error.hint}", "", ""]
    except UsageError:  # of another package, and not without more of a name
        return ["", f"{kind}:…", "", ""]
    return [language_of(annotator).code or "any", annotator.name, annotator.rules, types_of(annotator)]


def _add_make(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--conllu",
        nargs="+",
        required=True,
        metavar="FILE",
        help="treebanks, plain or compressed, read one after another",
    )
    add("--code", required=True, metavar="XX", help="the language, as in ISO 639: sv; it stands in signatures")
    add(
        "--version",
        default="",
        metavar="V",
        help="of the table, in signatures (default: a fingerprint of its contents, which cannot go out of date)",
    )
    add("--rules", choices=["generic", "czech"], default="generic", help="of alignment and merging (default: generic)")
    add(
        "--types",
        choices=["generic", "universal"],
        default="universal",
        help="generic: parts of speech, ORTH and WO; universal (default): INFL, MORPH, DIACR, … and SPELL, too",
    )
    add("--tokeniser", default="", metavar="NAME", help="for raw text (--tokenise auto), such as moses:sv or icu")
    add("--words", metavar="FILE", help="a word a line, spelt right, for the type SPELL (default: no such type)")
    add("--source", default="", metavar="TEXT", help="where it is from, to be kept in the table")
    add("--licence", default="", metavar="TEXT", help="its licence, to be kept in the table")
    add("-o", "--output", metavar="FILE", help="the table (default: CODE.lexicon in this folder); - is standard output")


def _make(args: argparse.Namespace) -> None:
    """Writes the table and says what is in it."""
    import sys

    from geceval.edits.languages.treebanks import make_table, read_word_list, read_words

    _check(args)
    right = [] if args.words is None else read_word_list(args.words)
    words = chain.from_iterable(map(read_words, args.conllu))
    said = {name: getattr(args, name) for name in ("rules", "types", "tokeniser", "source", "licence")}
    table = make_table(words, args.code, args.version, **said, right=right)
    path = args.output or f"{args.code}.lexicon"
    with writing(path) as out:
        out.writelines(f"{line}\n" for line in table.lines())
    sizes = f"{len(table.forms)} forms, {len(table.suffixes)} endings, {len(table.lemmas)} lemmas"
    print(f"{path}: lexicon-{table.code}-{table.version}, {sizes}; use it with --language {path}", file=sys.stderr)


def _check(args: argparse.Namespace) -> None:
    """Raise UsageError for what cannot stand in a table, or in a signature."""
    from geceval.edits.languages.lexicon import NAMES_HAVE, is_name

    for option in ("code", "version"):
        name = getattr(args, option)
        if not is_name(name) and (name or option == "code"):
            raise UsageError(f"--{option}: {name!r} cannot stand in a signature", hint=NAMES_HAVE)
    for option in ("tokeniser", "source", "licence"):
        text = getattr(args, option)
        if text != " ".join(text.split()):
            raise UsageError(f"--{option}: {text!r} cannot stand in a line of a table")


ACTIONS: dict[str, Action] = {
    "list": ("list the languages and annotators there are", add_output, _list),
    "make": ("make the table of a language from a treebank in CoNLL-U", _add_make, _make),
}
