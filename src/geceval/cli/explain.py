"""``geceval explain``: one sentence, its scores and their evidence, and what each edit is worth."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from geceval.base.arguments import COUNT, DRAWN_ORDERS, EXACT_EDITS, KERNEL_SEEDS
from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, OptionGroup, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import (
    DEFAULT_METRICS,
    ChecksOption,
    CorpusOptions,
    MetricOptions,
    OutputOptions,
    format_option,
    metrics_option,
)
from geceval.cli.output import write_report
from geceval.cli.parsing import Command
from geceval.cli.stderr import collected, progress

if TYPE_CHECKING:
    from geceval.text.corpus import TextSource

EXAMPLES = """\
examples:
  geceval explain "He go to school ." "He goes to the school ." "He goes to school ."
  geceval explain -s source.txt -r ref0.txt ref1.txt -c system.txt -n 17
  geceval explain --gold gold.m2 -c old.txt new.txt -n 17 -m errant maxmatch cleme --method add
  geceval explain -s source.txt -r ref0.txt -c system.txt -n 17 -m green --full --format json

Texts stand before the options: source, correction, references. All of it: docs/explaining.md.
"""


class ExplainMetricOptions(MetricOptions, title="metrics"):
    """The metrics that explain."""

    metrics: tuple[str, ...] = metrics_option(" that explain, a section each")


class AttributionOptions(OptionGroup, title="what each edit is worth"):
    """How edits are valued."""

    method: Literal["shapley", "add", "sub", "none"] = option(
        "--method",
        choices=["shapley", "add", "sub", "none"],
        default="shapley",
        help="the mean gain over all orders (default), the gain of the edit alone, the loss without it, or nothing",
    )
    exact: int = option(
        "--exact",
        bounds=EXACT_EDITS,
        default=12,
        help="number of edits up to which all subsets are scored, at most 16 (default: 12); beyond, orders are drawn",
    )
    orders: int = option("--orders", bounds=DRAWN_ORDERS, default=200, help="number of orders to draw (default: 200)")
    seed: int = option("--seed", bounds=KERNEL_SEEDS, default=0, help="seed of the orders (default: 0)")


class ExplainOutputOptions(OutputOptions, title="output"):
    """How the explanation is written."""

    full: bool = option("--full", help="long lists of evidence to their end")
    format: str | None = format_option("text", "json", effect="files")


class ExplainRequest(ChecksOption, CommandRequest):
    """One sentence, of files or as texts, and how it is explained."""

    texts: tuple[str, ...] = option(
        nargs="*", metavar="TEXT", help="the source, the correction and the references, instead of files"
    )
    data: CorpusOptions = CorpusOptions()
    sentence: int | None = option(
        *("-n", "--sentence"), bounds=COUNT, help="number of the sentence in the files, from 1"
    )
    metric: ExplainMetricOptions = ExplainMetricOptions()
    worth: AttributionOptions = AttributionOptions()
    output: ExplainOutputOptions = ExplainOutputOptions()


def run(request: ExplainRequest) -> None:
    """Write the explanation."""
    from geceval.report.sentences.explanation_report import explanation_report
    from geceval.studies.explaining.explanation import explain_sentence

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
            method=None if worth.method == "none" else worth.method,
            exact=worth.exact,
            orders=worth.orders,
            seed=worth.seed,
            threads=output.threads,
            progress=advance,
            checks=request.checks and not request.texts,
        )
    report = explanation_report(explanation, inputs.to_document(found), full=output.full)
    write_report(output.target, report, output.written_format, output.digits)


def explained_corpus(request: ExplainRequest, inputs: CorpusInputs) -> tuple[TextSource, int]:
    """Return the files with the number of a sentence, or the texts, prepared, as a corpus of one. Raises UsageError
    where there is neither, and for a source alone."""
    from geceval.text.corpus import Corpus

    files, table = request.data.files, request.data.table.input
    if not request.texts:
        if not (files.systems or table):
            raise UsageError(
                "nothing to explain", hint='geceval explain "source" "correction" "reference", or -s, -r, -c and -n'
            )
        if request.sentence is None:
            raise UsageError("which sentence? -n N says it, from 1 on")
        return inputs.corpus(), request.sentence
    if any([files.source, files.gold, files.references, files.systems, table]):
        raise UsageError("texts and files are both given: explain one or the other", hint="texts stand before options")
    if request.sentence is not None:
        raise UsageError("-n is the number of a sentence in files")
    if len(request.texts) < 2:
        raise UsageError("a source and its correction are needed, then references")
    source, correction, *references = request.texts
    corpus = Corpus([source], [[text] for text in references], {"correction": [correction]})
    prepare = inputs.texts().preparation(inputs.threads)
    return corpus.prepared(prepare) if prepare else corpus, 1


COMMAND = Command(ExplainRequest, run, EXAMPLES)
