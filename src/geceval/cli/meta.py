"""``geceval meta``: how well do metrics agree with people?"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geceval.base.arguments import RESAMPLES, SEEDS
from geceval.base.errors import InputError, UsageError
from geceval.cli.annotating import add_language_arguments, tell
from geceval.cli.common import (
    add_checks_argument,
    add_output_arguments,
    add_reference_arguments,
    asked_metrics,
    asked_missing,
    collected,
    name_and_file,
    natural,
    terminal_width,
    whole_number,
)
from geceval.cli.notes import warn_of
from geceval.cli.preparing import add_preparation_arguments, preparation
from geceval.cli.progress import progress
from geceval.cli.recording import add_record_argument, write_rendered
from geceval.counting.metric_names import METRICS

if TYPE_CHECKING:
    from geceval.studies.meta.judgments import Judgments
    from geceval.studies.meta.ratings import Ratings
    from geceval.studies.meta.study import StudyOptions, StudyResults
    from geceval.text.corpus import Corpus

EXAMPLES = """\
examples:
  geceval meta --judgments judgments.xml --systems outputs/ -s source.txt -r ref0.txt ref1.txt -m green
  geceval meta --judgments judgments.xml --systems outputs/ -s source.txt -r ref*.txt -m green green:unit=char,n=6
  geceval meta --judgments judgments.xml --systems outputs/ -s source.txt -r ref*.txt -m green --level sentence
  geceval meta --judgments judgments.xml --systems outputs/ -s source.txt -r ref*.txt -m green --plot figures/
  geceval meta --judgments judgments.xml --level human --human trueskill
  geceval meta --ratings fce-segment-scores.csv --systems fce/amu fce/nus -s fce/source -r fce/ref? -m green

docs/meta-evaluation.md says where each public data set is published and walks through an evaluation.
"""

LEVELS = {
    "system": "correlation of system scores with people's",
    "sentence": "accuracy on judged pairs of outputs",
    "segment": "correlation of sentence scores with people's ratings (--ratings)",
    "ranks": "accuracy on pairs of outputs by the two ranks people gave them",
    "window": "correlation among systems that people find close",
    "left-out": "correlation without each system in turn",
    "test": "is the difference of two metrics' correlations more than chance (Williams, PERM-BOTH)?",
    "scores": "the scores themselves, people's and the metrics'",
    "human": "people's ranking alone, with rank ranges and clusters; needs no metric",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    _add_data_arguments(parser)
    add_preparation_arguments(parser)
    add_language_arguments(parser)
    group = parser.add_argument_group("metrics")
    group.add_argument(
        *("-m", "--metrics"),
        nargs="+",
        action="extend",
        default=[],
        metavar="METRIC",
        help=f"one or more of {', '.join(METRICS.builtin)}; settings may follow: green:unit=char,beta=2",
    )
    group.add_argument(
        "--aggregation",
        choices=["corpus", "mean", "expected-wins", "trueskill"],
        default="corpus",
        help="how a system's score comes from its sentences: the metric's corpus score, the mean of the sentence"
        " scores, or the metric's verdicts on pairs of outputs, counted as people's are (default: corpus)",
    )
    _add_agreement_arguments(parser)
    add_output_arguments(parser)
    add_checks_argument(parser)
    add_record_argument(parser)
    parser.add_argument("--plot", metavar="DIR", help="write scatter plots and the window analysis, SVG and PNG")
    parser.set_defaults(digits=3)


def _add_data_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("data")
    said = group.add_mutually_exclusive_group(required=True)
    said.add_argument(
        "--judgments", metavar="FILE", help="people's rankings: Appraise XML (GJG15, SEEDA, NSPT15) or NSPT15's CSV"
    )
    said.add_argument(
        "--ratings", metavar="FILE", help="people's ratings: CSV, a column a system and a row a sentence (GMEG)"
    )
    group.add_argument(
        *("-c", "--systems"),
        nargs="+",
        default=[],
        metavar="DIR",
        help="folders with the systems' outputs, NAME.txt or NAME.m2 (or such files, or NAME=FILE); names as in the"
        " judgments",
    )
    add_reference_arguments(group)
    group.add_argument("--exclude", nargs="+", default=[], metavar="NAME", help="leave these systems out")
    group.add_argument("--only", nargs="+", metavar="NAME", help="keep these systems only")
    group.add_argument("--judged-only", action="store_true", help="score only the sentences that people judged")
    group.add_argument(
        "--numbering",
        choices=["auto", "0", "1", "judged"],
        default="auto",
        help="which line a sentence number of the judgments means: counted from 0 (GJG15, NSPT15), from 1 (SEEDA), or,"
        " where the files hold the judged sentences only, their order; auto tries them on the collapsed groups",
    )
    group.add_argument("--without-annotator", metavar="NAME", help="drop one annotator (NSPT15: non-native)")


def _add_agreement_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("agreement")
    levels = "; ".join(f"{name}: {text}" for name, text in LEVELS.items())
    group.add_argument("--level", choices=list(LEVELS), default="system", help=f"{levels} (default: system)")
    group.add_argument(
        "--human",
        choices=["expected-wins", "trueskill", "mean-rating"],
        help="how people's judgments rank systems (default: expected-wins; of ratings, mean-rating)",
    )
    group.add_argument(
        "--ties",
        choices=["half", "loss", "skipped", "seeda"],
        default="half",
        help="what a tie of the metric counts at sentence level (default: half a point)",
    )
    group.add_argument("--window", type=natural, default=4, metavar="W", help="systems in a window (default: 4)")
    group.add_argument(
        "--resamples",
        type=whole_number(RESAMPLES),
        default=1000,
        metavar="B",
        help="for the intervals; 0: none (default: 1000)",
    )
    group.add_argument(
        "--seed", type=whole_number(SEEDS), default=1, help="of TrueSkill's runs and all resampling (default: 1)"
    )


def run(args: argparse.Namespace) -> None:
    make = _ranking if args.level == "human" else _agreement
    write_rendered(args, make(args, _read_said(args)))


def _read_said(args: argparse.Namespace) -> Judgments | Ratings:
    from geceval.studies.meta.judgments import read_judgments
    from geceval.studies.meta.ratings import read_ratings

    if args.ratings is not None:
        for option in ("without_annotator", "numbering"):
            if getattr(args, option) not in (None, "auto"):
                raise UsageError(f"--{option.replace('_', '-')} is about --judgments, and ratings were given")
        return read_ratings(args.ratings)
    judgments = read_judgments(args.judgments)
    return judgments if args.without_annotator is None else judgments.without(args.without_annotator)


def _options(args: argparse.Namespace) -> StudyOptions:
    from geceval.studies.meta.study import StudyOptions

    return StudyOptions(
        measure=args.human,
        aggregation=args.aggregation,
        ties=args.ties,
        resamples=args.resamples,
        seed=args.seed,
        threads=args.threads,
        tests=args.level == "test",
    )


def _ranking(args: argparse.Namespace, said: Judgments | Ratings) -> Callable[[str], str]:
    from geceval.report.comparisons.meta_report import human_ranking_report
    from geceval.report.report import render
    from geceval.studies.meta.study import rank_by_people

    options = _options(args)
    with progress(options.resamples, quiet=args.quiet) as advance:
        ranking = rank_by_people(said, options, advance)
    report = human_ranking_report(ranking, _inputs(args, "judgments", "ratings"))
    return lambda output: render(report, output, args.digits, terminal_width(args))


def _agreement(args: argparse.Namespace, said: Judgments | Ratings) -> Callable[[str], str]:
    from geceval.report.comparisons.meta_report import meta_report
    from geceval.report.report import render

    with collected(quiet=args.quiet) as found:
        results = _evaluate(args, said)
    if args.plot is not None:
        from geceval.report.comparisons.meta_plots import write_plots

        for path in write_plots(results, args.plot, args.window):
            tell(args, f"written: {path}")
        systems = len(results.study.systems)
        if args.window > systems:
            tell(args, f"no window analysis: {systems} systems, and a window holds {args.window} (--window)")
    inputs = _inputs(args, "judgments", "ratings", "source", "references", "gold")
    inputs["warnings"] = [warning.to_dict() for warning in found]
    report = meta_report(results, args.level, args.window, inputs)
    return lambda output: render(report, output, args.digits, terminal_width(args))


def _inputs(args: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The files of a run, for JSON; of judgments and ratings those given."""
    either = ("judgments", "ratings")
    return {name: getattr(args, name) for name in names if name not in either or getattr(args, name) is not None}


