"""The options that say what language texts are in."""

from __future__ import annotations

from geceval.base.requests import OptionGroup, option
from geceval.edits.languages import ANNOTATORS, LANGUAGES

#: The language is guessed from the source, and the tokeniser is that of the language.
AUTO = "auto"


class LanguageOptions(
    OptionGroup, title="language", about="for edits found in text, and for --tokenise auto; docs/languages.md"
):
    """The language of the texts, and another annotator than the language's."""

    language: str | None = option(
        "--language",
        metavar="NAME",
        help=f"{', '.join(LANGUAGES)} (default: en; zh is by characters), plain (any language written with blanks), a "
        "table (FILE: geceval language make), or auto: guessed from the source, named on stderr and in signatures",
        reads_file=True,
    )
    annotator: str | None = option(
        "--annotator",
        metavar="NAME",
        help=f"what finds edits in text, in place of the language's: {', '.join(ANNOTATORS.shown)}",
    )
