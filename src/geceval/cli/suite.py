"""``geceval suite``: a whole paper's table out of one definition."""

from __future__ import annotations

import argparse
import os
import warnings

from geceval.base.arguments import KERNEL_SEEDS, RESAMPLES, SAMPLES
from geceval.base.errors import BelowTheBarError, GecevalWarning, UsageError
from geceval.cli.annotating import tell
from geceval.cli.common import (
    add_checks_argument,
    add_output_arguments,
    collected,
    fraction,
    terminal_width,
    whole_number,
    write_output,
)
from geceval.cli.progress import progress
from geceval.cli.recording import add_record_argument, also_recorded, write_rendered

#: The folder of known files, where no other is named.
DATA = "GECEVAL_DATA"

EXAMPLES = """\
examples:
  geceval suite bench.toml -c outputs/
  geceval suite bench.toml -c outputs/ --whole -f latex -o table.tex
  geceval suite --list
  geceval suite conll14 --data ~/corpora --verify
  geceval suite conll14 --data ~/corpora -c outputs/ --beside
  geceval suite seeda --data ~/corpora -m cleme green:beta=1 -f json -o agreement.json --record run.json

docs/suites.md says what stands in a definition. Outputs are outputs/SYSTEM/SET.txt.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument(
        "suite", nargs="?", metavar="SUITE", help="a TOML file, or the name of a definition that comes with geceval"
    )
    parser.add_argument("--list", action="store_true", help="list the definitions that come with geceval")
    group = parser.add_argument_group("data")
    group.add_argument(
        *("-c", "--systems"),
        metavar="DIR",
        help="the systems' outputs: a folder for each, with a file for each test set, SET.txt or SET.m2",
    )
    group.add_argument("--beside", action="store_true", help="with -c: the systems of the definition, too")
    group.add_argument(
        "--data",
        metavar="DIR",
        help="where the files are that the definition knows by checksum, under whatever names (default: $GECEVAL_DATA)",
    )
    group.add_argument(
        "--verify", action="store_true", help="do these data give the published numbers? exit status 1 if not"
    )
    parser.add_argument("--sets", nargs="+", metavar="SET", help="these sets of the definition alone")
    parser.add_argument(
        *("-m", "--metrics"), nargs="+", metavar="METRIC", help="in place of the definition's; the first one decides"
    )
    group = parser.add_argument_group("statistics")
    group.add_argument(
        "--samples", type=whole_number(SAMPLES), metavar="N", help="replicates of each kind (default: 10000, or more)"
    )
    group.add_argument(
        "--resamples",
        type=whole_number(RESAMPLES),
        default=1000,
        metavar="B",
        help="for the intervals of agreement with people; 0: none (default: 1000)",
    )
    group.add_argument(
        "--seed", type=whole_number(KERNEL_SEEDS), default=0, metavar="N", help="of the replicates (default: 0)"
    )
    group.add_argument(
        "--alpha", type=fraction, default=0.05, metavar="A", help="level of the tests and intervals (default: 0.05)"
    )
    add_output_arguments(parser)
    parser.add_argument("--whole", action="store_true", help="a column for every metric, not the primary ones alone")
    add_checks_argument(parser)
    add_record_argument(parser)


def run(args: argparse.Namespace) -> None:
    if args.list or args.suite is None:
        if not args.list:
            raise UsageError("name a suite: a TOML file, or one that comes with geceval", hint="geceval suite --list")
        _refuse(args, "--list", "suite", "systems", "data", "sets", "metrics", "samples", "verify", "beside", "whole")
        write_output(args, _listed(args))
        return
    if args.systems == "":
        raise UsageError("-c takes a folder; . is this one")
    if args.data is None and os.environ.get(DATA):
        args.data = os.environ[DATA]
        also_recorded(args, "--data", args.data)  # a record does not depend on the environment
    _verify(args) if args.verify else _evaluate(args)


def _refuse(args: argparse.Namespace, option: str, *names: str) -> None:
    """Raise UsageError for what would do nothing beside an option."""
    given = ["SUITE" if name == "suite" else f"--{name}" for name in names if getattr(args, name) not in (None, False)]
    if given:
        raise UsageError(f"{', '.join(given)} would do nothing with {option}")


def _listed(args: argparse.Namespace) -> str:
    from geceval.report.comparisons.suite_report import bundled_report
    from geceval.report.report import render
    from geceval.studies.suites.suite_files import bundled, read_suite

    report = bundled_report({name: read_suite(name) for name in bundled()})
    return render(report, args.format, width=terminal_width(args))


def _evaluate(args: argparse.Namespace) -> None:
    from geceval.report.comparisons.suite_report import suite_report
    from geceval.report.report import render
    from geceval.studies.suites.suite_run import evaluate_suite

    if args.beside and args.systems is None:
        raise UsageError("--beside adds the systems of the definition to those of -c")
    names = ("data", "sets", "metrics", "beside", "samples", "resamples", "seed", "alpha", "threads")
    how = {name: getattr(args, name) for name in names}
    with progress(None, quiet=args.quiet) as advance, collected(quiet=args.quiet) as told:
        results = evaluate_suite(args.suite, args.systems, progress=advance, checks=args.checks, **how)
        for own in results.sets:
            for text in () if own.comparison is None else own.comparison.warnings:
                warnings.warn(f"{own.of.name}: {text}", GecevalWarning, stacklevel=1)
    for note in results.notes:
        tell(args, note)
    for own in results.sets:
        if own.missing:
            tell(args, f"{own.of.name}: no output of {', '.join(own.missing)}")
    report = suite_report(results, {"warnings": [warning.to_dict() for warning in told]}, whole=args.whole)
    write_rendered(args, lambda output: render(report, output, args.digits, terminal_width(args)))


def _verify(args: argparse.Namespace) -> None:
    from geceval.report.comparisons.suite_report import verification_report
    from geceval.report.report import render
    from geceval.studies.suites.published_numbers import verify_suite
    from geceval.studies.suites.suite_files import read_suite

    if args.systems is not None or args.metrics is not None:
        raise UsageError("--verify is about the systems and metrics of the definition: not with -c or -m")
    _refuse(args, "--verify", "samples", "beside", "whole")
    suite = read_suite(args.suite)
    with progress(None, quiet=args.quiet) as advance:
        how = {"data": args.data, "sets": args.sets, "threads": args.threads}
        verdicts, notes = verify_suite(suite, progress=advance, **how)
    for note in notes:
        tell(args, note)
    report = verification_report(suite, verdicts, {"data": args.data})
    write_rendered(args, lambda output: render(report, output, width=terminal_width(args)))
    for missing in dict.fromkeys(one.missing for one in verdicts if one.missing):
        tell(args, f"missing: {missing}")
    wrong = sum(one.outcome == "different" for one in verdicts)
    absent = sum(one.outcome == "missing" for one in verdicts)
    if wrong or absent:
        said = [f"{wrong} differ"] * bool(wrong) + [f"{absent} could not be checked, since files are missing"] * bool(
            absent
        )
        raise BelowTheBarError(f"of {len(verdicts)} published numbers {' and '.join(said)}")
