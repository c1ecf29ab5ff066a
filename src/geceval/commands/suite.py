"""``geceval suite``: score the test sets of a benchmark in one table."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Annotated

from cyclopts import Parameter

from geceval.base.errors import CheckFailedError, InputError, UsageError
from geceval.commands.shared.corpus_options import BlankOption
from geceval.commands.shared.option_groups import DATA, GOLD, METRICS, OTHER, OUTPUT, STATISTICS
from geceval.commands.shared.option_values import changed, flag
from geceval.commands.shared.options import Checks, Judge, OutputOptions, Parts, Record, settings_of_judge, written_as
from geceval.commands.shared.output_formats import write_report
from geceval.commands.shared.run_progress import watching
from geceval.commands.shared.run_records import check_record, write_recorded
from geceval.commands.shared.run_warnings import warn_each
from geceval.commands.shared.statistics_options import Alpha, Seed, check_resampling
from geceval.reporting.board_page import render_board
from geceval.scoring.score_report import GIVEN
from geceval.suites.published_numbers import Verification, verified_suite
from geceval.suites.suite_definition import Suite
from geceval.suites.suite_files import bundled, read_suite
from geceval.suites.suite_report import board_document, bundled_report, check_sort, sorted_results, suite_report
from geceval.suites.suite_results import SuiteResults
from geceval.suites.suite_run import evaluate_suite
from geceval.suites.verification_report import verification_report
from geceval.tables.report import FORMATS, Report
from geceval.terminal.messages import note
from geceval.terminal.progress import progress
from geceval.text.files import record_opened_files
from geceval.text.m2.edit import GoldEdits

#: The environment variable with the default folder of the corpora.
CORPORA = "GECEVAL_DATA"
#: Default number of replicates of the intervals of agreement.
JUDGED_SAMPLES = 1000
#: Formats of a board, which has a date.
BOARDS = ("markdown", "html")
#: Options that only a table of scores has.
SHOWN = ("baseline", "beside", "whole", "parts", "latex_intervals", "methods", "sort")

Suites = Annotated[tuple[str, ...], Parameter(name="SUITE", help="TOML files or names of built-in suites")]


@Parameter(name="*", group=DATA)
@dataclass(frozen=True, kw_only=True)
class SuiteDataOptions:
    """Outputs of the systems and files of the definition."""

    systems: Annotated[str | None, Parameter(alias=("-c", "--hyp"), metavar="DIR")] = None
    """folder of outputs: one folder per system, one file per test set, SET.txt or SET.m2"""
    beside: bool = False
    """with -c: also score the systems of the definition"""
    data: Annotated[str | None, Parameter(metavar="DIR")] = None
    """folder of the corpora, which are found by checksum (default: $GECEVAL_DATA)"""
    sets: Annotated[tuple[str, ...], Parameter(metavar="SET")] = ()
    """score these test sets only"""
    blank: BlankOption = None
    set: Annotated[tuple[str, ...], Parameter(metavar="SET.ROLE=FILE", consume_multiple=False)] = ()
    """read source, references, gold, blocks or judgments of a set from another file: conll14.gold=gold.m2"""
    allow_outside: Annotated[bool, Parameter(group=OTHER)] = False
    """also read files that a suite or record names outside its folder"""
    verify: bool = False
    """check that the data give the published numbers; exit status 1 if not"""
    list: bool = False
    """list the built-in suites"""


@Parameter(name="*", group=METRICS)
@dataclass(frozen=True, kw_only=True)
class SuiteMetricOptions:
    """Metrics, and how edits are found."""

    metrics: Annotated[tuple[str, ...], Parameter(alias="-m", metavar="METRIC")] = ()
    """metrics to score instead of the definition's; the first one ranks"""
    judge: Judge = ()
    gold_edits: Annotated[GoldEdits | None, Parameter(group=GOLD)] = None
    """edits of --gold for metrics on edits: as given, or extracted by the annotator from the gold's corrected texts, as
    for systems given as text (default: of each test set)"""


@Parameter(name="*", group=STATISTICS)
@dataclass(frozen=True, kw_only=True)
class SuiteStatisticsOptions:
    """Options of tests and intervals."""

    baseline: Annotated[str | None, Parameter(metavar="NAME")] = None
    """compare all systems with this system (default: all pairs, and ranks)"""
    samples: int | None = None
    """number of replicates (default: 10000 for tests, or more if their correction requires it; 1000 for intervals of
    agreement on judged sets)"""
    seed: Seed = 0
    alpha: Alpha = 0.05

    def __post_init__(self) -> None:
        check_resampling(self)


