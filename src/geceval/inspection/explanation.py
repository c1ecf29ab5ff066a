"""Explain the scores of one sentence by evidence and by values of its edits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from geceval.base.arguments import as_sequence, check_type
from geceval.base.errors import InputError, UsageError
from geceval.counting.judged import AsksJudge
from geceval.counting.metric_names import make_metric
from geceval.counting.stream import AnyMetric, Progress, metrics_of, settle_for_systems
from geceval.edits.changes import Change
from geceval.inspection.attribution import EXACT, ORDERS, Attribution, How, Method, refusal, value_edits
from geceval.inspection.examination import examine, sentences_at
from geceval.inspection.examined_sentences import Output
from geceval.inspection.explanation_report import Explanation
from geceval.text.corpus import Corpus, Hypothesis, TextSource
from geceval.text.m2.edit import Block

#: Default metrics.
USUAL = ("errant", "green", "gleu")

#: Tolerance of equal scores of a text: scores of neural networks vary.
SAME = 1e-5


def explain(
    source: str,
    hypothesis: str | Mapping[str, str],
    references: Sequence[str] = (),
    metrics: Sequence[AnyMetric] | None = None,
    *,
    gold: Block | None = None,
    annotator: Any = "builtin",
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
        metrics: Metrics, such as ``[geceval.Green()]`` (None: ERRANT, GREEN and GLEU).
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
    outputs = {name: cast(Hypothesis, [text]) for name, text in systems.items()}
    corpus = Corpus([source], rows, outputs, None if gold is None else [gold])
    how: dict[str, Any] = {"method": method, "exact": exact, "orders": orders, "seed": seed}
    return explain_sentence(corpus, metrics, annotator=annotator, **how, threads=threads, checks=False)


def explain_sentence(
    corpus: TextSource,
    metrics: Sequence[AnyMetric] | None = None,
    number: int = 1,
    *,
    annotator: Any = "builtin",
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
        metrics: Metrics, such as ``[geceval.Green()]`` (None: ERRANT, GREEN and GLEU).
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
    metrics = list(dict.fromkeys(map(make_metric, USUAL) if metrics is None else metrics_of(metrics)))
    how = None if method is None else How(method, exact, orders, seed)
    common: dict[str, Any] = {"annotator": annotator, "threads": threads}
    examined = examine(corpus, metrics, [number], **common, progress=progress, checks=checks)
    named = dict(zip(examined.metrics, metrics, strict=True))
    if how is None:
        return Explanation(examined, {}, {})
    without = {label: why for label, metric in named.items() if (why := refusal(metric) or _costs(metric))}
    [alone] = sentences_at(corpus, [number - 1])[0]
    [sentence] = examined.sentences
    values: dict[str, dict[str, Attribution]] = {name: {} for name in sentence.outputs}
    for label, metric in named.items():
        if label in without:
            continue
        settled = settle_for_systems(corpus, metric, threads)
        try:
            of_systems = {
                name: _value_shown_edits(output, settled[name], alone, how, threads, label)
                for name, output in sentence.outputs.items()
            }
        except (InputError, UsageError) as error:  # explain the sentence by the other metrics
            without[label] = str(error)
            continue
        for name, found in of_systems.items():
            values[name][label] = found
    return Explanation(examined, values, without)


def _value_shown_edits(
    output: Output, metric: AnyMetric, alone: Corpus, how: How, threads: int, label: str
) -> Attribution:
    """Return the values of the shown edits.

    Raises UsageError if the metric extracts and scores other edits.
    """
    made = [Change(edit.start, edit.end, edit.text, edit.type) for edit in output.version.edits]
    found = value_edits(metric, alone, made, how, threads, label)
    score = output.scores[label].score
    if not math.isclose(found.score, score, rel_tol=SAME, abs_tol=SAME):
        raise UsageError(f"{label} extracts other edits than those shown, whose score would be {found.score:.4f}")
    return found


def _costs(metric: AnyMetric) -> str | None:
    if isinstance(metric, AsksJudge):
        return f"{metric.name} would send every subset of the edits to its judge"
    return None
