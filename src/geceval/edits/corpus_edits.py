"""Edits of references and systems in columns, from M2 or extracted from text.

An annotator extracts edits from text. A bounded cache, with the fingerprints of the texts as keys, keeps them for
other metrics, passes and calls. ``closest_profile`` finds the annotator whose edits agree most with a gold file.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from threading import Lock
from typing import Any, Protocol, cast
from weakref import WeakMethod

from geceval._kernel import Edits, Text
from geceval.base.arguments import as_sequence, check_choices, check_type
from geceval.base.errors import GecevalError, InputError
from geceval.edits.annotation import DEFAULT_ANNOTATOR, Annotator, Merging
from geceval.edits.extraction import Extractor, Sentences
from geceval.edits.languages import ANNOTATORS, language_of, make_annotator
from geceval.edits.languages.lexicon import guess
from geceval.text.columns import HypothesisLike, check_lengths, has_edits, text_of
from geceval.text.corpus import Corpus
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import NOOP, UNKNOWN


class Sized(Protocol):
    """An object that reports its memory."""

    @property
    def nbytes(self) -> int: ...


class LruCache:
    """A thread-safe cache of at most ``budget`` bytes, values and entries together.

    It evicts the least recently used values.
    """

    #: Memory of one entry in addition to the ``nbytes`` of its value, about: the keys, and objects with short arrays.
    ENTRY = 1 << 10

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._lock = Lock()
        self._values: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._used = 0
        if hasattr(os, "register_at_fork"):
            forked = WeakMethod(self._forked)
            os.register_at_fork(after_in_child=lambda: (method := forked()) and method())

    def _forked(self) -> None:
        """Replace the lock in a forked process, where no thread may exist to release it."""
        self._lock = Lock()
        self._used = sum(size for _, size in self._values.values())

    def __len__(self) -> int:
        return len(self._values)

    @property
    def nbytes(self) -> int:
        """Size of the entries when they were stored, in bytes."""
        return self._used

    def get(self, key: Hashable) -> Any | None:
        """Return the value or None, and mark it as most recently used."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: Hashable, value: Sized) -> None:
        """Store a value and replace an old one.

        Values larger than the budget are not stored.
        """
        size = value.nbytes + self.ENTRY
        with self._lock:
            self._used -= self._values.pop(key, (None, 0))[1]
            if size <= self.budget:
                self._values[key] = value, size
                self._used += size
            while self._used > self.budget:
                self._used -= self._values.popitem(last=False)[1][1]

    def clear(self) -> None:
        """Remove all values."""
        with self._lock:
            self._values.clear()
            self._used = 0


#: Number of sentences that are compared, from the first one on.
COMPARED = 2000


