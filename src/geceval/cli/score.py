"""``geceval score``: systems × metrics."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from geceval.base.errors import GecevalWarning, UsageError
from geceval.cli.annotating import asked_language, language_setting
from geceval.cli.common import (
    add_checks_argument,
    add_data_arguments,
    add_guard_argument,
    add_metric_argument,
    add_output_arguments,
    add_sort_argument,
    collected,
    given_files,
    terminal_width,
    write_output,
)
from geceval.cli.gate import GITHUB, add_gate_arguments, asked_gate, for_github, gate_metrics, judged
from geceval.cli.recording import add_record_argument, write_rendered
from geceval.cli.sentences import ALONE, add_streaming_arguments, check_streaming, is_streamed, lines_file
from geceval.counting.metric_names import make_metric, parse_specs, setting_types

if TYPE_CHECKING:
    from geceval.counting.counts import Level
    from geceval.counting.evaluation import Result
    from geceval.counting.groups.groupings import Grouping
    from geceval.counting.metric import Metric
    from geceval.counting.stream import Progress
    from geceval.text.corpus import TextSource

#: Options that set a metric's setting of the same name; those with several values make a column for each.
SETTINGS = ("n", "beta", "unit", "mode", "selection", "iterations", "seed", "annotator", "assumption", "valid")
#: Those of the metrics with an encoder.
ENCODER = ("model", "layer", "device", "batch", "cache")
#: Those of the metrics with a judge, which share --model, --seed, --device and --cache.
JUDGE = (
    "base_url",
    "prompt",
    "repeats",
    "temperature",
    "concurrency",
    "rate",
    "max_cost",
    "price_prompt",
    "price_answer",
)

#: What is asked of the stream for each level.
VIEWS: dict[str, list[Level]] = {"corpus": ["corpus"], "sentence": ["sentence", "mean"], "mean": ["mean"]}

#: What ``--by`` and ``--group`` call it.
LENGTH = "length"

EXAMPLES = """\
examples:
  geceval score -s source.txt -r ref0.txt ref1.txt -c sys1.txt sys2.txt -m green
  geceval score -s source.txt -r ref*.txt -c sys*.txt -m green --beta 0.5 1 2 --unit char -n 6
  geceval score --gold gold.m2 -c sys*.txt -m maxmatch --parts
  geceval score -s source.txt -r ref0.txt -c sys.txt.gz -m green:unit=char,beta=2 --format json -o scores.json
  geceval score --gold gold.m2 -c sys1.m2 sys2.txt -m errant,maxmatch --by type
  geceval score --gold gold.m2 -c sys1.m2 -m errant --by type --macro gold
  geceval score --gold gold.m2 -c sys1.m2 -m errant,maxmatch --valid accepted.m2
  geceval score -s source.txt -r ref*.txt -c sys.txt -m green,errant --group length
  geceval score -s source.txt -r ref*.txt -c sys.txt -m gleu --group levels.txt --parts
  geceval score --gold gold.m2 -c sys1.m2 sys2.m2 -m cleme,cleme2 --assumption independent
  geceval score -s source.txt -c sys1.txt sys2.txt -m scribendi:model=./gpt2 impara --device cpu
  geceval score -s source.txt -c sys1.txt sys2.txt -m llm --model NAME --base-url http://localhost:8000/v1
  geceval score --gold gold.m2 -c sys.txt -m errant --record run.json      # then: geceval reproduce run.json
  geceval score --gold gold.m2 -c sys.txt -m errant --fail-under errant=40 --baseline last.json --max-drop 0.5
  geceval score -i pairs.csv --source-column text --hypothesis-column A=t5 B=bart --reference-column ref1 ref2 -m green
  decode | geceval score -s source.txt -r ref0.txt -c - -m green --level sentence --format tsv
  geceval score -s source.txt -r ref0.txt -c sys.txt -m green --level sentence -f jsonl -o scores.jsonl --resume
  geceval score -s source.txt -r ref0.txt -c sys.txt -m green --level sentence --keep 'green >= 0.9' -o kept.tsv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add_data_arguments(parser)
    group = add_metric_argument(parser)
    group.add_argument("-n", type=int, metavar="N", help="largest n-gram order, 1 to 100 (default: the metric's, 4)")
    group.add_argument("-b", "--beta", nargs="+", type=float, help="weight of recall; a column for each value")
    group.add_argument("-t", "--unit", nargs="+", help="what a token is: word, char (code points), grapheme")
    group.add_argument("--mode", nargs="+", help="errant: what makes edits equal: cs, cse, ds or dt")
    group.add_argument("--assumption", nargs="+", help="cleme, cleme2: dependent (default) or independent")
    group.add_argument(
        "--valid",
        metavar="FILE",
        help="errant, maxmatch: an M2 file of edits that are right without a reference",
    )
    group.add_argument(
        "--selection", nargs="+", help="how references are chosen; GLEU: sampled (default), best, mean; see the docs"
    )
    group.add_argument("--iterations", type=int, metavar="N", help="draws of references, 1 to 100000 (default: 500)")
    group.add_argument("--seed", type=int, metavar="N", help="seed of the draws (default: those of the original GLEU)")
    group.add_argument(
        "--level",
        choices=["corpus", "sentence", "mean"],
        default="corpus",
        help="score the whole corpus, every sentence, or the mean of the sentences (default: corpus)",
    )
    group.add_argument(
        "--intervals",
        action="store_true",
        help="95 %% bootstrap intervals of corpus scores beside them (how, and tests: geceval compare)",
    )
    tables = parser.add_argument_group("tables", "instead of the scores of the whole corpus alone")
    add_grouping_arguments(tables)
    tables.add_argument(
        "--wide", action="store_true", help="with --by or --group: a column for each system, scores alone"
    )
    tables.add_argument(
        "--macro",
        choices=["any", "gold", "weighted"],
        help="with --by: the mean F of the kinds that have any edit or a gold edit, or by their number of gold edits",
    )
    encoder = parser.add_argument_group(
        "networks",
        "for ptm2, pterrant, uot-errant, cleme2:weights=similarity, scribendi, impara, impara-ged and some "
        "(geceval[neural]); all their settings: docs/metrics/",
    )
    encoder.add_argument("--model", help="a name known to transformers, or a folder (default: the metric's)")
    encoder.add_argument("--layer", type=int, metavar="N", help="the layer to use, from 1 (default: the usual one)")
    encoder.add_argument("--device", help="cpu, cuda, … (default: auto)")
    encoder.add_argument("--batch", type=int, metavar="N", help="texts computed at a time (default: 64)")
    encoder.add_argument(
        "--cache", metavar="FILE", help="keep scores, or a judge's answers, in this file for other runs"
    )
    add_judge_arguments(parser)
    add_gate_arguments(parser)
    add_streaming_arguments(parser)
    add_output_arguments(parser, GITHUB, *ALONE)
    parser.set_defaults(format=None)  # completed by check_streaming: --keep has another default
    add_sort_argument(parser, "given")
    add_checks_argument(parser)
    add_guard_argument(parser)
    parser.add_argument("--progress", action="store_true", help="where stderr is no terminal, a line every 30 seconds")
    add_record_argument(parser)
    parser.add_argument("-v", "--parts", action="store_true", help="add columns for precision, recall and the like")


