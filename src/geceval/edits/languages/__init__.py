"""Annotators by name: the builtin ones, spaCy's pipelines, and those of installed packages."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from geceval.registry import Registry

if TYPE_CHECKING:
    from geceval.edits.annotation import Annotator

#: What makes annotators, a function by name: ``NAME`` calls it without arguments, ``NAME:REST`` with REST.
ANNOTATORS = Registry(
    "annotator",
    "geceval.languages",
    {"builtin": "geceval.edits.languages.english.builtin:english", "spacy": "geceval.edits.languages.spacy:pipeline"},
    shown=("builtin", "builtin:classic", "spacy:NAME"),
)


def make_annotator(annotator: str | Annotator) -> Annotator:
    """The annotator of a name: ``builtin``, ``builtin:classic``, ``spacy:PIPELINE``, or what an installed package
    offers (entry points of the group ``geceval.languages``). An annotator itself is returned as it is.

    Raises UsageError that lists what there is for any other name, and MissingExtraError if spaCy or its pipeline is
    missing.
    """
    return _named(annotator) if isinstance(annotator, str) else annotator


@functools.cache
def _named(name: str) -> Annotator:
    made: Annotator = ANNOTATORS.make(name)
    return made
