"""``geceval explain``: explain the scores of one sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from geceval.base.arguments import COUNT, DRAWN_ORDERS, EXACT_EDITS, KERNEL_SEEDS
from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, OptionGroup, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import DEFAULT_METRICS, ChecksOption, CorpusOptions, MetricOptions, OutputOptions
from geceval.cli.output import write_report
from geceval.cli.parsing import Command
from geceval.cli.stderr import collected, progress

if TYPE_CHECKING:
    from geceval.text.corpus import TextSource


class ExplainMetricOptions(MetricOptions, title="metrics"):
    """The metrics that explain."""


class AttributionOptions(OptionGroup, title="what each edit is worth"):
    """Options of the value of edits."""

    method: Literal["shapley", "add", "sub", "none"] = option("--method", default="shapley")
    exact: int = option("--exact", bounds=EXACT_EDITS, default=12, rare=True)
    orders: int = option("--orders", bounds=DRAWN_ORDERS, default=200, rare=True)
    seed: int = option("--seed", bounds=KERNEL_SEEDS, default=0, rare=True)


class ExplainOutputOptions(OutputOptions, title="output"):
    """Options of the output."""

    full: bool = option("--full")
    format: str | None = option("-f", "--format", choices=["text", "json"], effect="files")


class ExplainRequest(ChecksOption, CommandRequest):
    """A sentence, in files or as texts, and its explanation."""

    texts: tuple[str, ...] = option(nargs="*", metavar="TEXT")
    data: CorpusOptions = CorpusOptions()
    sentence: int | None = option("--sentence", bounds=COUNT)
    metric: ExplainMetricOptions = ExplainMetricOptions()
    worth: AttributionOptions = AttributionOptions()
    output: ExplainOutputOptions = ExplainOutputOptions()


def run(request: ExplainRequest) -> None:
    """Write the explanation."""
    from geceval.inspection.explanation import explain_sentence
    from geceval.inspection.explanation_report import explanation_report

    output, worth = request.output, request.worth
    inputs = CorpusInputs(request.data, quiet=output.quiet, threads=output.threads)
    corpus, sentence = explained_corpus(request, inputs)
    named = request.metric
    if request.texts and not named.metrics:
        named = replace(named, metrics=DEFAULT_METRICS["references"])
    metrics = inputs.metrics(named)
    with progress(quiet=output.quiet) as advance, collected(quiet=output.quiet) as found:
        explanation = explain_sentence(
            corpus,
            metrics,
            sentence,
            annotator=inputs.language.annotator_or_default,
            **{**vars(worth), "method": None if worth.method == "none" else worth.method},
            threads=output.threads,
            progress=advance,
            checks=request.checks and not request.texts,
        )
    report = explanation_report(explanation, inputs.to_document(found), full=output.full)
    write_report(output.target, report, output.written_format, output.digits)


def explained_corpus(request: ExplainRequest, inputs: CorpusInputs) -> tuple[TextSource, int]:
    """Return a corpus and the number of the sentence in it.

    Raises:
        UsageError: There are neither files nor texts, or both, or no correction.
    """
    from geceval.text.corpus import Corpus

    files, table = request.data.files, request.data.table.input
    if not request.texts:
        if not (files.systems or table):
            hint = 'geceval explain "source" "correction" "reference", or -s, -r, -c and --sentence'
            raise UsageError("nothing to explain", hint=hint)
        if request.sentence is None:
            raise UsageError("a sentence number is needed", hint="--sentence N, from 1")
        return inputs.corpus(), request.sentence
    if any([files.source, files.gold, files.references, files.systems, table]):
        raise UsageError("texts and files exclude each other", hint="texts stand before options")
    if request.sentence is not None:
        raise UsageError("--sentence requires files, not texts")
    if len(request.texts) < 2:
        raise UsageError("a source and its correction are required")
    source, correction, *references = request.texts
    corpus = Corpus([source], [[text] for text in references], {"correction": [correction]})
    prepare = inputs.texts().preparation(inputs.threads)
    return corpus.prepared(prepare) if prepare else corpus, 1


COMMAND = Command(ExplainRequest, run)
