"""Inspect: a scorer whose samples keep what a corpus score needs, and the metric that makes one of them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from geceval.integrations.framework_rows import (
    AnyMetric,
    Extract,
    RowConversion,
    figures,
    framework,
    last_message,
    one_metric,
    scores,
)

#: What samples keep in their metadata.
KEPT = ("source", "references")


def scorer(
    metric: AnyMetric | str = "errant",
    *,
    source: Callable[[Any], str] | None = None,
    extract: Extract = last_message,
    ragged: bool = False,
) -> Any:
    """An Inspect scorer. A sample's value is its sentence score, its answer the correction; the metric beside it is
    the score of the corpus, with its parts: counts are summed over all samples, and over all epochs.

    The source is ``state.metadata["source"]`` if there is one, else the input, or what ``source`` makes of the state;
    the references are the target.
    """
    inspect = framework("inspect_ai.scorer", "inspect-ai")
    scored, find_source = one_metric(metric), source or source_of

    @inspect.scorer(metrics=[corpus(scored, ragged=ragged)], name=f"geceval_{scored.name}")  # type: ignore[untyped-decorator]
    def geceval() -> Any:
        async def score(state: Any, target: Any) -> Any:
            said, text, references = extract(state.output.completion), find_source(state), list(target)
            value = scored.sentence_score(text, said, references)
            kept = dict(zip(KEPT, (text, references), strict=True))
            return inspect.Score(value=value, answer=said, metadata=kept)

        return score

    return geceval()


def source_of(state: Any) -> str:
    """The sentence of a sample: ``metadata["source"]``, else the text of its input."""
    found = (state.metadata or {}).get("source")
    return str(state.input_text if found is None else found)


def corpus(metric: AnyMetric | str = "errant", *, ragged: bool = False) -> Any:
    """The Inspect metric by itself: the corpus score of samples that ``scorer`` scored, and its parts, by name."""
    return _corpus_metric(one_metric(metric), ragged)


@functools.cache
def _corpus_metric(metric: AnyMetric, ragged: bool) -> Any:
    inspect = framework("inspect_ai.scorer", "inspect-ai")
    rows = RowConversion(str, ragged)

    # Epochs are sentences like others: no reducer makes one of them.
    @inspect.metric(name=f"geceval_{metric.name}", scores="unreduced")  # type: ignore[untyped-decorator]
    def corpus() -> Any:
        def score_samples(samples: Sequence[Any]) -> dict[str, float]:
            kept = [[sample.score.metadata[name] for name in KEPT] for sample in samples]
            sources, references = zip(*kept, strict=True)
            answers = [sample.score.answer for sample in samples]
            return figures(scores(rows.corpus(sources, answers, references), [metric]))

        return score_samples

    return corpus()
