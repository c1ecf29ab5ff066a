"""Systems scored one after the other, as they come, against the same source and references."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, cast

from geceval.base.arguments import (
    THREADS,
    as_sequence,
    check_per_sentence,
    choice,
    shown,
    transpose_references,
    whole,
)
from geceval.base.errors import UsageError
from geceval.counting.checks.corpus_checks import check
from geceval.counting.consumers import KeptCounts, Result
from geceval.counting.counts import Counts, Floats, Level, Score
from geceval.counting.metric import Metric
from geceval.counting.metric_names import make_metric, names, parse_specs
from geceval.counting.run import Run
from geceval.counting.stream import ALONE, Ready, with_needed_texts
from geceval.text.corpus import Corpus, Hypothesis, Lines, References
from geceval.text.m2 import Block


def made_metrics(metrics: Sequence[str | Metric[Any]]) -> list[Metric[Any]]:
    """Metrics, given as such or as on a command line: ``"green"``, ``"green:unit=char,beta=1"``.

    Raises UsageError for what does not exist, and for one metric alone.
    """
    found: list[Metric[Any]] = []
    for metric in as_sequence("metrics", metrics, "metric"):
        if isinstance(metric, str):
            found += [make_metric(name, **settings) for name, settings in parse_specs([metric])]
        elif isinstance(metric, Metric):
            found.append(metric)
        else:
            raise UsageError(f"no metric: {shown(metric)}", hint='a name, such as "green", or geceval.Green()')
    if not found:
        raise UsageError("no metric is given", hint='such as ["green", geceval.Errant()]')
    return found


def one_metric(metric: str | Metric[Any]) -> Metric[Any]:
    """A metric, given as such or as on a command line. Raises UsageError for several."""
    return only(made_metrics([metric]))


def only(metrics: Sequence[Metric[Any]]) -> Metric[Any]:
    """The one metric there is. Raises UsageError for several."""
    if len(metrics) > 1:
        raise UsageError(f"one metric is needed, not {len(metrics)}: {', '.join(names(metrics))}")
    return metrics[0]


class Scorer:
    """Scores of any number of systems, as they come, against the same source and references.

    ``source[s]``; the references are ``references[r][s]`` (None where a sentence lacks that one), or
    ``per_sentence[s]``, the list of each sentence's, or ``gold[s]``, M2 blocks; ``metrics`` are metrics or their names.
    Source and references are read, checked, annotated and cut into n-grams here, once. Numbers and signatures are those
    of ``evaluate``, to the last bit. For any thread and any process: it can be pickled (what it is made of travels),
    and forked. ``threads`` 0: all processors. Raises InputError as Corpus does, UsageError for a metric that does not
    exist.
    """

    def __init__(
        self,
        metrics: Sequence[str | Metric[Any]],
        source: Lines,
        references: References = (),
        *,
        per_sentence: Sequence[Sequence[str]] | None = None,
        gold: Sequence[Block] | None = None,
        threads: int = 0,
        checks: bool = True,
    ) -> None:
        if per_sentence is not None:
            if len(as_sequence("references", references, "reference", dimensions=2)):
                raise UsageError("references are given twice, as references and as per_sentence")
            source = as_sequence("source", source)
            per_sentence = as_sequence("per_sentence", per_sentence, "list", dimensions=2)
            check_per_sentence("per_sentence", per_sentence, len(source))
            references = transpose_references(per_sentence)
        corpus = Corpus(source, references, gold=gold)
        self._set(tuple(made_metrics(metrics)), corpus, whole("threads", threads, THREADS))
        if checks:
            for finding in check(corpus, self.metrics):
                warnings.warn(finding.warning(), stacklevel=2)

    def _set(self, metrics: tuple[Metric[Any], ...], corpus: Corpus, threads: int) -> None:
        self.metrics, self.threads = metrics, threads
        #: What results are called by: names of metrics, with the settings that tell them apart.
        self.names = tuple(names(metrics))
        self._given = corpus
        self._corpus = cast(Corpus, with_needed_texts(corpus, metrics))
        self._held = [metric.held() for metric in metrics]
        self._ready = Ready.made(self._corpus, metrics, threads)

    def __getstate__(self) -> tuple[Any, ...]:
        return self.metrics, self._given, self.threads

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._set(*state)

    def __len__(self) -> int:
        return len(self._corpus)

    def __repr__(self) -> str:
        return f"Scorer({list(self.names)}, {len(self)} sentences)"

    def score(self, hypotheses: Hypothesis, level: Level = "corpus") -> dict[str, Score]:
        """The score of a system, ``hypotheses[s]``, under each metric: of the whole corpus, or the "mean" of its
        sentences'. Raises InputError with the lengths if they differ, UsageError for another level."""
        choice("level", level, ("corpus", "mean"))
        return {name: result.score(level) for name, result in self._results(hypotheses, level).items()}

    def sentence_scores(self, hypotheses: Hypothesis) -> dict[str, Floats]:
        """The scores [S] of a system's sentences under each metric."""
        return {name: result.sentence_scores() for name, result in self._results(hypotheses, "sentence").items()}

    def counts(self, hypotheses: Hypothesis, *, evidence: bool = False) -> dict[str, Counts]:
        """The counts ``array[s, r, k]`` of a system under each metric, with their evidence if asked for."""
        found = self._run(hypotheses, evidence=evidence).consume(lambda _, metric: KeptCounts(metric))
        return {name: found[ALONE, metric].result() for name, metric in zip(self.names, self.metrics, strict=True)}

    def _results(self, hypotheses: Hypothesis, level: Level) -> dict[str, Result]:
        run = self._run(hypotheses)
        found = run.consume(lambda system, metric: Result(metric, run.given(system, metric), [level]))
        return {name: found[ALONE, metric] for name, metric in zip(self.names, self.metrics, strict=True)}

    def _run(self, hypotheses: Hypothesis, *, evidence: bool = False) -> Run:
        corpus = self._corpus.adding(ALONE, hypotheses)
        return Run(corpus, self.metrics, threads=self.threads, evidence=evidence, ready=self._ready)
