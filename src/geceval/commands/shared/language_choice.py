"""The language of a command's texts, named or detected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from geceval._kernel import Text
from geceval.base.arguments import did_you_mean
from geceval.base.errors import GecevalError, MissingExtraError, UsageError
from geceval.base.hints import Hint, Option
from geceval.commands.shared.corpus_options import AUTO
from geceval.edits.annotation import DEFAULT_ANNOTATOR
from geceval.edits.languages import ANNOTATORS, is_known, language_of, make_annotator
from geceval.terminal.messages import note
from geceval.text.files import is_read_once
from geceval.text.languages import NamedLanguage, find_language, languages, pipeline_hint, script_language
from geceval.text.reading.text_files import first_sentences
from geceval.text.tokenisers import TOKENISERS, make_tokeniser

#: Number of lines from which a language is detected.
HEAD = 1000
#: Number of lines from which a script is detected.
SCRIPT_HEAD = 100
#: Smallest number of words from which a tokeniser is chosen.
FEW_WORDS = 5


# --- language ---


@dataclass(frozen=True)
class LanguageChoice:
    """The language of a request, or its annotator.

    Attributes:
        option: The value of ``--language``.
        head: A function that returns the first lines of the source, called to detect the language.
    """

    option: str | None
    head: Callable[[], Text]

    @cached_property
    def name(self) -> str | None:
        """The name of the language or the annotator.

        Without ``--language``, the language of text without spaces between words, or None.

        Raises:
            UsageError: The language is unknown.
        """
        name = self.option
        if name == AUTO:
            from geceval.edits.languages.lexicon import guess  # most commands detect no language

            detected = guess(self.head())
            name = detected.language
            note(f"--language auto: {name} ({detected.why})")
        elif name is None:
            name = None if self._unbroken is None else self._unbroken.code
        if name is not None:
            _check(name)
        return name

    @cached_property
    def _unbroken(self) -> NamedLanguage | None:
        """The language of text without spaces between words; None for other text and for standard input."""
        try:
            script = script_language(self.head()[:SCRIPT_HEAD])
        except GecevalError:  # another reader reports it
            return None
        return languages()[script.code] if script is not None and script.is_unbroken else None

    @property
    def annotator(self) -> str:
        """The name of the annotator."""
        return self.name or DEFAULT_ANNOTATOR

    def tokeniser(self, name: str | None, *, is_text: bool = False) -> str | None:
        """Return the name of a tokeniser; a note on stderr names one that is not given.

        Args:
            name: A name; that of a language, or ``auto``, which is detected without ``--language``, for its
                tokeniser.
            is_text: Whether text without spaces between words is split into characters without a name.

        Raises:
            UsageError: The language has no tokeniser.
            MissingExtraError: The tokeniser of the language is not installed.
        """
        if name == AUTO:
            return self._language_tokeniser(name, self.name)
        if name is not None and name.partition(":")[0] not in TOKENISERS and find_language(name) is not None:
            return self._language_tokeniser(name, name)
        if name is not None or not is_text or self._unbroken is None:
            return name
        code, language, tokeniser = self._unbroken
        note(
            f"{language} without spaces between words is split into characters: --language {code} --tokenise"
            f" {tokeniser}; for words name a tokeniser (geceval prepare --list)"
        )
        return tokeniser

    def _language_tokeniser(self, name: str, language: str | None) -> str:
        """Return the tokeniser of a language, by default the detected one."""
        why = ""
        if language is None:
            language, why = self._guess_or_english()
        tokeniser = language_of(make_annotator(language)).tokeniser
        if tokeniser is None:
            tokenisers = "use --tokenise NAME: plain splits punctuation from words (geceval prepare --list)"
            raise UsageError(f"the language {language} has no tokeniser", hint=tokenisers)
        try:
            make_tokeniser(tokeniser)
        except MissingExtraError as error:
            message = f"--tokenise {name}: {tokeniser}, the tokeniser of {language}{why}, is not installed"
            hint = Hint(error.hint or "", ", or --tokenise plain, which gives other scores")
            raise MissingExtraError(message, hint=hint) from None
        note(f"--tokenise {name}: {tokeniser}{why}")
        return tokeniser

    def _guess_or_english(self) -> tuple[str, str]:
        """Return the detected language and the reason; English if the source cannot be judged."""
        from geceval.edits.languages.lexicon import guess  # most commands detect no language

        try:
            detected = guess(self.head(), least=FEW_WORDS)
        except GecevalError:  # standard input, or no words
            return "en", ""
        return detected.language, f" ({detected.why})"


def _check(language: str) -> None:
    if not is_known(language):
        hint = (
            pipeline_hint(language)
            or did_you_mean(language, languages())
            or ("use plain for any space-separated language; geceval language make builds a table from a treebank")
        )
        known = f"a language (german, de), {', '.join(ANNOTATORS.names())}, auto, or a file that is a table"
        raise UsageError(f"unknown language {language!r}: choose from {known}", hint=hint)
    make_annotator(language)


def first_lines(path: str | None) -> Text:
    """Return the first lines of a source.

    Raises:
        UsageError: The source cannot be read twice.
    """
    if path is None or is_read_once(path):
        hint = Hint(Option("language", "NAME"))
        raise UsageError("--language auto requires a source that can be read twice", hint=hint)
    return first_sentences(path, HEAD)
