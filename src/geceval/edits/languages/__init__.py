"""Annotators by name: the builtin ones, spaCy's pipelines, and those of installed packages."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from geceval.errors import UsageError

if TYPE_CHECKING:
    from geceval.edits.annotation import Annotator

#: What ``--annotator`` takes.
ANNOTATORS = ("builtin", "builtin:classic", "spacy:NAME")

#: Installed packages offer annotators under this group: a function by name. ``NAME`` calls it without arguments,
#: ``NAME:REST`` with REST.
GROUP = "geceval.languages"


def make_annotator(annotator: str | Annotator) -> Annotator:
    """The annotator of a name: ``builtin``, ``builtin:classic``, ``spacy:PIPELINE``, or what an installed package
    offers (entry points of the group ``geceval.languages``). An annotator itself is returned as it is.

    Raises UsageError that lists what there is for any other name, and MissingExtraError if spaCy or its pipeline is
    missing.
    """
    return _named(annotator) if isinstance(annotator, str) else annotator


@functools.cache
def _named(name: str) -> Annotator:
    kind, colon, rest = name.partition(":")
    if kind in _BUILTIN:
        return _BUILTIN[kind](name)
    found = _installed()
    if kind not in found:
        raise _unknown(name)
    make = found[kind].load()
    made: Annotator = make(rest) if colon else make()
    return made


def _english(name: str) -> Annotator:
    from geceval.edits.languages.english.builtin import Builtin

    if name not in ANNOTATORS:
        raise _unknown(name)
    return Builtin(name)


def _spacy(name: str) -> Annotator:
    from geceval.edits.languages.spacy import SpacyAnnotator

    _, colon, pipeline = name.partition(":")
    if not colon:
        raise _unknown(name)
    return SpacyAnnotator(pipeline)


_BUILTIN: dict[str, Callable[[str], Annotator]] = {"builtin": _english, "spacy": _spacy}


def _installed() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _unknown(name: str) -> UsageError:
    there = ", ".join([*ANNOTATORS, *sorted(_installed())])
    return UsageError(f"unknown annotator {name!r}: choose from {there}")
