"""Tokenisers by name: the kernel's and the ones of other packages.

All other modules split text at spaces. A tokeniser converts raw text to this form.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, cast, overload, runtime_checkable

from geceval._kernel import Text
from geceval.base.arguments import check_type
from geceval.base.errors import InputError, short_traceback
from geceval.base.registry import registry_from
from geceval.text.languages import find_language


@runtime_checkable
class Tokeniser(Protocol):
    """An object that splits text into tokens.

    Signatures contain its ``name`` (``english-1``), so the name must change if the output changes.
    """

    @property
    def name(self) -> str:
        """The name with a version, such as ``english-1``."""

    def tokenise(self, text: str) -> Sequence[str]:
        """Return the tokens of a line, in order, without white space."""


@runtime_checkable
class LineTokeniser(Protocol):
    """A tokeniser that is faster with many lines at once."""

    def tokenise_lines(self, lines: Text, threads: int) -> Text:
        """Return the same number of lines with spaces between tokens; None stays None."""


#: Functions that make tokenisers, by name: ``NAME`` calls it without arguments, ``NAME:REST`` with REST.
TOKENISERS = registry_from("tokeniser", "geceval.tokenisers", Path(__file__).with_name("tokenisers.tsv"))


def make_tokeniser(tokeniser: str | Tokeniser) -> Tokeniser:
    """Return the tokeniser with a name, or of a language; a tokeniser is returned unchanged.

    Raises:
        UsageError: For an unknown name; lists the available ones.
        MissingExtraError: If a required package is not installed.
    """
    check_type("tokeniser", tokeniser, (str, Tokeniser), "a name, or an object with name and tokenise")
    if not isinstance(tokeniser, str):
        return tokeniser
    language = None if tokeniser.partition(":")[0] in TOKENISERS else find_language(tokeniser)
    return _make_cached(tokeniser if language is None else language.tokeniser)


@functools.cache
def _make_cached(name: str) -> Tokeniser:
    tokeniser: Tokeniser = TOKENISERS.make(name)
    return tokeniser


@overload
def tokenise(text: str, tokeniser: str | Tokeniser, *, threads: int = 0) -> str: ...
@overload
def tokenise(text: Sequence[str], tokeniser: str | Tokeniser, *, threads: int = 0) -> Sequence[str]: ...
@short_traceback
def tokenise(text: str | Sequence[str], tokeniser: str | Tokeniser, *, threads: int = 0) -> str | Sequence[str]:
    """Return text with spaces between tokens.

    >>> tokenise("He can't.", "english")
    "He ca n't ."

    Args:
        text: A line, or lines; None stays None.
        tokeniser: A name (docs/tokenisation.md), or an object with ``name`` and ``tokenise(text)``.
        threads: Number of threads of the kernel's tokenisers; 0 means one per processor.

    Returns:
        A string for a line, or a sequence of as many strings as lines.

    Raises:
        UsageError: For an unknown name; lists the available ones.
        MissingExtraError: If a package of the tokeniser is not installed.
        InputError: If a tokeniser returns a token with white space.
    """
    lines = [text] if isinstance(text, str) else text
    try:
        prepared = tokenised(Text(lines), make_tokeniser(tokeniser), threads)
    except (TypeError, UnicodeEncodeError):
        raise InputError("text is a string or a sequence of strings, without lone surrogates") from None
    return cast(str, prepared[0]) if isinstance(text, str) else cast("Sequence[str]", prepared)


def tokenised(lines: Text, tokeniser: Tokeniser, threads: int = 0) -> Text:
    """Return lines with spaces between tokens.

    Raises InputError if a tokeniser returns a token with white space.
    """
    if isinstance(tokeniser, LineTokeniser):
        return tokeniser.tokenise_lines(lines, threads)
    return Text(None if line is None else _join_tokens(line, tokeniser) for line in lines)


def _join_tokens(line: str, tokeniser: Tokeniser) -> str:
    tokens = [token for token in tokeniser.tokenise(line) if not token.isspace()]
    joined = " ".join(tokens)
    if joined.split() != tokens:
        wrong = next(token for token in tokens if token.split() != [token])
        raise InputError(f"the tokeniser {tokeniser.name} returned the token {wrong!r}: white space in a token")
    return joined
