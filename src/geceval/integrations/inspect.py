"""Inspect: a scorer of samples, and a metric that computes the corpus score."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from geceval.base.errors import InputError, framework
from geceval.integrations.framework_rows import (
    AnyMetric,
    Extract,
    RowConversion,
    figures,
    last_message,
    one_metric,
    scores,
)

#: Keys of the metadata of scored samples.
KEPT = ("source", "references")


def scorer(
    metric: AnyMetric | str = "errant",
    *,
    source: Callable[[Any], str] | None = None,
    extract: Extract = last_message,
    ragged: bool = False,
) -> Any:
    """Return an Inspect scorer.

    The value of a sample is its sentence score, its answer the correction; the target contains the references. The
    scorer's metric is the corpus score with its parts, whose counts are summed over all samples and epochs.

    Args:
        metric: Metric or specification, such as ``green:beta=0.5``.
        source: Function from the state to the source (default: ``state.metadata["source"]``, or else the input).
        extract: Function from a completion to the corrected sentence.
        ragged: Whether samples may have different numbers of references.

    Returns:
        The scorer.

    Raises:
        UsageError: If the metric does not exist.
        MissingExtraError: If Inspect is not installed.
    """
    inspect = framework("inspect_ai.scorer", "inspect-ai")
    scored, find_source = one_metric(metric), source or source_of

    @inspect.scorer(metrics=[corpus(scored, ragged=ragged)], name=f"geceval_{scored.name}")  # type: ignore[untyped-decorator]
    def geceval() -> Any:
        async def score(state: Any, target: Any) -> Any:
            answer, text, references = extract(state.output.completion), find_source(state), list(target)
            if text.strip() and not any(reference.strip() for reference in references):
                hint = "give the references as its target, or the source if it is correct"
                raise InputError(f"the sample {state.sample_id} has no target", hint=hint)
            value = scored.sentence_score(text, answer, references)
            metadata = dict(zip(KEPT, (text, references), strict=True))
            return inspect.Score(value=value, answer=answer, metadata=metadata)

        return score

    return geceval()


def source_of(state: Any) -> str:
    """Return the source sentence of a sample.

    Args:
        state: State of the sample.

    Returns:
        ``metadata["source"]``, or else the text of the input.
    """
    source = (state.metadata or {}).get("source")
    return str(state.input_text if source is None else source)


def corpus(metric: AnyMetric | str = "errant", *, ragged: bool = False) -> Any:
    """Return the Inspect metric of samples that ``scorer`` scored.

    Args:
        metric: Metric or specification of the scorer.
        ragged: Whether samples may have different numbers of references.

    Returns:
        A metric that returns the corpus score and its parts by name.
    """
    return _corpus_metric(one_metric(metric), ragged)


@functools.cache
def _corpus_metric(metric: AnyMetric, ragged: bool) -> Any:
    inspect = framework("inspect_ai.scorer", "inspect-ai")
    rows = RowConversion(str, ragged)

    # The samples of all epochs are separate sentences, so no reducer may combine them.
    @inspect.metric(name=f"geceval_{metric.name}", scores="unreduced")  # type: ignore[untyped-decorator]
    def corpus() -> Any:
        def score_samples(samples: Sequence[Any]) -> dict[str, float]:
            records = [[sample.score.metadata[name] for name in KEPT] for sample in samples]
            sources, references = zip(*records, strict=True)
            answers = [sample.score.answer for sample in samples]
            return figures(scores(rows.corpus(sources, answers, references), [metric]))

        return score_samples

    return corpus()
