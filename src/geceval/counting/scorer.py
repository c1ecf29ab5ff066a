"""Score systems one after the other against the same source and references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from geceval.base.arguments import THREADS, choice, whole
from geceval.base.errors import short_traceback
from geceval.counting.checks.check import check
from geceval.counting.consumers import Consumer, KeptCounts, ScoredCounts, SentenceScores
from geceval.counting.counts import Counts, Floats
from geceval.counting.metric import AnyMetric, Metric
from geceval.counting.metric_names import Metrics, metrics_of, names
from geceval.counting.observations import ALONE
from geceval.counting.run import Run
from geceval.counting.run_options import RunOptions
from geceval.counting.scores import Level, Score
from geceval.counting.stream import PreparedParts
from geceval.text.columns import HypothesisLike, Lines, References, complete_text
from geceval.text.corpus import Corpus
from geceval.text.line_rules import LineRules
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block, GoldEdits
from geceval.text.tokenisers import Tokeniser

R = TypeVar("R")


class Scorer:
    """Scorer of any number of systems against the same source and references.

    docs/frames.md lists when to use which function.
    Source and references are checked, annotated and split into n-grams once. Scores and signatures equal the results
    of ``evaluate`` to the last bit, without ceilings. A scorer can be used in threads, pickled and forked.

    Args:
        metrics: Metrics or specifications, such as ``["green", geceval.Errant()]``.
        source: Source sentences [S].
        references: Reference sentences [S], or several [R][S]; None for a missing reference.
        per_sentence: References of each sentence [S], instead of ``references``.
        gold: M2 blocks [S] of gold edits, instead of or in addition to references.
        gold_edits: Gold edits of metrics on edits, "as-given" or "reannotated" (see Corpus).
        threads: Number of threads (0: one per processor).
        checks: Warn (GecevalWarning) about suspicious source and references, and about the first system.
        clean: Rules that remove text around the corrections of systems, such as "llm"; see Preparation.
        tokenise: Tokeniser of all texts.

    Raises:
        InputError: If lengths differ, or source or references are not valid.
        UsageError: If a metric does not exist.
    """

    @short_traceback
    def __init__(
        self,
        metrics: Metrics,
        source: Lines,
        references: References = (),
        *,
        per_sentence: Sequence[Sequence[str]] | None = None,
        gold: Sequence[Block] | None = None,
        gold_edits: GoldEdits = "as-given",
        threads: int = 0,
        checks: bool = True,
        clean: str | Sequence[str] | LineRules = (),
        tokenise: str | Tokeniser | None = None,
    ) -> None:
        corpus = Corpus.of(
            {},
            references,
            source,
            per_sentence=per_sentence,
            gold=gold,
            gold_edits=gold_edits,
            tokenise=tokenise,
            clean=clean,
        )
        self._set(tuple(metrics_of(metrics)), corpus, whole("threads", threads, THREADS))
        if checks:
            for finding in check(corpus, self.metrics):
                finding.warn()
            self._checks_next = True

    def _set(self, metrics: tuple[Metric[Any], ...], corpus: Corpus, threads: int) -> None:
        self.metrics, self.threads = metrics, threads
        #: Whether the next system is checked.
        self._checks_next = False
        #: Keys of results: names of metrics, with the settings that distinguish them.
        self.names = tuple(names(metrics))
        self._corpus = corpus
        self._resources = [metric.resources() for metric in metrics]
        self._prepared_parts = PreparedParts.made(self._corpus, metrics, threads)

    def __getstate__(self) -> tuple[Any, ...]:
        return self.metrics, self._corpus, self.threads

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._set(*state)

    def __len__(self) -> int:
        return len(self._corpus)

    def __repr__(self) -> str:
        return f"Scorer({list(self.names)}, {len(self)} sentences)"

    @short_traceback
    def score(self, hypotheses: HypothesisLike, level: Level = "corpus") -> dict[str, Score]:
        """Return the score of a system under each metric.

        Args:
            hypotheses: Corrected sentences [S], as text or M2 blocks.
            level: "corpus", or "mean" of the sentence scores.

        Returns:
            Scores by name of the metric.

        Raises:
            InputError: If the number of sentences differs from the source.
            UsageError: If the level is unknown.
        """
        choice("level", level, ("corpus", "mean"))
        run = self._run(hypotheses)
        results = self._consumed(run, lambda _, metric: ScoredCounts(metric, [level]))
        return {name: result.score(level) for name, result in results.items()}

    @short_traceback
    def sentence_scores(self, hypotheses: HypothesisLike) -> dict[str, Floats]:
        """Return the sentence scores [S] of a system by name of the metric."""
        return self._consumed(self._run(hypotheses), lambda _, metric: SentenceScores(metric))

    @short_traceback
    def counts(self, hypotheses: HypothesisLike, *, evidence: bool = False) -> dict[str, Counts]:
        """Return the counts [S, R, K] of a system by name of the metric.

        Args:
            hypotheses: Corrected sentences [S], as text or M2 blocks.
            evidence: Also return evidence.
        """
        return self._consumed(self._run(hypotheses, evidence=evidence), lambda _, metric: KeptCounts(metric))

    def _consumed(self, run: Run, make: Callable[[str, AnyMetric], Consumer[R]]) -> dict[str, R]:
        consumers = run.consume(make)
        return {name: consumers[ALONE, metric].result() for name, metric in zip(self.names, self.metrics, strict=True)}

    def _run(self, hypotheses: HypothesisLike, *, evidence: bool = False) -> Run:
        corpus = self._corpus.adding(ALONE, hypotheses)
        if self._checks_next:
            self._checks_next = False
            self._check_system(corpus)
        if (steps := corpus.prepared_by) and (raw := corpus.unprepared):
            system = corpus.systems[ALONE]
            steps.check(references=True, gold=corpus.gold is not None, m2_systems=list(corpus.m2_systems))
            if not isinstance(system, Blocks):
                corpus = corpus.with_system(ALONE, complete_text(steps.apply("systems", system, raw.source)))
        options = RunOptions(self.threads, evidence=evidence)
        return Run(corpus, self.metrics, options, prepared_parts=self._prepared_parts)

    def _check_system(self, corpus: Corpus) -> None:
        """Warn about a system, which is not prepared yet."""
        raw = corpus.unprepared
        checked = corpus if raw is None else raw.adding(ALONE, corpus.systems[ALONE]).prepared(corpus.prepared_by)
        for finding in check(checked, self.metrics):
            if finding.file.startswith("system "):
                finding.warn()
