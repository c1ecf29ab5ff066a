"""``geceval sweep``: scores of systems at thresholds of confidence."""

from __future__ import annotations

from geceval._kernel import Text
from geceval.base.arguments import PLACES, Bounds
from geceval.base.errors import InputError, UsageError
from geceval.base.requests import CommandRequest, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import REPLICATES, CorpusOptions, MetricOptions, OutputOptions
from geceval.cli.output import write_report, write_text
from geceval.cli.parsing import Command
from geceval.cli.stderr import collected, progress, warn
from geceval.tables.formats import FORMATS

#: Warning about thresholds that were chosen on the reported sentences.
TUNED = "the best thresholds were chosen on the sentences that they are scored on: --tuned DEV.json scores a test set"


class SweptMetricOptions(MetricOptions, title="metrics"):
    """Metrics that are scored at thresholds."""


class SweepOutputOptions(OutputOptions, title="output"):
    """Format, also a page with charts, file, digits, threads, quiet."""

    format: str | None = option("-f", "--format", choices=[*FORMATS, "html"])


class SweepRequest(CommandRequest):
    """Systems given as M2, metrics, and the thresholds."""

    data: CorpusOptions = CorpusOptions()
    metric: SweptMetricOptions = SweptMetricOptions()
    output: SweepOutputOptions = SweepOutputOptions()
    threshold: float | None = option("-t", "--threshold", bounds=Bounds(-1e150, 1e150), metavar="T")
    tuned: str | None = option("--tuned", reads_file=True)
    steps: int | None = option("--steps", bounds=Bounds(2, PLACES.high))
    calibration: int | None = option("--calibration", bounds=Bounds(1, 10_000), metavar="BINS")
    intervals: bool = option("--intervals")
    resamples: int = REPLICATES

    def check(self) -> None:
        if self.threshold is not None and self.tuned is not None:
            raise UsageError("--threshold and --tuned exclude each other")


def run(request: SweepRequest) -> None:
    """Write the scores at thresholds."""
    from geceval.reporting.calibration import calibrations
    from geceval.reporting.edit_variants import ConfidentSystem
    from geceval.reporting.sweep_report import Swept, metric_key, read_thresholds, sweep_report
    from geceval.reporting.threshold_curves import threshold_curves

    output, replicates = request.output, request.resamples if request.intervals else 0
    checksum, tuned = ("", {}) if request.tuned is None else read_thresholds(request.tuned)
    inputs = CorpusInputs(request.data, quiet=output.quiet, threads=output.threads)
    metrics = inputs.metrics_of(request.metric.metrics or ["errant"], request.metric)
    [corpus] = inputs.corpus().parts(int(PLACES.high))
    swept, fingerprint = [], f"{Text(corpus.source).fingerprint():032x}"
    with progress(quiet=output.quiet) as advance, collected(quiet=output.quiet) as found:
        for name in corpus.system_names:
            given = [tuned.get((name, metric_key(metric)), request.threshold) for metric in metrics]
            if request.tuned is not None and None in given:
                hint = f"it has the systems {', '.join(system for system, _ in tuned)}; -c NAME=FILE names a system"
                raise InputError(f"no thresholds of {name} under these metrics", path=request.tuned, hint=hint)
            system = ConfidentSystem(corpus, name, metrics, output.threads, advance)
            curves = threshold_curves(system, steps=request.steps, also=[own for own in given if own is not None])
            verdicts = (
                [None for _ in metrics] if request.calibration is None else calibrations(system, request.calibration)
            )
            rows = zip(curves, verdicts, given, strict=True)
            swept += [Swept(curve, verdict, own, replicates) for curve, verdict, own in rows]
        if request.threshold is None and checksum in ("", fingerprint):
            warn(TUNED)
    about = {"sentences": len(corpus), "fingerprint": fingerprint}
    report = sweep_report(swept, inputs.to_document(found) | about)
    if output.written_format == "html":
        from geceval.reporting.sweep_page import render_sweep

        write_text(output.target, render_sweep(swept, report, output.digits))
        return
    write_report(output.target, report, output.written_format, output.digits)


COMMAND = Command(SweepRequest, run)
