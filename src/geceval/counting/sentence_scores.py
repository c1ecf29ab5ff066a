"""The scores of the sentences as they are counted: part after part, for any number of sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from geceval.base.errors import UsageError
from geceval.counting.checks.corpus_check import watching
from geceval.counting.counts import Floats
from geceval.counting.guard import judged_apart
from geceval.counting.stream import AnyMetric, Progress, counted, given
from geceval.text.corpus import TextSource
from geceval.text.source_row import SOURCE, WithSource

#: What a sentence scores, [S], and the parts of it by name: ``{"precision": …, "recall": …, "": …}``, the score last.
Figures = Mapping[str, Floats]


@dataclass(frozen=True)
class ScoredPart:
    """The figures of consecutive sentences, of which the first one has ``start`` before it, by system and metric."""

    start: int
    sentences: int
    figures: Mapping[tuple[str, AnyMetric], Figures]

    @property
    def end(self) -> int:
        """How many sentences were scored by now."""
        return self.start + self.sentences


def scored_parts(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    *,
    parts: bool = False,
    guard: bool = False,
    skip: int = 0,
    threads: int = 0,
    progress: Progress | None = None,
    checks: bool = False,
) -> Iterator[ScoredPart]:
    """The sentence scores of all systems under all metrics, a part at a time, in the memory of one part.

    ``parts``: with their parts, such as precision; ``guard``: with the unchanged source as one more system
    (counting.guard); ``skip``: see counted; ``checks``: see evaluate.
    """
    if not metrics or not corpus.system_names:
        raise UsageError("there is no metric" if not metrics else "there is no system")
    block = min(metric.block for metric in metrics)

    def groups(corpus: TextSource, metrics: Sequence[AnyMetric], checks: bool) -> Iterator[ScoredPart]:
        own, start = list(dict.fromkeys(metrics)), skip
        watch = watching(corpus, own) if checks else None
        options = {"threads": threads, "block": block, "progress": progress, "checks": watch}
        stream = counted(corpus, own, skip=skip, **options)  # type: ignore[arg-type]
        size = len(own) * len(corpus.system_names)
        while group := list(islice(stream, size)):
            sentences = len(group[0][2])
            figures: dict[tuple[str, AnyMetric], Figures] = {}
            for name, metric, counts in group:
                named = metric.sentence_parts_of(counts) if parts else {}
                figures[name, metric] = {**named, "": metric.sentence_scores_of(counts)}
            yield ScoredPart(start, sentences, figures)
            start += sentences

    apart = judged_apart(metrics) if guard else []
    if not apart:
        yield from groups(WithSource(corpus) if guard else corpus, metrics, checks)
        return
    both = groups(WithSource(corpus), metrics, checks), groups(corpus, apart, False)
    for whole, alone in zip(*both, strict=True):
        yield ScoredPart(whole.start, whole.sentences, {**whole.figures, **alone.figures})


def sentence_signatures(
    corpus: TextSource, metrics: Sequence[AnyMetric], *, guard: bool = False
) -> dict[tuple[str, AnyMetric], str]:
    """What makes the scores of scored_parts, by system and metric; known before anything is counted."""
    apart = judged_apart(metrics)
    signatures = {}
    for name in [*corpus.system_names, *([SOURCE] if guard else [])]:
        for metric in metrics:
            own = WithSource(corpus) if guard and (name == SOURCE or metric not in apart) else corpus
            signatures[name, metric] = metric.signature(given(own, metric, name), "sentence")
    return signatures
