"""Options for the language of texts."""

from __future__ import annotations

from geceval.base.requests import OptionGroup, option
from geceval.edits.languages import ANNOTATORS, LANGUAGES

#: Guess the language from the source, and use its tokeniser.
AUTO = "auto"


class LanguageOptions(OptionGroup, title="language and preparation of text"):
    """The language of the texts, and the annotator if it is not the language's."""

    language: str | None = option(
        "--language",
        metavar="NAME",
        help=f"{', '.join(LANGUAGES)}, plain (any language with spaces between words), a FILE of geceval language "
        "make, or auto (default: en)",
        reads_file=True,
    )
    annotator: str | None = option(
        "--annotator",
        metavar="NAME",
        help=f"annotator that extracts edits, instead of the language's: {', '.join(ANNOTATORS.shown)}",
        rare=True,
    )
