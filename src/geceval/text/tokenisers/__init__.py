"""Tokenisers by name: those of the kernel, those of other packages, and what installed packages offer.

Everything that counts words takes tokens to be what stands between blanks; a tokeniser brings raw text into this form.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Protocol, cast, overload, runtime_checkable

from geceval._kernel import Text
from geceval.base.errors import InputError
from geceval.base.registry import Registry


@runtime_checkable
class Tokeniser(Protocol):
    """Cuts text into tokens. ``name`` goes into signatures (``english-1``) and so changes with the output."""

    @property
    def name(self) -> str: ...

    def tokenise(self, text: str) -> Sequence[str]:
        """The tokens of a line, in order, without white space."""


@runtime_checkable
class LineTokeniser(Protocol):
    """A tokeniser that is quicker with many lines at a time."""

    def tokenise_lines(self, lines: Text, threads: int) -> Text:
        """As many lines, with a blank between tokens; missing ones stay missing."""


#: Those of the kernel.
RULES = ("english", "treebank", "char", "grapheme")
#: Of languages without blanks between words, or between morphemes.
SEGMENTERS = ("jieba", "fugashi", "sudachi", "kiwi", "pythainlp")

#: What makes tokenisers, a function by name: ``NAME`` calls it without arguments, ``NAME:REST`` with REST.
TOKENISERS = Registry(
    "tokeniser",
    "geceval.tokenisers",
    {
        **{name: f"geceval.text.tokenisers.rules:{name}" for name in RULES},
        "spacy": "geceval.text.tokenisers.spacy_tokenisers:pipeline",
        **{name: f"geceval.text.tokenisers.segmenters:{name}" for name in ("moses", "icu", "syntok", *SEGMENTERS)},
    },
    shown=(*RULES, "moses", "moses:LANG", "icu", "spacy:NAME", "syntok", *SEGMENTERS),
)


def make_tokeniser(tokeniser: str | Tokeniser) -> Tokeniser:
    """The tokeniser of a name; one itself is returned as it is.

    Raises UsageError that lists what there is for an unknown name, and MissingExtraError if what it needs is not
    installed.
    """
    return _make_cached(tokeniser) if isinstance(tokeniser, str) else tokeniser


_make_cached = functools.cache(TOKENISERS.make)


@overload
def tokenise(text: str, tokeniser: str | Tokeniser, *, threads: int = 0) -> str: ...
@overload
def tokenise(text: Sequence[str], tokeniser: str | Tokeniser, *, threads: int = 0) -> Sequence[str]: ...
def tokenise(text: str | Sequence[str], tokeniser: str | Tokeniser, *, threads: int = 0) -> str | Sequence[str]:
    """A line, or lines, with a blank between tokens: ``tokenise("He can't.", "english")`` is ``"He ca n't ."``.

    ``tokeniser``: a name (docs/tokenisation.md) or an object with ``name`` and ``tokenise(text)``. Lines that are None
    stay so. ``threads`` (0: all processors) speed up those of the kernel. Errors: see make_tokeniser.
    """
    lines = [text] if isinstance(text, str) else text
    done = tokenised(Text(lines), make_tokeniser(tokeniser), threads)
    return cast(str, done[0]) if isinstance(text, str) else cast("Sequence[str]", done)


def tokenised(lines: Text, tokeniser: Tokeniser, threads: int = 0) -> Text:
    """The lines with a blank between tokens. Raises InputError if a tokeniser leaves white space in a token."""
    if isinstance(tokeniser, LineTokeniser):
        return tokeniser.tokenise_lines(lines, threads)
    return Text(None if line is None else _join_tokens(line, tokeniser) for line in lines)


def _join_tokens(line: str, tokeniser: Tokeniser) -> str:
    tokens = [token for token in tokeniser.tokenise(line) if not token.isspace()]
    joined = " ".join(tokens)
    if joined.split() != tokens:
        wrong = next(token for token in tokens if token.split() != [token])
        raise InputError(f"the tokeniser {tokeniser.name} yields the token {wrong!r}: tokens hold no white space")
    return joined