@written_as(*FORMATS, "html")
class SuiteOutputOptions(OutputOptions):
    """Format, also a page, file, digits, threads, quiet, and the order of the systems."""

    sort: Annotated[str, Parameter(metavar="BY")] = GIVEN
    """order of the systems: rank (mean rank), name, given, average, or a set (best first)"""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SuiteRequest:
    """The parts of the definitions to score."""

    data: SuiteDataOptions = SuiteDataOptions()
    metric: SuiteMetricOptions = SuiteMetricOptions()
    statistics: SuiteStatisticsOptions = SuiteStatisticsOptions()
    output: SuiteOutputOptions = SuiteOutputOptions()
    parts: Parts = False
    latex_intervals: Annotated[bool, Parameter(group=OUTPUT, help="also print intervals in LaTeX")] = False
    methods: Annotated[
        bool, Parameter(group=OUTPUT, help="add sentences on the methods for a paper, and BibTeX entries")
    ] = False
    whole: Annotated[
        bool, Parameter(group=OUTPUT, help="show a column for every metric, not only the primary ones")
    ] = False
    record: Record = None
    checks: Checks = True

    def __post_init__(self) -> None:
        check_record(self.record, self.output.target)
        if self.data.list:
            names = ("systems", "data", "set", "sets", "metrics", "judge", "gold_edits", "blank", "samples")
            self._refuse("--list", *names, "verify", *SHOWN)
            if self.record is not None:
                raise UsageError("--record and --list exclude each other")
        if self.data.systems == "":
            raise UsageError("-c: the name of the folder is empty", hint="-c . is the current folder")
        if self.data.verify:
            if self.data.systems is not None or self.metric.metrics:
                raise UsageError("--verify scores the systems and metrics of the definition and excludes -c and -m")
            self._refuse("--verify", "gold_edits", "blank", "samples", *SHOWN)
        if self.data.beside and self.data.systems is None:
            raise UsageError("--beside requires -c")

    def _refuse(self, option: str, *names: str) -> None:
        """Raise UsageError for options that have no effect with ``option``."""
        useless = [flag(name) for name in names if name in changed(self)]
        if useless:
            raise UsageError(f"{option} excludes {', '.join(useless)}")


def suite(suites: Suites = (), /, *, request: SuiteRequest = SuiteRequest()) -> None:
    """Write the table of the suite.

    Raises:
        CheckFailedError: A published number is not reproduced.

    Examples:
      geceval suite bench.toml -c outputs/ --sort rank -o board.html
      geceval suite conll14 bea19-dev jfleg --data ~/corpora -c outputs/ --parts -o table.tex
      geceval suite bench.toml -c outputs/ --baseline OLD --latex-intervals --methods
      geceval suite seeda --data ~/corpora -m cleme green:beta=1 --record run.json

    The output of a system on a test set is the file outputs/SYSTEM/SET.txt or
    SET.m2; of one of several runs outputs/SYSTEM/RUN/SET.txt.

    documentation: docs/suites.md
    """
    output = request.output
    if request.data.list and suites:
        raise UsageError(f"--list excludes {suites[0]}")
    if request.data.list:
        report = bundled_report({name: read_suite(name) for name in bundled()})
        write_report(report, output)
        return
    if not suites:
        hint = "geceval suite --list"
        raise UsageError("a suite is required: a TOML file or the name of a built-in suite", hint=hint)
    request = with_data(request)
    with record_opened_files() as inputs:
        results, report = (verified if request.data.verify else evaluated)(suites, request)
    write_recorded("suite", request, report, inputs, words=suites)
    check_results(results)


def report_of(suites: Suites, request: SuiteRequest) -> Report:
    """Return the table or the verification."""
    request = with_data(request)
    return (verified if request.data.verify else evaluated)(suites, request)[1]


def with_data(request: SuiteRequest) -> SuiteRequest:
    """Return the request with the folder of the environment, which its record names."""
    folder = os.environ.get(CORPORA)
    if request.data.data is not None or not folder:
        return request
    return replace(request, data=replace(request.data, data=folder))