@dataclass(frozen=True)
class ProfileAgreement:
    """Agreement of gold edits with an annotator's edits of the corrected text.

    Attributes:
        annotator: Name of the annotator, as in ``--language``.
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
    gold_edits = [[edits for _, edits in gold.edits.sentence(s)] for s in range(len(gold))]
    numbers = range(min(max(map(len, gold_edits), default=0), COMPARED))
    all_types = {kind for versions in gold_edits for edits in versions for _, _, kind, _ in edits} - {NOOP}
    # Some files have no other type than UNK.
    left_out = {NOOP} if all_types == {UNKNOWN} else {NOOP, UNKNOWN}
    extracted = Extraction(annotator).edits(gold.source, [gold.version(number) for number in numbers])
    expected = proposed = spans = types = 0
    for number, edits in zip(numbers, extracted, strict=True):
        for s, versions in enumerate(gold_edits):
            if number < len(versions):
                [(_, version)] = edits.sentence(s)
                gold_types, new_types = _by_span(versions[number], left_out), _by_span(version, left_out)
                both = gold_types.keys() & new_types.keys()
                expected, proposed, spans = expected + len(gold_types), proposed + len(new_types), spans + len(both)
                types += sum(gold_types[span] == new_types[span] for span in both)
    return ProfileAgreement(name, 2 * spans / (expected + proposed), types / max(spans, 1)) if expected else None


def _by_span(edits: Sequence[tuple[int, int, str, str]], left_out: Collection[str]) -> dict[tuple[int, int], str]:
    """Return the types of edits by their spans, without some types."""
    return {(start, end): kind for start, end, kind, _ in edits if kind not in left_out}


def closest_profile(gold: Blocks, *annotators: str | Annotator) -> ProfileAgreement | None:
    """Return the annotator that finds most of the gold's edits in its corrected text.

    Args:
        gold: Gold edits, of which the first COMPARED sentences and annotators are compared.
        annotators: Annotators that are compared in addition to known_profiles.

    Returns:
        The best agreement by spans, then by types; None without gold edits.

    Raises:
        InputError: See ``compare_profile``.
    """
    gold = gold[:COMPARED]
    profiles = dict.fromkeys(chain(known_profiles(gold.source), annotators))
    agreements = [agreement for name in profiles if (agreement := compare_profile(gold, name)) is not None]
    return max(agreements, key=lambda agreement: (agreement.spans, agreement.types), default=None)


#: Cache of this process: annotations of sources, and edits of pairs of texts.
MEMORY = LruCache(budget=64 << 20)
#: Number of pairs whose edits the cache holds.
CACHED = 1 << 18


@dataclass(frozen=True)
class Extraction:
    """Settings that determine the edits of text.

    They are an annotator (name or object), a merging strategy, and whether to align by plain Levenshtein distance.
    """

    annotator: str | Annotator = DEFAULT_ANNOTATOR
    merging: Merging = "rules"
    lev: bool = False

    def __post_init__(self) -> None:
        check_choices(self)

    @property
    def extractor(self) -> Extractor:
        """The extractor.

        Raises UsageError for an unknown annotator, MissingExtraError if it is not installed.
        """
        return _extractor(_IdentityKey(make_annotator(self.annotator)), self.merging, self.lev)

    def keys(self, source: Text, targets: Sequence[Text]) -> tuple[Hashable, list[Hashable]]:
        """Return keys of the annotated source and of the edits of each target."""
        extractor = self.extractor
        sources = (_IdentityKey(extractor.annotator), source.fingerprint())
        return sources, [(extractor.signature, sources, target.fingerprint()) for target in targets]

    def edits(
        self, source: Text, targets: Sequence[Text], threads: int = 0, *, further_texts: Collection[Text] = ()
    ) -> list[Edits]:
        """Return the edits of Extractor.columns, cached.

        ``further_texts``: texts whose edits are extracted in the same call and cached, unless those of all targets are.
        """
        extractor = self.extractor
        sources, keys = self.keys(source, targets)
        known: dict[Hashable, Edits] = {key: edits for key in keys if (edits := MEMORY.get(key)) is not None}
        missing = {key: target for key, target in zip(keys, targets, strict=True) if key not in known}
        if missing:
            keys_and_texts = zip(self.keys(source, list(further_texts))[1], further_texts, strict=True)
            missing |= {key: target for key, target in keys_and_texts if key not in known and MEMORY.get(key) is None}
            annotated = MEMORY.get(sources)
            if annotated is None:
                annotated = extractor.annotate(source)
            extracted = extractor.columns(annotated, list(missing.values()), threads)
            if isinstance(annotated, Sentences):
                MEMORY.put(sources, annotated)  # after the extraction, which may have annotated more sentences
            for key, edits in zip(missing, extracted, strict=True):
                known[key] = edits
                MEMORY.put(key, edits)
        return [known[key] for key in keys]


class _IdentityKey:
    """An object compared by identity, since annotators with the same name may differ."""

    def __init__(self, annotator: Annotator) -> None:
        self.annotator = annotator

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _IdentityKey) and other.annotator is self.annotator

    def __hash__(self) -> int:
        return id(self.annotator)


@lru_cache(maxsize=32)
def _extractor(annotator: _IdentityKey, merging: Merging, lev: bool) -> Extractor:
    return Extractor(annotator.annotator, merging, lev)


def reference_edits(corpus: Corpus, extraction: Extraction, threads: int = 0) -> Edits:
    """Return the edits of the references of a corpus.

    These are the gold edits, or the edits extracted from their corrected texts if the corpus says so, or else the edits
    extracted from the reference texts.

    Versions of a sentence are the annotators of the gold edits, in order of appearance (see m2.Blocks.edits), or the
    references that the sentence has, by number.

    Args:
        corpus: The corpus.
        extraction: Settings of the extraction from text.
        threads: Number of threads; 0 means one per processor.

    Returns:
        The edits in columns.

    Raises:
        InputError: Without references and gold edits, and for gold edits of other sentences.
    """
    _check(corpus, extraction)
    if corpus.gold is not None:
        if corpus.gold_edits == "as-given":
            return _of_blocks(corpus, corpus.gold)
        texts: Sequence[Text] = corpus.gold.texts_of_annotators()
    elif not corpus.references:
        raise InputError("references are required: gold edits (M2) or corrected texts")
    else:
        texts = corpus.references
    return Edits.merged_versions(_edits_of_texts(corpus, texts, extraction, threads))


def _edits_of_texts(corpus: Corpus, texts: Sequence[Text], extraction: Extraction, threads: int) -> list[Edits]:
    """Return the edits of each text.

    Those of all systems are extracted in the same call and cached, so that the source is read and tagged once.
    """
    is_small = len(corpus) * len(corpus.systems) <= CACHED
    systems = corpus.text_systems.values() if is_small else ()
    return extraction.edits(corpus.source, texts, threads, further_texts=systems)


def hypothesis_edits(
    corpus: Corpus, hypothesis: HypothesisLike, extraction: Extraction, threads: int = 0, *, alternatives: bool = False
) -> Edits:
    """Return the edits of a system.

    From text a sentence has one version, from M2 one per annotator.

    Args:
        corpus: The corpus.
        hypothesis: The system's sentences, as text or M2 blocks.
        extraction: Settings of the extraction from text.
        threads: Number of threads; 0 means one per processor.
        alternatives: Whether the edits of M2 keep all alternatives, joined by ``||``; else they have the first one.

    Returns:
        The edits in columns.

    Raises:
        InputError: If M2 blocks have other sentences.
    """
    _check(corpus, extraction)
    hypothesis = as_sequence("hypothesis", hypothesis)
    check_lengths([("source", len(corpus)), ("hypothesis", len(hypothesis))], noun="sentences")
    if has_edits(hypothesis):
        edits = _of_blocks(corpus, Blocks.of(hypothesis))
        return edits if alternatives else _first_alternatives(edits)
    [edits] = _edits_of_texts(corpus, [text_of("hypothesis", hypothesis)], extraction, threads)
    return edits


def _first_alternatives(edits: Edits) -> Edits:
    """Return edits of M2 with the first alternative of each."""
    if not any("||" in text for text in edits.strings):
        return edits
    first = [
        [(who, [(*span, text.split("||")[0]) for *span, text in version]) for who, version in edits.sentence(s)]
        for s in range(len(edits))
    ]
    return Edits(cast("Sequence[Any]", first))


def _check(corpus: Corpus, extraction: Extraction) -> None:
    check_type("corpus", corpus, Corpus, "a Corpus")
    check_type("extraction", extraction, Extraction, "an Extraction")


def _of_blocks(corpus: Corpus, blocks: Blocks) -> Edits:
    if differing := blocks.source.differing(corpus.source):
        s = differing[0]
        hint = f"{blocks.source[s]}\n  {corpus.source[s]}"
        raise blocks[s].error("differs from the sentence of the source", hint=hint)
    return blocks.edits
