"""Use of a corpus by metrics, on which some checks depend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from geceval.edits.languages import language_of, make_annotator
from geceval.text.corpus import TextSource

if TYPE_CHECKING:
    from geceval.counting.metric import AnyMetric


class Use(NamedTuple):
    """Use of a corpus by a metric.

    Attributes:
        label: Label of the metric.
        texts: Whether it compares with reference texts.
        gold: Whether it compares with gold edits, if they are given.
        edits: Whether it matches edits with gold edits, given or extracted.
        english: Whether it extracts edits from text with an annotator of English.
        words: Whether it counts tokens separated by spaces.
    """

    label: str
    texts: bool = False
    gold: bool = False
    edits: bool = False
    english: bool = False
    words: bool = False

    @classmethod
    def of(cls, metric: AnyMetric, corpus: TextSource) -> Use:
        """Return the use of a corpus by a metric."""
        return cls(
            metric.label,
            texts=metric.compares_texts,
            gold=metric.takes_gold,
            edits=metric.matches_edits,
            english=_reads_english(corpus, metric),
            words=metric.counts_words,
        )


def who_uses(uses: Sequence[Use]) -> str:
    """Return which metrics use gold edits and which use references, for messages."""
    parts = []
    of_gold, of_texts = [use.label for use in uses if use.gold], [use.label for use in uses if use.texts]
    for evidence, labels in {"the gold edits": of_gold, "the references": of_texts}.items():
        metrics = list(dict.fromkeys(labels))
        parts.append(f"{with_verb(metrics, 'uses', 'use')} {evidence}" if metrics else f"no metric uses {evidence}")
    return "; ".join(parts)


def with_verb(subjects: Sequence[str], singular: str, plural: str) -> str:
    """Return labels of metrics, followed by a verb."""
    return f"{', '.join(subjects)} {singular if len(subjects) == 1 else plural}"


def _reads_english(corpus: TextSource, metric: AnyMetric) -> bool:
    """Return whether a metric extracts edits from text with an annotator of English."""
    annotator = metric.text_annotator
    is_given = corpus.gold is not None and corpus.gold_edits == "as-given"
    if annotator is None or (is_given and len(corpus.m2_systems) >= len(corpus.system_names)):
        return False
    return language_of(make_annotator(annotator)).code == "en"
