"""``geceval sweep``: scores at thresholds of confidence, and calibration.

The report has tables; its page also has curves and reliability diagrams.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Annotated, Literal

from cyclopts import Group, Parameter

from geceval.base.arguments import PLACES, RESAMPLES, Bounds, number
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, UsageError
from geceval.commands.shared.bars import bars_of, split_bar
from geceval.commands.shared.corpus_options import CorpusOptions, RawTextOptions
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.option_groups import METRICS, STATISTICS, TEXT
from geceval.commands.shared.option_values import check_whole
from geceval.commands.shared.options import MetricOptions, PictureOutputOptions, written_as
from geceval.commands.shared.output_formats import write_report
from geceval.commands.shared.run_progress import watching
from geceval.commands.shared.run_warnings import warn_of_corpus
from geceval.commands.shared.statistics_options import Replicates
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import labels
from geceval.reporting.confident_systems import ConfidentSystem, rules_of
from geceval.reporting.swept_systems import Condition, Swept, metric_key, read_thresholds
from geceval.reporting.threshold_curves import calibrations, threshold_curves
from geceval.reporting.threshold_report import render_sweep, sweep_report
from geceval.tables.report import FORMATS
from geceval.tables.svg import PICTURES

#: Warning about thresholds that were chosen on the reported sentences.
TUNED = "the best thresholds were chosen on the sentences that they are scored on: --tuned DEV.json scores a test set"
THRESHOLDS = Group.create_ordered("thresholds", sort_key=2)


@Parameter(name="*", group=METRICS)
@dataclass(frozen=True, kw_only=True)
class SweptMetricOptions(MetricOptions):
    """Metrics that are scored at thresholds."""

    metrics: Annotated[tuple[str, ...], Parameter(alias="-m", metavar="METRIC")] = ("errant",)
    """metrics, such as errant:mode=ds (list: geceval metrics) (default: errant)"""


@written_as(*FORMATS, "html", *PICTURES)
class SweepOutputOptions(PictureOutputOptions):
    """Format, also a page with charts or a picture, file, digits, threads, quiet."""

    picture: Literal["precision-recall", "thresholds", "reliability"] | None = None
    """picture to write: precision-recall (default), thresholds, or with --calibration reliability"""


@Parameter(name="*", group=TEXT)
@dataclass(frozen=True, kw_only=True)
class SweptTextOptions(RawTextOptions):
    """Preparation of texts, and of the places of suggestions; the outputs are no answers of language models."""

    clean: Annotated[tuple[str, ...], Parameter(parse=False)] = ()


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SweptCorpusOptions(CorpusOptions):
    """Systems given as M2, and references."""

    raw: SweptTextOptions = SweptTextOptions()


@Parameter(name="*", group=THRESHOLDS)
@dataclass(frozen=True, kw_only=True)
class SweepRequest:
    """Systems given as M2, metrics, and the thresholds."""

    data: SweptCorpusOptions = SweptCorpusOptions()
    metric: SweptMetricOptions = SweptMetricOptions()
    output: SweepOutputOptions = SweepOutputOptions()
    threshold: Annotated[float | None, Parameter(alias="-t", metavar="T")] = None
    """also score at this threshold"""
    tuned: Annotated[str | None, Parameter(metavar="FILE")] = None
    """also score at the best thresholds of a development set: its JSON output of geceval sweep"""
    steps: int | None = None
    """maximum number of thresholds, which are quantiles of the confidences (default: all; if references are chosen in
    the order of the sentences or for the best total, 2 million / sentences)"""
    at_most: Annotated[tuple[str, ...], Parameter(metavar="METRIC=POINTS")] = ()
    """also score at the threshold with the highest recall at which scores are at most: false-alarms=2 (percent)"""
    at_least: Annotated[tuple[str, ...], Parameter(metavar="METRIC=POINTS")] = ()
    """likewise for scores that are at least: errant.precision=80"""
    by: Literal["rule"] | None = None
    """choose a threshold for each rule (type of the system's edits), whose edits are made alone"""
    calibration: Annotated[int | None, Parameter(metavar="BINS")] = None
    """also measure calibration, in this number of bins of equal width, such as 10"""
    intervals: Annotated[bool, Parameter(group=STATISTICS)] = False
    """add 95 % bootstrap intervals of thresholds and scores"""
    samples: Replicates = 1000

    def __post_init__(self) -> None:
        if self.threshold is not None:
            number("--threshold", self.threshold, Bounds(-1e150, 1e150))
        check_whole(self, steps=Bounds(2, PLACES.high), calibration=Bounds(1, 10_000), samples=RESAMPLES)
        if self.threshold is not None and self.tuned is not None:
            raise UsageError("--threshold and --tuned exclude each other")
        for text in (*self.at_most, *self.at_least):
            split_bar(text)


def sweep(*, request: SweepRequest = SweepRequest()) -> None:
    """Write the scores at thresholds.

    Examples:
      geceval sweep --gold dev.m2 -c checker=dev-system.m2 --intervals -o dev.json
      geceval sweep --gold test.m2 -c checker=test-system.m2 --tuned dev.json
      geceval sweep -s source.txt -r ref.txt -c checker.jsonl --at-most false-alarms=2 --by rule
      geceval sweep -s source.txt -r ref*.txt -c checker=system.m2 --calibration 10 -o curve.json

    A system is M2 with a confidence in the comment field of each edit:
    A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||0.93|||0

    documentation: docs/checkers.md
    """
    output, replicates = request.output, request.samples if request.intervals else 0
    checksum, tuned = ("", {}) if request.tuned is None else read_thresholds(request.tuned)
    inputs = CorpusInputs(request.data, threads=output.threads)
    make = partial(inputs.metrics_of, named=request.metric)
    metrics: Sequence[AnyMetric] = make(request.metric.metrics)
    bars = bars_of({"--at-least": request.at_least}, {"--at-most": request.at_most}, metrics, make)
    names = labels([bar.figure.metric for bar in bars])
    heads = [f"{name} {bar.figure.part}".rstrip() for name, bar in zip(names, bars, strict=True)]
    counted = list(dict.fromkeys([*metrics, *(bar.figure.metric for bar in bars)]))
    [corpus] = inputs.corpus().parts(int(PLACES.high))
    sentences = "\n".join(corpus.source).encode()
    swept, fingerprint = [], sha256(sentences).hexdigest()
    with watching() as (advance, warnings):
        warn_of_corpus(corpus, counted)
        rules = {name: rules_of(corpus, name) if request.by else [""] for name in corpus.system_names}
        for name, rule in ((name, rule) for name, of_system in rules.items() for rule in of_system):
            keys = [(name, rule, metric_key(metric)) for metric in metrics]
            thresholds = [tuned.get(key, request.threshold) for key in keys]
            if request.tuned is not None and not tuned.keys() >= set(keys):
                known = dict.fromkeys(f"{system} {rule}".rstrip() for system, rule, _ in tuned)
                hint = f"it has the systems {', '.join(known)}; -c NAME=FILE names a system"
                message = f"no thresholds of {f'{name} {rule}'.rstrip()} under these metrics"
                raise InputError(message, path=request.tuned, hint=hint)
            system = ConfidentSystem(corpus, name, counted, rule, output.threads, advance)
            further = [threshold for threshold in thresholds if threshold is not None]
            curves = threshold_curves(system, steps=request.steps, also=further)
            bins = request.calibration
            verdicts = [None for _ in metrics] if bins is None else calibrations(replace(system, metrics=metrics), bins)
            of_metrics = dict(zip(counted, curves, strict=True))
            conditions = [
                Condition(head, bar, of_metrics[bar.figure.metric]) for head, bar in zip(heads, bars, strict=True)
            ]
            swept += [
                Swept(of_metrics[metric], conditions, verdict, threshold, replicates)
                for metric, verdict, threshold in zip(metrics, verdicts, thresholds, strict=True)
            ]
        has_best = any(set(system.chosen) & {"best", "allowed"} for system in swept)
        if has_best and request.threshold is None and checksum in ("", fingerprint):
            warn(TUNED)
    facts = {"sentences": len(corpus), "fingerprint": fingerprint}
    report = sweep_report(swept, inputs.to_document(warnings) | facts)
    page = partial(render_sweep, swept, report)
    write_report(replace(report, page=page), output, output.digits)
