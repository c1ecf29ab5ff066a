"""Read parts of a source and prepare them for metrics, as used by run.py.

A source of text yields parts: corpora of consecutive sentences. A part is prepared once for all metrics with the same
``prepare_key``; a metric with a corpus constant takes a first pass over all parts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.counting.counts import sentences_from
from geceval.counting.metric import CorpusConstant, Metric
from geceval.edits.annotation import Annotator
from geceval.text.columns import CompleteText, Hypothesis
from geceval.text.corpus import Corpus, TextSource
from geceval.text.files import SOURCE

AnyMetric: TypeAlias = Metric[Any]
#: Called with the number of sentence-system pairs done since the last call.
Progress: TypeAlias = Callable[[int], None]
#: Function that returns texts of a part by name, which are counted like systems.
TextsOf: TypeAlias = "Callable[[Corpus, AnyMetric], Mapping[str, CompleteText]]"
#: Function that returns the labels [S] of a part's sentences.
Labels: TypeAlias = Callable[[Corpus], Sequence[Any]]


def smallest_block(metrics: Sequence[AnyMetric]) -> int:
    """Return the smallest number of sentences in a part among the metrics."""
    return min((metric.block for metric in metrics), default=Metric.block)


@dataclass(frozen=True, eq=False)
class PreparedParts:
    """Preparations of the parts of a corpus by their first sentence, at most ``block`` sentences each.

    Without ``parts``, each pass prepares them.
    """

    block: int
    parts: dict[int, dict[Hashable, Any]] = field(default_factory=dict)

    @staticmethod
    def made(corpus: TextSource, metrics: Sequence[AnyMetric], threads: int = 0) -> PreparedParts:
        """Prepare source and references for metrics, before any system is known."""
        prepared = PreparedParts(smallest_block(metrics))
        for part in corpus.narrow_parts(prepared.block):
            preparations = prepared.parts.setdefault(part.place(0), {})
            with sentences_from(part.first):
                for metric in metrics:
                    prepare(part, metric, threads, preparations)
        return prepared

    def of(self, part: Corpus) -> dict[Hashable, Any]:
        """Return the preparations of a part so far."""
        return self.parts.get(part.place(0), {})


def mixed_forms(corpus: TextSource, metric: AnyMetric) -> dict[str, str]:
    """Return whether each system is given as "M2" or as "text".

    The result is empty if this does not matter to the metric, or all systems are given in one form.
    """
    m2 = corpus.m2_systems
    forms = {name: "M2" if name in m2 else "text" for name in corpus.system_names if name != SOURCE}
    return forms if metric.evidence_of == "edits" and len(set(forms.values())) > 1 else {}


def by_count_key(metrics: Sequence[AnyMetric]) -> dict[Hashable, list[AnyMetric]]:
    """Return the distinct metrics, grouped by equal counts."""
    groups: dict[Hashable, list[AnyMetric]] = {}
    for metric in dict.fromkeys(metrics):
        groups.setdefault(metric.count_key, []).append(metric)
    return groups


def prepare(part: Corpus, metric: AnyMetric, threads: int, preparations: dict[Hashable, Any]) -> Any:
    """Return the preparation of a part, shared by metrics with equal ``prepare_key``."""
    key = metric.prepare_key
    if key not in preparations:
        preparations[key] = metric.prepare(metric.in_form(part), threads)
    return preparations[key]


def prepare_systems(
    part: Corpus,
    metric: AnyMetric,
    threads: int,
    preparations: dict[Hashable, Any],
    more_texts: Mapping[str, CompleteText] | None = None,
) -> Iterator[tuple[str, Any, Hypothesis]]:
    """Yield each system's name, its preparation and its sentences.

    The sentences have the form that the metric takes.

    For a pooled metric with references, the unchanged source is not in the pool of other systems; only the source's own
    row has it in its pool. ``more_texts`` follow the systems and are in no pool.
    """
    prepared = prepare(part, metric, threads, preparations)
    all_systems = part.in_form(metric.input_form).systems
    systems = dict(all_systems)
    source = systems.pop(SOURCE, None) if metric.judges_source_apart else None
    pooled = metric.pool(prepared, systems, threads) if metric.pooled else prepared
    for name, lines in {**systems, **(more_texts or {})}.items():
        yield name, pooled, lines
    if source is not None:
        yield SOURCE, metric.pool(prepared, all_systems, threads), source


def annotator_of(metric: AnyMetric) -> Annotator | str | None:
    """Return the annotator by which a metric extracts edits from text, or its name."""
    return getattr(metric, "annotator", None) if metric.extracts_edits else None


def counts_words(metric: AnyMetric) -> bool:
    """Return whether a metric counts tokens separated by spaces, in n-grams or edits."""
    return metric.evidence_of in ("gold", "edits") or getattr(metric, "unit", None) == "word"


def wants_guard(metrics: Iterable[AnyMetric]) -> bool:
    """Return whether one of the metrics uses no references.

    The unchanged source may have a high score under this metric, and a system must score clearly above it. Tables
    therefore show the source with the systems.
    """
    return any(metric.evidence_of == "nothing" for metric in metrics)


def shows_source(metrics: Sequence[AnyMetric]) -> bool:
    """Return whether the unchanged source is compared with the systems.

    This is the case for metrics without references, unless the source would be in the pool of another metric.
    """
    return wants_guard(metrics) and not any(metric.judges_source_apart for metric in metrics)


def with_constant_by_system(corpus: TextSource, metric: AnyMetric, threads: int = 0) -> dict[str, AnyMetric]:
    """Return the metric for each system, with its corpus constant from a first pass."""
    metrics = dict.fromkeys(corpus.system_names, metric)
    if constant := metric.constant:
        parts = corpus.narrow_parts(metric.block)
        sums_by_system = first_pass(parts, [metric], PreparedParts(metric.block), threads)[metric]
        metrics |= {name: constant.with_constant(sums) for name, sums in sums_by_system.items()}
    return metrics


def first_pass(
    parts: Iterable[Corpus],
    metrics: Sequence[AnyMetric],
    prepared_parts: PreparedParts,
    threads: int = 0,
    progress: Progress | None = None,
    more_texts: TextsOf | None = None,
) -> dict[AnyMetric, dict[str, Any]]:
    """Return the sums that determine corpus constants, by metric and system.

    They are empty for a metric without a constant. All metrics share one pass. The sums of ``more_texts`` are included.
    """
    constants = by_constant(metrics)
    sums: dict[Hashable, dict[str, Any]] = {key: {} for key in constants}
    for part in parts if constants else ():
        preparations = prepared_parts.of(part)
        for key, (metric, constant) in constants.items():
            with sentences_from(part.first):
                texts = None if more_texts is None else more_texts(part, metric)
                for name, prepared, lines in prepare_systems(part, metric, threads, preparations, texts):
                    sums[key][name] = np.add(sums[key].get(name, 0.0), constant.sums(prepared, lines, threads))
                    if progress is not None and name in part.systems:
                        progress(len(part))
    return {metric: {} if metric.constant is None else sums[metric.constant.key] for metric in metrics}


def by_constant(metrics: Iterable[AnyMetric]) -> dict[Hashable, tuple[AnyMetric, CorpusConstant]]:
    """Return a metric and its constant for each distinct constant of a corpus."""
    constants = ((metric, metric.constant) for metric in metrics)
    return {constant.key: (metric, constant) for metric, constant in constants if constant is not None}


def select_sentences(
    parts: Iterable[Corpus], sentences: Sequence[int], part_size: int | None = None
) -> Iterator[Corpus]:
    """Yield the sentences at sorted indices of the corpus.

    ``part_size``: the largest number of sentences in a part.
    """
    size, indices = part_size or len(sentences) or 1, np.asarray(sentences, dtype=np.int64)
    for part in parts:
        first, last = np.searchsorted(indices, (part.first, part.first + len(part))).tolist()
        for start in range(first, last, size):
            selected = pick_sentences(part, indices[start : min(start + size, last)])
            if selected is not None:
                yield selected


def pick_sentences(part: Corpus, indices: NDArray[np.int64]) -> Corpus | None:
    """Return the sentences of a part at sorted indices of the corpus; None if empty."""
    first, last = np.searchsorted(indices, (part.first, part.first + len(part)))
    positions = (indices[first:last] - part.first).tolist()
    if not positions:
        return None
    return part if len(positions) == len(part) else part.take(positions)
