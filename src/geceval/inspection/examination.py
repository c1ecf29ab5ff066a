"""Score selected sentences with their evidence, with only these sentences in memory."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Text
from geceval.base.arguments import COUNT, as_sequence, whole
from geceval.base.caller_warnings import deferred_warnings, warn
from geceval.base.errors import GecevalWarning, UsageError
from geceval.base.hints import Hint, Option
from geceval.counting.counts import Counts
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import labels as labels_of
from geceval.counting.metric_names import make_metric, metrics_of
from geceval.counting.run import Run
from geceval.counting.run_options import Progress, RunOptions
from geceval.counting.signature import signature_of
from geceval.counting.stream import pick_sentences
from geceval.edits.annotation import DEFAULT_ANNOTATOR
from geceval.edits.corpus_edits import Extraction, hypothesis_edits, reference_edits
from geceval.edits.versions import apply_edits, edits_by_version
from geceval.inspection.sentence_selection import PART_SIZE, Wanted, select
from geceval.metrics.shared.edit_matching import OnEdits
from geceval.results.examined_sentences import EvidenceCounts, Examined, Output, Scored, Sentence, Version
from geceval.results.marked_edits import judge_edits
from geceval.text.columns import Hypothesis
from geceval.text.corpus import Corpus, TextSource, check_source
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Edit

#: Maximum number of outputs in memory; each has some kilobytes of evidence under each metric.
MAX_OUTPUTS = 1 << 13


def judge_among(corpus: TextSource, metrics: Sequence[AnyMetric], annotator: Any) -> AnyMetric | None:
    """Return the metric that determines the outcomes of edits.

    This is the first metric whose evidence is edits with outcomes, or ERRANT with ``annotator``; None if the corpus has
    no references.
    """
    for metric in metrics:
        if metric.by_kind is not None and "correct" in metric.outcomes.columns.values():
            return metric
    if corpus.gold is None and not corpus.has_references:
        return None
    return make_metric("errant", annotator=annotator)


def examine(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    which: Wanted | Sequence[int] | None = None,
    *,
    annotator: Any = DEFAULT_ANNOTATOR,
    threads: int = 0,
    progress: Progress | None = None,
    checks: bool = True,
) -> Examined:
    """Return selected sentences with scores, evidence and outcomes of edits.

    The first metric whose evidence is edits determines their outcomes, or else ERRANT. Memory: the selected sentences
    with their evidence, and a few numbers per other sentence.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics, such as ``[geceval.Green()]``.
        which: Numbers of sentences, from 1, or a selection (None: the 20 worst).
        annotator: Annotator that extracts edits from text if no metric does.
        threads: Number of threads (0: one per processor).
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn (GecevalWarning) about suspicious input.

    Returns:
        The sentences in the order of the numbers or the selection.

    Raises:
        UsageError: If a number exceeds the corpus, or the selection names an unknown system or edit type or requires
            more metrics or references than available.
        InputError: If the input cannot be scored.
    """
    check_source(corpus)
    metrics = list(dict.fromkeys(metrics_of(metrics, optional=True)))
    threads = RunOptions(threads, progress=progress).threads  # checked before the passes
    judge = judge_among(corpus, metrics, annotator)
    options: dict[str, Any] = {"judge": judge, "annotator": annotator, "threads": threads}
    which = Wanted() if which is None else which
    if not isinstance(which, Wanted):
        numbers = [whole("number", number, COUNT) for number in as_sequence("numbers", which, "number")]
        options |= {"progress": progress, "checks": checks}
        return Examination(corpus, metrics, numbers, corpus.system_names, **options).examined()
    with _warned_once():
        selected = select(corpus, metrics, which, **options, progress=progress, checks=checks)
        systems = which.systems(corpus.system_names)
        unchecked = checks and not which.looks_at_scores
        examined = Examination(corpus, metrics, selected.numbers, systems, **options, checks=unchecked).examined()
    return replace(examined, fit=selected.fit, agreement=selected.agreement)


@contextlib.contextmanager
def _warned_once() -> Iterator[None]:
    """Emit each warning of several passes over the corpus once, at the end."""
    caught: list[GecevalWarning] = []
    try:
        with deferred_warnings() as caught:
            yield
    finally:
        for warning in {str(warning): warning for warning in caught}.values():
            warn(warning)


@dataclass(frozen=True)
class Examination:
    """Selected sentences, which are scored again at each iteration and not kept in memory.

    Attributes:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics.
        numbers: Numbers of sentences, from 1.
        systems: Names of the systems of the sentences.
        judge: Metric that determines the outcomes of edits.
        annotator: Annotator that extracts edits from text if no metric does.
        threads: Number of threads (0: one per processor).
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn about suspicious input.
        longest: Largest order of n-grams in evidence of differences (None: all evidence); see Metric.narrowed.
        total: Number of sentences of the corpus.
    """

    corpus: TextSource
    metrics: Sequence[AnyMetric]
    numbers: Sequence[int]
    systems: Sequence[str]
    judge: AnyMetric | None
    annotator: Any = DEFAULT_ANNOTATOR
    threads: int = 0
    progress: Progress | None = None
    checks: bool = False
    longest: int | None = None
    total: int = field(init=False)
    _parts: Sequence[Corpus] = field(init=False, repr=False)
    _run: Run = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.corpus.systems_with_own_sources:
            message = "sentences of a system with a source of its own cannot be shown next to the common source"
            raise UsageError(message, hint=Hint(Option("source", "FILE"), ": the source of the system alone"))
        metrics = list(self.labels)
        indices = sorted({number - 1 for number in self.numbers})
        parts, total = sentences_at(self.corpus, indices)
        most = MAX_OUTPUTS if self.longest is None else 4 * MAX_OUTPUTS  # evidence of differences is small
        block_size = max(1, most // max(1, len(self.systems) * len(metrics)))
        options = RunOptions(
            self.threads,
            block_size,
            evidence=True,
            longest=self.longest,
            only=indices,
            progress=self.progress,
            checks=self.checks,
        )
        run = Run(self.corpus, metrics, options)
        for name, value in {"total": total, "_parts": parts, "_run": run}.items():
            object.__setattr__(self, name, value)

    @cached_property
    def labels(self) -> dict[AnyMetric, str]:
        """Labels of the metrics, and last of the judge if it is not one of them."""
        counted = list(dict.fromkeys([*self.metrics, *([] if self.judge is None else [self.judge])]))
        return dict(zip(counted, labels_of(counted), strict=True))

    @property
    def judge_label(self) -> str | None:
        """Label of the judge."""
        return None if self.judge is None else self.labels[self.judge]

    @cached_property
    def annotators(self) -> list[int] | None:
        """Annotators whose corrected texts are the references; None if texts are given."""
        compares_texts = any(metric.compares_texts for metric in self.labels)
        return list(self.corpus.annotators) if compares_texts and not self.corpus.has_references else None

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[Sentence]:
        """Yield the sentences in the order of the corpus."""

        def keep(system: str, metric: AnyMetric, counts: Counts) -> EvidenceCounts:
            return EvidenceCounts(metric, counts)

        no_results: dict[tuple[str, AnyMetric], EvidenceCounts] = {}
        counted = self._parts and self.labels and self.systems
        for part, results in self._run.parts(keep) if counted else [(part, no_results) for part in self._parts]:
            sentences = _SentencesOfPart(part, results, self)
            yield from map(sentences.sentence, range(len(part)))

    def examined(self, systems: Sequence[str] | None = None) -> Examined:
        """Return the sentences in the order of their numbers; ``systems`` None: of all."""
        examination = self if systems is None else replace(self, systems=systems, progress=None)
        by_number = {sentence.number: sentence for sentence in examination}
        inputs_of = examination._run.signature_inputs
        signatures = {
            system: {
                label: signature_of(metric, inputs_of(system, metric), "sentence")
                for metric, label in self.labels.items()
            }
            for system in examination.systems
        }
        sentences = [by_number[number] for number in self.numbers]
        labels = [self.labels[metric] for metric in self.metrics]
        return Examined(
            sentences, examination.systems, labels, self.judge_label, signatures, self.total, len(sentences)
        )


def sentences_at(corpus: TextSource, indices: Sequence[int]) -> tuple[list[Corpus], int]:
    """Return the sentences at sorted indices by part, and the number of all sentences."""
    parts, total, requested = [], 0, np.asarray(indices, dtype=np.int64)
    for part in corpus.parts(PART_SIZE):
        selected = pick_sentences(part, requested)
        if selected is not None:
            parts.append(selected)
        total = part.first + len(part)
    beyond = [index + 1 for index in indices if not 0 <= index < total]
    if beyond:
        raise UsageError(f"sentence {beyond[0]} does not exist: choose from 1 to {total}")
    return parts, total


class _SentencesOfPart:
    """Sentences of one part of the corpus."""

    def __init__(
        self, corpus: Corpus, results: Mapping[tuple[str, AnyMetric], EvidenceCounts], examination: Examination
    ) -> None:
        self.annotators = examination.annotators
        self.corpus = corpus if self.annotators is None else corpus.with_texts()
        #: Labels, metrics and results by system, looked up once, since a metric takes long to hash.
        self.results_of = {
            name: [(label, metric, results[name, metric]) for metric, label in examination.labels.items() if results]
            for name in examination.systems
        }
        self.judge_label = examination.judge_label
        self.judge, self.threads = judge, threads = examination.judge, examination.threads
        of_judge = judge.extraction if isinstance(judge, OnEdits) else None
        self.extraction: Extraction = Extraction(examination.annotator) if of_judge is None else of_judge
        self.tokens, self.m2_systems = [line.split() for line in corpus.source], self.corpus.m2_systems.keys()
        self.systems = {name: self._edits(corpus.systems[name]) for name in examination.systems}
        #: Names of the references of a metric, by its label, sentence and positions of the references.
        self.names: dict[tuple[str, int, tuple[int, ...]], list[str]] = {}
        #: For each sentence, the edits of its references by name.
        self.references: list[dict[str, list[Edit]]] = [{} for _ in self.tokens]
        if judge is not None:
            edits = reference_edits(corpus, self.extraction, threads)
            versions = edits_by_version(corpus.source, edits, corpus.gold, threads)
            bounds = pairwise(edits.versions.tolist())
            names = list(map(str, edits.annotator.tolist()))
            if corpus.own_references:
                names = [corpus.reference_names[int(name)] for name in names]
            self.references = [
                dict(zip(names[first:last], edits_of_sentence, strict=True))
                for (first, last), edits_of_sentence in zip(bounds, versions, strict=True)
            ]

    def _edits(self, lines: Hypothesis) -> list[list[Edit]]:
        edits = hypothesis_edits(self.corpus, lines, self.extraction, self.threads)
        blocks = lines if isinstance(lines, Blocks) else None
        return [versions[0] for versions in edits_by_version(self.corpus.source, edits, blocks)]

    @cached_property
    def _shown_edits(self) -> list[dict[str, list[Edit]]]:
        """Edits of the references of each sentence by name, from gold edits or extracted from text."""
        edits_by_name = [dict(edits_of_sentence) for edits_of_sentence in self.references]
        if self.judge is None:
            return edits_by_name
        rows = self.corpus.references
        for name, row in zip(self._reference_names, rows, strict=True):
            lines = [line if text is None else text for text, line in zip(row, self.corpus.source, strict=True)]
            for edits_of_sentence, text, edits in zip(edits_by_name, row, self._edits(Text(lines)), strict=True):
                if text is not None:
                    edits_of_sentence.setdefault(name, edits)
        return edits_by_name

    @property
    def _reference_names(self) -> list[str]:
        """Names of the reference texts."""
        return self.corpus.reference_names if self.annotators is None else list(map(str, self.annotators))

    def sentence(self, s: int) -> Sentence:
        """Return sentence s of the part."""
        corpus = self.corpus
        return Sentence(
            corpus.place(s) + 1,
            " ".join(self.tokens[s]),
            self.texts[s],
            None if corpus.labels is None else corpus.labels[s],
            self._outputs(s),
            {
                name: Version(name, judge_edits(self.tokens[s], edits, of_reference=True)).edits
                for name, edits in self._shown_edits[s].items()
            },
        )

    @cached_property
    def texts(self) -> list[dict[str, str]]:
        """Reference texts of each sentence by name, or the texts made from gold edits."""
        rows = list(zip(self._reference_names, self.corpus.references, strict=True))
        if rows:
            return [{name: text for name, row in rows if (text := row[s]) is not None} for s in range(len(self.corpus))]
        return [
            {name: apply_edits(tokens, version) for name, version in references.items()}
            for tokens, references in zip(self.tokens, self.references, strict=True)
        ]

    def _texts_of(self, s: int, system: str) -> dict[str, str]:
        """Return the texts that are the references of a system."""
        texts, corpus = self.texts[s], self.corpus
        if not corpus.own_references:
            return texts
        names = [corpus.reference_names[position] for position in corpus.references_of(system)]
        return {name: texts[name] for name in names if name in texts}

    def _outputs(self, s: int) -> dict[str, Output]:
        """Return the outputs by system; systems with equal edits and counts share one."""
        outputs: dict[Hashable, Output] = {}
        shared = {}
        for name, versions in self.systems.items():
            key = name in self.m2_systems, *versions[s], self.counts[name][s].tobytes()
            shared[name] = outputs[key] if key in outputs else outputs.setdefault(key, self._output(s, name))
        return shared

    @cached_property
    def counts(self) -> dict[str, NDArray[np.uint8]]:
        """Bytes [S, …] of the counts and scores of each system under all metrics."""
        numbers = {name: [np.zeros((len(self.tokens), 0), np.uint8)] for name in self.systems}
        for name, parts in numbers.items():
            for _, _, results in self.results_of[name]:
                rows = (array.reshape(len(self.tokens), -1) for array in (results.counts.array, results.scores))
                parts += [np.ascontiguousarray(row).view(np.uint8) for row in rows]
        return {name: np.concatenate(parts, axis=1) for name, parts in numbers.items()}

    def _output(self, s: int, system: str) -> Output:
        tokens = self.tokens[s]
        scores = {
            label: self._score(s, label, metric, results, system) for label, metric, results in self.results_of[system]
        }
        judgment = None if self.judge_label is None else scores[self.judge_label]
        rows = [] if judgment is None else judgment.evidence
        version = Version("", judge_edits(tokens, self.systems[system][s], rows, of_reference=False))
        reference = None
        # Some metrics construct the reference themselves.
        if judgment is not None and judgment.reference in self.references[s]:
            gold = judge_edits(tokens, self.references[s][judgment.reference], rows, of_reference=True)
            reference = Version(judgment.reference, gold)
        return Output(version, reference, scores, self._is_false_alarm(s, system))

    def _is_false_alarm(self, s: int, system: str) -> bool:
        """Return whether the system changes the sentence and no reference does."""
        # As the metric false-alarms counts.
        tokens, references = self.tokens[s], self._texts_of(s, system).values()
        if not references or any(text.split() != tokens for text in references):
            return False
        return apply_edits(tokens, self.systems[system][s]).split() != tokens

    def _score(self, s: int, label: str, metric: AnyMetric, results: EvidenceCounts, system: str) -> Scored:
        score, chosen = results.scored[s]
        positions = results.positions[s]
        key = label, s, positions
        if key not in self.names:
            self.names[key] = self._names(s, metric, positions, system)
        averaged = metric.policy.averages and len(positions) > 1
        return Scored(score, chosen, averaged, self.names[key], results, s)

    def _names(self, s: int, metric: AnyMetric, positions: Sequence[int], system: str) -> list[str]:
        if not metric.uses_references:
            return [""] * len(positions)
        texts = not metric.takes_gold or self.corpus.gold is None
        names = self._texts_of(s, system) if texts else self.references[s]
        return list(metric.reference_names(list(names), positions))
