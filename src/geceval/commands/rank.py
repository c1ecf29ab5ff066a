"""``geceval rank``: rank systems by sentence-level wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Group, Parameter

from geceval.commands.shared.corpus_options import CorpusOptions
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.option_groups import OTHER
from geceval.commands.shared.options import Checks, Digits, MetricOptions, OutputOptions
from geceval.commands.shared.output_formats import write_report
from geceval.commands.shared.run_progress import watching
from geceval.commands.shared.statistics_options import Alpha, Blocks, Replicates, Seed, check_resampling
from geceval.comparison.ranking_without_people import rank as rank_systems
from geceval.comparison.ranking_without_people import ranking_report
from geceval.counting.run import Run

RANKING = Group.create_ordered("ranking", sort_key=2)


@Parameter(name="*", group=RANKING)
@dataclass(frozen=True, kw_only=True)
class RankingOptions:
    """Options of the ranking."""

    aggregation: Literal["expected-wins", "trueskill"] = "expected-wins"
    """expected-wins: share of sentences won against a random opponent, without ties; trueskill: skill after one pass
    over the sentences"""
    samples: Replicates = 1000
    seed: Seed = 0
    alpha: Alpha = 0.05
    blocks: Blocks = None

    def __post_init__(self) -> None:
        check_resampling(self)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RankOutputOptions(OutputOptions):
    """Format, file, digits, threads and quiet."""

    digits: Digits = 3


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RankRequest:
    """Systems, metrics, and the ranking."""

    data: CorpusOptions = CorpusOptions()
    metric: MetricOptions = MetricOptions()
    ranking: RankingOptions = RankingOptions()
    output: RankOutputOptions = RankOutputOptions()
    checks: Checks = True
    guard: Annotated[
        bool,
        Parameter(
            negative="--no-guard",
            group=OTHER,
            help="do not score the unchanged source, which is not an opponent of systems",
        ),
    ] = True


def rank(*, request: RankRequest = RankRequest()) -> None:
    """Write the ranking.

    Examples:
      geceval rank -s source.txt -r ref0.txt ref1.txt -c sys1.txt sys2.txt sys3.txt -m green
      geceval rank --gold gold.m2 -c CAMB=sys1.m2 AMU=sys2.m2 -m errant --aggregation trueskill
      geceval rank -s source.txt -r ref*.txt -c sys*.txt -o ranking.csv

    A system wins a sentence against another if its sentence score is higher.
    geceval meta --level human ranks systems by human judgments.

    documentation: docs/comparison.md
    """
    output, options = request.output, request.ranking
    inputs = CorpusInputs(request.data, threads=output.threads)
    metrics, corpus = inputs.metrics(request.metric), inputs.corpus()
    counting = Run(corpus.with_unchanged() if request.guard else corpus, metrics)
    with watching(counting, request.data.files.common_source) as (advance, warnings):
        ranking = rank_systems(
            corpus,
            metrics,
            **{**vars(options), "blocks": inputs.labels(options.blocks)},
            guard=request.guard,
            threads=output.threads,
            progress=advance,
            checks=request.checks,
        )
    report = ranking_report(ranking, inputs.to_document(warnings, blocks=options.blocks))
    write_report(report, output, output.digits)
