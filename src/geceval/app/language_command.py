"""``geceval language``: list the languages, or make one from a treebank."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from geceval.base.errors import MissingExtraError, UsageError
from geceval.base.requests import CommandRequest, option
from geceval.cli.options import TargetOption
from geceval.cli.output import terminal_width, write_text, writing
from geceval.cli.parsing import Command
from geceval.cli.stderr import say
from geceval.edits.languages import ANNOTATORS, language_of, make_annotator, types_of
from geceval.tables.formats.terminal import as_text
from geceval.tables.table import plain_table

if TYPE_CHECKING:
    from geceval.edits.annotation import Rules, TagSet


class LanguageListRequest(TargetOption, CommandRequest):
    """The output of the list."""


def list_languages(request: LanguageListRequest) -> None:
    """Write the name, signature, rules and types of each annotator."""
    rows = [[name, *_about(name)] for name in ANNOTATORS.names()]
    table = plain_table(["name", "language", "in signatures", "rules", "types"], rows)
    write_text(request.target, as_text(table, width=terminal_width(request.target)))


def _about(name: str) -> list[str]:
    """Return the cells of an annotator, or its missing package."""
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


class LanguageMakeRequest(TargetOption, CommandRequest):
    """Treebanks, contents of the table, and its name."""

    conllu: tuple[str, ...] = option("--conllu", required=True, reads_file=True)
    code: str = option("--code", required=True, metavar="XX")
    version: str = option("--version", default="")
    rules: Rules = option("--rules", choices=["generic", "czech"], default="generic")
    types: TagSet = option("--types", choices=["generic", "universal"], default="universal")
    tokeniser: str = option("--tokeniser", default="")
    words: str | None = option("--words", reads_file=True)
    source: str = option("--source", default="", metavar="TEXT")
    licence: str = option("--licence", default="", metavar="TEXT")

    def check(self) -> None:
        super().check()
        from geceval.edits.languages.lexicon import NAMES_HAVE, is_name

        for name, text in (("code", self.code), ("version", self.version)):
            if text is not None and not is_name(text) and (text or name == "code"):
                raise UsageError(f"--{name}: {text!r} is not valid in a signature", hint=NAMES_HAVE)
        for name, text in (("tokeniser", self.tokeniser), ("source", self.source), ("licence", self.licence)):
            if text != " ".join(text.split()):
                raise UsageError(f"--{name}: {text!r} is not valid in a table")


def make_language(request: LanguageMakeRequest) -> None:
    """Write the table and print its size on stderr."""
    from geceval.edits.languages.treebanks import make_table, read_word_list, read_words

    table = make_table(
        chain.from_iterable(map(read_words, request.conllu)),
        request.code,
        request.version,
        rules=request.rules,
        types=request.types,
        tokeniser=request.tokeniser,
        source=request.source,
        licence=request.licence,
        right=() if request.words is None else read_word_list(request.words),
    )
    path = request.target or f"{request.code}.lexicon"
    with writing(path) as out:
        out.writelines(f"{line}\n" for line in table.lines())
    sizes = f"{len(table.forms)} forms, {len(table.suffixes)} endings, {len(table.lemmas)} lemmas"
    say(f"{path}: lexicon-{table.code}-{table.version}, {sizes}; use it with --language {path}")


LIST = Command(LanguageListRequest, list_languages)
MAKE = Command(LanguageMakeRequest, make_language)
