"""``geceval explain``: explain the scores of one sentence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from cyclopts import Group, Parameter

from geceval.base.arguments import COUNT, DRAWN_ORDERS, EXACT_EDITS, KERNEL_SEEDS
from geceval.base.errors import UsageError
from geceval.commands.shared.corpus_options import CorpusOptions
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.option_groups import DATA, OTHER
from geceval.commands.shared.option_values import check_whole
from geceval.commands.shared.options import Checks, MetricOptions, OutputOptions, written_as
from geceval.commands.shared.output_formats import write_report
from geceval.commands.shared.run_progress import watching
from geceval.counting.metric_names import DEFAULT_METRICS
from geceval.inspection.explained_sentence import explanation_report
from geceval.inspection.explanation import explain_sentence
from geceval.text.corpus import Corpus, TextSource

WORTH = Group.create_ordered("values of edits", sort_key=2)

Sentences = Annotated[
    tuple[str, ...], Parameter(name="TEXT", help="source, correction and references, in place of files")
]


@Parameter(name="*", group=WORTH)
@dataclass(frozen=True, kw_only=True)
class AttributionOptions:
    """Options of the value of edits."""

    method: Literal["shapley", "add", "sub", "none"] = "shapley"
    """value of an edit: mean gain over all orders, gain of the edit alone, loss without it, or none"""
    exact: Annotated[int, Parameter(group=OTHER)] = 12
    """maximum number of edits for exact values from all subsets, at most 16 (default: 12); more edits use random
    orders"""
    orders: Annotated[int, Parameter(group=OTHER)] = 200
    """number of random orders"""
    seed: Annotated[int, Parameter(group=OTHER)] = 0
    """seed of the orders"""

    def __post_init__(self) -> None:
        check_whole(self, exact=EXACT_EDITS, orders=DRAWN_ORDERS, seed=KERNEL_SEEDS)


@written_as("text", "json")
class ExplainOutputOptions(OutputOptions):
    """Options of the output."""

    full: bool = False
    """do not shorten lists of evidence"""


@Parameter(name="*", group=DATA)
@dataclass(frozen=True, kw_only=True)
class ExplainRequest:
    """A sentence of files, metrics that explain, and the explanation."""

    data: CorpusOptions = CorpusOptions()
    sentence: int | None = None
    """number of the sentence in the files, from 1"""
    metric: MetricOptions = MetricOptions()
    worth: AttributionOptions = AttributionOptions()
    output: ExplainOutputOptions = ExplainOutputOptions()
    checks: Checks = True

    def __post_init__(self) -> None:
        check_whole(self, sentence=COUNT)


def explain(texts: Sentences = (), /, *, request: ExplainRequest = ExplainRequest()) -> None:
    """Write the explanation.

    Examples:
      geceval explain "She go home ." "She goes home ." "She went home ."
      geceval explain -s source.txt -r ref0.txt ref1.txt -c system.txt --sentence 17
      geceval explain --gold gold.m2 -c system.m2 --sentence 17 -m errant cleme --method add

    documentation: docs/explaining.md
    """
    output, worth = request.output, request.worth
    inputs = CorpusInputs(request.data, threads=output.threads)
    corpus, sentence = explained_corpus(texts, request, inputs)
    metric_options = request.metric
    if texts and not metric_options.metrics:
        metric_options = replace(metric_options, metrics=DEFAULT_METRICS["references"])
    metrics = inputs.metrics(metric_options)
    with watching() as (advance, warnings):
        explanation = explain_sentence(
            corpus,
            metrics,
            sentence,
            annotator=inputs.language.annotator,
            **{**vars(worth), "method": None if worth.method == "none" else worth.method},
            threads=output.threads,
            progress=advance,
            checks=request.checks and not texts,
        )
    report = explanation_report(explanation, inputs.to_document(warnings), full=output.full)
    write_report(report, output, output.digits)


def explained_corpus(texts: Sentences, request: ExplainRequest, inputs: CorpusInputs) -> tuple[TextSource, int]:
    """Return a corpus and the number of the sentence in it.

    Raises:
        UsageError: There are neither files nor texts, or both, or no correction.
    """
    files, table = request.data.files, request.data.table.input
    if not texts:
        if not (files.systems or table):
            hint = 'geceval explain "source" "correction" "reference", or -s, -r, -c and --sentence'
            raise UsageError("nothing to explain", hint=hint)
        if request.sentence is None:
            raise UsageError("a sentence number is required", hint="--sentence N, from 1")
        return inputs.corpus(), request.sentence
    if any([files.source, files.gold, files.references, files.systems, table]):
        raise UsageError("texts and files exclude each other", hint="put the texts before the options")
    if request.sentence is not None:
        raise UsageError("--sentence requires files, not texts")
    if len(texts) < 2:
        raise UsageError("a source and its correction are required")
    source, correction, *references = texts
    corpus = Corpus([source], [[text] for text in references], {"correction": [correction]})
    prepare = inputs.preparation()
    return corpus.prepared(prepare) if prepare else corpus, 1