def suite_of(suites: Suites, request: SuiteRequest) -> Suite:
    """Return the suite of all definitions, with the files of the request."""
    files: dict[str, list[str]] = {}
    for text in request.data.set:
        set_and_role, equals, path = text.partition("=")
        if not (equals and path):
            raise UsageError(f"--set must be SET.ROLE=FILE, not {text}", hint="--set conll14.gold=gold.m2")
        files.setdefault(set_and_role, []).append(path)
    return read_suite(*suites, allow_outside=request.data.allow_outside).with_files(files)


def evaluated(suites: Suites, request: SuiteRequest) -> tuple[SuiteResults, Report]:
    """Return the scores of the suite, and their table."""
    data, output, samples = request.data, request.output, request.statistics.samples
    definition = suite_of(suites, request)
    check_sort(definition if not data.sets else definition.only(data.sets), output.sort)
    with watching() as (advance, warnings):
        results = evaluate_suite(
            definition,
            data.systems,
            data=data.data,
            sets=data.sets or None,
            metrics=request.metric.metrics or None,
            judge=settings_of_judge(request.metric.judge),
            gold_edits=request.metric.gold_edits,
            blank=data.blank,
            beside=data.beside,
            **vars(request.statistics),
            resamples=JUDGED_SAMPLES if samples is None else samples,
            threads=output.threads,
            progress=advance,
            checks=request.checks,
        )
        missing, baseline = [], request.statistics.baseline
        for scored in results.sets:
            if scored.comparison is not None:
                warn_each(f"{scored.of.name}: {text}" for text in scored.comparison.warnings)
            without = [name for name in scored.missing if name not in {row.system for row in scored.rejected}]
            if without:
                untested = f"; not compared with {baseline}" if baseline in without else ""
                missing.append(f"{scored.of.name}: no output of {', '.join(without)}{untested}")
    note(*results.notes, *missing)
    document = {"warnings": [warning.to_dict() for warning in warnings]}
    view = {name: getattr(request, name) for name in ("whole", "parts", "methods")}
    results = sorted_results(results, output.sort)
    is_board = output.written_format in BOARDS
    report = suite_report(
        results, document, intervals=request.latex_intervals, date=today() if is_board else "", **view
    )
    page = partial(render_board, report, results.suite.title, board_document(results))
    return results, replace(report, page=page)


def today() -> str:
    """Return the date of a board: of today (UTC), or of the environment variable SOURCE_DATE_EPOCH."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    return str((datetime.fromtimestamp(int(seconds), UTC) if seconds.isdecimal() else datetime.now(UTC)).date())


def verified(suites: Suites, request: SuiteRequest) -> tuple[Verification, Report]:
    """Return the verification of the published numbers, and its table."""
    data, sets, output = request.data.data, request.data.sets or None, request.output
    suite = suite_of(suites, request)
    with progress() as advance:
        verification = verified_suite(suite, data, sets, output.threads, advance)
    note(*verification.notes)
    return verification, verification_report(suite, verification.verdicts, {"data": data})


def check_results(results: SuiteResults | Verification) -> None:
    """Check that all outputs were scored, and all published numbers reproduced.

    Raises:
        InputError: Outputs were rejected.
        CheckFailedError: A number differs or a file cannot be used.
    """
    if isinstance(results, Verification):
        check_verification(results)
        return
    rejected = [f"{scored.of.name}, {row.system}: {row.reason}" for scored in results.sets for row in scored.rejected]
    if rejected:
        message = f"outputs that were not scored: {len(rejected)}\n  "
        raise InputError(message + "\n  ".join(text.replace("\n", "\n    ") for text in rejected))


def check_verification(verification: Verification) -> None:
    """Raise CheckFailedError if a number differs or a file cannot be used."""
    wrong = sum(verdict.outcome == "different" for verdict in verification.verdicts)
    absent = sum(verdict.outcome == "missing" for verdict in verification.verdicts)
    problems = [f"{wrong} differ"] * bool(wrong)
    problems += [f"{absent} not checked: files are missing"] * bool(absent)
    lines = [f"of {len(verification.verdicts)} published numbers {' and '.join(problems)}"] if problems else []
    if verification.faults:
        lines += ["files of the suite cannot be used:", *(f"  {fault}" for fault in verification.faults)]
    if lines:
        raise CheckFailedError("\n".join(lines), hint=verification.remedy or None)
