"""``geceval rank``: rank systems by a metric's verdicts on pairs of outputs."""

from __future__ import annotations

from typing import Literal

from geceval.base.arguments import KERNEL_SEEDS, SAMPLES
from geceval.base.requests import CommandRequest, OptionGroup, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import BLOCKS, SIGNIFICANCE, ChecksOption, CorpusOptions, MetricOptions, OutputOptions
from geceval.cli.output import write_report
from geceval.cli.parsing import Command
from geceval.cli.stderr import watching


class RankingOptions(OptionGroup, title="ranking"):
    """Options of the ranking."""

    aggregation: Literal["expected-wins", "trueskill"] = option("--aggregation", default="expected-wins")
    samples: int = option("--samples", bounds=SAMPLES, default=1000, rare=True)
    seed: int = option("--seed", bounds=KERNEL_SEEDS, default=0, rare=True)
    alpha: float = SIGNIFICANCE
    blocks: str | None = BLOCKS


class RankRequest(ChecksOption, CommandRequest):
    """Systems, metrics, and the ranking."""

    data: CorpusOptions = CorpusOptions()
    metric: MetricOptions = MetricOptions()
    ranking: RankingOptions = RankingOptions()
    output: OutputOptions = OutputOptions(digits=3)
    guard: bool = option("--no-guard", rare=True)


def run(request: RankRequest) -> None:
    """Write the ranking."""
    from geceval.comparison.ranking_without_people import rank, ranking_report
    from geceval.counting.run import Run

    output, how = request.output, request.ranking
    inputs = CorpusInputs(request.data, quiet=output.quiet, threads=output.threads)
    metrics, corpus = inputs.metrics(request.metric), inputs.corpus()
    counting = Run(corpus, metrics, guard=request.guard)
    with watching(counting, request.data.files.source, quiet=output.quiet) as (advance, found):
        ranking = rank(
            corpus,
            metrics,
            **{**vars(how), "blocks": inputs.labels(how.blocks)},
            guard=request.guard,
            threads=output.threads,
            progress=advance,
            checks=request.checks,
        )
    report = ranking_report(ranking, inputs.to_document(found, blocks=how.blocks))
    write_report(output.target, report, output.written_format, output.digits)


COMMAND = Command(RankRequest, run)
