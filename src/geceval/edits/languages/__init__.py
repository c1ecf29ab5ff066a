"""Languages and annotators by name: the builtin ones, spaCy's pipelines, and those of installed packages.

A language is a plug-in: an annotator (``edits.annotation.Annotator``) that says the rest in its attribute ``language``.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, cast

from geceval.base.registry import Registry
from geceval.text.files import is_file

if TYPE_CHECKING:
    from geceval.edits.annotation import Annotator, Language, TagSet

#: What makes annotators, a function by name: ``NAME`` calls it without arguments, ``NAME:REST`` with REST.
ANNOTATORS = Registry(
    "annotator",
    "geceval.languages",
    {
        "builtin": "geceval.edits.languages.english.builtin:english",
        "spacy": "geceval.edits.languages.spacy_annotator:pipeline",
        "stanza": "geceval.edits.languages.stanza_annotator:stanza_annotator",
        "plain": "geceval.edits.languages.plain:plain",
        "lexicon": "geceval.edits.languages.lexicon:lexicon",
        "de": "geceval.edits.languages.lexicon:german",
        "cs": "geceval.edits.languages.lexicon:czech",
        "zh": "geceval.edits.languages.chinese:Chinese",
    },
    shown=("builtin", "builtin:classic", "de", "cs", "zh", "plain", "lexicon:FILE", "spacy:NAME", "stanza:XX"),
    aliases={"en": "builtin"},
)
#: The languages in the package, as --language names them; ``plain`` does for others.
LANGUAGES = ("en", "de", "cs", "zh")


def make_annotator(annotator: str | Annotator) -> Annotator:
    """The annotator of a language (``en``, ``de``, ``cs``, ``plain``), of a table in a file, of another name
    (``builtin:classic``, ``spacy:PIPELINE``, …), or what an installed package offers (entry points of the group
    ``geceval.languages``). An annotator itself is returned as it is.

    Raises UsageError that lists what there is for any other name, MissingExtraError if what it needs is not installed,
    and InputError for a file that is no table.
    """
    return _named(annotator) if isinstance(annotator, str) else annotator


def language_of(annotator: Annotator) -> Language:
    """What the annotator says of its language. With the rules of ERRANT one that says nothing is of English."""
    from geceval.edits.annotation import Language

    said: Language | None = getattr(annotator, "language", None)
    if said is None and annotator.rules.startswith("errant"):
        from geceval.edits.languages.english import LANGUAGE

        return LANGUAGE
    return said or Language()


def types_of(annotator: Annotator) -> TagSet:
    """The tag set of its edits."""
    from geceval.edits.annotation import UNIVERSAL_RULES

    rules = annotator.rules
    return language_of(annotator).types or ("generic" if rules in UNIVERSAL_RULES else cast("TagSet", rules))


def signed_types(annotator: Annotator) -> dict[str, str]:
    """What signatures say of the tag set: nothing where it is ERRANT's."""
    types = types_of(annotator)
    return {} if types.startswith("errant") else {"types": types}


@functools.cache
def _named(name: str) -> Annotator:
    made: Annotator = ANNOTATORS.make(name if _is_registered(name) or not is_file(name) else f"lexicon:{name}")
    return made


def is_known(name: str) -> bool:
    """Whether there is something of that name: a language, an annotator, or a file that may be a table."""
    return _is_registered(name) or is_file(name)


def _is_registered(name: str) -> bool:
    return name.partition(":")[0] in ANNOTATORS