def _evaluate(args: argparse.Namespace, said: Judgments | Ratings) -> StudyResults:
    from geceval.studies.meta.study import evaluate_metrics, make_study, study_work

    metrics = asked_metrics(args)
    missing = [option for option in ("metrics", "systems") if not getattr(args, option)]
    if missing:
        raise UsageError(f"--{missing[0]} is needed", hint="without metrics there is --level human")
    if args.level == "test" and len(metrics) < 2:
        raise UsageError("--level test compares metrics: name two or more", hint="-m green errant")
    study = make_study(
        said,
        _read_corpus(args, said),
        numbering=args.numbering,
        exclude=args.exclude,
        only=args.only,
        judged_only=args.judged_only,
    )
    for note in study.notes:
        tell(args, note)
    options = _options(args)
    if args.checks:
        warn_of(study.corpus, metrics)
    with progress(study_work(study, metrics, options), quiet=args.quiet) as advance:
        return evaluate_metrics(study, metrics, options, advance)


def _read_corpus(args: argparse.Namespace, said: Judgments | Ratings) -> Corpus:
    from geceval.text.reading import named_systems, read_corpus, read_lines

    cut = [pair for given in args.systems for pair in _outputs(given)]
    paths, own = [path for _, path in cut], [name for name, _ in cut]
    # By themselves: the same name twice is a mistake here, not two files to be told apart by their folders.
    names = [name or next(iter(named_systems([path]))) for path, name in zip(paths, own, strict=True)]
    systems = named_systems(paths, names)
    try:
        return read_corpus(
            args.source,
            args.references,
            systems,
            args.gold,
            missing=asked_missing(args),
            prepare=preparation(args),
            dialect=args.dialect,
        )
    except InputError as error:
        judged = len(said.source_ids)
        if error.path is not None or {len(read_lines(path)) for path in paths if path != "-"} != {judged}:
            raise
        only = f"the outputs are those of the {judged} judged sentences only, as in SEEDA's outputs/subset"
        hint = f"{only}: give the outputs of all sentences (outputs/all), or source and references of the judged ones"
        raise InputError(error.message, hint=hint) from None


def _outputs(given: str) -> list[tuple[str | None, str]]:
    """A file with its name, if it has one (``NAME=FILE``), or the outputs in a folder."""
    from geceval.text.files import read_errors
    from geceval.text.reading import has_ending
    from geceval.text.sequences import path_text

    name, path = name_and_file(given)
    folder = Path(path_text(path))
    with read_errors(path):
        if not folder.is_dir():
            return [(name, path)]
        if name is not None:
            raise UsageError(f"{path} is a folder: the name {name} is for a file")
        files = [str(path) for path in folder.iterdir() if path.is_file()]
        paths = sorted(path for path in files if has_ending(path, ".txt", ".m2"))
    if not paths:
        raise InputError("no outputs here: files named *.txt or *.m2", path=given)
    return [(None, path) for path in paths]
