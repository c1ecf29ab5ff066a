"""``geceval sweep``: scores of systems at thresholds of confidence."""

from __future__ import annotations

from geceval.base.arguments import PLACES, Bounds
from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import CorpusOptions, MetricOptions, OutputOptions, metrics_option, resamples_option
from geceval.cli.output import write_report
from geceval.cli.parsing import Command
from geceval.cli.stderr import collected, progress, warn

#: Warning about thresholds that were chosen on the reported sentences.
TUNED = "the best thresholds were chosen on the sentences that they are scored on: --tuned DEV.json scores a test set"


class SweptMetricOptions(MetricOptions, title="metrics"):
    """Metrics that are scored at thresholds."""

    metrics: tuple[str, ...] = metrics_option(default="errant")


class SweepRequest(CommandRequest):
    """Systems given as M2, metrics, and the thresholds."""

    data: CorpusOptions = CorpusOptions()
    metric: SweptMetricOptions = SweptMetricOptions()
    output: OutputOptions = OutputOptions()
    threshold: float | None = option(
        *("-t", "--threshold"), bounds=Bounds(-1e150, 1e150), metavar="T", help="also score this threshold"
    )
    tuned: str | None = option(
        "--tuned", help="also score the best thresholds of a development set, from its JSON report", reads_file=True
    )
    steps: int | None = option(
        "--steps",
        bounds=Bounds(2, PLACES.high),
        help="at most N thresholds, quantiles of the confidences (default: all; if references are chosen in the order "
        "of the sentences or for the best total, 2 million / sentences)",
    )
    intervals: bool = option("--intervals", help="show 95 % bootstrap intervals of thresholds and scores")
    resamples: int = resamples_option()

    def check(self) -> None:
        if self.threshold is not None and self.tuned is not None:
            raise UsageError("--threshold and --tuned exclude each other")


def run(request: SweepRequest) -> None:
    """Write the scores at thresholds."""
    from geceval.report.scores.sweep_report import SweptCurve, fingerprint, read_sweep, sweep_report, tuned_threshold
    from geceval.studies.confidence.threshold_curves import threshold_curves

    output, tuned = request.output, None if request.tuned is None else read_sweep(request.tuned)
    inputs = CorpusInputs(request.data, quiet=output.quiet, threads=output.threads)
    metrics = inputs.metrics_of(request.metric.metrics or ["errant"], request.metric)
    [corpus] = inputs.corpus().parts(int(PLACES.high))
    replicates, swept = request.resamples if request.intervals else 0, []
    with progress(quiet=output.quiet) as advance, collected(quiet=output.quiet) as found:
        for system in corpus.system_names:
            also = [request.threshold] * len(metrics)
            if tuned is not None:
                also = [tuned_threshold(tuned, system, metric) for metric in metrics]
            curves = threshold_curves(
                corpus,
                system,
                metrics,
                steps=request.steps,
                also=[own for own in also if own is not None],
                threads=output.threads,
                progress=advance,
            )
            swept += [SweptCurve(curve, own, replicates) for curve, own in zip(curves, also, strict=True)]
        if (request.threshold is None and tuned is None) or (tuned and tuned["fingerprint"] == fingerprint(corpus)):
            warn(TUNED)
    about = {"sentences": len(corpus), "fingerprint": fingerprint(corpus)}
    report = sweep_report(swept, inputs.to_document(found) | about)
    write_report(output.target, report, output.written_format, output.digits)


COMMAND = Command(SweepRequest, run)
