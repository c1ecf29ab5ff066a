"""``geceval meta``: how well do metrics agree with people?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from geceval.cli.common import (
    add_checks_argument,
    add_output_arguments,
    add_reference_arguments,
    asked_missing,
    collected,
    natural,
    progress,
    warn_of,
    write_output,
)
from geceval.errors import InputError, UsageError
from geceval.metrics import METRICS, make_metric, parse_specs

if TYPE_CHECKING:
    from geceval.metaeval.judgments import Judgments
    from geceval.metaeval.study import Options, Results
    from geceval.text.corpus import Corpus

EXAMPLES = """\
examples:
  geceval meta --judgments judgments.xml --systems outputs/ -s source.txt -r ref0.txt ref1.txt -m green
  green:unit=char,n=6 geceval meta --judgments judgments.xml --systems outputs/ -s source.txt -r ref*.txt -m green
  --level sentence geceval meta --judgments judgments.xml --systems outputs/ -s source.txt -r ref*.txt -m green --plot
  figures/ geceval meta --judgments judgments.xml --level human --human trueskill

docs/meta-evaluation.md says where each public data set is published and walks through an evaluation.
"""

LEVELS = {
    "system": "correlation of system scores with people's",
    "sentence": "accuracy on judged pairs of outputs",
    "window": "correlation among systems that people find close",
    "left-out": "correlation without each system in turn",
    "test": "is the difference of two metrics' correlations more than chance (Williams, PERM-BOTH)?",
    "scores": "the scores themselves, people's and the metrics'",
    "human": "people's ranking alone, with rank ranges and clusters; needs no metric",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    _add_data_arguments(parser)
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
    parser.add_argument("--plot", metavar="DIR", help="write scatter plots and the window analysis, SVG and PNG")
    parser.set_defaults(digits=3)


def _add_data_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("data")
    group.add_argument(
        "--judgments",
        required=True,
        metavar="FILE",
        help="people's rankings: Appraise XML (GJG15, SEEDA, NSPT15) or NSPT15's CSV",
    )
    group.add_argument(
        *("-c", "--systems"),
        nargs="+",
        default=[],
        metavar="DIR",
        help="folders with the systems' outputs, NAME.txt or NAME.m2 (or such files); names as in the judgments",
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
        choices=["expected-wins", "trueskill"],
        default="expected-wins",
        help="how people's judgments rank systems (default: expected-wins)",
    )
    group.add_argument(
        "--ties",
        choices=["half", "loss", "skipped", "seeda"],
        default="half",
        help="what a tie of the metric counts at sentence level (default: half a point)",
    )
    group.add_argument("--window", type=natural, default=4, metavar="W", help="systems in a window (default: 4)")
    group.add_argument(
        "--resamples", type=natural, default=1000, metavar="B", help="for the intervals; 0: none (default: 1000)"
    )
    group.add_argument("--seed", type=natural, default=1, help="of TrueSkill's runs and all resampling (default: 1)")


def run(args: argparse.Namespace) -> None:
    from geceval.metaeval.judgments import read_judgments

    judgments = read_judgments(args.judgments)
    if args.without_annotator is not None:
        judgments = judgments.without(args.without_annotator)
    make = _ranking if args.level == "human" else _agreement
    write_output(args, make(args, judgments))


def _options(args: argparse.Namespace) -> Options:
    from geceval.metaeval.study import Options

    return Options(
        measure=args.human,
        aggregation=args.aggregation,
        ties=args.ties,
        resamples=args.resamples,
        seed=args.seed,
        threads=args.threads,
        tests=args.level == "test",
    )


def _ranking(args: argparse.Namespace, judgments: Judgments) -> str:
    from geceval.metaeval.study import rank_by_people
    from geceval.report.meta import render_ranking

    ranking = rank_by_people(judgments, _options(args))
    return render_ranking(ranking, args.format, args.digits, {"judgments": args.judgments})


def _agreement(args: argparse.Namespace, judgments: Judgments) -> str:
    from geceval.report.meta import render

    with collected(quiet=args.quiet) as found:
        results = _evaluate(args, judgments)
    if args.plot is not None:
        from geceval.report.plots import write_plots

        for path in write_plots(results, args.plot, args.window):
            _note(args, f"written: {path}")
    inputs = {name: getattr(args, name) for name in ("judgments", "source", "references", "gold")}
    inputs["warnings"] = [warning.to_dict() for warning in found]
    return render(results, args.level, args.format, args.digits, args.window, inputs)


def _evaluate(args: argparse.Namespace, judgments: Judgments) -> Results:
    from geceval.counting.stream import work
    from geceval.metaeval.study import evaluate_metrics, make_study

    metrics = [make_metric(name, **settings) for name, settings in parse_specs(args.metrics)]
    missing = [option for option in ("metrics", "systems") if not getattr(args, option)]
    if missing:
        raise UsageError(f"--{missing[0]} is needed", hint="without metrics there is --level human")
    study = make_study(
        judgments,
        _read_corpus(args),
        numbering=args.numbering,
        exclude=args.exclude,
        only=args.only,
        judged_only=args.judged_only,
    )
    for note in study.notes:
        _note(args, note)
    if args.checks:
        warn_of(study.corpus, metrics)
    with progress(work(study.corpus, metrics), quiet=args.quiet) as advance:
        return evaluate_metrics(study, metrics, _options(args), advance)


def _note(args: argparse.Namespace, text: str) -> None:
    if not args.quiet:
        print(f"note: {text}", file=sys.stderr)


def _read_corpus(args: argparse.Namespace) -> Corpus:
    from geceval.text.reading import read_corpus, system_names

    paths = [path for given in args.systems for path in _outputs(given)]
    names = [system_names([path])[0] for path in paths]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"the system {name} is given twice")
    return read_corpus(args.source, args.references, paths, args.gold, missing=asked_missing(args))


def _outputs(given: str) -> list[str]:
    """A file itself, or the outputs in a folder."""
    from geceval.text.reading import COMPRESSED

    endings = tuple(f"{ending}{packed}" for ending in (".txt", ".m2") for packed in ("", *COMPRESSED))
    folder = Path(given)
    if not folder.is_dir():
        return [given]
    paths = sorted(str(path) for path in folder.iterdir() if path.is_file() and path.name.endswith(endings))
    if not paths:
        raise InputError("no outputs here: files named *.txt or *.m2", path=given)
    return paths
