"""Options for the language of texts."""

from __future__ import annotations

from geceval.base.requests import OptionGroup, option
from geceval.edits.languages import ANNOTATORS, LANGUAGES

#: Guess the language from the source, and use its tokeniser.
AUTO = "auto"


class LanguageOptions(OptionGroup, title="language and preparation of text"):
    """The language of the texts, and the annotator if it is not the language's."""

    language: str | None = option("--language", known=LANGUAGES, metavar="NAME", reads_file=True)
    annotator: str | None = option("--annotator", known=ANNOTATORS.shown, metavar="NAME", rare=True)
