"""``geceval sweep``: scores of systems at thresholds of confidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from cyclopts import Group, Parameter

from geceval._kernel import Text
from geceval.base.arguments import PLACES, RESAMPLES, Bounds, number
from geceval.base.errors import InputError, UsageError
from geceval.cli.corpus_options import CorpusOptions
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import METRICS, OUTPUT, MetricOptions, OutputOptions, Resamples, check_whole
from geceval.cli.output import write_report, write_text
from geceval.cli.stderr import collected, progress, warn
from geceval.reporting.explorer import ConfidentSystem
from geceval.reporting.sweep_report import Swept, metric_key, read_thresholds, render_sweep, sweep_report
from geceval.reporting.threshold_curves import calibrations, threshold_curves
from geceval.tables.formats import FORMATS

#: Warning about thresholds that were chosen on the reported sentences.
TUNED = "the best thresholds were chosen on the sentences that they are scored on: --tuned DEV.json scores a test set"
THRESHOLDS = Group.create_ordered("thresholds", sort_key=2)


@Parameter(name="*", group=METRICS)
@dataclass(frozen=True, kw_only=True)
class SweptMetricOptions(MetricOptions):
    """Metrics that are scored at thresholds."""

    metrics: Annotated[tuple[str, ...], Parameter(alias="-m", metavar="METRIC")] = ("errant",)
    """metrics, such as errant:mode=ds (list: geceval metrics) (default: errant)"""


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class SweepOutputOptions(OutputOptions):
    """Format, also a page with charts, file, digits, threads, quiet."""

    formats: ClassVar[tuple[str, ...]] = (*FORMATS, "html")
    format: Annotated[str | None, Parameter(alias="-f", choices=(*FORMATS, "html"))] = None
    """output format (default: by the ending of -o, or table)"""


@Parameter(name="*", group=THRESHOLDS)
@dataclass(frozen=True, kw_only=True)
class SweepRequest:
    """Systems given as M2, metrics, and the thresholds."""

    data: CorpusOptions = CorpusOptions()
    metric: SweptMetricOptions = SweptMetricOptions()
    output: SweepOutputOptions = SweepOutputOptions()
    threshold: Annotated[float | None, Parameter(alias="-t", metavar="T")] = None
    """also score this threshold"""
    tuned: Annotated[str | None, Parameter(metavar="FILE")] = None
    """also score the best thresholds of a development set, from its JSON report"""
    steps: int | None = None
    """at most N thresholds, quantiles of the confidences (default: all; if references are chosen in the order of the
    sentences or for the best total, 2 million / sentences)"""
    calibration: Annotated[int | None, Parameter(metavar="BINS")] = None
    """also measure calibration, in this number of bins of equal width, such as 10"""
    intervals: bool = False
    """show 95 % bootstrap intervals of thresholds and scores"""
    resamples: Resamples = 1000

    def __post_init__(self) -> None:
        if self.threshold is not None:
            number("--threshold", self.threshold, Bounds(-1e150, 1e150))
        check_whole(self, steps=Bounds(2, PLACES.high), calibration=Bounds(1, 10_000), resamples=RESAMPLES)
        if self.threshold is not None and self.tuned is not None:
            raise UsageError("--threshold and --tuned exclude each other")


def sweep(*, request: SweepRequest = SweepRequest()) -> None:
    """Write the scores at thresholds.

    Examples:
      geceval sweep --gold dev.m2 -c checker=dev-system.m2 --intervals -o dev.json
      geceval sweep --gold test.m2 -c checker=test-system.m2 --tuned dev.json
      geceval sweep -s source.txt -r ref*.txt -c checker=system.m2 --calibration 10 -o curve.json

    A system is M2 with a confidence in the comment field of each edit:
    A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||0.93|||0

    documentation: docs/thresholds.md
    """
    output, replicates = request.output, request.resamples if request.intervals else 0
    checksum, tuned = ("", {}) if request.tuned is None else read_thresholds(request.tuned)
    inputs = CorpusInputs(request.data, quiet=output.quiet, threads=output.threads)
    metrics = inputs.metrics_of(request.metric.metrics, request.metric)
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
        write_text(output.target, render_sweep(swept, report, output.digits))
        return
    write_report(output.target, report, output.written_format, output.digits)
