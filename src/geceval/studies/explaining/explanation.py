"""One sentence explained: what every metric gives it and why, and what each edit is worth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from geceval.base.arguments import as_sequence, shown
from geceval.base.errors import InputError, UsageError
from geceval.counting.metric_names import make_metric
from geceval.counting.stream import AnyMetric, Progress, metrics_of, settled_for_systems, with_needed_texts
from geceval.edits.changes import Change
from geceval.studies.explaining.attribution import EXACT, ORDERS, Attribution, How, Method, refusal, worth
from geceval.studies.explaining.examination import examine, sentences_at
from geceval.studies.explaining.examined_sentences import Examined, Output, Sentence
from geceval.text.corpus import Corpus, Hypothesis, TextSource
from geceval.text.m2 import Block

#: The metrics that sentences are explained by where none are named.
USUAL = ("errant", "green", "gleu")

#: Within this, for the noise of networks, two scores of a text are one.
SAME = 1e-5


@dataclass(frozen=True)
class Explanation:
    """A sentence with its outputs, scores and evidence (``sentence``), and what edits are worth:
    ``attributions[system][metric]``, the edits in the order of the system's version. ``without``: by metric, why there
    is no attribution. ``examined``: the metrics' names, signatures and who judged."""

    examined: Examined
    attributions: Mapping[str, Mapping[str, Attribution]]
    without: Mapping[str, str]

    @property
    def sentence(self) -> Sentence:
        """The sentence."""
        [sentence] = self.examined.sentences
        return sentence


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
    """One sentence explained, given as text: what ``hypothesis``, or several by name, score against the references.

    ``metrics``: None takes ERRANT, GREEN and GLEU; ``gold``: an M2 block instead of or beside references; ``method``:
    how edits are valued (see attribution; None: not at all). Raises UsageError for what is no text, and what the
    metrics raise.
    """
    if not isinstance(source, str):
        raise UsageError(f"source is a sentence, not {shown(source)}")
    systems = {"hypothesis": hypothesis} if isinstance(hypothesis, str) else hypothesis
    if not isinstance(systems, Mapping):
        raise UsageError(f"the hypothesis is a sentence, or a mapping from names to sentences, not {shown(hypothesis)}")
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
    """One sentence of a corpus explained, by its number from 1 on, of all systems. Corpus constants, such as CLEME's
    mean chunk length, are those of the whole corpus. Arguments and errors: see explain and examine."""
    metrics = list(dict.fromkeys(map(make_metric, USUAL) if metrics is None else metrics_of(metrics)))
    how = None if method is None else How(method, exact, orders, seed)
    common: dict[str, Any] = {"annotator": annotator, "threads": threads}
    examined = examine(corpus, metrics, [number], **common, progress=progress, checks=checks)
    named = dict(zip(examined.metrics, metrics, strict=True))
    if how is None:
        return Explanation(examined, {}, {})
    without = {label: why for label, metric in named.items() if (why := refusal(metric) or _costs(metric))}
    [alone] = sentences_at(with_needed_texts(corpus, metrics), [number - 1])[0]
    [sentence] = examined.sentences
    values: dict[str, dict[str, Attribution]] = {name: {} for name in sentence.outputs}
    for label, metric in named.items():
        if label in without:
            continue
        settled = settled_for_systems(corpus, metric, threads)
        try:
            of_systems = {
                name: _worth_of(output, settled[name], alone, how, threads, label)
                for name, output in sentence.outputs.items()
            }
        except (InputError, UsageError) as error:  # of one sentence: the rest is explained
            without[label] = str(error)
            continue
        for name, found in of_systems.items():
            values[name][label] = found
    return Explanation(examined, values, without)


def _worth_of(output: Output, metric: AnyMetric, alone: Corpus, how: How, threads: int, label: str) -> Attribution:
    """What the edits that are shown are worth. Raises UsageError where the metric does not score them, but others that
    it finds itself."""
    made = [Change(edit.start, edit.end, edit.text, edit.type) for edit in output.version.edits]
    found = worth(metric, alone, made, how, threads, label)
    score = output.scores[label].score
    if not math.isclose(found.score, score, rel_tol=SAME, abs_tol=SAME):
        raise UsageError(f"{label} finds other edits than those shown: with these the score would be {found.score:.4f}")
    return found


def _costs(metric: AnyMetric) -> str | None:
    if metric.asks_judge:
        return f"{metric.name} would ask its judge about every subset of the edits"
    return None