def add_grouping_arguments(group: argparse._ArgumentGroup) -> None:
    """``--by`` and ``--group``."""
    group.add_argument(
        "--by",
        choices=["operation", "type", "full", "length"],
        help="metrics on edits: by type of edit (R, NOUN:NUM, or R:NOUN:NUM), or by its length in tokens",
    )
    group.add_argument(
        "--group",
        metavar="FILE",
        help="by groups of sentences: a file with a label a line, a column of -i, or the word length: by source length "
        "in tokens, 1-10, 11-20, 21-30, 31-40, 41+ (a file of that name: ./length)",
    )


def add_judge_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the judge is, and what it may cost."""
    judge = parser.add_argument_group(
        "judge",
        "for llm and dsgram: --model NAME of a server of OpenAI's protocol, or a folder (geceval[neural]); the key is "
        "GECEVAL_API_KEY in the environment",
    )
    judge.add_argument("--base-url", metavar="URL", help="the server (default: GECEVAL_BASE_URL in the environment)")
    judge.add_argument("--prompt", nargs="+", help="llm: what the judge sees, sentence (default) or edits")
    judge.add_argument("--temperature", type=float, metavar="T", help="of the judge's answers (default: 0)")
    judge.add_argument("--repeats", type=int, metavar="N", help="ask everything so often (default: 1)")
    judge.add_argument("--concurrency", type=int, metavar="N", help="requests at a time (default: 8)")
    judge.add_argument("--rate", type=float, metavar="N", help="requests a minute (default: no limit)")
    judge.add_argument("--price-prompt", type=float, metavar="P", help="what a million tokens sent cost")
    judge.add_argument("--price-answer", type=float, metavar="P", help="what a million tokens answered cost")
    judge.add_argument("--max-cost", type=float, metavar="C", help="stop before more than this is spent")
    judge.add_argument("--dry-run", action="store_true", help="count questions, tokens and costs; send nothing")


def run(args: argparse.Namespace) -> None:
    # No score needs them, and they wait at work while numpy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from geceval.cli.common import data_files
    from geceval.cli.progress import progress
    from geceval.counting.run import Run
    from geceval.counting.stream import wants_guard

    check_streaming(args)
    language = asked_language(args)
    metrics = make_metrics(args.metrics, {name: getattr(args, name) for name in SETTINGS + ENCODER + JUDGE}, language)
    compared = len(metrics)
    metrics += gate_metrics(args)
    gate = asked_gate(args, metrics, compared)
    grouping = asked_grouping(args)
    if args.intervals and (grouping is not None or args.level != "corpus"):
        hint = "intervals of groups: geceval compare --by or --group"
        raise UsageError("--intervals is for the scores of the whole corpus", hint=hint)
    if args.macro is not None and args.by is None:
        raise UsageError("--macro is the mean over kinds of edits, which --by names")
    if args.record is not None and args.level == "sentence":
        raise UsageError("--record keeps scores of whole corpora: not with --level sentence")
    if args.wide and grouping is None:
        raise UsageError("--wide is for --by and --group")
    corpus = data_files(args, labels=None if args.group == LENGTH else args.group)
    guard = wants_guard(metrics) and not args.no_guard
    if args.dry_run:
        write_output(args, dry_run(corpus, metrics, guard, args.format))
        return
    if is_streamed(args):
        from geceval.cli.streaming import stream_scores

        with collected(quiet=args.quiet) as found:
            warn_of_lonely_pools(corpus, metrics)
            stream_scores(args, corpus, metrics, guard, found)
        if wants_guard(metrics) and not args.quiet:
            tell_costs(metrics)
        return
    counting = Run(corpus, metrics, guard)
    total, passes = counting.work, 1 + args.intervals
    pace: dict[str, Any] = {
        "each": passes * counting.work_of_a_sentence(),
        "lines": args.progress,
        "longest": lines_file(args),
    }
    with (
        progress(None if total is None else passes * total, quiet=args.quiet, **pace) as advance,
        collected(quiet=args.quiet) as found,
    ):
        warn_of_lonely_pools(corpus, metrics)
        if grouping is None:
            results = scores(args, corpus, metrics, guard, advance)
            checks = [] if gate is None else gate.checks(results, args.level)
            make = scores_in(args, corpus, metrics, results, guard, advance, found)
        else:
            make = groups_in(args, corpus, metrics, grouping, guard, advance, found)
    write_rendered(args, lambda output: for_github(args, checks) if output == GITHUB else make(output))
    if wants_guard(metrics) and not args.quiet:
        tell_costs(metrics)
    if gate is not None:
        judged(args, checks)


def warn_of_lonely_pools(corpus: TextSource, metrics: Sequence[Metric[Any]]) -> None:
    """A metric that looks at all systems of a run together sees little in one."""
    if len(corpus.system_names) > 1:
        return
    for metric in metrics:
        if metric.pooled:
            message = f"{metric.name} looks at all systems of a run together, and here is one"
            warnings.warn(message, GecevalWarning, stacklevel=1)


def scores(
    args: argparse.Namespace, corpus: TextSource, metrics: Sequence[Metric[Any]], guard: bool, advance: Progress
) -> dict[str, list[Result]]:
    """The scores of whole corpora or of sentences."""
    from geceval.counting.evaluation import evaluate
    from geceval.report.scores.score_report import sorted_results

    details = args.level == "sentence" and (args.parts or args.format == "json")
    how: dict[str, Any] = {"views": VIEWS[args.level], "details": details, "guard": guard, "checks": args.checks}
    results = evaluate(corpus, metrics, **how, threads=args.threads, progress=advance)
    return sorted_results(results, args.sort, args.level)


def scores_in(
    args: argparse.Namespace,
    corpus: TextSource,
    metrics: Sequence[Metric[Any]],
    results: dict[str, list[Result]],
    guard: bool,
    advance: Progress,
    found: Sequence[GecevalWarning],
) -> Callable[[str], str]:
    """The scores as they were asked for, in a format."""
    from geceval.report.report import render
    from geceval.report.scores.score_report import score_report
    from geceval.text.source_row import WithSource

    intervals = None
    if args.intervals:
        from geceval.studies.comparison.compare import compare

        asked = WithSource(corpus) if guard else corpus
        intervals = compare(asked, metrics, pairs="none", threads=args.threads, progress=advance, checks=False)
    report = score_report(results, args.level, given_files(args, found), parts=args.parts, intervals=intervals)
    return lambda output: render(report, output, args.digits, terminal_width(args))


def groups_in(
    args: argparse.Namespace,
    corpus: TextSource,
    metrics: Sequence[Metric[Any]],
    grouping: Grouping,
    guard: bool,
    advance: Progress,
    found: Sequence[GecevalWarning],
) -> Callable[[str], str]:
    """The scores by kinds of edits or by groups of sentences."""
    from geceval.counting.groups.breakdown import evaluate_groups
    from geceval.report.report import render
    from geceval.report.scores.group_report import group_report, kind_report
    from geceval.report.scores.score_report import sorted_results

    how: dict[str, Any] = {"guard": guard, "threads": args.threads, "progress": advance, "checks": args.checks}
    groups = evaluate_groups(corpus, metrics, grouping, **how)
    groups = sorted_results(groups, args.sort, "corpus")
    inputs, wide = given_files(args, found), group_head(args) if args.wide else None
    if args.by is not None:
        report = kind_report(groups, args.by, inputs, args.macro, wide=wide)
    else:
        report = group_report(groups, args.group, inputs, parts=args.parts, wide=wide)
    return lambda output: render(report, output, args.digits, terminal_width(args))


def tell_costs(metrics: Sequence[Metric[Any]]) -> None:
    """What was spent on judges, where prices are known."""
    for line in dict.fromkeys(filter(None, (metric.spending() for metric in metrics))):
        print(line, file=sys.stderr)


def dry_run(corpus: TextSource, metrics: Sequence[Metric[Any]], guard: bool, output: str) -> str:
    """What the judged metrics would ask, as a table or JSON."""
    from geceval.counting.metric_labels import labels
    from geceval.report.report import render
    from geceval.report.scores.dry_run_report import dry_run_report
    from geceval.text.source_row import WithSource

    judged = [metric for metric in metrics if metric.asks_judge]
    if not judged:
        raise UsageError("--dry-run counts what a judge would be asked, and none of the metrics has one")
    asked = WithSource(corpus) if guard else corpus
    plans = [plan for metric in judged if (plan := metric.request_plan(asked)) is not None]
    return render(dry_run_report(labels(judged), plans), output)


def group_head(args: argparse.Namespace) -> str:
    """What a group is called in a table."""
    if args.by is None:
        return LENGTH if args.group == LENGTH else "group"
    return "type" if args.by == "full" else str(args.by)


def asked_grouping(args: argparse.Namespace) -> Grouping | None:
    """By what ``--by`` or ``--group`` group, if one of them is given."""
    if args.by is None and args.group is None:
        return None
    from geceval.counting.groups.groupings import ByLength, BySentence, ByType, length_bands

    option = "--by" if args.by is not None else "--group"
    if args.by is not None and args.group is not None:
        raise UsageError("--by and --group exclude each other: there is no table by kinds of edits within groups")
    if args.level != "corpus":
        raise UsageError(f"{option} is for corpus scores, not for --level {args.level}")
    if args.by is not None:
        return ByLength() if args.by == LENGTH else ByType(args.by)
    return BySentence(length_bands) if args.group == LENGTH else BySentence()


def make_metrics(specs: Sequence[str], options: dict[str, object], language: str | None = None) -> list[Metric[Any]]:
    """The metrics of ``-m``, each with the options it has; a setting in the specification goes before an option.

    ``language``: what finds edits for those metrics that do and were not told another annotator.
    """
    given = {name: value for name, value in options.items() if value is not None}
    unused = set(given)
    metrics = []
    for name, settings in parse_specs(specs):
        usable = [option for option in given if option in setting_types(name)]
        unused -= set(usable)
        values = [_as_list(given[option]) for option in usable if option not in settings]
        names = [option for option in usable if option not in settings]
        for combination in product(*values):
            asked = dict(zip(names, combination, strict=True)) | settings
            metrics.append(make_metric(name, **language_setting(name, language) | asked))
    if unused:
        option = f"--{unused.pop()}"
        raise UsageError(f"none of the metrics has the setting {option}")
    return metrics


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]
