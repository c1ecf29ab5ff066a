"""``geceval score``: systems × metrics."""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from geceval.cli.common import add_data_arguments, add_output_arguments, write_output
from geceval.errors import GecevalWarning, UsageError
from geceval.metrics import METRICS, make_metric, parse_specs, setting_types

if TYPE_CHECKING:
    from geceval.counting.breakdown import Grouping
    from geceval.counting.counts import Level
    from geceval.counting.metric import Metric

#: Options that set a metric's setting of the same name; those with several values make a column for each.
SETTINGS = ("n", "beta", "unit", "mode", "selection", "iterations", "seed", "annotator", "assumption")
#: Those of the metrics with an encoder.
ENCODER = ("model", "layer", "baseline", "device", "batch", "cache")

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
  geceval score -s source.txt -r ref*.txt -c sys.txt -m green,errant --group length
  geceval score -s source.txt -r ref*.txt -c sys.txt -m gleu --group levels.txt --parts
  geceval score --gold gold.m2 -c sys1.m2 sys2.m2 -m cleme,cleme2 --assumption independent
  geceval score -s source.txt -c sys1.txt sys2.txt -m scribendi:model=./gpt2 impara --device cpu
  decode | geceval score -s source.txt -r ref0.txt -c - -m green --level sentence --format tsv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add_data_arguments(parser)
    group = parser.add_argument_group("metrics")
    group.add_argument(
        *("-m", "--metrics"),
        nargs="+",
        required=True,
        metavar="METRIC",
        help=f"one or more of {', '.join(METRICS.builtin)}; settings may follow: green:unit=char,beta=2",
    )
    group.add_argument("-n", type=int, metavar="N", help="largest n-gram order (default: the metric's, 4)")
    group.add_argument("-b", "--beta", nargs="+", type=float, help="weight of recall; a column for each value")
    group.add_argument("-t", "--unit", nargs="+", help="what a token is: word, char (code points), grapheme")
    group.add_argument("--mode", nargs="+", help="errant: what makes edits equal: cs, cse, ds or dt")
    group.add_argument("--assumption", nargs="+", help="cleme, cleme2: dependent (default) or independent")
    group.add_argument("--annotator", help="errant, cleme: builtin, builtin:classic or spacy:NAME (default: builtin)")
    group.add_argument(
        "--selection", nargs="+", help="how references are chosen; GLEU: sampled (default), best, mean; see the docs"
    )
    group.add_argument("--iterations", type=int, metavar="N", help="draws of the selection sampled (default: 500)")
    group.add_argument("--seed", type=int, metavar="N", help="seed of the draws (default: those of the original GLEU)")
    group.add_argument(
        "--level",
        choices=["corpus", "sentence", "mean"],
        default="corpus",
        help="score the whole corpus, every sentence, or the mean of the sentences (default: corpus)",
    )
    tables = parser.add_argument_group("tables", "instead of the scores of the whole corpus alone")
    tables.add_argument(
        "--by",
        choices=["operation", "type", "full", "length"],
        help="metrics on edits: by type of edit (R, NOUN:NUM, or R:NOUN:NUM), or by its length in tokens",
    )
    tables.add_argument(
        "--group",
        metavar="FILE",
        help="by groups of sentences: a file with a label a line, or the word length: by source length in tokens, "
        "1-10, 11-20, 21-30, 31-40, 41+ (a file of that name: ./length)",
    )
    encoder = parser.add_argument_group(
        "networks",
        "for ptm2, pterrant, cleme2:weights=similarity, scribendi, impara, impara-ged and some (geceval[neural]); "
        "all their settings: docs/metrics/",
    )
    encoder.add_argument("--model", help="a name known to transformers, or a folder (default: the metric's)")
    encoder.add_argument("--layer", type=int, metavar="N", help="the layer to use, from 1 (default: the usual one)")
    encoder.add_argument("--baseline", metavar="X", help="rescale BERTScore by a number or a table (default: not)")
    encoder.add_argument("--device", help="cpu, cuda, … (default: auto)")
    encoder.add_argument("--batch", type=int, metavar="N", help="texts computed at a time (default: 64)")
    encoder.add_argument("--cache", metavar="FILE", help="keep scores in this file for other runs")
    add_output_arguments(parser)
    parser.add_argument("-v", "--parts", action="store_true", help="add columns for precision, recall and the like")


def run(args: argparse.Namespace) -> None:
    # No score needs them, and they wait at work while numpy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from geceval.cli.common import data_files, progress
    from geceval.counting.evaluation import evaluate
    from geceval.counting.stream import work
    from geceval.report.scores import render

    if args.quiet:
        warnings.simplefilter("ignore", GecevalWarning)
    metrics = make_metrics(args.metrics, {name: getattr(args, name) for name in SETTINGS + ENCODER})
    grouping = asked_grouping(args)
    corpus = data_files(args, labels=None if args.group == LENGTH else args.group)
    inputs = {name: getattr(args, name) for name in ("source", "references", "gold", "systems")}
    with progress(work(corpus, metrics), quiet=args.quiet) as advance:
        if grouping is None:
            results = evaluate(corpus, metrics, views=VIEWS[args.level], threads=args.threads, progress=advance)
            text = render(results, args.level, args.format, args.digits, args.parts, inputs)
        else:
            from geceval.counting.breakdown import evaluate_groups
            from geceval.report.groups import render_groups, render_kinds

            groups = evaluate_groups(corpus, metrics, grouping, threads=args.threads, progress=advance)
            if args.by is not None:
                text = render_kinds(groups, args.format, args.digits, args.by, inputs)
            else:
                text = render_groups(groups, args.format, args.digits, args.parts, args.group, inputs)
    write_output(args, text)


def asked_grouping(args: argparse.Namespace) -> Grouping | None:
    """By what ``--by`` or ``--group`` group, if one of them is given."""
    if args.by is None and args.group is None:
        return None
    from geceval.counting.breakdown import ByLength, BySentence, ByType, cut_at_colons, length_bands

    option = "--by" if args.by is not None else "--group"
    if args.by is not None and args.group is not None:
        raise UsageError("--by and --group exclude each other: there is no table by kinds of edits within groups")
    if args.level != "corpus":
        raise UsageError(f"{option} is for corpus scores, not for --level {args.level}")
    if args.by is not None:
        return ByLength() if args.by == LENGTH else ByType(args.by, cut_at_colons)
    return BySentence(length_bands) if args.group == LENGTH else BySentence()


def make_metrics(specs: Sequence[str], options: dict[str, object]) -> list[Metric[Any]]:
    """The metrics of ``-m``, each with the options it has; a setting in the specification goes before an option."""
    given = {name: value for name, value in options.items() if value is not None}
    unused = set(given)
    metrics = []
    for name, settings in parse_specs(specs):
        usable = [option for option in given if option in setting_types(name)]
        unused -= set(usable)
        values = [_as_list(given[option]) for option in usable if option not in settings]
        names = [option for option in usable if option not in settings]
        for combination in product(*values):
            metrics.append(make_metric(name, **dict(zip(names, combination, strict=True)), **settings))
    if unused:
        option = f"--{unused.pop()}"
        raise UsageError(f"none of the metrics has the setting {option}")
    return metrics


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]
