"""Features of words for the tag sets that use them: ``Case=Gen|Number=Sing``, or classes of morphemes.

The kernel's ``feature_types.tsv`` has the types of each tag set.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import get_args

from geceval.base.errors import UsageError
from geceval.base.package_tables import table_rows
from geceval.edits.annotation import FeatureTagSet, TagSet

#: Class of a morpheme whose tag is not in the table.
UNKNOWN = "OTHER"


def features_of(types: TagSet, features: str, lemma: str, tag: str) -> str:
    """Return the features of a word by which a tag set classifies replacements.

    Args:
        types: The tag set.
        features: Features of Universal Dependencies, ``Case=Gen|Number=Sing``; ``_`` or nothing: none.
        lemma: The lemma; for tag sets with classes of morphemes its morphemes, ``스타벅스+가``.
        tag: The language's own tag; for these sets the tags of the morphemes, ``NNP+JKS``.

    Returns:
        The features, or a feature for each class of morphemes: ``NOUN=스타벅스|PARTICLE=가``. Empty if the tag set
        uses no features.
    """
    if types not in FEATURE_TAG_SETS:
        return ""
    classes = _classes(types)
    if not classes:
        return "" if features == "_" else features
    morphemes: defaultdict[str, list[str]] = defaultdict(list)
    for morpheme, name in zip(lemma.split("+"), tag.split("+"), strict=False):
        beginnings = (name[:length] for length in range(len(name), 0, -1))
        morphemes[next((classes[start] for start in beginnings if start in classes), UNKNOWN)].append(morpheme)
    return "|".join(f"{name}={'+'.join(morphemes[name])}" for name in sorted(morphemes))


#: Tag sets that use features.
FEATURE_TAG_SETS: tuple[FeatureTagSet, ...] = get_args(FeatureTagSet)


def split_types(name: str) -> tuple[str, TagSet | None]:
    """Return the name of a model and the tag set after ``+``: ``ru_core_news_sm+russian``.

    Raises:
        UsageError: For an unknown tag set.
    """
    model, plus, types = name.partition("+")
    if not plus:
        return model, None
    known: TagSet | None = next((types_of for types_of in FEATURE_TAG_SETS if types_of == types), None)
    if known is None:
        raise UsageError(f"unknown types {types!r} in {name!r}: choose from {', '.join(FEATURE_TAG_SETS)}")
    return model, known


@cache
def _classes(types: TagSet) -> dict[str, str]:
    """Return the class of each beginning of a tag; empty for a tag set of features."""
    rows = table_rows(Path(__file__).with_name("morphemes.tsv"))
    return {start: name for types_of, name, starts in rows if types_of == types for start in starts.split()}
