"""Edits out of sentence pairs: annotate the tokens, align, merge, classify."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from geceval.errors import UsageError

if TYPE_CHECKING:
    from geceval.edits.annotation import Annotator

#: What ``--annotator`` takes.
ANNOTATORS = ("builtin", "builtin:classic", "spacy:NAME")


def make_annotator(annotator: Annotator | str) -> Annotator:
    """An annotator itself, or that of a name: see named."""
    return named(annotator) if isinstance(annotator, str) else annotator


@functools.cache
def named(name: str) -> Annotator:
    """The annotator of a name: ``builtin``, ``builtin:classic`` or ``spacy:PIPELINE``.

    Raises UsageError that lists them for any other name, and MissingExtraError if spaCy or its pipeline is missing.
    """
    if name.startswith("spacy:"):
        from geceval.edits.languages.spacy import SpacyAnnotator

        return SpacyAnnotator(name.removeprefix("spacy:"))
    if name not in ANNOTATORS:
        raise UsageError(f"unknown annotator {name!r}: choose from {', '.join(ANNOTATORS)}")
    from geceval.edits.languages.english.builtin import Builtin

    return Builtin(name)
