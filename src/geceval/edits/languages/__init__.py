"""Languages and annotators by name: builtin, spaCy's, installed packages'.

A language is a plug-in: an annotator (``edits.annotation.Annotator``) whose attribute ``language`` describes it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

from geceval.base.errors import UsageError
from geceval.base.registry import registry_from
from geceval.edits.annotation import ENGLISH, UNIVERSAL_RULES, Annotator, Language, TagSet
from geceval.edits.languages.plain import Plain
from geceval.text.files import is_file
from geceval.text.languages import NamedLanguage, find_language, pipeline_hint
from geceval.text.tokenisers import Tokeniser, make_tokeniser

#: Functions that make annotators, by name: ``NAME`` calls it without arguments, ``NAME:REST`` with REST.
ANNOTATORS = registry_from("annotator", "geceval.languages", Path(__file__).with_name("annotators.tsv"))
#: Languages of the package, as in --language; ``plain`` is for others.
LANGUAGES = ("en", "de", "cs", "zh")


def make_annotator(annotator: str | Annotator) -> Annotator:
    """Return the annotator with a name; an annotator is returned unchanged.

    Args:
        annotator: A language by code or name (``de``, ``German``, ``es``), ``plain``, the file of a table, another
            annotator (``builtin:classic``, ``spacy:PIPELINE``), or an entry point of the group ``geceval.languages``.

    Raises:
        UsageError: For an unknown name; lists the available ones.
        MissingExtraError: If a required package is not installed.
        InputError: For a file that is not a table.
    """
    if not isinstance(annotator, str):
        return annotator
    if not _is_registered(annotator):
        if names_file(annotator):
            annotator = f"lexicon:{annotator}"
        elif (language := find_language(annotator)) is not None:
            return _of_language(language)
        elif hint := pipeline_hint(annotator):
            raise UsageError(ANNOTATORS.unknown(annotator).message, hint=hint)
    is_table = annotator.startswith("lexicon:")
    return _named(annotator, Path(annotator.removeprefix("lexicon:")).absolute() if is_table else None)


def check_annotator(annotator: str | Annotator) -> None:
    """Raise UsageError for a name that no annotator has, such as ``builtin``, without loading a model."""
    if isinstance(annotator, str) and (annotator.lower().startswith("builtin") or not is_known(annotator)):
        make_annotator(annotator)


def language_of(annotator: Annotator) -> Language:
    """Return the language of an annotator.

    Without one it is English if the rules are ERRANT's.
    """
    language: Language | None = getattr(annotator, "language", None)
    if language is None and annotator.rules.startswith("errant"):
        return ENGLISH
    return language or Language()


def types_of(annotator: Annotator) -> TagSet:
    """Return the tag set of an annotator's edits."""
    rules = annotator.rules
    return language_of(annotator).types or ("generic" if rules in UNIVERSAL_RULES else cast("TagSet", rules))


def signed_types(annotator: Annotator) -> dict[str, str]:
    """Return the entry of signatures for the tag set; empty for ERRANT's."""
    types = types_of(annotator)
    return {} if types.startswith("errant") else {"types": types}


def tokeniser_of(annotator: Annotator) -> Callable[[str], Sequence[str]]:
    """Return the function that tokenises raw text.

    It belongs to the annotator or to its language.

    Raises:
        UsageError: For a language without a tokeniser.
    """
    if isinstance(annotator, Tokeniser):
        return annotator.tokenise
    name = language_of(annotator).tokeniser
    if name is None:
        raise UsageError(
            f"the annotator {annotator.name} does not tokenise; tokenise the text, or use builtin:3 or spacy:NAME"
        )
    return make_tokeniser(name).tokenise


@functools.cache
def _named(name: str, path: Path | None) -> Annotator:
    """Return the annotator with a name; ``path`` distinguishes tables in different folders in the cache."""
    annotator: Annotator = ANNOTATORS.make(name)
    return annotator


@functools.cache
def _of_language(language: NamedLanguage) -> Annotator:
    """Return the annotator of a language; most languages have the one of ``plain``."""
    if language.code in ANNOTATORS:
        return make_annotator(language.code)
    return Plain(language=Language(language.code, language.tokeniser))


def is_known(name: str) -> bool:
    """Return whether a name is a language, an annotator or a file.

    The file may be a table.
    """
    return _is_registered(name) or names_file(name) or find_language(name) is not None


def names_file(name: str) -> bool:
    """Return whether a name is one of a file, which need not exist if the name has an ending and is no locale."""
    return is_file(name) or ("." in name and find_language(name) is None)


def _is_registered(name: str) -> bool:
    return name.partition(":")[0] in ANNOTATORS
