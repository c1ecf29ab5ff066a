"""Annotators whose edits agree with the edits of a gold file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain

from geceval._kernel import Text
from geceval.base.errors import GecevalError
from geceval.edits.annotation import Annotator
from geceval.edits.corpus_edits import Extraction
from geceval.edits.languages import ANNOTATORS, language_of, make_annotator
from geceval.edits.languages.identification import guess
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import NOOP, UNKNOWN

#: Number of sentences that are compared, from the first one on.
COMPARED = 2000


@dataclass(frozen=True)
class ProfileAgreement:
    """Agreement of gold edits with an annotator's edits of the corrected text.

    Attributes:
        annotator: Name of the annotator, as in ``--annotator``.
        spans: F1 of the spans, in [0, 1].
        types: Share of equal types among the edits with equal spans, in [0, 1].
    """

    annotator: str
    spans: float
    types: float

    def __str__(self) -> str:
        return f"{self.annotator} (F1 of spans {100 * self.spans:.1f}, equal types {100 * self.types:.1f} %)"


def known_profiles(source: Text) -> list[str]:
    """Return the names of the annotators of the package for the language of a text."""
    try:
        language = guess(source).language
    except GecevalError:  # too few words
        language = "en"
    # A name such as spacy:NAME stands for many.
    names = [name for name in ANNOTATORS.shown if not name.rpartition(":")[2].isupper()]
    return [name for name in names if language_of(make_annotator(name)).code in ("", language)]


def compare_profile(gold: Blocks, annotator: str | Annotator) -> ProfileAgreement | None:
    """Return the agreement of gold edits with an annotator; None without gold edits.

    Raises:
        InputError: If the edits cannot be made, since some overlap or lie outside their sentence.
    """
    name = annotator if isinstance(annotator, str) else annotator.name
    given = [[edits for _, edits in gold.edits.sentence(s)] for s in range(len(gold))]
    places = range(max(map(len, given), default=0))
    types_given = {kind for versions in given for edits in versions for _, _, kind, _ in edits} - {NOOP}
    # Some files have no other type than UNK.
    left_out = {NOOP} if types_given == {UNKNOWN} else {NOOP, UNKNOWN}
    found = Extraction(annotator).edits(gold.source, [gold.version(place) for place in places])
    wanted = proposed = spans = types = 0
    for place, edits in zip(places, found, strict=True):
        for s, versions in enumerate(given):
            if place < len(versions):
                own, [(_, other)] = _by_span(versions[place], left_out), edits.sentence(s)
                theirs = _by_span(other, left_out)
                both = own.keys() & theirs.keys()
                wanted, proposed, spans = wanted + len(own), proposed + len(theirs), spans + len(both)
                types += sum(own[span] == theirs[span] for span in both)
    return ProfileAgreement(name, 2 * spans / (wanted + proposed), types / max(spans, 1)) if wanted else None


def _by_span(edits: Sequence[tuple[int, int, str, str]], left_out: Collection[str]) -> dict[tuple[int, int], str]:
    """Return the types of edits by their spans, without some types."""
    return {(start, end): kind for start, end, kind, _ in edits if kind not in left_out}


def closest_profile(gold: Blocks, *others: str | Annotator) -> ProfileAgreement | None:
    """Return the annotator that finds most of the gold's edits in its corrected text.

    Args:
        gold: Gold edits, of which the first COMPARED sentences are compared.
        others: Annotators that are compared in addition to known_profiles.

    Returns:
        The best agreement by spans, then by types; None without gold edits.

    Raises:
        InputError: See ``compare_profile``.
    """
    gold = gold[:COMPARED]
    profiles = dict.fromkeys(chain(known_profiles(gold.source), others))
    found = [one for name in profiles if (one := compare_profile(gold, name)) is not None]
    return max(found, key=lambda one: (one.spans, one.types), default=None)
