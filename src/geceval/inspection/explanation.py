"""Explain the scores of one sentence by evidence and by values of its edits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from geceval.base.arguments import as_sequence, check_type
from geceval.base.errors import InputError, UsageError, short_traceback
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import DEFAULT_METRICS, Metrics, metrics_of
from geceval.counting.run import Run
from geceval.counting.run_options import Progress, RunOptions
from geceval.edits.annotation import DEFAULT_ANNOTATOR
from geceval.inspection.examination import examine, sentences_at
from geceval.inspection.explained_sentence import Explanation
from geceval.results.attribution import EXACT, ORDERS, Attribution, AttributionSettings, Method, refusal, value_edits
from geceval.results.examined_sentences import Output
from geceval.text.corpus import Corpus, TextSource
from geceval.text.m2.edit import Block, Edit

#: Tolerance of equal scores of a text; scores of neural networks vary slightly.
SCORE_TOLERANCE = 1e-5


@short_traceback
def explain(
    source: str,
    hypothesis: str | Mapping[str, str],
    references: Sequence[str] = (),
    metrics: Metrics = DEFAULT_METRICS["references"],
    *,
    gold: Block | None = None,
    annotator: Any = DEFAULT_ANNOTATOR,
    method: Method | None = "shapley",
    exact: int = EXACT,
    orders: int = ORDERS,
    seed: int = 0,
    threads: int = 0,
) -> Explanation:
    """Explain the scores of one sentence by its evidence and the values of edits.

    Args:
        source: Source sentence.
        hypothesis: Corrected sentence, or corrected sentences by system name.
        references: Reference sentences.
        metrics: Metrics or specifications, such as ``["green", geceval.Errant()]``.
        gold: M2 block of gold edits, instead of or in addition to references.
        annotator: Annotator that extracts edits from text if no metric does.
        method: Values of edits: "shapley", "add" or "sub", as in ``attribute`` (None: no values).
        exact: Largest number of edits with exact Shapley values, at most 16.
        orders: Number of orders to sample for more edits.
        seed: Seed of the sampled orders, from 0 to 2**64 - 1.
        threads: Number of threads (0: one per processor).

    Returns:
        The sentence with scores and evidence by system and metric, and the values of edits.

    Raises:
        UsageError: If an argument is not a sentence or an option has an unsupported value.
        InputError: If a metric cannot score the sentence.
    """
    check_type("source", source, str, "a sentence")
    systems = {"hypothesis": hypothesis} if isinstance(hypothesis, str) else hypothesis
    check_type("hypothesis", systems, Mapping, "a sentence or a mapping of names to sentences")
    rows = [[text] for text in as_sequence("references", references)]
    outputs = {name: [text] for name, text in systems.items()}
    corpus = Corpus([source], rows, outputs, None if gold is None else [gold])
    options: dict[str, Any] = {"method": method, "exact": exact, "orders": orders, "seed": seed}
    return explain_sentence(corpus, metrics, annotator=annotator, **options, threads=threads, checks=False)


def explain_sentence(
    corpus: TextSource,
    metrics: Metrics = DEFAULT_METRICS["references"],
    number: int = 1,
    *,
    annotator: Any = DEFAULT_ANNOTATOR,
    method: Method | None = "shapley",
    exact: int = EXACT,
    orders: int = ORDERS,
    seed: int = 0,
    threads: int = 0,
    progress: Progress | None = None,
    checks: bool = True,
) -> Explanation:
    """Explain the scores of all systems on one sentence of a corpus.

    Corpus constants, such as CLEME's mean chunk length, are computed on the whole corpus.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics or specifications, such as ``["green", geceval.Errant()]``.
        number: Number of the sentence, from 1.
        annotator: Annotator that extracts edits from text if no metric does.
        method: Values of edits: "shapley", "add" or "sub", as in ``attribute`` (None: no values).
        exact: Largest number of edits with exact Shapley values, at most 16.
        orders: Number of orders to sample for more edits.
        seed: Seed of the sampled orders, from 0 to 2**64 - 1.
        threads: Number of threads (0: one per processor).
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn (GecevalWarning) about suspicious input.

    Returns:
        The sentence with scores and evidence by system and metric, and the values of edits.

    Raises:
        UsageError: If the sentence does not exist or an option has an unsupported value.
        InputError: If the input cannot be scored.
    """
    distinct = list(dict.fromkeys(metrics_of(metrics)))
    settings = None if method is None else AttributionSettings(method, exact, orders, seed)
    common: dict[str, Any] = {"annotator": annotator, "threads": threads}
    examined = examine(corpus, distinct, [number], **common, progress=progress, checks=checks)
    metrics_by_label = dict(zip(examined.metrics, distinct, strict=True))
    if settings is None:
        return Explanation(examined, {}, {})
    without: dict[str, str] = {}
    for label, metric in metrics_by_label.items():
        reason = refusal(metric)
        if metric.judging is not None:
            reason = reason or f"{metric.name} would send every subset of the edits to its judge"
        if reason:
            without[label] = reason
    [one_sentence] = sentences_at(corpus, [number - 1])[0]
    [sentence] = examined.sentences
    values: dict[str, dict[str, Attribution]] = {name: {} for name in sentence.outputs}
    for label, metric in metrics_by_label.items():
        if label in without:
            continue
        constants = Run(corpus, [metric], RunOptions(threads)).with_constants().get(metric, {})
        try:
            attributions = {
                name: _value_shown_edits(output, constants.get(name, metric), one_sentence, settings, threads, label)
                for name, output in sentence.outputs.items()
            }
        except (InputError, UsageError) as error:  # explain the sentence by the other metrics
            without[label] = str(error)
            continue
        for name, attribution in attributions.items():
            values[name][label] = attribution
    return Explanation(examined, values, without)


def _value_shown_edits(
    output: Output, metric: AnyMetric, corpus: Corpus, settings: AttributionSettings, threads: int, label: str
) -> Attribution:
    """Return the values of the shown edits.

    Raises UsageError if the metric extracts and scores other edits.
    """
    shown_edits = [Edit(edit.start, edit.end, edit.type, (edit.text,)) for edit in output.version.edits]
    attribution = value_edits(metric, corpus, shown_edits, settings, threads, label)
    score = output.scores[label].score
    if not math.isclose(attribution.score, score, rel_tol=SCORE_TOLERANCE, abs_tol=SCORE_TOLERANCE):
        raise UsageError(f"{label} extracts other edits than those shown, whose score would be {attribution.score:.4f}")
    return attribution
