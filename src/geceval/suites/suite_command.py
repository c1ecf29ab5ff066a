"""``geceval suite``: score the test sets of a benchmark in one table."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from geceval.base.arguments import KERNEL_SEEDS, SAMPLES
from geceval.base.errors import BelowTheBarError, UsageError
from geceval.base.requests import CommandRequest, OptionGroup, option
from geceval.cli.options import REPLICATES, SIGNIFICANCE, ChecksOption, JudgeOptions, OutputOptions, RecordOption
from geceval.cli.output import check_record, write_recorded, write_report
from geceval.cli.parsing import Command
from geceval.cli.stderr import collected, note, progress, warn
from geceval.tables.report import Report
from geceval.text.files import record_opened_files
from geceval.text.inputs import GOLD_EDITS

if TYPE_CHECKING:
    from geceval.suites.published_numbers import Verification
    from geceval.suites.suite_definition import Suite
    from geceval.text.corpus import GoldEdits

#: The environment variable with the default folder of the corpora.
DATA = "GECEVAL_DATA"


class SuiteDataOptions(OptionGroup, title="data"):
    """Outputs of the systems and files of the definition."""

    systems: str | None = option("-c", "--hyp", "--systems", metavar="DIR")
    beside: bool = option("--beside")
    data: str | None = option("--data", metavar="DIR")
    set: tuple[str, ...] = option(
        "--set", nargs=1, repeatable=True, metavar="SET.ROLE=FILE", reads_file=True, rare=True
    )
    verify: bool = option("--verify")


class SuiteStatisticsOptions(OptionGroup, title="statistics"):
    """Options of tests and intervals."""

    samples: int | None = option("--samples", bounds=SAMPLES)
    resamples: int = REPLICATES
    seed: int = option("--seed", bounds=KERNEL_SEEDS, default=0)
    alpha: float = SIGNIFICANCE


class SuiteRequest(RecordOption, ChecksOption, CommandRequest):
    """Definitions, and the parts of them to score."""

    suites: tuple[str, ...] = option(nargs="*", metavar="SUITE")
    list: bool = option("--list")
    data: SuiteDataOptions = SuiteDataOptions()
    sets: tuple[str, ...] = option("--sets", metavar="SET")
    metrics: tuple[str, ...] = option("-m", "--metrics", metavar="METRIC")
    judges: JudgeOptions = JudgeOptions()
    gold_edits: GoldEdits | None = replace(GOLD_EDITS, default=None)
    statistics: SuiteStatisticsOptions = SuiteStatisticsOptions()
    output: OutputOptions = OutputOptions()
    whole: bool = option("--whole")
    parts: bool = option("-v", "--parts")

    def check(self) -> None:
        check_record(self.record, self.output.target)
        if self.list:
            names = ("suites", "systems", "data", "set", "sets", "metrics", "judge", "gold_edits", "samples")
            self._refuse("--list", *names, "verify", "beside", "whole", "parts")
            if self.record is not None:
                raise UsageError("--record and --list exclude each other")
        elif not self.suites:
            hint = "geceval suite --list"
            raise UsageError("a suite is required: a TOML file or the name of a built-in suite", hint=hint)
        if self.data.systems == "":
            raise UsageError("-c: the name of the folder is empty", hint="-c . is the current folder")
        if self.data.verify:
            if self.data.systems is not None or self.metrics:
                raise UsageError("--verify scores the systems and metrics of the definition: not with -c or -m")
            self._refuse("--verify", "gold_edits", "samples", "beside", "whole", "parts")
        if self.data.beside and self.data.systems is None:
            raise UsageError("--beside requires -c")

    def _refuse(self, option: str, *names: str) -> None:
        """Raise UsageError for options that have no effect with ``option``."""
        given = {name: facts.name(name) for name, facts, _ in self.changed_options()}
        useless = [given[name] for name in names if name in given]
        if useless:
            raise UsageError(f"{option} excludes {', '.join(useless)}")


def run(request: SuiteRequest) -> None:
    """Write the table of the suite.

    Raises:
        BelowTheBarError: A published number is not reproduced.
    """
    output = request.output
    if request.list:
        from geceval.suites.suite_files import bundled, read_suite
        from geceval.suites.suite_report import bundled_report

        suites = {name: read_suite(name) for name in bundled()}
        write_report(output.target, bundled_report(suites), output.written_format)
        return
    request = with_data(request)
    with record_opened_files() as inputs:
        verification, report = verified(request) if request.data.verify else (None, evaluated(request))
    write_recorded("suite", request, report, inputs)
    if verification is not None:
        check_verification(verification)


def report_of(request: SuiteRequest) -> Report:
    """Return the table or the verification."""
    if request.list:
        raise UsageError("--list cannot be recorded")
    request = with_data(request)
    return verified(request)[1] if request.data.verify else evaluated(request)


def with_data(request: SuiteRequest) -> SuiteRequest:
    """Return the request with the folder of the environment, which its record names."""
    folder = os.environ.get(DATA)
    if request.data.data is not None or not folder:
        return request
    return replace(request, data=replace(request.data, data=folder))


def suite_of(request: SuiteRequest) -> Suite:
    """Return the suite of all definitions, with the files of the request."""
    from geceval.suites.suite_files import read_suite

    files: dict[str, list[str]] = {}
    for text in request.data.set:
        place, equals, path = text.partition("=")
        if not (equals and path):
            raise UsageError(f"--set {text}: a set, a role and a file are required", hint="--set conll14.gold=gold.m2")
        files.setdefault(place, []).append(path)
    return read_suite(*request.suites).with_files(files)


def evaluated(request: SuiteRequest) -> Report:
    """Return the table of the suite."""
    from geceval.suites.suite_report import suite_report
    from geceval.suites.suite_run import evaluate_suite

    data, output = request.data, request.output
    with progress(quiet=output.quiet) as advance, collected(quiet=output.quiet) as found:
        results = evaluate_suite(
            suite_of(request),
            data.systems,
            data=data.data,
            sets=request.sets or None,
            metrics=request.metrics or None,
            judge=request.judges.settings(),
            gold_edits=request.gold_edits,
            beside=data.beside,
            **vars(request.statistics),
            threads=output.threads,
            progress=advance,
            checks=request.checks,
        )
        for own in results.sets:
            if own.comparison is not None:
                warn(*(f"{own.of.name}: {text}" for text in own.comparison.warnings))
    missing = [f"{own.of.name}: no output of {', '.join(own.missing)}" for own in results.sets if own.missing]
    note(*results.notes, *missing, quiet=output.quiet)
    warnings = {"warnings": [warning.to_dict() for warning in found]}
    return suite_report(results, warnings, whole=request.whole, parts=request.parts)


def verified(request: SuiteRequest) -> tuple[Verification, Report]:
    """Return the verification of the published numbers, and its table."""
    from geceval.suites.published_numbers import verified_suite
    from geceval.suites.suite_report import verification_report

    data, sets, output = request.data.data, request.sets or None, request.output
    suite = suite_of(request)
    with progress(quiet=output.quiet) as advance:
        verification = verified_suite(suite, data, sets, output.threads, advance)
    note(*verification.notes, quiet=output.quiet)
    return verification, verification_report(suite, verification.verdicts, {"data": data})


def check_verification(verification: Verification) -> None:
    """Raise BelowTheBarError if a number differs or a file cannot be used."""
    wrong = sum(verdict.outcome == "different" for verdict in verification.verdicts)
    absent = sum(verdict.outcome == "missing" for verdict in verification.verdicts)
    problems = [f"{wrong} differ"] * bool(wrong)
    problems += [f"{absent} not checked: files are missing"] * bool(absent)
    lines = [f"of {len(verification.verdicts)} published numbers {' and '.join(problems)}"] if problems else []
    if verification.faults:
        lines += ["files of the suite cannot be used:", *(f"  {fault}" for fault in verification.faults)]
    if lines:
        raise BelowTheBarError("\n".join(lines), hint=verification.remedy or None)


COMMAND = Command(SuiteRequest, run, report_of)
