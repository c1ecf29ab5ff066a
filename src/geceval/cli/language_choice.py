"""The language of a run: as it is named, or guessed from the first lines of the source."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from geceval.base.cached import cached_property
from geceval.base.errors import UsageError
from geceval.cli.stderr import note
from geceval.edits.languages import ANNOTATORS, is_known, language_of, make_annotator
from geceval.edits.languages.language_options import AUTO, LanguageOptions
from geceval.text.files import is_read_once

if TYPE_CHECKING:
    from geceval._kernel import Text

#: Lines from which a language is guessed.
HEAD = 1000


class LanguageChoice:
    """The language and the annotator that options name. ``head`` returns the first lines of the source, at most once,
    where the language is guessed; the guess is noted on stderr unless ``quiet``."""

    def __init__(self, options: LanguageOptions, head: Callable[[], Text], *, quiet: bool = False) -> None:
        self._options, self._head, self._quiet = options, head, quiet

    @cached_property
    def language(self) -> str | None:
        """The name of the language; None if none is named. Raises UsageError for one that does not exist; other errors:
        see make_annotator."""
        name = self._options.language
        if name == AUTO:
            name = self._guess()
        if name is not None:
            _check(name)
        return name

    def _guess(self) -> str:
        from geceval.edits.languages.identification import guess

        found = guess(self._head())
        note(f"--language auto: {found.language} ({found.why})", quiet=self._quiet)
        return found.language

    @property
    def annotator(self) -> str | None:
        """The name of the annotator; None for the default. Errors: see language."""
        return self.language if self._options.annotator is None else self._options.annotator

    @property
    def annotator_or_default(self) -> str:
        """The name of the annotator. Errors: see language."""
        annotator = self.annotator
        return "builtin" if annotator is None else annotator

    def tokeniser(self, name: str | None) -> str | None:
        """Return the name of a tokeniser; of ``auto`` that of the language or, without one, of the annotator's, which
        is noted on stderr. Raises UsageError for a language without a tokeniser."""
        if name != AUTO:
            return name
        language = self.language or self._options.annotator or "en"
        own = language_of(make_annotator(language)).tokeniser
        if own is None:
            hint = "name one: char for scripts without blanks, icu or moses:XX for others (geceval tokenise --list)"
            raise UsageError(f"the language {language} has no tokeniser of its own", hint=hint)
        note(f"--tokenise auto: {own}", quiet=self._quiet)
        return own


def _check(language: str) -> None:

    if not is_known(language):
        hint = "plain does for any language written with blanks; geceval language make makes a table of a treebank"
        known = f"en, {', '.join(ANNOTATORS.names())}, auto, or a file that is a table"
        raise UsageError(f"there is no language {language!r}: choose from {known}", hint=hint)
    make_annotator(language)


def first_lines(path: str | None) -> Text:
    """Return the first lines of a source. Raises UsageError unless it is a file that can be read again."""
    from geceval.text.reading import first_sentences

    if path is None or path == "-" or is_read_once(path):
        raise UsageError("--language auto reads the source first, which must be a file", hint="name the language")
    return first_sentences(path, HEAD)
